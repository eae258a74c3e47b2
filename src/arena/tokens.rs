//! The `key=value` tokens after `--sprt`, `--resign` and the like. Their names are those
//! that users of fastchess know. An error names the first token that cannot be used.

use super::settings::{DrawRule, ResignRule};
use super::sprt::{Model, Sprt};
use crate::process::tokens::{TokenError, count, each_token, number, switch, wrong};

/// Reads the tokens of `--sprt`; what is not given keeps its default.
pub fn sprt<S: AsRef<str>>(tokens: &[S]) -> Result<Sprt, TokenError> {
    let mut sprt = Sprt::default();
    let keys = "elo0, elo1, alpha, beta or model";
    each_token(tokens, keys, |key, token, value| {
        // `validate` refuses NaN.
        let real = || value.parse::<f64>().or_else(|_| wrong(token, "a number"));
        match key {
            "elo0" => sprt.elo0 = real()?,
            "elo1" => sprt.elo1 = real()?,
            "alpha" => sprt.alpha = real()?,
            "beta" => sprt.beta = real()?,
            "model" => match value {
                "normalized" => sprt.model = Model::Normalized,
                "logistic" => sprt.model = Model::Logistic,
                _ => return wrong(token, "normalized or logistic"),
            },
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    sprt.validate()?;
    Ok(sprt)
}

/// Reads the tokens of `--resign`.
pub fn resign<S: AsRef<str>>(tokens: &[S]) -> Result<ResignRule, TokenError> {
    let mut rule = ResignRule {
        movecount: 1,
        score: 0,
        twosided: false,
    };
    let keys = "movecount, score or twosided";
    each_token(tokens, keys, |key, token, value| {
        match key {
            "movecount" => rule.movecount = count(token, value)?,
            "score" => rule.score = number(token, value, 1..)?,
            "twosided" => rule.twosided = switch(token, value)?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    if rule.score == 0 {
        return Err("expected score=S, in centipoints".to_owned());
    }
    Ok(rule)
}

/// Reads the tokens of `--draw`.
pub fn draw<S: AsRef<str>>(tokens: &[S]) -> Result<DrawRule, TokenError> {
    let mut rule = DrawRule {
        movenumber: 0,
        movecount: 1,
        score: 0,
    };
    let keys = "movenumber, movecount or score";
    each_token(tokens, keys, |key, token, value| {
        match key {
            "movenumber" => rule.movenumber = number(token, value, 0..)?,
            "movecount" => rule.movecount = count(token, value)?,
            "score" => rule.score = number(token, value, 0..)?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(rule)
}

/// Reads the token of `--adjudicate`, `solver[=MS][,playon]`. Returns the milliseconds
/// for a position and whether games go on.
pub fn solver(token: &str) -> Result<(u64, bool), TokenError> {
    let (solver, play_on) = match token.split_once(',') {
        None => (token, false),
        Some((solver, "playon")) => (solver, true),
        Some(_) => return wrong(token, "nothing but playon after ','"),
    };
    match solver.split_once('=') {
        None if solver == "solver" => Ok((100, play_on)),
        Some(("solver", value)) => Ok((number(token, value, 1..=3_600_000)?, play_on)),
        _ => wrong(token, "solver or solver=MILLISECONDS"),
    }
}
