//! Checks of anybody's engine against the protocol.
//!
//! Each check is a short conversation with a fresh process, so that one
//! failure does not hide the next. What was said is kept and shown when a
//! check fails.

use std::time::{Duration, Instant};

use crate::game::{Game, Rng, random_game};
use crate::process::Stop;
use crate::process::option_name;
use crate::process::{Launch, Process, Trouble};
use crate::record::Reason;

/// The outcome of a check.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// What was checked, as a claim about the engine.
    pub claim: &'static str,
    /// Why it does not hold.
    pub failure: Option<String>,
    /// What was said, `>` to the engine and `<` from it.
    pub exchange: Vec<String>,
}

struct Talk<'a> {
    process: Process,
    exchange: Vec<String>,
    patience: Duration,
    stop: &'a Stop,
}

type Checked = Result<(), String>;

/// A check: what it claims, and the conversation that shows it.
type Check = (&'static str, fn(&mut Talk<'_>, &Start) -> Checked);

/// What the checks know of the game.
struct Start {
    /// `setoption` for the game, if need be.
    game: String,
    /// A legal `position` command and the legal moves behind it.
    position: String,
    moves: Vec<String>,
    /// A position in which the game is over.
    over: String,
}

impl Talk<'_> {
    fn say(&mut self, line: &str) -> Result<Instant, String> {
        self.exchange.push(format!("> {line}"));
        self.process.send(line).map_err(described)
    }

    /// The next line that matters, `None` after `patience`.
    fn hear(&mut self, patience: Duration) -> Result<Option<(Instant, String)>, String> {
        let heard = self.process.next_line(Instant::now() + patience, self.stop);
        match heard.map_err(described)? {
            None => Ok(None),
            Some((at, line)) => {
                if self.exchange.len() < 200 {
                    self.exchange.push(format!("< {line}"));
                }
                Ok(Some((at, line)))
            }
        }
    }

    /// Lines up to one that begins with `word`, which comes last.
    fn until(&mut self, word: &str) -> Result<Vec<String>, String> {
        let deadline = Instant::now() + self.patience;
        let mut lines = Vec::new();
        while let Some((_, line)) = self.hear(deadline.saturating_duration_since(Instant::now()))? {
            let found = line.split_whitespace().next() == Some(word);
            lines.push(line);
            if found {
                return Ok(lines);
            }
        }
        let seconds = self.patience.as_secs_f64();
        Err(format!("no {word} within {seconds} s"))
    }

    fn bestmove(&mut self) -> Result<String, String> {
        let lines = self.until("bestmove")?;
        let last = lines.last().map_or("", String::as_str);
        Ok(last
            .split_whitespace()
            .nth(1)
            .unwrap_or_default()
            .to_owned())
    }

    /// That nothing comes which begins with `word`, for a moment.
    fn silence(&mut self, word: &str, time: Duration) -> Checked {
        let deadline = Instant::now() + time;
        while let Some((_, line)) = self.hear(deadline.saturating_duration_since(Instant::now()))? {
            if line.starts_with(word) {
                return Err(format!("'{line}' was not asked for"));
            }
        }
        Ok(())
    }

    /// Handshake, game and position.
    fn begin(&mut self, start: &Start) -> Checked {
        self.say("ugi")?;
        let lines = self.until("ugiok")?;
        let has_game =
            |line: &String| option_name(line).is_some_and(|n| n.eq_ignore_ascii_case("game"));
        if lines.iter().any(has_game) {
            self.say(&start.game)?;
        }
        self.say("uginewgame")?;
        self.ready()
    }

    fn ready(&mut self) -> Checked {
        self.say("isready")?;
        let lines = self.until("readyok")?;
        match lines.last() {
            Some(line) if line == "readyok" => Ok(()),
            other => Err(format!("expected 'readyok' to the letter, found {other:?}")),
        }
    }

    fn go(&mut self, start: &Start, go: &str) -> Checked {
        self.say(&start.position)?;
        self.say(go).map(|_| ())
    }

    /// That a search answers with a legal move.
    fn legal(&mut self, start: &Start, go: &str) -> Checked {
        self.go(start, go)?;
        let mv = self.bestmove()?;
        if start.moves.contains(&mv) {
            Ok(())
        } else {
            Err(format!("'{mv}' is not a legal move there"))
        }
    }
}

fn described(trouble: Trouble) -> String {
    match trouble {
        Trouble::Fault(Reason::Crash, why) => format!("the engine ended: {why}"),
        trouble => trouble.to_string(),
    }
}

const CHECKS: &[Check] = &[
    ("answers ugi with ugiok", |talk, _| {
        talk.say("ugi")?;
        let lines = talk.until("ugiok")?;
        if !lines.iter().any(|line| line.starts_with("id name ")) {
            return Err("no 'id name' before ugiok".to_owned());
        }
        let strange = |line: &&String| line.starts_with("option") && option_name(line).is_none();
        match lines.iter().find(strange) {
            Some(line) => Err(format!("'{line}' is no option")),
            None => Ok(()),
        }
    }),
    ("answers isready with readyok", |_, _| Ok(())),
    ("ignores unknown commands and options", |talk, _| {
        talk.say("xyzzy plugh")?;
        talk.say("setoption name NoSuchOption value 1")?;
        talk.say("")?;
        talk.ready()
    }),
    ("answers go depth with one legal bestmove", |talk, start| {
        talk.legal(start, "go depth 2")?;
        talk.silence("bestmove", Duration::from_millis(100))
    }),
    ("answers go nodes with a legal bestmove", |talk, start| {
        talk.legal(start, "go nodes 500")
    }),
    ("keeps go movetime within 500 ms", |talk, start| {
        let begin = Instant::now();
        talk.legal(start, "go movetime 100")?;
        in_time(begin, Duration::from_millis(600))
    }),
    ("keeps a clock of one second", |talk, start| {
        let begin = Instant::now();
        talk.legal(start, "go p1time 1000 p2time 1000 p1inc 0 p2inc 0")?;
        in_time(begin, Duration::from_secs(1))
    }),
    ("does not answer go infinite before stop", |talk, start| {
        talk.go(start, "go infinite")?;
        talk.silence("bestmove", Duration::from_millis(300))?;
        talk.say("stop")?;
        talk.bestmove().map(|_| ())
    }),
    ("does not lose a stop directly after go", |talk, start| {
        for _ in 0..10 {
            talk.go(start, "go infinite\nstop")?;
            talk.bestmove()?;
        }
        talk.silence("bestmove", Duration::from_millis(100))
    }),
    ("answers isready during a search", |talk, start| {
        talk.go(start, "go infinite")?;
        talk.ready()?;
        talk.say("stop")?;
        talk.bestmove().map(|_| ())
    }),
    ("is not hit by a stop without a search", |talk, start| {
        talk.say("stop")?;
        talk.silence("bestmove", Duration::from_millis(100))?;
        talk.legal(start, "go depth 2")
    }),
    (
        "survives an illegal position and an illegal move",
        |talk, start| {
            talk.say("position fen not a position")?;
            talk.say("position startpos moves a1a1")?;
            talk.ready()?;
            talk.legal(start, "go depth 2")
        },
    ),
    ("answers go in a finished game", |talk, start| {
        talk.say(&start.over)?;
        talk.say("go depth 2")?;
        talk.bestmove().map(|_| ())
    }),
    ("survives a line of 20,000 bytes", |talk, _| {
        talk.say(&"x".repeat(20_000))?;
        talk.ready()
    }),
    ("plays a second game after uginewgame", |talk, start| {
        talk.legal(start, "go depth 2")?;
        talk.say("uginewgame")?;
        talk.ready()?;
        talk.legal(start, "go depth 2")
    }),
    ("ends within a second after quit", |talk, _| {
        talk.say("quit")?;
        talk.ends()
    }),
    (
        "ends within a second after quit during a search",
        |talk, start| {
            talk.go(start, "go infinite")?;
            talk.say("quit")?;
            talk.ends()
        },
    ),
    ("ends within a second at the end of its input", |talk, _| {
        talk.exchange.push("> (end of input)".to_owned());
        talk.process.close_input();
        talk.ends()
    }),
];

fn in_time(begin: Instant, allowed: Duration) -> Checked {
    let took = begin.elapsed();
    if took <= allowed {
        Ok(())
    } else {
        Err(format!("it took {:.0} ms", took.as_secs_f64() * 1e3))
    }
}

impl Talk<'_> {
    /// That the process ends by itself.
    fn ends(&mut self) -> Checked {
        let deadline = Instant::now() + Duration::from_secs(1);
        loop {
            match self.process.next_line(deadline, self.stop) {
                Ok(Some(_)) => {}
                Ok(None) => return Err("it still runs".to_owned()),
                Err(Trouble::Fault(Reason::Crash, how)) if how.starts_with("exit code 0") => {
                    return Ok(());
                }
                Err(trouble) => return Err(described(trouble)),
            }
        }
    }
}

/// Runs all checks against an engine and calls `report` after each of them.
///
/// # Errors
/// When the engine cannot even be started, or the run was stopped.
pub fn check<G: Game>(
    launch: &Launch,
    patience: Duration,
    stop: &Stop,
    mut report: impl FnMut(&Verdict),
) -> Result<Vec<Verdict>, String> {
    let start = start::<G>();
    let mut verdicts = Vec::new();
    for (index, (claim, check)) in CHECKS.iter().enumerate() {
        let process = Process::start(launch, None).map_err(|why| {
            let why = launch.explained(why);
            format!("it cannot be started: {why}")
        })?;
        let mut talk = Talk {
            process,
            exchange: Vec::new(),
            patience,
            stop,
        };
        // The first check is the beginning itself.
        let begun = if index > 0 {
            talk.begin(&start)
        } else {
            Ok(())
        };
        let failure = begun.and_then(|()| check(&mut talk, &start)).err();
        if stop.is_now() {
            return Err("interrupted".to_owned());
        }
        let verdict = Verdict {
            claim,
            failure,
            exchange: talk.exchange,
        };
        report(&verdict);
        verdicts.push(verdict);
    }
    Ok(verdicts)
}

/// A middle game with its moves, and an end.
fn start<G: Game>() -> Start {
    let mut rng = Rng::new(20);
    let (played, position) = random_game(G::start(), 4, &mut rng);
    let (all, _) = random_game(G::start(), G::MAX_PLIES, &mut rng);
    let listed = |moves: &[G::Move]| {
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        format!("position startpos moves {}", moves.join(" "))
    };
    Start {
        game: format!("setoption name Game value {}", G::NAME),
        position: listed(&played),
        moves: position.moves().iter().map(ToString::to_string).collect(),
        over: listed(&all),
    }
}
