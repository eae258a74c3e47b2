//! The `key=value` tokens behind `--sprt`, `--resign` and the like, spelled as
//! users of fastchess know them.

use super::settings::{DrawRule, Resign, Shard};
use super::sprt::{Model, Sprt};
use crate::game::quoted;
use crate::process::tokens::{TokenError, count, number, split, switch};

/// Reads the tokens of `--sprt`; what is not given keeps its default.
///
/// # Errors
/// Names the first token that cannot be used.
pub fn sprt<S: AsRef<str>>(tokens: &[S]) -> Result<Sprt, TokenError> {
    let mut sprt = Sprt::default();
    for token in tokens {
        let token = token.as_ref();
        let (key, value) = split(token)?;
        let as_number = || number::<f64>(token, value, "a number");
        match key {
            "elo0" => sprt.elo0 = as_number()?,
            "elo1" => sprt.elo1 = as_number()?,
            "alpha" => sprt.alpha = as_number()?,
            "beta" => sprt.beta = as_number()?,
            "model" => {
                sprt.model = match value {
                    "normalized" => Model::Normalized,
                    "logistic" => Model::Logistic,
                    _ => {
                        return Err(format!(
                            "{}: expected normalized or logistic",
                            quoted(token)
                        ));
                    }
                }
            }
            _ => {
                return Err(format!(
                    "{}: expected one of the keys elo0, elo1, alpha, beta or model",
                    quoted(token)
                ));
            }
        }
    }
    sprt.validate()?;
    Ok(sprt)
}

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
    for token in tokens {
        let token = token.as_ref();
        match split(token)? {
            ("movecount", value) => rule.movecount = count(token, value)?,
            ("score", value) => rule.score = number(token, value, "a whole number of centipoints")?,
            ("twosided", value) => rule.twosided = switch(token, value)?,
            _ => {
                return Err(format!(
                    "{}: expected one of the keys movecount, score or twosided",
                    quoted(token)
                ));
            }
        }
    }
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
    for token in tokens {
        let token = token.as_ref();
        match split(token)? {
            ("movenumber", value) => rule.movenumber = number(token, value, "a whole number")?,
            ("movecount", value) => rule.movecount = count(token, value)?,
            ("score", value) => rule.score = number(token, value, "a whole number of centipoints")?,
            _ => {
                return Err(format!(
                    "{}: expected one of the keys movenumber, movecount or score",
                    quoted(token)
                ));
            }
        }
    }
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
