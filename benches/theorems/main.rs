//! The values of all half/half set-ups of Hokito on a part of the board.
//!
//! ```text
//! cargo run --release --example theorems -- 4x4 FILE [THREADS]
//! ```
//!
//! `4x4` stands for 4 files and 4 ranks; Black fills the upper half of them and
//! White the lower. With n pawns a side, there are (n + 2) / 3 of value 1, (n + 1)
//! / 3 of value 2 and n / 3 of value 3, rounded down. Of two set-ups that are each
//! other's mirror image, from left to right, one is solved.
//!
//! FILE keeps what is done, a line for each arrangement of Black: its number, the
//! nodes, and a letter (`w`, `d`, `l`, for the first side) for each arrangement
//! of White. A run that was killed goes on from there. Arrangements are numbered
//! from 0 in lexicographic order of their values by squares, rank by rank from
//! above and from left to right; a letter is `-` where the mirror image comes
//! first. The nodes and letters are the same on every machine, and so is the
//! checksum, that of all letters in order.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use sha2::{Digest, Sha256};
use totemic::game::Hokito;
use totemic::search::solver::{SolveLimits, Solver, Value};

/// Memory of a thread's solver, which is emptied for each set-up.
const HASH_MB: usize = 2;
/// Squares of a side of the whole board.
const SIDE: usize = 6;

/// The part of the board.
#[derive(Clone, Copy)]
struct Part {
    files: usize,
    ranks: usize,
}

/// The values of one side's pawns.
type Arrangement = Vec<u8>;

impl Part {
    fn read(text: &str) -> Option<Self> {
        let (files, ranks) = text.split_once('x')?;
        let (files, ranks) = (files.parse().ok()?, ranks.parse().ok()?);
        let fits = (1..=SIDE).contains(&files) && (2..=SIDE).contains(&ranks) && ranks % 2 == 0;
        fits.then_some(Self { files, ranks })
    }

    /// All arrangements of one side, in order.
    fn arrangements(self) -> Vec<Arrangement> {
        let pawns = self.files * self.ranks / 2;
        let left = [pawns.div_ceil(3), (pawns + 1) / 3, pawns / 3];
        let mut found = Vec::new();
        arrange(left, &mut Vec::new(), &mut found);
        found
    }

    fn mirrored(self, arrangement: &[u8]) -> Arrangement {
        let ranks = arrangement.chunks(self.files);
        ranks.flat_map(|rank| rank.iter().rev().copied()).collect()
    }

    fn position(self, black: &[u8], white: &[u8]) -> Hokito {
        let rank = |side: char, values: &[u8]| {
            let squares = values.iter().map(|value| format!("{side}{value}"));
            let free = (values.len()..SIDE).map(|_| "x".to_owned());
            squares.chain(free).collect::<Vec<_>>().join(",")
        };
        let upper = black.chunks(self.files).map(|values| rank('b', values));
        let lower = white.chunks(self.files).map(|values| rank('w', values));
        let free = (self.ranks..SIDE).map(|_| format!("x{SIDE}"));
        let ranks: Vec<String> = upper.chain(lower).chain(free).collect();
        let text = format!("{} b", ranks.join("/"));
        text.parse().expect("a set-up is a position")
    }
}

fn arrange(left: [usize; 3], begun: &mut Arrangement, found: &mut Vec<Arrangement>) {
    if left == [0; 3] {
        found.push(begun.clone());
    }
    for value in 1..=3u8 {
        let mut rest = left;
        let count = &mut rest[usize::from(value) - 1];
        if *count > 0 {
            *count -= 1;
            begun.push(value);
            arrange(rest, begun, found);
            begun.pop();
        }
    }
}

/// What is found of one arrangement of Black.
struct Row {
    nodes: u64,
    letters: String,
}

/// The rows that a file has; a line that was cut short is none.
fn read_rows(text: &str, arrangements: usize) -> BTreeMap<usize, Row> {
    let row = |line: &str| {
        let mut words = line.split(' ');
        let (number, nodes) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let letters = words.next()?.to_owned();
        (letters.len() == arrangements).then_some((number, Row { nodes, letters }))
    };
    text.lines().filter_map(row).collect()
}

fn solve_row(part: Part, all: &[Arrangement], black: usize, solver: &mut Solver<Hokito>) -> Row {
    let limits = SolveLimits {
        line: false,
        ..SolveLimits::default()
    };
    let mirror = part.mirrored(&all[black]);
    let mut nodes = 0;
    let letter = |white: &Arrangement| {
        let image = (&mirror, part.mirrored(white));
        if (image.0, &image.1) < (&all[black], white) {
            return '-';
        }
        solver.clear();
        let solution = solver.solve(&part.position(&all[black], white), &limits);
        nodes += solution.nodes;
        match solution.value {
            Value::Win => 'w',
            Value::Draw => 'd',
            Value::Loss => 'l',
            Value::Unknown => '?',
        }
    };
    let letters = all.iter().map(letter).collect();
    Row { nodes, letters }
}

fn report(part: Part, all: &[Arrangement], rows: &BTreeMap<usize, Row>) {
    let mut digest = Sha256::new();
    let (mut solved, mut whole) = ([0u64; 3], [0u64; 3]);
    let mut nodes = 0;
    for (&black, row) in rows {
        nodes += row.nodes;
        digest.update(&row.letters);
        for (white, letter) in row.letters.chars().enumerate() {
            let Some(value) = "wdl".find(letter) else {
                continue;
            };
            let is_own_image = part.mirrored(&all[black]) == all[black]
                && part.mirrored(&all[white]) == all[white];
            solved[value] += 1;
            whole[value] += if is_own_image { 1 } else { 2 };
            if letter != 'w' {
                println!("{letter} {}", part.position(&all[black], &all[white]));
            }
        }
    }
    let told = |counts: [u64; 3]| {
        let [wins, draws, losses] = counts;
        let sum = wins + draws + losses;
        format!("{sum} set-ups: {wins} wins, {draws} draws, {losses} losses of the first side")
    };
    println!("up to reflection {}", told(solved));
    println!("in all           {}", told(whole));
    println!("nodes            {nodes}");
    let checksum: String = digest
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    println!("SHA-256          {checksum}");
}

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let part = words.first().and_then(|text| Part::read(text));
    let threads = words.get(2).map_or(Some(1), |text| text.parse().ok());
    let (Some(part), Some(path), Some(threads @ 1..=1024)) = (part, words.get(1), threads) else {
        eprintln!("expected a part of the board such as 4x4, with an even number of ranks, a file");
        eprintln!("for what is done, and the number of threads if it is not 1");
        std::process::exit(2);
    };
    let all = part.arrangements();
    let mut text = String::new();
    if let Ok(mut file) = File::open(path) {
        file.read_to_string(&mut text)?;
    }
    let rows = read_rows(&text, all.len());
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    if !text.is_empty() && !text.ends_with('\n') {
        writeln!(file)?;
    }
    let left: Vec<usize> = (0..all.len())
        .filter(|black| !rows.contains_key(black))
        .collect();
    let (next, rest) = (AtomicUsize::new(0), left.len());
    let kept = Mutex::new((file, rows));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut solver = Solver::new(HASH_MB);
                while let Some(&black) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let row = solve_row(part, &all, black, &mut solver);
                    let mut kept = kept.lock().expect("no thread has failed");
                    writeln!(kept.0, "{black} {} {}", row.nodes, row.letters)
                        .expect("the file can be written");
                    kept.1.insert(black, row);
                    let done = kept.1.len();
                    eprintln!(
                        "{done} of {} arrangements, {rest} to do in this run",
                        all.len()
                    );
                }
            });
        }
    });
    let (_, rows) = kept.into_inner().expect("no thread has failed");
    report(part, &all, &rows);
    Ok(())
}
