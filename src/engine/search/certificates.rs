//! Certificates: proofs that anybody can check without trusting this program.
//!
//! A certificate proves a claim: what one side can reach from a position whatever the
//! other does. It holds one legal move for each position in which the side of the
//! claim is to move; for the other side, all legal moves count, so they need not be
//! written. A verifier plays through this tree and looks at the score of each end: it
//! needs no search and trusts no hash and no bound.
//!
//! # The file
//!
//! These lines, in this order, each of at most 2048 bytes and ended by a line feed, with
//! one blank after the first word; then an empty line, then bytes:
//!
//! ```text
//! totemic certificate 1
//! rules hokito-1
//! position x2,b2,b2,b1,b2/x2,b3,b1,b3,b1/x2,w1,w3,w1,w2/x2,w3,w1,w2,w2/x6/x6 b
//! claim p1 wins
//! prover totemic 0.3.0
//! choices 4291
//! ```
//!
//! - The rules are `yoxii-1` or `hokito-1`: those of `README.md`, with its scores and
//!   tie-break.
//! - The position is in the notation of `protocol.md`, with one blank. A run of empty
//!   squares may be written as several.
//! - Claims are `p1 wins`, `p1 draws` (at least) and `p1 >= N` (the difference of
//!   the points at the end is at least N, without a tie-break), and the same for `p2`.
//!   N is a decimal number from -10000 to 10000 in its shortest form, and so is the
//!   number of choices.
//! - The prover is any bytes but a line feed, or none; nobody checks it.
//! - The choices follow, each a number from 0 on in LEB128 (seven bits a byte,
//!   the low ones first, the eighth bit set on all bytes but the last; at most two bytes,
//!   the shortest form). The last 32 bytes are the SHA-256 of everything before them.
//!
//! A choice is the index, from 0, of a move in the list of legal moves, ordered in
//! Hokito by square of departure, then of arrival; in Yoxii by the totem's square,
//! the piece's square and its value, 1 to 4. Squares run a1, b1, ... a2, b2, ...; this is
//! not the alphabetical order of the protocol's `query legalmoves`. To check a
//! position:
//!
//! 1. If it has no legal move, the claim has to be true of its score.
//! 2. If the side of the claim is to move and the position was met before, there
//!    is nothing to do. Otherwise the next choice gives the move, even if there is
//!    only one, and the position after it is checked.
//! 3. If the other side is to move, the positions after all its moves are checked,
//!    in order. (If it was met before, this may be skipped: they were all met.)
//!
//! In the end every choice must have been used.
//!
//! A long proof consists of *parts*, and its first line is `totemic certificate 2`. In it,
//! the number 16383 in place of a choice is a mark that begins a part. The position counts
//! as met; its choice comes next. Until everything that follows from it is checked, only
//! what was met since the mark counts as met before. After the part this is forgotten, and
//! what was met before the mark counts again, including the position. A part never begins
//! within another. In a file of version 1 the number 16383 is no move of any list. So a
//! verifier needs memory for the longest part only. The marks are counted among the choices
//! in the header.
//!
//! A position is the board and the side to move; reserves follow from it. [`parts`]
//! describes the files that parts are made from.

mod claim;
pub mod estimate;
mod format;
pub mod parts;
mod verify;
mod write;

pub use claim::{Claim, Goal, Unexpected};
pub use format::{
    Certificate, DEFAULT_MAX_MB, FIRST_LINE, FIRST_LINE_OF_PARTS, FormatError, Statement, rules_of,
};
pub use verify::{Rejection, Verified, verify};
pub use write::{Failed, certify};

use crate::game::Game;

/// Picks a move for the claim's side in a position, among those given.
pub type Choose<'a, G> = &'a mut dyn FnMut(&G, &[<G as Game>::Move]) -> <G as Game>::Move;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Hokito, Rng, Side, Yoxii, random_positions};
    use crate::search::solver::{Solvable, SolveRequest, Solver, Value};

    /// Certificates of claims about random late positions, true and false.
    fn agrees_with_the_solver<G: Solvable>() {
        let mut rng = Rng::new(43);
        let mut solver = Solver::<G>::new(1);
        let mut seen = [0; 2];
        let plies = (10..14).cycle().map(|left| G::MAX_PLIES - left);
        for position in random_positions::<G>(44, plies).take(120) {
            let side = Side::BOTH[rng.below(2)];
            let goal = match rng.below(3) {
                0 => Goal::Win,
                1 => Goal::Draw,
                _ => Goal::Margin(rng.below(9) as i32 - 4),
            };
            let claim = Claim { side, goal };
            let request = SolveRequest {
                margin: true,
                ..SolveRequest::default()
            };
            let solution = solver.solve(&position, &request);
            let turn = |sign: i32| if position.side() == side { sign } else { -sign };
            let is_true = match (goal, solution.value) {
                (Goal::Margin(least), _) => turn(solution.margin.unwrap()) >= least,
                (Goal::Win, value) => turn(value.sign().unwrap()) > 0,
                (Goal::Draw, value) => turn(value.sign().unwrap()) >= 0,
            };
            assert_ne!(solution.value, Value::Unknown);
            let request = SolveRequest::default();
            let solver = &mut Solver::new(64);
            match certify(solver, &position, claim, &request, u64::MAX, &mut |_, _| ()).0 {
                Ok(certificate) => {
                    assert!(is_true, "{claim} in {position}");
                    let bytes = certificate.bytes.clone();
                    let verified = verify(&Certificate::read(bytes).unwrap(), &mut |_| ()).unwrap();
                    assert_eq!(verified.choices, certificate.count as u64);
                }
                Err(Failed::False) => assert!(!is_true, "{claim} in {position}"),
                Err(why) => panic!("{why}"),
            }
            seen[usize::from(is_true)] += 1;
        }
        assert!(seen[0] > 20 && seen[1] > 20, "{seen:?}");
    }

    #[test]
    fn true_claims_are_certified_and_false_ones_are_not() {
        agrees_with_the_solver::<Yoxii>();
        agrees_with_the_solver::<Hokito>();
    }

    #[test]
    fn a_proof_that_grows_too_long_is_given_up() {
        let position: Yoxii = "3/IIy1o/yOO1I*1/o1Yy3/yoiiIX1/IXoyO/3 w".parse().unwrap();
        let claim = "p1 wins".parse().unwrap();
        let request = SolveRequest::default();
        // Each time with a new solver: what one knows makes the next proof shorter.
        let prove = |most| {
            let solver = &mut Solver::new(64);
            certify(solver, &position, claim, &request, most, &mut |_, _| ()).0
        };
        let length = prove(u64::MAX).unwrap().bytes.len() as u64;
        for most in [3, length - 1] {
            let made = prove(most);
            assert_eq!(made, Err(Failed::TooLong));
        }
    }
}
