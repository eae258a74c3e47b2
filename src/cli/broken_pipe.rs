//! Notices that nobody reads any more what a command prints.

/// Ends the program soon after the reader of stdout has left, also amid long work.
#[cfg(unix)]
pub(super) fn end_on_it(code: u8) {
    use std::io;
    use std::os::fd::AsFd;
    use std::thread::{Builder, sleep};
    use std::time::Duration;

    use nix::errno::Errno;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    /// In this time a command that has already failed says so.
    const GRACE: Duration = Duration::from_millis(500);

    let watch = move || {
        let stdout = io::stdout();
        // No events are asked for: errors and hang-ups are reported anyway.
        let mut watched = [PollFd::new(stdout.as_fd(), PollFlags::empty())];
        while poll(&mut watched, PollTimeout::NONE) == Err(Errno::EINTR) {}
        // On macOS, `poll` reports `POLLNVAL` for a terminal or a device.
        let is_left = PollFlags::POLLERR | PollFlags::POLLHUP;
        if (watched[0].revents()).is_some_and(|events| events.intersects(is_left)) {
            sleep(GRACE);
            std::process::exit(code.into());
        }
    };
    // Without a thread, this is noticed only at the next line.
    let _ = Builder::new().spawn(watch);
}

/// Elsewhere, this is noticed only at the next line.
#[cfg(not(unix))]
pub(super) fn end_on_it(_code: u8) {}
