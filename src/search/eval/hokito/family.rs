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
    cell: Cell,
    steps: u8,
    /// The squares that its walks visit, and its own.
    touched: Cells,
}

/// Where the walks of each tower end, whatever stands there.
type Ends = [u64; TOWERS];

/// The towers of a position and their walks.
pub(super) struct Family<'a> {
    position: &'a Hokito,
    routes: Routes,
    /// The singles of the side to move, its stacks, and those of the other
    /// side.
    walkers: ArrayVec<Walker, TOWERS>,
    /// Where the first three of these kinds end.
    borders: [usize; 3],
    /// The place of each square's tower.
    places: [u8; 64],
    ends: Ends,
    /// The square of the tower that is lifted, as the one that moves.
    lifted: Option<Cell>,
    /// The same without that tower; of itself none.
    ends_without: Ends,
}

impl<'a> Family<'a> {
    pub(super) fn of(position: &'a Hokito) -> Self {
        let mut family = Self {
            position,
            routes: Routes::of(position.occupied().0),
            walkers: ArrayVec::new(),
            borders: [0; 3],
            places: [0; 64],
            ends: [0; TOWERS],
            lifted: None,
            ends_without: [0; TOWERS],
        };
        let own = position.topped_by(position.side());
        let (others, stacks) = (position.occupied() - own, position.stacks());
        let kinds = [own - stacks, own & stacks, others - stacks, others & stacks];
        for (kind, towers) in kinds.into_iter().enumerate() {
            for cell in towers {
                let (place, steps) = (family.walkers.len(), position.value(cell));
                let walks = family.routes.walks_of(cell.index(), steps);
                family.ends[place % TOWERS] = walks.ends;
                family.places[cell.index()] = place as u8;
                family.walkers.push(Walker {
                    cell,
                    steps,
                    touched: Cells(walks.passed) | Cells::of(cell),
                });
            }
            if let Some(border) = family.borders.get_mut(kind) {
                *border = family.walkers.len();
            }
        }
        family
    }

    /// What the towers of the side to move and of the other can do behind a
    /// move.
    pub(super) fn after(&mut self, mv: HokitoMove, next: &Hokito) -> [Activity; 2] {
        self.lift(mv.from());
        let to = mv.to().index();
        let (stacks, singles) = (next.stacks(), next.occupied() - next.stacks());
        // The tower moved onto is no more.
        let base = usize::from(self.places[to & 63]) % TOWERS;
        let ends = std::mem::take(&mut self.ends_without[base]);
        let [one, two, three] = self.borders;
        let all = &self.ends_without[..self.walkers.len()];
        let mut mine = activity(&all[..one], singles, &all[one..two], stacks);
        let theirs = activity(&all[two..three], singles, &all[three..], stacks);
        self.ends_without[base] = ends;
        let steps = self.position.value(mv.from());
        mine.add(Cells(self.routes.walks_of(to, steps).ends) & stacks, true);
        [theirs, mine]
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
        let (mut touched, mut len) = ([0u8; 64], 0);
        for (place, walker) in self.walkers.iter().enumerate() {
            touched[len & 63] = place as u8;
            len += usize::from(walker.touched.has(from));
        }
        for &place in &touched[..len & 63] {
            let place = usize::from(place) % TOWERS;
            let walker = &self.walkers[place];
            self.ends_without[place] = if walker.cell == from {
                0
            } else {
                self.routes.walks_of(walker.cell.index(), walker.steps).ends
            };
        }
    }
}

/// What singles and stacks can do whose walks end there, with so many singles
/// and stacks on the board.
fn activity(of_singles: &[u64], singles: Cells, of_stacks: &[u64], stacks: Cells) -> Activity {
    let mut activity = Activity::default();
    for &ends in of_singles {
        activity.add(Cells(ends) & singles, false);
    }
    for &ends in of_stacks {
        activity.add(Cells(ends) & stacks, true);
    }
    activity
}
