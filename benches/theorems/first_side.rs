//! How often the first side wins random full set-ups of Hokito when the engine plays
//! against itself.
//!
//! ```text
//! cargo run --release -p totemic-benches --bin first_side -- GAMES FILE [NODES]
//! ```
//!
//! The set-ups are those of `totemic match --game hokito --seed 1`, by their numbers from
//! 0. Both sides think for NODES nodes a move (20,000 if not given), with one thread and
//! a table that is empty at the first move, so a game is the same on every machine.
//!
//! FILE keeps what was played, one line for each game, separated by tabs: its number, the
//! nodes, the set-up, the result for the first side (1, 0, -1), the difference of the
//! points at the end, and the odds of the first side according to the first move's search
//! (win, draw, loss, per mille). A run that was killed continues from there. At the end
//! it prints the counts with their 95 % intervals (Wilson, 1927), what the odds were
//! worth, and how features of set-ups go together with the result.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, Write};

use totemic_engine::game::{Game, Hokito, Side};
use totemic_engine::search::{
    Evaluate, Limits, Memory, Odds, Request, Searchable, Searcher, Stop, think,
};
use totemic_games::record::openings::Openings;

/// The seed of the set-ups.
const SEED: u64 = 1;
const NODES: u64 = 20_000;
const HASH_MB: usize = 16;
/// The middle 95 % of a normal distribution lie within this many standard deviations.
const Z: f64 = 1.96;

type Evaluation = <Hokito as Searchable>::Evaluation;

/// What is known about one game.
#[derive(Clone)]
struct Played {
    set_up: String,
    /// The result for the first side.
    result: i32,
    margin: i32,
    /// The odds of the first side before its first move.
    odds: Odds,
}

impl Played {
    fn line(&self, number: u64, nodes: u64) -> String {
        let (set_up, result, margin) = (&self.set_up, self.result, self.margin);
        let Odds { win, draw, loss } = self.odds;
        format!("{number}\t{nodes}\t{set_up}\t{result}\t{margin}\t{win}\t{draw}\t{loss}")
    }

    /// Reads a line with its number; none if it was cut short or has other nodes.
    fn read(line: &str, nodes: u64) -> Option<(u64, Self)> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [number, of, set_up, result, margin, win, draw, loss] = fields[..] else {
            return None;
        };
        if of.parse() != Ok(nodes) {
            return None;
        }
        let odds = Odds {
            win: win.parse().ok()?,
            draw: draw.parse().ok()?,
            loss: loss.parse().ok()?,
        };
        let played = Self {
            set_up: set_up.to_owned(),
            result: result.parse().ok()?,
            margin: margin.parse().ok()?,
            odds,
        };
        let is_whole = odds.win + odds.draw + odds.loss == 1000;
        is_whole.then_some((number.parse().ok()?, played))
    }

    /// Returns the points of the first side.
    fn points(&self) -> f64 {
        f64::from(self.result + 1) / 2.0
    }
}

/// Plays a game of the engine against itself.
fn play(set_up: String, nodes: u64, eval: &Evaluation) -> Option<Played> {
    let mut position: Hokito = set_up.parse().expect("a set-up is a position");
    let (limits, never) = (Limits::nodes(nodes), Stop::new());
    let mut memory = Memory::try_new(HASH_MB, Searcher::AlphaBeta)?;
    let mut first_odds = None;
    while position.has_moves() {
        let request = Request::new(&position, &limits, &never);
        let found = think(&request, &mut memory, eval, &mut ());
        let score = found.infos.first().map(|line| line.score);
        first_odds.get_or_insert_with(|| score.map_or(Odds::DRAW, |s| eval.odds(&position, s)));
        position = position.play(found.best.expect("there are moves"));
    }
    let end = position.standing();
    Some(Played {
        set_up,
        result: end.outcome().sign_for(Side::First),
        margin: end.margin_for(Side::First),
        odds: first_odds.unwrap_or(Odds::DRAW),
    })
}

/// Returns Wilson's interval for a part of a number, in percent.
fn interval(part: usize, of: usize) -> (f64, f64) {
    let (p, n) = (part as f64 / of as f64, of as f64);
    let middle = p + Z * Z / (2.0 * n);
    let width = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 100.0 / (1.0 + Z * Z / n);
    ((middle - width) * scale, (middle + width) * scale)
}

/// Returns the values of the pawns, Black's ranks before White's, each from the middle of
/// the board outwards.
fn values(set_up: &str) -> [[Vec<f64>; 3]; 2] {
    let board = set_up.split(' ').next().unwrap_or_default();
    let ranks: Vec<Vec<f64>> = board
        .split('/')
        .map(|rank| {
            let squares = rank.split(',');
            squares
                .filter_map(|square| square[1..].parse().ok())
                .collect()
        })
        .collect();
    let of = |order: [usize; 3]| order.map(|rank| ranks[rank].clone());
    [of([2, 1, 0]), of([3, 4, 5])]
}

/// Returns the number of first moves that a side would have if it were to move, and how
/// many of them take a pawn of the other side.
fn first_moves(set_up: &str, side: &str) -> [f64; 2] {
    let board = set_up.split(' ').next().unwrap_or_default();
    let position: Hokito = format!("{board} {side}").parse().expect("a position");
    let moves = position.moves();
    let takes = |mv: &&<Hokito as Game>::Move| {
        let to = mv.to_string();
        let rank = to.as_bytes().get(3).copied().unwrap_or_default();
        (rank >= b'4') == (side == "w")
    };
    [
        moves.len() as f64,
        moves.iter().filter(takes).count() as f64,
    ]
}

/// Numbers that describe a set-up, each for Black and for White.
const FEATURES: [&str; 7] = [
    "sum of the front rank",
    "sum of the back rank",
    "sum of the two edge files",
    "sum of the two corners",
    "pairs of equal neighbours",
    "first moves",
    "first moves that take",
];

fn features(set_up: &str) -> [[f64; 7]; 2] {
    let sides = values(set_up);
    let of = |side: usize, name: &str| {
        let ranks = &sides[side];
        let sum = |rank: &Vec<f64>| rank.iter().sum::<f64>();
        let ends = |rank: &Vec<f64>| rank[0] + rank[5];
        let beside = ranks.iter().flat_map(|rank| rank.windows(2));
        let beside = beside.filter(|pair| pair[0] == pair[1]).count();
        let behind = ranks.windows(2).map(|two| {
            let equal = two[0].iter().zip(&two[1]).filter(|(a, b)| a == b);
            equal.count()
        });
        let [moves, takes] = first_moves(set_up, name);
        [
            sum(&ranks[0]),
            sum(&ranks[2]),
            ranks.iter().map(ends).sum(),
            ends(&ranks[2]),
            (beside + behind.sum::<usize>()) as f64,
            moves,
            takes,
        ]
    };
    [of(0, "b"), of(1, "w")]
}

/// Returns the correlation of two rows of numbers.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |row: &[f64]| row.iter().sum::<f64>() / row.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let product = |x: &[f64], mx: f64, y: &[f64], my: f64| -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum()
    };
    let both = product(a, mean_a, b, mean_b);
    both / (product(a, mean_a, a, mean_a) * product(b, mean_b, b, mean_b)).sqrt()
}

fn report(games: &[Played], nodes: u64) {
    let count = games.len();
    println!("{count} games of {nodes} nodes a move");
    for (name, sign) in [("wins", 1), ("draws", 0), ("losses", -1)] {
        let part = games.iter().filter(|game| game.result == sign).count();
        let (low, high) = interval(part, count);
        let percent = 100.0 * part as f64 / count as f64;
        println!("{name:7} {part:5}  {percent:5.1} %  95 %: {low:.1} to {high:.1} %");
    }
    let margins = games.iter().map(|game| f64::from(game.margin));
    println!(
        "mean difference of the points {:+.1}",
        margins.sum::<f64>() / count as f64
    );
    println!("\nodds before the first move, and what came of them");
    println!("expected points   games  points made  standard error");
    let expected: Vec<f64> = games
        .iter()
        .map(|game| game.odds.expected_points())
        .collect();
    for tenth in 0..10 {
        let is_there =
            |i: &&usize| (expected[**i] * 10.0).floor().clamp(0.0, 9.0) as usize == tenth;
        let there: Vec<usize> = (0..count).collect();
        let there: Vec<&usize> = there.iter().filter(is_there).collect();
        if there.is_empty() {
            continue;
        }
        let n = there.len() as f64;
        let made = there.iter().map(|&&i| games[i].points()).sum::<f64>() / n;
        let spread = there.iter().map(|&&i| (games[i].points() - made).powi(2));
        let error = (spread.sum::<f64>() / n).sqrt() / n.sqrt();
        let from = tenth as f64 / 10.0;
        println!(
            "{from:.1} to {:.1}        {n:5}  {made:.3}        {error:.3}",
            from + 0.1
        );
    }
    let points: Vec<f64> = games.iter().map(Played::points).collect();
    let of_all: Vec<[[f64; 7]; 2]> = games.iter().map(|game| features(&game.set_up)).collect();
    println!("\ncorrelation with the points, and with the expected points, of the first side");
    println!("(standard error {:.3})", 1.0 / (count as f64).sqrt());
    for (side, name) in ["Black", "White"].iter().enumerate() {
        for (i, feature) in FEATURES.iter().enumerate() {
            let row: Vec<f64> = of_all.iter().map(|sides| sides[side][i]).collect();
            let (made, hoped) = (correlation(&row, &points), correlation(&row, &expected));
            println!("{name}: {feature:26} {made:+.3}  {hoped:+.3}");
        }
    }
}

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let games = words.first().and_then(|text| text.parse::<u64>().ok());
    let nodes = words.get(2).map_or(Some(NODES), |text| text.parse().ok());
    let (Some(games @ 1..), Some(path), Some(nodes @ 1..)) = (games, words.get(1), nodes) else {
        eprintln!("expected the number of games, a file for what is played, and the nodes of a");
        eprintln!("move if they are not {NODES}");
        std::process::exit(2);
    };
    let text = match std::fs::read_to_string(path) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => String::new(),
        text => text?,
    };
    let mut played: BTreeMap<u64, Played> = text
        .lines()
        .filter_map(|line| Played::read(line, nodes))
        .collect();
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    if !text.is_empty() && !text.ends_with('\n') {
        writeln!(file)?;
    }
    let openings = Openings::random(SEED, 0, false);
    let eval = Evaluation::default();
    for number in 0..games {
        if played.contains_key(&number) {
            continue;
        }
        let opening = openings.get::<Hokito>(number).map_err(io::Error::other)?;
        let game = play(opening.fen, nodes, &eval);
        let game = game.ok_or_else(|| io::Error::other("there is no memory for the table"))?;
        writeln!(file, "{}", game.line(number, nodes))?;
        played.insert(number, game);
    }
    let first: Vec<Played> = played
        .range(..games)
        .map(|(_, game)| game.clone())
        .collect();
    report(&first, nodes);
    Ok(())
}
