//! The engine of Totemic: the abstract games Yoxii and Hokito for programs that embed it.
//!
//! The layers, the lowest first; each knows only layers listed before it:
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`game`] | the rules: positions, moves, results, their texts, perft, random starts |
//! | [`search`] | values and best moves: alpha-beta, MCTS, the exact solver, proofs |
//! | [`engine`] | an engine: `go`, `stop`, results through a callback; a blocking search |
//! | [`ugi`] | the protocol, over any reader and writer |
//!
//! Besides, [`stop`] ends whatever takes long, [`drawing`] makes pictures of positions,
//! [`weights`] loads evaluations from files, and [`mod@bench`] computes the signature of the search.
//! Everything above the rules is generic over [`Game`](game::Game); [`Yoxii`](game::Yoxii) and
//! [`Hokito`](game::Hokito) are the two games.
//!
//! With the feature `serde`, what describes a game implements `Serialize`: squares, sides, results,
//! odds, and the errors of positions and moves.
//!
//! Profiles are those of your workspace. If you want a fast engine in your `dev` builds, too,
//! put this into its `Cargo.toml`; a game or an evaluation of your own is compiled in your
//! crate, so it needs the same for that.
//!
//! ```toml
//! [profile.dev.package.totemic-engine]
//! opt-level = 3
//! ```
//!
//! Build your program with `RUSTFLAGS="-C target-cpu=x86-64-v2"`, unless it must run on
//! processors from before 2009, which cannot count bits in one instruction. Without the
//! flag the search of Yoxii is a seventh slower: `.cargo/config.toml` sets it only for builds
//! in this workspace.
//!
//! # Letting the engine think
//!
//! ```
//! use std::time::Duration;
//! use totemic_engine::engine::Engine;
//! use totemic_engine::game::Hokito;
//! use totemic_engine::search::Limits;
//!
//! let mut engine = Engine::<Hokito>::new();
//! engine.set_position("x,b3:14,x,w1:2,x,b1/x5,b2/w1:14,x5/x6/x6/w3:2,w2,x3,w1 b".parse()?);
//! let report = engine.search(Limits::move_time(Duration::from_millis(100)));
//! // A finished game has no best move and no infos.
//! if let (Some(best), Some(info)) = (report.best, report.infos.first()) {
//!     println!("{best}: {}", info.score);
//! }
//! # Ok::<(), totemic_engine::game::PositionError>(())
//! ```
//!
//! [`Engine::go`](engine::Engine::go) searches in the background and reports to a
//! callback.
//!
//! # Rules and exact values
//!
//! ```
//! use totemic_engine::game::{Game, Hokito, Outcome, Side};
//! use totemic_engine::search::solver::{SolveRequest, Value, solve};
//!
//! let position: Hokito = "x,b3:14,x,w1:2,x,b1/x5,b2/w1:14,x5/x6/x6/w3:2,w2,x3,w1 b".parse()?;
//! assert_eq!(position.side(), Side::First);
//! let moves: Vec<String> = position.moves().iter().map(ToString::to_string).collect();
//! assert_eq!(moves, ["f5b1", "b6a4", "f6f5"]);
//! assert_eq!(position.outcome(), None);
//!
//! // Win, draw or loss for the side to move; on request the margin and the
//! // value of every move.
//! let request = SolveRequest {
//!     margin: true,
//!     all_moves: true,
//!     ..SolveRequest::default()
//! };
//! let solution = solve(&position, &request);
//! assert_eq!(solution.value, Value::Win);
//! assert_eq!(solution.margin, Some(73));
//! println!("{:?} of {:?}", solution.best, solution.moves);
//!
//! // The pv leads to the end of the game.
//! let end = solution.pv.iter().fold(position, |position, &mv| position.play(mv));
//! assert_eq!(end.outcome(), Some(Outcome::Win(Side::First)));
//! # Ok::<(), totemic_engine::game::PositionError>(())
//! ```
#![forbid(unsafe_code)]
#![warn(unreachable_pub)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod bench;
#[doc(hidden)] // For the crates of this workspace, like the other hidden ones.
pub mod checksum;
pub mod drawing;
pub mod engine;
#[doc(hidden)]
pub mod file;
pub mod game;
#[doc(hidden)]
pub mod host;
#[doc(hidden)]
pub mod instances;
#[doc(hidden)]
pub mod lock;
pub mod search;
pub mod stop;
#[doc(hidden)]
pub mod text;
pub mod ugi;
pub mod weights;
