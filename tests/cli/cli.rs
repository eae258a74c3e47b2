//! The program from outside: exact output, exit codes, messages that name what is wrong,
//! and no complaint about a reader that goes away.

use std::io::{BufRead, BufReader};

use serde_json::json;

use crate::commands::{listed, objects};
use crate::program::{Folder, assert_has, ended, piped, stderr, stdout, totemic};
use totemic_engine::game::{Game, Hokito, Yoxii};
use totemic_games::record::openings::{Openings, Order};

fn output(line: &str) -> String {
    Folder::new().ok(line)
}

const ENDGAME: &str = "x6/x6/x6/x6/w1,x5/b1,b1,x4 b";

#[test]
fn perft_prints_a_line_for_each_depth() {
    let yoxii = "X2/oO1Ii/4O1y/I1xo2Y/3yiI1/2*1o/1O1 w";
    for (line, wanted) in [
        ("perft 3", "1\t256\n2\t51136\n3\t8463360\n"),
        (&format!("perft 2 '{yoxii}'"), "1\t68\n2\t4128\n"),
        (
            &format!("perft 2 '{yoxii}' --threads 2"),
            "1\t68\n2\t4128\n",
        ),
        // After the end of all games there is nothing to count.
        (&format!("perft 3 '{ENDGAME}'"), "1\t3\n2\t0\n3\t0\n"),
        // The game may be named before or after the subcommand.
        ("--game hokito perft 2", "1\t110\n2\t11876\n"),
        ("perft 2 --game hokito", "1\t110\n2\t11876\n"),
        ("perft --game Hokito 2 startpos", "1\t110\n2\t11876\n"),
        ("perft 1 --game yoxii", "1\t256\n"),
        // The game of a position is recognised.
        (&format!("perft 1 '{}'", Yoxii::start()), "1\t256\n"),
        (&format!("perft 1 '{}'", Hokito::start()), "1\t110\n"),
    ] {
        assert_eq!(output(line), wanted, "{line}");
    }
}

#[test]
fn moves_are_played_before_counting_and_read_as_people_type_them() {
    let behind = Yoxii::start().play("c5b6y".parse().expect("a move"));
    let wanted = format!("1\t{}\n", behind.count_moves());
    for typed in [
        "startpos --moves c5b6y",
        "startpos --moves 'C5-B6 y'",
        "startpos --moves c5 b6 3",
        "startpos --moves c5:b6=Y",
        "'startpos moves C5-B6 y'",
    ] {
        assert_eq!(output(&format!("perft 1 {typed}")), wanted, "{typed}");
    }
}

#[test]
fn colours_are_a_matter_of_taste() {
    let is_coloured =
        |colour: &str| output(&format!("analyze --nodes 50 {colour}")).contains('\u{1b}');
    assert!(is_coloured("--color always"));
    assert!(!is_coloured("--color never"));
    assert!(!is_coloured(""), "a pipe is no terminal");
    // Help and errors are printed before the arguments are known to be right.
    for (line, is_coloured) in [
        ("--color never --help", false),
        ("perft --help --color=never", false),
        ("--color always --help", true),
        ("perft x --color never", false),
        ("perft x --color=always", true),
    ] {
        let mut command = totemic();
        let command = command.args(line.split(' ')).env("CLICOLOR_FORCE", "1");
        let run = command.output().expect("it starts");
        let text = stdout(&run) + &stderr(&run);
        assert_eq!(text.contains('\u{1b}'), is_coloured, "{line}");
    }
}

#[test]
fn divide_gives_each_move_and_sums_to_perft() {
    for (game, depth, total) in [("yoxii", 2, 51_136), ("hokito", 3, 1_155_403)] {
        let text = output(&format!("perft {depth} --divide --game {game} --threads 2"));
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
    let parts = output(&format!("perft 1 --divide '{ENDGAME}'"));
    assert_eq!(parts, "a1b1\t1\na1a2\t1\nb1a1\t1\n");
}

#[test]
fn the_short_help_has_a_line_for_each_option() {
    let commands = listed(&output("--help"));
    let parts = ["data dump", "data weights"];
    for command in commands.iter().map(String::as_str).chain(parts) {
        let help = output(&format!("{command} -h"));
        let sections = help.split_once("Usage: ").expect("sections").1;
        for line in sections.lines().filter(|line| line.starts_with("   ")) {
            assert!(line.starts_with("      --"), "{command}: {line}");
        }
        assert!(sections.lines().all(|line| line.len() <= 100), "{help}");
    }
    let help = output("match --help");
    for heading in ["Engines:", "Games:", "Endings:", "Output:"] {
        assert_has(&help, &format!("\n{heading}\n"));
    }
    assert_has(&help, "Hash, Searcher, Threads");
}

#[test]
fn commands_come_in_the_order_of_need_and_without_options_that_mean_nothing_to_them() {
    let commands = listed(&output("--help"));
    assert_eq!(commands[..4], ["play", "board", "rules", "analyze"]);
    for (command, game, colour) in [
        ("man", false, false),
        ("rate", false, false),
        ("match", true, false),
        ("analyze", true, true),
    ] {
        let help = output(&format!("{command} -h"));
        let shown = ["--game <", "--color <"].map(|option| help.contains(option));
        assert_eq!(shown, [game, colour], "{command}");
        // They may stand there all the same, as they may stand before the command.
        assert_eq!(output(&format!("{command} --color never -h")), help);
    }
    let level = |name| output(&format!("analyze {name} 3 --nodes 20"));
    assert!(
        ["--level", "--skill"]
            .iter()
            .all(|name| level(name).contains("Chosen move"))
    );
}

#[test]
fn bench_may_search_the_positions_of_one_game() {
    let printed = output("bench --game hokito");
    assert!(printed.contains("\nHokito: "), "{printed}");
    // The signature is that of both games.
    let of_both = printed.contains("Yoxii") || printed.contains("Bench");
    assert!(!of_both, "{printed}");
}

#[test]
fn few_errors_of_a_file_are_told() {
    let dir = Folder::new();
    dir.write("bad", "x\n".repeat(300));
    for line in ["solve --file bad", "problems --from bad", "review bad"] {
        let said = dir.fails(1, line);
        assert!(said.lines().count() < 25, "{said}");
        assert!(said.contains("280 more"), "{said}");
    }
    assert!(output("review --help").contains("The first 20 such errors are printed"));
}

#[test]
fn the_keys_of_a_sequential_test_are_in_its_help() {
    let help = output("sprt --help");
    let keys = "elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized";
    for key in keys.split(' ') {
        assert!(help.contains(key), "{key}: {help}");
    }
    let plain = output("sprt 410 220 370");
    assert_eq!(output(&format!("sprt 410 220 370 {keys}")), plain);
    assert_eq!(output(&format!("sprt 410 220 370 --sprt {keys}")), plain);
    let example = help
        .lines()
        .find_map(|line| line.split_once("Example: totemic "));
    let (_, example) = example.expect("an example");
    assert!(output(example).contains("SPRT [0, 3]"));
}

#[test]
fn setups_are_positions_that_a_seed_repeats() {
    let line = "setup --game hokito --count 20 --seed 42";
    let text = output(line);
    assert_eq!(output(line), text);
    for line in text.lines() {
        let read = line.parse::<Hokito>().map(|position| position.to_string());
        assert_eq!(read.as_deref(), Ok(line));
    }
    let different: std::collections::HashSet<_> = text.lines().collect();
    assert_eq!((text.lines().count(), different.len()), (20, 20));
    assert_ne!(output("setup --game hokito --count 20 --seed 43"), text);
    assert_ne!(output(&format!("{line} --scattered")), text);
    assert_eq!(output("setup"), "3/5/7/3*3/7/5/3 w\n");
    let played = output("setup --plies 7").trim_end().parse::<Yoxii>();
    assert_eq!(played.expect("a position").plies_left(), 36 - 7);
}

#[test]
fn fair_setups_are_even_by_the_engine_and_are_openings() {
    let fair = "setup --game hokito --fair --nodes 1000";
    let line = format!("{fair} --count 3 --seed 5");
    let text = output(&line);
    assert_eq!(output(&line), text);
    let is_headed = text.starts_with("# ") && text.contains("not a proof");
    assert!(is_headed, "{text}");
    let openings = Openings::of_file::<Hokito>(&text, Order::of_file()).expect("openings");
    assert_eq!(openings.count(), Some(3));

    let made = objects(&output(&format!("{line} --json")));
    for (object, line) in made.iter().zip(text.lines().skip(1)) {
        let part = |name: &str| object[name].as_f64().expect("a number");
        assert_eq!(part("win") + part("draw") + part("loss"), 1000.0);
        let points = part("win") + part("draw") / 2.0;
        assert!((450.0..=550.0).contains(&points), "{object}");
        assert!(
            part("nodes") >= 1000.0 && part("searches") >= 1.0,
            "{object}"
        );
        let position = object["position"].as_str().expect("a text");
        assert!(line.starts_with(&format!("{position} # ")), "{line}");
        let pawns = ["b1", "b2", "b3", "w1", "w2", "w3"];
        assert_eq!(pawns.map(|pawn| position.matches(pawn).count()), [6; 6]);
        assert_eq!(object["proved"], false);
    }
    assert_eq!(output(&format!("{fair} --scattered")).lines().count(), 2);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    for line in [
        "setup --game hokito --count 200000",
        "perft 3 --divide",
        "perft 4 --game hokito",
    ] {
        let mut child = Folder::new().start(line);
        let stdout = child.stdout.take().expect("a pipe");
        let mut first = String::new();
        let read = BufReader::with_capacity(16, stdout).read_line(&mut first);
        read.expect("a line");
        let run = child.wait_with_output().expect("the program ends");
        let said = stderr(&run);
        assert!(run.status.success(), "{line}: {said}");
        assert!(!said.contains("panicked"), "{line}: {said}");
    }
}

/// Nobody sees what these would print, long from now.
#[cfg(unix)]
#[test]
fn work_without_a_reader_ends_unless_it_writes_a_file() {
    let folder = Folder::new();
    let unread = |line: &str| {
        let mut child = folder.start(line);
        drop(child.stdout.take());
        child
    };
    let games = "match --engine cmd=random --engine cmd=random --games";
    let endless = [
        "analyze --infinite",
        "estimate startpos --samples 1000000",
        "perft 12",
        "problems --count 1000000",
        "review 'startpos moves c5b6y' --nodes 1000000000000",
        "setup --game hokito --fair --count 1000000",
        "solve startpos",
        &format!("{games} 100000000"),
    ];
    let running = endless.map(unread);
    let journal = unread(&format!("{games} 200 --journal journal"));
    for (line, child) in endless.iter().zip(running) {
        let output = ended(child);
        assert!(output.status.success(), "{line}: {}", stderr(&output));
    }
    assert!(ended(journal).status.success());
    assert_eq!(folder.read("journal").lines().count(), 201);
}

#[cfg(target_os = "linux")]
#[test]
fn a_stdout_that_takes_nothing_is_told() {
    let folder = Folder::new();
    for line in ["--help", "--version", "solve --help", "perft 1", "setup"] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let mut command = folder.command(line);
        let run = command.stdout(full.expect("a device")).output();
        let run = run.expect("it starts");
        assert_eq!(run.status.code(), Some(1), "{line}");
        assert_has(
            &stderr(&run),
            "error: cannot write to stdout: No space left",
        );
    }
}

/// If an exit code is an answer, it must not be given when nobody has read the output.
#[test]
fn a_proof_that_nobody_waits_for_is_not_called_checked() {
    let mut command = totemic();
    command.args(["verify", "benches/theorems/draw1-p1.proof"]);
    let mut child = piped(&mut command);
    drop(child.stdout.take());
    let status = child.wait().expect("the program ends");
    assert_eq!(status.code(), Some(1));
}

/// As in `2>&1 | head -1`: what goes to stderr has no reader either.
#[test]
fn nor_is_one_that_read_the_diagnostics() {
    let unread = || {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        writer
    };
    for (line, code) in [("perft 2", 0), ("sprt 10 2 30", 0), ("perft 1 nonsense", 2)] {
        let mut command = totemic();
        let command = command.args(line.split(' ')).stdout(unread());
        let status = command.stderr(unread()).status();
        assert_eq!(status.expect("it ends").code(), Some(code), "{line}");
    }
    // Only the diagnostics have no reader.
    let run = totemic().args(["perft", "2"]).stderr(unread()).output();
    let run = run.expect("the program ends");
    assert_eq!(run.status.code(), Some(0));
    assert_eq!(run.stdout, b"1\t256\n2\t51136\n");
}

#[test]
fn the_version_names_the_weights() {
    let file = include_bytes!("../../src/engine/search/eval/weights.bin");
    let sum = file.last_chunk().expect("a checksum at the end");
    let expected = format!("\nweights: {:08x}\n", u32::from_le_bytes(*sum));
    assert_has(&output("--version"), &expected);
}

#[test]
fn every_command_has_a_manual_page_and_every_shell_a_script() {
    let folder = Folder::new();
    folder.ok("man pages");
    assert_has(&folder.read("pages/totemic-certify.1"), "Prove a claim");
    for shell in ["bash", "elvish", "fish", "nushell", "powershell", "zsh"] {
        assert_has(&folder.ok(&format!("completions {shell}")), "certify");
    }
    folder.write("file", "");
    assert!(folder.fails(1, "man file").contains("'file'"));
}

/// What a command prints for people, it prints for programs as well, one object a line.
#[test]
fn programs_read_what_people_read() {
    let folder = Folder::new();
    let objects = |line: &str| objects(&folder.ok(line));
    let counted = &objects("perft 2 --divide --json")[0];
    let moves = counted["moves"].as_object().expect("moves");
    let sum: u64 = moves.values().filter_map(serde_json::Value::as_u64).sum();
    assert_eq!((counted["nodes"].as_u64(), sum), (Some(51_136), 51_136));
    assert_eq!(objects("perft 2 --json").len(), 2);
    let signature = &objects("bench --game hokito --json")[0]["hokito"];
    let told = folder.ok("bench --game hokito");
    assert!(told.contains(&format!("Hokito: {} nodes", signature["nodes"])));
    let line = "problems --game hokito --count 2 --plies 5";
    let (problems, told) = (objects(&format!("{line} --json")), folder.ok(line));
    for (problem, line) in problems.iter().zip(told.lines()) {
        let fields: Vec<&str> = line.split('\t').collect();
        assert_eq!(problem["position"], fields[1]);
        assert_eq!(problem["value"], fields[2]);
        assert_eq!(
            problem["best"].as_array().map(Vec::len),
            Some(fields[3].split(' ').count())
        );
    }
    folder.ok("datagen --game hokito --games 3 --nodes 50 --out games");
    assert_eq!(objects("data info games --json")[0]["games"], 3);
    let position = "x,b3:14,x,w1:2,x,b1/x5,b2/w1:14,x5/x6/x6/w3:2,w2,x3,w1 b";
    let made = objects(&format!(
        "certify '{position}' --claim 'black wins' --out proof --json"
    ));
    let bytes = std::fs::read(folder.path("proof")).expect("a proof");
    assert_eq!(made[0]["bytes"], bytes.len());
    let verified = &objects("verify proof --json")[0];
    assert_eq!(
        [&verified["ok"], &verified["proved"], &verified["claim"]],
        [&json!(true), &json!(true), &json!("p1 wins")]
    );
    assert_eq!(verified["choices"], made[0]["choices"]);
    folder.fails_with(2, "verify proof --game yoxii", "--game yoxii: '");
    let output = folder.run("verify games --json");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an object");
    assert!(
        output.status.code() == Some(1) && found["ok"] == false,
        "{found}"
    );
}
