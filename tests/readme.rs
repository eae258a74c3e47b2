//! What the README shows works as it stands there.

use std::env;
use std::path::Path;
use std::process::Command;

/// The first block of a language in the README.
fn block(language: &str) -> String {
    let readme = include_str!("../README.md");
    let begin = format!("```{language}\n");
    let from = readme.find(&begin).expect("the README has such a block") + begin.len();
    let to = readme[from..].find("```").expect("the block ends") + from;
    readme[from..to].to_owned()
}

#[test]
fn the_python_example_plays_a_whole_game() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: there is no python3 on this machine");
        return;
    }
    let program = Path::new(env!("CARGO_BIN_EXE_totemic"));
    let folder = program.parent().expect("the program is in a folder");
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(
        [folder.to_owned()]
            .into_iter()
            .chain(env::split_paths(&path)),
    );
    let output = Command::new("python3")
        .args(["-c", &block("python")])
        .env("PATH", path.expect("a search path"))
        .output()
        .expect("python3 runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].split_whitespace().count() > 5, "{text}");
    let results = ["response p1win", "response p2win", "response draw"];
    assert!(results.contains(&lines[1]), "{text}");
}

#[test]
fn every_subcommand_is_in_the_table() {
    let help = Command::new(env!("CARGO_BIN_EXE_totemic"))
        .arg("--help")
        .output()
        .expect("the program runs");
    let help = String::from_utf8(help.stdout).expect("text");
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let mut names = 0;
    for line in commands.take_while(|line| !line.is_empty()) {
        let name = line.split_whitespace().next().expect("a name");
        let row = format!("`totemic {name}");
        let found = include_str!("../README.md")
            .lines()
            .any(|line| line.starts_with('|') && line.contains(&row));
        assert!(found || name == "help", "{name} is not in the table");
        names += 1;
    }
    assert!(names > 10, "{help}");
}
