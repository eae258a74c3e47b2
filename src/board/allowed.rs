//! The lines and options that the page may send to an engine.
//!
//! An engine may have options and commands that write files or use up the machine.
//! Whoever gets hold of a tab must not get hold of those.

use crate::process::MAX_LINE;
use totemic_engine::text::quoted;

/// The most memory for an engine's tables, in MiB.
const MAX_HASH: u64 = 1024;

/// Commands that only set up a position or think.
const COMMANDS: [&str; 6] = ["ugi", "isready", "setoption", "position", "go", "stop"];

/// Options that touch nothing but the search, in lower case.
const OPTIONS: [&str; 5] = ["game", "hash", "multipv", "skill", "showwdl"];

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
        "setoption" => check_option(&words.collect::<Vec<_>>()),
        command if COMMANDS.contains(&command) => Ok(()),
        command => Err(format!(
            "{}: expected one of {}",
            quoted(command),
            COMMANDS.join(", ")
        )),
    }
}

/// Checks that `name NAME value VALUE` may be set from the page.
fn check_option(words: &[&str]) -> Result<(), String> {
    let ["name", name, "value", value] = *words else {
        let words = quoted(&words.join(" "));
        return Err(format!(
            "'setoption' {words}: expected 'name NAME value VALUE'"
        ));
    };
    let option = name.to_ascii_lowercase();
    if !OPTIONS.contains(&option.as_str()) {
        return Err(format!("the board may not set option {name}"));
    }
    if option == "hash" && !value.parse().is_ok_and(|hash: u64| hash <= MAX_HASH) {
        let value = quoted(value);
        return Err(format!(
            "option {name}: {value}: expected a number up to {MAX_HASH}"
        ));
    }
    Ok(())
}
