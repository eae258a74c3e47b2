//! `solve`: the exact value of the position in one line.

use std::fmt::Display;
use std::time::Duration;

use super::output::Output;
use super::parameters::Parameters;
use super::session::GameSession;
use super::words::Word;
use crate::game::Encode;
use crate::search::solver::{Solution, SolveRequest, Value};
use crate::search::{Searchable, less_overhead};

impl<G: Searchable + Encode> GameSession<G> {
    pub(super) fn solve(&mut self, words: &[Word<'_>]) {
        self.engine.stop_and_wait();
        let out = self.out.clone();
        let failed = move |out: &Output, why: String| {
            out.error(&why);
            out.write_line(UNKNOWN_LINE);
        };
        let mut request = match read_solve(words, self.options.overhead) {
            Ok(request) => request,
            Err(why) => return failed(&out, format!("'solve': {why}")),
        };
        request.stop = out.gone.clone();
        self.show_limits(&request);
        self.set_threads();
        let wants_all = request.all_best;
        self.engine.go_solve(request, move |answer| match answer {
            Ok(solution) => out.write_line(solution_line(&solution, wants_all)),
            Err(why) => failed(&out, format!("'solve': the solver failed: {why}")),
        });
    }
}

/// Reads what a `solve` asks for. `movetime` is cut by `overhead` as that of a `go` is.
///
/// # Errors
/// Which word cannot be used, and why.
fn read_solve(words: &[Word<'_>], overhead: Duration) -> Result<SolveRequest, String> {
    let mut request = SolveRequest {
        pv: false,
        ..SolveRequest::default()
    };
    let mut parameters = Parameters::of(words);
    while let Some(word) = parameters.next() {
        match word.text {
            "margin" => request.margin = true,
            "all" => request.all_best = true,
            "nodes" => request.nodes = Some(parameters.number(word, 1)?),
            "movetime" => request.time = Some(less_overhead(parameters.millis(word)?, overhead)),
            _ => return Err(word.refused("'margin', 'all', 'nodes N' or 'movetime MS'")),
        }
    }
    Ok(request)
}

const UNKNOWN_LINE: &str = "solution value unknown nodes 0 time 0";

/// The answer to a question: all best moves if these were asked for, otherwise one.
fn solution_line<M: Display>(solution: &Solution<M>, wants_all: bool) -> String {
    let mut line = format!("solution value {}", solution.value);
    if let Some(margin) = solution.margin {
        line += &format!(" margin {margin}");
    }
    let time = solution.time.as_millis();
    line += &format!(" nodes {} time {time}", solution.nodes);
    if solution.value != Value::Unknown && !solution.best.is_empty() {
        let most = if wants_all { usize::MAX } else { 1 };
        let mut moves: Vec<String> = solution.best.iter().map(M::to_string).collect();
        moves.sort_unstable();
        moves.truncate(most);
        let is_whole = solution.best_complete || !wants_all;
        line += if is_whole { " best" } else { " some" };
        moves.iter().for_each(|mv| line += &format!(" {mv}"));
    }
    line
}
