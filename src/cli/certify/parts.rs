//! Proofs in parts: the top, its tasks, and merging them.

use std::cell::Cell;
use std::collections::HashSet;
use std::path::Path;

use super::unproved;
use crate::cli::chooser::Chooser;
use crate::cli::files::{self, read_error};
use crate::cli::position::read_position;
use crate::cli::proof_folder::{Evidence, Folder};
use crate::cli::{
    CliResult, Failure, Global, fail_if, interrupted, progress, random_seed, stop_on_interrupt,
};
use totemic_engine::game::{Rng, with_position};
use totemic_engine::search::Searchable;
use totemic_engine::search::certificates::estimate::{Cost, Sampling, estimate};
use totemic_engine::search::certificates::parts::{Task, TaskSize, TaskState, Top, split};
use totemic_engine::search::certificates::{Certificate, Claim, Failed, Rejection, rules_of};
use totemic_engine::stop::Stop;
use totemic_engine::text::{number_of, quoted_path};

/// Advice for tasks that are refuted or too large.
const SPLIT_AGAIN: &str = "run --split again with these results";
/// Random lines that measure how deep the solver finishes within a task's nodes.
const SAMPLES: u32 = 24;

pub(super) fn make_top<G: Searchable>(
    position: &G,
    claim: Claim,
    nodes: u64,
    mut folder: Option<Folder<'_>>,
    write: impl Fn(&[u8]) -> CliResult,
) -> CliResult {
    let stop = stop_on_interrupt()?;
    let mut chooser = Chooser::new();
    let chosen = Cell::new(0u64);
    let mut choose = |position: &G, moves: &[G::Move]| {
        chosen.set(chosen.get() + 1);
        chooser.choose(position, moves)
    };
    let sampling = Sampling {
        samples: SAMPLES,
        // A typical position costs far less than a line that ends with it.
        budget: nodes.saturating_mul(4),
        stop: stop.clone(),
        ..Sampling::default()
    };
    let failed = |why| match why {
        Failed::Stopped => interrupted(format_args!(
            "stopped before the top was made, {} chosen so far: nothing was written, and the same \
             command starts over",
            number_of(chosen.get(), "move")
        )),
        why => unproved(why, claim, position),
    };
    let measured = estimate(position, claim, &sampling, &mut choose, &mut |_| ());
    let plies_left = match measured.ok_or_else(|| failed(Failed::Stopped))?.cost {
        Cost::Proved(_) => position.plies_left(),
        Cost::Refuted => return Err(failed(Failed::False)),
        Cost::Estimated(cost) => u32::midpoint(cost.plies_left.0, cost.plies_left.1),
    };
    if let Some(folder) = &mut folder {
        folder.read_list(true)?;
    }
    let rules = rules_of(G::NAME);
    let mut proved = HashSet::new();
    let mut state = |task: &Task| {
        let folder = folder.as_ref()?;
        let status = folder.status_of(task, &rules, Evidence::Results);
        if status.state == Some(TaskState::Proved) {
            proved.insert(task.id());
        }
        if let Some(why) = status.damage {
            say!("warning: {why}");
        }
        status.state
    };
    let size = TaskSize { plies_left, nodes };
    let top = split(position, claim, size, &mut state, &mut choose, &stop).map_err(failed)?;
    write(top.to_string().as_bytes())?;
    let tasks = number_of(top.tasks.len(), "task");
    let done = top.tasks.iter().filter(|task| proved.contains(&task.id()));
    let done = done.count();
    print_line!("top: {claim} in '{position}' ({tasks}, {done} done)")
}

fn count(states: &[Option<TaskState>], state: TaskState) -> usize {
    states.iter().filter(|&&other| other == Some(state)).count()
}

/// Proves the tasks that have no result yet, one after the other. Each worker has an
/// order of its own, so that several workers seldom prove the same task at once. Fails if
/// a task is refuted or too large.
pub(super) fn prove_tasks(
    global: Global,
    mut tasks: Vec<Task>,
    mut folder: Folder<'_>,
) -> CliResult {
    let stop = stop_on_interrupt()?;
    Rng::new(random_seed()).shuffle(&mut tasks);
    folder.read_list(true)?;
    let mut states = Vec::new();
    for task in &tasks {
        let state = prove_task(global, task, &mut folder, &stop)?;
        if state.is_none() && stop.is_stopped() {
            return Err(stopped(&tasks, &states, &folder));
        }
        states.push(state);
    }
    let [proved, refuted, large] = [TaskState::Proved, TaskState::Refuted, TaskState::Large]
        .map(|state| count(&states, state));
    let all = tasks.len();
    if all > 1 {
        say!("{proved} of {all} tasks are done");
    }
    if refuted + large > 0 {
        say!("tasks refuted: {refuted}, too large: {large}; {SPLIT_AGAIN}");
    }
    fail_if(proved < all, 1)
}

/// Proves a task unless it has a result; returns its state, or `None` if it is left out or
/// stopped.
fn prove_task(
    global: Global,
    task: &Task,
    folder: &mut Folder<'_>,
    stop: &Stop,
) -> Result<Option<TaskState>, Failure> {
    if stop.is_stopped() {
        return Ok(None);
    }
    let id = task.id();
    let position = read_position(global, &task.position, &[]);
    let position = position.map_err(|why| failure!("task {id}: {why}"))?;
    let rules = rules_of(position.kind().name());
    let mut status = folder.status_of(task, &rules, Evidence::Results);
    if status.state.is_none() {
        // Another worker may have done it in the meantime.
        folder.read_list(false)?;
        status = folder.status_of(task, &rules, Evidence::Results);
    }
    let is_open = status.state.is_none();
    if let Some(why) = folder.obstacle(&id).filter(|_| is_open) {
        say!("warning: {why}: task {id} is left out");
        return Ok(None);
    }
    if let Some(why) = status.damage {
        let next = if is_open { "; proving it again" } else { "" };
        say!("warning: {why}{next}");
    }
    if !is_open {
        return Ok(status.state);
    }
    folder.check_writable()?;
    let made = with_position!(position, position => task.prove(&position, stop));
    let Some((result, stream)) = made else {
        return Ok(None);
    };
    folder.keep(&result, stream.as_deref())?;
    print_line!("{result}")?;
    Ok(Some(result.state))
}

/// Says how far a worker got. For tasks that it has not looked at, it trusts the results.
fn stopped(tasks: &[Task], states: &[Option<TaskState>], folder: &Folder<'_>) -> Failure {
    if tasks.len() == 1 {
        return interrupted("stopped: the task is not done, and the same command starts it over");
    }
    let unseen = tasks[states.len()..].iter();
    let unseen = unseen.filter(|task| folder.says_proved(&task.id())).count();
    interrupted(format_args!(
        "stopped: {} of {} tasks are done; the same command goes on",
        count(states, TaskState::Proved) + unseen,
        tasks.len()
    ))
}

pub(super) fn read_top(path: &Path) -> Result<Top, Failure> {
    let bytes = files::read(path, "the top of a proof")?;
    let name = quoted_path(path);
    let top = Top::read(&bytes);
    let top = top.map_err(|why| failure!("{name} is not the top of a proof: {why}"))?;
    match top.verify() {
        Ok(_) => Ok(top),
        Err(why @ Rejection::Rules(_)) => Err(read_error(path, why)),
        Err(why) => Err(failure!("{name} is not the top of a proof: {why}")),
    }
}

/// Checks the streams of a top's tasks, and makes one certificate of them all. If that is
/// impossible, it prints the lines of the tasks that are not proved: those still to be
/// done go to stdout, those for which the proof has to be split again to stderr.
pub(super) fn merge(top: &Top, mut folder: Folder<'_>) -> Result<Certificate, Failure> {
    let stop = stop_on_interrupt()?;
    let bar = progress::bar(top.tasks.len() as u64, "tasks checked");
    folder.read_list(true)?;
    let (mut streams, mut missing, mut states) = (Vec::new(), Vec::new(), Vec::new());
    for task in bar.wrap_iter(top.tasks.iter()) {
        if stop.is_stopped() {
            bar.finish_and_clear();
            return Err(interrupted(
                "stopped before all tasks were checked: nothing was written, and the same command \
                 starts over",
            ));
        }
        let status = folder.status_of(task, &top.header.rules, Evidence::Rules);
        if let Some(why) = status.damage {
            bar.suspend(|| say!("error: damaged: {why}"));
        }
        match status.state {
            Some(TaskState::Proved) => streams.push(status.stream),
            Some(TaskState::Refuted) => bar.suspend(|| say!("error: refuted: {task}")),
            Some(TaskState::Large) => bar.suspend(|| say!("error: too large: {task}")),
            None => missing.push(task),
        }
        states.push(status.state);
    }
    bar.finish_and_clear();
    if streams.len() == top.tasks.len() {
        return Ok(top.merge(streams));
    }
    for task in &missing {
        print_line!("{task}")?;
    }
    let [refuted, large] =
        [TaskState::Refuted, TaskState::Large].map(|state| count(&states, state));
    let again = match refuted + large {
        0 => "--tasks goes on",
        _ => SPLIT_AGAIN,
    };
    Err(failure!(
        "{}: {} missing, {refuted} refuted, {large} too large; {again}",
        number_of(top.tasks.len(), "task"),
        missing.len()
    ))
}
