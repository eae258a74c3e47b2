//! A game as far as it has been played.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyInt, PyList, PyString, PyTuple};
use totemic_engine::drawing::draw;
use totemic_engine::drawing::svg::document;
use totemic_engine::game::{
    AnyPosition, Encode, Game, GameKind, Move, Side, action_of, fill_mask, legal_move, move_of,
    planes, with_game, with_position,
};
use totemic_engine::ugi::read_position_line;

use crate::arguments::{array, bad_input, game_kind, text};

/// The code of OpenSpiel for nobody's turn.
const NOBODY: i32 = -4;

/// A game as far as it has been played, with the rules.
///
/// `position` is `startpos`, the text of a position, or `random SEED`; it may have moves of its
/// own, as in `startpos moves a4a3`, and `moves` follow, as one text or many. States of the same
/// position are equal, whatever was played before. Methods have the names of OpenSpiel where it
/// has one. Bad input raises `BadInput` and changes nothing.
#[pyclass(module = "totemic")]
#[derive(Clone)]
pub struct State {
    /// What stands after `position` in the protocol for the first position.
    start: String,
    /// Each position of the game, the last one now.
    positions: Vec<AnyPosition>,
    /// The bits of the moves between them.
    moves: Vec<u16>,
}

fn position_text(given: &Bound<'_, PyAny>) -> PyResult<String> {
    text("position", given)
}

/// Moves in one text, of one text or many.
fn moves_text(given: &Bound<'_, PyAny>) -> PyResult<String> {
    if given.is_instance_of::<PyString>() {
        return text("moves", given);
    }
    let moves = given.try_iter()?.map(|it| text("move", &it?));
    Ok(moves.collect::<PyResult<Vec<_>>>()?.join(" "))
}

/// The words that set the position of a text.
fn words_of(text: &str) -> String {
    let text = text.trim();
    let mut forms = ["startpos", "random", "fen "].into_iter();
    match forms.any(|form| text.starts_with(form)) {
        true => text.to_owned(),
        false => format!("fen {text}"),
    }
}

/// The first position of a game, for the text of a position without moves.
pub(crate) fn read_start<G: Game>(text: &str) -> PyResult<G> {
    if text.contains(char::is_control) {
        return Err(bad_input(format!("{text:?}: expected one line of text")));
    }
    read_position_line(&format!("position {}", words_of(text))).map_err(bad_input)
}

fn action<G: Encode>(position: &G, mv: G::Move) -> usize {
    action_of::<G>(mv, position.side())
}

/// The move of a legal action.
fn read_action<G: Encode>(position: &G, action: &Bound<'_, PyAny>) -> PyResult<G::Move> {
    let found = action.extract().ok();
    let found = found.and_then(|it| legal_move(position, it));
    found.ok_or_else(|| bad_input(format!("action {action}: expected one of legal_actions()")))
}

/// The moves of a game as Python sees them, made once: to make 250 of them takes longer than all
/// the rest.
struct Names {
    /// In their order.
    texts: Vec<Py<PyString>>,
    /// The place there by the bits of a move.
    places: Vec<u16>,
    actions: Vec<Py<PyInt>>,
}

impl Names {
    fn new<G: Encode>(py: Python<'_>) -> Self {
        let moves = (0..G::ACTIONS).filter_map(|it| move_of::<G>(it, Side::First));
        let mut moves: Vec<_> = moves.map(|mv| (mv.to_string(), mv.bits())).collect();
        moves.sort_unstable();
        let mut places = vec![0; 1 << u16::BITS];
        for (place, &(_, bits)) in (0..).zip(&moves) {
            places[usize::from(bits)] = place;
        }
        let texts = moves.iter().map(|(it, _)| PyString::new(py, it).unbind());
        let actions = (0..G::ACTIONS).map(|it| PyInt::new(py, it).unbind());
        Self {
            texts: texts.collect(),
            places,
            actions: actions.collect(),
        }
    }

    fn of(py: Python<'_>, kind: GameKind) -> &'static Self {
        static NAMES: PyOnceLock<[Names; 2]> = PyOnceLock::new();
        let new = |kind| with_game!(kind, G => Self::new::<G>(py));
        &NAMES.get_or_init(py, || GameKind::ALL.map(new))[kind as usize]
    }

    /// The legal moves in the order of their texts, as numbers, which are sorted fast: the place
    /// there in the upper half, the action in the lower one.
    fn legal(&self, position: &AnyPosition) -> Vec<u32> {
        with_position!(position, position => {
            let place = |mv: u16| u32::from(self.places[usize::from(mv)]) << u16::BITS;
            let moves = position.moves();
            let moves = moves.iter().map(|&mv| place(mv.bits()) | action(position, mv) as u32);
            let mut moves: Vec<_> = moves.collect();
            moves.sort_unstable();
            moves
        })
    }

    fn texts<'py>(&self, py: Python<'py>, legal: &[u32]) -> PyResult<Bound<'py, PyTuple>> {
        let places = legal.iter().map(|it| (it >> u16::BITS) as usize);
        PyTuple::new(py, places.map(|it| &self.texts[it]))
    }
}

/// An argument that a caller may leave out.
type Arg<'a, 'py> = Option<&'a Bound<'py, PyAny>>;
/// Bytes, unless an array of the caller got them.
type Bytes<'py> = PyResult<Option<Bound<'py, PyBytes>>>;

/// Writes numbers over an array, if there is one, or returns them.
fn given<'py>(py: Python<'py>, values: &[u8], out: Arg<'_, 'py>) -> Bytes<'py> {
    let Some(out) = out else {
        return Ok(Some(PyBytes::new(py, values)));
    };
    array(out, "out (uint8)", values.len())?.copy_from_slice(py, values)?;
    Ok(None)
}

impl State {
    pub(crate) fn now(&self) -> &AnyPosition {
        // There is always a first one.
        &self.positions[self.positions.len() - 1]
    }

    fn play<G: Game + Into<AnyPosition>>(&mut self, position: &G, mv: G::Move) {
        self.positions.push(position.play(mv).into());
        self.moves.push(mv.bits());
    }

    fn word(&self, bits: u16) -> String {
        with_game!(self.now().kind(), G => <G as Game>::Move::from_bits(bits).to_string())
    }

    fn words(&self) -> Vec<String> {
        self.moves.iter().map(|&bits| self.word(bits)).collect()
    }

    /// Plays the moves of a text: all of them or none.
    fn play_all(&mut self, moves: &str) -> PyResult<()> {
        let before = self.moves.len();
        for (number, mv) in (1..).zip(moves.split_whitespace()) {
            let played = with_position!(*self.now(), position => {
                position.read_move(mv).map(|mv| self.play(&position, mv))
            });
            if let Err(why) = played {
                self.moves.truncate(before);
                self.positions.truncate(before + 1);
                return Err(bad_input(format!("move {number}: {why}")));
            }
        }
        Ok(())
    }
}

#[pymethods]
impl State {
    #[new]
    #[pyo3(signature = (game = GameKind::Yoxii, position = "startpos".into(), moves = "".into()))]
    #[pyo3(text_signature = "(game='yoxii', position='startpos', moves=())")]
    fn new(
        #[pyo3(from_py_with = game_kind)] game: GameKind,
        #[pyo3(from_py_with = position_text)] position: String,
        #[pyo3(from_py_with = moves_text)] moves: String,
    ) -> PyResult<Self> {
        let (start, played) = position.split_once(" moves").unwrap_or((&position, ""));
        let mut state = Self {
            start: words_of(start),
            positions: vec![with_game!(game, G => read_start::<G>(start)?.into())],
            moves: Vec::new(),
        };
        state.play_all(played)?;
        state.play_all(&moves)?;
        Ok(state)
    }

    /// The game that is played: `yoxii` or `hokito`.
    #[getter]
    fn game(&self) -> &'static str {
        self.now().kind().name()
    }

    /// What sets the position in the protocol, after the word `position`.
    #[getter]
    fn line(&self) -> String {
        match self.moves.is_empty() {
            true => self.start.clone(),
            false => format!("{} moves {}", self.start, self.words().join(" ")),
        }
    }

    /// The moves since the first position.
    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.words())
    }

    /// The position's text.
    fn fen(&self) -> String {
        self.now().to_string()
    }

    /// The side to move, `p1` or `p2`; `p1` is the side that began the game.
    fn turn(&self) -> &'static str {
        self.now().side().word()
    }

    /// 0 or 1 where `p1` or `p2` is to move; -4 when the game is over.
    fn current_player(&self) -> i32 {
        match self.is_terminal() {
            true => NOBODY,
            false => self.now().side().index() as i32,
        }
    }

    /// Whether the game is over: the side to move has no move.
    fn is_terminal(&self) -> bool {
        self.now().outcome().is_some()
    }

    /// `p1win`, `p2win` or `draw`; `None` while the game goes on.
    fn result(&self) -> Option<&'static str> {
        self.now().outcome().map(|outcome| outcome.word())
    }

    /// 1, 0 or -1 for each player at the end of the game; 0 before.
    fn returns(&self) -> [f64; 2] {
        let outcome = self.now().outcome();
        Side::BOTH.map(|side| outcome.map_or(0.0, |it| f64::from(it.sign_for(side))))
    }

    /// The points of both players as they stand.
    fn score(&self) -> (i32, i32) {
        with_position!(self.now(), position => position.standing().points).into()
    }

    /// All legal moves in alphabetical order; none when the game is over.
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let names = Names::of(py, self.now().kind());
        names.texts(py, &names.legal(self.now()))
    }

    /// The legal moves as numbers below `ACTIONS[game]`, in rising order. They name squares as
    /// the side to move sees the board; `protocol.md` explains them.
    fn legal_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        with_position!(self.now(), position => {
            let moves = position.moves();
            let mut actions: Vec<_> = moves.iter().map(|&mv| action(position, mv)).collect();
            actions.sort_unstable();
            let numbers = &Names::of(py, self.now().kind()).actions;
            PyList::new(py, actions.iter().map(|&action| &numbers[action]))
        })
    }

    /// What the rules say, as the fields of `Position` without planes; actions are there if
    /// `encode`.
    fn facts<'py>(&self, py: Python<'py>, encode: bool) -> PyResult<Bound<'py, PyTuple>> {
        let names = Names::of(py, self.now().kind());
        let (legal, known) = (names.legal(self.now()), &names.actions);
        let texts = names.texts(py, &legal)?;
        let numbers = legal.iter().map(|&it| &known[usize::from(it as u16)]);
        let actions = || PyTuple::new(py, numbers);
        let actions = encode.then(actions).transpose()?;
        let (fen, turn) = (self.fen(), self.turn());
        let (score, result) = (self.score(), self.result());
        (fen, turn, texts, score, result, actions).into_pyobject(py)
    }

    /// 1 for each legal action and 0 for the others, as `ACTIONS[game]` bytes. `out`, a
    /// C-contiguous array of as many items (uint8), gets them instead: then this is `None`.
    #[pyo3(signature = (out = None))]
    fn legal_actions_mask<'py>(&self, py: Python<'py>, out: Arg<'_, 'py>) -> Bytes<'py> {
        with_position!(self.now(), position => {
            let mut mask = vec![0; with_game!(self.now().kind(), G => <G as Encode>::ACTIONS)];
            fill_mask(position, &mut mask);
            given(py, &mask, out)
        })
    }

    /// The position as planes of bytes, 0 to 36, in the shape `PLANES[game]`, which is that of
    /// (planes, ranks, files): as the side to move sees it, or the `viewer`, `p1` or `p2`. `out`,
    /// a C-contiguous array of as many items (uint8), gets them instead: then this is `None`.
    #[pyo3(signature = (viewer = None, out = None))]
    fn planes<'py>(&self, py: Python<'py>, viewer: Arg<'_, 'py>, out: Arg<'_, 'py>) -> Bytes<'py> {
        let viewer = match viewer {
            None => self.now().side(),
            Some(it) => Side::of_word(&text("viewer", it)?)
                .ok_or_else(|| bad_input(format!("viewer {it}: expected 'p1', 'p2' or None")))?,
        };
        let planes = with_position!(self.now(), position => planes(position, viewer));
        given(py, &planes.values, out)
    }

    /// The move of a legal action.
    fn action_to_string(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        with_position!(self.now(), position => Ok(read_action(position, action)?.to_string()))
    }

    /// The action of a legal move.
    fn string_to_action(&self, r#move: &Bound<'_, PyAny>) -> PyResult<usize> {
        with_position!(self.now(), position => {
            Ok(action(position, position.read_move(&text("move", r#move)?).map_err(bad_input)?))
        })
    }

    /// Plays a legal action.
    fn apply_action(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        with_position!(*self.now(), position => {
            self.play(&position, read_action(&position, action)?);
        });
        Ok(())
    }

    /// Plays moves, all or none of them.
    #[pyo3(signature = (*moves))]
    fn push(&mut self, moves: &Bound<'_, PyAny>) -> PyResult<()> {
        self.play_all(&moves_text(moves)?)
    }

    /// Takes the last move back, and tells which it was.
    fn pop(&mut self) -> PyResult<String> {
        let bits = self.moves.pop();
        let bits = bits.ok_or_else(|| bad_input("there is no move to take back"))?;
        self.positions.pop();
        Ok(self.word(bits))
    }

    /// The squares that a legal move goes over, from the first to the last.
    fn route(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        with_position!(self.now(), position => {
            let mv = position.read_move(&text("move", r#move)?).map_err(bad_input)?;
            Ok(position.route(mv).iter().map(ToString::to_string).collect())
        })
    }

    /// A picture of the board in characters.
    fn text(&self) -> String {
        with_position!(self.now(), position => draw(position, usize::MAX, false))
    }

    /// A picture of the board as a file of SVG.
    fn svg(&self) -> String {
        with_position!(self.now(), position => document(position))
    }

    /// A copy, which plays on by itself.
    fn clone(&self) -> Self {
        Clone::clone(self)
    }

    fn __getnewargs__(&self) -> (&'static str, String) {
        (self.game(), self.line())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.now() == other.now()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.now().hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        format!("State({:?}, {:?})", self.game(), self.line())
    }
}
