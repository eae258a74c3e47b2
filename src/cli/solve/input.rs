//! Reads the lines of a file of positions.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use crate::cli::Global;
use crate::cli::position::read_position;
use totemic_engine::game::{AnyPosition, GameKind, with_position};
use totemic_engine::search::solver::{Solution, Value};
use totemic_engine::text::quoted;
use totemic_games::record::notation::read_move;

/// A position to solve and its expected values, as `totemic problems` writes them, too.
#[derive(Debug)]
pub(super) struct Problem {
    /// Of the argument, or of the line in the file, counted on from the arguments.
    pub(super) number: usize,
    pub(super) position: AnyPosition,
    pub(super) value: Option<Value>,
    pub(super) margin: Option<i32>,
    pub(super) best: Option<BTreeSet<String>>,
}

impl Problem {
    pub(super) fn bare(number: usize, position: AnyPosition) -> Self {
        Self {
            number,
            position,
            value: None,
            margin: None,
            best: None,
        }
    }

    pub(super) fn expectation(&self) -> Json {
        if !self.expects_something() {
            return Json::Null;
        }
        json!({
            "value": self.value.map(Value::name),
            "margin": self.margin,
            "best": self.best,
        })
    }

    pub(super) fn expects_something(&self) -> bool {
        self.value.is_some() || self.best.is_some()
    }

    /// Says how the solution contradicts the expected values, if it does.
    pub(super) fn contradiction<M: ToString>(&self, solution: &Solution<M>) -> Option<String> {
        let proved = solution.value;
        if let Some(expected) = self.value
            && ![expected, Value::Unknown].contains(&proved)
        {
            return Some(format!("expected {expected}, proved {proved}"));
        }
        if let (Some(expected), Some(proved)) = (self.margin, solution.margin)
            && expected != proved
        {
            return Some(format!(
                "expected the margin {expected:+}, proved {proved:+}"
            ));
        }
        // Without --all-moves, nothing tells whether other moves are as good.
        let expected = self.best.as_ref()?;
        if !solution.best_complete || solution.moves.is_empty() {
            return None;
        }
        // There are fewer best moves if they have to keep the margin, too. So a line that
        // names a margin names those moves; any other line names all moves that keep the
        // value.
        let proved_best: BTreeSet<String> = match self.margin.and(solution.margin) {
            Some(_) => solution.best.iter().map(M::to_string).collect(),
            None => {
                let moves = solution.moves.iter();
                let keeping = moves.filter(|judged| judged.value == proved);
                keeping.map(|judged| judged.mv.to_string()).collect()
            }
        };
        let listed = |moves: &BTreeSet<String>| Vec::from_iter(moves.iter().cloned()).join(" ");
        (proved_best != *expected).then(|| {
            let (expected, proved_best) = (listed(expected), listed(&proved_best));
            format!("expected the best moves {expected}, proved {proved_best}")
        })
    }

    /// Reads a line; `None` if it is blank or a comment.
    pub(super) fn read(global: Global, number: usize, line: &[u8]) -> Option<Result<Self, String>> {
        let Ok(line) = std::str::from_utf8(line) else {
            return Some(Err("not UTF-8 text".to_owned()));
        };
        let line = line.trim_start_matches('\u{feff}');
        let line = line.split('#').next().unwrap_or_default().trim();
        (!line.is_empty()).then(|| Self::read_fields(global, number, line))
    }

    fn read_fields(mut global: Global, number: usize, line: &str) -> Result<Self, String> {
        let mut fields = line.split('\t').map(str::trim).peekable();
        let named = fields.peek().and_then(|name| GameKind::named(name));
        if named.is_some() {
            fields.next();
        }
        let text = fields.next().unwrap_or_default();
        if text.starts_with("startpos") {
            global.game = named.or(global.game);
        }
        let position = read_position(global, text, &[]).map_err(|why| why.to_string())?;
        if let Some(named) = named.filter(|&named| named != position.kind()) {
            return Err(format!(
                "a position of {}, but the line says {named}",
                position.kind()
            ));
        }
        let mut problem = Self::bare(number, position);
        if let Some(field) = fields.next().filter(|field| !field.is_empty()) {
            let (word, margin) = match field.split_once(' ') {
                Some((word, margin)) => (word, Some(margin.trim_start())),
                None => (field, None),
            };
            let value = Value::named(word).filter(|&value| value != Value::Unknown);
            let value = value.ok_or_else(|| {
                format!(
                    "{} is not a value: 'win', 'draw' or 'loss' may follow the position",
                    quoted(word)
                )
            })?;
            problem.value = Some(value);
            problem.margin = margin.map(|text| read_margin(text, value)).transpose()?;
        }
        let moves = fields.next().unwrap_or_default();
        // A number there is a note, such as the number of nodes that another solver
        // needed.
        if !moves.bytes().all(|byte| byte.is_ascii_digit()) {
            let words = moves.split_whitespace();
            let best: Result<_, String> = with_position!(position, position => words
                .map(|word| read_move(&position, word).map(|mv| mv.to_string()))
                .collect::<Result<_, _>>()
                .map_err(|why| format!("best moves: {why}")));
            problem.best = Some(best?);
        }
        Ok(problem)
    }
}

fn read_margin(text: &str, value: Value) -> Result<i32, String> {
    let margin: i32 = text.parse().map_err(|_| {
        format!(
            "{} is not a margin: expected a whole number of points, as in '{value} -3'",
            quoted(text)
        )
    })?;
    // A margin of 0 may be a win or a loss by the tie-break.
    if margin != 0 && Some(margin.signum()) != value.sign() {
        return Err(format!(
            "the margin {} is not that of a {value}",
            quoted(text)
        ));
    }
    Ok(margin)
}
