//! What counts in Yoxii: where the values lie, from which squares one side could
//! move the totem away and the other could not, and what is kept in reserve.

mod bytes;
mod children;
mod counts;
mod patterns;
mod pieces;
mod squares;
mod totem;

use std::sync::LazyLock;

use super::learned::{Features, Learnable, Learned, Weights};
use super::phase::to_centipoints;
use crate::game::{Cells, Game, Yoxii, YoxiiMove};
use children::Children;
use patterns::{PatternWeights, Patterns};
use pieces::PieceTerms;
use squares::{ClassWeights, Kinds};
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
        let terms = totem_terms.terms().into_iter();
        let terms = terms.chain(piece_terms.terms(self));
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
        let mut terms = totem::BY_HAND.iter().chain(&pieces::BY_HAND);
        terms.nth(feature).map(|&(name, _)| name)
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
        // Many nodes never ask for a value.
        let mut children = None;
        move |mv, next| {
            let children = children.get_or_insert_with(|| Children::of(self, weights));
            to_centipoints(children.child_weight(mv, next))
        }
    }
}

/// By how much the values of the side to move within `cells` exceed the other's.
fn balance(position: &Yoxii, cells: Cells) -> i32 {
    let me = position.side();
    position.sum(me, cells) - position.sum(me.other(), cells)
}
