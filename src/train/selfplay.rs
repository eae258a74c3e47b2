//! Games of the engine against itself.
//!
//! A game begins with up to 16 random moves, the lesser of two draws, so that
//! openings are varied and short ones the commonest; one Hokito game in eight
//! begins with pawns scattered over the board. Every later position is searched
//! with a fixed number of nodes, and near the end the exact solver is asked. A
//! game whose value is proved has its result; one in four is played on, so that
//! the data has proved positions of all lengths.

use super::data::{Recipe, Record, Sample};
use crate::game::{Layout, Rng, Side, random_game};
use crate::search::solver::{Solvable, SolveLimits, Solver};
use crate::search::{Bound, Control, Crew, Evaluate, Limits, Searchable, Table, search};

/// Most random moves at the beginning of a game.
const RANDOM_PLIES: usize = 16;
/// One start in so many is scattered.
const SCATTERED_EVERY: usize = 8;
/// One game in so many goes on when its value is proved.
const PLAYED_ON_EVERY: usize = 4;
/// Plies left from which on the solver is asked.
const SOLVER_PLIES: u32 = 20;
/// Size of the player's table, and of the solver's, in MiB.
const HASH_MB: usize = 2;

/// Plays the games of a recipe.
pub(crate) struct Player<'a, G: Searchable + Solvable, E> {
    recipe: &'a Recipe,
    eval: &'a E,
    table: Table,
    solver: Solver<G>,
    crew: Crew,
}

impl<G: Searchable + Solvable, E> std::fmt::Debug for Player<'_, G, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Player").finish_non_exhaustive()
    }
}

impl<'a, G: Searchable + Solvable, E: Evaluate<G>> Player<'a, G, E> {
    /// A player with an evaluation.
    #[must_use]
    pub(crate) fn new(recipe: &'a Recipe, eval: &'a E) -> Self {
        Self {
            recipe,
            eval,
            table: Table::new(HASH_MB),
            solver: Solver::new(HASH_MB),
            crew: Crew::new(1),
        }
    }

    /// The game of a number: the same whoever plays it, after whatever games.
    pub(crate) fn play(&mut self, number: u64) -> Record<G> {
        let mut rng = Rng::new(self.recipe.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        self.table.clear();
        self.solver.clear();
        let layout = match rng.below(SCATTERED_EVERY) {
            0 => Layout::Scattered,
            _ => Layout::Halves,
        };
        let start = G::random_start(layout, &mut rng);
        let plies = rng.below(RANDOM_PLIES + 1).min(rng.below(RANDOM_PLIES + 1));
        let (opening, mut position) = random_game(start, plies as u32, &mut rng);
        let random = Sample {
            is_random: true,
            ..Sample::default()
        };
        let mut moves: Vec<_> = opening.into_iter().map(|mv| (mv, random)).collect();
        let is_played_on = rng.below(PLAYED_ON_EVERY) == 0;
        let mut result = None;
        while let Some((mv, sample)) = self.choose(&position) {
            moves.push((mv, sample));
            if let Some(sign) = sample.proved {
                result.get_or_insert(for_first(position.side(), sign));
                if !is_played_on {
                    break;
                }
            }
            position = position.play(mv);
        }
        let played_out = || position.standing().outcome().sign_for(Side::First);
        Record {
            start,
            result: result.unwrap_or_else(played_out),
            moves,
        }
    }

    /// The engine's move and what it knows of the position; `None` at the end.
    fn choose(&mut self, position: &G) -> Option<(G::Move, Sample)> {
        let (limits, control) = (Limits::nodes(self.recipe.nodes), Control::default());
        let (table, mut exact) = (&mut self.table, None);
        let report = search(
            position,
            &limits,
            &self.crew,
            table,
            self.eval,
            &control,
            |info| {
                if info.bound == Bound::Exact && !info.score.is_decisive() {
                    exact = Some(info.score);
                }
            },
        );
        let best = report.best?;
        // A bound that the end of the search left is no value.
        let line = report.lines.first();
        let line = line.filter(|line| line.bound == Bound::Exact);
        let score = line.map(|line| line.score).or(exact);
        let found = score.and_then(|score| score.mate_plies()).map(i32::signum);
        let proved = found.or_else(|| self.prove(position));
        let value = self.eval.evaluate(position);
        let sample = Sample {
            is_random: false,
            proved,
            value: value.clamp(i16::MIN.into(), i16::MAX.into()) as i16,
            score: score.map_or(0, |score| score.centipoints() as i16),
        };
        Some((best, sample))
    }

    fn prove(&mut self, position: &G) -> Option<i32> {
        if position.plies_left() > SOLVER_PLIES {
            return None;
        }
        let limits = SolveLimits {
            line: false,
            nodes: Some(self.recipe.solver_nodes),
            ..SolveLimits::default()
        };
        self.solver.solve(position, &limits).value.sign()
    }
}

/// A sign for the side to move as one for the first side.
fn for_first(side: Side, sign: i32) -> i32 {
    match side {
        Side::First => sign,
        Side::Second => -sign,
    }
}
