//! What the engine, at full strength, says when you ask it.

use std::cmp::Reverse;
use std::time::Duration;

use super::TerminalGame;
use super::opponent::think;
use crate::cli::playable::Playable;
use crate::cli::{CliResult, Failure, progress, texts};
use totemic_engine::engine::Engine;
use totemic_engine::search::{Info, Limits, explain_with_value};
use totemic_engine::text::{number_of, quoted};
use totemic_games::odds_in_words;
use totemic_games::record::PgnGame;
use totemic_games::review::{Review, Step, USUAL_LIMITS, review, variation};

const HINT_TIME: Duration = Duration::from_secs(1);
const ANALYSIS_TIME: Duration = Duration::from_secs(5);
/// Number of pvs of each search, so that `hint 3`, `hint` and `eval` say the same.
const MULTI_PV: usize = 3;
const MAX_SHOWN_PLIES: usize = 6;

/// The engine that is asked, and its last answers.
pub(super) struct Advice<G: Playable> {
    pub(super) engine: Engine<G>,
    /// So that the same question gets the same answer.
    pub(super) last: Option<(G, Vec<Info<G::Move>>)>,
    pub(super) review: Option<Review<G>>,
}

impl<G: Playable> TerminalGame<'_, G> {
    /// At least `count` if there are that many moves; searches only for what is not known.
    fn infos(&mut self, count: usize) -> Result<Vec<Info<G::Move>>, Failure> {
        let position = self.history.position();
        let enough = count.min(position.count_moves() as usize);
        match &self.advice.last {
            Some((of, infos)) if of == position && infos.len() >= enough => Ok(infos.clone()),
            _ => self.think(count.max(MULTI_PV), HINT_TIME),
        }
    }

    fn think(&mut self, multi_pv: usize, time: Duration) -> Result<Vec<Info<G::Move>>, Failure> {
        let limits = Limits {
            multi_pv,
            ..Limits::move_time(time)
        };
        let position = *self.history.position();
        // An interrupt ends the search; what it found by then counts.
        let infos = think(&mut self.advice.engine, &position, limits, self.console, ()).infos;
        self.console.search_ended()?;
        self.advice.last = Some((position, infos.clone()));
        Ok(infos)
    }

    pub(super) fn expected_points(&mut self) -> Result<f64, Failure> {
        let infos = self.infos(1)?;
        let (position, eval) = (self.history.position(), G::Evaluation::default());
        let odds = infos.first().map(|info| info.odds(position, &eval));
        Ok(odds.map_or(0.5, |odds| odds.expected_points()))
    }

    fn chances(&self, info: &Info<G::Move>) -> String {
        odds_in_words::chances(&G::Evaluation::default(), self.history.position(), info)
    }

    fn result(&self, info: &Info<G::Move>) -> String {
        odds_in_words::result(&G::Evaluation::default(), self.history.position(), info)
    }

    pub(super) fn hint(&mut self, most: usize) -> CliResult {
        for (index, info) in self.infos(most)?.iter().take(most).enumerate() {
            let Some(mv) = info.pv.first() else { continue };
            self.say(format!("{:>2}. {mv}  {}", index + 1, self.chances(info)))?;
        }
        Ok(())
    }

    pub(super) fn say_evaluation(&mut self) -> CliResult {
        if let Some(info) = self.infos(1)?.first() {
            self.say(format!("{}.", self.result(info)))?;
        }
        let name = self.history.position().side_name();
        self.say(format!("Without looking ahead, in hundredths, for {name}:"))?;
        let (mut terms, total) =
            explain_with_value(&G::Evaluation::default(), self.history.position());
        terms.retain(|&(_, value)| value != 0);
        terms.sort_by_key(|&(_, value)| Reverse(value.abs()));
        for (term, value) in terms {
            self.say(format!("  {value:>+5}  {term}"))?;
        }
        self.say(format!("  {total:>+5}  in all"))
    }

    pub(super) fn say_expected_line(&mut self) -> CliResult {
        let Some(mv) = self.history.last_move() else {
            return self.say("No move has been made yet.");
        };
        let infos = self.infos(1)?;
        let Some(info) = infos.first() else {
            return self.say(format!("After {mv} the game is over."));
        };
        self.say(format!("After {mv}: {}.", self.result(info)))?;
        self.say(format!("Expected next: {}", line_text(&info.pv)))
    }

    pub(super) fn analyze(&mut self) -> CliResult {
        for info in &self.think(MULTI_PV, ANALYSIS_TIME)? {
            self.say(format!("{}, depth {}:", self.chances(info), info.depth))?;
            self.say(format!("    {}", line_text(&info.pv)))?;
        }
        Ok(())
    }

    pub(super) fn review(&mut self) -> CliResult {
        let done = self.judge(&self.game())?;
        self.say(done.text().trim_end())
    }

    /// Judges a game as `totemic review` does; Ctrl-C ends it early.
    fn judge(&mut self, game: &PgnGame) -> Result<Review<G>, Failure> {
        let known = self.advice.review.as_ref();
        if let Some(done) = known.filter(|done| done.game == *game && done.is_complete()) {
            return Ok(done.clone());
        }
        let engine = &mut self.advice.engine;
        // What hints have found would change the marks.
        engine.clear();
        let bar = progress::bar(0, "positions (Ctrl-C stops)");
        let show = |step: Step<'_, G::Move>| progress::judged::<G>(&bar, step);
        let stop = self.console.interrupt();
        let done = review(game, engine, &USUAL_LIMITS, &stop, show);
        bar.finish_and_clear();
        self.console.search_ended()?;
        let done = done.map_err(|why| failure!("{why}"))?;
        self.advice.review = Some(done.clone());
        Ok(done)
    }

    pub(super) fn review_last(&mut self) -> CliResult {
        let Some(ply) = self.history.last_of(self.players.own) else {
            return self.say("You have not moved yet.");
        };
        let mut game = self.game();
        game.moves.truncate(ply + 1);
        // A review judges what follows the opening.
        (game.moves[..ply].iter_mut()).for_each(|played| played.is_book = true);
        let done = self.judge(&game)?;
        let Some(judged) = done.moves.last() else {
            return self.say("The review was stopped.");
        };
        self.say(done.describe_error(judged))?;
        match judged.better() {
            Some(_) => self.say(format!("  The best line was {}", variation(&judged.pv))),
            None => Ok(()),
        }
    }
}

fn line_text<M: ToString>(pv: &[M]) -> String {
    texts(&pv[..pv.len().min(MAX_SHOWN_PLIES)]).join(" ")
}

/// Lists the legal moves by their first square or, after a square, by what follows it.
pub(super) fn legal<G: Playable>(moves: &[String], typed: &str) -> String {
    let typed = typed.to_ascii_lowercase().replace([' ', '-'], "");
    let fitting: Vec<&String> = moves.iter().filter(|mv| mv.starts_with(&typed)).collect();
    if fitting.is_empty() && !typed.is_empty() {
        let whole = legal::<G>(moves, "");
        return format!("No legal move begins with {}. {whole}", quoted(&typed));
    }
    // Half a square, such as `d`, is shown as a whole one.
    let whole = typed.len() / 2 * 2;
    let mut next: Vec<&str> = Vec::new();
    for mv in &fitting {
        let part = mv.get(whole..whole + 2).unwrap_or(&mv[whole..]);
        if !next.contains(&part) {
            next.push(part);
        }
    }
    let part = G::PARTS.get(whole / 2).copied().unwrap_or("whole move");
    let after = match &typed[..whole] {
        "" => String::new(),
        squares => format!(" after {squares}"),
    };
    let count = number_of(fitting.len(), "move");
    format!("{count}; {part}s{after}: {}", next.join(" "))
}
