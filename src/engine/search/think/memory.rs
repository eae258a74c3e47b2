//! What an engine remembers, and which searcher uses it.

use std::marker::PhantomData;
use std::num::NonZeroUsize;

use super::searcher::Searcher;
use crate::host::Instant;
use crate::search::alphabeta::{self, Table};
use crate::search::pages::largest;
use crate::search::request::{Handler, Request};
use crate::search::solver::{Mode, ProbeMemory, ProofMemory, Solution, SolveRequest, SolverRun};
use crate::search::{Evaluate, Report, Searchable, ThreadPool, mcts};

enum Store {
    Table(Table),
    Tree(mcts::Tree),
}

/// What an engine keeps from one move to the next: positions searched, positions
/// proved, and its threads.
pub struct Memory<G: Searchable> {
    pub(super) search: SearchMemory,
    megabytes: usize,
    pub(super) proof_memory: ProofMemory,
    pub(super) pool: ThreadPool,
    /// Keys of different games may be equal.
    game: PhantomData<fn(&G)>,
}

pub(super) struct SearchMemory {
    store: Store,
    probes: ProbeMemory,
}

impl<G: Searchable> std::fmt::Debug for Memory<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}

impl<G: Searchable> Memory<G> {
    /// Makes an empty memory whose two tables have about `megabytes` MiB: a quarter for proofs,
    /// rounded down to a power of two, but at least one MiB; the rest for a table or
    /// a tree. `None` if there is too little memory for the table; a tree or the
    /// proofs are made smaller instead.
    pub fn try_new(megabytes: usize, searcher: Searcher) -> Option<Self> {
        let for_proofs = megabytes / 4;
        let for_search = megabytes - for_proofs;
        let store = match searcher {
            Searcher::AlphaBeta => Store::Table(Table::try_new(for_search)?),
            Searcher::Mcts => Store::Tree(mcts::Tree::new(for_search.max(1))),
        };
        let missing = match &store {
            Store::Table(_) => 0,
            Store::Tree(tree) => for_search.saturating_sub(tree.megabytes()),
        };
        let probes = ProbeMemory::default();
        Some(Self {
            search: SearchMemory { store, probes },
            megabytes: megabytes - missing,
            proof_memory: ProofMemory::new(for_proofs.max(1).saturating_mul(1 << 20)),
            pool: ThreadPool::new(1),
            game: PhantomData,
        })
    }

    /// As [`Self::try_new`], but with a smaller table if the system has less memory.
    pub(crate) fn new(megabytes: usize, searcher: Searcher) -> Self {
        largest(megabytes, |size| Self::try_new(size, searcher))
    }

    /// The size in MiB: less than was asked for if the tree had to be smaller.
    pub(crate) fn megabytes(&self) -> usize {
        self.megabytes
    }

    pub(crate) fn clear(&mut self) {
        match &mut self.search.store {
            Store::Table(table) => table.clear(),
            Store::Tree(tree) => tree.reset(),
        }
        self.proof_memory.clear();
    }

    /// Has the system provide the tables' memory, which a search would otherwise have
    /// to wait for; stops at the deadline.
    pub(crate) fn warm_up(&mut self, deadline: Instant) {
        if let Store::Table(table) = &mut self.search.store {
            table.warm_up(deadline);
        }
        self.proof_memory.warm_up(deadline);
    }

    /// Sets the number of threads that search and prove; one, unless it is set.
    pub fn set_threads(&mut self, threads: NonZeroUsize) {
        self.pool.resize(threads.get());
    }

    pub(crate) fn prove(&mut self, position: &G, request: &SolveRequest) -> Solution<G::Move> {
        let table = self.proof_memory.table();
        SolverRun::new(Mode::Fast, table, &self.pool, request, &|_| ()).solve(position)
    }
}

impl SearchMemory {
    /// The chosen searcher's answer, as soon as it has one.
    pub(super) fn search<G: Searchable, E: Evaluate<G>>(
        &mut self,
        request: &Request<G>,
        pool: &ThreadPool,
        eval: &E,
        handler: &mut dyn Handler<G::Move>,
    ) -> Report<G::Move> {
        let probes = &mut self.probes;
        match &mut self.store {
            Store::Table(table) => {
                alphabeta::search_with(request, pool, table, probes, eval, handler)
            }
            Store::Tree(tree) => mcts::search_with(request, pool, tree, probes, eval, handler),
        }
    }

    /// How many nodes the solver visits while the search visits one, relative to alpha-beta.
    pub(super) const fn solver_speed(&self) -> f64 {
        match self.store {
            Store::Table(_) => 1.0,
            Store::Tree(_) => 8.0,
        }
    }
}
