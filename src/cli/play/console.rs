//! Where lines come from: a line editor on a terminal, else plain lines.
//!
//! Lines are read on a thread of their own, so that a clock can run out while
//! somebody is thinking. In a pipe there are no prompts and no editor.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Editor, ExternalPrinter};

use super::completion::{Completion, Words};
use crate::cli::Failure;
use crate::cli::terminal::{folded, width};

/// How often a flag is looked at that nothing announces.
const PULSE: Duration = Duration::from_millis(50);

/// What came instead of a line, or the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Typed {
    /// A line, without blanks at its ends.
    Line(String),
    /// The input is at its end.
    End,
    /// Ctrl-C.
    Interrupt,
    /// The deadline has passed; the line that was begun is still to come.
    TimeUp,
}

type Printer = Box<dyn ExternalPrinter + Send>;

/// The person in front of the program, or a script in her place.
pub(super) struct Console {
    pub(super) is_terminal: bool,
    prompts: Sender<String>,
    lines: Receiver<Typed>,
    /// Whether a line was asked for that has not come.
    is_waiting: bool,
    printer: Option<Printer>,
    interrupt: Arc<AtomicBool>,
    words: Arc<Mutex<Words>>,
}

impl Console {
    /// Opens stdin and stdout; the history of lines is kept in a file where one
    /// is given.
    pub(super) fn open(
        history: Option<PathBuf>,
        interrupt: Arc<AtomicBool>,
    ) -> Result<Self, Failure> {
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        let (prompts, asked) = channel();
        let (answer, lines) = channel();
        let words = Arc::new(Mutex::new(Words::default()));
        let mut printer = None;
        if is_terminal {
            let mut editor = editor(Arc::clone(&words))?;
            printer =
                (editor.create_external_printer().ok()).map(|printer| Box::new(printer) as Printer);
            std::thread::spawn(move || edit(editor, history, &asked, &answer));
        } else {
            std::thread::spawn(move || read_plain(&asked, &answer));
        }
        Ok(Self {
            is_terminal,
            prompts,
            lines,
            is_waiting: false,
            printer,
            interrupt,
            words,
        })
    }

    /// Sets what is completed from now on.
    pub(super) fn complete(&self, words: Words) {
        *self.words.lock().unwrap_or_else(PoisonError::into_inner) = words;
    }

    /// The next line; on a terminal `prompt` stands before it.
    pub(super) fn read(&mut self, prompt: &str, deadline: Option<Instant>) -> Typed {
        if !self.is_waiting && self.prompts.send(prompt.to_owned()).is_err() {
            return Typed::End;
        }
        self.is_waiting = true;
        loop {
            let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
            match self
                .lines
                .recv_timeout(left.map_or(PULSE, |left| left.min(PULSE)))
            {
                Ok(typed) => {
                    self.is_waiting = false;
                    return typed;
                }
                Err(RecvTimeoutError::Disconnected) => return Typed::End,
                Err(RecvTimeoutError::Timeout) if self.take_interrupt() => {
                    return Typed::Interrupt;
                }
                Err(RecvTimeoutError::Timeout) if left.is_some_and(|left| left.is_zero()) => {
                    return Typed::TimeUp;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Takes note of a Ctrl-C that ended a thought: the terminal has written it
    /// where the next line is to stand.
    pub(super) fn thought_ended(&mut self) -> io::Result<()> {
        if self.take_interrupt() && self.is_terminal {
            return self.print("\n");
        }
        Ok(())
    }

    /// Whether Ctrl-C was pressed since this was last asked.
    pub(super) fn take_interrupt(&self) -> bool {
        self.interrupt.swap(false, Ordering::Relaxed)
    }

    /// The flag that Ctrl-C raises, for whoever works long.
    pub(super) fn interrupt(&self) -> &Arc<AtomicBool> {
        &self.interrupt
    }

    /// Whether Ctrl-C is pressed and nobody has taken note of it.
    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Prints text that may have colours, and that ends with a line feed.
    pub(super) fn print(&mut self, text: &str) -> io::Result<()> {
        if self.is_waiting
            && let Some(printer) = &mut self.printer
        {
            // A line is being edited: what is printed goes above it.
            return printer.print(text.to_owned()).map_err(io::Error::other);
        }
        let mut out = anstream::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    /// Prints a line, or lines where the terminal is narrower.
    pub(super) fn say(&mut self, line: impl AsRef<str>) -> io::Result<()> {
        let line = folded(line.as_ref(), self.width());
        self.print(&format!("{line}\n"))
    }

    /// Columns for what is drawn: so many, or fewer on a narrow terminal.
    pub(super) fn columns(&self, most: usize) -> usize {
        self.width().map_or(most, |width| width.min(most))
    }

    fn width(&self) -> Option<usize> {
        width().filter(|_| self.is_terminal)
    }
}

fn editor(words: Arc<Mutex<Words>>) -> Result<Editor<Completion, FileHistory>, Failure> {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .build();
    let mut editor = Editor::with_config(config)
        .map_err(|why| Failure::Work(format!("the terminal cannot be used: {why}")))?;
    editor.set_helper(Some(Completion(words)));
    Ok(editor)
}

/// Reads lines with the editor, each when it is asked for.
fn edit(
    mut editor: Editor<Completion, FileHistory>,
    history: Option<PathBuf>,
    asked: &Receiver<String>,
    answer: &Sender<Typed>,
) {
    if let Some(history) = &history {
        // The first time there is none.
        let _ = editor.load_history(history);
    }
    for prompt in asked {
        let typed = match editor.readline(&prompt) {
            Ok(line) => {
                let line = line.trim().to_owned();
                if !line.is_empty() {
                    // A history that cannot be kept is no reason not to play.
                    let _ = editor.add_history_entry(line.as_str());
                    let _ = history.as_ref().map(|history| editor.save_history(history));
                }
                Typed::Line(line)
            }
            Err(ReadlineError::Interrupted) => Typed::Interrupt,
            Err(_) => Typed::End,
        };
        if answer.send(typed).is_err() {
            return;
        }
    }
}

/// Reads plain lines, each when it is asked for; bytes that are no UTF-8 become
/// a sign that no command has.
fn read_plain(asked: &Receiver<String>, answer: &Sender<Typed>) {
    let mut input = io::stdin().lock();
    for _ in asked {
        let mut line = Vec::new();
        let typed = match input.read_until(b'\n', &mut line) {
            Ok(1..) => Typed::Line(String::from_utf8_lossy(&line).trim().to_owned()),
            _ => Typed::End,
        };
        if answer.send(typed).is_err() {
            return;
        }
    }
}
