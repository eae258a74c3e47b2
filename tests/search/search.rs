//! What a search promises: the values of plain negamax, proofs where it claims a win or a
//! loss, lines that are legal to their end, every limit kept, and the same answer to the
//! same question.

use std::time::{Duration, Instant};

use crate::support::{self, Tested, depth_within, late, played};
use crate::{PATIENCE, answer, answer_to, checked, final_score, memory, plays_what_is_solved};
use totemic_engine::game::zobrist::splitmix64;
use totemic_engine::game::{Game, Hokito, Layout, Rng, Yoxii, random_position};
use totemic_engine::search::alphabeta::{Table, search};
use totemic_engine::search::{
    Bound, Clock, Evaluate, Info, Limits, Report, Request, Score, Searchable, Searcher, ThreadPool,
};
use totemic_engine::stop::Stop;

/// Arbitrary values, so that no luck in the evaluation hides a wrong cut.
#[derive(Clone, Copy, Debug)]
struct HashEval {
    seed: u64,
    /// Few distinct values make many ties.
    range: u64,
}

impl<G: Game> Evaluate<G> for HashEval {
    fn evaluate(&self, position: &G) -> i32 {
        let spread = 2 * self.range + 1;
        (splitmix64(position.key() ^ self.seed) % spread) as i32 - self.range as i32
    }
}

/// Limits to a depth without pruning or reductions, as plain negamax searches.
fn full_width<M>(depth: u32) -> Limits<M> {
    Limits {
        full_width: true,
        ..Limits::depth(depth)
    }
}

/// Runs a search, and checks every line that it reports.
fn run<G: Searchable, E: Evaluate<G>>(
    position: &G,
    limits: &Limits<G::Move>,
    threads: usize,
    table: &mut Table,
    eval: &E,
) -> Report<G::Move> {
    let pool = ThreadPool::new(threads);
    let request = Request::new(position, limits, &Stop::new());
    let (report, told) = checked(&request, |tell| search(&request, &pool, table, eval, tell));
    let is_too_deep = |info: &Info<_>| limits.depth.is_some_and(|depth| info.depth > depth);
    assert!(!told.iter().any(is_too_deep), "{position}: {told:?}");
    report
}

/// Runs a search with the game's own evaluation and an empty table.
fn searched<G: Searchable>(
    position: &G,
    limits: &Limits<G::Move>,
    threads: usize,
) -> Report<G::Move> {
    let (mut table, eval) = (Table::new(1), G::Evaluation::default());
    run(position, limits, threads, &mut table, &eval)
}

/// The definition that every search has to match.
fn negamax<G: Searchable, E: Evaluate<G>>(position: &G, eval: &E, depth: u32, ply: usize) -> Score {
    if let Some(score) = final_score(position, ply) {
        return score;
    }
    if depth == 0 {
        return Score::estimate(eval.evaluate(position) + G::TEMPO);
    }
    let moves = position.moves().into_iter();
    moves
        .map(|mv| -negamax(&position.play(mv), eval, depth - 1, ply + 1))
        .max()
        .expect("a game that goes on has a move")
}

/// Returns a position that is not over, after `plies` random plies.
fn at_ply<G: Game>(plies: u32, rng: &mut Rng) -> G {
    random_position(Layout::Halves, plies, rng).expect("a game that goes on")
}

/// Checks that the search to each depth that is cheap gives the value of plain negamax,
/// with a table of any size and any number of threads.
fn same_as_negamax<G: Tested + Searchable>(position: &G, eval: HashEval, nodes: u64) -> u32 {
    let deepest = depth_within(position, nodes);
    for depth in 1..=deepest {
        let wanted = negamax(position, &eval, depth, 0);
        for (megabytes, threads) in [(0, 1), (1, 1), (1, 4)] {
            let mut table = Table::new(megabytes);
            // What a selective search stores must not answer one that leaves nothing out.
            run(position, &Limits::depth(depth), 1, &mut table, &eval);
            let report = run(position, &full_width(depth), threads, &mut table, &eval);
            let line = &report.infos[0];
            assert_eq!(line.score, wanted, "{position} depth {depth}, {eval:?}");
            assert_eq!(line.bound, Bound::Exact, "{position} depth {depth}");
            // The move has this value, too.
            let next = position.play(report.best.expect("a move"));
            let value = -negamax(&next, &eval, depth - 1, 1);
            assert_eq!(value, wanted, "{position} depth {depth}, {eval:?}");
        }
    }
    deepest
}

fn random_positions_as_negamax<G: Tested + Searchable>(seed: u64) {
    let mut rng = Rng::new(seed);
    let mut deepest = 0;
    for round in 0..120 {
        let position = match round % 3 {
            0 => G::thrown(&mut rng),
            _ => played(&mut rng),
        };
        let range = [1, 20, 1000][round % 3];
        let seed = rng.next_u64();
        deepest = deepest.max(same_as_negamax(&position, HashEval { seed, range }, 30_000));
    }
    assert!(deepest >= 6, "{deepest}");
    let position = at_ply::<G>(12, &mut rng);
    same_as_negamax(&position, HashEval { seed, range: 300 }, 500_000);
}

#[test]
fn searches_of_both_games_are_worth_what_negamax_says() {
    random_positions_as_negamax::<Yoxii>(21);
    random_positions_as_negamax::<Hokito>(22);
}

fn late_positions<G: Game>(seed: u64, count: usize) -> Vec<G> {
    late(&mut Rng::new(seed)).take(count).collect()
}

fn truth_of<G: Searchable>(position: &G) -> Score {
    negamax(position, &G::Evaluation::default(), u32::MAX, 0)
}

/// Checks that the lines of a MultiPV search are those of separate searches, each without
/// the better moves.
fn lines_as_separate_searches<G: Searchable>(seed: u64) {
    let mut rng = Rng::new(seed);
    for round in 0..12 {
        let position = at_ply::<G>(10 + round, &mut rng);
        let eval = HashEval {
            seed: rng.next_u64(),
            range: 500,
        };
        let depth = depth_within(&position, 20_000).max(1);
        let wanted = 1 + rng.below(5);
        let limits = Limits {
            multi_pv: wanted,
            ..full_width(depth)
        };
        let threads = [1, 4][round as usize % 2];
        let report = run(&position, &limits, threads, &mut Table::new(1), &eval);
        let moves = position.moves();
        assert_eq!(report.infos.len(), wanted.min(moves.len()), "{position}");
        let is_sorted = report.infos.is_sorted_by(|a, b| a.score >= b.score);
        assert!(is_sorted, "{position}");
        let mut rest = moves.to_vec();
        for (rank, line) in report.infos.iter().enumerate() {
            assert_eq!(line.multipv, rank + 1);
            let limits = Limits {
                search_moves: rest.clone(),
                ..full_width(depth)
            };
            let alone = run(&position, &limits, 1, &mut Table::new(1), &eval);
            assert_eq!(alone.infos[0].score, line.score, "{position} rank {rank}");
            let before = rest.len();
            rest.retain(|mv| *mv != line.pv[0]);
            assert_eq!(rest.len(), before - 1, "{position}: a line twice");
        }
    }
}

#[test]
fn lines_of_both_games_are_those_of_separate_searches() {
    lines_as_separate_searches::<Yoxii>(41);
    lines_as_separate_searches::<Hokito>(42);
}

/// Numbers outside their ranges neither hang nor break a search.
#[test]
fn any_numbers_make_a_search() {
    fn check<G: Searchable>(seed: u64) {
        let position = at_ply::<G>(12, &mut Rng::new(seed));
        for number in [i32::MIN, 0, i32::MAX] {
            let numbers = [number; 64];
            let limits = Limits {
                tuning: Some(Box::new(G::TUNING.with(&numbers))),
                nodes: Some(20_000),
                ..Limits::depth(4)
            };
            let report = searched(&position, &limits, 1);
            assert!(report.best.is_some());
            assert_eq!(report.infos.len(), 1);
        }
    }
    check::<Yoxii>(53);
    check::<Hokito>(54);
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    fn check<G: Searchable>(seed: u64) {
        let mut rng = Rng::new(seed);
        for _ in 0..20 {
            let position = at_ply::<G>(14, &mut rng);
            let mut moves = position.moves().to_vec();
            rng.shuffle(&mut moves);
            moves.truncate(1 + rng.below(3));
            let limits = Limits {
                search_moves: moves.clone(),
                ..full_width(2)
            };
            let report = searched(&position, &limits, 1);
            assert!(report.best.is_some_and(|best| moves.contains(&best)));
            let eval = G::Evaluation::default();
            let value = |&mv: &G::Move| -negamax(&position.play(mv), &eval, 1, 1);
            let best = moves.iter().map(value).max();
            assert_eq!(Some(report.infos[0].score), best, "{position}");
        }
    }
    check::<Yoxii>(51);
    check::<Hokito>(52);
}

/// A second search knows what the first one has found out.
#[test]
fn the_same_questions_have_the_same_answers() {
    fn check<G: Searchable>(seed: u64) {
        let mut rng = Rng::new(seed);
        for plies in [0, 3, 8, 14, 16, 20, 26] {
            let position: G = at_ply(plies, &mut rng);
            for (searcher, limits) in [
                (Searcher::AlphaBeta, Limits::depth(4)),
                (Searcher::AlphaBeta, Limits::nodes(30_000)),
                (Searcher::Mcts, Limits::nodes(1500)),
            ] {
                let answers = || {
                    let mut memory = memory(searcher, 1);
                    let mut ask = |position: &G| {
                        let request = Request::new(position, &limits, &Stop::new());
                        let report = answer_to(&request, &mut memory).0;
                        let lines = report.infos.into_iter();
                        let lines: Vec<_> = lines.map(|l| (l.score, l.depth, l.pv)).collect();
                        (report.nodes, report.best, report.ponder, lines)
                    };
                    let first = ask(&position);
                    let next = position.play(first.1.expect("a move"));
                    (first, ask(&next))
                };
                assert_eq!(answers(), answers(), "{position}");
            }
        }
    }
    check::<Yoxii>(61);
    check::<Hokito>(62);
}

#[test]
fn as_many_nodes_are_visited_as_allowed() {
    fn check<G: Searchable>() {
        for nodes in [1, 2, 10, 511, 512, 513, 1000, 54_321] {
            let report = searched(&G::start(), &Limits::nodes(nodes), 1);
            assert_eq!(report.nodes, nodes);
        }
        let limits = Limits {
            depth: Some(1),
            ..Limits::nodes(1_000_000)
        };
        let nodes = searched(&G::start(), &limits, 1).nodes;
        assert!(nodes < 1000, "the depth ends it first: {nodes}");
    }
    check::<Yoxii>();
    check::<Hokito>();
}

#[test]
fn no_number_of_threads_searches_more_nodes_than_asked() {
    fn check<G: Searchable>(position: &G, limits: &Limits<G::Move>) {
        for threads in [1, 3, 9] {
            for searcher in Searcher::ALL {
                let (report, _) = answer(position, limits, searcher, threads);
                let is_kept = limits.nodes.is_some_and(|most| report.nodes <= most);
                assert!(is_kept, "{position}: {threads} threads, {report:?}");
            }
        }
    }
    // The solver takes its share of them.
    let position: Yoxii = support::position("2*/y1YiO/1X1Y1x1/ixO1O2/5I1/YoIoy/3 r");
    for nodes in [2471, 10_000, 20_000] {
        for (depth, multi_pv) in [(2, 1), (2, 3), (4, 1), (4, 3)] {
            let limits = Limits {
                depth: Some(depth),
                multi_pv,
                ..Limits::nodes(nodes)
            };
            check(&position, &limits);
        }
    }
    for position in late_positions::<Hokito>(72, 20) {
        check(&position, &Limits::nodes(3000));
    }
    for nodes in [1, 10, 3000] {
        for plies in [6, 26] {
            check::<Yoxii>(&at_ply(plies, &mut Rng::new(5)), &Limits::nodes(nodes));
        }
    }
}

#[test]
fn a_search_for_a_win_ends_when_it_is_found() {
    let mut found = 0;
    for position in late_positions::<Yoxii>(71, 40) {
        let Some(plies @ 1..) = truth_of(&position).mate_plies() else {
            continue;
        };
        let limits = Limits {
            mate: Some(plies.unsigned_abs()),
            ..Limits::default()
        };
        let report = searched(&position, &limits, 1);
        let claim = report.infos[0].score.mate_plies();
        let is_found = claim.is_some_and(|claim| (1..=plies).contains(&claim));
        assert!(is_found, "{position}");
        found += 1;
    }
    assert!(found > 5, "{found}");
}

#[test]
fn without_time_there_is_a_move_and_a_forced_one_comes_at_once() {
    let start = Yoxii::start();
    let forced = Limits {
        search_moves: vec![start.moves()[0]],
        clock: Some(Clock {
            left: Duration::from_secs(3600),
            increment: Duration::ZERO,
            moves_to_go: None,
        }),
        ..Limits::default()
    };
    for searcher in Searcher::ALL {
        let none = Limits::move_time(Duration::ZERO);
        answer(&Hokito::start(), &none, searcher, 1);
        let begin = Instant::now();
        answer(&start, &forced, searcher, 1);
        assert!(begin.elapsed() < PATIENCE, "{searcher:?}");
    }
}

#[test]
fn several_threads_reach_their_depth_and_the_end() {
    fn check<G: Searchable>(seed: u64) {
        let mut rng = Rng::new(seed);
        for round in 0..30 {
            let position = at_ply::<G>(round, &mut rng);
            // Nine are more threads than learn together.
            let threads = if round % 5 == 0 { 9 } else { 2 };
            let report = searched(&position, &Limits::depth(4), threads);
            if position.plies_left() >= 4 {
                assert_eq!(report.infos[0].depth, 4, "{position}");
            }
        }
        // A search to the end leaves nothing unclaimed.
        for (round, position) in late_positions::<G>(seed, 30).into_iter().enumerate() {
            let truth = truth_of(&position);
            for threads in [1, if round % 5 == 0 { 9 } else { 2 }] {
                let report = searched(&position, &Limits::default(), threads);
                let after = position.play(report.best.expect("a move"));
                let kept = -negamax(&after, &G::Evaluation::default(), u32::MAX, 1);
                let found = report.infos[0].score;
                for found in [found, kept] {
                    assert_eq!(found.is_win(), truth.is_win(), "{position}");
                    assert_eq!(found.is_loss(), truth.is_loss(), "{position}");
                }
                assert!(found.is_decisive() || found == Score::ZERO, "{position}");
            }
        }
    }
    check::<Yoxii>(91);
    check::<Hokito>(92);
}

#[test]
fn a_finished_game_has_no_move() {
    fn check<G: Searchable>(text: &str) {
        let position: G = support::position(text);
        assert!(!position.has_moves());
        for limits in [
            Limits::depth(5),
            Limits::nodes(5),
            Limits::move_time(PATIENCE),
        ] {
            // Helpers may begin before the main thread has seen that the game is over.
            for threads in [1, 3].repeat(20) {
                let (report, _) = answer(&position, &limits, Searcher::Mcts, threads);
                assert!(report.infos.is_empty());
                assert!(searched(&position, &limits, threads).infos.is_empty());
            }
        }
    }
    check::<Yoxii>("1YY/Xo1IO/yOOioo1/1yoI1y1/yxOxyxX/IYXiI/*O1 r");
    check::<Hokito>("x6/x6/x6/x6/x6/b1,x5 b");
}

#[test]
fn solved_positions_are_played_without_a_mistake() {
    fn check<G: Searchable>() {
        plays_what_is_solved(|position: &G, threads| {
            let limits = Limits::nodes(20_000);
            answer(position, &limits, Searcher::AlphaBeta, threads).0
        });
    }
    check::<Yoxii>();
    check::<Hokito>();
}
