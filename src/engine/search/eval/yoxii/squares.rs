//! Classes of open squares, for learned weights.
//!
//! An open square's class consists of its distance to the totem (0 to 3, more counts as
//! 3) and whether it is at the edge of the board; the numbers of ways in which the side
//! to move and the other side could move the totem from there (0 to 3 each, more counts
//! as 3); the number of open squares next to it (0 to 3, more counts as 3); and the
//! *balance*, by how much the values next to it favour the side to move (clamped to -6
//! to 6). Distance and edge are its *zone*; the rest, which does not depend on the totem,
//! is its *kind*.

use super::bytes::{Bytes, place};
use super::counts::Counts;
use super::pieces::PieceTerms;
use crate::game::{Cell, Cells, Game, Side, Yoxii};

const DISTANCES: usize = 4;
const ZONES: usize = 2 * DISTANCES;
/// The greatest balance, of either sign, that is told from greater ones.
const MAX_BALANCE: u8 = 6;
const STEPS: usize = 2 * MAX_BALANCE as usize + 1;
/// Number of kinds of squares without their balance, and with it.
const RESTS: usize = 4 * 4 * 4;
const KINDS: usize = RESTS * STEPS;
/// Number of classes: a class is its zone times [`KINDS`] and its kind.
pub(super) const CLASSES: usize = ZONES * KINDS;

/// The weights of all classes at one ply, by zone and [`index`]. The balance is not in
/// steps here, so that the weights for all values that a piece next to the square might
/// have lie side by side.
#[derive(Clone, Debug)]
pub(super) struct ClassWeights([[i16; RESTS * BALANCES]; ZONES]);

/// The greatest balance with weights of its own: an opposing piece, of value 4 at most, may
/// bring it down to [`MAX_BALANCE`].
const MAX_KEPT_BALANCE: u8 = MAX_BALANCE + 4;
const BALANCES: usize = 2 * MAX_KEPT_BALANCE as usize + 1;

impl ClassWeights {
    pub(super) fn new(weight: impl Fn(usize) -> i16) -> Self {
        Self(std::array::from_fn(|zone| {
            let mut weights = [0; RESTS * BALANCES];
            for (rest, weights) in weights.chunks_exact_mut(BALANCES).enumerate() {
                let first = zone * KINDS + rest * STEPS;
                let by_step: [i16; STEPS] = std::array::from_fn(|step| weight(first + step));
                for (balance, weight) in (-i32::from(MAX_KEPT_BALANCE)..).zip(weights) {
                    *weight = by_step[step(balance)];
                }
            }
            weights
        }))
    }

    fn at(&self, zone: u8, index: u16) -> i32 {
        i32::from(self.0[usize::from(zone) % ZONES][usize::from(index)])
    }

    /// The weights with an opposing piece of value 1 to 4 next to the square, which is
    /// not counted in `index`.
    #[expect(clippy::expect_used, reason = "an index is 4 or more")]
    fn beside(&self, zone: u8, index: u16) -> [i32; 4] {
        let (before, _) = self.0[usize::from(zone) % ZONES].split_at(usize::from(index));
        let by_value: &[i16; 4] = before.last_chunk().expect("an index is 4 or more");
        let [four, three, two, one] = by_value.map(i32::from);
        [one, two, three, four]
    }
}

/// The balance of each square plus [`MIDDLE`], with `me` as the side to move.
fn balances(position: &Yoxii, me: Side) -> [u8; 64] {
    let [mine, theirs] = [me, me.other()].map(|side| position.pieces(side).0);
    let [low, high] = position.value_planes();
    // Each square's share plus 4: 0 to 3 for an opposing 4 to 1, 4 for none, 5 to 8
    // for an own 1 to 4.
    let four = mine & low & high;
    let shares = [
        (mine | theirs) & !low,
        mine & (low ^ high) | theirs & !high,
        !(theirs | four),
        four,
    ];
    Bytes::of(shares).sums_of_three_by_three().all()
}

/// What [`balances`] returns for a balance of 0.
const MIDDLE: u8 = 9 * 4;

/// Balances clamped to -[`MAX_BALANCE`] to [`MAX_KEPT_BALANCE`], plus [`MAX_KEPT_BALANCE`].
fn clamped(balances: [u8; 64]) -> [u8; 64] {
    let (least, most) = (MIDDLE - MAX_BALANCE, MIDDLE + MAX_KEPT_BALANCE);
    balances.map(|balance| balance.clamp(least, most) - (MIDDLE - MAX_KEPT_BALANCE))
}

fn index(rest: u8, clamped: u8) -> u16 {
    u16::from(rest) * BALANCES as u16 + u16::from(clamped)
}

/// The step of a balance: [`MAX_BALANCE`] for a balance of 0.
fn step(balance: i32) -> usize {
    let most = i32::from(MAX_BALANCE);
    (balance.clamp(-most, most) + most) as usize
}

/// What an open square's kind depends on besides its balance, as bit planes, the
/// highest first.
#[derive(Clone, Copy)]
struct Planes([u64; 6]);

impl Planes {
    /// `ways` are those of the side to move and of the other.
    fn of(ways: [Counts; 2], beside: Counts) -> Self {
        let [mine, theirs] = [ways[0].up_to_three(), ways[1].up_to_three()];
        let beside = beside.up_to_three();
        Self([mine[1], mine[0], theirs[1], theirs[0], beside[1], beside[0]])
    }

    #[inline]
    fn rests(self) -> [u8; 64] {
        let [a, b, c, d, e, f] = self.0;
        Bytes::of([f, e, d, c, b, a]).all()
    }

    #[inline]
    fn changed(self, other: Self) -> Cells {
        let pairs = self.0.into_iter().zip(other.0);
        Cells(pairs.fold(0, |all, (one, two)| all | (one ^ two)))
    }
}

static ZONE_OF: [[u8; 64]; 64] = {
    let mut zones = [[0; 64]; 64];
    let mut cell = 0usize;
    while cell < 64 * 64 {
        let (one, two) = (cell / 64, cell % 64);
        let (files, ranks) = ((one % 8).abs_diff(two % 8), (one / 8).abs_diff(two / 8));
        let most = if files > ranks { files } else { ranks };
        let distance = if most > 3 { 3 } else { most };
        let is_at_edge = Yoxii::near(Cell::from_index(two)).len() < 8;
        zones[one][two] = (distance + if is_at_edge { DISTANCES } else { 0 }) as u8;
        cell += 1;
    }
    zones
};

fn zone(totem: Cell, cell: Cell) -> u8 {
    ZONE_OF[totem.index()][cell.index()]
}

pub(super) fn classes(
    position: &Yoxii,
    piece_terms: &PieceTerms,
) -> impl Iterator<Item = (Cell, usize)> {
    let totem = position.totem();
    let rests = Planes::of(piece_terms.ways, piece_terms.beside).rests();
    let balances = balances(position, position.side());
    piece_terms.open.into_iter().map(move |cell| {
        let balance = i32::from(balances[place(cell)]) - i32::from(MIDDLE);
        let kind = usize::from(rests[place(cell)]) * STEPS + step(balance);
        (cell, usize::from(zone(totem, cell)) * KINDS + kind)
    })
}

pub(super) fn name(class: usize) -> String {
    let (zone, kind) = (class / KINDS, class % KINDS);
    let (rest, step) = (kind / STEPS, kind % STEPS);
    let many = |count: usize| ["0", "1", "2", "3+"][count & 3];
    let edge = ["", " at the edge"][zone / DISTANCES % 2];
    let balance = step as i32 - i32::from(MAX_BALANCE);
    let beyond = match step {
        0 => " or less",
        step if step + 1 == STEPS => " or more",
        _ => "",
    };
    format!(
        "open square{edge} {} from the totem, {} ways for me, {} for the other, balance {balance}{beyond}, {} open beside",
        many(zone % DISTANCES),
        many(rest >> 4),
        many(rest >> 2),
        many(rest),
    )
}

/// The kinds of a position's open squares, wherever the totem stands, from the view of
/// the side to move or of the other.
pub(super) struct Kinds<'a> {
    table: &'a ClassWeights,
    open: Cells,
    planes: Planes,
    indices: [u16; 64],
    balances: [u8; 64],
}

impl<'a> Kinds<'a> {
    pub(super) fn of(position: &Yoxii, piece_terms: &PieceTerms, table: &'a ClassWeights) -> Self {
        let planes = Planes::of(piece_terms.ways, piece_terms.beside);
        Self::with(position, position.side(), piece_terms.open, planes, table)
    }

    /// The kinds from the view of the other side, which moves next.
    pub(super) fn of_next(position: &Yoxii, table: &'a ClassWeights) -> Self {
        let (me, open) = (position.side().other(), Yoxii::BOARD - position.occupied());
        let ways = |side| Counts::of_ways(position.pieces(side), open);
        let planes = Planes::of([ways(me), ways(me.other())], Counts::beside(open));
        Self::with(position, me, open, planes, table)
    }

    fn with(
        position: &Yoxii,
        me: Side,
        open: Cells,
        planes: Planes,
        table: &'a ClassWeights,
    ) -> Self {
        let (rests, balances) = (planes.rests(), clamped(balances(position, me)));
        Self {
            table,
            open,
            planes,
            indices: std::array::from_fn(|place| index(rests[place], balances[place])),
            balances,
        }
    }

    /// The sum of the weights with the totem on a square.
    #[inline]
    pub(super) fn sum(&self, totem: Cell) -> i32 {
        let weight = |cell: Cell| {
            let index = self.indices[place(cell)];
            self.table.at(zone(totem, cell), index)
        };
        self.open.into_iter().map(weight).sum()
    }

    /// The index of an open square's weights after changes, without the value of the
    /// piece.
    fn child_index(&self, cell: Cell, changes: &Changes) -> u16 {
        let place = place(cell);
        index(changes.rests[place], self.balances[place])
    }

    /// What a piece of the opponent on a square changes; `piece_terms` are those with it.
    #[inline]
    pub(super) fn with_piece(&self, piece: Cell, piece_terms: &PieceTerms) -> Changes {
        let planes = Planes::of(piece_terms.ways, piece_terms.beside);
        let near = Yoxii::near(piece) & piece_terms.open;
        Changes {
            piece,
            near,
            apart: (self.planes.changed(planes) & piece_terms.open) - near,
            rests: planes.rests(),
        }
    }

    /// By how much the sum differs after such changes, for each value that the piece
    /// might have.
    pub(super) fn difference(&self, totem: Cell, changes: &Changes) -> [i32; 4] {
        let old = |cell: Cell| self.table.at(zone(totem, cell), self.indices[place(cell)]);
        let mut all = -old(changes.piece);
        for cell in changes.apart {
            let new = self.child_index(cell, changes);
            all += self.table.at(zone(totem, cell), new) - old(cell);
        }
        let mut sums = [0; 4];
        for cell in changes.near {
            all -= old(cell);
            let new = self.child_index(cell, changes);
            let weights = self.table.beside(zone(totem, cell), new);
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += weight;
            }
        }
        sums.map(|sum| sum + all)
    }
}

/// What a piece changes about the kinds of open squares.
pub(super) struct Changes {
    piece: Cell,
    near: Cells,
    apart: Cells,
    /// What the kinds of squares then depend on besides their balance, by [`place`].
    rests: [u8; 64],
}
