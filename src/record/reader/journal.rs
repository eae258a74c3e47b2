//! Journals of matches: a line that tells the match, then a game a line.

use super::text::close;
use super::{Draft, PlayedMove, ReadError};
use crate::game::{GameKind, Outcome};
use crate::record::GameRecord;
use crate::record::journal::{Header, Summary};

/// The games of a journal; a torn last line, which a sudden death leaves, is
/// passed over.
pub(super) fn drafts(text: &str) -> Vec<Result<Draft, ReadError>> {
    let mut lines = text.lines().enumerate();
    let header = loop {
        match lines.next() {
            Some((_, line)) if line.trim().is_empty() => {}
            Some((index, line)) => {
                break serde_json::from_str::<Header>(line).map_err(|_| {
                    let why = "not the first line of a match's journal";
                    ReadError::new(index + 1, why.to_owned())
                });
            }
            None => return Vec::new(),
        }
    };
    let header = match header {
        Ok(header) => header,
        Err(why) => return vec![Err(why)],
    };
    let last = text.lines().count();
    let is_torn = |index: usize| index + 1 == last && !text.ends_with('\n');
    let games = lines.filter(|(_, line)| !line.trim().is_empty());
    let draft = |(index, line): (usize, &str)| match read_line(index + 1, line, &header.settings) {
        Err(_) if is_torn(index) => None,
        draft => Some(draft),
    };
    games.filter_map(draft).collect()
}

fn read_line(line: usize, text: &str, of: &Summary) -> Result<Draft, ReadError> {
    let wrong = |why: String| ReadError::new(line, why);
    let game: GameRecord =
        serde_json::from_str(text).map_err(|why| wrong(format!("not a game: {why}")))?;
    let kind = GameKind::named(&of.game)
        .ok_or_else(|| wrong(format!("the match is of '{}', no game", of.game)))?;
    let name = |engine: usize| {
        let found = of.engines.get(engine);
        found.map_or_else(|| format!("engine {engine}"), |engine| engine.name.clone())
    };
    let played = |mv: String, is_book| PlayedMove {
        mv,
        is_book,
        line,
        ..PlayedMove::default()
    };
    let book = game.opening.moves.into_iter().map(|mv| played(mv, true));
    let own = game.moves.into_iter().map(|mv| played(mv.mv, false));
    let outcome = Outcome::from(game.result);
    let detail = if game.detail.is_empty() { "" } else { ": " };
    Ok(Draft {
        line,
        kind: Some(kind),
        start: Some(game.opening.fen),
        moves: book.chain(own).collect(),
        players: game.engines.map(name),
        result: Some((outcome.word().to_owned(), outcome)),
        close: close(game.reason.termination(), &game.reason.to_string()),
        reason: format!("{}{detail}{}", game.reason, game.detail),
        tags: Vec::new(),
        ..Draft::default()
    })
}
