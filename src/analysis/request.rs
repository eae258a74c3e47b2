//! Lines of input and what they ask for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::{Bounds, LONGEST_LINE, Settings};
use crate::game::{AnyPosition, Game, GameKind, MAX_MOVES, quoted, with_game};
use crate::record::reader;

/// Longest text that may be an id, in bytes: many of them are remembered.
const LONGEST_ID: usize = 256;

/// One position to analyse.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) id: Json,
    /// Number of moves played before it, where that was asked for.
    pub(super) turn: Option<usize>,
    pub(super) position: AnyPosition,
    pub(super) bounds: Bounds,
    pub(super) multi_pv: usize,
    pub(super) moves_values: bool,
    pub(super) priority: i64,
    pub(super) cancelled: Arc<AtomicBool>,
}

impl Job {
    /// Ends its search soon.
    pub(super) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// All positions of a line.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) id: Json,
    pub(super) jobs: Vec<Job>,
}

/// What a line says.
#[derive(Debug)]
pub(super) enum Line {
    /// Nothing.
    Empty,
    /// Give up the request with this id.
    Cancel(Json),
    Request(Request),
}

/// Why a line is answered by an error.
#[derive(Debug)]
pub(super) struct Trouble {
    id: Option<Json>,
    why: String,
}

impl Trouble {
    pub(super) fn new(id: Option<Json>, why: impl Into<String>) -> Self {
        let why = why.into();
        Self { id, why }
    }

    /// The answer, with the line's number.
    pub(super) fn answer(&self, line: u64) -> Json {
        match &self.id {
            Some(id) => json!({"id": id, "line": line, "error": self.why}),
            None => json!({"line": line, "error": self.why}),
        }
    }
}

/// A request as JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    id: Option<Json>,
    cancel: Option<Json>,
    game: Option<String>,
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    turns: Option<Vec<usize>>,
    nodes: Option<u64>,
    depth: Option<u32>,
    movetime: Option<u64>,
    multipv: Option<usize>,
    #[serde(default)]
    moves_values: bool,
    #[serde(default)]
    priority: i64,
}

impl Line {
    /// Reads a line of input. Where it gives no id, its number is one.
    pub(super) fn read(line: &[u8], number: u64, settings: &Settings) -> Result<Self, Trouble> {
        debug_assert!(line.len() <= LONGEST_LINE + 1);
        let text = std::str::from_utf8(line)
            .map_err(|_| Trouble::new(None, "the line is not UTF-8 text"))?;
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() || text.starts_with('#') {
            return Ok(Self::Empty);
        }
        if text.starts_with('{') {
            return read_object(text, number, settings);
        }
        let id = json!(number);
        if text.starts_with('[') {
            let why = "a tag of a file of games, which review reads; expected a position or moves";
            return Err(Trouble::new(Some(id), why));
        }
        let games = reader::read(text, Some(settings.game));
        let [Ok(game)] = games.as_slice() else {
            let why = games.into_iter().find_map(Result::err);
            let why = why.map_or_else(|| "expected a position".to_owned(), |why| why.why);
            return Err(Trouble::new(Some(id), why));
        };
        // A number or a comment alone is read as a game without moves.
        if game.moves.is_empty() && !text.contains('/') && !text.contains("startpos") {
            return Err(Trouble::new(Some(id), "expected a position or moves"));
        }
        let fields = Fields {
            id: None,
            cancel: None,
            game: Some(game.kind.name().to_owned()),
            position: Some(game.start.clone()),
            moves: game.moves.iter().map(|played| played.mv.clone()).collect(),
            turns: None,
            nodes: None,
            depth: None,
            movetime: None,
            multipv: None,
            moves_values: false,
            priority: 0,
        };
        fields.request(id, settings).map(Self::Request)
    }
}

fn read_object(text: &str, number: u64, settings: &Settings) -> Result<Line, Trouble> {
    let json: Json = serde_json::from_str(text)
        .map_err(|why| Trouble::new(None, format!("not a JSON object: {why}")))?;
    // Whoever sent it wants to know which of its requests failed.
    let id = json.get("id").filter(|id| is_id(id)).cloned();
    let fields: Fields = serde_json::from_value(json.clone())
        .map_err(|why| Trouble::new(id.clone(), blame(&json, &why.to_string())))?;
    for given in [&fields.id, &fields.cancel].into_iter().flatten() {
        if !is_id(given) {
            let why = format!(
                "id {given}: expected a whole number or a text of at most {LONGEST_ID} bytes"
            );
            return Err(Trouble::new(None, why));
        }
    }
    if let Some(cancel) = &fields.cancel {
        return Ok(Line::Cancel(cancel.clone()));
    }
    let id = id.unwrap_or_else(|| json!(number));
    fields.request(id, settings).map(Line::Request)
}

/// Why an object is no request, with the name of the field that is wrong.
fn blame(json: &Json, why: &str) -> String {
    let alone = |(name, value): (&String, &Json)| {
        let field = json!({ name: value });
        let why = serde_json::from_value::<Fields>(field).err()?.to_string();
        let is_named = why.contains(&format!("`{name}`"));
        Some(if is_named {
            why
        } else {
            format!("{name}: {why}")
        })
    };
    let why = json
        .as_object()
        .and_then(|it| it.iter().find_map(alone))
        .unwrap_or_else(|| why.to_owned());
    // The names of types say nothing to a client.
    ["u64", "u32", "usize", "i64"]
        .iter()
        .fold(why, |why, name| {
            why.replace(&format!("expected {name}"), "expected a whole number")
        })
}

/// Whether a value may name a request.
fn is_id(value: &Json) -> bool {
    let is_short = |text: &str| text.len() <= LONGEST_ID;
    value.as_str().is_some_and(is_short) || value.is_i64() || value.is_u64()
}

impl Fields {
    fn request(self, id: Json, settings: &Settings) -> Result<Request, Trouble> {
        match self.positions(settings) {
            Ok(positions) => Ok(Request {
                jobs: self.jobs(&id, positions, settings),
                id,
            }),
            Err(why) => Err(Trouble::new(Some(id), why)),
        }
    }

    fn jobs(
        &self,
        id: &Json,
        positions: Vec<(Option<usize>, AnyPosition)>,
        settings: &Settings,
    ) -> Vec<Job> {
        let own = Bounds {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.movetime.map(Duration::from_millis),
        };
        let cancelled = Arc::new(AtomicBool::new(false));
        let job = |(turn, position)| Job {
            id: id.clone(),
            turn,
            position,
            bounds: if own.is_set() { own } else { settings.bounds },
            multi_pv: self.multipv.unwrap_or(settings.multi_pv),
            moves_values: self.moves_values,
            priority: self.priority,
            cancelled: Arc::clone(&cancelled),
        };
        positions.into_iter().map(job).collect()
    }

    /// The positions asked for, with their turns.
    fn positions(&self, settings: &Settings) -> Result<Vec<(Option<usize>, AnyPosition)>, String> {
        for (name, value, most) in [
            ("nodes", self.nodes, u64::MAX),
            ("depth", self.depth.map(u64::from), 64),
            ("movetime", self.movetime, u64::MAX),
            ("multipv", self.multipv.map(|n| n as u64), MAX_MOVES as u64),
        ] {
            if value.is_some_and(|value| value == 0 || value > most) {
                let found = value.unwrap_or_default();
                return Err(match most {
                    u64::MAX => format!("{name} {found}: expected at least 1"),
                    _ => format!("{name} {found}: expected from 1 to {most}"),
                });
            }
        }
        let Some(text) = &self.position else {
            return Err("position: expected 'startpos' or a position's text".to_owned());
        };
        with_game!(self.kind(text, settings)?, G => self.turns_of::<G>(text))
    }

    fn kind(&self, text: &str, settings: &Settings) -> Result<GameKind, String> {
        let named = match &self.game {
            None => None,
            Some(name) => Some(GameKind::named(name).ok_or_else(|| {
                let names = GameKind::ALL.map(GameKind::name).join(" or ");
                format!("game {}: expected {names}", quoted(name))
            })?),
        };
        let of_text = GameKind::of_text(text);
        match (named, of_text) {
            (Some(named), Some(found)) if named != found => Err(format!(
                "position {}: this is a position of {found}, but game is {named}",
                quoted(text)
            )),
            _ => Ok(named.or(of_text).unwrap_or(settings.game)),
        }
    }

    fn turns_of<G: Game + Into<AnyPosition>>(
        &self,
        text: &str,
    ) -> Result<Vec<(Option<usize>, AnyPosition)>, String> {
        let start = if text == "startpos" {
            G::start()
        } else {
            text.parse::<G>()
                .map_err(|why| format!("position {}: {why}", quoted(text)))?
        };
        let mut line = vec![start];
        for (index, token) in self.moves.iter().enumerate() {
            let position = &line[index];
            let mv = position
                .read_move(token)
                .map_err(|why| format!("move {}: {why}", index + 1))?;
            line.push(position.play(mv));
        }
        let Some(turns) = &self.turns else {
            return Ok(vec![(None, line[line.len() - 1].into())]);
        };
        if turns.is_empty() {
            return Err("turns: expected at least one number".to_owned());
        }
        let at = |&turn: &usize| {
            let position = line.get(turn).ok_or_else(|| {
                let last = line.len() - 1;
                format!("turns: {turn} of {last} moves: expected from 0 to {last}")
            })?;
            Ok((Some(turn), (*position).into()))
        };
        turns.iter().map(at).collect()
    }
}
