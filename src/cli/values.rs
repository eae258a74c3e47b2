//! Values of options: readers whose errors say what was expected.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::ops::{RangeBounds, RangeInclusive};
use std::str::FromStr;
use std::time::Duration;

use clap::Args;

use super::Failure;
use totemic_engine::engine::{Engine, HASH_MB, THREADS};
use totemic_engine::game::{GameKind, Show, Side, with_game};
use totemic_engine::search::certificates::Claim;
use totemic_engine::search::{Level, Searchable, Searcher};
use totemic_engine::text::quoted;
use totemic_games::numbers::{self, read_seconds};

/// Parses whole numbers in a range that has a start.
pub(super) fn whole<T, R>(
    range: R,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + 'static,
    R: RangeBounds<T> + Clone + Send + Sync + 'static,
{
    move |text| numbers::whole(text, &range)
}

/// What the engine may use of the machine.
#[derive(Args, Debug)]
pub(super) struct Machine {
    /// Number of threads
    #[arg(long, help_heading = "Machine", value_name = "N", default_value_t = NonZeroUsize::MIN,
          value_parser = whole(NonZeroUsize::MIN..=MAX_THREADS))]
    pub(super) threads: NonZeroUsize,
    /// Size of the tables in MiB
    #[arg(long, help_heading = "Machine", value_name = "MIB",
          default_value_t = HASH_MB.default as usize,
          value_parser = whole(HASH_MB.min as usize..=HASH_MB.max as usize))]
    pub(super) hash: usize,
}

const MAX_THREADS: NonZeroUsize = NonZeroUsize::new(THREADS.max as usize).unwrap();

impl Machine {
    pub(super) fn engine<G: Searchable>(&self, searcher: Searcher) -> Result<Engine<G>, Failure> {
        let mut engine = Engine::new();
        engine.set_searcher(searcher);
        let sized = engine.set_hash(self.hash);
        sized.map_err(|why| failure!("{why}"))?;
        engine.set_threads(self.threads);
        Ok(engine)
    }
}

/// The levels that have a name, as on the board.
pub(super) const LEVELS: [(u32, &str); 6] = [
    (0, "beginner"),
    (3, "easy"),
    (6, "medium"),
    (11, "strong"),
    (16, "very strong"),
    (20, "full"),
];

pub(super) fn level(text: &str) -> Result<u32, String> {
    let mut levels = LEVELS.iter();
    match levels.find(|(_, name)| name.eq_ignore_ascii_case(text)) {
        Some(&(level, _)) => Ok(level),
        None => whole(0..=Level::FULL)(text).map_err(|why| {
            let names = LEVELS.map(|(_, name)| name).join(", ");
            format!("{why}, or {names}")
        }),
    }
}

pub(super) fn amount(text: &str) -> Result<f32, String> {
    let number = text.parse().ok();
    let number = number.filter(|number: &f32| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "expected a number of at least 0, as in 0.01 or 1e-7".to_owned())
}

pub(super) fn amount_up_to(
    most: f32,
) -> impl Fn(&str) -> Result<f32, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = amount(text).ok().filter(|&number| number <= most);
        number.ok_or_else(|| format!("expected a number from 0 to {most}, as in 0.01 or 1e-7"))
    }
}

/// Reads a claim about a position of a game, whose sides may have their names.
pub(super) fn claim(kind: GameKind, text: &str) -> Result<Claim, Failure> {
    let names = with_game!(kind, G => G::SIDE_NAMES);
    let (side, goal) = text.split_once(' ').unwrap_or((text, ""));
    let named = |it: &Side| names[it.index()].eq_ignore_ascii_case(side);
    let found = Side::BOTH.into_iter().find(named);
    let side = found.map_or(side, |it| it.word());
    format!("{side} {goal}").parse().map_err(|_| {
        let ([first, second], text) = (names, quoted(text));
        let form = Claim::FORM;
        usage!("--claim {text}: expected {form}; in {kind}, p1 is {first} and p2 is {second}")
    })
}

/// The accepted times, in seconds.
const TIMES: RangeInclusive<f64> = 0.001..=1e9;

/// Reads a time with its unit: `500ms`, `2s`, `1.5m`, `1h`.
pub(super) fn time(text: &str) -> Result<Duration, String> {
    let has_unit = text.ends_with(|c: char| c.is_ascii_alphabetic());
    match read_seconds(text, 1.0) {
        Some(time) if time > 0.0 && !has_unit => {
            Err(format!("expected a unit, as in {text}ms or {text}s"))
        }
        Some(time) if TIMES.contains(&time) => Ok(Duration::from_secs_f64(time)),
        _ => Err("expected a time from 1 ms to 30 years, as in 500ms, 2s, 1m, 1.5h".to_owned()),
    }
}

/// A time in whole milliseconds, rounded up.
pub(super) fn whole_millis(time: Duration) -> u64 {
    time.as_micros().div_ceil(1000) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let seconds = ["500ms", "500MS", "2s", "1.5m", "1h"]
            .map(|text| time(text).map(|it| it.as_secs_f64()));
        assert_eq!(seconds, [0.5, 0.5, 2.0, 90.0, 3600.0].map(Ok));
        let bare = "expected a unit, as in 1e99ms or 1e99s";
        assert_eq!(time("1e99"), Err(bare.to_owned()));
        for bad in " s 5_s 5x -1 -1s 0 0.1ms nan inf 1e99s".split(' ') {
            let why = time(&bad.replace('_', " ")).expect_err(bad);
            assert!(why.starts_with("expected a time from 1 ms"), "{bad}: {why}");
        }
    }
}
