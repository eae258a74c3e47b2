//! The weights of the positions after the moves of one position.
//!
//! Those after moves of the totem and the piece to the same squares share all but the piece's
//! value; those with the piece on the same square share all that does not depend on the
//! totem's.

use super::AtPly;
use super::patterns::Patterns;
use super::pieces::PieceTerms;
use super::squares::{Changes, Kinds};
use super::totem::TotemTerms;
use crate::game::{Cell, Game, Yoxii, YoxiiMove};
use crate::search::eval::with_next;

pub(super) struct Children<'a> {
    position: &'a Yoxii,
    weights: &'a AtPly,
    /// What the classes of squares say before the move, from the view of who moves after it.
    before: Option<(Kinds<'a>, Patterns<'a>)>,
    /// What follows from the piece's square, and where that stands for each square.
    placed: Vec<Placed>,
    places: [Option<u8>; 64],
    /// The weight of all squares as they are before the move, by the totem's square.
    by_totem: [Option<i32>; 64],
    /// The squares of the last move, and the weights for each value of its piece.
    squares: Option<(Cell, Cell)>,
    sums: [i32; 4],
}

struct Placed {
    terms: PieceTerms,
    /// How the classes of squares change, and the weight of the patterns.
    classes: Option<(Changes, i32)>,
}

impl<'a> Children<'a> {
    pub(super) fn of(position: &'a Yoxii, weights: &'a AtPly) -> Self {
        let before = weights.classes.as_ref().map(|classes| {
            let kinds = Kinds::of_next(position, &classes.squares);
            let side = position.side().other();
            (kinds, Patterns::of(position, side, &classes.patterns))
        });
        let squares_left = (Yoxii::BOARD - position.occupied()).len() as usize;
        Self {
            position,
            weights,
            before,
            placed: Vec::with_capacity(squares_left),
            places: [None; 64],
            by_totem: [None; 64],
            squares: None,
            sums: [0; 4],
        }
    }

    /// The weight of the position after a move, in thousandths of a logit.
    #[inline]
    pub(super) fn child_weight(&mut self, mv: YoxiiMove, next: Option<&Yoxii>) -> i32 {
        let squares = Some((mv.totem(), mv.piece()));
        if self.squares != squares {
            self.squares = squares;
            self.sums = with_next(self.position, mv, next, |next| self.sums(mv, next));
        }
        self.sums[usize::from(mv.value() - 1) & 3]
    }

    /// The weights if the piece had each value.
    fn sums(&mut self, mv: YoxiiMove, next: &Yoxii) -> [i32; 4] {
        let (totem, place) = (mv.totem(), self.place(mv, next));
        let Placed { terms, classes } = &self.placed[usize::from(place)];
        let last = Some((mv.piece(), mv.value()));
        let totem_terms = TotemTerms::of(next, terms, &self.weights.totem_terms, last);
        let mut sums = totem_terms.sums(mv.value());
        let mut add = |more: [i32; 4]| {
            for (sum, more) in sums.iter_mut().zip(more) {
                *sum += more;
            }
        };
        add(terms.sums);
        if let Some(((kinds, _), (changes, patterns))) = self.before.as_ref().zip(classes.as_ref())
        {
            let all = self.by_totem[totem.index()].get_or_insert_with(|| kinds.sum(totem));
            add([*all + patterns; 4]);
            add(kinds.difference(totem, changes));
        }
        sums
    }

    /// The place in the list of what follows from the piece's square.
    fn place(&mut self, mv: YoxiiMove, next: &Yoxii) -> u8 {
        let place = &mut self.places[mv.piece().index()];
        *place.get_or_insert_with(|| {
            let last = Some((mv.piece(), mv.value()));
            let terms = PieceTerms::of(next, &self.weights.piece_terms, last);
            let classes = self.before.as_ref().map(|(kinds, patterns)| {
                let changes = kinds.with_piece(mv.piece(), &terms);
                (changes, patterns.with_piece(mv.piece()))
            });
            self.placed.push(Placed { terms, classes });
            self.placed.len() as u8 - 1
        })
    }
}
