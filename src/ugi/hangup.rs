//! Word from outside that the client has gone.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Tells a session that nobody reads its answers any more: whatever runs is
/// stopped at once, and what is begun later too. Whoever owns the output finds
/// that out; the protocol itself only sees a reader and a writer. Clones share
/// one state.
#[derive(Clone, Default)]
pub struct Hangup(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    has_come: bool,
    /// Stops what runs.
    stop: Option<Box<dyn Fn() + Send>>,
}

impl Hangup {
    /// The client has gone. Can be called from any thread, and more than once.
    pub fn hang_up(&self) {
        let mut state = self.lock();
        state.has_come = true;
        if let Some(stop) = &state.stop {
            stop();
        }
    }

    /// What to do when the client goes, or now if it has gone, instead of what
    /// was to do before.
    pub(super) fn stops(&self, stop: impl Fn() + Send + 'static) {
        let mut state = self.lock();
        if state.has_come {
            stop();
        }
        state.stop = Some(Box::new(stop));
    }

    // A flag and a closure are never left half changed.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn the_last_thing_begun_is_stopped_whenever_the_word_comes() {
        let hangup = Hangup::default();
        let stopped = [Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0))];
        let stop = |which: usize| {
            let count = stopped[which].clone();
            move || {
                count.fetch_add(1, Ordering::Relaxed);
            }
        };
        let counts = || [0, 1].map(|which| stopped[which].load(Ordering::Relaxed));
        hangup.stops(stop(0));
        assert_eq!(counts(), [0, 0]);
        hangup.clone().hang_up();
        assert_eq!(counts(), [1, 0]);
        hangup.stops(stop(1));
        assert_eq!(counts(), [1, 1]);
    }
}
