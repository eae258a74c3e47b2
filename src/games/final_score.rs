//! Explains the end of a game by the rules: what counted for each side, and who won.

use std::cmp::Reverse;

use serde::Serialize;

use totemic_engine::game::{Cell, Game, Hokito, Outcome, Side, Standing, Yoxii};

/// What a square contributes to the final score.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Counted {
    /// The square.
    #[serde(rename = "square")]
    pub cell: Cell,
    /// The piece or stack on that square, as in the position's text.
    #[serde(skip)]
    pub text: String,
    /// Its points.
    pub points: i32,
}

/// A game whose score is a sum over squares.
pub trait Count: Game {
    /// Why the game is over, as words after the name of the side to move.
    const REASON: &'static str;
    /// What each side counts.
    const RULE: &'static str;

    /// What the piece or stack on a square counts for its side; these points add up to those
    /// of [`Game::standing`].
    fn points(&self, cell: Cell) -> i32;
}

impl Count for Yoxii {
    const REASON: &'static str = "cannot move the totem";
    const RULE: &'static str = "the values of its pieces next to the totem";

    fn points(&self, cell: Cell) -> i32 {
        if !Self::near(self.totem()).has(cell) {
            return 0;
        }
        let value = (1..=4).find(|&value| self.pieces_of_value(value).has(cell));
        value.map_or(0, i32::from)
    }
}

impl Count for Hokito {
    const REASON: &'static str = "cannot move";
    const RULE: &'static str = "value times height of every square that it tops";

    fn points(&self, cell: Cell) -> i32 {
        i32::from(self.value(cell)) * i32::from(self.height(cell))
    }
}

/// The squares that count for a side, the most valuable first.
pub(crate) fn counted<G: Count>(position: &G, side: Side) -> Vec<Counted> {
    let count = |cell| {
        let glyph = position.glyph(cell).filter(|it| it.side == Some(side))?;
        let (text, points) = (glyph.text, position.points(cell));
        (points > 0).then_some(Counted { cell, text, points })
    };
    let mut counted: Vec<_> = G::BOARD.into_iter().filter_map(count).collect();
    counted.sort_by_key(|it| Reverse(it.points));
    counted
}

/// Says in a sentence who won, and with how many points; `None` while the game goes on.
pub fn verdict<G: Game>(position: &G) -> Option<String> {
    let Standing { points, tie_break } = position.standing();
    let Outcome::Win(winner) = position.outcome()? else {
        return Some(format!("A draw: {} points each.", points[0]));
    };
    let of = |pair: [i32; 2]| (pair[winner.index()], pair[winner.other().index()]);
    let name = G::SIDE_NAMES[winner.index()];
    let ((more, fewer), (pieces, others)) = (of(points), of(tie_break));
    Some(match more == fewer {
        true => format!("{more} points each, but {name} wins by {pieces} pieces to {others}."),
        false => format!("{name} wins by {more} points to {fewer}."),
    })
}

/// Explains the end in lines of at most `width` columns, which must be at least 30: why the
/// game is over, what counted for each side, and who won. `None` while the game goes on.
pub fn explain<G: Count>(position: &G, width: usize) -> Option<Vec<String>> {
    let verdict = verdict(position)?;
    let why = format!("{} {}: the game is over.", position.side_name(), G::REASON);
    let rule = format!("Each side counts {}:", G::RULE);
    let mut lines = wrapped("", &why, width);
    lines.extend(wrapped("", &rule, width));
    let sums = position.standing().points;
    for side in Side::BOTH {
        let (name, points) = (G::SIDE_NAMES[side.index()], sums[side.index()]);
        let item = |it: &Counted| {
            let text = format!("{} {} = {}", it.cell, it.text, it.points);
            text.replace(' ', NBSP)
        };
        let items: Vec<String> = counted(position, side).iter().map(item).collect();
        let items = match items.is_empty() {
            true => "nothing".to_owned(),
            false => items.join(", "),
        };
        lines.extend(wrapped(&format!("{name:<5} {points:>3}  "), &items, width));
    }
    lines.extend(wrapped("", &verdict, width));
    Some(lines)
}

/// Stands for a blank at which no line is broken.
const NBSP: &str = "\u{a0}";

/// Wraps a text after a heading, in lines of at most `width` columns if its words fit.
/// Later lines are indented by the length of the heading.
fn wrapped(head: &str, text: &str, width: usize) -> Vec<String> {
    let indent = " ".repeat(head.len());
    let options = textwrap::Options::new(width)
        .initial_indent(head)
        .subsequent_indent(&indent)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .break_words(false);
    let lines = textwrap::wrap(text, options);
    lines.iter().map(|line| line.replace(NBSP, " ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use totemic_engine::game::{Layout, Rng, random_game};

    /// Explains the ends of random games; returns how many the number of pieces decided.
    fn explained<G: Count>(games: usize) -> usize {
        let mut rng = Rng::new(6);
        let mut by_pieces = 0;
        for game in 0..games {
            let layout = [Layout::Halves, Layout::Scattered][game % 2];
            let start = G::random_start(layout, &mut rng);
            let (_, position) = random_game(start, G::MAX_PLIES, &mut rng);
            let lines = explain(&position, 60).expect("random games end");
            assert!(lines.iter().all(|line| line.chars().count() <= 60));
            let all = lines.join("\n");
            let standing = position.standing();
            for side in Side::BOTH {
                let (counted, points) = (counted(&position, side), standing.points[side.index()]);
                let sum: i32 = counted.iter().map(|it| it.points).sum();
                assert_eq!(sum, points, "{position}");
                for Counted { cell, text, points } in counted {
                    assert!(all.contains(&format!("{cell} {text} = {points}")), "{all}");
                }
            }
            let [first, second] = standing.points;
            if first == second && position.outcome() != Some(Outcome::Draw) {
                by_pieces += 1;
                let [more, fewer] = standing.tie_break;
                let pieces = format!("by {} pieces to {}.", more.max(fewer), more.min(fewer));
                assert!(all.ends_with(&pieces), "{all}");
            }
        }
        by_pieces
    }

    #[test]
    fn every_point_is_accounted_for() {
        assert!(explained::<Yoxii>(2000) > 0, "one game in some hundreds");
        assert_eq!(explained::<Hokito>(200), 0);
        let last: Hokito = "x6/x6/x6/x6/w1,x5/b2:3,x5 w".parse().expect("a position");
        let verdict = verdict(&last);
        assert_eq!(verdict.as_deref(), Some("Black wins by 6 points to 1."));
    }
}
