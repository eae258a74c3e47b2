//! Where the games come from.

use std::path::Path;

use super::ReviewArgs;
use crate::cli::files::Input;
use crate::cli::{Failure, Global};
use totemic_engine::text::{quoted, quoted_path};
use totemic_games::record::PgnGame;
use totemic_games::record::reader::read;

pub(super) fn read_games(
    global: Global,
    args: &ReviewArgs,
) -> Result<(Vec<PgnGame>, Vec<Failure>), Failure> {
    let mut all = Vec::new();
    for source in &args.games {
        let path = Path::new(source);
        let games = if let Some(source) = source.to_str().filter(|it| is_game(it)) {
            let named = |why| {
                let shown = quoted(source);
                usage!("{shown}: there is no such file, and it is not a game: {why}")
            };
            games_of(source, global, named)
        } else {
            let named = |why| failure!("{}, {why}", quoted_path(path));
            let expected = "a file of games, or a game in quotes";
            match Input::open(path, expected).and_then(Input::text) {
                Ok(text) if text.trim().is_empty() => {
                    say!("{}: there is no game", quoted_path(path));
                    Vec::new()
                }
                Ok(text) => games_of(&text, global, named),
                Err(why) => vec![Err(why)],
            }
        };
        all.extend(games);
    }
    if let Some(number) = args.game_number {
        let count = all.len();
        let wanted = all.into_iter().nth(number - 1);
        all = vec![wanted.ok_or_else(|| {
            usage!("--game-number {number}: expected from 1 to {count}, the number of games")
        })?];
    }
    let (games, unreadable): (Vec<_>, Vec<_>) = all.into_iter().partition(Result::is_ok);
    let unreadable = unreadable.into_iter().filter_map(Result::err).collect();
    Ok((games.into_iter().flatten().collect(), unreadable))
}

/// Whether it is several words that neither name a file nor end like one.
fn is_game(source: &str) -> bool {
    let path = Path::new(source);
    let ending = path.extension().and_then(|ending| ending.to_str());
    let is_file =
        ending.is_some_and(|it| !it.is_empty() && it.chars().all(|c| c.is_ascii_alphabetic()));
    source.contains(char::is_whitespace) && !is_file && !path.exists()
}

fn games_of(
    text: &str,
    global: Global,
    named: impl Fn(String) -> Failure,
) -> Vec<Result<PgnGame, Failure>> {
    let games = read(text, global.game).into_iter();
    let games = games.filter_map(|game| match game {
        Ok(PgnGame { line, moves, .. }) if moves.is_empty() => Some(Err(named(format!(
            "line {line}: a game without moves: expected at least one move"
        )))),
        Err(why) if why.is_cut_off() => {
            say!("{}", named(why.to_string()));
            None
        }
        Ok(game) => {
            let what = || format!("the game in line {} is", game.line);
            let agreed = global.check_game(game.kind, what);
            let agreed = agreed.map_err(|why| usage!("{}", named(why.to_string())));
            Some(agreed.map(|()| game))
        }
        Err(why) => Some(Err(named(why.to_string()))),
    });
    let games: Vec<_> = games.collect();
    match games.is_empty() {
        true => vec![Err(named("line 1: there is no game".to_owned()))],
        false => games,
    }
}
