//! The solver as the judge of a match, held against the ends to which its own lines lead.

use std::sync::Arc;
use std::time::Duration;

use crate::support::{Folder, PLAYERS, assert_has};
use serde_json::json;
use totemic::arena::adjudicate::ExactValue;
use totemic::arena::runner::{MatchEnd, Records, Runner};
use totemic::arena::settings::MatchSettings;
use totemic::arena::tally::Tally;
use totemic::process::RunSetup;
use totemic::shard::Shard;
use totemic_engine::game::{Game, Hokito, Side, Standing, Yoxii};
use totemic_engine::search::solver::{Solvable, SolveRequest, Solver};
use totemic_engine::stop::Stop;
use totemic_games::record::openings::Openings;
use totemic_games::record::{GameRecord, Reason};

/// Returns the end of the game when both sides play their best, also for the `margin`.
fn best_end<G: Solvable>(position: &G, margin: bool) -> Standing {
    let request = SolveRequest {
        margin,
        ..SolveRequest::default()
    };
    let line = Solver::new(16).solve(position, &request).pv;
    let play = |position: G, &mv| position.play(mv);
    let end = line.iter().fold(*position, play);
    assert!(!end.has_moves(), "{position}: {line:?}");
    end.standing()
}

/// The margin of the first judged position and the points that both sides gave away after it
/// add up to the margin at the end.
fn check_judge<G: Solvable>() {
    let dir = Folder::new();
    for (rule, reason, least, least_lost) in [
        ("solver=5", Reason::Solver, 1, 0),
        ("solver=5,playon", Reason::Rules, 10, 20),
    ] {
        let line = format!("match --game {} {PLAYERS} --games 10 --seed 4", G::NAME);
        let line = format!("{line} --adjudicate {rule} --journal j --force");
        assert_has(&dir.stdout_of(&line), "points lost");
        let (mut ended, mut lost) = (0, 0);
        for game in dir.games("j") {
            let game: GameRecord = serde_json::from_value(game).expect("a game");
            ended += u32::from(game.reason == reason);
            let [first, second] = game.accuracy.expect("it is judged");
            lost += first.lost_points + second.lost_points;
            let positions: Vec<G> = game.positions().expect("legal moves");
            let judged = (first.judged + second.judged) as usize;
            // Of the last position, the solver may know the result alone.
            let [begin, end] = [judged, 0]
                .map(|back| best_end(&positions[positions.len() - 1 - back], judged > 0));
            assert_eq!(end.outcome(), game.result, "game {}", game.id);
            let margin = |end: Standing| end.margin_for(Side::First);
            let gifts = second.lost_points - first.lost_points;
            assert_eq!(margin(begin) + gifts, margin(end), "game {}", game.id);
        }
        assert!(
            ended >= least && lost >= least_lost,
            "{rule}: {ended}, {lost}"
        );
        let rated = dir.json("rate j --json");
        let reported = |engine: usize| rated["engines"][engine]["accuracy"]["lost_points"].as_i64();
        let reported = reported(0).zip(reported(1)).map(|(one, two)| one + two);
        assert_eq!(reported, Some(lost.into()), "{rule}");
    }
}

#[test]
fn what_is_given_away_is_counted_to_the_end_that_is_proven_or_played() {
    check_judge::<Yoxii>();
    check_judge::<Hokito>();
}

/// Ends the match instead of proving.
fn interrupt(_: &Hokito, _: Duration, stop: &Stop) -> Option<ExactValue> {
    stop.now();
    None
}

/// What might have been proven is not drawn by its plies.
#[test]
fn an_interrupted_proof_decides_no_game() {
    let engines = ["a", "b"].map(|name| json!({"name": name, "cmd": "random", "limits": {}}));
    let settings = json!({
        "game": Hokito::NAME, "format": "roundrobin", "stages": 1, "pairs": 20, "seed": 1,
        "engines": engines,
        "openings": {"random": {"plies": 0, "scattered": false}},
        "adjudication": {"solver_ms": 1, "maxplies": 0},
        "patience": {"startup_ms": 1000, "answer_ms": 1000},
    });
    let settings: MatchSettings = serde_json::from_value(settings).expect("settings");
    let runner = Runner {
        settings: &settings,
        openings: &Openings::random(1, 0, false),
        shard: Shard::WHOLE,
        concurrency: 2,
        processors: Vec::new(),
        setup: Arc::new(RunSetup::new(Hokito::NAME, settings.patience, None)),
        prove: Some(&interrupt),
        stop: Stop::new(),
        allows_mixed: false,
    };
    let mut tally = Tally::of(&settings, &[]);
    let ended = runner.run(&mut tally, &mut Records::default(), &mut |_| ());
    let ended = ended.expect("it ends");
    assert_eq!((ended, tally.games), (MatchEnd::Stopped, 0));
}
