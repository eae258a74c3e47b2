//! A journal that was altered by hand is refused with the number of the line.

use crate::program::cases;
use crate::support::{Folder, PLAYERS, assert_has, mock, mock_engine, progress, stderr, stdout};
use serde_json::{Value as Json, json};
use totemic_engine::game::Yoxii;
use totemic_engine::search::WeightsFile;

/// The options of the match that all these tests alter.
const MATCH: &str = "--games 8 --seed 3 --journal j --report 0";

/// Makes changes to a line of JSON, which `;` separates: `PLACE = VALUE`, or `PLACE` to take
/// away a field, or the last entry of a list.
fn change(line: &str, changes: &str) -> String {
    let mut json: Json = serde_json::from_str(line).expect("JSON");
    for change in changes.split(';').map(str::trim) {
        let (place, value) = change.split_once(" = ").unzip();
        let (parent, key) = place.unwrap_or(change).rsplit_once('/').expect(change);
        let value = value.map(|value| serde_json::from_str(value).expect(value));
        match (json.pointer_mut(parent).expect(change), value) {
            (Json::Object(fields), None) => drop(fields.remove(key)),
            (Json::Array(list), None) => drop(list.pop()),
            (parent, Some(value)) => parent[key] = value,
            _ => panic!("{change}"),
        }
    }
    json.to_string()
}

/// Changes a line of the journal; the first one is its heading.
fn alter(dir: &Folder, line: usize, changes: &str) {
    let text = dir.read("j");
    let old = text.lines().nth(line - 1).expect("a line");
    dir.write("j", text.replace(old, &change(old, changes)));
}

/// Returns what `--resume` and `rate` say. Both must refuse the journal and leave it as
/// it is.
fn refusals(dir: &Folder, more: &str) -> [String; 2] {
    let before = dir.read("j");
    let resumed = dir.fails(1, &format!("match {PLAYERS} {MATCH} --resume {more}"));
    let rated = dir.fails(1, "rate j");
    assert_eq!(dir.read("j"), before);
    [resumed, rated]
}

#[test]
fn every_field_is_held_against_the_match() {
    let dir = Folder::new();
    dir.stdout_of(&format!("match {PLAYERS} {MATCH} --each st=5"));
    let said = dir.fails(1, "data info j");
    let expected = "line 1: not the first line of a journal of datagen, but of a match's journal\n";
    assert!(said.ends_with(expected), "{said}");
    let whole = dir.read("j");
    // What is said, if it is not only that the game does not belong to the match.
    for [changes, part] in cases(
        r#"
        /pair = 9999                                 |
        /leg = 2                                     |
        /stage = 7                                   |
        /engines = [0, 0]                            | its pairing is 'random' against 'random',
        /engines = [1, 0]                            |
        /seed = 17                                   |
        /opening/moves/last                          |
        /result = "p1win"                            |
        /points = [1, 99]                            | its points are 1 to 99, expected
        /points                                      |
        /reason = "crash"                            |
        /moves/3/m = "a1a1x"                         |
        /moves/last                                  |
        /reason = "resign"                           | (resignation by score), expected p
        /moves/last; /reason = "resign"              |
        /moves/last; /points; /reason = "stall"      | (stall), which does not follow
        /accuracy = [[1, 0, 0], [1, 0, 0]]           | no solver judges this match
        /moves/0/t = -5                              |
        /moves/1/t = 5001.5                          | its move 2 took 5001 ms of 5000 ms allowed
        /total_ms = -1                               |
        "#,
    ) {
        alter(&dir, 6, changes);
        for said in refusals(&dir, "--each st=5") {
            assert!(said.contains("line 6: ") && said.contains(part), "{said}");
            let is_plain = !said.contains(['[', '{']) && !said.contains("Some");
            assert!(is_plain || part.is_empty(), "{said}");
        }
        dir.write("j", &whole);
    }
    // Without changes it is accepted, also by a longer match.
    let line = format!("match {PLAYERS} --each st=5 --seed 3 --journal j --resume --games");
    for _ in 0..2 {
        dir.stdout_of(&format!("{line} 12"));
        assert_eq!(dir.games("j").len(), 12);
    }
    // A shorter match does not have these games.
    let said = dir.fails_with(1, &format!("{line} 8"), "line 10: ");
    assert_has(&said, "4 pairs");
}

#[test]
fn openings_of_a_file_are_compared_with_each_other() {
    let dir = Folder::new();
    dir.write("o", "c5b6y\nc5c6y\n");
    dir.stdout_of(&format!("match {PLAYERS} {MATCH} --openings o"));
    // This is legal, but the other games with this opening began differently.
    let text = dir.read("j");
    let game = text.lines().nth(6).expect("a game");
    let begun = game.replace(r#","moves":["c5b6y"]"#, "");
    let begun = begun.replace(r#""moves":["#, r#""moves":[{"m":"c5b6y"},"#);
    dir.write("j", text.replace(game, &begun));
    for said in refusals(&dir, "--openings o") {
        let named = said.contains("line 7: ") && said.contains("opening");
        assert!(named, "{said}");
    }
}

#[test]
fn ends_by_scores_follow_from_the_scores() {
    // The mock engine always says +0.12.
    let dir = Folder::new();
    let engine = mock("--style first") + " depth=1";
    let line = format!("match {engine} name=a {engine} name=b {MATCH} --draw score=20 movecount=3");
    dir.stdout_of(&line);
    assert_eq!(dir.games("j")[0]["reason"], "agreed-draw");
    let again = format!("{line} --resume");
    dir.stdout_of(&again);
    alter(&dir, 2, r#"/result = "p1win""#);
    dir.fails_with(1, &again, "line 2: ");
}

#[test]
fn tournaments_that_depend_on_results_are_held_against_them() {
    for format in ["swiss", "knockout"] {
        let dir = Folder::new();
        let line = format!("match {PLAYERS} {PLAYERS} --format {format} --seed 5 --journal j");
        dir.stdout_of(&line);
        let again = format!("{line} --resume");
        dir.stdout_of(&again);
        let whole = dir.read("j");
        for changes in ["/engines = [3, 2]", "/points = [2147483647, -2]"] {
            alter(&dir, 6, changes);
            dir.fails_with(1, &again, "line ");
            dir.write("j", &whole);
        }
    }
}

/// A journal records with which weights its engines played, and is not continued with
/// other weights under the same name.
#[test]
fn weights_are_named_and_compared() {
    let dir = Folder::new();
    let built_in = include_bytes!("../../src/engine/search/eval/weights.bin");
    let weights = |origin: &str| {
        let mut file = WeightsFile::read(built_in).expect("weights");
        let own = file.weights::<Yoxii>().expect("those of Yoxii");
        file.set::<Yoxii>(own, origin);
        dir.write("w", file.write());
        let written = std::fs::read(dir.path("w")).expect("weights");
        WeightsFile::read(&written).expect("weights").checksum
    };
    let first = weights("one");
    let line = "match --engine cmd=self name=a nodes=10 option.EvalFile=w \
        --engine cmd=self name=b nodes=10 option.EvalFile=classic \
        --engine cmd=self name=c nodes=10 \
        --seed 3 --journal j --report 0 --games 2 --format gauntlet";
    dir.stdout_of(line);
    let journal = dir.read("j");
    let heading: Json =
        serde_json::from_str(journal.lines().next().expect("a line")).expect("JSON");
    let named = |engine: usize| heading["settings"]["engines"][engine]["weights"].clone();
    let own = WeightsFile::read(built_in).expect("weights").checksum;
    assert_eq!(named(0), format!("{first:08x}"));
    assert_eq!(named(1), "classic");
    assert_eq!(named(2), format!("{own:08x}"));

    let second = weights("two");
    let said = dir.fails(1, &format!("{line} --resume"));
    for word in ["weights", &format!("{first:08x}"), &format!("{second:08x}")] {
        assert!(said.contains(word), "{word}: {said}");
    }
}

/// Whoever reads a journal takes every whole game, and says what is cut off.
#[test]
fn a_last_line_counts_if_it_is_a_whole_game() {
    let dir = Folder::new();
    dir.stdout_of(&format!("match {PLAYERS} {MATCH}"));
    let whole = dir.read("j");
    let said = |line: &str| dir.all_output_of(line);
    for (cut, games) in [(1, 8), (20, 7)] {
        let short = &whole[..whole.len() - cut];
        dir.write("j", short);
        let reviewed = said("review j --nodes 1 --hash 1 --json");
        assert_eq!(reviewed.matches("\"turning_points\"").count(), games);
        let rated = said("rate j");
        assert_has(&rated, &format!("{games} games of 1 journal"));
        let tested = said("sprt j");
        assert_has(&tested, &format!("in {games} games"));
        let resumed = said(&format!("match {PLAYERS} {MATCH} --resume"));
        assert_eq!(dir.games("j").len(), 8, "{resumed}");
        assert!(games < 8 || dir.read("j") == whole, "{resumed}");
        for said in [reviewed, rated, tested, resumed] {
            let is_reported = said.contains("line 9: it is cut off after");
            assert_eq!(is_reported, games == 7, "{said}");
        }
        dir.write("j", &whole);
    }
    // With a byte order mark it is still a journal.
    dir.write("j", format!("\u{feff}{whole}"));
    assert_has(&said("rate j"), "8 games of 1 journal");
}

#[test]
fn missing_parts_are_named() {
    let dir = Folder::new();
    for part in [1, 3] {
        let line = format!("match {PLAYERS} --games 8 --seed 3 --shard {part}/4 --journal {part}");
        dir.stdout_of(&line);
    }
    let expected = "of 4 parts, these are missing: 2, 4";
    for line in ["rate 1 3", "sprt 1 3"] {
        assert_has(&stderr(&dir.run(line)), expected);
    }
    let line = "datagen --games 4 --nodes 1 --solver-nodes 1 --shard 2/2 --out d";
    dir.stdout_of(line);
    let said = stderr(&dir.run("data info d"));
    assert_has(&said, "of 2 parts, these are missing: 1");
}

#[test]
fn a_heading_that_no_match_could_have_written_is_refused_by_name() {
    let dir = Folder::new();
    dir.stdout_of(&format!("match {PLAYERS} {MATCH} --each st=5"));
    let whole = dir.read("j");
    for [changes, expected] in cases(
        r#"
        /settings/engines/1/name = "random" | two engines have the same name
        /shard = {"index": 3, "count": 2}   | there is no such part
        /shard = {"index": 2, "count": 2}   | it is not in the schedule of part 2/2 of this match
        /settings/game = "go\u001b[2J"      | 'go\u{1b}[2J'
        "#,
    ) {
        alter(&dir, 1, changes);
        dir.fails_with(1, "rate j", expected);
        dir.write("j", &whole);
    }
}

/// What others write into names tells a terminal or a page nothing.
#[test]
fn foreign_names_are_shown_without_what_controls_a_terminal() {
    let dir = Folder::new();
    dir.stdout_of(&format!("match {PLAYERS} {MATCH}"));
    let evil = "red\u{1b}[31m\nline\u{202e}evil";
    let name = format!("/settings/engines/0/name = {}", json!(evil));
    alter(&dir, 1, &name);
    dir.write(
        "p",
        format!(
            "[White \"{evil}\"]\n[Black \"b\u{2066}c\"]\n[Reason \"\u{9b}1m\"]\n\n\
        1. c5b6y {{\u{1b}[2J}} d6e6x 1-0\n"
        )
        .replace("\nline", " line"),
    );
    for line in [
        "rate j",
        "sprt j",
        "rate j --json",
        "review j p --nodes 1 --hash 1 --html h --force",
    ] {
        let said = dir.all_output_of(line);
        let bad = |c: &char| "\u{1b}\u{9b}\u{202e}\u{2066}".contains(*c);
        assert_eq!(said.chars().find(bad), None, "{line}: {said}");
        let is_broken = said.lines().any(|line| line.starts_with("line"));
        assert!(!is_broken, "{line}: {said}");
    }
    let page = dir.read("h");
    assert_eq!(page.find(['\u{1b}', '\u{202e}', '\u{2066}']), None);
}

/// A journal knows which programs played, and does not mix them.
#[cfg(unix)]
#[test]
fn another_program_under_the_same_command_is_refused() {
    let dir = Folder::new();
    std::fs::copy(mock_engine(), dir.path("e")).expect("a copy");
    let line = "match --engine cmd=./e name=a depth=1 --engine cmd=random --seed 3 --journal j";
    let said = dir.stdout_of(&format!("{line} --games 4"));
    assert_has(&said, "Mock (SHA-256 ");
    let old = dir.read("j");
    let mut program = std::fs::read(dir.path("e")).expect("a program");
    program.extend(b"rebuilt");
    dir.write("e", program);
    let longer = format!("{line} --games 8 --resume");
    let refused = dir.fails_with(1, &longer, "engine 'a' is Mock (SHA-256 ");
    assert_eq!(refused.matches("(SHA-256 ").count(), 2, "{refused}");
    assert_eq!(dir.read("j"), old, "it stays as it was");
    let said = dir.stdout_of(&format!("{longer} --mixed"));
    let listed = said.matches("Mock (SHA-256 ").count();
    assert_eq!(listed, 2, "{said}");
    for line in ["rate j", "sprt j"] {
        dir.fails_with(1, line, "--mixed");
        dir.stdout_of(&format!("{line} --mixed"));
    }
    let rated = dir.json("rate j --mixed --json");
    let second = rated["engines"][0]["programs"][1].as_str();
    assert_has(second.expect("a program"), "Mock");
    // A journal that does not say who played is continued as before.
    let heading = old.lines().next().expect("a heading");
    let games = dir.games("j").into_iter().map(|mut game| {
        game.as_object_mut().expect("a game").remove("programs");
        game.to_string()
    });
    let games: Vec<String> = games.take(4).collect();
    dir.write("j", format!("{heading}\n{}\n", games.join("\n")));
    dir.stdout_of(&longer);
    dir.stdout_of("rate j");
}

#[cfg(unix)]
#[test]
fn an_engine_that_changes_its_name_ends_the_match() {
    use std::os::unix::fs::PermissionsExt;
    let dir = Folder::new();
    let engine = mock_engine().display();
    dir.write("e", format!(
        "#!/bin/sh\necho >> starts\n'{engine}' | sed -u \"s/id name Mock/& $(wc -l < starts)/\"\n"
    ));
    let may_run = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(dir.path("e"), may_run).expect("a script");
    let line =
        "match --engine cmd=./e name=a depth=1 restart=on --engine cmd=random --games 4 --seed 1";
    let said = dir.fails_with(1, &format!("{line} --journal j"), "engine 'a' is Mock 2");
    assert_has(&said, "was Mock 1");
    // The match begins with another start.
    assert!(dir.games("j").is_empty());
    dir.stdout_of(&format!("{line} --journal j --resume --mixed"));
}

/// The match ends, and what is known is written down.
#[test]
fn a_journal_that_somebody_takes_away_is_told() {
    let check = |change: &str, expected: &str, saved: &str| {
        let dir = Folder::new();
        let slow = mock("--pause 5");
        let line = format!("match {slow} depth=1 --engine cmd=random --games 200 --seed 1");
        let mut child = dir.start(&format!("{line} --journal j --json"));
        let mut said = progress(&mut child);
        assert!(said.any(|line| line.starts_with("3/200 game")));
        let mut shell = std::process::Command::new("sh");
        let changed = shell.args(["-c", change]).current_dir(dir.at()).status();
        assert!(changed.expect("a shell").success());
        let said: Vec<String> = said.collect();
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{change}: {said:?}");
        assert_has(said.last().expect("an error"), expected);
        let found: Json = serde_json::from_str(&stdout(&output)).expect("JSON");
        assert_eq!(found["ended"], "failed");
        let games = found["games"].as_u64().expect("a number");
        assert!(games >= 3, "{found}");
        match saved {
            "" => assert_eq!(dir.read("j"), "", "{change}"),
            saved => {
                assert_eq!(dir.games(saved).len() as u64, games + 1, "{change}");
                dir.stdout_of(&format!("rate {saved}"));
            }
        }
    };
    check("rm j", "somebody has removed or replaced it", "j.saved");
    check(
        "echo x > k; mv k j",
        "what it held is in j.saved",
        "j.saved",
    );
    check(": > j", "somebody else has emptied or changed it", "");
}
