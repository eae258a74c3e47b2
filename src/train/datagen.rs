//! The games of `datagen`: journals like those of matches.
//!
//! The first line says what the games depend on ([`Recipe`]) and which part of them is in
//! the file. Each other line is a game, with its number in the place of the pair's. The
//! moves of a game's opening were random, and nothing is learned from them. Each later
//! move has the score of the search that chose it (`s`; none if the search ended before
//! it had one) and what was proved about the position before it (`p`).

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::same_settings::same_settings;
use crate::shard::Shard;
use crate::storage::journal::{Contents, Heading, check_games};
use totemic_engine::game::{Game, GameKind, Side, canonical_key, with_game};
use totemic_games::record::reader::ReadError;
use totemic_games::record::reader::journal::Entrant;
use totemic_games::record::{GameId, GameRecord, MoveRecord, Reason, end_in_words};

pub(crate) const MAX_GAMES: u64 = 1_000_000_000;

/// The same build makes the same games from the same recipe.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Recipe {
    pub game: GameKind,
    /// The player, named after its weights: their checksum, `classic` or `zero`.
    pub engines: [Entrant; 1],
    pub version: String,
    pub seed: u64,
    /// Number of games in all parts together.
    pub games: u64,
    /// Nodes of the player's searches.
    pub nodes: u64,
    /// Nodes that the solver may use for a position.
    pub solver_nodes: u64,
}

impl Recipe {
    pub(crate) fn weights(&self) -> &str {
        &self.engines[0].name
    }

    pub(crate) fn seed_of(&self, number: u64) -> u64 {
        self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct DatagenHeading {
    pub settings: Recipe,
    /// Which part of the games is in the file.
    pub shard: Shard,
    /// The program that made them, as in the games of matches; older journals lack it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub program: String,
}

impl Heading for DatagenHeading {
    const JOURNAL: &str = "a journal of datagen";
}

impl DatagenHeading {
    pub(crate) fn count(&self) -> usize {
        self.shard.share_of(self.settings.games) as usize
    }

    pub(crate) fn numbers(&self) -> impl Iterator<Item = u64> {
        let numbers = self.shard.number - 1..self.settings.games;
        numbers.step_by(self.shard.count as usize)
    }

    /// Checks that a journal belongs to this part, so that it can be continued.
    pub(crate) fn check(&self, contents: &Contents<Self>) -> Result<(), ReadError> {
        let parts = [&contents.heading, self];
        // Neither an older journal nor --mixed names the program.
        let are_named = parts.iter().all(|part| !part.program.is_empty());
        let [begun, wanted] = parts.map(|part| {
            let mut settings = json!(part.settings);
            settings["shard"] = part.shard.to_string().into();
            settings["program"] = are_named.then_some(&*part.program).into();
            settings["engines"] = Json::Null;
            settings["weights"] = part.settings.weights().into();
            settings
        });
        let words = [("solver_nodes", "solver-nodes")];
        let same = same_settings("", &words, [&begun, &wanted], "in the journal");
        let other = |what| ReadError::text(1, format!("games with other settings: {what}"));
        same.map_err(other).and_then(|()| audit(contents))
    }

    fn check_game<G: Game>(&self, game: &GameRecord) -> Result<(), String> {
        let GameId { pair: number, leg } = game.id;
        let is_own = number < self.settings.games && self.shard.holds(number) && leg == 0;
        if !is_own || game.seed != self.settings.seed_of(number) {
            return Err("it is not one of this journal's recipe".to_owned());
        }
        let positions = game.positions::<G>()?;
        let proofs = game.moves.iter().filter_map(|made| made.proved);
        if let Some(sign) = proofs.into_iter().find(|sign| !(-1..=1).contains(sign)) {
            return Err(format!("a result is {sign}, expected 1, 0 or -1"));
        }
        let last = &positions[positions.len() - 1];
        let is_right = match (last.has_moves(), game.moves.last()) {
            (false, _) => {
                let end = (last.standing().outcome(), Reason::Rules);
                (game.result, game.reason) == end
            }
            // The proof is about the position before the last move.
            (true, Some(made)) => {
                game.reason == Reason::Solver
                    && made.proved.map(i32::from) == Some(game.result.sign_for(last.side().other()))
            }
            (true, None) => false,
        };
        match is_right {
            true => Ok(()),
            false => Err(format!(
                "its end is {}, which does not follow from its moves",
                end_in_words(game.result, game.reason)
            )),
        }
    }
}

/// Checks the games by the first line of their journal, and by the rules.
pub(crate) fn audit(contents: &Contents<DatagenHeading>) -> Result<(), ReadError> {
    let part = &contents.heading;
    check_games(&contents.games, |_, game| {
        let checked = with_game!(part.settings.game, G => part.check_game::<G>(game));
        checked.map_err(|why| format!("game {}: {why}", game.id.pair))
    })
}

/// What was read of a run of `datagen`, from all its journals.
#[derive(Debug)]
pub(crate) struct Run {
    pub recipe: Recipe,
    /// The games, in the order of their numbers.
    pub games: Vec<GameRecord>,
}

#[derive(Debug)]
pub(crate) struct Replay<'a, G> {
    pub game: &'a GameRecord,
    /// The position before each move after the opening, and the last one.
    pub positions: Vec<G>,
}

impl<'a, G: Game> Replay<'a, G> {
    pub(crate) fn of(game: &'a GameRecord) -> Self {
        Self {
            game,
            positions: game.positions().unwrap_or_default(),
        }
    }

    pub(crate) fn moves(&self) -> impl Iterator<Item = (&G, &MoveRecord)> {
        self.positions.iter().zip(&self.game.moves)
    }

    /// Returns the sign of the first proved value, even if it was given away, or else of the
    /// result.
    pub(crate) fn result_for(&self, side: Side) -> i32 {
        let mut moves = self.moves();
        match moves.find_map(|(position, made)| Some((position.side(), made.proved?.into()))) {
            Some((mover, sign)) if mover == side => sign,
            Some((_, sign)) => -sign,
            None => self.game.result.sign_for(side),
        }
    }

    /// Calls `each` with a position, the move made in it, and the result for its side. Only
    /// the first of positions that symmetries make equal counts; `keys` has those seen.
    pub(crate) fn each_new(
        &self,
        keys: &mut FxHashSet<u64>,
        mut each: impl FnMut(&G, &MoveRecord, i32),
    ) {
        let first = self.result_for(Side::First);
        for (position, made) in self.moves() {
            if keys.insert(canonical_key(position)) {
                let sign = match position.side() {
                    Side::First => first,
                    Side::Second => -first,
                };
                each(position, made, sign);
            }
        }
    }
}
