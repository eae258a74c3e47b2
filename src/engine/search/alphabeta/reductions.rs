//! How much less deep late moves are searched than the others.

use super::thread::SearchThread;
use crate::game::MAX_MOVES;
use crate::search::{Evaluate, Searchable};

/// What decides how much less deep a move is searched.
pub(super) struct LateMove {
    pub(super) moves_before: usize,
    pub(super) is_variant: bool,
    /// Whether its node is searched with a null window.
    pub(super) has_null_window: bool,
    /// By how much the static value of its node has risen; 0 if that is not known.
    pub(super) rise: i32,
}

impl<G: Searchable, E: Evaluate<G>> SearchThread<'_, G, E> {
    /// By how many plies a move's first search is reduced.
    #[inline]
    pub(super) fn late_move_reduction(&self, depth: i32, late: &LateMove) -> i32 {
        if !self.shared.is_selective || depth < 2 || late.moves_before < 2 {
            return 0;
        }
        let tuning = &self.shared.tuning;
        let ln = |of: usize| LN[of.min(LN.len() - 1)];
        let product = ln(depth as usize) * ln(late.moves_before);
        let mut hundredths = (product * tuning.log_reduction as f32) as i32;
        hundredths += match late.is_variant {
            true => tuning.variant_reduction,
            false => tuning.reduction,
        };
        if !late.has_null_window {
            hundredths -= tuning.open_reduction;
        }
        if late.rise < 0 {
            hundredths += tuning.falling_reduction;
        }
        (hundredths / 100).clamp(0, depth - 1)
    }
}

/// Natural logarithms: every move needs two. They are made from sums and products
/// alone, so they are the same on every machine; the standard library's need not be.
static LN: [f32; MAX_MOVES + 1] = {
    let mut table = [0.0; MAX_MOVES + 1];
    let mut n = 2;
    while n <= MAX_MOVES {
        table[n] = ln(n) as f32;
        n += 1;
    }
    table
};

/// By the series of the inverse hyperbolic tangent.
const fn ln(n: usize) -> f64 {
    let halvings = n.ilog2();
    let rest = n as f64 / (1_u64 << halvings) as f64;
    let base = (rest - 1.0) / (rest + 1.0);
    let (mut sum, mut power, mut odd) = (0.0, base, 1.0);
    while odd < 60.0 {
        sum += power / odd;
        power *= base * base;
        odd += 2.0;
    }
    2.0 * sum + halvings as f64 * std::f64::consts::LN_2
}
