//! Decisions: makes them from games, writes them and reads them.

use std::fmt::Write;

use rustc_hash::FxHashSet;
use totemic_engine::game::Rng;
use totemic_engine::search::solver::{Key, Node};

use super::Ordered;
use super::games::play;
use super::proof::{Look, Prover, Trial, look};

/// Questions are asked from this many plies before the end of a game on.
const SHALLOWEST: usize = 3;
/// The most positions that the proof of a question may look at.
const MOST_POSITIONS: usize = 1 << 20;
/// Number of lines from the root of a question down its proof, to find decisions on the
/// way.
const LINES: usize = 32;
/// The columns before the features.
const COLUMNS: [&str; 6] = ["game", "decision", "plies_left", "goal", "reaches", "cost"];

/// A move that can be tried.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Candidate {
    pub(super) reaches: bool,
    /// Nodes of the smallest proof that the move reaches the goal, or that it does not.
    pub(super) cost: u64,
    pub(super) features: Vec<i32>,
}

/// A position in which the mover reaches the goal, more cheaply by some moves than by
/// others.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Decision {
    pub(super) game: u64,
    /// [`Node::plies_left`]: the number of towers, or of squares without a piece or the
    /// totem.
    pub(super) plies_left: u32,
    pub(super) goal: i32,
    pub(super) candidates: Vec<Candidate>,
}

/// The answers to the questions about the positions of a game.
pub(super) struct Harvest {
    pub(super) decisions: Vec<Decision>,
    pub(super) asked: usize,
    /// Number of questions whose proofs have too many positions.
    pub(super) skipped: usize,
}

/// Returns the decisions of the game with this number.
pub(super) fn decisions_of<G: Ordered>(game: u64) -> Harvest {
    let mut harvest = Harvest {
        decisions: Vec::new(),
        asked: 0,
        skipped: 0,
    };
    let mut rng = Rng::new(game);
    let positions = play::<G>(game);
    let before_end = positions.iter().rev().zip(1..=G::DEEPEST);
    for (position, _) in before_end.skip(SHALLOWEST - 1) {
        // These are the questions that the solver asks: whether it wins and, if not,
        // whether it does not lose.
        for goal in [1, 0] {
            harvest.asked += 1;
            let mut prover = Prover::new(MOST_POSITIONS);
            let Some(proof) = prover.prove(&position.node(), goal) else {
                harvest.skipped += 1;
                break;
            };
            let mut seen = FxHashSet::default();
            for _ in 0..LINES {
                let mut line = Line {
                    game,
                    prover: &mut prover,
                    seen: &mut seen,
                    rng: &mut rng,
                };
                line.follow(*position, goal, &mut harvest.decisions);
            }
            if proof.reaches {
                break;
            }
        }
    }
    harvest
}

/// A line down the proof of a question.
struct Line<'a> {
    game: u64,
    prover: &'a mut Prover,
    seen: &'a mut FxHashSet<Key>,
    rng: &'a mut Rng,
}

impl Line<'_> {
    /// Collects the decisions on the way. Plays the cheapest move if the goal is reached,
    /// a random one if it is not. Ends early if the proof becomes too large, as it may if
    /// values that are refuted together are asked about one by one.
    fn follow<G: Ordered>(
        &mut self,
        mut position: G,
        mut goal: i32,
        decisions: &mut Vec<Decision>,
    ) -> Option<()> {
        loop {
            let node = position.node();
            let Look::Open(choices) = look(&node, goal) else {
                return Some(());
            };
            let trials = self.prover.attempts(&node, &choices, goal)?;
            let reaching = trials.iter().filter(|trial| trial.proof.reaches);
            let mv = if let Some(cheapest) = reaching.min_by_key(|trial| trial.proof.size) {
                if self.seen.insert(node.key()) && is_worth_telling(&trials) {
                    decisions.push(self.decision(&position, goal, &trials));
                }
                cheapest.best
            } else {
                let choice = trials[self.rng.below(trials.len())].choice;
                let variants = node.variants(choice);
                variants[self.rng.below(variants.len())]
            };
            (position, goal) = (position.play(mv), 1 - goal);
        }
    }

    fn decision<G: Ordered>(&self, position: &G, goal: i32, trials: &[Trial<G::Move>]) -> Decision {
        let candidates = trials.iter().map(|trial| Candidate {
            reaches: trial.proof.reaches,
            cost: trial.proof.size,
            features: position.features(trial.best, goal),
        });
        Decision {
            game: self.game,
            plies_left: position.node().plies_left(),
            goal,
            candidates: candidates.collect(),
        }
    }
}

/// Whether it matters which move is tried first.
fn is_worth_telling<M>(trials: &[Trial<M>]) -> bool {
    trials.iter().any(|trial| trial.proof != trials[0].proof)
}

/// The first line of a file.
pub(super) fn header<G: Ordered>() -> String {
    [&COLUMNS, G::FEATURES].concat().join("\t") + "\n"
}

/// Adds decisions to the text of a file that already has `before` of them.
pub(super) fn write(text: &mut String, before: usize, decisions: &[Decision]) {
    for (number, decision) in (before..).zip(decisions) {
        let Decision {
            game,
            plies_left,
            goal,
            ..
        } = decision;
        for candidate in &decision.candidates {
            let Candidate { reaches, cost, .. } = candidate;
            let reaches = u8::from(*reaches);
            // Writing into a string cannot fail.
            let _ = write!(
                text,
                "{game}\t{number}\t{plies_left}\t{goal}\t{reaches}\t{cost}"
            );
            for feature in &candidate.features {
                let _ = write!(text, "\t{feature}");
            }
            text.push('\n');
        }
    }
}

/// Reads such a text; the error says what is wrong and in which line.
pub(super) fn read<G: Ordered>(text: &str) -> Result<Vec<Decision>, String> {
    let mut lines = text.lines().zip(1..);
    if lines
        .next()
        .is_none_or(|(line, _)| line != header::<G>().trim_end())
    {
        return Err(format!(
            "line 1: not decisions of {} as they are written now",
            G::NAME
        ));
    }
    let mut decisions: Vec<Decision> = Vec::new();
    let mut last = None;
    for (line, at) in lines {
        let fields: Result<Vec<i64>, _> = line.split('\t').map(str::parse).collect();
        let read = fields.ok().and_then(|fields| line_of::<G>(&fields));
        let Some((number, mut decision)) = read else {
            return Err(format!(
                "line {at}: expected {} numbers",
                COLUMNS.len() + G::FEATURES.len()
            ));
        };
        match decisions.last_mut() {
            Some(one) if last == Some((decision.game, number)) => {
                one.candidates.append(&mut decision.candidates);
            }
            _ => decisions.push(decision),
        }
        last = decisions.last().map(|one| (one.game, number));
    }
    let reaches = |one: &Decision| one.candidates.iter().any(|it| it.reaches && it.cost > 0);
    match decisions.iter().find(|one| !reaches(one)) {
        Some(one) => Err(format!(
            "game {}: a decision without a move that reaches the goal",
            one.game
        )),
        None => Ok(decisions),
    }
}

/// Returns the number of a decision, and what a line says about it.
fn line_of<G: Ordered>(fields: &[i64]) -> Option<(i64, Decision)> {
    let (&[game, number, plies_left, goal, reaches, cost], features) =
        fields.split_first_chunk()?;
    if features.len() != G::FEATURES.len() {
        return None;
    }
    let features: Result<_, _> = features.iter().map(|&feature| feature.try_into()).collect();
    let candidate = Candidate {
        reaches: reaches != 0,
        cost: cost.try_into().ok()?,
        features: features.ok()?,
    };
    let decision = Decision {
        game: game.try_into().ok()?,
        plies_left: plies_left.try_into().ok()?,
        goal: goal.try_into().ok()?,
        candidates: vec![candidate],
    };
    Some((number, decision))
}

#[cfg(test)]
mod tests {
    use totemic_engine::game::{Hokito, Yoxii};
    use totemic_engine::search::solver::{Expansion, NO_BOUND};

    use super::*;

    /// The weights beside the features must be those in the solver, which does not show
    /// them.
    fn scores_are_the_solvers<G: Ordered>() {
        let mut seen = 0;
        for position in play::<G>(1).iter().rev().take(12) {
            let (node, mut choices) = (position.node(), Vec::new());
            let expansion = node.expand(1, &mut node.state(), &mut choices);
            if expansion == Expansion::Open(-NO_BOUND) && position.count_moves() <= 3 {
                continue; // There Hokito's order in `expand` is by gain only.
            }
            for choice in choices {
                let features = position.features(choice.mv, 1);
                let terms = G::TODAY.iter().zip(&features);
                let score: i32 = terms.map(|(weight, feature)| weight * feature).sum();
                assert_eq!(score, choice.score, "{position} {}", choice.mv);
                seen += 1;
            }
        }
        assert!(seen > 50, "{seen}");
    }

    #[test]
    fn todays_order_is_the_solvers() {
        scores_are_the_solvers::<Hokito>();
        scores_are_the_solvers::<Yoxii>();
    }

    #[test]
    fn what_is_written_is_read() {
        let candidate = |reaches, cost| Candidate {
            reaches,
            cost,
            features: (0..Yoxii::FEATURES.len() as i32).map(|i| i - 3).collect(),
        };
        let decision = |game, goal| Decision {
            game,
            plies_left: 7,
            goal,
            candidates: vec![candidate(false, 30), candidate(true, 4)],
        };
        let decisions = [decision(1, 0), decision(1, 0), decision(2, 1)];
        let mut text = header::<Yoxii>();
        write(&mut text, 0, &decisions[..1]);
        write(&mut text, 1, &decisions[1..]);
        assert_eq!(read::<Yoxii>(&text).as_deref(), Ok(&decisions[..]));
        let why = |text: &str| read::<Yoxii>(text).err().unwrap_or_default();
        assert!(why("").starts_with("line 1: not decisions of yoxii"));
        assert_eq!(
            why(&text.replacen("30", "x", 1)),
            "line 2: expected 18 numbers"
        );
        assert!(why(&text.replace("\t1\t4\t", "\t0\t4\t")).starts_with("game 1: a decision"));
    }
}
