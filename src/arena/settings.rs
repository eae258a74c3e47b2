//! The settings of a match: engines, limits, schedule and adjudication.
//!
//! Two runs with equal [`MatchSettings`] play the same games, so a journal begins with
//! the settings. They leave out what concerns only the machine, such as concurrency and
//! files.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::sprt::Sprt;
use crate::process::{EngineSpec, Patience};
use crate::shard::Shard;
use crate::storage::journal::Heading;
use totemic_engine::game::GameKind;
use totemic_games::record::openings::OpeningSource;
use totemic_games::record::{GameRecord, PgnGame};

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::ValueEnum)]
#[value(rename_all = "lower")]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Every engine meets every other.
    #[default]
    RoundRobin,
    /// The first engine meets all others.
    Gauntlet,
    /// Losers drop out. More pairs decide a tie, or in the end the order of the engines.
    Knockout,
    /// In each round engines with similar points meet, no two of them twice if possible.
    Swiss,
}

impl Format {
    /// Whether the pairings depend on earlier results. Such a match can be neither split
    /// nor lengthened.
    pub(crate) const fn is_adaptive(self) -> bool {
        matches!(self, Self::Knockout | Self::Swiss)
    }
}

/// Ends a game when an engine itself considers it lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ResignRule {
    /// The losing engine's scores must be low on this many consecutive moves.
    pub movecount: u32,
    /// A score is low if it is at or below minus this many centipoints.
    pub score: i32,
    /// Whether the opponent's scores have to agree.
    pub twosided: bool,
}

/// Ends a game when both engines consider it even.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawRule {
    /// The game does not end before each side has made this many moves.
    pub movenumber: u32,
    /// The scores of both sides must be even on this many consecutive moves.
    pub movecount: u32,
    /// A score is even if it lies within plus and minus this many centipoints.
    pub score: i32,
}

/// How games end before the rules end them; by default they do not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Adjudication {
    /// By an exact solver, which has this many milliseconds for a position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver_ms: Option<u64>,
    /// Whether a game goes on when the solver knows its result. The solver then only
    /// judges the moves afterwards.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub play_on: bool,
    /// By the loser's scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// By both engines' scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// As a draw after this many plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maxplies: Option<u32>,
}

/// More pairs than a sequential test will ever need.
pub const UNLIMITED_PAIRS: u64 = 1 << 40;

/// Everything that decides which games are played and how they end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchSettings {
    /// Which game is played.
    pub game: GameKind,
    /// The engines, at least two.
    pub engines: Vec<EngineSpec>,
    /// Who meets whom.
    pub format: Format,
    /// Rounds of a Swiss tournament; 1 in all other formats.
    #[serde(rename = "stages")]
    pub swiss_rounds: u32,
    /// In a knockout, how many engines are seeded; the others are drawn by lot.
    #[serde(default, rename = "seeds", skip_serializing_if = "Option::is_none")]
    pub seeded_engines: Option<u32>,
    /// Pairs of games in each meeting, without replays of ties; [`UNLIMITED_PAIRS`] if only the
    /// sequential test ends the match.
    pub pairs: u64,
    /// Seed of everything random.
    pub seed: u64,
    /// Where the games begin.
    pub openings: OpeningSource,
    /// How games end before the rules end them.
    pub adjudication: Adjudication,
    /// Whether engines that can ponder think during their opponents' time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
    /// A sequential test of the first engine against the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// Deadlines that hold where no clock runs.
    pub patience: Patience,
}

/// The first line of a match's journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct MatchHeading {
    pub settings: MatchSettings,
    /// The part of the match that is played here.
    pub shard: Shard,
    /// The command that began it; older journals lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<CommandLine>,
}

/// How a match was begun, so that its journal alone suffices to go on with it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct CommandLine {
    /// The working directory.
    pub dir: PathBuf,
    /// The command line without the program.
    pub words: Vec<String>,
}

impl Heading for MatchHeading {
    const JOURNAL: &str = "a match's journal";
}

impl MatchSettings {
    /// Returns the test of a meeting, which is about the first two engines.
    pub(crate) fn sprt_of(&self, engines: [usize; 2]) -> Option<&Sprt> {
        self.sprt.as_ref().filter(|_| engines == [0, 1])
    }

    /// The most threads that think at the same time in a game: those of one engine, or of
    /// two that ponder.
    pub(crate) fn threads(&self) -> usize {
        let mut threads: Vec<_> = self.engines.iter().map(EngineSpec::threads).collect();
        threads.sort_unstable();
        let both = if self.ponder { 2 } else { 1 };
        threads.iter().rev().take(both).sum::<usize>().max(1)
    }

    pub(crate) fn pgn(&self, game: &GameRecord, tags: &[(&str, String)]) -> String {
        let engines = game.engines.map(|engine| &self.engines[engine]);
        let limits = engines.map(|engine| engine.limits.to_string());
        let names = engines.map(|engine| engine.name.as_str());
        let mut pgn = PgnGame::of_match(game, self.game, names, limits);
        for (key, value) in tags {
            pgn.set_tag(key, value);
        }
        pgn.to_string()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::process::EngineCommand;

    pub(crate) fn settings(names: &[&str]) -> MatchSettings {
        MatchSettings {
            game: GameKind::Yoxii,
            engines: (names.iter())
                .map(|name| EngineSpec {
                    name: (*name).to_owned(),
                    cmd: EngineCommand::Random,
                    ..EngineSpec::default()
                })
                .collect(),
            format: Format::RoundRobin,
            swiss_rounds: 1,
            seeded_engines: None,
            pairs: 3,
            seed: 1,
            openings: OpeningSource::Random {
                plies: 4,
                scattered: false,
            },
            adjudication: Adjudication::default(),
            ponder: false,
            sprt: None,
            patience: Patience::default(),
        }
    }
}
