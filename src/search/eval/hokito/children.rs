//! The terms of the positions behind the moves of one position.
//!
//! A move takes one tower off its square and puts it onto another. The walks
//! of a tower that never visit the square left are the same as before, and
//! those are most.

use arrayvec::ArrayVec;

use super::classes::{COLUMNS, Columns, Row, Rows, SQUARES, place_on_board, row_of};
use super::sums::Sums;
use super::{Activity, TERMS, terms_of};
use crate::game::{Cell, Cells, Game, Hokito, HokitoMove};
use crate::search::routes::Routes;

/// Most towers of a position.
const TOWERS: usize = 36;

/// Where the walks of each tower end, whatever stands there.
type Ends = [u64; TOWERS];

/// The towers of a position and their walks.
pub(super) struct Children<'a> {
    position: &'a Hokito,
    routes: Routes,
    /// The singles of the side to move, its stacks, and those of the other
    /// side.
    cells: ArrayVec<Cell, TOWERS>,
    /// Where the first three of these kinds end.
    borders: [usize; 3],
    /// The place of each square's tower.
    places: [u8; 64],
    ends: Ends,
    /// The squares that the walks of each tower visit, and its own.
    touched: [Cells; TOWERS],
    /// The sums of each square's tower alone.
    sums: [Sums; 64],
    /// The difference of the sums of the side to move and of the other.
    balance: Sums,
    /// The square of the tower that is lifted, as the one that moves.
    lifted: Option<Cell>,
    /// Where the walks end without that tower; its own nowhere.
    ends_without: Ends,
    /// The weights of classes behind moves, if any, and those of the tower's row on
    /// each square of the board.
    rows: Option<&'a Rows>,
    square_rows: [Row; SQUARES],
    /// The weights of the classes behind the last move asked for.
    classes: i32,
}

impl<'a> Children<'a> {
    pub(super) fn of(position: &'a Hokito, rows: Option<&'a Rows>) -> Self {
        let mut children = Self {
            position,
            routes: Routes::of(position.occupied().0),
            cells: ArrayVec::new(),
            borders: [0; 3],
            places: [0; 64],
            ends: [0; TOWERS],
            touched: [Cells::EMPTY; TOWERS],
            sums: [Sums::default(); 64],
            balance: Sums::default(),
            lifted: None,
            ends_without: [0; TOWERS],
            rows,
            square_rows: [[0; COLUMNS]; SQUARES],
            classes: 0,
        };
        let own = position.topped_by(position.side());
        let (others, stacks) = (position.occupied() - own, position.stacks());
        let kinds = [own - stacks, own & stacks, others - stacks, others & stacks];
        for (kind, towers) in kinds.into_iter().enumerate() {
            for cell in towers {
                let sums = Sums::of_tower(position, cell);
                children.sums[cell.index() & 63] = sums;
                children.balance = children.balance + sums.negative_if(kind >= 2);
                children.places[cell.index() & 63] = children.cells.len() as u8;
                if let Some(rows) = rows {
                    // Behind a move the other side is the one to move.
                    let row = row_of(kind >= 2, position.value(cell), position.height(cell));
                    children.square_rows[place_on_board(cell)] = rows[row];
                }
                children.cells.push(cell);
            }
            if let Some(border) = children.borders.get_mut(kind) {
                *border = children.cells.len();
            }
        }
        let (towers, values) = (position.occupied().0, position.planes());
        children.routes.each_walk(towers, values, |cell, walks| {
            let place = place_in(&children.places, cell);
            children.ends[place] = walks.ends;
            children.touched[place] = Cells(walks.passed | 1 << cell);
        });
        children
    }

    /// The terms of the position behind a move.
    pub(super) fn terms_behind(&mut self, mv: HokitoMove, next: &Hokito) -> [i32; TERMS] {
        let activity = self.activity_behind(mv, next);
        if let Some(rows) = self.rows {
            self.classes = self.weigh_classes(mv, next, rows, activity);
        }
        let (from, to) = (mv.from().index() & 63, mv.to().index() & 63);
        let pile = Sums::of_stack(next.height(mv.to()), self.position.value(mv.from()));
        // The tower moved onto is no more.
        let base = std::mem::replace(&mut self.sums[to], pile);
        let owned = self.position.topped_by(self.position.side());
        let gone = self.sums[from] + base.negative_if(!owned.has(mv.to()));
        // It is the other side's turn.
        let balance = gone - self.balance - pile;
        let terms = terms_of(next, balance, |cell| self.sums[cell.index() & 63], activity);
        self.sums[to] = base;
        terms
    }

    /// The weights of the classes in the position of the last question.
    pub(super) fn classes_behind(&self) -> i32 {
        self.classes
    }

    fn weigh_classes(
        &self,
        mv: HokitoMove,
        next: &Hokito,
        rows: &Rows,
        [mine, theirs]: [Activity; 2],
    ) -> i32 {
        let columns = Columns::of(&mine, &theirs);
        // One tower left its square, and stands on another.
        let [left, base] = [mv.from(), mv.to()].map(|cell| {
            let row = &self.square_rows[place_on_board(cell)];
            i32::from(row[columns.at(cell)])
        });
        let pile = row_of(false, self.position.value(mv.from()), next.height(mv.to()));
        columns.sum(&self.square_rows) - left - base + i32::from(rows[pile][columns.at(mv.to())])
    }

    /// What the towers of the side to move and of the other can do behind a
    /// move.
    fn activity_behind(&mut self, mv: HokitoMove, next: &Hokito) -> [Activity; 2] {
        self.lift(mv.from());
        let to = mv.to().index();
        let (stacks, singles) = (next.stacks(), next.occupied() - next.stacks());
        // The tower moved onto is no more.
        let base = place_in(&self.places, to);
        let ends = std::mem::take(&mut self.ends_without[base]);
        let [one, two, three] = self.borders;
        let towers = |range: std::ops::Range<usize>| {
            let cells = self.cells[range.clone()].iter().copied();
            cells.zip(self.ends_without[range].iter().copied())
        };
        let [others, own] = [next.side(), next.side().other()].map(|side| next.topped_by(side));
        let mut mine = Activity::default();
        mine.add_all(towers(0..one), singles, others);
        mine.add_all(towers(one..two), stacks, others);
        let mut theirs = Activity::default();
        theirs.add_all(towers(two..three), singles, own);
        theirs.add_all(towers(three..self.cells.len()), stacks, own);
        let steps = self.position.value(mv.from());
        let walks = Cells(self.routes.walks_of(to, steps).ends);
        self.ends_without[base] = ends;
        mine.add(mv.to(), walks & stacks, others);
        [theirs, mine]
    }

    /// Takes a tower off the board, and puts the one before it back.
    fn lift(&mut self, from: Cell) {
        if self.lifted == Some(from) {
            return;
        }
        if let Some(before) = self.lifted.replace(from) {
            self.routes.put_back(before.index());
        }
        self.routes.lift(from.index());
        self.ends_without = self.ends;
        let mut touched = Cells::EMPTY;
        for (cell, squares) in self.cells.iter().zip(&self.touched) {
            // No branches here: they would be taken at random.
            touched |= Cells(u64::from(squares.has(from)) << cell.index());
        }
        let values = self.position.planes();
        self.routes.each_walk(touched.0, values, |cell, walks| {
            let place = place_in(&self.places, cell);
            self.ends_without[place] = walks.ends;
        });
        self.ends_without[place_in(&self.places, from.index())] = 0;
    }
}

/// The place of the tower on a square.
fn place_in(places: &[u8; 64], cell: usize) -> usize {
    usize::from(places[cell & 63]) % TOWERS
}
