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
) -> Result<(Vec<PlayedGame>, Vec<String>), Failure> {
    let hint = global.game;
    let mut all = Vec::new();
    for source in &args.games {
        let path = Path::new(source);
        // What is wrong with a game that is an argument is wrong usage.
        if source != "-" && !path.exists() && source.contains(char::is_whitespace) {
            let games = read(source, hint).into_iter();
            let judged = games.map(judged).collect::<Result<Vec<_>, _>>();
            let judged = judged.and_then(|games| match games.is_empty() {
                true => Err("there is no game in it".to_owned()),
                false => Ok(games),
            });
            let refused = |why| Failure::Usage(format!("{}: {why}", quoted(source)));
            all.extend(judged.map_err(refused)?.into_iter().map(Ok));
            continue;
        }
        let shown = quoted_path(path);
        let bytes = files::read_or_stdin(path, "a file of games, or a game in quotes")?;
        let games = read(&files::text(path, bytes)?, hint);
        if games.is_empty() {
            return Err(Failure::Work(format!("{shown}: there is no game in it")));
        }
        let named = |why| format!("{shown}, {why}");
        all.extend(games.into_iter().map(|game| judged(game).map_err(named)));
    }
    if let Some(number) = args.game_number {
        let count = all.len();
        let wanted = usize::try_from(number - 1).ok().filter(|&at| at < count);
        let Some(wanted) = wanted else {
            return Err(Failure::Usage(format!(
                "--game-number {number}: there are {count} games, expected from 1 to {count}"
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
