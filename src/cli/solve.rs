//! `totemic solve`: proves the values of positions.

mod certificates;
mod input;
mod report;

use std::io::{self, LineWriter, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;

use super::position::read_position;
use super::values::{time, whole};
use super::{
    CliResult, Failure, Global, INTERRUPTED, files, progress, say_errors, stop_on_interrupt,
};
use crate::storage;
use certificates::Certifier;
use input::Problem;
use report::{Row, SolveReport};
use totemic_engine::game::{AnyPosition, GameKind, with_game};
use totemic_engine::search::solver::{DEFAULT_HASH_MB, Solvable, SolveRequest, Solver};
use totemic_engine::stop::Stop;
use totemic_engine::text::{quoted, quoted_path};

const UNKNOWN: u8 = 3;

/// Prove who wins a position, and find the best moves
///
/// Prints a table row for each position as soon as it is proved. Values are for
/// the side to move. In Yoxii the margin is the difference of the sums at the
/// totem, and at margin 0 the number of pieces there decides the value; in Hokito
/// it is the difference of the scores.
///
/// Exit codes: 0 all proved; 1 an expected value was wrong, a line could not be
/// read, or a certificate could not be made; 2 bad arguments; 3 something stayed
/// unknown; 130 stopped by Ctrl-C.
#[derive(Args, Debug)]
pub(super) struct SolveArgs {
    /// Positions in quotes, or `startpos`
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,
    /// Read positions from a file, one a line, or from stdin with `-`
    ///
    /// Fields are separated by tabs: the name of the game (may be left out), the
    /// position, the expected value, with a space and the margin if known (checked with
    /// --margin), and the best moves (checked with --all-moves); `#` begins a comment.
    /// A row has the number of its line, counted on from those of POSITION.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Moves to play from the one POSITION first, up to the next option
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    moves: Vec<String>,
    /// Find the value of every move, and so all best moves
    #[arg(long)]
    all_moves: bool,
    /// Find the exact margin in points; best moves are then those that keep it
    #[arg(long)]
    margin: bool,
    /// Threads: one for a position first, then all on what takes longer
    #[arg(long, help_heading = "Machine", value_name = "N", default_value_t = 1,
          value_parser = whole(1..=1024u16))]
    threads: u16,
    /// Memory for proved positions in MiB
    #[arg(long, help_heading = "Machine", value_name = "MIB",
          default_value_t = DEFAULT_HASH_MB as u32,
          value_parser = whole(1..=1_048_576u32))]
    hash: u32,
    /// Give up on a position after this time, as in 500ms, 2s, 1m
    #[arg(long, help_heading = "Limits", value_name = "TIME", value_parser = time)]
    time_limit: Option<Duration>,
    /// Stop after this time, whatever is proved by then
    #[arg(long, help_heading = "Limits", value_name = "TIME", value_parser = time)]
    total_time: Option<Duration>,
    /// Write the proofs into this folder, for `totemic verify`
    ///
    /// There is one proof for a win or a loss, two for a draw, two more for a margin.
    /// The name of a file is a hash of its position and claim; a proof that is already
    /// there is kept. Making proofs takes several times as long, which --time-limit
    /// does not count, and half of the memory.
    #[arg(long, help_heading = "Output", value_name = "DIR")]
    pub(super) certificate: Option<PathBuf>,
    /// Overwrite the file of --output, and other files of --certificate
    #[arg(long, help_heading = "Output")]
    force: bool,
    /// Print one JSON object per line instead of the table
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Write the results to a file instead of stdout
    #[arg(long, help_heading = "Output", value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

impl SolveArgs {
    /// Returns the MiB for the solver; if certificates are made, they take as much again.
    fn hash_mb(&self) -> usize {
        let hash = self.hash as usize;
        match self.certificate {
            Some(_) => (hash / 2).max(1),
            None => hash,
        }
    }
}

fn output(args: &SolveArgs) -> Result<Box<dyn Write>, Failure> {
    let Some(path) = &args.output else {
        return Ok(Box::new(io::stdout()));
    };
    let output = ("--output", Some(path));
    files::check_outputs(&[output], args.file.as_slice(), args.force)?;
    let file = storage::create_stream(path).map_err(|why| files::write_error(path, &why))?;
    Ok(Box::new(LineWriter::new(file)))
}

pub(super) fn run(global: Global, args: &SolveArgs) -> CliResult {
    if args.force && args.output.is_none() && args.certificate.is_none() {
        return Err(usage!(
            "--force: nothing to overwrite without --output or --certificate"
        ));
    }
    let (problems, unreadable) = read_problems(global, args)?;
    say_errors(&unreadable);
    let interrupt = stop_on_interrupt()?;
    let stop = match args.total_time {
        Some(time) => interrupt.within(time),
        None => interrupt,
    };
    if let Some(folder) = &args.certificate {
        files::make_folder("--certificate", folder, "a folder")?;
    }
    let mut report = SolveReport::new(args, output(args)?);
    solve_all(args, &problems, &stop, &mut report).map_err(|why| match &args.output {
        Some(path) => files::write_error(path, &why),
        None => why.into(),
    })?;
    let is_over = stop.is_out_of_time();
    let rows = &report.rows;
    let code = if stop.is_stopped() && !is_over {
        INTERRUPTED
    } else if rows.wrong > 0 || !unreadable.is_empty() || rows.uncertified > 0 && !is_over {
        1
    } else if rows.uncertified > 0 || rows.unknown > 0 || rows.all < problems.len() {
        UNKNOWN
    } else {
        return Ok(());
    };
    Err(Failure::Code(code))
}

fn read_problems(global: Global, args: &SolveArgs) -> Result<(Vec<Problem>, Vec<String>), Failure> {
    if args.positions.is_empty() && args.file.is_none() {
        return Err(usage!(
            "nothing to solve: expected a POSITION, before --moves, or --file FILE"
        ));
    }
    if !args.moves.is_empty() && args.positions.len() != 1 {
        return Err(usage!(
            "--moves {}: expected exactly one POSITION with it, found {}",
            quoted(&args.moves.join(" ")),
            args.positions.len()
        ));
    }
    let mut problems = Vec::new();
    for (index, text) in args.positions.iter().enumerate() {
        let position = read_position(global, text, &args.moves)?;
        problems.push(Problem::bare(index + 1, position));
    }
    let mut unreadable = Vec::new();
    if let Some(path) = &args.file {
        let bytes = files::Input::open(path, "a file of positions")?.bytes()?;
        for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
            match Problem::read(global, args.positions.len() + index + 1, line) {
                None => {}
                Some(Ok(problem)) => problems.push(problem),
                Some(Err(why)) => {
                    let path = quoted_path(path);
                    unreadable.push(format!("{path}, line {}: {why}", index + 1));
                }
            }
        }
        if problems.is_empty() && unreadable.is_empty() {
            say!("{}: there is no position", quoted_path(path));
        }
    }
    Ok((problems, unreadable))
}

fn solve_all(
    args: &SolveArgs,
    problems: &[Problem],
    stop: &Stop,
    report: &mut SolveReport<'_>,
) -> io::Result<()> {
    let bar = progress::bar(problems.len() as u64, "positions");
    let mut games: Vec<GameKind> = Vec::new();
    for kind in problems.iter().map(|problem| problem.position.kind()) {
        if !games.contains(&kind) {
            games.push(kind);
        }
    }
    bar.suspend(|| report.head())?;
    for kind in games {
        with_game!(kind, G => solve_game::<G>(args, problems, stop, &bar, report)?);
    }
    bar.finish_and_clear();
    report.totals(problems.len())
}

fn solve_game<G: Solvable + TryFrom<AnyPosition>>(
    args: &SolveArgs,
    problems: &[Problem],
    stop: &Stop,
    bar: &ProgressBar,
    report: &mut SolveReport<'_>,
) -> io::Result<()> {
    let (problems, positions): (Vec<&Problem>, Vec<G>) = (problems.iter())
        .filter_map(|problem| Some((problem, G::try_from(problem.position).ok()?)))
        .unzip();
    let request = SolveRequest {
        margin: args.margin,
        all_moves: args.all_moves,
        pv: true,
        threads: args.threads.into(),
        time: args.time_limit,
        stop: stop.clone(),
        ..SolveRequest::default()
    };
    let folder = args.certificate.as_deref();
    let certifier = folder.map(|folder| Certifier { args, folder, stop });
    Solver::<G>::new(args.hash_mb()).solve_each(
        &positions,
        &request,
        |index, nodes| {
            if !bar.is_hidden() {
                let (number, nodes) = (problems[index].number, nodes as f64 / 1e6);
                bar.set_message(format!(", at {number}: {nodes:.1} M nodes"));
            }
        },
        |index, solution| {
            let (problem, position) = (problems[index], &positions[index]);
            let row = Row {
                problem,
                position,
                solution: &solution,
                certificates: (certifier.as_ref())
                    .map(|it| it.certify(problem.number, position, &solution)),
            };
            bar.inc(1);
            bar.suspend(|| report.row(&row))
        },
    )
}
