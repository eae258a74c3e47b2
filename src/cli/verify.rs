//! `totemic verify`: checks proofs that `totemic certify` wrote, or others did.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::certify::stream_path;
use super::values::whole;
use super::{CliResult, Failure, say};
use crate::search::solver::certificate::split::{FIRST_LINE, Top};
use crate::search::solver::certificate::{Certificate, DEFAULT_MAX_MB, Verified, verify};

/// Check proofs by the rules of the games alone
///
/// Plays through all that a certificate says, without search, and looks at the
/// score of each end. Prints what is proved, a line for each file.
///
/// The top of a proof in parts (`certify --split`) is checked, too: that its
/// claim follows from its tasks, and with --results that these are proved.
///
/// Exit codes: 0 all files prove what they claim, or tops follow from their
/// tasks; 1 one does not, or cannot be read; 2 wrong usage.
#[derive(Args, Debug)]
pub(super) struct VerifyArgs {
    /// Files written by `certify`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The folder of what the tasks of a top have found
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    /// Refuse files of more MiB; checking takes up to 400 times as much memory
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_MAX_MB, value_parser = whole(1..=1_048_576u64))]
    max_size: u64,
}

pub(super) fn run(args: &VerifyArgs) -> CliResult {
    let mut out = io::stdout().lock();
    let mut all_proved = true;
    for path in &args.files {
        match check(path, args) {
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
fn check(path: &Path, args: &VerifyArgs) -> Result<String, String> {
    let bytes = read_checked(path, args)?;
    if bytes.starts_with(FIRST_LINE.as_bytes()) {
        return check_top(&bytes, args);
    }
    let certificate = Certificate::read(&bytes).map_err(|why| why.to_string())?;
    let verified = verify(&certificate).map_err(|why| why.to_string())?;
    let (claim, position) = (certificate.claim(), certificate.position());
    let Verified { choices, ends, .. } = verified;
    Ok(format!(
        "proved: {claim} in '{position}' ({choices} choices, {ends} ends)"
    ))
}

/// What a top proves with the tasks that are there.
fn check_top(bytes: &[u8], args: &VerifyArgs) -> Result<String, String> {
    let top = Top::read(bytes).map_err(|why| why.to_string())?;
    let Verified {
        mut choices,
        tasks,
        mut ends,
    } = top.verify().map_err(|why| why.to_string())?;
    let claim = format!("{} in '{}'", top.claim(), top.position());
    let Some(folder) = &args.results else {
        return Ok(format!(
            "follows from {tasks} tasks: {claim} ({choices} choices, {ends} ends)"
        ));
    };
    let mut missing = Vec::new();
    for task in top.tasks() {
        let id = task.id();
        let path = stream_path(folder, &id);
        if !path.is_file() {
            missing.push(id);
            continue;
        }
        let stream = read_checked(&path, args).map_err(|why| format!("task {id}: {why}"))?;
        let verified = task.verify(top.rules(), &stream);
        let verified = verified.map_err(|why| format!("task {id}: {why}"))?;
        choices += verified.choices;
        ends += verified.ends;
    }
    match missing.first() {
        None => Ok(format!(
            "proved: {claim} ({tasks} tasks, {choices} choices, {ends} ends)"
        )),
        Some(first) => Err(format!(
            "{} of {tasks} tasks have no stream in '{}', the first is {first}; those there are proved",
            missing.len(),
            folder.display()
        )),
    }
}

/// The bytes of a file that may be refused for its size.
fn read_checked(path: &Path, args: &VerifyArgs) -> Result<Vec<u8>, String> {
    let bytes = read(path, args.max_size).map_err(|why| why.to_string())?;
    let most = args.max_size;
    bytes.ok_or_else(|| format!("it has more than {most} MiB (see --max-size)"))
}

/// A file's bytes, where there are not more than so many MiB.
pub(super) fn read(path: &Path, max_size: u64) -> io::Result<Option<Vec<u8>>> {
    let most = max_size << 20;
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}
