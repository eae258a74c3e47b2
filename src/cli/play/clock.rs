//! Clocks for two.

use std::time::Duration;

use crate::cli::values::seconds;
use crate::game::{Side, quoted};
use crate::record::TimeControl;
use crate::search::Clock;

/// Reads a clock: `5m+3s`, `300+3`, `90s`; plain numbers are seconds.
pub(super) fn time_control(text: &str) -> Result<TimeControl, String> {
    let wrong = || {
        format!(
            "{}: expected a time and perhaps an increment, as in 5m+3s or 90s",
            quoted(text)
        )
    };
    let (base, increment) = match text.split_once('+') {
        None => (text, None),
        Some((base, increment)) => (base, Some(increment)),
    };
    let read = |text: &str| match text.trim_end_matches(char::is_alphabetic) {
        "0" => Ok(Duration::ZERO),
        _ => seconds(text).map_err(|_| wrong()),
    };
    let base = seconds(base).map_err(|_| wrong())?;
    let increment = increment.map_or(Ok(Duration::ZERO), read)?;
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    Ok(TimeControl {
        moves: None,
        base_ms: millis(base),
        increment_ms: millis(increment),
    })
}

/// What is left to both sides ([`Side::index`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Clocks {
    pub(super) left: [Duration; 2],
    increment: Duration,
}

impl Clocks {
    pub(super) fn new(control: TimeControl) -> Self {
        Self {
            left: [Duration::from_millis(control.base_ms); 2],
            increment: Duration::from_millis(control.increment_ms),
        }
    }

    /// Takes time off a side's clock; whether any is left.
    pub(super) fn spend(&mut self, side: Side, time: Duration) -> bool {
        let left = &mut self.left[side.index()];
        *left = left.saturating_sub(time);
        !left.is_zero()
    }

    /// Adds the increment for a move that was made in time.
    pub(super) fn moved(&mut self, side: Side) {
        self.left[side.index()] += self.increment;
    }

    /// What a search is told.
    pub(super) fn for_search(&self, side: Side) -> Clock {
        Clock {
            left: self.left[side.index()],
            increment: self.increment,
            moves_to_go: None,
        }
    }
}

/// A time as a clock shows it: `4:05`, below a minute with tenths.
pub(super) fn shown(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, _) => format!("{:.1} s", time.as_secs_f64()),
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// A time as PGN has it: `0:04:05.250`.
pub(super) fn pgn(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!(
        "{hours}:{minutes:02}:{:06.3}",
        (seconds % 60) as f64 + f64::from(time.subsec_millis()) / 1000.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_with_units() {
        let of = |text| time_control(text).map(|it| (it.base_ms, it.increment_ms));
        assert_eq!(of("5m+3s"), Ok((300_000, 3000)));
        assert_eq!(of("300+3"), Ok((300_000, 3000)));
        assert_eq!(of("500ms"), Ok((500, 0)));
        assert_eq!(of("1m+0"), Ok((60_000, 0)));
        for wrong in ["", "x", "5m+", "5m+x", "0", "-5"] {
            assert!(of(wrong).is_err_and(|why| why.contains("5m+3s")), "{wrong}");
        }
    }

    #[test]
    fn times_are_shown_to_people_and_to_pgn() {
        let time = Duration::from_millis(245_250);
        assert_eq!(shown(time), "4:05");
        assert_eq!(pgn(time), "0:04:05.250");
        assert_eq!(shown(Duration::from_millis(9_500)), "9.5 s");
    }
}
