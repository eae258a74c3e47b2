//! Files that a review writes.

use std::path::PathBuf;

use super::super::files::{check_distinct, check_writable, exists, write_whole};
use super::super::{CliResult, Failure};
use super::ReviewArgs;
use crate::review::page;

/// The files to write, with their contents.
pub(super) struct Outputs {
    pgn: Option<(PathBuf, String)>,
    html: Option<(PathBuf, Vec<String>)>,
}

impl Outputs {
    /// Checks that the files may be written, before hours are spent.
    pub(super) fn new(args: &ReviewArgs) -> Result<Self, Failure> {
        let outputs = [("--pgn", args.pgn.as_ref()), ("--html", args.html.as_ref())];
        check_distinct(&outputs, &args.games)?;
        for path in outputs.iter().filter_map(|(_, path)| *path) {
            if !args.force && path.is_file() {
                return Err(exists(path));
            }
            check_writable(path)?;
        }
        Ok(Self {
            pgn: args.pgn.clone().map(|path| (path, String::new())),
            html: args.html.clone().map(|path| (path, Vec::new())),
        })
    }

    /// Adds a game.
    pub(super) fn add(&mut self, pgn: impl FnOnce() -> String, html: impl FnOnce() -> String) {
        if let Some((_, text)) = &mut self.pgn {
            text.push_str(&pgn());
        }
        if let Some((_, sections)) = &mut self.html {
            sections.push(html());
        }
    }

    pub(super) fn write(&self) -> CliResult {
        if let Some((path, text)) = &self.pgn {
            write_whole(path, text.as_bytes(), true)?;
        }
        if let Some((path, sections)) = &self.html {
            write_whole(path, page(sections).as_bytes(), true)?;
        }
        Ok(())
    }
}
