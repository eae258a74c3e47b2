//! Proofs in parts as seen by a user who stops, resumes, mistypes or damages something.

use std::fs;
use std::process::Output;

use crate::program::{Folder, assert_has, cases, stderr, stdout};
use crate::proof_support::{Proof, START, assert_python_accepts, id_of};
use crate::support::{self, sha256, task_id};

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
    let dir = &proof.0;
    let first = proof.work();
    let ids = proved(&first);
    assert!(ids.len() > 3, "{}", stdout(&first));
    // All tasks are proved or refuted.
    let none: [String; 0] = [];
    assert_eq!(named(&proof.merge()), none);

    // Without a list the streams are checked by the rules.
    let list = "parts/results.txt";
    let lines = dir.read(list);
    fs::remove_file(dir.path(list)).unwrap();
    let missing = named(&proof.merge());
    assert!(missing.iter().all(|id| !ids.contains(id)), "{missing:?}");
    assert_eq!(proved(&proof.work()), none);
    // A list that says otherwise does not count either.
    let id = &ids[0];
    dir.write(list, format!("{lines}{id} refuted 1\n"));
    assert_eq!(named(&proof.merge()), none);
    dir.write(list, &lines);

    // A stream is lost, cut, or altered without changing its length.
    let path = proof.stream(id);
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
        let told = format!("'parts/{id}.stream': {why}");
        let merged = proof.merge();
        assert_eq!(merged.status.code(), Some(1));
        assert!(named(&merged).contains(id));
        assert_has(&stderr(&merged), &told);
        let verify_says = bytes.map_or("1 without a stream", |_| &told);
        dir.fails_with(1, "verify top --results parts", verify_says);
        assert_python_accepts(dir, Some("parts"), "top", false);
        let worked = proof.work();
        assert_eq!(proved(&worked), [id.as_str()]);
        assert_has(&stderr(&worked), &told);
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
    // What would wait forever is not a stream.
    #[cfg(unix)]
    {
        fs::remove_file(&path).unwrap();
        crate::program::named_pipe(&path);
        let why = format!("{id}.stream': it is a pipe: expected a regular file");
        dir.fails_with(1, "verify top --results parts", &why);
        assert_python_accepts(dir, Some("parts"), "top", false);
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

    let merged = proof.unmerged();
    let said = stderr(&merged);
    assert!(named(&merged).contains(id));
    let told = format!("damaged: 'parts/{id}.stream': it does not prove task {id}: ");
    assert_has(&said, &told);
    assert_has(&said, "remove it to have the task proved again");
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
    let (merged, worked) = (proof.unmerged(), proof.work());
    let said = stderr(&merged);
    let is_told = said.contains("line 6: ") && said.contains("is move 1295 of");
    assert!(is_told, "{said}");
    assert_eq!(stderr(&worked), said);
    assert!(merged.stdout.is_empty() && worked.stdout.is_empty());
}

#[test]
fn a_mistyped_folder_of_results_is_named_where_it_is_read() {
    let proof = Proof::new();
    for folder in ["prats", "top"] {
        let split = format!("certify '{START}' --claim 'p1 wins' --split 4000 --out out");
        for line in ["verify top", "certify --merge top --out out", &split] {
            let why = format!("--results '{folder}': ");
            let line = format!("{line} --results {folder}");
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
    let id = &ids[0];
    fs::remove_dir_all(proof.0.path("parts")).unwrap();
    fs::create_dir_all(proof.stream(id)).unwrap();
    let passed = proof.work();
    assert_eq!(passed.status.code(), Some(1));
    let told = format!("'parts/{id}.stream': it is a directory: task {id} is left out");
    assert_has(&stderr(&passed), &told);
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
    let same = format!(
        "the identity {} of this claim and position, found '0123'",
        fields[1]
    );
    for (line, why) in [
        (
            task.replace('\t', " "),
            "five fields with tabs between them",
        ),
        (with(1, "0123"), &same),
        (with(2, "04000"), "a number of nodes, found '04000'"),
        (
            with(3, "p1 win"),
            "N from -10000 to 10000 as in -3 or 5, or the same of p2, found 'p1 win'",
        ),
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
    let done = format!("stopped: 1 of {} tasks are done;", tasks.len());
    let endless = task(start);
    let claim = format!("'{start}' --claim 'p1 wins'");
    // A split samples first, and then makes the top.
    for [wait, line, said] in cases(&format!(
        "
        300  | certify --task-file endless --results parts  | {done} the same command goes on
        300  | certify --task '{endless}' --results parts   | stopped: the task is not done, and the same command starts it over
        300  | certify {claim} --out out                    | stopped after 0 % of the proof: nothing was written
        0    | certify {claim} --out out --split 100        | stopped before the top was made
        5000 | certify {claim} --out out --split 100        | stopped before the top was made
        300  | estimate {claim} --budget 1000000000         | stopped after 0 of 64 lines: there is no estimate
        "
    )) {
        let ended = support::stopped(dir.command(line), wait.parse().unwrap());
        assert_eq!(ended.status.code(), Some(130), "{line}");
        assert_has(&stderr(&ended), said);
        let left = fs::read_dir(dir.at()).unwrap().count();
        assert_eq!(left, 2, "{line}: more than the top and the parts");
    }
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
        let list = refuted.join(" refuted 1\n") + " refuted 1\n";
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
