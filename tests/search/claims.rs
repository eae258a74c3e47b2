//! What the engine says about a position is true, comes in time, and is said once.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::time::Duration;

use crate::final_score;
use crate::support::{self, late};
use crate::{answer, proved_value};
use rustc_hash::FxHashMap;
use totemic_engine::game::{Game, Hokito, Rng, Yoxii};
use totemic_engine::search::{
    Bound, Clock, Info, Limits, Memory, Request, Score, Searchable, Searcher, think,
};
use totemic_engine::stop::Stop;

/// Values from searching everything to the end of the game: wins should come as early,
/// losses as late as possible.
struct Referee(FxHashMap<u64, Score>);

impl Referee {
    fn value<G: Game>(&mut self, position: &G) -> Score {
        if let Some(&known) = self.0.get(&position.key()) {
            return known;
        }
        let value = final_score(position, 0).unwrap_or_else(|| {
            let moves = position.moves().into_iter();
            let values = moves.map(|mv| self.value_of(position, mv));
            values.max().expect("a game that goes on has a move")
        });
        self.0.insert(position.key(), value);
        value
    }

    /// Returns the value of a move for the side that makes it.
    fn value_of<G: Game>(&mut self, position: &G, mv: G::Move) -> Score {
        let value = self.value(&position.play(mv));
        match value.mate_plies() {
            Some(plies) if value.is_win() => Score::loss_in(plies as usize + 1),
            Some(plies) => Score::win_in(plies.unsigned_abs() as usize + 1),
            None => value,
        }
    }

    /// Checks that a line's claim is true for the position or, if it is not the best
    /// line, for its own move.
    fn check<G: Game>(&mut self, position: &G, info: &Info<G::Move>) -> bool {
        let truth = match info.multipv {
            1 => self.value(position),
            _ => self.value_of(position, info.pv[0]),
        };
        if !info.score.is_decisive() {
            let is_drawn = !info.proven || truth == Score::ZERO;
            assert!(is_drawn, "{position}: {info:?} but {truth}");
            return info.proven;
        }
        let is_true = match info.bound {
            Bound::Exact if info.score.is_win() => truth >= info.score,
            Bound::Exact => truth <= info.score,
            Bound::Upper => panic!("no line is an upper bound"),
            // The move loses this soon; another one may be better.
            Bound::Lower if info.score.is_loss() => {
                self.value_of(position, info.pv[0]) <= info.score
            }
            Bound::Lower => truth >= info.score,
        };
        assert!(is_true, "{position}: {info:?} but {truth}");
        true
    }
}

/// Checks that lines come with all ranks of their depth, each with a move of its own, and
/// that what is proved is said again only along with something new, or as the answer.
fn are_told_in_order<M: Copy + Ord + Debug>(told: &[Info<M>]) {
    let depths: Vec<_> = told.chunk_by(|_, next| next.multipv > 1).collect();
    for lines in &depths {
        assert!(lines.iter().map(|line| line.multipv).eq(1..=lines.len()));
        let moves: BTreeSet<M> = lines.iter().map(|line| line.pv[0]).collect();
        assert_eq!(moves.len(), lines.len(), "{told:?}");
    }
    for two in depths.windows(2) {
        assert!(two[0].len() <= two[1].len(), "{told:?}");
    }
    // The answer may be said once more, and be of an earlier depth.
    for two in depths[..depths.len().saturating_sub(1)].windows(2) {
        assert_eq!(two[0].len(), two[1].len(), "{told:?}");
        assert!(two[0][0].depth <= two[1][0].depth, "{told:?}");
        let said = |lines: &[Info<M>]| -> Vec<_> {
            let said = |line: &Info<M>| (line.pv[0], line.score, line.bound, line.proven);
            lines.iter().map(said).collect()
        };
        let is_proved = two[1].iter().all(|line| line.proven);
        assert!(!is_proved || said(two[0]) != said(two[1]), "{told:?}");
    }
}

/// A game's clock that nobody will exceed.
fn clock<M>() -> Limits<M> {
    Limits {
        clock: Some(Clock {
            left: Duration::from_secs(20),
            increment: Duration::ZERO,
            moves_to_go: None,
        }),
        ..Limits::default()
    }
}

fn claims_are_true<G: Searchable>(seed: u64, count: usize) {
    let mut rng = Rng::new(seed);
    let mut claims = 0;
    for (round, position) in late::<G>(&mut rng).take(count).enumerate() {
        let mut referee = Referee(FxHashMap::default());
        let multi_pv = [1, 1, 1, 3][round % 4];
        let limits = match round % 5 {
            0 => Limits::default(),
            1 => Limits::nodes(500),
            _ => clock(),
        };
        let limits = Limits { multi_pv, ..limits };
        let searcher = Searcher::ALL[usize::from(round % 3 == 0)];
        let threads = 1 + usize::from(round % 7 == 0);
        let (report, told) = answer(&position, &limits, searcher, threads);
        are_told_in_order(&told);
        for line in told.iter().chain(&report.infos) {
            claims += u32::from(referee.check(&position, line));
        }
    }
    assert!(claims as usize > count, "{claims}");
}

#[test]
fn what_is_claimed_of_both_games_holds_against_every_defence() {
    claims_are_true::<Yoxii>(301, 120);
    claims_are_true::<Hokito>(302, 120);
}

/// The claims of searches that end anywhere within a depth are true.
fn claims_of_ended_searches_are_true<G: Searchable>(seed: u64, count: usize) {
    let mut rng = Rng::new(seed);
    let mut losses = 0;
    for position in late::<G>(&mut rng).take(count) {
        let mut referee = Referee(FxHashMap::default());
        for nodes in (1..12).map(|step| 13 * step * step) {
            let limits = Limits {
                multi_pv: [1, 3][nodes as usize % 2],
                ..Limits::nodes(nodes)
            };
            let (report, told) = answer(&position, &limits, Searcher::AlphaBeta, 1);
            are_told_in_order(&told);
            for line in told.iter().chain(&report.infos) {
                referee.check(&position, line);
                losses += u32::from(line.score.is_loss());
            }
            let is_proved = told.iter().any(|line| line.proven);
            let stays = told.last().is_some_and(|line| line.proven);
            let is_one = limits.multi_pv == 1;
            assert!(stays || !is_proved || !is_one, "{position}: {told:?}");
        }
    }
    assert!(losses as usize > count, "{losses}");
}

#[test]
fn what_an_ended_search_claims_holds_against_every_defence() {
    claims_of_ended_searches_are_true::<Yoxii>(305, 30);
    claims_of_ended_searches_are_true::<Hokito>(306, 30);
}

#[test]
#[ignore = "some minutes: thousands of positions"]
fn what_is_claimed_of_many_positions_holds() {
    claims_are_true::<Yoxii>(303, 3000);
    claims_are_true::<Hokito>(304, 3000);
}

/// The lines are checked wherever there are any. These searches are too short to find the
/// lines of what the solver has proved.
#[test]
fn a_proved_line_does_not_end_in_another_result() {
    fn sweep<G: Searchable>(seed: u64, count: u32) {
        let mut rng = Rng::new(seed);
        let played = std::iter::repeat_with(|| support::played::<G>(&mut rng));
        let near = |position: &G| position.has_moves() && (5..=14).contains(&position.plies_left());
        for (round, position) in (0..count).zip(played.filter(near)) {
            for searcher in Searcher::ALL {
                let multi_pv = [1, 1, 3][round as usize % 3];
                let limits = Limits {
                    multi_pv,
                    ..Limits::depth(2 + round % 5)
                };
                answer(&position, &limits, searcher, 1 + round as usize % 2);
            }
        }
    }
    sweep::<Yoxii>(307, 60);
    sweep::<Hokito>(308, 60);
    for text in [
        "ii*/1xOI1/YOOii2/XXI1xOo/oooYyYO/1Iio1/2X r",
        "Xo1/yiyY1/1iY1OI*/1xxYiOo/O1YI1O1/X1i1X/y1x r",
    ] {
        let position: Yoxii = support::position(text);
        let (report, _) = answer(&position, &Limits::depth(4), Searcher::AlphaBeta, 1);
        assert!(report.infos[0].score.is_loss(), "{report:?}");
    }
}

#[test]
fn a_search_with_nothing_left_to_search_proves_a_draw() {
    let text = "YXO/OoX1o/x1ixi1Y/ix1Ooiy/YIOI*o1/1X1Y1/1y1 w";
    let position: Yoxii = text.parse().expect("a position");
    let two_lines = Limits {
        multi_pv: 2,
        ..Limits::nodes(50_000)
    };
    let depths = [10, 15, 19, 20].map(Limits::depth);
    for limits in [Limits::nodes(5_000), two_lines].into_iter().chain(depths) {
        let proved = || {
            let (report, told) = answer(&position, &limits, Searcher::AlphaBeta, 1);
            assert!(limits.nodes.is_none_or(|most| report.nodes <= most));
            assert_eq!(report.infos.len(), limits.multi_pv);
            assert!(report.infos.iter().all(|line| line.proven), "{report:?}");
            assert_eq!(report.infos[0].score, Score::ZERO);
            assert_eq!(told.last(), report.infos.last());
            report.best
        };
        assert_eq!(proved(), proved());
    }
}

/// Returns the proved value of a position.
fn proved<G: Searchable>(text: &str, limits: &Limits<G::Move>) -> Option<&'static str> {
    let position = support::position::<G>(text);
    let (report, _) = answer(&position, limits, Searcher::AlphaBeta, 1);
    let is_kept = limits.nodes.is_none_or(|most| report.nodes <= most);
    assert!(is_kept, "{text}");
    let line = report.infos.first()?;
    assert!(limits.depth.is_none_or(|most| line.depth <= most), "{text}");
    proved_value(line)
}

/// These positions are from games of the engine, from 24 plies before the end on. Most of
/// them are out of reach of a search of as many nodes.
#[test]
fn what_the_solver_decides_in_some_thousand_nodes_is_proved() {
    fn by_nodes<G: Searchable>(text: &str) -> Option<&'static str> {
        proved::<G>(text, &Limits::nodes(200_000))
    }
    let rows = support::rows("within-reach.tsv");
    let found = rows.iter().filter(|row| {
        let found = support::by_name!(row[0], by_nodes(&row[1]));
        let is_right = found.is_none_or(|value| value == row[2]);
        assert!(is_right, "{row:?}: {found:?}");
        found.is_some()
    });
    let found = found.count();
    assert!(100 * found >= 90 * rows.len(), "{found} of {}", rows.len());
    // A depth does not keep the solver from it either.
    let text = "3/1OX1o/3ooi1/O*YX3/2y4/i1XY1/3 r";
    assert_eq!(proved::<Yoxii>(text, &Limits::depth(15)), Some("win"));
}

#[test]
fn the_length_of_some_defences_is_not_that_of_the_best() {
    /// Checks that the position is lost, but not sooner than this.
    fn check<G: Searchable>(text: &str, plies: i32) {
        let position: G = support::position(text);
        for limits in [clock(), Limits::move_time(Duration::from_millis(300))] {
            let (report, told) = answer(&position, &limits, Searcher::AlphaBeta, 1);
            assert!(report.infos[0].score.is_loss(), "{report:?}");
            for line in told.iter().filter(|line| line.bound != Bound::Lower) {
                let claim = line.score.mate_plies();
                assert!(claim.is_none_or(|claim| claim <= -plies), "{line:?}");
            }
        }
    }
    let hokito = "x4,b3:10,x/w2:2,x4,w2:16/x6/w1,x3,w2:2,x/x5,b2:2/x2,w2:2,x2,w1 b";
    check::<Hokito>(hokito, 4);
    check::<Yoxii>("1oo/YOi1O/i1O1x2/iXoOI1Y/4IO*/Xyx2/yYy r", 6);
}

/// Yoxii with six moves, each of which ends the game.
const NEARLY_OVER: &str = "Oo1/oIi2/1xXiiOi/oYy1XII/yIOxYyy/1x*XO/IyO w";

#[test]
fn what_nothing_can_change_is_told_once() {
    let position: Yoxii = support::position(NEARLY_OVER);
    for searcher in Searcher::ALL {
        for multi_pv in [1, 500] {
            for limits in [
                Limits::default(),
                clock(),
                Limits::depth(18),
                Limits::nodes(u64::MAX),
                Limits::move_time(Duration::from_secs(3600)),
            ] {
                let limits = Limits { multi_pv, ..limits };
                let (report, told) = answer(&position, &limits, searcher, 1);
                let lines = multi_pv.min(6);
                assert_eq!(report.infos.len(), lines, "{searcher:?} {limits:?}");
                assert_eq!(told.len(), lines, "{searcher:?} {limits:?} {told:?}");
            }
        }
    }
}

/// With one thread and a limit of nodes.
#[test]
fn what_is_told_does_not_depend_on_the_clock() {
    let position: Yoxii = support::position("3/yI3/2Y1iO1/Yyi3o/iI1XY2/*y3/3 w");
    for searcher in Searcher::ALL {
        let told = |pause: Duration| {
            let mut memory = Memory::try_new(1, searcher).expect("a small memory");
            let request = Request::new(&position, &Limits::nodes(100_000), &Stop::new());
            let (mut told, eval) = (Vec::new(), <Yoxii as Searchable>::Evaluation::default());
            let mut tell = |info: &Info<_>| {
                if told.is_empty() {
                    std::thread::sleep(pause);
                }
                let said = (info.score, info.bound, info.pv.clone());
                told.push((info.nodes, info.depth, said));
            };
            think(&request, &mut memory, &eval, &mut tell);
            told
        };
        assert_eq!(told(Duration::ZERO), told(Duration::from_millis(1100)));
    }
}

#[test]
fn an_answer_ends_with_its_lines() {
    fn check<G: Searchable>(position: &G) {
        for (lines, threads, limits) in [
            (1, 1, Limits::nodes(1)),
            (3, 2, Limits::nodes(777)),
            (1, 1, Limits::depth(2)),
            (3, 2, Limits::move_time(Duration::ZERO)),
            (1, 1, Limits::move_time(Duration::from_millis(5))),
        ] {
            for searcher in Searcher::ALL {
                let limits = Limits {
                    multi_pv: lines,
                    ..limits.clone()
                };
                let (report, told) = answer(position, &limits, searcher, threads);
                let last = &told[told.len() - report.infos.len()..];
                assert_eq!(last, report.infos, "{searcher:?} {limits:?}");
                assert_eq!(last[0].nodes, report.nodes, "{searcher:?} {limits:?}");
                assert_eq!(report.best, last[0].pv.first().copied());
            }
        }
    }
    check(&Yoxii::start());
    check(&Hokito::start());
}
