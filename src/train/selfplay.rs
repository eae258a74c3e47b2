//! Plays games of the engine against itself.
//!
//! A game begins with up to 16 random moves. Their number is the lesser of two random numbers,
//! so that openings vary and short ones are the most frequent. One Hokito game in eight begins
//! with pawns scattered over the board. Every later position is searched with a fixed number of
//! nodes, and near the end the exact solver is asked. A game whose value is proved ends
//! there; one in four is played on, so that the data contain proved positions of all
//! lengths.

use super::datagen::Recipe;
use totemic_engine::engine::Engine;
use totemic_engine::game::{Layout, Outcome, Rng, random_game};
use totemic_engine::search::solver::SolveRequest;
use totemic_engine::search::{Bound, Evaluate, Info, Limits, Searchable};
use totemic_engine::stop::Stop;
use totemic_games::record::{
    EngineScore, GameId, GameRecord, MoveRecord, Opening, Reason, SearchInfo,
};

const MAX_RANDOM_PLIES: usize = 16;
const SCATTERED_EVERY: usize = 8;
/// One game in this many goes on when its value is proved.
const PLAYED_ON_EVERY: usize = 4;
/// The solver is asked when at most this many plies are left.
const MAX_SOLVER_PLIES: u32 = 20;
const HASH_MB: usize = 4;

pub(crate) struct SelfPlayer<'a, G: Searchable, E> {
    recipe: &'a Recipe,
    engine: Engine<G, E>,
    stop: &'a Stop,
}

impl<'a, G: Searchable, E: Evaluate<G>> SelfPlayer<'a, G, E> {
    /// Makes a player with an evaluation. It gives up its game when `stop` says so.
    pub(crate) fn new(recipe: &'a Recipe, eval: E, stop: &'a Stop) -> Self {
        let mut engine = Engine::with_evaluation(eval);
        // Tables this small always fit.
        let _ = engine.set_hash(HASH_MB);
        Self {
            recipe,
            engine,
            stop,
        }
    }

    /// Plays game `number`, which does not depend on the games played before; `None` if stopped.
    pub(crate) fn play(&mut self, number: u64) -> Option<GameRecord> {
        let seed = self.recipe.seed_of(number);
        let mut rng = Rng::new(seed);
        self.engine.clear();
        let layout = Layout::of(rng.below(SCATTERED_EVERY) == 0);
        let start = G::random_start(layout, &mut rng);
        let mut random_plies = || rng.below(MAX_RANDOM_PLIES + 1);
        let plies = random_plies().min(random_plies());
        let (opening, mut position) = random_game(start, plies as u32, &mut rng);
        let is_played_on = rng.below(PLAYED_ON_EVERY) == 0;
        let mut moves = Vec::new();
        let mut proof = None;
        while proof.is_none() && position.has_moves() {
            let (mv, made) = self.choose(&position)?;
            if let Some(sign) = made.proved.filter(|_| !is_played_on) {
                proof = Some(Outcome::of_sign(sign.into(), position.side()));
            }
            moves.push(made);
            position = position.play(mv);
        }
        let end = (!position.has_moves()).then(|| position.standing());
        let points = end.map(|end| end.points);
        let (outcome, reason) = match (end, proof) {
            (None, Some(proof)) => (proof, Reason::Solver),
            _ => (position.standing().outcome(), Reason::Rules),
        };
        Some(GameRecord {
            id: GameId {
                pair: number,
                leg: 0,
            },
            stage: 0,
            engines: [0, 0],
            opening: Opening {
                fen: start.to_string(),
                moves: opening.iter().map(ToString::to_string).collect(),
            },
            programs: Default::default(),
            processors: Vec::new(),
            seed,
            moves,
            result: outcome,
            reason,
            detail: String::new(),
            points,
            accuracy: None,
            begun: 0,
            total_ms: 0.0,
            overhead_ms: 0.0,
        })
    }

    /// The move, and what is known about the position; `None` if stopped.
    fn choose(&mut self, position: &G) -> Option<(G::Move, MoveRecord)> {
        let limits = Limits::nodes(self.recipe.nodes);
        let mut exact = None;
        self.engine.set_position(*position);
        let on_info = |info: &Info<_>| {
            if info.bound == Bound::Exact && !info.score.is_decisive() {
                exact = Some(info.score);
            }
        };
        let report = self.engine.search_until(limits, self.stop, on_info);
        let best = report.best?;
        // A bound that the end of the search left is not a value.
        let best_info = (report.infos.first()).filter(|info| info.bound == Bound::Exact);
        let score = best_info.map(|info| info.score).or(exact);
        let searched = score.and_then(|score| score.mate_plies()).map(i32::signum);
        let proved = searched.or_else(|| self.prove());
        let score = score.map(|score| match score.mate_plies() {
            Some(plies) => EngineScore::Mate(plies),
            None => EngineScore::Cp(score.centipoints()),
        });
        let made = MoveRecord {
            mv: best.to_string(),
            elapsed_ms: 0.0,
            info: SearchInfo {
                score,
                ..SearchInfo::default()
            },
            proved: proved.map(|sign| sign as i8),
        };
        (!self.stop.is_stopped()).then_some((best, made))
    }

    fn prove(&mut self) -> Option<i32> {
        if self.engine.position().plies_left() > MAX_SOLVER_PLIES {
            return None;
        }
        let request = SolveRequest {
            pv: false,
            nodes: Some(self.recipe.solver_nodes),
            stop: self.stop.clone(),
            ..SolveRequest::default()
        };
        self.engine.solve(request).value.sign()
    }
}
