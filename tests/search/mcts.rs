//! What the tree search alone promises: proofs that hold, limits that are kept, and bounded
//! memory.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::checked;
use crate::plays_what_is_solved;
use totemic_engine::game::{Game, Hokito, Layout, Rng, Yoxii, random_position};
use totemic_engine::search::{Limits, Report, Request, Searchable, ThreadPool, mcts};
use totemic_engine::stop::Stop;

/// Searches, and checks every line that is reported.
fn run<G: Searchable>(
    position: &G,
    limits: &Limits<G::Move>,
    threads: usize,
    tree: &mut mcts::Tree,
) -> Report<G::Move> {
    let (pool, eval) = (ThreadPool::new(threads), G::Evaluation::default());
    let request = Request::new(position, limits, &Stop::new());
    let (report, told) = checked(&request, |tell| {
        mcts::search(&request, &pool, tree, &eval, tell)
    });
    for info in told.iter().chain(&report.infos) {
        assert!(info.depth >= 1 && info.seldepth >= 1, "{info:?}");
        assert!(info.proven || !info.score.is_decisive(), "{info:?}");
    }
    report
}

fn positions<G: Game>(seed: u64) -> Vec<G> {
    let mut rng = Rng::new(seed);
    let after = |plies| random_position(Layout::Halves, plies, &mut rng);
    let plies = [0, 3, 8, 14, 20, 26];
    plies.into_iter().filter_map(after).collect()
}

#[test]
fn proofs_hold_in_both_games() {
    fn check<G: Searchable>() {
        plays_what_is_solved(|position: &G, threads| {
            let (limits, mut tree) = (Limits::nodes(20_000), mcts::Tree::new(8));
            let report = run(position, &limits, threads, &mut tree);
            // Several threads may end some simulations before the limit.
            let is_done = report.infos[0].proven || report.nodes >= 19_000;
            assert!(is_done, "{position}");
            report
        });
    }
    check::<Yoxii>();
    check::<Hokito>();
}

fn keeps_limits<G: Searchable>() {
    for position in positions::<G>(9) {
        let mut tree = mcts::Tree::new(4);
        let moves = position.moves();
        let wanted: Vec<G::Move> = moves.iter().rev().take(2).copied().collect();
        let limits = Limits {
            search_moves: wanted.clone(),
            multi_pv: 3,
            ..Limits::nodes(300)
        };
        let report = run(&position, &limits, 1, &mut tree);
        assert_eq!(report.infos.len(), wanted.len());

        let limits = Limits {
            multi_pv: 5,
            ..Limits::nodes(800)
        };
        let report = run(&position, &limits, 2, &mut tree);
        assert_eq!(report.infos.len(), moves.len().min(5));
        let firsts: BTreeSet<_> = report.infos.iter().map(|info| info.pv[0]).collect();
        assert_eq!(firsts.len(), report.infos.len());

        let report = run(&position, &Limits::depth(3), 1, &mut mcts::Tree::new(1));
        assert!(report.infos[0].depth >= 3 || report.infos[0].score.is_decisive());
    }
}

#[test]
fn limits_are_kept() {
    keeps_limits::<Yoxii>();
    keeps_limits::<Hokito>();
}

#[test]
fn a_small_tree_serves_a_long_search() {
    let mut tree = mcts::Tree::new(1);
    for count in [1, 2] {
        let limits = Limits::nodes(20_000);
        let nodes = run(&Yoxii::start(), &limits, count, &mut tree).nodes;
        assert!((19_990..=20_000).contains(&nodes), "{nodes}");
        let (limits, mut tree) = (Limits::nodes(20_000), mcts::Tree::new(0));
        let nodes = run(&Hokito::start(), &limits, count, &mut tree).nodes;
        assert!((19_990..=20_000).contains(&nodes), "{nodes}");
    }
}

#[test]
fn a_search_without_time_to_make_room_keeps_what_the_tree_knows() {
    let (mut tree, start) = (mcts::Tree::new(4), Yoxii::start());
    let mut report = run(&start, &Limits::nodes(1), 1, &mut tree);
    while report.infos[0].hashfull <= 500 {
        report = run(&start, &Limits::nodes(2_000), 1, &mut tree);
    }
    let short = run(&start, &Limits::move_time(Duration::ZERO), 1, &mut tree);
    assert_eq!(short.best, report.best);
    assert!(short.infos[0].hashfull > 500, "{short:?}");
    // With time, half of the tree makes room for more.
    let long = run(&start, &Limits::nodes(1), 1, &mut tree);
    assert_eq!(long.best, report.best);
    assert!(long.infos[0].hashfull <= 500, "{long:?}");
}
