//! The one way to end what runs.
//!
//! A [`Stop`] is a value that is handed down to whatever may take long. Whoever holds a
//! clone can ask for the end, in one step or in two, and whoever works under it asks from
//! time to time whether the end has come, or sleeps until it does.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::time::Duration;

use crate::host::{HAS_HOST, Instant, is_interrupted};
use crate::lock::locked;

/// A request to end what runs under it. Clones share one state, which cannot be taken
/// back: give each search a stop or a child of its own.
///
/// Work that is begun by other work gets a [`child`](Stop::child): it ends when its parent
/// ends, but ending the child does not end the parent.
///
/// The end comes in two steps where that makes sense: after [`soon`](Stop::soon) nothing
/// new begins, but what runs is finished; after [`now`](Stop::now) that is given up, too:
/// the stop has *come*. A search ends only at the second step.
///
/// A [time limit](Stop::within) needs no thread: it comes into effect when somebody asks
/// for it or sleeps until the end. In WebAssembly, the host decides as well.
///
/// ```
/// use std::time::Duration;
/// use totemic_engine::stop::Stop;
///
/// let all = Stop::new();
/// let (one, other) = (all.child(), all.within(Duration::ZERO));
/// assert!(other.is_out_of_time() && !all.is_stopped());
/// all.now();
/// assert!(one.is_stopped() && !one.is_out_of_time());
/// ```
#[derive(Clone, Default)]
pub struct Stop(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// 0 or one of the steps below. Written only while `below` is locked, so that nobody
    /// misses a step who looks at it before going to sleep.
    step: AtomicU8,
    /// The earliest time limit of this stop and of those above it.
    deadline: Option<Instant>,
    below: Mutex<Below>,
    changed: Condvar,
}

const SOON: u8 = 1;
const NOW: u8 = 2;
/// Like `NOW`, but because of a time limit.
const OUT_OF_TIME: u8 = 3;

/// What a stop passes its steps on to.
#[derive(Default)]
struct Below {
    children: Vec<Weak<Shared>>,
    wakers: Vec<Weak<dyn Fn() + Send + Sync>>,
}

/// See [`Stop::end_on_drop`].
#[must_use]
pub struct EndOnDrop<'a>(&'a Stop);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.now();
    }
}

/// Keeps a function registered with a [`Stop`]; see [`Stop::on_step`].
pub struct Waker {
    _function: Arc<dyn Fn() + Send + Sync>,
}

impl Stop {
    /// A stop that nobody has asked for yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A stop that takes each step of this one, and may take it earlier.
    #[must_use]
    pub fn child(&self) -> Self {
        self.child_until(self.0.deadline)
    }

    /// A [child](Stop::child) that also stops after `time`.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let own = Instant::now().checked_add(time);
        self.child_until([own, self.0.deadline].into_iter().flatten().min())
    }

    fn child_until(&self, deadline: Option<Instant>) -> Self {
        let mut below = locked(&self.0.below);
        let child = Self(Arc::new(Shared {
            step: AtomicU8::new(self.step()),
            deadline,
            ..Shared::default()
        }));
        push(&mut below.children, Arc::downgrade(&child.0));
        child
    }

    /// Lets what runs finish, but nothing else begin.
    pub fn soon(&self) {
        self.0.take_step(SOON);
    }

    /// Ends what runs as soon as possible.
    pub fn now(&self) {
        self.0.take_step(NOW);
    }

    /// A value that ends what runs when it is dropped, even by a panic.
    pub fn end_on_drop(&self) -> EndOnDrop<'_> {
        EndOnDrop(self)
    }

    /// Whether it has come: then all work is to end as soon as possible. This looks at the clock if
    /// there is a time limit, and in WebAssembly it asks the host: searches ask several times in a
    /// millisecond.
    pub fn is_stopped(&self) -> bool {
        self.look();
        self.is_known_stopped()
    }

    /// Whether one of the two steps was taken, so that nothing new is to begin. This looks as
    /// [`Stop::is_stopped`] does.
    pub fn is_ending(&self) -> bool {
        self.look();
        self.step() >= SOON
    }

    /// Whether it was a time limit that stopped this.
    pub fn is_out_of_time(&self) -> bool {
        self.look();
        self.step() == OUT_OF_TIME
    }

    /// Whether somebody has noted that it has come. This looks neither at the clock nor at the
    /// host: one load from memory, for those who ask at every node of a search.
    #[inline]
    pub(crate) fn is_known_stopped(&self) -> bool {
        self.step() >= NOW
    }

    /// Like [`Stop::is_stopped`], but without a look at the host, which may hand over the next
    /// command: for those who ask before each of many small questions.
    pub(crate) fn is_stopped_without_host(&self) -> bool {
        let is_due = || self.0.deadline.is_some_and(|end| Instant::now() >= end);
        if !self.is_known_stopped() && is_due() {
            self.0.take_step(OUT_OF_TIME);
        }
        self.is_known_stopped()
    }

    #[inline]
    fn step(&self) -> u8 {
        self.0.step.load(Ordering::Relaxed)
    }

    fn look(&self) {
        if !self.is_stopped_without_host() && is_interrupted() {
            self.now();
        }
    }

    /// Sleeps until this is stopped or `is_due`, which changes only before a call of
    /// [`Stop::wake`]; if there are no threads, not at all, because nobody could stop it
    /// meanwhile.
    pub(crate) fn wait_or(&self, is_due: impl Fn() -> bool) {
        self.sleep(None, || self.is_known_stopped() || is_due());
    }

    /// Sleeps until nothing new is to begin, but at most for this time; returns whether
    /// that step has come.
    pub fn wait_until_ending(&self, time: Duration) -> bool {
        self.sleep(Instant::now().checked_add(time), || self.step() >= SOON);
        self.is_ending()
    }

    fn sleep(&self, end: Option<Instant>, is_over: impl Fn() -> bool) {
        if HAS_HOST {
            return;
        }
        let end = [end, self.0.deadline].into_iter().flatten().min();
        let changed = &self.0.changed;
        let mut below = locked(&self.0.below);
        while !is_over() {
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            below = match left {
                Some(Duration::ZERO) => break,
                Some(left) => {
                    let woken = changed.wait_timeout(below, left);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
                None => changed.wait(below).unwrap_or_else(PoisonError::into_inner),
            };
        }
        drop(below);
        self.look();
    }

    /// Wakes those who sleep in [`Stop::wait_or`], so that they look whether it is due.
    pub(crate) fn wake(&self) {
        let _below = locked(&self.0.below);
        self.0.changed.notify_all();
    }

    /// From now on each step calls `function`, on the thread that takes the step, as long as the
    /// returned value lives; a step that was taken before calls it at once. It wakes those who wait
    /// for something else. A time limit calls nothing before somebody asks for it:
    /// [`Stop::receive`] does.
    pub fn on_step(&self, function: impl Fn() + Send + Sync + 'static) -> Waker {
        let function: Arc<dyn Fn() + Send + Sync> = Arc::new(function);
        let mut below = locked(&self.0.below);
        push(&mut below.wakers, Arc::downgrade(&function));
        drop(below);
        if self.step() > 0 {
            function();
        }
        Waker {
            _function: function,
        }
    }

    /// Waits for a message, but no longer than until a time limit; a step that comes
    /// earlier has to send a message.
    pub fn receive<T>(&self, messages: &Receiver<T>) -> Result<T, RecvTimeoutError> {
        let deadline = self.0.deadline.filter(|_| !self.is_known_stopped());
        let Some(end) = deadline else {
            return Ok(messages.recv()?);
        };
        let received = messages.recv_timeout(end.saturating_duration_since(Instant::now()));
        self.look();
        received
    }
}

impl Shared {
    fn take_step(&self, step: u8) {
        let below = locked(&self.below);
        // What stopped first is the reason.
        if self.step.load(Ordering::Relaxed) >= step.min(NOW) {
            return;
        }
        self.step.store(step, Ordering::Relaxed);
        self.changed.notify_all();
        let children: Vec<_> = below.children.iter().filter_map(Weak::upgrade).collect();
        let wakers: Vec<_> = below.wakers.iter().filter_map(Weak::upgrade).collect();
        // A waker may use this stop.
        drop(below);
        children.iter().for_each(|child| child.take_step(step));
        wakers.iter().for_each(|function| function());
    }
}

/// Adds a reference, and drops those whose values are gone before the list would grow.
fn push<T: ?Sized>(list: &mut Vec<Weak<T>>, value: Weak<T>) {
    if list.len() == list.capacity() {
        list.retain(|other| other.strong_count() > 0);
    }
    list.push(value);
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let step = ["going on", "soon", "now", "out of time"];
        f.debug_tuple("Stop")
            .field(&step[usize::from(self.step())])
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    const ONE_HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn a_child_takes_the_steps_of_its_parent_and_not_the_other_way_round() {
        let parent = Stop::new();
        let [one, other] = [parent.child(), parent.child()];
        let grandchild = one.child();
        one.now();
        assert!(one.is_stopped() && grandchild.is_stopped());
        assert!(!parent.is_ending() && !other.is_ending());
        parent.soon();
        assert!(other.is_ending() && !other.is_stopped());
        let late = parent.child();
        assert!(late.is_ending() && !late.is_stopped());
        parent.clone().now();
        assert!(parent.is_stopped() && other.is_stopped() && late.is_stopped());
        assert!(parent.child().is_stopped());
    }

    #[test]
    fn a_time_limit_holds_for_all_below_and_the_first_reason_stays() {
        let parent = Stop::new();
        let short = parent.within(Duration::ZERO);
        let below = short.within(ONE_HOUR);
        assert!(below.is_out_of_time() && short.is_out_of_time());
        assert!(!parent.is_stopped());
        parent.now();
        assert!(short.is_out_of_time() && !parent.is_out_of_time());
        let long = Stop::new().within(ONE_HOUR);
        assert!(!long.is_stopped());
        long.now();
        assert!(long.is_stopped() && !long.is_out_of_time());
    }

    /// Each of these would sleep for ever, or for an hour.
    #[test]
    fn a_sleeper_is_woken_by_each_way_to_end() {
        let wait = |stop: &Stop, end: &dyn Fn()| {
            let below = stop.child();
            let sleeper = thread::spawn(move || below.wait_or(|| false));
            end();
            sleeper.join().expect("the sleeper wakes up");
        };
        let stop = Stop::new();
        wait(&stop, &|| stop.now());
        wait(&Stop::new().within(Duration::from_millis(1)), &|| ());
        let stop = Stop::new();
        let soon = stop.clone();
        let sleeper = thread::spawn(move || soon.wait_until_ending(ONE_HOUR));
        stop.soon();
        assert!(sleeper.join().expect("the sleeper wakes up"));
        assert!(!Stop::new().wait_until_ending(Duration::from_millis(1)));
    }

    #[test]
    fn a_sleeper_is_woken_by_another_reason_that_it_waits_for() {
        let stop = Stop::new();
        let due = Arc::new(AtomicU8::new(0));
        let (below, is_due) = (stop.clone(), Arc::clone(&due));
        let sleeper = thread::spawn(move || below.wait_or(|| is_due.load(Ordering::Relaxed) == 1));
        due.store(1, Ordering::Relaxed);
        stop.wake();
        sleeper.join().expect("the sleeper wakes up");
        assert!(!stop.is_stopped());
    }

    #[test]
    fn a_waker_is_called_at_each_step_as_long_as_it_is_kept() {
        let stop = Stop::new();
        let (sender, calls) = channel();
        let call = move || sender.send(()).expect("somebody counts");
        let below = stop.child();
        let waker = below.on_step(call.clone());
        assert_eq!(calls.try_iter().count(), 0);
        stop.soon();
        stop.soon();
        assert_eq!(calls.try_iter().count(), 1);
        let late = below.on_step(call);
        assert_eq!(calls.try_iter().count(), 1);
        drop(late);
        stop.now();
        stop.now();
        assert_eq!(calls.try_iter().count(), 1);
        drop(waker);
        assert_eq!(calls.try_recv().ok(), None);
    }

    #[test]
    fn a_receiver_is_woken_once_by_a_time_limit() {
        let stop = Stop::new().within(Duration::from_millis(1));
        let (sender, messages) = channel();
        let waker = sender.clone();
        let _waker = stop.on_step(move || waker.send("stopped").expect("somebody waits"));
        assert_eq!(stop.receive(&messages), Err(RecvTimeoutError::Timeout));
        assert!(stop.is_out_of_time());
        assert_eq!(stop.receive(&messages), Ok("stopped"));
        sender.send("more").expect("somebody waits");
        assert_eq!(stop.receive(&messages), Ok("more"));
    }

    #[test]
    fn many_short_lives_below_leave_nothing_behind() {
        let stop = Stop::new();
        (0..10_000).for_each(|_| drop(stop.child()));
        assert!(locked(&stop.0.below).children.capacity() < 100);
    }
}
