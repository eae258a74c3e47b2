//! What is kept of a game: its identity, its moves and why it ended.

use std::fmt::{self, Display};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ending::{GameResult, Reason};
use super::info::SearchInfo;
use super::opening::Opening;

/// Which game of the schedule: the pair, and which of its two games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct GameId {
    /// Number of the pair, from 0.
    pub pair: u64,
    /// 0 for the first game of the pair, 1 for the one with swapped sides.
    pub leg: u8,
}

impl Display for GameId {
    /// People count from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.pair + 1, self.leg + 1)
    }
}

/// A move that an engine made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move.
    #[serde(rename = "m")]
    pub mv: String,
    /// Milliseconds between the last byte of `go` sent and `bestmove` read.
    #[serde(default, rename = "t")]
    pub elapsed_ms: f64,
    /// What the engine said about it.
    #[serde(flatten)]
    pub info: SearchInfo,
    /// The proved result of the position before it, for the side to move: 1 won, 0 drawn,
    /// -1 lost. Only `datagen` writes it.
    #[serde(default, rename = "p", skip_serializing_if = "Option::is_none")]
    pub proved: Option<i8>,
}

/// Whether a number need not be written: games by `datagen` have no times, so that they
/// depend on the seed alone.
fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}

/// Points that an engine gave away where the solver knows the truth.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Accuracy {
    /// Own moves whose value before and after is proven.
    pub judged: u32,
    /// Points on the board given away by them, all together.
    pub lost_points: i32,
    /// How many of them turned a better result into a worse one.
    pub blunders: u32,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Which game of the schedule.
    #[serde(flatten)]
    pub id: GameId,
    /// Stage of the tournament, from 0.
    pub stage: u32,
    /// Indices of the engines: the one that moves first, and the other.
    pub engines: [usize; 2],
    /// Where it began.
    pub opening: Opening,
    /// Seed of what was random in this game.
    pub seed: u64,
    /// The engines' moves, without those of the opening.
    pub moves: Vec<MoveRecord>,
    /// `p1win`, `p2win` or `draw`.
    pub result: GameResult,
    /// How it ended.
    pub reason: Reason,
    /// More about a forfeiture: the exit code, the illegal move and its rule.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Points on the board, first mover's first, when the rules ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<[i32; 2]>,
    /// What the solver found, first mover's first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<[Accuracy; 2]>,
    /// Seconds since 1970 when it began.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub begun: u64,
    /// Milliseconds that it took.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub total_ms: f64,
    /// Milliseconds of these in which no engine was thinking.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub overhead_ms: f64,
}

impl GameRecord {
    /// 1 when the second side makes the first move behind the opening, else 0.
    pub(crate) fn opening_side(&self) -> usize {
        let second = self.opening.fen.ends_with(self.second_side_letter());
        (usize::from(second) + self.opening.moves.len()) % 2
    }

    /// The letter at the end of a position in which the second side moves:
    /// red in Yoxii, white in Hokito, whose texts have commas.
    fn second_side_letter(&self) -> char {
        if self.opening.fen.contains(',') {
            'w'
        } else {
            'r'
        }
    }

    /// The engine that lost, `None` after a draw.
    pub(crate) const fn loser(&self) -> Option<usize> {
        match self.result {
            GameResult::P1Win => Some(self.engines[1]),
            GameResult::P2Win => Some(self.engines[0]),
            GameResult::Draw => None,
        }
    }
}

/// A move of a game in PGN, read or to be written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayedMove {
    /// The move, in the strict notation.
    pub mv: String,
    /// What the file says about it, without the clock times of `[%clk …]`.
    pub comment: String,
    /// Numeric annotation glyphs, `!` and `?` among them.
    pub nags: Vec<u8>,
    /// Time left on the mover's clock after the move.
    pub clock: Option<Duration>,
    /// Whether it belongs to the opening that was set and not to the players.
    pub is_book: bool,
    /// Lines that could have been played instead of it, each from the same
    /// position, with their own variations. Annotators err: a line ends before
    /// its first move that cannot be played.
    pub variations: Vec<Vec<PlayedMove>>,
    /// Its line in the file, from 1.
    pub line: usize,
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn game(pair: u64, leg: u8) -> GameRecord {
        GameRecord {
            id: GameId { pair, leg },
            stage: 0,
            engines: if leg == 0 { [0, 1] } else { [1, 0] },
            opening: Opening {
                fen: "3/5/7/3*3/7/5/3 w".to_owned(),
                moves: vec!["c5b6y".to_owned()],
            },
            seed: 17,
            moves: vec![MoveRecord {
                mv: "c6c5o".to_owned(),
                elapsed_ms: 1.25,
                info: SearchInfo::default(),
                proved: None,
            }],
            result: GameResult::P1Win,
            reason: Reason::Rules,
            detail: String::new(),
            points: Some([3, 1]),
            accuracy: None,
            begun: 1,
            total_ms: 2.0,
            overhead_ms: 0.5,
        }
    }
}
