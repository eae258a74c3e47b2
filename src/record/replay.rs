//! A record played again by the rules.

use super::game::GameRecord;
use crate::game::{Game, quoted};

/// All positions of a game from where the engines took over to the last one.
pub(crate) fn positions<G: Game>(game: &GameRecord) -> Result<Vec<G>, String> {
    let start = &game.opening.fen;
    let mut position: G = start
        .parse()
        .map_err(|why| format!("its opening {}: {why}", quoted(start)))?;
    if position.to_string() != *start {
        return Err(format!(
            "its opening is {}, expected '{position}'",
            quoted(start)
        ));
    }
    for text in &game.opening.moves {
        position = played(&position, text).map_err(|why| format!("its opening: {why}"))?;
    }
    let mut positions = Vec::with_capacity(game.moves.len() + 1);
    positions.push(position);
    for (index, made) in game.moves.iter().enumerate() {
        position =
            played(&position, &made.mv).map_err(|why| format!("its move {}: {why}", index + 1))?;
        positions.push(position);
    }
    Ok(positions)
}

fn played<G: Game>(position: &G, text: &str) -> Result<G, String> {
    let mv = position.read_move(text).map_err(|why| why.to_string())?;
    if mv.to_string() == text {
        Ok(position.play(mv))
    } else {
        Err(format!("'{text}', expected '{mv}'"))
    }
}
