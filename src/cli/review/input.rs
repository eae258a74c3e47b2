//! Where the games come from.

use std::io::{self, Read};
use std::path::Path;

use super::super::{Failure, Global};
use super::ReviewArgs;
use crate::game::GameKind;
use crate::record::reader::{PlayedGame, ReadError, read};

/// The games asked for, and what could not be read.
pub(super) fn read_games(
    global: Global,
    args: &ReviewArgs,
) -> Result<(Vec<PlayedGame>, Vec<String>), Failure> {
    let hint = global.game.map(GameKind::from);
    let mut all = Vec::new();
    for source in &args.games {
        let text = text_of(source)?;
        let games = read(&text, hint);
        if games.is_empty() {
            return Err(Failure::Work(format!("'{source}': there is no game in it")));
        }
        let named = |why| format!("{source}, {why}");
        let judged = |game: Result<PlayedGame, ReadError>| match game {
            Ok(game) if game.moves.is_empty() => {
                let why = "a game without moves: expected one move at least";
                Err(format!("{source}, line {}: {why}", game.line))
            }
            game => game.map_err(named),
        };
        all.extend(games.into_iter().map(judged));
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

/// The text of a file, of stdin, or of an argument that is a game itself.
fn text_of(source: &str) -> Result<String, Failure> {
    let failed = |why: io::Error| Failure::Work(format!("cannot read '{source}': {why}"));
    let mut bytes = Vec::new();
    if source == "-" {
        io::stdin().lock().read_to_end(&mut bytes).map_err(failed)?;
    } else if !Path::new(source).exists() && source.contains(char::is_whitespace) {
        return Ok(source.to_owned());
    } else {
        bytes = std::fs::read(source).map_err(failed)?;
    }
    String::from_utf8(bytes).map_err(|why| {
        let at = why.utf8_error().valid_up_to();
        let line = why.as_bytes()[..at]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count()
            + 1;
        Failure::Work(format!("'{source}', line {line}: not UTF-8 text"))
    })
}
