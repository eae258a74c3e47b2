//! Reads the words of a command line.

use std::str::FromStr;

use totemic_engine::game::GameKind;

/// Says what is wrong with the arguments, and exits.
pub(super) fn refuse(what: &str) -> ! {
    eprintln!("{what}");
    std::process::exit(2);
}

/// Reads the name of a game, or exits.
pub(super) fn game(name: &str) -> GameKind {
    let refused = || refuse(&format!("'{name}' is neither 'yoxii' nor 'hokito'"));
    GameKind::named(name).unwrap_or_else(refused)
}

/// Reads a number of at least 1, or exits.
pub(super) fn number<N: FromStr + PartialOrd + From<u8>>(text: &str) -> N {
    let number = text.parse().ok().filter(|number| *number >= N::from(1));
    number.unwrap_or_else(|| refuse(&format!("'{text}' is not a number from 1 on")))
}
