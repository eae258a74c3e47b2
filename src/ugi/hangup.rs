//! News from outside that the client has gone.

use std::sync::{Arc, Mutex};

use crate::lock::locked;
use crate::search::Control;

/// Tells a session that nobody reads its answers any more: whatever runs is
/// stopped at once, and so is what begins later. The owner of the output has to
/// find that out; the session itself only sees a writer. Clones share one state.
#[derive(Clone, Default)]
pub struct Hangup(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    has_come: bool,
    running: Option<Arc<Control>>,
}

impl Hangup {
    /// Says that the client has gone. Can be called from any thread, and more than
    /// once.
    pub fn hang_up(&self) {
        let mut state = locked(&self.0);
        state.has_come = true;
        state.running.iter().for_each(|control| control.stop());
    }

    /// Makes a hang-up stop what begins now; stops it at once if the client has gone.
    pub(super) fn stops(&self, control: Option<Arc<Control>>) {
        let mut state = locked(&self.0);
        state.running = control;
        if state.has_come {
            state.running.iter().for_each(|control| control.stop());
        }
    }
}
