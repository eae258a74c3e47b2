//! What `query` answers.

use super::words::Word;
use crate::game::{Game, Outcome, Side};

const SUBJECTS: &str = "'p1turn', 'turn', 'gameover', 'result', 'fen', 'legalmoves', 'score', \
                        'islegal MOVE' or 'route MOVE' behind 'query'";

/// The answer to the words of a `query` about a position, behind `response`.
///
/// `lost_position` says that the client's last `position` or `moves` was refused, so
/// that the client believes in another position. Then the game is over without a
/// result: a client that never checks would play on for ever.
///
/// # Errors
/// What was expected.
pub(super) fn answer<G: Game>(
    words: &[Word<'_>],
    position: &G,
    lost_position: bool,
) -> Result<String, String> {
    let subject = words.get(1).ok_or_else(|| format!("expected {SUBJECTS}"))?;
    let mv = || {
        let missing = || format!("{subject} has no value: expected a move behind it");
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
            let moves = position.moves();
            let mut moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
            moves.sort_unstable();
            moves.join(" ")
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
        _ => return Err(subject.refused(SUBJECTS)),
    })
}
