//! The searches, the exact solver and the engine, through the library.

#[path = "../naive/mod.rs"]
mod naive;
#[path = "../support/mod.rs"]
mod support;

use std::num::NonZeroUsize;
use std::time::Duration;

use totemic_engine::game::Game;
use totemic_engine::search::solver::Value;
use totemic_engine::search::{
    Info, Limits, Memory, Report, Request, Score, Searchable, Searcher, think,
};
use totemic_engine::stop::Stop;

/// More than any machine needs for what these tests ask.
const PATIENCE: Duration = Duration::from_secs(60);

/// Checks that a line is legal to its end, and one that was asked for.
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
    shows_what_it_claims(position, last, info);
}

/// Checks that a proved line whose last position is the end of a game shows the result that
/// it claims, and in time.
fn shows_what_it_claims<G: Game>(position: &G, last: G, info: &Info<G::Move>) {
    let plies = info.score.mate_plies();
    if !info.proven && plies.is_none() {
        return;
    }
    let shown = (last.outcome()).map(|outcome| outcome.sign_for(position.side()));
    let shows_it = shown.is_none_or(|sign| sign == info.score.sign());
    assert!(shows_it, "{position}: {info:?}");
    let most = plies.map_or(usize::MAX, |plies| plies.unsigned_abs() as usize);
    assert!(info.pv.len() <= most, "{position}: {info:?}");
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
    for line in &report.infos {
        check_line(position, limits, line);
    }
    assert_eq!(report.infos.first().map(|line| line.pv[0]), Some(best));
}

/// Returns the answer to a request, and the lines that are told; all of them are checked.
fn checked<G: Game>(
    request: &Request<G>,
    ask: impl FnOnce(&mut dyn FnMut(&Info<G::Move>)) -> Report<G::Move>,
) -> (Report<G::Move>, Vec<Info<G::Move>>) {
    let (position, limits) = (request.position(), request.limits());
    let mut told = Vec::new();
    let report = ask(&mut |info| {
        check_line(position, limits, info);
        told.push(info.clone());
    });
    check_report(position, limits, &report);
    (report, told)
}

/// Returns the answer of a search with its own memory, and the lines that it reports.
fn answer<G: Searchable>(
    position: &G,
    limits: &Limits<G::Move>,
    searcher: Searcher,
    threads: usize,
) -> (Report<G::Move>, Vec<Info<G::Move>>) {
    let request = Request::new(position, limits, &Stop::new());
    answer_to(&request, &mut memory(searcher, threads))
}

/// Like [`answer`], for a request that others may end, with a memory that may know more.
fn answer_to<G: Searchable>(
    request: &Request<G>,
    memory: &mut Memory<G>,
) -> (Report<G::Move>, Vec<Info<G::Move>>) {
    let eval = G::Evaluation::default();
    checked(request, |mut tell| think(request, memory, &eval, &mut tell))
}

fn memory<G: Searchable>(searcher: Searcher, threads: usize) -> Memory<G> {
    let mut memory = Memory::try_new(1, searcher).expect("a small memory");
    memory.set_threads(NonZeroUsize::new(threads).expect("a thread"));
    memory
}

/// Limits that only a stop ends.
fn infinite<M>() -> Limits<M> {
    Limits {
        infinite: true,
        ..Limits::default()
    }
}

/// Returns the value that a line proves.
fn proved_value<M>(line: &Info<M>) -> Option<&'static str> {
    line.proven
        .then(|| Value::of_sign(line.score.sign()).name())
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

/// Checks that searches with few nodes prove the values of nearly all positions that are
/// solved, that what they prove is true, and that they then play one of the best moves.
fn plays_what_is_solved<G: Searchable>(ask: impl Fn(&G, usize) -> Report<G::Move>) {
    let rows = support::rows_of::<G>("solve.tsv");
    assert_eq!(rows.len(), 30);
    let mut proved = 0;
    for row in &rows {
        let [_, text, value, best] = &row[..] else {
            panic!("four columns: {row:?}");
        };
        for threads in [1, 2] {
            let report = ask(&support::position(text), threads);
            let Some(found) = proved_value(&report.infos[0]) else {
                continue;
            };
            assert_eq!(found, value, "{text}");
            let played = report.best.expect("a move").to_string();
            assert!(best.split(' ').any(|mv| mv == played), "{text}: {played}");
            proved += usize::from(threads == 1);
        }
    }
    assert!(proved * 10 >= rows.len() * 8, "{proved} of {}", rows.len());
}

mod claims;
mod engine;
mod levels;
mod mcts;
mod search;
mod solver;
