//! `totemic ugi`, also without a subcommand: speaks the protocol on stdin and stdout.

use std::io::{self, BufReader, IsTerminal};

use super::{CliResult, Global};
use totemic_engine::ugi::serve;

/// Bytes that are read at once, as many as a pipe holds.
const AT_ONCE: usize = 64 << 10;

pub(super) fn run(global: Global) -> CliResult {
    let input = BufReader::with_capacity(AT_ONCE, io::stdin().lock());
    // The searches write, too, so stdout is not locked here.
    Ok(serve(global.kind(), input, io::stdout())?)
}

pub(super) fn greet() {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        say!(
            "Totemic {} speaks UGI: 'help' lists its commands. To play: totemic play.",
            env!("CARGO_PKG_VERSION")
        );
    }
}
