//! `totemic certify`: writes a proof that others can check.

mod parts;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::files::{check_writable, exists, write_whole};
use super::position::{AnyPosition, on_position};
use super::results::Folder;
use super::values::{claim, whole};
use super::{CliResult, Failure, Global, interrupted, stop_on_interrupt};
use crate::game::number_of;
use crate::search::solver::certificate::split::{PartError, Task};
use crate::search::solver::certificate::{
    Certificate, CertificateLimits, Claim, DEFAULT_MAX_MB, Failed, Statement, certify,
};
use crate::search::solver::{DEFAULT_HASH_MB, Solvable};

/// Prove a claim about a position and write the proof to a file
///
/// You can check the file without trusting this program: with `totemic verify`,
/// which plays through it by the rules alone, or with your own verifier of the
/// documented format. A drawn position takes two proofs: each side draws at
/// least.
///
/// A large proof is made in parts:
///
///   totemic certify POSITION --claim CLAIM --split 10000000 --out top.txt
///   totemic certify --task-file top.txt --results parts
///   totemic certify --merge top.txt --results parts --out proof
///
/// --split writes the top of the proof with a line for each task. --task-file
/// proves all tasks and keeps them in the folder parts; start as many of these
/// workers as you like, on one machine or as a Slurm array, and start a worker
/// again if it was killed. --task proves one task, so `grep ^task top.txt |
/// parallel totemic certify --results parts --task {}` works, too. --merge puts
/// the parts together into one file, or prints the tasks that are missing.
///
/// If tasks were refuted or are too large, run --split again with the same
/// --results: it finds another way, and what is proved stays valid. --split
/// notices that a claim is false only if the results or a short search refute it;
/// otherwise each round refutes as many tasks.
///
/// A task is done if a stream in DIR proves it. Workers trust a stream whose
/// length and SHA-256 are in results.txt; --merge and `totemic verify` check all
/// of them by the rules. Damaged streams are named on stderr and proved again;
/// remove those that --merge names although they match results.txt. Making and
/// checking the merged file takes memory for its length and its longest part.
///
/// Exit codes: 0 proved and written, or the tasks are proved; 1 the claim is
/// false, the proof too long or a task missing, and nothing is written; or a task
/// is refuted, too large, or left out because its stream cannot be written;
/// 2 bad arguments; 130 stopped by Ctrl-C, with a line on stderr that says how
/// far it got and how to go on.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct CertifyArgs {
    /// The position in quotes, or `startpos`
    #[arg(value_name = "POSITION", required_unless_present_any = ["task", "task_file", "merge"],
          conflicts_with_all = ["task", "task_file", "merge"])]
    position: Option<String>,
    /// Moves to play from the position first: all words up to the next option
    #[arg(long, num_args = 1.., value_name = "MOVE",
          conflicts_with_all = ["task", "task_file", "merge"])]
    moves: Vec<String>,
    /// What to prove: `p1 wins`, `p1 draws` (at least), `p1 >= N` (p1 has at least N
    /// points more at the end), or the same for p2; p1 moves first: White in Yoxii,
    /// Black in Hokito
    #[arg(long, value_name = "CLAIM", value_parser = claim,
          required_unless_present_any = ["task", "task_file", "merge"],
          conflicts_with_all = ["task", "task_file", "merge"])]
    claim: Option<Claim>,
    /// The file to write
    #[arg(long, value_name = "FILE", required_unless_present_any = ["task", "task_file"],
          conflicts_with_all = ["task", "task_file"])]
    out: Option<PathBuf>,
    /// Write only the top of the proof, down to tasks of about this many nodes, at
    /// least 100; a task may take thirty times as many before it is too large
    #[arg(long, value_name = "NODES", value_parser = whole(100u64..), conflicts_with = "merge")]
    split: Option<u64>,
    /// Prove the task of this line of a top
    #[arg(long, value_name = "LINE", requires = "results", value_parser = task,
          conflicts_with_all = ["task_file", "merge", "split"])]
    task: Option<Task>,
    /// Prove all tasks of a top that are not done; several workers share them, each in
    /// an order of its own
    #[arg(long, value_name = "TOP", requires = "results", conflicts_with_all = ["merge", "split"])]
    task_file: Option<PathBuf>,
    /// Put the parts of a top together
    #[arg(long, value_name = "TOP", requires = "results")]
    merge: Option<PathBuf>,
    /// The folder for the results of tasks; --task and --task-file create it; for the
    /// others it must exist
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, conflicts_with_all = ["task", "task_file"])]
    force: bool,
    /// Give up when the proof is longer than this many MiB; making and checking it
    /// take up to 400 times as much memory; not for parts
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_MAX_MB, value_parser = whole(1..=1_048_576u64),
          conflicts_with_all = ["split", "task", "task_file", "merge"])]
    max_size: u64,
    /// Memory for proved positions in MiB; tasks always use the same, so that
    /// their streams are the same everywhere
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_HASH_MB as u32,
          value_parser = whole(1..=1_048_576u32),
          conflicts_with_all = ["split", "task", "task_file", "merge"])]
    hash: u32,
}

fn task(line: &str) -> Result<Task, String> {
    line.parse().map_err(|why: PartError| why.to_string())
}

pub(super) fn run(global: Global, args: &CertifyArgs) -> CliResult {
    let results = || {
        let missing = || Failure::Usage("expected --results DIR".to_owned());
        args.results.as_deref().ok_or_else(missing)
    };
    if let Some(task) = &args.task {
        let folder = Folder::made(results()?)?;
        return parts::prove_tasks(global, std::slice::from_ref(task), &folder);
    }
    if let Some(path) = &args.task_file {
        let top = parts::read_top(path)?;
        let tasks: Vec<Task> = top.tasks().cloned().collect();
        let folder = Folder::made(results()?)?;
        return parts::prove_tasks(global, &tasks, &folder);
    }
    let missing = || Failure::Usage("expected --out FILE".to_owned());
    let out = args.out.as_deref().ok_or_else(missing)?;
    if out.exists() && !out.is_dir() && !args.force {
        return Err(exists(out));
    }
    // Checked first, because the work may take hours.
    check_writable(out)?;
    if let Some(path) = &args.merge {
        let top = parts::read_top(path)?;
        let folder = Folder::there(results()?)?;
        return parts::put_together(&top, &folder, (out, args.force));
    }
    let (Some(position), Some(claim)) = (&args.position, args.claim) else {
        return Err(Failure::Usage(
            "expected POSITION and --claim CLAIM".to_owned(),
        ));
    };
    let position = AnyPosition::read(global, position, &args.moves)?;
    match args.split {
        Some(nodes) => {
            let folder = args.results.as_deref().map(Folder::there).transpose()?;
            on_position!(position, position => {
                parts::make_top(&position, claim, nodes, folder.as_ref(), (out, args.force))
            })
        }
        None if args.results.is_some() => Err(Failure::Usage(
            "--results DIR: expected --split, --task, --task-file or --merge with it".to_owned(),
        )),
        None => on_position!(position, position => prove(&position, claim, out, args)),
    }
}

fn prove<G: Solvable>(position: &G, claim: Claim, out: &Path, args: &CertifyArgs) -> CliResult {
    let stop = stop_on_interrupt()?;
    let limits = CertificateLimits {
        bytes: args.max_size << 20,
        hash_mb: args.hash as usize,
        stop: stop.clone(),
        ..CertificateLimits::default()
    };
    let bar = ProgressBar::new(1000);
    let style = ProgressStyle::with_template("{bar:30} {percent}% {msg}, {elapsed}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let mut done = 0.0;
    let (made, nodes) = certify(position, claim, &limits, |written| {
        done = written.done;
        bar.set_position((written.done * 1000.0) as u64);
        bar.set_message(number_of(written.choices, "choice"));
    });
    bar.finish_and_clear();
    let certificate = made.map_err(|why| match why {
        Failed::TooLong => Failure::Work(format!("the proof is longer than {} MiB", args.max_size)),
        Failed::Stopped => interrupted(format_args!(
            "stopped after {:.0} % of the proof: nothing was written, and the same command starts \
             over; a proof in parts (--split) can be continued",
            done * 100.0
        )),
        why => unproved(why, claim, position),
    })?;
    write_whole(out, &certificate.bytes, args.force)?;
    report(&certificate, Some(nodes))
}

fn unproved<G: Solvable>(why: Failed, claim: Claim, position: &G) -> Failure {
    match why {
        Failed::False => Failure::Work(format!("it is false that {claim} in '{position}'")),
        why => Failure::Work(why.to_string()),
    }
}

/// Prints what a certificate proves, and the solver's nodes if they are known.
fn report(certificate: &Certificate, nodes: Option<u64>) -> CliResult {
    let Statement {
        position, claim, ..
    } = &certificate.header;
    let choices = number_of(certificate.count, "choice");
    let bytes = number_of(certificate.bytes.len(), "byte");
    let nodes = nodes.map_or(String::new(), |nodes| {
        format!(", {} of the solver", number_of(nodes, "node"))
    });
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "proved: {claim} in '{position}' ({choices}, {bytes}{nodes})"
    )?;
    Ok(())
}
