//! What `totemic solve` prints.

use std::cmp::Reverse;
use std::io::{self, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use serde_json::{Map, Value as Json, json};

use super::super::{progress, say};
use super::certificates::Certified;
use crate::search::solver::{Progress, Value};

/// What is known of one position, as text.
pub(super) struct Row {
    pub(super) number: usize,
    pub(super) game: &'static str,
    pub(super) position: String,
    pub(super) over: bool,
    pub(super) value: Value,
    pub(super) lower: i32,
    pub(super) upper: i32,
    pub(super) margin: Option<i32>,
    pub(super) margin_bounds: Option<(i32, i32)>,
    pub(super) best: Vec<String>,
    pub(super) best_complete: bool,
    /// Every move with its value and its margin.
    pub(super) moves: Vec<(String, Value, Option<i32>)>,
    pub(super) pv: Vec<String>,
    pub(super) nodes: u64,
    pub(super) time: Duration,
    /// What was expected, as an object; null where nothing was.
    pub(super) expected: Json,
    /// Whether anything that was expected is neither confirmed nor wrong.
    pub(super) open: bool,
    /// What was expected instead.
    pub(super) wrong: Option<String>,
    /// The files that prove it, where that was asked for and done.
    pub(super) certificates: Option<Option<Vec<Certified>>>,
}

impl Row {
    /// What came of the expectation, if there was one.
    fn verdict(&self) -> Option<&'static str> {
        let verdict = match (&self.wrong, self.open) {
            (Some(_), _) => "wrong",
            (None, true) => "unknown",
            (None, false) => "right",
        };
        (!self.expected.is_null()).then_some(verdict)
    }
}

/// Writes the rows and counts them.
pub(super) struct SolveReport {
    out: Box<dyn Write>,
    json: bool,
    margin: bool,
    all_moves: bool,
    proved: usize,
    checked: usize,
    nodes: u64,
    begin: Instant,
    /// Rows written.
    pub(super) rows: usize,
    /// Rows that differ from what was expected.
    pub(super) wrong: usize,
    /// Rows that were not proved.
    pub(super) unknown: usize,
    /// Rows whose certificates were not made.
    pub(super) uncertified: usize,
}

/// Best moves shown in a table.
const SHOWN: usize = 4;

impl SolveReport {
    pub(super) fn new(out: Box<dyn Write>, json: bool, margin: bool, all_moves: bool) -> Self {
        Self {
            out,
            json,
            margin,
            all_moves,
            proved: 0,
            checked: 0,
            nodes: 0,
            begin: Instant::now(),
            rows: 0,
            wrong: 0,
            unknown: 0,
            uncertified: 0,
        }
    }

    /// The head of the table.
    pub(super) fn head(&mut self) -> io::Result<()> {
        if self.json {
            return Ok(());
        }
        let margin = if self.margin { " margin" } else { "" };
        let head = format!(
            "{:>5} {:7}{margin} {:>5} {:>14} {:>10} {:>12}  best; line",
            "#", "value", "plies", "nodes", "time", "nodes/s"
        );
        writeln!(self.out, "{head}\n{}", "-".repeat(head.len()))?;
        self.out.flush()
    }

    /// One position, written and flushed at once.
    pub(super) fn row(&mut self, row: &Row) -> io::Result<()> {
        self.rows += 1;
        self.nodes += row.nodes;
        self.proved += usize::from(row.value != Value::Unknown);
        // What was asked for and not proved is unknown, too.
        let open = row.value == Value::Unknown
            || self.margin && row.margin.is_none()
            || self.all_moves && !row.best_complete;
        self.unknown += usize::from(open);
        self.checked += usize::from(!row.expected.is_null() && row.value != Value::Unknown);
        self.wrong += usize::from(row.wrong.is_some());
        self.uncertified += usize::from(matches!(row.certificates, Some(None)));
        if self.json {
            self.json_row(row)?;
        } else {
            self.table_row(row)?;
        }
        self.out.flush()?;
        if let Some(wrong) = &row.wrong {
            say(format_args!("wrong: {}: {wrong}", row.number));
        }
        Ok(())
    }

    fn json_row(&mut self, row: &Row) -> io::Result<()> {
        let moves = self.all_moves.then(|| {
            let each = row.moves.iter();
            each.map(|(mv, value, _)| (mv.clone(), json!(value.name())))
                .collect::<Map<_, _>>()
        });
        let margins = (self.all_moves && self.margin).then(|| {
            let each = row.moves.iter();
            each.map(|(mv, _, margin)| (mv.clone(), json!(margin)))
                .collect::<Map<_, _>>()
        });
        let mut object = json!({
            "line": row.number,
            "position": row.position,
            "game": row.game,
            "value": row.value.name(),
            "lower": sign_name(row.lower),
            "upper": sign_name(row.upper),
            "margin": row.margin,
            "margin_lower": row.margin_bounds.map(|bounds| bounds.0),
            "margin_upper": row.margin_bounds.map(|bounds| bounds.1),
            "best": row.best,
            "best_complete": row.best_complete,
            "moves": moves,
            "margins": margins,
            "pv": row.pv,
            "nodes": row.nodes,
            "time_ms": (row.time.as_secs_f64() * 1e6).round() / 1e3,
            "expected": row.expected,
            "verdict": row.verdict(),
        });
        if let Some(certificates) = &row.certificates {
            object["certificates"] = certificates.as_deref().map(json_certificates).into();
        }
        writeln!(self.out, "{object}")
    }

    fn table_row(&mut self, row: &Row) -> io::Result<()> {
        let margin = match (self.margin, row.margin) {
            (false, _) => String::new(),
            (true, Some(margin)) => format!(" {margin:>+6}"),
            (true, None) => format!(" {:>6}", "?"),
        };
        let plies = match (row.over, row.pv.len()) {
            (true, _) => "0".to_owned(),
            (false, 0) => "?".to_owned(),
            (false, plies) => plies.to_string(),
        };
        write!(
            self.out,
            "{:>5} {:7}{margin} {plies:>5} {:>14} {:>10} {:>12}  ",
            row.number,
            row.value,
            row.nodes,
            clock(row.time),
            per_second(row.nodes, row.time),
        )?;
        if row.over {
            write!(self.out, "the game is over")?;
        } else if row.value == Value::Unknown {
            let bounds = [row.lower, row.upper].map(sign_name);
            write!(self.out, "between {} and {}", bounds[0], bounds[1])?;
        } else {
            let shown = if self.all_moves {
                row.best.len()
            } else {
                SHOWN
            };
            let best = &row.best[..shown.min(row.best.len())];
            write!(self.out, "{}", best.join(" "))?;
            let more = row.best.len() - best.len();
            if more > 0 {
                write!(self.out, " and {more} more")?;
            } else if !row.best_complete {
                write!(self.out, " ...")?;
            }
            if !row.pv.is_empty() {
                write!(self.out, "; {}", row.pv.join(" "))?;
            }
            if row.margin == Some(0) && row.value != Value::Draw {
                write!(self.out, " (by the number of pieces)")?;
            }
        }
        if let Some((lower, upper)) = row.margin_bounds.filter(|_| row.margin.is_none()) {
            write!(self.out, "; margin between {lower:+} and {upper:+}")?;
        }
        writeln!(self.out)?;
        if self.margin && self.all_moves {
            self.table_margins(row)?;
        }
        for proof in row.certificates.iter().flatten().flatten() {
            let Certified {
                claim,
                file,
                choices,
                bytes,
            } = proof;
            let size = format_args!("({choices} choices, {bytes} bytes)");
            writeln!(self.out, "{:>5} proof   {claim}: {file} {size}", "")?;
        }
        Ok(())
    }

    /// All moves by their margins, a line for each, the best first.
    fn table_margins(&mut self, row: &Row) -> io::Result<()> {
        let mut moves: Vec<_> = row.moves.iter().collect();
        moves.sort_by_key(|(_, value, margin)| Reverse((*margin, value.sign())));
        for same in moves.chunk_by(|a, b| (a.1, a.2) == (b.1, b.2)) {
            let (_, value, margin) = same[0];
            let margin = margin.map_or("?".to_owned(), |margin| format!("{margin:+}"));
            write!(self.out, "{:>5} {value:7} {margin:>6} ", "")?;
            for (mv, ..) in same {
                write!(self.out, " {mv}")?;
            }
            writeln!(self.out)?;
        }
        Ok(())
    }

    /// The sums, on stderr when the rows are for programs.
    pub(super) fn totals(&mut self, positions: usize) -> io::Result<()> {
        let time = self.begin.elapsed();
        let mut text = format!(
            "{} of {positions} positions proved, {} nodes in {} ({} nodes/s)",
            self.proved,
            self.nodes,
            clock(time),
            per_second(self.nodes, time)
        );
        if self.unknown > self.rows - self.proved {
            let open = self.unknown + self.proved - self.rows;
            text += &format!("; {open} without all that was asked for");
        }
        if self.rows < positions {
            text += &format!("; {} not begun", positions - self.rows);
        }
        if self.checked > 0 {
            text += &format!("; {} checked, {} wrong", self.checked, self.wrong);
        }
        if self.json {
            say(format_args!("{text}"));
        } else {
            writeln!(self.out, "{text}")?;
        }
        self.out.flush()
    }
}

fn json_certificates(certificates: &[Certified]) -> Json {
    let each = certificates.iter().map(|proof| {
        json!({
            "claim": proof.claim,
            "file": proof.file,
            "choices": proof.choices,
            "bytes": proof.bytes,
        })
    });
    each.collect()
}

/// `loss`, `draw` or `win` of a sign.
fn sign_name(sign: i32) -> &'static str {
    Value::between(sign, sign).name()
}

fn per_second(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64
}

fn clock(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 60.0 {
        format!("{seconds:.3} s")
    } else {
        format!("{}:{:04.1}", (seconds / 60.0) as u64, seconds % 60.0)
    }
}

/// The progress bar on stderr, when that is a terminal.
pub(super) struct Bar {
    bar: ProgressBar,
    at: Mutex<Option<At>>,
}

/// The position that is told of.
struct At {
    number: usize,
    /// When it was first told of, with the nodes of then.
    since: (Instant, u64),
    /// When it was last heard of.
    heard: Instant,
}

/// Silence of a position after which another one is told of: threads may be at
/// several.
const PATIENCE: Duration = Duration::from_secs(1);

impl Bar {
    pub(super) fn new(positions: usize) -> Self {
        let bar = progress::bar(positions as u64, "positions");
        Self {
            bar,
            at: Mutex::new(None),
        }
    }

    /// The search of a position has come so far.
    pub(super) fn update(&self, number: usize, progress: Progress) {
        if self.bar.is_hidden() {
            return;
        }
        let now = Instant::now();
        let mut at = self.at.lock().unwrap_or_else(|e| e.into_inner());
        let at = match &mut *at {
            Some(at) if at.number == number => at,
            Some(at) if now < at.heard + PATIENCE => return,
            at => at.insert(At {
                number,
                since: (now, progress.nodes),
                heard: now,
            }),
        };
        at.heard = now;
        let (since, before) = at.since;
        let nodes = progress.nodes.saturating_sub(before) as f64;
        let speed = nodes / (now - since).as_secs_f64().max(1e-3) / 1e6;
        self.bar.set_message(format!(
            ", at {number}: moves {}/{} of a question, {speed:.1} M nodes/s",
            progress.root_done, progress.root_total
        ));
    }

    /// Counts a position as done, and prints.
    pub(super) fn done<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.inc(1);
        self.suspend(print)
    }

    /// Prints without the bar in the way.
    pub(super) fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.suspend(print)
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
