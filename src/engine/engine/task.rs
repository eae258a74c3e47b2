//! Work in the background: what it waits for, and how it ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use crate::game::Game;
use crate::lock::locked;
use crate::search::{Background, Limits, Request, Timer, Waker, Work};

/// Nodes of an endless search that the caller's own thread has to do.
pub(super) const NODES_ALONE: u64 = 200_000;

/// What has to happen before an answer may be given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// Nothing: the work ends by itself.
    ByItself,
    /// Nothing either, but without a limit it may take for ever.
    Someday,
    /// `ponderhit`; then the work ends by itself.
    AfterPonderhit,
    /// `ponderhit`, which ends the work.
    AtPonderhit,
    AtStop,
}

impl End {
    pub(super) fn of<M: Clone>(limits: &Limits<M>) -> Self {
        let awaited = Limits {
            ponder: false,
            ..limits.clone()
        };
        match (limits.ponder && !limits.infinite, awaited.is_bounded()) {
            (true, true) => Self::AfterPonderhit,
            (true, false) => Self::AtPonderhit,
            (false, true) => Self::ByItself,
            (false, false) => Self::AtStop,
        }
    }
}

/// The request as it is answered without a thread, when nothing can end it meanwhile.
pub(super) fn alone<G: Game>(request: Request<G>) -> Request<G> {
    request.ponderhit();
    let mut limits = request.limits().clone();
    limits.ponder = false;
    if !limits.is_bounded() {
        limits.nodes = Some(NODES_ALONE);
    }
    limits.infinite = false;
    request.with(limits)
}

/// Work in progress, or work that is over and was not waited for.
pub(crate) struct Task {
    timer: Arc<Timer>,
    answer: Arc<Answer>,
    end: End,
    thread: Option<JoinHandle<()>>,
    /// Deferred work, until the caller takes it.
    deferred: Option<Work>,
    /// Gives an answer that is held back once the work is stopped.
    _waker: Waker,
}

/// The answer of work that was done without a thread, until it may be given.
#[derive(Default)]
struct Answer {
    held: Mutex<Option<Work>>,
    is_over: AtomicBool,
}

impl Answer {
    fn give(&self, answer: Work) {
        self.is_over.store(true, Ordering::Release);
        answer();
    }

    fn hold(&self, answer: Work) {
        *locked(&self.held) = Some(answer);
    }

    fn give_held(&self) {
        let held = locked(&self.held).take();
        held.into_iter().for_each(|answer| self.give(answer));
    }
}

impl std::fmt::Debug for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Task").field("end", &self.end).finish()
    }
}

impl Task {
    /// Begins work. `work` returns when its answer may be given, with a function that hands
    /// it over. The task ends when the stop of `timer` comes.
    ///
    /// The work of [`Background::Caller`] must not wait for anything. For that of
    /// [`Background::Deferred`] see [`Task::take_work`].
    pub(crate) fn begin(
        worker: Background,
        end: End,
        timer: Arc<Timer>,
        work: impl FnOnce() -> Work + Send + 'static,
    ) -> Self {
        let answer = Arc::new(Answer::default());
        let (stop, held) = (timer.stop.clone(), Arc::clone(&answer));
        let mut task = Self {
            _waker: timer.stop.on_step(move || {
                if stop.is_raised() {
                    held.give_held();
                }
            }),
            timer,
            answer,
            end,
            thread: None,
            deferred: None,
        };
        let place = task.answer.clone();
        match worker {
            Background::Thread(sender, thread) => {
                // The thread waits for just this.
                let _ = sender.send(Box::new(move || place.give(work())));
                task.thread = Some(thread);
            }
            Background::Caller => {
                place.hold(work());
                if task.ends_by_itself() || end == End::Someday {
                    place.give_held();
                }
            }
            Background::Deferred => {
                let timer = task.timer.clone();
                task.deferred = Some(Box::new(move || {
                    place.hold(work());
                    let is_due = match end {
                        End::ByItself | End::Someday => true,
                        End::AfterPonderhit => timer.is_running(),
                        End::AtPonderhit | End::AtStop => false,
                    };
                    if is_due || timer.stop.is_stopped() {
                        place.give_held();
                    }
                }));
            }
        }
        task
    }

    /// Deferred work; only the first call returns it. Meanwhile, whoever does it may
    /// give the task commands, but must not wait for it.
    pub(crate) fn take_work(&mut self) -> Option<Work> {
        self.deferred.take()
    }

    pub(crate) fn stop(&self) {
        self.timer.stop.now();
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.timer.stop.is_stopped()
    }

    /// Tells the work that the move on which it ponders was played.
    pub(super) fn ponderhit(&mut self) {
        match self.end {
            End::ByItself | End::Someday | End::AtStop => {}
            End::AtPonderhit => self.stop(),
            End::AfterPonderhit => {
                self.end = End::ByItself;
                self.timer.ponderhit();
                self.answer.give_held();
            }
        }
    }

    /// Whether it ends soon or within limits, without another command.
    pub(super) fn ends_by_itself(&self) -> bool {
        self.is_stopped() || self.end == End::ByItself
    }

    /// Whether its answer has been given or is about to be.
    pub(super) fn is_over(&self) -> bool {
        self.answer.is_over.load(Ordering::Acquire)
    }

    pub(crate) fn wait(mut self) {
        self.take_work().into_iter().for_each(|work| work());
        self.answer.give_held();
        // Panics in a search are caught; one in the callback ends only this thread.
        let _ = self.thread.map(JoinHandle::join);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::game::Yoxii;
    use crate::search::Stop;

    /// Tasks where the system has no thread to give, and where there are none at all.
    #[test]
    fn without_a_thread_an_answer_comes_once_and_no_sooner_than_it_may() {
        for worker in [|| Background::Caller, || Background::Deferred] {
            check_answers(worker);
        }
    }

    fn check_answers(worker: fn() -> Background) {
        let limits = |infinite, ponder| Limits {
            infinite,
            ponder,
            ..Limits::depth(3)
        };
        for (limits, before_hit, after_hit) in [
            (limits(false, false), 1, 1),
            (limits(true, false), 0, 0),
            (limits(false, true), 0, 1),
            (limits(true, true), 0, 0),
            (Limits::default(), 0, 0),
        ] {
            let (sender, answers) = channel();
            let request = Request::new(&Yoxii::start(), &limits, &Stop::new());
            let timer = request.timer();
            if let Background::Caller = worker() {
                let now = alone(request);
                assert!(now.limits().is_bounded(), "{now:?}");
            }
            let work =
                move || -> Work { Box::new(move || sender.send(()).expect("somebody listens")) };
            let mut task = Task::begin(worker(), End::of(&limits), timer, work);
            task.take_work().into_iter().for_each(|work| work());
            let mut given = answers.try_iter().count();
            assert_eq!((given, task.is_over()), (before_hit, before_hit > 0));
            task.ponderhit();
            given += answers.try_iter().count();
            assert_eq!(given, after_hit, "{limits:?}");
            task.stop();
            task.wait();
            assert_eq!(given + answers.try_iter().count(), 1, "{limits:?}");
        }
    }
}
