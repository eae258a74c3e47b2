//! `totemic ugi`, also without a subcommand: speaks the protocol on stdin and stdout.

use std::io::{self, BufReader, IsTerminal};

use super::{CliResult, Failure, Global};
use totemic_engine::ugi::serve;

pub(super) fn run(global: Global) -> CliResult {
    // As much as a pipe holds.
    let input = BufReader::with_capacity(64 << 10, io::stdin().lock());
    // The searches write, too, so stdout is not locked here.
    serve(global.kind(), input, io::stdout()).map_err(Failure::of_server)
}

pub(super) fn greet() {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        say!(
            "Totemic {} speaks UGI: 'help' lists its commands. To play: totemic play.",
            env!("CARGO_PKG_VERSION")
        );
    }
}
