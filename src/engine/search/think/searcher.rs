//! Which search answers.

/// The searcher that answers where the solver does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Searcher {
    /// Principal variation alpha-beta: [`alphabeta`](crate::search::alphabeta).
    #[default]
    AlphaBeta,
    /// Monte-Carlo tree search: [`mcts::search`](crate::search::mcts::search).
    Mcts,
}

impl Searcher {
    /// All searchers, the default first.
    pub const ALL: [Self; 2] = [Self::AlphaBeta, Self::Mcts];

    /// The name in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AlphaBeta => "alphabeta",
            Self::Mcts => "mcts",
        }
    }

    /// The searcher with this name, without regard to case.
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|searcher| searcher.name().eq_ignore_ascii_case(name))
    }
}
