//! Games and moves on paper, read and written for the page.

use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::file;
use crate::game::{Game, GameKind, MoveError, Outcome, Side, quoted, quoted_path, with_game};
use crate::record::notation::read_move;
use crate::record::pgn::PgnGame;
use crate::record::reader::{self, Close, PlayedGame, PlayedMove};
use crate::review::ending::{self, Count, Decision};

/// The most that is read of a journal, in bytes.
const MAX_JOURNAL: u64 = 64 * 1024 * 1024;

/// A game as the page takes it, or why it cannot be read.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Sheet {
    Game {
        game: &'static str,
        fen: String,
        moves: Vec<String>,
        /// The moves once more, each with the lines behind it that could have
        /// been played instead.
        tree: Vec<Twig>,
        players: [String; 2],
        result: &'static str,
        reason: String,
    },
    Refused {
        why: String,
    },
}

/// A move, or a line instead of the move before it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Twig {
    Move(String),
    Variation(Vec<Twig>),
}

fn tree(moves: &[PlayedMove]) -> Vec<Twig> {
    let twigs = |played: &PlayedMove| {
        let variations = played.variations.iter().map(|line| tree(line));
        std::iter::once(Twig::Move(played.mv.clone()))
            .chain(variations.map(Twig::Variation))
            .collect::<Vec<_>>()
    };
    moves.iter().flat_map(twigs).collect()
}

impl From<PlayedGame> for Sheet {
    fn from(game: PlayedGame) -> Self {
        Self::Game {
            game: game.kind.name(),
            fen: game.start,
            tree: tree(&game.moves),
            moves: game.moves.into_iter().map(|played| played.mv).collect(),
            players: game.players,
            result: game.result.map_or("none", Outcome::word),
            reason: game.reason,
        }
    }
}

/// Every game of a text: PGN, a journal, or lines of moves.
pub(super) fn games(text: &str, hint: Option<GameKind>) -> Vec<Sheet> {
    let refused = |why: reader::ReadError| Sheet::Refused {
        why: why.to_string(),
    };
    (reader::read(text, hint).into_iter())
        .map(|game| game.map_or_else(refused, Sheet::from))
        .collect()
}

/// A move as it was typed, in the notation of the protocol.
///
/// # Errors
/// What is wrong with it, and what would be legal.
pub(super) fn typed(game: &str, fen: &str, text: &str) -> Result<String, String> {
    let kind = GameKind::named(game).ok_or_else(|| format!("{} is no game", quoted(game)))?;
    with_game!(kind, G => {
        let position: G = fen.parse().map_err(|why| format!("position: {why}"))?;
        let mv = read_move(&position, text).map_err(|why| why.to_string())?;
        Ok(mv.to_string())
    })
}

/// A game of the page that is to be written.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct GameText {
    /// Name of the game.
    game: String,
    /// Where it began.
    fen: String,
    /// Its moves and what could have been played instead.
    tree: Vec<Twig>,
    /// Who played; empty where nothing tells.
    players: [String; 2],
    /// The day, as `2026.11.24`.
    date: String,
    /// An end that is not one by the rules.
    ended: Option<Ended>,
}

/// An end that is not one by the rules.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
struct Ended {
    why: Why,
    /// Whether the first side has lost by it, or the second.
    side: Loser,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Why {
    Resigned,
    Flag,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Loser {
    P1,
    P2,
}

/// A game as PGN.
///
/// # Errors
/// What is wrong with it.
pub(super) fn write(game: &GameText) -> Result<String, String> {
    let name = &game.game;
    let kind = GameKind::named(name).ok_or_else(|| format!("{} is no game", quoted(name)))?;
    with_game!(kind, G => pgn_of::<G>(game))
}

fn pgn_of<G: Game>(game: &GameText) -> Result<String, String> {
    let start: G = (game.fen.parse()).map_err(|why| format!("position: {why}"))?;
    let (moves, end) = pgn_moves(start, &game.tree).map_err(|why| why.to_string())?;
    let ended = game.ended.as_ref().map(|ended| match ended.side {
        Loser::P1 => Outcome::Win(Side::Second),
        Loser::P2 => Outcome::Win(Side::First),
    });
    let close = match game.ended.as_ref().map(|ended| ended.why) {
        _ if end.outcome().is_some() => Close::Rules,
        Some(Why::Resigned) => Close::Resignation,
        Some(Why::Flag) => Close::Time,
        None => Close::Unfinished,
    };
    let players = game.players.each_ref().map(String::as_str);
    let outcome = end.outcome().or(ended);
    let mut pgn = PgnGame::new::<G>("Totemic board", players, &game.fen, outcome);
    pgn.moves = moves;
    let first = if players[0].is_empty() {
        "?"
    } else {
        players[0]
    };
    for (key, value) in [
        ("Date", game.date.as_str()),
        ("First", first),
        ("Termination", close.termination().unwrap_or_default()),
    ] {
        pgn.tag(key, value);
    }
    Ok(pgn.to_string())
}

/// The moves of a line with their variations, and the position behind it.
fn pgn_moves<G: Game>(start: G, line: &[Twig]) -> Result<(Vec<PlayedMove>, G), MoveError> {
    let mut moves: Vec<PlayedMove> = Vec::new();
    let (mut before, mut position) = (start, start);
    for twig in line {
        match (twig, moves.last_mut()) {
            (Twig::Variation(line), Some(last)) => {
                last.variations.push(pgn_moves(before, line)?.0);
            }
            // There is nothing that it could stand instead of.
            (Twig::Variation(_), None) => {}
            (Twig::Move(text), _) => {
                let mv = position.read_move(text)?;
                (before, position) = (position, position.play(mv));
                moves.push(PlayedMove {
                    mv: mv.to_string(),
                    ..PlayedMove::default()
                });
            }
        }
    }
    Ok((moves, position))
}

/// The end of a game by the rules, as [`ending::Ending`] has it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Ending {
    /// The side that cannot move.
    stuck: &'static str,
    result: &'static str,
    decision: &'static str,
    /// Points of each side.
    points: [i32; 2],
    /// What decides between equal points: numbers of pieces.
    pieces: [i32; 2],
    /// What counted for each side, the dearest first.
    counted: [Vec<Counted>; 2],
}

/// A square that counted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Counted {
    square: String,
    points: i32,
}

/// The end of a game explained.
///
/// # Errors
/// When there is no such position, or the game goes on.
pub(super) fn ending(game: &str, fen: &str) -> Result<Ending, String> {
    let kind = GameKind::named(game).ok_or_else(|| format!("{} is no game", quoted(game)))?;
    with_game!(kind, G => ending_of::<G>(fen))
}

fn ending_of<G: Count>(fen: &str) -> Result<Ending, String> {
    let position: G = fen.parse().map_err(|why| format!("position: {why}"))?;
    let end = ending::Ending::of(&position).ok_or("the game is not over")?;
    let counted = |it: ending::Counted| Counted {
        square: it.cell.to_string(),
        points: it.points,
    };
    Ok(Ending {
        stuck: end.stuck.word(),
        result: end.outcome.word(),
        decision: match end.decision {
            Decision::Points => "points",
            Decision::Pieces => "pieces",
            Decision::Nothing => "nothing",
        },
        points: end.standing.points,
        pieces: end.standing.tie_break,
        counted: end
            .counted
            .map(|side| side.into_iter().map(counted).collect()),
    })
}

/// The finished games of a match; the line that is being written is left out.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn journal(path: &Path) -> Result<Vec<Sheet>, String> {
    let failure = |why: std::io::Error| format!("{}: {}", quoted_path(path), file::reason(&why));
    let file = file::open(path).map_err(failure)?;
    let mut bytes = Vec::new();
    (file.take(MAX_JOURNAL).read_to_end(&mut bytes)).map_err(failure)?;
    let end = bytes.iter().rposition(|&byte| byte == b'\n');
    let text = String::from_utf8_lossy(&bytes[..end.unwrap_or(0)]);
    Ok(games(&text, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_becomes_a_move_or_a_reason() {
        let start = "3/5/7/3*3/7/5/3 w";
        assert_eq!(typed("yoxii", start, "C5-B6 4"), Ok("c5b6x".to_owned()));
        let why = typed("yoxii", start, "c5h9x").expect_err("no square");
        assert!(why.contains("c5h9x"), "{why}");
        assert!(typed("yoxii", "nowhere", "c5b6x").is_err());
        assert!(typed("chess", start, "c5b6x").is_err());
    }

    #[test]
    fn variations_come_with_the_game() {
        let read = games("1. c5b6y (1. c4b5x d5e6x (d5c6x)) (1. zz) d6e6x *", None);
        let Sheet::Game { tree, moves, .. } = &read[0] else {
            panic!("{read:?}");
        };
        assert_eq!(moves.len(), 2);
        let expected = r#"["c5b6y",["c4b5x","d5e6x",["d5c6x"]],"d6e6x"]"#;
        assert_eq!(serde_json::to_string(tree).expect("JSON"), expected);
    }

    #[test]
    fn a_text_gives_its_games_and_hides_no_error() {
        let read = games("c5b6y d6e6x\nc5b6y zz", None);
        assert_eq!(read.len(), 2);
        assert!(matches!(&read[0], Sheet::Game { moves, game: "yoxii", .. } if moves.len() == 2));
        assert!(matches!(&read[1], Sheet::Refused { why } if why.contains("zz")));
    }

    #[test]
    fn a_game_is_written_and_read_again() {
        let text = r#"{"game":"hokito","fen":"b1,b2,b3,b1,b2,b3/b2,b3,b1,b2,b3,b1/b3,b1,b2,b3,b1,b2/w2,w1,w3,w2,w1,w3/w1,w3,w2,w1,w3,w2/w3,w2,w1,w3,w2,w1 b",
            "tree":["b5c3",["f6f5"],"f2e1"],"players":["","Totemic"],"date":"2026.11.24",
            "ended":{"why":"resigned","side":"p1"}}"#;
        let written = write(&serde_json::from_str(text).expect("JSON")).expect("a game");
        // White has won, who moves second.
        for part in [
            "[White \"Totemic\"]",
            "[Black \"?\"]",
            "[Result \"1-0\"]",
            "[Termination \"resignation\"]",
            "1... b5c3 (1... f6f5) 2. f2e1 1-0",
        ] {
            assert!(written.contains(part), "{part} is not in\n{written}");
        }
        let read = games(&written, None);
        assert!(
            matches!(&read[0], Sheet::Game { result: "p2win", moves, tree, .. } if moves.len() == 2 && tree.len() == 3),
            "{read:?}"
        );
        let illegal = text.replace("f2e1", "f2f3");
        let why = write(&serde_json::from_str(&illegal).expect("JSON")).expect_err("illegal");
        assert!(why.contains("f2f3"), "{why}");
    }

    #[test]
    fn the_end_is_explained() {
        let end = ending("hokito", "x6/x6/x6/x6/w1,x5/b2:3,x5 w").expect("it is over");
        assert_eq!(
            (end.stuck, end.result, end.decision),
            ("p2", "p1win", "points")
        );
        assert_eq!(end.points, [6, 1]);
        assert_eq!(end.counted[0][0].square, "a1");
        let why = ending("yoxii", "3/5/7/3*3/7/5/3 w").expect_err("it has begun");
        assert!(why.contains("not over"), "{why}");
    }
}
