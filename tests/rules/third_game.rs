//! A game that the crate does not know is enumerated, searched, solved and played once it
//! has rules, an evaluation and a node for the solver.

mod tictactoe;

use std::num::NonZeroUsize;

use crate::support::conformance::{check_all_patterns, check_keys, check_rules};
use tictactoe::{Filling, OpenLines, TicTacToe};
use totemic_engine::engine::Engine;
use totemic_engine::game::{Game, Outcome, Rng, perft, random_game};
use totemic_engine::search::alphabeta::{self, Table};
use totemic_engine::search::solver::{Solvable, SolveRequest, Value, solve};
use totemic_engine::search::{Limits, Request, Score, Searcher, ThreadPool, mcts};
use totemic_engine::stop::Stop;

/// Returns the positions after Crosses' corner and each reply, with the number of plies
/// after which Crosses has won; only the centre draws.
fn after_a_corner() -> impl Iterator<Item = (TicTacToe, Option<usize>)> {
    (1..9).map(|reply| {
        let mark = |at| if at == reply { 'o' } else { '.' };
        let text: String = std::iter::once('x').chain((1..9).map(mark)).collect();
        (text.parse().expect("a position"), (reply != 4).then_some(5))
    })
}

/// The known numbers of games after each number of plies; a finished game is not continued.
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
    for plies in 0..=Filling::MAX_PLIES {
        check_rules(&random_game(Filling::start(), plies, &mut rng).1);
    }
    let (_, middle) = random_game(TicTacToe::start(), 4, &mut rng);
    let (_, end) = random_game(middle, 9, &mut rng);
    for position in [TicTacToe::start(), middle, end] {
        check_all_patterns(&position);
    }
    assert_eq!(check_keys(&TicTacToe::start(), 6), 54720);
}

#[test]
fn alpha_beta_finds_its_results() {
    let pool = ThreadPool::new(1);
    for full_width in [false, true] {
        let limits = Limits {
            full_width,
            ..Limits::depth(9)
        };
        let found = |position: &TicTacToe| {
            let request = Request::new(position, &limits, &Stop::new());
            let report = alphabeta::search(&request, &pool, &mut Table::new(1), &OpenLines, ());
            (report.infos[0].score, report.infos[0].pv.len())
        };
        assert_eq!(found(&TicTacToe::start()), (Score::estimate(0), 9));
        for (position, win) in after_a_corner() {
            let score = win.map_or(Score::estimate(0), Score::win_in);
            assert_eq!(found(&position).0, score, "{position}");
        }
    }
}

#[test]
fn mcts_finds_its_results() {
    let (mut tree, pool) = (mcts::Tree::new(1), ThreadPool::new(1));
    for (position, win) in after_a_corner() {
        let request = Request::new(&position, &Limits::nodes(20_000), &Stop::new());
        let report = mcts::search(&request, &pool, &mut tree, &OpenLines, ());
        let score = report.infos[0].score;
        assert_eq!(score.is_win(), win.is_some(), "{position}: {score}");
        assert!(!score.is_loss(), "{position}: {score}");
        // The claim is an upper bound.
        let is_bound = win.is_none_or(|plies| score <= Score::win_in(plies));
        assert!(is_bound, "{position}: {score}");
    }
}

#[test]
fn the_solver_proves_its_results() {
    let value = |position: &TicTacToe| solve(position, &SolveRequest::default()).value;
    assert_eq!(value(&TicTacToe::start()), Value::Draw);
    for (position, win) in after_a_corner() {
        let expected = win.map_or(Value::Draw, |_| Value::Win);
        assert_eq!(value(&position), expected, "{position}");
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
            let best = engine.search(Limits::nodes(5000)).best;
            let best = best.expect("the game is not over");
            engine.set_position(engine.position().try_play(best).expect("a legal move"));
        }
        let end = engine.position();
        assert_eq!(end.outcome(), Some(Outcome::Draw), "{searcher:?}: {end}");
    }
}

/// On every thread of a search, also where the plies of a pruned line are searched to the end.
#[test]
fn the_longest_game_is_searched_to_its_end() {
    for searcher in Searcher::ALL {
        let mut engine = Engine::<Filling>::new();
        engine.set_hash(1).expect("a small table");
        engine.set_searcher(searcher);
        engine.set_threads(NonZeroUsize::new(2).expect("two"));
        let report = engine.search(Limits::depth(2 * Filling::MAX_PLIES));
        assert_eq!(report.infos[0].score, Score::ZERO, "{searcher:?}");
        // The tree search leaves the last plies to the solver.
        let plies = report.infos[0].pv.len() as u32 + Filling::PROBE_PLIES;
        assert!(plies >= Filling::MAX_PLIES, "{searcher:?}: {report:?}");
    }
}
