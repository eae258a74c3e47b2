//! Engines that wait for their next game.

use std::sync::{Mutex, MutexGuard};
use std::thread;

use crate::arena::player::Player;
use totemic_engine::lock::locked;

/// The index of an engine, and the processors on which it was started.
type Key<'a> = (usize, &'a [usize]);

/// Idle players with the indices of their engines and their processors, the longest idle
/// first.
#[derive(Default)]
pub(super) struct Pool(Mutex<Vec<Idle>>);

type Idle = (usize, Vec<usize>, Player);

impl Pool {
    fn idle(&self) -> MutexGuard<'_, Vec<Idle>> {
        locked(&self.0)
    }

    pub(super) fn take(&self, key: Key<'_>) -> Option<Player> {
        let mut idle = self.idle();
        let at = idle
            .iter()
            .position(|(index, on, _)| (*index, &on[..]) == key)?;
        Some(idle.remove(at).2)
    }

    /// Puts a player back. If more than `most` are idle then, the longest idle ones quit.
    pub(super) fn put(&self, (engine, on): Key<'_>, player: Player, most: usize) {
        let leaving: Vec<_> = {
            let mut idle = self.idle();
            idle.push((engine, on.to_owned(), player));
            let surplus = idle.len().saturating_sub(most);
            idle.drain(..surplus).collect()
        };
        for (.., player) in leaving {
            player.quit();
        }
    }

    /// Kills the idle players, for when processes are scarce.
    pub(super) fn clear(&self) {
        drop(std::mem::take(&mut *self.idle()));
    }

    /// Lets all players quit, in parallel if threads can be started, because each may
    /// take a while.
    pub(super) fn close(self) {
        let count = self.idle().len();
        let next = || self.idle().pop();
        let leave = || {
            while let Some((.., player)) = next() {
                player.quit();
            }
        };
        thread::scope(|scope| {
            for _ in 1..count {
                if thread::Builder::new().spawn_scoped(scope, leave).is_err() {
                    break;
                }
            }
            leave();
        });
    }
}
