//! Lengths of time as people write them.

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
