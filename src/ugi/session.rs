//! The commands of one game.

use std::cell::OnceCell;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead};
use std::time::Duration;

use super::book::Book;
use super::eval;
use super::go::{Request, read_go};
use super::lines::{Lines, Unreadable};
use super::options::{Effect, OPTIONS, Settings, find};
use super::output::Output;
use super::perft::Counting;
use super::position::{play_moves, read_position};
use super::query;
use super::weights::load;
use super::words::{Word, words};
use crate::bench::{BenchResult, bench};
use crate::drawing::draw;
use crate::engine::{Engine, Event, HASH_MB};
use crate::game::{GameKind, Rng, quoted, with_game};
use crate::search::{
    Bound, Info, Learned, Limits, Odds, Report, Searchable, nodes_per_second, useful_threads,
};

/// Age of a search from which its lines are written as they are found.
const HELD: Duration = Duration::from_millis(2);

/// How a session ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// The client chose the other game: a session of that one follows.
    OtherGame,
    /// `quit`, or the end of the input.
    End,
}

/// What `help` shows.
const HELP: &str = "\
ugi | uci                        name the engine and list its options
isready                          answer readyok
setoption name N [value V]       set an option
uginewgame | ucinewgame          forget what earlier searches found
position startpos [moves M...]   set the position
position fen F [moves M...]
position random SEED [moves M...]
moves M...                       play moves on the position
go [depth N] [nodes N] [movetime MS] [mate PLIES] [infinite] [ponder]
   [p1time MS p2time MS p1inc MS p2inc MS movestogo N] [searchmoves M...]
                                 search and answer bestmove
go perft N                       count the sequences of N moves
stop | ponderhit                 end the search | the expected move was played
query p1turn | turn | gameover | result | fen | legalmoves | score
      | islegal M | route M      ask about the position
d | eval                         draw the board | explain its evaluation
bench                            search fixed positions and tell the speed
debug on | off                   show the limits of each search, or not
help | quit";

/// An engine for one game and its client.
pub(super) struct Session<'a, G: Searchable> {
    engine: Engine<G>,
    settings: &'a mut Settings,
    out: &'a Output,
    counting: Option<Counting>,
    /// What weaker levels and the book play by: they are not to repeat their games.
    dice: Rng,
    book: OnceCell<Book>,
    /// Whether the last position or moves were refused and no good position
    /// has followed.
    adrift: bool,
}

impl<'a, G: Searchable> Session<'a, G> {
    /// A session at the start of the game.
    pub(super) fn new(settings: &'a mut Settings, out: &'a Output) -> Self {
        let mut engine = Engine::new();
        engine.set_searcher(settings.searcher);
        if let Err(why) = engine.set_hash(settings.hash_mb) {
            out.error(&format!("'setoption': option Hash: {why}"));
            settings.hash_mb = HASH_MB.default as usize;
        }
        // The engine begins with the weights in the program.
        if !settings.eval_file.is_empty() {
            match load::<G>(&settings.eval_file) {
                Ok(evaluation) => engine.set_evaluation(evaluation),
                // The option stays, as the file may be good for the other game.
                Err(why) => out.error(&format!(
                    "'setoption': option EvalFile: {why}; {} has the weights in the program",
                    G::NAME
                )),
            }
        }
        Self {
            engine,
            settings,
            out,
            counting: None,
            dice: Rng::new(RandomState::new().hash_one(0)),
            book: OnceCell::new(),
            adrift: false,
        }
    }

    /// Answers line after line.
    pub(super) fn run<R: BufRead>(mut self, lines: &mut Lines<R>) -> io::Result<Next> {
        loop {
            let next = match lines.next()? {
                None => {
                    self.out.log_input("(end of input)");
                    self.finish();
                    return Ok(Next::End);
                }
                Some(Err(Unreadable { command, why })) => {
                    self.out.log_input("(a line that cannot be taken)");
                    self.out.error(&why.to_string());
                    // It would have set another position.
                    self.adrift |= matches!(command.as_deref(), Some("position" | "moves"));
                    None
                }
                Some(Ok(line)) => {
                    self.out.log_input(line);
                    self.command(line)
                }
            };
            self.out.check()?;
            if let Some(next) = next {
                return Ok(next);
            }
        }
    }

    /// Answers one line.
    fn command(&mut self, line: &str) -> Option<Next> {
        let words = words(line);
        let first = words.first()?;
        let command = first.text.to_ascii_lowercase();
        let done = match command.as_str() {
            "ugi" | "uci" => self.introduce(&command),
            "debug" => self.set_debug(words.get(1)),
            "isready" => {
                self.engine.warm_up();
                self.say("readyok")
            }
            "setoption" => match self.set_option(line, &words) {
                Ok(Effect::OtherGame) => return Some(Next::OtherGame),
                other => other.map(|_| ()),
            },
            "uginewgame" | "ucinewgame" => self.new_game(),
            "position" => self.set_position(line),
            "moves" => self.play(&words),
            "go" => self.go(&words),
            "stop" => self.stop(),
            "ponderhit" => self.ponderhit(),
            "query" => self.query(&words),
            "d" => self.say(draw(self.engine.position(), usize::MAX, false).trim_end()),
            "eval" => self.eval(),
            "bench" => self.bench(),
            "help" => self.say(HELP),
            "quit" => {
                self.rest();
                return Some(Next::End);
            }
            _ => Err("unknown command, 'help' lists those there are".to_owned()),
        };
        if let Err(why) = done {
            self.out.error(&format!("{}: {why}", quoted(first.text)));
        }
        None
    }

    /// Writes one or more lines.
    fn say(&self, text: impl AsRef<str>) -> Result<(), String> {
        self.out.lines(text.as_ref().lines());
        Ok(())
    }

    fn introduce(&self, protocol: &str) -> Result<(), String> {
        let mut lines = vec![
            format!("id name Totemic {}", env!("CARGO_PKG_VERSION")),
            "id author the Totemic developers".to_owned(),
        ];
        let options = OPTIONS.iter();
        lines.extend(options.map(|option| option.describe(self.settings)));
        lines.push(format!("{protocol}ok"));
        self.out.lines(lines);
        Ok(())
    }

    fn set_option(&mut self, line: &str, words: &[Word<'_>]) -> Result<Effect, String> {
        const FORM: &str = "'name' and an option's name behind 'setoption'";
        let named = words.get(1).filter(|word| word.text == "name");
        let name_word = words.get(2).filter(|_| named.is_some());
        let Some(start) = name_word else {
            return Err(format!("expected {FORM}"));
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
        if option.effect.needs_rest() && !self.engine.is_at_rest() {
            return Err(format!(
                "option {} cannot change during a search: expected 'stop' first",
                option.name
            ));
        }
        let before = self.settings.clone();
        option.set(self.settings, value)?;
        let done = match option.effect {
            Effect::OtherGame if self.settings.game == before.game => return Ok(Effect::Later),
            Effect::Later | Effect::OtherGame => Ok(()),
            Effect::Resize => {
                let resized = self.engine.set_hash(self.settings.hash_mb);
                resized.map_err(|why| why.to_string())
            }
            Effect::Searcher => {
                self.engine.set_searcher(self.settings.searcher);
                Ok(())
            }
            Effect::Clear => {
                self.engine.clear();
                Ok(())
            }
            Effect::Evaluation => load::<G>(&self.settings.eval_file)
                .map(|evaluation| self.engine.set_evaluation(evaluation))
                .map_err(|why| why.to_string()),
            Effect::Log => self.out.log_to(&self.settings.log_file).map_err(|why| {
                let path = quoted(&self.settings.log_file);
                format!("file {path} cannot be opened: {why}")
            }),
        };
        match done {
            Ok(()) => Ok(option.effect),
            Err(why) => {
                *self.settings = before;
                Err(format!("option {}: {why}", option.name))
            }
        }
    }

    /// The command `debug` of UCI, which is the option of that name.
    fn set_debug(&mut self, word: Option<&Word<'_>>) -> Result<(), String> {
        const FORM: &str = "'on' or 'off' behind 'debug'";
        let word = word.ok_or_else(|| format!("expected {FORM}"))?;
        self.settings.debug = match word.text {
            "on" => true,
            "off" => false,
            _ => return Err(word.refused(FORM)),
        };
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), String> {
        self.rest();
        self.engine.clear();
        Ok(())
    }

    fn set_position(&mut self, line: &str) -> Result<(), String> {
        let position = read_position(line);
        self.adrift = position.is_err();
        self.engine.set_position(position?);
        Ok(())
    }

    fn play(&mut self, words: &[Word<'_>]) -> Result<(), String> {
        let moves = words.get(1..).unwrap_or_default();
        let position = play_moves(self.engine.position(), moves);
        self.adrift |= position.is_err();
        self.engine.set_position(position?);
        Ok(())
    }

    fn query(&self, words: &[Word<'_>]) -> Result<(), String> {
        let answer = query::answer(words, self.engine.position(), self.adrift)?;
        self.say(format!("response {answer}").trim_end())
    }

    fn eval(&self) -> Result<(), String> {
        let position = self.engine.position();
        if !position.has_moves() {
            return Err("the game is over, there is nothing to evaluate".to_owned());
        }
        let mut lines = eval::map(position, self.engine.evaluation());
        lines.extend(eval::squares(position, self.engine.evaluation()));
        lines.extend(eval::table(
            position,
            self.engine.evaluation(),
            self.settings.searcher,
        ));
        lines.push(format!(
            "in centipoints, for {} ({}) to move; what names no side is its own less the opponent's",
            position.side_name(),
            position.side().word()
        ));
        self.out.lines(lines);
        Ok(())
    }

    /// Searches the fixed positions, while the client waits.
    fn bench(&mut self) -> Result<(), String> {
        self.rest();
        let on_position = |position: &str, nodes: u64| {
            self.out.line(format!("{nodes:>12}  {position}"));
        };
        let parts = GameKind::ALL
            .into_iter()
            .map(|kind| with_game!(kind, G => bench::<G>(&Learned::default(), on_position)));
        let result: BenchResult = parts.sum();
        let nps = nodes_per_second(result.nodes, result.time);
        self.say(format!("Bench: {} nodes {nps} nps", result.nodes))
    }

    /// Begins what a `go` asks for, after whatever runs has answered.
    fn go(&mut self, words: &[Word<'_>]) -> Result<(), String> {
        self.rest();
        match read_go(words, self.engine.position(), self.settings) {
            Ok((request, remark)) => {
                if let Some(remark) = remark {
                    self.out.error(&format!("'go': {remark}"));
                }
                match request {
                    Request::Search(mut limits) => {
                        limits.level = self.settings.level(self.dice.next_u64());
                        match self.book_move(&limits) {
                            Some(mv) => self.out.line(format!("bestmove {mv}")),
                            None => self.search(limits),
                        }
                    }
                    Request::Perft(depth) => {
                        let position = *self.engine.position();
                        self.counting = Some(Counting::begin(position, depth, self.out.clone()));
                    }
                }
                Ok(())
            }
            Err(why) => {
                // A client that waits for an answer gets one; it says that
                // nothing was searched.
                self.out.error(&format!("'go': {why}"));
                self.out.line("bestmove 0000");
                Ok(())
            }
        }
    }

    /// A move of the book, where a game is played with it at full strength.
    fn book_move(&mut self, limits: &Limits<G::Move>) -> Option<G::Move> {
        let asks_for_more = limits.infinite
            || limits.ponder
            || limits.mate.is_some()
            || limits.multi_pv > 1
            || !limits.search_moves.is_empty();
        if !self.settings.own_book || asks_for_more || !limits.level.is_full() {
            return None;
        }
        let book = self.book.get_or_init(Book::of_game::<G>);
        let moves = book.moves(self.engine.position());
        moves.get(self.dice.below(moves.len())).copied()
    }

    fn search(&mut self, limits: Limits<G::Move>) {
        if self.settings.debug {
            self.out
                .line(format!("info string debug: {limits:?}").replace('\n', " "));
        }
        // A client woken for each line of a search that is over in a
        // millisecond would need more time than the search.
        let mut held = Vec::new();
        let holds = limits.is_bounded();
        let (out, ponder) = (self.out.clone(), self.settings.ponder);
        let (position, eval) = (*self.engine.position(), self.engine.evaluation().clone());
        let show_odds = self.settings.show_odds;
        let odds = move |info: &Info<G::Move>| info.odds(&position, &eval);
        let asked = self.settings.threads;
        let useful = useful_threads(asked);
        if useful < asked {
            let remark =
                format!("info string {useful} of {asked} threads search: more are no help here");
            self.out.line(remark);
        }
        let missing = self.engine.missing_memory();
        if missing > 0 {
            let (all, took) = (self.settings.hash_mb, self.settings.hash_mb - missing);
            let remark =
                format!("info string {took} of {all} MiB are used: a tree takes no more here");
            self.out.line(remark);
        }
        self.engine.set_threads(asked);
        self.engine.go(limits, move |event| match event {
            Event::Info(info) => {
                held.push(info_line(&info, show_odds.then(|| odds(&info))));
                if !holds || info.time >= HELD {
                    out.block(&mut held);
                }
            }
            Event::Failed(why) => out.error(&format!("the search failed: {why}")),
            Event::Done(report) => {
                out.block(&mut held);
                out.line(best_move_line(&report, ponder));
            }
        });
        self.out.when_unread(self.engine.stopper());
    }

    fn stop(&mut self) -> Result<(), String> {
        self.engine.stop();
        if let Some(counting) = &self.counting {
            counting.stop();
        }
        Ok(())
    }

    fn ponderhit(&mut self) -> Result<(), String> {
        self.engine.ponderhit();
        Ok(())
    }

    /// Stops whatever runs and waits for its answer.
    fn rest(&mut self) {
        self.engine.stop();
        self.engine.wait();
        if let Some(counting) = self.counting.take() {
            counting.stop();
            counting.wait();
        }
    }

    /// Lets what ends by itself come to its end, and stops the rest.
    fn finish(&mut self) {
        self.engine.finish();
        if let Some(counting) = self.counting.take() {
            counting.wait();
        }
        self.rest();
    }
}

impl<G: Searchable> Drop for Session<'_, G> {
    fn drop(&mut self) {
        // The engine stops its search by itself.
        if let Some(counting) = self.counting.take() {
            counting.stop();
            counting.wait();
        }
    }
}

/// The `info` line of a line in progress.
fn info_line<M: std::fmt::Display>(info: &Info<M>, odds: Option<Odds>) -> String {
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let odds = odds.map_or(String::new(), |Odds { win, draw, loss }| {
        format!(" wdl {win} {draw} {loss}")
    });
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}{bound}{odds} nodes {} nps {} hashfull {} time {}",
        info.depth,
        info.seldepth,
        info.multipv,
        info.score,
        info.nodes,
        info.nps(),
        info.hashfull,
        info.time.as_millis(),
    );
    if !info.pv.is_empty() {
        line.push_str(" pv");
    }
    for mv in &info.pv {
        line.push_str(&format!(" {mv}"));
    }
    line
}

/// The answer of a search: two words, or four where pondering is on.
fn best_move_line<M: std::fmt::Display>(report: &Report<M>, ponder: bool) -> String {
    match (&report.best, &report.ponder) {
        (None, _) => "bestmove 0000".to_owned(),
        (Some(best), Some(reply)) if ponder => format!("bestmove {best} ponder {reply}"),
        (Some(best), _) => format!("bestmove {best}"),
    }
}
