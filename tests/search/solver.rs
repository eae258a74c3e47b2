//! The solver against plain minimax without memory, over the engine's rules and over
//! naive ones, and against known answers.

use std::convert::Infallible;
use std::time::Duration;

use crate::naive::{self, Naive};
use crate::support::{any_start, before_end, rows_of};
use totemic_engine::game::{Hokito, Layout, Rng, Yoxii};
use totemic_engine::search::solver::{
    MarginBounds, Solution, Solvable, SolveRequest, Solver, Value,
};
use totemic_engine::stop::Stop;

/// Returns margin and tie-break for the side to move by plain minimax over every move, or
/// `None` if that takes too many nodes.
fn plain<G: Solvable>(position: &G, budget: &mut u32) -> Option<(i32, i32)> {
    *budget = budget.checked_sub(1)?;
    let moves = position.moves();
    if moves.is_empty() {
        let standing = position.standing();
        let side = position.side().index();
        let tie = standing.tie_break[side] - standing.tie_break[1 - side];
        return Some((standing.margin_for(position.side()), tie));
    }
    let mut best = None;
    for &mv in &moves {
        let (margin, tie) = plain(&position.play(mv), budget)?;
        best = best.max(Some((-margin, -tie)));
    }
    best
}

fn value_of((margin, tie): (i32, i32)) -> Value {
    Value::of_sign((margin, tie).cmp(&(0, 0)) as i32)
}

/// Returns positions near the end of random games, with what minimax says about them
/// within so many nodes.
fn solved_positions<G: Solvable>(count: usize, nodes: u32, rng: &mut Rng) -> Vec<(G, (i32, i32))> {
    let mut found = Vec::new();
    while found.len() < count {
        // From two to eight plies before the end, if that is not too expensive.
        let position = before_end::<G>(any_start(rng), 2 + rng.below(7), rng);
        if let Some(truth) = plain(&position, &mut nodes.clone()) {
            found.push((position, truth));
        }
    }
    found
}

/// Checks that the line is legal, reaches the end, and ends with the value and the
/// margin.
fn check_pv<G: Solvable>(position: &G, solution: &Solution<G::Move>) {
    let mut end = *position;
    for &mv in &solution.pv {
        let next = end.try_play(mv);
        end = next.unwrap_or_else(|why| panic!("{position}: {why}"));
    }
    let side = position.side();
    let sign = end.outcome().map(|outcome| outcome.sign_for(side));
    assert!(sign.is_some(), "{position}: short line");
    assert_eq!(sign, solution.value.sign(), "{position}");
    if let Some(margin) = solution.margin {
        assert_eq!(end.standing().margin_for(side), margin, "{position}");
    }
}

/// Checks that everything the solver says about a position within some limits, with the
/// margin and without, agrees with minimax.
fn check<G: Solvable>(
    solver: &mut Solver<G>,
    position: &G,
    truth: (i32, i32),
    request: &SolveRequest,
) {
    let with_margin = SolveRequest {
        margin: true,
        ..request.clone()
    };
    let solution = solver.solve(position, &with_margin);
    assert_eq!(solution.value, value_of(truth), "{position}");
    assert_eq!(solution.margin, Some(truth.0), "{position}");
    check_pv(position, &solution);
    let best = solution.best.first();
    assert_eq!(best.is_some(), position.has_moves(), "{position}");
    let value = solver.solve(position, request);
    assert_eq!(value.value, value_of(truth), "{position}");
    check_pv(position, &value);
}

fn agrees_with_minimax<G: Solvable>(count: usize, nodes: u32, seed: u64) {
    let mut rng = Rng::new(seed);
    let positions = solved_positions::<G>(count, nodes, &mut rng);
    // A table with one bucket, one that all positions share, and threads. Without
    // shortcuts these are used from the first node on.
    for (hash_mb, threads, plain, every) in [
        (0, 1, false, 1),
        (16, 1, false, 1),
        (0, 2, true, 4),
        (16, 2, true, 4),
        (16, 2, false, 4),
        (16, 1, true, 8),
    ] {
        let mut solver = match plain {
            true => Solver::<G>::without_shortcuts(hash_mb),
            false => Solver::new(hash_mb),
        };
        let request = SolveRequest {
            threads,
            ..SolveRequest::default()
        };
        for (position, truth) in positions.iter().step_by(every) {
            check(&mut solver, position, *truth, &request);
        }
    }
}

#[test]
fn both_games_agree_with_minimax() {
    // Nearly all of the time is that of plain minimax, which gives most positions up.
    agrees_with_minimax::<Yoxii>(400, 15_000, 11);
    agrees_with_minimax::<Hokito>(400, 60_000, 12);
}

/// Number of seeds of the long comparison, with a thousand positions of each game for
/// each seed.
const SEEDS: u64 = 50;

#[test]
#[ignore = "an hour or more: cargo test --release --test search solver -- --ignored"]
fn a_hundred_thousand_positions_agree_with_minimax() {
    for seed in 0..SEEDS {
        agrees_with_minimax::<Yoxii>(1000, 60_000, 1000 + seed);
        agrees_with_minimax::<Hokito>(1000, 60_000, 2000 + seed);
        eprintln!("{} positions agree", 2000 * (seed + 1));
    }
}

/// Checks every move's value and all best moves with the naive rules.
fn agrees_with_the_naive_rules<G: Solvable, N: Naive>(count: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut solver = Solver::<G>::new(4);
    let request = SolveRequest {
        margin: true,
        all_moves: true,
        ..SolveRequest::default()
    };
    for (position, _) in solved_positions::<G>(count, 3_000, &mut rng) {
        let slow = N::parse(&position.to_string()).expect("a legal position");
        let (sign, margin) = (naive::best_sign(&slow), naive::best_margin(&slow));
        let solution = solver.solve(&position, &request);
        assert_eq!(solution.value.sign(), Some(sign), "{position}");
        assert_eq!(solution.margin, Some(margin), "{position}");
        let judged = solution.moves.iter();
        let value = judged.map(|judged| (judged.mv.to_string(), judged.value.sign()));
        let mut values: Vec<(String, Option<i32>)> = value.collect();
        values.sort();
        let judge = |mv: String| {
            let sign = -naive::best_sign(&slow.play(&mv));
            (mv, Some(sign))
        };
        let expected: Vec<_> = slow.legal_moves().into_iter().map(judge).collect();
        assert_eq!(values, expected, "{position}");
        for judged in &solution.moves {
            let after = plain(&position.play(judged.mv), &mut u32::MAX.clone());
            let margin = after.map(|(margin, _)| -margin);
            assert_eq!(judged.margin, margin, "{position}: {}", judged.mv);
        }
    }
}

#[test]
fn every_move_of_both_games_agrees_with_the_naive_rules() {
    agrees_with_the_naive_rules::<Yoxii, naive::yoxii::Yoxii>(60, 21);
    agrees_with_the_naive_rules::<Hokito, naive::hokito::Hokito>(60, 22);
}

fn knows_all_best_moves<G: Solvable>() {
    let mut solver = Solver::<G>::new(64);
    let rows = rows_of::<G>("solve.tsv");
    assert_eq!(rows.len(), 30);
    for fields in rows {
        let position: G = fields[1].parse().expect("a legal position");
        for threads in [1, 2] {
            let request = SolveRequest {
                all_moves: true,
                threads,
                ..SolveRequest::default()
            };
            let solution = solver.solve(&position, &request);
            assert_eq!(solution.value.name(), fields[2], "{position}");
            let mut best: Vec<String> = solution.best.iter().map(ToString::to_string).collect();
            best.sort();
            assert!(solution.best_complete);
            assert_eq!(best.join(" "), fields[3], "{position}");
            check_pv(&position, &solution);
        }
    }
}

#[test]
fn the_known_best_moves_are_found() {
    knows_all_best_moves::<Yoxii>();
    knows_all_best_moves::<Hokito>();
}

/// Solves the hard positions that were quickest for the plain reference.
fn solves_hard_ones<G: Solvable>(below: u64) {
    let mut solver = Solver::<G>::new(64);
    for fields in rows_of::<G>("solve-hard.tsv") {
        if fields[3].parse::<u64>().expect("a number of nodes") >= below {
            continue;
        }
        let position: G = fields[1].parse().expect("a legal position");
        let solution = solver.solve(&position, &SolveRequest::default());
        assert_eq!(solution.value.name(), fields[2], "{position}");
        check_pv(&position, &solution);
    }
}

#[test]
fn hard_positions_have_the_known_values() {
    solves_hard_ones::<Yoxii>(20_000_000);
    solves_hard_ones::<Hokito>(2_000_000);
}

/// Many positions at once are reported in their order, each as if it were alone: easy
/// ones, ones that take longer than a first attempt, and ones that have to be given up.
fn solves_each<G: Solvable>(hard: &str) {
    /// Nodes for each position, after which the start is given up.
    const MOST: u64 = 2_000_000;
    let known = rows_of::<G>("solve.tsv");
    let mut texts: Vec<&str> = known.iter().map(|fields| &fields[1][..]).collect();
    texts.insert(1, hard);
    let legal = texts.iter().map(|text| text.parse().expect("legal"));
    let mut positions: Vec<G> = legal.collect();
    positions.insert(3, G::start());
    let alone: Vec<_> = (positions.iter().enumerate())
        .map(|(index, position)| {
            let request = SolveRequest {
                margin: true,
                nodes: Some(if index == 3 { 0 } else { MOST }),
                ..SolveRequest::default()
            };
            let alone = Solver::new(16).solve(position, &request);
            (alone.value, alone.margin)
        })
        .collect();
    for threads in [1, 2, 3] {
        let request = SolveRequest {
            margin: true,
            nodes: Some(MOST),
            threads,
            ..SolveRequest::default()
        };
        let mut told = 0;
        let mut solver = Solver::<G>::new(16);
        let all: Result<(), Infallible> = solver.solve_each(
            &positions,
            &request,
            |_, _| (),
            |index, solution| {
                assert_eq!(index, told);
                told += 1;
                let position = &positions[index];
                if index == 3 {
                    assert_eq!(solution.value, Value::Unknown);
                    assert!(solution.nodes >= MOST);
                    return Ok(());
                }
                let found = (solution.value, solution.margin);
                assert_eq!(found, alone[index], "{position}");
                assert!(index != 1 || solution.nodes > 300_000);
                check_pv(position, &solution);
                Ok(())
            },
        );
        assert_eq!((all, told), (Ok(()), positions.len()));
    }
}

#[test]
fn many_positions_are_solved_as_each_of_them() {
    solves_each::<Yoxii>("2y/4I/1*1Xi2/yY1Y1Xx/3Ix1o/2xXo/IyI w");
    solves_each::<Hokito>(
        "w3:8,b1,b1,b2,x2/b1,w3:2,w1:2,x2,b2/b3:6,x3,b1,x/x,b2:2,x3,b2:2/w3,x,b3:2,x,w2,x/\
         x,w2,w1,x,w2,w1 w",
    );
}

#[test]
fn many_positions_end_at_the_first_that_cannot_be_told_or_the_stop() {
    let known = rows_of::<Yoxii>("solve.tsv");
    let parse = |fields: &Vec<String>| fields[1].parse::<Yoxii>().expect("legal");
    let some: Vec<Yoxii> = known.iter().map(parse).collect();
    // These are more than the threads take at once.
    let positions = some.repeat(20);
    for threads in [1, 2] {
        let stop = Stop::new();
        let request = SolveRequest {
            threads,
            stop: stop.clone(),
            ..SolveRequest::default()
        };
        let mut solver = Solver::new(16);
        let mut told = 0;
        let mut solve = |tell: &mut dyn FnMut(usize) -> Result<(), usize>| {
            solver.solve_each(
                &positions,
                &request,
                |_, _| (),
                |index, _| {
                    told += 1;
                    tell(index)
                },
            )
        };
        let refused = solve(&mut |index| if index == 5 { Err(index) } else { Ok(()) });
        assert_eq!(refused, Err(5));
        let stopped = solve(&mut |index| {
            if index == 5 {
                stop.now();
            }
            Ok(())
        });
        assert_eq!(stopped, Ok(()));
        assert!((6 + 6..positions.len()).contains(&told), "{told}");
    }
}

/// Returns positions some plies before the end of random games, with their margins, which
/// the solver finds with a million nodes but not with 20,000.
fn with_margins<G: Solvable>(count: usize, back: usize, rng: &mut Rng) -> Vec<(G, i32)> {
    let mut found = Vec::new();
    let request = SolveRequest {
        margin: true,
        nodes: Some(1_000_000),
        ..SolveRequest::default()
    };
    while found.len() < count {
        let start = G::random_start(Layout::Halves, rng);
        let position = before_end(start, back, rng);
        let solution = Solver::new(16).solve(&position, &request);
        if let Some(margin) = solution.margin.filter(|_| solution.nodes > 20_000) {
            found.push((position, margin));
        }
    }
    found
}

fn bounds_hold_when_cut_off<G: Solvable>(positions: &[(G, i32)]) {
    let mut cut = 0;
    for (position, truth) in positions {
        for threads in [1, 3] {
            for nodes in [1, 10, 40, 160].map(|n| n * 1000) {
                let request = SolveRequest {
                    margin: true,
                    pv: false,
                    nodes: Some(nodes),
                    threads,
                    ..SolveRequest::default()
                };
                let solution = Solver::new(16).solve(position, &request);
                let MarginBounds { lower, upper } = solution.margin_bounds.expect("asked for");
                let context = format!("{position}, {threads} threads, {nodes} nodes");
                let is_within = (lower..=upper).contains(truth);
                assert!(is_within, "{context}: {lower} {upper}");
                assert!(solution.lower <= truth.signum(), "{context}");
                assert!(solution.upper >= truth.signum(), "{context}");
                let found = solution.margin;
                assert!(found.is_none_or(|margin| margin == *truth), "{context}");
                cut += u32::from(found.is_none());
            }
        }
    }
    assert!(cut > 20, "{cut} cut off");
}

#[test]
fn bounds_of_a_margin_hold_when_the_search_was_cut_off() {
    let mut rng = Rng::new(31);
    bounds_hold_when_cut_off(&with_margins::<Yoxii>(5, 9, &mut rng));
    bounds_hold_when_cut_off(&with_margins::<Hokito>(5, 13, &mut rng));
}

/// A loss by 6 whose search ends in its first window, after the first move.
#[test]
fn what_a_window_has_proved_is_told_when_the_search_was_cut_off() {
    let text = "b2,x,w3:2,b3:6,x2/b3,w3:2,x2,b3:6,w2:4/b2,b1,x,b1,x2/w1,x2,w1,x,w1/\
                w2,x,w2,w1,x,b2:2/w1,w3,x3,w2 b";
    let position: Hokito = text.parse().expect("a position");
    let all = SolveRequest {
        margin: true,
        pv: false,
        ..SolveRequest::default()
    };
    let whole = Solver::new(16).solve(&position, &all);
    let bounds = |lower, upper| Some(MarginBounds { lower, upper });
    assert_eq!(whole.margin_bounds, bounds(-6, -6));
    let most = SolveRequest {
        nodes: Some(whole.nodes / 100 * 98),
        ..all
    };
    let solution = Solver::new(16).solve(&position, &most);
    assert_eq!(solution.margin_bounds, bounds(-6, -1));
}

/// The moves of this position are judged by many questions, none of which a thread would share
/// with others.
const SMALL_QUESTIONS: &str = "b2,x2,b1,x,b3:2/x,b2:2,x2,w2:2,w2:10/x2,b1,x,b3:4,x/x5,w3/\
                               x,b1:2,w1,b3:2,x2/b3:2,w3:2,x,b3:2,x,w2 b";

#[test]
fn small_questions_use_up_the_nodes_of_several_threads_and_the_time() {
    let position: Hokito = SMALL_QUESTIONS.parse().expect("a position");
    let all = SolveRequest {
        all_moves: true,
        ..SolveRequest::default()
    };
    let few = SolveRequest {
        nodes: Some(500),
        threads: 3,
        ..all.clone()
    };
    let nodes = Solver::new(1).solve(&position, &few).nodes;
    assert!(nodes <= 500 + 3 * 2048, "{nodes}");
    let short = SolveRequest {
        time: Some(Duration::ZERO),
        ..all
    };
    let solution = Solver::new(1).solve(&position, &short);
    assert_eq!((solution.nodes, solution.value), (0, Value::Unknown));
}
