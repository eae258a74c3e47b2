//! What counts in Yoxii: where the values lie, from which squares one side could
//! get away and the other not, and what is kept in hand.

mod counts;
mod ground;
mod squares;
mod stand;

use arrayvec::ArrayVec;

use super::learned::{Learnable, Learned, Weights};
use super::phase::scaled;
use super::{Classic, Evaluate, Odds, with_next};
use crate::game::{Cell, Cells, Game, Yoxii, YoxiiMove};
use crate::search::Score;
use ground::Ground;
use squares::{CLASSES, Changes, Kinds, Table, classes};
use stand::Stand;

/// Number of terms.
const TERMS: usize = stand::TERMS + ground::TERMS;

/// Learned weights at each ply.
#[derive(Debug)]
pub struct Tables {
    stand: Vec<[i32; stand::TERMS]>,
    ground: Vec<[i32; ground::TERMS]>,
    /// None where no class has a weight.
    squares: Vec<Table>,
}

/// The weights at one ply.
#[derive(Clone, Copy)]
struct View<'a> {
    stand: &'a [i32; stand::TERMS],
    ground: &'a [i32; ground::TERMS],
    squares: Option<&'a Table>,
}

impl View<'static> {
    /// Those written by hand.
    fn by_hand(ply: usize) -> Self {
        Self {
            stand: &stand::WEIGHTS[ply],
            ground: &ground::WEIGHTS[ply],
            squares: None,
        }
    }
}

impl Tables {
    fn at(&self, ply: usize) -> View<'_> {
        View {
            stand: &self.stand[ply],
            ground: &self.ground[ply],
            squares: self.squares.get(ply),
        }
    }
}

impl Learnable for Yoxii {
    const FEATURES: &'static str = "yoxii-1";
    const COUNT: usize = TERMS + CLASSES;
    type Tables = Tables;

    fn by_hand() -> Weights {
        let terms = [&stand::BY_HAND[..], &ground::BY_HAND[..]].concat();
        Weights::of_terms(&terms, Self::COUNT)
    }

    fn tables(weights: &Weights) -> Tables {
        let plies = || 0..=Self::MAX_PLIES as usize;
        let has_classes = weights.has_classes::<Self>();
        let squares = |ply| Table::new(|class| weights.at(TERMS + class, ply) as i16);
        let stand = |ply| std::array::from_fn(|term| weights.at(term, ply));
        let ground = |ply| std::array::from_fn(|term| weights.at(stand::TERMS + term, ply));
        Tables {
            stand: plies().map(stand).collect(),
            ground: plies().map(ground).collect(),
            squares: plies().filter(|_| has_classes).map(squares).collect(),
        }
    }

    fn ply(&self) -> usize {
        ply(self)
    }

    fn each_feature(&self, mut visit: impl FnMut(usize, i32, Option<Cell>)) {
        let by_hand = View::by_hand(ply(self));
        let ground = Ground::of(self, by_hand.ground, None);
        let stand = Stand::of(self, &ground, by_hand.stand, None);
        let terms = stand.terms().into_iter().chain(ground.terms(self));
        for (term, amount) in terms.enumerate() {
            visit(term, amount, None);
        }
        for (cell, class) in classes(self, &ground) {
            visit(TERMS + class, 1, Some(cell));
        }
    }

    fn term_name(feature: usize) -> Option<&'static str> {
        let names = stand::NAMES.iter().chain(&ground::NAMES);
        names.copied().nth(feature)
    }

    fn class_name(feature: usize) -> String {
        squares::name(feature - TERMS)
    }
}

/// The value of a position under the weights of its ply, in centipoints.
fn value(position: &Yoxii, weights: View<'_>) -> i32 {
    let ground = Ground::of(position, weights.ground, None);
    let stand = Stand::of(position, &ground, weights.stand, None);
    let mut total = ground.sums[0] + stand.sum();
    if let Some(table) = weights.squares {
        total += Kinds::of(position, &ground, table).sum(position.totem());
    }
    scaled(total)
}

/// What positions behind moves with the piece on the same square share.
struct Placed {
    ground: Ground,
    changes: Option<Changes>,
}

/// Values of the positions behind moves, under the weights of their ply.
///
/// Those of the totem and the piece to the same squares share all but what the
/// piece is worth; and those with the piece on the same square, all that does not
/// depend on the totem's.
fn values_behind<'a>(
    position: &'a Yoxii,
    weights: View<'a>,
) -> impl FnMut(YoxiiMove, Option<&Yoxii>) -> i32 + 'a {
    let mut squares = None;
    let mut sums = [0; 4];
    let mut placed = ArrayVec::<Placed, SQUARES>::new();
    let mut places = [None; 64];
    // Many nodes never ask.
    let mut kinds = None;
    let mut by_totem = [None; 64];
    move |mv, next| {
        let index = usize::from(mv.value() - 1) & 3;
        let here = Some((mv.totem(), mv.piece()));
        if squares != here {
            squares = here;
            let last = Some((mv.piece(), mv.value()));
            let kinds = weights
                .squares
                .map(|table| &*kinds.get_or_insert_with(|| Kinds::of_next(position, table)));
            with_next(position, mv, next, |next| {
                let place = *places[mv.piece().index() & 63].get_or_insert_with(|| {
                    let ground = Ground::of(next, weights.ground, last);
                    let changes = kinds.map(|kinds| kinds.with_piece(mv.piece(), &ground));
                    placed.push(Placed { ground, changes });
                    placed.len() as u8 - 1
                });
                let Placed { ground, changes } = &placed[usize::from(place)];
                sums = Stand::of(next, ground, weights.stand, last).sums(mv.value());
                let mut add = |more: [i32; 4]| {
                    for (sum, more) in sums.iter_mut().zip(more) {
                        *sum += more;
                    }
                };
                add(ground.sums);
                if let Some((kinds, changes)) = kinds.zip(changes.as_ref()) {
                    let totem = mv.totem();
                    let all = by_totem[totem.index() & 63].get_or_insert_with(|| kinds.sum(totem));
                    add([*all; 4]);
                    add(kinds.difference(totem, changes));
                }
            });
        }
        scaled(sums[index])
    }
}

impl Evaluate<Yoxii> for Learned<Yoxii> {
    fn evaluate(&self, position: &Yoxii) -> i32 {
        value(position, self.tables().at(ply(position)))
    }

    fn child_values<'a>(
        &'a self,
        position: &'a Yoxii,
    ) -> impl FnMut(YoxiiMove, Option<&Yoxii>) -> i32 + 'a {
        values_behind(position, self.tables().at((ply(position) + 1).min(36)))
    }

    fn odds(&self, position: &Yoxii, score: Score) -> Odds {
        Classic.odds(position, score)
    }

    fn squares(&self, position: &Yoxii) -> Vec<(Cell, i32, String)> {
        self.squares_of(position)
    }

    fn explain(&self, position: &Yoxii) -> Vec<(&'static str, i32)> {
        self.explain_with(position, "open squares by their class")
    }
}

impl Evaluate<Yoxii> for Classic {
    fn evaluate(&self, position: &Yoxii) -> i32 {
        value(position, View::by_hand(ply(position)))
    }

    fn child_values<'a>(
        &'a self,
        position: &'a Yoxii,
    ) -> impl FnMut(YoxiiMove, Option<&Yoxii>) -> i32 + 'a {
        values_behind(position, View::by_hand((ply(position) + 1).min(36)))
    }

    // Fitted on games of 20,000 nodes a move.
    fn odds(&self, _position: &Yoxii, score: Score) -> Odds {
        Odds::logistic(score, 61.0, 21.0)
    }

    fn explain(&self, position: &Yoxii) -> Vec<(&'static str, i32)> {
        let by_hand = View::by_hand(ply(position));
        let ground = Ground::of(position, by_hand.ground, None);
        let stand = Stand::of(position, &ground, by_hand.stand, None);
        let mut parts = stand.explain();
        parts.extend(ground.explain(position));
        parts
    }
}

/// Squares of the board.
const SQUARES: usize = Yoxii::BOARD.len() as usize;

/// By how much the values of the side to move within `cells` exceed the other's.
fn balance(position: &Yoxii, cells: Cells) -> i32 {
    let me = position.side();
    position.sum(me, cells) - position.sum(me.other(), cells)
}

/// Pieces on the board.
fn ply(position: &Yoxii) -> usize {
    (Yoxii::MAX_PLIES - position.plies_left()) as usize
}
