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
pub(super) const NODES: u64 = 200_000;
/// Expected points of the first side in an even set-up.
const EVEN: RangeInclusive<f64> = 0.45..=0.55;
/// The short search after each change has the nodes divided by this.
const SHORT: u64 = 16;
/// How close a short search must come to the aim, in expected points.
const NEAR: f64 = 0.03;
/// The range of the aim, which is moved until a full search finds an even set-up.
const AIMS: (f64, f64) = (0.1, 0.9);
/// The number of changes before another random set-up is tried, and the number of set-ups
/// that are tried.
const CHANGES: u32 = 1_000;
const BEGINNINGS: u32 = 100;

struct Finder {
    chooser: Chooser<Hokito>,
    layout: Layout,
    rng: Rng,
    nodes: u64,
    stop: Stop,
    /// The nodes and the number of searches for the next set-up.
    spent: (u64, u64),
}

pub(super) fn print(args: &SetupArgs, layout: Layout, rng: Rng) -> CliResult {
    let mut finder = Finder {
        chooser: Chooser::new(),
        layout,
        rng,
        nodes: args.nodes,
        stop: stop_on_interrupt()?,
        spent: (0, 0),
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

impl Finder {
    fn find(&mut self, bar: &ProgressBar) -> Result<(Hokito, Odds), Failure> {
        self.spent = (0, 0);
        for _ in 0..BEGINNINGS {
            let start = Hokito::random_start(self.layout, &mut self.rng);
            if let Some(made_even) = self.made_even(start, bar)? {
                return Ok(made_even);
            }
        }
        let searches = self.spent.1;
        Err(failure!(
            "the engine found no even set-up in {searches} searches"
        ))
    }

    fn made_even(
        &mut self,
        mut position: Hokito,
        bar: &ProgressBar,
    ) -> Result<Option<(Hokito, Odds)>, Failure> {
        let short = self.nodes.div_ceil(SHORT);
        let mut seen = self.odds(&position, short)?.expected_points();
        let mut aim = 0.5;
        for _ in 0..CHANGES {
            bar.set_message(format!(", searches for the next: {}", self.spent.1));
            if (seen - aim).abs() <= NEAR {
                let odds = self.odds(&position, self.nodes)?;
                if EVEN.contains(&odds.expected_points()) {
                    return Ok(Some((position, odds)));
                }
                // The short search is probably off by about as much next time.
                aim = (0.5 - (odds.expected_points() - seen)).clamp(AIMS.0, AIMS.1);
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
        self.spent.0 += nodes;
        self.spent.1 += 1;
        Ok(odds)
    }

    fn text(&self, position: &Hokito, odds: Odds) -> String {
        let [win, draw, loss] =
            [odds.win, odds.draw, odds.loss].map(|mille| f64::from(mille) / 10.0);
        let [first, second] = Hokito::SIDE_NAMES;
        let (nodes, searches) = self.spent;
        format!(
            "{position} # {first} wins {win:.1} %, draws {draw:.1} %, {second} wins {loss:.1} %; \
             {nodes} nodes in {searches} searches"
        )
    }

    fn json(&self, position: &Hokito, odds: Odds) -> String {
        let object = json!({
            "position": position.to_string(),
            "game": Hokito::NAME,
            "win": odds.win,
            "draw": odds.draw,
            "loss": odds.loss,
            "proved": false,
            "nodes": self.spent.0,
            "searches": self.spent.1,
        });
        object.to_string()
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
