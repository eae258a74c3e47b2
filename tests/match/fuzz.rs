//! Whatever users and files say, the worst outcome is an error message.

use crate::support::Folder;
use proptest::prelude::*;
use totemic::arena::tokens;
use totemic::process::EngineSpec;
use totemic::process::tokens::apply_to_engine;
use totemic::shard::Shard;
use totemic::storage::journal::{self, AnyHeading};
use totemic_engine::game::{Hokito, Yoxii};
use totemic_games::record::openings::{Openings, Selection};

proptest! {
    #[test]
    fn tokens_are_read_or_named(token in "(tc|st|nodes|depth|name|option\\.|timemargin|restart|x)?=?[0-9a-z+/:.=-]{0,12}") {
        let mut engine = EngineSpec::default();
        if let Err(why) = apply_to_engine(&mut engine, &[&token]) {
            prop_assert!(why.contains(&token), "{token}: {why}");
        }
        let _ = tokens::sprt(&[&token]);
        let _ = tokens::resign(&[&token]);
        let _ = tokens::draw(&[&token]);
        let _ = tokens::solver(&token);
        let _ = token.parse::<Shard>();
    }

    #[test]
    fn time_controls_read_back(moves in proptest::option::of(1u32..200), base in 1u64..10_000_000, inc in 0u64..100_000) {
        let clock = totemic_games::limits::TimeControl { moves, base_ms: base, increment_ms: inc };
        let mut engine = EngineSpec::default();
        apply_to_engine(&mut engine, &[format!("tc={clock}")]).expect("our own text");
        prop_assert_eq!(engine.limits.clock, Some(clock));
    }

    #[test]
    fn openings_are_read_or_refused(text in "(fen |startpos|moves |[a-g1-7oixywb*/, :\n-]){0,12}") {
        let _ = Openings::of_text::<Yoxii>(&text, Selection { seed: 1, shuffled: true, ..Selection::default() });
        let _ = Openings::of_text::<Hokito>(&text, Selection::default());
    }

    #[test]
    fn any_bytes_are_no_journal(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let dir = Folder::new();
        dir.write("j", bytes);
        prop_assert!(!matches!(journal::read::<AnyHeading>(&dir.path("j")), Ok(Some(_))));
    }
}
