//! What may be typed besides moves.

use crate::game::quoted;

/// A command with its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// Anything that is no command: a move, as far as one can see.
    Move(String),
    Analyze,
    Board,
    Draw,
    Eval,
    Help,
    Hint(usize),
    Level(Option<u32>),
    /// The moves played.
    List,
    /// Legal moves, of a square if one is given.
    Moves(String),
    New,
    Open(String),
    Pause,
    Position(String),
    Quit,
    Redo,
    Resign,
    Save {
        file: String,
        force: bool,
    },
    Setup,
    Swap,
    Undo,
    Why,
}

/// The commands' names.
pub(super) const NAMES: &[&str] = &[
    "analyze", "board", "draw?", "eval", "help", "hint", "level", "list", "moves", "new", "open",
    "pause", "position", "quit", "redo", "resign", "save", "setup", "swap", "undo", "why",
];

/// What `help` shows: 60 columns at the most.
pub(super) const HELP: &str = "\
moves [SQUARE]   what is legal, or legal from that square
undo, redo       take back your last move and the reply, or
                 a resignation or a draw
hint [N]         the N best moves with their chances
eval             who stands better, and why
why              what is expected after the last move
analyze          think for five seconds about this position
level N          how well the engine plays, 0 to 20
swap             change sides
draw?            offer a draw; taken from move 9 on, where
                 the engine expects half a point or less
resign           give the game up
pause            stop your clock until the next Enter
board, list      show the board, the moves played
new              begin a new game
save FILE [--force], open FILE
                 the game as PGN; --force writes over a file
position P       go on from a position's text or startpos
setup            enter the position on your table
quit             leave; an unfinished game is kept
";

impl Command {
    /// Reads a line that is not empty.
    ///
    /// # Errors
    /// A sentence with the word that cannot be used and what was expected.
    pub(super) fn read(line: &str) -> Result<Self, String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let Some(name) = name_of(word)? else {
            return Ok(Self::Move(line.to_owned()));
        };
        let plain = match name {
            "analyze" => Self::Analyze,
            "board" => Self::Board,
            "draw?" => Self::Draw,
            "eval" => Self::Eval,
            "list" => Self::List,
            "new" => Self::New,
            "pause" => Self::Pause,
            "quit" => Self::Quit,
            "redo" => Self::Redo,
            "resign" => Self::Resign,
            "setup" => Self::Setup,
            "swap" => Self::Swap,
            "undo" => Self::Undo,
            "why" => Self::Why,
            _ => return Self::with_argument(name, rest),
        };
        if rest.is_empty() {
            Ok(plain)
        } else {
            Err(format!(
                "unexpected {}: '{name}' stands alone",
                quoted(rest)
            ))
        }
    }

    fn with_argument(name: &str, rest: &str) -> Result<Self, String> {
        let file = |file: &str| {
            let needed = || format!("'{name}' what? Expected a file, as in '{name} game.pgn'");
            Some(unquoted(file).to_owned())
                .filter(|it| !it.is_empty())
                .ok_or_else(needed)
        };
        match name {
            "help" => Ok(Self::Help),
            "hint" if rest.is_empty() => Ok(Self::Hint(1)),
            "hint" => number(name, rest, 1, 50).map(|n| Self::Hint(n as usize)),
            "level" if rest.is_empty() => Ok(Self::Level(None)),
            "level" => number(name, rest, 0, 20).map(|n| Self::Level(Some(n))),
            "moves" => Ok(Self::Moves(rest.to_owned())),
            "open" => file(rest).map(Self::Open),
            "position" => Ok(Self::Position(rest.to_owned())),
            _ => {
                let (path, force) = without_force(rest);
                file(path).map(|file| Self::Save { file, force })
            }
        }
    }
}

/// A file's name without the word `--force` before or behind it, and whether
/// that word was there.
fn without_force(text: &str) -> (&str, bool) {
    const FORCE: &str = "--force";
    let (first, behind) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let (before, last) = text.rsplit_once(char::is_whitespace).unwrap_or(("", text));
    match (first, last) {
        (FORCE, _) => (behind.trim(), true),
        (_, FORCE) => (before.trim(), true),
        _ => (text, false),
    }
}

/// A name without the quotes around it, which a shell would take off.
fn unquoted(text: &str) -> &str {
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

/// The command that a word means: its name, or a beginning that only one has.
fn name_of(word: &str) -> Result<Option<&'static str>, String> {
    let word = word.to_ascii_lowercase();
    let word = match word.as_str() {
        "exit" | "bye" | "q" => "quit",
        "draw" => "draw?",
        "analyse" => "analyze",
        "takeback" | "u" => "undo",
        "?" | "h" => "help",
        "d" => "board",
        other => other,
    };
    // Two letters at least: one could begin a square.
    let found: Vec<&str> = (NAMES.iter().copied())
        .filter(|name| *name == word || word.len() > 1 && name.starts_with(word))
        .collect();
    match found[..] {
        [] if word.chars().all(char::is_alphabetic) && word.len() > 2 => {
            let like = NAMES.iter().filter(|name| name[..1] == word[..1]);
            let like: Vec<&str> = like.copied().collect();
            let like = if like.is_empty() {
                "type help for the commands".to_owned()
            } else {
                format!("did you mean {}? Type help for all", like.join(", "))
            };
            Err(format!(
                "{} is neither a move nor a command; {like}",
                quoted(word)
            ))
        }
        [] => Ok(None),
        [name] => Ok(Some(name)),
        _ if found.contains(&word) => Ok(NAMES.iter().copied().find(|name| *name == word)),
        _ => Err(format!("{} could be {}", quoted(word), found.join(" or "))),
    }
}

fn number(name: &str, text: &str, least: u32, most: u32) -> Result<u32, String> {
    let number = text.parse().ok().filter(|n| (least..=most).contains(n));
    number.ok_or_else(|| {
        let typed = quoted(&format!("{name} {text}"));
        format!("{typed}: expected a whole number from {least} to {most}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_moves_are_told_apart() {
        let read = |line| Command::read(line).expect(line);
        assert_eq!(read("undo"), Command::Undo);
        assert_eq!(read("UNDO"), Command::Undo);
        assert_eq!(read("ev"), Command::Eval);
        assert_eq!(read("hint"), Command::Hint(1));
        assert_eq!(read("hint 3"), Command::Hint(3));
        assert_eq!(read("draw"), Command::Draw);
        for text in ["d5e5x", "D5-E5 X", "d5 e5 4", "a4xc6", "e5"] {
            assert_eq!(read(text), Command::Move(text.to_owned()));
        }
        let save = |file: &str, force| Command::Save {
            file: file.to_owned(),
            force,
        };
        assert_eq!(read("save a b.pgn"), save("a b.pgn", false));
        assert_eq!(read("save a.pgn --force"), save("a.pgn", true));
        assert_eq!(read("save --force a.pgn"), save("a.pgn", true));
        assert_eq!(read("save a.pgn--force"), save("a.pgn--force", false));
        assert_eq!(read("save 'a b.pgn' --force"), save("a b.pgn", true));
        assert_eq!(
            read("open \"a b.pgn\""),
            Command::Open("a b.pgn".to_owned())
        );
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        for (line, part) in [
            ("hint x", "'hint x': expected a whole number from 1 to 50"),
            ("level 21", "from 0 to 20"),
            ("save", "Expected a file"),
            ("save ''", "Expected a file"),
            ("save --force", "Expected a file"),
            ("undo 3", "unexpected '3'"),
            ("unfo", "did you mean undo?"),
            ("re", "'re' could be redo or resign"),
        ] {
            let why = Command::read(line).expect_err(line);
            assert!(why.contains(part), "{line}: {why}");
        }
    }

    #[test]
    fn help_names_every_command_within_sixty_columns() {
        for name in NAMES.iter().filter(|name| **name != "help") {
            assert!(HELP.contains(name), "{name}");
        }
        assert!(HELP.lines().all(|line| line.len() <= 60));
    }
}
