//! What `eval` shows: the parts of the static evaluation.

use crate::game::Cell;
use crate::search::{Evaluate, Heuristics, Searcher, explain_with_value};

/// A line for each part and one for their total, which is the value that a search by
/// `searcher` uses for the position.
pub(super) fn table<G: Heuristics, E: Evaluate<G>>(
    position: &G,
    evaluation: &E,
    searcher: Searcher,
) -> Vec<String> {
    let (mut parts, mut total) = explain_with_value(evaluation, position);
    if searcher == Searcher::AlphaBeta && G::TEMPO != 0 {
        parts.push(("having to move, in this search", G::TEMPO));
        total += G::TEMPO;
    }
    parts.push(("total", total));
    let width = parts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    parts
        .iter()
        .map(|(name, value)| format!("{name:<width$}{value:>8}"))
        .collect()
}

/// The board with what each square adds to the value, and a line that shows how these
/// rounded numbers make up the part of the [`table`] that stands for all squares.
/// Nothing if no square adds anything.
pub(super) fn map<G: Heuristics, E: Evaluate<G>>(position: &G, evaluation: &E) -> Vec<String> {
    let squares = evaluation.squares(position);
    let parts = evaluation.explain(position);
    let Some((name, part)) = parts.last().filter(|_| !squares.is_empty()) else {
        return Vec::new();
    };
    let square = |cell: Cell| match squares.iter().find(|(at, ..)| *at == cell) {
        Some((_, share, _)) => format!("{share:>+5}"),
        None if G::BOARD.has(cell) => format!("{:>5}", '.'),
        None => " ".repeat(5),
    };
    let line = |rank: u8| {
        let row = (0..G::SIZE).map(|file| square(Cell::at(file, rank)));
        let row: String = row.collect();
        format!("{}{row}", rank + 1).trim_end().to_owned()
    };
    let mut lines: Vec<String> = (0..G::SIZE).rev().map(line).collect();
    let edge: String = (0..G::SIZE)
        .map(|file| format!("{:>5}", char::from(b'a' + file)))
        .collect();
    lines.push(format!(" {edge}"));
    let sum: i32 = squares.iter().map(|(_, share, _)| share).sum();
    let rounding = part - sum;
    lines.push(format!(
        "{name}: {part:+} = squares {sum:+}, rounding {rounding:+}"
    ));
    lines
}

/// The most squares that are listed.
const MAX_SQUARES: usize = 8;

/// A line for each of the squares that add the most to the value or take the most away.
pub(super) fn squares<G: Heuristics, E: Evaluate<G>>(position: &G, evaluation: &E) -> Vec<String> {
    let squares = evaluation.squares(position).into_iter().take(MAX_SQUARES);
    let line = |(cell, share, what)| format!("{cell} {share:>+5}  {what}");
    squares.map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Hokito, Yoxii, random_positions};
    use crate::search::Searchable;

    fn number(line: &str) -> i32 {
        let word = line.rsplit(' ').next().unwrap_or_default();
        word.parse().unwrap_or_else(|_| panic!("no number: {line}"))
    }

    fn adds_up<G: Searchable>() {
        let evaluation = G::Evaluation::default();
        for position in random_positions::<G>(8, 0..G::MAX_PLIES) {
            let value = evaluation.evaluate(&position);
            for (searcher, expected) in [
                (Searcher::AlphaBeta, value + G::TEMPO),
                (Searcher::Mcts, value),
            ] {
                let lines = table(&position, &evaluation, searcher);
                let (total, parts) = lines.split_last().expect("there is a total");
                assert_eq!(number(total), expected, "{position}");
                let sum: i32 = parts.iter().map(|line| number(line)).sum();
                assert_eq!(sum, expected, "{position}: {lines:#?}");
                let mut widths = lines.iter().map(String::len);
                assert!(widths.all(|width| width == total.len()), "{lines:#?}");
            }
            let lines = map(&position, &evaluation);
            let Some((says, board)) = lines.split_last() else {
                continue;
            };
            let words = board.iter().flat_map(|line| line.split_whitespace());
            // Only what a square adds has a sign.
            let shares = words.filter(|word| word.starts_with(['+', '-']));
            let sum: i32 = shares.map(number).sum();
            let rounding = number(says);
            assert!(says.contains(&format!("squares {sum:+},")), "{lines:#?}");
            // The shares of several squares in one feature are not whole numbers.
            assert!(rounding.abs() <= 1, "{position}: {says}");
            let parts = table(&position, &evaluation, Searcher::Mcts);
            let (name, _) = says.split_once(':').expect("the part is named");
            let part = parts.iter().find(|line| line.starts_with(name));
            assert_eq!(part.map(|line| number(line)), Some(sum + rounding));
        }
    }

    #[test]
    fn the_map_and_the_parts_add_up_to_what_a_search_takes() {
        adds_up::<Yoxii>();
        adds_up::<Hokito>();
    }
}
