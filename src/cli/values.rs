//! Values of options: readers whose errors say what was expected.

use std::fmt::Display;
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;
use std::time::Duration;

/// A reader of whole numbers in a range that begins somewhere.
pub(super) fn whole<T, R>(
    range: R,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + 'static,
    R: RangeBounds<T> + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| match (range.start_bound(), range.end_bound()) {
            (Bound::Included(least), Bound::Included(most)) => {
                format!("expected a whole number from {least} to {most}")
            }
            (Bound::Included(least), _) => format!("expected a whole number of at least {least}"),
            _ => "expected a whole number".to_owned(),
        })
    }
}

/// Reads a number of seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .filter(|number| (0.001..=1e9).contains(number))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "expected a number of seconds of at least 0.001, as in 0.5".to_owned())
}
