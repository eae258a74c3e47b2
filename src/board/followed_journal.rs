//! The journal of a match that may still be going on: read once for all tabs, as it grows.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::storage::journal;
use totemic_engine::file::{self, MAX_LINE};
use totemic_engine::lock::locked;
use totemic_engine::text::quoted_path;
use totemic_games::facts::{self, Fault};

const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// A reply contains no game after this many bytes; the page asks again for the others.
const LONG_REPLY: usize = 1 << 24;

/// The games that have been read so far, as the page gets them.
#[derive(Debug, Default)]
pub(super) struct FollowedJournal(Mutex<Games>);

#[derive(Debug, Default)]
struct Games {
    /// JSON values, each with a comma after it: parsed, they take many times as much memory.
    text: String,
    /// Where each of them begins.
    starts: Vec<usize>,
    /// What went wrong when the file was last looked at.
    fault: Option<Fault>,
}

impl FollowedJournal {
    /// Follows a journal on a thread of its own, which ends soon after the last reader of
    /// its games.
    pub(super) fn begin(path: PathBuf) -> io::Result<Arc<Self>> {
        let followed = Arc::<Self>::default();
        let readers = Arc::downgrade(&followed);
        let mut journal = JournalTail::default();
        thread::Builder::new().spawn(move || {
            while let Some(followed) = readers.upgrade() {
                let read = journal.read_on(&path, &followed.0);
                locked(&followed.0).fault = read.as_ref().err().map(|why| Fault::File {
                    path: quoted_path(&path),
                    text: file::reason(why),
                });
                if !read.unwrap_or_default() {
                    thread::sleep(POLL_INTERVAL);
                }
            }
        })?;
        Ok(followed)
    }

    /// Returns the reply to a page that has this many games already.
    pub(super) fn reply(&self, call: u64, has: usize) -> String {
        let games = locked(&self.0);
        if let Some(why) = &games.fault {
            return facts::reply_json(call, Err(why.clone()));
        }
        let start_of = |game: usize| games.starts.get(game).copied();
        let begin = start_of(has).unwrap_or(games.text.len());
        let is_near = |&start: &usize| start <= begin + LONG_REPLY;
        let end = start_of(games.starts.partition_point(is_near)).unwrap_or(games.text.len());
        let list = games.text[begin..end].trim_end_matches(',');
        format!(r#"{{"call":{call},"answer":[{list}]}}"#)
    }
}

/// How far a journal that grows has been read.
#[derive(Default)]
struct JournalTail {
    /// The first line, which tells one match from another.
    heading: Vec<u8>,
    bytes: u64,
    /// Ends of lines after the first that have been read.
    lines: usize,
}

impl JournalTail {
    /// Reads the next games, if there are any; returns whether there may be more.
    fn read_on(&mut self, path: &Path, games: &Mutex<Games>) -> io::Result<bool> {
        let mut file = file::open(path)?;
        let heading = journal::first_line(&file)?;
        if heading != self.heading || file.metadata()?.len() < self.bytes {
            (self.bytes, self.lines, self.heading) = (heading.len() as u64, 0, heading);
            *locked(games) = Games::default();
        }
        file.seek(SeekFrom::Start(self.bytes))?;
        let mut text = self.heading.clone();
        let added = file.take(MAX_LINE as u64).read_to_end(&mut text)?;
        // The end of a line that was a whole game without it.
        if text[self.heading.len()..].starts_with(b"\n") {
            text.remove(self.heading.len());
            self.bytes += 1;
            self.lines += 1;
        }
        let complete = text.iter().rposition(|&byte| byte == b'\n');
        let complete = complete.map_or(0, |at| at + 1);
        // A last line without an end is left for later, unless nothing else is there: it is
        // read as soon as it is a whole game.
        if complete > self.heading.len() {
            text.truncate(complete);
        }
        let shown = facts::whole_games(&String::from_utf8_lossy(&text), self.lines);
        if added == 0 || shown.is_empty() {
            return Ok(false);
        }
        let added = &text[self.heading.len()..];
        self.bytes += added.len() as u64;
        self.lines += added.iter().filter(|&&byte| byte == b'\n').count();
        let mut games = locked(games);
        for game in shown {
            let start = games.text.len();
            games.starts.push(start);
            games.text += &format!("{game},");
        }
        Ok(true)
    }
}
