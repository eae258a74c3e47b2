//! The options: one table by which they are listed and set.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::parameters::whole_number;
use crate::engine::{HASH_MB, Spin, THREADS};
use crate::game::{GameKind, MAX_MOVES};
use crate::search::{Level, Searcher};
use crate::text::quoted;

const MULTI_PV: Spin = Spin::new(1, 1, MAX_MOVES as i64);
/// Milliseconds.
const MOVE_OVERHEAD: Spin = Spin::new(0, 10, 5000);
const SKILL: Spin = Spin::new(0, Level::FULL as i64, Level::FULL as i64);
const MAX_ELO: i64 = Level::ELO.1 as i64;
const ELO: Spin = Spin::new(Level::ELO.0 as i64, MAX_ELO, MAX_ELO);

#[derive(Clone, Debug)]
pub(super) struct Options {
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
    pub(super) own_book: bool,
    pub(super) debug: bool,
    pub(super) log_file: String,
    /// A file of weights, `classic`, `zero`, or nothing for the built-in weights.
    pub(super) eval_file: String,
}

/// The names of all options, in the order in which `ugi` lists them.
pub fn option_names() -> impl Iterator<Item = &'static str> {
    OPTIONS.iter().map(|option| option.name)
}

impl Options {
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

    /// The level of the next search; `seed` decides among its moves.
    pub(super) fn level(&self, seed: u64) -> Level {
        if self.limit_strength {
            Level::elo(self.elo, seed)
        } else {
            Level::skill(self.skill, seed)
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// Nothing yet: the next search reads the value.
    Later,
    /// The table gets another size.
    Resize,
    /// Another searcher takes over, with an empty memory.
    Searcher,
    Clear,
    OtherGame,
    Log,
    /// Another evaluation, with an empty memory.
    Evaluation,
}

impl Effect {
    /// Whether this is allowed only while no search is running.
    pub(super) fn needs_idle(self) -> bool {
        !matches!(self, Self::Later | Self::Log)
    }
}

enum Kind {
    Check(fn(&mut Options, bool)),
    Spin(Spin, fn(&mut Options, i64)),
    Game,
    Searcher,
    /// A text, with the word that stands for an empty one.
    Text(&'static str, fn(&mut Options, String)),
    Button,
}

pub(super) struct Opt {
    pub(super) name: &'static str,
    pub(super) effect: Effect,
    kind: Kind,
}

/// All options in the order in which they are listed.
pub(super) const OPTIONS: &[Opt] = &[
    Opt::new("Game", Effect::OtherGame, Kind::Game),
    Opt::new(
        "Hash",
        Effect::Resize,
        Kind::Spin(HASH_MB, |set, n| set.hash_mb = n as usize),
    ),
    Opt::new("Searcher", Effect::Searcher, Kind::Searcher),
    spin("Threads", THREADS, |set, n| {
        set.threads = NonZeroUsize::new(n as usize).unwrap_or(NonZeroUsize::MIN);
    }),
    spin("MultiPV", MULTI_PV, |set, n| set.multi_pv = n as usize),
    check("Ponder", |set, on| set.ponder = on),
    spin("MoveOverhead", MOVE_OVERHEAD, |set, n| {
        set.overhead = Duration::from_millis(n as u64);
    }),
    check("ShowWDL", |set, on| set.show_odds = on),
    spin("Skill", SKILL, |set, n| set.skill = n as u32),
    check("LimitStrength", |set, on| set.limit_strength = on),
    spin("Elo", ELO, |set, n| set.elo = n as u32),
    Opt::new("ClearHash", Effect::Clear, Kind::Button),
    check("OwnBook", |set, on| set.own_book = on),
    check("Debug", |set, on| set.debug = on),
    Opt::new(
        "LogFile",
        Effect::Log,
        Kind::Text("<empty>", |set, path| set.log_file = path),
    ),
    Opt::new(
        "EvalFile",
        Effect::Evaluation,
        Kind::Text("<builtin>", |set, path| set.eval_file = path),
    ),
];

/// A number that the next search reads.
const fn spin(name: &'static str, range: Spin, set: fn(&mut Options, i64)) -> Opt {
    Opt::new(name, Effect::Later, Kind::Spin(range, set))
}

/// Something that is off by default and that the next search reads.
const fn check(name: &'static str, set: fn(&mut Options, bool)) -> Opt {
    Opt::new(name, Effect::Later, Kind::Check(set))
}

/// Other names of options, which clients know from other engines. They are not
/// listed: some clients stumble over a name of two words.
const ALIASES: [(&str, &str); 6] = [
    ("Clear Hash", "ClearHash"),
    ("Move Overhead", "MoveOverhead"),
    ("Skill Level", "Skill"),
    ("UCI_Elo", "Elo"),
    ("UCI_LimitStrength", "LimitStrength"),
    ("UCI_ShowWDL", "ShowWDL"),
];

/// The option with this name, which may be one of [`ALIASES`], without regard to case
/// and to the number of blanks.
pub(super) fn find(name: &str) -> Option<&'static Opt> {
    let name: Vec<&str> = name.split_whitespace().collect();
    let name = name.join(" ");
    let mut aliases = ALIASES.iter();
    let alias = aliases.find(|(alias, _)| alias.eq_ignore_ascii_case(&name));
    let name = alias.map_or(name.as_str(), |(_, own)| own);
    let mut options = OPTIONS.iter();
    options.find(|option| option.name.eq_ignore_ascii_case(name))
}

impl Opt {
    const fn new(name: &'static str, effect: Effect, kind: Kind) -> Self {
        Self { name, effect, kind }
    }

    pub(super) fn describe(&self, options: &Options) -> String {
        let kind = match self.kind {
            Kind::Check(_) => "check default false".to_owned(),
            Kind::Spin(Spin { min, default, max }, _) => {
                format!("spin default {default} min {min} max {max}")
            }
            Kind::Game => combo(
                options.first_game.name(),
                &GameKind::ALL.map(GameKind::name),
            ),
            Kind::Searcher => {
                let names = Searcher::ALL.map(Searcher::name);
                combo(Searcher::default().name(), &names)
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
    pub(super) fn set(&self, options: &mut Options, value: &str) -> Result<(), String> {
        (self.kind.set(options, value)).map_err(|expected| {
            let (name, value) = (self.name, quoted(value));
            format!("option {name}: value {value}: expected {expected}")
        })
    }
}

fn combo(default: &str, names: &[&str]) -> String {
    format!("combo default {default} var {}", names.join(" var "))
}

impl Kind {
    /// Reads a value and keeps it; an error is what was expected.
    fn set(&self, options: &mut Options, value: &str) -> Result<(), String> {
        match self {
            Self::Check(set) => match value.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" => set(options, true),
                "false" | "off" | "0" => set(options, false),
                _ => return Err("true or false".to_owned()),
            },
            Self::Spin(range @ Spin { min, max, .. }, set) => {
                let number = whole_number(value).filter(|&number| range.contains(number));
                let expected = || format!("a whole number from {min} to {max}");
                set(options, number.ok_or_else(expected)?);
            }
            Self::Game => {
                options.game = GameKind::named(value).ok_or_else(GameKind::any_name)?;
            }
            Self::Searcher => {
                let expected = || Searcher::ALL.map(Searcher::name).join(" or ");
                options.searcher = Searcher::named(value).ok_or_else(expected)?;
            }
            Self::Text(nothing, set) => {
                let value = if value == *nothing { "" } else { value };
                set(options, value.to_owned());
            }
            Self::Button if value.is_empty() => {}
            Self::Button => return Err("no value".to_owned()),
        }
        Ok(())
    }
}
