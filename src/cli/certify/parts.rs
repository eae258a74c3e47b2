//! Proofs in parts: the top, its tasks, and merging them.

use std::cell::Cell;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::Path;

use super::super::chooser::Chooser;
use super::super::files::{self, unreadable, write_whole};
use super::super::position::{AnyPosition, on_position};
use super::super::results::{Evidence, Folder, Status};
use super::super::{CliResult, Failure, Global, interrupted, progress, say, stop_on_interrupt};
use super::{report, unproved};
use crate::game::{Rng, number_of, quoted_path};
use crate::search::Searchable;
use crate::search::solver::Solvable;
use crate::search::solver::certificate::split::{
    PartOutcome, Results, Task, TaskSize, TaskState, Top, split,
};
use crate::search::solver::certificate::{Claim, Failed, Rejection, rules_of};
use crate::search::solver::estimate::{Cost, Sampling, estimate};

/// Advice for tasks that are refuted or too large.
const SPLIT_AGAIN: &str = "run --split again with these results (if the next round \
                           refutes as many, the claim may be false)";
/// Number of random lines that measure how deep the solver finishes within a task's
/// nodes.
const SAMPLES: u32 = 24;

pub(super) fn make_top<G: Searchable + Solvable>(
    position: &G,
    claim: Claim,
    nodes: u64,
    folder: Option<&Folder<'_>>,
    (out, replaces): (&Path, bool),
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
    let measured = estimate(position, claim, &sampling, &mut choose, |_| ());
    let plies_left = match measured.ok_or_else(|| failed(Failed::Stopped))?.cost {
        Cost::Proved(_) => position.plies_left(),
        Cost::Refuted => return Err(failed(Failed::False)),
        Cost::Estimated(found) => u32::midpoint(found.plies_left.0, found.plies_left.1),
    };
    let results = folder.map(|folder| folder.results(true)).transpose()?;
    let rules = rules_of(G::NAME);
    let mut proved = HashSet::new();
    let state = |task: &Task| {
        let (Some(folder), Some(results)) = (folder, &results) else {
            return TaskState::Open;
        };
        match folder.judge(task, &rules, results, Evidence::Results) {
            Ok(_) => {
                proved.insert(task.id());
                TaskState::Proved
            }
            Err(Status { state, damage }) => {
                if let Some(why) = damage {
                    say(format_args!("warning: {why}"));
                }
                state
            }
        }
    };
    let size = TaskSize { plies_left, nodes };
    let top = split(position, claim, size, state, choose, &stop).map_err(failed)?;
    write_whole(out, top.to_string().as_bytes(), replaces)?;
    let tasks = number_of(top.tasks().count(), "task");
    let done = top.tasks().filter(|task| proved.contains(&task.id()));
    let done = done.count();
    writeln!(
        io::stdout().lock(),
        "top: {claim} in '{position}' ({tasks}, {done} done)"
    )?;
    Ok(())
}

fn count(states: &[TaskState], state: TaskState) -> usize {
    states.iter().filter(|&&other| other == state).count()
}

/// Proves the tasks that have no result yet, one after the other. Each worker has an
/// order of its own, so that several workers seldom prove the same task at once. Fails if
/// a task is refuted or too large.
pub(super) fn prove_tasks(global: Global, tasks: &[Task], folder: &Folder<'_>) -> CliResult {
    let stop = stop_on_interrupt()?;
    let mut tasks: Vec<&Task> = tasks.iter().collect();
    Rng::new(RandomState::new().hash_one(0)).shuffle(&mut tasks);
    let mut results = folder.results(true)?;
    // A task that is left out because its stream could not be kept stays open.
    let mut states: Vec<TaskState> = Vec::new();
    let mut is_checked = false;
    for &task in &tasks {
        if stop.is_stopped() {
            return Err(stopped(&tasks, &states, &results));
        }
        let id = task.id();
        let position = AnyPosition::read(global, &task.position, &[])
            .map_err(|why| Failure::Work(format!("task {id}: {why}")))?;
        let rules = rules_of(position.kind().name());
        let mut judged = folder.judge(task, &rules, &results, Evidence::Results);
        if judged.as_ref().is_err_and(|it| it.state == TaskState::Open) {
            // Another worker may have done it in the meantime.
            results = folder.results(false)?;
            judged = folder.judge(task, &rules, &results, Evidence::Results);
        }
        let Err(Status { state, damage }) = judged else {
            states.push(TaskState::Proved);
            continue;
        };
        let is_open = state == TaskState::Open;
        if is_open && let Some(why) = folder.obstacle(&id) {
            say(format_args!("warning: {why}: task {id} is left out"));
            states.push(state);
            continue;
        }
        if let Some(why) = damage {
            let anew = if is_open { "; proving it again" } else { "" };
            say(format_args!("warning: {why}{anew}"));
        }
        if !is_open {
            states.push(state);
            continue;
        }
        if !is_checked {
            folder.check()?;
            is_checked = true;
        }
        let made = on_position!(position, position => task.prove(&position, &stop));
        let (found, stream) = made.ok_or_else(|| stopped(&tasks, &states, &results))?;
        folder.keep(&found, stream.as_deref())?;
        writeln!(io::stdout().lock(), "{found}")?;
        states.push(TaskState::from(&found.outcome));
    }
    let [proved, refuted, large] = [TaskState::Proved, TaskState::Refuted, TaskState::Large]
        .map(|state| count(&states, state));
    if tasks.len() > 1 {
        let all = tasks.len();
        say(format_args!("{proved} of {all} tasks are done"));
    }
    if refuted + large > 0 {
        say(format_args!(
            "tasks refuted: {refuted}, too large: {large}; {SPLIT_AGAIN}"
        ));
    }
    match proved == states.len() {
        true => Ok(()),
        false => Err(Failure::Code(1)),
    }
}

/// Says how far a worker got. For tasks that it has not looked at, it trusts the results.
fn stopped(tasks: &[&Task], states: &[TaskState], results: &Results) -> Failure {
    if tasks.len() == 1 {
        return interrupted(format_args!(
            "stopped: the task is not done, and the same command starts it over"
        ));
    }
    let is_proved = |task: &&&Task| {
        let told = results.get(&task.id());
        matches!(told, Some(PartOutcome::Proved { .. }))
    };
    let unseen = tasks[states.len()..].iter().filter(is_proved).count();
    interrupted(format_args!(
        "stopped: {} of {} tasks are done; the same command goes on",
        count(states, TaskState::Proved) + unseen,
        tasks.len()
    ))
}

pub(super) fn read_top(path: &Path) -> Result<Top, Failure> {
    let bytes = files::read(path, "the top of a proof")?;
    let top = Top::read(&bytes).map_err(|why| {
        let path = quoted_path(path);
        Failure::Work(format!("{path} is not the top of a proof: {why}"))
    })?;
    top.verify().map_err(|why| match why {
        Rejection::Rules(_) => unreadable(path, why),
        why => Failure::Work(format!(
            "{} is not the top of a proof: {why}",
            quoted_path(path)
        )),
    })?;
    Ok(top)
}

/// Checks a top and the streams of its tasks, and writes one certificate of them all. If
/// that is impossible, it prints the lines of the tasks that are not proved: those still
/// to be done go to stdout, those for which the proof has to be split again to stderr.
pub(super) fn put_together(
    top: &Top,
    folder: &Folder<'_>,
    (out, replaces): (&Path, bool),
) -> CliResult {
    let stop = stop_on_interrupt()?;
    let bar = progress::bar(top.tasks().count() as u64, "tasks checked");
    let results = folder.results(true)?;
    let rules = &top.header.rules;
    let (mut missing, mut refuted, mut large) = (Vec::new(), 0, 0);
    let merged = top.merge(|task| {
        bar.inc(1);
        if stop.is_stopped() {
            return None;
        }
        let Status { state, damage } = match folder.judge(task, rules, &results, Evidence::Rules) {
            Ok(stream) => return Some(stream),
            Err(status) => status,
        };
        if let Some(why) = damage {
            bar.suspend(|| say(format_args!("damaged: {why}")));
        }
        match state {
            TaskState::Refuted => {
                refuted += 1;
                bar.suspend(|| say(format_args!("refuted: {task}")));
            }
            TaskState::Large => {
                large += 1;
                bar.suspend(|| say(format_args!("too large: {task}")));
            }
            TaskState::Open | TaskState::Proved => missing.push(task.clone()),
        }
        None
    });
    bar.finish_and_clear();
    let merged = merged.map_err(|why| Failure::Work(why.to_string()))?;
    if stop.is_stopped() {
        return Err(interrupted(format_args!(
            "stopped before all tasks were checked: nothing was written, and the same command \
             starts over"
        )));
    }
    let mut stdout = io::stdout().lock();
    for task in &missing {
        writeln!(stdout, "{task}")?;
    }
    let certificate = merged.ok_or_else(|| {
        let again = match refuted + large {
            0 => "--task-file goes on",
            _ => SPLIT_AGAIN,
        };
        Failure::Work(format!(
            "{}: {} missing, {refuted} refuted, {large} too large; {again}",
            number_of(top.tasks().count(), "task"),
            missing.len()
        ))
    })?;
    write_whole(out, &certificate.bytes, replaces)?;
    report(&certificate, None)
}
