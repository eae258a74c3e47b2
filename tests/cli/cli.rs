//! The program from outside: exact output, exit codes, messages that name what is wrong,
//! and no complaint about a reader that goes away.

use std::collections::HashSet;
use std::io::{BufRead, BufReader};

use serde_json::json;

use crate::program::{Folder, assert_has, ended, stderr, stdout, totemic};
use crate::support::{self, ENDGAME, listed, objects};
use totemic_engine::game::{Game, Hokito, Yoxii};
use totemic_games::record::openings::{Openings, Selection};

fn output(line: &str) -> String {
    Folder::new().ok(line)
}

const LAST_MOVE: &str = "x6/x6/x6/x6/w1,x5/b1,b1,x4 b";

#[test]
fn perft_prints_a_line_for_each_depth() {
    let later = "perft 2 'X2/oO1Ii/4O1y/I1xo2Y/3yiI1/2*1o/1O1 w'";
    let behind = Yoxii::start().play("c5b6y".parse().expect("a move"));
    let behind = &format!("1\t{}\n", behind.count_moves());
    for (line, wanted) in [
        ("perft 3", "1\t256\n2\t51136\n3\t8463360\n"),
        (later, "1\t68\n2\t4128\n"),
        (&format!("{later} --threads 2"), "1\t68\n2\t4128\n"),
        // After the end of all games there is nothing to count.
        (&format!("perft 3 '{LAST_MOVE}'"), "1\t3\n2\t0\n3\t0\n"),
        // The game may be named before or after the subcommand.
        ("--game hokito perft 2", "1\t110\n2\t11876\n"),
        ("perft 2 --game hokito", "1\t110\n2\t11876\n"),
        ("perft --game Hokito 2 startpos", "1\t110\n2\t11876\n"),
        ("perft 1 --game yoxii", "1\t256\n"),
        // The game of a position is recognised.
        (&format!("perft 1 '{}'", Yoxii::start()), "1\t256\n"),
        (&format!("perft 1 '{}'", Hokito::start()), "1\t110\n"),
        // Moves are played before, and read as people type them.
        ("perft 1 startpos --moves c5b6y", behind),
        ("perft 1 startpos --moves 'C5-B6 y'", behind),
        ("perft 1 startpos --moves c5 b6 3", behind),
        ("perft 1 startpos --moves c5:b6=Y", behind),
        ("perft 1 'startpos moves C5-B6 y'", behind),
    ] {
        assert_eq!(output(line), wanted, "{line}");
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
    fn check<G: Game>(depth: u32, total: u64) {
        let line = format!("perft {depth} --divide --game {} --threads 2", G::NAME);
        let text = output(&line);
        let rows = text.lines().filter_map(|line| line.split_once('\t'));
        let number = |text: &str| text.parse::<u64>().expect("a number");
        let (moves, nodes): (Vec<&str>, Vec<u64>) = rows.map(|(mv, n)| (mv, number(n))).unzip();
        assert!((G::start().moves().iter().map(ToString::to_string)).eq(moves));
        assert_eq!(nodes.iter().sum::<u64>(), total, "{line}");
    }
    check::<Yoxii>(2, 51_136);
    check::<Hokito>(3, 1_155_403);
    let parts = output(&format!("perft 1 --divide '{LAST_MOVE}'"));
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
    for level in ["--level", "--skill"] {
        let chosen = output(&format!("analyze {level} 3 --nodes 20"));
        assert_has(&chosen, "Chosen move");
    }
}

#[test]
fn few_errors_of_a_file_are_told() {
    let dir = Folder::new();
    dir.write("bad", "x\n".repeat(300));
    for line in ["solve --file bad", "problems --from bad", "review bad"] {
        let said = dir.fails_with(1, line, "280 more");
        assert!(said.lines().count() < 25, "{said}");
    }
    let help = output("review --help");
    assert_has(&help, "The first 20 such errors are printed");
}

#[test]
fn the_keys_of_a_sequential_test_are_in_its_help() {
    let help = output("sprt --help");
    let keys = "elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized";
    for key in keys.split(' ') {
        assert_has(&help, key);
    }
    let plain = output("sprt 410 220 370");
    assert_eq!(output(&format!("sprt 410 220 370 {keys}")), plain);
    assert_eq!(output(&format!("sprt 410 220 370 --sprt {keys}")), plain);
    let (_, example) = help.split_once("Example: totemic ").expect("an example");
    let example = example.lines().next().expect("a line");
    assert_has(&output(example), "SPRT [0, 3]");
}

#[test]
fn setups_are_positions_that_a_seed_repeats() {
    let line = "setup --game hokito --count 20 --seed 42";
    let text = output(line);
    assert_eq!(output(line), text);
    let different: HashSet<&str> = text.lines().collect();
    assert_eq!((text.lines().count(), different.len()), (20, 20));
    for line in different {
        let read: Hokito = line.parse().expect("a position");
        assert_eq!(read.to_string(), line);
    }
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
    assert!(text.starts_with("# ") && text.contains("not a proof"));
    let openings = Openings::of_text::<Hokito>(&text, Selection::whole_file()).expect("openings");
    assert_eq!(openings.count(), Some(3));

    let made = objects(&output(&format!("{line} --json")));
    for (object, line) in made.iter().zip(text.lines().skip(1)) {
        let part = |name: &str| object[name].as_f64().expect("a number");
        assert_eq!(part("win") + part("draw") + part("loss"), 1000.0);
        let points = part("win") + part("draw") / 2.0;
        assert!((450.0..=550.0).contains(&points), "{object}");
        assert!(part("nodes") >= 1000.0 && part("searches") >= 1.0);
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
        let mut lines = BufReader::with_capacity(16, stdout).lines();
        lines.next().expect("a line").expect("text");
        drop(lines);
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
        let why = "error: cannot write to stdout: No space left";
        assert_has(&stderr(&run), why);
    }
}

/// As in `2>&1 | head -1`: what goes to stderr has no reader either.
#[test]
fn a_reader_of_stderr_that_goes_away_is_no_error() {
    let unread = || std::io::pipe().expect("a pipe").1;
    for (line, code) in [
        ("perft 2", 0),
        ("sprt 10 2 30", 0),
        ("perft 1 nonsense", 2),
        // An exit code that is an answer must not be given when nobody has read the output.
        ("verify benches/theorems/draw1-p1.proof", 1),
    ] {
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
    assert_has(&told, &format!("\nHokito: {} nodes", signature["nodes"]));
    // The signature is that of both games.
    assert!(!told.contains("Yoxii") && !told.contains("Bench"), "{told}");
    let line = "problems --game hokito --count 2 --plies 5";
    let (problems, told) = (objects(&format!("{line} --json")), folder.ok(line));
    for (problem, line) in problems.iter().zip(told.lines()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let best: Vec<&str> = fields[3].split(' ').collect();
        let read = json!([problem["position"], problem["value"], problem["best"]]);
        assert_eq!(read, json!([fields[1], fields[2], best]));
    }
    folder.ok("datagen --game hokito --games 3 --nodes 50 --out games");
    assert_eq!(objects("data info games --json")[0]["games"], 3);
    let line = format!("certify '{ENDGAME}' --claim 'black wins' --out proof --json");
    let made = &objects(&line)[0];
    let bytes = std::fs::read(folder.path("proof")).expect("a proof");
    assert_eq!(made["bytes"], bytes.len());
    let verified = &objects("verify proof --json")[0];
    assert!(verified["ok"] == true && verified["proved"] == true);
    assert_eq!(verified["claim"], "p1 wins");
    assert_eq!(verified["choices"], made["choices"]);
    folder.fails_with(2, "verify proof --game yoxii", "--game yoxii: '");
    let output = folder.run("verify games --json");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(support::objects(&stdout(&output))[0]["ok"], false);
}
