//! The processors on which a thread and what it starts run.

use std::io;

/// Returns the processors that this process may use, first one of each core; `None` where
/// the system does not tell.
#[cfg(target_os = "linux")]
pub(crate) fn allowed() -> Option<Vec<usize>> {
    use nix::sched::{CpuSet, sched_getaffinity};
    use nix::unistd::Pid;

    let set = sched_getaffinity(Pid::from_raw(0)).ok()?;
    let is_set = |&cpu: &usize| set.is_set(cpu).unwrap_or_default();
    let mut allowed: Vec<_> = (0..CpuSet::count()).filter(is_set).collect();
    allowed.sort_by_cached_key(|&cpu| rank(cpu));
    Some(allowed)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn allowed() -> Option<Vec<usize>> {
    None
}

/// The place of a processor among those of its core, which share its units.
#[cfg(target_os = "linux")]
fn rank(cpu: usize) -> usize {
    let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
    let siblings = std::fs::read_to_string(path).unwrap_or_default();
    let mut siblings = siblings.trim().split([',', '-']);
    let own = siblings.position(|text| text.parse() == Ok(cpu));
    own.unwrap_or(0)
}

/// Binds this thread, and what it starts from now on, to these processors; without any,
/// nothing changes.
#[cfg(target_os = "linux")]
pub(crate) fn bind(processors: &[usize]) -> io::Result<()> {
    use nix::sched::{CpuSet, sched_setaffinity};
    use nix::unistd::Pid;

    if processors.is_empty() {
        return Ok(());
    }
    let mut set = CpuSet::new();
    processors.iter().try_for_each(|&cpu| set.set(cpu))?;
    Ok(sched_setaffinity(Pid::from_raw(0), &set)?)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn bind(processors: &[usize]) -> io::Result<()> {
    match processors {
        [] => Ok(()),
        _ => Err(io::ErrorKind::Unsupported.into()),
    }
}
