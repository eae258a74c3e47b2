//! `totemic ugi`, also without a subcommand: speaks the protocol on stdin and stdout.

use std::io::{self, BufReader, IsTerminal};

use super::{CliResult, Global};
use totemic_engine::search::Stop;
use totemic_engine::ugi::serve_until;

/// Bytes that are read at once, as many as a pipe holds.
const AT_ONCE: usize = 64 << 10;

pub(super) fn run(global: Global) -> CliResult {
    let gone = Stop::new();
    #[cfg(unix)]
    watch_reader(gone.clone());
    let input = BufReader::with_capacity(AT_ONCE, io::stdin().lock());
    // The searches write, too, so stdout is not locked here.
    serve_until(global.kind(), input, io::stdout(), gone)?;
    Ok(())
}

pub(super) fn greet() {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        say!(
            "Totemic {} speaks UGI: 'help' lists its commands. To play: totemic play.",
            env!("CARGO_PKG_VERSION")
        );
    }
}

/// Notices when stdout is closed, even during a long silent search.
#[cfg(unix)]
fn watch_reader(gone: Stop) {
    use nix::errno::Errno;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use std::os::fd::AsFd;

    let watch = move || {
        let stdout = io::stdout();
        // No events are asked for: errors and hang-ups are reported anyway.
        let mut watched = [PollFd::new(stdout.as_fd(), PollFlags::empty())];
        loop {
            match poll(&mut watched, PollTimeout::NONE) {
                // On macOS, `poll` reports `POLLNVAL` for a terminal or a device.
                Ok(_) => {
                    let is_closed = PollFlags::POLLERR | PollFlags::POLLHUP;
                    if watched[0]
                        .revents()
                        .is_some_and(|it| it.intersects(is_closed))
                    {
                        gone.now();
                    }
                    return;
                }
                Err(Errno::EINTR) => {}
                Err(_) => return,
            }
        }
    };
    // If no thread can be started, a closed stdout is noticed only at the next line.
    let _ = std::thread::Builder::new().spawn(watch);
}
