//! The numbers of alpha-beta that matches decide.

use std::ops::RangeInclusive;

/// A whole number for each name, with its default and its range.
macro_rules! tuning {
    ($($(#[$doc:meta])* $name:ident: $default:literal in $range:expr,)*) => {
        /// What alpha-beta reduces, leaves out, learns and tries first, as far as it is a
        /// question of how much.
        ///
        /// A search has those of its game ([`Policy::TUNING`](super::Policy::TUNING)),
        /// found by simultaneous perturbation stochastic approximation (Spall, 1992) in
        /// games of the engine with itself; the example `tune` does it again. Values are
        /// in hundredths of [`Evaluate::scale`](super::Evaluate::scale), reductions in
        /// hundredths of a ply.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Tuning {
            $(
                $(#[$doc])*
                #[doc = concat!(" `", stringify!($range), "`")]
                pub $name: i32,
            )*
        }

        impl Tuning {
            /// Where nothing is known of a game.
            pub const DEFAULT: Self = Self { $($name: $default,)* };

            /// The names of the numbers.
            pub const NAMES: &[&str] = &[$(stringify!($name),)*];

            /// Their ranges, in the same order.
            pub const RANGES: &[RangeInclusive<i32>] = &[$($range,)*];

            /// The numbers in the order of their names.
            pub fn values(&self) -> Vec<i32> {
                vec![$(self.$name,)*]
            }

            /// These numbers with others in the order of their names, as far as there
            /// are any.
            #[must_use]
            pub fn with(mut self, values: &[i32]) -> Self {
                let mut values = values.iter();
                $(self.$name = values.next().copied().unwrap_or(self.$name);)*
                self
            }

            /// These numbers, each within its range.
            #[must_use]
            pub fn clamped(mut self) -> Self {
                $(self.$name = self.$name.clamp(*$range.start(), *$range.end());)*
                self
            }
        }
    };
}

tuning! {
    /// Late move reductions: by how much late moves are searched less deep at least.
    reduction: 60 in 0..=1000,
    /// The same for variants of moves that were tried.
    variant_reduction: 210 in 0..=1000,
    /// What the product of the logarithms of the depth and of the moves before is
    /// multiplied by, and added.
    log_reduction: 91 in 0..=1000,
    /// How much less is reduced in a window that is open.
    open_reduction: 100 in 0..=1000,
    /// How much more is reduced where the static value has fallen.
    falling_reduction: 100 in 0..=1000,
    /// By how much, for each ply of depth, a static value has to be above a window to
    /// stand for a search.
    cut_above: 50 in 0..=1000,
    /// The same below a window, at the last ply.
    cut_below: 90 in 0..=1000,
    /// Futility pruning: how much better than its static value the position after a
    /// move may turn out at depth 0.
    futility: 40 in 0..=1000,
    /// The same for each ply of depth.
    futility_by_depth: 40 in 0..=1000,
    /// The same where the static value has risen.
    futility_rising: 40 in 0..=1000,
    /// What a move's history counts beside the value after it, in 1024ths of a
    /// centipoint; that history is at most 8192.
    history_weight: 16 in 0..=1024,
    /// What a move gains of history by a cut-off, for each square of the depth.
    history_bonus: 16 in 0..=1000,
    /// What the sum of correction histories is divided by for centipoints.
    correction_unit: 80 in 1..=10_000,
    /// Weight of a centipoint of error in these, for each ply of depth.
    correction_gain: 8 in 0..=1000,
    /// First half width of an aspiration window.
    aspiration: 60 in 1..=1000,
    /// Plies of depth for which one more variant of each group is among the likeliest.
    plies_a_variant: 5 in 1..=100,
}
