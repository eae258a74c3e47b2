//! Where the games come from.

use std::path::Path;

use super::super::{Failure, Global, files};
use super::ReviewArgs;
use crate::game::{quoted, quoted_path};
use crate::record::reader::{PlayedGame, ReadError, read};

/// The games asked for, and what could not be read.
pub(super) fn read_games(
    global: Global,
    args: &ReviewArgs,
) -> Result<(Vec<PlayedGame>, Vec<Failure>), Failure> {
    let mut all = Vec::new();
    for source in &args.games {
        let path = Path::new(source);
        let games = if is_game(source) {
            // What is wrong with a game that is an argument is wrong usage.
            let named = |why| {
                let shown = quoted(source);
                Failure::Usage(format!(
                    "{shown}: there is no such file, and as a game: {why}"
                ))
            };
            games_of(source, global, named)
        } else {
            let named = |why| Failure::Work(format!("{}, {why}", quoted_path(path)));
            match files::text_or_stdin(path, "a file of games, or a game in quotes") {
                Ok(text) => games_of(&text, global, named),
                Err(why) => vec![Err(why)],
            }
        };
        all.extend(games);
    }
    if let Some(number) = args.game_number {
        let count = all.len();
        let wanted = usize::try_from(number - 1).ok().filter(|&at| at < count);
        let Some(wanted) = wanted else {
            return Err(Failure::Usage(format!(
                "--game-number {number}: expected from 1 to {count}, the number of games"
            )));
        };
        all = vec![all.swap_remove(wanted)];
    }
    let (mut games, mut unreadable) = (Vec::new(), Vec::new());
    for game in all {
        match game {
            Ok(game) => games.push(game),
            Err(why) => unreadable.push(why),
        }
    }
    Ok((games, unreadable))
}

/// Whether an argument is a game and not a file: of several words, and neither there
/// nor with a file's ending.
fn is_game(source: &str) -> bool {
    let path = Path::new(source);
    let ending = path.extension().and_then(|ending| ending.to_str());
    let is_file =
        ending.is_some_and(|it| !it.is_empty() && it.chars().all(|c| c.is_ascii_alphabetic()));
    source.contains(char::is_whitespace) && !is_file && !path.exists()
}

/// The games of a text, at least one or a failure.
fn games_of(
    text: &str,
    global: Global,
    named: impl Fn(String) -> Failure,
) -> Vec<Result<PlayedGame, Failure>> {
    let games: Vec<_> = read(text, global.game)
        .into_iter()
        .map(|game| judged(game).map_err(&named))
        .collect();
    match games.is_empty() {
        true => vec![Err(named("line 1: there is no game".to_owned()))],
        false => games,
    }
}

/// A game with moves, or why there is none.
fn judged(game: Result<PlayedGame, ReadError>) -> Result<PlayedGame, String> {
    match game {
        Ok(game) if game.moves.is_empty() => {
            let why = "a game without moves: expected one move at least";
            Err(format!("line {}: {why}", game.line))
        }
        game => game.map_err(|why| why.to_string()),
    }
}
