//! The rules of a game, as README.md tells them, with a board and a move on it.

use std::io::Write;

use super::playable::Playable;
use super::terminal::width;
use super::{CliResult, Global};
use totemic_engine::drawing::board;
use totemic_engine::game::{GameKind, squares_of, with_game};

const README: &str = include_str!("../../README.md");
const COLUMNS: usize = 80;

pub(super) fn run(global: Global) -> CliResult {
    let columns = width().map_or(COLUMNS, |width| width.min(COLUMNS));
    let mut out = anstream::stdout().lock();
    for kind in GameKind::ALL {
        if global.game.is_none_or(|game| game == kind) {
            with_game!(kind, G => write!(out, "{}", page::<G>(columns))?);
        }
    }
    Ok(())
}

/// The rules, the signs on a board, and a move, in lines of at most so many columns.
pub(super) fn page<G: Playable>(columns: usize) -> String {
    let (before, mv, words) = G::EXAMPLE;
    let position = before.parse().unwrap_or_else(|_| G::start());
    let drawn = position.read_move(mv).map_or_else(
        |why| why.to_string(),
        |mv| board(&position.play(mv), squares_of::<G>(mv), columns, true),
    );
    let fold = |text: &str| {
        let indent = if text.starts_with("- ") { "  " } else { "" };
        let options = textwrap::Options::new(columns).subsequent_indent(indent);
        textwrap::fill(text, options)
    };
    let text: Vec<String> = text::<G>().iter().map(|it| fold(it)).collect();
    let (title, text, legend) = (G::TITLE, text.join("\n"), G::LEGEND);
    let words = fold(&format!("After {mv}: {words}"));
    format!("{title}\n\n{text}\n\n{legend}\n{drawn}\n{words}\n\n")
}

/// What README.md says about a game: a paragraph and the items of a list, each in one line.
fn text<G: Playable>() -> Vec<String> {
    let head = format!("**{}.** ", G::TITLE);
    let (_, rules) = README.split_once(&head).unwrap_or_default();
    let blocks: Vec<&str> = rules.split("\n\n").take(2).collect();
    let items = blocks.join("\n").replace("\n- ", "\0- ");
    let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    items.split('\0').map(line).collect()
}
