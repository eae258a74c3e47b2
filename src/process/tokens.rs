//! The `key=value` tokens that describe an engine, spelled as users of
//! fastchess know them.

use std::num::NonZeroU64;
use std::str::FromStr;

use super::spec::EngineSpec;
use crate::game::quoted;
use crate::record::TimeControl;
use crate::record::duration::read_seconds;

/// A sentence that names the token and what was expected.
pub(crate) type TokenError = String;

/// Splits a token at its first `=`.
pub(crate) fn split(token: &str) -> Result<(&str, &str), TokenError> {
    token
        .split_once('=')
        .filter(|(key, _)| !key.is_empty())
        .ok_or_else(|| format!("{}: expected key=value", quoted(token)))
}

/// Reads a value, naming the whole token when it does not fit.
pub(crate) fn number<T: FromStr>(
    token: &str,
    value: &str,
    expected: &str,
) -> Result<T, TokenError> {
    value
        .parse()
        .map_err(|_| format!("{}: expected {expected}", quoted(token)))
}

/// Reads seconds, or a time with its unit (`500ms`, `1m`), as milliseconds.
pub(crate) fn seconds(token: &str, value: &str) -> Result<u64, TokenError> {
    let seconds = read_seconds(value, 1.0).ok_or_else(|| {
        format!(
            "{}: expected a number of seconds, or as 500ms, 2s, 1m",
            quoted(token)
        )
    })?;
    if (0.0..=1e7).contains(&seconds) {
        Ok((seconds * 1000.0).round() as u64)
    } else {
        Err(format!(
            "{}: expected from 0 to 10000000 seconds",
            quoted(token)
        ))
    }
}

pub(crate) fn switch(token: &str, value: &str) -> Result<bool, TokenError> {
    match value {
        "on" | "true" | "yes" => Ok(true),
        "off" | "false" | "no" => Ok(false),
        _ => Err(format!("{}: expected on or off", quoted(token))),
    }
}

/// Reads `[moves/][minutes:]seconds[+increment]`.
pub(crate) fn time_control(token: &str, value: &str) -> Result<TimeControl, TokenError> {
    let (moves, rest) = match value.split_once('/') {
        Some((moves, rest)) => {
            let moves: u32 = number(token, moves, "[moves/]time+increment")?;
            if moves == 0 {
                return Err(format!("{}: expected at least one move", quoted(token)));
            }
            (Some(moves), rest)
        }
        None => (None, value),
    };
    let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let base_ms = match base.split_once(':') {
        Some((minutes, base)) => {
            let minutes: u64 = number(token, minutes, "minutes before the colon")?;
            minutes.min(100_000) * 60_000 + seconds(token, base)?
        }
        None => seconds(token, base)?,
    };
    let increment_ms = seconds(token, increment)?;
    if base_ms + increment_ms == 0 {
        return Err(format!("{}: expected some time", quoted(token)));
    }
    Ok(TimeControl {
        moves,
        base_ms,
        increment_ms,
    })
}

/// Lateness that can be forgiven: an hour, in milliseconds.
const MOST_MARGIN: u64 = 3_600_000;

/// The keys of an engine, for messages.
const ENGINE_KEYS: &str =
    "cmd, args, dir, name, tc, st, nodes, depth, timemargin, restart or option.NAME";

/// Applies the tokens of one `--engine` or `--each` to an engine. A clock and
/// a time for each move exclude one another: that of a later group replaces
/// the other of an earlier one, and both in one group are an error.
///
/// # Errors
/// Names the first token that cannot be used.
pub fn apply_to_engine<S: AsRef<str>>(
    engine: &mut EngineSpec,
    tokens: &[S],
) -> Result<(), TokenError> {
    let mut clocks: Vec<&str> = Vec::new();
    for token in tokens {
        let token = token.as_ref();
        let (key, value) = split(token)?;
        if let Some(option) = key.strip_prefix("option.") {
            set_option(engine, token, option, value)?;
            continue;
        }
        let limits = &mut engine.limits;
        match key {
            "cmd" => value.clone_into(&mut engine.cmd),
            "args" => value.clone_into(&mut engine.args),
            "dir" => engine.dir = Some(value.to_owned()),
            "name" => engine.name = readable_name(token, value)?,
            "tc" => {
                limits.clock = Some(time_control(token, value)?);
                limits.movetime_ms = None;
                clocks.push(token);
            }
            "st" => {
                let time = seconds(token, value)?;
                if time == 0 {
                    return Err(format!(
                        "{}: expected at least 0.001 seconds",
                        quoted(token)
                    ));
                }
                limits.movetime_ms = Some(time);
                limits.clock = None;
                clocks.push(token);
            }
            "nodes" => limits.nodes = Some(nodes(token, value)?),
            "depth" | "plies" => limits.depth = Some(count(token, value)?),
            "timemargin" => limits.margin_ms = margin(token, value)?,
            "restart" => engine.restart = switch(token, value)?,
            "proto" if value == "ugi" => {}
            "proto" => return Err(format!("{}: only ugi is spoken here", quoted(token))),
            _ => {
                return Err(format!(
                    "{}: expected one of the keys {ENGINE_KEYS}",
                    quoted(token)
                ));
            }
        }
    }
    one_clock(&clocks)
}

/// An engine that is sent both minds one of them and loses by the other.
fn one_clock(tokens: &[&str]) -> Result<(), TokenError> {
    let [first, rest @ ..] = tokens else {
        return Ok(());
    };
    let other = rest.iter().find(|token| token[..2] != first[..2]);
    other.map_or(Ok(()), |other| {
        Err(format!(
            "{}: expected either tc= or st=, but {} is given too",
            quoted(other),
            quoted(first)
        ))
    })
}

fn margin(token: &str, value: &str) -> Result<u64, TokenError> {
    let expected = format!("a whole number of milliseconds up to {MOST_MARGIN}");
    let read: u64 = number(token, value, &expected)?;
    if read > MOST_MARGIN {
        return Err(format!("{}: expected {expected}", quoted(token)));
    }
    Ok(read)
}

/// Reads a number of plies or moves, from 1 to 1000.
pub(crate) fn count(token: &str, value: &str) -> Result<u32, TokenError> {
    let expected = "a whole number from 1 to 1000";
    let read: u32 = number(token, value, expected)?;
    if (1..=1000).contains(&read) {
        Ok(read)
    } else {
        Err(format!("{}: expected {expected}", quoted(token)))
    }
}

fn nodes(token: &str, value: &str) -> Result<u64, TokenError> {
    let read: NonZeroU64 = number(token, value, "a whole number of at least 1")?;
    Ok(read.get())
}

/// A name must fit one line of a table and a tag of PGN.
fn readable_name(token: &str, value: &str) -> Result<String, TokenError> {
    let plain = |c: char| !c.is_control() && c != '"' && c != '\\';
    if value.is_empty() || value.chars().count() > 60 || !value.chars().all(plain) {
        return Err(format!(
            "{}: expected 1 to 60 printable characters",
            quoted(token)
        ));
    }
    Ok(value.to_owned())
}

/// Sets an engine option; a later one replaces an earlier of the same name.
fn set_option(
    engine: &mut EngineSpec,
    token: &str,
    option: &str,
    value: &str,
) -> Result<(), TokenError> {
    let too_long = option.len() + value.len() > 4096;
    let control = |text: &str| text.chars().any(char::is_control);
    if option.is_empty() || too_long || control(option) || control(value) {
        return Err(format!(
            "{}: expected option.NAME=VALUE of at most 4096 printable characters",
            quoted(token)
        ));
    }
    engine
        .options
        .retain(|(name, _)| !name.eq_ignore_ascii_case(option));
    engine.options.push((option.to_owned(), value.to_owned()));
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
    fn a_clock_and_a_time_for_each_move_exclude_one_another() {
        let why = engine(&["tc=1+0.1", "nodes=5", "st=0.5"]).expect_err("both");
        assert!(
            why.contains("'st=0.5'") && why.contains("'tc=1+0.1'"),
            "{why}"
        );
        let mut own = engine(&["tc=1+0.1", "timemargin=20"]).expect("a clock");
        apply_to_engine(&mut own, &["st=0.5"]).expect("its own");
        assert_eq!(own.limits.to_string(), "st=0.5");
        apply_to_engine(&mut own, &["tc=2"]).expect("its own");
        assert_eq!(own.limits.to_string(), "2");
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
