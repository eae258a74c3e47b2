//! Reads journals: the first line describes the match, each other line is a game.

use serde::{Deserialize, Serialize};

use super::{Draft, PlayedGame, ReadError};
use crate::game::GameKind;
use crate::record::GameRecord;
use crate::record::fault::Fault;

/// The part of the first line that readers of games need.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    pub(crate) settings: Summary,
}

/// The names of the game and of those who play it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Summary {
    pub game: String,
    pub engines: Vec<Entrant>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Entrant {
    pub name: String,
}

/// Reads the games of a journal. The last line is ignored if a killed program left only
/// part of it.
pub(super) fn drafts(text: &str) -> Vec<Result<Draft, ReadError>> {
    let mut lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    let Some((number, first)) = lines.next() else {
        return Vec::new();
    };
    let Ok(header) = serde_json::from_str::<Header>(first) else {
        return vec![Err(ReadError::new(number, Fault::NoJournal))];
    };
    let last = text.lines().count();
    let draft = |(number, line): (usize, &str)| {
        let draft = read_line(number, line, &header.settings);
        let is_torn = number == last && !text.ends_with('\n');
        (draft.is_ok() || !is_torn).then_some(draft)
    };
    lines.filter_map(draft).collect()
}

fn read_line(line: usize, text: &str, of: &Summary) -> Result<Draft, ReadError> {
    let wrong = |why: Fault| ReadError::new(line, why);
    let game: GameRecord = serde_json::from_str(text).map_err(|why| {
        let text = why.to_string();
        wrong(Fault::NoRecord { text })
    })?;
    let kind = GameKind::named(&of.game).ok_or_else(|| {
        let name = of.game.clone();
        wrong(Fault::NoSuchGame { name })
    })?;
    let name = |engine: usize| {
        let found = of.engines.get(engine);
        found.map_or_else(|| format!("engine {engine}"), |engine| engine.name.clone())
    };
    let outcome = game.result;
    let mut game = PlayedGame::of_record(&game, kind, game.engines.map(name));
    game.line = line;
    game.moves.iter_mut().for_each(|made| made.line = line);
    Ok(Draft {
        game,
        kind: Some(kind),
        token: outcome.word().to_owned(),
        ..Draft::default()
    })
}
