//! Finds the smallest proofs by looking at everything.

use rustc_hash::FxHashMap;
use totemic_engine::search::solver::{Choice, Expansion, Key, Node};

/// What is known about a question: the answer, and the nodes of its smallest proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Proof {
    pub(super) reaches: bool,
    pub(super) size: u64,
}

/// What follows from a choice, for the side that makes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial<M> {
    pub(super) choice: M,
    /// The variant of the choice that reaches the goal by the smallest proof; if none
    /// does, the choice itself.
    pub(super) best: M,
    /// The proof for the choice, without the node in which it is made.
    pub(super) proof: Proof,
}

/// What a look at a node shows before any move is made.
pub(super) enum Look<M> {
    /// Whether the goal is reached.
    Decided(bool),
    /// That depends on these choices.
    Open(Vec<Choice<M>>),
}

/// Looks at a node as the solver does.
pub(super) fn look<N: Node>(node: &N, goal: i32) -> Look<N::Move> {
    let mut choices = Vec::new();
    match node.expand(goal, &mut node.state(), &mut choices) {
        Expansion::Open(_) if !choices.is_empty() => Look::Open(choices),
        Expansion::Open(rank) | Expansion::Over(rank) | Expansion::Reaches(rank) => {
            Look::Decided(rank >= goal)
        }
    }
}

/// Answers a question and those below it with their smallest proofs.
///
/// A node in which the goal is reached costs one more than the cheapest of its choices
/// that reach it. A node in which it is not reached costs one more than all of its
/// choices together. The goal is not part of the key: it alternates, and no position
/// occurs both after an even and after an odd number of plies.
pub(super) struct Prover {
    known: FxHashMap<Key, Proof>,
    most: usize,
}

impl Prover {
    /// Makes a prover that gives up if it would have to remember more than `most`
    /// positions.
    pub(super) fn new(most: usize) -> Self {
        let known = FxHashMap::default();
        Self { known, most }
    }

    /// Finds the smallest proof whether the side to move reaches the goal.
    pub(super) fn prove<N: Node>(&mut self, node: &N, goal: i32) -> Option<Proof> {
        let choices = match look(node, goal) {
            Look::Decided(reaches) => return Some(Proof { reaches, size: 1 }),
            Look::Open(choices) => choices,
        };
        let key = node.key();
        if let Some(&proof) = self.known.get(&key) {
            return Some(proof);
        }
        let (mut least, mut sum) = (None, 1u64);
        for choice in choices {
            let Proof { reaches, size } = self.attempt(node, choice.mv, goal)?.proof;
            if reaches {
                least = Some(least.map_or(size, |least: u64| least.min(size)));
            }
            sum = sum.saturating_add(size);
        }
        let proof = Proof {
            reaches: least.is_some(),
            size: least.map_or(sum, |least| least.saturating_add(1)),
        };
        if self.known.len() >= self.most {
            return None;
        }
        self.known.insert(key, proof);
        Some(proof)
    }

    /// Tries each choice.
    pub(super) fn attempts<N: Node>(
        &mut self,
        node: &N,
        choices: &[Choice<N::Move>],
        goal: i32,
    ) -> Option<Vec<Trial<N::Move>>> {
        let choices = choices.iter();
        choices.map(|it| self.attempt(node, it.mv, goal)).collect()
    }

    /// Tries a choice: its variants are refuted together if possible, otherwise one by
    /// one.
    fn attempt<N: Node>(&mut self, node: &N, choice: N::Move, goal: i32) -> Option<Trial<N::Move>> {
        let refuted = |size| Trial {
            choice,
            best: choice,
            proof: Proof {
                reaches: false,
                size,
            },
        };
        if let Some(all) = node.optimistic(choice) {
            let reply = self.prove(&all, 1 - goal)?;
            if reply.reaches {
                return Some(refuted(reply.size));
            }
        }
        let mut best: Option<(u64, N::Move)> = None;
        let mut sum = 0u64;
        for mv in node.variants(choice) {
            let reply = self.prove(&node.play(mv), 1 - goal)?;
            if !reply.reaches && best.is_none_or(|(least, _)| reply.size < least) {
                best = Some((reply.size, mv));
            }
            sum = sum.saturating_add(reply.size);
        }
        Some(best.map_or(refuted(sum), |(size, best)| Trial {
            choice,
            best,
            proof: Proof {
                reaches: true,
                size,
            },
        }))
    }
}

#[cfg(test)]
mod tests {
    use totemic_engine::game::{Game, Hokito, Layout, Rng, Yoxii, random_game};
    use totemic_engine::search::solver::{Solvable, SolveRequest, Value, solve};

    use super::*;

    /// Finds the same by the definition, remembering nothing.
    fn plainly<N: Node>(node: &N, goal: i32) -> (bool, u64) {
        let Look::Open(choices) = look(node, goal) else {
            return (matches!(look(node, goal), Look::Decided(true)), 1);
        };
        let mut results = Vec::new();
        for choice in choices {
            let all = node.optimistic(choice.mv);
            let all = all.map(|all| plainly(&all, 1 - goal));
            if let Some((true, size)) = all {
                results.push((false, size));
                continue;
            }
            let variants = node.variants(choice.mv).into_iter();
            let replies: Vec<_> = variants
                .map(|mv| plainly(&node.play(mv), 1 - goal))
                .collect();
            let failing = replies.iter().filter(|reply| !reply.0);
            results.push(match failing.map(|reply| reply.1).min() {
                Some(size) => (true, size),
                None => (false, replies.iter().map(|reply| reply.1).sum()),
            });
        }
        let reaching = results.iter().filter(|result| result.0);
        match reaching.map(|result| result.1).min() {
            Some(size) => (true, 1 + size),
            None => (
                false,
                1 + results.iter().map(|result| result.1).sum::<u64>(),
            ),
        }
    }

    /// Checks positions from the ends of games that have few positions below them.
    fn are_smallest<G: Solvable>() {
        let mut rng = Rng::new(5);
        let (mut seen, mut largest) = (0, 0);
        for _ in 0..20 {
            let start = G::random_start(Layout::Halves, &mut rng);
            let (mut moves, _) = random_game(start, G::MAX_PLIES, &mut rng);
            while moves.pop().is_some() {
                let position = moves.iter().fold(start, |position, &mv| position.play(mv));
                let node = position.node();
                let proofs = [0, 1].map(|goal| Prover::new(500).prove(&node, goal));
                if proofs.contains(&None) {
                    break;
                }
                let value = solve(&position, &SolveRequest::default()).value;
                let reached = [value != Value::Loss, value == Value::Win];
                for goal in [0, 1] {
                    let (reaches, size) = plainly(&node, goal as i32);
                    assert_eq!(proofs[goal], Some(Proof { reaches, size }), "{position}");
                    assert_eq!(reaches, reached[goal], "{position}");
                    largest = largest.max(size);
                    seen += 1;
                }
            }
        }
        assert!(seen > 50 && largest > 20, "{seen} {largest}");
    }

    #[test]
    fn proofs_are_the_smallest() {
        are_smallest::<Hokito>();
        are_smallest::<Yoxii>();
    }

    #[test]
    fn a_prover_gives_up_beyond_its_positions() {
        let node = Hokito::start().node();
        assert_eq!(Prover::new(100).prove(&node, 0), None);
    }
}
