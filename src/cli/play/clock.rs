//! Reads and shows times on a clock.

use std::time::Duration;

use crate::process::tokens;
use crate::record::TimeControl;

/// Reads `5m+3s`, `300+3` or `90s`; plain numbers are seconds.
pub(super) fn time_control(text: &str) -> Result<TimeControl, String> {
    let control = tokens::time_control(text, text).ok();
    control
        .filter(|control| control.moves.is_none() && control.base_ms > 0)
        .ok_or_else(|| "expected a time and perhaps an increment, as in 5m+3s or 90s".to_owned())
}

/// Shows a time as `4:05`, or with tenths of seconds below a minute.
pub(super) fn shown(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, _) => format!("{:.1} s", time.as_secs_f64()),
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}
