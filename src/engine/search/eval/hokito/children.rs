//! The values of the positions after the moves of one position.
//!
//! A move takes one tower off its square and puts it onto another. Most walks never
//! visit the square that it leaves, and these are the same as before. What stands on
//! the other square changes no walks, only which towers can land there.

use super::activity::{Abilities, Activity, Landings, Pile};
use super::classes::{Columns, Kind};
use super::tables::{AtPly, Line, Partner, row_offset};
use crate::game::{Cell, Cells, Game, Hokito, HokitoMove};
use crate::search::hokito_walks::{EAST, LinkedTowers, NORTH, SOUTH, WEST};

const TOWERS: usize = 36;

pub(super) struct Children<'a> {
    position: &'a Hokito,
    weights: &'a AtPly,
    linked: LinkedTowers,
    sides: [Cells; 2],
    /// The place of each square's tower in lists: those of the side to move come first.
    places: [u8; 64],
    whole: Towers,
    /// The square of the lifted tower, the one that moves; the next fields say what the
    /// others can do without it.
    lifted: Option<Cell>,
    rest: Towers,
    landings: [Landings; 2],
    /// The [`row_offset`] that each square's tower has after a move, or 0.
    rows: [u16; 64],
    partners: [Partner; 64],
    /// The weight of all pairs and triples.
    together: i32,
    /// The same without the lifted tower, less what its row adds to the weight of all towers.
    rest_together: i32,
}

#[derive(Clone, Copy)]
struct Towers {
    targets: [Cells; TOWERS],
    abilities: Abilities,
}

impl<'a> Children<'a> {
    pub(super) fn of(position: &'a Hokito, weights: &'a AtPly) -> Self {
        let me = position.side();
        let sides = [me, me.other()].map(|side| position.topped_by(side));
        let whole = Towers {
            targets: [Cells::EMPTY; TOWERS],
            abilities: Abilities::default(),
        };
        let mut children = Self {
            position,
            weights,
            linked: LinkedTowers::of(position.occupied().0),
            sides,
            places: [0; 64],
            whole,
            lifted: None,
            rest: whole,
            landings: [Landings::default(); 2],
            rows: [0; 64],
            partners: [Partner::NOBODY; 64],
            together: 0,
            rest_together: 0,
        };
        let towers = sides.into_iter().flatten().take(TOWERS);
        for (place, cell) in towers.enumerate() {
            children.places[cell.index()] = place as u8;
            let kind = children.child_kind(cell);
            children.rows[cell.index()] = row_offset(kind);
            children.partners[cell.index()] = Partner::of(kind);
        }
        children.together = together(position, weights, &children.linked, &children.partners);
        let (all, values) = (position.occupied(), position.value_planes());
        let Self {
            linked,
            whole,
            places,
            ..
        } = &mut children;
        linked.each_walk(all.0, values, |cell, walks| {
            let cell = Cell::from_index(cell);
            let targets = Cells(walks.ends) & position.landable(cell);
            whole.targets[place_in(places, cell)] = targets;
            let side = usize::from(sides[1].has(cell));
            whole.abilities.add(cell, side, targets, sides);
        });
        children
    }

    /// The kind of a tower that stays where it is after a move, when the other side is
    /// to move.
    fn child_kind(&self, cell: Cell) -> Kind {
        Kind::of(self.position, cell, self.sides[1].has(cell))
    }

    /// The towers on either side of one, in its rank and in its file.
    fn lines_of(&self, cell: Cell) -> [Line; 2] {
        let [west, east, south, north] = self.linked.neighbours(cell.index());
        let beyond = |cell: usize, direction: usize| self.linked.neighbours(cell)[direction];
        let line = |cells: [usize; 4]| Line(cells.map(|cell| self.partners[cell & 63]));
        [
            line([beyond(west, WEST), west, east, beyond(east, EAST)]),
            line([beyond(south, SOUTH), south, north, beyond(north, NORTH)]),
        ]
    }

    /// The weight of the position after a move, in thousandths of a logit.
    pub(super) fn child_weight(&mut self, mv: HokitoMove) -> i32 {
        let activity = self.child_activity(mv);
        let columns = Columns::of(&activity);
        let (weights, to) = (self.weights, mv.to());
        let pile = Kind {
            is_own: false,
            value: self.position.value(mv.from()),
            height: self.position.height(mv.from()) + self.position.height(to),
        };
        // The tower that is moved onto no longer counts.
        let (base, column) = (self.rows[to.index()], columns.at(to));
        let (before, pile_as_partner) = (self.partners[to.index()], Partner::of(pile));
        let mut together = self.rest_together;
        for line in self.lines_of(to) {
            together += weights.amid(pile_as_partner, line) - weights.amid(before, line);
        }
        weights.towers(&self.rows, &columns) - weights.tower(base, column)
            + weights.tower(row_offset(pile), column)
            + together
            + weights.rest(&activity)
    }

    fn child_activity(&mut self, mv: HokitoMove) -> Activity {
        if self.lifted != Some(mv.from()) {
            self.lift(mv.from());
        }
        let (position, to, square) = (self.position, mv.to(), Cells::of(mv.to()));
        let left = Cells::of(mv.from());
        let sides = self.sides.map(|side| side - left);
        let ends = self.linked.ends(to.index()).map(Cells);
        // A walk backwards is a walk, so the towers that get there are found from there.
        let [low, high] = position.value_planes().map(Cells);
        let arrivers = ends[0] & (low - high) | ends[1] & (high - low) | ends[2] & low & high;
        let arrivers = arrivers & (position.occupied() - left);
        let stacks = position.stacks() - left;
        let step = usize::from(position.value(mv.from()).clamp(1, 3)) - 1;
        let pile = Pile {
            square,
            targets: ends[step] & stacks,
            base_is_own: sides[0].has(to),
            base_targets: self.rest.targets[place_in(&self.places, to)],
            losers: arrivers & position.landable(to),
            takers: arrivers & stacks,
        };
        self.rest.abilities.after(&pile, self.landings, sides)
    }

    /// Takes a tower off the board, and puts back the one that was lifted before. It is not
    /// inlined, because most moves have the same tower as the one before.
    #[inline(never)]
    fn lift(&mut self, from: Cell) {
        if let Some(before) = self.lifted.replace(from) {
            self.linked.put_back(before.index());
        }
        let (position, left) = (self.position, Cells::of(from));
        let values = position.value_planes();
        let [one, two, three] = self.linked.ends(from.index());
        // The towers whose walks visit the square, at their end or before.
        let visitors = Cells(one | two & values[1] | three & values[0] & values[1]);
        let visitors = visitors & position.occupied();
        let (weights, lifted) = (self.weights, self.partners[from.index()]);
        // Its square has no column then.
        self.rest_together = self.together - weights.tower(self.rows[from.index()], 0);
        for line in self.lines_of(from) {
            self.rest_together += weights.closed(line) - weights.amid(lifted, line);
        }
        self.linked.lift(from.index());
        self.rest = self.whole;
        let Self {
            linked,
            rest,
            places,
            sides,
            ..
        } = self;
        rest.abilities.remove(visitors | left);
        let before = std::mem::take(&mut rest.targets[place_in(places, from)]);
        rest.abilities.remove_moves(0, before);
        let sides = sides.map(|side| side - left);
        linked.each_walk(visitors.0, values, |cell, walks| {
            let cell = Cell::from_index(cell);
            let targets = Cells(walks.ends) & (position.landable(cell) - left);
            let place = place_in(places, cell);
            let before = std::mem::replace(&mut rest.targets[place], targets);
            let side = usize::from(sides[1].has(cell));
            rest.abilities.remove_moves(side, before);
            rest.abilities.add(cell, side, targets, sides);
        });
        let [own, others] = self.sides.map(|side| side.len() as usize);
        let (mine, theirs) = self.rest.targets.split_at(own);
        self.landings = [mine, &theirs[..others]].map(|targets| {
            let mut landings = Landings::default();
            targets.iter().for_each(|&targets| landings.add(targets));
            landings
        });
    }
}

/// The weight of all pairs and triples. Each pair is counted at its second tower, each
/// triple at its middle.
pub(super) fn together(
    position: &Hokito,
    weights: &AtPly,
    linked: &LinkedTowers,
    partners: &[Partner; 64],
) -> i32 {
    let of_cell = |cell: Cell| {
        let neighbours = linked.neighbours(cell.index());
        let [west, east, south, north] = neighbours.map(|cell| partners[cell & 63]);
        let partner = partners[cell.index()];
        weights.pair(partner, west)
            + weights.pair(partner, south)
            + weights.triple(partner, [west, east])
            + weights.triple(partner, [south, north])
    };
    position.occupied().into_iter().map(of_cell).sum()
}

fn place_in(places: &[u8; 64], cell: Cell) -> usize {
    usize::from(places[cell.index()]) % TOWERS
}
