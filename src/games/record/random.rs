//! The random numbers of a match: openings, seeds of games and lots.

use totemic_engine::game::Rng;

/// What random numbers are for. Each purpose has a number of its own, which never changes: a
/// seed would give other openings and games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Purpose {
    RandomOpening = 1,
    OrderOfOpenings = 2,
    SeedOfGame = 3,
    LotInKnockout = 4,
}

/// Returns a stream of random numbers for this purpose and number, so that any opening or game
/// can be made without those before it.
pub fn stream(seed: u64, purpose: Purpose, number: u64) -> Rng {
    let mixed = Rng::new(seed ^ (purpose as u64).rotate_left(32)).next_u64();
    Rng::new(mixed ^ Rng::new(number).next_u64())
}
