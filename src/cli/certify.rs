//! `totemic certify`: a proof that others can check.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::position::{AnyPosition, on_position};
use super::values::{claim, whole};
use super::{CliResult, Failure, Global, INTERRUPTED, stop_on_interrupt};
use crate::search::solver::certificate::{Certificate, Claim, Failed, Limits, certify};
use crate::search::solver::{DEFAULT_HASH_MB, Solvable};

/// Prove a claim about a position and write the proof to a file
///
/// The file can be checked without trusting this program: by `totemic verify`,
/// which plays through it by the rules alone, or by anybody's own verifier of
/// the documented format. A drawn position takes two proofs, that each side
/// draws at least.
///
/// Exit codes: 0 proved and written; 1 the claim is false, or the proof is too
/// long, and nothing is written; 2 wrong usage; 130 stopped by Ctrl-C.
#[derive(Args, Debug)]
pub(super) struct CertifyArgs {
    /// The position in quotes, or `startpos`
    #[arg(value_name = "POSITION")]
    position: String,
    /// Moves to play from the position first; all words up to the next option
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    moves: Vec<String>,
    /// What to prove: `p1 wins`, `p1 draws` (at least), `p1 >= N` (points more
    /// than the other side at the end), or the same of p2
    #[arg(long, value_name = "CLAIM", value_parser = claim)]
    claim: Claim,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
    /// Give up when the proof is longer than so many MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = whole(1..=1_048_576u64))]
    max_size: u64,
    /// Memory for proved positions in MiB
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_HASH_MB as u32,
          value_parser = whole(1..=1_048_576u32))]
    hash: u32,
}

pub(super) fn run(global: Global, args: &CertifyArgs) -> CliResult {
    let position = AnyPosition::read(global, &args.position, &args.moves)?;
    if args.out.exists() && !args.force {
        let what = format!("'{}' exists: add --force to replace it", args.out.display());
        return Err(Failure::Work(what));
    }
    on_position!(position, position => prove(&position, args))
}

fn prove<G: Solvable>(position: &G, args: &CertifyArgs) -> CliResult {
    let stop = stop_on_interrupt()?;
    let limits = Limits {
        bytes: args.max_size << 20,
        hash_mb: args.hash as usize,
        stop: Some(Arc::clone(&stop)),
    };
    let bar = ProgressBar::new(1000);
    let style = ProgressStyle::with_template("{bar:30} {percent}% {msg}, {elapsed}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let made = certify(position, args.claim, &limits, |written| {
        bar.set_position((written.done * 1000.0) as u64);
        bar.set_message(format!("{} choices", written.choices));
    });
    bar.finish_and_clear();
    let certificate = made.map_err(|why| match why {
        Failed::Stopped => Failure::Code(INTERRUPTED),
        Failed::False => Failure::Work(format!("it is false that {} in '{position}'", args.claim)),
        Failed::TooLong => Failure::Work(format!("the proof is longer than {} MiB", args.max_size)),
    })?;
    let bytes = certificate.write();
    write_whole(&args.out, &bytes, args.force)
        .map_err(|why| Failure::Work(format!("cannot write '{}': {why}", args.out.display())))?;
    report(&certificate, bytes.len())
}

fn report(certificate: &Certificate, bytes: usize) -> CliResult {
    let (claim, position) = (certificate.claim(), certificate.position());
    let choices = certificate.choices().len();
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "proved: {claim} in '{position}' ({choices} choices, {bytes} bytes)"
    )?;
    Ok(())
}

/// Writes a file that is there only when it is whole.
fn write_whole(path: &Path, bytes: &[u8], replaces: bool) -> io::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(&part)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    if replaces {
        return std::fs::rename(&part, path);
    }
    // Somebody may have made the file meanwhile.
    let linked = std::fs::hard_link(&part, path);
    std::fs::remove_file(&part)?;
    linked
}
