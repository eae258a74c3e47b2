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
    const STUCK: &'static str;
    /// What each side counts.
    const RULE: &'static str;

    /// Returns the squares that count for a side, the most valuable first; their points
    /// add up to those of [`Game::standing`].
    fn counted(&self, side: Side) -> Vec<Counted>;
}

fn counted<G: Game>(
    position: &G,
    cells: impl IntoIterator<Item = Cell>,
    points: impl Fn(Cell) -> i32,
) -> Vec<Counted> {
    let count = |cell| {
        let text = position.glyph(cell)?.text;
        let points = points(cell);
        Some(Counted { cell, text, points })
    };
    let mut counted: Vec<_> = cells.into_iter().filter_map(count).collect();
    counted.sort_by_key(|it| Reverse(it.points));
    counted
}

impl Count for Yoxii {
    const STUCK: &'static str = "cannot move the totem";
    const RULE: &'static str = "the values of its pieces next to the totem";

    fn counted(&self, side: Side) -> Vec<Counted> {
        let ring = Self::near(self.totem()) & self.pieces(side);
        let value = |cell| (1..=4).find(|&value| self.pieces_of_value(value).has(cell));
        counted(self, ring, |cell| value(cell).map_or(0, i32::from))
    }
}

impl Count for Hokito {
    const STUCK: &'static str = "cannot move";
    const RULE: &'static str = "value times height of every square that it tops";

    fn counted(&self, side: Side) -> Vec<Counted> {
        counted(self, self.topped_by(side), |cell| {
            i32::from(self.value(cell)) * i32::from(self.height(cell))
        })
    }
}

/// What decided a game that the rules have ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// One side has more points.
    Points,
    /// The points are equal, but one side has more pieces that count.
    Pieces,
    /// It is a draw.
    Nothing,
}

/// How the final score was counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinalScore {
    stuck: Side,
    outcome: Outcome,
    pub(crate) decision: Decision,
    standing: Standing,
    /// What counted for each side, by [`Side::index`].
    counted: [Vec<Counted>; 2],
}

impl FinalScore {
    /// Explains how a game ended; `None` while it goes on.
    pub fn of<G: Count>(position: &G) -> Option<Self> {
        let outcome = position.outcome()?;
        let standing = position.standing();
        let [first, second] = standing.points;
        let decision = match outcome {
            Outcome::Draw => Decision::Nothing,
            Outcome::Win(_) if first == second => Decision::Pieces,
            Outcome::Win(_) => Decision::Points,
        };
        Some(Self {
            stuck: position.side(),
            outcome,
            decision,
            standing,
            counted: Side::BOTH.map(|side| position.counted(side)),
        })
    }

    /// Says in a sentence who won, and with how many points.
    pub fn verdict<G: Game>(&self) -> String {
        let Outcome::Win(winner) = self.outcome else {
            return format!("A draw: {} points each.", self.standing.points[0]);
        };
        let of = |pair: [i32; 2]| (pair[winner.index()], pair[winner.other().index()]);
        let name = G::SIDE_NAMES[winner.index()];
        let (more, fewer) = of(self.standing.points);
        if self.decision == Decision::Points {
            return format!("{name} wins by {more} points to {fewer}.");
        }
        let (pieces, others) = of(self.standing.tie_break);
        format!("{more} points each, but {name} wins by {pieces} pieces to {others}.")
    }

    /// Explains the end in lines of at most `width` columns, which must be at least 30:
    /// why the game is over, what counted for each side, and who won.
    pub fn explain<G: Count>(&self, width: usize) -> Vec<String> {
        let stuck = G::SIDE_NAMES[self.stuck.index()];
        let why = format!("{stuck} {}: the game is over.", G::STUCK);
        let rule = format!("Each side counts {}:", G::RULE);
        let mut lines = wrapped("", &why, width);
        lines.extend(wrapped("", &rule, width));
        for side in Side::BOTH {
            let index = side.index();
            let (name, points) = (G::SIDE_NAMES[index], self.standing.points[index]);
            let item = |it: &Counted| {
                let text = format!("{} {} = {}", it.cell, it.text, it.points);
                text.replace(' ', TIE)
            };
            let items: Vec<String> = self.counted[index].iter().map(item).collect();
            let items = match items.is_empty() {
                true => "nothing".to_owned(),
                false => items.join(", "),
            };
            lines.extend(wrapped(&format!("{name:<5} {points:>3}  "), &items, width));
        }
        lines.extend(wrapped("", &self.verdict::<G>(), width));
        lines
    }
}

/// A blank at which no line is broken.
const TIE: &str = "\u{a0}";

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
    lines.iter().map(|line| line.replace(TIE, " ")).collect()
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
            let end = FinalScore::of(&position).expect("random games end");
            let lines = end.explain::<G>(60);
            assert!(lines.iter().all(|line| line.chars().count() <= 60));
            let all = lines.join("\n");
            for (counted, points) in end.counted.iter().zip(position.standing().points) {
                let sum: i32 = counted.iter().map(|it| it.points).sum();
                assert_eq!(sum, points, "{position}");
                for Counted { cell, text, points } in counted {
                    assert!(all.contains(&format!("{cell} {text} = {points}")), "{all}");
                }
            }
            if end.decision == Decision::Pieces {
                by_pieces += 1;
                let [more, fewer] = end.standing.tie_break;
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
        let verdict = FinalScore::of(&last).map(|end| end.verdict::<Hokito>());
        assert_eq!(verdict.as_deref(), Some("Black wins by 6 points to 1."));
    }
}
