//! Parses lines of input.

use std::ops::RangeBounds;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json, json};

use super::Options;
use totemic_engine::game::{AnyPosition, Game, GameKind, MAX_MOVES, with_game};
use totemic_engine::search::solver::Value;
use totemic_engine::stop::Stop;
use totemic_engine::text::quoted;
use totemic_games::limits::MoveLimits;
use totemic_games::numbers::whole;
use totemic_games::record::reader::{self, journal::in_one_line};

/// In bytes, for many ids are remembered.
const MAX_ID: usize = 256;

const FIELDS: &str = "id, cancel, game, position, moves, turns, nodes, depth, movetime, \
                      multipv, moves_values, priority";

/// What all positions of a request have in common.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) id: Json,
    pub(super) limits: MoveLimits,
    pub(super) multi_pv: usize,
    pub(super) moves_values: bool,
    pub(super) priority: i64,
    /// Ends the search for its positions.
    pub(super) cancel: Stop,
}

#[derive(Debug)]
pub(super) struct Job {
    pub(super) request: Arc<Request>,
    pub(super) position: AnyPosition,
    /// Number of moves played before the position, if the request has `turns`.
    turn: Option<usize>,
}

impl Job {
    /// Makes the answer to this job: its id, its turn and these fields.
    pub(super) fn answer(&self, fields: Json) -> Json {
        let mut answer = json!({"id": self.request.id});
        if let Some(turn) = self.turn {
            answer["turn"] = turn.into();
        }
        if let (Json::Object(answer), Json::Object(fields)) = (&mut answer, fields) {
            answer.extend(fields);
        }
        answer
    }
}

/// Why a line is refused.
#[derive(Debug)]
pub(super) struct LineError {
    /// The id of the line, if it has one.
    pub(super) id: Option<Json>,
    pub(super) why: String,
}

#[derive(Debug)]
pub(super) enum Command {
    Empty,
    /// Cancel the request with this id.
    Cancel(Json),
    /// Analyse the positions of the request with this id.
    Jobs(Json, Vec<Job>),
}

impl Command {
    /// Reads a line, whose number is its id if it has none. `stop` ends what it asks for.
    pub(super) fn read(
        line: &[u8],
        number: u64,
        options: &Options,
        stop: &Stop,
    ) -> Result<Self, LineError> {
        let refused = |id, why| LineError { id, why };
        let text = str::from_utf8(line);
        let text = text.map_err(|_| refused(None, "the line is not UTF-8 text".to_owned()))?;
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() || text.starts_with('#') {
            return Ok(Self::Empty);
        }
        let fields = if text.starts_with('{') {
            let json = serde_json::from_str(text);
            let what = "not a JSON object";
            json.map_err(|why| refused(None, format!("{what}: {}", in_one_line(&why))))?
        } else {
            fields_of_text(text, options.game).map_err(|why| refused(Some(json!(number)), why))?
        };
        for id in ["id", "cancel"].iter().filter_map(|&name| fields.get(name)) {
            if !is_id(id) {
                let expected = "expected a whole number or a text of at most";
                let why = format!("id {id}: {expected} {MAX_ID} bytes");
                return Err(refused(None, why));
            }
        }
        let is_known = |key: &&String| FIELDS.split(", ").any(|field| field == **key);
        if let Some(unknown) = fields.keys().find(|key| !is_known(key)) {
            let why = format!("{}: expected one of {FIELDS}", quoted(unknown));
            return Err(refused(fields.get("id").cloned(), why));
        }
        if let Some(id) = fields.get("cancel") {
            return Ok(Self::Cancel(id.clone()));
        }
        let id = fields.get("id").cloned().unwrap_or_else(|| json!(number));
        match Fields(&fields).jobs(&id, options, stop) {
            Ok(jobs) => Ok(Self::Jobs(id, jobs)),
            Err(why) => Err(refused(Some(id), why)),
        }
    }
}

/// Returns the fields of a line that consists of a position and moves. What `totemic solve`
/// expects of a position, in fields after it, is left out.
fn fields_of_text(text: &str, game: GameKind) -> Result<Map<String, Json>, String> {
    let is_value = |field: &str| {
        let word = field.split_whitespace().next();
        word.is_none_or(|word| Value::named(word).is_some())
    };
    let fields = text.split('\t').take_while(|field| !is_value(field));
    let text = &Vec::from_iter(fields).join(" ");
    if text.starts_with('[') {
        let why = "a tag of a file of games, which review reads; expected a position or moves";
        return Err(why.to_owned());
    }
    let games = reader::read(text, Some(game));
    let [Ok(game)] = games.as_slice() else {
        let why = games.into_iter().find_map(Result::err);
        let why = why.map(|why| why.fault.to_string());
        return Err(why.unwrap_or_else(|| "expected a position".to_owned()));
    };
    // A number or a comment alone would be read as a game without moves.
    if game.moves.is_empty() && !text.contains('/') && !text.contains("startpos") {
        return Err("expected a position or moves".to_owned());
    }
    let moves: Vec<&str> = game.moves.iter().map(|played| played.mv.as_str()).collect();
    Ok(Map::from_iter([
        ("game".to_owned(), json!(game.kind.name())),
        ("position".to_owned(), json!(game.start)),
        ("moves".to_owned(), json!(moves)),
    ]))
}

fn is_id(value: &Json) -> bool {
    let is_short = |text: &str| text.len() <= MAX_ID;
    value.as_str().is_some_and(is_short) || value.is_i64() || value.is_u64()
}

struct Fields<'a>(&'a Map<String, Json>);

impl Fields<'_> {
    fn get<T: DeserializeOwned>(&self, name: &str, expected: &str) -> Result<Option<T>, String> {
        let Some(value) = self.0.get(name).filter(|value| !value.is_null()) else {
            return Ok(None);
        };
        let refused = |_| format!("{name} {}: expected {expected}", quoted(&value.to_string()));
        T::deserialize(value).map(Some).map_err(refused)
    }

    fn number(&self, name: &str, range: &impl RangeBounds<u64>) -> Result<Option<u64>, String> {
        let value = self.0.get(name).filter(|value| !value.is_null());
        let read = value.map(ToString::to_string).map(|text| {
            whole(&text, range).map_err(|why| format!("{name} {}: {why}", quoted(&text)))
        });
        read.transpose()
    }

    fn jobs(&self, id: &Json, options: &Options, stop: &Stop) -> Result<Vec<Job>, String> {
        let limits = MoveLimits {
            depth: self.number("depth", &(1..=64))?.map(|depth| depth as u32),
            nodes: self.number("nodes", &(1..))?,
            movetime_ms: self.number("movetime", &(1..))?,
            ..MoveLimits::default()
        };
        let multi_pv = self.number("multipv", &(1..=MAX_MOVES as u64))?;
        let request = Arc::new(Request {
            id: id.clone(),
            limits: match limits.is_bounded() {
                true => limits,
                false => options.limits,
            },
            multi_pv: multi_pv.map_or(options.multi_pv, |count| count as usize),
            moves_values: self.get("moves_values", "true or false")?.unwrap_or(false),
            priority: self.get("priority", "a whole number")?.unwrap_or(0),
            cancel: stop.child(),
        });
        let job = |(turn, position)| Job {
            request: Arc::clone(&request),
            position,
            turn,
        };
        Ok(self.positions(options)?.into_iter().map(job).collect())
    }

    fn positions(&self, options: &Options) -> Result<Vec<(Option<usize>, AnyPosition)>, String> {
        const EXPECTED: &str = "'startpos' or a position's text";
        let text: Option<String> = self.get("position", EXPECTED)?;
        let text = text.ok_or_else(|| format!("position: expected {EXPECTED}"))?;
        with_game!(self.kind(&text, options)?, G => self.positions_in::<G>(&text))
    }

    fn kind(&self, text: &str, options: &Options) -> Result<GameKind, String> {
        let names = GameKind::any_name();
        let name: Option<String> = self.get("game", &names)?;
        let unknown = |name: &str| format!("game {}: expected {names}", quoted(name));
        let named = name.map(|name| GameKind::named(&name).ok_or_else(|| unknown(&name)));
        let (named, of_text) = (named.transpose()?, GameKind::of_text(text));
        match (named, of_text) {
            (Some(named), Some(found)) if named != found => {
                let why = format!("this is a position of {found}, but game is {named}");
                Err(format!("position {}: {why}", quoted(text)))
            }
            _ => Ok(named.or(of_text).unwrap_or(options.game)),
        }
    }

    fn positions_in<G: Game + Into<AnyPosition>>(
        &self,
        text: &str,
    ) -> Result<Vec<(Option<usize>, AnyPosition)>, String> {
        let start =
            G::read_position(text).map_err(|why| format!("position {}: {why}", quoted(text)))?;
        let moves: Option<Vec<String>> = self.get("moves", "a list of moves")?;
        let mut positions: Vec<G> = vec![start];
        for (index, text) in moves.iter().flatten().enumerate() {
            let mv = (positions[index].read_move(text))
                .map_err(|why| format!("move {}: {why}", index + 1))?;
            positions.push(positions[index].play(mv));
        }
        let last = positions.len() - 1;
        let turns: Option<Vec<usize>> = self.get("turns", "a list of whole numbers")?;
        let Some(turns) = turns else {
            return Ok(vec![(None, positions[last].into())]);
        };
        if turns.is_empty() {
            return Err("turns: expected at least one number".to_owned());
        }
        let at = |turn: usize| match positions.get(turn) {
            Some(&position) => Ok((Some(turn), position.into())),
            None => Err(format!(
                "turns: {turn} of {last} moves: expected from 0 to {last}"
            )),
        };
        turns.into_iter().map(at).collect()
    }
}
