//! What the tests share: the known answers, and positions that no game leads to.

#![allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "compiled into several test programs, each of which uses its own part"
)]

pub mod conformance;

use std::fs;
use std::path::Path;

use totemic_engine::game::{
    Cell, Game, Hokito, HokitoMove, Layout, Rng, Side, Tower, Yoxii, YoxiiMove, perft, random_game,
};

/// Returns the lines of a file of known answers, split at tabs.
pub fn rows(file: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/data")
        .join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    text.lines()
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect()
}

/// Returns the lines about one game.
pub fn rows_of<G: Game>(file: &str) -> Vec<Vec<String>> {
    let mut rows = rows(file);
    rows.retain(|row| row[0] == G::NAME);
    rows
}

/// Calls a function that is generic over the game, for the game with this name.
macro_rules! by_name {
    ($name:expr, $check:ident($($argument:expr),*)) => {
        match &*$name {
            "yoxii" => $check::<totemic_engine::game::Yoxii>($($argument),*),
            "hokito" => $check::<totemic_engine::game::Hokito>($($argument),*),
            other => panic!("no such game: {other}"),
        }
    };
}
pub(crate) use by_name;

/// Returns the position of a text, which must be valid, or of `startpos`.
pub fn position<G: Game>(text: &str) -> G {
    G::read_position(text).unwrap_or_else(|why| panic!("{text:?} is refused: {why}"))
}

/// What tests need to know about a game beyond its rules.
pub trait Tested: Game {
    /// Returns a legal position made by throwing pieces on the board; most of them could
    /// not arise in play.
    fn thrown(rng: &mut Rng) -> Self;

    /// Returns the position with every square moved by `map` and, if `swap` is true, the
    /// sides exchanged. `None` if the rules do not allow that.
    fn mapped(&self, map: impl Fn(Cell) -> Cell, swap: bool) -> Option<Self>;

    /// Returns a move with its squares moved by `map`.
    fn mapped_move(mv: Self::Move, map: impl Fn(Cell) -> Cell) -> Self::Move;
}

impl Tested for Yoxii {
    fn thrown(rng: &mut Rng) -> Self {
        let mut cells: Vec<Cell> = Self::BOARD.into_iter().collect();
        rng.shuffle(&mut cells);
        let totem = cells.pop().expect("a square");
        let to_move = Side::BOTH[rng.below(2)];
        let red = rng.below(19 - to_move.index());
        let mut pieces = Vec::new();
        for (side, count) in [(Side::First, red + to_move.index()), (Side::Second, red)] {
            let mut values = [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4];
            rng.shuffle(&mut values);
            for &value in &values[..count] {
                let cell = cells.pop().expect("37 squares hold 36 pieces and a totem");
                pieces.push((cell, side, value));
            }
        }
        Self::of(totem, pieces, to_move).expect("the numbers fit")
    }

    fn mapped(&self, map: impl Fn(Cell) -> Cell, swap: bool) -> Option<Self> {
        let exchange = |side: Side| if swap { side.other() } else { side };
        let mut pieces = Vec::new();
        for side in Side::BOTH {
            for value in 1..=4 {
                for cell in self.pieces(side) & self.pieces_of_value(value) {
                    pieces.push((map(cell), exchange(side), value));
                }
            }
        }
        Self::of(map(self.totem()), pieces, exchange(self.side())).ok()
    }

    fn mapped_move(mv: YoxiiMove, map: impl Fn(Cell) -> Cell) -> YoxiiMove {
        YoxiiMove::new(map(mv.totem()), map(mv.piece()), mv.value())
    }
}

impl Tested for Hokito {
    fn thrown(rng: &mut Rng) -> Self {
        let mut cells: Vec<Cell> = Self::BOARD.into_iter().collect();
        rng.shuffle(&mut cells);
        let top = |i: u8| (Side::BOTH[usize::from(i % 2)], i % 3 + 1);
        let mut tops: Vec<(Side, u8)> = (0..36).map(top).collect();
        rng.shuffle(&mut tops);
        let towers = rng.below(37);
        // The pawns that are not on top are spread over a few squares.
        let mut heights = vec![1; towers];
        if towers > 0 {
            let tall = 1 + rng.below(towers);
            for _ in 0..rng.below(37 - towers) {
                heights[rng.below(tall)] += 1;
            }
        }
        let tower = |((side, value), height)| Tower {
            side,
            value,
            height,
        };
        let towers = tops.into_iter().zip(heights).map(tower);
        let placed = cells.into_iter().zip(towers);
        Self::of(placed, Side::BOTH[rng.below(2)]).expect("the numbers fit")
    }

    fn mapped(&self, map: impl Fn(Cell) -> Cell, swap: bool) -> Option<Self> {
        let exchange = |side: Side| if swap { side.other() } else { side };
        let towers = self.occupied().into_iter().filter_map(|cell| {
            let tower = self.tower(cell)?;
            let side = exchange(tower.side);
            Some((map(cell), Tower { side, ..tower }))
        });
        Self::of(towers, exchange(self.side())).ok()
    }

    fn mapped_move(mv: HokitoMove, map: impl Fn(Cell) -> Cell) -> HokitoMove {
        HokitoMove::new(map(mv.from()), map(mv.to()))
    }
}

/// Returns a start with either layout.
pub fn any_start<G: Game>(rng: &mut Rng) -> G {
    let layout = [Layout::Halves, Layout::Scattered][rng.below(2)];
    G::random_start(layout, rng)
}

/// Returns a position after a random number of random plies, perhaps a finished one.
pub fn played<G: Game>(rng: &mut Rng) -> G {
    let start = any_start(rng);
    let plies = rng.below(G::MAX_PLIES as usize + 1) as u32;
    random_game(start, plies, rng).1
}

/// Yields positions without end; the whole tree of each can be walked.
pub fn late<G: Game>(rng: &mut Rng) -> impl Iterator<Item = G> {
    std::iter::repeat_with(|| played(rng))
        .filter(|position: &G| position.has_moves() && tree_size(position, 20_000) <= 20_000)
}

/// Returns the position `back` plies before the end of a random game.
pub fn before_end<G: Game>(start: G, back: usize, rng: &mut Rng) -> G {
    let (moves, _) = random_game(start, G::MAX_PLIES, rng);
    let kept = moves.len().saturating_sub(back);
    let play = |position: G, &mv| position.play(mv);
    moves[..kept].iter().fold(start, play)
}

/// Returns every position of the known answers.
pub fn golden<G: Game>() -> Vec<G> {
    let files = "perft.tsv cases.tsv solve.tsv solve-hard.tsv solve-open.tsv";
    let rows = files.split(' ').flat_map(rows_of::<G>);
    rows.map(|row| position(&row[1])).collect()
}

/// Returns the greatest depth whose perft is at most `nodes` and that is not greater than
/// the plies left; 0 for a finished game.
pub fn depth_within<G: Game>(position: &G, nodes: u64) -> u32 {
    (1..=position.plies_left())
        .take_while(|&depth| (1..=nodes).contains(&perft(position, depth)))
        .last()
        .unwrap_or(0)
}

/// Counts the positions in the whole tree, up to `limit + 1`.
pub fn tree_size<G: Game>(position: &G, limit: u64) -> u64 {
    let mut size = 1;
    for mv in position.moves() {
        if size > limit {
            break;
        }
        size += tree_size(&position.play(mv), limit - size);
    }
    size
}
