//! The game on paper: where it began, the moves, the clocks, how it ended.

use super::clock::Clocks;
use crate::game::{Game, Outcome, Side};
use crate::record::TimeControl;
use crate::record::reader::Close;

/// A move and the clocks after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Made<M> {
    pub(super) mv: M,
    pub(super) clocks: Option<Clocks>,
}

/// A game in progress or over.
#[derive(Clone, Debug)]
pub(super) struct Sheet<G: Game> {
    start: G,
    control: Option<TimeControl>,
    made: Vec<Made<G::Move>>,
    /// Moves that were taken back, the next one last.
    undone: Vec<Made<G::Move>>,
    position: G,
    /// What runs at the moment.
    pub(super) clocks: Option<Clocks>,
    /// An end that the rules do not give.
    closed: Option<(Outcome, Close)>,
}

impl<G: Game> Sheet<G> {
    pub(super) fn new(start: G, control: Option<TimeControl>) -> Self {
        Self {
            start,
            control,
            made: Vec::new(),
            undone: Vec::new(),
            position: start,
            clocks: control.map(Clocks::new),
            closed: None,
        }
    }

    pub(super) fn start(&self) -> &G {
        &self.start
    }

    pub(super) fn control(&self) -> Option<TimeControl> {
        self.control
    }

    pub(super) fn position(&self) -> &G {
        &self.position
    }

    pub(super) fn made(&self) -> &[Made<G::Move>] {
        &self.made
    }

    /// Makes a legal move of the side to move; the increment is added.
    pub(super) fn play(&mut self, mv: G::Move) {
        if let Some(clocks) = &mut self.clocks {
            clocks.moved(self.position.side());
        }
        self.undone.clear();
        self.push(mv);
    }

    fn push(&mut self, mv: G::Move) {
        self.position = self.position.play(mv);
        let clocks = self.clocks;
        self.made.push(Made { mv, clocks });
    }

    /// As [`Sheet::play`], with clocks that are known.
    pub(super) fn replay(&mut self, mv: G::Move, clocks: Option<Clocks>) {
        self.clocks = clocks;
        self.push(mv);
    }

    /// Takes back the last move that one of these sides made and all behind it;
    /// whether there was one. The clocks are set back.
    pub(super) fn undo(&mut self, own: [bool; 2]) -> bool {
        let mut position = self.start;
        let mut back_to = None;
        for (ply, made) in self.made.iter().enumerate() {
            if own[position.side().index()] {
                back_to = Some((ply, position));
            }
            position = position.play(made.mv);
        }
        let Some((ply, position)) = back_to else {
            return false;
        };
        self.undone.extend(self.made.drain(ply..).rev());
        self.position = position;
        self.closed = None;
        self.clocks = match self.made.last() {
            Some(made) => made.clocks,
            None => self.control.map(Clocks::new),
        };
        true
    }

    /// Whether one of these sides has made a move.
    pub(super) fn has_moved(&self, own: [bool; 2]) -> bool {
        let begins = self.first_side().index();
        // Sides take turns.
        (0..self.made.len().min(2)).any(|ply| own[(begins + ply) % 2])
    }

    /// Makes the moves again that [`Sheet::undo`] took back last; whether there
    /// were any.
    pub(super) fn redo(&mut self, own: [bool; 2]) -> bool {
        let before = self.made.len();
        while let Some(made) = self.undone.pop() {
            self.replay(made.mv, made.clocks);
            if own[self.position.side().index()] {
                break;
            }
        }
        self.made.len() > before
    }

    /// Ends the game otherwise than the rules do.
    pub(super) fn close(&mut self, outcome: Outcome, how: Close) {
        self.closed = Some((outcome, how));
    }

    /// Takes back a resignation or a draw by agreement; whether there was one.
    pub(super) fn reopen(&mut self) -> bool {
        let is_said = matches!(
            self.closed,
            Some((_, Close::Resignation | Close::Agreement))
        );
        if is_said {
            self.closed = None;
        }
        is_said
    }

    /// Result and end of a game that is over.
    pub(super) fn end(&self) -> Option<(Outcome, Close)> {
        let by_rules = self
            .position
            .outcome()
            .map(|outcome| (outcome, Close::Rules));
        by_rules.or(self.closed)
    }

    /// The number of the move that a side is to make, from 1.
    pub(super) fn move_number(&self) -> usize {
        self.made.len() / 2 + 1
    }

    /// The side that began.
    pub(super) fn first_side(&self) -> Side {
        self.start.side()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Hokito;
    use std::time::Duration;

    #[test]
    fn what_is_taken_back_comes_again_with_its_clocks() {
        let control = TimeControl {
            moves: None,
            base_ms: 10_000,
            increment_ms: 1000,
        };
        let mut sheet = Sheet::new(Hokito::start(), Some(control));
        assert!(!sheet.undo([true, false]));
        for _ in 0..4 {
            let side = sheet.position().side();
            let clocks = sheet.clocks.as_mut().expect("clocks");
            assert!(clocks.spend(side, Duration::from_secs(3)));
            sheet.play(sheet.position().moves()[0]);
        }
        let (all, end) = (sheet.made().to_vec(), *sheet.position());
        let own = [true, false];
        assert!(sheet.undo(own));
        assert_eq!(sheet.made(), &all[..2]);
        assert_eq!(sheet.clocks, all[1].clocks);
        assert!(sheet.undo(own));
        assert_eq!(sheet.clocks, Some(Clocks::new(control)));
        assert!(sheet.redo(own) && sheet.redo(own) && !sheet.redo(own));
        assert_eq!((sheet.made(), *sheet.position()), (&all[..], end));
        assert_eq!(sheet.clocks, all[3].clocks);
        // Another move than the one taken back leaves nothing to redo.
        assert!(sheet.undo(own));
        sheet.play(sheet.position().moves()[1]);
        assert!(!sheet.redo(own));
    }
}
