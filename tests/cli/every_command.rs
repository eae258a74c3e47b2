//! What all commands have in common: help, colours, JSON, manual pages and the version.

use serde_json::json;

use crate::program::{Folder, assert_has, stderr, stdout, totemic};
use crate::support::{self, HOKITO_LATE, listed, objects, output};

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
fn the_version_names_the_weights() {
    let file = include_bytes!("../../src/engine/search/eval/weights.bin");
    let sum = file.last_chunk().expect("a checksum at the end");
    let expected = format!("\nweights: {:08x}\n", u32::from_le_bytes(*sum));
    assert_has(&output("--version"), &expected);
}

#[test]
fn every_command_has_a_manual_page_and_every_shell_a_script() {
    let folder = Folder::new();
    folder.stdout_of("man pages");
    assert_has(&folder.read("pages/totemic-certify.1"), "Prove a claim");
    for shell in ["bash", "elvish", "fish", "nushell", "powershell", "zsh"] {
        let script = folder.stdout_of(&format!("completions {shell}"));
        assert_has(&script, "certify");
    }
}

/// What a command prints for people, it prints for programs as well, one object a line.
#[test]
fn programs_read_what_people_read() {
    let folder = Folder::new();
    let objects = |line: &str| objects(&folder.stdout_of(line));
    let counted = &objects("perft 2 --divide --json")[0];
    let moves = counted["moves"].as_object().expect("moves");
    let sum: u64 = moves.values().filter_map(serde_json::Value::as_u64).sum();
    assert_eq!((counted["nodes"].as_u64(), sum), (Some(51_136), 51_136));
    assert_eq!(objects("perft 2 --json").len(), 2);
    let signature = &objects("bench --game hokito --json")[0]["hokito"];
    let told = folder.stdout_of("bench --game hokito");
    assert_has(&told, &format!("\nHokito: {} nodes", signature["nodes"]));
    // The signature is that of both games.
    assert!(!told.contains("Yoxii") && !told.contains("Bench"), "{told}");
    let line = "problems --game hokito --count 2 --plies 5";
    let (problems, told) = (objects(&format!("{line} --json")), folder.stdout_of(line));
    for (problem, line) in problems.iter().zip(told.lines()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let best: Vec<&str> = fields[3].split(' ').collect();
        let read = json!([problem["position"], problem["value"], problem["best"]]);
        assert_eq!(read, json!([fields[1], fields[2], best]));
    }
    folder.stdout_of("datagen --game hokito --games 3 --nodes 50 --out games");
    assert_eq!(objects("data info games --json")[0]["games"], 3);
    let line = format!("certify '{HOKITO_LATE}' --claim 'black wins' --out proof --json");
    let made = &objects(&line)[0];
    let bytes = std::fs::read(folder.path("proof")).expect("a proof");
    assert_eq!(made["bytes"], bytes.len());
    let verified = &objects("verify proof --json")[0];
    assert!(verified["ok"] == true && verified["proved"] == true);
    assert_eq!(verified["claim"], "p1 wins");
    assert_eq!(verified["choices"], made["choices"]);
    folder.fails_with(2, "verify proof --game yoxii", "--game yoxii: position '");
    let output = folder.run("verify games --json");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(support::objects(&stdout(&output))[0]["ok"], false);
}
