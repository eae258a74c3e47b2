//! The program from outside: exact output, exit codes, messages that name the
//! culprit, and no complaint about a reader that goes away.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command as Process, Stdio};

use assert_cmd::Command;
use totemic::game::{Game, Hokito, Yoxii};
use totemic::record::openings::{Openings, Order};

fn totemic(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("totemic").expect("the program");
    command.args(arguments);
    command
}

/// What a run that succeeds prints.
fn output(arguments: &[&str]) -> String {
    let run = totemic(arguments).assert().success();
    String::from_utf8(run.get_output().stdout.clone()).expect("UTF-8")
}

/// What a run that is refused says; nothing may be on stdout.
fn refusal(arguments: &[&str]) -> String {
    let run = totemic(arguments).assert().code(2).stdout("");
    String::from_utf8(run.get_output().stderr.clone()).expect("UTF-8")
}

const ENDGAME: &str = "x6/x6/x6/x6/w1,x5/b1,b1,x4 b";

#[test]
fn perft_prints_a_line_for_each_depth() {
    assert_eq!(output(&["perft", "3"]), "1\t256\n2\t51136\n3\t8463360\n");
    let yoxii = "X2/oO1Ii/4O1y/I1xo2Y/3yiI1/2*1o/1O1 w";
    assert_eq!(output(&["perft", "2", yoxii]), "1\t68\n2\t4128\n");
    assert_eq!(
        output(&["perft", "2", yoxii, "--threads", "2"]),
        "1\t68\n2\t4128\n"
    );
    // Behind the end of all games there is nothing to count.
    assert_eq!(output(&["perft", "3", ENDGAME]), "1\t3\n2\t0\n3\t0\n");
}

#[test]
fn the_game_may_be_named_before_or_behind_the_subcommand() {
    let wanted = "1\t110\n2\t11876\n";
    assert_eq!(output(&["--game", "hokito", "perft", "2"]), wanted);
    assert_eq!(output(&["perft", "2", "--game", "hokito"]), wanted);
    assert_eq!(
        output(&["perft", "--game", "Hokito", "2", "startpos"]),
        wanted
    );
    assert_eq!(output(&["perft", "1", "--game", "yoxii"]), "1\t256\n");
}

#[test]
fn the_game_of_a_position_is_recognised() {
    let yoxii = Yoxii::start().to_string();
    let hokito = Hokito::start().to_string();
    assert_eq!(output(&["perft", "1", &yoxii]), "1\t256\n");
    assert_eq!(output(&["perft", "1", &hokito]), "1\t110\n");
    let message = refusal(&["perft", "1", &hokito, "--game", "yoxii"]);
    assert!(
        message.contains("hokito") && message.contains("--game yoxii"),
        "{message}"
    );
}

#[test]
fn moves_are_played_before_counting() {
    let behind = Yoxii::start().play("c5b6y".parse().expect("a move"));
    let wanted = format!("1\t{}\n", behind.count_moves());
    assert_eq!(
        output(&["perft", "1", "startpos", "--moves", "c5b6y"]),
        wanted
    );
    let message = refusal(&["perft", "1", "startpos", "--moves", "c5b6y", "d3d2o"]);
    assert!(
        message.contains("move 2") && message.contains("'d3d2o'"),
        "{message}"
    );
}

#[test]
fn moves_are_read_as_people_type_them() {
    let wanted = output(&["perft", "1", "startpos", "--moves", "c5b6y"]);
    assert_eq!(output(&["perft", "1", "startpos moves C5-B6 y"]), wanted);
    for typed in [&["C5-B6 y"][..], &["c5", "b6", "3"], &["c5:b6=Y"]] {
        let arguments = [&["perft", "1", "startpos", "--moves"], typed].concat();
        assert_eq!(output(&arguments), wanted, "{typed:?}");
    }
}

#[test]
fn colours_are_a_matter_of_taste() {
    let drawing = |colour: &[&str]| {
        let arguments = [&["analyze", "--nodes", "50"], colour].concat();
        output(&arguments)
    };
    assert!(drawing(&["--color", "always"]).contains('\u{1b}'));
    assert!(!drawing(&["--color", "never"]).contains('\u{1b}'));
    assert!(!drawing(&[]).contains('\u{1b}'), "a pipe is no terminal");
    assert!(refusal(&["analyze", "--color", "blue"]).contains("'blue'"));
    // Help and errors are printed before the arguments are known to be right.
    for (arguments, is_coloured) in [
        (&["--color", "never", "--help"][..], false),
        (&["perft", "--help", "--color=never"], false),
        (&["--color", "always", "--help"], true),
        (&["perft", "x", "--color", "never"], false),
        (&["perft", "x", "--color=always"], true),
    ] {
        let run = totemic(arguments).env("CLICOLOR_FORCE", "1").assert();
        let run = run.get_output();
        let text = [&run.stdout[..], &run.stderr].concat();
        assert_eq!(text.contains(&0x1b), is_coloured, "{arguments:?}");
    }
}

#[test]
fn divide_gives_each_move_and_sums_to_perft() {
    for (game, depth, total) in [("yoxii", "2", 51_136), ("hokito", "3", 1_155_403)] {
        let text = output(&["perft", depth, "--divide", "--game", game, "--threads", "2"]);
        let mut moves = std::collections::HashSet::new();
        let mut sum = 0;
        for line in text.lines() {
            let (mv, nodes) = line.split_once('\t').expect("two columns");
            assert!(moves.insert(mv), "{mv} twice");
            let legal = match game {
                "yoxii" => Yoxii::start().read_move(mv).is_ok(),
                _ => Hokito::start().read_move(mv).is_ok(),
            };
            assert!(legal, "{mv}");
            sum += nodes.parse::<u64>().expect("a number");
        }
        assert_eq!(sum, total, "{game}");
    }
    let parts = output(&["perft", "1", "--divide", ENDGAME]);
    assert_eq!(parts, "a1b1\t1\na1a2\t1\nb1a1\t1\n");
}

#[test]
fn wrong_usage_is_told_from_failed_work() {
    for (arguments, culprit) in [
        (&["perft"][..], "<DEPTH>"),
        (&["perft", "0"], "'0'"),
        (&["perft", "x"], "'x'"),
        (&["perft", "1", "--threads", "0"], "'0'"),
        (&["perft", "1", "--game", "chess"], "'chess'"),
        (&["frobnicate"], "'frobnicate'"),
        (&["perft", "1", "3/5/7/3z3/7/5/3 w"], "'z' at byte 7"),
        (&["perft", "1", "3/5/7/3*3/7/5 w"], "7 ranks, but 6"),
        (&["perft", "1", "nonsense"], "nonsense"),
        (
            &["analyze", "nonsense"],
            "expected 'startpos' or a position",
        ),
        (&["analyze", "Cargo.toml"], "this is a file"),
        (&["analyze", "3/5/7/3*3/7/5/3"], "in quotes"),
        (&["analyze", "3/5/7/3*3/7/5/3", "w"], "in quotes"),
        (&["analyze", "--depth", "x"], "a whole number from 1 to 64"),
        (&["analyze", "--movetime", "-5"], "'-5'"),
        (&["setup", "--seed", "-1"], "-1"),
        (&["setup", "--plies", "37"], "'37'"),
        (&["setup", "--count", "0"], "at least 1"),
        (&["setup", "--scattered"], "--game hokito"),
        (&["setup", "--fair"], "the start of yoxii is fixed"),
        (&["setup", "--game", "hokito", "--json"], "--fair"),
        (
            &["setup", "--game", "hokito", "--fair", "--nodes", "0"],
            "'0'",
        ),
    ] {
        let message = refusal(arguments);
        assert!(message.contains(culprit), "{arguments:?}: {message}");
        assert!(!message.contains("panicked"), "{message}");
    }
    // No random game of Yoxii goes on after 36 plies: that is no wrong usage.
    totemic(&["setup", "--plies", "36"])
        .assert()
        .code(1)
        .stdout("");
    totemic(&["--version"]).assert().success();
    totemic(&["--help"]).assert().success();
}

/// Bad arguments exit with 2; a file that is missing, or holds the same bad words, with 1,
/// whichever command reads it.
#[test]
fn exit_codes_tell_arguments_from_files() {
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("bad"), "startpos a1a1o\n").expect("written");
    std::fs::create_dir(dir.path().join("folder")).expect("made");
    let engines = "--engine cmd=self st=1 --engine cmd=self st=1";
    let in_file = |command: &str, file: &str| {
        let line = command.replace("ENGINES", engines).replace("FILE", file);
        line.split(' ').map(str::to_owned).collect::<Vec<_>>()
    };
    let run = |words: &[String], wanted: i32| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = totemic(&words).current_dir(dir.path()).assert();
        let output = run.get_output();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(wanted), "{words:?}: {said}");
        said
    };
    let names = |command: &str, file: &str, why: &str| {
        let said = run(&in_file(command, file), 1);
        let is_named = said.contains(&format!("'{file}'"));
        assert!(is_named && said.contains(why), "{command}: {said}");
        assert!(!said.contains("os error"), "{command}: {said}");
    };
    for command in [
        "analyze --file FILE",
        "bench --eval-file FILE",
        "certify --task-file FILE --results r",
        "data calibration FILE",
        "data dump FILE",
        "data info FILE",
        "data weights FILE",
        "fit --data FILE --out w",
        "match ENGINES --openings FILE",
        "match ENGINES --journal FILE --resume --openings FILE",
        "problems --from FILE",
        "rate FILE",
        "review FILE",
        "solve --file FILE",
        "sprt FILE",
        "verify FILE",
    ] {
        run(&in_file(command, "bad"), 1);
        for (file, why) in [
            ("none", "there is no such file"),
            ("folder", "it is a directory; expected"),
            ("bad/file", "there is no such file"),
        ] {
            names(command, file, why);
        }
    }
    // What is to be written is looked at before what is to be read.
    for command in [
        "data calibration none --svg FILE",
        "fit --data none --out FILE",
        "fit --data none --out w --checkpoint FILE",
        "match ENGINES --journal FILE",
        "match ENGINES --pgn FILE",
        "review bad --html FILE",
        "solve startpos --output FILE",
    ] {
        for (file, why) in [
            ("no/file", "there is no directory 'no'"),
            ("bad/file", "'bad' is no directory"),
            ("folder", "it is a directory"),
            ("new/", "expected that of a file"),
        ] {
            names(command, file, why);
        }
    }
    let said = run(&in_file("match ENGINES --log FILE", "bad"), 1);
    assert!(said.contains("'bad': it is a file; expected"), "{said}");
    for command in [
        "analyze startpos --moves a1a1o",
        "analyze a1a1o",
        "certify startpos --claim x --out o",
        "estimate startpos --claim x",
        "perft 1 startpos --moves a1a1o",
        "play --position a1a1o",
        "solve startpos --moves a1a1o",
        "sprt 1 2",
    ] {
        run(&in_file(command, ""), 2);
    }
    run(&["review".to_owned(), "startpos a1a1o".to_owned()], 2);
    run(&["review".to_owned(), "startpos ".to_owned()], 2);
}

#[test]
fn what_is_wrong_with_stdin_is_told_of_it() {
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("bytes"), b"\n\xff\n").expect("written");
    let run = |arguments: &[&str], stdin: &std::path::Path| {
        let run = Process::new(assert_cmd::cargo::cargo_bin("totemic"))
            .args(arguments)
            .stdin(std::fs::File::open(stdin).expect("it is there"))
            .output()
            .expect("the program runs");
        assert_eq!(run.status.code(), Some(1), "{arguments:?}");
        String::from_utf8(run.stderr).expect("UTF-8")
    };
    for arguments in [
        &["analyze", "--file", "-"][..],
        &["review", "-"],
        &["solve", "--file", "-"],
    ] {
        let said = run(arguments, dir.path());
        let expected = "cannot read '-' (standard input): it is a directory";
        assert!(said.contains(expected), "{said}");
    }
    let said = run(&["review", "-"], &dir.path().join("bytes"));
    let expected = "cannot read '-' (standard input): line 2 is not UTF-8 text";
    assert!(said.contains(expected), "{said}");
    let bytes = dir.path().join("bytes");
    let said = run(
        &[
            "match",
            "--engine",
            "cmd=self",
            "st=1",
            "--engine",
            "cmd=self",
            "st=1",
            "--openings",
            bytes.to_str().expect("UTF-8"),
        ],
        &bytes,
    );
    assert!(said.contains("bytes': line 2 is not UTF-8 text"), "{said}");
}

#[test]
fn bench_may_search_the_positions_of_one_game() {
    let printed = output(&["bench", "--game", "hokito"]);
    assert!(printed.contains("\nHokito: "), "{printed}");
    // The signature is of both.
    assert!(
        !printed.contains("Yoxii") && !printed.contains("Bench"),
        "{printed}"
    );
}

/// A file that is none of lines is not told line by line.
#[test]
fn few_errors_of_a_file_are_told() {
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("bad"), "x\n".repeat(300)).expect("written");
    for command in [
        &["solve", "--file", "bad"][..],
        &["problems", "--from", "bad"],
        &["review", "bad"],
    ] {
        let run = totemic(command).current_dir(dir.path()).assert().code(1);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.lines().count() < 25, "{said}");
        assert!(said.contains("280 more"), "{said}");
    }
    assert!(output(&["review", "--help"]).contains("20 of these errors are told"));
}

/// The help names each key of the test with the default that it has.
#[test]
fn the_keys_of_a_sequential_test_are_in_its_help() {
    let help = output(&["sprt", "--help"]);
    let keys = [
        "elo0=0",
        "elo1=5",
        "alpha=0.05",
        "beta=0.05",
        "model=normalized",
    ];
    for key in keys {
        assert!(help.contains(key), "{key}: {help}");
    }
    let results = ["sprt", "410", "220", "370"];
    let plain = output(&results);
    assert_eq!(output(&[&results[..], &keys].concat()), plain);
    assert_eq!(output(&[&results[..], &["--sprt"], &keys].concat()), plain);
    let example = help
        .lines()
        .find_map(|line| line.split_once("Example: totemic "));
    let (_, example) = example.expect("an example");
    let words: Vec<&str> = example.split_whitespace().collect();
    assert!(output(&words).contains("SPRT [0, 3]"));
}

#[test]
fn setups_are_positions_that_a_seed_repeats() {
    let arguments = ["setup", "--game", "hokito", "--count", "20", "--seed", "42"];
    let text = output(&arguments);
    assert_eq!(output(&arguments), text);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 20);
    for line in &lines {
        assert_eq!(
            line.parse::<Hokito>().map(|p| p.to_string()).as_deref(),
            Ok(*line)
        );
    }
    let different: std::collections::HashSet<_> = lines.iter().collect();
    assert_eq!(different.len(), 20);
    let other = output(&["setup", "--game", "hokito", "--count", "20", "--seed", "43"]);
    assert_ne!(other, text);
    let scattered = [&arguments[..], &["--scattered"]].concat();
    assert_ne!(output(&scattered), text);
    assert_eq!(output(&["setup"]), "3/5/7/3*3/7/5/3 w\n");
    let played: Yoxii = output(&["setup", "--plies", "7"])
        .trim_end()
        .parse()
        .expect("a position");
    assert_eq!(played.plies_left(), 36 - 7);
}

#[test]
fn fair_setups_are_even_by_the_engine_and_are_openings() {
    let fair = ["setup", "--game", "hokito", "--fair", "--nodes", "4000"];
    let arguments = [&fair[..], &["--count", "3", "--seed", "5"]].concat();
    let text = output(&arguments);
    assert_eq!(output(&arguments), text);
    assert!(
        text.starts_with("# ") && text.contains("no proof"),
        "{text}"
    );
    let openings = Openings::of_file::<Hokito>(&text, Order::of_file()).expect("openings");
    assert_eq!(openings.count(), Some(3));

    let objects = output(&[&arguments[..], &["--json"]].concat());
    let lines = text.lines().skip(1);
    for (object, line) in objects.lines().zip(lines) {
        let object: serde_json::Value = serde_json::from_str(object).expect("an object");
        let part = |name: &str| object[name].as_f64().expect("a number");
        assert_eq!(part("win") + part("draw") + part("loss"), 1000.0);
        let points = part("win") + part("draw") / 2.0;
        assert!((450.0..=550.0).contains(&points), "{object}");
        assert!(part("nodes") >= 4000.0 && part("looks") >= 1.0, "{object}");
        let position = object["position"].as_str().expect("a text");
        assert!(line.starts_with(&format!("{position} # ")), "{line}");
        let pawns = ["b1", "b2", "b3", "w1", "w2", "w3"];
        assert_eq!(pawns.map(|pawn| position.matches(pawn).count()), [6; 6]);
        assert_eq!(object["proved"], false);
    }
    let scattered = [&fair[..], &["--scattered"]].concat();
    assert_eq!(output(&scattered).lines().count(), 2);
}

/// Starts the program, reads one line of its output and closes the pipe.
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let program = assert_cmd::cargo::cargo_bin("totemic");
    for arguments in [
        &["setup", "--game", "hokito", "--count", "200000"][..],
        &["perft", "3", "--divide"],
        &["perft", "4", "--game", "hokito"],
    ] {
        let mut child = Process::new(&program)
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let mut stdout = BufReader::with_capacity(16, child.stdout.take().expect("a pipe"));
        stdout.read_line(&mut line).expect("a line");
        drop(stdout);
        let mut stderr = String::new();
        let mut pipe = child.stderr.take().expect("a pipe");
        pipe.read_to_string(&mut stderr).expect("text");
        let status = child.wait().expect("the program ends");
        assert!(status.success(), "{arguments:?}: {status}, {stderr}");
        assert!(!stderr.contains("panicked"), "{arguments:?}: {stderr}");
    }
}

/// Whose exit code is an answer has not given it.
#[test]
fn a_proof_that_nobody_waits_for_is_not_called_checked() {
    let proof = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/benches/theorems/draw1-p1.proof"
    );
    let mut child = Process::new(assert_cmd::cargo::cargo_bin("totemic"))
        .args(["verify", proof])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let status = child.wait().expect("the program ends");
    assert_eq!(status.code(), Some(1));
}

/// `2>&1 | head -1`: what goes to stderr has no reader either.
#[test]
fn nor_is_one_that_read_the_diagnostics() {
    let program = assert_cmd::cargo::cargo_bin("totemic");
    for (arguments, code) in [
        (&["perft", "2"][..], 0),
        (&["sprt", "10", "2", "30"], 0),
        (&["perft", "1", "nonsense"], 2),
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let status = Process::new(&program)
            .args(arguments)
            .stdout(writer.try_clone().expect("a pipe"))
            .stderr(writer)
            .status()
            .expect("the program ends");
        assert_eq!(status.code(), Some(code), "{arguments:?}");
    }
    // Only the diagnostics have none.
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let run = Process::new(&program)
        .args(["perft", "2"])
        .stdout(Stdio::piped())
        .stderr(writer)
        .output()
        .expect("the program ends");
    assert_eq!(run.status.code(), Some(0));
    assert_eq!(run.stdout, b"1\t256\n2\t51136\n");
}

#[test]
fn the_version_names_the_weights() {
    let file = include_bytes!("../../src/search/eval/weights.bin");
    let sum = file.last_chunk().expect("a checksum at the end");
    let expected = format!("\nweights: {:08x}\n", u32::from_le_bytes(*sum));
    let run = Process::new(assert_cmd::cargo::cargo_bin!("totemic"))
        .arg("--version")
        .output()
        .expect("the program runs");
    let told = String::from_utf8_lossy(&run.stdout);
    assert!(told.contains(&expected), "{told}");
}
