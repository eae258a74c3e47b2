//! Numbers that searches learn, shared by threads without locks.

use std::sync::atomic::{AtomicI16, Ordering};

/// A number that moves more and more slowly the nearer it is to a limit. An update
/// that another thread overwrites does no harm.
#[derive(Debug, Default)]
pub(super) struct Counter(AtomicI16);

impl Counter {
    pub(super) const MAX: i32 = 8192;

    pub(super) fn zeros(len: usize) -> Vec<Self> {
        std::iter::repeat_with(Self::default).take(len).collect()
    }

    #[inline]
    pub(super) fn get(&self) -> i32 {
        self.0.load(Ordering::Relaxed).into()
    }

    /// Adds a part of `bonus`, whose absolute value is at most [`Counter::MAX`].
    #[inline]
    pub(super) fn add(&self, bonus: i32) {
        let old = self.get();
        let new = old + bonus - old * bonus.abs() / Self::MAX;
        self.0.store(new as i16, Ordering::Relaxed);
    }
}
