//! What the towers can do behind each move of a position.
//!
//! A move takes one tower off its square and puts it onto another. The walks
//! of a tower that never visit the square left are the same as before, and
//! those are most.

use arrayvec::ArrayVec;

use super::Activity;
use crate::game::{Cell, Cells, Game, Hokito, HokitoMove, Routes};

/// Most towers of a position.
const TOWERS: usize = 36;

/// A tower.
#[derive(Clone, Copy, Debug)]
struct Walker {
    /// Its square.
    here: u64,
    /// All squares for a stack, none for a single.
    if_stack: u64,
    /// The squares that its walks visit, and its own.
    touched: u64,
    steps: u8,
}

/// Where the walks of each tower end, whatever stands there.
type Ends = [u64; TOWERS];

/// The towers of a position and their walks, looked up when they are first
/// asked for.
pub(super) struct Family<'a> {
    position: &'a Hokito,
    routes: Routes,
    /// Those of the side to move first.
    walkers: ArrayVec<Walker, TOWERS>,
    ends: Ends,
    /// The square of the tower that is lifted, as the one that moves.
    lifted: Option<Cell>,
    /// The same without that tower; of itself none.
    ends_without: Ends,
}

impl<'a> Family<'a> {
    pub(super) fn of(position: &'a Hokito) -> Self {
        Self {
            position,
            routes: Routes::default(),
            walkers: ArrayVec::new(),
            ends: [0; TOWERS],
            lifted: None,
            ends_without: [0; TOWERS],
        }
    }

    /// What the towers of the side to move and of the other can do behind a
    /// move.
    pub(super) fn after(&mut self, mv: HokitoMove, next: &Hokito) -> [Activity; 2] {
        if self.walkers.is_empty() {
            self.look_up();
        }
        self.lift(mv.from());
        let mover = self.position.topped_by(self.position.side()).len() as usize;
        let (own, others) = self.walkers.split_at(mover);
        let (own_ends, other_ends) = self.ends_without.split_at(mover);
        let mut mine = activity(own, own_ends, mv.to(), next);
        let steps = self.position.value(mv.from());
        let pile = Cells(self.routes.walks_of(mv.to().index(), steps).ends) & next.stacks();
        mine.reach |= pile;
        mine.movable += i32::from(!pile.is_empty());
        mine.moves += pile.len() as i32;
        [activity(others, other_ends, mv.to(), next), mine]
    }

    fn look_up(&mut self) {
        let position = self.position;
        self.routes = Routes::of(position.occupied().0);
        let own = position.topped_by(position.side());
        let towers = own.into_iter().chain(position.occupied() - own);
        for (cell, ends) in towers.zip(&mut self.ends) {
            let (here, steps) = (Cells::of(cell).0, position.value(cell));
            let walks = self.routes.walks_of(cell.index(), steps);
            *ends = walks.ends;
            self.walkers.push(Walker {
                here,
                if_stack: u64::from(position.stacks().has(cell)).wrapping_neg(),
                touched: walks.passed | here,
                steps,
            });
        }
    }

    /// Takes a tower off the board, and puts the one before it back.
    fn lift(&mut self, from: Cell) {
        if self.lifted == Some(from) {
            return;
        }
        if let Some(before) = self.lifted.replace(from) {
            self.routes.put_back(before.index());
        }
        self.routes.lift(from.index());
        self.ends_without = self.ends;
        // No branches here: they would be taken at random.
        let (mut places, mut len) = ([0u8; 64], 0);
        for (place, walker) in self.walkers.iter().enumerate() {
            places[len & 63] = place as u8;
            len += (walker.touched >> from.index() & 1) as usize;
        }
        for &place in &places[..len & 63] {
            let place = usize::from(place) % TOWERS;
            let walker = &self.walkers[place];
            let cell = Cells(walker.here).first();
            self.ends_without[place] = match cell.filter(|&cell| cell != from) {
                Some(cell) => self.routes.walks_of(cell.index(), walker.steps).ends,
                None => 0,
            };
        }
    }
}

/// What some towers can do behind a move to a square, but for the one that
/// stood there.
fn activity(walkers: &[Walker], ends: &[u64], to: Cell, next: &Hokito) -> Activity {
    let (stacks, singles) = (next.stacks().0, (next.occupied() - next.stacks()).0);
    let mut activity = Activity::default();
    for (walker, ends) in walkers.iter().zip(ends) {
        // No branches here either.
        let alike = singles ^ (singles ^ stacks) & walker.if_stack;
        let is_left = (walker.here >> to.index() & 1).wrapping_sub(1);
        let targets = Cells(ends & alike & is_left);
        activity.reach |= Cells(targets.0 & walker.if_stack);
        activity.movable += i32::from(!targets.is_empty());
        activity.moves += targets.len() as i32;
    }
    activity
}
