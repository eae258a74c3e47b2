//! The parameters of alpha-beta that are tuned in matches.

use std::ops::RangeInclusive;

/// A whole number for each name, with its default and its range.
macro_rules! tuning {
    ($($(#[$doc:meta])* $name:ident: $default:literal in $range:expr,)*) => {
        /// The numeric parameters of alpha-beta: of reductions, pruning, move ordering,
        /// learning and windows.
        ///
        /// A search uses those of its game ([`Heuristics::TUNING`](super::Heuristics::TUNING)),
        /// found by simultaneous perturbation stochastic approximation (Spall, 1992) in
        /// games of the engine against itself; the program `tune` of the benches does that
        /// again. Values are in centipoints, reductions in hundredths of a ply.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Tuning {
            $(
                $(#[$doc])*
                #[doc = concat!(" `", stringify!($range), "`")]
                pub $name: i32,
            )*
        }

        impl Tuning {
            /// The parameters for a game about which nothing is known.
            pub const DEFAULT: Self = Self { $($name: $default,)* };

            /// The names of the parameters.
            pub const NAMES: &[&str] = &[$(stringify!($name),)*];

            /// Their ranges, in the same order.
            pub const RANGES: &[RangeInclusive<i32>] = &[$($range,)*];

            /// The parameters in the order of their names.
            pub fn values(&self) -> Vec<i32> {
                vec![$(self.$name,)*]
            }

            /// These parameters with the first ones, in the order of their names,
            /// replaced by `values`.
            #[must_use]
            pub fn with(mut self, values: &[i32]) -> Self {
                let mut values = values.iter();
                $(self.$name = values.next().copied().unwrap_or(self.$name);)*
                self
            }

            /// These parameters, each clamped to its range.
            #[must_use]
            pub fn clamped(mut self) -> Self {
                $(self.$name = self.$name.clamp(*$range.start(), *$range.end());)*
                self
            }
        }
    };
}

tuning! {
    /// Late move reductions: the part that is the same for all late moves.
    reduction: 60 in 0..=1000,
    /// The same for variants of moves that were already tried.
    variant_reduction: 210 in 0..=1000,
    /// Factor of the part that is proportional to the product of the natural logarithms
    /// of the depth and of the number of moves before.
    log_reduction: 91 in 0..=1000,
    /// How much less is reduced in an open window.
    open_reduction: 100 in 0..=1000,
    /// How much more is reduced where the static value has fallen.
    falling_reduction: 100 in 0..=1000,
    /// By how much, per ply of depth, a static value must be above a window to take the
    /// place of a search (reverse futility pruning).
    cut_above: 50 in 0..=1000,
    /// The same below a window, at the last ply only (razoring).
    cut_below: 90 in 0..=1000,
    /// Futility pruning: how much better than its static value the position after a
    /// move may turn out at depth 0.
    futility: 40 in 0..=1000,
    /// Added to that for each ply of depth.
    futility_by_depth: 40 in 0..=1000,
    /// Added to that where the static value has risen.
    futility_rising: 40 in 0..=1000,
    /// Weight of a move's history beside the static value after the move, in 1024ths of
    /// a centipoint; a history is at most 8192.
    history_weight: 16 in 0..=1024,
    /// What a cut-off adds to a move's history, before it is multiplied by the square of
    /// the depth.
    history_bonus: 16 in 0..=1000,
    /// Divisor that turns the sum of a position's correction histories into centipoints.
    correction_unit: 80 in 1..=10_000,
    /// Weight of a centipoint of error in the correction histories, per ply of depth.
    correction_gain: 8 in 0..=1000,
    /// First half width of an aspiration window.
    aspiration: 60 in 1..=1000,
    /// Plies of depth that make one more variant of each group one of the likeliest.
    plies_per_variant: 5 in 1..=100,
}
