//! What a page asks of the library: a [`Question`] in, an answer as JSON out.
//!
//! This module holds everything that a board on a screen has to know about the rules, so
//! that the page itself contains no rules. It uses no file, process, clock or network;
//! whoever embeds it (the server of `totemic board`) carries the messages.
//!
//! ```
//! use totemic_games::facts::{Question, answer_by_rules};
//!
//! let question = r#"{"ask":"position","game":"yoxii","fen":"3/5/7/3*3/7/5/3 w","moves":["c5b6y"]}"#;
//! let question: Question = serde_json::from_str(question)?;
//! let facts = answer_by_rules(&question)?;
//! assert_eq!(facts["fen"], "3/Y4/2*4/7/7/5/3 r");
//! assert_eq!(facts["side"], "p2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod games;
mod position;
mod qr;
mod refusal;
mod reviewing;

use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::odds_in_words::Advantage;
pub use crate::record::fault::Fault;
use crate::record::notation::read_move;
use crate::record::reader::read;
use crate::record::{PgnGame, PgnMove, Termination};
pub use games::{TreeItem, whole_games};
use totemic_engine::game::{Game, GameKind, Outcome, with_game};
use totemic_engine::stop::Stop;

/// What a page may ask. `game` is the name of a game and `fen` the text of a position,
/// both as in the protocol, or `startpos`.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    tag = "ask",
    rename_all = "lowercase",
    expecting = "expected a question"
)]
#[expect(missing_docs, reason = "the names say what the fields are")]
pub enum Question {
    /// The facts about the position after some moves.
    Position(Moves),
    /// The facts about a random start. The same seed gives the same start; `scattered` spreads
    /// the pawns of Hokito over the whole board.
    Random {
        game: String,
        scattered: bool,
        seed: u64,
    },
    /// Why no legal move begins with the one or two squares that were pressed; `null` if one
    /// does.
    Refusal {
        game: String,
        fen: String,
        squares: Vec<String>,
    },
    /// A move in any form that people write, to be turned into that of the protocol.
    Typed {
        game: String,
        fen: String,
        text: String,
    },
    /// The games in a PGN, a journal or lines of moves, in their order; for one that
    /// cannot be read, the reason. Where the text does not say which game is played, it is
    /// `game`.
    Read { game: String, text: String },
    /// A game as PGN. `players` are the names of both sides, empty if
    /// unknown; `date` is the day, as `2026.11.24`; `ended` says how the game ended, if
    /// not by the rules.
    Write {
        game: String,
        fen: String,
        tree: Vec<TreeItem>,
        players: [String; 2],
        date: String,
        ended: Option<(Outcome, Termination)>,
    },
    /// A text as a QR code, such as the address of a game.
    Qr { text: String },
    /// The winning chances at which each advantage begins: pairs of expected points and
    /// the name of the advantage.
    Advantages,
    /// A game judged move by move, as `totemic review --json` prints it. Its progress comes
    /// before it. `nodes` are for each position, at most 100 million; those of
    /// [`USUAL_LIMITS`](crate::review::USUAL_LIMITS) if not given.
    Review {
        #[serde(flatten)]
        moves: Moves,
        nodes: Option<u64>,
    },
}

/// Moves from a position, in the notation of the protocol.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[expect(missing_docs, reason = "the names say what the fields are")]
pub struct Moves {
    pub game: String,
    pub fen: String,
    #[serde(default)]
    pub moves: Vec<String>,
}

/// Answers any question except a review, using nothing but the rules: a WebAssembly
/// module that calls only this contains no engine, and is small.
///
/// # Errors
/// What is wrong with the question, naming the offending part.
pub fn answer_by_rules(question: &Question) -> Result<Json, Fault> {
    Ok(match question {
        Question::Position(Moves { game, fen, moves }) => {
            with_game!(kind(game)?, G => position::after::<G>(fen, moves)?)
        }
        Question::Random {
            game,
            scattered,
            seed,
        } => with_game!(kind(game)?, G => position::at_random::<G>(*scattered, *seed)),
        Question::Refusal { game, fen, squares } => json!(with_game!(kind(game)?, G => {
            refusal::refusal(&G::read_position(fen)?, squares)?
        })),
        Question::Typed { game, fen, text } => json!(with_game!(kind(game)?, G => {
            read_move(&G::read_position(fen)?, text)?.to_string()
        })),
        Question::Read { game, text } => {
            let games = read(text, GameKind::named(game)).into_iter();
            games.map(games::game_json).collect()
        }
        Question::Write {
            game,
            fen,
            tree,
            players,
            date,
            ended,
        } => {
            let mut pgn = of_moves(game, fen, games::moves(tree))?;
            pgn.players.clone_from(players);
            if let (None, Some((outcome, end))) = (pgn.result, ended) {
                (pgn.result, pgn.termination) = (Some(*outcome), *end);
            }
            let mut pgn = pgn.tagged("Totemic board");
            pgn.set_tag("Date", date);
            json!(pgn.to_string())
        }
        Question::Qr { text } => qr::drawing(text)?,
        Question::Advantages => json!(Advantage::STEPS),
        Question::Review { .. } => return Err(Fault::plain("a review needs the engine")),
    })
}

/// Replies to a page's message, which is a [`Question`] with a number `call`. The reply
/// has the same `call`, and an `answer` or an `error`, whose [`Fault`] is its `reason`.
/// Only a review takes long: before its reply, `on_news` gets messages with its `progress`. It
/// ends soon after `stop` comes, with what it has found by then.
pub fn reply(message: Json, stop: &Stop, mut on_news: impl FnMut(String)) -> String {
    dispatch(message, |call, question| match question {
        Question::Review { moves, nodes } => {
            let on_progress =
                |news: Json| on_news(json!({"call": call, "progress": news}).to_string());
            reviewing::run(moves, *nodes, stop, on_progress)
        }
        _ => answer_by_rules(question),
    })
}

/// Like [`reply`], but refuses a review, as [`answer_by_rules`] does.
pub fn reply_by_rules(message: Json) -> String {
    dispatch(message, |_, question| answer_by_rules(question))
}

fn dispatch(message: Json, answer: impl FnOnce(u64, &Question) -> Result<Json, Fault>) -> String {
    let call = message["call"].as_u64().unwrap_or(0);
    let question = serde_json::from_value(message).map_err(Fault::plain);
    reply_json(call, question.and_then(|question| answer(call, &question)))
}

/// The reply to the question number `call`, as JSON.
pub fn reply_json(call: u64, answer: Result<Json, Fault>) -> String {
    match answer {
        Ok(answer) => json!({"call": call, "answer": answer}),
        Err(why) => json!({"call": call, "error": why.to_string(), "reason": why}),
    }
    .to_string()
}

/// Makes a game of moves from a position.
fn of_moves(game: &str, fen: &str, moves: Vec<PgnMove>) -> Result<PgnGame, Fault> {
    PgnGame::of_moves(kind(game)?, fen, moves).map_err(|why| why.fault)
}

fn kind(name: &str) -> Result<GameKind, Fault> {
    GameKind::named(name).ok_or_else(|| {
        let name = name.to_owned();
        Fault::NoSuchGame { name }
    })
}
