//! Set-ups that the engine finds even.
//!
//! Random ones hardly ever are: the first side is far ahead in nearly all. So two
//! pawns at a time change places in a random one, as long as that brings the odds
//! nearer to even.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::ProgressBar;
use serde_json::json;

use super::super::chooser::Chooser;
use super::super::{CliResult, Failure, INTERRUPTED, progress};
use crate::game::{Cell, Game, Hokito, HokitoSetup, Layout, Rng};
use crate::search::Odds;

/// Nodes for a set-up that may be even, if nothing else is said.
pub(super) const NODES: u64 = 200_000;
/// Expected points of the first side in what is dealt.
const EVEN: RangeInclusive<f64> = 0.45..=0.55;
/// Part of the nodes for a glance after each change.
const GLANCE: u64 = 16;
/// How near to what is aimed at a glance has to see the expected points.
const NEAR: f64 = 0.03;
/// What may be aimed at, so that the whole nodes see an even set-up.
const AIMS: (f64, f64) = (0.1, 0.9);
/// Changes after which another random set-up is tried, and how many of these.
const CHANGES: u32 = 1_000;
const BEGINNINGS: u32 = 100;

/// An even set-up and what it took to find it.
struct Found {
    position: Hokito,
    /// Of the first side.
    odds: Odds,
    /// Nodes of all searches.
    nodes: u64,
    /// Number of these.
    looks: u64,
}

/// Looks for even set-ups.
pub(super) struct Dealer {
    chooser: Chooser<Hokito>,
    layout: Layout,
    rng: Rng,
    nodes: u64,
    stop: Arc<AtomicBool>,
}

/// What looking for one has taken so far.
#[derive(Default)]
struct Spent {
    nodes: u64,
    looks: u64,
}

impl Dealer {
    pub(super) fn new(layout: Layout, rng: Rng, nodes: u64, stop: Arc<AtomicBool>) -> Self {
        Self {
            chooser: Chooser::new(),
            layout,
            rng,
            nodes,
            stop,
        }
    }

    /// Prints so many, each as soon as it is found.
    pub(super) fn print(&mut self, count: u32, json: bool) -> CliResult {
        let mut out = io::stdout().lock();
        if !json {
            let nodes = self.nodes;
            writeln!(
                out,
                "# Even by the engine's estimate after {nodes} nodes each, which is no proof."
            )?;
        }
        let bar = progress::bar(count.into(), "set-ups");
        for _ in 0..count {
            let found = self.find(&bar).inspect_err(|_| bar.finish_and_clear())?;
            bar.suspend(|| {
                match json {
                    true => found.json(&mut out)?,
                    false => found.text(&mut out)?,
                }
                out.flush()
            })?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn find(&mut self, bar: &ProgressBar) -> Result<Found, Failure> {
        let mut spent = Spent::default();
        for _ in 0..BEGINNINGS {
            let start = Hokito::random_start(self.layout, &mut self.rng);
            if let Some((position, odds)) = self.made_even(start, &mut spent, bar)? {
                return Ok(Found {
                    position,
                    odds,
                    nodes: spent.nodes,
                    looks: spent.looks,
                });
            }
        }
        Err(Failure::Work(format!(
            "the engine found no even set-up in {} looks",
            spent.looks
        )))
    }

    /// Makes a set-up even, if it can.
    fn made_even(
        &mut self,
        start: Hokito,
        spent: &mut Spent,
        bar: &ProgressBar,
    ) -> Result<Option<(Hokito, Odds)>, Failure> {
        let glance = self.nodes.div_ceil(GLANCE);
        let mut position = start;
        let mut seen = self.look(&position, glance, spent)?.points();
        let mut aim = 0.5;
        for _ in 0..CHANGES {
            bar.set_message(format!(", looks for the next: {}", spent.looks));
            if (seen - aim).abs() <= NEAR {
                let odds = self.look(&position, self.nodes, spent)?;
                if EVEN.contains(&odds.points()) {
                    return Ok(Some((position, odds)));
                }
                // A glance sees less than the whole nodes, by about as much next time.
                aim = (0.5 - (odds.points() - seen)).clamp(AIMS.0, AIMS.1);
            }
            let next = changed(&position, self.layout, &mut self.rng);
            let found = self.look(&next, glance, spent)?.points();
            if (found - aim).abs() <= (seen - aim).abs() {
                (position, seen) = (next, found);
            }
        }
        Ok(None)
    }

    fn look(&mut self, position: &Hokito, nodes: u64, spent: &mut Spent) -> Result<Odds, Failure> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Failure::Code(INTERRUPTED));
        }
        let opinion = self.chooser.opinion(position, nodes);
        spent.nodes += opinion.nodes;
        spent.looks += 1;
        Ok(opinion.odds)
    }
}

/// The set-up with two unlike pawns in each other's place; by halves they are of
/// one side.
fn changed(position: &Hokito, layout: Layout, rng: &mut Rng) -> Hokito {
    let mut setup = HokitoSetup {
        side: position.side(),
        ..HokitoSetup::empty()
    };
    let cells: Vec<Cell> = Hokito::BOARD.into_iter().collect();
    for &cell in &cells {
        setup.towers[cell.index()] = position.tower(cell);
    }
    loop {
        let [a, b] = [0; 2].map(|_| cells[rng.below(cells.len())].index());
        let (Some(one), Some(other)) = (setup.towers[a], setup.towers[b]) else {
            continue;
        };
        let may_change = layout == Layout::Scattered || one.side == other.side;
        if may_change && one != other {
            setup.towers.swap(a, b);
            return Hokito::try_from(&setup).unwrap_or(*position);
        }
    }
}

impl Found {
    fn text(&self, out: &mut impl Write) -> io::Result<()> {
        let Odds { win, draw, loss } = self.odds;
        let percent = |part: u32| f64::from(part) / 10.0;
        let [first, second] = Hokito::SIDE_NAMES;
        writeln!(
            out,
            "{} # {first} wins {:.1} %, draws {:.1} %, {second} wins {:.1} %; {} nodes in {} looks",
            self.position,
            percent(win),
            percent(draw),
            percent(loss),
            self.nodes,
            self.looks
        )
    }

    fn json(&self, out: &mut impl Write) -> io::Result<()> {
        let Odds { win, draw, loss } = self.odds;
        let object = json!({
            "position": self.position.to_string(),
            "game": Hokito::NAME,
            "win": win,
            "draw": draw,
            "loss": loss,
            "proved": false,
            "nodes": self.nodes,
            "looks": self.looks,
        });
        writeln!(out, "{object}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_keeps_all_pawns_and_by_halves_their_side() {
        let mut rng = Rng::new(61);
        for layout in [Layout::Halves, Layout::Scattered] {
            let position = Hokito::random_start(layout, &mut rng);
            let next = changed(&position, layout, &mut rng);
            let towers = |position: &Hokito| -> Vec<_> {
                let cells = Hokito::BOARD.into_iter();
                cells.map(|cell| position.tower(cell)).collect()
            };
            let (before, after) = (towers(&position), towers(&next));
            let moved = before.iter().zip(&after).filter(|(a, b)| a != b).count();
            assert_eq!(moved, 2);
            let sorted = |towers: &[_]| {
                let mut texts: Vec<String> = towers.iter().map(|t| format!("{t:?}")).collect();
                texts.sort();
                texts
            };
            assert_eq!(sorted(&before), sorted(&after));
            let sides = |position| towers(position).into_iter().flatten().map(|t| t.side);
            let same = sides(&position).eq(sides(&next));
            assert!(same || layout == Layout::Scattered);
        }
    }
}
