//! Files that a review writes.

use std::path::{Path, PathBuf};

use super::super::Failure;
use super::super::files::{check_writable, exists, write_whole};
use super::ReviewArgs;
use crate::file;
use crate::game::quoted_path;
use crate::review::page;

/// The files asked for, with what they are to hold.
pub(super) struct Outputs {
    pgn: Option<(PathBuf, String)>,
    html: Option<(PathBuf, Vec<String>)>,
}

impl Outputs {
    /// Checks that the files may be written, before hours are spent.
    pub(super) fn new(args: &ReviewArgs) -> Result<Self, Failure> {
        for path in [&args.pgn, &args.html].into_iter().flatten() {
            check(path, args)?;
        }
        let both = args.pgn.as_ref().zip(args.html.as_ref());
        if both.is_some_and(|(pgn, html)| file::is_same(pgn, html)) {
            let why = "--pgn and --html name the same file: expected two";
            return Err(Failure::Usage(why.to_owned()));
        }
        Ok(Self {
            pgn: args.pgn.clone().map(|path| (path, String::new())),
            html: args.html.clone().map(|path| (path, Vec::new())),
        })
    }

    /// Takes a game.
    pub(super) fn add(&mut self, pgn: impl FnOnce() -> String, html: impl FnOnce() -> String) {
        if let Some((_, text)) = &mut self.pgn {
            text.push_str(&pgn());
        }
        if let Some((_, sections)) = &mut self.html {
            sections.push(html());
        }
    }

    /// Writes the files, each in one step: the old file is replaced only once the
    /// new one is complete.
    pub(super) fn write(&self) -> Result<(), Failure> {
        if let Some((path, text)) = &self.pgn {
            write_whole(path, text.as_bytes(), true)?;
        }
        if let Some((path, sections)) = &self.html {
            write_whole(path, page(sections).as_bytes(), true)?;
        }
        Ok(())
    }
}

fn check(path: &Path, args: &ReviewArgs) -> Result<(), Failure> {
    let is_read = |source: &String| file::is_same(Path::new(source), path);
    if args.games.iter().any(is_read) {
        let shown = quoted_path(path);
        let why = format!("{shown} is read: expected another file to write to");
        return Err(Failure::Usage(why));
    }
    if !args.force && path.is_file() {
        return Err(exists(path));
    }
    check_writable(path)
}
