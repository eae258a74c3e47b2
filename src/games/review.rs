//! Judges a finished game move by move.
//!
//! [`review`] starts at the end and works backwards, so that the tables of the search and
//! the solver already contain what they found about the later positions. Values are
//! *expected points* of the side that moved: a win is one point, a draw a half. They come
//! from the odds that the engine assigns to its scores. If the values before and after a
//! move are proved, the loss is exact.
//!
//! A move's loss is the value before it minus the value after it. A suspected error is
//! checked twice: the position after the better move is searched as long as the one
//! after the move played.
//!
//! ```
//! use totemic_engine::engine::Engine;
//! use totemic_engine::game::Hokito;
//! use totemic_games::record::reader::read;
//! use totemic_games::limits::MoveLimits;
//! use totemic_games::review::review;
//! use totemic_engine::stop::Stop;
//!
//! let text = "x,b3:14,x,w1:2,x,b1/x5,b2/w1:14,x5/x6/x6/w3:2,w2,x3,w1 b f5b1";
//! let game = read(text, None).remove(0)?;
//! let mut engine = Engine::<Hokito>::new();
//! let review = review(&game, &mut engine, &MoveLimits::nodes(1000), &Stop::new(), |_| ())?;
//! let first = &review.moves[0];
//! assert_eq!(first.pv[0].to_string(), "b6a4");
//! assert!(first.proved_loss.is_some_and(|points| points > 0));
//! # Ok::<(), totemic_games::record::reader::ReadError>(())
//! ```

mod accuracy;
mod annotated;
mod assessment;
mod html;
mod json;
mod mark;
mod second_opinion;
mod svg;
mod text;

pub use accuracy::SideAccuracy;
pub use annotated::annotated;
pub use assessment::ProvedValue;
use assessment::{Assessment, Assessor};
pub use html::{html_page, html_section};
pub use json::to_json;
pub(crate) use json::without_nulls;
pub use mark::{GOOD_LOSS, Mark};
use mark::{INACCURACY, MISTAKE};
pub use second_opinion::SecondOpinion;
pub use svg::escaped;
pub use text::{change, percent, variation};

use crate::limits::MoveLimits;
use crate::record::PgnGame;
use crate::record::reader::ReadError;
use totemic_engine::engine::Engine;
use totemic_engine::game::{Game, Side};
use totemic_engine::search::{Evaluate, Searchable};
use totemic_engine::stop::Stop;

/// How long to think about each position unless a user says otherwise: about half a second on
/// a usual machine. The limit is in nodes, because a mark must not depend on how fast the
/// machine is.
pub const USUAL_LIMITS: MoveLimits = MoveLimits::nodes(300_000);

/// A judged move; the values are for the side that made it.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveReview<M> {
    /// Index among the moves of the game, from 0.
    pub ply: usize,
    /// Who moved.
    pub side: Side,
    /// The move.
    pub played: M,
    /// What should have been played, and the expected moves after it. It begins with the
    /// move played if that is as good as any.
    pub pv: Vec<M>,
    /// Number of legal moves.
    pub choices: u64,
    /// Expected points with the best move.
    pub before: f64,
    /// Expected points after the move that was played.
    pub after: f64,
    /// The proved value of the position before the move.
    pub proof_before: Option<ProvedValue>,
    /// The proved value of the position after the move.
    pub proof_after: Option<ProvedValue>,
    /// Points on the board that the move gave away, if both margins are proved.
    pub proved_loss: Option<i32>,
    /// Plies that the search looked ahead before and after the move, the fewer of both;
    /// `None` if the loss is proved.
    pub depth: Option<u32>,
    /// How good the move is.
    pub mark: Mark,
    /// The opinion of another engine, if one was asked.
    pub second_opinion: Option<SecondOpinion<M>>,
}

impl<M: PartialEq> MoveReview<M> {
    /// Returns the expected points that were given away; never negative.
    pub fn loss(&self) -> f64 {
        self.before - self.after
    }

    /// Whether something could be lost: there was a choice, and more to lose than an
    /// inaccuracy.
    pub fn is_open(&self) -> bool {
        self.choices > 1 && self.before >= INACCURACY
    }

    /// Whether the loss is proved, not estimated.
    pub fn is_proved(&self) -> bool {
        self.proof_before.is_some() && self.proof_after.is_some()
    }

    /// Returns the better move, if the move played gave away enough to name one.
    pub fn better(&self) -> Option<&M> {
        let best = self.pv.first().filter(|&best| *best != self.played);
        best.filter(|_| self.mark >= Mark::Good)
    }
}

/// A game with its judged moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Review<G: Game> {
    /// The game.
    pub game: PgnGame,
    /// Its positions, one more than there are moves.
    pub positions: Vec<G>,
    /// Number of moves in the given opening, which are not judged.
    pub book_plies: usize,
    /// The judged moves in the order of play: all moves after the opening, or only the
    /// last ones if the review was stopped.
    pub moves: Vec<MoveReview<G::Move>>,
    /// Expected points of the first side after the last move; `None` if the review was
    /// stopped before it found them.
    pub expected_at_end: Option<f64>,
}

/// Progress of a review.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step<'a, M> {
    /// Number of positions that are done.
    pub done: usize,
    /// Number of all positions.
    pub total: usize,
    /// The move that was just judged; `None` for the position at the end.
    pub judged: Option<&'a MoveReview<M>>,
}

/// Judges the moves of a game, the last one first. The review ends soon after `stop` comes,
/// with what is done by then.
///
/// The limits are those of a search. Near the end of the game the solver may take as much time
/// again, or four times as many nodes, which are quicker.
///
/// # Errors
/// When the game is not a game of `G`.
pub fn review<G: Searchable, E: Evaluate<G>>(
    game: &PgnGame,
    engine: &mut Engine<G, E>,
    limits: &MoveLimits,
    stop: &Stop,
    mut on_step: impl FnMut(Step<'_, G::Move>),
) -> Result<Review<G>, ReadError> {
    let (positions, moves) = game.replay::<G>()?;
    let book_plies = game.moves.iter().take_while(|mv| mv.is_book).count();
    let total = moves.len() - book_plies + 1;
    let mut assessor = Assessor::new(engine, limits, stop);
    let mut review = Review {
        game: game.clone(),
        book_plies,
        moves: Vec::with_capacity(total),
        expected_at_end: None,
        positions,
    };
    let end = &review.positions[moves.len()];
    let Some(mut after) = assessor.assess(end) else {
        return Ok(review);
    };
    review.expected_at_end = Some(for_first(end.side(), after.expected_points));
    let mut tell = |done, judged: Option<&_>| {
        on_step(Step {
            done,
            total,
            judged,
        })
    };
    tell(1, None);
    for ply in (book_plies..moves.len()).rev() {
        let position = &review.positions[ply];
        let Some((judged, before)) = judge(&mut assessor, position, ply, moves[ply], &after) else {
            break;
        };
        after = before;
        tell(moves.len() - ply + 1, Some(&judged));
        review.moves.push(judged);
    }
    review.moves.reverse();
    Ok(review)
}

/// A move that was judged, and the value of the position before it.
type Judged<M> = (MoveReview<M>, Assessment<M>);

/// Judges a move by the value of the position after it; `None` if stopped.
fn judge<G: Searchable, E: Evaluate<G>>(
    assessor: &mut Assessor<'_, G, E>,
    position: &G,
    ply: usize,
    played: G::Move,
    next: &Assessment<G::Move>,
) -> Option<Judged<G::Move>> {
    let mut before = assessor.assess(position)?;
    let proof_after = next.proof.map(ProvedValue::reversed);
    let mut after = 1.0 - next.expected_points;
    let suspected_loss = before.expected_points - after;
    if before.proof.is_none() && suspected_loss >= INACCURACY && before.pv[0] != played {
        let better = assessor.assess(&position.play(before.pv[0]))?;
        before.expected_points = 1.0 - better.expected_points;
        before.depth = better.depth.or(before.depth);
        before.proof = better.proof.and_then(|proof| proof.reversed().at_least());
    }
    match before.proof {
        // The move played cannot be better than the best one.
        Some(proof) => after = after.min(proof.expected_points()),
        None => {
            let is_best = before.pv[0] == played || after >= before.expected_points;
            if is_best {
                before.expected_points = after;
                before.pv = with_pv(played, &next.pv);
            }
            // A win after the move proves a win before it.
            before.proof = proof_after.and_then(ProvedValue::at_least);
        }
    }
    let proved_loss = (before.proof).and_then(|proof| Some(proof.margin? - proof_after?.margin?));
    if before.expected_points <= after && proved_loss.is_none_or(|points| points <= 0) {
        before.pv = with_pv(played, &next.pv);
    }
    let is_proved = before.proof.is_some() && proof_after.is_some();
    let depths = [before.depth, next.depth].into_iter().flatten();
    let mut judged = MoveReview {
        ply,
        side: position.side(),
        played,
        pv: before.pv.clone(),
        choices: position.count_moves(),
        before: before.expected_points,
        after,
        proof_before: before.proof,
        proof_after,
        proved_loss,
        depth: depths.min().filter(|_| !is_proved),
        mark: Mark::Best,
        second_opinion: None,
    };
    judged.mark = mark(&judged, before.second_best_loss);
    Some((judged, before))
}

/// Returns the expected points of the side to move after one of its moves; `None` if
/// stopped.
pub fn expected_after<G: Searchable, E: Evaluate<G>>(
    engine: &mut Engine<G, E>,
    position: &G,
    mv: G::Move,
    limits: &MoveLimits,
    stop: &Stop,
) -> Option<f64> {
    let next = Assessor::new(engine, limits, stop).assess(&position.play(mv))?;
    Some(1.0 - next.expected_points)
}

fn with_pv<M: Copy>(mv: M, pv: &[M]) -> Vec<M> {
    std::iter::once(mv).chain(pv.iter().copied()).collect()
}

/// Marks a move; `second_best_loss` is what the second-best move loses against the best.
fn mark<M: PartialEq>(judged: &MoveReview<M>, second_best_loss: Option<f64>) -> Mark {
    let is_best = judged.pv.first().is_none_or(|best| *best == judged.played);
    let is_lost = judged.proof_before.is_some_and(|proof| proof.sign < 0);
    let had_no_choice = judged.choices == 1 || second_best_loss.is_some_and(|loss| loss >= MISTAKE);
    match Mark::of_loss(judged.loss()) {
        _ if is_best && had_no_choice => Mark::OnlyMove,
        Mark::Best if judged.proved_loss.is_some_and(|points| points > 0) => Mark::Good,
        // Where every move loses, none is best but by the points on the board.
        Mark::Best if is_lost && judged.proved_loss.is_none() => Mark::Good,
        mark => mark,
    }
}

/// Converts points of the side to move into points of the first side.
pub(crate) fn for_first(side: Side, points: f64) -> f64 {
    match side {
        Side::First => points,
        Side::Second => 1.0 - points,
    }
}

impl<G: Game> Review<G> {
    fn end(&self) -> &G {
        &self.positions[self.positions.len() - 1]
    }

    /// Whether every move after the opening was judged.
    pub fn is_complete(&self) -> bool {
        self.expected_at_end.is_some()
            && self.moves.len() + self.book_plies + 1 == self.positions.len()
    }

    /// Returns the expected points of the first side before each judged move and at the
    /// end, each with the number of moves played before.
    fn expected_by_ply(&self) -> Vec<(usize, f64)> {
        let before =
            |judged: &MoveReview<G::Move>| (judged.ply, for_first(judged.side, judged.before));
        let end = (self.expected_at_end).map(|points| (self.positions.len() - 1, points));
        self.moves.iter().map(before).chain(end).collect()
    }

    /// Returns the moves that changed the game, mistakes and blunders, in the order of
    /// play. If there are more than `most`, it returns those that gave away the most.
    pub fn turning_points(&self, most: usize) -> Vec<&MoveReview<G::Move>> {
        let mut errors: Vec<_> = self.moves.iter().filter(|it| it.mark.is_error()).collect();
        errors.sort_by(|a, b| b.loss().total_cmp(&a.loss()));
        errors.truncate(most);
        errors.sort_by_key(|judged| judged.ply);
        errors
    }
}
