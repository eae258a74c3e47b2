//! A match through the library, adjudicated by somebody who knows the truth.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use totemic::arena::adjudicate::{ExactValue, Truth};
use totemic::arena::runner::{Ended, MatchEvent, Records, Runner};
use totemic::arena::settings::{Adjudication, Format, MatchSettings};
use totemic::arena::tally::Tally;
use totemic::process::{EngineCommand, EngineHost, EngineSpec, Patience};
use totemic::shard::Shard;
use totemic_engine::game::{Game, Hokito, Outcome, Side};
use totemic_engine::stop::Stop;
use totemic_games::record::openings::Openings;
use totemic_games::record::{GameRecord, Reason};

/// Searches everything, within reason.
struct BruteForce;

/// Returns the margin of the first side, or `None` if there is too much to search. Hokito
/// has no tie-break, so the margin is the whole value.
fn margin(position: &Hokito, left: &Cell<u32>) -> Option<i32> {
    left.set(left.get().checked_sub(1)?);
    let moves = position.moves();
    let values = moves.iter().map(|&mv| margin(&position.play(mv), left));
    let mut best: Option<i32> = None;
    for value in values {
        let value = value?;
        best = Some(match (best, position.side()) {
            (None, _) => value,
            (Some(best), Side::First) => best.max(value),
            (Some(best), Side::Second) => best.min(value),
        });
    }
    Some(best.unwrap_or_else(|| position.standing().margin_for(Side::First)))
}

impl Truth<Hokito> for BruteForce {
    fn prove(&self, position: &Hokito, budget: Duration, _: &Stop) -> Option<ExactValue> {
        let nodes = 1000 * u32::try_from(budget.as_millis()).expect("a moment");
        let margin = margin(position, &Cell::new(nodes))?;
        let outcome = match margin.signum() {
            1 => Outcome::Win(Side::First),
            -1 => Outcome::Win(Side::Second),
            _ => Outcome::Draw,
        };
        Some(ExactValue {
            outcome,
            margin: Some(margin),
        })
    }
}

/// Ends the match while it proves.
struct Interrupting;

impl Truth<Hokito> for Interrupting {
    fn prove(&self, _: &Hokito, _: Duration, stop: &Stop) -> Option<ExactValue> {
        stop.now();
        None
    }
}

/// Plays 40 games of random moves; returns the games, how the match ended, and its sum.
fn play_games(
    truth: &dyn Truth<Hokito>,
    adjudication: Adjudication,
) -> (Vec<GameRecord>, Ended, Tally) {
    let engine = |name: &str| EngineSpec {
        name: name.to_owned(),
        cmd: EngineCommand::Random,
        ..EngineSpec::default()
    };
    let openings = Openings::random(1, 0, false);
    let settings = MatchSettings {
        game: Hokito::NAME.to_owned(),
        engines: vec![engine("a"), engine("b")],
        format: Format::RoundRobin,
        stages: 1,
        seeds: None,
        pairs: 20,
        seed: 1,
        openings: openings.source().clone(),
        adjudication,
        ponder: false,
        sprt: None,
        patience: Patience::default(),
    };
    let host = Arc::new(EngineHost::new(Hokito::NAME, settings.patience, None));
    let stop = Stop::new();
    let runner = Runner::<Hokito> {
        settings: &settings,
        openings: &openings,
        shard: Shard::WHOLE,
        concurrency: 2,
        processors: Vec::new(),
        host,
        truth: Some(truth),
        stop,
        mixed: false,
    };
    let mut games = Vec::new();
    let mut tally = Tally::of(&settings, &[]);
    let ended = runner.run(&mut tally, &mut Records::default(), &mut |event| {
        if let MatchEvent::Game(game, _) = event {
            games.push((*game).clone());
        }
    });
    (games, ended.expect("it ends"), tally)
}

/// Returns the games, and all points that were given away.
fn play(play_on: bool) -> (Vec<GameRecord>, i32) {
    let adjudication = Adjudication {
        solver_ms: Some(1),
        play_on,
        ..Adjudication::default()
    };
    let (games, ended, tally) = play_games(&BruteForce, adjudication);
    assert_eq!((ended, tally.games), (Ended::Complete, 40));
    let counted = (tally.engines.iter())
        .map(|engine| engine.accuracy.lost_points)
        .sum();
    (games, counted)
}

/// Returns the proof for the position after these moves of a game.
fn proof_after(game: &GameRecord, moves: usize) -> ExactValue {
    let mut position: Hokito = game.opening.fen.parse().expect("a position");
    for mv in &game.moves[..moves] {
        position = position.play(position.read_move(&mv.mv).expect("legal"));
    }
    let proof = BruteForce.prove(&position, Duration::from_millis(1), &Stop::new());
    proof.expect("proven")
}

fn given_away(game: &GameRecord) -> i32 {
    let [first, second] = game.accuracy.expect("the solver was asked");
    first.lost_points + second.lost_points
}

#[test]
fn proven_games_end_and_what_was_given_away_is_counted() {
    let (games, counted) = play(false);
    for game in &games {
        assert_eq!(game.reason, Reason::Solver);
        let proof = proof_after(game, game.moves.len());
        assert_eq!(proof.outcome, game.result);
    }
    assert!(counted > 0, "random moves give points away");
    assert_eq!(counted, games.iter().map(given_away).sum::<i32>());
}

/// The margin of the first proven position and the points that both sides gave away add
/// up to the margin at the end.
#[test]
fn games_that_go_on_are_judged_to_their_end() {
    let (games, counted) = play(true);
    assert!(games.iter().all(|game| game.reason == Reason::Rules));
    for game in &games {
        let [first, second] = game.accuracy.expect("the solver was asked");
        let judged = (first.judged + second.judged) as usize;
        let proof = proof_after(game, game.moves.len() - judged);
        let [p1, p2] = game.points.expect("the rules ended it");
        let gifts = second.lost_points - first.lost_points;
        assert_eq!(proof.margin.expect("known") + gifts, p1 - p2);
    }
    assert_eq!(counted, games.iter().map(given_away).sum::<i32>());
}

#[test]
fn an_interrupted_proof_decides_no_game() {
    let adjudication = Adjudication {
        solver_ms: Some(1),
        maxplies: Some(0),
        ..Adjudication::default()
    };
    let (games, ended, _) = play_games(&Interrupting, adjudication);
    assert_eq!((games, ended), (Vec::new(), Ended::Stopped));
}
