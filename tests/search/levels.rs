//! Weaker levels, and what scores mean: what those who play against the engine or read its
//! odds rely on.

use std::collections::BTreeSet;

use crate::engine::{Told, go};
use crate::{answer, infinite};
use totemic_engine::engine::Engine;
use totemic_engine::game::{Game, Hokito, Layout, Rng, Side, Yoxii, greedy_moves};
use totemic_engine::search::{
    Bound, Evaluate, Info, Learnable, Level, Limits, Memory, Odds, Request, Score, Searchable,
    Searcher, think,
};
use totemic_engine::stop::Stop;

/// At each depth only one line is reported, and the last one is the answer.
#[test]
fn a_level_varies_its_moves_and_shows_the_one_it_plays() {
    fn check<G: Searchable>(position: &G, searcher: Searcher) {
        for skill in [0, 4, 7, 13, 19] {
            let ask = |seed| {
                let limits = Limits {
                    level: Level::skill(skill, seed),
                    ..Limits::nodes(3000)
                };
                answer(position, &limits, searcher, 1)
            };
            let mut played = BTreeSet::new();
            for seed in 0..12 {
                let (report, told) = ask(seed);
                assert!(told.iter().all(|info| info.multipv == 1));
                for pair in told.windows(2) {
                    let is_same = (pair[0].score, &pair[0].pv) == (pair[1].score, &pair[1].pv);
                    assert!(is_same || pair[0].depth < pair[1].depth, "{pair:?}");
                }
                assert_eq!(told.last(), report.infos.first());
                played.insert(report.best);
            }
            assert!(skill != 4 || played.len() > 2, "{played:?}");
            assert_eq!(ask(5).0.best, ask(5).0.best, "the seed decides");
        }
    }
    for searcher in Searcher::ALL {
        check(&Yoxii::start(), searcher);
        check(&Hokito::start(), searcher);
    }
}

#[test]
fn a_level_that_waits_for_stop_has_shown_its_answer() {
    for searcher in Searcher::ALL {
        let mut engine = Engine::<Yoxii>::new();
        engine.set_searcher(searcher);
        let limits = Limits {
            level: Level::skill(0, 3),
            ..infinite()
        };
        let events = go(&mut engine, limits);
        let Ok(Told::Info(shown)) = events.recv() else {
            panic!("no line before the answer");
        };
        engine.stop();
        engine.wait();
        let Ok(Told::Done(report)) = events.recv() else {
            panic!("another line");
        };
        assert_eq!(report.infos, [shown]);
    }
}

#[test]
fn odds_add_up_and_follow_the_score() {
    let (yoxii, hokito) = (Yoxii::start(), Hokito::start());
    let (of_yoxii, of_hokito) = (Yoxii::classic(), Hokito::classic());
    let both = |score| [of_yoxii.odds(&yoxii, score), of_hokito.odds(&hokito, score)];
    let mut last = [Odds {
        win: 0,
        draw: 0,
        loss: 1000,
    }; 2];
    for centipoints in -Score::MAX_ESTIMATE..=Score::MAX_ESTIMATE {
        let score = Score::estimate(centipoints);
        for ((now, before), mirrored) in both(score).into_iter().zip(last).zip(both(-score)) {
            assert_eq!(now.win + now.draw + now.loss, 1000, "{score}");
            assert!(now.win >= before.win && now.loss <= before.loss, "{score}");
            assert_eq!(now.win, mirrored.loss, "{score}");
        }
        last = both(score);
    }
    for odds in both(Score::win_in(5)) {
        assert_eq!((odds.win, odds.expected_points()), (1000, 1.0));
    }
    for odds in both(Score::loss_in(5)) {
        assert_eq!((odds.loss, odds.expected_points()), (1000, 0.0));
    }
}

/// Who plays.
#[derive(Clone, Copy)]
enum Player {
    Level(u32),
    /// Looks one ply ahead with the static evaluation.
    Evaluation,
    /// Looks one ply ahead and counts the points, as a beginner does.
    Points,
}

/// Returns the points per game of one player against another, each side in turn.
fn points<G: Searchable>(one: Player, other: Player, games: usize) -> f64 {
    let mut rng = Rng::new(77);
    let mut memory = Memory::try_new(4, Searcher::AlphaBeta).expect("a small memory");
    // Made only once, because reading its weights takes longer than finding a weak move.
    let eval = G::Evaluation::default();
    let mut best_move = |position: &G, player| match player {
        Player::Level(skill) => {
            let limits = Limits {
                level: Level::skill(skill, rng.next_u64()),
                // More would hardly make weak levels stronger.
                ..Limits::nodes(6_000)
            };
            let request = Request::new(position, &limits, &Stop::new());
            let report = think(&request, &mut memory, &eval, &mut ());
            report.best.expect("a move")
        }
        Player::Evaluation => {
            let mut moves = position.moves();
            rng.shuffle(&mut moves);
            let value = |mv| {
                let next = position.play(mv);
                match next.outcome() {
                    Some(outcome) => 100_000 * outcome.sign_for(position.side()),
                    None => -eval.evaluate(&next),
                }
            };
            let best = moves.iter().copied().max_by_key(|&mv| value(mv));
            best.expect("the game is not over")
        }
        Player::Points => {
            let mut moves = greedy_moves(position);
            rng.shuffle(&mut moves);
            moves[0]
        }
    };
    let mut starts = Rng::new(78);
    let mut sum = 0.0;
    for own in Side::BOTH.into_iter().cycle().take(games) {
        let mut position = G::random_start(Layout::Halves, &mut starts);
        while position.has_moves() {
            let player = if position.side() == own { one } else { other };
            position = position.play(best_move(&position, player));
        }
        sum += position.standing().outcome().points(own);
    }
    sum / games as f64
}

#[test]
fn a_low_level_loses_to_a_high_one() {
    for strong in [20, 12] {
        let [strong, weak] = [strong, 0].map(Player::Level);
        let points = [
            points::<Yoxii>(strong, weak, 12),
            points::<Hokito>(strong, weak, 12),
        ];
        assert!(points.iter().all(|&p| p >= 0.7), "{points:?}");
    }
}

#[test]
fn who_looks_one_ply_ahead_beats_the_lowest_level() {
    let points = [
        points::<Yoxii>(Player::Evaluation, Player::Level(0), 200),
        points::<Yoxii>(Player::Points, Player::Level(0), 1200),
        points::<Hokito>(Player::Evaluation, Player::Level(0), 200),
        // By a wider margin, so that fewer games tell.
        points::<Hokito>(Player::Points, Player::Level(0), 400),
    ];
    assert!(points.iter().all(|&it| it >= 0.6), "{points:?}");
}

/// "Easy" and "medium" are words for levels, and mean the same in both games.
#[test]
fn a_level_is_as_strong_in_one_game_as_in_the_other() {
    for skill in [3, 6] {
        let points = [
            points::<Yoxii>(Player::Points, Player::Level(skill), 120),
            points::<Hokito>(Player::Points, Player::Level(skill), 120),
        ];
        let difference = points[0] - points[1];
        assert!(difference.abs() < 0.2, "level {skill}: {points:?}");
    }
}

#[test]
fn only_a_proof_makes_the_odds_certain() {
    fn check<G: Searchable>() {
        let (start, eval) = (G::start(), G::Evaluation::default());
        let (report, _) = answer(&start, &Limits::nodes(1), Searcher::AlphaBeta, 1);
        let line = |score, proven| Info {
            score,
            bound: Bound::Lower,
            proven,
            ..report.infos[0].clone()
        };
        let estimates = [-20_000, -4000, 0, 4000, 20_000].map(Score::estimate);
        // A move other than that of the line may be better.
        let losses = [Score::loss_in(4), Score::win_in(5)];
        for score in estimates.into_iter().chain(losses) {
            let odds = line(score, false).odds(&start, &eval);
            assert!((1..=999).contains(&odds.win), "{score}: {odds:?}");
            assert!((1..=999).contains(&odds.loss), "{score}: {odds:?}");
            assert_eq!(odds.win + odds.draw + odds.loss, 1000);
        }
        assert_eq!(line(Score::win_in(5), true).odds(&start, &eval).win, 1000);
        assert_eq!(line(Score::loss_in(4), true).odds(&start, &eval).loss, 1000);
        assert_eq!(line(Score::ZERO, true).odds(&start, &eval), Odds::DRAW);
    }
    check::<Yoxii>();
    check::<Hokito>();
}
