//! `totemic setup`: random positions, and fair ones.

use std::collections::HashSet;

use crate::support::{objects, output};
use totemic_engine::game::{Game, Hokito, Yoxii};
use totemic_games::record::openings::{Openings, Selection};

#[test]
fn setups_are_positions_that_a_seed_repeats() {
    let line = "setup --game hokito --count 20 --seed 42";
    let text = output(line);
    assert_eq!(output(line), text);
    let different: HashSet<&str> = text.lines().collect();
    assert_eq!((text.lines().count(), different.len()), (20, 20));
    for line in different {
        let read: Hokito = line.parse().expect("a position");
        assert_eq!(read.to_string(), line);
    }
    assert_ne!(output("setup --game hokito --count 20 --seed 43"), text);
    assert_ne!(output(&format!("{line} --scattered")), text);
    assert_eq!(output("setup"), "3/5/7/3*3/7/5/3 w\n");
    let played = output("setup --plies 7").trim_end().parse::<Yoxii>();
    assert_eq!(played.expect("a position").plies_left(), 36 - 7);
}

#[test]
fn fair_setups_are_even_by_the_engine_and_are_openings() {
    let fair = "setup --game hokito --fair --nodes 1000";
    let line = format!("{fair} --count 3 --seed 5");
    let text = output(&line);
    assert_eq!(output(&line), text);
    assert!(text.starts_with("# ") && text.contains("not a proof"));
    let openings = Openings::of_text::<Hokito>(&text, Selection::default()).expect("openings");
    assert_eq!(openings.count(), Some(3));

    let made = objects(&output(&format!("{line} --json")));
    for (object, line) in made.iter().zip(text.lines().skip(1)) {
        let part = |name: &str| object[name].as_f64().expect("a number");
        assert_eq!(part("win") + part("draw") + part("loss"), 1000.0);
        let points = part("win") + part("draw") / 2.0;
        assert!((450.0..=550.0).contains(&points), "{object}");
        assert!(part("nodes") >= 1000.0 && part("searches") >= 1.0);
        let position = object["position"].as_str().expect("a text");
        assert!(line.starts_with(&format!("{position} # ")), "{line}");
        let pawns = ["b1", "b2", "b3", "w1", "w2", "w3"];
        assert_eq!(pawns.map(|pawn| position.matches(pawn).count()), [6; 6]);
        assert_eq!(object["proved"], false);
    }
    assert_eq!(output(&format!("{fair} --scattered")).lines().count(), 2);
}
