//! Writes certificates of what was solved.

use std::path::Path;

use serde::Serialize;

use super::SolveArgs;
use crate::cli::files::{obstacle, write_whole};
use totemic_engine::file;
use totemic_engine::game::Side;
use totemic_engine::search::certificates::parts::identity;
use totemic_engine::search::certificates::{
    Certificate, Claim, DEFAULT_MAX_MB, Failed, Goal, Statement, certify, rules_of, verify,
};
use totemic_engine::search::solver::{Solution, Solvable, SolveRequest, Solver, Value};
use totemic_engine::stop::Stop;
use totemic_engine::text::quoted_path;

pub(super) struct Certifier<'a> {
    pub(super) args: &'a SolveArgs,
    pub(super) folder: &'a Path,
    pub(super) stop: &'a Stop,
}

#[derive(Serialize)]
pub(super) struct Certified {
    pub(super) claim: String,
    pub(super) file: String,
    pub(super) choices: usize,
    pub(super) bytes: usize,
}

impl Certifier<'_> {
    /// Writes what was proved, once all of it is made; `None` after an error, which is printed.
    pub(super) fn certify<G: Solvable>(
        &self,
        number: usize,
        position: &G,
        solution: &Solution<G::Move>,
    ) -> Option<Vec<Certified>> {
        let claims = claims(position.side(), solution.value, solution.margin);
        let made = claims.into_iter().map(|claim| self.make(position, claim));
        let made: Result<Vec<_>, String> = made.collect();
        let write = |(certified, made): (Certified, Option<Certificate>)| {
            if let Some(made) = made {
                let written = write_whole(Path::new(&certified.file), &made.bytes, self.args.force);
                written.map_err(|why| why.to_string())?;
            }
            Ok(certified)
        };
        let written = made.and_then(|made| made.into_iter().map(write).collect());
        let refused = |why: String| say!("error: no certificate: {number}: {why}");
        written.map_err(refused).ok()
    }

    /// The certificate is `None` if its file already exists.
    fn make<G: Solvable>(
        &self,
        position: &G,
        claim: Claim,
    ) -> Result<(Certified, Option<Certificate>), String> {
        let text = position.to_string();
        let name = format!("{}.proof", identity(&text, claim));
        let path = self.folder.join(name);
        let certified = |certificate: &Certificate| Certified {
            claim: claim.to_string(),
            file: path.display().to_string(),
            choices: certificate.count,
            bytes: certificate.bytes.len(),
        };
        if let Some(why) = obstacle(&path) {
            let name = quoted_path(&path);
            return Err(format!("{claim}: cannot write {name}: {why}"));
        }
        if path.exists() {
            let bytes = file::read(&path, DEFAULT_MAX_MB << 20).ok();
            let there = bytes.and_then(|bytes| Certificate::read(bytes).ok());
            let wanted = Statement {
                rules: rules_of(G::NAME),
                position: text,
                claim,
            };
            let is_it =
                |there: &Certificate| there.header == wanted && verify(there, &mut |_| ()).is_ok();
            match there.filter(is_it) {
                Some(there) => return Ok((certified(&there), None)),
                None if self.args.force => {}
                None => {
                    let name = quoted_path(&path);
                    return Err(format!("{name} exists: add --force to replace it"));
                }
            }
        }
        let request = SolveRequest {
            stop: self.stop.clone(),
            ..SolveRequest::default()
        };
        let (mut solver, most) = (Solver::new(self.args.hash_mb()), DEFAULT_MAX_MB << 20);
        let (made, _) = certify(&mut solver, position, claim, &request, most, &mut |_, _| ());
        let certificate = made.map_err(|why: Failed| format!("{claim}: {why}"))?;
        Ok((certified(&certificate), Some(certificate)))
    }
}

/// Returns the claims that follow from a value and a margin for the side to move.
fn claims(mover: Side, value: Value, margin: Option<i32>) -> Vec<Claim> {
    let claim = |side, goal| Claim { side, goal };
    let mut claims = match value {
        Value::Unknown => Vec::new(),
        Value::Win => vec![claim(mover, Goal::Win)],
        Value::Loss => vec![claim(mover.other(), Goal::Win)],
        Value::Draw => Side::BOTH.map(|side| claim(side, Goal::Draw)).into(),
    };
    if let Some(margin) = margin {
        claims.push(claim(mover, Goal::Margin(margin)));
        claims.push(claim(mover.other(), Goal::Margin(-margin)));
    }
    claims
}
