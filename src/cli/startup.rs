//! What the program does before it looks at its arguments, so that the system lets it work.

/// Prepares the process. It may start the program again.
pub(super) fn prepare() {
    #[cfg(unix)]
    block_signals();
    #[cfg(target_os = "linux")]
    own_standard_streams();
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    share_heap_under_a_limit();
}

/// Starts the program again with one heap for all threads, if its memory is limited.
///
/// glibc reserves 64 MiB of addresses for the heap of each thread. That uses up a limit
/// before anything is left for the work, and only an environment variable prevents it.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn share_heap_under_a_limit() {
    use std::os::unix::process::CommandExt;

    use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};

    const ARENAS: &str = "MALLOC_ARENA_MAX";
    let limit = getrlimit(Resource::RLIMIT_AS).map_or(RLIM_INFINITY, |(soft, _)| soft);
    if limit == RLIM_INFINITY || std::env::var_os(ARENAS).is_some() {
        return;
    }
    if let Ok(program) = std::env::current_exe() {
        // This returns only if it fails; then the program goes on as it is.
        let _ = std::process::Command::new(program)
            .args(std::env::args_os().skip(1))
            .env(ARENAS, "1")
            .exec();
    }
}

/// Opens the pipes and terminals among stdin, stdout and stderr anew, so that each has an
/// open file of its own.
///
/// Whoever shares an open file can make it non-blocking, at any time, and then a read or a
/// write fails where it should wait. What cannot be opened, such as a socket, stays as it
/// is.
#[cfg(target_os = "linux")]
fn own_standard_streams() {
    use std::fs::OpenOptions;
    use std::io;
    use std::os::fd::AsFd;
    use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

    use nix::fcntl::{FcntlArg, OFlag, fcntl};
    use nix::unistd::{dup2_stderr, dup2_stdin, dup2_stdout};

    let open = |number: u8| {
        let path = format!("/proc/self/fd/{number}");
        let kind = std::fs::metadata(&path)?.file_type();
        if !kind.is_fifo() && !kind.is_char_device() {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let mut options = OpenOptions::new();
        let is_input = number == 0;
        // Without the flag, opening a pipe waits for somebody at its other end.
        let flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
        let options = options.read(is_input).write(!is_input);
        let file = options.custom_flags(flags.bits()).open(path)?;
        fcntl(file.as_fd(), FcntlArg::F_SETFL(OFlag::empty()))?;
        Ok::<_, io::Error>(file)
    };
    let _ = open(0).map(dup2_stdin);
    let _ = open(1).map(dup2_stdout);
    let _ = open(2).map(dup2_stderr);
}

/// Blocks the signal of a write beyond the limit on the size of files (`ulimit -f`), which
/// would end the program without a word: then the write is an error, which is told. Blocks,
/// too, what the program was started to ignore, as by `nohup`: a handler would undo that.
#[cfg(unix)]
fn block_signals() {
    use nix::sys::signal::{SigSet, Signal};

    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
    let is_ignored = |signal: &Signal| ignored.unwrap_or(0) >> (*signal as u32 - 1) & 1 == 1;
    let ends = [Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM].into_iter();
    let mut blocked: SigSet = ends.filter(is_ignored).collect();
    blocked.add(Signal::SIGXFSZ);
    // What begins later inherits this: threads, and engines, which are ended by SIGKILL.
    let _ = blocked.thread_block();
}
