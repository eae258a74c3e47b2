//! A child's process group: killing it kills the child's children, too.

use std::process::{Child, Command};

pub(crate) struct Exit {
    pub(crate) how: String,
    /// The exit code, or 128 and the number of the signal that ended the process.
    pub(super) code: i32,
}

impl Exit {
    /// Whether the process was ended by a signal with which users, schedulers and service
    /// managers ask a process to end; a shell that wraps an engine reports one as its code.
    pub(super) fn is_by_termination_signal(&self) -> bool {
        cfg!(unix) && TERMINATION_SIGNALS.contains(&(self.code - 128))
    }

    fn with_code(code: i32) -> Self {
        let how = format!("exit code {code}");
        Self { how, code }
    }

    #[cfg(unix)]
    fn by_signal(signal: nix::sys::signal::Signal) -> Self {
        let how = format!("killed by {signal}");
        let code = 128 + signal as i32;
        Self { how, code }
    }
}

/// `SIGHUP`, `SIGINT` and `SIGTERM`.
const TERMINATION_SIGNALS: [i32; 3] = [1, 2, 15];

/// Makes a child the leader of its own group, which Ctrl-C in the terminal does not
/// reach.
pub(crate) fn lead(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    {
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
        std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
    }
}

/// Returns how the leader of a group ended, if it has. On Linux the leader is not reaped,
/// so that the number of the group is not used again; elsewhere `try_wait` tells.
#[cfg(target_os = "linux")]
pub(crate) fn leader_exit(leader: &mut Child) -> Option<Exit> {
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
    let id = Id::Pid(nix::unistd::Pid::from_raw(leader.id().cast_signed()));
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    match waitid(id, flags) {
        Ok(WaitStatus::Exited(_, code)) => Some(Exit::with_code(code)),
        Ok(WaitStatus::Signaled(_, signal, _)) => Some(Exit::by_signal(signal)),
        _ => None,
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn leader_exit(leader: &mut Child) -> Option<Exit> {
    let status = leader.try_wait().ok().flatten()?;
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status)
        && let Ok(signal) = nix::sys::signal::Signal::try_from(signal)
    {
        return Some(Exit::by_signal(signal));
    }
    Some(Exit::with_code(status.code().unwrap_or(-1)))
}

/// Kills a group whose leader has not been reaped yet. The leader may have left it: whoever
/// owns the leader kills that, too. Windows has no such groups.
#[cfg(unix)]
pub(crate) fn kill(leader: u32) {
    use nix::sys::signal::{Signal, killpg};
    let group = nix::unistd::Pid::from_raw(leader.cast_signed());
    let _ = killpg(group, Signal::SIGKILL);
}

#[cfg(not(unix))]
pub(crate) fn kill(_: u32) {}
