//! The lines and options that the page may send to an engine.
//!
//! An engine may have options and commands that write files or take any
//! amount of the machine; whoever gets hold of a tab must not get hold of
//! those.

use std::thread::available_parallelism;

use crate::game::quoted;

/// No line to an engine is longer, in bytes: what `protocol.md` promises.
pub(super) const MAX_LINE: usize = 64 * 1024;
/// The most memory for an engine's tables, in MiB.
pub(super) const MAX_HASH: u64 = 1024;

/// Commands that only ask, set up or think.
const COMMANDS: [&str; 11] = [
    "ugi",
    "isready",
    "setoption",
    "uginewgame",
    "position",
    "moves",
    "go",
    "stop",
    "ponderhit",
    "query",
    "quit",
];

/// Options that touch nothing but the search, in lower case.
const OPTIONS: [&str; 9] = [
    "game",
    "multipv",
    "skill",
    "limitstrength",
    "elo",
    "showwdl",
    "searcher",
    "ponder",
    "clearhash",
];

/// The most threads an engine is given: one for each processor.
pub(super) fn max_threads() -> u64 {
    available_parallelism().map_or(1, |count| count.get() as u64)
}

/// Whether an engine may be told this line.
///
/// # Errors
/// What is wrong with it, naming the word.
pub(super) fn check(line: &str) -> Result<(), String> {
    if line.len() > MAX_LINE {
        let length = line.len();
        return Err(format!(
            "a line of {length} bytes: expected at most {MAX_LINE}"
        ));
    }
    if line.chars().any(char::is_control) {
        return Err("a control character: expected one line of text".to_owned());
    }
    let mut words = line.split_ascii_whitespace();
    match words.next().unwrap_or_default() {
        "setoption" => check_option(words),
        command if COMMANDS.contains(&command) => Ok(()),
        command => Err(format!(
            "{}: expected one of {}",
            quoted(command),
            COMMANDS.join(", ")
        )),
    }
}

/// Whether `name NAME [value VALUE]` may be set from the page.
fn check_option<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let (Some("name"), Some(name)) = (words.next(), words.next()) else {
        return Err("'setoption': expected 'name' and an option".to_owned());
    };
    let value = match (words.next(), words.next(), words.next()) {
        (None, ..) => None,
        (Some("value"), Some(value), None) => Some(value),
        _ => return Err(format!("option {name}: expected 'value' and one word")),
    };
    let most = match name.to_ascii_lowercase().as_str() {
        "hash" => MAX_HASH,
        "threads" => max_threads(),
        other if OPTIONS.contains(&other) => return Ok(()),
        _ => return Err(format!("option {name} is not for the board to set")),
    };
    match value.and_then(|value| value.parse::<u64>().ok()) {
        Some(value) if value <= most => Ok(()),
        _ => Err(format!(
            "option {name}: value {}: expected a number up to {most}",
            quoted(value.unwrap_or_default())
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_page_needs_passes() {
        for line in [
            "ugi",
            "position startpos moves c5b6x",
            "go infinite",
            "query legalmoves",
            "setoption name MultiPV value 8",
            "setoption name hash value 64",
            "setoption name Threads value 1",
            "setoption name ClearHash",
        ] {
            assert_eq!(check(line), Ok(()), "{line}");
        }
    }

    #[test]
    fn files_floods_and_second_lines_do_not() {
        for (line, why) in [
            ("setoption name LogFile value /tmp/x", "LogFile"),
            ("setoption name logfile value x", "logfile"),
            ("setoption name Hash LogFile value 5", "Hash"),
            ("setoption name Game value yoxii LogFile", "Game"),
            ("setoption name Hash value 1000000", "'1000000'"),
            ("setoption name Threads value -1", "'-1'"),
            ("setoption", "setoption"),
            ("bench", "'bench'"),
            ("stop\nsetoption name LogFile value x", "control"),
            ("", "''"),
        ] {
            let refused = check(line).expect_err(line);
            assert!(refused.contains(why), "{line}: {refused}");
        }
        assert!(check(&"go ".repeat(MAX_LINE)).is_err());
    }
}
