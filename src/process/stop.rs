//! Asking everything that waits to end.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

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
    pub(crate) fn more(&self) -> bool {
        let before = self.0.load(Ordering::Relaxed);
        if before == 0 {
            self.soon();
        } else {
            self.now();
        }
        before > 0
    }

    /// Whether somebody asks to stop within `patience`.
    pub(crate) fn comes_within(&self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        while !self.is_soon() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.is_soon()
    }

    pub(crate) fn is_soon(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= SOON
    }

    pub(crate) fn is_now(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= NOW
    }
}
