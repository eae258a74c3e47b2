//! `totemic ugi`, also without a subcommand: the protocol on stdin and stdout.

use std::io;

use super::{CliResult, Global};
use crate::ugi::serve;

pub(super) fn run(global: Global) -> CliResult {
    // The searches write too, so stdout is not locked here.
    serve(global.kind(), io::stdin().lock(), io::stdout())?;
    Ok(())
}
