//! The commands of one game.

use std::cell::OnceCell;
use std::fmt::{Debug, Display};
use std::hash::{BuildHasher, RandomState};

use super::book::Book;
use super::eval;
use super::options::{Effect, OPTIONS, Options, find};
use super::output::Output;
use super::position::{play_moves, read_position_line};
use super::query::{self, SortedMoves};
use super::words::Word;
use crate::bench::{BenchResult, bench};
use crate::drawing::draw;
use crate::engine::{Engine, HASH_MB};
use crate::game::{Encode, GameKind, Rng, with_game};
use crate::host::Instant;
use crate::search::{Learned, Searchable, Work, nodes_per_second};
use crate::text::quoted;
use crate::weights::load;

pub(super) enum Then {
    NextLine,
    /// A session of the game that these options name.
    OtherGame(Options),
    /// Nothing: it was `quit`.
    End,
}

pub(super) trait AnySession: Send {
    fn handle_line(&mut self, line: &str, words: &[Word<'_>]) -> Then;
    /// Notes that the client has set a position that could not be read.
    fn lose_position(&mut self);
    /// Stops what does not end by itself.
    fn stop_endless(&self);
    /// Lets what ends by itself come to its end, and stops everything else.
    fn finish(&mut self);
    /// The work that the last command has begun, if there are no threads.
    fn take_work(&mut self) -> Option<Work>;
}

const HELP: &str = "\
ugi | uci                        name the engine and list its options
isready                          answer readyok
setoption name N [value V]       set an option
uginewgame | ucinewgame          forget what earlier searches found
position startpos [moves M...]   set the position
position fen F [moves M...]
position random SEED [moves M...]
moves M...                       play moves on the position
{go}
solve [margin] [all] [nodes N] [movetime MS]
                                 find the exact value and answer solution
stop | ponderhit                 end the search | the expected move was played
query p1turn | turn | gameover | result | fen | legalmoves | score
      | islegal M | route M | planes [p1 | p2] | actions | svg | echo WORD
                                 ask about the position
d | eval                         draw the board | explain its evaluation
bench                            search fixed positions and show the speed
debug on | off                   show the limits of each search, or not
help | quit";

/// An engine for one game and its client.
pub(super) struct GameSession<G: Searchable + Encode> {
    pub(super) engine: Engine<G>,
    pub(super) options: Options,
    pub(super) out: Output,
    /// For weaker levels and the book, which should not repeat their games.
    pub(super) dice: Rng,
    pub(super) book: OnceCell<Book>,
    moves: SortedMoves<G::Move>,
    /// Whether the last position or moves were refused and no good position
    /// has followed.
    lost_position: bool,
}

impl<G: Searchable + Encode> AnySession for GameSession<G> {
    fn handle_line(&mut self, line: &str, words: &[Word<'_>]) -> Then {
        let Some(first) = words.first() else {
            return Then::NextLine;
        };
        self.command(line, first, words).unwrap_or_else(|why| {
            self.out.error(&format!("{}: {why}", quoted(first.text)));
            Then::NextLine
        })
    }

    fn lose_position(&mut self) {
        self.lost_position = true;
    }

    fn stop_endless(&self) {
        self.engine.stop_endless();
    }

    fn finish(&mut self) {
        self.engine.finish();
    }

    fn take_work(&mut self) -> Option<Work> {
        self.engine.take_work()
    }
}

impl<G: Searchable + Encode> GameSession<G> {
    pub(super) fn new(mut options: Options, out: Output) -> Self {
        let mut engine = Engine::new();
        engine.set_searcher(options.searcher);
        // The default size may be reduced to what the system has.
        let set = options.hash_mb != HASH_MB.default as usize;
        if set && let Err(why) = engine.set_hash(options.hash_mb) {
            out.error(&format!("'setoption': option Hash: {why}"));
            options.hash_mb = HASH_MB.default as usize;
        }
        // The engine begins with the built-in weights.
        if !options.eval_file.is_empty() {
            match load::<G>(&options.eval_file) {
                Ok(evaluation) => engine.set_evaluation(evaluation),
                // The option stays, as the file may fit the other game.
                Err(why) => out.error(&format!(
                    "'setoption': option EvalFile: {why}; {} has the weights in the program",
                    G::NAME
                )),
            }
        }
        Self {
            engine,
            options,
            out,
            dice: Rng::new(RandomState::new().hash_one(Instant::now())),
            book: OnceCell::new(),
            moves: SortedMoves::new(),
            lost_position: false,
        }
    }

    fn command(
        &mut self,
        line: &str,
        first: &Word<'_>,
        words: &[Word<'_>],
    ) -> Result<Then, String> {
        let command = first.text.to_ascii_lowercase();
        if !matches!(command.as_str(), "query" | "position" | "moves") {
            // It may take long: answers that were held back must not wait for it.
            self.out.flush();
        }
        match command.as_str() {
            "ugi" | "uci" => self.introduce(&command),
            "debug" => self.set_debug(words.get(1))?,
            "isready" => {
                self.engine.warm_up();
                self.out.write_line("readyok");
            }
            "setoption" => return self.set_option(line, words),
            "uginewgame" | "ucinewgame" => {
                self.engine.stop_and_wait();
                self.engine.clear();
            }
            "position" => self.set_position(read_position_line(line))?,
            "moves" => {
                let moves = words.get(1..).unwrap_or_default();
                let lost = self.lost_position;
                self.set_position(play_moves(self.engine.position(), moves))?;
                self.lost_position = lost;
            }
            "go" => self.go(words),
            "solve" => self.solve(words),
            "stop" => self.engine.stop(),
            "ponderhit" => self.engine.ponderhit(),
            "query" => {
                let position = self.engine.position();
                let answer = query::answer(words, position, &self.moves, self.lost_position)?;
                self.out.hold(&answer);
            }
            "d" => self.say(&draw(self.engine.position(), usize::MAX, false)),
            "eval" => self.eval()?,
            "bench" => self.bench(),
            "help" => self.say(&HELP.replace("{go}", Self::GO_HELP)),
            "quit" => {
                self.engine.stop_and_wait();
                return Ok(Then::End);
            }
            _ => return Err("unknown command: 'help' lists the commands".to_owned()),
        }
        Ok(Then::NextLine)
    }

    fn say(&self, text: &str) {
        self.out.write_lines(text.trim_end().lines());
    }

    fn remark(&self, text: impl Display) {
        self.out.write_line(format!("info string {text}"));
    }

    /// Shows, if `debug` is on, the limits that a command has set.
    pub(super) fn show_limits(&self, limits: &impl Debug) {
        if self.options.debug {
            // A duration is written with a Greek letter.
            self.remark(format!("debug: {limits:?}").replace('\u{b5}', "u"));
        }
    }

    /// Sets the threads as the options say, and remarks on those and on memory that the machine
    /// does not have.
    pub(super) fn set_threads(&mut self) {
        let wanted = self.options.threads;
        let useful = self.engine.set_threads(wanted);
        if useful < wanted {
            self.remark(format_args!(
                "{useful} of {wanted} threads search: more do not help here"
            ));
        }
        let missing = self.engine.missing_memory();
        if missing > 0 {
            let (all, took) = (self.options.hash_mb, self.options.hash_mb - missing);
            self.remark(format_args!(
                "using {took} of {all} MiB: the tables cannot take more here"
            ));
        }
    }

    fn introduce(&self, protocol: &str) {
        let mut lines = vec![
            format!("id name Totemic {}", env!("CARGO_PKG_VERSION")),
            "id author the Totemic developers".to_owned(),
        ];
        lines.extend(OPTIONS.iter().map(|option| option.describe(&self.options)));
        lines.push(format!("{protocol}ok"));
        self.out.write_lines(lines);
    }

    fn set_option(&mut self, line: &str, words: &[Word<'_>]) -> Result<Then, String> {
        let start = match words {
            [_, name, start, ..] if name.text == "name" => start,
            _ => return Err("expected 'name' and an option's name after 'setoption'".to_owned()),
        };
        let value = words.iter().skip(3).find(|word| word.text == "value");
        let name_end = value.map_or(line.len(), |value| value.at);
        let name = line.get(start.at..name_end).unwrap_or_default().trim();
        let value = value.and_then(|value| line.get(value.end()..));
        let value = value.unwrap_or_default().trim();

        let option = find(name).ok_or_else(|| {
            let names: Vec<&str> = OPTIONS.iter().map(|option| option.name).collect();
            format!(
                "unknown option {} (word 3): expected one of {}",
                quoted(name),
                names.join(", ")
            )
        })?;
        if option.effect.needs_idle() {
            self.engine.wait_if_stopped();
            if self.engine.is_searching() {
                return Err(format!(
                    "option {} cannot change during a search: expected 'stop' first",
                    option.name
                ));
            }
        }
        let before = self.options.clone();
        option.set(&mut self.options, value)?;
        self.take_effect(option.effect, &before).map_err(|why| {
            self.options = before;
            format!("option {}: {why}", option.name)
        })
    }

    /// Does what has to happen once an option is set; `before` are the old options.
    fn take_effect(&mut self, effect: Effect, before: &Options) -> Result<Then, String> {
        let (engine, options) = (&mut self.engine, &self.options);
        match effect {
            Effect::OtherGame if options.game != before.game => {
                engine.drop_memory();
                return Ok(Then::OtherGame(options.clone()));
            }
            Effect::Later | Effect::OtherGame => {}
            Effect::Resize => (engine.set_hash(options.hash_mb)).map_err(|why| why.to_string())?,
            Effect::Searcher => engine.set_searcher(options.searcher),
            Effect::Clear => engine.clear(),
            Effect::Evaluation => {
                let evaluation = load::<G>(&options.eval_file).map_err(|why| why.to_string())?;
                engine.set_evaluation(evaluation);
            }
            Effect::Log => self.out.log_to(&options.log_file).map_err(|why| {
                let path = quoted(&options.log_file);
                format!("file {path} cannot be opened: {why}")
            })?,
        }
        Ok(Then::NextLine)
    }

    /// The command `debug` of UCI, which is the option of that name.
    fn set_debug(&mut self, word: Option<&Word<'_>>) -> Result<(), String> {
        const FORM: &str = "'on' or 'off' after 'debug'";
        let word = word.ok_or_else(|| format!("expected {FORM}"))?;
        self.options.debug = match word.text {
            "on" => true,
            "off" => false,
            _ => return Err(word.refused(FORM)),
        };
        Ok(())
    }

    fn set_position(&mut self, position: Result<G, String>) -> Result<(), String> {
        self.lost_position = position.is_err();
        self.engine.set_position(position?);
        self.moves.take();
        Ok(())
    }

    fn eval(&self) -> Result<(), String> {
        let (position, evaluation) = (self.engine.position(), self.engine.evaluation());
        if !position.has_moves() {
            return Err("the game is over, there is nothing to evaluate".to_owned());
        }
        let mut lines = eval::map(position, evaluation);
        lines.extend(eval::squares(position, evaluation));
        lines.extend(eval::table(position, evaluation, self.options.searcher));
        lines.push(format!(
            "in centipoints, for {} ({}) to move; parts that name no side are its own less the opponent's",
            position.side_name(),
            position.side().word()
        ));
        self.out.write_lines(lines);
        Ok(())
    }

    /// Searches the fixed positions, while the client waits.
    fn bench(&mut self) {
        self.engine.stop_and_wait();
        let with_position = |position: &str, nodes: u64| {
            self.out.write_line(format!("{nodes:>12}  {position}"));
        };
        let parts = GameKind::ALL
            .into_iter()
            .map(|kind| with_game!(kind, G => bench::<G>(&Learned::default(), with_position)));
        let BenchResult { nodes, time } = parts.sum();
        let nps = nodes_per_second(nodes, time);
        self.out
            .write_line(format!("Bench: {nodes} nodes {nps} nps"));
    }
}
