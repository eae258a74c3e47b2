//! The library as a WebAssembly module: what `totemic.js` calls, and what it has to offer.
//!
//! Texts come and go through the module's memory. `input` makes room for a text, and the
//! next call takes it; `write` hands one out: a line of the protocol, or a reply, which
//! begins with `{`. While `engine::work` or `ask` runs, the host may call
//! `engine::line` and the others from within `look`. With `--cfg rules_only` the module
//! has no engine and is less than a third of the size: a page knows the rules before the
//! engine has come.
#![cfg(all(target_family = "wasm", target_os = "unknown"))]
#![allow(
    unsafe_code,
    reason = "names of exports and imports are unsafe to give"
)]

use std::cell::RefCell;

use totemic_engine::host::Host;
use totemic_games::facts;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since some moment.
    safe fn now() -> f64;
    /// Called often by what takes long; whether it has to end.
    safe fn look() -> bool;
    /// Takes a text.
    safe fn write(text: *const u8, length: usize);
    /// Takes the message of a panic, after which the module can no longer be used.
    safe fn fault(text: *const u8, length: usize);
}

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

fn say(text: String) {
    write(text.as_ptr(), text.len());
}

/// Prepares the module, once and before anything else.
#[unsafe(no_mangle)]
extern "C" fn begin() {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        fault(text.as_ptr(), text.len());
    }));
    Host {
        now: || now(),
        look: || look(),
    }
    .install();
}

/// Makes room for a text of so many bytes.
#[unsafe(no_mangle)]
extern "C" fn input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        *input = vec![0; length];
        input.as_mut_ptr()
    })
}

/// Answers a question of a page: see [`facts::reply`].
#[unsafe(no_mangle)]
extern "C" fn ask() {
    let message = INPUT.take();
    let message = serde_json::from_slice(&message).unwrap_or_default();
    #[cfg(rules_only)]
    say(facts::reply_by_rules(message));
    #[cfg(not(rules_only))]
    say(facts::reply(message, &engine::until_enough(), say));
}

#[cfg(not(rules_only))]
mod engine {
    use std::cell::RefCell;
    use std::io::{self, Write};

    use totemic_engine::game::GameKind;
    use totemic_engine::stop::Stop;
    use totemic_engine::ugi::Session;

    use super::{INPUT, write};

    thread_local! {
        /// Made by the first line: a module that is only asked needs no tables.
        static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
        /// What the last line has begun.
        static WORK: RefCell<Option<Box<dyn FnOnce() + Send>>> = const { RefCell::new(None) };
        /// Ends the review that runs.
        static ENOUGH: RefCell<Stop> = RefCell::default();
    }

    /// The way out for the lines of a session.
    struct Lines;

    impl Write for Lines {
        fn write(&mut self, text: &[u8]) -> io::Result<usize> {
            write(text.as_ptr(), text.len());
            Ok(text.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Takes a line of the client. Answers 1 where [`work`] has to be called before the
    /// next line, 2 after `quit`, otherwise 0.
    #[unsafe(no_mangle)]
    extern "C" fn line() -> u32 {
        let text = INPUT.take();
        SESSION.with_borrow_mut(|session| {
            let new = || Session::new(GameKind::Yoxii, Lines, Stop::new());
            let session = session.get_or_insert_with(new);
            let handled = session.handle_lines(&text[..]);
            let ended = handled.is_ok_and(|next| next.is_break());
            let work = session.take_work();
            let next = match (ended, &work) {
                (true, _) => 2,
                (false, Some(_)) => 1,
                (false, None) => 0,
            };
            WORK.set(work);
            next
        })
    }

    /// Does what the last line has begun.
    #[unsafe(no_mangle)]
    extern "C" fn work() {
        if let Some(work) = WORK.take() {
            work();
        }
    }

    /// The input has ended: stops a search that does not end by itself.
    #[unsafe(no_mangle)]
    extern "C" fn end() {
        SESSION.with_borrow(|session| session.iter().for_each(Session::stop_endless));
    }

    /// What [`enough`] ends: the question that is answered now.
    pub(super) fn until_enough() -> Stop {
        let stop = Stop::new();
        ENOUGH.set(stop.clone());
        stop
    }

    /// Ends the review that runs; until it has, `look` has to answer 1.
    #[unsafe(no_mangle)]
    extern "C" fn enough() {
        ENOUGH.with_borrow(Stop::now);
    }
}
