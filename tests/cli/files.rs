//! Files that are read and written: what is wrong with one is told, nothing is written over
//! unasked, and no command waits for a file, or reads or writes it without end.

use std::fs::{self, File};

#[cfg(unix)]
use crate::program::named_pipe;
use crate::program::{Folder, assert_has, cases, in_time, stderr, stdout};
use crate::support::{listed, objects};

/// Every command that reads a file; `F` stands for the file.
const READERS: &[&str] = &[
    "review F",
    "problems --count 1 --from F",
    "solve --file F",
    "analyze --nodes 1 --file F",
    "rate F",
    "sprt F",
    "match --engine cmd=random --engine cmd=random --games 2 --openings F",
    "match --engines F",
    "match --engine cmd=random --engine cmd=random --games 2 --resume --journal F --openings F",
    "certify --results parts --tasks F",
    "certify --results parts --out proof --merge F",
    "verify F",
    "fit --out weights --data F",
    "bench --eval-file F",
    "data calibration F",
    "data dump F",
    "data info F",
    "data weights F",
];

const REVIEW_TO_PGN: &str = "review 'startpos moves c5b6y' --nodes 1 --pgn F";
const MATCH_TO_PGN: &str = "match --engine cmd=random --engine cmd=random --games 2 --pgn F";
const DATAGEN: &str = "datagen --games 8 --nodes 1 --out F";

/// Every command that writes a file `F`; `position` and `games` are what it reads.
const WRITERS: &[&str] = &[
    REVIEW_TO_PGN,
    "review 'startpos moves c5b6y' --nodes 1 --html F",
    "solve --file position --output F",
    "certify --force --split 100 --claim 'p1 draws' --out F 'x6/x6/x6/x6/w1,x5/b1,b1,x4 b'",
    MATCH_TO_PGN,
    "match --engine cmd=random --engine cmd=random --games 2 --journal F",
    DATAGEN,
    "fit --data games --out F",
    "fit --data games --out weights --checkpoint F",
    "fit --data games --out weights --svg F",
    "data calibration games --svg F",
];

/// The options that name folders, or files that the tables above have with another option.
const OTHERS: &[&str] = &[
    "board --journal",
    "certify --results",
    "data calibration --eval-file",
    "data dump --eval-file",
    "datagen --eval-file",
    "fit --held-out",
    "match --log",
    "match --resume",
    "solve --certificate",
    "verify --results",
];

/// Returns the options of a command and its subcommands that name files, each after its command.
fn options_with_files(folder: &Folder, command: &str) -> Vec<String> {
    let help = folder.stdout_of(&format!("{command} --help"));
    let mut found: Vec<String> = (listed(&help).iter())
        .flat_map(|name| options_with_files(folder, format!("{command} {name}").trim()))
        .collect();
    let lines = help.lines().map(str::trim);
    for line in lines.filter(|line| line.starts_with('-')) {
        let value = line.split(['<', '>']).nth(1).unwrap_or_default();
        let mut names = ["FILE", "OUT", "JOURNAL", "TOP", "DIR"].iter();
        let mut words = line.split_whitespace();
        let option = words.find(|word| word.starts_with("--"));
        if let Some(option) = option.filter(|_| names.any(|name| value.contains(name))) {
            found.push(format!("{command} {option}"));
        }
    }
    found
}

#[test]
fn each_option_that_names_a_file_is_in_a_table() {
    let found = options_with_files(&Folder::new(), "");
    assert!(found.len() > 20, "{found:?}");
    for line in found {
        let (command, option) = line.rsplit_once(' ').expect("an option");
        let mut rows = READERS.iter().chain(WRITERS);
        let (begin, file) = (format!("{command} "), format!("{option} F"));
        let is_row = |row: &&str| row.starts_with(&begin) && row.contains(&file);
        let is_known = OTHERS.contains(&&*line) || rows.any(is_row);
        assert!(is_known, "{line} reads or writes a file: give it a row");
    }
}

/// Runs a command on a file. Only one that reads without bounds needs more memory.
fn run(folder: &Folder, command: &str, file: &str) -> (Option<i32>, String) {
    let line = command.replace(" F", &format!(" {file}"));
    let output = in_time(&mut folder.in_shell_after("ulimit -v 1000000", &line));
    let output = output.expect("it starts");
    (output.status.code(), stderr(&output) + &stdout(&output))
}

#[cfg(unix)]
#[test]
fn nothing_but_a_regular_file_of_sensible_size_is_read() {
    let folder = Folder::new();
    named_pipe(&folder.path("pipe"));
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
    for [command, why] in cases(
        "
        rate zeros                       | line 1: not the first line of a match's
        sprt endless                     | line 1: it has more than 1 MiB
        fit --out w --data zeros         | line 1: not the first line
        data info endless                | line 1: it has more than 1 MiB
        analyze --file /proc/self/mem    | cannot read '/proc/self/mem':
        verify --results /dev/zero zeros | it is a device; expected the folder
        review line                      | line 1 has more than 1 MiB
        review large                     | it has more than 256 MiB
        rate large                       | journal 'large' is full, because at most 1 GiB
        ",
    ) {
        assert_has(&run(&folder, command, "").1, why);
    }
}

#[cfg(unix)]
#[test]
fn a_place_that_takes_nothing_is_told() {
    let folder = Folder::new();
    folder.write("position", "x6/x6/x6/x6/w1,x5/b1,b1,x4 b\n");
    let (code, said) = run(&folder, DATAGEN, "games");
    assert_eq!(code, Some(0), "{said}");
    named_pipe(&folder.path("pipe"));
    for command in WRITERS {
        for file in ["/dev/full", "pipe"] {
            let (code, said) = run(&folder, command, file);
            let last = said.lines().find(|line| line.starts_with("error: "));
            let is_told = code == Some(1) && last.is_some_and(|why| why.contains(file));
            assert!(is_told, "{command}, {file}: {code:?}\n{said}");
        }
    }
    let (code, said) = run(&folder, MATCH_TO_PGN, "/dev/null");
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn what_is_there_is_replaced_only_when_that_is_asked_for() {
    let folder = Folder::new();
    folder.write("position", "x6/x6/x6/x6/w1,x5/b1,b1,x4 b\n");
    folder.stdout_of(&DATAGEN.replace(" F", " games"));
    // A fit goes on with the weights and the state that are there.
    let is_continued = |line: &str| line.contains("fit ") && !line.contains("--svg");
    for command in WRITERS.iter().filter(|line| !is_continued(line)) {
        let mine = "[Event \"mine\"]\n\n1. c5b6y *\n";
        folder.write("file", mine);
        let command = command.replace(" --force", "").replace(" F", " file");
        folder.fails_with(1, &command, "--force");
        assert_eq!(folder.read("file"), mine, "{command}");
        folder.stdout_of(&format!("{command} --force"));
        assert_ne!(folder.read("file"), mine, "{command}");
    }
}

/// The same bad words as arguments exit with 2: `tests/data/refused.txt`.
#[test]
fn what_is_wrong_with_a_file_is_told_of_it() {
    let dir = Folder::new();
    dir.write("bad", "startpos a1a1o\n");
    fs::create_dir(dir.path("folder")).expect("made");
    let in_file = |command: &str, file: &str| command.replace(" F", &format!(" {file}"));
    let names = |command: &str, file: &str, why: &str| {
        let said = dir.fails_with(1, &in_file(command, file), why);
        assert_has(&said, &format!("'{file}'"));
        assert!(!said.contains("os error"), "{command}: {said}");
    };
    for command in READERS {
        dir.fails(1, &in_file(command, "bad"));
        names(command, "none", "there is no such file");
        names(command, "folder", "it is a directory; expected");
        names(command, "bad/file", "there is no such file");
    }
    // Outputs are looked at before inputs, and before the work: it is not yet known that
    // the claim is false.
    for command in [
        "certify '3/IIy1o/yOO1I*1/o1Yy3/yoiiIX1/IXoyO/3 w' --claim 'p2 wins' --force --out F",
        "data calibration none --svg F",
        "fit --data none --out F",
        "fit --data none --out w --checkpoint F",
        "match --engine cmd=random --engine cmd=random --journal F",
        "match --engine cmd=random --engine cmd=random --pgn F",
        "review bad --html F",
        "solve startpos --output F",
    ] {
        names(command, "no/file", "there is no directory 'no'");
        names(command, "bad/file", "'bad' is not a directory");
        names(command, "folder", "it is a directory");
        names(command, "new/", "expected the name of a file");
    }
}

#[test]
fn an_empty_file_is_no_error_but_told() {
    let dir = Folder::new();
    dir.write("empty", "");
    for line in [
        "analyze --file empty",
        "data dump empty",
        "data info empty",
        "problems --from empty",
        "rate empty",
        "review empty",
        "solve --file empty",
        "sprt empty",
    ] {
        let run = dir.run(line);
        assert!(run.status.success(), "{line}");
        assert_has(&stderr(&run), "'empty'");
    }
}

#[test]
fn a_damaged_file_is_told_in_words() {
    let dir = Folder::new();
    dir.stdout_of(&DATAGEN.replace(" F", " games"));
    let damaged = dir.read("games").replacen("\n{", "\n<", 1);
    dir.write("games", damaged);
    let why = "line 2: not a game: damaged JSON, expected value at byte 1";
    dir.fails_with(1, "data info games", why);
    dir.write("binary", b"\x7fELF\0\0".repeat(1 << 18));
    for line in ["review binary", "solve --file binary"] {
        dir.fails_with(1, line, "'binary': it is not text; expected a");
    }
}

/// File systems of Linux take any bytes as a name.
#[cfg(target_os = "linux")]
#[test]
fn a_name_need_not_be_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let dir = Folder::new();
    let name = OsStr::from_bytes(b"b\xfc");
    let ok = |line: &str| {
        let mut command = dir.command(line);
        let run = command.arg(name).output().expect("it starts");
        assert!(run.status.success(), "{line}: {}", stderr(&run));
    };
    std::fs::write(dir.at().join(name), "startpos moves c5b6y\n").expect("written");
    ok("review --nodes 1");
    ok("match --engine cmd=random --engine cmd=random --journal journal --openings");
    std::fs::rename(dir.path("journal"), dir.at().join(name)).expect("moved");
    ok("sprt");
    let weights = "src/engine/search/eval/weights.bin";
    std::fs::copy(weights, dir.at().join(name)).expect("copied");
    ok("data weights");
    ok("bench --game hokito --eval-file");
}

#[test]
fn problems_are_positions_for_every_reader() {
    let dir = Folder::new();
    let problems = dir.stdout_of("problems --game hokito --count 2 --plies 4");
    dir.write("problems", &problems);
    let answers = dir.stdout_of("analyze --file problems --nodes 1");
    for line in problems.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        assert!(!fields[3].is_empty(), "{line}: no moves");
        assert_has(&answers, &format!("\"position\":\"{}\"", fields[1]));
    }
    let position = "x6/x6/x6/x6/w1,x5/b1,b1,x4 b";
    let told = objects(&dir.stdout_of(&format!("solve '{position}' --file problems --json")));
    assert!(told.iter().map(|object| &object["line"]).eq([1, 2, 3]));
}

#[test]
fn what_is_wrong_with_stdin_is_told_of_it() {
    let dir = Folder::new();
    dir.write("bytes", b"\n\xff\n");
    let run = |line: &str, stdin: &str| {
        let stdin = File::open(dir.path(stdin)).expect("it is there");
        let run = dir.command(line).stdin(stdin).output().expect("it starts");
        assert_eq!(run.status.code(), Some(1), "{line}");
        stderr(&run)
    };
    for line in ["analyze --file -", "review -", "solve --file -"] {
        let expected = "cannot read '-' (standard input): it is a directory";
        assert_has(&run(line, "."), expected);
    }
    let expected = "cannot read '-' (standard input): line 2 is not UTF-8 text";
    assert_has(&run("review -", "bytes"), expected);
    let line = "match --engine cmd=random --engine cmd=random --openings bytes";
    dir.fails_with(1, line, "bytes': line 2 is not UTF-8 text");
}

#[cfg(unix)]
#[test]
fn a_file_that_is_replaced_stays_private() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new();
    folder.write("own", "");
    let private = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(folder.path("own"), private).expect("it is ours");
    folder.stdout_of(&(REVIEW_TO_PGN.replace(" F", " own") + " --force"));
    let mode = folder.path("own").metadata().expect("a file").permissions();
    assert_eq!(mode.mode() & 0o777, 0o600);
    assert!(!folder.read("own").is_empty());
}

#[test]
fn few_errors_of_a_file_are_told() {
    let dir = Folder::new();
    dir.write("bad", "x\n".repeat(300));
    for line in ["solve --file bad", "problems --from bad", "review bad"] {
        let said = dir.fails_with(1, line, "280 more");
        assert!(said.lines().count() < 25, "{said}");
    }
    let help = dir.stdout_of("review --help");
    assert_has(&help, "The first 20 such errors are printed");
}
