//! Lines of moves, a game each, as openings and UGI's `position` have them.

use super::{Draft, PlayedMove, ReadError};
use crate::game::{GameKind, quoted};

/// The games of a text; blank lines and what follows a `#` mean nothing.
pub(super) fn drafts(text: &str) -> Vec<Result<Draft, ReadError>> {
    let draft = |(index, line): (usize, &str)| {
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().collect();
        (!words.is_empty()).then(|| read_line(index + 1, &words))
    };
    text.lines().enumerate().filter_map(draft).collect()
}

/// `[GAME] [position] [startpos | [fen] POSITION SIDE] [moves] MOVE…`
fn read_line(line: usize, mut words: &[&str]) -> Result<Draft, ReadError> {
    let mut take = |word: &str| {
        let found = words.first().is_some_and(|first| *first == word);
        words = &words[usize::from(found)..];
        found
    };
    let named = |kind: &GameKind| take(kind.name());
    let kind = GameKind::ALL.into_iter().find(named);
    take("position");
    let is_fen = take("fen");
    let start = if take("startpos") {
        None
    } else {
        position(line, &mut words, is_fen)?
    };
    if words.first() == Some(&"moves") {
        words = &words[1..];
    }
    let played = |mv: &&str| PlayedMove {
        mv: (*mv).to_owned(),
        line,
        ..PlayedMove::default()
    };
    Ok(Draft {
        line,
        kind,
        start,
        moves: words.iter().map(played).collect(),
        is_typed: true,
        ..Draft::default()
    })
}

/// The two words of a position, if they stand there.
fn position(line: usize, words: &mut &[&str], is_fen: bool) -> Result<Option<String>, ReadError> {
    match **words {
        [board, side, ref rest @ ..] if board.contains('/') => {
            *words = rest;
            Ok(Some(format!("{board} {side}")))
        }
        [board, ..] if is_fen || board.contains('/') => Err(ReadError::new(
            line,
            format!(
                "{}: expected a position, a board and the side to move",
                quoted(board)
            ),
        )),
        _ if is_fen => Err(ReadError::new(line, "expected a position behind 'fen'")),
        _ => Ok(None),
    }
}
