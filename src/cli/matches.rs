//! `totemic match`: engines against engines.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueEnum};

use super::live::Screen;
use super::truth::Judge;
use super::{CliResult, Failure, Global, say};
use crate::arena::adjudicate::Truth;
use crate::arena::journal::{self, Journal, JournalError};
use crate::arena::openings::Openings;
use crate::arena::pgn::Pgn;
use crate::arena::player::Hall;
use crate::arena::runner::{ArenaError, Ended, Records, Runner};
use crate::arena::schedule::{ENDLESS, Schedule};
use crate::arena::settings::{
    Adjudication, EngineSpec, Format, MatchSettings, Patience, RANDOM, SELF, Shard,
};
use crate::arena::stop::Stop;
use crate::arena::{guard, report, tokens};
use crate::game::{Game, GameKind, Hokito, Yoxii};
use crate::search::solver::Solvable;

/// What Ctrl-C asks for.
static STOP: Stop = Stop::new();

/// Random plies before a game of Yoxii, which has only one start, unless the
/// user says otherwise.
const YOXII_PLIES: u32 = 4;

/// Groups of `key=value` tokens, one for each time the option was given.
#[derive(Debug, Clone, Default)]
struct Groups {
    engines: Vec<Vec<String>>,
    each: Vec<String>,
}

const ENGINE_HELP: &str = "\
An engine: cmd=PROGRAM [args=ARGS] [dir=DIR] [name=NAME] [tc=[MOVES/]TIME+INC] [st=SECONDS] \
[nodes=N] [depth=N] [timemargin=MS] [option.NAME=VALUE] [restart=on]; cmd=self is this program, \
cmd=random plays random legal moves";

impl Args for Groups {
    fn augment_args(command: Command) -> Command {
        let tokens = |name: &'static str| {
            Arg::new(name)
                .long(name)
                .num_args(1..)
                .action(ArgAction::Append)
                .value_name("KEY=VALUE")
        };
        command
            .arg(tokens("engine").required(true).help(ENGINE_HELP))
            .arg(tokens("each").help("Keys for all engines; an engine's own ones win"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Groups {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let groups = |name: &str| -> Vec<Vec<String>> {
            (matches
                .get_occurrences::<String>(name)
                .into_iter()
                .flatten())
            .map(|group| group.cloned().collect())
            .collect()
        };
        Ok(Self {
            engines: groups("engine"),
            each: groups("each").concat(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum FormatArg {
    Roundrobin,
    Gauntlet,
    Knockout,
    Swiss,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Sequential,
    Random,
}

#[derive(Args, Debug)]
pub(super) struct MatchArgs {
    #[command(flatten)]
    groups: Groups,
    /// Who meets whom
    #[arg(long, value_enum, default_value = "roundrobin")]
    format: FormatArg,
    /// Games of each meeting and round; every opening is played twice with
    /// sides swapped, so an even number [default: 2]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: Option<u64>,
    /// Rounds: repetitions of the tournament, or rounds of a Swiss one
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    rounds: Option<u64>,
    /// Games at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Seed of openings and random moves; printed, so that every match can be
    /// repeated [default: from the clock]
    #[arg(long)]
    seed: Option<u64>,
    /// File of openings: positions or lists of moves, one a line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["random_plies", "scattered"])]
    openings: Option<PathBuf>,
    /// Order of the file's openings
    #[arg(long, value_enum, default_value = "sequential")]
    order: Order,
    /// Random plies before each game [default: 4 for yoxii, 0 for hokito]
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u32).range(0..=30))]
    random_plies: Option<u32>,
    /// Hokito: random starts with all pawns spread over the whole board
    #[arg(long)]
    scattered: bool,
    /// Stop when decided: elo0=0 elo1=5 alpha=0.05 beta=0.05
    /// model=normalized|logistic, by pairs of games
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    sprt: Option<Vec<String>>,
    /// End a game whose result the exact solver proves within MS, and count
    /// what was given away; with playon, only count
    #[arg(long, value_name = "solver[=MS][,playon]")]
    adjudicate: Option<String>,
    /// End a game that an engine gives up: movecount=N score=S [twosided=on]
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    resign: Option<Vec<String>>,
    /// End an even game: movenumber=N movecount=N score=S
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    draw: Option<Vec<String>>,
    /// A draw after so many plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    maxplies: Option<u32>,
    /// Write the games in PGN
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Keep a journal of finished games, by which a match can be resumed
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Play what is missing in the journal; without one, begin
    #[arg(long, requires = "journal")]
    resume: bool,
    /// Write every line to and from each engine into this directory
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    /// Play only every Nth pair, as part K of N
    #[arg(long, value_name = "K/N", value_parser = tokens::shard)]
    shard: Option<Shard>,
    /// Seconds after which an engine has stalled where no clock says so
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    stall_after: f64,
    /// Seconds for the start and the handshake of an engine
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    start_within: f64,
    /// Plain output: a report after every N games, 0 for none
    #[arg(long, value_name = "N", default_value_t = 20)]
    report: u64,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected seconds".to_owned())?;
    if (0.01..=1e6).contains(&seconds) {
        Ok(seconds)
    } else {
        Err("expected from 0.01 to 1000000 seconds".to_owned())
    }
}

pub(super) fn run(global: Global, args: &MatchArgs) -> CliResult {
    match global.kind() {
        GameKind::Yoxii => play::<Yoxii>(args),
        GameKind::Hokito => play::<Hokito>(args),
    }
}

/// `totemic guard`, which a match starts for itself.
pub(super) fn run_guard() -> CliResult {
    guard::watch(std::io::stdin().lock());
    Ok(())
}

fn usage(why: impl ToString) -> Failure {
    Failure::Usage(why.to_string())
}

fn play<G: Solvable>(args: &MatchArgs) -> CliResult {
    let seed = seed(args)?;
    let openings = openings::<G>(args, seed)?;
    let settings = settings::<G>(args, seed, &openings)?;
    let shard = shard(args, &settings)?;
    let judge = (settings.adjudication.solver_ms).map(|_| Judge::<G>::new());
    if let Some(dir) = &args.log {
        std::fs::create_dir_all(dir)
            .map_err(|why| Failure::Work(format!("--log {}: {why}", dir.display())))?;
    }
    let mut records = records::<G>(args, &settings, shard)?;
    let total = Schedule::total(&settings, shard);
    let mut screen = Screen::new(&settings, total, records.games.len() as u64, args.report);
    screen.begin(seed, shard, openings.count());
    let hall = Hall::new(G::NAME, settings.patience, args.log.clone());
    let runner = Runner::<G> {
        settings: &settings,
        openings: &openings,
        shard,
        concurrency: args.concurrency.into(),
        hall: &hall,
        truth: judge.as_ref().map(|judge| judge as &dyn Truth<G>),
        stop: &STOP,
    };
    catch_signals()?;
    let _guard = start_guard();
    let (tally, ended) = runner
        .run(&mut records, &mut |event| screen.show(event))
        .map_err(failure)?;
    screen.end();
    let mut out = io::stdout().lock();
    write!(out, "{}", report::full(&settings, &tally, &records.games))?;
    writeln!(
        out,
        "{}, seed {seed}",
        report::ended_line(ended, tally.games())
    )?;
    match ended {
        Ended::Stopped => Err(Failure::Code(130)),
        Ended::Complete | Ended::Decided(_) => Ok(()),
    }
}

fn failure(error: ArenaError) -> Failure {
    match error {
        ArenaError::Command { .. } | ArenaError::Opening(_) => Failure::Usage(error.to_string()),
        _ => Failure::Work(error.to_string()),
    }
}

/// The seed asked for, or that of the journal to be resumed, or a new one.
fn seed(args: &MatchArgs) -> Result<u64, Failure> {
    if let Some(seed) = args.seed {
        return Ok(seed);
    }
    if let Some(path) = args
        .journal
        .as_deref()
        .filter(|path| args.resume && path.exists())
        && let Some(contents) = journal::read(path).map_err(journal_failure)?
    {
        return Ok(contents.header.settings.seed);
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    Ok(now.map_or(1, |now| now.as_micros() as u64 & 0xffff_ffff))
}

fn journal_failure(error: JournalError) -> Failure {
    match error {
        JournalError::Io { .. } | JournalError::Locked(_) => Failure::Work(error.to_string()),
        _ => Failure::Usage(error.to_string()),
    }
}

fn openings<G: Game>(args: &MatchArgs, seed: u64) -> Result<Openings, Failure> {
    if args.scattered && G::NAME != Hokito::NAME {
        return Err(usage(
            "--scattered is a variant of hokito: add --game hokito",
        ));
    }
    let Some(path) = &args.openings else {
        let default = if G::NAME == Yoxii::NAME {
            YOXII_PLIES
        } else {
            0
        };
        let plies = args.random_plies.unwrap_or(default);
        return Ok(Openings::random(seed, plies, args.scattered));
    };
    let text = std::fs::read_to_string(path)
        .map_err(|why| Failure::Work(format!("--openings {}: {why}", path.display())))?;
    Openings::of_file::<G>(&text, seed, args.order == Order::Random)
        .map_err(|why| usage(format!("--openings {}: {why}", path.display())))
}

fn settings<G: Game>(
    args: &MatchArgs,
    seed: u64,
    openings: &Openings,
) -> Result<MatchSettings, Failure> {
    let engines = engines(&args.groups)?;
    let sprt = (args.sprt.as_ref())
        .map(|given| tokens::sprt(given).map_err(|why| usage(format!("--sprt: {why}"))))
        .transpose()?;
    if sprt.is_some() && engines.len() != 2 {
        let count = engines.len();
        return Err(usage(format!(
            "--sprt compares 2 engines, but {count} are given"
        )));
    }
    let (format, stages, pairs) = extent(args, engines.len())?;
    Ok(MatchSettings {
        game: G::NAME.to_owned(),
        engines,
        format,
        stages,
        pairs,
        seed,
        openings: openings.source().clone(),
        adjudication: adjudication(args)?,
        sprt,
        patience: Patience {
            startup_ms: (args.start_within * 1000.0) as u64,
            answer_ms: (args.stall_after * 1000.0) as u64,
        },
    })
}

/// Format, stages and pairs of each meeting.
fn extent(args: &MatchArgs, engines: usize) -> Result<(Format, u32, u64), Failure> {
    let format = match args.format {
        FormatArg::Roundrobin => Format::RoundRobin,
        FormatArg::Gauntlet => Format::Gauntlet,
        FormatArg::Knockout => Format::Knockout,
        FormatArg::Swiss => Format::Swiss,
    };
    let games = args.games.unwrap_or(2);
    if games % 2 == 1 {
        return Err(usage(format!(
            "--games {games}: expected an even number, for every opening is played twice"
        )));
    }
    let pairs = games / 2;
    match format {
        Format::RoundRobin | Format::Gauntlet => {
            let endless = args.sprt.is_some() && args.games.is_none() && args.rounds.is_none();
            let pairs = if endless {
                ENDLESS
            } else {
                pairs * args.rounds.unwrap_or(1)
            };
            Ok((format, 1, pairs))
        }
        Format::Swiss => {
            let default = u64::from(usize::BITS - engines.saturating_sub(1).leading_zeros());
            let stages = args.rounds.unwrap_or(default.max(1));
            Ok((format, u32::try_from(stages).unwrap_or(u32::MAX), pairs))
        }
        Format::Knockout if args.rounds.is_some() => Err(usage(
            "--rounds: a knockout has as many as it needs; use --games",
        )),
        Format::Knockout => Ok((format, 1, pairs)),
    }
}

fn engines(groups: &Groups) -> Result<Vec<EngineSpec>, Failure> {
    if groups.engines.len() < 2 {
        let count = groups.engines.len();
        return Err(usage(format!(
            "--engine: expected at least two engines, found {count}"
        )));
    }
    let mut engines: Vec<EngineSpec> = Vec::new();
    for (index, given) in groups.engines.iter().enumerate() {
        let mut spec = EngineSpec::default();
        tokens::apply_to_engine(&mut spec, &groups.each)
            .map_err(|why| usage(format!("--each: {why}")))?;
        tokens::apply_to_engine(&mut spec, given)
            .map_err(|why| usage(format!("--engine: {why}")))?;
        if spec.cmd.is_empty() {
            let number = index + 1;
            return Err(usage(format!(
                "--engine number {number}: expected cmd=PROGRAM"
            )));
        }
        if spec.name.is_empty() {
            spec.name = default_name(&spec.cmd);
        }
        if spec.cmd != RANDOM && !spec.limits.is_bounded() {
            return Err(usage(format!(
                "engine {}: expected one of tc=, st=, nodes= or depth=",
                spec.name
            )));
        }
        engines.push(spec);
    }
    distinct_names(&mut engines);
    Ok(engines)
}

/// The program's file name without directory and ending.
fn default_name(cmd: &str) -> String {
    if cmd == SELF {
        return "totemic".to_owned();
    }
    let words = shell_words::split(cmd).unwrap_or_default();
    let program = words.first().map_or(cmd, String::as_str);
    let stem = Path::new(program)
        .file_stem()
        .and_then(|stem| stem.to_str());
    let plain = |c: &char| !c.is_control() && *c != '"' && *c != '\\';
    let name: String = stem
        .unwrap_or("engine")
        .chars()
        .filter(plain)
        .take(60)
        .collect();
    if name.is_empty() {
        "engine".to_owned()
    } else {
        name
    }
}

/// Numbers engines of the same name.
fn distinct_names(engines: &mut [EngineSpec]) {
    for index in 1..engines.len() {
        let wanted = engines[index].name.clone();
        let mut name = wanted.clone();
        let mut number = 2;
        while engines[..index].iter().any(|engine| engine.name == name) {
            name = format!("{wanted}-{number}");
            number += 1;
        }
        engines[index].name = name;
    }
}

fn adjudication(args: &MatchArgs) -> Result<Adjudication, Failure> {
    let option = |name: &'static str| move |why: String| usage(format!("--{name}: {why}"));
    let solver = (args.adjudicate.as_deref())
        .map(|token| tokens::solver(token).map_err(option("adjudicate")))
        .transpose()?;
    let resign = (args.resign.as_ref())
        .map(|given| tokens::resign(given).map_err(option("resign")))
        .transpose()?;
    let draw = (args.draw.as_ref())
        .map(|given| tokens::draw(given).map_err(option("draw")))
        .transpose()?;
    Ok(Adjudication {
        solver_ms: solver.map(|(ms, _)| ms),
        play_on: solver.is_some_and(|(_, play_on)| play_on),
        resign,
        draw,
        maxplies: args.maxplies,
    })
}

fn shard(args: &MatchArgs, settings: &MatchSettings) -> Result<Shard, Failure> {
    let Some(shard) = args.shard else {
        return Ok(Shard::WHOLE);
    };
    if shard != Shard::WHOLE && (settings.format.is_adaptive() || settings.sprt.is_some()) {
        return Err(usage(format!(
            "--shard {shard}: what is played depends on results here, so it cannot be split"
        )));
    }
    Ok(shard)
}

/// Opens journal and games file, with what is in them when resuming.
fn records<G: Game>(
    args: &MatchArgs,
    settings: &MatchSettings,
    shard: Shard,
) -> Result<Records, Failure> {
    let mut records = Records::default();
    if let Some(path) = &args.journal {
        let (journal, contents) =
            Journal::open(path, settings, shard, args.resume).map_err(journal_failure)?;
        records.journal = Some(journal);
        if let Some(contents) = contents {
            if contents.torn > 0 {
                say(format_args!(
                    "journal {}: its last game was written incompletely and is played again",
                    path.display()
                ));
            }
            records.games = contents.games.into_values().collect();
        }
    }
    if let Some(path) = &args.pgn {
        let pgn = Pgn::open::<G>(path, settings, args.resume, records.games.iter())
            .map_err(|why| Failure::Work(format!("--pgn {}: {why}", path.display())))?;
        records.pgn = Some((pgn, path.clone()));
    }
    Ok(records)
}

fn catch_signals() -> CliResult {
    let handler = || {
        if STOP.more() {
            say(format_args!("stopping now"));
        } else {
            say(format_args!(
                "finishing the running games; once more stops now"
            ));
        }
    };
    ctrlc::set_handler(handler).map_err(|why| Failure::Work(format!("cannot catch Ctrl-C: {why}")))
}

/// Without a guard a match goes on: it only matters when the runner is killed.
fn start_guard() -> Option<guard::Guard> {
    let program = std::env::current_exe().ok()?;
    let mut command = std::process::Command::new(program);
    command.arg("guard");
    guard::start(command).ok()
}
