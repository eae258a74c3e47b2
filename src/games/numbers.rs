//! Whole numbers and lengths of time as people write them.

use std::fmt::Display;
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;

/// The units of time, in seconds.
const UNITS: [(&str, f64); 4] = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];

/// Reads a time as seconds: `500ms`, `2s`, `1.5m`, `1h`, or a plain number in units of
/// `plain` seconds. The number may have any sign and size.
pub fn read_seconds(text: &str, plain: f64) -> Option<f64> {
    let digits = text.trim_end_matches(|char: char| char.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" => plain,
        name => {
            let same = |unit: &&(&str, f64)| unit.0.eq_ignore_ascii_case(name);
            UNITS.iter().find(same)?.1
        }
    };
    let number: f64 = digits.parse().ok()?;
    Some(number * unit)
}

/// Reads a whole number in a range that has a start; the error says what was expected.
pub fn whole<T>(text: &str, range: &impl RangeBounds<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    let number = text.parse();
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_too_great = number.is_err() && is_digits;
    let number = number.ok().filter(|number| range.contains(number));
    number.ok_or_else(|| match (range.start_bound(), range.end_bound()) {
        (Bound::Included(least), Bound::Included(most)) => {
            format!("expected a whole number from {least} to {most}")
        }
        (Bound::Included(_), _) if is_too_great => "expected a smaller number".to_owned(),
        (Bound::Included(least), _) => format!("expected a whole number of at least {least}"),
        _ => "expected a whole number".to_owned(),
    })
}
