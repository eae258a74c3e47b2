//! A search in progress: what it waits for, and how it ends.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use crate::search::{Control, Limits};

/// A search in progress, or one that is over and was not waited for.
#[derive(Debug)]
pub(super) struct Running {
    control: Arc<Control>,
    /// Set just before the answer is handed over.
    is_over: Arc<AtomicBool>,
    work: Work,
    /// Whether it would end by itself if it did not ponder.
    has_end: bool,
    /// Whether it waits for [`Running::ponderhit`].
    pondering: bool,
    /// Whether only a stop ends it.
    infinite: bool,
}

/// Where a search is done.
enum Work {
    /// On a thread of its own.
    Thread(JoinHandle<()>),
    /// It is done already, and its answer is held back until it may be given.
    Done(Mutex<Option<Answer>>),
}

/// Hands an answer over.
pub(super) type Answer = Box<dyn FnOnce() + Send>;

impl std::fmt::Debug for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Thread(_) => "Thread",
            Self::Done(_) => "Done",
        })
    }
}

impl Running {
    /// Begins a search on a thread of its own. `search` gives its answer when its
    /// limits allow it, as a function that hands it over.
    ///
    /// Where the system gives no thread, the caller's own searches: only until
    /// there is a move, if nothing else would end it.
    pub(super) fn begin<M: Clone + Send + 'static>(
        limits: Limits<M>,
        search: impl FnOnce(&Limits<M>, &Control) -> Answer + Send + 'static,
    ) -> Self {
        Self::begin_on(on_a_thread, limits, search)
    }

    fn begin_on<M: Clone + Send + 'static>(
        spawn: impl FnOnce(Box<dyn FnOnce() + Send>) -> io::Result<JoinHandle<()>>,
        limits: Limits<M>,
        search: impl FnOnce(&Limits<M>, &Control) -> Answer + Send + 'static,
    ) -> Self {
        let control = Arc::new(Control::default());
        let is_over = Arc::new(AtomicBool::new(false));
        let awaited = Limits {
            ponder: false,
            ..limits.clone()
        };
        let state = |work| Self {
            control: control.clone(),
            is_over: is_over.clone(),
            work,
            has_end: awaited.is_bounded(),
            pondering: limits.ponder,
            infinite: limits.infinite,
        };
        let (line, over, asked) = (control.clone(), is_over.clone(), limits.clone());
        // Where no thread takes it, it is still here.
        let search = Arc::new(Mutex::new(Some(search)));
        let mine = search.clone();
        let spawned = spawn(Box::new(move || {
            if let Some(search) = take(&mine) {
                let answer = search(&asked, &line);
                over.store(true, Ordering::Release);
                answer();
            }
        }));
        if let Ok(thread) = spawned {
            return state(Work::Thread(thread));
        }
        let now = Limits {
            infinite: false,
            nodes: if awaited.is_bounded() {
                limits.nodes
            } else {
                Some(NODES_ALONE)
            },
            ..awaited.clone()
        };
        let answer = take(&search).map(|search| search(&now, &control));
        let running = state(Work::Done(Mutex::new(answer)));
        if limits.is_bounded() {
            running.hand_over();
        }
        running
    }

    /// What stops it, from any thread.
    pub(super) fn control(&self) -> Arc<Control> {
        self.control.clone()
    }

    /// Tells it to end; its answer comes soon.
    pub(super) fn stop(&self) {
        self.control.stop();
        self.hand_over();
    }

    /// Tells it that the move it ponders on was played. Without any other limit
    /// its answer is due then.
    pub(super) fn ponderhit(&mut self) {
        if !std::mem::take(&mut self.pondering) {
            return;
        }
        if self.infinite {
            self.control.ponderhit();
        } else if self.has_end {
            self.control.ponderhit();
            self.hand_over();
        } else {
            self.stop();
        }
    }

    /// Whether it ends without another word.
    pub(super) fn ends_by_itself(&self) -> bool {
        self.control.is_stopped() || self.has_end && !self.pondering
    }

    /// Whether its answer was given, or is about to be.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Whether it was told to stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.control.is_stopped()
    }

    /// Waits until its answer was handed over.
    pub(super) fn wait(self) {
        match self.work {
            Work::Thread(thread) => {
                // The thread catches panics of the search, those of the callback
                // on the way included; one on the answer ends only that thread.
                let _ = thread.join();
            }
            Work::Done(_) => self.hand_over(),
        }
    }

    /// Gives an answer that was held back, if there is one.
    fn hand_over(&self) {
        if let Work::Done(held) = &self.work
            && let Some(answer) = take(held)
        {
            self.is_over.store(true, Ordering::Release);
            answer();
        }
    }
}

/// Nodes of a search without an end that the caller's own thread has to do.
const NODES_ALONE: u64 = 200_000;

fn take<T>(held: &Mutex<Option<T>>) -> Option<T> {
    held.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Does some work on a thread of its own, if there is one.
fn on_a_thread(work: Box<dyn FnOnce() + Send>) -> io::Result<JoinHandle<()>> {
    Builder::new().name("search".to_owned()).spawn(work)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use super::*;

    /// A search where the system gives no thread, and what it answers.
    fn alone(limits: Limits<u8>) -> (Running, Receiver<Limits<u8>>) {
        let (sender, answers) = channel();
        let refuse = |_: Box<dyn FnOnce() + Send>| Err(io::ErrorKind::WouldBlock.into());
        let running = Running::begin_on(refuse, limits, move |limits, _| {
            let limits = limits.clone();
            Box::new(move || sender.send(limits).expect("somebody listens"))
        });
        (running, answers)
    }

    #[test]
    fn without_a_thread_a_search_with_an_end_is_answered_at_once() {
        let (running, answers) = alone(Limits::depth(3));
        assert_eq!(answers.try_recv(), Ok(Limits::depth(3)));
        assert!(running.is_over());
        running.stop();
        running.wait();
        assert!(answers.recv().is_err(), "one answer");
    }

    #[test]
    fn without_a_thread_an_answer_comes_no_sooner_than_it_may() {
        let endless = Limits {
            infinite: true,
            ..Limits::default()
        };
        let (mut running, answers) = alone(endless);
        assert!(!running.is_over() && answers.try_recv().is_err());
        running.ponderhit();
        assert!(answers.try_recv().is_err());
        running.stop();
        let limits = answers.try_recv().expect("an answer");
        assert!(limits.is_bounded() && running.is_over());

        let pondering = Limits {
            ponder: true,
            ..Limits::depth(3)
        };
        let (mut running, answers) = alone(pondering);
        assert!(!running.is_over() && answers.try_recv().is_err());
        running.ponderhit();
        assert_eq!(answers.try_recv(), Ok(Limits::depth(3)));
    }
}
