//! What towers can do, as sets of squares.
//!
//! How many of something there are is kept as sets too, those with one at least,
//! with two and so on: bits of a word are counted side by side.

use crate::game::{Cell, Cells, Game, Hokito};

/// Squares by how many towers can land on them: one at least, and two.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Landings([Cells; 2]);

impl Landings {
    pub(super) fn add(&mut self, targets: Cells) {
        let [one, two] = self.0;
        self.0 = [one | targets, two | one & targets];
    }

    /// The squares that are left when one tower is gone.
    fn without(self, targets: Cells) -> Cells {
        let [one, two] = self.0;
        (one - targets) | two
    }
}

/// Towers by how many squares of some kind they can land on: one at least, two,
/// three.
#[derive(Clone, Copy, Default, Debug)]
struct Targets([Cells; 3]);

impl Targets {
    fn add(&mut self, cell: Cell, targets: Cells) {
        let mut left = targets.0;
        // No branches here: they would be taken at random.
        for cells in &mut self.0 {
            *cells |= Cells(u64::from(left != 0) << cell.index());
            left &= left.wrapping_sub(1);
        }
    }

    fn remove(&mut self, towers: Cells) {
        self.0 = self.0.map(|cells| cells - towers);
    }

    /// Those with one at least and with two, once some have one less, and then some
    /// one more.
    fn changed(self, losers: Cells, takers: Cells) -> [Cells; 2] {
        let [one, two, three] = self.0;
        let [one, two] = [one - (losers - two), two - (losers - three)];
        [one | takers, two | one & takers]
    }
}

/// What each tower can do, for sides in some order.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Abilities {
    all: Targets,
    opponents: Targets,
    /// Moves of a side, as if it were its turn.
    moves: [i32; 2],
}

/// A pile put onto a square by the first side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pile {
    pub square: Cells,
    pub targets: Cells,
    /// Whether the tower that stood there was the first side's, too.
    pub base_is_own: bool,
    /// What that tower could land on.
    pub base_targets: Cells,
    /// The towers that could land on it.
    pub losers: Cells,
    /// Those that can land on the pile.
    pub takers: Cells,
}

impl Abilities {
    pub(super) fn add(&mut self, cell: Cell, side: usize, targets: Cells, sides: [Cells; 2]) {
        self.all.add(cell, targets);
        self.opponents.add(cell, targets - sides[side]);
        self.moves[side] += targets.len() as i32;
    }

    /// Takes towers out, but for their moves.
    pub(super) fn remove(&mut self, towers: Cells) {
        self.all.remove(towers);
        self.opponents.remove(towers);
    }

    pub(super) fn remove_moves(&mut self, side: usize, targets: Cells) {
        self.moves[side] -= targets.len() as i32;
    }

    /// What all can do once a pile stands on a square, for the second side as the
    /// one to move.
    pub(super) fn after(
        &self,
        pile: &Pile,
        [of_own, of_others]: [Landings; 2],
        [own, others]: [Cells; 2],
    ) -> Activity {
        let Pile {
            square,
            targets,
            base_is_own,
            base_targets,
            losers,
            takers,
        } = *pile;
        let of_base = |is_base| base_targets.only_if(is_base);
        let reached = |landings: Landings, base: Cells, side: Cells| {
            (landings.without(base) - square) | square.only_if(takers.meets(side))
        };
        let reached_by_own = reached(of_own, of_base(base_is_own), own) | targets;
        let reached_by_others = reached(of_others, of_base(!base_is_own), others);
        // What the pile itself can do takes the place of what its base could.
        let with_pile = |[one, two]: [Cells; 2], targets: Cells| {
            let is_more_than_one = targets.0 & targets.0.wrapping_sub(1) != 0;
            [
                (one - square) | square.only_if(!targets.is_empty()),
                (two - square) | square.only_if(is_more_than_one),
            ]
        };
        let all = with_pile(self.all.changed(losers, takers), targets);
        let losers_of_opponent = losers & (own.only_if(!base_is_own) | others.only_if(base_is_own));
        let opponents = self.opponents.changed(losers_of_opponent, takers & others);
        let opponents = with_pile(opponents, targets & others);
        let base_moves = |is_base| of_base(is_base).len() as i32;
        let moves_more = |side: Cells| (takers & side).len() as i32 - (losers & side).len() as i32;
        let [own_moves, others_moves] = self.moves;
        let own_moves =
            own_moves + moves_more(own) + targets.len() as i32 - base_moves(base_is_own);
        let others_moves = others_moves + moves_more(others) - base_moves(!base_is_own);
        let movable = [others - square, own | square].map(|side| (all[0] & side).len() as i32);
        Activity {
            reached: [reached_by_others, reached_by_own],
            all,
            opponents,
            movable,
            moves: [others_moves, own_moves],
        }
    }
}

/// What the towers of a position can do, for the side to move and for the other.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Activity {
    /// Squares that a side can land on. Singles go onto singles and stacks onto
    /// stacks.
    pub reached: [Cells; 2],
    /// Towers that can land on one square at least, and on two.
    pub all: [Cells; 2],
    /// Towers that can land on one of their opponent's, and on two.
    pub opponents: [Cells; 2],
    /// Towers of a side that can move.
    pub movable: [i32; 2],
    /// Moves of a side.
    pub moves: [i32; 2],
}

impl Activity {
    pub(super) fn of(position: &Hokito) -> Self {
        let me = position.side();
        let sides = [me, me.other()].map(|side| position.topped_by(side));
        let reach = position.reaches(position.occupied());
        let (mut abilities, mut reached) = (Abilities::default(), [Cells::EMPTY; 2]);
        for (side, towers) in sides.into_iter().enumerate() {
            for cell in towers {
                let targets = reach(cell);
                abilities.add(cell, side, targets, sides);
                reached[side] |= targets;
            }
        }
        let [one, two, _] = abilities.all.0;
        let [opponents, opponents_two, _] = abilities.opponents.0;
        Self {
            reached,
            all: [one, two],
            opponents: [opponents, opponents_two],
            movable: sides.map(|side| (one & side).len() as i32),
            moves: abilities.moves,
        }
    }
}
