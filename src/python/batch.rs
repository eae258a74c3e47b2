//! Many games at once, in arrays that the caller gives.

use std::collections::BTreeMap;

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use totemic_engine::game::{Encode, GameBatch, planes_shape, with_game};

use crate::arguments::{array, bad_input, game_kind, text};
use crate::state::read_start;

/// Many games at once, as the sides to move see them, in C-contiguous arrays of the caller.
///
/// For each game, `planes` (uint8) gets the numbers of `State.planes`, `mask` (uint8) those of
/// `State.legal_actions_mask`, `turns` (uint8) 0 or 1 for `p1` or `p2` to move, `rewards` (float64)
/// what its end is worth to the side that moved last, 1, 0 or -1, and `ended` (uint8) 1 if it is
/// over. The length of `turns` is the number of games, which begin at `startpos`. Many games are
/// played by several threads, without the lock of Python. Bad input raises `BadInput` and changes
/// nothing.
#[pyclass(module = "totemic")]
pub struct Batch {
    games: Box<dyn Games>,
    planes: PyBuffer<u8>,
    mask: PyBuffer<u8>,
    turns: PyBuffer<u8>,
    rewards: PyBuffer<f64>,
    ended: PyBuffer<u8>,
}

/// Games of any kind. The arrays of Python are written with its lock, all else is done without.
trait Games: Send + Sync {
    fn begin(&mut self, starts: &[(usize, String)]) -> PyResult<()>;
    fn step(&mut self, actions: &[i64]) -> PyResult<()>;
    fn write(&self, py: Python<'_>, batch: &Batch) -> PyResult<()>;
    fn fens(&self) -> Vec<String>;
}

impl<G: Encode> Games for GameBatch<G> {
    fn begin(&mut self, starts: &[(usize, String)]) -> PyResult<()> {
        let count = self.positions().len();
        let read = |(number, text): &(usize, String)| match *number < count {
            true => Ok((*number, read_start::<G>(text)?)),
            false => Err(bad_input(format!(
                "game {number}: expected one below {count}"
            ))),
        };
        let starts: PyResult<Vec<_>> = starts.iter().map(read).collect();
        for (number, position) in starts? {
            self.set(number, position);
        }
        Ok(())
    }

    fn step(&mut self, actions: &[i64]) -> PyResult<()> {
        let (given, count) = (actions.len(), self.positions().len());
        if given != count {
            return Err(bad_input(format!("{given} actions: expected {count}")));
        }
        GameBatch::step(self, actions).map_err(|number| {
            if !self.positions()[number].has_moves() {
                return bad_input(format!("game {number} is over: expected reset() first"));
            }
            let what = format!("action {} of game {number}", actions[number]);
            bad_input(format!("{what}: expected one of those in the action mask"))
        })
    }

    fn write(&self, py: Python<'_>, batch: &Batch) -> PyResult<()> {
        let (mut turns, mut rewards, mut ended) = (Vec::new(), Vec::new(), Vec::new());
        for position in self.positions() {
            let (turn, outcome) = (position.side(), position.outcome());
            turns.push(turn.index() as u8);
            rewards.push(outcome.map_or(0.0, |it| it.sign_for(turn.other()).into()));
            ended.push(outcome.is_some().into());
        }
        batch.planes.copy_from_slice(py, self.planes())?;
        batch.mask.copy_from_slice(py, self.mask())?;
        batch.turns.copy_from_slice(py, &turns)?;
        batch.rewards.copy_from_slice(py, &rewards)?;
        batch.ended.copy_from_slice(py, &ended)
    }

    fn fens(&self) -> Vec<String> {
        self.positions().iter().map(ToString::to_string).collect()
    }
}

#[pymethods]
impl Batch {
    #[new]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        planes: &Bound<'_, PyAny>,
        mask: &Bound<'_, PyAny>,
        turns: &Bound<'_, PyAny>,
        rewards: &Bound<'_, PyAny>,
        ended: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (kind, count) = (game_kind(game)?, turns.len()?);
        let batch = with_game!(kind, G => Self {
            planes: array(planes, "planes (uint8)", planes_shape::<G>().iter().product::<usize>() * count)?,
            mask: array(mask, "mask (uint8)", <G as Encode>::ACTIONS * count)?,
            turns: array(turns, "turns (uint8)", count)?,
            rewards: array(rewards, "rewards (float64)", count)?,
            ended: array(ended, "ended (uint8)", count)?,
            games: Box::new(GameBatch::<G>::new(count)),
        });
        batch.games.write(py, &batch)?;
        Ok(batch)
    }

    /// Begins games anew: `starts` has the text of the position, as `State` takes it but without
    /// moves, by the number of the game.
    fn reset(&mut self, py: Python<'_>, starts: BTreeMap<usize, Bound<'_, PyAny>>) -> PyResult<()> {
        let read = |(number, it)| Ok((number, text("position", &it)?));
        let starts: Vec<_> = starts.into_iter().map(read).collect::<PyResult<_>>()?;
        py.detach(|| self.games.begin(&starts))?;
        self.games.write(py, self)
    }

    /// Plays an action (int64) in each game: in all of them, or in none. A game that is over does
    /// not begin again by itself.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions: Vec<i64> = match PyBuffer::<i64>::get(actions) {
            Ok(array) => array.to_vec(py)?,
            Err(_) => actions.extract()?,
        };
        py.detach(|| self.games.step(&actions))?;
        self.games.write(py, self)
    }

    /// The positions' texts.
    fn fens(&self) -> Vec<String> {
        self.games.fens()
    }
}
