//! `totemic board`: the board in a browser.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use tokio::sync::Notify;

use super::values::whole;
use super::{CliResult, Failure, matches, say};
use crate::arena::settings::RANDOM;
use crate::board::{Board, PORT, Settings};
use crate::game::GameKind;
use crate::process::{EngineSpec, Launch, SELF, tokens};
use crate::record::journal;
use crate::record::limits::MoveLimits;

/// Engines as groups of `key=value` tokens, one for each `--engine`.
#[derive(Debug, Clone, Default)]
pub(super) struct Engines(Vec<Vec<String>>);

const ENGINE_HELP: &str = "\
An engine to play with and to ask, once for each of them: cmd=PROGRAM [args=ARGS] [dir=DIR] \
[name=NAME] [option.NAME=VALUE]; without any it is this program, cmd=self";

impl Args for Engines {
    fn augment_args(command: Command) -> Command {
        command.arg(
            Arg::new("engine")
                .long("engine")
                .num_args(1..)
                .action(ArgAction::Append)
                .value_name("KEY=VALUE")
                .help(ENGINE_HELP),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Engines {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let groups = matches.get_occurrences::<String>("engine");
        let groups = groups.into_iter().flatten();
        Ok(Self(groups.map(|group| group.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[derive(Args, Debug)]
pub(super) struct BoardArgs {
    #[command(flatten)]
    engines: Engines,
    /// Port on this machine [default: 4747, or a free one if it is in use]
    #[arg(long, value_name = "N", value_parser = whole(0..=65535u16))]
    port: Option<u16>,
    /// Show the games of a match as they are finished, from its journal
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Print the address only, and leave it to you to open it
    #[arg(long)]
    no_open: bool,
}

pub(super) fn run(args: &BoardArgs) -> CliResult {
    if let Some(path) = &args.journal {
        journal::check::<journal::Header>(path).map_err(|why| Failure::Work(why.to_string()))?;
    }
    let settings = Settings {
        journal: args.journal.clone(),
        engines: engines(&args.engines.0)?,
        ..Settings::default()
    };
    for engine in &settings.engines {
        let launch = Launch::new(engine, GameKind::default().name());
        let launch = launch.map_err(|why| Failure::Usage(format!("--engine: {why}")))?;
        if let Some(why) = launch.missing() {
            return Err(Failure::Work(format!("--engine: {why}")));
        }
    }
    let board = bind(args.port, settings)?;
    let stop = stop_on_signals()?;
    let _guard = matches::start_guard();
    announce(&board, args.no_open)?;
    board.run(&stop)?;
    Ok(())
}

/// Takes the port that was asked for, or the usual one, or any.
fn bind(port: Option<u16>, settings: Settings) -> Result<Board, Failure> {
    let failure = |port, why| Failure::Work(format!("--port {port}: {why}"));
    if let Some(port) = port {
        return Board::bind(port, settings).map_err(|why| failure(port, why));
    }
    match Board::bind(PORT, settings.clone()) {
        Err(why) if why.kind() == ErrorKind::AddrInUse => {
            say(format_args!(
                "port {PORT} is in use, so another one is taken"
            ));
            Board::bind(0, settings).map_err(|why| failure(0, why))
        }
        bound => bound.map_err(|why| failure(PORT, why)),
    }
}

/// Prints the address, and opens it unless told not to.
fn announce(board: &Board, no_open: bool) -> io::Result<()> {
    let url = board.url();
    let mut out = io::stdout().lock();
    writeln!(out, "{url}")?;
    out.flush()?;
    let opened = !no_open && open::that_detached(&url).is_ok();
    let what = if opened { "opened" } else { "open" };
    say(format_args!(
        "{what} this address in a browser; Ctrl-C here ends the board and its engines"
    ));
    Ok(())
}

fn stop_on_signals() -> Result<Arc<Notify>, Failure> {
    let stop = Arc::new(Notify::new());
    let told = Arc::clone(&stop);
    ctrlc::set_handler(move || told.notify_one())
        .map_err(|why| Failure::Work(format!("cannot catch Ctrl-C: {why}")))?;
    Ok(stop)
}

/// The engines asked for, or this program.
fn engines(groups: &[Vec<String>]) -> Result<Vec<EngineSpec>, Failure> {
    let usage = |why: String| Failure::Usage(format!("--engine: {why}"));
    let mut engines: Vec<EngineSpec> = Vec::new();
    for tokens in groups {
        let mut spec = EngineSpec::default();
        tokens::apply_to_engine(&mut spec, tokens).map_err(usage)?;
        match spec.cmd.as_str() {
            "" => return Err(usage("expected cmd=PROGRAM".to_owned())),
            RANDOM => {
                let why = "random plays in matches only, expected a program";
                return Err(usage(why.to_owned()));
            }
            _ if spec.limits != MoveLimits::default() => {
                let why = "tc, st, nodes and depth are chosen in the page, not here";
                return Err(usage(why.to_owned()));
            }
            _ => {}
        }
        if spec.name.is_empty() {
            spec.name = default_name(&spec.cmd);
        }
        let base = spec.name.clone();
        for number in 2.. {
            if engines.iter().all(|engine| engine.name != spec.name) {
                break;
            }
            spec.name = format!("{base} {number}");
        }
        engines.push(spec);
    }
    if engines.is_empty() {
        return Ok(Settings::default().engines);
    }
    Ok(engines)
}

/// The program's file name without its ending.
fn default_name(cmd: &str) -> String {
    if cmd == SELF {
        return "Totemic".to_owned();
    }
    let program = cmd.split_whitespace().next().unwrap_or(cmd);
    let stem = Path::new(program)
        .file_stem()
        .and_then(|stem| stem.to_str());
    stem.unwrap_or("engine").to_owned()
}
