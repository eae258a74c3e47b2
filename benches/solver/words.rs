//! The words of a command line.

use std::str::FromStr;

/// Says what is wrong with the arguments, and ends.
pub(super) fn refuse(what: &str) -> ! {
    eprintln!("{what}");
    std::process::exit(2);
}

/// A number from 1 on, or the end.
pub(super) fn number<N: FromStr + PartialOrd + From<u8>>(text: &str) -> N {
    let number = text.parse().ok().filter(|number| *number >= N::from(1));
    number.unwrap_or_else(|| refuse(&format!("'{text}' is not a number from 1 on")))
}
