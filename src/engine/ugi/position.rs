//! The commands that set the position.

use super::words::{Word, words};
use crate::game::{Game, GameKind, Layout, Rng, with_game};
use crate::text::quoted;

/// Reads the position from a whole `position` line.
///
/// # Errors
/// What is wrong, where, and what was expected.
pub fn read_position_line<G: Game>(line: &str) -> Result<G, String> {
    let words = words(line);
    let Some(form) = words.get(1) else {
        return Err("expected 'startpos', 'fen' or 'random' after it".to_owned());
    };
    let (start, rest) = match form.text {
        "startpos" => (G::start(), &words[2..]),
        "fen" => {
            let fen = &words[2..];
            let end = fen.iter().position(|word| word.text == "moves");
            let (fen, rest) = fen.split_at(end.unwrap_or(fen.len()));
            (read_fen(line, fen)?, rest)
        }
        "random" => {
            let missing = "expected a seed after 'random', a number from 0 to 2^64 - 1";
            let seed = words.get(2).ok_or(missing)?;
            let is_number = seed.text.bytes().all(|byte| byte.is_ascii_digit());
            let value = seed.text.parse().ok().filter(|_| is_number);
            let value = value.ok_or_else(|| seed.refused("a seed, a number from 0 to 2^64 - 1"))?;
            let start = G::random_start(Layout::Halves, &mut Rng::new(value));
            (start, &words[3..])
        }
        _ => return Err(form.refused("'startpos', 'fen' or 'random'")),
    };
    match rest.split_first() {
        None => Ok(start),
        Some((word, moves)) if word.text == "moves" => play_moves(&start, moves),
        Some((word, _)) => Err(word.refused("'moves' or the end of the line")),
    }
}

/// Reads the position from the words between `fen` and `moves`.
fn read_fen<G: Game>(line: &str, fen: &[Word<'_>]) -> Result<G, String> {
    let (Some(first), Some(last)) = (fen.first(), fen.last()) else {
        return Err(format!("expected a position of {} after 'fen'", G::NAME));
    };
    let text = line.get(first.at..last.end()).unwrap_or_default();
    text.parse().map_err(|why| {
        let other = GameKind::ALL.into_iter().find(|&kind| is_of(kind, text));
        match other {
            Some(kind) => format!(
                "fen {}: this is a position of {kind}, but the engine plays {}: \
                 expected 'setoption name Game value {kind}' first",
                quoted(text),
                G::NAME
            ),
            None => format!("fen {}: {why}", quoted(text)),
        }
    })
}

fn is_of(kind: GameKind, text: &str) -> bool {
    with_game!(kind, G => text.parse::<G>().is_ok())
}

/// Plays moves one after the other: all of them or none.
///
/// # Errors
/// Which move is bad, its place in the line, and why.
pub(super) fn play_moves<G: Game>(start: &G, moves: &[Word<'_>]) -> Result<G, String> {
    let mut position = *start;
    for (index, word) in moves.iter().enumerate() {
        let mv = position
            .read_move(word.text)
            .map_err(|why| format!("move {} (word {}): {why}", index + 1, word.number))?;
        position = position.play(mv);
    }
    Ok(position)
}
