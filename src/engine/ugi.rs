//! The protocol UGI: `protocol.md` is the specification for clients.
//!
//! [`serve`] speaks it over a reader and a writer. [`Session`] does the same for
//! callers that have single lines: it takes one line and writes the answers. A
//! search runs on a thread of the engine and writes its `info` lines and its
//! `bestmove` to the same output, line by line.

mod book;
mod eval;
mod go;
mod lines;
mod options;
mod output;
mod parameters;
mod perft;
mod position;
mod query;
mod session;
mod solve;
mod words;

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;

pub use self::go::GO_PARAMETERS;
use self::lines::{Lines, Unreadable};
use self::options::Options;
pub use self::options::option_names;
use self::output::Output;
pub use self::position::read_position_line;
use self::session::{AnySession, GameSession, Then};
use self::words::words;
use crate::game::{GameKind, with_game};
use crate::stop::Stop;

/// Speaks the protocol until `quit` or the end of the input, beginning with
/// the game `kind`.
///
/// What is answered is flushed before the next wait for input. At the end of the input, this waits for
/// a search that ends by itself and stops any other; either way its `bestmove` is
/// written before the function returns.
///
/// ```
/// use std::io::Cursor;
/// use totemic_engine::game::GameKind;
///
/// // A real client passes stdin and stdout.
/// let script = Cursor::new("position startpos\nquery p1turn\nquit\n");
/// totemic_engine::ugi::serve(GameKind::Yoxii, script, std::io::sink())?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// When reading or writing fails. A writer that fails while a search is
/// running is noticed with the next line of input.
pub fn serve(
    kind: GameKind,
    input: impl BufRead,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let mut session = Session::new(kind, output, Stop::new());
    if session.handle_lines(input)?.is_break() {
        return Ok(());
    }
    session.out.log_input("(end of input)");
    session.commands.finish();
    session.out.check()
}

/// A conversation with one client.
///
/// ```
/// use totemic_engine::game::GameKind;
/// use totemic_engine::stop::Stop;
/// use totemic_engine::ugi::Session;
///
/// let mut session = Session::new(GameKind::Hokito, std::io::stdout(), Stop::new());
/// assert!(session.handle_line("go depth 3").is_continue());
/// assert!(session.handle_line("quit").is_break());
/// ```
pub struct Session {
    out: Output,
    commands: Box<dyn AnySession>,
}

impl Session {
    /// A session at the start of a game, which writes its answers to `output`. All that
    /// it begins ends when `gone` comes.
    pub fn new(kind: GameKind, output: impl Write + Send + 'static, gone: Stop) -> Self {
        let out = Output::new(output, gone);
        let commands = begin(Options::new(kind), &out);
        Self { out, commands }
    }

    /// Takes all lines of a reader; breaks after `quit`, once all that is due has been
    /// answered. Answers lines that cannot be read with an error.
    ///
    /// # Errors
    /// When reading or writing fails.
    pub fn handle_lines(&mut self, input: impl BufRead) -> io::Result<ControlFlow<()>> {
        let mut lines = Lines::new(input);
        let unread = |why: io::Error| io::Error::new(why.kind(), format!("cannot read: {why}"));
        while let Some(line) = lines.next().map_err(unread)? {
            let next = match line {
                Ok(line) => {
                    self.out.log_input(line);
                    self.commands.handle_line(line, &words(line))
                }
                Err(unreadable) => {
                    self.refuse(&unreadable);
                    Then::NextLine
                }
            };
            let is_over = matches!(next, Then::End);
            if let Then::OtherGame(options) = next {
                self.commands = begin(options, &self.out);
            }
            // Answers to queries may wait for those to the next line.
            if is_over || !lines.has_next() {
                self.out.flush();
            }
            self.out.check()?;
            if is_over {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The work that the last line has begun, if there are no threads, as in WebAssembly
    /// in a browser. The caller does it before it goes on. While it runs, the session
    /// takes the lines that need not wait for it, such as `stop` and `ponderhit`: all but
    /// `go`, `uginewgame`, `bench` and `quit`.
    pub fn take_work(&mut self) -> Option<Box<dyn FnOnce() + Send>> {
        self.commands.take_work()
    }

    /// Stops a search that does not end by itself, as at the end of the input.
    pub fn stop_endless(&self) {
        self.commands.stop_endless();
    }

    /// Takes a line of the client, without its line end; breaks after `quit`, and
    /// once the output fails.
    pub fn handle_line(&mut self, line: &str) -> ControlFlow<()> {
        (self.handle_lines(line.as_bytes())).unwrap_or(ControlFlow::Break(()))
    }

    fn refuse(&mut self, line: &Unreadable) {
        self.out.log_input("(a line that cannot be read)");
        self.out.error(&line.why.to_string());
        if matches!(line.command.as_deref(), Some("position" | "moves")) {
            self.commands.lose_position();
        }
    }
}

/// The commands of the game that the options name.
fn begin(options: Options, out: &Output) -> Box<dyn AnySession> {
    with_game!(options.game, G => Box::new(GameSession::<G>::new(options, out.clone())))
}
