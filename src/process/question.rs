//! What an engine is asked, as lines of the protocol.

use std::fmt::Display;
use std::time::Duration;

use totemic_engine::game::Side;
use totemic_games::limits::{MoveLimits, RunningClock};

/// What an engine is asked: a command that sets up a position and one that asks for a
/// move.
pub(crate) struct MoveRequest<'a> {
    pub position: &'a str,
    pub go: &'a str,
    /// Time after which an answer is too late; `None` if only the general patience limits
    /// it.
    pub allowed: Option<Duration>,
}

/// The command `position`, with the moves after it.
pub(crate) fn position_line(
    fen: &impl Display,
    moves: impl IntoIterator<Item = impl Display>,
) -> String {
    let mut line = format!("position fen {fen}");
    let mut before = " moves ";
    for mv in moves {
        line += &format!("{before}{mv}");
        before = " ";
    }
    line
}

/// The command `go` for the side to move; the clock of `limits` is left to the `clocks` of
/// both sides.
pub(crate) fn go_line(
    limits: &MoveLimits,
    clocks: [Option<RunningClock>; 2],
    side: Side,
) -> String {
    let mut line = "go".to_owned();
    let own = clocks[side.index()];
    if let Some(own) = own {
        // An opponent without a clock gets the clock of this side.
        let clocks = clocks.map(|clock| clock.unwrap_or(own));
        let [left1, left2] = clocks.map(|clock| clock.left_ms);
        let [inc1, inc2] = clocks.map(|clock| clock.control.increment_ms);
        line += &format!(" p1time {left1} p2time {left2} p1inc {inc1} p2inc {inc2}");
    }
    let moves_to_go = own.and_then(|clock| clock.moves_to_go());
    let others = [
        ("movestogo", moves_to_go.map(u64::from)),
        ("movetime", limits.movetime_ms),
        ("nodes", limits.nodes),
        ("depth", limits.depth.map(u64::from)),
    ];
    for (word, value) in others {
        if let Some(value) = value {
            line += &format!(" {word} {value}");
        }
    }
    line
}
