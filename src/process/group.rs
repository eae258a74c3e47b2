//! A child's process group: killing it kills the child's children, too.

pub(crate) struct Exit {
    pub(crate) how: String,
    /// Whether it was a signal by which users, schedulers and service managers ask a process
    /// to end, which no program does by itself.
    pub(crate) is_stop: bool,
}

/// How the leader of a group ended, if it has. It is not reaped, so that the number of the
/// group is not used again. `None` on other systems than Unix.
#[cfg(unix)]
pub(crate) fn leader_exit(leader: u32) -> Option<Exit> {
    use nix::sys::signal::Signal::{SIGHUP, SIGINT, SIGTERM};
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
    let id = Id::Pid(nix::unistd::Pid::from_raw(leader.cast_signed()));
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    let stops = [SIGHUP, SIGINT, SIGTERM];
    let (how, is_stop) = match waitid(id, flags) {
        // A shell that wraps an engine reports the signal so.
        Ok(WaitStatus::Exited(_, code)) => (
            format!("exit code {code}"),
            stops.iter().any(|&signal| code == 128 + signal as i32),
        ),
        Ok(WaitStatus::Signaled(_, signal, _)) => {
            (format!("killed by {signal}"), stops.contains(&signal))
        }
        _ => return None,
    };
    Some(Exit { how, is_stop })
}

/// Kills a group whose leader has not been reaped yet; whether there was one.
#[cfg(unix)]
pub(crate) fn kill(leader: u32) -> bool {
    use nix::sys::signal::{Signal, killpg};
    let group = nix::unistd::Pid::from_raw(leader.cast_signed());
    killpg(group, Signal::SIGKILL).is_ok()
}

#[cfg(not(unix))]
pub(crate) fn leader_exit(_: u32) -> Option<Exit> {
    None
}

#[cfg(not(unix))]
pub(crate) fn kill(_: u32) -> bool {
    false
}
