//! Checks an engine against the protocol.
//!
//! Each check is a short conversation with a new process, so that one failure does not
//! hide the next. The lines of the conversation are kept, and shown when a check fails.

use std::time::{Duration, Instant};

use crate::process::{Dialogue, Launch, Trouble, option_name};
use totemic_engine::game::{Game, Rng, random_game};
use totemic_engine::stop::Stop;
use totemic_games::record::Reason;

pub(crate) struct CheckReport {
    /// What was checked, as a claim about the engine.
    pub(crate) claim: &'static str,
    pub(crate) failure: Option<String>,
    /// The lines of the conversation, `>` to the engine and `<` from it.
    pub(crate) exchange: Vec<String>,
}

/// The checks: what each claims about the engine and, after the colon, its conversation.
/// `> LINE` sends a line, where `/` separates two lines; `begin` is the handshake and a
/// new game; `middle` and `over` set up positions. The other steps say what the engine
/// has to do, see [`Conversation::step`].
const CHECKS: &str = "\
answers ugi with ugiok: ugi; introduction
answers isready with readyok: begin
ignores unknown commands and options: begin; > xyzzy plugh; > setoption name NoSuchOption value 1; >; ready
answers go depth with one legal bestmove: begin; middle; > go depth 2; legal; silence 100
answers go nodes with a legal bestmove: begin; middle; > go nodes 500; legal
keeps go movetime within 500 ms: begin; middle; > go movetime 100; legal; within 600
keeps a clock of one second: begin; middle; > go p1time 1000 p2time 1000 p1inc 0 p2inc 0; legal; within 1000
does not answer go infinite before stop: begin; middle; > go infinite; silence 300; > stop; bestmove
does not lose a stop directly after go: begin; stops 10; silence 100
answers isready during a search: begin; middle; > go infinite; ready; > stop; bestmove
is not affected by a stop without a search: begin; > stop; silence 100; middle; > go depth 2; legal
survives an illegal position and an illegal move: begin; > position fen not a position; \
> position startpos moves a1a1; ready; middle; > go depth 2; legal
answers go in a finished game: begin; over; > go depth 2; bestmove
survives a line of 20,000 bytes: begin; long 20000; ready
plays a second game after uginewgame: begin; middle; > go depth 2; legal; > uginewgame; ready; \
middle; > go depth 2; legal
ends within a second after quit: begin; > quit; exit
ends within a second after quit during a search: begin; middle; > go infinite; > quit; exit
ends within a second at the end of its input: begin; close; exit";

type Checked = Result<(), String>;

struct Conversation<'a> {
    dialogue: Dialogue,
    exchange: Vec<String>,
    patience: Duration,
    stop: &'a Stop,
    positions: &'a Positions,
    /// The lines with which the engine answered `ugi`.
    introduction: Vec<String>,
    /// When the check itself began, after the handshake.
    begun: Instant,
}

/// What the checks know about the game.
struct Positions {
    game: &'static str,
    /// A legal `position` command for the middle game, and the legal moves there.
    middle: String,
    moves: Vec<String>,
    /// A `position` command after which the game is over.
    over: String,
}

impl Positions {
    fn of<G: Game>() -> Self {
        let mut rng = Rng::new(20);
        let (played, position) = random_game(G::start(), 4, &mut rng);
        let (all, _) = random_game(G::start(), G::MAX_PLIES, &mut rng);
        let texts = |moves: &[G::Move]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
        let command = |moves| format!("position startpos moves {}", texts(moves).join(" "));
        Self {
            game: G::NAME,
            middle: command(&played),
            moves: texts(&position.moves()),
            over: command(&all),
        }
    }
}

impl Conversation<'_> {
    fn run(&mut self, steps: &str) -> Checked {
        let mut steps = steps.split("; ");
        steps.try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: &str) -> Checked {
        if let Some(line) = step.strip_prefix('>') {
            return self.say(&line.trim_start().replace(" / ", "\n"));
        }
        let positions = self.positions;
        let (word, number) = step.split_once(' ').unwrap_or((step, ""));
        let number = number.parse().unwrap_or(0);
        match word {
            "ugi" => {
                self.say("ugi")?;
                self.introduction = self.until("ugiok")?;
            }
            "introduction" => self.check_introduction()?,
            "begin" => self.begin()?,
            "middle" => self.say(&positions.middle)?,
            "over" => self.say(&positions.over)?,
            "long" => self.say(&"x".repeat(number as usize))?,
            "ready" => {
                self.say("isready")?;
                let line = self.until("readyok")?.pop().unwrap_or_default();
                if line != "readyok" {
                    return Err(format!("expected exactly 'readyok', found '{line}'"));
                }
            }
            "bestmove" => drop(self.until("bestmove")?),
            "legal" => {
                let line = self.until("bestmove")?.pop().unwrap_or_default();
                let mv = line.split_whitespace().nth(1).unwrap_or_default();
                if !positions.moves.iter().any(|legal| legal == mv) {
                    return Err(format!("'{mv}' is not a legal move there"));
                }
            }
            "stops" => {
                for _ in 0..number {
                    self.run("middle; > go infinite / stop; bestmove")?;
                }
            }
            "silence" => {
                let deadline = Instant::now() + Duration::from_millis(number);
                while let Some(line) = self.hear(deadline)? {
                    if line.starts_with("bestmove") {
                        return Err(format!("'{line}' was not asked for"));
                    }
                }
            }
            "within" => {
                let took = self.begun.elapsed();
                if took > Duration::from_millis(number) {
                    return Err(format!("it took {:.0} ms", took.as_secs_f64() * 1e3));
                }
            }
            "close" => {
                self.exchange.push("> (end of input)".to_owned());
                self.dialogue.close_input();
            }
            "exit" => self.exit()?,
            _ => return Err(format!("internal error: no step '{word}'")),
        }
        Ok(())
    }

    fn check_introduction(&self) -> Checked {
        let mut lines = self.introduction.iter();
        if !lines.clone().any(|line| line.starts_with("id name ")) {
            return Err("no 'id name' before ugiok".to_owned());
        }
        let wrong = lines.find(|it| it.starts_with("option") && option_name(it).is_none());
        wrong.map_or(Ok(()), |line| Err(format!("'{line}' is not an option")))
    }

    fn begin(&mut self) -> Checked {
        self.run("ugi")?;
        let mut options = self.introduction.iter().filter_map(|it| option_name(it));
        if options.any(|name| name.eq_ignore_ascii_case("game")) {
            let game = self.positions.game;
            self.say(&format!("setoption name Game value {game}"))?;
        }
        self.run("> uginewgame; ready")?;
        self.begun = Instant::now();
        Ok(())
    }

    fn say(&mut self, line: &str) -> Checked {
        self.exchange.push(format!("> {line}"));
        self.dialogue.send(line).map(drop).map_err(described)
    }

    /// Returns the next line that matters, `None` at the deadline.
    fn hear(&mut self, deadline: Instant) -> Result<Option<String>, String> {
        let heard = self.dialogue.next_line(deadline, self.stop);
        let line = heard.map_err(described)?.map(|(_, line)| line);
        if let Some(line) = &line
            && self.exchange.len() < 200
        {
            self.exchange.push(format!("< {line}"));
        }
        Ok(line)
    }

    /// Reads lines up to and including one that begins with `word`.
    fn until(&mut self, word: &str) -> Result<Vec<String>, String> {
        let deadline = Instant::now() + self.patience;
        let mut lines = Vec::new();
        while let Some(line) = self.hear(deadline)? {
            let is_last = line.split_whitespace().next() == Some(word);
            lines.push(line);
            if is_last {
                return Ok(lines);
            }
        }
        let seconds = self.patience.as_secs_f64();
        Err(format!("no {word} within {seconds} s"))
    }

    /// Checks that the process ends by itself within a second.
    fn exit(&mut self) -> Checked {
        let deadline = Instant::now() + Duration::from_secs(1);
        loop {
            match self.dialogue.next_line(deadline, self.stop) {
                Ok(Some(_)) => {}
                Ok(None) => return Err("it is still running".to_owned()),
                Err(Trouble::Forfeit(Reason::Crash, _)) if self.dialogue.has_succeeded() => {
                    return Ok(());
                }
                Err(trouble) => return Err(described(trouble)),
            }
        }
    }
}

fn described(trouble: Trouble) -> String {
    match trouble {
        Trouble::Forfeit(Reason::Crash, why) => format!("the engine ended: {why}"),
        trouble => trouble.to_string(),
    }
}

/// Runs all checks against an engine and calls `report` after each of them.
pub(crate) fn check<G: Game>(
    launch: &Launch,
    patience: Duration,
    stop: &Stop,
    mut report: impl FnMut(&CheckReport),
) -> Checked {
    let positions = Positions::of::<G>();
    for (claim, steps) in CHECKS.lines().filter_map(|check| check.split_once(": ")) {
        let dialogue =
            Dialogue::start(launch, None).map_err(|why| format!("it cannot be started: {why}"))?;
        let mut conversation = Conversation {
            dialogue,
            exchange: Vec::new(),
            patience,
            stop,
            positions: &positions,
            introduction: Vec::new(),
            begun: Instant::now(),
        };
        let failure = conversation.run(steps).err();
        if stop.is_stopped() {
            return Err("interrupted".to_owned());
        }
        report(&CheckReport {
            claim,
            failure,
            exchange: conversation.exchange,
        });
    }
    Ok(())
}
