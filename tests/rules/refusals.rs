//! Texts that are not positions: each is refused for the right reason, in words that say
//! what is wrong and where. No bytes make a reader panic.

use crate::support::{Tested, by_name, rows};
use proptest::prelude::*;
use totemic_engine::game::{Cell, Game, Hokito, PositionError, Rng, Side, Tower, Yoxii};

#[test]
fn every_reason_is_named() {
    fn refusal<G: Game>(text: &str) -> String {
        match text.parse::<G>() {
            Ok(_) => "accepted".to_owned(),
            Err(why) => why.to_string(),
        }
    }
    let rows = rows("refusals.tsv");
    assert!(rows.len() > 60);
    let (found, wanted): (Vec<_>, Vec<_>) = rows
        .iter()
        .map(|row| {
            let found = by_name!(row[0], refusal(&row[1]));
            ((&row[1], found), (&row[1], row[2].clone()))
        })
        .filter(|(found, wanted)| found != wanted)
        .unzip();
    assert_eq!(found, wanted);
}

#[test]
fn what_is_just_within_the_rules_is_accepted() {
    fn canonical<G: Game>(text: &str) -> String {
        text.parse::<G>().expect(text).to_string()
    }
    for row in rows("accepted.tsv") {
        assert_eq!(by_name!(row[0], canonical(&row[1])), row[2], "{row:?}");
    }
}

/// Lists of pieces can say what no text can say.
#[test]
fn pieces_off_the_board_or_on_one_square_are_refused() {
    let bad_cell = |cell: &str| {
        let cell = cell.to_owned();
        Some(PositionError::BadCell { cell })
    };
    let [a1, d4, e5] = [(0, 0), (3, 3), (4, 4)].map(|(file, rank)| Cell::at(file, rank));
    let yoxii = |totem: Cell, piece: Cell, value: u8| {
        Yoxii::of(totem, [(piece, Side::First, value)], Side::Second).err()
    };
    assert_eq!(yoxii(d4, e5, 4), None);
    assert_eq!(yoxii(d4, a1, 4), bad_cell("a1"));
    assert_eq!(yoxii(a1, e5, 4), bad_cell("a1"));
    assert_eq!(yoxii(d4, d4, 4), bad_cell("d4"));
    assert_eq!(yoxii(d4, e5, 0), bad_cell("e5"));
    assert_eq!(yoxii(d4, e5, 5), bad_cell("e5"));
    let twice = Side::BOTH.map(|side| (e5, side, 1));
    assert_eq!(Yoxii::of(d4, twice, Side::First).err(), bad_cell("e5"));

    let side = Side::First;
    let tower = |value, height| Tower {
        side,
        value,
        height,
    };
    let hokito = |cell, value, height| Hokito::of([(cell, tower(value, height))], side).err();
    let height = |found| {
        let cell = "a1".to_owned();
        Some(PositionError::Height { cell, found })
    };
    assert_eq!(hokito(a1, 3, 36), None);
    assert_eq!(hokito(Cell::at(6, 0), 3, 1), bad_cell("g1"));
    assert_eq!(hokito(Cell::at(0, 7), 3, 1), bad_cell("a8"));
    assert_eq!(hokito(a1, 0, 1), bad_cell("a1"));
    assert_eq!(hokito(a1, 4, 1), bad_cell("a1"));
    assert_eq!(hokito(a1, 3, 0), height(0));
    assert_eq!(hokito(a1, 3, 37), height(37));
    assert_eq!(hokito(a1, 3, 255), height(255));
    let twice = [(a1, tower(1, 1)), (a1, tower(2, 1))];
    assert_eq!(Hokito::of(twice, side).err(), bad_cell("a1"));
}

/// Checks that a refusal is a sentence on one line, and that the bytes it names are in
/// the text.
fn sound<G: Game>(text: &str) -> Result<(), TestCaseError> {
    let Err(why) = text.parse::<G>() else {
        return Ok(());
    };
    prop_assert!(!why.to_string().is_empty());
    match why {
        PositionError::RankTooLong { at, .. } => prop_assert!(at < text.len()),
        PositionError::Unexpected { at, found, .. } | PositionError::Trailing { at, found } => {
            prop_assert_eq!(text.get(at..at + found.len()), Some(found.as_str()));
        }
        _ => {}
    }
    Ok(())
}

/// Texts of positions with some bytes written over.
fn scribbled<G: Tested>() -> impl Strategy<Value = String> {
    let scribble = |(seed, changes): (u64, Vec<(usize, u8)>)| {
        let mut bytes = G::thrown(&mut Rng::new(seed)).to_string().into_bytes();
        let len = bytes.len();
        for (at, byte) in changes {
            bytes[at % len] = byte;
        }
        String::from_utf8_lossy(&bytes).into_owned()
    };
    any::<(u64, Vec<(usize, u8)>)>().prop_map(scribble)
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,60}",
        "[oiyxOIYXbw*0-9/,: ]{0,80}",
        scribbled::<Yoxii>(),
        scribbled::<Hokito>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(6000) })]

    #[test]
    fn no_text_makes_a_reader_panic(text in text()) {
        sound::<Yoxii>(&text)?;
        sound::<Hokito>(&text)?;
    }
}
