//! What you may type besides moves.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};

use crate::cli::values::{level, whole};
use totemic_engine::text::quoted;

/// Comments are lines of `help`. A name may be cut as long as no other begins so.
#[derive(Parser, Clone, PartialEq, Eq, Debug)]
#[command(
    no_binary_name = true,
    infer_subcommands = true,
    disable_help_flag = true,
    disable_help_subcommand = true,
    help_template = "{subcommands}"
)]
pub(super) enum Command {
    #[command(about = "[SQUARE]: show the legal moves, or those from that square")]
    Moves { square: Vec<String> },
    /// take back your last move and the reply, or a resignation or a draw
    #[command(aliases = ["takeback", "u"])]
    Undo,
    /// play again what you took back
    Redo,
    #[command(about = "[N]: show the N best moves with their chances")]
    Hint {
        #[arg(default_value_t = 1, value_parser = whole(1..=50usize))]
        count: usize,
    },
    /// say who is better, and why
    Eval,
    /// say what the engine expects after the last move
    Why,
    /// think for five seconds about this position
    #[command(alias = "analyse")]
    Analyze,
    #[command(about = "[N]: show or set how well the engine plays, 0 to 20")]
    Level {
        #[arg(value_parser = level)]
        level: Option<u32>,
    },
    /// change sides
    Swap,
    /// offer a draw; from move 9 on, the engine may accept it
    #[command(name = "draw?", alias = "draw")]
    Draw,
    /// give the game up
    Resign,
    /// judge your last move or, after the game, every move
    Review,
    /// stop your clock until you press Enter
    Pause,
    /// show the rules of the game
    Rules,
    /// show the board
    #[command(alias = "d")]
    Board,
    /// show the moves played
    List,
    /// begin a new game
    New,
    /// FILE [--force]: write the game as PGN; --force replaces a file
    Save {
        #[arg(required = true)]
        file: Vec<String>,
        #[arg(long)]
        force: bool,
    },
    /// FILE: go on with a game from a file
    Open {
        #[arg(required = true)]
        file: Vec<String>,
    },
    /// P: begin at a position as text, or at startpos; without P, show it
    Position { text: Vec<String> },
    /// enter the position of a real board
    Setup,
    /// show this list
    #[command(aliases = ["h", "?"], hide = true)]
    Help { about: Vec<String> },
    /// leave; an unfinished game is kept
    #[command(aliases = ["exit", "bye", "q"])]
    Quit,
}

impl Command {
    /// Reads a line; `None` if it can only be a move.
    pub(super) fn read(line: &str) -> Result<Option<Self>, String> {
        let (name, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let name = name.to_ascii_lowercase();
        let words = std::iter::once(&*name).chain(arguments.split_whitespace());
        let why = match Self::try_parse_from(words) {
            Ok(command) => return Ok(Some(command)),
            Err(why) => why,
        };
        if why.kind() != ErrorKind::InvalidSubcommand {
            let text = match why.kind() {
                ErrorKind::MissingRequiredArgument => {
                    format!("expected a file, as in {name} game.pgn")
                }
                _ => why.render().to_string(),
            };
            let text = text.strip_prefix("error: ").unwrap_or(&text);
            let (why, _) = text.split_once("\n\n").unwrap_or((text, ""));
            return Err(format!("{}: {}", quoted(line), why.trim_end()));
        }
        let like = match why.get(ContextKind::SuggestedSubcommand) {
            // Aliases such as `u` are left out.
            Some(ContextValue::Strings(names)) => Self::names()
                .into_iter()
                .filter(|name| names.contains(name))
                .reduce(|names, name| format!("{names} or {name}")),
            _ => None,
        };
        let is_word = name.chars().all(char::is_alphabetic);
        let like = match like.filter(|_| is_word) {
            Some(names) => format!("did you mean {names}? Type help for all"),
            None if is_word && name.len() > 2 => "type help for the commands".to_owned(),
            None => return Ok(None),
        };
        let name = quoted(&name);
        Err(format!("{name} is neither a move nor a command; {like}"))
    }

    pub(super) fn names() -> Vec<String> {
        let command = Self::command();
        let names = command.get_subcommands().map(clap::Command::get_name);
        names.map(str::to_owned).collect()
    }

    pub(super) fn help(columns: usize) -> String {
        let mut command = Self::command().term_width(columns);
        command.render_help().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_and_the_page_name_every_command() {
        let (help, page) = (Command::help(80), include_str!("README.md"));
        // Whoever reads it knows `help` itself.
        assert_eq!(help.lines().count(), Command::names().len() - 1, "{help}");
        for columns in [40, 80] {
            let help = Command::help(columns);
            assert!(help.lines().all(|line| line.len() <= columns), "{help}");
        }
        for name in Command::names() {
            let is_listed = name == "help" || help.contains(&format!("  {name} "));
            assert!(is_listed, "{name}: {help}");
            assert!(page.contains(&format!("`{name}")), "{name}");
        }
    }
}
