//! Ends processes that engines leave behind; on Linux even those with a session of their
//! own.
//!
//! Killing an engine's process group does not reach a grandchild that called `setsid`. A
//! subreaper (`prctl(2)`, `PR_SET_CHILD_SUBREAPER`) inherits such orphans. So every child
//! that is left at the end of a match and was not there before it is one of them.

/// Adopts orphans and ends them when it is dropped. Drop it only after the last engine
/// has been waited for.
#[derive(Debug)]
pub(crate) struct Orphanage {
    /// Children that existed before.
    spared: Vec<u32>,
}

impl Orphanage {
    /// Begins to adopt orphans, if the system has subreapers. Existing children are
    /// spared.
    pub(crate) fn open() -> Self {
        system::adopt();
        Self {
            spared: system::children(),
        }
    }
}

impl Drop for Orphanage {
    fn drop(&mut self) {
        // An orphan's own children are adopted when the orphan ends.
        end_all(|| {
            let mut children = system::children();
            children.retain(|child| !self.spared.contains(child));
            children
        });
    }
}

/// Ends all processes that began with this variable in their environment, where the
/// system shows it.
pub(super) fn end_marked(variable: &str) {
    end_all(|| system::marked(variable.as_bytes()));
}

fn end_all(find: impl Fn() -> Vec<u32>) {
    // Each round ends at least one process; the bound is for a process that starts others
    // faster.
    for _ in 0..1000 {
        let found = find();
        if found.is_empty() {
            return;
        }
        found.into_iter().for_each(system::end);
    }
}

#[cfg(target_os = "linux")]
mod system {
    use nix::sys::prctl::set_child_subreaper;
    use nix::sys::signal::{Signal, kill};
    use nix::sys::wait::waitpid;
    use nix::unistd::Pid;

    pub(super) fn adopt() {
        let _ = set_child_subreaper(true);
    }

    pub(super) fn children() -> Vec<u32> {
        let own = std::process::id();
        processes()
            .filter(|&pid| parent(pid) == Some(own))
            .collect()
    }

    pub(super) fn marked(variable: &[u8]) -> Vec<u32> {
        let is_marked = |pid: &u32| {
            let environment = std::fs::read(format!("/proc/{pid}/environ"));
            environment.is_ok_and(|all| all.split(|&byte| byte == 0).any(|it| it == variable))
        };
        processes().filter(is_marked).collect()
    }

    fn processes() -> impl Iterator<Item = u32> {
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
    }

    /// Returns the parent of a process: the second word after its name, which is in
    /// parentheses and may contain anything.
    fn parent(pid: u32) -> Option<u32> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (_, rest) = stat.rsplit_once(')')?;
        rest.split_whitespace().nth(1)?.parse().ok()
    }

    pub(super) fn end(child: u32) {
        let child = Pid::from_raw(child.cast_signed());
        let _ = kill(child, Signal::SIGKILL);
        let _ = waitpid(child, None);
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub(super) fn adopt() {}

    pub(super) fn children() -> Vec<u32> {
        Vec::new()
    }

    pub(super) fn marked(_: &[u8]) -> Vec<u32> {
        Vec::new()
    }

    pub(super) fn end(_: u32) {}
}
