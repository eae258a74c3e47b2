//! Asking everything that waits to end.

use std::sync::atomic::{AtomicU8, Ordering};

/// A request that only ever grows: first to start no new game, then to give
/// up those that are running.
#[derive(Debug, Default)]
pub struct Stop(AtomicU8);

const SOON: u8 = 1;
const NOW: u8 = 2;

impl Stop {
    /// Nobody wants to stop yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(AtomicU8::new(0))
    }

    /// Lets the running games finish and starts no other.
    pub fn soon(&self) {
        self.0.fetch_max(SOON, Ordering::Relaxed);
    }

    /// Gives up the running games too.
    pub(crate) fn now(&self) {
        self.0.fetch_max(NOW, Ordering::Relaxed);
    }

    /// One step more: what Ctrl-C asks for. Whether this was the second.
    pub fn more(&self) -> bool {
        let before = self.0.load(Ordering::Relaxed);
        if before == 0 {
            self.soon();
        } else {
            self.now();
        }
        before > 0
    }

    /// Whether no new game is to be started.
    #[must_use]
    pub(crate) fn is_soon(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= SOON
    }

    /// Whether running games are to be given up.
    #[must_use]
    pub(crate) fn is_now(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= NOW
    }
}
