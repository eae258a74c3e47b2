//! `totemic analyze --file`: many positions, as they come.

use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::Path;

use super::super::{CliResult, Failure, Global, INTERRUPTED, files, stop_on_interrupt};
use super::AnalyzeArgs;
use crate::analysis::{Bounds, Settings, serve};

/// Answers the requests of a file or of stdin.
pub(super) fn run(global: Global, args: &AnalyzeArgs, path: &Path) -> CliResult {
    let input: Box<dyn Read + Send> = if path.as_os_str() == "-" {
        Box::new(files::Stdin)
    } else {
        Box::new(files::open(path, "a file of positions or requests")?)
    };
    let threads = usize::try_from(args.threads).ok();
    let settings = Settings {
        game: global.kind(),
        bounds: Bounds {
            depth: args.depth,
            nodes: args.nodes,
            move_time: args.move_time(),
        },
        multi_pv: args.multipv.into(),
        threads: threads
            .and_then(NonZeroUsize::new)
            .unwrap_or(NonZeroUsize::MIN),
        hash_mb: usize::try_from(args.hash).unwrap_or(1),
    };
    let stop = stop_on_interrupt()?;
    let done = serve(input, io::stdout(), &settings, &stop)?;
    match (done.stopped, done.failed) {
        (true, _) => Err(Failure::Code(INTERRUPTED)),
        (false, 0) => Ok(()),
        (false, _) => Err(Failure::Code(1)),
    }
}
