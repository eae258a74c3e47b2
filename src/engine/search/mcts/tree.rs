//! The memory of the tree: one arena of words that all threads share.
//!
//! A node is a header of five words and a block of edges of three words each ([`Edge`]).
//! The bits of the header's words, the highest first:
//!
//! | word | what it holds |
//! | --- | --- |
//! | `KEY` | the key of the position |
//! | `SUM` | the sum of the simulations' values |
//! | `VISITS` | the number of simulations |
//! | `VALUES` | the minimax value, the lower and the upper bound: 16 bits each |
//! | `BLOCK` | the link of the block (32), its number of edges (16), [`GROWING`] and [`WHOLE`] |
//!
//! Links are offsets into the arena, and nothing is ever freed one by one. Every
//! word is an `AtomicU64`: a thread that reads what another one is changing sees
//! the old or the new word, never half of it. The words of a node may disagree for
//! a moment; the search copes with that.
//!
//! Nodes are found by the key of their position, so transpositions meet in one
//! node. Neither game ever repeats a position: the graph has no cycles.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::edge::{BUSY, EDGE_WORDS, Edge, EdgeWords, Results, pack, unpack};
use super::score_bounds::ScoreBounds;
use super::tuning::ResultScale;
use crate::search::pages::{largest, zeroed_vec};

/// Words of a node before its edges.
pub(super) const HEADER_WORDS: usize = 5;
const KEY: usize = 0;
const SUM: usize = 1;
const VISITS: usize = 2;
const VALUES: usize = 3;
const BLOCK: usize = 4;
/// First word in use; a link of 0 leads nowhere.
pub(super) const FIRST_WORD: u64 = 8;
/// Words of the arena for each slot of the index. A node takes some 80 words,
/// so the index stays less than half full.
const WORDS_PER_SLOT: usize = 32;
/// Number of slots in which a key may be found.
const PROBE_SLOTS: usize = 8;
/// Smallest arena: room for a root of either game and some nodes below it.
const MIN_WORDS: usize = 1 << 14;
/// The block has all moves.
const WHOLE: u64 = 1;
/// A thread is making a block with all moves.
const GROWING: u64 = 2;

/// The tree of a search, kept from one search to the next.
///
/// It belongs to one game and one evaluation. Its memory is bounded: when the arena is
/// full, the least visited nodes make room.
///
/// ```
/// use totemic_engine::game::{Game, Yoxii};
/// use totemic_engine::search::{Learnable, Limits, Request, ThreadPool, mcts};
/// use totemic_engine::stop::Stop;
///
/// let mut tree = mcts::Tree::new(8);
/// let request = Request::new(&Yoxii::start(), &Limits::nodes(200), &Stop::new());
/// let report = mcts::search(&request, &ThreadPool::new(1), &mut tree, Yoxii::classic(), ());
/// assert!(report.best.is_some_and(|mv| Yoxii::start().is_legal(mv)));
/// ```
#[derive(Debug)]
pub struct Tree {
    pub(super) words: Vec<AtomicU64>,
    pub(super) index: Vec<AtomicU32>,
    pub(super) next: AtomicU64,
    pub(super) result_scale: ResultScale,
}

impl Tree {
    /// Makes an empty tree of at most `megabytes` MiB, but at least a few hundred
    /// KiB. Links of 32 bits reach no farther than some 32 GiB, and the tree is
    /// smaller still if memory is short: see [`Tree::megabytes`].
    ///
    /// # Panics
    /// If the system cannot provide even a few hundred KiB.
    pub fn new(megabytes: usize) -> Self {
        let words = megabytes.saturating_mul((1 << 20) / 8);
        // The index takes a slot of half a word for every `WORDS_PER_SLOT` words.
        let words = words - words.div_ceil(2 * WORDS_PER_SLOT + 1);
        let (words, index) = largest(words.min(BUSY as usize), |words| {
            let words = words.max(MIN_WORDS);
            Some((zeroed_vec(words)?, zeroed_vec(words / WORDS_PER_SLOT)?))
        });
        Self {
            words,
            index,
            next: AtomicU64::new(FIRST_WORD),
            result_scale: ResultScale::new(),
        }
    }

    pub(crate) fn reset(&self) {
        self.next.store(FIRST_WORD, Ordering::Relaxed);
        for slot in &self.index {
            slot.store(0, Ordering::Relaxed);
        }
    }

    /// The size in MiB, rounded up.
    pub fn megabytes(&self) -> usize {
        let bytes = size_of_val(&self.words[..]) + size_of_val(&self.index[..]);
        bytes.div_ceil(1 << 20)
    }

    pub(super) fn used(&self) -> usize {
        let used = usize::try_from(self.next.load(Ordering::Relaxed)).unwrap_or(usize::MAX);
        used.min(self.words.len())
    }

    /// Part of the arena in use, per mille.
    pub fn per_mille_used(&self) -> u32 {
        (self.used() as u64 * 1000 / self.words.len().max(1) as u64) as u32
    }

    fn allocate(&self, words: usize) -> Option<u32> {
        // Checks and takes them in one step: words that were taken and then given
        // back might lie before others that were taken meanwhile.
        let after = |at: u64| {
            let end = at + words as u64;
            (end <= self.words.len() as u64).then_some(end)
        };
        let next = &self.next;
        let place = next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, after);
        place.ok().map(|at| at as u32)
    }

    /// Makes a node for a position, which cannot yet be found by its key. The edges are
    /// in the form of [`edge_words`](super::edge::edge_words).
    pub(super) fn add_node(
        &self,
        key: u64,
        value: i16,
        bounds: ScoreBounds,
        edges: &[EdgeWords],
        whole: bool,
    ) -> Option<TreeNode<'_>> {
        let at = self.allocate(HEADER_WORDS + EDGE_WORDS * edges.len())?;
        let node = TreeNode { tree: self, at };
        let block = at + HEADER_WORDS as u32;
        self.write_block(block, edges);
        node.word(KEY).store(key, Ordering::Relaxed);
        node.word(SUM).store(value as i64 as u64, Ordering::Relaxed);
        node.word(VISITS).store(1, Ordering::Relaxed);
        let [lower, upper] = bounds.to_table();
        node.word(VALUES)
            .store(pack([value, lower, upper, 0]), Ordering::Relaxed);
        node.set_block(block, edges.len(), whole);
        Some(node)
    }

    fn write_block(&self, block: u32, edges: &[EdgeWords]) {
        let words = &self.words[block as usize..][..EDGE_WORDS * edges.len()];
        for (word, &value) in words.iter().zip(edges.iter().flatten()) {
            word.store(value, Ordering::Relaxed);
        }
    }

    fn slots(&self, key: u64) -> impl Iterator<Item = &AtomicU32> {
        let len = self.index.len().saturating_sub(PROBE_SLOTS);
        let at = ((u128::from(key) * len as u128) >> 64) as usize;
        self.index[at..].iter().take(PROBE_SLOTS)
    }

    pub(super) fn find(&self, key: u64) -> Option<TreeNode<'_>> {
        self.slots(key)
            .map_while(|slot| self.node(slot.load(Ordering::Acquire)))
            .find(|node| node.key() == key)
    }

    /// Makes a node findable by its key, unless its slots are taken by others.
    pub(super) fn publish(&self, node: TreeNode<'_>) {
        for slot in self.slots(node.key()) {
            if slot
                .compare_exchange(0, node.at, Ordering::Release, Ordering::Relaxed)
                .is_ok()
            {
                return;
            }
        }
    }

    pub(super) fn child(&self, edge: Edge<'_>) -> Option<TreeNode<'_>> {
        self.node(edge.child())
    }

    pub(super) fn node(&self, at: u32) -> Option<TreeNode<'_>> {
        (at != 0 && at != BUSY).then_some(TreeNode { tree: self, at })
    }
}

/// A node of the tree. Its values are from the view of the side to move, in
/// [`ResultScale::ONE`]ths of a win.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeNode<'a> {
    pub(super) tree: &'a Tree,
    pub(super) at: u32,
}

impl<'a> TreeNode<'a> {
    pub(super) fn word(self, index: usize) -> &'a AtomicU64 {
        &self.tree.words[self.at as usize + index]
    }

    pub(super) fn key(self) -> u64 {
        self.word(KEY).load(Ordering::Relaxed)
    }

    /// Simulations through the node, at least 1.
    pub(super) fn visits(self) -> u64 {
        self.word(VISITS).load(Ordering::Relaxed).max(1)
    }

    pub(super) fn mean(self) -> i16 {
        let sum = self.word(SUM).load(Ordering::Relaxed) as i64;
        let mean = sum / self.visits() as i64;
        // Another thread may have added a result and not yet counted it.
        mean.clamp(-i64::from(ResultScale::ONE), i64::from(ResultScale::ONE)) as i16
    }

    pub(super) fn add(self, value: i16) {
        self.word(SUM)
            .fetch_add(value as i64 as u64, Ordering::Relaxed);
        self.word(VISITS).fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn minimax(self) -> i16 {
        unpack(self.word(VALUES).load(Ordering::Relaxed))[0]
    }

    pub(super) fn results(self) -> Results {
        Results {
            mean: self.mean(),
            minimax: self.minimax(),
            bounds: self.bounds(),
        }
    }

    #[inline]
    pub(super) fn bounds(self) -> ScoreBounds {
        let [_, lower, upper, _] = unpack(self.word(VALUES).load(Ordering::Relaxed));
        ScoreBounds::from_table([lower, upper])
    }

    /// Sets the minimax value and adds to what is proven. A thread that does not
    /// know of a proof never overwrites it.
    pub(super) fn tighten(self, minimax: i16, bounds: ScoreBounds) {
        let update = |old| {
            let [_, lower, upper, _] = unpack(old);
            let both = bounds.intersection(ScoreBounds::from_table([lower, upper]));
            let [lower, upper] = both.to_table();
            let new = pack([minimax, lower, upper, 0]);
            (new != old).then_some(new)
        };
        let word = self.word(VALUES);
        let _ = word.fetch_update(Ordering::Relaxed, Ordering::Relaxed, update);
    }

    fn layout(self) -> u64 {
        self.word(BLOCK).load(Ordering::Acquire)
    }

    fn set_block(self, block: u32, count: usize, whole: bool) {
        let layout = u64::from(block) << 32 | (count as u64) << 16 | u64::from(whole);
        self.word(BLOCK).store(layout, Ordering::Release);
    }

    pub(super) fn block(self) -> (u32, usize) {
        let layout = self.layout();
        ((layout >> 32) as u32, (layout >> 16 & 0xffff) as usize)
    }

    /// Sets the block's link to the block's new place.
    pub(super) fn relink_block(self, block: u32) {
        let layout = self.layout();
        let layout = layout & 0xffff_ffff & !GROWING | u64::from(block) << 32;
        self.word(BLOCK).store(layout, Ordering::Relaxed);
    }

    pub(super) fn is_whole(self) -> bool {
        self.layout() & WHOLE != 0
    }

    #[inline]
    pub(super) fn edges(self) -> impl ExactSizeIterator<Item = Edge<'a>> + Clone {
        let (block, count) = self.block();
        let words = &self.tree.words[block as usize..][..EDGE_WORDS * count];
        words.chunks_exact(EDGE_WORDS).map(|words| Edge { words })
    }

    /// Whether this thread may make a block with all the moves; true for only one
    /// thread, which must then call [`TreeNode::add_missing_edges`] or [`TreeNode::give_up`].
    pub(super) fn claim_growth(self) -> bool {
        let old = self.word(BLOCK).fetch_or(GROWING, Ordering::Relaxed);
        old & (GROWING | WHOLE) == 0
    }

    pub(super) fn give_up(self) {
        self.word(BLOCK).fetch_and(!GROWING, Ordering::Relaxed);
    }

    /// Gives the node a block with all moves. The new edges take over what the old
    /// ones know; simulations that are under way through an old edge are not counted.
    pub(super) fn add_missing_edges(self, seeds: &mut [EdgeWords]) -> Option<()> {
        for edge in self.edges() {
            let mv = edge.mv();
            if let Some(seed) = seeds.iter_mut().find(|seed| (seed[0] >> 48) as u16 == mv) {
                [seed[1], seed[2]] = edge.knowledge();
            }
        }
        let block = self.tree.allocate(EDGE_WORDS * seeds.len())?;
        self.tree.write_block(block, seeds);
        self.set_block(block, seeds.len(), true);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    const THREADS: usize = 8;

    /// Takes blocks of various sizes until none of them fits any more.
    fn fill(tree: &Tree, thread: usize) -> Vec<(u32, usize)> {
        let mut blocks = Vec::new();
        let mut failures = 0;
        for turn in 0.. {
            let words = 3 + (7 * turn + 5 * thread) % 61;
            match tree.allocate(words) {
                Some(at) => blocks.push((at, words)),
                None => failures += 1,
            }
            if failures == 2000 {
                break;
            }
        }
        blocks
    }

    #[test]
    fn no_two_threads_are_given_the_same_words() {
        for _ in 0..20 {
            let tree = Tree::new(0);
            let start = Barrier::new(THREADS);
            let run = |thread| {
                start.wait();
                fill(&tree, thread)
            };
            let run = &run;
            let mut blocks: Vec<(u32, usize)> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..THREADS)
                    .map(|thread| scope.spawn(move || run(thread)))
                    .collect();
                let blocks = threads.into_iter().map(|thread| thread.join());
                blocks
                    .flat_map(|of_one| of_one.expect("no panic"))
                    .collect()
            });
            blocks.sort_unstable();
            for pair in blocks.windows(2) {
                let ((at, words), (next, _)) = (pair[0], pair[1]);
                assert!(at as usize + words <= next as usize, "{pair:?}");
            }
            let (at, words) = *blocks.last().expect("some blocks");
            assert!(at as usize + words <= tree.words.len());
            let has_room = tree.used() < tree.words.len();
            assert_eq!(tree.allocate(1).is_some(), has_room);
        }
    }

    #[test]
    fn a_tree_is_as_large_as_it_says_and_no_larger_than_its_links_reach() {
        for megabytes in [1, 3, 16] {
            assert_eq!(Tree::new(megabytes).megabytes(), megabytes);
        }
        // The size is clamped, or smaller if the system has less memory.
        assert!(Tree::new(usize::MAX).megabytes() <= 34 << 10);
    }
}
