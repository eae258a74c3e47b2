//! Reads the words of a command line.

use std::str::FromStr;

/// Says what is wrong with the arguments, and exits.
pub(super) fn refuse(what: &str) -> ! {
    eprintln!("{what}");
    std::process::exit(2);
}

/// Reads a number of at least 1, or exits.
pub(super) fn number<N: FromStr + PartialOrd + From<u8>>(text: &str) -> N {
    let number = text.parse().ok().filter(|number| *number >= N::from(1));
    number.unwrap_or_else(|| refuse(&format!("'{text}' is not a number from 1 on")))
}
