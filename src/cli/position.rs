//! Positions on the command line: which game they are of, and moves behind them.

use super::{Failure, Global};
use crate::game::{Game, GameKind, Hokito, PositionError, Yoxii};

/// A position of either game.
#[derive(Clone, Copy, Debug)]
pub(super) enum AnyPosition {
    Yoxii(Yoxii),
    Hokito(Hokito),
}

/// Runs the same generic code on a position of either game.
macro_rules! on_position {
    ($any:expr, $position:ident => $body:expr) => {
        match $any {
            $crate::cli::position::AnyPosition::Yoxii($position) => $body,
            $crate::cli::position::AnyPosition::Hokito($position) => $body,
        }
    };
}
pub(super) use on_position;

impl AnyPosition {
    /// Reads `startpos` or a position's text, whose game is recognised, and
    /// plays moves from there.
    pub(super) fn read(global: Global, text: &str, moves: &[String]) -> Result<Self, Failure> {
        let kind = if text == "startpos" {
            global.kind()
        } else {
            let recognised = GameKind::of_text(text);
            let asked = global.game.map(GameKind::from);
            match (recognised, asked) {
                (Some(found), Some(asked)) if found != asked => {
                    return Err(Failure::Usage(format!(
                        "position '{text}': this is a position of {found}, \
                         but --game {asked} was given"
                    )));
                }
                (found, asked) => found.or(asked).unwrap_or_default(),
            }
        };
        Ok(match kind {
            GameKind::Yoxii => Self::Yoxii(read(text, moves)?),
            GameKind::Hokito => Self::Hokito(read(text, moves)?),
        })
    }

    /// The game that it is a position of.
    pub(super) fn kind(&self) -> GameKind {
        match self {
            Self::Yoxii(_) => GameKind::Yoxii,
            Self::Hokito(_) => GameKind::Hokito,
        }
    }

    /// The position, if it is one of Yoxii.
    pub(super) fn yoxii(self) -> Option<Yoxii> {
        match self {
            Self::Yoxii(position) => Some(position),
            Self::Hokito(_) => None,
        }
    }

    /// The position, if it is one of Hokito.
    pub(super) fn hokito(self) -> Option<Hokito> {
        match self {
            Self::Yoxii(_) => None,
            Self::Hokito(position) => Some(position),
        }
    }
}

/// Why a text is no position, with a hint at the usual slips.
fn refused<G: Game>(text: &str, why: &PositionError) -> Failure {
    let game = G::NAME;
    Failure::Usage(match why {
        _ if !text.contains('/') => format!(
            "position '{text}': expected 'startpos' or a position in quotes, \
             as in \"{}\"",
            G::start()
        ),
        PositionError::NoSide { .. } => {
            format!("position '{text}': {why} (the whole position is one argument, in quotes)")
        }
        _ => format!("position '{text}': {why} (read as a position of {game})"),
    })
}

/// Reads a position of one game and plays moves from there.
fn read<G: Game>(text: &str, moves: &[String]) -> Result<G, Failure> {
    let mut position = if text == "startpos" {
        G::start()
    } else {
        text.parse::<G>().map_err(|why| refused::<G>(text, &why))?
    };
    let tokens = moves.iter().flat_map(|moves| moves.split_whitespace());
    for (index, token) in tokens.enumerate() {
        let mv = position
            .read_move(token)
            .map_err(|why| Failure::Usage(format!("move {}: {why}", index + 1)))?;
        position = position.play(mv);
    }
    Ok(position)
}
