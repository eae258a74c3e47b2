//! The `key=value` tokens that describe an engine. Their names are those that users of
//! fastchess know.

use std::fmt::Display;
use std::ops::RangeBounds;
use std::str::FromStr;

use super::spec::EngineSpec;
use totemic_engine::text::{quoted, sanitized};
use totemic_games::limits::TimeControl;
use totemic_games::numbers::{read_seconds, whole};

/// A sentence that names the token and says what was expected.
pub(crate) type TokenError = String;

/// Makes the error for a token that is not what was expected.
pub(crate) fn wrong<T>(token: &str, expected: &str) -> Result<T, TokenError> {
    Err(format!("{}: expected {expected}", quoted(token)))
}

/// Reads tokens with `set`, which gets the key, the token and the value, and returns
/// whether it knows the key. `keys` are the known keys, for the error message.
pub(crate) fn each_token<'a, S: AsRef<str>>(
    tokens: &'a [S],
    keys: &str,
    mut set: impl FnMut(&'a str, &'a str, &'a str) -> Result<bool, TokenError>,
) -> Result<(), TokenError> {
    let key_of = |token: &'a str| token.split_once('=').filter(|(key, _)| !key.is_empty());
    let is_known = |word: &'a str| {
        let key = key_of(word).map(|(key, _)| key);
        key.is_some_and(|key| keys.split([',', ' ']).any(|known| known == key))
    };
    let tokens = || tokens.iter().map(AsRef::as_ref);
    tokens().enumerate().try_for_each(|(index, token)| {
        // Arguments of a program and values of options may look like this, too.
        let is_one = token.starts_with("args=") || token.starts_with("option.");
        let mut words = token.split_whitespace();
        if !is_one && token.trim().contains(' ') && words.all(is_known) {
            return wrong(token, "these as separate words, not all in quotes");
        }
        let Some((key, value)) = key_of(token) else {
            return wrong(token, &format!("key=value with one of the keys {keys}"));
        };
        let mut earlier = tokens().take(index).filter_map(key_of);
        if earlier.any(|(earlier, _)| earlier == key) {
            return wrong(token, "each key once");
        }
        match set(key, token, value)? {
            true => Ok(()),
            false => wrong(token, &format!("one of the keys {keys}")),
        }
    })
}

pub(crate) fn number<T: FromStr + PartialOrd + Display>(
    token: &str,
    value: &str,
    range: impl RangeBounds<T>,
) -> Result<T, TokenError> {
    whole(value, &range).map_err(|why| format!("{}: {why}", quoted(token)))
}

pub(crate) fn count(token: &str, value: &str) -> Result<u32, TokenError> {
    number(token, value, 1..=1000)
}

/// Reads seconds, or a time with a unit (`500ms`, `1m`), as milliseconds.
fn millis(token: &str, value: &str) -> Result<u64, TokenError> {
    match read_seconds(value, 1.0) {
        Some(seconds) if (0.0..=1e7).contains(&seconds) => Ok((seconds * 1000.0).round() as u64),
        Some(_) => wrong(token, "from 0 to 10000000 seconds"),
        None => wrong(token, "a number of seconds, or as 500ms, 2s, 1m"),
    }
}

pub(crate) fn switch(token: &str, value: &str) -> Result<bool, TokenError> {
    match value {
        "on" | "true" | "yes" => Ok(true),
        "off" | "false" | "no" => Ok(false),
        _ => wrong(token, "on or off"),
    }
}

/// Reads `[moves/][minutes:]seconds[+increment]`.
pub(crate) fn time_control(token: &str, value: &str) -> Result<TimeControl, TokenError> {
    let (moves, rest) = match value.split_once('/') {
        Some((moves, rest)) => (Some(number(token, moves, 1..)?), rest),
        None => (None, value),
    };
    let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let base_ms = match base.split_once(':') {
        Some((minutes, base)) => {
            let minutes: u64 = number(token, minutes, 0..)?;
            minutes.min(100_000) * 60_000 + millis(token, base)?
        }
        None => millis(token, base)?,
    };
    let increment_ms = millis(token, increment)?;
    if base_ms + increment_ms == 0 {
        return wrong(token, "some time");
    }
    Ok(TimeControl {
        moves,
        base_ms,
        increment_ms,
    })
}

const ENGINE_KEYS: &str =
    "cmd, args, dir, name, tc, st, nodes, depth, timemargin, restart or option.NAME";

/// Applies the tokens of one `--engine` or `--each` to an engine. A clock and a time for
/// each move exclude each other: if they are in different groups, the later one replaces
/// the earlier one; in one group they are an error.
///
/// # Errors
/// Names the first token that cannot be used.
pub fn apply_to_engine<S: AsRef<str>>(
    engine: &mut EngineSpec,
    tokens: &[S],
) -> Result<(), TokenError> {
    // An engine that gets both obeys one of them and loses by the other.
    let mut time = None;
    each_token(tokens, ENGINE_KEYS, |key, token, value| {
        let limits = &mut engine.limits;
        match key {
            "cmd" => engine.cmd = value.to_owned().into(),
            "args" => value.clone_into(&mut engine.args),
            "dir" => engine.dir = Some(value.to_owned()),
            "name" if is_readable(value) => value.clone_into(&mut engine.name),
            "name" => return wrong(token, "1 to 60 printable characters"),
            "tc" | "st" => {
                let (first_key, first) = *time.get_or_insert((key, token));
                if key != first_key {
                    let why = format!("either tc= or st=, but {} is given too", quoted(first));
                    return wrong(token, &why);
                }
                (limits.clock, limits.movetime_ms) = (None, None);
                match key {
                    "st" => limits.movetime_ms = Some(move_time(token, value)?),
                    _ if value == "inf" => {}
                    _ => limits.clock = Some(time_control(token, value)?),
                }
            }
            "nodes" => limits.nodes = Some(number(token, value, 1..)?),
            "depth" | "plies" => limits.depth = Some(count(token, value)?),
            "timemargin" => limits.time_margin_ms = number(token, value, 0..=3_600_000)?,
            "restart" => engine.restart = switch(token, value)?,
            "proto" if value == "ugi" => {}
            "proto" => return wrong(token, "ugi, the only protocol"),
            _ => match key.strip_prefix("option.") {
                Some(option) => set_option(engine, token, option, value)?,
                None => return Ok(false),
            },
        }
        Ok(true)
    })
}

fn move_time(token: &str, value: &str) -> Result<u64, TokenError> {
    match millis(token, value)? {
        0 => wrong(token, "at least 0.001 seconds"),
        time => Ok(time),
    }
}

/// A name must fit into one line of a table and into a PGN tag.
fn is_readable(name: &str) -> bool {
    let is_plain = |c: char| !c.is_control() && c != '"' && c != '\\';
    (1..=60).contains(&name.chars().count())
        && name.chars().all(is_plain)
        && sanitized(name) == name
}

/// Sets an engine option; it replaces one with the same name from an earlier group.
fn set_option(
    engine: &mut EngineSpec,
    token: &str,
    option: &str,
    value: &str,
) -> Result<(), TokenError> {
    let is_long = option.len() + value.len() > 4096;
    if option.is_empty() || is_long || token.chars().any(char::is_control) {
        let expected = "option.NAME=VALUE of at most 4096 printable characters";
        return wrong(token, expected);
    }
    let options = &mut engine.options;
    options.retain(|(name, _)| !name.eq_ignore_ascii_case(option));
    options.push((option.to_owned(), value.to_owned()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(tokens: &[&str]) -> Result<EngineSpec, TokenError> {
        let mut engine = EngineSpec::default();
        apply_to_engine(&mut engine, tokens).map(|()| engine)
    }

    #[test]
    fn time_controls_read_as_in_fastchess() {
        let clock = |text: &str| {
            engine(&[&format!("tc={text}")]).map(|engine| {
                let clock = engine.limits.clock.expect("a clock");
                (clock.moves, clock.base_ms, clock.increment_ms)
            })
        };
        assert_eq!(clock("10+0.1"), Ok((None, 10_000, 100)));
        assert_eq!(clock("40/1:30.5"), Ok((Some(40), 90_500, 0)));
        assert_eq!(clock("0+1"), Ok((None, 0, 1000)));
        assert_eq!(clock("1m+500ms"), Ok((None, 60_000, 500)));
        for wrong in ["", "x", "0", "0/5", "1+", "-1", "1+-1", "nan", "1e99", "5/"] {
            let why = clock(wrong).expect_err(wrong);
            assert!(why.contains(&format!("'tc={wrong}'")), "{why}");
        }
    }

    #[test]
    fn one_group_gives_one_time_and_each_key_once() {
        let why = engine(&["tc=1+0.1", "nodes=5", "st=0.5"]).expect_err("both");
        let are_named = why.contains("'st=0.5'") && why.contains("'tc=1+0.1'");
        assert!(are_named, "{why}");
        let mut own = engine(&["tc=1+0.1", "timemargin=20"]).expect("a clock");
        apply_to_engine(&mut own, &["st=0.5"]).expect("its own");
        assert_eq!(own.limits.to_string(), "st=0.5");
        apply_to_engine(&mut own, &["tc=40/1.5+0.01", "nodes=7"]).expect("its own");
        assert_eq!(own.limits.to_string(), "40/1.5+0.01 nodes=7");
        apply_to_engine(&mut own, &["tc=inf"]).expect("no clock");
        assert_eq!(own.limits.to_string(), "nodes=7");
        let why = engine(&["nodes=5", "depth=2", "nodes=6"]).expect_err("twice");
        assert_eq!(why, "'nodes=6': expected each key once");
    }

    #[test]
    fn wrong_tokens_are_named() {
        let wrong = "nonsense =3 nodes=0 nodes=x depth=-1 st=0 depth=4294967297 restart=maybe name= \
                     name=a\"b option.=3 hash=16 proto=uci timemargin=-5 timemargin=3600001";
        for wrong in wrong.split_whitespace() {
            let why = engine(&[wrong]).expect_err(wrong);
            assert!(why.contains(&format!("'{wrong}'")), "{why}");
        }
    }
}
