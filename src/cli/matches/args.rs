//! The command line of `totemic match`.

use std::ffi::OsString;
use std::io;
use std::path::{self, PathBuf};
use std::time::Duration;

use clap::Args;

use crate::arena::settings::Format;
use crate::cli::engines::Groups;
use crate::cli::values::{time, whole};
use crate::shard::Shard;

const ENGINE_HELP: &str = "\
An engine; give the option once for each: cmd=PROGRAM [args=ARGS] [dir=DIR] [name=NAME] \
[tc=[MOVES/]SECONDS+INC or inf] [st=SECONDS] [nodes=N] [depth=PLIES] [timemargin=MS] \
[option.NAME=VALUE] [restart=on]; cmd=self is this program, cmd=random plays random legal moves, \
cmd=greedy plays the move that scores most at once";

#[derive(Args, Debug)]
#[command(mut_arg("engine", |arg| {
    arg.required_unless_present_any(["engines", "resume"]).help(ENGINE_HELP)
}))]
pub(in crate::cli) struct MatchArgs {
    #[command(flatten)]
    pub(super) engine: Groups,
    /// More engines from a file: on each line the words that --engine takes; # begins a
    /// remark
    #[arg(long, value_name = "FILE")]
    pub(super) engines: Option<PathBuf>,
    /// Keys for all engines; an engine's own keys take precedence
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    pub(super) each: Vec<String>,
    /// Who meets whom
    #[arg(long, value_enum, default_value = "roundrobin")]
    pub(super) format: Format,
    /// Games of each meeting and round; an even number, because every opening is played
    /// twice with sides swapped [default: 2; with --sprt until decided]
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000_000u64))]
    pub(super) games: Option<u64>,
    /// Repetitions of the tournament [default: 1], or rounds of a Swiss one [default:
    /// as many as it takes to find a winner]
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000_000u64))]
    pub(super) rounds: Option<u64>,
    /// In a knockout, the first N engines are seeded in their order, and the others are
    /// drawn by lot [default: all are seeded]
    #[arg(long, value_name = "N", value_parser = whole(0u32..))]
    pub(super) seeds: Option<u32>,
    /// Games to play at the same time. With clocks or a time per move, each engine that
    /// is thinking needs a processor: one in each game, or both with --ponder
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=1024u16))]
    pub(super) concurrency: u16,
    /// Let engines with clocks share processors
    #[arg(long)]
    pub(super) force_concurrency: bool,
    /// Give each game processors of its own, which the journal names; Linux only
    #[arg(long)]
    pub(super) affinity: bool,
    /// Seed of openings and random moves; it is printed, so that every match can be
    /// repeated [default: from the clock]
    #[arg(long, value_name = "N", value_parser = whole(0u64..))]
    pub(super) seed: Option<u64>,
    /// File of openings: a position or a list of moves on each line; or games in
    /// PGN or a journal, of which the moves marked as book are used, or the first
    /// plies=N moves. start=N begins with the Nth opening
    #[arg(long, num_args = 1..=3, value_names = ["FILE", "start=N", "plies=N"],
          conflicts_with_all = ["random_plies", "scattered"])]
    pub(super) openings: Option<Vec<OsString>>,
    /// Order of the file's openings
    #[arg(long, value_parser = ["sequential", "random"], default_value = "sequential")]
    pub(super) order: String,
    /// Random plies before each game [default: 4 for yoxii, 0 for hokito]
    #[arg(long, value_name = "N", value_parser = whole(0..=30u32))]
    pub(super) random_plies: Option<u32>,
    /// Hokito: random starts with all pawns spread over the whole board
    #[arg(long)]
    pub(super) scattered: bool,
    /// Stop a match of two engines when a sequential test of its pairs is
    /// decided; keys and defaults: elo0=0 elo1=5 alpha=0.05 beta=0.05
    /// model=normalized (or logistic)
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    pub(super) sprt: Option<Vec<String>>,
    /// End a game whose result the exact solver proves within MS milliseconds
    /// (100 if not given), and count the points that moves gave away; with
    /// playon, only count
    #[arg(long, value_name = "solver[=MS][,playon]")]
    pub(super) adjudicate: Option<String>,
    /// End a game when an engine's score was -S centipoints or worse in its
    /// last N moves; with twosided=on, only if the opponent agrees: score=S
    /// [movecount=N, 1 if not given] [twosided=on]
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    pub(super) resign: Option<Vec<String>>,
    /// End a game as a draw when both scores were within S centipoints of 0 in
    /// the last N moves of each, after M moves of each: [score=S, 0 if not
    /// given] [movecount=N, 1] [movenumber=M, 0]
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    pub(super) draw: Option<Vec<String>>,
    /// End a game as a draw after this many plies
    #[arg(long, value_name = "N", value_parser = whole(1u32..))]
    pub(super) maxplies: Option<u32>,
    /// Let engines that announce the option Ponder think in their opponents'
    /// time, on the reply they expect
    #[arg(long)]
    pub(super) ponder: bool,
    /// Write the games to this file, in PGN
    #[arg(long, value_name = "FILE")]
    pub(super) pgn: Option<PathBuf>,
    /// Add the games to the file of --pgn, after those that are there
    #[arg(long, requires = "pgn", conflicts_with = "force")]
    pub(super) append: bool,
    /// The tag Event of the games of --pgn
    #[arg(long, value_name = "NAME", requires = "pgn")]
    pub(super) event: Option<String>,
    /// The tag Site of the games of --pgn
    #[arg(long, value_name = "NAME", requires = "pgn")]
    pub(super) site: Option<String>,
    /// Keep a journal of finished games, from which a match can be resumed and rated
    #[arg(long, value_name = "FILE")]
    pub(super) journal: Option<PathBuf>,
    /// Play the games missing from the journal; begin a new journal if there is none. With
    /// JOURNAL and without engines, the journal says what to play
    #[arg(long, value_name = "JOURNAL", num_args = 0..=1)]
    pub(super) resume: Option<Option<PathBuf>>,
    /// Go on even if an engine is not the program that played the journal's games
    #[arg(long)]
    pub(super) mixed: bool,
    /// Overwrite the files of --pgn and --journal if they exist
    #[arg(long, conflicts_with = "resume")]
    pub(super) force: bool,
    /// Print the results as one JSON object
    #[arg(long)]
    pub(super) json: bool,
    /// Write every line to and from each engine into this directory
    #[arg(long, value_name = "DIR")]
    pub(super) log: Option<PathBuf>,
    /// Play only every Nth pair of games, as part K of N
    #[arg(long, value_name = "K/N")]
    pub(super) shard: Option<Shard>,
    /// Longest time for a move of an engine without a clock
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time)]
    pub(super) stall_after: Duration,
    /// Longest time for an engine to start and introduce itself
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time)]
    pub(super) start_within: Duration,
    /// Print a report after every N games if stderr is not a terminal; 0 prints none
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole(0u64..))]
    pub(super) report: u64,
}

impl MatchArgs {
    pub(in crate::cli) fn only_prints(&self) -> bool {
        self.journal().is_none() && self.pgn.is_none() && self.log.is_none()
    }

    pub(super) fn journal(&self) -> Option<&PathBuf> {
        let resumed = self.resume.as_ref().and_then(Option::as_ref);
        resumed.or(self.journal.as_ref())
    }

    /// Replaces what clap would add to the options of an earlier command, and the files,
    /// whose names hold where they are given now.
    pub(super) fn take_over(&mut self, now: &Self) -> io::Result<()> {
        if !now.each.is_empty() {
            self.each.clone_from(&now.each);
        }
        for (mine, given) in [
            (&mut self.sprt, &now.sprt),
            (&mut self.resign, &now.resign),
            (&mut self.draw, &now.draw),
        ] {
            if given.is_some() {
                mine.clone_from(given);
            }
        }
        for (mine, given) in [(&mut self.pgn, &now.pgn), (&mut self.log, &now.log)] {
            if let Some(path) = given.as_ref().filter(|path| path.as_os_str() != "-") {
                *mine = Some(path::absolute(path)?);
            }
        }
        if let Some(mut words) = now.openings.clone() {
            words[0] = path::absolute(&words[0])?.into();
            self.openings = Some(words);
        }
        Ok(())
    }

    /// Whether the journal has to say what is played.
    pub(super) fn has_only_a_journal(&self) -> bool {
        self.resume.is_some() && self.engine.0.is_empty() && self.engines.is_none()
    }
}
