//! Certificates of what was solved.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::super::files::{make_folder, obstacle, write_whole};
use super::super::{Failure, say};
use crate::file;
use crate::game::{Side, quoted_path};
use crate::search::solver::certificate::split::identity;
use crate::search::solver::certificate::{
    Certificate, CertificateLimits, Claim, DEFAULT_MAX_MB, Failed, Goal, Statement, certify,
    rules_of, verify,
};
use crate::search::solver::{Solution, Solvable, Value};

/// Makes certificates and puts them into a folder.
pub(super) struct Certifier<'a> {
    pub(super) folder: &'a Path,
    /// Whether other files of the same names are written over.
    pub(super) replaces: bool,
    pub(super) hash_mb: usize,
    pub(super) stop: Arc<AtomicBool>,
}

pub(super) struct Certified {
    pub(super) claim: String,
    pub(super) file: String,
    pub(super) choices: usize,
    pub(super) bytes: usize,
}

impl Certifier<'_> {
    pub(super) fn begin(&self) -> Result<(), Failure> {
        make_folder("--certificate", self.folder, "a folder")
    }

    /// The certificates of all that is proved of a position. None is written
    /// before all are made; `None`, with the reason on stderr, where one was not.
    pub(super) fn certify<G: Solvable>(
        &self,
        number: usize,
        position: &G,
        solution: &Solution<G::Move>,
    ) -> Option<Vec<Certified>> {
        let claims = claims(position.side(), solution.value, solution.margin);
        let made = claims.into_iter().map(|claim| self.make(position, claim));
        let made: Result<Vec<_>, String> = made.collect();
        let written = made.and_then(|made| {
            let files = made.into_iter();
            files.map(|(told, bytes)| self.write(told, bytes)).collect()
        });
        let refused = |why: String| say(format_args!("no certificate: {number}: {why}"));
        written.map_err(refused).ok()
    }

    /// The certificate of a claim; the file only where it is not there yet.
    fn make<G: Solvable>(
        &self,
        position: &G,
        claim: Claim,
    ) -> Result<(Certified, Option<Certificate>), String> {
        let text = position.to_string();
        let path = self.path(&text, claim);
        let told = |certificate: &Certificate| Certified {
            claim: claim.to_string(),
            file: path.display().to_string(),
            choices: certificate.count(),
            bytes: certificate.as_bytes().len(),
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
                |there: &Certificate| *there.header() == wanted && verify(there, |_| ()).is_ok();
            match there.filter(is_it) {
                Some(there) => return Ok((told(&there), None)),
                None if self.replaces => {}
                None => {
                    let name = quoted_path(&path);
                    return Err(format!("{name} exists: add --force to replace it"));
                }
            }
        }
        let limits = CertificateLimits {
            hash_mb: self.hash_mb,
            stop: Some(Arc::clone(&self.stop)),
            ..CertificateLimits::default()
        };
        let made = certify(position, claim, &limits, |_| ());
        let certificate = made.map_err(|why: Failed| format!("{claim}: {why}"))?;
        Ok((told(&certificate), Some(certificate)))
    }

    fn path(&self, position: &str, claim: Claim) -> PathBuf {
        self.folder
            .join(format!("{}.proof", identity(position, claim)))
    }

    fn write(&self, certified: Certified, made: Option<Certificate>) -> Result<Certified, String> {
        if let Some(made) = made {
            let path = Path::new(&certified.file);
            write_whole(path, made.as_bytes(), self.replaces).map_err(|why| why.to_string())?;
        }
        Ok(certified)
    }
}

/// What a value and a margin for the side to move say, as claims.
fn claims(mover: Side, value: Value, margin: Option<i32>) -> Vec<Claim> {
    let claim = |side, goal| Claim { side, goal };
    let mut claims = match value {
        Value::Unknown => Vec::new(),
        Value::Win => vec![claim(mover, Goal::Win)],
        Value::Loss => vec![claim(mover.other(), Goal::Win)],
        Value::Draw => [Side::First, Side::Second]
            .map(|side| claim(side, Goal::Draw))
            .into(),
    };
    if let Some(margin) = margin {
        claims.push(claim(mover, Goal::Margin(margin)));
        claims.push(claim(mover.other(), Goal::Margin(-margin)));
    }
    claims
}
