//! Finds set-ups that the engine considers even.
//!
//! Random set-ups hardly ever are: in nearly all of them the first side is far ahead. So
//! in a random one two pawns at a time change places, as long as that brings the odds
//! closer to even.

use std::ops::RangeInclusive;

use indicatif::ProgressBar;
use serde_json::json;

use super::SetupArgs;
use crate::cli::chooser::Chooser;
use crate::cli::{CliResult, Failure, INTERRUPTED, fail_if, progress, stop_on_interrupt};
use totemic_engine::game::{Game, Hokito, Layout, Rng, Show};
use totemic_engine::search::Odds;
use totemic_engine::stop::Stop;

/// Default number of nodes for a set-up that may be even.
pub(super) const DEFAULT_NODES: u64 = 200_000;
/// Expected points of the first side in an even set-up.
const EVEN_POINTS: RangeInclusive<f64> = 0.45..=0.55;
/// The short search after each change has the nodes divided by this.
const SHORT_DIVISOR: u64 = 16;
/// How close a short search must come to the aim, in expected points.
const MAX_DISTANCE: f64 = 0.03;
/// The range of the aim, which is moved until a full search finds an even set-up.
const AIM_POINTS: (f64, f64) = (0.1, 0.9);
/// The number of changes before another random set-up is tried, and the number of set-ups
/// that are tried.
const MAX_CHANGES: u32 = 1_000;
const MAX_STARTS: u32 = 100;

struct FairFinder {
    chooser: Chooser<Hokito>,
    layout: Layout,
    rng: Rng,
    nodes: u64,
    stop: Stop,
    /// What the next set-up has taken so far.
    nodes_spent: u64,
    searches: u64,
}

pub(super) fn print(args: &SetupArgs, layout: Layout, rng: Rng) -> CliResult {
    let mut finder = FairFinder {
        chooser: Chooser::new(),
        layout,
        rng,
        nodes: args.nodes,
        stop: stop_on_interrupt()?,
        nodes_spent: 0,
        searches: 0,
    };
    if !args.json {
        let nodes = args.nodes;
        print_line!(
            "# Even by the engine's estimate after {nodes} nodes each, which is not a proof."
        )?;
    }
    let bar = progress::bar(args.count.into(), "set-ups");
    for _ in 0..args.count {
        let (position, odds) = finder.find(&bar)?;
        let line = match args.json {
            true => finder.json(&position, odds),
            false => finder.text(&position, odds),
        };
        bar.suspend(|| print_line!("{line}"))?;
        bar.inc(1);
    }
    Ok(())
}

impl FairFinder {
    fn find(&mut self, bar: &ProgressBar) -> Result<(Hokito, Odds), Failure> {
        (self.nodes_spent, self.searches) = (0, 0);
        for _ in 0..MAX_STARTS {
            let start = Hokito::random_start(self.layout, &mut self.rng);
            if let Some(made_even) = self.made_even(start, bar)? {
                return Ok(made_even);
            }
        }
        Err(failure!(
            "the engine found no even set-up in {} searches",
            self.searches
        ))
    }

    fn made_even(
        &mut self,
        mut position: Hokito,
        bar: &ProgressBar,
    ) -> Result<Option<(Hokito, Odds)>, Failure> {
        let short = self.nodes.div_ceil(SHORT_DIVISOR);
        let mut seen = self.odds(&position, short)?.expected_points();
        let mut aim = 0.5;
        for _ in 0..MAX_CHANGES {
            bar.set_message(format!(", searches for the next: {}", self.searches));
            if (seen - aim).abs() <= MAX_DISTANCE {
                let odds = self.odds(&position, self.nodes)?;
                if EVEN_POINTS.contains(&odds.expected_points()) {
                    return Ok(Some((position, odds)));
                }
                // The short search is probably off by about as much next time.
                aim = (0.5 - (odds.expected_points() - seen)).clamp(AIM_POINTS.0, AIM_POINTS.1);
            }
            let next = changed(&position, self.layout, &mut self.rng);
            let points = self.odds(&next, short)?.expected_points();
            if (points - aim).abs() <= (seen - aim).abs() {
                (position, seen) = (next, points);
            }
        }
        Ok(None)
    }

    fn odds(&mut self, position: &Hokito, nodes: u64) -> Result<Odds, Failure> {
        fail_if(self.stop.is_stopped(), INTERRUPTED)?;
        let (odds, nodes) = self.chooser.odds(position, nodes);
        self.nodes_spent += nodes;
        self.searches += 1;
        Ok(odds)
    }

    fn text(&self, position: &Hokito, odds: Odds) -> String {
        let [win, draw, loss] =
            [odds.win, odds.draw, odds.loss].map(|mille| f64::from(mille) / 10.0);
        let [first, second] = Hokito::SIDE_NAMES;
        format!(
            "{position} # {first} wins {win:.1} %, draws {draw:.1} %, {second} wins {loss:.1} %; \
             {} nodes in {} searches",
            self.nodes_spent, self.searches
        )
    }

    fn json(&self, position: &Hokito, odds: Odds) -> String {
        json!({
            "position": position.to_string(),
            "game": Hokito::NAME,
            "win": odds.win,
            "draw": odds.draw,
            "loss": odds.loss,
            "proved": false,
            "nodes": self.nodes_spent,
            "searches": self.searches,
        })
        .to_string()
    }
}

/// Swaps two different pawns; if the layout is by halves, two of the same side.
fn changed(position: &Hokito, layout: Layout, rng: &mut Rng) -> Hokito {
    let cells = Hokito::BOARD.into_iter();
    let towers = cells.filter_map(|cell| Some((cell, position.tower(cell)?)));
    let mut towers = Vec::from_iter(towers);
    loop {
        let [a, b] = [0; 2].map(|_| rng.below(towers.len()));
        let (one, other) = (towers[a].1, towers[b].1);
        let may_change = layout == Layout::Scattered || one.side == other.side;
        if may_change && one != other {
            (towers[a].1, towers[b].1) = (other, one);
            return Hokito::of(towers, position.side()).unwrap_or(*position);
        }
    }
}
