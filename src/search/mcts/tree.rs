//! The memory of the tree: one arena of words that all threads share.
//!
//! A node is a header of five words and a block of edges of three words each.
//! Links are offsets into the arena, so nothing is ever freed one by one, and
//! every word is an `AtomicU64`: threads may read what another one is about to
//! change and see the old or the new word, never half of it. What the words of
//! a node say may disagree for a moment; a search lives with that.
//!
//! Nodes are found by the key of their position, so transpositions meet in one
//! node. Neither game ever repeats a position: the graph has no cycles.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::tuning::{Squash, Tuning};
use crate::search::score::Score;

/// Words of a node before its edges.
pub(super) const HEADER: usize = 5;
/// Words of an edge.
pub(super) const EDGE: usize = 3;
/// First word in use: a link of 0 leads nowhere.
pub(super) const BEGIN: u64 = 8;
/// The link of an edge whose node is being made.
const BUSY: u32 = u32::MAX;
/// Words of the arena for each slot of the index. A node takes some 80 words,
/// so the index stays less than half full.
const WORDS_PER_SLOT: usize = 32;
/// Slots that a key may be found in.
const REACH: usize = 8;
/// Smallest arena: room for a root of either game and some nodes below it.
const LEAST_WORDS: usize = 1 << 14;
/// A node's block holds every legal move.
const WHOLE: u64 = 1;
/// A thread is making a larger block for the node.
const GROWING: u64 = 2;

/// What is proven about a value, from the view of the node or of the side that
/// chooses the edge; without a proof the limits of the scale.
///
/// Cazenave and Saffidine, *Score Bounded Monte-Carlo Tree Search* (2010), with
/// the plies to the end as in [`Score`]: a win's number of plies is an upper
/// bound, and so is a loss's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) lower: Score,
    pub(super) upper: Score,
}

impl Bounds {
    pub(super) const UNKNOWN: Self = Self {
        lower: Score::loss_in(0),
        upper: Score::win_in(0),
    };

    pub(super) const fn exactly(score: Score) -> Self {
        Self {
            lower: score,
            upper: score,
        }
    }

    /// The score that is proven: a win, a loss or a draw.
    pub(super) fn solved(self) -> Option<Score> {
        if self.lower.is_win() || self.lower == self.upper {
            Some(self.lower)
        } else if self.upper.is_loss() {
            Some(self.upper)
        } else {
            None
        }
    }

    /// The same for the other side, one ply earlier.
    pub(super) fn before(self) -> Self {
        Self {
            lower: farther(-self.upper),
            upper: farther(-self.lower),
        }
    }

    /// Both proofs together.
    fn and(self, other: Self) -> Self {
        Self {
            lower: self.lower.max(other.lower),
            upper: self.upper.min(other.upper),
        }
    }
}

/// The score seen from one ply farther away; what is not known stays so.
fn farther(score: Score) -> Score {
    if score == Bounds::UNKNOWN.lower || score == Bounds::UNKNOWN.upper {
        score
    } else if score.is_win() {
        score.next_down()
    } else if score.is_loss() {
        score.next_up()
    } else {
        score
    }
}

/// Four numbers of 16 bits in a word, the first on top.
fn pack(parts: [i16; 4]) -> u64 {
    parts
        .iter()
        .fold(0, |word, &part| word << 16 | u64::from(part as u16))
}

fn unpack(word: u64) -> [i16; 4] {
    [48, 32, 16, 0].map(|shift| (word >> shift) as u16 as i16)
}

/// The tree of a search, kept from one search to the next.
///
/// It belongs to one game and one evaluation, and serves one search at a time;
/// a second one waits. Its memory is bounded: when the arena is full, the
/// nodes visited least make room.
///
/// ```
/// use std::num::NonZeroUsize;
/// use totemic::game::{Game, Yoxii};
/// use totemic::search::{Classic, Control, Limits, mcts};
///
/// let tree = mcts::Tree::new(8);
/// let report = mcts::search(
///     &Yoxii::start(),
///     &Limits::nodes(200),
///     NonZeroUsize::MIN,
///     &tree,
///     &Classic,
///     &Control::default(),
///     |_| {},
/// );
/// assert!(report.best.is_some_and(|mv| Yoxii::start().is_legal(mv)));
/// ```
#[derive(Debug)]
pub struct Tree {
    pub(super) words: Vec<AtomicU64>,
    pub(super) index: Vec<AtomicU32>,
    /// First free word.
    pub(super) next: AtomicU64,
    /// Static evaluations made for the tree.
    evaluations: AtomicU64,
    searching: Mutex<()>,
    pub(super) tuning: Tuning,
    pub(super) squash: Squash,
}

impl Tree {
    /// An empty tree of at most `megabytes` MiB, at least a few hundred KiB.
    #[must_use]
    pub fn new(megabytes: usize) -> Self {
        Self::with_tuning(megabytes, Tuning::default())
    }

    /// As [`Tree::new`], with other parameters than the ones found best.
    #[must_use]
    pub fn with_tuning(megabytes: usize, tuning: Tuning) -> Self {
        let words = megabytes.saturating_mul((1 << 20) / 8);
        // The index takes a slot of half a word for each so many words.
        let words = words - words / (2 * WORDS_PER_SLOT + 1);
        let words = words.clamp(LEAST_WORDS, BUSY as usize);
        Self {
            words: bytemuck::allocation::zeroed_vec(words),
            index: bytemuck::allocation::zeroed_vec(words / WORDS_PER_SLOT),
            next: AtomicU64::new(BEGIN),
            evaluations: AtomicU64::new(0),
            searching: Mutex::new(()),
            squash: Squash::new(tuning.scale),
            tuning,
        }
    }

    /// Waits until no other search uses the tree.
    pub(super) fn lock(&self) -> MutexGuard<'_, ()> {
        // A search that panicked leaves a tree whose words still make sense.
        self.searching
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets everything.
    pub(super) fn reset(&self) {
        self.next.store(BEGIN, Ordering::Relaxed);
        for slot in &self.index {
            slot.store(0, Ordering::Relaxed);
        }
    }

    /// Words in use.
    pub(super) fn used(&self) -> usize {
        let used = usize::try_from(self.next.load(Ordering::Relaxed)).unwrap_or(usize::MAX);
        used.min(self.words.len())
    }

    /// Part of the arena in use, per mille.
    #[must_use]
    pub fn fill(&self) -> u32 {
        (self.used() as u64 * 1000 / self.words.len().max(1) as u64) as u32
    }

    /// Static evaluations made since the tree was created.
    #[must_use]
    pub fn evaluations(&self) -> u64 {
        self.evaluations.load(Ordering::Relaxed)
    }

    /// Counts static evaluations.
    pub(super) fn count_evaluations(&self, made: u64) {
        self.evaluations.fetch_add(made, Ordering::Relaxed);
    }

    /// Some free words; `None` when the arena is full.
    fn allocate(&self, words: usize) -> Option<u32> {
        // Looked at first, so that the counter does not run away when full.
        if self.used() + words > self.words.len() {
            return None;
        }
        let at = self.next.fetch_add(words as u64, Ordering::Relaxed);
        let fits = at + words as u64 <= self.words.len() as u64;
        if !fits {
            // Nobody else can have been given anything behind this.
            self.next.fetch_sub(words as u64, Ordering::Relaxed);
        }
        fits.then_some(at as u32)
    }

    /// A node for a position, not yet to be found by its key. The edges' words
    /// are given as [`EdgeSeed`] makes them.
    pub(super) fn add_node(
        &self,
        key: u64,
        value: i16,
        bounds: Bounds,
        edges: &[[u64; EDGE]],
        whole: bool,
    ) -> Option<Node<'_>> {
        let at = self.allocate(HEADER + EDGE * edges.len())?;
        let node = Node { tree: self, at };
        let block = at + HEADER as u32;
        self.write_block(block, edges);
        node.word(0).store(key, Ordering::Relaxed);
        node.word(1).store(value as i64 as u64, Ordering::Relaxed);
        node.word(2).store(1, Ordering::Relaxed);
        let verdict = pack([value, bounds.lower.to_table(0), bounds.upper.to_table(0), 0]);
        node.word(3).store(verdict, Ordering::Relaxed);
        node.set_block(block, edges.len(), whole);
        Some(node)
    }

    fn write_block(&self, block: u32, edges: &[[u64; EDGE]]) {
        let words = &self.words[block as usize..][..EDGE * edges.len()];
        for (word, &value) in words.iter().zip(edges.iter().flatten()) {
            word.store(value, Ordering::Relaxed);
        }
    }

    /// The slots that a key may be found in.
    fn slots(&self, key: u64) -> impl Iterator<Item = &AtomicU32> {
        let len = self.index.len().saturating_sub(REACH);
        let at = ((u128::from(key) * len as u128) >> 64) as usize;
        self.index[at..].iter().take(REACH)
    }

    /// The node of a key.
    pub(super) fn find(&self, key: u64) -> Option<Node<'_>> {
        self.slots(key)
            .map_while(|slot| self.node(slot.load(Ordering::Acquire)))
            .find(|node| node.key() == key)
    }

    /// Lets a node be found by its key, unless too many others are in the way.
    pub(super) fn publish(&self, node: Node<'_>) {
        for slot in self.slots(node.key()) {
            if slot
                .compare_exchange(0, node.at, Ordering::Release, Ordering::Relaxed)
                .is_ok()
            {
                return;
            }
        }
    }

    /// The node at a link.
    pub(super) fn node(&self, at: u32) -> Option<Node<'_>> {
        (at != 0 && at != BUSY).then_some(Node { tree: self, at })
    }
}

/// A node of the tree. Its values are from the view of the side to move, in
/// [`Squash::ONE`]ths of a win.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'a> {
    pub(super) tree: &'a Tree,
    pub(super) at: u32,
}

impl<'a> Node<'a> {
    pub(super) fn word(self, index: usize) -> &'a AtomicU64 {
        &self.tree.words[self.at as usize + index]
    }

    pub(super) fn key(self) -> u64 {
        self.word(0).load(Ordering::Relaxed)
    }

    /// Simulations through the node, at least 1.
    pub(super) fn visits(self) -> u64 {
        self.word(2).load(Ordering::Relaxed).max(1)
    }

    /// Mean of the simulations' results.
    pub(super) fn mean(self) -> i16 {
        let sum = self.word(1).load(Ordering::Relaxed) as i64;
        (sum / self.visits() as i64) as i16
    }

    /// Counts a simulation.
    pub(super) fn add(self, value: i16) {
        self.word(1)
            .fetch_add(value as i64 as u64, Ordering::Relaxed);
        self.word(2).fetch_add(1, Ordering::Relaxed);
    }

    /// The minimax value of what the tree knows.
    pub(super) fn best(self) -> i16 {
        unpack(self.word(3).load(Ordering::Relaxed))[0]
    }

    pub(super) fn bounds(self) -> Bounds {
        let [_, lower, upper, _] = unpack(self.word(3).load(Ordering::Relaxed));
        Bounds {
            lower: Score::from_table(lower, 0),
            upper: Score::from_table(upper, 0),
        }
    }

    /// Sets the minimax value and adds to what is proven. A proof is never
    /// lost to a thread that did not know of it.
    pub(super) fn conclude(self, best: i16, bounds: Bounds) {
        let word = self.word(3);
        let mut old = word.load(Ordering::Relaxed);
        loop {
            let [_, lower, upper, _] = unpack(old);
            let both = bounds.and(Bounds {
                lower: Score::from_table(lower, 0),
                upper: Score::from_table(upper, 0),
            });
            let new = pack([best, both.lower.to_table(0), both.upper.to_table(0), 0]);
            if new == old {
                return;
            }
            match word.compare_exchange_weak(old, new, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => old = now,
            }
        }
    }

    fn layout(self) -> u64 {
        self.word(4).load(Ordering::Acquire)
    }

    fn set_block(self, block: u32, count: usize, whole: bool) {
        let layout = u64::from(block) << 32 | (count as u64) << 16 | u64::from(whole);
        self.word(4).store(layout, Ordering::Release);
    }

    /// The offset of the block and its number of edges.
    pub(super) fn block(self) -> (u32, usize) {
        let layout = self.layout();
        ((layout >> 32) as u32, (layout >> 16 & 0xffff) as usize)
    }

    /// Moves the block's link to where the block now lies.
    pub(super) fn relink_block(self, block: u32) {
        let layout = self.layout();
        let layout = layout & 0xffff_ffff & !GROWING | u64::from(block) << 32;
        self.word(4).store(layout, Ordering::Relaxed);
    }

    /// Whether every legal move has an edge.
    pub(super) fn is_whole(self) -> bool {
        self.layout() & WHOLE != 0
    }

    /// The edges, most promising first.
    pub(super) fn edges(self) -> impl ExactSizeIterator<Item = Edge<'a>> + Clone {
        let (block, count) = self.block();
        let words = &self.tree.words[block as usize..][..EDGE * count];
        words.chunks_exact(EDGE).map(|words| Edge { words })
    }

    /// Whether this thread may make a block with all the moves; true for one
    /// thread only, which then calls [`Node::grow`] or [`Node::give_up`].
    pub(super) fn claim_growth(self) -> bool {
        let old = self.word(4).fetch_or(GROWING, Ordering::Relaxed);
        old & (GROWING | WHOLE) == 0
    }

    /// Ends a growth that did not come about.
    pub(super) fn give_up(self) {
        self.word(4).fetch_and(!GROWING, Ordering::Relaxed);
    }

    /// Gives the node a block of all moves. What the old edges know, the new
    /// ones of the same move know too; a simulation on its way through an old
    /// edge is forgotten.
    pub(super) fn grow(self, seeds: &mut [[u64; EDGE]]) -> Option<()> {
        for edge in self.edges() {
            let mv = edge.mv();
            if let Some(seed) = seeds.iter_mut().find(|seed| (seed[0] >> 48) as u16 == mv) {
                let link = edge.words[1].load(Ordering::Acquire);
                let busy = (link >> 32) as u32 == BUSY;
                seed[1] = if busy { link & 0xffff_ffff } else { link };
                seed[2] = edge.words[2].load(Ordering::Relaxed);
            }
        }
        let block = self.tree.allocate(EDGE * seeds.len())?;
        self.tree.write_block(block, seeds);
        self.set_block(block, seeds.len(), true);
        Some(())
    }
}

/// What an edge is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeSeed {
    /// Packed move.
    pub(super) mv: u16,
    /// Static value in centipoints for the side that moves.
    pub(super) value: i16,
    /// Prior probability in 65535ths.
    pub(super) prior: u16,
    /// What the rules say about the position behind it.
    pub(super) bounds: Bounds,
}

impl EdgeSeed {
    pub(super) fn words(self) -> [u64; EDGE] {
        let best = match self.bounds.solved() {
            Some(score) => Squash::of_proof(score),
            None => 0,
        };
        let Bounds { lower, upper } = self.bounds;
        [
            pack([self.mv as i16, self.value, self.prior as i16, 0]),
            0,
            pack([best, best, lower.to_table(0), upper.to_table(0)]),
        ]
    }
}

/// An edge: a move and what is known of it, from the view of the side that
/// makes it. The results are copies of the child's at the last simulation, so
/// that choosing a move reads one stretch of memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<'a> {
    words: &'a [AtomicU64],
}

/// What [`Edge::claim`] found behind an edge.
pub(super) enum Claim<'a> {
    /// A node.
    Node(Node<'a>),
    /// Nothing: the caller makes the node, or calls [`Edge::release`].
    Mine,
    /// Nothing yet: another thread is making the node.
    Taken,
}

/// The results of an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Results {
    pub(super) mean: i16,
    pub(super) best: i16,
    pub(super) bounds: Bounds,
}

impl<'a> Edge<'a> {
    /// The packed move.
    pub(super) fn mv(self) -> u16 {
        (self.words[0].load(Ordering::Relaxed) >> 48) as u16
    }

    /// Static value in centipoints, prior in 65535ths, and threads
    /// that are below this edge now.
    pub(super) fn prospects(self) -> (i16, u16, u16) {
        let [_, value, prior, threads] = unpack(self.words[0].load(Ordering::Relaxed));
        (value, prior as u16, threads as u16)
    }

    /// Notes that a thread went this way.
    pub(super) fn enter(self) {
        self.words[0].fetch_add(1, Ordering::Relaxed);
    }

    /// Notes that a thread came back.
    pub(super) fn leave(self) {
        self.words[0].fetch_sub(1, Ordering::Relaxed);
    }

    /// Finished simulations, and whether a thread is making the child.
    pub(super) fn visits(self) -> (u32, bool) {
        let link = self.words[1].load(Ordering::Relaxed);
        (link as u32, (link >> 32) as u32 == BUSY)
    }

    /// The child, if it was made.
    pub(super) fn child(self, tree: &'a Tree) -> Option<Node<'a>> {
        tree.node((self.words[1].load(Ordering::Acquire) >> 32) as u32)
    }

    /// The child, or the right to make it.
    pub(super) fn claim(self, tree: &'a Tree) -> Claim<'a> {
        let mut link = self.words[1].load(Ordering::Acquire);
        loop {
            let at = (link >> 32) as u32;
            if at != 0 {
                return tree.node(at).map_or(Claim::Taken, Claim::Node);
            }
            let busy = u64::from(BUSY) << 32 | link & 0xffff_ffff;
            match self.words[1].compare_exchange_weak(
                link,
                busy,
                Ordering::Acquire,
                Ordering::Acquire,
            ) {
                Ok(_) => return Claim::Mine,
                Err(now) => link = now,
            }
        }
    }

    /// Links the child that was claimed, or a child at its new place.
    pub(super) fn link(self, at: u32) {
        let word = &self.words[1];
        // Only the owner of the claim changes the upper half.
        let old = word.load(Ordering::Relaxed) & !0xffff_ffff;
        let new = u64::from(at) << 32;
        word.fetch_add(new.wrapping_sub(old), Ordering::Release);
    }

    /// Gives a claim back, or forgets a child.
    pub(super) fn release(self) {
        self.link(0);
    }

    pub(super) fn results(self) -> Results {
        let [mean, best, lower, upper] = unpack(self.words[2].load(Ordering::Relaxed));
        Results {
            mean,
            best,
            bounds: Bounds {
                lower: Score::from_table(lower, 0),
                upper: Score::from_table(upper, 0),
            },
        }
    }

    /// Counts a simulation and copies the child's results.
    pub(super) fn update(self, child: Option<Node<'_>>) {
        if let Some(child) = child {
            let bounds = child.bounds().before();
            let parts = [
                child.mean().saturating_neg(),
                child.best().saturating_neg(),
                bounds.lower.to_table(0),
                bounds.upper.to_table(0),
            ];
            self.words[2].store(pack(parts), Ordering::Relaxed);
        }
        self.words[1].fetch_add(1, Ordering::Relaxed);
    }
}
