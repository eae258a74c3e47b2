//! `totemic solve` and `totemic problems` as a user sees them.

use std::io::Write;
use std::process::{Command, Output, Stdio};

const YOXII: &str = "3/IIy1o/yOO1I*1/o1Yy3/yoiiIX1/IXoyO/3 w";
const HOKITO: &str =
    "x,w2:2,b2,x,b3:20,x/b1,b1,x2,b1,b1/b2,x2,b1,x2/x6/w1,x2,w1,w1,x/w1,w2,x2,w1,w3 b";
/// Far from its end.
const START: &str = "startpos";

fn totemic(args: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_totemic"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that does not read its input may close it first.
    let _ = stdin.write_all(input.as_ref());
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

fn objects(output: &Output) -> Vec<serde_json::Value> {
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object a line"))
        .collect()
}

#[test]
fn a_position_is_one_object_with_the_fields_documented() {
    let output = totemic(&["solve", "--json", "--margin", "--all-moves", YOXII], "");
    assert_eq!(output.status.code(), Some(0));
    let [object] = &objects(&output)[..] else {
        panic!("one object");
    };
    let fields: Vec<&String> = object.as_object().expect("an object").keys().collect();
    let expected = [
        "line",
        "position",
        "game",
        "value",
        "lower",
        "upper",
        "margin",
        "margin_lower",
        "margin_upper",
        "best",
        "best_complete",
        "moves",
        "margins",
        "pv",
        "nodes",
        "time_ms",
        "expected",
        "verdict",
    ];
    assert_eq!(fields, expected);
    assert_eq!(object["position"], YOXII);
    assert_eq!(object["value"], "win");
    assert_eq!(object["best_complete"], true);
    assert!(object["margin"].is_i64());
    assert!(
        object["moves"]
            .as_object()
            .is_some_and(|moves| moves.len() > 8)
    );
}

#[test]
fn garbage_in_a_file_is_named_by_its_line_and_the_rest_is_solved() {
    let text = format!(
        "\u{feff}# problems\n{YOXII}\twin\n\nrubbish\n{HOKITO}\thigh\nhokito\t{YOXII}\n{HOKITO}\twin # comment\n3/5 w\n"
    );
    let input = [text.as_bytes(), b"\xff\xfe\n"].concat();
    let output = totemic(&["solve", "--json", "--file", "-"], input);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert_eq!(objects(&output).len(), 2, "{errors}");
    for line in [4, 5, 6, 8, 9] {
        assert!(errors.contains(&format!("line {line}:")), "{errors}");
    }
}

#[test]
fn objects_carry_their_line_what_was_expected_and_what_came_of_it() {
    let text = format!("# problems\n{YOXII}\twin\n\n{YOXII}\tloss\n{YOXII}\n{START}\tdraw\n");
    let args = ["solve", "--json", "--time-limit", "300ms", "--file", "-"];
    let output = totemic(&args, text);
    assert_eq!(output.status.code(), Some(1));
    let told: Vec<_> = objects(&output)
        .iter()
        .map(|object| {
            let expected = object["expected"]["value"].as_str().map(str::to_owned);
            (object["line"].as_u64(), expected, object["verdict"].clone())
        })
        .collect();
    let row = |line: u64, expected: Option<&str>, verdict: serde_json::Value| {
        (Some(line), expected.map(str::to_owned), verdict)
    };
    let wanted = [
        row(2, Some("win"), "right".into()),
        row(4, Some("loss"), "wrong".into()),
        row(5, None, serde_json::Value::Null),
        row(6, Some("draw"), "unknown".into()),
    ];
    assert_eq!(told, wanted);
}

#[test]
fn a_slip_in_an_expected_move_is_a_line_that_cannot_be_read() {
    let object = &objects(&totemic(&["solve", "--json", "--all-moves", YOXII], ""))[0];
    let best = object["best"].as_array().expect("a list").iter();
    let best: Vec<&str> = best.filter_map(|mv| mv.as_str()).collect();
    // As a person writes them, in any order.
    let typed = best.join(" ").to_uppercase();
    let text = format!("{YOXII}\twin\t{typed}\n{YOXII}\twin\t{} q9\n", best[0]);
    let output = totemic(&["solve", "--json", "--all-moves", "--file", "-"], text);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(errors.contains("line 2: best moves: 'q9'"), "{errors}");
    assert!(!errors.contains("wrong:"), "{errors}");
    let told = objects(&output);
    assert_eq!(told.len(), 1, "{errors}");
    assert_eq!(told[0]["verdict"], "right");
}

#[test]
fn a_file_of_mixed_games_is_solved_game_by_game() {
    let text = format!("{YOXII}\n{HOKITO}\n{YOXII}\n{HOKITO}\n");
    let output = totemic(&["solve", "--json", "--threads", "2", "--file", "-"], text);
    let lines: Vec<_> = objects(&output)
        .iter()
        .map(|object| object["line"].as_u64())
        .collect();
    assert_eq!(lines, [Some(1), Some(3), Some(2), Some(4)]);
}

#[test]
fn a_run_ends_with_its_total_time() {
    let text = format!("{YOXII}\n{START}\n{YOXII}\n");
    let output = totemic(&["solve", "--total-time", "500ms", "--file", "-"], text);
    assert_eq!(output.status.code(), Some(3), "what is left is unknown");
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(table.contains("1 of 3 positions proved"), "{table}");
    assert!(table.contains("1 not begun"), "{table}");
    // One that is done before is not held up.
    let output = totemic(&["solve", "--total-time", "1h", YOXII], "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn threads_change_neither_the_rows_nor_their_order() {
    let rows = |threads: &str| {
        let file = include_str!("../data/solve.tsv");
        let args = ["solve", "--json", "--file", "-", "--threads", threads];
        let output = totemic(&args, file);
        assert_eq!(output.status.code(), Some(0));
        let told =
            |object: &serde_json::Value| (object["position"].clone(), object["value"].clone());
        objects(&output).iter().map(told).collect::<Vec<_>>()
    };
    let alone = rows("1");
    assert_eq!(
        alone.len(),
        include_str!("../data/solve.tsv").lines().count()
    );
    assert_eq!(rows("2"), alone);
}

#[test]
fn wrong_expectations_are_counted() {
    let text = format!("{YOXII}\tloss\n{YOXII}\twin\n");
    let output = totemic(&["solve", "--file", "-"], &text);
    assert_eq!(output.status.code(), Some(1));
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(table.contains("2 checked, 1 wrong"), "{table}");
}

#[test]
fn expected_moves_keep_the_value_whatever_the_margin() {
    let object = &objects(&totemic(&["solve", "--json", "--all-moves", YOXII], ""))[0];
    let best = object["best"].as_array().expect("a list").iter();
    let best: Vec<&str> = best.filter_map(|mv| mv.as_str()).collect();
    let text = format!("{YOXII}\twin\t{}\n", best.join(" "));
    let args = ["solve", "--all-moves", "--margin", "--file", "-"];
    assert_eq!(totemic(&args, &text).status.code(), Some(0));
    // One that keeps the value is left out.
    let text = format!("{YOXII}\twin\t{}\n", best[1..].join(" "));
    let output = totemic(&args, &text);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains(best[0]), "{errors}");
    // A slip is no reason not to check; a number is a note.
    for (word, code) in [("zzz", 1), ("12345", 0)] {
        let output = totemic(&args, format!("{YOXII}\twin\t{word}\n"));
        assert_eq!(output.status.code(), Some(code), "{word}");
    }
}

#[test]
fn every_move_has_its_margin() {
    let args = ["solve", "--margin", "--all-moves"];
    let object = &objects(&totemic(&[&args[..], &["--json", YOXII]].concat(), ""))[0];
    let (moves, margins) = (&object["moves"], &object["margins"]);
    let best = object["best"].as_array().expect("a list");
    for (mv, margin) in margins.as_object().expect("an object") {
        let margin = margin.as_i64().expect("proved");
        assert_eq!(best.contains(&mv.as_str().into()), margin == 5, "{mv}");
        let value = moves[mv].as_str().expect("a value");
        assert!(margin.signum() == 0 || value == if margin > 0 { "win" } else { "loss" });
    }
    let table = totemic(&[&args[..], &[YOXII]].concat(), "");
    let table = String::from_utf8_lossy(&table.stdout);
    assert!(table.contains("win         +5  e6e7o e6e7y\n"), "{table}");
    // The two that are best, and no move is missing.
    let listed = |line: &str| {
        line.starts_with("      ")
            .then(|| line.split_whitespace().count() - 2)
    };
    let count: usize = table.lines().filter_map(listed).sum();
    assert_eq!(Some(count), moves.as_object().map(serde_json::Map::len));
}

#[test]
fn an_expected_margin_is_checked() {
    let args = ["solve", "--margin", "--file", "-"];
    for (field, code) in [
        ("win +5", 0),
        ("win 5", 0),
        ("win +4", 1),
        ("win -5", 1),
        ("win five", 1),
    ] {
        let output = totemic(&args, format!("{YOXII}\t{field}\n"));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{field}: {errors}");
        let named = field.split(' ').nth(1).expect("two words");
        assert!(code == 0 || errors.contains(named), "{errors}");
    }
}

/// Seven other moves win as well, by less.
#[test]
fn with_an_expected_margin_the_best_moves_keep_it() {
    let args = ["solve", "--margin", "--all-moves", "--file", "-"];
    for (fields, code) in [
        ("win +5\te6e7o e6e7y", 0),
        ("win\te6e7o e6e7y", 1),
        ("win +5\te6e7o e6e7y e6e7x", 1),
    ] {
        let output = totemic(&args, format!("{YOXII}\t{fields}\n"));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{fields}: {errors}");
    }
}

/// Of three pieces of 4 and five of 3 no side can have more than eight at the
/// totem.
#[test]
fn a_margin_not_proved_in_time_is_told_by_its_bounds() {
    let args = ["solve", "--margin", "--time-limit", "0.05", START];
    let object = &objects(&totemic(&[&args[..], &["--json"]].concat(), ""))[0];
    assert_eq!(object["margin"], serde_json::Value::Null);
    assert_eq!(
        (&object["margin_lower"], &object["margin_upper"]),
        (&(-27).into(), &27.into())
    );
    let table = totemic(&args, "");
    let table = String::from_utf8_lossy(&table.stdout);
    assert!(table.contains("; margin between -27 and +27"), "{table}");
}

#[test]
fn what_is_not_proved_in_time_is_unknown() {
    let output = totemic(&["solve", "--json", "--time-limit", "0.05", START], "");
    assert_eq!(output.status.code(), Some(3));
    let object = &objects(&output)[0];
    assert_eq!(object["value"], "unknown");
    assert_eq!(object["lower"], "loss");
    assert_eq!(object["upper"], "win");
}

#[test]
fn a_finished_game_has_its_result() {
    let line = objects(&totemic(&["solve", "--json", HOKITO], ""))[0]["pv"].clone();
    let moves: Vec<&str> = line
        .as_array()
        .expect("a line")
        .iter()
        .filter_map(|mv| mv.as_str())
        .collect();
    let mut args = vec!["solve", "--json", HOKITO, "--moves"];
    args.extend(moves);
    let output = totemic(&args, "");
    assert_eq!(output.status.code(), Some(0));
    let object = &objects(&output)[0];
    assert_ne!(object["value"], "unknown");
    assert_eq!(object["pv"], serde_json::json!([]));
}

#[test]
fn wrong_usage_is_refused() {
    for args in [
        &["solve"][..],
        &["solve", "rubbish"],
        &["solve", YOXII, "--moves", "a1a1o"],
        &["solve", YOXII, "--hash", "0"],
        &["solve", YOXII, "--time-limit", "-1"],
        &["solve", "--game", "hokito", YOXII],
    ] {
        assert_eq!(totemic(args, "").status.code(), Some(2), "{args:?}");
    }
    let missing = totemic(&["solve", "--file", "no/such/file"], "");
    assert_eq!(missing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("no/such/file"));
}

/// A draw, a player's loss and a game that is over.
const OTHERS: &str = "\
yoxii\tOo1/oIi2/1xXiiOi/oYy1XII/yIOxYyy/1x*XO/IyO w\tloss -3
hokito\tx6/x6/x6/x6/x6/x4,b1,w2 b\n";

#[test]
fn what_is_solved_is_certified() {
    let dir = tempfile::TempDir::new().unwrap();
    let folder = dir.path().join("new/proofs");
    let folder = folder.to_str().unwrap();
    let certify = |more: &[&str]| {
        let args = ["solve", "--margin", "--certificate", folder, "--file", "-"];
        let text = format!("{YOXII}\n{HOKITO}\n{YOXII}\n{OTHERS}");
        totemic(&[&args[..], more].concat(), text)
    };
    let made = certify(&["--json"]);
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let mut files = std::collections::BTreeSet::new();
    for object in objects(&made) {
        let certificates = object["certificates"].as_array().expect("a list");
        let is_draw = object["value"] == "draw";
        assert_eq!(certificates.len(), if is_draw { 4 } else { 3 }, "{object}");
        for certificate in certificates {
            let file = certificate["file"].as_str().expect("a path");
            let verified = totemic(&["verify", file], "");
            assert_eq!(verified.status.code(), Some(0), "{verified:?}");
            let claim = certificate["claim"].as_str().expect("a claim");
            let position = object["position"].as_str().expect("a text");
            let said = String::from_utf8_lossy(&verified.stdout).into_owned();
            assert!(
                said.contains(&format!("proved: {claim} in '{position}'")),
                "{said}"
            );
            let bytes = std::fs::metadata(file).unwrap().len();
            assert_eq!(certificate["bytes"], bytes);
            files.insert(file.to_owned());
        }
    }
    // One position is there twice, and no other file is left.
    let there = || std::fs::read_dir(folder).unwrap().count();
    assert_eq!(there(), files.len());

    // They are found again, and told in the table, too.
    let again = certify(&[]);
    assert_eq!(again.status.code(), Some(0), "{again:?}");
    let table = String::from_utf8_lossy(&again.stdout).into_owned();
    assert!(
        files
            .iter()
            .all(|file| table.contains(&format!(": {file} ("))),
        "{table}"
    );

    // Another file of that name stays, but for --force.
    let first = files.first().unwrap();
    std::fs::write(first, "mine").unwrap();
    let refused = certify(&["--json"]);
    assert_eq!(refused.status.code(), Some(1));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("exists: add --force"), "{said}");
    assert_eq!(std::fs::read_to_string(first).unwrap(), "mine");
    let missing = objects(&refused);
    assert!(
        missing
            .iter()
            .any(|object| object["certificates"].is_null())
    );
    assert_eq!(certify(&["--force"]).status.code(), Some(0));
    assert_eq!(totemic(&["verify", first], "").status.code(), Some(0));
    assert_eq!(there(), files.len());
}

#[test]
fn nothing_is_certified_of_what_is_unknown() {
    let dir = tempfile::TempDir::new().unwrap();
    let folder = dir.path().to_str().unwrap();
    let args = [
        "solve",
        "--json",
        "--time-limit",
        "0.05",
        "--certificate",
        folder,
        START,
    ];
    let output = totemic(&args, "");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(objects(&output)[0]["certificates"], serde_json::json!([]));
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0);

    std::fs::write(dir.path().join("file"), "").unwrap();
    let file = format!("{folder}/file");
    let refused = totemic(&["solve", "--certificate", &file, YOXII], "");
    assert_eq!(refused.status.code(), Some(1));
    let said = String::from_utf8_lossy(&refused.stderr);
    let why = format!("--certificate '{file}': it is a file; expected a folder");
    assert!(said.contains(&why), "{said}");

    // A folder where a proof should be is named before the proof is made.
    let proofs = format!("{folder}/proofs");
    let args = ["solve", "--json", "--certificate", &proofs, YOXII];
    let made = objects(&totemic(&args, ""));
    let proof = made[0]["certificates"][0]["file"].as_str().unwrap();
    std::fs::remove_file(proof).unwrap();
    std::fs::create_dir(proof).unwrap();
    for force in [&[][..], &["--force"]] {
        let refused = totemic(&[&args[..], force].concat(), "");
        let said = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{said}");
        let why = format!("cannot write '{proof}': it is a directory");
        assert!(said.contains(&why), "{said}");
    }
    assert_eq!(
        totemic(&["solve", "--force", YOXII], "").status.code(),
        Some(2)
    );
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_is_proved() {
    interrupted_after_the_first("1");
    interrupted_after_the_first("2");
}

#[cfg(unix)]
fn interrupted_after_the_first(threads: &str) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_totemic"))
        .args(["solve", "--json", "--threads", threads, YOXII, START])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(std::time::Duration::from_secs(2));
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status();
    if !killed.is_ok_and(|status| status.success()) {
        let _ = child.kill();
        let _ = child.wait();
        return;
    }
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(130));
    let values: Vec<_> = objects(&output)
        .iter()
        .map(|o| o["value"].clone())
        .collect();
    assert_eq!(values, ["win", "unknown"]);
}

#[test]
fn problems_are_reproducible_and_solve_to_what_they_say() {
    let args = [
        "problems", "--game", "hokito", "--plies", "5", "--count", "4", "--seed", "3",
    ];
    let made = totemic(&args, "");
    assert_eq!(made.status.code(), Some(0));
    assert_eq!(made.stdout, totemic(&args, "").stdout);
    let text = String::from_utf8_lossy(&made.stdout);
    let output = totemic(&["solve", "--all-moves", "--file", "-"], &made.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
}

#[test]
fn a_folder_in_the_place_of_games_is_called_one() {
    let dir = tempfile::TempDir::new().unwrap();
    let folder = dir.path().to_str().unwrap();
    let refused = totemic(&["problems", "--from", folder], "");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{said}");
    let why = format!("cannot read '{folder}': it is a directory; expected a file of games");
    assert!(said.contains(&why), "{said}");
}

/// What is quoted of it is cut.
#[test]
fn a_huge_text_that_is_no_position_makes_a_short_error() {
    let huge = "x".repeat(3 << 20);
    for line in [
        huge.clone(),
        format!("3/5/{huge} w"),
        format!("3/5/7/3*3/7/5/3 {huge}"),
        format!("3/5/7/3*3/7/5/3 w {huge}"),
        format!("x6/x6/x6/x6/x6/{huge} b"),
        format!("x6/x6/x6/x6/x6/x5,{huge} b"),
        format!("{YOXII}\t{huge}"),
        format!("{YOXII}\twin {huge}"),
        format!("{YOXII}\twin\t{}", huge.replace('x', "z")),
    ] {
        let refused = totemic(&["solve", "--file", "-"], &line);
        let said = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1));
        assert!(
            said.contains("line 1: ") && said.contains("...'"),
            "{} bytes",
            said.len()
        );
        assert!(said.len() < 1000, "{} bytes", said.len());
    }
    let claim = "x".repeat(50_000);
    let refused = totemic(&["estimate", YOXII, "--claim", &claim], "");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("expected 'p1 wins'"), "{} bytes", said.len());
    assert!(said.len() < 1000, "{} bytes", said.len());
}

#[test]
fn results_replace_no_file_unasked_and_never_the_one_that_is_read() {
    let dir = tempfile::TempDir::new().unwrap();
    let problems = dir.path().join("problems.tsv");
    std::fs::write(&problems, format!("{YOXII}\n")).unwrap();
    let read = problems.to_str().unwrap();
    let twin = dir.path().join("./problems.tsv");
    let other = dir.path().join("other.txt");
    std::fs::write(&other, "mine").unwrap();
    let [twin, other_name] = [&twin, &other].map(|path| path.to_str().unwrap());
    for (arguments, code, said) in [
        (&["--output", read][..], 2, "reads this file"),
        (&["--output", twin, "--force"], 2, "reads this file"),
        (&["--output", other_name], 1, "add --force"),
    ] {
        let all = [&["solve", "--file", read][..], arguments].concat();
        let output = totemic(&all, "");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{errors}");
        assert!(errors.contains(said), "{errors}");
    }
    assert_eq!(
        std::fs::read_to_string(&problems).unwrap(),
        format!("{YOXII}\n")
    );
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "mine");
    let force = ["solve", YOXII, "--output", other_name, "--force"];
    assert_eq!(totemic(&force, "").status.code(), Some(0));
    assert!(
        std::fs::read_to_string(&other)
            .unwrap()
            .contains("positions proved")
    );
}

#[test]
fn problems_are_taken_from_games_of_either_kind() {
    let dir = tempfile::TempDir::new().unwrap();
    let games = dir.path().join("games.pgn");
    let read = std::fs::read_to_string("tests/data/review/hokito.pgn").unwrap();
    std::fs::write(&games, format!("{read}\n[Event \"no game\"]\n\n1. zz *\n")).unwrap();
    let path = games.to_str().unwrap();
    let made = totemic(
        &["problems", "--from", path, "--plies", "3", "--count", "1"],
        "",
    );
    let (text, errors) = (
        String::from_utf8_lossy(&made.stdout),
        String::from_utf8_lossy(&made.stderr),
    );
    assert_eq!(
        made.status.code(),
        Some(1),
        "a game could not be read: {errors}"
    );
    assert!(errors.contains("'zz'"), "{errors}");
    assert!(text.starts_with("hokito\t"), "{text}{errors}");
}
