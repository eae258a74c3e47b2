//! Work in the background: when its answer may be given, and how it ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

use crate::lock::locked;
use crate::search::{Background, Timer, Work};
use crate::stop::Waker;

/// What hands the answer of work over.
pub(crate) type GiveAnswer = Box<dyn FnOnce() + Send>;

/// Whether work locks the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Uses {
    /// No: it goes on while the tables change.
    Nothing,
    /// Yes.
    Memory,
}

/// Work in progress, or work that is over and was not waited for.
pub(super) struct BackgroundWork {
    pub(super) timer: Arc<Timer>,
    uses: Uses,
    answer: Arc<Answer>,
    deferred: Option<Work>,
    /// Closed when no thread works any more.
    closed: Receiver<()>,
    /// Gives an answer that is held back once the work is stopped.
    _waker: Waker,
}

/// The answer of work that was done without a thread, until it may be given.
#[derive(Default)]
struct Answer {
    held: Mutex<Option<GiveAnswer>>,
    is_over: AtomicBool,
}

impl Answer {
    fn give(&self, answer: GiveAnswer) {
        self.is_over.store(true, Ordering::Release);
        answer();
    }

    fn give_held(&self) {
        let held = locked(&self.held).take();
        if let Some(answer) = held {
            self.give(answer);
        }
    }

    /// Takes an answer, and gives it if it is due.
    fn give_when_due(&self, answer: GiveAnswer, timer: &Timer) {
        *locked(&self.held) = Some(answer);
        if timer.is_due() || timer.stop.is_stopped() {
            self.give_held();
        }
    }
}

impl std::fmt::Debug for BackgroundWork {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BackgroundWork").finish_non_exhaustive()
    }
}

impl BackgroundWork {
    /// Begins work. `work` returns when its answer may be given, with a function that hands
    /// it over. It ends when the stop of `timer` comes.
    ///
    /// The work of [`Background::Caller`] gets `true`: nothing can end it, and it must not
    /// wait for anything. For that of [`Background::Deferred`] see [`BackgroundWork::take_work`].
    pub(super) fn begin(
        worker: &Background,
        timer: Arc<Timer>,
        uses: Uses,
        work: impl FnOnce(bool) -> GiveAnswer + Send + 'static,
    ) -> Self {
        let answer = Arc::new(Answer::default());
        let (stop, answer_at_stop) = (timer.stop.clone(), Arc::clone(&answer));
        let waker = timer.stop.on_step(move || {
            if stop.is_known_stopped() {
                answer_at_stop.give_held();
            }
        });
        let (open, closed) = channel();
        let (answer_of_work, timer_of_work) = (Arc::clone(&answer), Arc::clone(&timer));
        let mut deferred: Option<Work> = None;
        match worker {
            Background::Thread(thread) => {
                // The thread is there as long as the sender.
                let _ = thread.send(Box::new(move || {
                    answer_of_work.give(work(false));
                    drop(open);
                }));
            }
            Background::Caller => answer_of_work.give_when_due(work(true), &timer_of_work),
            Background::Deferred => {
                deferred = Some(Box::new(move || {
                    answer_of_work.give_when_due(work(false), &timer_of_work)
                }));
            }
        }
        Self {
            timer,
            uses,
            answer,
            deferred,
            closed,
            _waker: waker,
        }
    }

    /// Deferred work; only the first call returns it. Meanwhile, whoever does it may
    /// give it commands, but must not wait for it.
    pub(super) fn take_work(&mut self) -> Option<Work> {
        self.deferred.take()
    }

    pub(super) fn ponderhit(&self) {
        self.timer.ponderhit();
        if self.timer.is_due() {
            self.answer.give_held();
        }
    }

    pub(super) fn uses_memory(&self) -> bool {
        self.uses == Uses::Memory
    }

    /// Whether its answer has been given or is about to be.
    pub(super) fn is_over(&self) -> bool {
        self.answer.is_over.load(Ordering::Acquire)
    }

    pub(super) fn wait(mut self) {
        if let Some(work) = self.take_work() {
            work();
        }
        self.answer.give_held();
        let _ = self.closed.recv();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::search::Limits;
    use crate::stop::Stop;

    /// Work where the system has no thread to give, and where there are none at all.
    #[test]
    fn without_a_thread_an_answer_comes_once_and_no_sooner_than_it_may() {
        for worker in [Background::Caller, Background::Deferred] {
            check_answers(worker);
        }
    }

    fn check_answers(worker: Background) {
        let limits = |infinite, ponder| Limits::<()> {
            infinite,
            ponder,
            ..Limits::depth(3)
        };
        for (limits, before_hit, after_hit) in [
            (limits(false, false), 1, 1),
            (limits(true, false), 0, 0),
            (limits(false, true), 0, 1),
            (limits(true, true), 0, 0),
            (Limits::default(), 1, 1),
        ] {
            let (sender, answers) = channel();
            let timer = Arc::new(Timer::new(&limits, 36, &Stop::new()));
            let work = move |_| -> GiveAnswer {
                Box::new(move || sender.send(()).expect("somebody listens"))
            };
            let mut running = BackgroundWork::begin(&worker, timer, Uses::Memory, work);
            running.take_work().into_iter().for_each(|work| work());
            let mut count = answers.try_iter().count();
            assert_eq!((count, running.is_over()), (before_hit, before_hit > 0));
            running.ponderhit();
            count += answers.try_iter().count();
            assert_eq!(count, after_hit, "{limits:?}");
            running.timer.stop.now();
            running.wait();
            assert_eq!(count + answers.try_iter().count(), 1, "{limits:?}");
        }
    }
}
