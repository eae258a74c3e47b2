//! What is recorded of a game: its identity, its opening, its moves and why it ended.

use std::fmt::{self, Display};
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize};

use super::ending::{Reason, Termination};
use totemic_engine::game::{AnyPosition, Game, GameKind, Outcome, Side, with_game};
use totemic_engine::text::{quoted, sanitized};

/// Reads a text of a file, and makes its control characters harmless ([`sanitized`]).
pub fn deserialize_sanitized<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    String::deserialize(from).map(|text| sanitized(&text))
}

/// A game of the schedule: its pair, and which of the pair's two games it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct GameId {
    /// Number of the pair, from 0.
    pub pair: u64,
    /// 0 for the first game of the pair, 1 for the game with exchanged sides.
    pub leg: u8,
}

impl Display for GameId {
    /// Both numbers count from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.pair + 1, self.leg + 1)
    }
}

/// An engine's score, from its own view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineScore {
    /// Centipoints.
    Cp(i32),
    /// A proved win in this many plies, or a proved loss if it is negative.
    Mate(i32),
}

impl EngineScore {
    /// Returns the score on one scale: a proved result is beyond every estimate.
    pub const fn centipoints(self) -> i32 {
        match self {
            Self::Cp(cp) => cp,
            Self::Mate(plies) if plies > 0 => 1_000_000,
            Self::Mate(_) => -1_000_000,
        }
    }
}

impl Display for EngineScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Cp(cp) => write!(f, "{:+.2}", f64::from(cp) / 100.0),
            Self::Mate(plies) => write!(f, "{}M{}", if plies > 0 { '+' } else { '-' }, plies.abs()),
        }
    }
}

/// What an engine said about a search in its last `info` line about the best variation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SearchInfo {
    /// From the view of the side to move.
    #[serde(default, rename = "s", skip_serializing_if = "Option::is_none")]
    pub score: Option<EngineScore>,
    /// In plies.
    #[serde(default, rename = "d", skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes of the search.
    #[serde(default, rename = "n", skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds by the engine's own clock.
    #[serde(default, rename = "ms", skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
}

/// A position, and the moves that were played from it before the engines took over.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Opening {
    /// The position.
    pub fen: String,
    /// The moves from that position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
}

impl Opening {
    /// Returns the position after the moves. The error is the end of a sentence: it names
    /// the position or move that is illegal or not written as this program writes it.
    pub fn replay<G: Game>(&self) -> Result<G, String> {
        let position: G = (self.fen.parse())
            .map_err(|why| format!("its opening {}: {why}", quoted(&self.fen)))?;
        if position.to_string() != self.fen {
            let fen = quoted(&self.fen);
            return Err(format!("its opening is {fen}, expected '{position}'"));
        }
        (self.moves.iter())
            .try_fold(position, |position, text| play_strict(&position, text))
            .map_err(|why| format!("its opening: {why}"))
    }

    /// Returns the position after the moves; `None` for an opening that breaks the rules.
    pub fn position(&self) -> Option<AnyPosition> {
        with_game!(GameKind::of_text(&self.fen)?, G => Some(self.replay::<G>().ok()?.into()))
    }
}

fn play_strict<G: Game>(position: &G, text: &str) -> Result<G, String> {
    let mv = position.read_move(text).map_err(|why| why.to_string())?;
    match mv.to_string() == text {
        true => Ok(position.play(mv)),
        false => Err(format!("'{text}', expected '{mv}'")),
    }
}

/// A move that an engine made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move, in the strict notation.
    #[serde(rename = "m")]
    pub mv: String,
    /// Milliseconds from sending the last byte of `go` to reading `bestmove`.
    #[serde(default, rename = "t")]
    pub elapsed_ms: f64,
    /// What the engine said about its search.
    #[serde(flatten)]
    pub info: SearchInfo,
    /// The proved result of the position before the move, for the side to move: 1 won, 0
    /// drawn, -1 lost. Only `datagen` writes it.
    #[serde(default, rename = "p", skip_serializing_if = "Option::is_none")]
    pub proved: Option<i8>,
}

/// Whether a field is left out. The games of `datagen` have no times, so that they
/// depend on the seed alone.
pub(super) fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}

/// Points that an engine gave away, as far as the solver knows the values.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Accuracy {
    /// Number of moves with proved values before and after them.
    pub judged: u32,
    /// Points on the board that these moves gave away.
    pub lost_points: i32,
    /// Number of these moves that made the result worse.
    pub blunders: u32,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its place in the schedule.
    #[serde(flatten)]
    pub id: GameId,
    /// Stage of the match, from 0: round, replay of ties, or number of the pair in its meeting.
    pub stage: u32,
    /// Indices of the engines; the first moves first.
    pub engines: [usize; 2],
    /// Position and moves before the engines took over.
    pub opening: Opening,
    /// The programs of the engines, the first mover's first: what they call themselves and
    /// the checksum of their files. What is not known is empty; old journals lack it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub programs: [String; 2],
    /// The processors that the game had to itself; empty if it could use all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processors: Vec<usize>,
    /// Seed of random moves in this game.
    pub seed: u64,
    /// The moves of the engines, without those of the opening.
    pub moves: Vec<MoveRecord>,
    /// `p1win`, `p2win` or `draw`.
    pub result: Outcome,
    /// Why it ended.
    pub reason: Reason,
    /// Details of a forfeit: the exit code, the illegal move and its rule.
    #[serde(
        default,
        skip_serializing_if = "String::is_empty",
        deserialize_with = "deserialize_sanitized"
    )]
    pub detail: String,
    /// Points on the board, the first mover's first, if the rules ended the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<[i32; 2]>,
    /// What the players gave away, the first mover first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<[Accuracy; 2]>,
    /// When the game began, in seconds since 1970.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub begun: u64,
    /// Its duration in milliseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub total_ms: f64,
    /// For how many of these milliseconds no engine was thinking.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub overhead_ms: f64,
}

impl GameRecord {
    /// Returns all positions from where the engines took over to the last one; the error
    /// is like that of [`Opening::replay`].
    pub fn positions<G: Game>(&self) -> Result<Vec<G>, String> {
        let mut positions = vec![self.opening.replay::<G>()?];
        for (number, made) in (1..).zip(&self.moves) {
            let next = play_strict(&positions[number - 1], &made.mv);
            positions.push(next.map_err(|why| format!("its move {number}: {why}"))?);
        }
        Ok(positions)
    }

    /// Returns the side that makes the first move after the opening.
    pub fn side_after_opening(&self) -> Side {
        let fen = &self.opening.fen;
        let kind = GameKind::of_text(fen).unwrap_or_default();
        let side = with_game!(kind, G => fen.parse::<G>().map_or(Side::First, |it| it.side()));
        match self.opening.moves.len() % 2 {
            0 => side,
            _ => side.other(),
        }
    }

    /// Returns the engine that lost; `None` after a draw.
    pub const fn loser(&self) -> Option<usize> {
        match self.result {
            Outcome::Win(side) => Some(self.engines[side.other().index()]),
            Outcome::Draw => None,
        }
    }
}

/// A move of a [`PgnGame`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PgnMove {
    /// The move, in the strict notation; while a text is read, as it was typed.
    pub mv: String,
    /// The comment on it, without clock times such as `[%clk 0:01:02]`.
    pub comment: String,
    /// Numeric annotation glyphs; `!` is 1 and `?` is 2.
    pub nags: Vec<u8>,
    /// Time left on the mover's clock after the move.
    pub clock: Option<Duration>,
    /// Whether it belongs to a given opening, so that the players did not choose it.
    pub is_book: bool,
    /// Lines that could have been played instead of it, with variations of their own. A
    /// line ends before its first illegal move.
    pub variations: Vec<Vec<PgnMove>>,
    /// The number of its line in the file, from 1.
    pub line: usize,
}

impl PgnMove {
    /// A move without a comment, glyph or clock.
    pub fn new(mv: impl Display) -> Self {
        Self {
            mv: mv.to_string(),
            ..Self::default()
        }
    }

    /// A move that stands on this line of a file.
    pub(super) fn on_line(line: usize, mv: impl Display) -> Self {
        Self {
            line,
            ..Self::new(mv)
        }
    }

    /// A move of a match, with what its engine said as the comment.
    fn of_record(made: &MoveRecord) -> Self {
        let info = made.info;
        let depth = info.depth.unwrap_or(0);
        let score = info.score.map(|score| format!("{score}/{depth}"));
        let time = (made.elapsed_ms > 0.0).then(|| format!("{:.3}s", made.elapsed_ms / 1000.0));
        let nodes = info.nodes.map(|nodes| format!("n={nodes}"));
        let comment: Vec<String> = [score, time, nodes].into_iter().flatten().collect();
        Self {
            comment: comment.join(" "),
            ..Self::new(&made.mv)
        }
    }
}

/// A game as PGN has it: read from any format, or to be written. After reading, its moves are
/// legal, and its result is that of the rules if they ended the game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PgnGame {
    /// Which of the games was played.
    pub kind: GameKind,
    /// Text of the position in which it began.
    pub start: String,
    /// The moves from that position.
    pub moves: Vec<PgnMove>,
    /// The names of the players, by [`Side::index`](totemic_engine::game::Side::index); empty if
    /// unknown.
    pub players: [String; 2],
    /// The result, if there is one.
    pub result: Option<Outcome>,
    /// How it ended.
    pub termination: Termination,
    /// What the file itself says about the end.
    pub reason_text: String,
    /// The tags of a PGN in their order.
    pub tags: Vec<(String, String)>,
    /// The line of the file on which it begins, from 1.
    pub line: usize,
}

impl PgnGame {
    /// Converts a game of a journal: the moves of its opening become book moves, and what an
    /// engine said about a move becomes the comment on it.
    pub(crate) fn of_record(record: &GameRecord, kind: GameKind, players: [String; 2]) -> Self {
        let book_move = |mv| PgnMove {
            comment: "book".to_owned(),
            is_book: true,
            ..PgnMove::new(mv)
        };
        let opening = record.opening.moves.iter().map(book_move);
        let played = record.moves.iter().map(PgnMove::of_record);
        let detail = if record.detail.is_empty() { "" } else { ": " };
        Self {
            kind,
            start: record.opening.fen.clone(),
            moves: opening.chain(played).collect(),
            players,
            result: Some(record.result),
            termination: record.reason.termination(),
            reason_text: format!("{}{detail}{}", record.reason, record.detail),
            ..Self::default()
        }
    }

    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(key, _)| key == name);
        tag.map(|(_, value)| value.as_str())
    }
}
