//! Positions and moves as numbers, for programs that learn.
//!
//! Both are as a player sees them: its own pieces come first, and the second side has
//! the board turned by 180 degrees, so that both begin on the same side of it.
//! `protocol.md` lists the planes and actions of each game.

use super::{Cell, Cells, Game, Hokito, HokitoMove, Side, Yoxii, YoxiiMove};

/// A game with a fixed number of actions and a fixed number of planes that show a
/// position.
///
/// ```
/// use totemic_engine::game::{Encode, Game, Hokito, Side, action_of, move_of, planes};
///
/// let start = Hokito::start();
/// let planes = planes(&start, Side::First);
/// assert_eq!(planes.shape, [9, 6, 6]);
/// assert_eq!(planes.values.len(), 9 * 6 * 6);
/// let mv = start.read_move("a4a3")?;
/// assert_eq!(action_of::<Hokito>(mv, Side::First), 18 * 36 + 12);
/// assert_eq!(move_of::<Hokito>(18 * 36 + 12, Side::First), Some(mv));
/// # Ok::<(), totemic_engine::game::MoveError>(())
/// ```
pub trait Encode: Game {
    /// The number of actions; the action of each move is below it.
    const ACTIONS: usize;

    /// The number of planes.
    const PLANES: usize;

    /// What `viewer` sees on a square of the board, 0 to 36 in each plane.
    fn plane_values(&self, cell: Cell, viewer: Side) -> impl AsRef<[u8]>;

    /// The action of a move, made from the numbers that `square` gives its squares.
    fn action(mv: Self::Move, square: impl Fn(Cell) -> usize) -> usize;

    /// The inverse of [`Encode::action`]: the move of an action below [`Encode::ACTIONS`],
    /// whose squares `cell` tells by their numbers.
    fn move_of(action: usize, cell: impl Fn(usize) -> Cell) -> Self::Move;
}

/// The place of a square among `count` of them as `viewer` sees the board: the second side
/// has it turned, so that its places run backwards.
const fn seen_by(viewer: Side, place: usize, count: usize) -> usize {
    match viewer {
        Side::First => place,
        Side::Second => count - 1 - place,
    }
}

/// The action of a move of `viewer`, below [`Encode::ACTIONS`].
#[inline(never)]
pub fn action_of<G: Encode>(mv: G::Move, viewer: Side) -> usize {
    G::action(mv, |cell| {
        let before = G::BOARD & Cells((1 << cell.index()) - 1);
        seen_by(viewer, before.len() as usize, G::BOARD.len() as usize)
    })
}

/// The move of `viewer` with this action, whether it is legal or not; `None` if there is no
/// such action.
pub fn move_of<G: Encode>(action: usize, viewer: Side) -> Option<G::Move> {
    let cell = |number| {
        let place = seen_by(viewer, number, G::BOARD.len() as usize);
        let cell = G::BOARD.into_iter().nth(place);
        cell.unwrap_or(Cell::from_index(0))
    };
    (action < G::ACTIONS).then(|| G::move_of(action, cell))
}

/// The legal move of an action as the side to move sees the board; `None` if there is none.
#[inline(never)]
pub fn legal_move<G: Encode>(position: &G, action: usize) -> Option<G::Move> {
    move_of::<G>(action, position.side()).filter(|&mv| position.is_legal(mv))
}

/// Writes 1 for each legal action and 0 for the others over `mask`, which has
/// [`Encode::ACTIONS`] bytes.
#[inline(never)]
pub fn fill_mask<G: Encode>(position: &G, mask: &mut [u8]) {
    mask.fill(0);
    for &mv in &position.moves() {
        mask[action_of::<G>(mv, position.side())] = 1;
    }
}

/// A position as planes of numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Planes {
    /// Numbers of planes, ranks and files.
    pub shape: [usize; 3],
    /// Plane by plane, rank by rank from the first, file by file; each 0 to 36.
    pub values: Vec<u8>,
}

/// The numbers of planes, ranks and files of a game.
pub const fn planes_shape<G: Encode>() -> [usize; 3] {
    let size = G::SIZE as usize;
    [G::PLANES, size, size]
}

/// The position as `viewer` sees it, whoever is to move.
pub fn planes<G: Encode>(position: &G, viewer: Side) -> Planes {
    let shape = planes_shape::<G>();
    let mut values = vec![0; shape.iter().product()];
    fill_planes(position, viewer, &mut values);
    Planes { shape, values }
}

/// Writes [`planes`] over `values`, which has the length of [`Planes::values`].
#[inline(never)]
pub fn fill_planes<G: Encode>(position: &G, viewer: Side, values: &mut [u8]) {
    let size = usize::from(G::SIZE);
    values.fill(0);
    for cell in G::BOARD {
        let at = usize::from(cell.rank()) * size + usize::from(cell.file());
        let at = seen_by(viewer, at, size * size);
        let of_cell = position.plane_values(cell, viewer);
        for (plane, &value) in of_cell.as_ref().iter().enumerate() {
            values[plane * size * size + at] = value;
        }
    }
}

impl Encode for Yoxii {
    const ACTIONS: usize = 37 * 37 * 4;
    const PLANES: usize = 18;

    fn plane_values(&self, cell: Cell, viewer: Side) -> impl AsRef<[u8]> {
        let mut values = [0; Self::PLANES];
        for (side, first) in [(viewer, 0), (viewer.other(), 4)] {
            for (at, left) in (first..).zip(self.reserve(side)) {
                values[10 + at] = left;
            }
            for (at, value) in (first..).zip(1..=4) {
                let pieces = self.pieces(side) & self.pieces_of_value(value);
                values[at] = pieces.has(cell).into();
            }
        }
        values[8] = (cell == self.totem()).into();
        values[9] = 1;
        values
    }

    fn action(mv: YoxiiMove, square: impl Fn(Cell) -> usize) -> usize {
        let squares = square(mv.totem()) * 37 + square(mv.piece());
        squares * 4 + usize::from(mv.value() - 1)
    }

    fn move_of(action: usize, cell: impl Fn(usize) -> Cell) -> YoxiiMove {
        let (squares, value) = (action / 4, action as u8 % 4 + 1);
        YoxiiMove::new(cell(squares / 37), cell(squares % 37), value)
    }
}

impl Encode for Hokito {
    const ACTIONS: usize = 36 * 36;
    const PLANES: usize = 9;

    fn plane_values(&self, cell: Cell, viewer: Side) -> impl AsRef<[u8]> {
        let mut values = [0; Self::PLANES];
        if let Some(tower) = self.tower(cell) {
            let other = usize::from(tower.side != viewer);
            values[3 * other + usize::from(tower.value) - 1] = 1;
            values[6 + other] = tower.height;
            values[8] = (tower.height > 1).into();
        }
        values
    }

    fn action(mv: HokitoMove, square: impl Fn(Cell) -> usize) -> usize {
        square(mv.from()) * 36 + square(mv.to())
    }

    fn move_of(action: usize, cell: impl Fn(usize) -> Cell) -> HokitoMove {
        HokitoMove::new(cell(action / 36), cell(action % 36))
    }
}
