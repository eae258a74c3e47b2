//! What counts in Yoxii: where the values lie, from which squares one side could
//! move the totem away and the other could not, and what is kept in reserve.

mod bytes;
mod counts;
mod patterns;
mod pieces;
mod squares;
mod totem;

use std::sync::LazyLock;

use super::learned::{Features, Learnable, Learned, Weights};
use super::phase::to_centipoints;
use super::with_next;
use crate::game::{Cells, Game, Yoxii, YoxiiMove};
use patterns::{PatternWeights, Patterns};
use pieces::PieceTerms;
use squares::{Changes, ClassWeights, Kinds};
use totem::TotemTerms;

const TERMS: usize = totem::TERMS + pieces::TERMS;
const PATTERNS: usize = TERMS + squares::CLASSES;

/// The weights at one ply.
#[derive(Debug)]
pub struct AtPly {
    totem_terms: [i32; totem::TERMS],
    piece_terms: [i32; pieces::TERMS],
    classes: Option<Classes>,
}

#[derive(Debug)]
struct Classes {
    squares: ClassWeights,
    patterns: PatternWeights,
}

impl Features for Yoxii {
    const FEATURES: &'static str = "yoxii-3";
    const COUNT: usize = PATTERNS + patterns::CLASSES;
    const ALL_CLASSES: &'static str = "open squares by their class";

    fn each_feature(&self, mut visit: impl FnMut(usize, i32, Cells)) {
        // The terms do not depend on their weights.
        let piece_terms = PieceTerms::of(self, &[0; pieces::TERMS], None);
        let totem_terms = TotemTerms::of(self, &piece_terms, &[0; totem::TERMS], None);
        let terms = totem_terms
            .terms()
            .into_iter()
            .chain(piece_terms.terms(self));
        for (term, amount) in terms.enumerate() {
            visit(term, amount, Cells::EMPTY);
        }
        let of_squares = squares::classes(self, &piece_terms);
        let of_squares = of_squares.map(|(cell, class)| (cell, TERMS + class));
        let of_patterns = patterns::classes(self).map(|(cell, class)| (cell, PATTERNS + class));
        for (cell, class) in of_squares.chain(of_patterns) {
            visit(class, 1, Cells::of(cell));
        }
    }

    fn term_name(feature: usize) -> Option<&'static str> {
        let names = totem::NAMES.iter().chain(&pieces::NAMES);
        names.copied().nth(feature)
    }

    fn class_name(feature: usize) -> String {
        match feature.checked_sub(PATTERNS) {
            Some(pattern) => patterns::name(pattern),
            None => squares::name(feature - TERMS),
        }
    }
}

impl Learnable for Yoxii {
    const CLASSIC_ODDS: (f64, f64) = (61.0, 21.0);
    type AtPly = AtPly;

    fn by_hand() -> Weights {
        let terms = [&totem::BY_HAND[..], &pieces::BY_HAND[..]].concat();
        Weights::of_terms(&terms, Self::COUNT)
    }

    fn classic() -> &'static Learned<Self> {
        static CLASSIC: LazyLock<Learned<Yoxii>> = LazyLock::new(Learned::by_hand);
        &CLASSIC
    }

    fn at_ply(weights: &Weights, ply: usize) -> AtPly {
        let from = |first| move |class| weights.at(first + class, ply) as i16;
        let classes = || Classes {
            squares: ClassWeights::new(from(TERMS)),
            patterns: PatternWeights::new(from(PATTERNS)),
        };
        AtPly {
            totem_terms: std::array::from_fn(|term| weights.at(term, ply)),
            piece_terms: std::array::from_fn(|term| weights.at(totem::TERMS + term, ply)),
            classes: weights.has_classes::<Self>().then(classes),
        }
    }

    fn value_by(&self, weights: &AtPly) -> i32 {
        let piece_terms = PieceTerms::of(self, &weights.piece_terms, None);
        let totem_terms = TotemTerms::of(self, &piece_terms, &weights.totem_terms, None);
        let mut total = piece_terms.sums[0] + totem_terms.sum();
        if let Some(classes) = &weights.classes {
            let kinds = Kinds::of(self, &piece_terms, &classes.squares);
            let patterns = Patterns::of(self, self.side(), &classes.patterns);
            total += kinds.sum(self.totem()) + patterns.sum;
        }
        to_centipoints(total)
    }

    fn child_values_by<'a>(
        &'a self,
        weights: &'a AtPly,
    ) -> impl FnMut(YoxiiMove, Option<&Self>) -> i32 + 'a {
        // Positions after moves of the totem and the piece to the same squares share all but
        // the piece's value; those with the piece on the same square share all that does not
        // depend on the totem's square.
        let mut squares = None;
        let mut sums = [0; 4];
        // On the heap, as the closure is moved to where it is used.
        let squares_left = (Self::BOARD - self.occupied()).len() as usize;
        let mut placed: Vec<(PieceTerms, Option<(Changes, i32)>)> =
            Vec::with_capacity(squares_left);
        let mut places = [None; 64];
        // Many nodes never ask for a value.
        let mut before = None;
        let mut by_totem = [None; 64];
        move |mv, next| {
            let index = usize::from(mv.value() - 1) & 3;
            let here = Some((mv.totem(), mv.piece()));
            if squares != here {
                squares = here;
                let last = Some((mv.piece(), mv.value()));
                let before = weights.classes.as_ref().map(|classes| {
                    &*before.get_or_insert_with(|| {
                        let kinds = Kinds::of_next(self, &classes.squares);
                        let me = self.side().other();
                        (kinds, Patterns::of(self, me, &classes.patterns))
                    })
                });
                with_next(self, mv, next, |next| {
                    let place = *places[mv.piece().index() & 63].get_or_insert_with(|| {
                        let piece_terms = PieceTerms::of(next, &weights.piece_terms, last);
                        let classes = before.map(|(kinds, patterns)| {
                            let changes = kinds.with_piece(mv.piece(), &piece_terms);
                            (changes, patterns.with_piece(mv.piece()))
                        });
                        placed.push((piece_terms, classes));
                        placed.len() as u8 - 1
                    });
                    let (piece_terms, classes) = &placed[usize::from(place)];
                    let totem_terms = TotemTerms::of(next, piece_terms, &weights.totem_terms, last);
                    sums = totem_terms.sums(mv.value());
                    let mut add = |more: [i32; 4]| {
                        for (sum, more) in sums.iter_mut().zip(more) {
                            *sum += more;
                        }
                    };
                    add(piece_terms.sums);
                    if let Some(((kinds, _), (changes, patterns))) = before.zip(classes.as_ref()) {
                        let totem = mv.totem();
                        let all =
                            by_totem[totem.index() & 63].get_or_insert_with(|| kinds.sum(totem));
                        add([*all + patterns; 4]);
                        add(kinds.difference(totem, changes));
                    }
                });
            }
            to_centipoints(sums[index])
        }
    }
}

/// By how much the values of the side to move within `cells` exceed the other's.
fn balance(position: &Yoxii, cells: Cells) -> i32 {
    let me = position.side();
    position.sum(me, cells) - position.sum(me.other(), cells)
}
