//! The route of a move, step by step as the sheets of rules describe it.

use crate::support::played;
use totemic_engine::game::{Cell, Cells, Game, Hokito, Rng, Yoxii};

/// Yields positions from all stages of a game.
fn positions<G: Game>() -> impl Iterator<Item = G> {
    let mut rng = Rng::new(41);
    std::iter::repeat_with(move || played(&mut rng)).take(400)
}

/// Returns the squares strictly between two squares of a line.
fn between(from: Cell, to: Cell) -> Vec<Cell> {
    let (files, ranks) = (
        i32::from(to.file()) - i32::from(from.file()),
        i32::from(to.rank()) - i32::from(from.rank()),
    );
    let length = files.abs().max(ranks.abs());
    let straight = files == 0 || ranks == 0 || files.abs() == ranks.abs();
    assert!(straight && length > 0, "{from} {to}");
    let at = |start: u8, way: i32, step: i32| (i32::from(start) + way / length * step) as u8;
    (1..length)
        .map(|step| Cell::at(at(from.file(), files, step), at(from.rank(), ranks, step)))
        .collect()
}

#[test]
fn pawns_go_as_many_steps_as_they_are_worth_and_never_back() {
    let mut seen = 0;
    for position in positions::<Hokito>() {
        for mv in position.moves() {
            let route = position.route(mv);
            let value = usize::from(position.value(mv.from()));
            assert_eq!(route.len(), value + 1, "{position} {mv}: {route:?}");
            assert_eq!((route[0], route[value]), (mv.from(), mv.to()));
            let distinct: Cells = route.iter().copied().collect();
            assert_eq!(distinct.len() as usize, route.len(), "{position} {mv}");
            for step in route.windows(2) {
                let straight = step[0].file() == step[1].file() || step[0].rank() == step[1].rank();
                assert!(straight, "{position} {mv}: {route:?}");
                assert!(position.occupied().has(step[1]), "{position} {mv}");
                let passed = between(step[0], step[1]);
                assert!(
                    passed.iter().all(|&cell| !position.occupied().has(cell)),
                    "{position} {mv}: {route:?}"
                );
            }
            seen += 1;
        }
    }
    assert!(seen > 5_000, "{seen} moves");
}

#[test]
fn the_totem_goes_one_square_or_jumps_over_own_pieces() {
    let mut jumps = 0;
    for position in positions::<Yoxii>() {
        let own = position.pieces(position.side());
        for mv in position.moves() {
            let route = position.route(mv);
            assert_eq!(route.first(), Some(&position.totem()));
            assert_eq!(route.last(), Some(&mv.totem()));
            let jumped = between(position.totem(), mv.totem());
            assert_eq!(route[1..route.len() - 1], jumped, "{position} {mv}");
            assert!(jumped.iter().all(|&cell| own.has(cell)), "{position} {mv}");
            jumps += jumped.len();
        }
    }
    assert!(jumps > 100, "{jumps} pieces jumped over");
}
