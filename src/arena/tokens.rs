//! The `key=value` tokens behind `--sprt`, `--resign` and the like, spelled as
//! users of fastchess know them.

use super::settings::{DrawRule, Resign, Shard};
use super::sprt::{Model, Sprt};
use crate::game::quoted;
use crate::process::tokens::{TokenError, count, number, split, switch};

/// Reads tokens by `set`, which takes the key, the token and the value, and
/// answers `None` to a key that is none of `keys`.
fn each<S: AsRef<str>>(
    tokens: &[S],
    keys: &str,
    mut set: impl FnMut(&str, &str, &str) -> Option<Result<(), TokenError>>,
) -> Result<(), TokenError> {
    for token in tokens {
        let token = token.as_ref();
        let (key, value) = split(token)?;
        let unknown = || {
            Err(format!(
                "{}: expected one of the keys {keys}",
                quoted(token)
            ))
        };
        set(key, token, value).unwrap_or_else(unknown)?;
    }
    Ok(())
}

/// Puts a value that was read into its place.
fn put<T>(place: &mut T, read: Result<T, TokenError>) -> Option<Result<(), TokenError>> {
    Some(read.map(|value| *place = value))
}

/// Reads the tokens of `--sprt`; what is not given keeps its default.
///
/// # Errors
/// Names the first token that cannot be used.
pub fn sprt<S: AsRef<str>>(tokens: &[S]) -> Result<Sprt, TokenError> {
    let mut sprt = Sprt::default();
    each(
        tokens,
        "elo0, elo1, alpha, beta or model",
        |key, token, value| {
            let place = match key {
                "elo0" => &mut sprt.elo0,
                "elo1" => &mut sprt.elo1,
                "alpha" => &mut sprt.alpha,
                "beta" => &mut sprt.beta,
                "model" => {
                    let model = match value {
                        "normalized" => Ok(Model::Normalized),
                        "logistic" => Ok(Model::Logistic),
                        _ => Err(format!(
                            "{}: expected normalized or logistic",
                            quoted(token)
                        )),
                    };
                    return put(&mut sprt.model, model);
                }
                _ => return None,
            };
            put(place, number(token, value, "a number"))
        },
    )?;
    sprt.validate()?;
    Ok(sprt)
}

const SCORE: &str = "a whole number of centipoints";

/// Reads the tokens of `--resign`.
///
/// # Errors
/// Names the first token that cannot be used.
pub fn resign<S: AsRef<str>>(tokens: &[S]) -> Result<Resign, TokenError> {
    let mut rule = Resign {
        movecount: 1,
        score: 0,
        twosided: false,
    };
    each(
        tokens,
        "movecount, score or twosided",
        |key, token, value| match key {
            "movecount" => put(&mut rule.movecount, count(token, value)),
            "score" => put(&mut rule.score, number(token, value, SCORE)),
            "twosided" => put(&mut rule.twosided, switch(token, value)),
            _ => None,
        },
    )?;
    if rule.score <= 0 {
        return Err("expected score=S with S above 0, in centipoints".to_owned());
    }
    Ok(rule)
}

/// Reads the tokens of `--draw`.
///
/// # Errors
/// Names the first token that cannot be used.
pub fn draw<S: AsRef<str>>(tokens: &[S]) -> Result<DrawRule, TokenError> {
    let mut rule = DrawRule {
        movenumber: 0,
        movecount: 1,
        score: 0,
    };
    each(
        tokens,
        "movenumber, movecount or score",
        |key, token, value| match key {
            "movenumber" => put(&mut rule.movenumber, number(token, value, "a whole number")),
            "movecount" => put(&mut rule.movecount, count(token, value)),
            "score" => put(&mut rule.score, number(token, value, SCORE)),
            _ => None,
        },
    )?;
    Ok(rule)
}

/// Reads the token of `--adjudicate`: `solver[=MS][,playon]`; the
/// milliseconds for a position, and whether games go on.
///
/// # Errors
/// Names the token.
pub fn solver(token: &str) -> Result<(u64, bool), TokenError> {
    let (solver, play_on) = match token.split_once(',') {
        None => (token, false),
        Some((solver, "playon")) => (solver, true),
        Some(_) => {
            return Err(format!(
                "{}: expected nothing but playon behind ','",
                quoted(token)
            ));
        }
    };
    match solver.split_once('=') {
        None if solver == "solver" => Ok((100, play_on)),
        Some(("solver", value)) => {
            let ms: u64 = number(token, value, "a whole number of milliseconds")?;
            Ok((ms.clamp(1, 3_600_000), play_on))
        }
        _ => Err(format!(
            "{}: expected solver or solver=MILLISECONDS",
            quoted(token)
        )),
    }
}

/// Reads `K/N`.
///
/// # Errors
/// Names the token.
pub fn shard(token: &str) -> Result<Shard, TokenError> {
    let parts = token
        .split_once('/')
        .and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
    match parts {
        Some((index, count)) if 1 <= index && index <= count => Ok(Shard { index, count }),
        _ => Err(format!(
            "{}: expected K/N with K from 1 to N",
            quoted(token)
        )),
    }
}
