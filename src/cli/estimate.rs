//! `totemic estimate`: what a proof will cost.

use std::io::{self, Write};
use std::sync::Arc;

use clap::Args;
use serde_json::json;

use super::chooser::{Chooser, cheap_claim};
use super::position::{AnyPosition, on_position};
use super::values::{claim, whole};
use super::{CliResult, Failure, Global, interrupted, progress, stop_on_interrupt};
use crate::game::{Game, Hokito, number_of};
use crate::search::solver::Solvable;
use crate::search::solver::certificate::Claim;
use crate::search::solver::estimate::{Cost, Estimate, Measured, Sampling, estimate};
use crate::search::{Odds, Searchable};

/// Estimate what the proof of a claim about a position will cost
///
/// Goes down lines of the proof at random: the engine picks the moves of the
/// claim's side, chance those of the other side, and the solver finishes each
/// line as soon as it can within its budget; each line counts for all those that
/// it stands for (Knuth, 1975). What is proved, likely, estimated and guessed
/// stands apart. The interval is that of a bootstrap, widened by factors that were
/// found on proofs of known size: it held the truth in 297 of 300 others, random
/// set-ups of Hokito of 16 to 20 pawns. Of larger ones and of Yoxii nobody knows, and
/// the cheapest of many estimates errs low far more often. Where the claim is proved
/// or refuted on the way, that is said instead.
///
/// Exit codes: 0 estimated or proved; 1 the claim is false; 2 wrong usage; 130
/// stopped by Ctrl-C, and a line on stderr says how far it got.
#[derive(Args, Debug)]
pub(super) struct EstimateArgs {
    /// The position in quotes, or `startpos`
    #[arg(value_name = "POSITION")]
    position: String,
    /// Moves to play from the position first; all words up to the next option
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    moves: Vec<String>,
    /// What would be proved, as for `certify` [default: the claim that looks
    /// cheapest, of the side that the engine thinks ahead]
    #[arg(long, value_name = "CLAIM", value_parser = claim)]
    claim: Option<Claim>,
    /// Lines to go down
    #[arg(long, value_name = "N", default_value_t = Sampling::default().samples, value_parser = whole(2..=1_000_000u32))]
    samples: u32,
    /// Nodes that the solver may take for one question: more make fewer steps by
    /// chance, and a narrower interval
    #[arg(long, value_name = "NODES", default_value_t = Sampling::default().budget, value_parser = whole(1u64..))]
    budget: u64,
    /// Seed of the moves drawn: the same seed, the same estimate
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0u64..))]
    seed: u64,
    /// Print one JSON object; of an estimate, `samples` is the number of lines and
    /// `lines` what each of them counts, in nodes: `nodes` is the mean
    #[arg(long)]
    json: bool,
}

/// Nodes for the engine's opinion of who is ahead.
const OPINION_NODES: u64 = 200_000;

pub(super) fn run(global: Global, args: &EstimateArgs) -> CliResult {
    let position = AnyPosition::read(global, &args.position, &args.moves)?;
    on_position!(position, position => measure(&position, args))
}

fn measure<G: Searchable + Solvable>(position: &G, args: &EstimateArgs) -> CliResult {
    let stop = stop_on_interrupt()?;
    let sampling = Sampling {
        samples: args.samples,
        budget: args.budget,
        seed: args.seed,
        stop: Some(Arc::clone(&stop)),
        ..Sampling::default()
    };
    let mut chooser = Chooser::new();
    let odds = chooser.odds(position, OPINION_NODES).0;
    let cheap = cheap_claim(odds);
    let claim = args.claim.unwrap_or(cheap);
    let bar = progress::bar(args.samples.into(), "lines");
    let choose = |position: &G, moves: &[G::Move]| chooser.choose(position, moves);
    let mut lines = 0;
    let told = |done: u32| {
        lines = done;
        bar.set_position(done.into());
    };
    let measured = estimate(position, claim, &sampling, choose, told);
    bar.finish_and_clear();
    let measured = measured.ok_or_else(|| {
        interrupted(format_args!(
            "stopped after {lines} of {}: nothing is estimated, and the same command begins anew",
            number_of(args.samples, "line")
        ))
    })?;
    let report = EstimateReport {
        position: position.to_string(),
        game: G::NAME,
        claim,
        odds,
        cheap,
        seed: args.seed,
        measured,
    };
    let mut out = io::stdout().lock();
    match args.json {
        true => report.json(&mut out)?,
        false => report.text(&mut out)?,
    }
    match report.measured.cost {
        Cost::Refuted => Err(Failure::Code(1)),
        _ => Ok(()),
    }
}

/// Everything that is told.
struct EstimateReport {
    position: String,
    game: &'static str,
    claim: Claim,
    /// The engine's opinion, for the first side.
    odds: Odds,
    cheap: Claim,
    seed: u64,
    measured: Measured,
}

impl EstimateReport {
    fn core_hours(&self, nodes: f64) -> f64 {
        nodes / self.measured.nodes_per_second() / 3600.0
    }

    /// Whether it was measured how often an interval of so many lines holds the truth.
    fn is_calibrated(&self, lines: usize) -> bool {
        self.game == Hokito::NAME && lines >= Sampling::default().samples as usize
    }

    fn text(&self, out: &mut impl Write) -> io::Result<()> {
        let (claim, measured) = (self.claim, &self.measured);
        writeln!(out, "claim     {claim} in '{}'", self.position)?;
        match &measured.cost {
            Cost::Proved(nodes) => {
                return writeln!(
                    out,
                    "proved    it is true: {} of the solver",
                    number_of(nodes, "node")
                );
            }
            Cost::Refuted => writeln!(out, "proved    it is false")?,
            Cost::Estimated(found) => self.estimated(out, found)?,
        }
        let Odds { win, draw, loss } = self.odds;
        let percent = |part: u32| f64::from(part) / 10.0;
        let advice = match self.measured.cost {
            Cost::Refuted if self.claim == self.cheap => "which misled it here".to_owned(),
            _ => format!(
                "cheapest to prove looks '{}', as what is far from being in doubt is cheap",
                self.cheap
            ),
        };
        writeln!(
            out,
            "guess     the engine expects p1 to win {:.0} %, draws {:.0} %, p2 to win {:.0} %; \
             {advice}",
            percent(win),
            percent(draw),
            percent(loss)
        )
    }

    fn estimated(&self, out: &mut impl Write, found: &Estimate) -> io::Result<()> {
        let (low, high) = found.interval;
        let (most, fewest) = found.plies_left;
        let count = found.samples.len();
        writeln!(out, "proved    nothing: no line refuted it for good")?;
        writeln!(
            out,
            "estimate  {:.2e} nodes if the claim is true, the mean of {}",
            found.nodes,
            number_of(count, "line")
        )?;
        let worth = match self.is_calibrated(count) {
            true => "held the truth in more than 19 of 20 trials, small set-ups of Hokito",
            false => "how often such a one holds the truth was not measured",
        };
        writeln!(out, "interval  {low:.2e} to {high:.2e}: {worth}")?;
        writeln!(
            out,
            "time      {} core-hours, {} to {}, at {:.1} M nodes a second as just now",
            hours(self.core_hours(found.nodes)),
            hours(self.core_hours(low)),
            hours(self.core_hours(high)),
            self.measured.nodes_per_second() / 1e6
        )?;
        let wrong = found.wrong_moves;
        writeln!(
            out,
            "lines     plies left where the solver finished them: {fewest} to {most}; wrong moves of the \
             engine: {wrong}"
        )
    }

    fn json(&self, out: &mut impl Write) -> io::Result<()> {
        let Odds { win, draw, loss } = self.odds;
        let mut object = json!({
            "position": self.position,
            "game": self.game,
            "claim": self.claim.to_string(),
            "proved": null,
            "seed": self.seed,
            "guess": { "win": win, "draw": draw, "loss": loss, "claim": self.cheap.to_string() },
            "nodes_per_second": self.measured.nodes_per_second().round(),
        });
        match &self.measured.cost {
            Cost::Proved(nodes) => {
                object["proved"] = json!(true);
                object["nodes"] = json!(nodes);
            }
            Cost::Refuted => object["proved"] = json!(false),
            Cost::Estimated(found) => {
                let (low, high) = found.interval;
                object["estimate"] = json!({
                    "condition": "the claim is true",
                    "nodes": found.nodes,
                    "nodes_low": low,
                    "nodes_high": high,
                    "core_hours": self.core_hours(found.nodes),
                    "core_hours_low": self.core_hours(low),
                    "core_hours_high": self.core_hours(high),
                    "samples": found.samples.len(),
                    "lines": found.samples,
                    "wrong_moves": found.wrong_moves,
                });
            }
        }
        writeln!(out, "{object}")
    }
}

/// A number of hours, with as many digits as it is worth.
fn hours(hours: f64) -> String {
    if hours >= 100.0 {
        format!("{hours:.2e}")
    } else if hours >= 0.1 {
        format!("{hours:.1}")
    } else {
        format!("{hours:.1e}")
    }
}
