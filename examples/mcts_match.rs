//! A quick match of the tree search against alpha-beta or itself: pairs of
//! games from random openings, colours alternating.
//!
//! `mcts_match GAME PAIRS MILLISECONDS OPPONENT [name=value ...]`; OPPONENT is
//! `ab` or `mcts` (with the default parameters). Names are those of
//! `mcts::Tuning`; `seed=`, `old.NAME=` sets the opponent's.
use std::num::NonZeroUsize;
use std::time::Duration;

use totemic::game::{Game, Hokito, Layout, Outcome, Rng, Yoxii, random_position};
use totemic::search::{Classic, Control, Evaluate, Limits, Table, mcts, search};

enum Player {
    Tree(mcts::Tree),
    AlphaBeta(Table),
}

impl Player {
    fn play<G: Game>(&self, position: &G, time: Duration) -> (Option<G::Move>, u64)
    where
        Classic: Evaluate<G>,
    {
        let (limits, control) = (Limits::move_time(time), Control::default());
        let one = NonZeroUsize::MIN;
        let report = match self {
            Self::Tree(tree) => {
                mcts::search(position, &limits, one, tree, &Classic, &control, |_| {})
            }
            Self::AlphaBeta(table) => {
                search(position, &limits, one, table, &Classic, &control, |_| {})
            }
        };
        (report.best, report.nodes)
    }
}

fn set(tuning: &mut mcts::Tuning, name: &str, value: f32) {
    match name {
        "scale" => tuning.scale = value,
        "exploration" => tuning.exploration = value,
        "temperature" => tuning.temperature = value,
        "urgency" => tuning.urgency = value,
        "urgency_static" => tuning.urgency_static = value,
        "reply" => tuning.reply = value,
        "minimax" => tuning.minimax = value,
        "width" => tuning.width = value as usize,
        _ => panic!("no parameter {name}"),
    }
}

fn run<G: Game>(args: &[String])
where
    Classic: Evaluate<G>,
{
    let pairs: u32 = args[1].parse().expect("pairs");
    let time = Duration::from_millis(args[2].parse().expect("milliseconds"));
    let (mut new, mut old) = (mcts::Tuning::default(), mcts::Tuning::default());
    let mut seed = 1;
    for arg in &args[4..] {
        let (name, value) = arg.split_once('=').expect("name=value");
        match name.strip_prefix("old.") {
            _ if name == "seed" => seed = value.parse().expect("seed"),
            Some(name) => set(&mut old, name, value.parse().expect("number")),
            None => set(&mut new, name, value.parse().expect("number")),
        }
    }
    let mut rng = Rng::new(seed);
    let mut score = [0u32; 3];
    let mut per_pair = Vec::new();
    let mut nodes = [0u64; 2];
    let mut moves = [0u64; 2];
    for _ in 0..pairs {
        let plies = 2 + rng.below(3) as u32;
        let Some(start) = random_position::<G>(Layout::Halves, plies, &mut rng) else {
            continue;
        };
        let mut points = 0;
        for first in [true, false] {
            let challenger = Player::Tree(mcts::Tree::with_tuning(64, new));
            let champion = match args[3].as_str() {
                "ab" => Player::AlphaBeta(Table::new(64)),
                _ => Player::Tree(mcts::Tree::with_tuning(64, old)),
            };
            let side = if first {
                start.side()
            } else {
                start.side().other()
            };
            let mut position = start;
            let outcome = loop {
                if let Some(outcome) = position.outcome() {
                    break outcome;
                }
                let mine = position.side() == side;
                let player = if mine { &challenger } else { &champion };
                let (mv, count) = player.play(&position, time);
                nodes[usize::from(!mine)] += count;
                moves[usize::from(!mine)] += 1;
                position = position
                    .try_play(mv.expect("a move"))
                    .expect("a legal move");
            };
            let result = match outcome {
                Outcome::Draw => 1,
                Outcome::Win(winner) => 2 * u32::from(winner == side),
            };
            score[result as usize] += 1;
            points += result;
        }
        per_pair.push(f64::from(points) / 4.0);
    }
    let n = per_pair.len() as f64;
    let mean = per_pair.iter().sum::<f64>() / n;
    let var = per_pair.iter().map(|p| (p - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let error = 1.96 * (var / n).sqrt();
    let elo = |p: f64| -400.0 * (1.0 / p.clamp(0.001, 0.999) - 1.0).log10();
    println!(
        "{} {} ms {:?}: +{} ={} -{} points {:.3} elo {:+.0} [{:+.0} {:+.0}] nodes/move {} {}",
        G::NAME,
        args[2],
        &args[3..],
        score[2],
        score[1],
        score[0],
        mean,
        elo(mean),
        elo(mean - error),
        elo(mean + error),
        nodes[0] / moves[0].max(1),
        nodes[1] / moves[1].max(1),
    );
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args[0].as_str() {
        "yoxii" => run::<Yoxii>(&args),
        _ => run::<Hokito>(&args),
    }
}
