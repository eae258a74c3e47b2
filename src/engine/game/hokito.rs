//! Hokito: 36 pawns on a board of 6 by 6 that pile up into stacks.

mod fen;
mod links;
mod mv;

use super::error::HOKITO_SIDES;
use super::{
    Cell, Cells, Game, Glyph, Layout, MoveList, Phrase, PositionError, Rng, Show, Side, Standing,
    zobrist,
};
use crate::text::number_of;
use links::{Links, next_occupied};
pub use mv::HokitoMove;

/// Pawns of each value that a side has.
const PAWNS_OF_A_VALUE: u32 = 6;
const BOARD: Cells = Cells(0x3f3f_3f3f_3f3f);
const START: &str = "b1,b2,b3,b1,b2,b3/b2,b3,b1,b2,b3,b1/b3,b1,b2,b3,b1,b2/\
                     w2,w1,w3,w2,w1,w3/w1,w3,w2,w1,w3,w2/w3,w2,w1,w3,w2,w1 b";

/// Keys of top pawns by side, value - 1 and cell.
static TOP_KEYS: [u64; 6 * 64] = zobrist::keys(4);
/// Keys of heights above 1 by height and cell.
static HEIGHT_KEYS: [u64; 37 * 64] = zobrist::keys(5);
const SIDE_KEY: u64 = zobrist::keys::<1>(6)[0];

/// What stands on an occupied square: a single pawn or a stack, of which only
/// the top pawn and the height matter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tower {
    /// Colour of the top pawn.
    pub side: Side,
    /// Value of the top pawn, 1 to 3.
    pub value: u8,
    /// Number of pawns, 1 to 36.
    pub height: u8,
}

/// A legal Hokito position. `parse` reads and `to_string` writes its text, rank by rank from
/// the top and then the side to move, such as `x6/x6/x6/x6/w1,x5/b1,b1,x4 b`. `protocol.md`
/// has the grammar.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hokito {
    occupied: Cells,
    first: Cells,
    /// Value of the top pawns as two bits, low plane first.
    values: [Cells; 2],
    stacks: Cells,
    key: u64,
    heights: [u8; 48],
    side: Side,
}

const _: () = assert!(size_of::<Hokito>() < 128);

impl Hokito {
    /// Number of pawns of both sides together: no stack is higher.
    pub const PAWNS: u32 = 36;

    /// The position with these towers.
    ///
    /// # Errors
    /// [`PositionError`] if two towers share a square, or the rules allow no such
    /// towers.
    pub fn of(
        towers: impl IntoIterator<Item = (Cell, Tower)>,
        side: Side,
    ) -> Result<Self, PositionError> {
        let mut position = Self::empty();
        let mut total = 0;
        for (at, tower) in towers {
            let cell = at.to_string();
            let is_free = BOARD.has(at) && !position.occupied.has(at);
            if !is_free || !(1..=3).contains(&tower.value) {
                return Err(PositionError::BadCell { cell });
            }
            let found = u32::from(tower.height);
            if !(1..=Self::PAWNS).contains(&found) {
                return Err(PositionError::Height { cell, found });
            }
            total += found;
            position.put(at, tower);
        }
        if total > Self::PAWNS {
            return Err(PositionError::TotalHeight { found: total });
        }
        for side in Side::BOTH {
            for value in 1..=3 {
                let found = (position.topped_by(side) & position.topped_with(value)).len();
                if found > PAWNS_OF_A_VALUE {
                    return Err(PositionError::TooManyTops {
                        side,
                        value,
                        found,
                        at_most: PAWNS_OF_A_VALUE,
                    });
                }
            }
        }
        if side == Side::Second {
            position.pass_turn();
        }
        Ok(position)
    }

    /// Squares with a pawn or a stack.
    pub const fn occupied(&self) -> Cells {
        self.occupied
    }

    /// Squares with a stack.
    pub const fn stacks(&self) -> Cells {
        self.stacks
    }

    /// Squares topped by a side.
    pub fn topped_by(&self, side: Side) -> Cells {
        match side {
            Side::First => self.first,
            Side::Second => self.occupied - self.first,
        }
    }

    /// Squares topped by a pawn of a value, 1 to 3, of either side.
    pub fn topped_with(&self, value: u8) -> Cells {
        let [low, high] = self.values;
        match value {
            1 => low - high,
            2 => high - low,
            _ => low & high,
        }
    }

    /// Value of the top pawn on an occupied square, 1 to 3; 0 on an empty one.
    pub fn value(&self, cell: Cell) -> u8 {
        u8::from(self.values[0].has(cell)) + 2 * u8::from(self.values[1].has(cell))
    }

    /// Number of pawns on a square, 0 to 36.
    pub fn height(&self, cell: Cell) -> u8 {
        self.heights.get(cell.index()).copied().unwrap_or(0)
    }

    /// What stands on a square.
    pub fn tower(&self, cell: Cell) -> Option<Tower> {
        self.occupied.has(cell).then(|| Tower {
            side: Side::BOTH[usize::from(!self.first.has(cell))],
            value: self.value(cell),
            height: self.height(cell),
        })
    }

    /// The points that a side tops: value times height over its squares.
    pub fn score(&self, side: Side) -> i32 {
        let points = |cell| i32::from(self.value(cell)) * i32::from(self.height(cell));
        self.topped_by(side).into_iter().map(points).sum()
    }

    /// Where the tower on an occupied square may land, whosever turn it is.
    pub fn reach(&self, cell: Cell) -> Cells {
        let links = |cell| self.next_to(cell);
        let ends = match self.value(cell) {
            1 => ends_of::<1>(cell, links),
            2 => ends_of::<2>(cell, links),
            _ => ends_of::<3>(cell, links),
        };
        ends & self.landable(cell)
    }

    /// Like [`Hokito::reach`], but computed for all of `towers` at once; other
    /// towers reach nothing.
    pub fn reaches(&self, towers: Cells) -> impl Fn(Cell) -> Cells {
        let links = Links::of(self.occupied);
        let links = |cell| links.next_to(cell);
        let mut ends = [Cells::EMPTY; 64];
        // By value: a branch on the value of each tower would be unpredictable.
        for cell in towers & self.topped_with(1) {
            ends[cell.index()] = ends_of::<1>(cell, links);
        }
        for cell in towers & self.topped_with(2) {
            ends[cell.index()] = ends_of::<2>(cell, links);
        }
        for cell in towers & self.topped_with(3) {
            ends[cell.index()] = ends_of::<3>(cell, links);
        }
        move |cell| ends[cell.index()] & self.landable(cell)
    }

    /// The next occupied squares in the four directions from a square.
    pub fn next_to(&self, cell: Cell) -> Cells {
        next_occupied(self.occupied, cell)
    }

    /// Extends a route by `steps` steps, the last of them to `to`; returns whether
    /// there is a way. If not, the route is as it was.
    fn find_route(&self, steps: u8, to: Cell, route: &mut Vec<Cell>) -> bool {
        let (here, before) = match **route {
            [.., before, here] => (here, Some(before)),
            [here] => (here, None),
            [] => return false,
        };
        if steps == 0 {
            return here == to;
        }
        // A step is a step back if it leads to the square before, and only then.
        let next = self.next_to(here).into_iter();
        for cell in next.filter(|&cell| Some(cell) != before) {
            route.push(cell);
            if self.find_route(steps - 1, to, route) {
                return true;
            }
            route.pop();
        }
        false
    }

    /// What a tower may land on if a walk leads there: stacks for a stack, singles for a single.
    pub(crate) fn landable(&self, cell: Cell) -> Cells {
        match self.stacks.has(cell) {
            true => self.stacks,
            false => self.occupied - self.stacks,
        }
    }

    /// The squares whose values, 1 to 3, have the lower bit set and the higher one; none that is
    /// empty.
    pub(crate) fn value_planes(&self) -> [u64; 2] {
        self.values.map(|plane| plane.0)
    }

    /// The only place that puts a tower on an empty square, and changes the key with it.
    fn put(&mut self, cell: Cell, tower: Tower) {
        let here = Cells::of(cell);
        self.occupied |= here;
        self.first |= here.only_if(tower.side == Side::First);
        self.values[0] |= here.only_if(tower.value & 1 != 0);
        self.values[1] |= here.only_if(tower.value & 2 != 0);
        self.stacks |= here.only_if(tower.height > 1);
        if let Some(height) = self.heights.get_mut(cell.index()) {
            *height = tower.height;
        }
        self.key ^= tower_key(cell, tower);
    }

    /// The only place that moves a tower onto another, and changes the key with it.
    fn pile(&mut self, from: Cell, to: Cell) {
        let (Some(mover), Some(base)) = (self.tower(from), self.tower(to)) else {
            return;
        };
        let (origin, target) = (Cells::of(from), Cells::of(to));
        let carry = |plane: Cells| {
            let moved = Cells(u64::from(plane.has(from)) << to.index());
            (plane - origin - target) | moved
        };
        self.occupied = self.occupied - origin;
        self.first = carry(self.first);
        self.values = self.values.map(carry);
        self.stacks = (self.stacks - origin) | target;
        let height = mover.height + base.height;
        for (cell, height) in [(from, 0), (to, height)] {
            if let Some(place) = self.heights.get_mut(cell.index()) {
                *place = height;
            }
        }
        let pile = Tower { height, ..mover };
        self.key ^= tower_key(from, mover) ^ tower_key(to, base) ^ tower_key(to, pile);
    }

    fn pass_turn(&mut self) {
        self.side = self.side.other();
        self.key ^= SIDE_KEY;
    }

    const fn empty() -> Self {
        Self {
            occupied: Cells::EMPTY,
            first: Cells::EMPTY,
            values: [Cells::EMPTY; 2],
            stacks: Cells::EMPTY,
            key: 0,
            heights: [0; 48],
            side: Side::First,
        }
    }
}

/// Where the walks of `STEPS` steps from a square end. No walk of at most three
/// steps without reversal comes back to its origin, because the relation of next
/// occupied squares has no triangles. So the origin never counts as a step.
fn ends_of<const STEPS: u8>(cell: Cell, links: impl Fn(Cell) -> Cells) -> Cells {
    let from = Cells::of(cell);
    let mut ends = Cells::EMPTY;
    match STEPS {
        1 => ends = links(cell),
        2 => {
            for one in links(cell) {
                ends |= links(one);
            }
        }
        _ => {
            for one in links(cell) {
                for two in links(one) - from {
                    ends |= links(two) - Cells::of(one);
                }
            }
        }
    }
    ends - from
}

const fn tower_key(cell: Cell, tower: Tower) -> u64 {
    // Value - 1, and heights of the board: without a panic for others.
    let kind = tower.side.index() * 3 + (tower.value as usize + 2) % 3;
    let height = if tower.height < 37 { tower.height } else { 36 };
    TOP_KEYS[kind * 64 + cell.index()] ^ HEIGHT_KEYS[height as usize * 64 + cell.index()]
}

impl Game for Hokito {
    type Move = HokitoMove;

    const NAME: &'static str = "hokito";
    const MAX_PLIES: u32 = 35;
    const BOARD: Cells = BOARD;

    #[expect(clippy::expect_used, reason = "the text is fixed")]
    fn start() -> Self {
        START.parse().expect("the start is a legal position")
    }

    fn random_start(layout: Layout, rng: &mut Rng) -> Self {
        let kinds = |side| (0..18u8).map(move |i| (side, i / 6 + 1));
        let mut pawns: Vec<(Side, u8)> = kinds(Side::Second).chain(kinds(Side::First)).collect();
        match layout {
            Layout::Halves => {
                let (white, black) = pawns.split_at_mut(18);
                rng.shuffle(white);
                rng.shuffle(black);
            }
            Layout::Scattered => rng.shuffle(&mut pawns),
        }
        let mut position = Self::empty();
        let height = 1;
        for (cell, (side, value)) in BOARD.into_iter().zip(pawns) {
            let tower = Tower {
                side,
                value,
                height,
            };
            position.put(cell, tower);
        }
        position
    }

    fn side(&self) -> Side {
        self.side
    }

    fn moves(&self) -> MoveList<HokitoMove> {
        let own = self.topped_by(self.side);
        let reach = self.reaches(own);
        let mut moves = MoveList::new();
        for from in own {
            for to in reach(from) {
                moves.push(HokitoMove::new(from, to));
            }
        }
        moves
    }

    fn count_moves(&self) -> u64 {
        let own = self.topped_by(self.side);
        let reach = self.reaches(own);
        let count = |from| u64::from(reach(from).len());
        own.into_iter().map(count).sum()
    }

    #[inline]
    fn has_moves(&self) -> bool {
        let mut own = self.topped_by(self.side).into_iter();
        own.any(|from| !self.reach(from).is_empty())
    }

    fn standing(&self) -> Standing {
        Standing {
            points: Side::BOTH.map(|side| self.score(side)),
            tie_break: [0; 2],
        }
    }

    fn play(&self, mv: HokitoMove) -> Self {
        let mut next = *self;
        next.pile(mv.from(), mv.to());
        // Not with `pass_turn`: copying a byte that was just stored has to wait for it.
        Self {
            side: self.side.other(),
            key: next.key ^ SIDE_KEY,
            ..next
        }
    }

    fn refusal(&self, mv: HokitoMove) -> Option<Phrase> {
        if !self.occupied.has(mv.from()) {
            return Some(Phrase::new(&[
                "nothing-there",
                "there is nothing on the starting square",
            ]));
        }
        if !self.topped_by(self.side).has(mv.from()) {
            return Some(Phrase::new(&[
                "opponent-on-top",
                "the top pawn on the starting square is the opponent's",
            ]));
        }
        if self.reach(mv.from()).has(mv.to()) {
            return None;
        }
        if !self.occupied.has(mv.to()) {
            return Some(Phrase::new(&[
                "end-occupied",
                "a move ends on an occupied square",
            ]));
        }
        if self.stacks.has(mv.from()) != self.stacks.has(mv.to()) {
            return Some(Phrase::new(&[
                "same-kind",
                "a single pawn lands only on a single pawn, a stack only on a stack",
            ]));
        }
        Some(Phrase::new(&[
            "steps",
            "no route of exactly as many steps as the top pawn's value leads there",
        ]))
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn plies_left(&self) -> u32 {
        self.occupied.len().saturating_sub(1)
    }

    fn route(&self, mv: HokitoMove) -> Vec<Cell> {
        let mut route = vec![mv.from()];
        self.find_route(self.value(mv.from()), mv.to(), &mut route);
        route
    }
}

impl Show for Hokito {
    const TITLE: &'static str = "Hokito";
    const SIDE_NAMES: [&'static str; 2] = HOKITO_SIDES;

    fn glyph(&self, cell: Cell) -> Option<Glyph> {
        let tower = self.tower(cell)?;
        Some(Glyph {
            text: tower.to_string(),
            side: Some(tower.side),
            value: tower.value,
            height: Some(tower.height),
        })
    }

    fn captions(&self) -> Vec<String> {
        let caption = |side: Side| {
            let own = self.topped_by(side);
            let (name, score) = (Self::SIDE_NAMES[side.index()], self.score(side));
            let singles = number_of((own - self.stacks).len(), "single");
            let stacks = number_of((own & self.stacks).len(), "stack");
            format!("{name:<5}  score {score:>3}   {singles}, {stacks}")
        };
        Side::BOTH.map(caption).to_vec()
    }
}
