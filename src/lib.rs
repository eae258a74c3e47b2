//! Totemic: an engine for the abstract games Yoxii and Hokito.
//!
//! The program `totemic` is a thin layer over this library. The library's layers, the
//! lowest first; each knows only layers listed before it:
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`game`] | the rules: positions, moves, results, their texts, perft, random starts |
//! | [`search`] | values and best moves: alpha-beta, MCTS, the exact solver |
//! | [`engine`] | an engine: `go`, `stop`, results through a callback; a blocking search |
//! | `record` | games in files: journals, PGN, openings, moves as people type them; needs only the rules |
//! | `process` | an engine as a child process |
//! | `review` | reviews of finished games, move by move; how the final score was counted |
//! | `train` | self-play, and fitting the weights of the evaluation to it |
//! | [`ugi`] | the protocol, over any reader and writer |
//! | `analysis` | a server that analyses many positions, over lines of JSON |
//! | `arena` | matches between engines as processes; needs only the rules, `record` and `process` |
//! | `facts` | answers for web pages: positions, moves and games, reviews; JSON in, JSON out |
//! | `board` | the board in a browser |
//! | `cli` | the command line |
//!
//! Besides, [`drawing`] makes pictures of positions, and `bench` computes the
//! signature of the search. Everything above the rules is generic over
//! [`Game`](game::Game); [`Yoxii`](game::Yoxii) and [`Hokito`](game::Hokito) are
//! the two games. [`contributing`] says how to make and test changes.
//!
//! # Features
//!
//! All but `measure`, for experiments, are on by default: `facts` (record, review, facts;
//! uses neither files nor processes), `arena` (journals, process, arena; needs `facts`),
//! `cli` (the program; also analysis, training and certificates; needs `arena`) and `board`
//! (needs `cli`).
//! Without any of them, the library is the rules, the search, the engine, the protocol
//! and drawings, and needs few other crates:
//!
//! ```toml
//! [dependencies]
//! totemic = { path = "../totemic", default-features = false }
//! ```
//!
//! Build your program with `RUSTFLAGS="-C target-cpu=x86-64-v2"`, unless it must run on
//! processors from before 2009, which cannot count bits in one instruction. Without the
//! flag the search of Yoxii is a seventh slower. `.cargo/config.toml` sets it only for builds
//! in this package's folder.
//!
//! # Letting the engine think
//!
//! ```
//! use totemic::engine::Engine;
//! use totemic::game::Yoxii;
//! use totemic::search::Limits;
//!
//! let mut engine = Engine::<Yoxii>::new();
//! let report = engine.search(Limits::nodes(2000));
//! println!("{:?}: {}", report.best, report.lines[0].score);
//! ```
//!
//! [`Engine::go`](engine::Engine::go) searches in the background and reports to a
//! callback.
//!
//! # Rules and exact values
//!
//! ```
//! use totemic::game::{Game, Hokito, Outcome, Side};
//! use totemic::search::solver::{SolveLimits, Value, solve};
//!
//! let position: Hokito = "x,b3:14,x,w1:2,x,b1/x5,b2/w1:14,x5/x6/x6/w3:2,w2,x3,w1 b".parse()?;
//! assert_eq!(position.side(), Side::First);
//! let moves: Vec<String> = position.moves().iter().map(ToString::to_string).collect();
//! assert_eq!(moves, ["f5b1", "b6a4", "f6f5"]);
//! assert_eq!(position.outcome(), None);
//!
//! // Win, draw or loss for the side to move; on request the margin and the
//! // value of every move.
//! let limits = SolveLimits {
//!     margin: true,
//!     all_moves: true,
//!     ..SolveLimits::default()
//! };
//! let solution = solve(&position, &limits);
//! assert_eq!(solution.value, Value::Win);
//! assert_eq!(solution.margin, Some(73));
//! println!("{:?} of {:?}", solution.best, solution.moves);
//!
//! // The line of best play leads to the end of the game.
//! let end = solution.pv.iter().fold(position, |position, &mv| position.play(mv));
//! assert_eq!(end.outcome(), Some(Outcome::Win(Side::First)));
//! # Ok::<(), totemic::game::PositionError>(())
//! ```
#![forbid(unsafe_code)]
#![warn(unreachable_pub)]
#![cfg_attr(
    not(feature = "board"),
    allow(
        dead_code,
        unused_imports,
        reason = "the whole program shows what is dead"
    )
)]

#[cfg(feature = "cli")]
pub mod analysis;
#[cfg(feature = "arena")]
pub mod arena;
mod bench;
#[cfg(feature = "board")]
mod board;
mod checksum;
#[cfg(feature = "cli")]
pub mod cli;
pub mod contributing;
pub mod drawing;
pub mod engine;
#[cfg(feature = "facts")]
pub mod facts;
pub mod file;
pub mod game;
mod lock;
#[cfg(feature = "arena")]
pub mod process;
#[cfg(feature = "facts")]
pub mod record;
#[cfg(feature = "facts")]
pub mod review;
pub mod search;
#[cfg(feature = "cli")]
mod train;
pub mod ugi;
