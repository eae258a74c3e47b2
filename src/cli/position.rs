//! Positions on the command line: which game they belong to, and the moves after them.

use std::path::Path;

use super::{Failure, Global};
use totemic_engine::game::{AnyPosition, Game, GameKind, PositionError, with_game};
use totemic_engine::text::quoted;
use totemic_games::record::notation::{Notation, read_moves};

/// Recognises the game, and plays moves, also those after `moves` in the text.
pub(super) fn read_position(
    global: Global,
    text: &str,
    moves: &[String],
) -> Result<AnyPosition, Failure> {
    if let Some((text, first)) = text.split_once(" moves ") {
        let all = [&[first.to_owned()][..], moves].concat();
        return read_position(global, text.trim(), &all);
    }
    with_game!(game_of(global, text)?, G => read::<G>(text, moves).map(AnyPosition::from))
}

/// Recognises the game of a position, which must be the one that was asked for.
pub(super) fn game_of(global: Global, text: &str) -> Result<GameKind, Failure> {
    let kind = GameKind::of_text(text).unwrap_or(global.kind());
    global.check_game(kind, || format!("position {} is", quoted(text)))?;
    Ok(kind)
}

fn refused<G: Game>(text: &str, why: &PositionError) -> Failure {
    let hint = match why {
        _ if Path::new(text).is_file() => "this is a file: `analyze` and `solve` read positions \
            from one with --file, `review` reads games"
            .to_owned(),
        _ if !text.contains('/') => format!(
            "expected 'startpos' or a position in quotes, as in \"{}\"",
            G::start()
        ),
        PositionError::NoSide { .. } => {
            format!("{why} (the whole position is one argument, in quotes)")
        }
        _ => format!("{why} (read as a position of {})", G::NAME),
    };
    usage!("position {}: {hint}", quoted(text))
}

fn read<G: Notation>(text: &str, moves: &[String]) -> Result<G, Failure> {
    let start = G::read_position(text).map_err(|why| refused::<G>(text, &why))?;
    if moves.is_empty() {
        return Ok(start);
    }
    let played = read_moves(&start, &moves.join(" "));
    let (_, position) = played.map_err(|why| usage!("{why}"))?;
    Ok(position)
}
