//! Weights that change over the course of a game.

/// Plies at which the weights are given, evenly spaced; between them, weights are
/// interpolated.
pub const KNOTS: [usize; 5] = [0, 9, 18, 27, 36];
const _: () = assert!(are_evenly_spaced(&KNOTS));
/// The last ply of the longest game.
pub(super) const LAST_PLY: usize = KNOTS[KNOTS.len() - 1];

/// Whether knots begin at 0 and are evenly spaced.
pub(super) const fn are_evenly_spaced(knots: &[usize]) -> bool {
    let mut knot = 0;
    while knot < knots.len() && knots[knot] == knot * knots[1] {
        knot += 1;
    }
    knot == knots.len()
}

/// The value at a ply, interpolated between the values at the knots.
pub(super) fn interpolate<const N: usize>(
    knots: &[usize; N],
    values: &[i16; N],
    ply: usize,
) -> i32 {
    let span = knots[1];
    let left = (ply / span).min(N - 2);
    let [before, after] = [values[left], values[left + 1]].map(i32::from);
    before + (after - before) * (ply - knots[left]) as i32 / span as i32
}

pub(super) fn sum<const N: usize>(terms: &[i32; N], weights: &[i32; N]) -> i32 {
    let products = terms.iter().zip(weights);
    products.map(|(term, weight)| term * weight).sum()
}

/// Converts thousandths of a logit to centipoints, its hundredths.
pub(super) const fn to_centipoints(sum: i32) -> i32 {
    sum / 10
}
