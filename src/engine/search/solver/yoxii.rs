//! Yoxii for the solver.

use super::node::{Expansion, Key, NO_BOUND, Node, PayoffBounds, Solvable, VariantGroup, each};
use crate::game::{Cell, Cells, Game, Side, Yoxii, YoxiiMove};
use crate::search::eval::{Evaluate, Learnable};

const BOARD: u64 = Yoxii::BOARD.0;

/// A Yoxii position from the view of the side to move.
#[derive(Clone, Copy, Debug)]
pub struct YoxiiNode {
    pieces: [u64; 2],
    /// Value - 1 of the pieces as two bits, low plane first.
    values: [u64; 2],
    /// Pieces in reserve by value - 1, one byte each; the mover first.
    reserves: [u32; 2],
    totem: u8,
}

fn near(cell: usize) -> u64 {
    Yoxii::near(Cell::from_index(cell)).0
}

fn around(cells: u64) -> u64 {
    Yoxii::around(Cells(cells)).0
}

/// Where a side with pieces on `own` can move the totem from a cell.
fn ways(from: usize, own: u64, free: u64) -> u64 {
    Yoxii::ways(Cell::from_index(from), Cells(own), Cells(free)).0
}

impl YoxiiNode {
    /// Squares without a piece; the totem's own is among them.
    fn empty(&self) -> u64 {
        BOARD & !(self.pieces[0] | self.pieces[1])
    }

    /// The payoff if the game ended with the totem on a cell.
    fn payoff_at(&self, totem: usize) -> i32 {
        let ring = near(totem);
        let weight = |own: u64| {
            let own = own & ring;
            (Self::POINT + 1) * own.count_ones() as i32
                + Self::POINT * (own & self.values[0]).count_ones() as i32
                + 2 * Self::POINT * (own & self.values[1]).count_ones() as i32
        };
        weight(self.pieces[0]) - weight(self.pieces[1])
    }

    /// Whether the mover has pieces of this value - 1 in reserve.
    fn has(&self, value: usize) -> bool {
        self.reserves[0] >> (8 * value) & 0xff != 0
    }

    /// Value of the best piece in the mover's reserve, 1 to 4.
    fn best_value(&self) -> i32 {
        (32 - self.reserves[0].leading_zeros() as i32 + 7) / 8
    }

    /// The node after a move whose piece counts as one of `value`, while one of `spent` leaves
    /// the reserve; both are less 1.
    fn put(&self, mv: YoxiiMove, value: u32, spent: u32) -> Self {
        let ([own, opp], [low, high]) = (self.pieces, self.values);
        let spot = mv.piece().index();
        let bit = |plane: u32| u64::from(value >> plane & 1) << spot;
        let left = self.reserves[0].wrapping_sub(1 << (8 * spent));
        Self {
            pieces: [opp, own | 1 << spot],
            values: [low | bit(0), high | bit(1)],
            reserves: [self.reserves[1], left],
            totem: mv.totem().index() as u8,
        }
    }
}

impl Node for YoxiiNode {
    type Move = YoxiiMove;
    type State = ();
    const MAX_MARGIN: i32 = 32;
    const TABLE_FROM: u32 = 6;
    const SHARE_FROM: u32 = 13;
    const EAGER_FROM: u32 = 12;
    const GROUP_BITS: u16 = YoxiiMove::SQUARES;
    const POINT: i32 = 32;

    const STRUCTURE: Key = [u64::MAX, u64::MAX >> 8, 0, 0];

    fn state(&self) {}

    /// Two positions that differ only in values can take the same course, and only
    /// the sums around the totem's last square count. A side can copy what it would
    /// do in the other position, with each piece of its reserve in place of one of
    /// the other reserve. So its sum falls short by no more than the values on the
    /// board do, at the square where they fall short most, plus what the reserve
    /// lacks, piece by piece in order of value. The numbers of pieces, which break
    /// ties, are the same.
    fn advantage(one: &Key, other: &Key) -> i32 {
        const CELLS: u64 = u64::MAX >> 8;
        let [own, opp] = [one[0] & CELLS, one[1] & CELLS];
        let reserves = |key: &Key| (key[1] >> 56) | (key[2] >> 56) << 8 | (key[3] >> 56) << 16;
        let (mine, others) = (reserves(one), reserves(other));
        let mut richer = 0;
        if mine != others {
            for side in 0..2 {
                let mut more = 0;
                for value in (1..4).rev() {
                    let count = |reserves: u64| (reserves >> (12 * side + 3 * value) & 7) as i32;
                    more += count(mine) - count(others);
                    richer += if side == 0 { more } else { -more }.max(0);
                }
            }
        }
        // Pieces that are worth more to the mover by the bit of a plane, and less.
        let planes: [[u64; 2]; 2] = std::array::from_fn(|i| {
            let (new, old) = (one[i + 2] & !other[i + 2], other[i + 2] & !one[i + 2]);
            [own & new | opp & old, own & old | opp & new]
        });
        let [[more, less], [much_more, much_less]] = planes;
        let changed = around(more | less | much_more | much_less);
        let empty = BOARD & !(own | opp);
        let mut best = if empty & !changed == 0 { i32::MIN } else { 0 };
        for totem in each(empty & changed) {
            let ring = near(totem);
            let count = |cells: u64| (cells & ring).count_ones() as i32;
            let difference = count(more) - count(less) + 2 * (count(much_more) - count(much_less));
            best = best.max(difference);
        }
        Self::POINT * (richer + best).max(0)
    }

    /// A piece without an empty square beside it never scores again, as empty
    /// squares become fewer and the totem stands on one: its value is left out.
    fn key(&self) -> Key {
        let alive = around(self.empty());
        let [own, opp] = self.reserves.map(|reserve| {
            let few = reserve & 0o7 | reserve >> 5 & 0o70;
            u64::from(few | reserve >> 10 & 0o700 | reserve >> 15 & 0o7000)
        });
        let reserves = own | opp << 12;
        [
            self.pieces[0] | u64::from(self.totem) << 56,
            self.pieces[1] | reserves << 56,
            self.values[0] & alive | reserves >> 8 << 56,
            self.values[1] & alive | reserves >> 16 << 56,
        ]
    }

    fn plies_left(&self) -> u32 {
        self.empty().count_ones() - 1
    }

    /// The totem ends on some empty square whose empty neighbours are filled by
    /// then, and each side has half of the turns.
    fn static_bounds(&self) -> PayoffBounds {
        let empty = self.empty();
        let turns = self.plies_left() as usize;
        let [best, least] = [[4, 3, 2, 1], [1, 2, 3, 4]];
        let [own_best, opp_best] = self.reserves.map(|reserve| sums_of(reserve, best));
        let [own_least, opp_least] = self.reserves.map(|reserve| sums_of(reserve, least));
        let (mut lower, mut upper) = (NO_BOUND, -NO_BOUND);
        for totem in each(empty) {
            let open = (near(totem) & empty).count_ones() as usize;
            let now = self.payoff_at(totem);
            let own = open.min(turns.div_ceil(2)).min(8);
            let opp = open.min(turns / 2).min(8);
            upper = upper.max(now + own_best[own] - opp_least[open - own]);
            lower = lower.min(now - opp_best[opp] + own_least[open - opp]);
        }
        PayoffBounds { lower, upper }
    }

    /// The order of the groups: first those with the fewest replies, and with pieces
    /// on squares that the opponent could go to, or with many empty squares or
    /// opposing pieces beside them. The weights were rounded from a conditional logit
    /// (McFadden 1974) of 6,900 decisions, in each of which the group with the
    /// shortest proof is the right one, then improved one by one by hill climbing.
    fn expand(
        &self,
        goal: i32,
        (): &mut (),
        groups: &mut Vec<VariantGroup<YoxiiMove>>,
    ) -> Expansion {
        let [own, opp] = self.pieces;
        let empty = self.empty();
        let here = usize::from(self.totem);
        let targets = ways(here, own, empty);
        if targets == 0 {
            return Expansion::Decided(self.payoff_at(here));
        }
        let best_value = self.best_value();
        let mut ended = -NO_BOUND;
        for target in each(targets) {
            let free = empty & !(1 << target);
            let ring = near(target) & free;
            let replies = ways(target, opp, free);
            let is_jump = near(here) >> target & 1 == 0;
            let mut squares = 0;
            let mut count = [0i32; 64];
            for reply in each(replies) {
                let next = near(reply) & (free | 1 << target);
                count[reply & 63] = next.count_ones() as i32;
                squares += count[reply & 63];
            }
            let spots = if ring != 0 { ring } else { free };
            for spot in each(spots) {
                let here = 1u64 << spot;
                if replies & !here == 0 {
                    let gain = if ring != 0 {
                        Self::POINT * best_value + 1
                    } else {
                        0
                    };
                    let payoff = self.payoff_at(target) + gain;
                    if payoff >= goal {
                        return Expansion::Decided(payoff);
                    }
                    ended = ended.max(payoff);
                    continue;
                }
                let left = replies & !here;
                let squares =
                    squares - count[spot & 63] - (near(spot) & replies).count_ones() as i32;
                let beside = |cells: u64| (near(spot) & cells).count_ones() as i32;
                let sort_key = squares + 12 * left.count_ones() as i32
                    - 16 * i32::from(left != replies)
                    - 6 * beside(free)
                    - 2 * beside(opp)
                    + 2 * beside(own)
                    - 4 * i32::from(left.is_power_of_two())
                    - 4 * i32::from(is_jump);
                let [totem, piece] = [target, spot].map(Cell::from_index);
                let mv = YoxiiMove::new(totem, piece, best_value as u8);
                groups.push(VariantGroup { sort_key, mv });
            }
        }
        Expansion::Open(ended)
    }

    fn play(&self, mv: YoxiiMove) -> Self {
        let value = u32::from(mv.value() - 1);
        self.put(mv, value, value)
    }

    fn variants(&self, mv: YoxiiMove) -> arrayvec::ArrayVec<YoxiiMove, 4> {
        let (totem, piece) = (mv.totem(), mv.piece());
        // Pieces of value 3 are good enough for most ends, and save the best ones.
        let mut variants = arrayvec::ArrayVec::new();
        for value in [2, 1, 3, 0] {
            if self.has(value) {
                variants.push(YoxiiMove::new(totem, piece, value as u8 + 1));
            }
        }
        variants
    }

    /// By the argument of [`Node::advantage`]: the more valuable of two pieces is on
    /// the board and the other in reserve, or the other way round.
    fn gap(one: YoxiiMove, other: YoxiiMove) -> i32 {
        Self::POINT * (i32::from(one.value()) - i32::from(other.value())).abs()
    }

    /// The best piece is put on the board and the least one taken from the reserve,
    /// which is no worse than any real move. If that fails, all values fail at once.
    fn optimistic(&self, mv: YoxiiMove) -> Option<Self> {
        let least = self.reserves[0].trailing_zeros() / 8;
        let most = self.best_value() as u32 - 1;
        (most != least).then(|| self.put(mv, most, least))
    }
}

/// What the first 0 to 8 pieces of a reserve, taken in this order of values, add to a
/// payoff; those that it lacks add nothing.
fn sums_of(reserve: u32, values: [i32; 4]) -> [i32; 9] {
    let count = |value: i32| (reserve >> (8 * (value - 1)) & 0xff) as usize;
    let mut pieces = values
        .into_iter()
        .flat_map(|value| std::iter::repeat_n(YoxiiNode::POINT * value + 1, count(value)));
    let mut sum = 0;
    std::array::from_fn(|at| {
        if at > 0 {
            sum += pieces.next().unwrap_or(0);
        }
        sum
    })
}

impl Solvable for Yoxii {
    type Node = YoxiiNode;

    const PROBE_PLIES: u32 = 12;

    fn expects_win(&self) -> bool {
        Self::classic().evaluate(self) > 0
    }

    fn node(&self) -> YoxiiNode {
        let reserve = |side: Side| u32::from_le_bytes(self.reserve(side));
        let side = self.side();
        YoxiiNode {
            pieces: [self.pieces(side).0, self.pieces(side.other()).0],
            values: self.value_planes(),
            reserves: [reserve(side), reserve(side.other())],
            totem: self.totem().index() as u8,
        }
    }
}
