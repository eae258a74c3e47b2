//! Proofs in parts as seen by a user who stops, resumes, mistypes or damages something.

use std::fs;
use std::process::Output;

use super::certificates::python_accepts_top;
use crate::commands::{self, sha256, task_id};
use crate::program::{Folder, assert_has, cases, stderr, stdout};

/// A set-up on 4x4 squares, before the first move.
pub const START: &str = "x2,b2,b2,b1,b2/x2,b3,b1,b3,b1/x2,w1,w3,w1,w2/x2,w3,w1,w2,w2/x6/x6 b";

/// A folder with the `top` of a proof, its streams in `parts`, and the merged `proof`.
pub struct Proof(pub Folder);

impl Proof {
    pub fn new() -> Self {
        let proof = Self(Folder::new());
        proof.split("");
        proof
    }

    /// Makes the top of a proof that the first side wins; returns its tasks.
    pub fn split(&self, more: &str) -> Vec<String> {
        self.0.ok(&Self::split_line(more));
        self.tasks()
    }

    fn split_line(more: &str) -> String {
        format!("certify '{START}' --claim 'p1 wins' --split 4000 --out top --force {more}")
    }

    pub fn tasks(&self) -> Vec<String> {
        let top = self.0.read("top");
        let tasks = top.lines().filter(|line| line.starts_with("task"));
        tasks.map(str::to_owned).collect()
    }

    pub fn stream(&self, id: &str) -> std::path::PathBuf {
        self.0.path(&format!("parts/{id}.stream"))
    }

    pub fn work(&self) -> Output {
        self.0.run("certify --task-file top --results parts")
    }

    pub fn work_on(&self, task: &str) -> Output {
        self.work_on_in(task, "parts")
    }

    pub fn work_on_in(&self, task: &str, results: &str) -> Output {
        self.0
            .run(&format!("certify --results {results} --task '{task}'"))
    }

    pub fn merge(&self) -> Output {
        self.0
            .run("certify --merge top --results parts --out proof --force")
    }
}

pub fn id_of(task: &str) -> &str {
    task.split('\t').nth(1).expect("an identity")
}

fn named(output: &Output) -> Vec<String> {
    let lines = stdout(output);
    let ids = lines.lines().filter_map(|line| line.split('\t').nth(1));
    ids.map(str::to_owned).collect()
}

fn proved(output: &Output) -> Vec<String> {
    let lines = stdout(output);
    let ids = lines.lines().filter_map(|line| line.split_once(" proved "));
    ids.map(|(id, _)| id.to_owned()).collect()
}

/// The stream decides, whatever the list of results says and whoever asks.
#[test]
fn what_is_done_is_judged_alike_by_workers_merging_and_verify() {
    let proof = Proof::new();
    let first = proof.work();
    let ids = proved(&first);
    assert!(ids.len() > 3, "{}", stdout(&first));
    // All tasks are proved or refuted.
    let none: [String; 0] = [];
    assert_eq!(named(&proof.merge()), none);

    // Without a list the streams are checked by the rules.
    let list = "parts/results.txt";
    let lines = proof.0.read(list);
    fs::remove_file(proof.0.path(list)).unwrap();
    let missing = named(&proof.merge());
    assert!(missing.iter().all(|id| !ids.contains(id)), "{missing:?}");
    assert_eq!(proved(&proof.work()), none);
    // A list that says otherwise does not count either.
    proof
        .0
        .write(list, format!("{lines}{} refuted 1\n", ids[0]));
    assert_eq!(named(&proof.merge()), none);
    proof.0.write(list, &lines);

    // A stream is lost, cut, or altered without changing its length.
    let path = proof.stream(&ids[0]);
    let whole = fs::read(&path).unwrap();
    let mut altered = whole.clone();
    altered[0] ^= 0x7f;
    for (bytes, why) in [
        (None, "there is no such file"),
        (Some(&whole[1..]), "it does not prove task"),
        (Some(&altered), "it does not prove task"),
    ] {
        match bytes {
            Some(bytes) => fs::write(&path, bytes).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        let told = format!("'parts/{}.stream': {why}", ids[0]);
        let merged = proof.merge();
        assert_eq!(merged.status.code(), Some(1));
        assert!(named(&merged).contains(&ids[0]));
        assert!(stderr(&merged).contains(&told), "{}", stderr(&merged));
        let said = proof.0.fails(1, "verify top --results parts");
        let without = "1 without a stream";
        let told_of = if bytes.is_some() { &told } else { without };
        assert!(said.contains(told_of), "{said}");
        assert_ne!(
            python_accepts_top(&proof.0, Some("parts"), "top"),
            Some(true)
        );
        let worked = proof.work();
        assert_eq!(proved(&worked), [ids[0].clone()]);
        assert!(stderr(&worked).contains(&told), "{}", stderr(&worked));
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
    // What would wait forever is not a stream.
    #[cfg(unix)]
    {
        fs::remove_file(&path).unwrap();
        crate::program::named_pipe(&path);
        let why = format!("{}.stream': it is a pipe: expected a regular file", ids[0]);
        proof.0.fails_with(1, "verify top --results parts", &why);
        assert_ne!(
            python_accepts_top(&proof.0, Some("parts"), "top"),
            Some(true)
        );
    }
}

/// Workers trust a list that was forged like the stream, but merging does not.
#[test]
fn a_stream_that_fits_the_list_and_proves_nothing_is_not_merged() {
    let proof = Proof::new();
    let id = &proved(&proof.work())[0];
    let (path, forged) = (proof.stream(id), b"forged");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, forged).unwrap();
    let line = format!("{id} proved 1 {} {}\n", forged.len(), sha256(forged));
    let lines = proof.0.read("parts/results.txt");
    proof.0.write("parts/results.txt", lines + &line);
    assert!(proved(&proof.work()).is_empty());

    let merged = proof.merge();
    let said = stderr(&merged);
    assert_eq!(merged.status.code(), Some(1));
    assert!(named(&merged).contains(id));
    let told = format!("damaged: 'parts/{id}.stream': it does not prove task {id}: ");
    let how = "remove it to have the task proved again";
    assert!(said.contains(&told) && said.contains(how), "{said}");
    assert!(!proof.0.path("proof").exists());
    fs::remove_file(&path).unwrap();
    assert_eq!(proved(&proof.work()), std::slice::from_ref(id));
    assert_eq!(fs::read(&path).unwrap(), whole);
}

/// This is noticed before any of its tasks is looked at.
#[test]
fn a_top_that_proves_nothing_is_not_merged() {
    let proof = Proof::new();
    let top = proof.0.read("top");
    let (header, entries) = top.split_once("\n\n").unwrap();
    let (_, rest) = entries.split_once('\n').unwrap();
    fs::create_dir(proof.0.path("parts")).unwrap();
    proof.0.write("top", format!("{header}\n\n1295\n{rest}"));
    let (merged, worked) = (proof.merge(), proof.work());
    let said = stderr(&merged);
    assert_eq!(merged.status.code(), Some(1));
    let why = said.contains("line 6: ") && said.contains("is move 1295 of");
    assert!(why, "{said}");
    assert_eq!(stderr(&worked), said);
    assert!(merged.stdout.is_empty() && worked.stdout.is_empty());
    assert!(!proof.0.path("proof").exists());
}

#[test]
fn a_mistyped_folder_of_results_is_named_where_it_is_read() {
    let proof = Proof::new();
    for folder in ["prats", "top"] {
        let split = format!("certify '{START}' --claim 'p1 wins' --split 4000 --out out");
        for line in ["verify top", "certify --merge top --out out", &split] {
            let (line, why) = (
                format!("{line} --results {folder}"),
                format!("--results '{folder}': "),
            );
            proof.0.fails_with(1, &line, &why);
        }
    }
    assert!(!proof.0.path("prats").exists() && !proof.0.path("out").exists());
    let into_a_file = "certify --task-file top --results top";
    proof.0.fails_with(1, into_a_file, "it is a file");
    // The folder is made if something is to be written there.
    proof.work_on_in(&proof.tasks()[0], "a/b");
    assert!(proof.0.path("a/b/results.txt").is_file());
}

#[test]
fn a_worker_goes_past_what_stands_in_the_place_of_a_stream() {
    let proof = Proof::new();
    let ids = proved(&proof.work());
    fs::remove_dir_all(proof.0.path("parts")).unwrap();
    fs::create_dir_all(proof.stream(&ids[0])).unwrap();
    let passed = proof.work();
    let said = stderr(&passed);
    assert_eq!(passed.status.code(), Some(1), "{said}");
    let id = &ids[0];
    let told = format!("'parts/{id}.stream': it is a directory: task {id} is left out");
    assert!(said.contains(&told), "{said}");
    assert_eq!(proved(&passed).len(), ids.len() - 1);
    fs::remove_dir(proof.stream(id)).unwrap();
    assert_eq!(proved(&proof.work()), std::slice::from_ref(id));
}

#[test]
fn a_bad_line_of_a_task_is_refused_for_its_bad_part() {
    let proof = Proof::new();
    let task = &proof.tasks()[0];
    let fields: Vec<&str> = task.split('\t').collect();
    let with = |at: usize, field: &str| {
        let mut fields = fields.clone();
        fields[at] = field;
        fields.join("\t")
    };
    let long = "x".repeat(10_000);
    let id = fields[1];
    let no_claim = "N from -10000 to 10000 as in -3 or 5, or the same of p2, found 'p1 win'";
    let same = format!("the identity {id} of this claim and position, found '0123'");
    for (line, why) in [
        (
            task.replace('\t', " "),
            "five fields with tabs between them",
        ),
        (with(1, "0123"), same.as_str()),
        (with(2, "04000"), "a number of nodes, found '04000'"),
        (with(3, "p1 win"), no_claim),
        (with(4, "3/5/7/3*3/7/5/3 w"), "the identity "),
        (with(4, "3/5/7/3*3/7/5/3  w"), "a position with one blank"),
        (with(2, &long), "a number of nodes, found 'xxx"),
    ] {
        let refused = proof.work_on(&line);
        let said = stderr(&refused);
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.contains(why) && said.len() < 1000, "{said}");
        assert!(!proof.0.path("parts").exists());
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_says_how_far_it_got_and_how_to_go_on() {
    use totemic_engine::game::{Game, Hokito};

    let dir = Folder::new();
    // For a worker one task looks done; the others take forever.
    let start = "b1,b1,b1,b1,b1,b1/b2,b2,b2,b2,b2,b2/b3,b3,b3,b3,b3,b3/w1,w1,w1,w1,w1,w1/w2,w2,w2,w2,w2,w2/w3,w3,w3,w3,w3,w3 b";
    let task = |position: &str| {
        let id = task_id(position);
        format!("task\t{id}\t1000000000000\tp1 wins\t{position}")
    };
    let position: Hokito = start.parse().unwrap();
    let after = position.play(position.moves()[0]);
    let reply = |&mv| task(&after.play(mv).to_string());
    let tasks: Vec<String> = after.moves().iter().map(reply).collect();
    let header = format!("totemic top 1\nrules hokito-1\nposition {start}\nclaim p1 wins\n");
    dir.write("endless", format!("{header}\n0\n{}\n", tasks.join("\n")));
    let id = id_of(&tasks[0]);
    fs::create_dir(dir.path("parts")).unwrap();
    dir.write(&format!("parts/{id}.stream"), "");
    let line = format!("{id} proved 1 0 {}\n", sha256(""));
    dir.write("parts/results.txt", line);
    let done = format!(
        "stopped: 1 of {} tasks are done; the same command goes on",
        tasks.len()
    );
    let endless = task(start);
    let claim = format!("'{start}' --claim 'p1 wins'");
    for [line, said] in cases(&format!(
        "
        certify --task-file endless --results parts  | {done}
        certify --task '{endless}' --results parts   | stopped: the task is not done, and the same command starts it over
        certify {claim} --out out                    | stopped after 0 % of the proof: nothing was written
        certify {claim} --out out --split 1000000000 | stopped before the top was made
        estimate {claim} --budget 1000000000         | stopped after 0 of 64 lines: there is no estimate
        "
    )) {
        let ended = commands::stopped(dir.command(line), 300);
        assert_eq!(ended.status.code(), Some(130), "{line}");
        assert_has(&stderr(&ended), said);
    }
    assert!(!dir.path("out").exists());
}

/// Where a task is refuted, the solver is asked two plies earlier: no task comes twice, and
/// a claim all of whose tasks are refuted is refuted after as many rounds as the top is
/// deep, not after all moves have had their turn.
#[test]
fn what_is_refuted_is_not_chosen_again() {
    let proof = Proof::new();
    fs::create_dir(proof.0.path("parts")).unwrap();
    let (mut tasks, mut refuted) = (proof.tasks(), Vec::new());
    assert!(tasks.len() > 3, "{}", tasks.len());
    for _ in 0..6 {
        refuted.extend(tasks.iter().map(|task| id_of(task).to_owned()));
        let list: String = refuted
            .iter()
            .map(|id| format!("{id} refuted 1\n"))
            .collect();
        proof.0.write("parts/results.txt", list);
        let next = proof.0.run(&Proof::split_line("--results parts"));
        if !next.status.success() {
            assert!(stderr(&next).contains("it is false that p1 wins"));
            return;
        }
        tasks = proof.tasks();
        let is_new = |task: &String| !refuted.iter().any(|id| id == id_of(task));
        assert!(tasks.iter().all(is_new), "{tasks:?}");
    }
    panic!("{} tasks refuted, and no end", refuted.len());
}
