//! What `query` answers.

use std::cell::OnceCell;
use std::fmt::{Display, Write as _};

use arrayvec::ArrayString;

use super::output::printable;
use super::words::Word;
use crate::drawing::svg::document;
use crate::game::{Encode, Outcome, Planes, Side, action_of, planes, sorted_moves};

const SUBJECTS: &str = "'p1turn', 'turn', 'gameover', 'result', 'fen', 'legalmoves', 'score', \
                        'islegal MOVE', 'route MOVE', 'planes', 'actions', 'svg' or 'echo WORD' after 'query'";

/// The [`sorted_moves`] of a position; empty until they are asked for.
pub(super) type SortedMoves<M> = OnceCell<Vec<(ArrayString<8>, M)>>;

/// The answer to the words of a `query` about a position, a `response` line. `moves` are
/// those of the position.
///
/// `lost_position` says that the client's last `position` or `moves` was refused, so
/// that the client assumes another position. Then the game is over without a result:
/// a client that never checks would play on for ever.
///
/// # Errors
/// What is wrong, and what was expected.
pub(super) fn answer<G: Encode>(
    words: &[Word<'_>],
    position: &G,
    moves: &SortedMoves<G::Move>,
    lost_position: bool,
) -> Result<String, String> {
    let subject = words.get(1).ok_or_else(|| format!("expected {SUBJECTS}"))?;
    let word = |what: &str| {
        let missing = || format!("{subject} has no value: expected {what} after it");
        words.get(2).ok_or_else(missing)
    };
    let mut line = String::from("response");
    let mut say = |word: &dyn Display| {
        line.push(' ');
        // Writing into a string cannot fail.
        let _ = write!(line, "{word}");
    };
    match subject.text {
        "p1turn" => say(&(position.side() == Side::First)),
        "turn" => say(&position.side().word()),
        "gameover" => say(&(lost_position || !position.has_moves())),
        "result" => {
            let outcome = position.outcome().filter(|_| !lost_position);
            say(&Outcome::result_word(outcome));
        }
        "fen" => say(position),
        "legalmoves" => {
            for (text, _) in moves.get_or_init(|| sorted_moves(position)) {
                line.push(' ');
                line.push_str(text);
            }
        }
        "score" => position.standing().points.iter().for_each(|it| say(it)),
        "islegal" => say(&position.read_move(word("a move")?.text).is_ok()),
        "route" => {
            let word = word("a move")?;
            let mv = position
                .read_move(word.text)
                .map_err(|why| format!("word {}: {why}", word.number))?;
            position.route(mv).iter().for_each(|cell| say(cell));
        }
        "planes" => {
            let viewer = match words.get(2) {
                None => position.side(),
                Some(word) => Side::of_word(word.text)
                    .ok_or_else(|| word.refused("'p1', 'p2' or nothing after 'planes'"))?,
            };
            let Planes { shape, values } = planes(position, viewer);
            shape.iter().for_each(|count| say(count));
            let text = values.into_iter().map(|value| b'0' + value).collect();
            say(&String::from_utf8(text).unwrap_or_default());
        }
        "actions" => {
            say(&G::ACTIONS);
            let side = position.side();
            for &(_, mv) in moves.get_or_init(|| sorted_moves(position)) {
                say(&action_of::<G>(mv, side));
            }
        }
        "svg" => say(&document(position).replace('\n', "")),
        "echo" => say(&printable(word("a word")?.text)),
        _ => return Err(subject.refused(SUBJECTS)),
    }
    Ok(line)
}
