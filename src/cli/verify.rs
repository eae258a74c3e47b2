//! `totemic verify`: checks proofs that `totemic certify` or somebody else wrote.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value as Json, json};

use super::files::read_error_text;
use super::position::game_of;
use super::proof_folder::{Evidence, Folder};
use super::values::whole;
use super::{CliResult, Global, fail_if, progress};
use totemic_engine::file;
use totemic_engine::search::certificates::parts::{FIRST_LINE_OF_TOP, TaskState, Top};
use totemic_engine::search::certificates::{
    Certificate, DEFAULT_MAX_MB, FIRST_LINE, FIRST_LINE_OF_PARTS, FormatError, Statement, Verified,
    verify,
};
use totemic_engine::text::{number_of, quoted, quoted_path};

/// Check proofs by the rules of the games alone
///
/// Plays through the moves of a certificate, without search, and looks at the
/// score of each end. Prints what is proved, one line per file.
///
/// For the top of a proof in parts (`certify --split`) it checks that the claim
/// follows from the tasks, and with --results that the tasks are proved.
///
/// Exit codes: 0 every file proves its claim, or every top follows from its
/// tasks; 1 a file does not, or cannot be read; 2 bad arguments.
#[derive(Args, Debug)]
pub(super) struct VerifyArgs {
    /// Files written by `certify`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The folder with the results of a top's tasks
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    /// Refuse files of more than this many MiB
    ///
    /// Checking takes up to 400 times as much memory, for a merged proof 400 times its
    /// longest part.
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_MAX_MB,
          value_parser = whole(1..=1_048_576u64))]
    max_size: u64,
    /// Print one JSON object for each file
    #[arg(long)]
    json: bool,
}

/// What a file proves, and what checking it took.
struct Checked {
    statement: Statement,
    verified: Verified,
    /// Whether tasks are left that were not checked.
    is_open: bool,
}

impl Checked {
    fn text(&self) -> String {
        let (verified, it) = (&self.verified, &self.statement);
        let theorem = format!("{} in '{}'", it.claim, it.position);
        let mut effort = number_of(verified.choices, "choice") + ", ";
        if verified.parts > 0 {
            effort += &(number_of(verified.parts, "part") + ", ");
        }
        effort += &number_of(verified.ends, "end");
        let tasks = number_of(verified.tasks, "task");
        match (verified.tasks, self.is_open) {
            (0, _) => format!("proved: {theorem} ({effort})"),
            (_, false) => format!("proved: {theorem} ({tasks}, {effort})"),
            (_, true) => format!(
                "follows from {tasks}: {theorem} ({effort}; the tasks are NOT checked: add --results DIR)"
            ),
        }
    }

    fn json(&self, path: &Path) -> Json {
        let (verified, it) = (&self.verified, &self.statement);
        json!({"file": path.display().to_string(), "ok": true, "proved": !self.is_open,
            "claim": it.claim.to_string(), "position": it.position, "choices": verified.choices,
            "parts": verified.parts, "tasks": verified.tasks, "ends": verified.ends})
    }
}

pub(super) fn run(global: Global, args: &VerifyArgs) -> CliResult {
    let mut folder = args.results.as_deref().map(Folder::open).transpose()?;
    if let Some(folder) = &mut folder {
        folder.max_mb = args.max_size;
    }
    let mut all_proved = true;
    for path in &args.files {
        let checked = check(path, args, folder.as_ref());
        all_proved &= checked.is_ok();
        match checked {
            Ok(checked) => {
                game_of(global, &checked.statement.position)?;
                match args.json {
                    true => print_line!("{}", checked.json(path))?,
                    false => print_line!("{}: {}", path.display(), checked.text())?,
                }
            }
            Err(why) if args.json => {
                let file = path.display().to_string();
                let object = json!({"file": file, "ok": false, "proved": false, "why": why});
                print_line!("{object}")?;
            }
            Err(why) => say!("error: {}: not proved: {why}", quoted_path(path)),
        }
    }
    fail_if(!all_proved, 1)
}

fn check(path: &Path, args: &VerifyArgs, folder: Option<&Folder<'_>>) -> Result<Checked, String> {
    let bytes = file::read(path, args.max_size << 20).map_err(|why| match why.kind() {
        io::ErrorKind::FileTooLarge => format!("{why} (see --max-size)"),
        _ => read_error_text(&why, "a certificate or the top of a proof"),
    })?;
    if is_top(&bytes) {
        let checked = check_top(path, &bytes, folder);
        return checked.map_err(|why| format!("the top of a proof: {why}"));
    }
    let certificate = Certificate::read(bytes).map_err(|why| match why {
        FormatError::Kind { found } => format!(
            "neither a certificate nor the top of a proof: expected the first line \
             '{FIRST_LINE}', '{FIRST_LINE_OF_PARTS}' or '{FIRST_LINE_OF_TOP}', found {}",
            quoted(&found)
        ),
        why => format!("a certificate: {why}"),
    })?;
    let bar = progress::bar(certificate.count as u64, "choices");
    let verified = verify(&certificate, &mut |used| bar.set_position(used));
    Ok(Checked {
        verified: verified.map_err(|why| why.to_string())?,
        statement: certificate.header,
        is_open: false,
    })
}

/// Whether a file is the top of a proof, even a damaged one.
fn is_top(bytes: &[u8]) -> bool {
    let has_task = || bytes.windows(6).any(|window| window == b"\ntask\t");
    bytes.starts_with(b"totemic top") || !bytes.starts_with(b"totemic certificate") && has_task()
}

fn check_top(path: &Path, bytes: &[u8], folder: Option<&Folder<'_>>) -> Result<Checked, String> {
    let top = Top::read(bytes).map_err(|why| why.to_string())?;
    let mut verified = top.verify().map_err(|why| why.to_string())?;
    if let Some(folder) = folder {
        check_tasks(path, &top, folder, &mut verified)?;
    }
    Ok(Checked {
        statement: top.header,
        is_open: folder.is_none() && verified.tasks > 0,
        verified,
    })
}

/// Checks the tasks of a top, and adds what that took.
fn check_tasks(
    path: &Path,
    top: &Top,
    folder: &Folder<'_>,
    sum: &mut Verified,
) -> Result<(), String> {
    let (mut missing, mut damaged) = (Vec::new(), 0);
    let bar = progress::bar(sum.tasks, "tasks");
    for task in bar.wrap_iter(top.tasks.iter()) {
        let status = folder.status_of(task, &top.header.rules, Evidence::Rules);
        sum.choices += status.verified.choices;
        sum.ends += status.verified.ends;
        if let Some(why) = status.damage {
            damaged += 1;
            bar.suspend(|| say!("error: {}: damaged: {why}", quoted_path(path)));
        } else if status.state != Some(TaskState::Proved) {
            missing.push(task.id());
        }
    }
    let proved = sum.tasks - missing.len() as u64 - damaged;
    if proved == sum.tasks {
        return Ok(());
    }
    let tasks = number_of(sum.tasks, "task");
    let first = missing.first();
    let first = first.map(|id| format!(" (the first is task {id})"));
    let (missing, first) = (missing.len(), first.unwrap_or_default());
    Err(format!(
        "{tasks}: {proved} proved, {missing} without a stream{first}, {damaged} with a damaged \
         one; certify --tasks proves the others (remove damaged streams that match \
         results.txt first)"
    ))
}
