//! Reads and shows times on a clock.

use std::time::Duration;

use crate::process::tokens;
use totemic_games::limits::TimeControl;

/// Reads `5+3`, `5m+3s` or `90s`; as on chess clocks, minutes and then seconds.
pub(super) fn read_clock(text: &str) -> Result<TimeControl, String> {
    let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
    let has_unit = time.contains(':') || !time.ends_with(|c: char| c.is_ascii_digit());
    let unit = if has_unit { "" } else { "m" };
    let control = time_control(&format!("{time}{unit}+{increment}"));
    control.ok_or_else(|| {
        "expected a time and perhaps an increment, as in 5+3, 5m+3s or 90s".to_owned()
    })
}

/// Reads the time control of a game in PGN, in seconds.
pub(super) fn time_control(text: &str) -> Option<TimeControl> {
    let control = tokens::time_control(text, text).ok();
    control.filter(|control| control.moves.is_none() && control.base_ms > 0)
}

/// Shows a time as `4:05`, or with tenths of seconds below a minute.
pub(super) fn clock_text(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, _) => format!("{:.1} s", time.as_secs_f64()),
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_set_as_chess_clocks_are() {
        let read = |text| read_clock(text).map(|control| (control.base_ms, control.increment_ms));
        for (text, base, increment) in [
            ("5", 300_000, 0),
            ("5+3", 300_000, 3_000),
            ("5:30", 330_000, 0),
            ("1.5m+0.5", 90_000, 500),
            ("90s", 90_000, 0),
            ("10s+100ms", 10_000, 100),
        ] {
            assert_eq!(read(text), Ok((base, increment)), "{text}");
        }
        for wrong in ["", "0", "x", "5+", "40/5", "-5"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
