//! What tells one program from another: its name and the checksum of its files.

use std::io;
use std::path::PathBuf;
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use super::child::is_scarce;
use totemic_engine::checksum::hex;
use totemic_engine::file;

/// The files of a program, as they were when they were last read.
#[derive(Debug, Default)]
pub(super) struct ProgramIdentity {
    /// Empty if they were not read.
    sha256: String,
    /// Their lengths and times, which tell whether they have changed since.
    stamp: Vec<(u64, Option<SystemTime>)>,
}

impl ProgramIdentity {
    /// Reads the files of a program that is about to start, if they have changed.
    pub(super) fn update(&mut self, files: &[PathBuf]) -> io::Result<()> {
        let data = files.iter().filter_map(|path| path.metadata().ok());
        let stamp = Vec::from_iter(data.map(|data| (data.len(), data.modified().ok())));
        if stamp != self.stamp {
            self.sha256 = match checksum(files) {
                Err(why) if is_scarce(&why) => return Err(why),
                // A program may be one that nobody can read.
                checksum => checksum.unwrap_or_default(),
            };
            self.stamp = stamp;
        }
        Ok(())
    }

    /// Returns the name of the program with the checksum of its files, if that is known.
    pub(super) fn describe(&self, name: &str) -> String {
        match &*self.sha256 {
            "" => name.to_owned(),
            sha256 => format!("{name} (SHA-256 {sha256})"),
        }
    }
}

/// Returns the identity of this program, as for engines.
pub(crate) fn this_program() -> String {
    let sha256 = std::env::current_exe().and_then(|path| checksum(&[path]));
    let identity = ProgramIdentity {
        sha256: sha256.unwrap_or_default(),
        stamp: Vec::new(),
    };
    identity.describe(concat!("Totemic ", env!("CARGO_PKG_VERSION")))
}

fn checksum(files: &[PathBuf]) -> io::Result<String> {
    let mut hash = Sha256::new();
    for path in files {
        io::copy(&mut file::open(path)?, &mut hash)?;
    }
    Ok(hex(&hash.finalize()[..8]))
}
