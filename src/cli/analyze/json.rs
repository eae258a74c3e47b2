//! Lines of a search and its answer for programs.

use std::fmt::Display;
use std::io::{self, Write};

use serde_json::json;

use crate::analysis::json as found;
use crate::game::Game;
use crate::search::{Info, Odds, Report};

pub(super) fn info<M: Display>(out: &mut impl Write, info: &Info<M>, odds: Odds) -> io::Result<()> {
    let mut line = found::line(info, odds);
    line["seldepth"] = info.seldepth.into();
    line["odds"] = found::odds(odds);
    line["nodes"] = info.nodes.into();
    line["nps"] = info.nps().into();
    line["time_ms"] = (info.time.as_millis() as u64).into();
    line["hashfull"] = info.hashfull.into();
    writeln!(out, "{line}")?;
    out.flush()
}

pub(super) fn report<G: Game>(
    out: &mut impl Write,
    position: &G,
    report: &Report<G::Move>,
) -> io::Result<()> {
    let answer = json!({
        "game": G::NAME,
        "position": position.to_string(),
        "side": position.side().word(),
        "bestmove": report.best.map(|mv| mv.to_string()),
        "ponder": report.ponder.map(|mv| mv.to_string()),
        "nodes": report.nodes,
        "time_ms": report.time.as_millis() as u64,
    });
    writeln!(out, "{answer}")?;
    out.flush()
}
