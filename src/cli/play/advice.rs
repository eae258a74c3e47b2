//! What the engine, at full strength, says when you ask it.

use std::cmp::Reverse;
use std::time::Duration;

use super::opponent::think;
use super::playable::Playable;
use crate::cli::console::Console;
use crate::cli::{CliResult, Failure, progress};
use totemic_engine::engine::Engine;
use totemic_engine::game::{number_of, quoted};
use totemic_engine::search::{Info, Limits, parts};
use totemic_games::record::reader::PlayedGame;
use totemic_games::review::{Effort, Review, Step, review, words};

const MOMENT: Duration = Duration::from_secs(1);
/// Time that `analyze` takes.
const LONG: Duration = Duration::from_secs(5);
/// Number of lines of each search, so that `hint 3`, `hint` and `eval` say the same.
const LINES: usize = 3;
/// The most errors that are named after a game.
const FEW_ERRORS: usize = 3;
const SHOWN: usize = 6;

pub(super) struct Adviser<G: Playable> {
    engine: Option<Engine<G>>,
    /// The last position with its best lines, so that the same question gets the same
    /// answer.
    last: Option<(G, Vec<Info<G::Move>>)>,
    /// The last review of a finished game.
    review: Option<Review<G>>,
}

impl<G: Playable> Adviser<G> {
    pub(super) const fn new() -> Self {
        Self {
            engine: None,
            last: None,
            review: None,
        }
    }

    /// Returns the best lines, at least `count` if there are that many moves. Searches
    /// briefly if they are not known yet.
    fn lines(
        &mut self,
        position: &G,
        count: usize,
        console: &mut Console,
    ) -> Result<Vec<Info<G::Move>>, Failure> {
        let enough = count.min(position.count_moves() as usize);
        match &self.last {
            Some((of, lines)) if of == position && lines.len() >= enough => Ok(lines.clone()),
            _ => self.think(position, count.max(LINES), MOMENT, console),
        }
    }

    fn think(
        &mut self,
        position: &G,
        multi_pv: usize,
        time: Duration,
        console: &mut Console,
    ) -> Result<Vec<Info<G::Move>>, Failure> {
        let limits = Limits {
            multi_pv,
            ..Limits::move_time(time)
        };
        let engine = self.engine.get_or_insert_with(Engine::new);
        // An interrupt ends the search; what it found by then counts.
        let lines = think(engine, position, limits, console).lines;
        console.search_ended()?;
        self.last = Some((*position, lines.clone()));
        Ok(lines)
    }

    /// Returns the expected points of the side to move.
    pub(super) fn points(&mut self, position: &G, console: &mut Console) -> Result<f64, Failure> {
        let lines = self.lines(position, 1, console)?;
        let eval = G::Evaluation::default();
        Ok(lines
            .first()
            .map_or(0.5, |info| info.odds(position, &eval).points()))
    }

    pub(super) fn hint(&mut self, position: &G, most: usize, console: &mut Console) -> CliResult {
        let lines = self.lines(position, most, console)?;
        for (index, info) in lines.iter().take(most).enumerate() {
            let Some(mv) = info.pv.first() else { continue };
            let chances = words::chances(&G::Evaluation::default(), position, info);
            console.say(format!("{:>2}. {mv}  {chances}", index + 1))?;
        }
        Ok(())
    }

    /// Prints the verdict, and the terms of the static evaluation, the largest first.
    pub(super) fn explain(&mut self, position: &G, console: &mut Console) -> CliResult {
        let eval = G::Evaluation::default();
        if let Some(info) = self.lines(position, 1, console)?.first() {
            console.say(format!("{}.", words::found(&eval, position, info)))?;
        }
        let name = position.side_name();
        console.say(format!("Without looking ahead, in hundredths, for {name}:"))?;
        let (mut terms, total) = parts(&eval, position);
        terms.retain(|&(_, value)| value != 0);
        terms.sort_by_key(|&(_, value)| Reverse(value.abs()));
        for (term, value) in terms {
            console.say(format!("  {value:>+5}  {term}"))?;
        }
        console.say(format!("  {total:>+5}  in all"))
    }

    /// Prints the expected reply to a move that led to this position.
    pub(super) fn expect(&mut self, mv: G::Move, position: &G, console: &mut Console) -> CliResult {
        let lines = self.lines(position, 1, console)?;
        let Some(info) = lines.first() else {
            return console.say(format!("After {mv} the game is over."));
        };
        let found = words::found(&G::Evaluation::default(), position, info);
        console.say(format!("After {mv}: {found}."))?;
        console.say(format!("Expected next: {}", shown(&info.pv)))
    }

    /// Searches longer, and prints the lines of the best moves.
    pub(super) fn analyze(&mut self, position: &G, console: &mut Console) -> CliResult {
        for info in &self.think(position, LINES, LONG, console)? {
            let chances = words::chances(&G::Evaluation::default(), position, info);
            console.say(format!("{chances}, depth {}:", info.depth))?;
            console.say(format!("    {}", shown(&info.pv)))?;
        }
        Ok(())
    }

    /// Prints the review of a finished game, move by move.
    pub(super) fn review(&mut self, game: &PlayedGame, console: &mut Console) -> CliResult {
        match self.judge(game, console)? {
            Some(done) => console.say(done.text().trim_end()),
            None => Ok(()),
        }
    }

    /// Judges a game as `totemic review` does; Ctrl-C ends it early.
    fn judge(
        &mut self,
        game: &PlayedGame,
        console: &mut Console,
    ) -> Result<Option<&Review<G>>, Failure> {
        let known = |done: &Review<G>| done.game == *game && done.is_complete();
        if !self.review.as_ref().is_some_and(known) {
            let engine = self.engine.get_or_insert_with(Engine::new);
            // What hints have found would change the marks.
            engine.clear();
            let bar = progress::bar(0, "positions");
            let show = |step: Step<'_, G::Move>| progress::judged::<G>(&bar, step);
            let done = review(game, engine, &Effort::default(), &console.interrupt(), show);
            bar.finish_and_clear();
            console.search_ended()?;
            self.review = done.ok();
        }
        Ok(self.review.as_ref())
    }

    /// Prints the worst errors of a finished game, below a heading.
    pub(super) fn turning_points(
        &mut self,
        game: &PlayedGame,
        head: &str,
        console: &mut Console,
    ) -> CliResult {
        if console.is_waiting {
            // Ctrl-C ends no review while a line is being edited.
            return Ok(());
        }
        let Some(done) = self.judge(game, console)? else {
            return Ok(());
        };
        if !done.is_complete() {
            return console.say("The review was stopped. Type review to see it whole.");
        }
        let errors = done.turning_points(FEW_ERRORS);
        if errors.is_empty() {
            return console.say("No move was a mistake.");
        }
        console.say(head)?;
        for judged in errors {
            console.say(format!("  {}", done.error(judged)))?;
        }
        Ok(())
    }
}

fn shown<M: ToString>(line: &[M]) -> String {
    let moves: Vec<String> = line.iter().take(SHOWN).map(ToString::to_string).collect();
    moves.join(" ")
}

/// Lists the legal moves by their first square or, after a square, by what follows it.
pub(super) fn legal<G: Playable>(moves: &[String], given: &str) -> String {
    let given = given.to_ascii_lowercase().replace([' ', '-'], "");
    let fitting: Vec<&String> = moves.iter().filter(|mv| mv.starts_with(&given)).collect();
    if fitting.is_empty() && !given.is_empty() {
        let whole = legal::<G>(moves, "");
        return format!("No legal move begins with {}. {whole}", quoted(&given));
    }
    // Half a square, such as `d`, is shown as a whole one.
    let whole = given.len() / 2 * 2;
    let mut next: Vec<&str> = Vec::new();
    for mv in &fitting {
        let part = mv.get(whole..whole + 2).unwrap_or(&mv[whole..]);
        if !next.contains(&part) {
            next.push(part);
        }
    }
    let part = G::PARTS.get(whole / 2).copied().unwrap_or("whole move");
    let after = match &given[..whole] {
        "" => String::new(),
        squares => format!(" after {squares}"),
    };
    let count = number_of(fitting.len(), "move");
    format!("{count}; {part}s{after}: {}", next.join(" "))
}
