//! What `eval` shows: the parts of the static evaluation.

use crate::search::{Evaluate, Policy, Searcher};

/// A line for each part and one for their total, which is the number that a
/// search by `searcher` takes for the position. The parts are rounded, so where
/// they do not add up to it a line says by how much.
pub(super) fn table<G: Policy, E: Evaluate<G>>(
    position: &G,
    evaluation: &E,
    searcher: Searcher,
) -> Vec<String> {
    let mut parts = evaluation.explain(position);
    let mut total = evaluation.evaluate(position);
    let sum: i32 = parts.iter().map(|(_, value)| value).sum();
    if sum != total {
        parts.push(("rounding of the parts", total - sum));
    }
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

/// Most squares that are named.
const SQUARES: usize = 8;

/// A line for each of the squares that add most to the value or take most away.
pub(super) fn squares<G: Policy, E: Evaluate<G>>(position: &G, evaluation: &E) -> Vec<String> {
    let squares = evaluation.squares(position).into_iter().take(SQUARES);
    let line = |(cell, share, what)| format!("{cell} {share:>+5}  {what}");
    squares.map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Hokito, Layout, Rng, Yoxii, random_position};
    use crate::search::Searchable;

    /// The number at the end of a line.
    fn number(line: &str) -> i32 {
        let word = line.rsplit(' ').next().unwrap_or_default();
        word.parse().unwrap_or_else(|_| panic!("no number: {line}"))
    }

    fn adds_up<G: Searchable>() {
        let evaluation = G::Evaluation::default();
        let mut rng = Rng::new(8);
        for plies in 0..G::MAX_PLIES {
            let Some(position) = random_position::<G>(Layout::Halves, plies, &mut rng) else {
                continue;
            };
            let value = evaluation.evaluate(&position);
            let tempo = G::TEMPO;
            for (searcher, expected) in [
                (Searcher::AlphaBeta, value + tempo),
                (Searcher::Mcts, value),
            ] {
                let lines = table(&position, &evaluation, searcher);
                let (total, parts) = lines.split_last().expect("there is a total");
                assert_eq!(number(total), expected, "{position}");
                let sum: i32 = parts.iter().map(|line| number(line)).sum();
                assert_eq!(sum, expected, "{position}: {lines:#?}");
                let widths = lines.iter().map(String::len);
                assert!(
                    widths.clone().all(|width| width == total.len()),
                    "{lines:#?}"
                );
            }
        }
    }

    #[test]
    fn the_total_is_what_a_search_takes_and_the_columns_stand() {
        adds_up::<Yoxii>();
        adds_up::<Hokito>();
    }
}
