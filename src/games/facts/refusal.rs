//! Why a square cannot be pressed.

use serde::Serialize;

use crate::record::fault::Fault;
use totemic_engine::game::{Cell, Cells, Game, Hokito, Yoxii, YoxiiMove};

/// Why a move cannot begin on a square, or continue to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub(super) enum Refusal {
    /// The totem stands there already.
    TotemStays,
    /// The totem must move to a free square.
    TotemNeedsFree,
    /// No row, column or diagonal leads the totem there.
    TotemNeedsLine,
    /// A piece of the other side stands in between.
    TotemMeetsOther,
    /// The totem may jump only over the mover's pieces, and only to the first square
    /// behind them.
    TotemTooFar,
    /// A piece must be placed on a free square.
    PieceNeedsFree,
    /// A square beside the totem is free, so the piece must be placed there.
    PieceNeedsTotem,
    /// Nothing stands there.
    Nothing,
    /// A pawn of the other side is on top.
    OtherOnTop,
    /// No walk of this many steps leads from there to a square where it may end.
    NoWay {
        /// The value of the pawn on top.
        steps: u8,
    },
    /// A move must end on a square where something stands.
    NeedsOccupied,
    /// A single pawn must end on a single pawn.
    NeedsSingle,
    /// A stack must end on a stack.
    NeedsStack,
    /// No walk of this many steps leads there.
    NotInSteps {
        /// The value of the pawn on top.
        steps: u8,
    },
}

/// A game whose moves consist of two squares that are pressed one after the other.
pub(super) trait Refuse: Game {
    /// Returns why no move begins on a square.
    fn refuse_first(&self, first: Cell) -> Option<Refusal>;
    /// Returns why no move that begins on `first` continues to `second`.
    fn refuse_second(&self, first: Cell, second: Cell) -> Option<Refusal>;
}

/// Returns why the last of one or two squares is refused; `None` if it is not.
pub(super) fn refusal<G: Refuse>(
    position: &G,
    squares: &[String],
) -> Result<Option<Refusal>, Fault> {
    let cell = |square: &String| {
        let text = square.clone();
        Cell::parse(square, G::BOARD).ok_or(Fault::NotSquare { text })
    };
    match squares {
        [first] => Ok(position.refuse_first(cell(first)?)),
        [first, second] => Ok(position.refuse_second(cell(first)?, cell(second)?)),
        _ => Err(Fault::SquareCount),
    }
}

impl Refuse for Yoxii {
    fn refuse_first(&self, to: Cell) -> Option<Refusal> {
        let from = self.totem();
        let side = self.side();
        if self.totem_targets(side).has(to) {
            return None;
        }
        if to == from {
            return Some(Refusal::TotemStays);
        }
        if !self.free().has(to) {
            return Some(Refusal::TotemNeedsFree);
        }
        let files = from.file().abs_diff(to.file());
        let ranks = from.rank().abs_diff(to.rank());
        if files != 0 && ranks != 0 && files != ranks {
            return Some(Refusal::TotemNeedsLine);
        }
        // The piece of a move is no part of its route.
        let route = self.route(YoxiiMove::new(to, to, 1));
        Some(
            match Cells::from_iter(route).meets(self.pieces(side.other())) {
                true => Refusal::TotemMeetsOther,
                false => Refusal::TotemTooFar,
            },
        )
    }

    fn refuse_second(&self, totem: Cell, piece: Cell) -> Option<Refusal> {
        if self.placements(totem).has(piece) {
            None
        } else if self.occupied().has(piece) || piece == totem {
            Some(Refusal::PieceNeedsFree)
        } else {
            Some(Refusal::PieceNeedsTotem)
        }
    }
}

impl Refuse for Hokito {
    fn refuse_first(&self, from: Cell) -> Option<Refusal> {
        if self.tower(from).is_none() {
            Some(Refusal::Nothing)
        } else if !self.topped_by(self.side()).has(from) {
            Some(Refusal::OtherOnTop)
        } else if self.reach(from).is_empty() {
            let steps = self.value(from);
            Some(Refusal::NoWay { steps })
        } else {
            None
        }
    }

    fn refuse_second(&self, from: Cell, to: Cell) -> Option<Refusal> {
        if let Some(refusal) = self.refuse_first(from) {
            return Some(refusal);
        }
        if self.reach(from).has(to) {
            return None;
        }
        let is_stack = |cell| self.tower(cell).map(|tower| tower.height > 1);
        Some(match (is_stack(from), is_stack(to)) {
            (_, None) => Refusal::NeedsOccupied,
            (Some(true), Some(false)) => Refusal::NeedsStack,
            (Some(false), Some(true)) => Refusal::NeedsSingle,
            _ => Refusal::NotInSteps {
                steps: self.value(from),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why<G: Refuse>(fen: &str, squares: &str) -> Option<Refusal> {
        let position = G::read_position(fen).expect("a position");
        let squares: Vec<String> = squares.split(' ').map(str::to_owned).collect();
        refusal(&position, &squares).expect("squares of the board")
    }

    #[test]
    fn a_square_says_why() {
        use Refusal as R;
        // White to move: own pieces on e4 and f4, and a piece of the other side on d5.
        let yoxii = "3/5/3o3/3*OI1/7/2i2/3 w";
        for (squares, expected) in [
            ("c4", None),
            ("g4", None),
            ("d4", Some(R::TotemStays)),
            ("e4", Some(R::TotemNeedsFree)),
            ("b5", Some(R::TotemNeedsLine)),
            ("d6", Some(R::TotemMeetsOther)),
            ("b4", Some(R::TotemTooFar)),
            ("c4 b4", None),
            ("c4 d4", None),
            ("c4 c4", Some(R::PieceNeedsFree)),
            ("c4 d5", Some(R::PieceNeedsFree)),
            ("c4 g4", Some(R::PieceNeedsTotem)),
        ] {
            assert_eq!(why::<Yoxii>(yoxii, squares), expected, "{squares}");
        }
        let hokito = "x6/x,b2,x2,w1,x/x6/x4,b1,x/x,w3:2,x4/x3,b1:2,x2 b";
        for (squares, expected) in [
            ("b5", None),
            ("b5 e3", None),
            ("a1", Some(R::Nothing)),
            ("e5", Some(R::OtherOnTop)),
            ("d1", Some(R::NoWay { steps: 1 })),
            ("b5 a1", Some(R::NeedsOccupied)),
            ("b5 b2", Some(R::NeedsSingle)),
            ("b5 e5", Some(R::NotInSteps { steps: 2 })),
        ] {
            assert_eq!(why::<Hokito>(hokito, squares), expected, "{squares}");
        }
        assert!(refusal(&Yoxii::start(), &["z9".to_owned()]).is_err());
        assert!(refusal(&Yoxii::start(), &[]).is_err());
    }
}
