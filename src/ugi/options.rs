//! The options: one table from which they are listed and set.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::words::whole_number;
use crate::engine::{HASH_MB, Spin, THREADS};
use crate::game::{GameKind, MAX_MOVES, quoted};
use crate::search::{Level, Searcher};

const MULTI_PV: Spin = Spin::new(1, 1, MAX_MOVES as i64);
/// Milliseconds.
const MOVE_OVERHEAD: Spin = Spin::new(0, 10, 5000);
const SKILL: Spin = Spin::new(0, Level::FULL as i64, Level::FULL as i64);
const ELO: Spin = Spin::new(
    Level::ELO.0 as i64,
    Level::ELO.1 as i64,
    Level::ELO.1 as i64,
);

/// What the options are set to.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// The game that the program began with.
    first_game: GameKind,
    pub(super) game: GameKind,
    pub(super) hash_mb: usize,
    pub(super) threads: NonZeroUsize,
    pub(super) searcher: Searcher,
    pub(super) multi_pv: usize,
    pub(super) ponder: bool,
    pub(super) overhead: Duration,
    pub(super) show_odds: bool,
    pub(super) skill: u32,
    /// Whether `elo` decides the level instead of `skill`.
    pub(super) limit_strength: bool,
    pub(super) elo: u32,
    /// Whether moves of the book are played at once.
    pub(super) own_book: bool,
    pub(super) debug: bool,
    pub(super) log_file: String,
    /// A file of weights, `classic`, or nothing for the weights in the program.
    pub(super) eval_file: String,
}

impl Settings {
    /// The defaults.
    pub(super) fn new(game: GameKind) -> Self {
        Self {
            first_game: game,
            game,
            hash_mb: HASH_MB.default as usize,
            threads: NonZeroUsize::MIN,
            searcher: Searcher::default(),
            multi_pv: MULTI_PV.default as usize,
            ponder: false,
            overhead: Duration::from_millis(MOVE_OVERHEAD.default as u64),
            show_odds: false,
            skill: SKILL.default as u32,
            limit_strength: false,
            elo: ELO.default as u32,
            own_book: false,
            debug: false,
            log_file: String::new(),
            eval_file: String::new(),
        }
    }

    /// The level of the next search, with its dice.
    pub(super) fn level(&self, seed: u64) -> Level {
        if self.limit_strength {
            Level::elo(self.elo, seed)
        } else {
            Level::skill(self.skill, seed)
        }
    }
}

/// What has to happen once an option is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// Nothing: the next search reads the setting.
    Later,
    /// The table gets another size.
    Resize,
    /// Another searcher takes over, with an empty memory.
    Searcher,
    /// The table is emptied.
    Clear,
    /// The other game's session begins.
    OtherGame,
    /// The log goes to another file.
    Log,
    /// Another evaluation, with an empty memory.
    Evaluation,
}

impl Effect {
    /// Whether no search may be running: it would lose its ground.
    pub(super) fn needs_rest(self) -> bool {
        matches!(
            self,
            Self::Resize | Self::Searcher | Self::Clear | Self::OtherGame | Self::Evaluation
        )
    }
}

/// The kind of an option's value, and what setting it does.
enum Kind {
    Check(bool, fn(&mut Settings, bool)),
    Spin(Spin, fn(&mut Settings, i64)),
    /// One of the games, by name.
    Game,
    /// One of the searchers, by name.
    Searcher,
    /// With the word that stands for nothing.
    Text(&'static str, fn(&mut Settings, String)),
    Button,
}

/// An option.
pub(super) struct Opt {
    pub(super) name: &'static str,
    pub(super) effect: Effect,
    kind: Kind,
}

/// All options in the order in which they are listed.
pub(super) const OPTIONS: &[Opt] = &[
    Opt {
        name: "Game",
        effect: Effect::OtherGame,
        kind: Kind::Game,
    },
    Opt {
        name: "Hash",
        effect: Effect::Resize,
        kind: Kind::Spin(HASH_MB, |set, n| set.hash_mb = n as usize),
    },
    Opt {
        name: "Searcher",
        effect: Effect::Searcher,
        kind: Kind::Searcher,
    },
    Opt {
        name: "Threads",
        effect: Effect::Later,
        kind: Kind::Spin(THREADS, |set, n| {
            set.threads = NonZeroUsize::new(n as usize).unwrap_or(NonZeroUsize::MIN);
        }),
    },
    Opt {
        name: "MultiPV",
        effect: Effect::Later,
        kind: Kind::Spin(MULTI_PV, |set, n| set.multi_pv = n as usize),
    },
    Opt {
        name: "Ponder",
        effect: Effect::Later,
        kind: Kind::Check(false, |set, on| set.ponder = on),
    },
    Opt {
        name: "MoveOverhead",
        effect: Effect::Later,
        kind: Kind::Spin(MOVE_OVERHEAD, |set, n| {
            set.overhead = Duration::from_millis(n as u64);
        }),
    },
    Opt {
        name: "ShowWDL",
        effect: Effect::Later,
        kind: Kind::Check(false, |set, on| set.show_odds = on),
    },
    Opt {
        name: "Skill",
        effect: Effect::Later,
        kind: Kind::Spin(SKILL, |set, n| set.skill = n as u32),
    },
    Opt {
        name: "LimitStrength",
        effect: Effect::Later,
        kind: Kind::Check(false, |set, on| set.limit_strength = on),
    },
    Opt {
        name: "Elo",
        effect: Effect::Later,
        kind: Kind::Spin(ELO, |set, n| set.elo = n as u32),
    },
    Opt {
        name: "ClearHash",
        effect: Effect::Clear,
        kind: Kind::Button,
    },
    Opt {
        name: "OwnBook",
        effect: Effect::Later,
        kind: Kind::Check(false, |set, on| set.own_book = on),
    },
    Opt {
        name: "Debug",
        effect: Effect::Later,
        kind: Kind::Check(false, |set, on| set.debug = on),
    },
    Opt {
        name: "LogFile",
        effect: Effect::Log,
        kind: Kind::Text("<empty>", |set, path| set.log_file = path),
    },
    Opt {
        name: "EvalFile",
        effect: Effect::Evaluation,
        kind: Kind::Text("<builtin>", |set, path| set.eval_file = path),
    },
];

/// Other names of options, under which clients know them from other engines.
/// They are not listed: some clients stumble over a name of two words.
const ALIASES: [(&str, &str); 6] = [
    ("Clear Hash", "ClearHash"),
    ("Move Overhead", "MoveOverhead"),
    ("Skill Level", "Skill"),
    ("UCI_Elo", "Elo"),
    ("UCI_LimitStrength", "LimitStrength"),
    ("UCI_ShowWDL", "ShowWDL"),
];

/// The option of a name or of one of [`ALIASES`], without regard to case and
/// to the width of blanks.
pub(super) fn find(name: &str) -> Option<&'static Opt> {
    let name: Vec<&str> = name.split_whitespace().collect();
    let name = name.join(" ");
    let alias = ALIASES
        .iter()
        .find(|(alias, _)| alias.eq_ignore_ascii_case(&name));
    let name = alias.map_or(name.as_str(), |(_, own)| own);
    OPTIONS
        .iter()
        .find(|option| option.name.eq_ignore_ascii_case(name))
}

impl Opt {
    /// The line that tells clients of the option.
    pub(super) fn describe(&self, settings: &Settings) -> String {
        let kind = match self.kind {
            Kind::Check(default, _) => format!("check default {default}"),
            Kind::Spin(Spin { min, default, max }, _) => {
                format!("spin default {default} min {min} max {max}")
            }
            Kind::Game => {
                let vars = GameKind::ALL.map(|kind| format!(" var {kind}"));
                format!("combo default {}{}", settings.first_game, vars.concat())
            }
            Kind::Searcher => {
                let vars = Searcher::ALL.map(|searcher| format!(" var {}", searcher.name()));
                format!(
                    "combo default {}{}",
                    Searcher::default().name(),
                    vars.concat()
                )
            }
            Kind::Text(nothing, _) => format!("string default {nothing}"),
            Kind::Button => "button".to_owned(),
        };
        format!("option name {} type {kind}", self.name)
    }

    /// Reads a value and keeps it.
    ///
    /// # Errors
    /// What was expected instead; then nothing has changed.
    pub(super) fn set(&self, settings: &mut Settings, value: &str) -> Result<(), String> {
        let expected = |what: &str| {
            format!(
                "option {}: value {}: expected {what}",
                self.name,
                quoted(value)
            )
        };
        match self.kind {
            Kind::Check(_, set) => {
                let on = match value.to_ascii_lowercase().as_str() {
                    "true" | "on" | "1" => true,
                    "false" | "off" | "0" => false,
                    _ => return Err(expected("true or false")),
                };
                set(settings, on);
            }
            Kind::Spin(range, set) => {
                let number = whole_number(value)
                    .filter(|&number| range.holds(number))
                    .ok_or_else(|| {
                        expected(&format!(
                            "a whole number from {} to {}",
                            range.min, range.max
                        ))
                    })?;
                set(settings, number);
            }
            Kind::Game => {
                let names = GameKind::ALL.map(GameKind::name).join(" or ");
                settings.game = GameKind::named(value).ok_or_else(|| expected(&names))?;
            }
            Kind::Searcher => {
                let names = Searcher::ALL.map(Searcher::name).join(" or ");
                settings.searcher = Searcher::named(value).ok_or_else(|| expected(&names))?;
            }
            Kind::Text(nothing, set) => {
                let value = if value == nothing { "" } else { value };
                set(settings, value.to_owned());
            }
            Kind::Button => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_without_case() {
        for name in [
            "hash",
            "HASH",
            "clear hash",
            "Clear   Hash",
            "clearhash",
            "ownbook",
        ] {
            assert!(find(name).is_some(), "{name}");
        }
        for name in ["", "clear", "hash hash", "shah", "UCI_Hash"] {
            assert!(find(name).is_none(), "{name}");
        }
    }

    #[test]
    fn names_are_single_words_and_aliases_lead_to_them() {
        for option in OPTIONS {
            assert!(!option.name.contains(' '), "{}", option.name);
        }
        for (alias, name) in ALIASES {
            assert_eq!(find(alias).map(|option| option.name), Some(name));
        }
    }

    #[test]
    fn defaults_are_in_range() {
        for option in OPTIONS {
            if let Kind::Spin(range, _) = option.kind {
                assert!(range.holds(range.default), "{}", option.name);
            }
        }
    }

    #[test]
    fn a_value_out_of_range_changes_nothing() {
        let mut settings = Settings::new(GameKind::Yoxii);
        let threads = find("Threads").expect("there is such an option");
        let why = threads.set(&mut settings, "0").expect_err("out of range");
        assert_eq!(
            why,
            "option Threads: value '0': expected a whole number from 1 to 1024"
        );
        assert_eq!(settings.threads, NonZeroUsize::MIN);
        threads.set(&mut settings, "3").expect("in range");
        assert_eq!(settings.threads.get(), 3);
    }
}
