//! What the tree search promises: proofs that hold, legal lines, results that can be
//! repeated, limits that are kept, and bounded memory.

use std::time::{Duration, Instant};

use crate::infinite;
use crate::support::rows;
use totemic_engine::game::{Game, Hokito, Layout, Rng, Yoxii, random_game, random_position};
use totemic_engine::search::{
    Clock, Info, Limits, Report, Request, Score, Searchable, Stop, ThreadPool, mcts,
};

/// Searches and checks every reported line; returns the answer with the lines.
fn run<G: Searchable>(
    position: &G,
    limits: &Limits<G::Move>,
    count: usize,
    tree: &mcts::Tree,
) -> (Report<G::Move>, Vec<Info<G::Move>>) {
    let mut told = Vec::new();
    let (pool, eval) = (ThreadPool::new(count), G::Evaluation::default());
    let request = Request::new(position, limits, &Stop::new());
    let tell = |info: &Info<_>| {
        check_line(position, info);
        told.push(info.clone());
    };
    let report = mcts::search(&request, &pool, tree, &eval, tell);
    for info in &report.lines {
        check_line(position, info);
    }
    assert_eq!(report.best.is_some(), position.has_moves());
    (report, told)
}

fn check_line<G: Game>(position: &G, info: &Info<G::Move>) {
    assert!(!info.pv.is_empty() && info.depth >= 1 && info.seldepth >= 1);
    let mut at = *position;
    for &mv in &info.pv {
        at = at.try_play(mv).expect("a line is legal to its end");
    }
    if let Some(plies) = info.score.mate_plies() {
        assert!(info.proven);
        // The claim is an upper bound, so its line is never longer.
        assert!(info.pv.len() <= plies.unsigned_abs() as usize);
    }
}

fn positions<G: Game>(seed: u64) -> Vec<G> {
    let mut rng = Rng::new(seed);
    [0, 3, 8, 14, 20, 26]
        .iter()
        .filter_map(|&plies| random_position(Layout::Halves, plies, &mut rng))
        .collect()
}

fn proves_what_is_true<G: Searchable>() {
    let mut proven = 0;
    let mut all = 0;
    for row in rows("solve.tsv") {
        let [game, text, value, moves] = &row[..] else {
            panic!("four columns: {row:?}");
        };
        if game != G::NAME {
            continue;
        }
        let position: G = text.parse().expect("a position");
        all += 1;
        let best: Vec<&str> = moves.split(' ').collect();
        for count in [1, 2] {
            let tree = mcts::Tree::new(8);
            let (report, _) = run(&position, &Limits::nodes(20_000), count, &tree);
            let score = report.lines[0].score;
            assert!(!score.is_win() || value == "win", "{position}");
            assert!(!score.is_loss() || value == "loss", "{position}");
            let is_proved_draw = score == Score::ZERO && report.lines[0].proven;
            assert!(!is_proved_draw || value == "draw", "{position}");
            // Several threads may end some simulations before the limit.
            let settled = score.is_decisive() || report.nodes < 19_000;
            if settled {
                let found = report.best.map(|mv| mv.to_string()).unwrap_or_default();
                assert!(best.contains(&found.as_str()), "{position}: {found}");
                assert_eq!(is_proved_draw, value == "draw", "{position}");
                proven += usize::from(count == 1);
            }
        }
    }
    assert!(all > 0 && proven * 10 >= all * 8, "{proven} of {all}");
}

#[test]
fn proofs_hold_in_both_games() {
    proves_what_is_true::<Yoxii>();
    proves_what_is_true::<Hokito>();
}

fn repeats<G: Searchable>() {
    for position in positions::<G>(5) {
        let play = || {
            let tree = mcts::Tree::new(2);
            let limits = Limits::nodes(1_500);
            let (first, _) = run(&position, &limits, 1, &tree);
            let next = position.play(first.best.expect("a move"));
            let (second, _) = run(&next, &limits, 1, &tree);
            let line = |report: &Report<G::Move>| {
                let lines = report.lines.iter();
                let pvs = lines.map(|info| (info.pv.clone(), info.score));
                (pvs.collect::<Vec<_>>(), report.nodes)
            };
            assert!(first.nodes <= 1_500);
            (line(&first), line(&second))
        };
        assert_eq!(play(), play());
    }
}

#[test]
fn one_thread_repeats_itself() {
    repeats::<Yoxii>();
    repeats::<Hokito>();
}

fn keeps_limits<G: Searchable>() {
    for position in positions::<G>(9) {
        let tree = mcts::Tree::new(4);
        let moves = position.moves();
        let wanted: Vec<G::Move> = moves.iter().rev().take(2).copied().collect();
        let limits = Limits {
            search_moves: wanted.clone(),
            multi_pv: 3,
            ..Limits::nodes(300)
        };
        let (report, _) = run(&position, &limits, 1, &tree);
        assert_eq!(report.lines.len(), wanted.len());
        assert!(report.lines.iter().all(|info| wanted.contains(&info.pv[0])));
        assert!(report.best.is_some_and(|best| wanted.contains(&best)));

        let limits = Limits {
            multi_pv: 5,
            ..Limits::nodes(800)
        };
        let (report, _) = run(&position, &limits, 2, &tree);
        assert_eq!(report.lines.len(), moves.len().min(5));
        let mut firsts: Vec<_> = report.lines.iter().map(|info| info.pv[0]).collect();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), report.lines.len());

        let (report, _) = run(&position, &Limits::depth(3), 1, &mcts::Tree::new(1));
        assert!(report.lines[0].depth >= 3 || report.lines[0].score.is_decisive());

        let begin = Instant::now();
        let limits = Limits::move_time(Duration::from_millis(30));
        run(&position, &limits, 1, &tree);
        assert!(begin.elapsed() < Duration::from_secs(2));
    }
}

#[test]
fn limits_are_kept() {
    keeps_limits::<Yoxii>();
    keeps_limits::<Hokito>();
}

#[test]
fn a_finished_game_has_no_move_and_a_forced_one_comes_at_once() {
    let mut rng = Rng::new(3);
    let (_, over) = random_game(Yoxii::start(), 40, &mut rng);
    let tree = mcts::Tree::new(1);
    assert_eq!(run(&over, &Limits::nodes(10), 1, &tree).0.best, None);

    let forced = (0..)
        .find_map(|_| {
            let plies = 20 + rng.below(12) as u32;
            let found = random_position::<Yoxii>(Layout::Halves, plies, &mut rng);
            found.filter(|position| position.count_moves() == 1)
        })
        .expect("some position has one move");
    let clock = Clock {
        left: Duration::from_secs(3600),
        increment: Duration::ZERO,
        moves_to_go: None,
    };
    let limits = Limits {
        clock: Some(clock),
        ..Limits::default()
    };
    let begin = Instant::now();
    run(&forced, &limits, 1, &tree);
    assert!(begin.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_small_tree_serves_a_long_search() {
    let tree = mcts::Tree::new(1);
    for count in [1, 2] {
        let limits = Limits::nodes(20_000);
        let nodes = run(&Yoxii::start(), &limits, count, &tree).0.nodes;
        assert!((19_990..=20_000).contains(&nodes), "{nodes}");
        let (limits, tree) = (Limits::nodes(20_000), mcts::Tree::new(0));
        let nodes = run(&Hokito::start(), &limits, count, &tree).0.nodes;
        assert!((19_990..=20_000).contains(&nodes), "{nodes}");
    }
}

#[test]
fn a_search_without_time_to_make_room_keeps_what_the_tree_knows() {
    let (tree, start) = (mcts::Tree::new(4), Yoxii::start());
    let mut report = run(&start, &Limits::nodes(1), 1, &tree).0;
    while report.lines[0].hashfull <= 500 {
        report = run(&start, &Limits::nodes(2_000), 1, &tree).0;
    }
    let short = run(&start, &Limits::move_time(Duration::ZERO), 1, &tree).0;
    assert_eq!(short.best, report.best);
    assert!(short.lines[0].hashfull > 500, "{short:?}");
    // With time, half of the tree makes room for more.
    let long = run(&start, &Limits::nodes(1), 1, &tree).0;
    assert_eq!(long.best, report.best);
    assert!(long.lines[0].hashfull <= 500, "{long:?}");
}

#[test]
fn a_game_is_played_on_one_tree() {
    let tree = mcts::Tree::new(1);
    let mut position = Yoxii::start();
    while position.has_moves() {
        let (report, _) = run(&position, &Limits::nodes(2_000), 2, &tree);
        position = position.play(report.best.expect("a move"));
    }
}

fn waits(limits: Limits<<Yoxii as Game>::Move>, end: impl Fn(&Request<Yoxii>)) {
    // A position that is solved at once, so that only the waiting remains.
    let mut rng = Rng::new(1);
    let late = random_position::<Yoxii>(Layout::Halves, 30, &mut rng).expect("a position");
    for position in [late, Yoxii::start()] {
        let request = Request::new(&position, &limits, &Stop::new());
        let asked = request.clone();
        let search = std::thread::spawn(move || {
            let (pool, tree) = (ThreadPool::new(2), mcts::Tree::new(1));
            let eval = <Yoxii as Searchable>::Evaluation::default();
            mcts::search(&asked, &pool, &tree, &eval, ())
        });
        std::thread::sleep(Duration::from_millis(150));
        assert!(!search.is_finished());
        end(&request);
        assert!(search.join().expect("no panic").best.is_some());
    }
}

#[test]
fn an_open_search_waits_for_the_word() {
    waits(infinite(), Request::stop);
    let ponder = Limits {
        ponder: true,
        ..Limits::move_time(Duration::from_millis(10))
    };
    waits(ponder, Request::ponderhit);
}
