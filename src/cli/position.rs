//! Positions on the command line: which game they belong to, and the moves after them.

use std::path::Path;

use super::{Failure, Global};
pub(super) use totemic_engine::game::AnyPosition;
pub(super) use totemic_engine::game::with_position as on_position;
use totemic_engine::game::{Game, GameKind, PositionError, quoted, with_game};
use totemic_games::record::notation::{Notation, read_moves};

/// Reads `startpos` or a position's text, recognises its game, and plays moves from
/// there, including those after the word `moves` in the text.
pub(super) fn read_position(
    global: Global,
    text: &str,
    moves: &[String],
) -> Result<AnyPosition, Failure> {
    if let Some((text, first)) = text.split_once(" moves ") {
        let all: Vec<String> = [first.to_owned()]
            .into_iter()
            .chain(moves.iter().cloned())
            .collect();
        return read_position(global, text.trim(), &all);
    }
    let kind = if text == "startpos" {
        global.kind()
    } else {
        let recognised = GameKind::of_text(text);
        let asked = global.game;
        match (recognised, asked) {
            (Some(found), Some(asked)) if found != asked => {
                return Err(Failure::Usage(format!(
                    "position {}: this is a position of {found}, \
                     but --game {asked} was given",
                    quoted(text)
                )));
            }
            (found, asked) => found.or(asked).unwrap_or_default(),
        }
    };
    with_game!(kind, G => read::<G>(text, moves).map(AnyPosition::from))
}

/// Explains why a text is not a position, with hints for common mistakes.
fn refused<G: Game>(text: &str, why: &PositionError) -> Failure {
    let game = G::NAME;
    Failure::Usage(match why {
        _ if Path::new(text).is_file() => format!(
            "position {}: this is a file: `analyze` and `solve` read positions from one \
             with --file, `review` reads games",
            quoted(text)
        ),
        _ if !text.contains('/') => format!(
            "position {}: expected 'startpos' or a position in quotes, \
             as in \"{}\"",
            quoted(text),
            G::start()
        ),
        PositionError::NoSide { .. } => {
            format!(
                "position {}: {why} (the whole position is one argument, in quotes)",
                quoted(text)
            )
        }
        _ => format!(
            "position {}: {why} (read as a position of {game})",
            quoted(text)
        ),
    })
}

/// Reads a position of one game and plays moves that a person typed.
fn read<G: Notation>(text: &str, moves: &[String]) -> Result<G, Failure> {
    let start = if text == "startpos" {
        G::start()
    } else {
        text.parse::<G>().map_err(|why| refused::<G>(text, &why))?
    };
    if moves.is_empty() {
        return Ok(start);
    }
    let (_, position) =
        read_moves(&start, &moves.join(" ")).map_err(|why| Failure::Usage(why.to_string()))?;
    Ok(position)
}
