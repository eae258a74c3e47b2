//! `totemic play` through a pipe: whole games, and everything that is said in them.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Output};
#[cfg(unix)]
use std::sync::mpsc::Receiver;

use crate::program::{Folder, assert_has, feed, piped, stderr};
#[cfg(unix)]
use crate::program::{on_a_terminal, send, wait};
#[cfg(unix)]
use crate::support::hears_interrupts;
use crate::support::printed_until;
use totemic_engine::game::{Game, Hokito, Rng, Yoxii, random_game};

/// A folder for what the program keeps, and the program in it.
struct Table(Folder);

impl Table {
    fn new() -> Self {
        Self(Folder::new())
    }

    fn command(&self, line: &str) -> Command {
        let mut command = self.0.command(&format!("play {line}"));
        command.env("TOTEMIC_STATE_DIR", self.0.path("state"));
        command
    }

    #[cfg(unix)]
    fn on_a_terminal(&self, line: &str, term: &str) -> (Child, File, Receiver<String>) {
        let mut command = self.command(line);
        command.env("TERM", term);
        on_a_terminal(command)
    }

    /// Types these lines, separated by `; `; the program must end with this exit code.
    fn typed(&self, code: i32, line: &str, typed: &str) -> Output {
        let child = piped(&mut self.command(line));
        let output = feed(child, typed.replace("; ", "\n") + "\n");
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{line}: {said}");
        output
    }

    /// What is said when these lines are typed and the input ends.
    fn said(&self, line: &str, typed: &str) -> String {
        let output = self.typed(0, line, typed);
        assert_eq!(stderr(&output), "");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let is_plain = !text.contains('\u{1b}') && !text.contains("> \n");
        assert!(is_plain, "decoration in\n{text}");
        text
    }

    /// Like `said`, but these parts, separated by `|`, have to be said in their order.
    fn says(&self, line: &str, typed: &str, parts: &str) -> String {
        let text = self.said(line, typed);
        assert_order(&text, parts);
        text
    }

    fn kept(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path("state"));
        let names = entries.into_iter().flatten();
        let names = names.map(|entry| entry.expect("an entry").file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        let kept = names.filter(|name| name.starts_with("unfinished"));
        kept.collect()
    }
}

/// A whole game takes long to review: the last moves of a random one, and its end.
fn last_moves<G: Game>(plies: usize, seed: u64) -> (G, Vec<String>, G) {
    let (moves, end) = random_game(G::start(), G::MAX_PLIES, &mut Rng::new(seed));
    assert!(end.outcome().is_some());
    let (before, last) = moves.split_at(moves.len() - plies);
    let play = |position: G, &mv| position.play(mv);
    let begin = before.iter().fold(G::start(), play);
    (begin, last.iter().map(ToString::to_string).collect(), end)
}

fn assert_order(text: &str, parts: &str) {
    let mut rest = text;
    for part in parts.split('|') {
        let found = rest.split_once(part);
        (_, rest) = found.unwrap_or_else(|| panic!("'{part}' is not where it belongs in\n{text}"));
    }
}

fn an_end_is_explained<G: Game>(seed: u64, words: &str) {
    let (begin, moves, end) = last_moves::<G>(10, seed);
    let table = Table::new();
    let line = format!("--position '{begin}' --side both --game {}", G::NAME);
    let text = table.said(&line, &moves.join("; "));
    let [first, second] = end.standing().points.map(|points| points.to_string());
    let parts = format!("{words}|the game is over|{first}|{second}");
    assert_order(&text, &parts);
    let (board, decided) = text.split_once("the game is over").expect("it is said");
    // Nobody has asked for a review, and it would take long.
    assert_has(decided, "Type review to see where it was decided");
    assert!(!decided.contains("better was"), "{decided}");
    let wide = board.lines().find(|line| line.chars().count() > 60);
    assert_eq!(wide, None, "{text}");
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
        table.says(&line, "list; why", " plays |the game is over|  1. |After ");
    }
    check::<Yoxii>();
    check::<Hokito>();
    // The same seed gives the same start and the same moves.
    let seeded = || Table::new().said("--game hokito --side second --level 0 --seed 1", "");
    let text = seeded();
    assert_has(&text, "Black plays ");
    assert_eq!(text, seeded());
}

/// Plays the sessions of a file as `tests/data/play/moves.txt` explains.
fn sessions(table: &Table, text: &str) {
    for session in text.split("\n$").skip(1) {
        let (line, rest) = session.split_once('\n').expect("lines");
        let plain = |text: &str| text.replace("\\s", " ").replace("\\n", "\n");
        let lines = |mark: &str| -> Vec<String> {
            let lines = rest.lines().filter_map(|line| line.strip_prefix(mark));
            let lines = lines.map(|line| line.strip_prefix(' ').unwrap_or(line));
            lines.map(plain).collect()
        };
        let parts = lines("<").join("|");
        if let [code] = &lines("!")[..] {
            let code = code.parse().expect("a code");
            assert_order(&stderr(&table.typed(code, line, "")), &parts);
            continue;
        }
        let text = table.says(line, &lines(">").join("; "), &parts);
        for part in lines("-") {
            assert!(!text.contains(&part), "'{part}' is in\n{text}");
        }
        for kept in lines("=") {
            assert_eq!(table.kept().len().to_string(), kept, "{line}\n{text}");
        }
    }
}

#[test]
fn moves_are_explained_taken_back_and_advised() {
    sessions(&Table::new(), include_str!("../data/play/moves.txt"));
}

#[test]
fn a_position_is_entered_rank_by_rank_with_corrections() {
    sessions(&Table::new(), include_str!("../data/play/setup.txt"));
}

#[test]
fn a_game_is_saved_and_opened_again_but_nothing_is_written_over() {
    let table = Table::new();
    let absurd = "[TimeControl \"300+5\"]\n\n1. c5b6y {[%clk 4000000000000000:00:00]} *\n";
    table.0.write("absurd.pgn", absurd);
    sessions(&table, include_str!("../data/play/saved.txt"));
    let saved = table.0.read("game.pgn");
    let tags = "[Date \"20|[Variant \"Yoxii\"]|[TimeControl \"3600+1\"]";
    assert_order(&saved, &format!("{tags}|c5b6y {{[%clk 1:00:0|c6c5o"));
}

#[test]
fn an_unfinished_game_is_kept_and_offered_again() {
    sessions(&Table::new(), include_str!("../data/play/unfinished.txt"));
}

#[test]
fn a_game_is_kept_from_the_first_move_of_the_person_on() {
    sessions(&Table::new(), include_str!("../data/play/kept.txt"));
}

#[test]
fn spoilt_files_are_named_and_left_and_abandoned_drafts_removed() {
    let table = Table::new();
    std::fs::create_dir(table.0.path("state")).expect("a directory");
    let file = |name: &str, text: &str| {
        let name = format!("state/{name}");
        table.0.write(&name, text);
        table.0.path(&name)
    };
    let spoilt = file("unfinished-7.pgn", "garbage");
    // A killed process leaves a file like this.
    let draft = file("unfinished-4.pgn.totemic-91CXwi.part", "half of a game");
    let other = file("notes.pgn", "");
    let skipped = "Skipped an unfinished game: |unfinished-7.pgn|Which game";
    table.says("", "yoxii; both", skipped);
    let are_left = [spoilt, draft, other].map(|path| path.exists());
    assert_eq!(are_left, [true, false, true]);
}

#[test]
fn about_the_same_position_the_same_is_said() {
    let table = Table::new();
    let typed = "hint 3; hint; eval; moves d";
    let parts = " 1. |White | %, |in all|totem squares: d3 d5";
    let text = table.says("--side both --game yoxii", typed, parts);
    let best = text.lines().filter(|line| line.starts_with(" 1. "));
    let best: Vec<&str> = best.collect();
    assert!(best.len() == 2 && best[0] == best[1], "{text}");
    assert!(!text.contains("   +0  "), "{text}");
}

#[test]
fn a_clock_that_runs_out_ends_the_game_while_nobody_types() {
    let table = Table::new();
    let line = "--side first --level 0 --clock 300ms --game yoxii";
    let mut child = piped(&mut table.command(line));
    let mut input = child.stdin.take().expect("a pipe");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut lines = lines.map(|line| line.expect("text"));
    let mut is_said = |part: &str| lines.any(|line| line.contains(part));
    assert!(is_said("Move 1: White to move"));
    assert!(is_said("White's time is up: Red wins."));
    // The clock is what it was before the move that took too long.
    writeln!(input, "c5b6y").expect("it reads");
    assert!(is_said("the game is over"));
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
    let reviewed = table.0.stdout_of("review x.pgn");
    assert_has(&reviewed, "by resignation");
    let parts = format!("You have not moved yet.|Type review|{reviewed}");
    assert_order(&text, &parts);
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
        let line = "--game yoxii --side first --level 0";
        let (mut child, mut terminal, printed) = table.on_a_terminal(line, "xterm");
        printed_until(&printed, "White 1>");
        // The second line comes while the engine thinks.
        terminal.write_all(b"c5b6y\rmoves\r").expect("it reads");
        terminal.write_all(typed.as_bytes()).expect("it reads");
        assert!(child.wait().expect("it ends").success());
        let said: String = printed.iter().collect();
        assert_order(&said, "Red plays|leave; an unfinished| w\r|Saved to x.pgn");
        assert_has(&table.0.read("x.pgn"), "c5b6y");
    }
}

/// The engine would think for an hour.
#[cfg(unix)]
#[test]
fn an_interrupt_makes_the_engine_move_and_the_next_one_asks_about_leaving() {
    use nix::sys::signal::Signal::SIGINT;

    for term in ["dumb", "xterm"] {
        let table = Table::new();
        let line = "--game yoxii --side first --level 20 --movetime 1h";
        let (mut child, mut terminal, printed) = table.on_a_terminal(line, term);
        let mut types = |line: &str| terminal.write_all(line.as_bytes()).expect("it reads");
        printed_until(&printed, "White 1>");
        types("c5b6y\r");
        let (board, thinks) = ("Red to move, after c5b6y", "Red thinks, depth ");
        let last = if term == "dumb" { board } else { thinks };
        assert_has(&printed_until(&printed, last), board);
        send(child.id(), SIGINT);
        let said = printed_until(&printed, "White 2>");
        assert_has(&said, "Red plays ");
        assert!(!said.contains("Leave"), "{said}");
        // A line editor reads Ctrl-C as a key; without one, the terminal makes a signal of it.
        let interrupt = |types: &mut dyn FnMut(&str)| match term {
            "dumb" => send(child.id(), SIGINT),
            _ => types("\u{3}"),
        };
        interrupt(&mut types);
        printed_until(&printed, "Leave the game? [y/N]");
        types("moves\r");
        assert_has(&printed_until(&printed, "White 2>"), "totem squares: ");
        interrupt(&mut types);
        printed_until(&printed, "Leave the game? [y/N]");
        types("y\r");
        printed_until(&printed, "is kept in");
        assert!(child.wait().expect("it ends").success());
    }
}

/// A script that is stopped has not come to its end.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_game_in_a_pipe() {
    use nix::sys::signal::Signal::SIGINT;

    let mut child = piped(&mut Table::new().command("--side both"));
    // Its input stays open.
    let _input = child.stdin.take();
    wait("its handler", || hears_interrupts(child.id()));
    send(child.id(), SIGINT);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}

#[cfg(unix)]
#[test]
fn a_position_is_printed_in_one_line_however_narrow_the_terminal_is() {
    let table = Table::new();
    let line = "--game hokito --position startpos --side both";
    let (mut child, mut terminal, printed) = table.on_a_terminal(line, "dumb");
    printed_until(&printed, "Black 1>");
    terminal.write_all(b"position\rquit\r").expect("it reads");
    printed_until(&printed, &format!("{}\r\n", Hokito::start()));
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn any_engine_plays() {
    let table = Table::new();
    let program = env!("CARGO_BIN_EXE_totemic");
    let engine = format!("--engine 'cmd={program} --game hokito ugi' name=Other nodes=100");
    let line = format!("--game hokito --position startpos {engine} --side first");
    let parts = "against Other|White plays |it has no levels here|Saved";
    table.says(&line, "a4a3; level 3; save other.pgn", parts);
    let saved = table.0.read("other.pgn");
    assert_has(&saved, "[White \"Other\"]");
    assert_has(&saved, "[Black \"You\"]");
}
