//! Reads lines of moves, one game per line, as in openings and in UGI's `position`.

use super::{Draft, PgnGame, PgnMove, ReadError, kind_of_draft};
use crate::record::fault::Fault;
use totemic_engine::game::GameKind;

/// Reads the games in a text; blank lines and everything after a `#` are ignored.
pub(super) fn drafts(text: &str, hint: Option<GameKind>) -> Vec<Result<Draft, ReadError>> {
    let draft = |(number, line): (usize, &str)| {
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().collect();
        (!words.is_empty()).then(|| draft_of(number, &words, hint))
    };
    (1..).zip(text.lines()).filter_map(draft).collect()
}

/// `[GAME] [position] [startpos | [fen] POSITION SIDE] [moves] MOVE…`
fn draft_of(line: usize, mut words: &[&str], hint: Option<GameKind>) -> Result<Draft, ReadError> {
    let mut take = |word: &str| {
        let is_next = words.first().is_some_and(|first| *first == word);
        words = &words[usize::from(is_next)..];
        is_next
    };
    let named = GameKind::ALL.into_iter().find(|kind| take(kind.name()));
    take("position");
    let is_fen = take("fen");
    let mut start = String::new();
    if !take("startpos") {
        match *words {
            [board, side, ref rest @ ..] if board.contains('/') => {
                (start, words) = (format!("{board} {side}"), rest);
            }
            [board, ..] if is_fen || board.contains('/') => {
                let text = board.to_owned();
                return Err(ReadError::new(line, Fault::NoSideAfter { text }));
            }
            _ if is_fen => return Err(ReadError::new(line, Fault::NoPosition)),
            _ => {}
        }
    }
    words = words.strip_prefix(&["moves"]).unwrap_or(words);
    let moves = words.iter().map(|mv| PgnMove::on_line(line, mv));
    let mut game = PgnGame {
        line,
        start,
        moves: moves.collect(),
        ..PgnGame::default()
    };
    game.kind = kind_of_draft(&game, named, hint);
    Ok(Draft {
        game,
        is_typed: true,
        ..Draft::default()
    })
}
