//! The engine as a value: exactly one answer to each search, whatever happens in the
//! meantime, and no answer too late.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use crate::{PATIENCE, infinite, support};
use totemic_engine::engine::{Engine, Event};
use totemic_engine::game::{Game, Hokito, Rng, Yoxii};
use totemic_engine::search::solver::{SolveRequest, Value, solve};
use totemic_engine::search::{Evaluate, Info, Limits, Report, Searchable, Searcher};
use totemic_engine::stop::Stop;

/// An [`Event`] to keep.
#[derive(Debug)]
pub(crate) enum Told<M> {
    Info(Info<M>),
    Done(Report<M>),
    Failed,
}

/// Begins a search; the receiver gets its events.
pub(crate) fn go<G: Searchable, E: Evaluate<G>>(
    engine: &mut Engine<G, E>,
    limits: Limits<G::Move>,
) -> Receiver<Told<G::Move>> {
    let (sender, events) = mpsc::channel();
    engine.go(limits, &Stop::new(), move |event| {
        let _ = sender.send(match event {
            Event::Info(info) => Told::Info(info.clone()),
            Event::Done(report) => Told::Done(report),
            Event::Failed(_) => Told::Failed,
        });
    });
    events
}

/// Returns the answer, with what came before it; nothing may come after it.
fn collect_answer<M>(events: &Receiver<Told<M>>) -> (Vec<Told<M>>, Report<M>) {
    let mut before = Vec::new();
    loop {
        match events.recv_timeout(PATIENCE).expect("an answer in time") {
            Told::Done(report) => {
                // The search's thread drops the sender when it ends.
                let more = events.recv_timeout(PATIENCE).is_ok();
                assert!(!more, "an event after the answer");
                return (before, report);
            }
            event => before.push(event),
        }
    }
}

fn small<G: Searchable>() -> Engine<G> {
    let mut engine = Engine::new();
    engine.set_hash(1).expect("a small table");
    engine
}

#[test]
fn lines_come_while_it_searches_before_there_is_a_proof() {
    let mut engine = small::<Yoxii>();
    for row in support::rows_of::<Yoxii>("solve-open.tsv") {
        let text = &row[1];
        engine.set_position(support::position(text));
        assert!(!engine.is_searching());
        let events = go(&mut engine, infinite());
        assert!(engine.is_searching());
        let first = events.recv_timeout(PATIENCE).expect("a line");
        let Told::Info(first) = first else {
            panic!("{text}: an answer before any line: {first:?}");
        };
        assert!(!first.proven, "{text}: no line before the proof");
        engine.stop();
        let (_, report) = collect_answer(&events);
        let line = report.infos.first().expect("a line");
        assert!(line.depth > 0, "{text}: {report:?}");
        assert_eq!(report.best, line.pv.first().copied(), "{text}");
        engine.wait();
    }
}

/// Returns whether this is the position's value, and some of the moves that keep it leave
/// the opponent a way to go wrong while others do not. If so, checks that one of the
/// former is played.
fn leaves_a_way_to_go_wrong<G: Searchable>(position: G, value: Value) -> bool {
    let all_moves = SolveRequest {
        all_moves: true,
        ..SolveRequest::default()
    };
    let can_err = |mv: &G::Move| {
        let reply = solve(&position.play(*mv), &all_moves);
        reply.moves.iter().any(|judged| judged.value != reply.value)
    };
    let solution = solve(&position, &all_moves);
    let alike = solution.best;
    let traps: Vec<G::Move> = alike.iter().copied().filter(can_err).collect();
    if solution.value != value || traps.is_empty() || traps.len() == alike.len() {
        return false;
    }
    let mut engine = small::<G>();
    engine.set_position(position);
    let limits = Limits::move_time(Duration::from_millis(300));
    let (_, report) = collect_answer(&go(&mut engine, limits));
    let best = report.best.expect("a move");
    assert!(traps.contains(&best), "{position}: {best} of {traps:?}");
    true
}

fn sets_traps<G: Searchable>(value: Value, seed: u64) {
    let mut rng = Rng::new(seed);
    let positions = std::iter::repeat_with(|| support::played::<G>(&mut rng))
        .filter(|position| (2..=7).contains(&position.plies_left()) && position.has_moves());
    let checked = positions.filter(|&position| leaves_a_way_to_go_wrong(position, value));
    assert_eq!(checked.take(6).count(), 6);
}

#[test]
fn what_cannot_be_won_is_made_hard_for_the_opponent() {
    sets_traps::<Yoxii>(Value::Loss, 41);
    sets_traps::<Yoxii>(Value::Draw, 42);
    // Hokito's draws are rare.
    sets_traps::<Hokito>(Value::Loss, 43);
}

/// Returns a late position with so many plies left, for which a proof takes a while.
fn open_endgame<G: Searchable>(plies_left: u32, seed: u64) -> G {
    let mut rng = Rng::new(seed);
    let mut some = std::iter::repeat_with(|| support::played::<G>(&mut rng));
    some.find(|position| position.plies_left() == plies_left && position.has_moves())
        .expect("one of many")
}

#[test]
fn a_proof_asked_for_ends_by_itself_or_with_the_time() {
    fn check<G: Searchable>() {
        for searcher in Searcher::ALL {
            let mut engine = small::<G>();
            engine.set_searcher(searcher);
            let ask = |plies, move_time| Limits {
                move_time,
                ..Limits::default().with_mate(plies)
            };
            // This is nowhere near a proof.
            let soon = Some(Duration::from_millis(50));
            let (_, report) = collect_answer(&go(&mut engine, ask(36, soon)));
            assert!(report.best.is_some_and(|mv| G::start().is_legal(mv)));
            for seed in 0..12 {
                let position = open_endgame::<G>(8, seed);
                engine.set_position(position);
                let (_, report) = collect_answer(&go(&mut engine, ask(8, None)));
                let value = solve(&position, &SolveRequest::default()).value;
                let [line] = &report.infos[..] else {
                    panic!("{position}: {report:?}");
                };
                assert!(line.proven, "{position}: {line:?}");
                let found = (line.score.is_win(), line.score.is_loss());
                assert_eq!(found, (value == Value::Win, value == Value::Loss));
                assert!(line.score.mate_plies().is_none_or(|plies| plies.abs() <= 8));
            }
        }
    }
    check::<Yoxii>();
    check::<Hokito>();
}

#[test]
fn moves_to_search_that_are_not_legal_do_not_count() {
    fn check<G: Searchable>() {
        for (searcher, plies_left) in Searcher::ALL.into_iter().flat_map(|s| [(s, 6), (s, 24)]) {
            let mut engine = small::<G>();
            engine.set_searcher(searcher);
            let position = open_endgame::<G>(plies_left, 3);
            let before = open_endgame::<G>(plies_left, 4);
            let illegal = |mv: &G::Move| !position.is_legal(*mv);
            let wrong: Vec<G::Move> = before.moves().into_iter().filter(illegal).collect();
            assert!(!wrong.is_empty());
            engine.set_position(position);
            for right in [None, position.moves().first().copied()] {
                let limits = Limits {
                    search_moves: right.into_iter().chain(wrong.clone()).collect(),
                    ..Limits::move_time(Duration::from_millis(20))
                };
                let best = collect_answer(&go(&mut engine, limits)).1.best;
                let best = best.expect("a move");
                assert!(position.is_legal(best));
                assert!(right.is_none_or(|right| right == best));
            }
        }
    }
    check::<Yoxii>();
    check::<Hokito>();
}

#[test]
fn dropping_the_engine_answers_the_search() {
    for _ in 0..20 {
        let mut engine = small::<Hokito>();
        engine.set_threads(NonZeroUsize::new(2).expect("two"));
        let events = go(&mut engine, infinite());
        drop(engine);
        collect_answer(&events);
    }
}

#[test]
fn settings_change_during_a_search_without_harm() {
    let mut engine = small::<Yoxii>();
    for megabytes in [2, 1] {
        let events = go(&mut engine, infinite());
        engine.set_threads(NonZeroUsize::new(2).expect("two"));
        engine.set_hash(megabytes).expect("a small table");
        collect_answer(&events);
    }
    let events = go(&mut engine, infinite());
    engine.clear();
    collect_answer(&events);
}

/// An evaluation with a defect: it panics once, at one of its calls.
#[derive(Clone, Debug)]
struct Faulty {
    calls_left: Arc<AtomicU64>,
}

/// Returns an engine with this defect, and the number of calls that are left.
fn faulty(
    searcher: Searcher,
    threads: usize,
    calls: u64,
) -> (Engine<Hokito, Faulty>, Arc<AtomicU64>) {
    let calls_left = Arc::new(AtomicU64::new(calls));
    let mut engine = Engine::with_evaluation(Faulty {
        calls_left: calls_left.clone(),
    });
    engine.set_searcher(searcher);
    engine.set_hash(1).expect("a small table");
    engine.set_threads(NonZeroUsize::new(threads).expect("a thread"));
    (engine, calls_left)
}

impl Evaluate<Hokito> for Faulty {
    fn evaluate(&self, position: &Hokito) -> i32 {
        let left = self.calls_left.fetch_sub(1, Ordering::Relaxed);
        assert_ne!(left, 0, "a defect on purpose");
        position.score(position.side())
    }
}

/// Whichever thread of the search panics, the answer comes, and no move is passed off as the
/// one that was found. The next search finds what an engine finds that has not searched.
#[test]
fn a_search_that_panics_says_so_and_leaves_nothing_behind() {
    let cases = Searcher::ALL.map(|searcher| [(searcher, 1), (searcher, 2)]);
    for (searcher, threads) in cases.into_iter().flatten() {
        for calls in [0, 1, 2, 10, 100, 1000, 1001, 1002, 1003, 20_000] {
            let (mut engine, calls_left) = faulty(searcher, threads, calls);
            let events = go(&mut engine, infinite());
            // When it is counted down from 0, the number wraps around.
            while calls_left.load(Ordering::Relaxed) <= calls {
                std::thread::yield_now();
            }
            engine.stop();
            let (before, report) = collect_answer(&events);
            assert_eq!((report.best, report.infos.len()), (None, 0));
            let told = before.iter().any(|event| matches!(event, Told::Failed));
            assert!(told, "{searcher:?}, {threads} threads, {calls} calls");
            engine.set_threads(NonZeroUsize::MIN);
            let (_, report) = collect_answer(&go(&mut engine, Limits::nodes(500)));
            let (mut fresh, _) = faulty(searcher, 1, u64::MAX);
            let (_, expected) = collect_answer(&go(&mut fresh, Limits::nodes(500)));
            assert_eq!(report.best, expected.best);
            assert_eq!(report.infos[0].score, expected.infos[0].score);
        }
    }
}

#[test]
fn who_waits_for_a_search_that_panics_gets_no_move_from_it() {
    for searcher in Searcher::ALL {
        let (mut engine, _) = faulty(searcher, 1, 100);
        let attempt = || engine.search(Limits::nodes(500));
        assert!(catch_unwind(AssertUnwindSafe(attempt)).is_err());
        let (mut fresh, _) = faulty(searcher, 1, u64::MAX);
        let [found, expected] = [&mut engine, &mut fresh].map(|it| it.search(Limits::nodes(500)));
        assert_eq!(found.best, expected.best, "{searcher:?}");
        assert_eq!(found.nodes, expected.nodes, "{searcher:?}");
    }
}
