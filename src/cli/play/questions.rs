//! What is asked before a game begins.

use std::path::{Path, PathBuf};

use super::console::{Console, Typed};
use super::opponent::Strength;
use super::{DEFAULT_LEVEL, files};
use crate::cli::{Failure, INTERRUPTED};
use crate::game::{Game, GameKind, number_of, quoted, quoted_path, with_game};
use crate::record::reader::PlayedGame;
use crate::search::Level;

const UNFINISHED: &str = "Will you go on? (y)es, (n)o, (d)elete it";

/// The unfinished game that the person wants to go on with, and its file; of one
/// kind only where that is `wanted`.
pub(super) fn unfinished(
    console: &mut Console,
    dir: &Path,
    wanted: Option<GameKind>,
    unasked: bool,
) -> Result<Option<(PathBuf, PlayedGame)>, Failure> {
    let (kept, spoilt) = files::kept(dir);
    for why in spoilt {
        console.say(format!("An unfinished game is passed over: {why}."))?;
    }
    let mut kept = (kept.into_iter()).filter(|(_, game)| wanted.is_none_or(|it| it == game.kind));
    if unasked {
        return match kept.next() {
            Some(found) => Ok(Some(found)),
            None => Err(Failure::Work(format!(
                "--resume: there is no unfinished game{} in {}",
                wanted.map_or_else(String::new, |kind| format!(" of {kind}")),
                quoted_path(dir)
            ))),
        };
    }
    for (path, game) in kept {
        let title = with_game!(game.kind, G => <G as Game>::TITLE);
        let [first, second] = &game.players;
        let moves = number_of(game.moves.len(), "move");
        console.say(format!(
            "An unfinished game of {title}, {first} - {second}, {moves}."
        ))?;
        let answers = [("yes", 0), ("no", 1), ("delete", 2)];
        match ask(console, UNFINISHED, "y", &answers)? {
            0 => return Ok(Some((path, game))),
            1 => {}
            _ => std::fs::remove_file(&path)?,
        }
    }
    Ok(None)
}

/// Asks until an answer is one of these or the beginning of one; Enter takes
/// the default.
fn ask<T: Copy>(
    console: &mut Console,
    question: &str,
    default: &str,
    answers: &[(&str, T)],
) -> Result<T, Failure> {
    let names: Vec<&str> = answers.iter().map(|(name, _)| *name).collect();
    let expected = format!("one of {}", names.join(", "));
    ask_for(console, question, default, answers, &expected)
}

/// As [`ask`]; what is `expected` is said where an answer is none of them.
fn ask_for<T: Copy>(
    console: &mut Console,
    question: &str,
    default: &str,
    answers: &[(&str, T)],
    expected: &str,
) -> Result<T, Failure> {
    loop {
        let text = format!("{question} [{default}]");
        if !console.is_terminal {
            console.say(&text)?;
        }
        let line = match console.read(&format!("{text} "), None) {
            Typed::Line(line) if line.is_empty() => default.to_owned(),
            Typed::Line(line) if line == "quit" => return Err(Failure::Code(0)),
            Typed::Line(line) => line.to_ascii_lowercase(),
            Typed::Interrupt => return Err(Failure::Code(INTERRUPTED)),
            _ => return Err(Failure::Code(0)),
        };
        let exact = answers.iter().find(|(name, _)| *name == line);
        let found = exact.or_else(|| answers.iter().find(|(name, _)| name.starts_with(&line)));
        if let Some((_, answer)) = found {
            return Ok(*answer);
        }
        console.say(format!("{}: expected {expected}", quoted(&line)))?;
    }
}

pub(super) fn ask_game(console: &mut Console) -> Result<GameKind, Failure> {
    let answers = GameKind::ALL.map(|kind| (kind.name(), kind));
    ask(
        console,
        "Which game, yoxii or hokito?",
        answers[0].0,
        &answers,
    )
}

pub(super) fn ask_side(console: &mut Console, kind: GameKind) -> Result<[bool; 2], Failure> {
    let names = with_game!(kind, G => <G as Game>::SIDE_NAMES).map(str::to_lowercase);
    let answers = [
        (names[0].as_str(), [true, false]),
        (names[1].as_str(), [false, true]),
        ("both", [true, true]),
        ("none", [false, false]),
        ("first", [true, false]),
        ("second", [false, true]),
    ];
    let question = format!(
        "Your side, {} (first), {}, both or none?",
        names[0], names[1]
    );
    ask(console, &question, &names[0], &answers)
}

pub(super) fn ask_level(console: &mut Console) -> Result<Strength, Failure> {
    let names: Vec<String> = (0..=Level::FULL).map(|level| level.to_string()).collect();
    let answers: Vec<(&str, u32)> = names.iter().map(String::as_str).zip(0..).collect();
    let question = "Level, from 0 (beginner) to 20 (full strength)?";
    let default = DEFAULT_LEVEL.to_string();
    let expected = format!("a whole number from 0 to {}, or quit", Level::FULL);
    ask_for(console, question, &default, &answers, &expected).map(Strength::Level)
}
