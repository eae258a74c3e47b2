//! One game after another at the table.

mod acts;

use std::io;
use std::time::{Duration, Instant};

use super::advice::Adviser;
use super::clock::{Clocks, shown};
use super::command::{Command, HELP};
use super::completion::Words;
use super::console::{Console, Typed};
use super::files::{self, Keeper};
use super::opponent::{Opponent, Reply};
use super::playable::Playable;
use super::sheet::Sheet;
use crate::cli::{CliResult, Failure};
use crate::drawing;
use crate::game::{Cells, Outcome, Rng, Side, quoted, quoted_path, squares_of};
use crate::record::notation::read_move;
use crate::record::reader::{Close, PlayedGame, read};
use crate::review::ending::Ending;

/// Columns of everything that is drawn.
pub(super) const COLUMNS: usize = 60;

/// What follows when a session ends.
pub(super) enum Next {
    /// The person leaves.
    Leave,
    /// A game of either kind is to be gone on with.
    Open(Box<PlayedGame>),
}

/// What a line leads to.
enum Flow {
    Stay,
    Leave,
    Open(Box<PlayedGame>),
}

/// How a game is played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// Which sides the person plays, by [`Side::index`].
    pub(super) own: [bool; 2],
    /// Time of a move of the engine where no clock runs.
    pub(super) move_time: Duration,
}

/// The name of a choice of sides.
pub(super) const fn side_text(own: [bool; 2]) -> &'static str {
    match own {
        [true, false] => "first",
        [false, true] => "second",
        [true, true] => "both",
        [false, false] => "none",
    }
}

/// A table with a board, two players and what is said.
pub(super) struct Session<'a, G: Playable> {
    pub(super) console: &'a mut Console,
    pub(super) keeper: &'a mut Keeper,
    pub(super) sheet: Sheet<G>,
    pub(super) manner: Manner,
    pub(super) opponent: Opponent<G>,
    pub(super) adviser: Adviser<G>,
    pub(super) dice: Rng,
    /// Whether the board was drawn since it last changed.
    is_drawn: bool,
    /// Whether the end was explained.
    is_explained: bool,
    /// Whether the person's clock stands.
    is_paused: bool,
}

impl<'a, G: Playable> Session<'a, G> {
    pub(super) fn new(
        console: &'a mut Console,
        keeper: &'a mut Keeper,
        sheet: Sheet<G>,
        manner: Manner,
        opponent: Opponent<G>,
        dice: Rng,
    ) -> Self {
        Self {
            console,
            keeper,
            sheet,
            manner,
            opponent,
            adviser: Adviser::default(),
            dice,
            is_drawn: false,
            is_explained: false,
            is_paused: false,
        }
    }

    /// Plays until the person leaves.
    pub(super) fn run(&mut self) -> Result<Next, Failure> {
        self.console.print(&format!("{}\n", G::LEGEND.join("\n")))?;
        loop {
            if self.console.take_interrupt() && self.confirms_leaving()? {
                return Ok(Next::Leave);
            }
            let is_over = self.sheet.end().is_some();
            let side = self.sheet.position().side();
            if !is_over && !self.manner.own[side.index()] {
                self.engine_moves()?;
                continue;
            }
            self.draw()?;
            if is_over {
                self.explain_end()?;
            }
            match self.person(is_over)? {
                Flow::Stay => {}
                Flow::Leave => return Ok(Next::Leave),
                Flow::Open(game) => return Ok(Next::Open(game)),
            }
        }
    }

    /// Reads a line and does what it says.
    fn person(&mut self, is_over: bool) -> Result<Flow, Failure> {
        let position = *self.sheet.position();
        let moves = if is_over {
            Vec::new()
        } else {
            position.moves().to_vec()
        };
        self.console.complete(Words {
            moves: moves.iter().map(ToString::to_string).collect(),
            commands: true,
        });
        let prompt = if is_over {
            format!("{} (over)> ", G::NAME)
        } else {
            let (name, number) = (position.side_name(), self.sheet.move_number());
            let left = self.sheet.clocks.map_or_else(String::new, |clocks| {
                format!(", {}", shown(clocks.left[position.side().index()]))
            });
            format!("{name} {number}{left}> ")
        };
        let runs = !is_over && !self.is_paused;
        let clocks = self.sheet.clocks.filter(|_| runs);
        let begin = Instant::now();
        let deadline = clocks.map(|clocks| begin + clocks.left[position.side().index()]);
        let typed = self.console.read(&prompt, deadline);
        let in_time = match &mut self.sheet.clocks {
            Some(clocks) if runs => clocks.spend(position.side(), begin.elapsed()),
            _ => true,
        };
        self.is_paused = false;
        match typed {
            Typed::End => return self.leave().map(|()| Flow::Leave),
            Typed::Interrupt if self.confirms_leaving()? => return Ok(Flow::Leave),
            Typed::Interrupt => return Ok(Flow::Stay),
            _ if !in_time => self.time_is_up(position.side())?,
            Typed::TimeUp => {}
            Typed::Line(line) if line.is_empty() => self.is_drawn = false,
            Typed::Line(line) => return self.obey(&line),
        }
        Ok(Flow::Stay)
    }

    fn obey(&mut self, line: &str) -> Result<Flow, Failure> {
        let command = match Command::read(line) {
            Ok(command) => command,
            Err(why) => {
                self.console.say(why)?;
                return Ok(Flow::Stay);
            }
        };
        match command {
            Command::Move(text) => self.person_moves(&text)?,
            Command::Analyze => self.adviser.analyze(self.sheet.position(), self.console)?,
            Command::Board => self.is_drawn = false,
            Command::Draw => self.draw_offered()?,
            Command::Eval => self.adviser.explain(self.sheet.position(), self.console)?,
            Command::Help => self.console.print(HELP)?,
            Command::Hint(most) => self
                .adviser
                .hint(self.sheet.position(), most, self.console)?,
            Command::Level(level) => self.set_level(level)?,
            Command::List => self.list()?,
            Command::Moves(square) => self.show_moves(&square)?,
            Command::New => self.begin(None)?,
            Command::Open(file) => return self.open(&file),
            Command::Pause => self.pause()?,
            Command::Position(text) => self.set_position(&text)?,
            Command::Quit => return self.leave().map(|()| Flow::Leave),
            Command::Redo => self.redo()?,
            Command::Resign => self.resign()?,
            Command::Save { file, force } => self.save(&file, force)?,
            Command::Setup => self.set_up()?,
            Command::Swap => self.swap()?,
            Command::Undo => self.undo()?,
            Command::Why => match self.sheet.made().last() {
                Some(last) => {
                    (self.adviser).expect(last.mv, self.sheet.position(), self.console)?
                }
                None => self.console.say("No move was made yet.")?,
            },
        }
        Ok(Flow::Stay)
    }

    fn person_moves(&mut self, text: &str) -> io::Result<()> {
        if self.sheet.end().is_some() {
            let known = "the game is over; type new, undo, save FILE or quit";
            return self.console.say(format!("{}: {known}", quoted(text)));
        }
        match read_move(self.sheet.position(), text) {
            Ok(mv) => self.made(mv),
            Err(why) => self.console.say(why.to_string()),
        }
    }

    /// Plays a move of either side and keeps the game.
    fn made(&mut self, mv: G::Move) -> io::Result<()> {
        self.sheet.play(mv);
        self.changed()
    }

    /// What has to be done whenever the game is another than before.
    fn changed(&mut self) -> io::Result<()> {
        self.is_drawn = false;
        self.is_explained = false;
        self.keep()
    }

    /// Keeps the game as it stands, but not one that is over or in which the
    /// person has not moved: nobody would miss it.
    fn keep(&mut self) -> io::Result<()> {
        if !self.sheet.has_moved(self.manner.own) || self.sheet.end().is_some() {
            self.keeper.release();
            return Ok(());
        }
        let text = self.text();
        if let Err(why) = self.keeper.keep(&text) {
            let line = format!("The game cannot be kept: {why}.");
            self.keeper.give_up();
            self.console.say(line)?;
        }
        Ok(())
    }

    fn engine_moves(&mut self) -> io::Result<()> {
        let side = self.sheet.position().side();
        let name = G::SIDE_NAMES[side.index()];
        let reply = self
            .opponent
            .answer(&mut self.sheet, self.manner.move_time, self.console);
        match reply {
            Reply::Move(mv) => {
                self.console.say(format!("{name} plays {mv}."))?;
                self.made(mv)
            }
            Reply::Late => self.time_is_up(side),
            Reply::Interrupted => Ok(()),
            Reply::Failed(why) => {
                self.console
                    .say(format!("{name} loses: its engine failed, {why}."))?;
                self.sheet.close(Outcome::Win(side.other()), Close::Forfeit);
                self.changed()
            }
        }
    }

    fn time_is_up(&mut self, side: Side) -> io::Result<()> {
        self.sheet.close(Outcome::Win(side.other()), Close::Time);
        self.changed()
    }

    /// Draws the board, once after each change.
    fn draw(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.is_drawn, true) {
            return Ok(());
        }
        let last = self.sheet.made().last();
        let marked = last.map_or(Cells::EMPTY, |made| squares_of::<G>(made.mv));
        let columns = self.console.columns(COLUMNS);
        let mut text = drawing::board(self.sheet.position(), marked, columns, true);
        if let Some(clocks) = self.sheet.clocks {
            let [first, second] = clocks.left.map(shown);
            let [one, other] = G::SIDE_NAMES;
            text.push_str(&format!("clock  {one} {first}   {other} {second}\n"));
        }
        self.console.print(&format!("\n{text}"))?;
        let position = self.sheet.position();
        if self.sheet.end().is_none() {
            let last = last_text(self.sheet.made().last().map(|made| made.mv));
            let number = self.sheet.move_number();
            let line = format!("Move {number}: {} to move{last}.", position.side_name());
            self.console.say(line)?;
        }
        Ok(())
    }

    fn explain_end(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.is_explained, true) {
            return Ok(());
        }
        let Some((outcome, how)) = self.sheet.end() else {
            return Ok(());
        };
        if let Some(end) = Ending::of(self.sheet.position()) {
            let columns = self.console.columns(COLUMNS);
            let lines = end.explain::<G>(columns).join("\n");
            self.console.say(lines)?;
        } else {
            self.console.say(verdict::<G>(outcome, how))?;
        }
        let head = match how {
            Close::Rules => "Where it was decided:",
            _ => "What gave away most:",
        };
        let mut games = read(&self.text(), None).into_iter().flatten();
        match games.next().filter(|game| !game.moves.is_empty()) {
            Some(game) => self.adviser.turning_points(&game, head, self.console),
            None => Ok(()),
        }
    }

    /// Asks once whether to leave. A second Ctrl-C and the end of the input
    /// mean yes.
    fn confirms_leaving(&mut self) -> Result<bool, Failure> {
        if !self.console.is_terminal {
            self.leave()?;
            return Err(Failure::Code(crate::cli::INTERRUPTED));
        }
        self.console.complete(Words::default());
        let goes = match self.console.read("Leave the game? [y/N] ", None) {
            Typed::Line(line) => line.to_ascii_lowercase().starts_with('y'),
            _ => true,
        };
        if goes {
            self.leave()?;
        }
        Ok(goes)
    }

    fn leave(&mut self) -> CliResult {
        self.tell_kept()?;
        Ok(())
    }

    /// Says where an unfinished game is, if it is kept.
    fn tell_kept(&mut self) -> io::Result<()> {
        match self.keeper.path() {
            Some(path) => {
                let path = quoted_path(path);
                let line =
                    format!("The game is kept in {path}: totemic play --resume goes on with it.");
                self.console.say(line)
            }
            None => Ok(()),
        }
    }

    fn names(&self) -> [String; 2] {
        [0, 1].map(|side| {
            if self.manner.own[side] {
                "You".to_owned()
            } else {
                self.opponent.name()
            }
        })
    }

    /// The game as it is saved and kept.
    fn text(&self) -> String {
        let mut settings = vec![("PlaySide", side_text(self.manner.own).to_owned())];
        if let Opponent::Own { strength, .. } = &self.opponent {
            settings.push(("PlayLevel", strength.text()));
        }
        files::text(&self.sheet, &self.names(), &settings)
    }
}

/// The last move, behind a sentence.
fn last_text<M: std::fmt::Display>(last: Option<M>) -> String {
    last.map_or_else(String::new, |mv| format!(", after {mv}"))
}

/// How a game ended that the rules did not end.
fn verdict<G: Playable>(outcome: Outcome, how: Close) -> String {
    let Outcome::Win(winner) = outcome else {
        return "The game is drawn by agreement.".to_owned();
    };
    let [winner, loser] = [winner, winner.other()].map(|side| G::SIDE_NAMES[side.index()]);
    match how {
        Close::Time => format!("{loser}'s time is up: {winner} wins."),
        Close::Resignation => format!("{loser} resigns: {winner} wins."),
        _ => format!("{winner} wins."),
    }
}

/// A game that was read, ready to be gone on with.
pub(super) fn sheet_of<G: Playable>(game: &PlayedGame) -> Result<Sheet<G>, String> {
    let (start, moves) = game.replay::<G>().map_err(|why| why.to_string())?;
    let control = (game.tag("TimeControl"))
        .and_then(|text| super::clock::time_control(text).ok())
        .filter(|_| game.moves.iter().all(|played| played.clock.is_some()));
    let mut sheet = Sheet::new(start, control);
    let mut clocks = control.map(Clocks::new);
    for (played, mv) in game.moves.iter().zip(moves) {
        if let (Some(clocks), Some(left)) = (&mut clocks, played.clock) {
            clocks.left[sheet.position().side().index()] = left;
        }
        sheet.replay(mv, clocks);
    }
    if let Some((outcome, how)) = files::closed(game) {
        sheet.close(outcome, how);
    }
    Ok(sheet)
}
