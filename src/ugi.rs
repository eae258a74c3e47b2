//! The protocol: UGI, spoken over any pair of a reader and a writer.
//!
//! [`serve`] is the whole of it. One thread reads and answers; a search runs
//! on a thread of the engine and writes its `info` lines and its `bestmove`
//! through the same output, line by line. `protocol.md` is the specification
//! for clients.

mod book;
mod eval;
mod go;
mod hangup;
mod lines;
mod options;
mod output;
mod perft;
mod position;
mod query;
mod session;
pub(crate) mod weights;
mod words;

use std::io::{self, BufRead, Write};

pub use self::go::PARAMETERS as GO_PARAMETERS;
pub use self::hangup::Hangup;
use self::lines::Lines;
use self::options::Settings;
use self::output::Output;
use self::session::{Next, Session};
use crate::game::{GameKind, with_game};

/// Speaks the protocol until `quit` or the end of the input, beginning with
/// the game `kind`.
///
/// Every line is flushed as it is written. At the end of the input a search
/// that ends by itself is waited for and any other is stopped; either way its
/// `bestmove` is written before this function returns.
///
/// ```
/// use std::io::Cursor;
/// use totemic::game::GameKind;
///
/// // A real client passes stdin and stdout.
/// let script = Cursor::new("position startpos\nquery p1turn\nquit\n");
/// totemic::ugi::serve(GameKind::Yoxii, script, std::io::sink())?;
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
    serve_until(kind, input, output, Hangup::default())
}

/// As [`serve`], and stops what runs when `hangup` says that the client has
/// gone.
///
/// # Errors
/// As those of [`serve`].
pub fn serve_until(
    kind: GameKind,
    input: impl BufRead,
    output: impl Write + Send + 'static,
    hangup: Hangup,
) -> io::Result<()> {
    let mut lines = Lines::new(input);
    let mut settings = Settings::new(kind);
    let out = Output::new(output, hangup);
    loop {
        let next = with_game!(settings.game, G => {
            Session::<G>::new(&mut settings, &out).run(&mut lines)?
        });
        match next {
            Next::OtherGame => {}
            Next::End => return out.check(),
        }
    }
}
