//! The questions before a game begins.

use std::path::{Path, PathBuf};

use super::opponent::Strength;
use super::{DEFAULT_LEVEL, SIDES, saved_games, side_names};
use crate::cli::Failure;
use crate::cli::console::{Console, Typed};
use crate::cli::files::content_error;
use crate::cli::values::{LEVELS, level};
use totemic_engine::game::{GameKind, Show, with_game};
use totemic_engine::search::Level;
use totemic_engine::text::{number_of, quoted, quoted_path};
use totemic_games::numbers::whole;
use totemic_games::record::PgnGame;

/// What to do with the unfinished games, whose numbers count from 1.
enum Choice {
    None,
    Continue(usize),
    Delete(usize),
}

const UNFINISHED: &str = "Continue which? Its number, (n)one, or (d)elete N";

/// The game to continue, with its file; if `unasked`, the latest one.
pub(super) fn unfinished(
    console: &mut Console,
    dir: &Path,
    wanted: Option<GameKind>,
    unasked: bool,
) -> Result<Option<(PathBuf, PgnGame)>, Failure> {
    let (mut games, spoilt) = saved_games::unfinished(dir);
    for why in spoilt {
        console.say(format!("Skipped an unfinished game: {why}."))?;
    }
    games.retain(|(_, game)| wanted.is_none_or(|kind| kind == game.kind));
    if unasked && !games.is_empty() {
        return Ok(Some(games.swap_remove(0)));
    }
    while !games.is_empty() {
        let count = games.len();
        console.say(format!("You have {}:", number_of(count, "unfinished game")))?;
        for (index, (_, game)) in games.iter().enumerate() {
            console.say(format!("{:>3}. {}", index + 1, described(game)))?;
        }
        let read = |line: &str| {
            let (word, number) = line.split_once(' ').unwrap_or((line, ""));
            let listed = |text: &str| whole(text, &(1..=count)).ok();
            match word {
                "n" | "no" | "none" => Some(Choice::None),
                "d" | "delete" if number.is_empty() && count == 1 => Some(Choice::Delete(1)),
                "d" | "delete" => listed(number).map(Choice::Delete),
                "y" | "yes" => Some(Choice::Continue(1)),
                word => listed(word).map(Choice::Continue),
            }
        };
        let expected = format!("a number from 1 to {count}, none, or delete with a number");
        match ask_for(console, UNFINISHED, "1", &expected, read)? {
            Choice::None => return Ok(None),
            Choice::Continue(number) => return Ok(Some(games.swap_remove(number - 1))),
            Choice::Delete(number) => {
                let (path, _) = games.remove(number - 1);
                std::fs::remove_file(&path).map_err(|why| content_error(&path, why))?;
            }
        }
    }
    if unasked {
        let of = wanted.map_or_else(String::new, |kind| format!(" of {kind}"));
        let dir = quoted_path(dir);
        return Err(failure!(
            "--resume: there is no unfinished game{of} in {dir}"
        ));
    }
    Ok(None)
}

fn described(game: &PgnGame) -> String {
    let title = with_game!(game.kind, G => <G as Show>::TITLE);
    let [first, second] = &game.players;
    let moves = number_of(game.moves.len(), "move");
    let day = game.tag("Date").unwrap_or_default().replace('.', "-");
    format!("{title}, {first} - {second}, {moves}, {day}")
}

/// Asks until the answer is one of these, or the beginning of one.
fn ask<T: Copy>(
    console: &mut Console,
    question: &str,
    default: &str,
    answers: &[(&str, T)],
) -> Result<T, Failure> {
    let names: Vec<&str> = answers.iter().map(|(name, _)| *name).collect();
    let expected = format!("one of {}", names.join(", "));
    ask_for(console, question, default, &expected, |line| {
        let exact = answers.iter().find(|(name, _)| *name == line);
        let answer = exact.or_else(|| answers.iter().find(|(name, _)| name.starts_with(line)));
        answer.map(|&(_, value)| value)
    })
}

/// Asks until the answer can be read; Enter takes the default.
fn ask_for<T>(
    console: &mut Console,
    question: &str,
    default: &str,
    expected: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<T, Failure> {
    loop {
        let line = match console.ask(&format!("{question} [{default}]"))? {
            Typed::Line(line) if line.is_empty() => default.to_owned(),
            Typed::Line(line) if line == "quit" => return Err(Failure::Code(0)),
            Typed::Line(line) => line.to_ascii_lowercase(),
            _ => return Err(Failure::Code(0)),
        };
        match read(&line) {
            Some(answer) => return Ok(answer),
            None => console.say(format!("{}: expected {expected}", quoted(&line)))?,
        }
    }
}

pub(super) fn ask_game(console: &mut Console) -> Result<GameKind, Failure> {
    let answers = GameKind::ALL.map(|kind| (kind.name(), kind));
    let question = format!("Which game, {}?", GameKind::any_name());
    ask(console, &question, answers[0].0, &answers)
}

pub(super) fn ask_side(console: &mut Console, kind: GameKind) -> Result<[bool; 2], Failure> {
    let [first, second] = side_names(kind);
    let mut answers = vec![(&*first, [true, false]), (&*second, [false, true])];
    answers.extend(SIDES);
    let question = format!("Your side, {first} (first), {second}, both or none?");
    ask(console, &question, &first, &answers)
}

pub(super) fn ask_level(console: &mut Console) -> Result<Strength, Failure> {
    let words = LEVELS.map(|(level, word)| format!("{level} {word}"));
    let question = format!("Level: {}?", words.join(", "));
    let most = Level::FULL;
    let expected = format!("a number from 0 to {most}, one of these words, or quit");
    let read = |line: &str| level(line).ok();
    let default = DEFAULT_LEVEL.to_string();
    ask_for(console, &question, &default, &expected, read).map(Strength::Level)
}
