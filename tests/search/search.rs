//! What a search promises: the values of plain negamax, proofs where it claims a win or a
//! loss, lines that are legal to their end, every limit kept, and the same answer to the
//! same question.

use std::num::NonZeroUsize;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::support::{self, Tested, depth_within, late, played};
use crate::{answer, infinite};
use totemic_engine::game::zobrist::splitmix64;
use totemic_engine::game::{Game, Hokito, Layout, Rng, Yoxii, random_position};
use totemic_engine::search::{
    Bound, Evaluate, Info, Limits, Memory, Report, Request, Score, Searchable, Searcher, Stop,
    Table, ThreadPool, search, think,
};

/// More than any machine needs for what these tests ask.
const PATIENCE: Duration = Duration::from_secs(60);

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

/// Runs a search with one thread, and checks every line that it reports.
fn run<G: Searchable, E: Evaluate<G>>(
    position: &G,
    limits: &Limits<G::Move>,
    table: &mut Table,
    eval: &E,
) -> Report<G::Move> {
    run_with(
        &Request::new(position, limits, &Stop::new()),
        1,
        table,
        eval,
    )
}

/// Runs a search with the game's own evaluation and an empty table.
fn searched<G: Searchable>(position: &G, limits: &Limits<G::Move>) -> Report<G::Move> {
    searched_by(1, position, limits)
}

/// Like [`searched`], with this many threads.
fn searched_by<G: Searchable>(
    threads: usize,
    position: &G,
    limits: &Limits<G::Move>,
) -> Report<G::Move> {
    answered_by(threads, &Request::new(position, limits, &Stop::new()))
}

fn answered_by<G: Searchable>(threads: usize, request: &Request<G>) -> Report<G::Move> {
    run_with(
        request,
        threads,
        &mut Table::new(1),
        &G::Evaluation::default(),
    )
}

fn run_with<G: Searchable, E: Evaluate<G>>(
    request: &Request<G>,
    threads: usize,
    table: &mut Table,
    eval: &E,
) -> Report<G::Move> {
    let (pool, position, limits) = (
        ThreadPool::new(threads),
        request.position(),
        request.limits(),
    );
    let report = search(request, &pool, table, eval, |info: &Info<_>| {
        check_line(position, limits, info);
    });
    check_report(position, limits, &report);
    report
}

/// Checks that a line is legal to its end, and proves what it claims.
fn check_line<G: Game>(position: &G, limits: &Limits<G::Move>, info: &Info<G::Move>) {
    assert!(!info.pv.is_empty(), "{position}: {info:?}");
    let mut last = *position;
    for &mv in &info.pv {
        let next = last.try_play(mv);
        last = next.unwrap_or_else(|why| panic!("{position}: {why} in {info:?}"));
    }
    let wanted = &limits.search_moves;
    let is_wanted = wanted.is_empty() || wanted.contains(&info.pv[0]);
    assert!(is_wanted, "{info:?}");
    assert!((1..=limits.multi_pv).contains(&info.multipv), "{info:?}");
    assert!(limits.depth.is_none_or(|depth| info.depth <= depth));
}

/// Checks that the answer is a legal move, if there is one, and the first of its best
/// line.
fn check_report<G: Game>(position: &G, limits: &Limits<G::Move>, report: &Report<G::Move>) {
    assert_eq!(report.best.is_some(), position.has_moves(), "{position}");
    let Some(best) = report.best else {
        assert_eq!(report.ponder, None);
        return;
    };
    let next = position.try_play(best).expect("a legal move");
    if let Some(ponder) = report.ponder {
        assert!(next.is_legal(ponder), "{position}: {best} {ponder}");
    }
    for line in &report.lines {
        check_line(position, limits, line);
    }
    assert_eq!(report.lines.first().map(|line| line.pv[0]), Some(best));
}

/// Returns the value of a finished game that ended after `ply` plies.
fn final_score<G: Game>(position: &G, ply: usize) -> Option<Score> {
    let outcome = position.outcome()?;
    Some(match outcome.sign_for(position.side()) {
        1 => Score::win_in(ply),
        0 => Score::ZERO,
        _ => Score::loss_in(ply),
    })
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
            run(position, &Limits::depth(depth), &mut table, &eval);
            let request = &Request::new(position, &full_width(depth), &Stop::new());
            let report = run_with(request, threads, &mut table, &eval);
            let line = &report.lines[0];
            assert_eq!(line.score, wanted, "{position} depth {depth}, {eval:?}");
            assert_eq!(line.bound, Bound::Exact, "{position} depth {depth}");
            // The move has this value, too.
            let next = position.play(report.best.expect("a move"));
            let behind = -negamax(&next, &eval, depth - 1, 1);
            assert_eq!(behind, wanted, "{position} depth {depth}, {eval:?}");
        }
    }
    deepest
}

fn random_positions_as_negamax<G: Tested + Searchable>(seed: u64) {
    let mut rng = Rng::new(seed);
    let mut deepest = 0;
    for round in 0..120 {
        let position = if round % 3 == 0 {
            G::thrown(&mut rng)
        } else {
            played(&mut rng)
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

/// Returns the value of a position from its whole tree.
fn truth_of<G: Searchable>(position: &G) -> Score {
    negamax(position, &G::Evaluation::default(), u32::MAX, 0)
}

/// Checks that at every depth a claimed win or loss is one, and is possible as soon as
/// claimed. A search to the end leaves nothing unclaimed.
fn claims_are_proofs<G: Searchable>(seed: u64) {
    let mut claims = 0;
    for position in late_positions::<G>(seed, 30) {
        let truth = truth_of(&position);
        let fastest = truth.mate_plies();
        for depth in 1..=position.plies_left() {
            let report = searched(&position, &Limits::depth(depth));
            for line in &report.lines {
                if let Some(claim) = line.score.mate_plies() {
                    let fastest =
                        fastest.unwrap_or_else(|| panic!("{position}: {line:?} but a draw"));
                    assert_eq!(claim.signum(), fastest.signum(), "{position}: {line:?}");
                    assert!(claim.abs() >= fastest.abs(), "{position}: {line:?}");
                    claims += 1;
                }
            }
        }
        let report = searched(&position, &Limits::default());
        let found = report.lines[0].score;
        assert_eq!(found.is_win(), truth.is_win(), "{position}");
        assert_eq!(found.is_loss(), truth.is_loss(), "{position}");
        assert!(found.is_decisive() || found == Score::ZERO, "{position}");
        let behind = position.play(report.best.expect("a move"));
        let kept = -negamax(&behind, &G::Evaluation::default(), u32::MAX, 1);
        assert_eq!(kept.is_win(), truth.is_win(), "{position}");
        assert_eq!(kept.is_loss(), truth.is_loss(), "{position}");
    }
    assert!(claims > 50, "{claims}");
}

#[test]
fn claims_in_both_games_are_proofs() {
    claims_are_proofs::<Yoxii>(31);
    claims_are_proofs::<Hokito>(32);
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
        let request = Request::new(&position, &limits, &Stop::new());
        let report = run_with(&request, threads, &mut Table::new(1), &eval);
        let moves = position.moves();
        assert_eq!(report.lines.len(), wanted.min(moves.len()), "{position}");
        let is_sorted = report.lines.is_sorted_by(|a, b| a.score >= b.score);
        assert!(is_sorted, "{position}");
        let mut rest = moves.to_vec();
        for (rank, line) in report.lines.iter().enumerate() {
            assert_eq!(line.multipv, rank + 1);
            let limits = Limits {
                search_moves: rest.clone(),
                ..full_width(depth)
            };
            let alone = run(&position, &limits, &mut Table::new(1), &eval);
            assert_eq!(alone.lines[0].score, line.score, "{position} rank {rank}");
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
            let report = searched(&position, &limits);
            assert!(report.best.is_some());
            assert_eq!(report.lines.len(), 1);
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
            let report = searched(&position, &limits);
            assert!(report.best.is_some_and(|best| moves.contains(&best)));
            let eval = G::Evaluation::default();
            let values = moves
                .iter()
                .map(|&mv| -negamax(&position.play(mv), &eval, 1, 1));
            assert_eq!(Some(report.lines[0].score), values.max(), "{position}");
        }
    }
    check::<Yoxii>(51);
    check::<Hokito>(52);
}

#[test]
fn the_same_question_has_the_same_answer() {
    fn check<G: Searchable>(seed: u64) {
        let mut rng = Rng::new(seed);
        let positions = [G::start(), at_ply(8, &mut rng), at_ply(16, &mut rng)];
        let questions = [Limits::depth(4), Limits::nodes(30_000)];
        for position in positions {
            for limits in &questions {
                let answer = || {
                    let report = searched(&position, limits);
                    let lines = report.lines.iter();
                    let lines: Vec<_> = lines.map(|l| (l.score, l.depth, l.pv.clone())).collect();
                    (report.nodes, report.best, report.ponder, lines)
                };
                assert_eq!(answer(), answer(), "{position}");
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
            let report = searched(&G::start(), &Limits::nodes(nodes));
            assert_eq!(report.nodes, nodes);
        }
        let limits = Limits {
            depth: Some(1),
            ..Limits::nodes(1_000_000)
        };
        let nodes = searched(&G::start(), &limits).nodes;
        assert!(nodes < 1000, "the depth ends it first: {nodes}");
    }
    check::<Yoxii>();
    check::<Hokito>();
}

#[test]
fn the_solver_takes_no_more_nodes_than_allowed() {
    fn check<G: Searchable>(position: &G, limits: &Limits<G::Move>, most: u64) {
        for threads in [1, 3] {
            let (report, _) = answer(position, limits, Searcher::AlphaBeta, threads);
            let nodes = report.nodes;
            assert!(
                nodes <= most,
                "{position}: {nodes} of {most}, {threads} threads"
            );
        }
    }
    let position: Yoxii = support::position("2*/y1YiO/1X1Y1x1/ixO1O2/5I1/YoIoy/3 r");
    for nodes in [2471, 10_000, 20_000] {
        for depth in [2, 4] {
            let limits = Limits {
                depth: Some(depth),
                ..Limits::nodes(nodes)
            };
            check(&position, &limits, nodes);
            let limits = Limits {
                multi_pv: 3,
                ..limits
            };
            check(&position, &limits, nodes);
        }
    }
    for position in late_positions::<Hokito>(72, 20) {
        check(&position, &Limits::nodes(3000), 3000);
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
        let report = searched(&position, &limits);
        let claim = report.lines[0].score.mate_plies();
        let is_found = claim.is_some_and(|claim| (1..=plies).contains(&claim));
        assert!(is_found, "{position}");
        found += 1;
    }
    assert!(found > 5, "{found}");
}

/// Runs a search on its own thread and takes these steps. Before each step no answer may
/// come for a while; after the last one an answer has to come.
fn waits<G: Searchable>(
    position: G,
    limits: &Limits<G::Move>,
    threads: usize,
    steps: &[fn(&Request<G>)],
) -> Report<G::Move> {
    let request = Request::new(&position, limits, &Stop::new());
    let (sender, answers) = mpsc::channel();
    let asked = request.clone();
    std::thread::spawn(move || {
        let _ = sender.send(answered_by(threads, &asked));
    });
    for step in steps {
        let early = answers.recv_timeout(Duration::from_millis(60)).is_ok();
        assert!(!early, "an answer before it was asked for");
        step(&request);
    }
    answers.recv_timeout(PATIENCE).expect("an answer in time")
}

#[test]
fn a_search_stops_when_told() {
    for threads in [1, 2] {
        waits(Yoxii::start(), &infinite(), threads, &[Request::stop]);
        waits(
            Hokito::start(),
            &Limits::default(),
            threads,
            &[Request::stop],
        );
    }
}

#[test]
fn a_stop_before_the_search_is_not_lost() {
    fn check<G: Searchable>(searcher: Searcher, threads: usize) {
        let (sender, answers) = mpsc::channel();
        std::thread::spawn(move || {
            let mut memory = Memory::try_new(1, searcher).expect("a small memory");
            memory.set_threads(NonZeroUsize::new(threads).expect("a thread"));
            let request = Request::new(&G::start(), &infinite(), &Stop::new());
            request.stop();
            let report = think(&request, &mut memory, &G::Evaluation::default(), &mut ());
            let _ = sender.send(report);
        });
        let report = answers.recv_timeout(PATIENCE).expect("an answer in time");
        assert!(report.best.is_some());
    }
    for searcher in Searcher::ALL {
        for threads in [1, 2] {
            check::<Yoxii>(searcher, threads);
            check::<Hokito>(searcher, threads);
        }
    }
}

#[test]
fn a_search_that_has_nothing_left_to_find_out_still_waits_for_stop() {
    let position = late_positions::<Hokito>(81, 1)[0];
    let limits = Limits {
        infinite: true,
        ..Limits::depth(1)
    };
    waits(position, &limits, 1, &[Request::ponderhit, Request::stop]);
    // So does a search of a finished game.
    let over: Hokito = support::position("x6/x6/x6/x6/x6/x6 b");
    assert_eq!(waits(over, &limits, 1, &[Request::stop]).best, None);
}

#[test]
fn pondering_ends_with_stop_or_after_ponderhit() {
    let position = late_positions::<Yoxii>(82, 1)[0];
    let ponder = |limits| Limits {
        ponder: true,
        ..limits
    };
    let shallow = ponder(Limits::depth(1));
    waits(position, &shallow, 1, &[Request::ponderhit]);
    waits(position, &shallow, 1, &[Request::stop]);
    let short = ponder(Limits::move_time(Duration::from_millis(30)));
    waits(Yoxii::start(), &short, 2, &[Request::ponderhit]);
}

#[test]
fn a_move_time_is_used_and_kept() {
    let begin = Instant::now();
    let limits = Limits::move_time(Duration::from_millis(80));
    let report = searched(&Yoxii::start(), &limits);
    assert!(begin.elapsed() >= Duration::from_millis(60), "{report:?}");
    assert!(begin.elapsed() < Duration::from_secs(20), "{report:?}");
    // Even without any time there is a move.
    searched(&Hokito::start(), &Limits::move_time(Duration::ZERO));
}

#[test]
fn several_threads_answer_within_their_limits() {
    fn check<G: Searchable>(seed: u64) {
        let mut rng = Rng::new(seed);
        for round in 0..30 {
            let position = at_ply::<G>(round, &mut rng);
            // Nine are more threads than learn together.
            let threads = if round % 5 == 0 { 9 } else { 2 };
            for limits in [Limits::depth(4), Limits::nodes(5000)] {
                let report = searched_by(threads, &position, &limits);
                assert!(limits.nodes.is_none_or(|nodes| report.nodes <= nodes));
                let line = &report.lines[0];
                let left = position.plies_left();
                if let Some(depth) = limits.depth.filter(|&depth| depth <= left) {
                    assert_eq!(line.depth, depth, "{position}");
                }
            }
        }
        for (round, position) in late_positions::<G>(seed, 20).into_iter().enumerate() {
            let truth = truth_of(&position);
            let threads = if round % 5 == 0 { 9 } else { 2 };
            let report = searched_by(threads, &position, &Limits::default());
            let score = report.lines[0].score;
            let found = (score.is_win(), score.is_loss());
            assert_eq!(found, (truth.is_win(), truth.is_loss()), "{position}");
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
            let report = searched(&position, &limits);
            assert_eq!(report.best, None);
            assert!(report.lines.is_empty());
            // Helpers may begin before the main thread has seen that the game is over.
            for _ in 0..40 {
                let report = searched_by(3, &position, &limits);
                assert_eq!(report.best, None);
            }
        }
    }
    check::<Yoxii>("1YY/Xo1IO/yOOioo1/1yoI1y1/yxOxyxX/IYXiI/*O1 r");
    check::<Hokito>("x6/x6/x6/x6/x6/b1,x5 b");
}
