//! Limits of an engine's searches: clocks, time, nodes and depth.

use std::fmt::{self, Display};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use totemic_engine::search::Limits;

/// A clock: base time for a number of moves or for the whole game, and an increment for
/// each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TimeControl {
    /// The base time is added again after this many moves of the engine, at least 1; `None`
    /// means never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
    /// Base time in milliseconds.
    pub base_ms: u64,
    /// Increment for each move in milliseconds.
    pub increment_ms: u64,
}

impl Display for TimeControl {
    /// Writes the clock as PGN does: `[moves/]seconds+increment`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base_ms as f64 / 1000.0)?;
        if self.increment_ms > 0 {
            write!(f, "+{}", self.increment_ms as f64 / 1000.0)?;
        }
        Ok(())
    }
}

/// The clock of a side in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunningClock {
    /// How it was set.
    pub control: TimeControl,
    /// Milliseconds left.
    pub left_ms: u64,
    moves: u32,
}

impl RunningClock {
    /// The clock at the beginning of a game.
    pub const fn new(control: TimeControl) -> Self {
        Self {
            control,
            left_ms: control.base_ms,
            moves: 0,
        }
    }

    /// The time left.
    pub const fn left(&self) -> Duration {
        Duration::from_millis(self.left_ms)
    }

    /// Takes the time of a move off, and adds what the control gives for it.
    pub fn spend(&mut self, ms: u64) {
        self.moves += 1;
        self.left_ms = (self.left_ms.saturating_sub(ms)).saturating_add(self.control.increment_ms);
        if (self.control.moves).is_some_and(|moves| self.moves.is_multiple_of(moves)) {
            self.left_ms = self.left_ms.saturating_add(self.control.base_ms);
        }
    }

    /// Returns the number of moves until the base time is added again, if it ever is.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.control.moves.map(|moves| moves - self.moves % moves)
    }
}

/// Limits of an engine's searches, as a user gives them. Several may apply at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MoveLimits {
    /// A clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// Time for each move in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime_ms: Option<u64>,
    /// Nodes for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// How late an answer may be, in milliseconds.
    #[serde(default, rename = "margin_ms")]
    pub time_margin_ms: u64,
}

impl MoveLimits {
    /// So many nodes for each move.
    pub const fn nodes(nodes: u64) -> Self {
        Self {
            clock: None,
            movetime_ms: None,
            nodes: Some(nodes),
            depth: None,
            time_margin_ms: 0,
        }
    }

    /// Milliseconds within which an answer must come, with the margin; `None` if no time is
    /// limited. `clock` is the side's own.
    pub fn allowed_ms(&self, clock: Option<RunningClock>) -> Option<u64> {
        let budgets = [clock.map(|clock| clock.left_ms), self.movetime_ms];
        let least = budgets.into_iter().flatten().min()?;
        Some(least.saturating_add(self.time_margin_ms))
    }

    /// Time for each move, if it is limited.
    pub fn move_time(&self) -> Option<Duration> {
        self.movetime_ms.map(Duration::from_millis)
    }

    /// Time for a proof: that of a move, or a second if nodes do not limit it, either. A
    /// depth does not limit the time of a proof.
    pub fn proof_time(&self) -> Option<Duration> {
        let usual = self.nodes.is_none().then_some(Duration::from_secs(1));
        self.move_time().or(usual)
    }

    /// Whether there is a limit.
    pub const fn is_bounded(&self) -> bool {
        self.is_timed() || self.nodes.is_some() || self.depth.is_some()
    }

    /// Whether time limits a move, so that a slower machine gives other games.
    pub const fn is_timed(&self) -> bool {
        self.clock.is_some() || self.movetime_ms.is_some()
    }
}

impl<M> From<MoveLimits> for Limits<M> {
    /// What a search of this engine obeys. It knows no clock before one runs.
    fn from(limits: MoveLimits) -> Self {
        Self {
            move_time: limits.move_time(),
            nodes: limits.nodes,
            depth: limits.depth,
            ..Self::default()
        }
    }
}

impl Display for MoveLimits {
    /// Writes the limits for people and for the `TimeControl` tag: `10+0.1`,
    /// `nodes=2000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.clock.map(|clock| clock.to_string()));
        parts.extend((self.movetime_ms).map(|ms| format!("st={}", ms as f64 / 1000.0)));
        parts.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        parts.extend(self.depth.map(|depth| format!("depth={depth}")));
        f.write_str(if parts.is_empty() { "-" } else { "" })?;
        f.write_str(&parts.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_gets_its_base_time_again_and_never_overflows() {
        for (moves, base_ms, increment_ms, expected) in [
            (None, 100, 10, [90, 80, 70]),
            (Some(2), 100, 10, [90, 180, 170]),
            (Some(1), u64::MAX, 0, [u64::MAX; 3]),
        ] {
            let mut clock = RunningClock::new(TimeControl {
                moves,
                base_ms,
                increment_ms,
            });
            let left = expected.map(|_| {
                clock.spend(20);
                clock.left_ms
            });
            assert_eq!(left, expected, "{}", clock.control);
        }
    }
}
