//! What `query` answers.

use super::words::Word;
use crate::drawing::svg::board;
use crate::game::{Encode, Outcome, Side, action_of, planes};

const SUBJECTS: &str = "'p1turn', 'turn', 'gameover', 'result', 'fen', 'legalmoves', 'score', \
                        'islegal MOVE', 'route MOVE', 'planes', 'actions' or 'svg' after 'query'";

/// The answer to the words of a `query` about a position: what follows `response`.
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
    lost_position: bool,
) -> Result<String, String> {
    let subject = words.get(1).ok_or_else(|| format!("expected {SUBJECTS}"))?;
    let mv = || {
        let missing = || format!("{subject} has no value: expected a move after it");
        words.get(2).ok_or_else(missing)
    };
    Ok(match subject.text {
        "p1turn" => (position.side() == Side::First).to_string(),
        "turn" => position.side().word().to_owned(),
        "gameover" => (lost_position || !position.has_moves()).to_string(),
        "result" => {
            let outcome = position.outcome().filter(|_| !lost_position);
            outcome.map_or("none", Outcome::word).to_owned()
        }
        "fen" => position.to_string(),
        "legalmoves" => {
            let moves = sorted_moves(position).into_iter();
            moves.map(|(text, _)| text).collect::<Vec<_>>().join(" ")
        }
        "score" => {
            let [first, second] = position.standing().points;
            format!("{first} {second}")
        }
        "islegal" => position.read_move(mv()?.text).is_ok().to_string(),
        "route" => {
            let word = mv()?;
            let mv = position
                .read_move(word.text)
                .map_err(|why| format!("word {}: {why}", word.number))?;
            let route = position.route(mv);
            let squares: Vec<String> = route.iter().map(ToString::to_string).collect();
            squares.join(" ")
        }
        "planes" => {
            let viewer = match words.get(2) {
                None => position.side(),
                Some(word) => [Side::First, Side::Second]
                    .into_iter()
                    .find(|side| side.word() == word.text)
                    .ok_or_else(|| word.refused("'p1', 'p2' or nothing after 'planes'"))?,
            };
            let planes = planes(position, viewer);
            let values = planes.values.iter().map(|&value| char::from(b'0' + value));
            let [count, ranks, files] = planes.shape;
            format!("{count} {ranks} {files} {}", values.collect::<String>())
        }
        "actions" => {
            let side = position.side();
            let moves = sorted_moves(position).into_iter();
            let actions = moves.map(|(_, mv)| format!(" {}", action_of::<G>(mv, side)));
            G::ACTIONS.to_string() + &actions.collect::<String>()
        }
        "svg" => {
            let svg = board(position, &[]).replace('\n', "");
            // In a file of its own it needs the name of the namespace.
            svg.replacen("<svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"", 1)
        }
        _ => return Err(subject.refused(SUBJECTS)),
    })
}

/// The legal moves in the order of their texts.
fn sorted_moves<G: Encode>(position: &G) -> Vec<(String, G::Move)> {
    let moves = position.moves();
    let mut moves: Vec<_> = moves.iter().map(|&mv| (mv.to_string(), mv)).collect();
    moves.sort_unstable();
    moves
}
