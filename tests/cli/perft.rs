//! `totemic perft`: the counts of move sequences.

use crate::support::output;
use totemic_engine::game::{Game, Hokito, Yoxii};

const LAST_MOVE: &str = "x6/x6/x6/x6/w1,x5/b1,b1,x4 b";

#[test]
fn perft_prints_a_line_for_each_depth() {
    let later = "perft 2 'X2/oO1Ii/4O1y/I1xo2Y/3yiI1/2*1o/1O1 w'";
    let behind = Yoxii::start().play("c5b6y".parse().expect("a move"));
    let behind = &format!("1\t{}\n", behind.count_moves());
    for (line, wanted) in [
        ("perft 3", "1\t256\n2\t51136\n3\t8463360\n"),
        (later, "1\t68\n2\t4128\n"),
        (&format!("{later} --threads 2"), "1\t68\n2\t4128\n"),
        // After the end of all games there is nothing to count.
        (&format!("perft 3 '{LAST_MOVE}'"), "1\t3\n2\t0\n3\t0\n"),
        // The game may be named before or after the subcommand.
        ("--game hokito perft 2", "1\t110\n2\t11876\n"),
        ("perft 2 --game hokito", "1\t110\n2\t11876\n"),
        ("perft --game Hokito 2 startpos", "1\t110\n2\t11876\n"),
        ("perft 1 --game yoxii", "1\t256\n"),
        // The game of a position is recognised.
        (&format!("perft 1 '{}'", Yoxii::start()), "1\t256\n"),
        (&format!("perft 1 '{}'", Hokito::start()), "1\t110\n"),
        // Moves are played before, and read as people type them.
        ("perft 1 startpos --moves c5b6y", behind),
        ("perft 1 startpos --moves 'C5-B6 y'", behind),
        ("perft 1 startpos --moves c5 b6 3", behind),
        ("perft 1 startpos --moves c5:b6=Y", behind),
        ("perft 1 'startpos moves C5-B6 y'", behind),
    ] {
        assert_eq!(output(line), wanted, "{line}");
    }
}

#[test]
fn divide_gives_each_move_and_sums_to_perft() {
    fn check<G: Game>(depth: u32, total: u64) {
        let line = format!("perft {depth} --divide --game {} --threads 2", G::NAME);
        let text = output(&line);
        let rows = text.lines().filter_map(|line| line.split_once('\t'));
        let number = |text: &str| text.parse::<u64>().expect("a number");
        let (moves, nodes): (Vec<&str>, Vec<u64>) = rows.map(|(mv, n)| (mv, number(n))).unzip();
        assert!((G::start().moves().iter().map(ToString::to_string)).eq(moves));
        assert_eq!(nodes.iter().sum::<u64>(), total, "{line}");
    }
    check::<Yoxii>(2, 51_136);
    check::<Hokito>(3, 1_155_403);
    let parts = output(&format!("perft 1 --divide '{LAST_MOVE}'"));
    assert_eq!(parts, "a1b1\t1\na1a2\t1\nb1a1\t1\n");
}
