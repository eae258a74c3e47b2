//! Making room: the most visited nodes below a root are moved to the front of the
//! arena, and all others are forgotten.
//!
//! Meanwhile, no other thread may use the arena.

use std::sync::atomic::Ordering;

use rustc_hash::{FxHashMap, FxHashSet};

use super::edge::EDGE_WORDS;
use super::tree::{FIRST_WORD, HEADER_WORDS, Tree, TreeNode};
use crate::stop::Stop;

/// Nodes between two looks at the stop.
const CHECK_EVERY: usize = 64;

impl Tree {
    /// Keeps a root and as many of the most visited nodes below it as fit into a
    /// part of the arena; returns the root at its new place. An edge keeps its
    /// results when its child is forgotten. `None` if `stop` came before anything was moved.
    pub(super) fn compact(
        &self,
        root: TreeNode<'_>,
        per_mille: u32,
        stop: &Stop,
    ) -> Option<TreeNode<'_>> {
        let budget = (self.words.len() as u64 * u64::from(per_mille) / 1000) as usize;
        let least = self.least_visits(root, budget, stop)?;
        let nodes = self.reachable(root, least, stop)?;
        // Words that stay together when they move: the first one and their number.
        let pieces = nodes.iter().flat_map(|node| {
            let (block, count) = node.block();
            [(node.at, HEADER_WORDS), (block, EDGE_WORDS * count)]
        });
        // An empty block begins where the next node does.
        let mut pieces: Vec<(u32, usize)> = pieces.filter(|&(_, words)| words > 0).collect();
        pieces.sort_unstable();
        let mut next = FIRST_WORD as u32;
        let mut moved: FxHashMap<u32, u32> = FxHashMap::default();
        for &(from, words) in &pieces {
            moved.insert(from, next);
            next += words as u32;
        }
        for &node in &nodes {
            for edge in node.edges() {
                if let Some(child) = self.child(edge) {
                    edge.link(moved.get(&child.at).copied().unwrap_or(0));
                }
            }
            if let Some(&block) = moved.get(&node.block().0) {
                node.relink_block(block);
            }
        }
        let new_place = |node: &TreeNode<'_>| moved.get(&node.at).copied();
        let new_places: Vec<u32> = nodes.iter().filter_map(new_place).collect();
        let root_at = new_place(&root);
        self.reset();
        for &(from, words) in &pieces {
            // In ascending order, and never to a later place, so no word is
            // overwritten before it has moved.
            let to = moved[&from];
            for i in 0..words {
                let word = self.words[from as usize + i].load(Ordering::Relaxed);
                self.words[to as usize + i].store(word, Ordering::Relaxed);
            }
        }
        self.next.store(next.into(), Ordering::Relaxed);
        for at in new_places {
            if let Some(node) = self.node(at) {
                self.publish(node);
            }
        }
        self.node(root_at?)
    }

    /// The least number of visits, a power of two (0 for all), such that the nodes
    /// with at least as many fit into `budget` words.
    fn least_visits(&self, root: TreeNode<'_>, budget: usize, stop: &Stop) -> Option<u64> {
        let mut words_by_visits = [0; 65];
        for node in self.reachable(root, 0, stop)? {
            let class = u64::BITS - node.visits().leading_zeros();
            words_by_visits[class as usize] += HEADER_WORDS + EDGE_WORDS * node.block().1;
        }
        let mut sum = 0;
        for class in (0..words_by_visits.len()).rev() {
            sum += words_by_visits[class];
            if sum > budget {
                return Some(1u64.checked_shl(class as u32).unwrap_or(u64::MAX));
            }
        }
        Some(0)
    }

    /// The root and the nodes below it that have at least `least` visits and can be
    /// reached through such nodes; `None` if `stop` comes.
    fn reachable<'a>(
        &'a self,
        root: TreeNode<'a>,
        least: u64,
        stop: &Stop,
    ) -> Option<Vec<TreeNode<'a>>> {
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        seen.insert(root.at);
        let mut nodes = vec![root];
        let mut at = 0;
        while let Some(&node) = nodes.get(at) {
            if at.is_multiple_of(CHECK_EVERY) && stop.is_stopped() {
                return None;
            }
            at += 1;
            let children = node.edges().filter_map(|edge| self.child(edge));
            for child in children {
                if child.visits() >= least && seen.insert(child.at) {
                    nodes.push(child);
                }
            }
        }
        Some(nodes)
    }
}
