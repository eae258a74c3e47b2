//! The clock, and how long-running work asks its host whether to go on.
//!
//! WebAssembly in a browser has neither a clock nor threads: `std`'s clock panics there,
//! and nothing else runs while a search does. A `Host` provides the time, and is called
//! wherever a search looks at the clock.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use std::time::Instant;

/// Whether there is a host, as in WebAssembly in a browser: then there are no threads, and work
/// in the background is deferred until the host does it between two commands.
pub(crate) const HAS_HOST: bool = cfg!(all(target_family = "wasm", target_os = "unknown"));

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host::Host;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use host::{Instant, is_interrupted};

/// Whether the host wants all work to end: never, as there is no host here.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) const fn is_interrupted() -> bool {
    false
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod host {
    use std::ops::Add;
    use std::sync::OnceLock;
    use std::time::Duration;

    /// What the program that embeds the library provides to it.
    #[derive(Clone, Copy, Debug)]
    pub struct Host {
        /// Milliseconds since some moment, which is the same in all calls.
        pub now: fn() -> f64,
        /// Called by long work, by a search more often than once in a millisecond. It may hand
        /// lines to the session; if it returns `true`, the work ends.
        pub look: fn() -> bool,
    }

    static HOST: OnceLock<Host> = OnceLock::new();

    impl Host {
        /// Makes this the host of the library. Without a host no time passes; only the
        /// first call counts.
        pub fn install(self) {
            let _ = HOST.set(self);
        }
    }

    pub(crate) fn is_interrupted() -> bool {
        HOST.get().is_some_and(|host| (host.look)())
    }

    /// A moment on the host's clock.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub(crate) struct Instant(Duration);

    impl Instant {
        pub(crate) fn now() -> Self {
            let millis = HOST.get().map_or(0.0, |host| (host.now)());
            Self(Duration::try_from_secs_f64(millis / 1e3).unwrap_or_default())
        }

        pub(crate) fn checked_add(self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Self)
        }

        pub(crate) fn saturating_duration_since(self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        pub(crate) fn elapsed(self) -> Duration {
            Self::now().saturating_duration_since(self)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0 + time)
        }
    }
}
