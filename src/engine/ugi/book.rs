//! The book: what long searches found about the first moves, for the option `OwnBook`.
//!
//! A book is a file of openings. The moves of each are followed, after a `#`, by the
//! value for the side that moved last, in centipoints, and the best reply that was
//! found: `d5e5x # value +12 error 9 depth 15 reply c5b6x`. The book plays an
//! opening's last move if its value is at most [`ALLOWANCE`] below that of the best
//! opening, and the reply after any opening. It knows positions up to the symmetries
//! of the board.

use rustc_hash::FxHashSet;

use crate::game::{Game, GameKind, canonical_key};

/// By how many centipoints a book move may be worse than the best one.
const ALLOWANCE: i32 = 5;

fn openings_of<G: Game>() -> &'static str {
    match GameKind::named(G::NAME) {
        Some(GameKind::Yoxii) => include_str!("book/yoxii.txt"),
        // Hokito has no fixed start.
        Some(GameKind::Hokito) | None => "",
    }
}

/// Positions that the book knows, by their [`canonical_key`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Book {
    positions: FxHashSet<u64>,
    /// Positions after moves of the book.
    reached: FxHashSet<u64>,
}

struct Opening<G: Game> {
    /// The position before its last move.
    before: G,
    mv: G::Move,
    value: i32,
    reply: G::Move,
}

impl Book {
    /// The book of a game; it is empty for a game without one.
    pub(super) fn of_game<G: Game>() -> Self {
        let lines = openings_of::<G>().lines();
        let openings: Vec<Opening<G>> = lines.filter_map(read_opening).collect();
        let best = openings.iter().map(|opening| opening.value).max();
        let best = best.unwrap_or_default();
        let mut book = Self::default();
        for opening in openings {
            let after = opening.before.play(opening.mv);
            if best - opening.value <= ALLOWANCE {
                book.add(&opening.before, opening.mv);
            }
            book.add(&after, opening.reply);
        }
        book
    }

    fn add<G: Game>(&mut self, position: &G, mv: G::Move) {
        self.positions.insert(canonical_key(position));
        self.reached.insert(canonical_key(&position.play(mv)));
    }

    /// The moves that the book plays in a position; none if it does not know the
    /// position.
    pub(super) fn moves<G: Game>(&self, position: &G) -> Vec<G::Move> {
        if !self.positions.contains(&canonical_key(position)) {
            return Vec::new();
        }
        let is_good = |mv: &G::Move| self.reached.contains(&canonical_key(&position.play(*mv)));
        position.moves().into_iter().filter(is_good).collect()
    }
}

/// Reads a line; `None` if it is a remark.
fn read_opening<G: Game>(line: &str) -> Option<Opening<G>> {
    let (moves, values) = line.split_once('#')?;
    let mut moves: Vec<&str> = moves.split_whitespace().collect();
    let last = moves.pop()?;
    let mut before = G::start();
    for mv in moves {
        before = before.play(before.read_move(mv).ok()?);
    }
    let mv = before.read_move(last).ok()?;
    let words: Vec<&str> = values.split_whitespace().collect();
    let word_after = |name: &str| words.iter().skip_while(|&&word| word != name).nth(1);
    Some(Opening {
        before,
        mv,
        value: word_after("value")?.parse().ok()?,
        reply: before.play(mv).read_move(word_after("reply")?).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Yoxii;

    #[test]
    fn every_first_move_of_yoxii_is_known_with_its_value_and_a_reply() {
        let lines = openings_of::<Yoxii>().lines();
        assert_eq!(lines.filter_map(read_opening::<Yoxii>).count(), 40);
        let book = Book::of_game::<Yoxii>();
        let start = Yoxii::start();
        for mv in start.moves() {
            let after = start.play(mv);
            assert!(!book.moves(&after).is_empty(), "{mv}");
        }
        let played = book.moves(&start);
        assert!(!played.is_empty() && played.len() < 256, "{}", played.len());
    }

    #[test]
    fn a_book_move_is_as_good_as_its_images() {
        let (book, start) = (Book::of_game::<Yoxii>(), Yoxii::start());
        let keys = |moves: &[<Yoxii as Game>::Move]| -> FxHashSet<u64> {
            let after = moves.iter().map(|&mv| canonical_key(&start.play(mv)));
            after.collect()
        };
        let played = book.moves(&start);
        let images: Vec<_> = start
            .moves()
            .into_iter()
            .filter(|&mv| keys(&played).contains(&canonical_key(&start.play(mv))))
            .collect();
        assert_eq!(played, images);
    }
}
