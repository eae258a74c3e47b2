//! `totemic completions`: scripts that teach a shell the command line.

use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Cli, CliResult};

#[derive(Args, Debug)]
pub(super) struct CompletionsArgs {
    /// The shell to write for
    shell: Shell,
}

pub(super) fn run(args: &CompletionsArgs) -> CliResult {
    // The generator panics when its writer fails, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "totemic", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(())
}
