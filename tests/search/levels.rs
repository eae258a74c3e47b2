//! Weaker levels, and what scores mean: what those who play against the engine or read its
//! odds rely on.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::engine::{Told, go};
use crate::{answer, infinite};
use totemic_engine::engine::Engine;
use totemic_engine::game::{Game, Hokito, Layout, Rng, Side, Yoxii, greedy_moves};
use totemic_engine::search::{
    Bound, Classic, Evaluate, Info, Level, Limits, Memory, Odds, Report, Request, Score,
    Searchable, Searcher, think,
};
use totemic_engine::stop::Stop;

fn at<M>(level: Level) -> Limits<M> {
    Limits {
        level,
        ..Limits::nodes(3000)
    }
}

/// Returns the points per game of the stronger of two levels.
fn score<G: Searchable>(strong: u32, weak: u32) -> f64 {
    let [strong, weak] = [strong, weak].map(Player::Level);
    points::<G>(strong, weak, 12, Dice::new(1, 3000))
}

#[test]
fn a_low_level_loses_to_a_high_one() {
    for strong in [20, 12] {
        let points = [score::<Yoxii>(strong, 0), score::<Hokito>(strong, 0)];
        assert!(points.iter().all(|&p| p >= 0.7), "{strong}: {points:?}");
    }
}

/// At each depth only one line is reported, and the last one is the answer.
#[test]
fn a_level_varies_its_moves_and_shows_the_one_it_plays() {
    fn check<G: Searchable>(position: &G, searcher: Searcher) {
        for skill in [0, 4, 7, 13, 19] {
            let ask = |seed| answer(position, &at(Level::skill(skill, seed)), searcher, 1);
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
    let both = |score| [Classic.odds(&yoxii, score), Classic.odds(&hokito, score)];
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

/// Returns a best move by the static evaluation one ply ahead.
fn best_value<G: Searchable>(position: &G, dice: &mut Dice<G>) -> G::Move {
    let mut moves = position.moves();
    dice.rng.shuffle(&mut moves);
    let value = |mv| {
        let next = position.play(mv);
        match next.outcome() {
            Some(outcome) => 100_000 * outcome.sign_for(position.side()),
            None => -dice.eval.evaluate(&next),
        }
    };
    let best = moves.iter().copied().max_by_key(|&mv| value(mv));
    best.expect("the game is not over")
}

/// Returns a best move by the points on the board one ply ahead.
fn most_points<G: Searchable>(position: &G, dice: &mut Dice<G>) -> G::Move {
    let mut moves = greedy_moves(position);
    dice.rng.shuffle(&mut moves);
    moves[0]
}

/// Who plays.
#[derive(Clone, Copy, Debug)]
enum Player {
    Level(u32),
    /// Looks one ply ahead.
    Evaluation,
    /// Looks one ply ahead and counts the points, as a beginner does.
    Points,
}

fn finish<G: Searchable>(start: G, players: [Player; 2], dice: &mut Dice<G>) -> G {
    let mut position = start;
    while position.has_moves() {
        let mv = match players[position.side().index()] {
            Player::Evaluation => best_value(&position, dice),
            Player::Points => most_points(&position, dice),
            Player::Level(skill) => dice.ask(&position, skill).best.expect("a move"),
        };
        position = position.play(mv);
    }
    position
}

/// What all games of a test have in common.
struct Dice<G: Searchable> {
    rng: Rng,
    memory: Memory<G>,
    nodes: u64,
    /// Made only once, because reading its weights takes longer than finding a weak move.
    eval: G::Evaluation,
}

impl<G: Searchable> Dice<G> {
    fn new(seed: u64, nodes: u64) -> Self {
        Self {
            nodes,
            rng: Rng::new(seed),
            memory: Memory::try_new(4, Searcher::AlphaBeta).expect("a small memory"),
            eval: G::Evaluation::default(),
        }
    }

    fn ask(&mut self, position: &G, skill: u32) -> Report<G::Move> {
        let limits = Limits {
            level: Level::skill(skill, self.rng.next_u64()),
            ..Limits::nodes(self.nodes)
        };
        let request = Request::new(position, &limits, &Stop::new());
        think(&request, &mut self.memory, &self.eval, &mut ())
    }
}

/// Returns the points per game of one player against another, each side in turn.
fn points<G: Searchable>(one: Player, other: Player, games: usize, mut dice: Dice<G>) -> f64 {
    let mut sum = 0.0;
    for game in 0..games {
        let start = G::random_start(Layout::Halves, &mut dice.rng);
        let own = Side::BOTH[game % 2];
        let mut players = [other; 2];
        players[own.index()] = one;
        sum += points_of(&finish(start, players, &mut dice), own);
    }
    sum / games as f64
}

fn points_of<G: Game>(end: &G, side: Side) -> f64 {
    end.standing().outcome().points(side)
}

/// Returns the points per game against a level of a player who looks one ply ahead.
fn against<G: Searchable>(skill: u32, other: Player, games: usize) -> f64 {
    // More nodes would hardly make these levels stronger.
    points::<G>(other, Player::Level(skill), games, Dice::new(77, 6_000))
}

#[test]
fn who_looks_one_ply_ahead_beats_the_lowest_level() {
    let points = [
        against::<Yoxii>(0, Player::Evaluation, 200),
        against::<Yoxii>(0, Player::Points, 1200),
        against::<Hokito>(0, Player::Evaluation, 200),
        // By a wider margin, so that fewer games tell.
        against::<Hokito>(0, Player::Points, 400),
    ];
    assert!(points.iter().all(|&it| it >= 0.6), "{points:?}");
}

/// "Easy" and "medium" are words for levels, and mean the same in both games.
#[test]
fn a_level_is_as_strong_in_one_game_as_in_the_other() {
    for skill in [3, 6] {
        let points = [
            against::<Yoxii>(skill, Player::Points, 120),
            against::<Hokito>(skill, Player::Points, 120),
        ];
        let difference = points[0] - points[1];
        assert!(difference.abs() < 0.2, "level {skill}: {points:?}");
    }
}

#[test]
fn only_a_proof_makes_the_odds_certain() {
    fn check<G: Searchable>() {
        let (start, eval) = (G::start(), G::Evaluation::default());
        let line = |score, proven| Info::<G::Move> {
            depth: 1,
            seldepth: 1,
            multipv: 1,
            score,
            bound: Bound::Lower,
            proven,
            nodes: 1,
            time: Duration::ZERO,
            hashfull: 0,
            pv: Vec::new(),
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
