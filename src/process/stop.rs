//! How everything that waits is asked to stop.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// A request to stop, in two steps: first no new game is started, then the running games
/// are given up.
#[derive(Debug, Default)]
pub struct Stop(AtomicU8);

const SOON: u8 = 1;
const NOW: u8 = 2;

impl Stop {
    /// Returns a request that nobody has made yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(AtomicU8::new(0))
    }

    /// Lets the running games finish, but starts no others.
    pub fn soon(&self) {
        self.0.fetch_max(SOON, Ordering::Relaxed);
    }

    /// Gives up the running games, too.
    pub(crate) fn now(&self) {
        self.0.fetch_max(NOW, Ordering::Relaxed);
    }

    /// Takes the next step, as for Ctrl-C; returns whether it was the second.
    pub(crate) fn more(&self) -> bool {
        let is_second = self.is_soon();
        if is_second {
            self.now();
        } else {
            self.soon();
        }
        is_second
    }

    /// Waits until somebody asks to stop, but at most for `patience`; returns whether
    /// somebody did.
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
