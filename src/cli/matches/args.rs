//! The command line of `totemic match`.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueEnum};

use crate::arena::settings::Shard;
use crate::arena::tokens;

/// Groups of `key=value` tokens, one for each time the option was given.
#[derive(Debug, Clone, Default)]
pub(super) struct Groups {
    pub(super) engines: Vec<Vec<String>>,
    pub(super) each: Vec<String>,
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
pub(super) enum FormatArg {
    Roundrobin,
    Gauntlet,
    Knockout,
    Swiss,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Sequential,
    Random,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct MatchArgs {
    #[command(flatten)]
    pub(super) groups: Groups,
    /// Who meets whom
    #[arg(long, value_enum, default_value = "roundrobin")]
    pub(super) format: FormatArg,
    /// Games of each meeting and round; every opening is played twice with
    /// sides swapped, so an even number [default: 2]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(super) games: Option<u64>,
    /// Rounds: repetitions of the tournament, or rounds of a Swiss one
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(super) rounds: Option<u64>,
    /// Games at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) concurrency: u16,
    /// Seed of openings and random moves; printed, so that every match can be
    /// repeated [default: from the clock]
    #[arg(long)]
    pub(super) seed: Option<u64>,
    /// File of openings: positions or lists of moves, one a line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["random_plies", "scattered"])]
    pub(super) openings: Option<PathBuf>,
    /// Order of the file's openings
    #[arg(long, value_enum, default_value = "sequential")]
    pub(super) order: Order,
    /// Random plies before each game [default: 4 for yoxii, 0 for hokito]
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u32).range(0..=30))]
    pub(super) random_plies: Option<u32>,
    /// Hokito: random starts with all pawns spread over the whole board
    #[arg(long)]
    pub(super) scattered: bool,
    /// Stop when decided: elo0=0 elo1=5 alpha=0.05 beta=0.05
    /// model=normalized|logistic, by pairs of games
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    pub(super) sprt: Option<Vec<String>>,
    /// End a game whose result the exact solver proves within MS, and count
    /// what was given away; with playon, only count
    #[arg(long, value_name = "solver[=MS][,playon]")]
    pub(super) adjudicate: Option<String>,
    /// End a game that an engine gives up: movecount=N score=S [twosided=on]
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    pub(super) resign: Option<Vec<String>>,
    /// End an even game: movenumber=N movecount=N score=S
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    pub(super) draw: Option<Vec<String>>,
    /// A draw after so many plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) maxplies: Option<u32>,
    /// Write the games in PGN
    #[arg(long, value_name = "FILE")]
    pub(super) pgn: Option<PathBuf>,
    /// Keep a journal of finished games, by which a match can be resumed
    #[arg(long, value_name = "FILE")]
    pub(super) journal: Option<PathBuf>,
    /// Play what is missing in the journal; without one, begin
    #[arg(long, requires = "journal")]
    pub(super) resume: bool,
    /// Write every line to and from each engine into this directory
    #[arg(long, value_name = "DIR")]
    pub(super) log: Option<PathBuf>,
    /// Play only every Nth pair, as part K of N
    #[arg(long, value_name = "K/N", value_parser = tokens::shard)]
    pub(super) shard: Option<Shard>,
    /// Seconds after which an engine has stalled where no clock says so
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    pub(super) stall_after: f64,
    /// Seconds for the start and the handshake of an engine
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    pub(super) start_within: f64,
    /// Plain output: a report after every N games, 0 for none
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(super) report: u64,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected seconds".to_owned())?;
    if (0.01..=1e6).contains(&seconds) {
        Ok(seconds)
    } else {
        Err("expected from 0.01 to 1000000 seconds".to_owned())
    }
}
