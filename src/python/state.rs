//! A game as far as it has been played.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyString, PyTuple};
use totemic_engine::drawing::draw;
use totemic_engine::drawing::svg::document;
use totemic_engine::game::{
    AnyPosition, Encode, Game, GameKind, Side, action_of, move_of, planes, sorted_moves, with_game,
    with_position,
};
use totemic_engine::ugi::read_position;

use crate::{BadInput, text, words};

/// The code of OpenSpiel for nobody's turn.
const NOBODY: i32 = -4;

#[pyclass(module = "totemic", name = "State")]
#[derive(Clone)]
pub struct State {
    /// What stands after `position` in the protocol for the first position.
    start: String,
    /// Each position of the game, the last one now.
    positions: Vec<AnyPosition>,
    /// The moves between them.
    moves: Vec<String>,
}

/// The words that set the position of a text.
fn words_of(text: &str) -> String {
    let text = text.trim();
    let is_form = ["startpos", "random"]
        .iter()
        .any(|form| text.starts_with(form));
    if is_form {
        text.to_owned()
    } else {
        format!("fen {text}")
    }
}

/// The first position of a game, for the text of a position without moves.
pub(crate) fn read_start<G: Game>(text: &str) -> PyResult<G> {
    if text.contains(char::is_control) {
        return Err(BadInput::new_err(format!(
            "{text:?}: expected one line of text"
        )));
    }
    read_position(&format!("position {}", words_of(text))).map_err(BadInput::new_err)
}

/// The position after a move, and the text of that move.
fn after(position: &AnyPosition, word: &str) -> Result<AnyPosition, String> {
    with_position!(position, position => {
        let mv = position.read_move(word).map_err(|why| why.to_string())?;
        Ok(position.play(mv).into())
    })
}

/// The move of an action that is legal in a position.
pub(crate) fn legal<G: Encode>(position: &G, action: i64) -> Option<G::Move> {
    let mv = move_of::<G>(usize::try_from(action).ok()?, position.side())?;
    position.is_legal(mv).then_some(mv)
}

pub(crate) fn fill_mask<G: Encode>(position: &G, mask: &mut [u8]) {
    mask.fill(0);
    for &mv in &position.moves() {
        mask[action_of::<G>(mv, position.side())] = 1;
    }
}

fn viewer(position: &AnyPosition, word: Option<&str>) -> PyResult<Side> {
    let refused = |word| format!("viewer {word:?}: expected 'p1', 'p2' or None");
    match word {
        None => Ok(with_position!(position, position => position.side())),
        Some(word) => Side::of_word(word).ok_or_else(|| BadInput::new_err(refused(word))),
    }
}

fn action<G: Encode>(position: &G, mv: G::Move) -> usize {
    action_of::<G>(mv, position.side())
}

fn mask_of<G: Encode>(position: &G) -> Vec<u8> {
    let mut mask = vec![0; G::ACTIONS];
    fill_mask(position, &mut mask);
    mask
}

fn illegal(action: i64) -> PyErr {
    BadInput::new_err(format!("action {action}: expected one of legal_actions()"))
}

/// Writes small numbers over an array of bytes, signed or not, or returns them.
fn given<'py>(
    py: Python<'py>,
    values: &[u8],
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let Some(out) = out else {
        return Ok(Some(PyBytes::new(py, values)));
    };
    match PyBuffer::<u8>::get(out) {
        Ok(out) => out.copy_from_slice(py, values)?,
        Err(_) => {
            let signed: Vec<i8> = values.iter().map(|&value| value as i8).collect();
            PyBuffer::<i8>::get(out)?.copy_from_slice(py, &signed)?;
        }
    }
    Ok(None)
}

impl State {
    fn now(&self) -> &AnyPosition {
        // There is always a first one.
        &self.positions[self.positions.len() - 1]
    }

    fn kind(&self) -> GameKind {
        self.now().kind()
    }

    fn add(&mut self, position: AnyPosition, mv: String) {
        self.positions.push(position);
        self.moves.push(mv);
    }

    /// Plays all moves or none.
    fn play(&mut self, moves: Vec<String>) -> PyResult<()> {
        let before = self.moves.len();
        for (number, mv) in (1..).zip(moves) {
            match after(self.now(), &mv) {
                Ok(position) => self.add(position, mv),
                Err(why) => {
                    self.moves.truncate(before);
                    self.positions.truncate(before + 1);
                    return Err(BadInput::new_err(format!("move {number}: {why}")));
                }
            }
        }
        Ok(())
    }
}

#[pymethods]
impl State {
    #[new]
    #[pyo3(signature = (game = "yoxii", position = None, moves = None))]
    fn new(
        game: &str,
        position: Option<&Bound<'_, PyAny>>,
        moves: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let given = position.map_or_else(
            || Ok("startpos".to_owned()),
            |given| {
                let text_of = given.cast::<PyString>().map(text);
                text_of.map_err(|_| BadInput::new_err(format!("position {given}: expected a text")))
            },
        )?;
        let (start, played) = match given.split_once(" moves") {
            Some((start, played)) => (start, played),
            None => (&given[..], ""),
        };
        let kind = crate::game(game)?;
        let mut state = Self {
            start: words_of(start),
            positions: vec![with_game!(kind, G => read_start::<G>(start)?.into())],
            moves: Vec::new(),
        };
        let mut all: Vec<String> = played.split_whitespace().map(str::to_owned).collect();
        all.extend(moves.map(words).transpose()?.unwrap_or_default());
        state.play(all)?;
        Ok(state)
    }

    #[getter]
    fn game(&self) -> &'static str {
        self.kind().name()
    }

    /// What stands after `position` in the protocol.
    #[getter]
    fn line(&self) -> String {
        match self.moves.is_empty() {
            true => self.start.clone(),
            false => format!("{} moves {}", self.start, self.moves.join(" ")),
        }
    }

    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.moves)
    }

    fn fen(&self) -> String {
        self.now().to_string()
    }

    fn turn(&self) -> &'static str {
        with_position!(self.now(), position => position.side().word())
    }

    fn current_player(&self) -> i32 {
        with_position!(self.now(), position => match position.has_moves() {
            true => position.side().index() as i32,
            false => NOBODY,
        })
    }

    fn is_terminal(&self) -> bool {
        !with_position!(self.now(), position => position.has_moves())
    }

    fn result(&self) -> Option<&'static str> {
        with_position!(self.now(), position => position.outcome()).map(|outcome| outcome.word())
    }

    fn returns(&self) -> [f64; 2] {
        let outcome = with_position!(self.now(), position => position.outcome());
        Side::BOTH.map(|side| outcome.map_or(0.0, |it| f64::from(it.sign_for(side))))
    }

    fn score(&self) -> (i32, i32) {
        let [one, two] = with_position!(self.now(), position => position.standing().points);
        (one, two)
    }

    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        with_position!(self.now(), position => {
            let moves = sorted_moves(position);
            PyTuple::new(py, moves.iter().map(|(text, _)| text.as_str()))
        })
    }

    fn legal_actions(&self) -> Vec<usize> {
        with_position!(self.now(), position => {
            let moves = position.moves();
            let mut actions: Vec<_> = moves.iter().map(|&mv| action(position, mv)).collect();
            actions.sort_unstable();
            actions
        })
    }

    /// What the rules say, as the fields of `Position`.
    fn facts<'py>(&self, py: Python<'py>, encode: bool) -> PyResult<Bound<'py, PyTuple>> {
        with_position!(self.now(), position => {
            let moves = sorted_moves(position);
            let texts = PyTuple::new(py, moves.iter().map(|(text, _)| text.as_str()))?;
            let (mut actions, mut planes) = (None, None);
            if encode {
                let its = moves.iter().map(|&(_, mv)| action(position, mv));
                actions = Some(PyTuple::new(py, its)?);
                planes = self.planes(py, None, None)?;
            }
            let (turn, result) = (self.turn(), self.result());
            let facts = (self.fen(), turn, texts, self.score(), result, actions, planes);
            facts.into_pyobject(py)
        })
    }

    #[pyo3(signature = (out = None))]
    fn legal_actions_mask<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let mask = with_position!(self.now(), position => mask_of(position));
        given(py, &mask, out)
    }

    #[pyo3(signature = (viewer = None, out = None))]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        viewer: Option<&str>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let viewer = self::viewer(self.now(), viewer)?;
        let planes = with_position!(self.now(), position => planes(position, viewer));
        given(py, &planes.values, out)
    }

    /// The move of a legal action.
    fn action_to_string(&self, action: i64) -> PyResult<String> {
        let mv = with_position!(self.now(), position => {
            legal(position, action).map(|mv| mv.to_string())
        });
        mv.ok_or_else(|| illegal(action))
    }

    /// The action of a legal move.
    fn string_to_action(&self, mv: &str) -> PyResult<usize> {
        with_position!(self.now(), position => {
            let found = position.read_move(mv).map_err(|why| BadInput::new_err(why.to_string()))?;
            Ok(action(position, found))
        })
    }

    fn apply_action(&mut self, action: i64) -> PyResult<()> {
        let played = with_position!(self.now(), position => {
            legal(position, action).map(|mv| (position.play(mv).into(), mv.to_string()))
        });
        let (position, mv) = played.ok_or_else(|| illegal(action))?;
        self.add(position, mv);
        Ok(())
    }

    #[pyo3(signature = (*moves))]
    fn push(&mut self, moves: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.play(words(moves)?)
    }

    /// Takes the last move back, and returns it.
    fn pop(&mut self) -> PyResult<String> {
        let none = || BadInput::new_err("there is no move to take back");
        let mv = self.moves.pop().ok_or_else(none)?;
        self.positions.pop();
        Ok(mv)
    }

    fn route(&self, mv: &str) -> PyResult<Vec<String>> {
        with_position!(self.now(), position => {
            let mv = position.read_move(mv).map_err(|why| BadInput::new_err(why.to_string()))?;
            Ok(position.route(mv).iter().map(ToString::to_string).collect())
        })
    }

    fn text(&self) -> String {
        with_position!(self.now(), position => draw(position, usize::MAX, false))
    }

    fn svg(&self) -> String {
        with_position!(self.now(), position => document(position))
    }

    fn clone(&self) -> Self {
        Clone::clone(self)
    }

    fn __copy__(&self) -> Self {
        Clone::clone(self)
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        Clone::clone(self)
    }

    fn __getnewargs__(&self) -> (&'static str, String) {
        (self.kind().name(), self.line())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.now() == other.now()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.now().hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.fen()
    }

    fn __repr__(&self) -> String {
        format!("State({:?}, {:?})", self.kind().name(), self.line())
    }
}
