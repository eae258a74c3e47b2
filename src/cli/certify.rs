//! `totemic certify`: writes a proof that others can check.

mod parts;

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::files::{check_outputs, write_whole};
use super::position::{game_of, read_position};
use super::proof_folder::Folder;
use super::values::{claim, whole};
use super::{CliResult, Failure, Global, interrupted, progress, stop_on_interrupt};
use crate::storage;
use totemic_engine::game::with_position;
use totemic_engine::search::Searchable;
use totemic_engine::search::certificates::parts::Task;
use totemic_engine::search::certificates::{Certificate, Claim, DEFAULT_MAX_MB, Failed, certify};
use totemic_engine::search::solver::{DEFAULT_HASH_MB, Solvable, SolveRequest, Solver};
use totemic_engine::text::{number_of, quoted_path};

/// Prove a claim about a position and write the proof to a file
///
/// You can check the file without trusting this program: with `totemic verify`,
/// which plays through it by the rules alone, or with your own verifier of the
/// documented format. A draw takes two proofs: that each side at least draws.
///
/// A large proof is made in parts:
///
///   totemic certify POSITION --claim CLAIM --split 10000000 --out top.txt
///   totemic certify --tasks top.txt --results parts
///   totemic certify --merge top.txt --results parts --out proof
///
/// --split writes the top of the proof with a line for each task. --tasks proves
/// all tasks and keeps the proofs in the folder parts; start as many of these
/// workers as you like, on one machine or as a Slurm array, and start a worker
/// again if it was killed. --tasks with one line of the top proves that task, so
/// `grep ^task top.txt | parallel totemic certify --results parts --tasks {}`
/// works, too. --merge puts the parts together into one file, or prints the tasks
/// that are missing.
///
/// If tasks were refuted or are too large, run --split again with the same
/// --results: what is proved stays valid, what is refuted is not chosen again, and
/// a task two plies earlier looks for another move. --split says that a claim is
/// false if the results or a short search refute it.
///
/// A task is done if a stream in DIR proves it. Workers trust a stream whose
/// length and SHA-256 are in results.txt; --merge and `totemic verify` check all
/// of them by the rules. Workers name a damaged stream on stderr and prove it
/// again. If --merge names a stream that matches results.txt, remove it. Making
/// and checking the merged file takes memory for its length and its longest
/// part.
///
/// Exit codes: 0 proved and written, or the tasks are proved; 1 the claim is
/// false, the proof too long or a task missing, and nothing is written; or a task
/// is refuted or too large, or its stream cannot be written; 2 bad arguments; 130
/// stopped by Ctrl-C, with a line on stderr that says how far it got and how to
/// go on.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct CertifyArgs {
    /// The position in quotes, or `startpos`
    #[arg(required_unless_present = "parts", conflicts_with = "parts")]
    position: Option<String>,
    /// Moves to play from the position first, up to the next option
    #[arg(long, num_args = 1.., value_name = "MOVE", conflicts_with = "parts")]
    moves: Vec<String>,
    /// What to prove, such as `p1 wins` or `white wins`
    ///
    /// `p1 wins`, `p1 draws` (at least), `p1 >= N` (p1 has at least N points more at the
    /// end), or the same for p2. p1 is White in Yoxii, Black in Hokito; a side may also have
    /// its name.
    #[arg(long, required_unless_present = "parts", conflicts_with = "parts")]
    claim: Option<String>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    #[arg(required_unless_present = "tasks", conflicts_with = "tasks")]
    out: Option<PathBuf>,
    /// Write only the top of the proof, down to tasks of about so many nodes
    ///
    /// At least 100. A task may take thirty times as many before it is too large.
    #[arg(long, help_heading = "Proofs in parts", value_name = "NODES",
          value_parser = whole(100u64..), conflicts_with = "parts")]
    split: Option<u64>,
    /// Prove the tasks of a top, or one of them
    ///
    /// Only tasks that are not done are proved. Several workers share the tasks, each in
    /// an order of its own.
    #[arg(long, help_heading = "Proofs in parts", value_name = "TOP|LINE",
          visible_aliases = ["task-file", "task"],
          group = "parts", requires = "results")]
    tasks: Option<PathBuf>,
    /// Put the parts of a top together
    #[arg(long, help_heading = "Proofs in parts", value_name = "TOP")]
    #[arg(group = "parts", requires = "results")]
    merge: Option<PathBuf>,
    /// The folder for the results of tasks, which only --tasks creates
    #[arg(long, help_heading = "Proofs in parts", value_name = "DIR")]
    results: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, conflicts_with = "tasks")]
    force: bool,
    /// Give up when the proof is longer than this many MiB
    ///
    /// Making and checking it take up to 400 times as much memory. Not for parts.
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_MAX_MB,
          value_parser = whole(1..=1_048_576u64),
          conflicts_with_all = ["split", "parts"])]
    max_size: u64,
    /// Memory for proved positions in MiB, the same for all tasks
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_HASH_MB as u32,
          value_parser = whole(1..=1_048_576u32), conflicts_with_all = ["split", "parts"])]
    hash: u32,
    /// Print what was proved as one JSON object
    #[arg(long, conflicts_with_all = ["split", "parts"])]
    json: bool,
}

/// The tasks of the top in a file, or the one that the text is a line of.
fn read_tasks(text: &Path) -> Result<Vec<Task>, Failure> {
    match text.to_str() {
        Some(line) if line.starts_with("task\t") || line.starts_with("task ") => {
            let task = line.parse::<Task>();
            Ok(vec![task.map_err(|why| usage!("--tasks: {why}"))?])
        }
        _ => Ok(parts::read_top(text)?.tasks),
    }
}

pub(super) fn run(global: Global, args: &CertifyArgs) -> CliResult {
    let missing = |what: &str| usage!("expected {what}");
    let results = args.results.as_deref();
    if let (Some(text), Some(folder)) = (&args.tasks, results) {
        return parts::prove_tasks(global, read_tasks(text)?, Folder::create(folder)?);
    }
    let out = args.out.as_deref().ok_or_else(|| missing("--out FILE"))?;
    let outputs = [("--out", args.out.as_ref())];
    check_outputs(&outputs, args.merge.as_slice(), args.force)?;
    if results.is_some_and(|folder| storage::is_same(folder, storage::folder_of(out))) {
        let name = quoted_path(out);
        return Err(usage!(
            "--out {name}: expected a file outside of the folder of --results"
        ));
    }
    let write = |bytes: &[u8]| write_whole(out, bytes, args.force);
    if let (Some(path), Some(folder)) = (&args.merge, results) {
        let top = parts::read_top(path)?;
        game_of(global, &top.header.position)?;
        let certificate = parts::merge(&top, Folder::open(folder)?)?;
        write(&certificate.bytes)?;
        return report(&certificate, None, args.json);
    }
    let (Some(position), Some(text)) = (&args.position, &args.claim) else {
        return Err(missing("POSITION and --claim CLAIM"));
    };
    let position = read_position(global, position, &args.moves)?;
    let claim = claim(position.kind(), text)?;
    if let Some(nodes) = args.split {
        let folder = results.map(Folder::open).transpose()?;
        return with_position!(position, position => {
            parts::make_top(&position, claim, nodes, folder, write)
        });
    }
    if results.is_some() {
        return Err(missing("--split, --tasks or --merge with --results DIR"));
    }
    let (certificate, nodes) = with_position!(position, position => prove(&position, claim, args))?;
    write(&certificate.bytes)?;
    report(&certificate, Some(nodes), args.json)
}

/// Returns the certificate, and the nodes that the solver took.
fn prove<G: Searchable>(
    position: &G,
    claim: Claim,
    args: &CertifyArgs,
) -> Result<(Certificate, u64), Failure> {
    let request = SolveRequest {
        stop: stop_on_interrupt()?,
        ..SolveRequest::default()
    };
    let bar = progress::bar(100, "percent proved");
    bar.tick();
    let mut progress = |share: f64, choices: u64| {
        bar.set_position((share * 100.0) as u64);
        bar.set_message(format!(", {}", number_of(choices, "choice")));
    };
    let (mut solver, most) = (Solver::new(args.hash as usize), args.max_size << 20);
    let (made, nodes) = certify(&mut solver, position, claim, &request, most, &mut progress);
    let done = bar.position();
    bar.finish_and_clear();
    let certificate = made.map_err(|why| match why {
        Failed::TooLong => failure!("the proof is longer than {} MiB", args.max_size),
        Failed::Stopped => interrupted(format_args!(
            "stopped after {done} % of the proof: nothing was written, and the same command starts \
             over; a proof in parts (--split) can be continued"
        )),
        why => unproved(why, claim, position),
    })?;
    Ok((certificate, nodes))
}

fn unproved<G: Solvable>(why: Failed, claim: Claim, position: &G) -> Failure {
    Failure::Work(match why {
        Failed::False => format!("it is false that {claim} in '{position}'"),
        why => why.to_string(),
    })
}

/// Prints what a certificate proves, and the solver's nodes if they are known.
fn report(certificate: &Certificate, nodes: Option<u64>, as_json: bool) -> CliResult {
    let (position, claim) = (&certificate.header.position, certificate.header.claim);
    if as_json {
        let report = json!({"claim": claim.to_string(), "position": position,
            "choices": certificate.count, "bytes": certificate.bytes.len(), "nodes": nodes});
        return print_line!("{report}");
    }
    let choices = number_of(certificate.count, "choice");
    let bytes = number_of(certificate.bytes.len(), "byte");
    let nodes = nodes.map(|nodes| format!(", {} of the solver", number_of(nodes, "node")));
    let effort = format!("{choices}, {bytes}{}", nodes.unwrap_or_default());
    print_line!("proved: {claim} in '{position}' ({effort})")
}
