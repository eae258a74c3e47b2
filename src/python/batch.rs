//! Many games at once, in arrays that the caller gives.

use std::num::NonZeroUsize;
use std::thread::{available_parallelism, scope};

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyString};
use totemic_engine::game::{Encode, Game, Hokito, Outcome, Side, Yoxii, fill_planes, planes_shape};

use crate::state::{fill_mask, legal, read_start};
use crate::{BadInput, text};

/// Fewer games for each thread are done sooner by one.
const GAMES_A_THREAD: usize = 256;

#[pyclass(module = "totemic", name = "Batch")]
pub struct Batch {
    games: Games,
    seen: Seen,
    arrays: Arrays,
}

enum Games {
    Yoxii(Vec<Yoxii>),
    Hokito(Vec<Hokito>),
}

/// What is seen of the games, for each of them one after the other.
#[derive(Default)]
struct Seen {
    planes: Vec<u8>,
    mask: Vec<u8>,
    turns: Vec<u8>,
    rewards: Vec<f64>,
    ended: Vec<u8>,
}

/// The caller's arrays, which get the same.
struct Arrays {
    planes: PyBuffer<u8>,
    mask: PyBuffer<u8>,
    turns: PyBuffer<u8>,
    rewards: PyBuffer<f64>,
    ended: PyBuffer<u8>,
}

impl Arrays {
    fn write(&self, py: Python<'_>, seen: &Seen) -> PyResult<()> {
        self.planes.copy_from_slice(py, &seen.planes)?;
        self.mask.copy_from_slice(py, &seen.mask)?;
        self.turns.copy_from_slice(py, &seen.turns)?;
        self.rewards.copy_from_slice(py, &seen.rewards)?;
        self.ended.copy_from_slice(py, &seen.ended)
    }
}

/// One game's part of what is seen.
struct Row<'a> {
    planes: &'a mut [u8],
    mask: &'a mut [u8],
    turn: &'a mut u8,
    reward: &'a mut f64,
    ended: &'a mut u8,
}

impl Row<'_> {
    /// Shows a position; the reward is for `mover`.
    fn show<G: Encode>(self, position: &G, mover: Side) {
        fill_planes(position, position.side(), self.planes);
        fill_mask(position, self.mask);
        let outcome = position.outcome();
        *self.turn = position.side().index() as u8;
        *self.reward = outcome.map_or(0.0, |it: Outcome| f64::from(it.sign_for(mover)));
        *self.ended = outcome.is_some().into();
    }
}

impl Seen {
    fn of<G: Encode>(count: usize) -> Self {
        let planes: usize = planes_shape::<G>().iter().product();
        Self {
            planes: vec![0; count * planes],
            mask: vec![0; count * G::ACTIONS],
            turns: vec![0; count],
            rewards: vec![0.0; count],
            ended: vec![0; count],
        }
    }

    fn rows<G: Encode>(&mut self) -> impl Iterator<Item = Row<'_>> {
        let planes = planes_shape::<G>().iter().product();
        let boards = self
            .planes
            .chunks_mut(planes)
            .zip(self.mask.chunks_mut(G::ACTIONS));
        let ends = self.rewards.iter_mut().zip(&mut self.ended);
        let rest = self.turns.iter_mut().zip(ends);
        boards
            .zip(rest)
            .map(|((planes, mask), (turn, (reward, ended)))| Row {
                planes,
                mask,
                turn,
                reward,
                ended,
            })
    }
}

/// Plays a move in each game, or none if one of them is illegal: then its number.
fn step<G: Encode>(games: &mut [G], actions: &[i64], seen: &mut Seen) -> Result<(), usize> {
    let moves: Result<Vec<_>, usize> = (games.iter().zip(actions).enumerate())
        .map(|(number, (position, &action))| legal(position, action).ok_or(number))
        .collect();
    let moves = moves?;
    let mut rows: Vec<_> = games.iter_mut().zip(moves).zip(seen.rows::<G>()).collect();
    let most = available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = (rows.len() / GAMES_A_THREAD).clamp(1, most);
    let size = rows.len().div_ceil(threads).max(1);
    let play = |part: Vec<((&mut G, G::Move), Row<'_>)>| {
        for ((position, mv), row) in part {
            let mover = position.side();
            *position = position.play(mv);
            row.show(position, mover);
        }
    };
    scope(|scope| {
        while rows.len() > size {
            let part = rows.split_off(rows.len() - size);
            scope.spawn(move || play(part));
        }
        play(rows);
    });
    Ok(())
}

fn begin<G: Encode>(games: &mut [G], starts: &[(usize, String)], seen: &mut Seen) -> PyResult<()> {
    let read = |(number, text): &(usize, String)| Ok((*number, read_start::<G>(text)?));
    let starts: PyResult<Vec<(usize, G)>> = starts.iter().map(read).collect();
    let mut rows: Vec<Option<Row<'_>>> = seen.rows::<G>().map(Some).collect();
    for (number, position) in starts? {
        let out_of_range = || BadInput::new_err(format!("game {number}: there is none"));
        let row = rows.get_mut(number).and_then(Option::take);
        row.ok_or_else(out_of_range)?
            .show(&position, position.side());
        games[number] = position;
    }
    Ok(())
}

#[pymethods]
impl Batch {
    #[new]
    fn new(
        game: &str,
        planes: PyBuffer<u8>,
        mask: PyBuffer<u8>,
        turns: PyBuffer<u8>,
        rewards: PyBuffer<f64>,
        ended: PyBuffer<u8>,
    ) -> PyResult<Self> {
        let count = turns.item_count();
        let (games, seen) = match crate::game(game)? {
            totemic_engine::game::GameKind::Yoxii => (
                Games::Yoxii(vec![Yoxii::start(); count]),
                Seen::of::<Yoxii>(count),
            ),
            totemic_engine::game::GameKind::Hokito => (
                Games::Hokito(vec![Hokito::start(); count]),
                Seen::of::<Hokito>(count),
            ),
        };
        Ok(Self {
            games,
            seen,
            arrays: Arrays {
                planes,
                mask,
                turns,
                rewards,
                ended,
            },
        })
    }

    /// Begins some games anew, each at the text of a position.
    fn reset(
        &mut self,
        py: Python<'_>,
        numbers: Vec<usize>,
        starts: Vec<Bound<'_, PyString>>,
    ) -> PyResult<()> {
        let starts = starts.iter().map(text);
        let starts: Vec<_> = numbers.into_iter().zip(starts).collect();
        let Self { games, seen, .. } = self;
        py.detach(|| match games {
            Games::Yoxii(games) => begin(games, &starts, seen),
            Games::Hokito(games) => begin(games, &starts, seen),
        })?;
        self.arrays.write(py, &self.seen)
    }

    /// Plays an action in each game: in all of them, or in none.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions: Vec<i64> = match PyBuffer::<i64>::get(actions) {
            Ok(array) => array.to_vec(py)?,
            Err(_) => actions.extract()?,
        };
        let count = self.seen.turns.len();
        if actions.len() != count {
            let why = format!("{} actions: expected {count}", actions.len());
            return Err(BadInput::new_err(why));
        }
        let Self { games, seen, .. } = self;
        let played = py.detach(|| match games {
            Games::Yoxii(games) => step(games, &actions, seen),
            Games::Hokito(games) => step(games, &actions, seen),
        });
        played.map_err(|number| {
            let action = actions[number];
            BadInput::new_err(format!(
                "action {action} of game {number}: expected one of those in the action mask"
            ))
        })?;
        self.arrays.write(py, &self.seen)
    }

    fn fens(&self) -> Vec<String> {
        match &self.games {
            Games::Yoxii(games) => games.iter().map(ToString::to_string).collect(),
            Games::Hokito(games) => games.iter().map(ToString::to_string).collect(),
        }
    }
}
