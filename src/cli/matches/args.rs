//! The command line of `totemic match`.

use std::ffi::OsString;
use std::io;
use std::path::{self, PathBuf};
use std::time::Duration;

use clap::Args;

use crate::arena::settings::Format;
use crate::cli::engines::{Groups, explained};
use crate::cli::values::{time, whole};
use crate::shard::Shard;
use totemic_engine::ugi::option_names;

/// The keys of an engine, and the options that this program has as one.
fn engine_help() -> String {
    let options = option_names().collect::<Vec<_>>().join(", ");
    format!(
        "cmd=PROGRAM [args=ARGS] [dir=DIR] [name=NAME] [tc=[MOVES/]SECONDS+INC or inf] \
         [st=SECONDS] [nodes=N] [depth=PLIES] [timemargin=MS] [option.NAME=VALUE] [restart=on].\n\n\
         cmd=random plays random legal moves, cmd=greedy the move that scores most at once, and \
         cmd=self is this program, with the options {options}."
    )
}

#[derive(Args, Debug)]
#[command(mut_arg("engine", |arg| {
    let arg = arg.required_unless_present_any(["engines", "resume"]).help_heading("Engines");
    explained(arg, "An engine, once for each: cmd=PROGRAM and other keys", &engine_help())
}))]
pub(in crate::cli) struct MatchArgs {
    #[command(flatten)]
    pub(super) engine: Groups,
    /// More engines from a file, one a line
    ///
    /// Each line has the words that --engine takes; # begins a remark.
    #[arg(long, help_heading = "Engines", value_name = "FILE")]
    pub(super) engines: Option<PathBuf>,
    /// Keys for all engines; an engine's own keys take precedence
    #[arg(long, help_heading = "Engines", num_args = 1.., value_name = "KEY=VALUE")]
    pub(super) each: Vec<String>,
    /// Pairings: roundrobin, gauntlet, knockout or swiss
    ///
    /// In a roundrobin, every engine meets every other; in a gauntlet, the first meets
    /// all others. In a knockout, losers drop out. In each round of a Swiss tournament, engines
    /// with similar points meet.
    #[arg(long, help_heading = "Games", value_enum)]
    #[arg(hide_possible_values = true, default_value = "roundrobin")]
    pub(super) format: Format,
    /// Games of each meeting, an even number [default: 2; --sprt: until decided]
    #[arg(long, help_heading = "Games", value_name = "N",
          value_parser = whole(1..=1_000_000_000u64))]
    pub(super) games: Option<u64>,
    /// Repetitions [default: 1], or rounds of a Swiss tournament [default: enough]
    #[arg(long, help_heading = "Games", value_name = "N",
          value_parser = whole(1..=1_000_000_000u64))]
    pub(super) rounds: Option<u64>,
    /// In a knockout, seed only the first N engines [default: all]
    #[arg(long, help_heading = "Games", value_name = "N", value_parser = whole(0u32..))]
    pub(super) seeds: Option<u32>,
    /// Seed of everything random; it is printed [default: from the clock]
    #[arg(long, help_heading = "Games", value_name = "N", value_parser = whole(0u64..))]
    pub(super) seed: Option<u64>,
    /// Openings: positions, lines of moves, PGN or a journal
    ///
    /// A position or a list of moves stands on each line. Of games in PGN or a journal,
    /// the moves marked as book are used, or the first plies=N moves. start=N begins with
    /// the Nth opening.
    #[arg(long, help_heading = "Openings", num_args = 1..=3,
          value_names = ["FILE", "start=N", "plies=N"],
          conflicts_with_all = ["random_plies", "scattered"])]
    pub(super) openings: Option<Vec<OsString>>,
    /// Order of the file's openings
    #[arg(long, help_heading = "Openings", value_name = "sequential|random",
          value_parser = ["sequential", "random"],
          hide_possible_values = true, default_value = "sequential")]
    pub(super) order: String,
    /// Random plies before a game [default: yoxii 4, hokito 0]
    #[arg(long, help_heading = "Openings", value_name = "N", value_parser = whole(0..=30u32))]
    pub(super) random_plies: Option<u32>,
    /// Hokito: pawns spread over the whole board at random
    #[arg(long, help_heading = "Openings")]
    pub(super) scattered: bool,
    /// Stop when a sequential test of two engines is decided
    ///
    /// Keys and defaults: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized (or
    /// logistic).
    #[arg(long, help_heading = "Endings", num_args = 0.., value_name = "KEY=VALUE")]
    pub(super) sprt: Option<Vec<String>>,
    /// End a game whose result the exact solver proves
    ///
    /// The solver may take MS milliseconds, 100 if not given. The points that moves gave
    /// away are counted; with solver=MS,playon that is all that it does.
    #[arg(long, help_heading = "Endings", value_name = "solver[=MS]")]
    pub(super) adjudicate: Option<String>,
    /// End a game that an engine's own scores call lost
    ///
    /// score=S [movecount=N] [twosided=on]: the engine's score was -S centipoints or
    /// worse in its last N moves (1 if not given); with twosided=on, the opponent has to
    /// agree.
    #[arg(long, help_heading = "Endings", num_args = 1.., value_name = "KEY=VALUE")]
    pub(super) resign: Option<Vec<String>>,
    /// End a game that both scores call even
    ///
    /// [score=S] [movecount=N] [movenumber=M]: both scores were within S centipoints of 0
    /// (0 if not given) in the last N moves of each (1), after M moves of each (0).
    #[arg(long, help_heading = "Endings", num_args = 1.., value_name = "KEY=VALUE")]
    pub(super) draw: Option<Vec<String>>,
    /// End a game as a draw after this many plies
    #[arg(long, help_heading = "Endings", value_name = "N", value_parser = whole(1u32..))]
    pub(super) maxplies: Option<u32>,
    /// Let engines that announce Ponder think in their opponents' time
    #[arg(long, help_heading = "Engines")]
    pub(super) ponder: bool,
    /// Games to play at the same time
    ///
    /// With clocks or a time per move, each engine that is thinking needs a processor:
    /// one in each game, or both with --ponder.
    #[arg(long, help_heading = "Machine", value_name = "N", default_value_t = 1,
          value_parser = whole(1..=1024u16))]
    pub(super) concurrency: u16,
    /// Let engines with clocks share processors
    #[arg(long, help_heading = "Machine")]
    pub(super) force_concurrency: bool,
    /// Give each game processors of its own, named in the journal (Linux)
    #[arg(long, help_heading = "Machine")]
    pub(super) affinity: bool,
    /// Write the games to this file, in PGN
    #[arg(long, help_heading = "Output", value_name = "FILE")]
    pub(super) pgn: Option<PathBuf>,
    /// Add the games to those in the file of --pgn
    #[arg(long, help_heading = "Output")]
    #[arg(requires = "pgn", conflicts_with = "force")]
    pub(super) append: bool,
    /// The tag Event of the games of --pgn
    #[arg(long, help_heading = "Output", value_name = "NAME", requires = "pgn")]
    pub(super) event: Option<String>,
    /// The tag Site of the games of --pgn
    #[arg(long, help_heading = "Output", value_name = "NAME", requires = "pgn")]
    pub(super) site: Option<String>,
    /// Keep a journal of finished games, to resume and rate the match
    #[arg(long, help_heading = "Output", value_name = "FILE")]
    pub(super) journal: Option<PathBuf>,
    /// Play the games that are missing from the journal
    ///
    /// A new journal is begun if there is none. With JOURNAL and without engines, the
    /// journal says what to play.
    #[arg(long, help_heading = "Output", value_name = "JOURNAL", num_args = 0..=1)]
    pub(super) resume: Option<Option<PathBuf>>,
    /// Go on even if an engine is not the program of the journal's games
    #[arg(long, help_heading = "Output")]
    pub(super) mixed: bool,
    /// Replace the files of --pgn and --journal
    #[arg(long, help_heading = "Output", conflicts_with = "resume")]
    pub(super) force: bool,
    /// Print the results as one JSON object
    #[arg(long, help_heading = "Output")]
    pub(super) json: bool,
    /// Write every line to and from each engine to files in this directory
    #[arg(long, help_heading = "Output", value_name = "DIR")]
    pub(super) log: Option<PathBuf>,
    /// Play only every Nth pair of games, as part K of N
    #[arg(long, help_heading = "Machine", value_name = "K/N")]
    pub(super) shard: Option<Shard>,
    /// Longest time for a move of an engine without a clock
    #[arg(long, help_heading = "Machine", value_name = "TIME", default_value = "60s",
          value_parser = time)]
    pub(super) stall_after: Duration,
    /// Longest time for an engine to start and introduce itself
    #[arg(long, help_heading = "Machine", value_name = "TIME", default_value = "10s",
          value_parser = time)]
    pub(super) start_within: Duration,
    /// Games between two reports without a terminal; 0 for none
    #[arg(long, help_heading = "Output", value_name = "N", default_value_t = 20,
          value_parser = whole(0u64..))]
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

    /// Replaces what clap would add, and files, which are named as seen from here.
    pub(super) fn take_over(&mut self, now: &Self) -> io::Result<()> {
        if !now.each.is_empty() {
            self.each.clone_from(&now.each);
        }
        for (old, new) in [
            (&mut self.sprt, &now.sprt),
            (&mut self.resign, &now.resign),
            (&mut self.draw, &now.draw),
        ] {
            if new.is_some() {
                old.clone_from(new);
            }
        }
        for (old, new) in [(&mut self.pgn, &now.pgn), (&mut self.log, &now.log)] {
            if let Some(path) = new.as_ref().filter(|path| path.as_os_str() != "-") {
                *old = Some(path::absolute(path)?);
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
