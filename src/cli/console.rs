//! Input and output: a line editor on a terminal, otherwise plain lines without prompts.
//!
//! A separate thread reads the lines, so that a clock can run out while you think.

mod completion;

use std::collections::VecDeque;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Editor, ExternalPrinter};

use super::terminal::{folded, width};
use super::{CliResult, Failure, INTERRUPTED, on_interrupt};
use totemic_engine::lock::locked;
use totemic_engine::stop::Stop;

pub(super) use completion::Completion;

/// The most columns of a board with what stands beside it.
pub(super) const BOARD_COLUMNS: usize = 60;

/// A line, or what came instead of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Typed {
    /// A line, without blanks at either end.
    Line(String),
    End,
    Interrupt,
    /// The deadline has passed; the line that was begun is still to come.
    TimeUp,
}

type Printer = Arc<Mutex<Option<Box<dyn ExternalPrinter + Send>>>>;
type ReadLine = Box<dyn FnMut(Prompt) -> Typed + Send>;

struct Prompt {
    text: String,
    completion: Completion,
    /// Whether to forget what was typed ahead.
    is_fresh: bool,
}

pub(super) struct Console {
    pub(super) is_terminal: bool,
    /// Each prompt that is sent asks for a line.
    prompts: Sender<Prompt>,
    /// `None` comes with Ctrl-C while no line is being edited.
    lines: Receiver<Option<Typed>>,
    heard: Sender<Option<Typed>>,
    /// The rest of several lines that were pasted at once.
    pasted: VecDeque<String>,
    /// Whether Ctrl-C was pressed since the last prompt.
    is_interrupted: bool,
    is_waiting: bool,
    printer: Printer,
    /// What Ctrl-C ends; another one once it has.
    interrupt: Arc<Mutex<Stop>>,
}

impl Console {
    /// Watches for Ctrl-C, too; `history` is a file for the lines that were typed.
    pub(super) fn open(history: Option<PathBuf>) -> Result<Self, Failure> {
        let interrupt = Arc::new(Mutex::new(Stop::new()));
        let current = Arc::clone(&interrupt);
        on_interrupt(move || {
            let stop = locked(&current).clone();
            match stop.is_stopped() {
                true => std::process::exit(INTERRUPTED.into()),
                false => stop.now(),
            }
        })?;
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        let (prompts, to_ask) = channel::<Prompt>();
        let (heard, lines) = channel();
        let answer = heard.clone();
        let printer = Printer::default();
        let mut read_line: ReadLine = match is_terminal {
            true => {
                let editing = edit(history, Arc::clone(&printer));
                Box::new(editing.map_err(|why| failure!("the terminal cannot be used: {why}"))?)
            }
            false => Box::new(|_| read_plain()),
        };
        std::thread::spawn(move || {
            for prompt in to_ask {
                if answer.send(Some(read_line(prompt))).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            is_terminal,
            prompts,
            lines,
            heard,
            pasted: VecDeque::new(),
            is_interrupted: false,
            is_waiting: false,
            printer,
            interrupt,
        })
    }

    pub(super) fn put_back(&mut self, line: String) {
        self.pasted.push_front(line);
    }

    /// Asks a question; in a pipe, it is printed like any other line.
    pub(super) fn ask(&mut self, question: &str) -> Result<Typed, Failure> {
        // A line that is being typed after another prompt is the answer.
        if !self.is_terminal || self.is_waiting {
            self.say(question)?;
        }
        Ok(self.read(&format!("{question} "), Completion::default(), None))
    }

    /// Reads the next line; on a terminal, `prompt` is shown before it.
    pub(super) fn read(
        &mut self,
        prompt: &str,
        completion: Completion,
        deadline: Option<Instant>,
    ) -> Typed {
        if let Some(line) = self.pasted.pop_front() {
            return Typed::Line(line);
        }
        let prompt = Prompt {
            text: prompt.to_owned(),
            completion,
            is_fresh: std::mem::take(&mut self.is_interrupted),
        };
        if !self.is_waiting && self.prompts.send(prompt).is_err() {
            return Typed::End;
        }
        self.is_waiting = true;
        let heard = self.heard.clone();
        let _waker = self.interrupt().on_step(move || {
            let _ = heard.send(None);
        });
        loop {
            let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
            let heard = match left {
                Some(left) => self.lines.recv_timeout(left),
                None => self.lines.recv().map_err(RecvTimeoutError::from),
            };
            match heard {
                Ok(Some(typed)) => {
                    self.is_waiting = false;
                    let Typed::Line(text) = typed else {
                        return typed;
                    };
                    let lines = text.lines().map(|line| line.trim().to_owned());
                    self.pasted.extend(lines);
                    return Typed::Line(self.pasted.pop_front().unwrap_or_default());
                }
                // An old one may have ended a search meanwhile.
                Ok(None) if self.take_interrupt() => return Typed::Interrupt,
                Ok(None) => {}
                Err(RecvTimeoutError::Disconnected) => return Typed::End,
                Err(RecvTimeoutError::Timeout) => return Typed::TimeUp,
            }
        }
    }

    /// Resets a Ctrl-C that ended a search, and ends the line that shows it.
    pub(super) fn search_ended(&mut self) -> CliResult {
        if self.take_interrupt() && self.is_terminal {
            return self.print("\n");
        }
        Ok(())
    }

    /// Whether Ctrl-C was pressed since the last call. It clears what was typed ahead.
    pub(super) fn take_interrupt(&mut self) -> bool {
        let mut stop = locked(&self.interrupt);
        let has_come = stop.is_stopped();
        if has_come {
            *stop = Stop::new();
            self.pasted.clear();
            self.is_interrupted = true;
        }
        has_come
    }

    /// Returns a stop that comes at the next Ctrl-C.
    pub(super) fn interrupt(&self) -> Stop {
        locked(&self.interrupt).clone()
    }

    /// Prints text that may have colours and that ends with a line feed.
    pub(super) fn print(&mut self, text: &str) -> CliResult {
        if self.is_waiting
            && let Some(printer) = &mut *locked(&self.printer)
        {
            // A line is being edited, so the text is printed above it.
            let text = match AutoStream::choice(&io::stdout()) {
                ColorChoice::Never => strip_str(text).to_string(),
                _ => text.to_owned(),
            };
            return printer.print(text).map_err(|why| failure!("{why}"));
        }
        Ok(anstream::stdout().lock().write_all(text.as_bytes())?)
    }

    pub(super) fn say(&mut self, line: impl AsRef<str>) -> CliResult {
        let line = folded(line.as_ref(), self.width());
        self.print(&format!("{line}\n"))
    }

    /// `most`, or fewer on a narrow terminal.
    pub(super) fn columns(&self, most: usize) -> usize {
        self.width().map_or(most, |width| width.min(most))
    }

    fn width(&self) -> Option<usize> {
        width().filter(|_| self.is_terminal)
    }
}

type LineEditor = Editor<Completion, FileHistory>;

fn new_editor(history: Option<&Path>, printer: &Printer) -> rustyline::Result<LineEditor> {
    let config = Config::builder().completion_type(CompletionType::List);
    let mut editor = LineEditor::with_config(config.build())?;
    let created = editor.create_external_printer().ok();
    *locked(printer) = created.map(|printer| Box::new(printer) as _);
    // The first time there is no history.
    let _ = history.map(|history| editor.load_history(history));
    Ok(editor)
}

fn edit(
    history: Option<PathBuf>,
    printer: Printer,
) -> rustyline::Result<impl FnMut(Prompt) -> Typed> {
    let mut editor = new_editor(history.as_deref(), &printer)?;
    Ok(move |prompt: Prompt| {
        // What an editor has read ahead goes only with the editor.
        if prompt.is_fresh
            && let Ok(fresh) = new_editor(history.as_deref(), &printer)
        {
            editor = fresh;
        }
        editor.set_helper(Some(prompt.completion));
        match editor.readline(&prompt.text) {
            Ok(line) => {
                let line = line.trim().to_owned();
                if !line.is_empty() {
                    // If a history cannot be kept, you can still play.
                    let _ = editor.add_history_entry(line.as_str());
                    let _ = history.as_ref().map(|history| editor.save_history(history));
                }
                Typed::Line(line)
            }
            Err(ReadlineError::Interrupted) => Typed::Interrupt,
            Err(_) => Typed::End,
        }
    })
}

/// Reads a plain line. Bytes that are not UTF-8 are replaced.
fn read_plain() -> Typed {
    let mut line = Vec::new();
    match io::stdin().lock().read_until(b'\n', &mut line) {
        Ok(1..) => Typed::Line(String::from_utf8_lossy(&line).trim().to_owned()),
        _ => Typed::End,
    }
}
