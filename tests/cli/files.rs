//! No command waits for these files, or reads or writes them without end.

use std::fs::File;

use nix::sys::stat::Mode;

use crate::program::{Folder, in_time, stderr, stdout};

/// Every command that reads a file; `F` stands for the file.
const READERS: &[&str] = &[
    "review F",
    "problems --count 1 --from F",
    "solve --file F",
    "analyze --nodes 1 --file F",
    "rate F",
    "sprt F",
    "match --engine cmd=random --engine cmd=random --games 2 --openings F",
    "match --engine cmd=random --engine cmd=random --games 2 --resume --journal F",
    "certify --results parts --task-file F",
    "certify --results parts --out proof --merge F",
    "verify F",
    "fit --out weights --data F",
    "data info F",
    "data weights F",
];

/// Every command that writes a file; `F` stands for the file.
const WRITERS: &[&str] = &[
    "review 'startpos moves c5b6y' --nodes 1 --pgn F",
    "review 'startpos moves c5b6y' --nodes 1 --html F",
    "solve --file position --output F",
    "certify --force --split 100 --claim 'p1 draws' --out F 'x6/x6/x6/x6/w1,x5/b1,b1,x4 b'",
    "match --engine cmd=random --engine cmd=random --games 2 --pgn F",
    "match --engine cmd=random --engine cmd=random --games 2 --journal F",
    "datagen --games 8 --nodes 1 --out F",
    "fit --data games --out F",
];

/// Runs a command on a file, with so much memory that only an unbounded one needs more.
/// Returns its exit code and what it says.
fn run(folder: &Folder, command: &str, file: &str) -> (Option<i32>, String) {
    let line = command.replace(" F", &format!(" {file}"));
    let output = in_time(&mut folder.after("ulimit -v 1000000", &line));
    let output = output.expect("it starts");
    (output.status.code(), stderr(&output) + &stdout(&output))
}

#[test]
fn nothing_but_a_regular_file_of_sensible_size_is_read() {
    let folder = Folder::new();
    nix::unistd::mkfifo(&folder.path("pipe"), Mode::S_IRWXU).expect("a pipe");
    folder.write("line", "c5b6y ".repeat(1 << 20) + "\n");
    let large = File::create(folder.path("large")).expect("a file");
    large.set_len((1 << 30) + 1).expect("a file with holes");
    for command in READERS {
        for (file, why) in [
            ("/dev/zero", "it is a device: expected a regular file"),
            ("pipe", "it is a pipe: expected a regular file"),
            ("line", ""),
            ("large", ""),
        ] {
            let (code, said) = run(&folder, command, file);
            let is_refused = code == Some(1) && said.contains(why) && said.len() < 500;
            assert!(is_refused, "{command}, {file}: {code:?}\n{said}");
        }
    }
    // Neither of these contains a line end.
    folder.write("zeros", vec![0; 1 << 21]);
    let endless = "{\"totemic_match\":1".to_owned() + &" ".repeat(1 << 20);
    folder.write("endless", endless);
    let no_folder = "it is a device; expected the folder";
    for (command, why) in [
        ("rate zeros", "line 1: not the first line of a match's"),
        ("sprt endless", "line 1: it has more than 1 MiB"),
        ("fit --out w --data zeros", "line 1: not the first line"),
        ("data info endless", "line 1: it has more than 1 MiB"),
        (
            "analyze --file /proc/self/mem",
            "cannot read '/proc/self/mem': ",
        ),
        ("verify --results /dev/zero zeros", no_folder),
        ("review line", "line 1 has more than 1 MiB"),
        ("review large", "it has more than 256 MiB"),
        ("rate large", "it has more than 1024 MiB"),
    ] {
        let (_, said) = run(&folder, command, "");
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn a_place_that_takes_nothing_is_told() {
    let folder = Folder::new();
    folder.write("position", "x6/x6/x6/x6/w1,x5/b1,b1,x4 b\n");
    let (code, said) = run(&folder, WRITERS[6], "games");
    assert_eq!(code, Some(0), "{said}");
    nix::unistd::mkfifo(&folder.path("pipe"), Mode::S_IRWXU).expect("a pipe");
    for command in WRITERS {
        for file in ["/dev/full", "pipe"] {
            let (code, said) = run(&folder, command, file);
            let last = said.lines().find(|line| line.starts_with("error: "));
            let is_told = code == Some(1) && last.is_some_and(|why| why.contains(file));
            assert!(is_told, "{command}, {file}: {code:?}\n{said}");
        }
    }
    let (code, said) = run(&folder, WRITERS[4], "/dev/null");
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn a_command_that_fails_leaves_its_files_as_they_were() {
    let folder = Folder::new();
    let games = "[Event \"kept\"]\n";
    let also = "it is also read";
    for (command, content, why) in [
        ("review none --pgn F --force", games, "'none'"),
        (
            "solve startpos --certificate F --output F --force",
            games,
            "it is a file",
        ),
        ("certify --merge F --results . --out F --force", games, also),
        ("datagen --eval-file F --out F --force", games, also),
        (
            "match --engines F --pgn F --force",
            "cmd=random\ncmd=random\n",
            also,
        ),
        (
            "match --engine cmd=random --engine cmd=random --journal j --resume --pgn F",
            games,
            "games that the journal has not",
        ),
    ] {
        folder.write("games", content);
        let (code, said) = run(&folder, command, "games");
        assert!(matches!(code, Some(1 | 2)), "{command}: {code:?}\n{said}");
        assert!(said.contains(why), "{command}: {said}");
        assert_eq!(folder.read("games"), content, "{command}");
    }
}

#[test]
fn a_file_that_is_replaced_stays_private() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new();
    folder.write("own", "");
    let private = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(folder.path("own"), private).expect("it is ours");
    folder.ok(&(WRITERS[0].replace(" F", " own") + " --force"));
    let mode = folder.path("own").metadata().expect("a file").permissions();
    assert_eq!(mode.mode() & 0o777, 0o600);
    assert!(!folder.read("own").is_empty());
}
