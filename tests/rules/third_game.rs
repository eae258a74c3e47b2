//! A game that the crate does not know is enumerated, searched, solved and played once it
//! has rules, an evaluation and a node for the solver.

mod tictactoe;

use std::sync::mpsc;

use crate::support::conformance::{check_all_patterns, check_keys, check_rules};
use tictactoe::{Mark, OpenLines, TicTacToe};
use totemic_engine::engine::{Engine, Event};
use totemic_engine::game::{Game, Outcome, Rng, perft, random_game};
use totemic_engine::search::solver::{SolveLimits, Value, solve};
use totemic_engine::search::{
    Limits, Report, Request, Score, Searcher, Stop, Table, ThreadPool, mcts, search,
};

/// The positions after Crosses' corner and each reply, with the number of plies after
/// which Crosses has won; only the centre draws.
const AFTER_A_CORNER: [(&str, Option<usize>); 8] = [
    ("xo.......", Some(5)),
    ("x.o......", Some(5)),
    ("x..o.....", Some(5)),
    ("x...o....", None),
    ("x....o...", Some(5)),
    ("x.....o..", Some(5)),
    ("x......o.", Some(5)),
    ("x.......o", Some(5)),
];

fn position(text: &str) -> TicTacToe {
    text.parse().expect("a position")
}

fn alpha_beta(position: &TicTacToe, limits: &Limits<Mark>) -> Report<Mark> {
    let (mut table, pool) = (Table::new(1), ThreadPool::new(1));
    let request = Request::new(position, limits, &Stop::new());
    search(&request, &pool, &mut table, &OpenLines, ())
}

fn monte_carlo(position: &TicTacToe) -> Report<Mark> {
    let (tree, pool) = (mcts::Tree::new(1), ThreadPool::new(1));
    let request = Request::new(position, &Limits::nodes(20_000), &Stop::new());
    mcts::search(&request, &pool, &tree, &OpenLines, ())
}

/// The known numbers of games after each number of plies; a finished game is not
/// continued.
#[test]
fn the_tree_has_its_known_size() {
    let known = [
        1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872, 0,
    ];
    for (depth, &nodes) in (0..).zip(&known) {
        assert_eq!(perft(&TicTacToe::start(), depth), nodes, "depth {depth}");
    }
}

#[test]
fn its_rules_conform() {
    let mut rng = Rng::new(3);
    for _ in 0..40 {
        for plies in 0..=TicTacToe::MAX_PLIES {
            let (_, position) = random_game(TicTacToe::start(), plies, &mut rng);
            check_rules(&position);
        }
    }
    let (_, middle) = random_game(TicTacToe::start(), 4, &mut rng);
    let (_, end) = random_game(middle, 9, &mut rng);
    for position in [TicTacToe::start(), middle, end] {
        check_all_patterns(&position);
    }
    assert_eq!(check_keys(&TicTacToe::start(), 6), 54720);
    for bad in ["", "xo......", "x.......?", "o........", "xx......."] {
        assert!(bad.parse::<TicTacToe>().is_err(), "{bad}");
    }
}

#[test]
fn alpha_beta_finds_its_results() {
    for full_width in [false, true] {
        let limits = Limits {
            full_width,
            ..Limits::depth(9)
        };
        let start = alpha_beta(&TicTacToe::start(), &limits);
        assert_eq!(start.lines[0].score, Score::estimate(0));
        assert_eq!(start.lines[0].pv.len(), 9, "{start:?}");
        for (text, win) in AFTER_A_CORNER {
            let report = alpha_beta(&position(text), &limits);
            let score = win.map_or(Score::estimate(0), Score::win_in);
            assert_eq!(report.lines[0].score, score, "{text}");
        }
    }
}

#[test]
fn mcts_finds_its_results() {
    for (text, win) in AFTER_A_CORNER {
        let report = monte_carlo(&position(text));
        let score = report.lines[0].score;
        assert_eq!(score.is_win(), win.is_some(), "{text}: {score}");
        assert!(!score.is_loss(), "{text}: {score}");
        if let Some(plies) = win {
            // The claim is an upper bound.
            assert!(score <= Score::win_in(plies), "{text}: {score}");
        }
    }
}

#[test]
fn the_solver_proves_its_results() {
    let value = |position: &TicTacToe| solve(position, &SolveLimits::default()).value;
    assert_eq!(value(&TicTacToe::start()), Value::Draw);
    for (text, win) in AFTER_A_CORNER {
        let expected = win.map_or(Value::Draw, |_| Value::Win);
        assert_eq!(value(&position(text)), expected, "{text}");
    }
}

/// Crosses and Noughts draw if both play well, whichever searcher plays.
#[test]
fn an_engine_plays_it_to_a_draw() {
    for searcher in Searcher::ALL {
        let mut engine = Engine::<TicTacToe>::new();
        engine.set_hash(1).expect("a small table");
        engine.set_searcher(searcher);
        while engine.position().has_moves() {
            let (sender, events) = mpsc::channel();
            engine.go(
                Limits::nodes(5000),
                &Stop::new(),
                move |event| match event {
                    Event::Done(report) => sender.send(report.best).expect("somebody waits"),
                    Event::Failed(why) => panic!("{why}"),
                    Event::Info(_) => {}
                },
            );
            let best = events.recv().ok().flatten();
            let best = best.expect("the game is not over");
            engine.set_position(engine.position().try_play(best).expect("a legal move"));
        }
        let end = engine.position();
        assert_eq!(end.outcome(), Some(Outcome::Draw), "{searcher:?}: {end}");
    }
}
