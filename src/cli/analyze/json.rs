//! Lines of a search and its answer for programs.

use std::io::{self, Write};

use serde::Serialize;

use crate::game::Game;
use crate::search::{Info, Odds, Report};

/// How likely the game is to end in each way, per mille.
#[derive(Serialize)]
struct OddsJson {
    win: u32,
    draw: u32,
    loss: u32,
}

/// One line of a search.
#[derive(Serialize)]
struct InfoJson {
    depth: u32,
    seldepth: u32,
    multipv: usize,
    /// Centipoints for the side to move; absent when proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    /// Plies to a proven end, negative when losing.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    bound: &'static str,
    proven: bool,
    odds: OddsJson,
    nodes: u64,
    nps: u64,
    time_ms: u128,
    hashfull: u32,
    pv: Vec<String>,
}

/// The answer.
#[derive(Serialize)]
struct ReportJson {
    game: &'static str,
    position: String,
    side: &'static str,
    bestmove: Option<String>,
    ponder: Option<String>,
    nodes: u64,
    time_ms: u128,
}

/// Writes a line of a search.
pub(super) fn info<M: std::fmt::Display>(
    out: &mut impl Write,
    info: &Info<M>,
    odds: Odds,
) -> io::Result<()> {
    let mate = info.score.mate_plies();
    let line = InfoJson {
        depth: info.depth,
        seldepth: info.seldepth,
        multipv: info.multipv,
        cp: mate.is_none().then(|| info.score.centipoints()),
        mate,
        bound: info.bound.name(),
        proven: info.proven,
        odds: OddsJson {
            win: odds.win,
            draw: odds.draw,
            loss: odds.loss,
        },
        nodes: info.nodes,
        nps: info.nps(),
        time_ms: info.time.as_millis(),
        hashfull: info.hashfull,
        pv: info.pv.iter().map(ToString::to_string).collect(),
    };
    write_line(out, &line)
}

/// Writes the answer.
pub(super) fn report<G: Game>(
    out: &mut impl Write,
    position: &G,
    report: &Report<G::Move>,
) -> io::Result<()> {
    let answer = ReportJson {
        game: G::NAME,
        position: position.to_string(),
        side: position.side().word(),
        bestmove: report.best.map(|mv| mv.to_string()),
        ponder: report.ponder.map(|mv| mv.to_string()),
        nodes: report.nodes,
        time_ms: report.time.as_millis(),
    };
    write_line(out, &answer)
}

fn write_line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)?;
    out.flush()
}
