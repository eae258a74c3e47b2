//! The values of the half/half set-ups of Hokito on a part of the board: all of them, or
//! a fair sample.
//!
//! ```text
//! cargo run --release -p totemic-benches --bin theorems -- 4x4 FILE [THREADS [BLOCKS]]
//! ```
//!
//! `4x4` stands for 4 files and 4 ranks; Black fills the upper half of them and White the
//! lower half. With n pawns a side, there are (n + 2) / 3 of value 1, (n + 1) / 3 of
//! value 2 and n / 3 of value 3, rounded down. Of two set-ups that are mirror images of
//! each other, from left to right, only one is solved.
//!
//! # The order
//!
//! Set-ups are solved in a fixed pseudo-random order, so that what is done so far is a
//! fair sample of all. The arrangements of one side, A in number, count from 0 in
//! lexicographic order of their values by squares, rank by rank from the top and from
//! left to right. The set-up at place n, below A squared, comes from a Feistel network:
//! with (l, r) = (n / A, n mod A), for each round k from 0 to 5, (l, r) becomes (r, (l +
//! h) mod A), where h is the number that the first eight bytes of the SHA-256 of the text
//! `k r` make, the highest first. Then l is Black's arrangement and r White's. A set-up
//! whose mirror image has smaller numbers, Black's first, is left out.
//!
//! # The file
//!
//! FILE keeps what is done, one line for each block of the order (1024 places up to 18
//! pawns, 2 with more): the block's number from 0, the wins, draws and losses of the
//! first side, the solver's nodes, and each place that is not a win, as `d` (draw) or `l`
//! (loss) and the place within the block. The first line names the part of the board. A
//! run that was killed continues after the blocks in the file; BLOCKS is the number of
//! blocks that it does before it ends.
//!
//! At the end it prints the counts of what is done and each set-up that is not a win. If
//! some set-ups are left, it prints the 95 % limits (Clopper and Pearson, 1934) of the
//! share of wins among all set-ups up to reflection. If none is left, it prints the
//! SHA-256 of the letters `w`, `d` and `l` of all pairs of arrangements, Black's first,
//! with `-` where the mirror image comes first. The nodes are those of the solver that
//! did it; everything else is the same on every machine.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use sha2::{Digest, Sha256};
use statrs::distribution::{Beta, ContinuousCDF};
use totemic_engine::checksum::hex;
use totemic_engine::game::Hokito;
use totemic_engine::search::solver::{SolveRequest, Solver, Value};

/// Memory of each thread's solver in MiB; it is emptied for each set-up.
const HASH_MB: usize = 2;
/// Number of squares along a side of the whole board.
const SIZE: usize = 6;
/// Number of rounds of the network that makes the order.
const ROUNDS: u32 = 6;
/// The letters of the values, for the first side.
const LETTERS: [char; 3] = ['w', 'd', 'l'];
/// The probability below the lower and above the upper limit, at a confidence of 95 %.
const TAIL_SHARE: f64 = 0.025;

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
        let fits = (1..=SIZE).contains(&files) && (2..=SIZE).contains(&ranks) && ranks % 2 == 0;
        fits.then_some(Self { files, ranks })
    }

    /// Returns the number of places in a block.
    fn block_size(self) -> usize {
        if self.files * self.ranks <= 18 {
            1024
        } else {
            2
        }
    }

    /// Returns all arrangements of one side, in order.
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
            let free = (values.len()..SIZE).map(|_| "x".to_owned());
            squares.chain(free).collect::<Vec<_>>().join(",")
        };
        let upper = black.chunks(self.files).map(|values| rank('b', values));
        let lower = white.chunks(self.files).map(|values| rank('w', values));
        let free = (self.ranks..SIZE).map(|_| format!("x{SIZE}"));
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

/// The set-ups of a part of the board and their order. A set-up is the numbers of Black's
/// arrangement and White's.
struct SetUps {
    part: Part,
    arrangements: Vec<Arrangement>,
    /// The number of each arrangement's mirror image.
    mirror: Vec<usize>,
}

impl SetUps {
    fn new(part: Part) -> Self {
        let arrangements = part.arrangements();
        let find = |image: Arrangement| arrangements.binary_search(&image).expect("one of them");
        let images = arrangements.iter().map(|one| find(part.mirrored(one)));
        Self {
            part,
            mirror: images.collect(),
            arrangements,
        }
    }

    /// Returns the number of set-ups, including mirror images.
    fn count(&self) -> usize {
        self.arrangements.len().pow(2)
    }

    fn up_to_reflection(&self) -> usize {
        let own = self.mirror.iter().enumerate().filter(|(i, m)| i == *m);
        (self.count() + own.count().pow(2)) / 2
    }

    fn blocks(&self) -> usize {
        self.count().div_ceil(self.part.block_size())
    }

    fn image(&self, (black, white): (usize, usize)) -> (usize, usize) {
        (self.mirror[black], self.mirror[white])
    }

    /// Returns the set-up at a place of the order; none if its mirror image stands for
    /// it, or after the last one.
    fn at(&self, place: usize) -> Option<(usize, usize)> {
        let all = self.arrangements.len();
        let (mut left, mut right) = (place / all, place % all);
        if left >= all {
            return None;
        }
        for round in 0..ROUNDS {
            let digest = Sha256::digest(format!("{round} {right}"));
            let head = digest[..8].iter();
            let number = head.fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
            let shift = (number % all as u64) as usize;
            (left, right) = (right, (left + shift) % all);
        }
        let set_up = (left, right);
        (set_up <= self.image(set_up)).then_some(set_up)
    }

    fn position(&self, (black, white): (usize, usize)) -> Hokito {
        let all = &self.arrangements;
        self.part.position(&all[black], &all[white])
    }
}

/// The results of a block.
#[derive(Clone, Default)]
struct Block {
    /// Wins, draws and losses of the first side.
    counts: [u64; 3],
    nodes: u64,
    /// What is not a win: its letter and its place within the block.
    others: Vec<(char, usize)>,
}

impl Block {
    fn solve(set_ups: &SetUps, number: usize, solver: &mut Solver<Hokito>) -> Self {
        let request = SolveRequest {
            pv: false,
            ..SolveRequest::default()
        };
        let mut block = Self::default();
        let size = set_ups.part.block_size();
        for place in 0..size {
            let Some(set_up) = set_ups.at(number * size + place) else {
                continue;
            };
            solver.clear();
            let solution = solver.solve(&set_ups.position(set_up), &request);
            block.nodes += solution.nodes;
            let value = match solution.value {
                Value::Win => 0,
                Value::Draw => 1,
                Value::Loss => 2,
                Value::Unknown => unreachable!("nothing limits the solver"),
            };
            block.counts[value] += 1;
            if value > 0 {
                block.others.push((LETTERS[value], place));
            }
        }
        block
    }

    fn line(&self, number: usize) -> String {
        let Self {
            counts: [wins, draws, losses],
            nodes,
            others,
        } = self;
        let others = others
            .iter()
            .map(|(letter, place)| format!(" {letter}{place}"));
        let others: String = others.collect();
        format!("{number} {wins} {draws} {losses} {nodes}{others}")
    }

    /// Reads a block with its number; none if the line was cut short or contradicts
    /// itself.
    fn read(line: &str, set_ups: &SetUps) -> Option<(usize, Self)> {
        let mut words = line.split(' ');
        let number = words.next()?.parse().ok()?;
        let mut next = || words.next()?.parse().ok();
        let counts = [next()?, next()?, next()?];
        let nodes = next()?;
        let other = |word: &str| {
            let letter = word
                .chars()
                .next()
                .filter(|letter| "dl".contains(*letter))?;
            Some((letter, word[1..].parse().ok()?))
        };
        let others: Vec<(char, usize)> = words.map(other).collect::<Option<_>>()?;
        let size = set_ups.part.block_size();
        let has = |letter| others.iter().filter(|other| other.0 == letter).count() as u64;
        let solved = (0..size).filter(|place| set_ups.at(number * size + place).is_some());
        let is_whole = number < set_ups.blocks()
            && counts[1..] == [has('d'), has('l')]
            && counts.iter().sum::<u64>() == solved.count() as u64;
        is_whole.then_some((
            number,
            Self {
                counts,
                nodes,
                others,
            },
        ))
    }
}

/// Reads from a file what is done. It is an error if the file is for another part of the
/// board, or has a whole line that is not a block.
fn read_blocks(
    text: &str,
    header: &str,
    set_ups: &SetUps,
) -> Result<BTreeMap<usize, Block>, Box<dyn Error>> {
    let mut lines = text.split_inclusive('\n');
    match lines.next().map(str::trim_end) {
        None => return Ok(BTreeMap::new()),
        Some(line) if line == header => {}
        Some(line) => return Err(format!("expected the line '{header}', found '{line}'").into()),
    }
    let mut blocks = BTreeMap::new();
    for line in lines {
        // A line that was cut short by a kill does not count.
        if let Some(line) = line.strip_suffix('\n') {
            let block = Block::read(line, set_ups);
            let (number, block) = block.ok_or_else(|| format!("'{line}' is not a block"))?;
            blocks.insert(number, block);
        }
    }
    Ok(blocks)
}

/// Returns the limits between which the share of something lies, with a confidence of 95
/// %, if `found` of `sample` have it.
fn limits(found: u64, sample: u64) -> Result<(f64, f64), Box<dyn Error>> {
    let (k, n) = (found as f64, sample as f64);
    let low = match found {
        0 => 0.0,
        _ => Beta::new(k, n - k + 1.0)?.inverse_cdf(TAIL_SHARE),
    };
    let high = match sample - found {
        0 => 1.0,
        _ => Beta::new(k + 1.0, n - k)?.inverse_cdf(1.0 - TAIL_SHARE),
    };
    Ok((low, high))
}

fn report(set_ups: &SetUps, blocks: &BTreeMap<usize, Block>) -> Result<(), Box<dyn Error>> {
    let mut others = HashMap::new();
    let (mut solved, mut whole, mut nodes) = ([0u64; 3], [0u64; 3], 0);
    let size = set_ups.part.block_size();
    for (number, block) in blocks {
        nodes += block.nodes;
        let letters: HashMap<usize, char> = block.others.iter().map(|&(l, p)| (p, l)).collect();
        for place in 0..size {
            let Some(set_up) = set_ups.at(number * size + place) else {
                continue;
            };
            let letter = letters.get(&place).copied().unwrap_or('w');
            let value = LETTERS.iter().position(|&known| known == letter);
            let value = value.expect("a letter that was read");
            solved[value] += 1;
            whole[value] += if set_ups.image(set_up) == set_up {
                1
            } else {
                2
            };
            if value > 0 {
                println!("{letter} {}", set_ups.position(set_up));
                others.insert(set_up, letter);
            }
        }
    }
    let told = |counts: [u64; 3]| {
        let [wins, draws, losses] = counts;
        let sum = wins + draws + losses;
        format!("{sum} set-ups: {wins} wins, {draws} draws, {losses} losses of the first side")
    };
    println!("up to reflection {}", told(solved));
    println!("with images      {}", told(whole));
    println!("nodes            {nodes}");
    let sample = solved.iter().sum::<u64>();
    let all = set_ups.up_to_reflection() as u64;
    if sample < all {
        println!(
            "left             {} of {all} up to reflection",
            all - sample
        );
        if sample > 0 {
            let (low, high) = limits(solved[0], sample)?;
            let (low, high) = (100.0 * low, 100.0 * high);
            println!("likely           {low:.4} to {high:.4} % of all are wins (95 %)");
        }
        return Ok(());
    }
    let mut digest = Sha256::new();
    let count = set_ups.arrangements.len();
    for black in 0..count {
        let letter = |white| {
            let set_up = (black, white);
            match set_up <= set_ups.image(set_up) {
                true => others.get(&set_up).copied().unwrap_or('w'),
                false => '-',
            }
        };
        digest.update((0..count).map(letter).collect::<String>());
    }
    println!("SHA-256          {}", hex(&digest.finalize()));
    Ok(())
}

/// Reads what a file contains, and makes it ready to be added to.
fn open(
    path: &Path,
    header: &str,
    set_ups: &SetUps,
) -> Result<(fs::File, BTreeMap<usize, Block>), Box<dyn Error>> {
    let text = match fs::read_to_string(path) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => String::new(),
        read => read?,
    };
    let blocks = read_blocks(&text, header, set_ups)?;
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    if text.is_empty() {
        writeln!(file, "{header}")?;
    }
    // A line that was cut short is removed.
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    if whole < text.len() {
        file.set_len(whole as u64)?;
    }
    Ok((file, blocks))
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let part = words.first().and_then(|text| Part::read(text));
    let threads = words.get(2).map_or(Some(1), |text| text.parse().ok());
    let most = words
        .get(3)
        .map_or(Some(usize::MAX), |text| text.parse().ok());
    let (Some(part), Some(path), Some(threads @ 1..=1024), Some(most)) =
        (part, words.get(1), threads, most)
    else {
        eprintln!("expected a part of the board such as 4x4, with an even number of ranks, a file");
        eprintln!("for what is done, the number of threads if it is not 1, and the number of");
        eprintln!("blocks to do if it is not all");
        std::process::exit(2);
    };
    let set_ups = SetUps::new(part);
    let header = format!("{}x{}", part.files, part.ranks);
    let (file, done) = open(Path::new(path), &header, &set_ups)?;
    let is_left = |number: &usize| !done.contains_key(number);
    let left: Vec<usize> = (0..set_ups.blocks()).filter(is_left).take(most).collect();
    let next = AtomicUsize::new(0);
    let kept = Mutex::new((file, done));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut solver = Solver::new(HASH_MB);
                while let Some(&number) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let block = Block::solve(&set_ups, number, &mut solver);
                    let mut kept = kept.lock().expect("no thread has failed");
                    writeln!(kept.0, "{}", block.line(number)).expect("the file can be written");
                    kept.1.insert(number, block);
                    eprintln!("{} of {} blocks", kept.1.len(), set_ups.blocks());
                }
            });
        }
    });
    let (_, blocks) = kept.into_inner().expect("no thread has failed");
    report(&set_ups, &blocks)
}
