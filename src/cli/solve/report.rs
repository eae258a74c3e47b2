//! What `totemic solve` prints.

use std::cmp::Reverse;
use std::fmt::Display;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use serde_json::{Map, Value as Json, json};

use super::SolveArgs;
use super::certificates::Certified;
use super::input::Problem;
use crate::cli::terminal::{folded, width};
use crate::cli::texts;
use totemic_engine::game::Game;
use totemic_engine::search::nodes_per_second;
use totemic_engine::search::solver::{MarginBounds, MoveValue, Solution, Value};
use totemic_engine::text::number_of;

pub(super) struct Row<'a, G: Game> {
    pub(super) problem: &'a Problem,
    pub(super) position: &'a G,
    pub(super) solution: &'a Solution<G::Move>,
    /// `None` if nobody asked for them, `Some(None)` if they were not made.
    pub(super) certificates: Option<Option<Vec<Certified>>>,
}

pub(super) struct SolveReport<'a> {
    args: &'a SolveArgs,
    out: Box<dyn Write>,
    begin: Instant,
    nodes: u64,
    pub(super) rows: Rows,
}

#[derive(Default)]
pub(super) struct Rows {
    pub(super) all: usize,
    proved: usize,
    checked: usize,
    /// Number of rows that differ from the expected values.
    pub(super) wrong: usize,
    /// Number of rows that lack something that was asked for.
    pub(super) unknown: usize,
    /// Number of rows whose certificates were not made.
    pub(super) uncertified: usize,
}

const MAX_SHOWN_MOVES: usize = 4;

impl<'a> SolveReport<'a> {
    pub(super) fn new(args: &'a SolveArgs, out: Box<dyn Write>) -> Self {
        Self {
            args,
            out,
            begin: Instant::now(),
            nodes: 0,
            rows: Rows::default(),
        }
    }

    pub(super) fn head(&mut self) -> io::Result<()> {
        if self.args.json {
            return Ok(());
        }
        let margin = if self.args.margin { " margin" } else { "" };
        let head = format!(
            "{:>5} {:7}{margin} {:>5} {:>14} {:>10} {:>12}  best; line",
            "#", "value", "plies", "nodes", "time", "nodes/s"
        );
        writeln!(self.out, "{head}\n{}", "-".repeat(head.len()))
    }

    pub(super) fn row<G: Game>(&mut self, row: &Row<'_, G>) -> io::Result<()> {
        let solution = row.solution;
        let wrong = row.problem.contradiction(solution);
        let is_proved = solution.value != Value::Unknown;
        self.rows.all += 1;
        self.nodes += solution.nodes;
        self.rows.proved += usize::from(is_proved);
        // What was asked for but not proved is unknown, too.
        let open = !is_proved
            || self.args.margin && solution.margin.is_none()
            || self.args.all_moves && !solution.best_complete;
        self.rows.unknown += usize::from(open);
        self.rows.checked += usize::from(row.problem.expects_something() && is_proved);
        self.rows.wrong += usize::from(wrong.is_some());
        self.rows.uncertified += usize::from(matches!(row.certificates, Some(None)));
        match self.args.json {
            true => self.json_row(row, wrong.is_some())?,
            false => self.table_row(row)?,
        }
        if let Some(wrong) = wrong {
            say!("error: wrong: {}: {wrong}", row.problem.number);
        }
        Ok(())
    }

    fn verdict<G: Game>(&self, row: &Row<'_, G>, is_wrong: bool) -> Option<&'static str> {
        let (problem, solution) = (row.problem, row.solution);
        let asks_for_moves = problem.best.is_some() && self.args.all_moves;
        let is_open = solution.value == Value::Unknown
            || self.args.margin && problem.margin.is_some() && solution.margin.is_none()
            || asks_for_moves && !solution.best_complete
            || problem.value.is_none() && !asks_for_moves;
        problem.expects_something().then_some(match is_wrong {
            true => "wrong",
            false if is_open => "unknown",
            false => "right",
        })
    }

    fn json_row<G: Game>(&mut self, row: &Row<'_, G>, is_wrong: bool) -> io::Result<()> {
        let solution = row.solution;
        let by_move = |field: fn(&MoveValue<G::Move>) -> Json| {
            let moves = solution.moves.iter();
            let each = moves.map(|judged| (judged.mv.to_string(), field(judged)));
            each.collect::<Map<_, _>>()
        };
        let moves = (self.args.all_moves).then(|| by_move(|judged| json!(judged.value.name())));
        let margins = (self.args.all_moves && self.args.margin)
            .then(|| by_move(|judged| json!(judged.margin)));
        let mut object = json!({
            "line": row.problem.number,
            "position": row.position.to_string(),
            "game": G::NAME,
            "value": solution.value.name(),
            "lower": Value::of_sign(solution.lower).name(),
            "upper": Value::of_sign(solution.upper).name(),
            "margin": solution.margin,
            "margin_lower": solution.margin_bounds.map(|bounds| bounds.lower),
            "margin_upper": solution.margin_bounds.map(|bounds| bounds.upper),
            "best": texts(&solution.best),
            "best_complete": solution.best_complete,
            "moves": moves,
            "margins": margins,
            "pv": texts(&solution.pv),
            "nodes": solution.nodes,
            "time_ms": (solution.time.as_secs_f64() * 1e6).round() / 1e3,
            "expected": row.problem.expectation(),
            "verdict": self.verdict(row, is_wrong),
        });
        if let Some(certificates) = &row.certificates {
            object["certificates"] = json!(certificates);
        }
        writeln!(self.out, "{object}")
    }

    fn table_row<G: Game>(&mut self, row: &Row<'_, G>) -> io::Result<()> {
        let solution = row.solution;
        let is_over = !row.position.has_moves();
        let margin = match (self.args.margin, solution.margin) {
            (false, _) => String::new(),
            (true, Some(margin)) => format!(" {margin:>+6}"),
            (true, None) => format!(" {:>6}", "?"),
        };
        let plies = match (is_over, solution.pv.len()) {
            (true, _) => "0".to_owned(),
            (false, 0) => "?".to_owned(),
            (false, plies) => plies.to_string(),
        };
        let mut text = format!(
            "{:>5} {:7}{margin} {plies:>5} {:>14} {:>10} {:>12}  ",
            row.problem.number,
            solution.value,
            solution.nodes,
            time_text(solution.time),
            nodes_per_second(solution.nodes, solution.time),
        );
        text += &match is_over {
            true => "the game is over".to_owned(),
            false => self.answer(solution),
        };
        if let Some(MarginBounds { lower, upper }) = solution.margin_bounds
            && solution.margin.is_none()
        {
            text += &format!("; margin between {lower:+} and {upper:+}");
        }
        self.line(&text)?;
        if self.args.margin && self.args.all_moves {
            self.table_margins(&solution.moves)?;
        }
        for proof in row.certificates.iter().flatten().flatten() {
            let choices = number_of(proof.choices, "choice");
            let (claim, file, bytes) = (&proof.claim, &proof.file, proof.bytes);
            writeln!(
                self.out,
                "{:>5} proof   {claim}: {file} ({choices}, {bytes} bytes)",
                ""
            )?;
        }
        Ok(())
    }

    /// The best moves and a line, or what is known about the value.
    fn answer<M: ToString>(&self, solution: &Solution<M>) -> String {
        let (best, value) = (&solution.best, solution.value);
        if value == Value::Unknown {
            let [lower, upper] =
                [solution.lower, solution.upper].map(|sign| Value::of_sign(sign).name());
            return format!("between {lower} and {upper}");
        }
        let most = match self.args.all_moves {
            true => best.len(),
            false => best.len().min(MAX_SHOWN_MOVES),
        };
        let mut text = texts(&best[..most]).join(" ");
        if most < best.len() {
            text += &format!(" and {} more", best.len() - most);
        } else if !solution.best_complete {
            text += " ...";
        }
        if !solution.pv.is_empty() {
            text += &format!("; {}", texts(&solution.pv).join(" "));
        }
        if solution.margin == Some(0) && value != Value::Draw {
            text += " (by the number of pieces)";
        }
        text
    }

    fn table_margins<M: Copy + Display>(&mut self, moves: &[MoveValue<M>]) -> io::Result<()> {
        let worth = |judged: &MoveValue<M>| (judged.margin, judged.value.sign());
        let mut moves = moves.to_vec();
        moves.sort_by_key(|judged| Reverse(worth(judged)));
        for same in moves.chunk_by(|a, b| worth(a) == worth(b)) {
            let MoveValue { value, margin, .. } = same[0];
            let margin = margin.map_or("?".to_owned(), |margin| format!("{margin:+}"));
            let moves: Vec<String> = same.iter().map(|judged| judged.mv.to_string()).collect();
            let moves = moves.join(" ");
            self.line(&format!("{:>5} {value:7} {margin:>6}  {moves}", ""))?;
        }
        Ok(())
    }

    /// Prints a line of the table. On a terminal it is broken between moves, not within one.
    fn line(&mut self, text: &str) -> io::Result<()> {
        let width = width().filter(|_| self.args.output.is_none());
        writeln!(self.out, "{}", folded(text, width))
    }

    /// Prints the totals; they go to stderr if the rows are for programs.
    pub(super) fn totals(&mut self, positions: usize) -> io::Result<()> {
        let time = self.begin.elapsed();
        let mut text = format!(
            "{} of {positions} positions proved, {} nodes in {} ({} nodes/s)",
            self.rows.proved,
            self.nodes,
            time_text(time),
            nodes_per_second(self.nodes, time)
        );
        if self.rows.unknown > self.rows.all - self.rows.proved {
            let open = self.rows.unknown + self.rows.proved - self.rows.all;
            text += &format!("; {open} of them only in part");
        }
        if self.rows.all < positions {
            text += &format!("; {} not begun", positions - self.rows.all);
        }
        if self.rows.checked > 0 {
            text += &format!("; {} checked, {} wrong", self.rows.checked, self.rows.wrong);
        }
        if self.args.json {
            say!("{text}");
            return Ok(());
        }
        writeln!(self.out, "{text}")
    }
}

fn time_text(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 60.0 {
        format!("{seconds:.3} s")
    } else {
        format!("{}:{:04.1}", (seconds / 60.0) as u64, seconds % 60.0)
    }
}
