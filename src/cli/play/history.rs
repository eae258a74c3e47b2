//! The course of a game: its moves, its clocks, what was taken back, and how it ended.

use std::time::Duration;

use super::clock::time_control;
use crate::cli::playable::Playable;
use totemic_engine::game::{AnyPosition, Game, Outcome, Side};
use totemic_games::limits::{RunningClock, TimeControl};
use totemic_games::record::{PgnGame, PgnMove, Termination};

#[derive(Clone, Copy, Debug)]
struct State<G: Game> {
    position: G,
    /// The move that led to this position; `None` at the start.
    mv: Option<G::Move>,
    clocks: [Option<RunningClock>; 2],
}

#[derive(Clone, Debug)]
pub(super) struct History<G: Game> {
    pub(super) control: Option<TimeControl>,
    states: Vec<State<G>>,
    /// The moves that were taken back, the next one last.
    undone: Vec<State<G>>,
    /// The current clocks, by [`Side::index`].
    pub(super) clocks: [Option<RunningClock>; 2],
    /// How the game ended, if not by the rules.
    closed: Option<(Outcome, Termination)>,
}

impl<G: Playable> History<G> {
    pub(super) fn new(start: G, control: Option<TimeControl>) -> Self {
        let clocks = [control.map(RunningClock::new); 2];
        let start = State {
            position: start,
            mv: None,
            clocks,
        };
        Self {
            control,
            states: vec![start],
            undone: Vec::new(),
            clocks,
            closed: None,
        }
    }

    /// Clocks go on if each move of the file has the time that was left.
    pub(super) fn of_file(game: &PgnGame) -> Result<Self, String> {
        let (positions, moves) = game.replay::<G>().map_err(|why| why.to_string())?;
        let has_clocks = game.moves.iter().all(|played| played.clock.is_some());
        let control = game.tag("TimeControl").filter(|_| has_clocks);
        let mut history = Self::new(positions[0], control.and_then(time_control));
        for (played, mv) in game.moves.iter().zip(moves) {
            if let (Some(clock), Some(left)) = (history.clock(), played.clock) {
                clock.left_ms = left.as_millis() as u64;
            }
            history.push(mv);
        }
        let is_closed = game.termination != Termination::Rules;
        history.closed = (game.result.filter(|_| is_closed)).zip(Some(game.termination));
        Ok(history)
    }

    pub(super) fn first_position(&self) -> &G {
        &self.states[0].position
    }

    pub(super) fn position(&self) -> &G {
        &self.states[self.plies()].position
    }

    pub(super) fn side(&self) -> Side {
        self.position().side()
    }

    pub(super) fn clock(&mut self) -> Option<&mut RunningClock> {
        self.clocks[self.side().index()].as_mut()
    }

    /// Takes time off the clock of the side to move; returns `false` if none is left.
    pub(super) fn spend(&mut self, time: Duration) -> bool {
        let Some(clock) = self.clock() else {
            return true;
        };
        clock.left_ms = clock.left_ms.saturating_sub(time.as_millis() as u64);
        clock.left_ms > 0
    }

    pub(super) fn plies(&self) -> usize {
        self.states.len() - 1
    }

    pub(super) fn moves(&self) -> impl Iterator<Item = G::Move> {
        self.states.iter().filter_map(|state| state.mv)
    }

    pub(super) fn game(&self, players: [String; 2]) -> PgnGame {
        let start: AnyPosition = (*self.first_position()).into();
        let (result, termination) = self.end().unzip();
        let moves = self.states.windows(2).filter_map(|two| {
            let mover = two[0].position.side().index();
            Some(PgnMove {
                clock: two[1].clocks[mover].map(|clock| clock.left()),
                ..PgnMove::new(two[1].mv?)
            })
        });
        let mut game = PgnGame {
            kind: start.kind(),
            start: start.to_string(),
            moves: moves.collect(),
            players,
            result,
            termination: termination.unwrap_or_default(),
            ..PgnGame::default()
        }
        .tagged(&format!("{} at the terminal", G::TITLE));
        if let Some(control) = self.control {
            game.set_tag("TimeControl", control.to_string());
        }
        game
    }

    pub(super) fn last_move(&self) -> Option<G::Move> {
        self.states[self.plies()].mv
    }

    pub(super) fn move_number(&self) -> usize {
        self.plies() / 2 + 1
    }

    /// Makes a legal move and adds the increment.
    pub(super) fn play(&mut self, mv: G::Move) {
        if let Some(clock) = self.clock() {
            // Its time was taken off while it ran.
            clock.spend(0);
        }
        self.undone.clear();
        self.push(mv);
    }

    fn push(&mut self, mv: G::Move) {
        self.states.push(State {
            position: self.position().play(mv),
            mv: Some(mv),
            clocks: self.clocks,
        });
    }

    /// Returns the last position before a move of one of these sides.
    pub(super) fn last_of(&self, own: [bool; 2]) -> Option<usize> {
        let mut before = self.states[..self.plies()].iter();
        before.rposition(|state| own[state.position.side().index()])
    }

    /// Takes back to before the last move of one of these sides, with the clocks.
    pub(super) fn undo(&mut self, own: [bool; 2]) -> bool {
        let Some(at) = self.last_of(own) else {
            return false;
        };
        self.undone.extend(self.states.drain(at + 1..).rev());
        self.clocks = self.states[at].clocks;
        self.closed = None;
        true
    }

    /// Repeats what [`History::undo`] took back last.
    pub(super) fn redo(&mut self, own: [bool; 2]) -> bool {
        let before = self.plies();
        while let Some(state) = self.undone.pop() {
            self.clocks = state.clocks;
            self.states.push(state);
            if own[self.side().index()] {
                break;
            }
        }
        self.plies() > before
    }

    pub(super) fn close(&mut self, outcome: Outcome, how: Termination) {
        self.closed = Some((outcome, how));
    }

    /// Takes back a resignation or an agreed draw; returns `false` if there is none.
    pub(super) fn reopen(&mut self) -> bool {
        let agreed = |&mut (_, how): &mut (Outcome, Termination)| {
            matches!(how, Termination::Resignation | Termination::Agreement)
        };
        self.closed.take_if(agreed).is_some()
    }

    pub(super) fn end(&self) -> Option<(Outcome, Termination)> {
        let by_rules = self.position().outcome();
        by_rules.zip(Some(Termination::Rules)).or(self.closed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use totemic_engine::game::Hokito;

    #[test]
    fn what_is_taken_back_comes_again_with_its_clocks() {
        let mut history = History::new(Hokito::start(), time_control("10+1"));
        let own = [true, false];
        assert!(!history.undo(own));
        let mut clocks = vec![history.clocks];
        for _ in 0..4 {
            assert!(history.spend(Duration::from_secs(3)));
            history.play(history.position().moves()[0]);
            clocks.push(history.clocks);
        }
        let end = *history.position();
        for plies in [2, 0] {
            assert!(history.undo(own));
            assert_eq!((history.plies(), history.clocks), (plies, clocks[plies]));
        }
        assert!(history.redo(own) && history.redo(own) && !history.redo(own));
        assert_eq!((*history.position(), history.clocks), (end, clocks[4]));
        // After a move other than the one taken back, there is nothing to redo.
        assert!(history.undo(own));
        history.play(history.position().moves()[1]);
        assert!(!history.redo(own));
    }
}
