//! Engines that wait for their next game, and the processors that no game uses.

use std::sync::Mutex;
use std::thread;

use crate::arena::player::Player;
use totemic_engine::lock::locked;

struct Idle {
    engine: usize,
    /// The processors on which it was started.
    processors: Vec<usize>,
    player: Player,
}

pub(super) struct Pool {
    /// The longest idle first.
    idle: Mutex<Vec<Idle>>,
    free_processors: Mutex<Vec<Vec<usize>>>,
}

impl Pool {
    pub(super) fn new(processors: Vec<Vec<usize>>) -> Self {
        Self {
            idle: Mutex::default(),
            free_processors: Mutex::new(processors),
        }
    }

    /// Plays a game on processors that nobody else uses, or on none in particular.
    pub(super) fn on_free_processors<T>(&self, play: impl FnOnce(&[usize]) -> T) -> T {
        let own = locked(&self.free_processors).pop().unwrap_or_default();
        let played = play(&own);
        locked(&self.free_processors).push(own);
        played
    }

    pub(super) fn take(&self, engine: usize, processors: &[usize]) -> Option<Player> {
        let mut idle = locked(&self.idle);
        let is_it = |it: &Idle| it.engine == engine && it.processors == processors;
        let at = idle.iter().position(is_it)?;
        Some(idle.remove(at).player)
    }

    /// Puts a player back. If more than `most` are idle then, the longest idle ones quit.
    pub(super) fn put(&self, engine: usize, processors: &[usize], player: Player, most: usize) {
        let leaving: Vec<_> = {
            let mut idle = locked(&self.idle);
            idle.push(Idle {
                engine,
                processors: processors.to_owned(),
                player,
            });
            let surplus = idle.len().saturating_sub(most);
            idle.drain(..surplus).collect()
        };
        leaving.into_iter().for_each(|it| it.player.quit());
    }

    /// Kills the idle players, for when processes are scarce.
    pub(super) fn kill_idle(&self) {
        drop(std::mem::take(&mut *locked(&self.idle)));
    }

    /// Lets all players quit, in parallel, because each may take a while.
    pub(super) fn quit_all(self) {
        let idle = std::mem::take(&mut *locked(&self.idle));
        thread::scope(|scope| {
            for it in idle {
                // Without a thread, the player is dropped here, which kills it.
                let _ = thread::Builder::new().spawn_scoped(scope, move || it.player.quit());
            }
        });
    }
}
