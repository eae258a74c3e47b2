//! The library's review of a game, streamed to the page as it is found.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Serialize;

use super::message::Say;
use crate::engine::Engine;
use crate::game::{GameKind, with_game};
use crate::record::reader::{self, PlayedGame};
use crate::review::{Mark, MoveReview, Settings, Step, for_first, json, review};
use crate::search::Searchable;
use crate::search::solver::Solvable;

/// Longest thought for a position, in milliseconds.
const MAX_MILLIS: u64 = 60_000;

/// Stops its review when it is dropped.
#[derive(Debug, Default)]
pub(super) struct Running(Arc<AtomicBool>);

impl Running {
    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What is said of one move; odds are those of player one.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Judged {
    ply: usize,
    mark: Mark,
    before: f64,
    after: f64,
    /// The better move and what was to follow.
    line: Vec<String>,
    proved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    proved_loss: Option<i32>,
}

impl Judged {
    fn new<M: ToString + PartialEq>(judged: &MoveReview<M>) -> Self {
        Self {
            ply: judged.ply,
            mark: judged.mark,
            before: for_first(judged.side, judged.before),
            after: for_first(judged.side, judged.after),
            line: judged.line.iter().map(ToString::to_string).collect(),
            proved: judged.is_proved(),
            proved_loss: judged.proved_loss,
        }
    }
}

/// A game by its start and moves, checked by the rules.
///
/// # Errors
/// What is wrong with it.
pub(super) fn game(game: &str, fen: &str, moves: &[String]) -> Result<PlayedGame, String> {
    let text = format!("{fen} {}", moves.join(" "));
    let mut games = reader::read(&text, GameKind::named(game));
    if games.len() != 1 {
        return Err(format!("expected one game, found {}", games.len()));
    }
    games.remove(0).map_err(|why| why.to_string())
}

/// Judges a game, `millis` for each position; each move is told as it is
/// judged, the whole at the end.
///
/// # Errors
/// Why the game cannot be judged.
pub(super) fn run(
    call: u64,
    game: &PlayedGame,
    millis: u64,
    stop: &Arc<AtomicBool>,
    tell: impl FnMut(Say),
) -> Result<Say, String> {
    let settings = Settings {
        move_time: Some(Duration::from_millis(millis.clamp(1, MAX_MILLIS))),
        nodes: None,
        threads: NonZeroUsize::MIN,
    };
    with_game!(game.kind, G => judge::<G>(call, game, &settings, stop, tell))
}

fn judge<G: Searchable + Solvable>(
    call: u64,
    game: &PlayedGame,
    settings: &Settings,
    stop: &Arc<AtomicBool>,
    mut tell: impl FnMut(Say),
) -> Result<Say, String> {
    let mut engine = Engine::<G>::new();
    let told = |step: Step<'_, G::Move>| {
        tell(Say::Judged {
            call,
            done: step.done,
            total: step.total,
            judged: step.judged.map(Judged::new),
        });
    };
    let done = review(game, &mut engine, settings, stop, told).map_err(|why| why.to_string())?;
    Ok(Say::Reviewed {
        call,
        review: json(&done),
    })
}
