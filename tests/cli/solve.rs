//! `totemic solve` and `totemic problems` as a user sees them.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Output;

#[cfg(unix)]
use crate::program::on_a_terminal;
use crate::program::{Folder, assert_has, stderr, stdout};
use crate::support::{HOKITO_LATE, YOXII_LATE};
use serde_json::{Value as Json, json};

/// Returns what `solve` prints about a file on stdin; it must end with this exit code.
fn file(options: &str, code: i32, text: impl AsRef<[u8]> + Send) -> Output {
    let output = Folder::new().feed(&format!("solve --file - {options}"), text);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{options}: {said}");
    output
}

fn objects(output: &Output) -> Vec<Json> {
    crate::support::objects(&stdout(output))
}

fn object(arguments: &str) -> Json {
    Folder::new().json(&format!("solve --json {arguments}"))
}

fn best() -> Vec<String> {
    let found = object(&format!("--all-moves '{YOXII_LATE}'"));
    serde_json::from_value(found["best"].clone()).expect("a list")
}

#[test]
fn a_position_is_one_object_with_the_fields_documented() {
    let arguments = format!("--margin --all-moves '{YOXII_LATE}'");
    let object = object(&arguments);
    let fields = "line position game value lower upper margin margin_lower margin_upper best \
                  best_complete moves margins pv nodes time_ms expected verdict";
    let found = object.as_object().expect("one").keys();
    assert!(found.eq(fields.split(' ')), "{object}");
    assert_eq!(object["position"], YOXII_LATE);
    assert_eq!(object["value"], "win");
    assert_eq!(object["margin"], 5);
    assert_eq!(object["best_complete"], true);

    // Every move has its margin.
    let (moves, margins) = (&object["moves"], &object["margins"]);
    let best = object["best"].as_array().expect("a list");
    for (mv, margin) in margins.as_object().expect("an object") {
        let margin = margin.as_i64().expect("proved");
        assert_eq!(best.contains(&mv.as_str().into()), margin == 5, "{mv}");
        let value = moves[mv].as_str().expect("a value");
        assert!(margin.signum() == 0 || value == if margin > 0 { "win" } else { "loss" });
    }
    let table = Folder::new().stdout_of(&format!("solve {arguments}"));
    assert_has(&table, "win         +5  e6e7o e6e7y\n");
    // The two that are best are there, and no move is missing.
    let listed = table.lines().filter(|line| line.starts_with("      "));
    let count: usize = listed.map(|line| line.split_whitespace().count() - 2).sum();
    assert_eq!(moves.as_object().expect("moves").len(), count);
}

#[cfg(unix)]
#[test]
fn no_move_is_broken_at_the_end_of_a_line_of_the_terminal() {
    let folder = Folder::new();
    let command = folder.command(&format!("solve --all-moves '{YOXII_LATE}'"));
    let (mut child, _terminal, printed) = on_a_terminal(command);
    assert!(child.wait().expect("it ends").success());
    let said: String = printed.iter().collect();
    // The progress bar is drawn over.
    let lines = said.lines().filter_map(|line| line.split('\r').next_back());
    let lines: Vec<&str> = lines.map(|it| it.trim_start_matches("\u{1b}[2K")).collect();
    let table = lines.iter().skip_while(|line| !line.contains("best; line"));
    let wide = table.clone().find(|line| line.chars().count() > 80);
    assert_eq!(wide, None);
    let words = table.flat_map(|line| line.split_whitespace());
    let words: Vec<&str> = words.map(|word| word.trim_end_matches(';')).collect();
    for mv in best() {
        assert!(words.contains(&&*mv), "{mv}: {lines:?}");
    }
}

#[test]
fn garbage_in_a_file_is_named_by_its_line_and_the_rest_is_solved() {
    let text = format!(
        "\u{feff}# problems\n{YOXII_LATE}\twin\n\nrubbish\n{HOKITO_LATE}\thigh\nhokito\t{YOXII_LATE}\n{HOKITO_LATE}\twin # comment\n3/5 w\n"
    );
    let output = file("--json", 1, [text.as_bytes(), b"\xff\xfe\n"].concat());
    let errors = stderr(&output);
    assert_eq!(objects(&output).len(), 2, "{errors}");
    for line in [4, 5, 6, 8, 9] {
        assert!(errors.contains(&format!("line {line}:")), "{errors}");
    }
}

#[test]
fn objects_carry_their_line_what_was_expected_and_what_came_of_it() {
    let text = format!(
        "# problems\n{YOXII_LATE}\twin\n\n{YOXII_LATE}\tloss\n{YOXII_LATE}\nstartpos\tdraw\n"
    );
    let told = objects(&file("--json --time-limit 1s", 1, text));
    let told = told.iter().map(|object| {
        let expected = &object["expected"]["value"];
        json!([object["line"], expected, object["verdict"]])
    });
    assert!(told.eq([
        json!([2, "win", "right"]),
        json!([4, "loss", "wrong"]),
        json!([5, null, null]),
        json!([6, "draw", "unknown"]),
    ]));
}

#[test]
fn a_file_of_mixed_games_is_solved_game_by_game() {
    let text = format!("{YOXII_LATE}\n{HOKITO_LATE}\n{YOXII_LATE}\n{HOKITO_LATE}\n");
    let told = objects(&file("--json --threads 2", 0, text));
    assert!(told.iter().map(|object| &object["line"]).eq([1, 3, 2, 4]));
    // A line may say whose start it means.
    let start = objects(&file("--json --time-limit 1ms", 3, "hokito\tstartpos\n"));
    assert_eq!(start[0]["game"], "hokito");
}

#[test]
fn a_run_ends_with_its_total_time() {
    let text = format!("{YOXII_LATE}\nstartpos\n{YOXII_LATE}\n");
    // Everything that is left is unknown.
    let table = stdout(&file("--total-time 2s", 3, text));
    assert_has(&table, "1 of 3 positions proved");
    assert_has(&table, "1 not begun");
    // If all is done before that, nothing is held up.
    Folder::new().stdout_of(&format!("solve --total-time 1h '{YOXII_LATE}'"));
}

#[test]
fn threads_change_neither_the_rows_nor_their_order() {
    let known = include_str!("../data/solve.tsv");
    let rows = |threads: u32| {
        let output = file(&format!("--json --threads {threads}"), 0, known);
        let row = |object: &Json| json!([object["position"], object["value"]]);
        objects(&output).iter().map(row).collect::<Vec<_>>()
    };
    let alone = rows(1);
    assert_eq!(alone.len(), known.lines().count());
    assert_eq!(rows(2), alone);
}

#[test]
fn what_is_expected_is_checked() {
    let text = format!("{YOXII_LATE}\tloss\n{YOXII_LATE}\twin\n");
    assert_has(&stdout(&file("", 1, text)), "2 checked, 1 wrong");
    for (margin, code) in [("+5", 0), ("5", 0), ("+4", 1), ("-5", 1), ("five", 1)] {
        let text = format!("{YOXII_LATE}\twin {margin}\n");
        let errors = stderr(&file("--margin", code, text));
        assert!(code == 0 || errors.contains(margin), "{errors}");
    }
    let best = best();
    for (fields, code) in [
        // Without a margin, a line names all moves that keep the value, whatever the
        // margin.
        (format!("win\t{}", best.join(" ")), 0),
        (format!("win\t{}", best[1..].join(" ")), 1),
        // With a margin, it names those that keep it: seven others win as well, but by
        // less.
        ("win +5\te6e7o e6e7y".to_owned(), 0),
        ("win\te6e7o e6e7y".to_owned(), 1),
        ("win +5\te6e7o e6e7y e6e7x".to_owned(), 1),
        // As a person writes them, in any order. A number is a note.
        (format!("win\t{}", best.join(" ").to_uppercase()), 0),
        ("win\t12345".to_owned(), 0),
    ] {
        let text = format!("{YOXII_LATE}\t{fields}\n");
        file("--margin --all-moves", code, text);
    }
    // A slip in a move is a line that cannot be read.
    let slip = format!("{YOXII_LATE}\n{YOXII_LATE}\twin\t{} q9\n", best[0]);
    let output = file("--json --all-moves", 1, slip);
    let errors = stderr(&output);
    assert_has(&errors, "line 2: best moves: 'q9'");
    assert!(!errors.contains("wrong:"), "{errors}");
    assert_eq!(objects(&output).len(), 1);
}

/// No side can have more than eight pieces at the totem: three of 4, five of 3.
#[test]
fn what_is_not_proved_in_time_is_told_by_its_bounds() {
    let line = "solve --margin --time-limit 50ms startpos";
    let output = Folder::new().run(&format!("{line} --json"));
    assert_eq!(output.status.code(), Some(3));
    let fields = "value lower upper margin margin_lower margin_upper".split(' ');
    let told: Vec<Json> = fields.map(|it| objects(&output)[0][it].clone()).collect();
    let expected = json!(["unknown", "loss", "win", null, -27, 27]);
    assert_eq!(json!(told), expected);
    let table = stdout(&Folder::new().run(line));
    assert!(table.contains("; margin between -27 and +27"), "{table}");
}

#[test]
fn a_finished_game_has_its_result() {
    let line = object(&format!("'{HOKITO_LATE}'"))["pv"].clone();
    let moves: Vec<String> = serde_json::from_value(line).expect("a line");
    let object = object(&format!("'{HOKITO_LATE}' --moves {}", moves.join(" ")));
    assert_ne!(object["value"], "unknown");
    assert_eq!(object["pv"], json!([]));
}

/// A draw, a loss of the mover and a game that is over.
const OTHERS: &str = "\
yoxii\tOo1/oIi2/1xXiiOi/oYy1XII/yIOxYyy/1x*XO/IyO w\tloss -3
hokito\tx6/x6/x6/x6/x6/x4,b1,w2 b\n";

#[test]
fn what_is_solved_is_certified() {
    let dir = Folder::new();
    let positions = format!("{YOXII_LATE}\n{HOKITO_LATE}\n{YOXII_LATE}\n{OTHERS}");
    let certify = |more: &str| {
        let line = format!("solve --margin --certificate new/proofs --file - {more}");
        dir.feed(&line, &positions)
    };
    let made = certify("--json");
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let mut files = BTreeSet::new();
    for object in objects(&made) {
        let certificates = object["certificates"].as_array().expect("a list");
        let is_draw = object["value"] == "draw";
        assert_eq!(certificates.len(), if is_draw { 4 } else { 3 }, "{object}");
        for certificate in certificates {
            let file = certificate["file"].as_str().expect("a name");
            let verified = dir.json(&format!("verify --json '{file}'"));
            assert_eq!(verified["claim"], certificate["claim"]);
            assert_eq!(verified["position"], object["position"]);
            let bytes = fs::metadata(dir.path(file)).unwrap().len();
            assert_eq!(certificate["bytes"], bytes);
            files.insert(file.to_owned());
        }
    }
    // One position is there twice, and there is no other file.
    let there = || fs::read_dir(dir.path("new/proofs")).unwrap().count();
    assert_eq!(there(), files.len());

    // They are found again, and named in the table, too.
    let again = certify("");
    assert_eq!(again.status.code(), Some(0), "{again:?}");
    let table = stdout(&again);
    let told = |file: &String| table.contains(&format!(": {file} ("));
    assert!(files.iter().all(told), "{table}");

    // Another file of that name stays, except with --force.
    let first = files.first().unwrap();
    dir.write(first, "mine");
    let refused = certify("--json");
    assert_eq!(refused.status.code(), Some(1));
    assert_has(&stderr(&refused), "exists: add --force");
    assert_eq!(dir.read(first), "mine");
    let told = objects(&refused);
    assert!(told.iter().any(|it| it["certificates"].is_null()));
    assert_eq!(certify("--force").status.code(), Some(0));
    dir.stdout_of(&format!("verify '{first}'"));
    assert_eq!(there(), files.len());
}

#[test]
fn nothing_is_certified_of_what_is_unknown() {
    let dir = Folder::new();
    let output = dir.run("solve --json --time-limit 50ms --certificate . startpos");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(objects(&output)[0]["certificates"], json!([]));
    assert_eq!(fs::read_dir(dir.at()).unwrap().count(), 0);

    // A folder in the place of a proof is reported before the proof is made.
    let line = format!("solve --json --certificate proofs '{YOXII_LATE}'");
    let made = objects(&dir.run(&line));
    let proof = made[0]["certificates"][0]["file"].as_str().unwrap();
    fs::remove_file(dir.path(proof)).unwrap();
    fs::create_dir(dir.path(proof)).unwrap();
    let why = format!("cannot write '{proof}': it is a directory");
    for force in ["", "--force"] {
        dir.fails_with(1, &format!("{line} {force}"), &why);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_is_proved() {
    for threads in [1, 2] {
        let line = format!("solve --json --threads {threads} '{YOXII_LATE}' startpos");
        let mut child = Folder::new().start(&line);
        let told = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut told = told.lines().map(|line| line.expect("text"));
        assert_has(&told.next().expect("an object"), r#""value":"win""#);
        // The other one begins at once, but does not say so.
        std::thread::sleep(std::time::Duration::from_secs(1));
        crate::program::send(child.id(), nix::sys::signal::Signal::SIGINT);
        assert_has(&told.next().expect("an object"), r#""value":"unknown""#);
        assert_eq!(child.wait().expect("it ends").code(), Some(130));
    }
}

#[test]
fn problems_are_reproducible_and_solve_to_what_they_say() {
    let line = "problems --game hokito --plies 5 --count 4 --seed 3";
    let made = Folder::new().stdout_of(line);
    assert_eq!(made, Folder::new().stdout_of(line));
    file("--all-moves", 0, made);
}

/// Whoever stops it learns how far it came, and has what was found.
#[cfg(unix)]
#[test]
fn problems_say_what_was_found_when_they_are_stopped() {
    let line = "problems --game hokito --plies 5 --count 500";
    let (mut child, _terminal, printed) = on_a_terminal(Folder::new().command(line));
    let mut shown = String::new();
    let has_none = |shown: &str| {
        let found = shown.rsplit_once(" problem");
        found.is_none_or(|(before, _)| before.ends_with(" 0"))
    };
    while has_none(&shown) {
        shown += &printed.recv().expect("progress");
    }
    crate::program::send(child.id(), nix::sys::signal::Signal::SIGINT);
    shown.extend(printed);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_has(&shown, "hokito\t");
    let (_, told) = shown.split_once("stopped after ").expect("a line");
    assert!(told.contains(" of 500 problems"), "{told}");
}

#[test]
fn puzzles_have_one_best_move_and_a_line_that_begins_with_it() {
    let line = "problems --game hokito --plies 8 --count 3 --seed 3 --single";
    let made = Folder::new().stdout_of(line);
    let mut grades = BTreeSet::new();
    for line in made.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let (grade, moves) = fields[4].split_once(": ").expect(line);
        assert!(moves.starts_with(fields[3]), "{line}");
        grades.insert(grade);
    }
    assert!(grades.into_iter().eq(["# easy", "# hard", "# medium"]));
    file("--all-moves", 0, made);
}

#[test]
fn a_huge_text_that_is_no_position_makes_a_short_error() {
    let huge = "x".repeat(1 << 19);
    for line in [
        huge.clone(),
        format!("3/5/{huge} w"),
        format!("3/5/7/3*3/7/5/3 {huge}"),
        format!("3/5/7/3*3/7/5/3 w {huge}"),
        format!("x6/x6/x6/x6/x6/{huge} b"),
        format!("x6/x6/x6/x6/x6/x5,{huge} b"),
        format!("{YOXII_LATE}\t{huge}"),
        format!("{YOXII_LATE}\twin {huge}"),
        format!("{YOXII_LATE}\twin\t{}", huge.replace('x', "z")),
    ] {
        let said = stderr(&file("", 1, &line));
        let is_cut = said.contains("line 1: ") && said.contains("...'");
        assert!(is_cut && said.len() < 1000, "{} bytes", said.len());
    }
    let said = stderr(&file("", 1, huge.repeat(3)));
    assert_has(&said, "line 1 has more than 1 MiB");
    let line = format!("estimate '{YOXII_LATE}' --claim {}", "x".repeat(50_000));
    let said = Folder::new().fails(2, &line);
    let is_cut = said.contains("expected 'p1 wins'") && said.len() < 1000;
    assert!(is_cut, "{} bytes", said.len());
}

#[test]
fn problems_are_taken_from_games_of_either_kind() {
    let dir = Folder::new();
    let games = include_str!("../data/review/hokito.pgn").to_owned();
    dir.write("games", games + "\n[Event \"no game\"]\n\n1. zz *\n");
    let made = dir.run("problems --from games --plies 3 --count 1");
    // One game could not be read.
    assert_eq!(made.status.code(), Some(1));
    assert_has(&stderr(&made), "'zz'");
    assert!(stdout(&made).starts_with("hokito\t"), "{made:?}");
}
