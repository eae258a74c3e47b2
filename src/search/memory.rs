//! What an engine remembers, and who searches with it.

use std::num::NonZeroUsize;
use std::time::Instant;

use super::crew::Crew;
use super::limits::{Control, Limits};
use super::resources::Resources;
use super::solver::{ProbeMemory, Solution, SolveLimits, Solver};
use super::{Evaluate, Info, Report, Searchable, Table, alphabeta, mcts};

/// Who searches where the solver does not answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Searcher {
    /// Principal variation alpha-beta: [`search`](super::search()).
    #[default]
    AlphaBeta,
    /// Monte-Carlo tree search: [`mcts::search`].
    Mcts,
}

impl Searcher {
    /// All searchers, the default first.
    pub const ALL: [Self; 2] = [Self::AlphaBeta, Self::Mcts];

    /// The name in the protocol.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AlphaBeta => "alphabeta",
            Self::Mcts => "mcts",
        }
    }

    /// The searcher of a name, without regard to case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|searcher| searcher.name().eq_ignore_ascii_case(name))
    }
}

/// What a searcher keeps from one search to the next.
enum Kept {
    Table(Table),
    Tree(mcts::Tree),
}

/// What an engine keeps from one move to the next: positions searched,
/// positions proved, and the threads that do both.
pub struct Memory<G: Searchable> {
    kept: Kept,
    /// MiB that were asked for it.
    asked: usize,
    solver: Solver<G>,
    crew: Crew,
    /// For questions in the middle of searches by a crew of this size.
    proofs: Option<(usize, ProbeMemory)>,
}

impl<G: Searchable> std::fmt::Debug for Memory<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}

impl<G: Searchable> Memory<G> {
    /// An empty memory of at most `megabytes` MiB in all, a quarter of it for
    /// proofs, which get one MiB at least; `None` where there is not so much for
    /// the rest as a table; a tree is smaller then. The proofs take the greatest power of two that fits.
    #[must_use]
    pub fn try_new(megabytes: usize, searcher: Searcher) -> Option<Self> {
        let proofs = megabytes / 4;
        let rest = megabytes - proofs;
        Some(Self {
            kept: match searcher {
                Searcher::AlphaBeta => Kept::Table(Table::try_new(rest)?),
                Searcher::Mcts => Kept::Tree(mcts::Tree::new(rest.max(1))),
            },
            asked: rest,
            solver: Solver::new(proofs.max(1)),
            crew: Crew::new(1),
            proofs: None,
        })
    }

    /// By how many MiB a tree is smaller than was asked for, because its links
    /// reach no farther or the system has not so much memory.
    pub(crate) fn missing(&self) -> usize {
        match &self.kept {
            Kept::Table(_) => 0,
            Kept::Tree(tree) => self.asked.saturating_sub(tree.megabytes()),
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        match &mut self.kept {
            Kept::Table(table) => table.clear(),
            Kept::Tree(tree) => tree.reset(),
        }
        self.solver.clear();
    }

    /// Takes possession of the tables' memory, which a search would otherwise
    /// have to wait for; no longer than to a deadline.
    pub(crate) fn warm_up(&mut self, deadline: Instant) {
        if let Kept::Table(table) = &mut self.kept {
            table.warm_up(deadline);
        }
        self.solver.warm_up(deadline);
    }

    /// What is proved of a position within the limits.
    pub(super) fn prove(&mut self, position: &G, limits: &SolveLimits) -> Solution<G::Move> {
        self.crew.resize(limits.threads);
        self.solver.solve_by(&self.crew, position, limits)
    }

    /// The chosen searcher's answer, as soon as it has one.
    pub(super) fn search<E: Evaluate<G>>(
        &mut self,
        position: &G,
        limits: &Limits<G::Move>,
        threads: NonZeroUsize,
        eval: &E,
        control: &Control,
        on_info: impl FnMut(&Info<G::Move>),
    ) -> Report<G::Move> {
        self.crew.resize(threads.get());
        let crew = &self.crew;
        let size = crew.size();
        self.proofs.take_if(|(threads, _)| *threads != size);
        let proofs = self
            .proofs
            .get_or_insert_with(|| (size, ProbeMemory::new(size)));
        let proofs = &mut proofs.1;
        let resources = Resources { crew, eval, proofs };
        match &mut self.kept {
            Kept::Table(table) => {
                alphabeta::run(position, limits, resources, table, control, on_info)
            }
            Kept::Tree(tree) => mcts::run(position, limits, resources, tree, control, on_info),
        }
    }
}
