//! What towers can do, as sets of squares.
//!
//! Numbers are kept as sets, too: the squares with at least one, with at least two and
//! so on, so that all bits of a word are counted at once.

use crate::game::{Cell, Cells, Game, Hokito};
use crate::search::hokito_walks::LinkedTowers;

/// Squares by how many towers can land on them: at least one, and at least two.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Landings([Cells; 2]);

impl Landings {
    pub(super) fn add(&mut self, targets: Cells) {
        let [one, two] = self.0;
        self.0 = [one | targets, two | one & targets];
    }

    /// The squares that can still be landed on without one tower, which could land
    /// on `targets`.
    fn without(self, targets: Cells) -> Cells {
        let [one, two] = self.0;
        (one - targets) | two
    }
}

/// Towers by how many squares of some kind they can land on: at least one, two and
/// three.
#[derive(Clone, Copy, Default, Debug)]
struct Targets([Cells; 3]);

impl Targets {
    fn add(&mut self, cell: Cell, targets: Cells) {
        // No branches here: they would be unpredictable.
        for (less, cells) in (0..).zip(&mut self.0) {
            *cells |= Cells::of(cell).only_if(targets.len() > less);
        }
    }

    fn remove(&mut self, towers: Cells) {
        self.0 = self.0.map(|cells| cells - towers);
    }

    /// The towers with at least one and with at least two targets, after `losers` have
    /// lost one and `takers` have then gained one.
    fn changed(self, losers: Cells, takers: Cells) -> [Cells; 2] {
        let [one, two, three] = self.0;
        let [one, two] = [one - (losers - two), two - (losers - three)];
        [one | takers, two | one & takers]
    }
}

/// What each tower can do; the order of the sides is the caller's.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Abilities {
    all: Targets,
    opponents: Targets,
    /// Number of moves of each side, as if it were to move.
    moves: [i32; 2],
}

/// A pile that the first side has put onto a square.
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
    /// The towers that can land on the pile.
    pub takers: Cells,
}

impl Abilities {
    /// Adds a tower. It is not inlined, because the loops that call it need the registers.
    #[inline(never)]
    pub(super) fn add(&mut self, cell: Cell, side: usize, targets: Cells, sides: [Cells; 2]) {
        self.all.add(cell, targets);
        self.opponents.add(cell, targets - sides[side]);
        self.moves[side] += targets.len() as i32;
    }

    /// Removes towers, but not their moves.
    pub(super) fn remove(&mut self, towers: Cells) {
        self.all.remove(towers);
        self.opponents.remove(towers);
    }

    pub(super) fn remove_moves(&mut self, side: usize, targets: Cells) {
        self.moves[side] -= targets.len() as i32;
    }

    /// What all towers can do once a pile stands on its square, with the second side
    /// to move.
    #[inline]
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
    /// Squares that each side can land on. Singles go onto singles and stacks onto
    /// stacks.
    pub reached: [Cells; 2],
    /// Towers that can land on at least one square, and on at least two.
    pub all: [Cells; 2],
    /// Towers that can land on at least one of their opponent's, and on at least two.
    pub opponents: [Cells; 2],
    /// Number of towers of each side that can move.
    pub movable: [i32; 2],
    /// Number of moves of each side.
    pub moves: [i32; 2],
}

impl Activity {
    pub(super) fn of(position: &Hokito, linked: &LinkedTowers) -> Self {
        let me = position.side();
        let sides = [me, me.other()].map(|side| position.topped_by(side));
        let (mut abilities, mut reached) = (Abilities::default(), [Cells::EMPTY; 2]);
        linked.each_walk(
            position.occupied().0,
            position.value_planes(),
            |cell, walks| {
                let cell = Cell::from_index(cell);
                let targets = Cells(walks.ends) & position.landable(cell);
                let side = usize::from(sides[1].has(cell));
                abilities.add(cell, side, targets, sides);
                reached[side] |= targets;
            },
        );
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
