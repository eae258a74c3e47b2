//! `totemic play` through a pipe: whole games, and everything that is said in them.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::Child;
use std::time::{Duration, SystemTime};

#[cfg(unix)]
use crate::program::on_a_terminal;
use crate::program::{Folder, assert_has, cases, feed, piped, stderr};
use totemic_engine::game::{Game, Hokito, Rng, Yoxii, random_game};

/// A folder for what the program keeps, and the program in it.
struct Table(Folder);

impl Table {
    fn new() -> Self {
        Self(Folder::new())
    }

    fn start(&self, line: &str) -> Child {
        let mut command = self.0.command(&format!("play {line}"));
        piped(command.env("TOTEMIC_STATE_DIR", self.0.path("state")))
    }

    /// Returns everything that is said when these lines, separated by `; `, are typed and
    /// the input ends.
    fn said(&self, line: &str, typed: &str) -> String {
        let output = feed(self.start(line), typed.replace("; ", "\n") + "\n");
        assert!(output.status.success(), "{line}: {}", stderr(&output));
        assert_eq!(stderr(&output), "");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let is_plain = !text.contains('\u{1b}') && !text.contains("> \n");
        assert!(is_plain, "decoration in\n{text}");
        text
    }

    /// Like `said`, but these parts have to be said one after the other.
    fn says(&self, line: &str, typed: &str, parts: &[&str]) -> String {
        let text = self.said(line, typed);
        assert_order(&text, parts);
        text
    }

    /// Returns what a command line says that ends with this exit code.
    fn fails(&self, code: i32, line: &str) -> String {
        let output = feed(self.start(line), "");
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{line}: {said}");
        said
    }

    fn kept(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path("state"));
        let names = entries.into_iter().flatten();
        let names = names.map(|entry| entry.expect("an entry").file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        names
            .filter(|name| name.starts_with("unfinished"))
            .collect()
    }
}

/// Returns the position some plies before the end of a random game, the moves from there
/// on, and the position where the rules ended it. A whole game takes long to review.
fn last_moves<G: Game>(plies: usize, seed: u64) -> (G, Vec<String>, G) {
    let (moves, end) = random_game(G::start(), G::MAX_PLIES, &mut Rng::new(seed));
    assert!(end.outcome().is_some());
    let (before, last) = moves.split_at(moves.len() - plies);
    let play = |position: G, &mv| position.play(mv);
    let begin = before.iter().fold(G::start(), play);
    (begin, last.iter().map(ToString::to_string).collect(), end)
}

/// The fixed start of Hokito.
const START: &str = "b1,b2,b3,b1,b2,b3/b2,b3,b1,b2,b3,b1/b3,b1,b2,b3,b1,b2/\
                     w2,w1,w3,w2,w1,w3/w1,w3,w2,w1,w3,w2/w3,w2,w1,w3,w2,w1 b";

/// Fails unless a text contains these parts one after the other.
fn assert_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let at = rest.find(part);
        let at = at.unwrap_or_else(|| panic!("'{part}' is not where it belongs in\n{text}"));
        rest = &rest[at + part.len()..];
    }
}

fn an_end_is_explained<G: Game>(seed: u64, words: &str) {
    let (begin, moves, end) = last_moves::<G>(10, seed);
    let table = Table::new();
    let line = format!("--position '{begin}' --side both --game {}", G::NAME);
    let text = table.said(&line, &moves.join("; "));
    let [first, second] = end.standing().points.map(|points| points.to_string());
    assert_order(&text, &[words, "the game is over", &first, &second]);
    let (board, decided) = text.split_once("the game is over").expect("it is said");
    let wide = board.lines().find(|line| line.chars().count() > 60);
    assert_eq!(wide, None, "{text}");
    assert_order(decided, &["Where it was decided:", "better was "]);
    assert_eq!(table.kept(), [""; 0], "a game that is over is not kept");
}

#[test]
fn both_games_are_played_to_their_ends_which_are_explained() {
    an_end_is_explained::<Yoxii>(1, "* the totem");
    an_end_is_explained::<Hokito>(2, "a black pawn of value 2");
}

#[test]
fn the_engine_answers_until_the_game_is_over() {
    fn check<G: Game>() {
        let (begin, _, _) = last_moves::<G>(10, 1);
        let table = Table::new();
        let line = format!("--position '{begin}' --side none --level 0");
        let text = table.said(&line, "list; why");
        assert_order(&text, &[" plays ", "the game is over", "  1. ", "After "]);
    }
    check::<Yoxii>();
    check::<Hokito>();
    // The same seed gives the same start and the same moves.
    let seeded = || Table::new().said("--game hokito --side second --level 0 --seed 1", "");
    let text = seeded();
    assert_has(&text, "Black plays ");
    assert_eq!(text, seeded());
}

#[test]
fn illegal_moves_are_explained_by_the_rule_and_what_is_legal() {
    let table = Table::new();
    table.says(
        "--game yoxii --side both",
        "d5 e5; e6e7x; D5-E5 X; d5d6o; moves d4; zzz; moves; c3 9",
        &[
            "'d5 e5' is incomplete: which value? o i y x",
            "'e6e7x' is illegal: the totem cannot go to that square; legal totem squares: c3 d3",
            "after d5e5x",
            "'d5d6o' is illegal: the totem cannot go to that square",
            "piece squares after d4: ",
            "'zzz' is neither a move nor a command",
            "totem squares: ",
            "unexpected '9'",
        ],
    );
    let hokito = "--game hokito --position startpos --side both";
    table.says(
        hokito,
        "a1a2; a4f6; a4xa3",
        &[
            "the top pawn on the starting square is the opponent's",
            "no route of exactly as many steps",
            "after a4a3",
        ],
    );
}

#[test]
fn moves_are_taken_back_and_come_again() {
    let table = Table::new();
    table.says(
        "--side first --level 0 --game yoxii",
        "undo; c5b6y; undo; redo; redo; position",
        &[
            "There is no move of yours to take back.",
            "Red plays ",
            "Move 2: White to move, after ",
            "Move 1: White to move.",
            "Move 2: White to move, after ",
            "No move has been taken back.",
            " w\n",
        ],
    );
}

#[test]
fn a_position_is_entered_rank_by_rank_with_corrections() {
    let table = Table::new();
    let typed = "setup; ......; ......; x6; x6; w1 . . . . .; b1 b2 ....; 1: b1 b1 b1 .; \
         1: b1 b1 x4; b1 w3:4; b1 b1:1; side blue; black; position; setup; help; cancel; position";
    let text = table.said("--side both --game hokito", typed);
    let position = "x6/x6/x6/x6/w1,x5/b1,b1,x4 b";
    assert_order(
        &text,
        &[
            "rank 6 (a6 b6 c6 d6 e6 f6)",
            "rank 1 has 6 squares, not 4",
            "side to move (black or white)",
            position,
            "The position is unchanged.",
            position,
        ],
    );
    table.says(
        "--side both --game yoxii",
        "setup; 3; X4; 2*4; 7; 7; 5; 3; ; 6:X....; b6 O; red; position",
        &[
            "do not fit White to move",
            "Correct a rank",
            "3/O4/2*4/7/7/5/3 r",
        ],
    );
}

#[test]
fn a_game_is_saved_and_opened_again_but_nothing_is_written_over() {
    let table = Table::new();
    let typed = "c5b6y; save game.pgn; c6c5o; save game.pgn; save game.pgn --force; \
         save no/such/place.pgn; save 'with blank.pgn'; save . --force";
    table.says(
        "--side both --game yoxii --clock 1h+1s",
        typed,
        &[
            "Saved to game.pgn.",
            "game.pgn' exists: add --force to replace it",
            "Saved to game.pgn.",
            "cannot write 'no/such/place.pgn': there is no directory 'no/such'",
            "Saved to with blank.pgn.",
            "cannot write '.': it is a directory",
        ],
    );
    let saved = table.0.read("game.pgn");
    assert_order(
        &saved,
        &[
            "[Date \"20",
            "[Variant \"Yoxii\"]",
            "[TimeControl \"3600+1\"]",
            "c5b6y {[%clk 1:00:0",
            "c6c5o",
        ],
    );
    // This also works from a game of the other kind.
    table.says(
        "--side both --game hokito --fresh",
        "open missing.pgn; open game.pgn; undo; list",
        &[
            "cannot read 'missing.pgn': there is no such file",
            "Yoxii: you move for both",
            "clock  White ",
            "after c6c5o",
            "  1. c5b6y\n",
        ],
    );
}

#[test]
fn an_unfinished_game_is_kept_and_offered_again() {
    let table = Table::new();
    // The input ends in the middle.
    let begun = format!("--position '{START}' --level 2 --side first");
    table.says(
        &begun,
        "a4a3",
        &["White plays ", "The game is kept in ", "--resume"],
    );
    assert_eq!(table.kept().len(), 1);
    table.says(
        "",
        "perhaps; y; level",
        &[
            "There is an unfinished game of Hokito, You - Totemic level 2, 2 moves, 20",
            "Continue it?",
            "'perhaps': expected one of",
            "you are Black, against Totemic level 2",
            "level 2.",
        ],
    );
    // A changed level is kept even without another move.
    table.says(
        "--resume",
        "moves; level 4",
        &[
            "you are Black, against Totemic level 2",
            "starting squares: ",
        ],
    );
    table.says("--resume", "", &["you are Black, against Totemic level 4"]);
    // Somebody who asks for the other kind is not asked about this game.
    table.says(
        "--resume --game hokito",
        "",
        &["you are Black, against Totemic level 4"],
    );
    let said = table.fails(1, "--resume --game yoxii");
    assert_has(&said, "no unfinished game of yoxii");
    // Somebody who wants another game leaves this one where it is.
    table.says(
        "",
        "n; yoxii; both; c5b6y",
        &[
            "Continue it?",
            "Which game",
            "Your side",
            "Yoxii: you move for both sides",
            "after c5b6y",
        ],
    );
    assert_eq!(table.kept().len(), 2);
    table.said("", "d; d; yoxii; both");
    assert_eq!(table.kept().len(), 0);
}

#[test]
fn a_game_is_kept_from_the_first_move_of_the_person_on() {
    let table = Table::new();
    let begun = format!("--position '{START}' --level 0 --side");
    // Only the engine has moved.
    let text = table.says(
        &format!("{begun} second"),
        "level 1; quit",
        &["Black plays ", "level 1."],
    );
    assert!(!text.contains("kept"), "{text}");
    assert_eq!(table.kept(), [""; 0]);
    // What was taken back no longer counts.
    let first = format!("{begun} first");
    table.said(&first, "a4a3; undo");
    assert_eq!(table.kept(), [""; 0]);
    // Each game has its own file.
    table.said(&first, "a4a3");
    table.said(&first, "a4a3; quit");
    assert_eq!(table.kept().len(), 2);
}

#[test]
fn spoilt_files_are_named_and_left_and_empty_ones_removed() {
    let table = Table::new();
    std::fs::create_dir(table.0.path("state")).expect("a directory");
    let old = SystemTime::now() - Duration::from_secs(3600);
    let file = |name: &str, text: &str| {
        let name = format!("state/{name}");
        table.0.write(&name, text);
        let path = table.0.path(&name);
        let file = File::options().append(true).open(&path);
        let file = file.expect("it is there");
        file.set_modified(old).expect("a time");
        path
    };
    let spoilt = file("unfinished-7.pgn", "garbage");
    // Killed processes leave files like these.
    let empty = file("unfinished-3.pgn", "");
    let draft = file("unfinished-4.pgn.totemic-91CXwi.part", "half of a game");
    let other = file("notes.pgn", "");
    let text = table.says(
        "",
        "yoxii; both",
        &[
            "Skipped an unfinished game: ",
            "unfinished-7.pgn",
            "Which game",
        ],
    );
    assert!(!text.contains("unfinished-3"), "{text}");
    assert_eq!(
        [spoilt, empty, draft, other].map(|path| path.exists()),
        [true, false, false, true]
    );
}

#[test]
fn games_end_by_resignation_and_by_agreement() {
    let table = Table::new();
    let (begin, moves, _) = last_moves::<Yoxii>(10, 2);
    let game = format!("--position '{begin}' --side first --level 0");
    let [played, late] = [&moves[0], &moves[2]];
    let typed = format!("{played}; draw?; resign; {late}; undo; undo; resign");
    table.says(
        &game,
        &typed,
        &[
            "No: it is too early",
            "White resigns: Red wins.",
            &format!("'{late}': the game is over"),
            // First only the resignation is taken back, then the moves.
            "Move 2: White to move, after ",
            "Move 1: White to move.",
            "White resigns: Red wins.",
        ],
    );
    table.says(
        "--side both --game hokito",
        "draw?; new; resign",
        &["drawn by agreement", "Black resigns: White wins."],
    );
}

#[test]
fn advice_is_given_in_words_and_numbers() {
    let table = Table::new();
    let end = "x,b3:14,x,w1:2,x,b1/x5,b2/w1:14,x5/x6/x6/w3:2,w2,x3,w1 b";
    let arguments = format!("--position '{end}' --side both");
    table.says(
        &arguments,
        "hint 3; eval; b6a4; why; swap; level 7; pause",
        &[
            " 1. b6a4  Black wins ",
            "(proved)",
            " 2. ",
            "Black wins ",
            "(proved)",
            "Without looking ahead",
            "After b6a4: Black wins ",
            "(proved)",
            "Expected next: ",
            "nothing to swap",
            "level 7",
            "No clock is running.",
        ],
    );
    let text = table.says(
        "--side both --game yoxii",
        "hint 3; hint; eval; moves d",
        &[" 1. ", "White ", " %, ", "in all", "totem squares: d3 d5"],
    );
    // About the same position it says the same.
    let best: Vec<&str> = (text.lines().filter(|line| line.starts_with(" 1. "))).collect();
    assert_eq!(best.len(), 2, "{text}");
    assert_eq!(best[0], best[1]);
    assert!(!text.contains("   +0  "), "{text}");
}

/// Returns the lines up to and including one that contains a text.
fn until(lines: &mut impl Iterator<Item = std::io::Result<String>>, part: &str) -> Vec<String> {
    let mut seen = Vec::new();
    for line in lines {
        seen.push(line.expect("text"));
        if seen.last().is_some_and(|line| line.contains(part)) {
            return seen;
        }
    }
    panic!("'{part}' was not said, but\n{}", seen.join("\n"));
}

#[test]
fn a_clock_that_runs_out_ends_the_game_while_nobody_types() {
    let table = Table::new();
    let mut child = table.start("--side first --level 0 --clock 300ms --game yoxii");
    let mut input = child.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    until(&mut lines, "Move 1: White to move");
    until(&mut lines, "White's time is up: Red wins.");
    // The clock is what it was before the move that took too long.
    writeln!(input, "c5b6y").expect("it reads");
    until(&mut lines, "the game is over");
    drop(input);
    assert!(child.wait().expect("it ends").success());
    assert_eq!(table.kept().len(), 0);
}

#[test]
fn a_finished_game_is_reviewed_where_it_was_played() {
    let table = Table::new();
    let (begin, moves, _) = last_moves::<Yoxii>(10, 1);
    let played = moves[..2].join("; ");
    let typed = format!("review; {played}; resign; review; save x.pgn; quit");
    let text = table.said(&format!("--side both --position '{begin}'"), &typed);
    let reviewed = table.0.ok("review x.pgn");
    assert_has(&reviewed, "by resignation");
    assert_order(&text, &["The game is not over.", "Type review", &reviewed]);
}

#[cfg(unix)]
#[test]
fn lines_that_are_typed_ahead_are_run_one_after_the_other() {
    // As one paste, which many terminals put into brackets, or as quick typing.
    for typed in [
        "help\rposition\rsave x.pgn\rquit\r",
        "\u{1b}[200~help\nposition\nsave x.pgn\nquit\u{1b}[201~\r",
    ] {
        let table = Table::new();
        let mut command = table.0.command("play --game yoxii --side first --level 0");
        command.env("TOTEMIC_STATE_DIR", table.0.path("state"));
        command.env("TERM", "xterm");
        let (mut child, mut terminal, printed) = on_a_terminal(command);
        let mut seen = String::new();
        while !seen.contains("White 1>") {
            seen += &printed.recv().expect("a prompt");
        }
        // The second line comes while the engine thinks.
        terminal.write_all(b"c5b6y\rmoves\r").expect("it reads");
        terminal.write_all(typed.as_bytes()).expect("it reads");
        assert!(child.wait().expect("it ends").success());
        let said: String = printed.iter().collect();
        assert_order(
            &said,
            &[
                "Red plays",
                "leave; an unfinished",
                " w\r",
                "Saved to x.pgn",
            ],
        );
        assert!(table.0.read("x.pgn").contains("c5b6y"));
    }
}

#[test]
fn any_engine_plays() {
    let table = Table::new();
    let program = env!("CARGO_BIN_EXE_totemic");
    let engine = format!("--engine 'cmd={program} --game hokito ugi' name=Other nodes=100");
    let line = format!("--game hokito --position startpos {engine} --side first");
    table.says(
        &line,
        "a4a3; level 3; save other.pgn",
        &[
            "against Other",
            "White plays ",
            "it has no levels here",
            "Saved",
        ],
    );
    let saved = table.0.read("other.pgn");
    assert_has(&saved, "[White \"Other\"]");
    assert_has(&saved, "[Black \"You\"]");
}

#[test]
fn wrong_usage_is_refused_with_what_was_expected() {
    for [code, line, part] in cases(
        "
        2 | --level 21                  | from 0 to 20
        2 | --clock x                   | 5m+3s
        2 | --engine name=x             | cmd=PROGRAM
        2 | --engine cmd=random         | --level 0
        2 | --scattered --game yoxii    | --game hokito
        2 | --position nonsense         | 'nonsense'
        2 | --side blue                 | 'blue'
        2 | --side red --game hokito    | expected black
        2 | --side black --game yoxii   | or --game hokito
        2 | --side Red --game hokito    | or --game yoxii
        1 | --engine cmd=/no/such/engine | /no/such/engine
        ",
    ) {
        let code = code.parse().expect("a code");
        assert_has(&Table::new().fails(code, line), part);
    }
}
