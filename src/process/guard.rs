//! A process that outlives a runner, even one killed by `SIGKILL`, and ends what is left of
//! its engines.
//!
//! The runner reports through a pipe when a process group begins and when it ends. The pipe
//! closes when the runner ends, for whatever reason. What an engine has started in a session of
//! its own is known by a variable of its environment, where the system shows it.

use std::io::{BufRead, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;

use super::group;
use totemic_engine::lock::locked;

/// The pipe to the guard, once there is one.
static GUARD: Mutex<Option<ChildStdin>> = Mutex::new(None);

/// The command line of a guard.
pub(crate) const COMMAND: &str = "guard";

/// The variable that names the runner to an engine, and to all that the engine starts.
const RUNNER_VARIABLE: &str = "TOTEMIC_RUNNER";

pub(super) fn mark(engine: &mut Command) {
    engine.env(RUNNER_VARIABLE, std::process::id().to_string());
}

/// A running guard. Dropping it, after the last engine, ends what engines have left behind.
#[derive(Debug)]
pub(crate) struct Guard(Child);

/// Starts this program as the guard of this process; as such, it calls [`watch`]. If it cannot
/// be started, engines outlive a runner that is killed.
pub(crate) fn start() -> Option<Guard> {
    let program = std::env::current_exe().ok()?;
    let mut command = Command::new(program);
    command
        .arg(COMMAND)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    group::lead(&mut command);
    let mut child = command.spawn().ok()?;
    *locked(&GUARD) = child.stdin.take();
    tell('=', std::process::id());
    Some(Guard(child))
}

impl Drop for Guard {
    fn drop(&mut self) {
        *locked(&GUARD) = None;
        let _ = self.0.wait();
    }
}

/// Tells that a process group has begun (`+`) or ended (`-`), or which one the runner is (`=`).
pub(super) fn tell(sign: char, group: u32) {
    if let Some(pipe) = &mut *locked(&GUARD) {
        let _ = writeln!(pipe, "{sign}{group}");
    }
}

/// Reads which groups begin and which end. When the input ends, kills those that are
/// left, and whatever engines of the runner have started.
pub(crate) fn watch(input: impl BufRead) {
    let (mut groups, mut runner): (Vec<u32>, _) = (Vec::new(), None);
    for line in input.lines().map_while(Result::ok) {
        let number = line.get(1..).and_then(|number| number.parse().ok());
        match (line.as_bytes().first(), number) {
            (Some(b'+'), Some(group)) if group > 1 => groups.push(group),
            (Some(b'='), _) => runner = number,
            (Some(b'-'), Some(group)) => groups.retain(|&other| other != group),
            _ => {}
        }
    }
    for group in groups {
        group::kill(group);
    }
    if let Some(runner) = runner {
        end_marked(&format!("{RUNNER_VARIABLE}={runner}"));
    }
}

#[cfg(target_os = "linux")]
fn end_marked(variable: &str) {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let is_marked = |pid: &i32| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let mut variables = environment.split(|&byte| byte == 0);
        variables.any(|it| it == variable.as_bytes())
    };
    // Each round ends at least one process; the bound is for a process that starts others
    // faster.
    for _ in 0..1000 {
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let pids: Vec<_> = numbers.filter(is_marked).collect();
        if pids.is_empty() {
            return;
        }
        for pid in pids {
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

#[cfg(not(target_os = "linux"))]
fn end_marked(_: &str) {}
