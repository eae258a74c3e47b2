//! What the engine says when it is asked, at its full strength.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::console::Console;
use super::opponent::think;
use super::table::Table;
use crate::engine::Engine;
use crate::record::reader::PlayedGame;
use crate::review::{Settings, review, words};
use crate::search::{Evaluate, Info, Limits};

/// Time of a thought about a question.
const MOMENT: Duration = Duration::from_secs(1);
/// Time of `analyze`.
const LONG: Duration = Duration::from_secs(5);
/// Nodes for each position of a game that is over.
const REVIEWED: u64 = 10_000;
/// Errors that are told of such a game.
const FEW_ERRORS: usize = 3;
/// Moves of a line that are shown.
const SHOWN: usize = 6;

/// An engine beside the one that plays.
pub(super) struct Adviser<G: Table>(Option<Engine<G>>);

impl<G: Table> Default for Adviser<G> {
    fn default() -> Self {
        Self(None)
    }
}

impl<G: Table> Adviser<G> {
    fn lines(
        &mut self,
        position: &G,
        limits: Limits<G::Move>,
        console: &Console,
    ) -> Vec<Info<G::Move>> {
        let engine = self.0.get_or_insert_with(Engine::new);
        let lines = think(engine, position, limits, console).lines;
        // Whoever interrupts the thought has what was found by then.
        console.take_interrupt();
        lines
    }

    /// Expected points of the side to move.
    pub(super) fn points(&mut self, position: &G, console: &Console) -> f64 {
        let lines = self.lines(position, Limits::move_time(MOMENT), console);
        let best = lines.first();
        best.map_or(0.5, |info| {
            G::Evaluation::default().odds(position, info.score).points()
        })
    }

    /// The best moves with their chances.
    pub(super) fn hint(
        &mut self,
        position: &G,
        most: usize,
        console: &mut Console,
    ) -> io::Result<()> {
        let limits = Limits {
            multi_pv: most,
            ..Limits::move_time(MOMENT)
        };
        let lines = self.lines(position, limits, console);
        if lines.is_empty() {
            return console.say("The game is over.");
        }
        for (index, info) in lines.iter().take(most).enumerate() {
            let Some(mv) = info.pv.first() else { continue };
            let chances = words::chances(&G::Evaluation::default(), position, info);
            console.say(format!("{:>2}. {mv}  {chances}", index + 1))?;
        }
        Ok(())
    }

    /// Who stands better, in words and numbers, and what the static evaluation
    /// is made of.
    pub(super) fn explain(&mut self, position: &G, console: &mut Console) -> io::Result<()> {
        let lines = self.lines(position, Limits::move_time(MOMENT), console);
        let Some(info) = lines.first() else {
            return console.say("The game is over.");
        };
        console.say(format!(
            "{}.",
            words::found(&G::Evaluation::default(), position, info)
        ))?;
        let name = position.side_name();
        console.say(format!("Without looking ahead, in hundredths, for {name}:"))?;
        for (term, value) in G::Evaluation::default().explain(position) {
            console.say(format!("  {value:>+5}  {term}"))?;
        }
        Ok(())
    }

    /// What is expected after a move.
    pub(super) fn expect(
        &mut self,
        before: &G,
        mv: G::Move,
        console: &mut Console,
    ) -> io::Result<()> {
        let limits = Limits {
            search_moves: vec![mv],
            ..Limits::move_time(MOMENT)
        };
        let lines = self.lines(before, limits, console);
        let Some(info) = lines.first() else {
            return console.say("The game is over.");
        };
        console.say(format!(
            "After {mv}: {}.",
            words::found(&G::Evaluation::default(), before, info)
        ))?;
        let next = shown(info.pv.get(1..).unwrap_or_default());
        if next.is_empty() {
            return console.say("Nothing follows: that is the end.");
        }
        console.say(format!("Expected next: {next}"))
    }

    /// A longer thought, with the line of the best move.
    pub(super) fn analyze(&mut self, position: &G, console: &mut Console) -> io::Result<()> {
        let limits = Limits {
            multi_pv: 3,
            ..Limits::move_time(LONG)
        };
        let lines = self.lines(position, limits, console);
        if lines.is_empty() {
            return console.say("The game is over.");
        }
        for info in &lines {
            let chances = words::chances(&G::Evaluation::default(), position, info);
            console.say(format!("{chances}, depth {}:", info.depth))?;
            console.say(format!("    {}", shown(&info.pv)))?;
        }
        Ok(())
    }
}

impl<G: Table> Adviser<G> {
    /// Where a game that is over was decided: the errors that gave away most.
    pub(super) fn turning_points(
        &mut self,
        game: &PlayedGame,
        console: &mut Console,
    ) -> io::Result<()> {
        let engine = self.0.get_or_insert_with(Engine::new);
        let stop = Arc::clone(console.interrupt());
        let done = review(game, engine, &Settings::nodes(REVIEWED), &stop, |_| ());
        console.take_interrupt();
        let Ok(done) = done else { return Ok(()) };
        let errors = done.turning_points(FEW_ERRORS);
        if errors.is_empty() {
            return console.say("No move was a mistake.");
        }
        console.say("Where it was decided:")?;
        for judged in errors {
            console.say(format!("  {}", done.error(judged)))?;
        }
        Ok(())
    }
}

/// The first moves of a line.
fn shown<M: std::fmt::Display>(line: &[M]) -> String {
    let moves: Vec<String> = line.iter().take(SHOWN).map(ToString::to_string).collect();
    moves.join(" ")
}

/// The legal moves by their first square and, behind a square, by what follows.
pub(super) fn legal<G: Table>(moves: &[G::Move], given: &str) -> String {
    if moves.is_empty() {
        return "No move is legal: the game is over.".to_owned();
    }
    let given = given.to_ascii_lowercase().replace([' ', '-'], "");
    let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
    let fitting: Vec<&str> = texts.iter().map(String::as_str).collect();
    let fitting: Vec<&str> = fitting
        .into_iter()
        .filter(|mv| mv.starts_with(&given))
        .collect();
    if fitting.is_empty() {
        let whole = legal::<G>(moves, "");
        return format!("No legal move begins with '{given}'. {whole}");
    }
    let until = (given.len() / 2 + 1) * 2;
    let mut next: Vec<&str> = Vec::new();
    for mv in &fitting {
        let part = mv.get(given.len()..until).unwrap_or(&mv[given.len()..]);
        if !next.contains(&part) {
            next.push(part);
        }
    }
    let part = G::PARTS
        .get(given.len() / 2)
        .copied()
        .unwrap_or("whole move");
    let behind = if given.is_empty() {
        String::new()
    } else {
        format!(" behind {given}")
    };
    format!(
        "{} moves; {part}{behind}: {}",
        fitting.len(),
        next.join(" ")
    )
}
