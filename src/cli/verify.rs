//! `totemic verify`: checks proofs that `totemic certify` wrote, or others did.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::values::whole;
use super::{CliResult, Failure, say};
use crate::search::solver::certificate::{Certificate, verify};

/// Check proofs by the rules of the games alone
///
/// Plays through all that a certificate says, without search, and looks at the
/// score of each end. Prints what is proved, a line for each file.
///
/// Exit codes: 0 all files prove what they claim; 1 one does not, or cannot be
/// read; 2 wrong usage.
#[derive(Args, Debug)]
pub(super) struct VerifyArgs {
    /// Files written by `certify`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Refuse files of more MiB; checking takes about thirty times as much memory
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = whole(1..=1_048_576u64))]
    max_size: u64,
}

pub(super) fn run(args: &VerifyArgs) -> CliResult {
    let mut out = io::stdout().lock();
    let mut all_proved = true;
    for path in &args.files {
        match check(path, args.max_size) {
            Ok(line) => writeln!(out, "{}: {line}", path.display())?,
            Err(why) => {
                all_proved = false;
                say(format_args!("{}: not proved: {why}", path.display()));
            }
        }
    }
    if all_proved {
        Ok(())
    } else {
        Err(Failure::Code(1))
    }
}

/// What a file proves, or why it proves nothing.
fn check(path: &Path, max_size: u64) -> Result<String, String> {
    let bytes = read(path, max_size << 20).map_err(|why| why.to_string())?;
    let bytes = bytes.ok_or_else(|| format!("it has more than {max_size} MiB (see --max-size)"))?;
    let certificate = Certificate::read(&bytes).map_err(|why| why.to_string())?;
    let verified = verify(&certificate).map_err(|why| why.to_string())?;
    let (claim, position) = (certificate.claim(), certificate.position());
    Ok(format!(
        "proved: {claim} in '{position}' ({} choices, {} ends)",
        verified.choices, verified.ends
    ))
}

/// A file's bytes; `None` where there are more than so many.
fn read(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}
