//! What the commands do to the game.

use std::io;

use super::super::advice::legal;
use super::super::entry::Entry;
use super::super::files;
use super::super::opponent::{Opponent, Strength};
use super::super::playable::Playable;
use super::super::sheet::Sheet;
use super::{Flow, Session};
use crate::cli::Failure;
use crate::cli::files::{exists, unwritable};
use crate::game::{Layout, Outcome, quoted};
use crate::record::reader::Close;

/// No draw is taken before this move.
const FIRST_DRAW: usize = 9;

impl<G: Playable> Session<'_, G> {
    pub(super) fn undo(&mut self) -> io::Result<()> {
        // Who watches takes back whatever was played last.
        let own = self.manner.own;
        let own = if own == [false; 2] { [true; 2] } else { own };
        if self.sheet.reopen() || self.sheet.undo(own) {
            self.changed()
        } else {
            self.console.say("There is no move of yours to take back.")
        }
    }

    pub(super) fn redo(&mut self) -> io::Result<()> {
        if self.sheet.redo(self.manner.own) {
            self.changed()
        } else {
            self.console.say("No move was taken back.")
        }
    }

    pub(super) fn swap(&mut self) -> io::Result<()> {
        if self.manner.own[0] == self.manner.own[1] {
            return self
                .console
                .say("There is nothing to swap: one player has both sides.");
        }
        self.manner.own.reverse();
        let own = usize::from(self.manner.own[1]);
        self.console
            .say(format!("You are {} now.", G::SIDE_NAMES[own]))?;
        self.changed()
    }

    pub(super) fn set_level(&mut self, level: Option<u32>) -> io::Result<()> {
        let Opponent::Own { strength, .. } = &mut self.opponent else {
            return self
                .console
                .say("Another program plays: its level is its own affair.");
        };
        if let Some(level) = level {
            *strength = Strength::Level(level);
        }
        let line = format!("The engine plays at level {}.", strength.text());
        self.keep()?;
        self.console.say(line)
    }

    pub(super) fn pause(&mut self) -> io::Result<()> {
        if self.sheet.clocks.is_none() {
            return self.console.say("No clock is running.");
        }
        self.is_paused = true;
        self.console.say("Your clock stands until you press Enter.")
    }

    pub(super) fn resign(&mut self) -> io::Result<()> {
        if self.sheet.end().is_some() {
            return self.console.say("The game is over.");
        }
        let side = self.sheet.position().side();
        self.sheet
            .close(Outcome::Win(side.other()), Close::Resignation);
        self.changed()
    }

    /// The engine takes a draw where it expects half a point at most, but not
    /// in the first moves, which say nothing; two people agree by themselves.
    pub(super) fn draw_offered(&mut self) -> io::Result<()> {
        if self.sheet.end().is_some() {
            return self.console.say("The game is over.");
        }
        if self.manner.own != [true; 2] {
            if self.sheet.move_number() < FIRST_DRAW {
                let line = format!("No: it is too early, ask again from move {FIRST_DRAW} on.");
                return self.console.say(line);
            }
            let points = self.adviser.points(self.sheet.position(), self.console)?;
            if points < 0.5 {
                return self
                    .console
                    .say("No: the engine hopes for more than a draw.");
            }
        }
        self.sheet.close(Outcome::Draw, Close::Agreement);
        self.changed()
    }

    pub(super) fn show_moves(&mut self, square: &str) -> io::Result<()> {
        let position = self.sheet.position();
        let moves = if self.sheet.end().is_some() {
            Vec::new()
        } else {
            position.moves().to_vec()
        };
        let text = legal::<G>(&moves, square);
        self.console.say(text)
    }

    pub(super) fn list(&mut self) -> io::Result<()> {
        if self.sheet.made().is_empty() {
            return self.console.say("No move was made yet.");
        }
        let moves = self.sheet.made().iter().map(|made| made.mv.to_string());
        let lines: Vec<String> = (moves.collect::<Vec<_>>().chunks(2).enumerate())
            .map(|(index, pair)| format!("{:>3}. {}", index + 1, pair.join("  ")))
            .collect();
        self.console.say(lines.join("\n"))
    }

    /// Begins a new game, from a position where one is given. One that is not
    /// finished stays where it is kept.
    pub(super) fn begin(&mut self, start: Option<G>) -> io::Result<()> {
        self.tell_kept()?;
        self.keeper.leave();
        let start = match start {
            Some(start) => start,
            None => G::random_start(Layout::Halves, &mut self.dice),
        };
        self.sheet = Sheet::new(start, self.sheet.control());
        self.changed()
    }

    pub(super) fn set_position(&mut self, text: &str) -> io::Result<()> {
        let read = match text {
            "" => {
                let line = self.sheet.position().to_string();
                return self.console.say(line);
            }
            "startpos" => Ok(G::start()),
            text => text.parse::<G>(),
        };
        match read {
            Ok(position) => self.begin(Some(position)),
            Err(why) => {
                let line = format!("{} is no position of {}: {why}", quoted(text), G::TITLE);
                self.console.say(line)
            }
        }
    }

    pub(super) fn set_up(&mut self) -> io::Result<()> {
        match Entry::new::<G>().ask(self.console)? {
            Some(position) => self.begin(Some(position)),
            None => self.console.say("The position is as it was."),
        }
    }

    pub(super) fn save(&mut self, file: &str, force: bool) -> io::Result<()> {
        let text = self.text();
        let path = files::named(file);
        let line = match files::save(&path, &text, force) {
            Ok(()) => format!("Saved to {file}."),
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => exists(&path).to_string(),
            Err(why) => unwritable(&path, &why).to_string(),
        };
        self.console.say(line)
    }

    pub(super) fn open(&mut self, file: &str) -> Result<Flow, Failure> {
        match files::open(&files::named(file)) {
            Ok(game) => {
                self.tell_kept()?;
                Ok(Flow::Open(Box::new(game)))
            }
            Err(why) => {
                self.console.say(why)?;
                Ok(Flow::Stay)
            }
        }
    }
}
