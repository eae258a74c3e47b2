//! A proof in parts: its top, tasks for many machines, and one certificate of
//! all that they found.
//!
//! The *top* holds the first moves of the proof, chosen by somebody quick (the
//! engine, say), down to *tasks*: positions whose proofs take about so many
//! nodes. A task is proved with one thread and an own table of a fixed size, so
//! that its *stream*, the choices of a certificate of it, is the same on every
//! machine. A task that is refuted, or far too large, stays so: the next top,
//! made with the results so far, has another move there, or smaller tasks, and
//! keeps all others.
//!
//! A top is lines of text, like the header of a certificate, then for each new
//! position with a move of the claim's side, depth first, the index of its move,
//! or the line of a task. A result is a line, too: the task's identity, `proved`,
//! `refuted` or `large`, the solver's nodes, and of what is proved the length of
//! the stream in bytes and its SHA-256.
//!
//! The work is spread by any tool that runs commands, such as GNU parallel:
//!
//! ```text
//! totemic certify POSITION --claim CLAIM --split 10000000 --out top.txt
//! grep ^task top.txt | parallel totemic certify --results parts --task {}
//! totemic certify --merge top.txt --results parts --out proof
//! ```
//!
//! or a Slurm array of as many jobs as there are tasks, each of which runs
//!
//! ```text
//! totemic certify --results parts --task "$(grep ^task top.txt | sed -n "${SLURM_ARRAY_TASK_ID}p")"
//! ```
//!
//! Where `--merge` names tasks that are refuted or too large, `--split` with
//! `--results parts` makes the next top.
//!
//! Streams are not just put one behind the other: a certificate skips positions
//! that were met before, in whatever task. The merger walks through the proof
//! with the choices of all streams and writes those that are met first.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};
use sha2::{Digest, Sha256};

use super::claim::Claim;
use super::format::{Certificate, read_choices, rules_of, write_choice};
use super::verify::{Rejection, Step, Verified, walk};
use super::write::{CertificateLimits, Failed, certify_counted};
use crate::game::Game;
use crate::search::solver::node::Solvable;

/// The first line of a top.
pub const FIRST_LINE: &str = "totemic top 1";
/// A task is given up after so many times the nodes that it should take.
const PATIENCE: u64 = 32;
/// Memory of a task's table in MiB.
const TASK_HASH_MB: usize = 32;

/// A position whose proof is a piece of work of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// The position's text.
    pub position: String,
    /// What is claimed of it.
    pub claim: Claim,
    /// About how many nodes it takes, a guess.
    pub nodes: u64,
}

/// A text that is no task, result or top.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {expected}, found '{found}'")]
pub struct PartError {
    expected: &'static str,
    found: String,
}

fn refused(expected: &'static str, found: &str) -> PartError {
    PartError {
        expected,
        found: found.to_owned(),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The identity of a position's text with a claim, for names: 16 hexadecimal
/// digits of a SHA-256.
#[must_use]
pub fn identity(position: &str, claim: Claim) -> String {
    hex(&Sha256::digest(format!("{position}\n{claim}\n"))[..8])
}

impl Task {
    /// Its identity.
    #[must_use]
    pub fn id(&self) -> String {
        identity(&self.position, self.claim)
    }

    /// Proves it; the stream, if it is true and not too large.
    ///
    /// # Errors
    /// [`Failed::Stopped`] when `limits` stopped it.
    pub fn prove<G: Solvable>(
        &self,
        position: &G,
        limits: &CertificateLimits,
    ) -> Result<(PartResult, Option<Vec<u8>>), Failed> {
        let limits = CertificateLimits {
            hash_mb: TASK_HASH_MB,
            nodes: Some(self.nodes.saturating_mul(PATIENCE)),
            ..limits.clone()
        };
        let (made, nodes) = certify_counted(position, self.claim, &limits, |_| ());
        let (outcome, stream) = match made {
            Ok(certificate) => {
                let mut stream = Vec::new();
                for &choice in certificate.choices() {
                    write_choice(choice, &mut stream);
                }
                let outcome = PartOutcome::Proved {
                    length: stream.len(),
                    checksum: hex(&Sha256::digest(&stream)),
                };
                (outcome, Some(stream))
            }
            Err(Failed::False) => (PartOutcome::Refuted, None),
            Err(Failed::TooManyNodes | Failed::TooLong) => (PartOutcome::Large, None),
            Err(Failed::Stopped) => return Err(Failed::Stopped),
        };
        let id = self.id();
        Ok((PartResult { id, outcome, nodes }, stream))
    }
}

impl Task {
    /// Checks by the rules of this identity that a stream proves it.
    ///
    /// # Errors
    /// The first reason found why it proves nothing.
    pub fn verify(&self, rules: &str, stream: &[u8]) -> Result<Verified, Rejection> {
        let choices = read_choices(stream)?;
        let steps = choices.into_iter().map(Step::Choice);
        walk(rules, (&self.position, self.claim), steps)
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            position,
            claim,
            nodes,
        } = self;
        write!(f, "task\t{}\t{nodes}\t{claim}\t{position}", self.id())
    }
}

impl FromStr for Task {
    type Err = PartError;

    fn from_str(line: &str) -> Result<Self, PartError> {
        let refused = || {
            refused(
                "a task: task ID NODES CLAIM POSITION, tabs between them",
                line,
            )
        };
        let fields: Vec<&str> = line.split('\t').collect();
        let ["task", id, nodes, claim, position] = fields[..] else {
            return Err(refused());
        };
        let task = Self {
            position: position.to_owned(),
            claim: claim.parse().map_err(|_| refused())?,
            nodes: nodes.parse().map_err(|_| refused())?,
        };
        (task.id() == id).then_some(task).ok_or_else(refused)
    }
}

/// What became of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PartOutcome {
    /// It is proved.
    Proved {
        /// Bytes of its stream.
        length: usize,
        /// The SHA-256 of its stream.
        checksum: String,
    },
    /// Its claim is false.
    Refuted,
    /// It took more nodes than it may.
    Large,
}

/// A result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartResult {
    /// The task's identity.
    pub id: String,
    /// What became of it.
    pub outcome: PartOutcome,
    /// Nodes of the solver.
    pub nodes: u64,
}

impl fmt::Display for PartResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, outcome, nodes } = self;
        match outcome {
            PartOutcome::Proved { length, checksum } => {
                write!(f, "{id} proved {nodes} {length} {checksum}")
            }
            PartOutcome::Refuted => write!(f, "{id} refuted {nodes}"),
            PartOutcome::Large => write!(f, "{id} large {nodes}"),
        }
    }
}

impl FromStr for PartResult {
    type Err = PartError;

    fn from_str(line: &str) -> Result<Self, PartError> {
        let refused = || refused("a result: ID proved NODES LENGTH SHA-256, or refuted", line);
        let words: Vec<&str> = line.split(' ').collect();
        let (id, nodes, outcome) = match words[..] {
            [id, "proved", nodes, length, checksum] if checksum.len() == 64 => {
                let length = length.parse().map_err(|_| refused())?;
                let checksum = checksum.to_owned();
                (id, nodes, PartOutcome::Proved { length, checksum })
            }
            [id, "refuted", nodes] => (id, nodes, PartOutcome::Refuted),
            [id, "large", nodes] => (id, nodes, PartOutcome::Large),
            _ => return Err(refused()),
        };
        Ok(Self {
            id: id.to_owned(),
            outcome,
            nodes: nodes.parse().map_err(|_| refused())?,
        })
    }
}

/// Results by the identity of their tasks.
pub type Results = HashMap<String, PartOutcome>;

/// What the top says of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Entry {
    Move(u16),
    /// Boxed, so that the moves of a long list take little memory.
    Task(Box<Task>),
}

/// The top of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Top {
    position: String,
    claim: Claim,
    rules: String,
    entries: Vec<Entry>,
}

impl Top {
    /// The identity of the rules ([`rules_of`]).
    #[must_use]
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// The position's text.
    #[must_use]
    pub fn position(&self) -> &str {
        &self.position
    }

    /// What is claimed of the position.
    #[must_use]
    pub fn claim(&self) -> Claim {
        self.claim
    }

    /// Checks by the rules that its claim follows from its tasks.
    ///
    /// # Errors
    /// The first reason found why it does not.
    pub fn verify(&self) -> Result<Verified, Rejection> {
        let steps = self.entries.iter().map(|entry| match entry {
            Entry::Move(index) => Step::Choice(*index),
            Entry::Task(task) => Step::Task(task.claim, &task.position),
        });
        walk(&self.rules, (&self.position, self.claim), steps)
    }

    /// Its tasks, in order.
    pub fn tasks(&self) -> impl Iterator<Item = &Task> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Task(task) => Some(&**task),
            Entry::Move(_) => None,
        })
    }
}

impl fmt::Display for Top {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (position, claim, rules) = (&self.position, self.claim, &self.rules);
        writeln!(f, "{FIRST_LINE}\nrules {rules}")?;
        writeln!(f, "position {position}\nclaim {claim}\n")?;
        self.entries.iter().try_for_each(|entry| match entry {
            Entry::Move(index) => writeln!(f, "{index}"),
            Entry::Task(task) => writeln!(f, "{task}"),
        })
    }
}

impl FromStr for Top {
    type Err = PartError;

    fn from_str(text: &str) -> Result<Self, PartError> {
        let mut lines = text.lines();
        let mut value = |expected: &'static str| {
            let line = lines.next().unwrap_or_default();
            let value = line.strip_prefix(expected);
            value.ok_or_else(|| refused(expected, line))
        };
        let is_empty = |expected, rest: &str| match rest {
            "" => Ok(()),
            rest => Err(refused(expected, rest)),
        };
        is_empty("the end of the first line", value(FIRST_LINE)?)?;
        let rules = value("rules ")?;
        let position = value("position ")?;
        let claim = value("claim ")?;
        let claim = claim.parse().map_err(|_| refused("a claim", claim))?;
        is_empty("an empty line", value("")?)?;
        let entry = |line: &str| match line.parse() {
            Ok(index) => Ok(Entry::Move(index)),
            Err(_) => line.parse().map(|task| Entry::Task(Box::new(task))),
        };
        Ok(Self {
            position: position.to_owned(),
            claim,
            rules: rules.to_owned(),
            entries: lines.map(entry).collect::<Result<_, _>>()?,
        })
    }
}

/// Makes the top of a proof down to tasks of about so many nodes: positions with
/// so many plies left at the most. Results of earlier tasks are taken over.
///
/// # Errors
/// [`Failed::False`] where they refute the claim, [`Failed::Stopped`] soon after
/// `stop` has become true.
pub fn split<G: Solvable>(
    position: &G,
    claim: Claim,
    (nodes, plies_left): (u64, u32),
    results: &Results,
    choose: impl FnMut(&G, &[G::Move]) -> G::Move,
    stop: &AtomicBool,
) -> Result<Top, Failed> {
    let mut splitter = Splitter {
        claim,
        nodes,
        plies_left,
        results,
        choose,
        stop,
        plan: FxHashMap::default(),
    };
    let stands = splitter.stands(position);
    if stop.load(Ordering::Relaxed) {
        return Err(Failed::Stopped);
    }
    if !stands {
        return Err(Failed::False);
    }
    let mut entries = Vec::new();
    let plan = |position: &G| splitter.plan.get(position)?.clone();
    let mut met = FxHashSet::default();
    list(position, claim, &plan, &mut met, &mut entries);
    Ok(Top {
        position: position.to_string(),
        claim,
        rules: rules_of(G::NAME),
        entries,
    })
}

/// Lists what a plan says of each new position of the claim's side, depth first.
fn list<G: Game>(
    position: &G,
    claim: Claim,
    plan: &impl Fn(&G) -> Option<Entry>,
    met: &mut FxHashSet<G>,
    entries: &mut Vec<Entry>,
) {
    let moves = position.moves();
    if position.side() != claim.side {
        for &mv in &moves {
            list(&position.play(mv), claim, plan, met, entries);
        }
        return;
    }
    if moves.is_empty() || !met.insert(*position) {
        return;
    }
    if let Some(entry) = plan(position) {
        entries.push(entry.clone());
        if let Entry::Move(index) = entry {
            let next = position.play(moves[usize::from(index)]);
            list(&next, claim, plan, met, entries);
        }
    }
}

struct Splitter<'a, G, F> {
    claim: Claim,
    nodes: u64,
    plies_left: u32,
    results: &'a Results,
    choose: F,
    stop: &'a AtomicBool,
    /// Positions that are dealt with; `None` where the claim is refuted.
    plan: FxHashMap<G, Option<Entry>>,
}

impl<G: Solvable, F: FnMut(&G, &[G::Move]) -> G::Move> Splitter<'_, G, F> {
    /// Whether the claim is not refuted by the results; plans its proof. After a
    /// stop it says no at once, which means nothing.
    fn stands(&mut self, position: &G) -> bool {
        if self.stop.load(Ordering::Relaxed) {
            return false;
        }
        let moves = position.moves();
        if moves.is_empty() {
            return self.claim.holds(&position.standing());
        }
        if position.side() != self.claim.side {
            return moves.iter().all(|&mv| self.stands(&position.play(mv)));
        }
        if let Some(known) = self.plan.get(position) {
            return known.is_some();
        }
        let task = Task {
            position: position.to_string(),
            claim: self.claim,
            nodes: self.nodes,
        };
        let is_small = position.plies_left() <= self.plies_left;
        let entry = match self.results.get(&task.id()) {
            Some(PartOutcome::Proved { .. }) => Some(Entry::Task(Box::new(task))),
            Some(PartOutcome::Refuted) => None,
            None if is_small => Some(Entry::Task(Box::new(task))),
            None | Some(PartOutcome::Large) => self.best_move(position, &moves).map(Entry::Move),
        };
        let stands = entry.is_some();
        self.plan.insert(*position, entry);
        stands
    }

    fn best_move(&mut self, position: &G, moves: &[G::Move]) -> Option<u16> {
        let mut left = moves.to_vec();
        while !left.is_empty() && !self.stop.load(Ordering::Relaxed) {
            let chosen = (self.choose)(position, &left);
            let at = left.iter().position(|&mv| mv == chosen).unwrap_or(0);
            let mv = left.remove(at);
            if self.stands(&position.play(mv)) {
                return moves
                    .iter()
                    .position(|&other| other == mv)
                    .map(|i| i as u16);
            }
        }
        None
    }
}

/// Why parts are no certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MergeError {
    /// The top is not that of a proof.
    #[error("the top does not fit the rules of the game")]
    Top,
    /// Tasks are not proved, or their streams are not at hand or altered.
    #[error("{} tasks are not proved, the first '{}'", .0.len(), .0.first().map_or(String::new(), ToString::to_string))]
    Unproved(Vec<Task>),
}

/// Puts a certificate together from a top and the streams of its tasks, which
/// `stream` finds by their identity. Whether it is a proof is for
/// [`verify`](super::verify()) to say.
///
/// # Errors
/// [`MergeError`]: names all tasks that are not proved.
pub fn merge<G: Game>(
    top: &Top,
    results: &Results,
    mut stream: impl FnMut(&str) -> Option<Vec<u8>>,
) -> Result<Certificate, MergeError> {
    let mut is_good = |task: &&Task| {
        let id = task.id();
        let Some(PartOutcome::Proved { checksum, .. }) = results.get(&id) else {
            return false;
        };
        stream(&id).is_some_and(|bytes| hex(&Sha256::digest(bytes)) == *checksum)
    };
    let unproved: Vec<Task> = top.tasks().filter(|task| !is_good(task)).cloned().collect();
    if !unproved.is_empty() {
        return Err(MergeError::Unproved(unproved));
    }
    let position: G = top.position.parse().map_err(|_| MergeError::Top)?;
    let mut entries = top.entries.iter();
    let mut plan = FxHashMap::default();
    replay(
        &position,
        top.claim,
        &mut || entries.next().cloned(),
        &mut plan,
    )
    .ok_or(MergeError::Top)?;
    let mut merger = Merger {
        claim: top.claim,
        stream,
        met: FxHashSet::default(),
        choices: Vec::new(),
    };
    merger.walk(&position, &plan)?;
    Ok(Certificate::new(&position, top.claim, merger.choices))
}

/// What a list says of each new position of the claim's side, depth first; `None`
/// where it does not fit.
fn replay<G: Game>(
    position: &G,
    claim: Claim,
    next: &mut impl FnMut() -> Option<Entry>,
    plan: &mut FxHashMap<G, Entry>,
) -> Option<()> {
    // Most positions were met before: their moves are not needed.
    if plan.contains_key(position) {
        return Some(());
    }
    let moves = position.moves();
    if position.side() != claim.side {
        return (moves.iter()).try_for_each(|&mv| replay(&position.play(mv), claim, next, plan));
    }
    if moves.is_empty() {
        return Some(());
    }
    let entry = next()?;
    plan.insert(*position, entry.clone());
    match entry {
        Entry::Move(index) => {
            let &mv = moves.get(usize::from(index))?;
            replay(&position.play(mv), claim, next, plan)
        }
        Entry::Task(_) => Some(()),
    }
}

struct Merger<G, S> {
    claim: Claim,
    stream: S,
    /// Positions whose choices are written.
    met: FxHashSet<G>,
    choices: Vec<u16>,
}

impl<G: Game, S: FnMut(&str) -> Option<Vec<u8>>> Merger<G, S> {
    /// Writes the choices of a plan that are not yet written.
    fn walk(&mut self, position: &G, plan: &FxHashMap<G, Entry>) -> Result<(), MergeError> {
        if self.met.contains(position) {
            return Ok(());
        }
        let moves = position.moves();
        if position.side() != self.claim.side {
            return (moves.iter()).try_for_each(|&mv| self.walk(&position.play(mv), plan));
        }
        if moves.is_empty() {
            return Ok(());
        }
        match plan.get(position).ok_or(MergeError::Top)? {
            Entry::Move(index) => {
                self.met.insert(*position);
                self.choices.push(*index);
                self.walk(&position.play(moves[usize::from(*index)]), plan)
            }
            Entry::Task(task) => {
                let unproved = || MergeError::Unproved(vec![Task::clone(task)]);
                let bytes = (self.stream)(&task.id()).ok_or_else(unproved)?;
                let choices = read_choices(&bytes).map_err(|_| unproved())?;
                let mut choices = choices.into_iter().map(Entry::Move);
                let mut own = FxHashMap::default();
                replay(position, self.claim, &mut || choices.next(), &mut own)
                    .ok_or_else(unproved)?;
                self.walk(position, &own)
            }
        }
    }
}
