//! A child's process group: whoever kills it gets the child's children too.

/// How the leader of a group ended, if it has. It is not reaped, so that the
/// group's number stays its own. Elsewhere than on Unix nobody can tell.
#[cfg(unix)]
pub(crate) fn leader_exit(leader: u32) -> Option<String> {
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
    let id = Id::Pid(nix::unistd::Pid::from_raw(leader.cast_signed()));
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    match waitid(id, flags) {
        Ok(WaitStatus::Exited(_, code)) => Some(format!("exit code {code}")),
        Ok(WaitStatus::Signaled(_, signal, _)) => Some(format!("killed by {signal}")),
        _ => None,
    }
}

/// Kills a group whose leader has not been reaped yet; whether there was one.
#[cfg(unix)]
pub(crate) fn kill(leader: u32) -> bool {
    use nix::sys::signal::{Signal, killpg};
    let group = nix::unistd::Pid::from_raw(leader.cast_signed());
    killpg(group, Signal::SIGKILL).is_ok()
}

#[cfg(not(unix))]
pub(crate) fn leader_exit(_: u32) -> Option<String> {
    None
}

#[cfg(not(unix))]
pub(crate) fn kill(_: u32) -> bool {
    false
}
