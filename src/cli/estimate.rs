//! `totemic estimate`: estimates what a proof will cost.

use clap::Args;
use serde_json::json;

use super::chooser::{Chooser, cheap_claim};
use super::position::read_position;
use super::values::{self, whole};
use super::{CliResult, Global, fail_if, interrupted, progress, stop_on_interrupt};
use totemic_engine::game::with_position;
use totemic_engine::search::certificates::Claim;
use totemic_engine::search::certificates::estimate::{
    Cost, Estimate, Measured, Sampling, estimate,
};
use totemic_engine::search::{Odds, Searchable};
use totemic_engine::text::number_of;

/// Estimate how many nodes it takes to certify a claim about a position
///
/// Follows random lines of the proof: the engine picks the moves of the claim's side,
/// chance picks those of the other side, and the solver certifies the position as soon as
/// it can within its budget; each line counts for all the lines that it represents (Knuth,
/// 1975). The result is an estimate of the nodes that `totemic certify` takes, with an
/// interval. For proofs of up to 10 million nodes (set-ups of Hokito with 16 to 20 pawns,
/// and endgames of both games), with at least 64 lines and a budget of at least 100 nodes,
/// the interval contained the true number in more than 19 of 20 trials. Its upper end is
/// about 20 times the lower one in Hokito, and 400 times in Yoxii, where lines differ more.
/// With smaller settings the interval often misses. For larger proofs nobody has measured
/// it, and the output says so. If you pick the cheapest of many claims, its estimate is too
/// low far more often. If the engine proves or refutes the claim on the way, it prints that
/// instead.
///
/// Exit codes: 0 estimated or proved; 1 the claim is false; 2 bad arguments; 130
/// stopped by Ctrl-C, with a line on stderr that says how far it got.
#[derive(Args, Debug)]
pub(super) struct EstimateArgs {
    /// The position in quotes, or `startpos`
    position: String,
    /// Moves to play from the position first: all words up to the next option
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    moves: Vec<String>,
    /// The claim, as for `certify` [default: the cheapest of the side ahead]
    #[arg(long, value_name = "CLAIM")]
    claim: Option<String>,
    /// Number of lines
    #[arg(long, value_name = "N", default_value_t = Sampling::default().samples,
          value_parser = whole(2..=1_000_000u32))]
    samples: u32,
    /// Nodes that the solver may take for a position on a line
    ///
    /// With more nodes, less is left to chance.
    #[arg(long, value_name = "NODES", default_value_t = Sampling::default().budget,
          value_parser = whole(1u64..))]
    budget: u64,
    /// Seed of the random moves: the same one gives the same estimate
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0u64..))]
    seed: u64,
    /// Print one JSON object
    ///
    /// `samples` is the number of lines, and `lines` is how much each of them counts, in
    /// nodes; `interval_measured` says whether intervals were measured with such settings
    /// and such estimates.
    #[arg(long)]
    json: bool,
}

/// What `benches/estimates.py` has measured of intervals.
const MEASURED: &str =
    "contained the cost in more than 19 of 20 trials, with proofs of up to 10 million nodes";

/// Says why such an interval was not measured.
fn unmeasured(lines: usize, budget: u64, nodes: f64) -> Option<&'static str> {
    if lines < 64 || budget < 100 {
        Some("not measured with fewer than 64 lines or a budget below 100")
    } else {
        (nodes > 1e7).then_some("not measured with proofs of more than 10 million nodes")
    }
}

const OPINION_NODES: u64 = 200_000;

pub(super) fn run(global: Global, args: &EstimateArgs) -> CliResult {
    let position = read_position(global, &args.position, &args.moves)?;
    let read = |text: &String| values::claim(position.kind(), text);
    let claim = args.claim.as_ref().map(read).transpose()?;
    with_position!(position, position => measure(&position, claim, args))
}

fn measure<G: Searchable>(position: &G, claim: Option<Claim>, args: &EstimateArgs) -> CliResult {
    let stop = stop_on_interrupt()?;
    let sampling = Sampling {
        samples: args.samples,
        budget: args.budget,
        seed: args.seed,
        stop: stop.clone(),
    };
    let mut chooser = Chooser::new();
    let odds = chooser.odds(position, OPINION_NODES).0;
    let claim = claim.unwrap_or(cheap_claim(odds));
    let bar = progress::bar(args.samples.into(), "lines");
    let mut choose = |position: &G, moves: &[G::Move]| chooser.choose(position, moves);
    let mut progress = |done: u32| bar.set_position(done.into());
    let measured = estimate(position, claim, &sampling, &mut choose, &mut progress);
    let done = bar.position();
    bar.finish_and_clear();
    let measured = measured.ok_or_else(|| {
        let all = number_of(args.samples, "line");
        interrupted(format_args!(
            "stopped after {done} of {all}: there is no estimate; the same command starts over"
        ))
    })?;
    let report = EstimateReport {
        args,
        position,
        claim,
        odds,
        measured,
    };
    match args.json {
        true => report.print_json()?,
        false => report.print()?,
    }
    fail_if(matches!(report.measured.cost, Cost::Refuted), 1)
}

struct EstimateReport<'a, G> {
    args: &'a EstimateArgs,
    position: &'a G,
    claim: Claim,
    /// The odds that the engine gives the first side.
    odds: Odds,
    measured: Measured,
}

impl<G: Searchable> EstimateReport<'_, G> {
    fn core_hours(&self, nodes: f64) -> f64 {
        nodes / self.measured.nodes_per_second() / 3600.0
    }

    fn print(&self) -> CliResult {
        let claim = self.claim;
        print_line!("claim     {claim} in '{}'", self.position)?;
        match &self.measured.cost {
            Cost::Proved(nodes) => {
                let nodes = number_of(nodes, "node");
                return print_line!("proved    it is true: certify takes {nodes}");
            }
            Cost::Refuted => print_line!("proved    it is false")?,
            Cost::Estimated(cost) => self.print_estimate(cost)?,
        }
        let Odds { win, draw, loss } = self.odds;
        let [win, draw, loss] = [win, draw, loss].map(|part| f64::from(part) / 10.0);
        let cheap = cheap_claim(self.odds);
        let advice = match self.measured.cost {
            Cost::Refuted if claim == cheap => "which was wrong here".to_owned(),
            _ => format!("so '{cheap}' looks cheapest to prove"),
        };
        print_line!(
            "guess     the engine expects p1 to win {win:.0} %, a draw {draw:.0} %, p2 to win \
             {loss:.0} %; {advice}"
        )
    }

    fn print_estimate(&self, cost: &Estimate) -> CliResult {
        let (low, high) = cost.interval;
        let (most, fewest) = cost.plies_left;
        let lines = number_of(cost.samples.len(), "line");
        let [mean, least, greatest] =
            [cost.nodes, low, high].map(|nodes| hours(self.core_hours(nodes)));
        let remark = unmeasured(cost.samples.len(), self.args.budget, cost.nodes);
        let remark = remark.unwrap_or(MEASURED);
        let speed = self.measured.nodes_per_second() / 1e6;
        let (nodes, wrong_moves) = (cost.nodes, cost.wrong_moves);
        print_line!(
            "proved    nothing: the lines neither prove nor refute the claim\n\
             estimate  {nodes:.2e} nodes for certify if the claim is true, from {lines}\n\
             interval  {low:.2e} to {high:.2e}: {remark}\n\
             time      {mean} core-hours, {least} to {greatest}, at {speed:.1} M nodes a second\n\
             lines     finished with {fewest} to {most} plies left; wrong moves of the engine: \
             {wrong_moves}"
        )
    }

    fn print_json(&self) -> CliResult {
        let mut guess = json!(self.odds);
        guess["claim"] = cheap_claim(self.odds).to_string().into();
        let mut object = json!({
            "position": self.position.to_string(),
            "game": G::NAME,
            "claim": self.claim.to_string(),
            "proved": null,
            "seed": self.args.seed,
            "guess": guess,
            "nodes_per_second": self.measured.nodes_per_second().round(),
        });
        match &self.measured.cost {
            Cost::Proved(nodes) => {
                object["proved"] = json!(true);
                object["nodes"] = json!(nodes);
            }
            Cost::Refuted => object["proved"] = json!(false),
            Cost::Estimated(cost) => {
                let (low, high) = cost.interval;
                let unmeasured = unmeasured(cost.samples.len(), self.args.budget, cost.nodes);
                object["estimate"] = json!({
                    "condition": "the claim is true",
                    "nodes": cost.nodes,
                    "nodes_low": low,
                    "nodes_high": high,
                    "interval_measured": unmeasured.is_none(),
                    "core_hours": self.core_hours(cost.nodes),
                    "core_hours_low": self.core_hours(low),
                    "core_hours_high": self.core_hours(high),
                    "samples": cost.samples.len(),
                    "lines": cost.samples,
                    "wrong_moves": cost.wrong_moves,
                });
            }
        }
        print_line!("{object}")
    }
}

fn hours(hours: f64) -> String {
    if hours >= 100.0 {
        format!("{hours:.2e}")
    } else if hours >= 0.1 {
        format!("{hours:.1}")
    } else {
        format!("{hours:.1e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_trusted_only_where_it_was_measured() {
        let few = Some("not measured with fewer than 64 lines or a budget below 100");
        assert_eq!(unmeasured(64, 100, 1e7), None);
        assert_eq!(unmeasured(63, 100, 1e7), few);
        assert_eq!(unmeasured(64, 99, 1e7), few);
        let large = unmeasured(64, 1_000_000, 2.69e17);
        assert!(large.is_some_and(|why| why.contains("more than 10 million")));
    }
}
