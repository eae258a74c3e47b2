//! Plays one game after another on the terminal.

use std::io;
use std::ops::ControlFlow::{self, Break, Continue};
use std::time::Instant;

use super::TerminalGame;
use super::advice::{Advice, legal};
use super::clock::clock_text;
use super::command::Command;
use super::entry;
use super::history::History;
use super::opponent::{NoMove, Opponent, Players, Strength};
use super::saved_games::{self, Keeper};
use crate::cli::console::{BOARD_COLUMNS, Completion, Console, Typed};
use crate::cli::files::{exists_error, write_error};
use crate::cli::playable::Playable;
use crate::cli::terminal::TIE;
use crate::cli::{CliResult, Failure, INTERRUPTED, rules, texts};
use totemic_engine::drawing;
use totemic_engine::engine::Engine;
use totemic_engine::game::{Cells, Outcome, Side, squares_of};
use totemic_engine::text::{quoted, quoted_path};
use totemic_games::final_score::explain;
use totemic_games::record::fault::Fault;
use totemic_games::record::notation::{read_move, read_moves};
use totemic_games::record::{PgnGame, Termination};

/// At this width, the list of commands fits into 24 lines.
const HELP_COLUMNS: usize = 80;
/// No draw is accepted before this move.
const FIRST_DRAW: usize = 9;

pub(super) type NextGame = Option<PgnGame>;

pub(super) fn play<G: Playable>(
    console: &mut Console,
    keeper: &mut Keeper,
    players: &mut Players,
    history: History<G>,
) -> Result<NextGame, Failure> {
    let opponent = Opponent::start(players, &console.interrupt())?;
    let (title, against) = (G::TITLE, players.opponent_name());
    let who = match players.own {
        [true, true] => "you move for both sides".to_owned(),
        [false, false] => format!("you watch, against {against}"),
        own => {
            let name = G::SIDE_NAMES[usize::from(own[1])];
            format!("you are {name}, against {against}")
        }
    };
    console.say(format!("{title}: {who}. Type help for the commands."))?;
    console.print(G::LEGEND)?;
    let mut game = TerminalGame {
        console,
        keeper,
        players,
        history,
        opponent,
        advice: Advice {
            engine: Engine::new(),
            last: None,
            review: None,
        },
        is_drawn: false,
        is_explained: false,
        is_paused: false,
    };
    game.tell_entry()?;
    game.run()
}

impl<G: Playable> TerminalGame<'_, G> {
    fn run(&mut self) -> Result<NextGame, Failure> {
        loop {
            if self.console.take_interrupt() && self.confirms_leaving()? {
                return Ok(None);
            }
            let is_over = self.history.end().is_some();
            if !is_over && !self.players.own[self.history.side().index()] {
                self.engine_moves()?;
                continue;
            }
            self.draw()?;
            if is_over {
                self.explain_end()?;
            }
            if let Break(next) = self.take_line(is_over)? {
                return Ok(next);
            }
        }
    }

    fn take_line(&mut self, is_over: bool) -> Result<ControlFlow<NextGame>, Failure> {
        let side = self.history.side();
        let clock = self.history.clock().map(|clock| clock.left());
        let prompt = if is_over {
            format!("{} (over)> ", G::NAME)
        } else {
            let (name, number) = (G::SIDE_NAMES[side.index()], self.history.move_number());
            let left = clock.map_or_else(String::new, |left| format!(", {}", clock_text(left)));
            format!("{name} {number}{left}> ")
        };
        let runs = !is_over && !std::mem::take(&mut self.is_paused);
        let begin = Instant::now();
        let deadline = clock.filter(|_| runs).map(|left| begin + left);
        let completion = Completion {
            moves: self.moves(),
            commands: Command::names(),
        };
        let typed = self.console.read(&prompt, completion, deadline);
        let in_time = !runs || self.history.spend(begin.elapsed());
        match typed {
            Typed::End => return self.say_kept().map(|()| Break(None)),
            Typed::Interrupt if self.confirms_leaving()? => return Ok(Break(None)),
            Typed::Interrupt => {}
            _ if !in_time => self.time_is_up(side)?,
            Typed::TimeUp => {}
            Typed::Line(line) if line.is_empty() => self.is_drawn = false,
            Typed::Line(line) => match Command::read(&line) {
                Ok(Some(command)) => return self.obey(command),
                Ok(None) => self.take_move(&line)?,
                Err(why) => self.say(why)?,
            },
        }
        Ok(Continue(()))
    }

    fn obey(&mut self, command: Command) -> Result<ControlFlow<NextGame>, Failure> {
        use Command as C;
        let is_over = self.history.end().is_some();
        let has_moves = self.history.position().has_moves();
        match command {
            C::Draw | C::Moves { .. } | C::Resign if is_over => self.say("The game is over.")?,
            C::Analyze | C::Eval | C::Hint { .. } if !has_moves => self.say("The game is over.")?,
            C::Analyze => self.analyze()?,
            C::Board => self.is_drawn = false,
            C::Draw => self.offer_draw()?,
            C::Eval => self.say_evaluation()?,
            C::Help { .. } => {
                let help = Command::help(self.console.columns(HELP_COLUMNS));
                self.console.print(&help)?;
                self.tell_entry()?;
            }
            C::Hint { count } => self.hint(count)?,
            C::Level { level } => self.set_level(level)?,
            C::List => self.list()?,
            C::Moves { square } => self.say(legal::<G>(&self.moves(), &square.concat()))?,
            C::New => self.begin(None)?,
            C::Open { file } => match saved_games::open(&saved_games::named(&file)) {
                Ok(game) => {
                    self.say_kept()?;
                    return Ok(Break(Some(game)));
                }
                Err(why) => self.say(why)?,
            },
            C::Pause if self.history.control.is_none() => self.say("No clock is running.")?,
            C::Pause => {
                self.is_paused = true;
                self.say("Your clock is stopped until you press Enter.")?;
            }
            C::Position { text } => self.set_position(&text.join(" "))?,
            C::Quit => return self.say_kept().map(|()| Break(None)),
            C::Redo if self.history.redo(self.players.own) => self.changed()?,
            C::Redo => self.say("No move has been taken back.")?,
            C::Resign => {
                let side = self.history.side();
                self.close(Outcome::Win(side.other()), Termination::Resignation)?;
            }
            C::Review if !is_over => self.review_last()?,
            C::Review => self.review()?,
            C::Rules => {
                let page = rules::page::<G>(self.console.columns(HELP_COLUMNS));
                self.console.print(&page)?;
            }
            C::Save { file, force } => self.save(&file, force)?,
            C::Setup => match entry::enter(self.console)? {
                Some(position) => self.begin(Some(position))?,
                None => self.say("The position is unchanged.")?,
            },
            C::Swap => self.swap()?,
            C::Undo => self.undo()?,
            C::Why => self.say_expected_line()?,
        }
        Ok(Continue(()))
    }

    pub(super) fn say(&mut self, line: impl AsRef<str>) -> CliResult {
        self.console.say(line)
    }

    fn tell_entry(&mut self) -> CliResult {
        let moves = self.moves();
        let Some(example) = moves.get(moves.len() / 2) else {
            return Ok(());
        };
        let parts = G::PARTS.join(", ");
        self.say(format!("Type a move as {parts}: {example}."))
    }

    fn moves(&self) -> Vec<String> {
        match self.history.end() {
            Some(_) => Vec::new(),
            None => texts(&self.history.position().moves()),
        }
    }

    fn take_move(&mut self, text: &str) -> CliResult {
        if self.history.end().is_some() {
            let why = "the game is over; type new, undo, save FILE or quit";
            return self.say(format!("{}: {why}", quoted(text)));
        }
        let position = self.history.position();
        let moves = read_move(position, text).map(|mv| vec![mv]);
        let moves = moves.or_else(|why| match read_moves(position, text) {
            Ok((moves, _)) => Ok(moves),
            // If several moves were typed, the fault of the line says more.
            Err(of_line) => Err(match &why {
                Fault::NotMove { of, .. } if matches!(**of, Fault::TooMuch { .. }) => of_line,
                _ => why,
            }),
        });
        match moves {
            Ok(moves) => {
                moves.into_iter().for_each(|mv| self.history.play(mv));
                self.changed()
            }
            Err(why) => self.say(why.to_string()),
        }
    }

    fn changed(&mut self) -> CliResult {
        self.is_drawn = false;
        self.is_explained = false;
        self.keep()
    }

    fn close(&mut self, outcome: Outcome, how: Termination) -> CliResult {
        self.history.close(outcome, how);
        self.changed()
    }

    /// Keeps the game, unless it is over or you have not moved in it.
    fn keep(&mut self) -> CliResult {
        if self.history.last_of(self.players.own).is_none() || self.history.end().is_some() {
            self.keeper.release();
            return Ok(());
        }
        if let Err(why) = self.keeper.keep(&self.game().to_string()) {
            // What failed once would fail again after each move.
            *self.keeper = Keeper::default();
            self.say(format!("The game cannot be kept: {why}."))?;
        }
        Ok(())
    }

    fn engine_moves(&mut self) -> CliResult {
        if self.may_take_long() {
            self.draw()?;
        }
        let side = self.history.side();
        let name = G::SIDE_NAMES[side.index()];
        match self.answer() {
            Ok(mv) => {
                if self.players.own[side.other().index()] {
                    // Ctrl-C has made it move; the next one is about leaving.
                    self.console.search_ended()?;
                }
                self.say(format!("{name} plays {mv}."))?;
                self.history.play(mv);
                self.changed()
            }
            Err(NoMove::Late) => self.time_is_up(side),
            Err(NoMove::Interrupted) => Ok(()),
            Err(NoMove::Failed(why)) => {
                self.say(format!("{name} loses: its engine failed ({why})."))?;
                self.close(Outcome::Win(side.other()), Termination::Forfeit)
            }
        }
    }

    fn time_is_up(&mut self, side: Side) -> CliResult {
        self.close(Outcome::Win(side.other()), Termination::Time)
    }

    fn draw(&mut self) -> CliResult {
        if std::mem::replace(&mut self.is_drawn, true) {
            return Ok(());
        }
        let position = self.history.position();
        let last = self.history.last_move();
        let marked = last.map_or(Cells::EMPTY, squares_of::<G>);
        let columns = self.console.columns(BOARD_COLUMNS);
        let mut text = drawing::board(position, marked, columns, true);
        if let [Some(first), Some(second)] = self.history.clocks {
            let [first, second] = [first, second].map(|clock| clock_text(clock.left()));
            let [one, other] = G::SIDE_NAMES;
            text += &format!("clock  {one} {first}   {other} {second}\n");
        }
        self.console.print(&format!("\n{text}"))?;
        if self.history.end().is_none() {
            let last = last.map_or_else(String::new, |mv| format!(", after {mv}"));
            let (number, name) = (self.history.move_number(), position.side_name());
            self.say(format!("Move {number}: {name} to move{last}."))?;
        }
        Ok(())
    }

    fn explain_end(&mut self) -> CliResult {
        if std::mem::replace(&mut self.is_explained, true) {
            return Ok(());
        }
        let Some((outcome, how)) = self.history.end() else {
            return Ok(());
        };
        let columns = self.console.columns(BOARD_COLUMNS);
        self.say(match explain(self.history.position(), columns) {
            Some(lines) => lines.join("\n"),
            None => verdict::<G>(outcome, how),
        })?;
        self.say(
            "Type review to see where it was decided, new for another game, swap to change sides, \
             save FILE, or quit.",
        )
    }

    /// Asks once whether to leave. A second Ctrl-C or the end of the input means yes.
    fn confirms_leaving(&mut self) -> Result<bool, Failure> {
        if !self.console.is_terminal {
            self.say_kept()?;
            return Err(Failure::Code(INTERRUPTED));
        }
        if let Typed::Line(line) = self.console.ask("Leave the game? [y/N]")? {
            match line.to_ascii_lowercase().as_str() {
                "y" | "yes" | "q" | "quit" => {}
                "" | "n" | "no" => return Ok(false),
                // A move or a command: the game goes on.
                _ => {
                    self.console.put_back(line);
                    return Ok(false);
                }
            }
        }
        self.say_kept().map(|()| true)
    }

    fn say_kept(&mut self) -> CliResult {
        match &self.keeper.path {
            Some(path) => self.say(format!(
                "The game is kept in {}: continue it with totemic{TIE}play{TIE}--resume.",
                quoted_path(path)
            )),
            None => Ok(()),
        }
    }

    pub(super) fn game(&self) -> PgnGame {
        let mut game = self.history.game(self.players.own.map(|own| match own {
            true => "You".to_owned(),
            false => self.players.opponent_name(),
        }));
        game.set_tag("Date", saved_games::today());
        game.set_tag("PlaySide", super::side_name(self.players.own));
        if self.players.program.is_none() {
            game.set_tag("PlayLevel", self.players.strength.to_string());
        }
        game
    }

    fn undo(&mut self) -> CliResult {
        // Somebody who only watches takes back whatever was played last.
        let own = match self.players.own {
            [false, false] => [true; 2],
            own => own,
        };
        if self.history.reopen() || self.history.undo(own) {
            self.changed()
        } else {
            self.say("There is no move of yours to take back.")
        }
    }

    fn swap(&mut self) -> CliResult {
        let own = &mut self.players.own;
        if own[0] == own[1] {
            return self.say("There is nothing to swap: one player has both sides.");
        }
        own.reverse();
        let name = G::SIDE_NAMES[usize::from(own[1])];
        self.say(format!("You are {name} now."))?;
        match self.history.end() {
            Some(_) => self.say("Type new for another game."),
            None => self.changed(),
        }
    }

    fn set_level(&mut self, level: Option<u32>) -> CliResult {
        if self.players.program.is_some() {
            return self.say("Your opponent is another program: it has no levels here.");
        }
        if let Some(level) = level {
            self.players.strength = Strength::Level(level);
        }
        self.keep()?;
        self.say(format!(
            "The engine plays as {}.",
            self.players.opponent_name()
        ))
    }

    /// The engine knows too little in the first moves. Two people agree themselves.
    fn offer_draw(&mut self) -> CliResult {
        if self.players.own != [true; 2] {
            if self.history.move_number() < FIRST_DRAW {
                let line = format!("No: it is too early; ask again from move {FIRST_DRAW} on.");
                return self.say(line);
            }
            if self.expected_points()? < 0.5 {
                return self.say("No: the engine hopes for more than a draw.");
            }
        }
        self.close(Outcome::Draw, Termination::Agreement)
    }

    fn list(&mut self) -> CliResult {
        let moves = texts(&Vec::from_iter(self.history.moves()));
        if moves.is_empty() {
            return self.say("No move has been made yet.");
        }
        for (index, pair) in moves.chunks(2).enumerate() {
            self.say(format!("{:>3}. {}", index + 1, pair.join("  ")))?;
        }
        Ok(())
    }

    /// Begins a new game; an unfinished one stays in the file where it is kept.
    fn begin(&mut self, start: Option<G>) -> CliResult {
        self.say_kept()?;
        self.keeper.path = None;
        let start =
            start.unwrap_or_else(|| G::random_start(self.players.layout, &mut self.players.rng));
        self.history = History::new(start, self.history.control);
        self.changed()
    }

    fn set_position(&mut self, text: &str) -> CliResult {
        let (text, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        if text.is_empty() {
            // A line that is folded could not be pasted.
            let line = format!("{}\n", self.history.position());
            return self.console.print(&line);
        }
        let position = match G::read_position(text) {
            Ok(position) => position,
            Err(why) => {
                let (text, title) = (quoted(text), G::TITLE);
                return self.say(format!("{text} is not a position of {title}: {why}"));
            }
        };
        let moves = match read_moves(&position, moves) {
            Ok((moves, _)) => moves,
            Err(_) if moves.is_empty() => Vec::new(),
            Err(why) => return self.say(why.to_string()),
        };
        self.begin(Some(position))?;
        moves.into_iter().for_each(|mv| self.history.play(mv));
        self.changed()
    }

    fn save(&mut self, file: &[String], force: bool) -> CliResult {
        let path = saved_games::named(file);
        let saved = saved_games::save(&path, &self.game().to_string(), force);
        self.say(match saved {
            Ok(()) => format!("Saved to {}.", path.display()),
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {
                exists_error(&path).to_string()
            }
            Err(why) => write_error(&path, &why).to_string(),
        })
    }
}

fn verdict<G: Playable>(outcome: Outcome, how: Termination) -> String {
    let Outcome::Win(winner) = outcome else {
        return "The game is drawn by agreement.".to_owned();
    };
    let [winner, loser] = [winner, winner.other()].map(|side| G::SIDE_NAMES[side.index()]);
    match how {
        Termination::Time => format!("{loser}'s time is up: {winner} wins."),
        Termination::Resignation => format!("{loser} resigns: {winner} wins."),
        _ => format!("{winner} wins."),
    }
}
