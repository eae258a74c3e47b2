//! What the stacks contain, as far as the moves tell.

use std::collections::BTreeMap;

use serde::Serialize;

use totemic_engine::game::{AnyPosition, Cell, Side};

/// A stack, seen from the side.
#[derive(Serialize)]
pub(super) struct Stack {
    /// Its square.
    square: Cell,
    /// The sides of its pawns from the bottom to the top, `p1` or `p2`. A pawn that lay
    /// below the top of a stack in the first position is `null`, because nobody knows its
    /// side.
    pawns: Vec<Option<Side>>,
}

/// The pawns on each square, from the bottom to the top. No rule depends on the lower
/// ones.
pub(super) struct Stacks(BTreeMap<Cell, Vec<Option<Side>>>);

impl Stacks {
    pub(super) fn of(position: AnyPosition) -> Self {
        let AnyPosition::Hokito(position) = position else {
            return Self(BTreeMap::new());
        };
        let towers = Side::BOTH.map(|side| (side, position.topped_by(side)));
        let towers = towers.into_iter().flat_map(|(side, cells)| {
            cells.into_iter().map(move |cell| {
                let mut pawns = vec![None; usize::from(position.height(cell).saturating_sub(1))];
                pawns.push(Some(side));
                (cell, pawns)
            })
        });
        Self(towers.collect())
    }

    /// Follows a move along the squares of its route.
    pub(super) fn follow(&mut self, route: &[Cell]) {
        let [from, .., to] = route else { return };
        if let Some(moved) = self.0.remove(from) {
            self.0.entry(*to).or_default().extend(moved);
        }
    }

    pub(super) fn list(self) -> Vec<Stack> {
        let stacks = self.0.into_iter().filter(|(_, pawns)| pawns.len() > 1);
        stacks
            .map(|(square, pawns)| Stack { square, pawns })
            .collect()
    }
}
