//! What happens while a search runs: every `go` is answered exactly once.

use std::time::{Duration, Instant};

use crate::client::{Client, converse, fits};
use totemic_engine::game::GameKind;

const PAGE: &str = include_str!("../../protocol.md");

/// This position is solved within milliseconds.
const NEARLY_OVER: &str = "position fen Oo1/oIi2/1xXiiOi/oYy1XII/yIOxYyy/1x*XO/IyO w";

fn answers(lines: &[String]) -> usize {
    let best = |line: &&String| line.starts_with("bestmove ");
    lines.iter().filter(best).count()
}

#[test]
fn stop_right_behind_go_is_never_lost() {
    for kind in GameKind::ALL {
        let mut client = Client::start(kind);
        for options in ["alphabeta", "mcts\nsetoption name Threads value 2"] {
            client.send(&format!("setoption name Searcher value {options}"));
            for _ in 0..500 {
                client.send("go infinite\nstop");
                client.best_move();
            }
        }
        assert_eq!(answers(&client.end()), 0);
    }
    // In one breath, too.
    assert_eq!(answers(&converse(&"go\nstop\n".repeat(1000))), 1000);
}

/// However a `solve` ends, it has one answer, which comes before that of what ended it.
#[test]
fn every_solve_has_one_solution() {
    let unknown = |line: &str| fits("solution value unknown nodes {n} time {n}", line);
    for kind in GameKind::ALL {
        let mut client = Client::start(kind);
        for _ in 0..300 {
            client.send("solve\nstop");
            assert!(unknown(&client.line()));
        }
        client.send("solve margin all\nisready\nquery p1turn\nsetoption name Hash value 2");
        assert_eq!(client.line(), "readyok");
        assert_eq!(client.line(), "response true");
        assert!(client.line().contains("option Hash cannot change"));
        client.send("solve nodes 5000\ngo depth 1\nsolve\nuginewgame");
        assert!(unknown(&client.line()) && unknown(&client.line()));
        client.until("bestmove ");
        assert!(unknown(&client.line()));
        client.send("go infinite\nsolve movetime 0");
        client.until("bestmove ");
        assert!(unknown(&client.line()));
        // A late stop does not reach the next one, and a position is that of the next.
        client.send("solve\nposition startpos\nstop\nstop\nsolve nodes 9000");
        assert!(unknown(&client.line()));
        assert!(unknown(&client.line()));
        for last in ["quit", ""] {
            client = Client::start(kind);
            client.send(&format!("solve\n{last}"));
            assert!(matches!(&client.end()[..], [line] if unknown(line)));
        }
    }
    // What has a limit goes on to its end.
    let lines = converse(&format!("{NEARLY_OVER}\nsolve nodes 1000000 margin"));
    let lost = "solution value loss margin -3 nodes {n} time {n} best {word}";
    assert!(
        matches!(&lines[..], [line] if fits(lost, line)),
        "{lines:?}"
    );
}

#[test]
fn a_late_stop_does_not_hit_the_next_search() {
    let mut client = Client::yoxii();
    for _ in 0..50 {
        client.send("go nodes 2000");
        let first = client.until("bestmove ");
        client.send("stop\nstop\ngo nodes 2000");
        let second = client.until("bestmove ");
        // Both reached their depth: if they had been stopped at once, there would be no
        // line.
        assert!(first.len() > 1 && second.len() > 1, "{second:?}");
    }
}

#[test]
fn quit_during_a_search_answers_and_ends() {
    for go in [
        "go infinite",
        "go depth 40",
        "go movetime 100000",
        "go ponder",
    ] {
        let lines = converse(&format!("{go}\nquit\nisready"));
        assert_eq!(answers(&lines), 1, "{go}");
        let last = lines.last().expect("an answer");
        assert!(last.starts_with("bestmove "), "{last}");
    }
}

#[test]
fn the_end_of_the_input_waits_for_what_ends_by_itself() {
    for go in [
        "go depth 3",
        "go nodes 5000",
        "go movetime 100",
        "go mate 2",
        "go p1time 1000 p2time 1000",
        "go depth 3 searchmoves c5b6x",
    ] {
        let lines = converse(go);
        assert_eq!(answers(&lines), 1, "{go}");
        assert!(lines.len() > 1, "{go} was cut short");
    }
    let lines = converse("go depth 3");
    assert!(lines.iter().any(|line| line.starts_with("info depth 3 ")));
    let lines = converse("go perft 2");
    assert_eq!(lines.last().expect("a sum"), "Nodes searched: 51136");
}

#[test]
fn the_end_of_the_input_stops_what_does_not() {
    for go in [
        "go",
        "go infinite",
        "go infinite depth 2",
        "go ponder",
        "go ponder depth 2",
        "go searchmoves c5b6x",
        "go ponder\nponderhit",
    ] {
        assert_eq!(answers(&converse(go)), 1, "{go}");
    }
    let lines = converse("go ponder depth 3\nponderhit");
    assert!(lines.iter().any(|line| line.starts_with("info depth 3 ")));
}

#[test]
fn a_second_go_begins_when_the_first_has_answered() {
    let mut client = Client::yoxii();
    client.send("go infinite\ngo searchmoves c5b6o depth 1");
    client.best_move();
    assert_eq!(client.best_move(), "c5b6o");
    client.send("go infinite\ngo depth x");
    assert_ne!(client.best_move(), "0000");
    assert_eq!(client.best_move(), "0000");
    client.send("go infinite\ngo perft 1");
    client.best_move();
    client.until("Nodes searched: 256");
    assert_eq!(answers(&client.end()), 0);
}

#[test]
fn a_position_during_a_search_concerns_the_next() {
    let mut client = Client::yoxii();
    client.send("go searchmoves c5b6o");
    client.send("position startpos moves c5b6x");
    client.expect_quiet();
    client.send("stop");
    assert_eq!(client.best_move(), "c5b6o");
    client.send("go depth 1 searchmoves d4c4o");
    assert_eq!(client.best_move(), "d4c4o");
}

#[test]
fn infinite_waits_for_stop_even_when_all_is_known() {
    let mut client = Client::yoxii();
    client.send(NEARLY_OVER);
    for (searcher, go) in [
        ("alphabeta", "go infinite"),
        ("alphabeta", "go"),
        ("alphabeta", "go infinite depth 1"),
        ("alphabeta", "go ponder depth 1"),
        ("mcts", "go infinite depth 1\nponderhit"),
        ("mcts", "go ponder depth 1"),
    ] {
        client.send(&format!("setoption name Searcher value {searcher}\n{go}"));
        std::thread::sleep(Duration::from_millis(300));
        client.expect_quiet();
        client.send("stop");
        client.best_move();
    }
    // So does a search in a finished game, where there is no move to give.
    client.send("position fen 1YY/Xo1IO/yOOioo1/1yoI1y1/yxOxyxX/IYXiI/*O1 r");
    client.send("go infinite");
    client.expect_quiet();
    client.send("stop");
    assert_eq!(client.best_move(), "0000");
}

#[test]
fn pondering() {
    let mut client = Client::yoxii();
    // The clock does not run before the hit. A tree that is full ends the search early.
    client.send("setoption name Hash value 256");
    for searcher in ["mcts", "alphabeta"] {
        client.send(&format!("setoption name Searcher value {searcher}"));
        client.send("go ponder movetime 200");
        std::thread::sleep(Duration::from_millis(500));
        client.expect_quiet();
        let hit = Instant::now();
        client.send("ponderhit");
        client.best_move();
        assert!(hit.elapsed() > Duration::from_millis(100));
    }
    // Without a limit the move is due at the hit.
    client.send("go ponder\nponderhit");
    client.best_move();
    client.send("go ponder infinite\nponderhit");
    client.expect_quiet();
    client.send("stop");
    client.best_move();
    // A hit that comes too late has no effect.
    client.send("ponderhit\ngo infinite\nponderhit");
    client.expect_quiet();
    client.send("stop");
    client.best_move();
    assert_eq!(answers(&client.end()), 0);
}

#[test]
fn the_reply_expected_is_named_on_demand_only() {
    let mut client = Client::yoxii();
    client.send("go depth 3");
    assert_eq!(client.best_move().split(' ').count(), 1);
    client.send("setoption name Ponder value true\ngo depth 3");
    let answer = client.best_move();
    let words: Vec<&str> = answer.split(' ').collect();
    assert!(matches!(words[..], [_, "ponder", _]), "{answer}");
    let played = format!("position startpos moves {} {}", words[0], words[2]);
    client.send(&played);
    assert!(client.sync().is_empty());
}

#[test]
fn options_that_need_rest() {
    let mut client = Client::yoxii();
    client.send("go infinite");
    for option in [
        "Hash value 16",
        "ClearHash",
        "Searcher value mcts",
        "Game value hokito",
    ] {
        client.send(&format!("setoption name {option}"));
        let mut errors = client.sync().into_iter();
        let is_told = errors.any(|line| line.contains("during a search"));
        assert!(is_told, "{option}");
    }
    client.send("setoption name Threads value 2\nsetoption name MultiPV value 2");
    client.expect_quiet();
    client.send("query fen");
    client.until("response 3/5/7/3*3/7/5/3 w");
    // The server waits for a search that was told to stop.
    client.send("stop\nsetoption name Hash value 16");
    client.best_move();
    assert!(client.sync().is_empty());
    // It also waits for an answer that has just been given.
    for _ in 0..300 {
        client.send("go nodes 50");
        client.best_move();
        client.send("setoption name ClearHash");
        assert!(client.sync().is_empty());
    }
    client.send("go infinite\nstop\nsetoption name Game value hokito\nquery legalmoves");
    client.best_move();
    assert_eq!(client.line().split(' ').count(), 111);
}

#[test]
fn a_new_game_ends_the_search_before_it() {
    let mut client = Client::yoxii();
    client.send("go infinite\nuginewgame");
    client.best_move();
    client.sync();
    client.send("go depth 4");
    let first = client.until("bestmove ");
    client.send("uginewgame\ngo depth 4");
    let second = client.until("bestmove ");
    let nodes = |lines: &[String]| {
        let words = lines[lines.len() - 2].split(' ').map(str::to_owned);
        words.skip_while(|word| word != "nodes").nth(1)
    };
    assert_eq!(nodes(&first), nodes(&second));
    assert_eq!(first.last(), second.last());
}

#[test]
fn a_count_can_be_stopped() {
    let mut client = Client::yoxii();
    for end in ["stop", "go depth 1", "uginewgame"] {
        client.send("go perft 30");
        client.sync();
        client.send(end);
        client.until("info string perft stopped");
        if end.starts_with("go") {
            client.best_move();
        }
        client.expect_quiet();
    }
    // It uses nothing that an option changes, other than the game.
    client.send("go perft 30\nsetoption name Hash value 8\nsetoption name Searcher value mcts");
    client.sync();
    client.expect_quiet();
    client.send("setoption name Game value hokito");
    client.until("info string perft stopped");
    client.send("go perft 30\nquit");
    client.until("info string perft stopped");
}

#[test]
fn lines_that_are_no_text() {
    let mut client = Client::yoxii();
    // The answers are in the table of the page.
    for line in [&[b'x'; 70_000][..], b"is\0ready", b"position \xff"] {
        client.send_bytes([line, b"\n"].concat());
        let answer = client.line();
        let why = answer.trim_start_matches("info string error: ");
        assert!(PAGE.contains(&format!("| `{why}` |")), "{answer}");
    }
    let moves = "zzzzz ".repeat(10_000);
    client.send(&format!("position startpos moves {moves}"));
    assert_eq!(client.sync().len(), 1);
    client.send_bytes("\u{e9}t\u{e9}\n");
    let unknown = "'\\u{e9}t\\u{e9}': unknown command: 'help' lists the commands";
    assert_eq!(client.sync(), [format!("info string error: {unknown}")]);
    client.send_bytes("isready\r\n\r\nquery p1turn\r\n");
    assert_eq!(client.line(), "readyok");
    assert_eq!(client.line(), "response true");
    // A million bytes without a line end are a line, too.
    client.send_bytes(vec![b'y'; 1 << 20]);
    assert_eq!(client.end().len(), 1);
}

#[test]
fn movetime_is_used_and_kept() {
    // Two positions are far from the end. The other is proved lost; its moves are then
    // compared with each other and searched.
    let lost = "position fen 3/3Xo/1*o1xYO/2xY1y1/3yYX1/xXIyy/IiO w";
    for (mut client, setup) in [
        (Client::hokito(), "position startpos"),
        (Client::yoxii(), lost),
        (Client::yoxii(), "setoption name Searcher value mcts"),
    ] {
        // Other processes may use the machine now and then, but not always.
        let late = (0..10).filter(|_| {
            client.send(&format!("uginewgame\n{setup}\nisready"));
            client.sync();
            let begin = Instant::now();
            client.send("go movetime 100");
            client.best_move();
            assert!(setup == lost || begin.elapsed() > Duration::from_millis(60));
            begin.elapsed() > Duration::from_millis(110)
        });
        assert!(late.count() < 10, "{setup}");
    }
}

#[test]
fn a_table_that_does_not_fit_is_refused() {
    let mut client = Client::yoxii();
    // This is a terabyte. If a machine has it, there is nothing to refuse.
    client.send("setoption name Hash value 1048576");
    let lines = client.sync();
    let is_refused = lines.iter().all(|line| line.contains("no memory"));
    assert!(is_refused, "{lines:?}");
    client.send("go depth 2");
    client.best_move();
}

#[test]
fn the_log_has_both_sides() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log");
    let mut client = Client::yoxii();
    client.send(&format!("setoption name LogFile value {}", path.display()));
    client.sync();
    client.send("setoption name LogFile value\nquery fen");
    client.until("response");
    client.end();
    let log = std::fs::read_to_string(path).expect("a log");
    let entries = log.lines().map(|line| line.trim_start().split_once(' '));
    let entries = entries.map(|entry| entry.expect("a time and a line").1);
    let expected = ["> isready", "< readyok", "> setoption name LogFile value"];
    assert!(entries.eq(expected), "{log}");
}

#[test]
fn info_lines_have_their_form() {
    let mut client = Client::hokito();
    client.send("setoption name MultiPV value 3\ngo depth 4");
    let mut lines = client.until("bestmove ");
    lines.pop();
    assert!(!lines.is_empty());
    let form = "info depth {n} seldepth {n} multipv {n} score {word} {n} nodes {n} nps {n} \
                hashfull {n} time {n} pv {...}";
    for line in lines {
        let is_in_form = fits(form, &line.replacen(" lowerbound", "", 1));
        let is_score = line.contains(" score cp ") || line.contains(" score mate ");
        assert!(is_in_form && is_score, "{line}");
        let (_, moves) = line.split_once(" pv ").expect("moves");
        client.send(&format!("position startpos moves {moves}"));
        assert!(client.sync().is_empty(), "{line}");
    }
}

/// If a client without rules sends something that cannot be read, it believes in a
/// position that the engine does not have. It must not play on forever.
#[test]
fn a_position_that_cannot_be_read_ends_the_game_for_clients_without_rules() {
    let long = [b"moves ".as_slice(), &[b'a'; 70_000]].concat();
    for line in [
        b"position startpos \xff".as_slice(),
        b"Moves c5b6x\0",
        &long,
    ] {
        let mut client = Client::yoxii();
        client.send_bytes([line, b"\n"].concat());
        assert!(client.line().starts_with("info string error: "));
        assert_eq!(client.ask("query gameover"), "response true");
        assert_eq!(client.ask("query result"), "response none");
        client.send("position startpos");
        assert_eq!(client.ask("query gameover"), "response false");
        // Other lines do not set up a position.
        for other in [&b"joho \xff\n"[..], b"\xffmoves\n", b"moves\0 \n"] {
            client.send_bytes(other);
            assert!(client.line().starts_with("info string error: "));
            assert_eq!(client.ask("query gameover"), "response false");
        }
    }
}
