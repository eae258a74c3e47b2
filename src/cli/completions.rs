//! `totemic completions` and `totemic man`: describe the command line to shells and to
//! `man`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use clap_complete::{Generator, Shell, generate};
use clap_complete_nushell::Nushell;

use super::files::{make_folder, write_error};
use super::{CliResult, command};

#[derive(Args, Debug)]
pub(super) struct CompletionsArgs {
    /// The shell to write for
    #[arg(value_parser = ["bash", "elvish", "fish", "nushell", "powershell", "zsh"])]
    shell: String,
}

pub(super) fn run(args: &CompletionsArgs) -> CliResult {
    let script = match args.shell.parse::<Shell>() {
        Ok(shell) => script(shell),
        Err(_) => script(Nushell),
    };
    Ok(io::stdout().lock().write_all(&script)?)
}

// The generators panic if their writer fails, so they write to memory.
fn script(shell: impl Generator) -> Vec<u8> {
    let mut script = Vec::new();
    generate(shell, &mut command(), "totemic", &mut script);
    script
}

#[derive(Args, Debug)]
pub(super) struct ManArgs {
    /// The folder to write to: totemic.1, and a page for each command
    folder: PathBuf,
}

pub(super) fn write_man(args: &ManArgs) -> CliResult {
    make_folder("FOLDER", &args.folder, "a folder to write to")?;
    clap_mangen::generate_to(command(), &args.folder).map_err(|why| write_error(&args.folder, &why))
}
