//! Proofs in parts as a user sees them who stops, resumes, mistypes or damages something.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::commands::{self, sha256, task_id, text, totemic};
use tempfile::TempDir;

/// From its first move.
const START: &str = "x2,b2,b2,b1,b2/x2,b3,b1,b3,b1/x2,w1,w3,w1,w2/x2,w3,w1,w2,w2/x6/x6 b";

/// A folder for a top with its tasks, and for their results.
struct Proof {
    dir: TempDir,
    top: String,
    parts: String,
}

impl Proof {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
        let (top, parts) = (path("top"), path("parts"));
        let claim = ["--claim", "p1 wins", "--split", "4000", "--out", &top];
        let made = totemic(&[&["certify", START], &claim[..]].concat());
        assert!(made.status.success(), "{}", text(&made.stderr));
        Self { dir, top, parts }
    }

    fn path(&self, name: &str) -> String {
        self.dir.path().join(name).to_str().unwrap().to_owned()
    }

    fn stream(&self, id: &str) -> String {
        format!("{}/{id}.stream", self.parts)
    }

    fn work(&self) -> Output {
        totemic(&[
            "certify",
            "--task-file",
            &self.top,
            "--results",
            &self.parts,
        ])
    }

    fn merge(&self) -> Output {
        let (top, parts, out) = (&self.top, &self.parts, self.path("proof"));
        let args = ["certify", "--merge", top, "--results", parts, "--out", &out];
        totemic(&[&args[..], &["--force"]].concat())
    }

    fn verify(&self) -> Output {
        totemic(&["verify", &self.top, "--results", &self.parts])
    }

    /// The identities of tasks that a command prints as lines of a top.
    fn named(output: &Output) -> Vec<String> {
        let lines = text(&output.stdout);
        let ids = lines.lines().filter_map(|line| line.split('\t').nth(1));
        ids.map(ToOwned::to_owned).collect()
    }
}

/// The identities of tasks that a worker has proved.
fn proved(output: &Output) -> Vec<String> {
    let lines = text(&output.stdout);
    let ids = lines.lines().filter_map(|line| line.split_once(" proved "));
    ids.map(|(id, _)| id.to_owned()).collect()
}

/// The stream decides, whatever the list of results says, and whoever asks.
#[test]
fn what_is_done_is_judged_alike_by_workers_merging_and_verify() {
    let proof = Proof::new();
    let first = proof.work();
    let ids = proved(&first);
    assert!(ids.len() > 3, "{}", text(&first.stdout));
    // All are proved or refuted.
    assert_eq!(Proof::named(&proof.merge()), [] as [String; 0]);

    // Without a list the streams are checked by the rules.
    let list = format!("{}/results.txt", proof.parts);
    let lines = fs::read_to_string(&list).unwrap();
    fs::remove_file(&list).unwrap();
    let missing = Proof::named(&proof.merge());
    assert!(missing.iter().all(|id| !ids.contains(id)), "{missing:?}");
    assert!(proved(&proof.work()).is_empty());
    // Nor does a list count that tells otherwise.
    fs::write(&list, format!("{lines}{} refuted 1\n", ids[0])).unwrap();
    assert_eq!(Proof::named(&proof.merge()), [] as [String; 0]);
    fs::write(&list, &lines).unwrap();

    // A stream that is lost, cut, or altered at the same length.
    let whole = fs::read(proof.stream(&ids[0])).unwrap();
    let mut altered = whole.clone();
    altered[0] ^= 0x7f;
    for (bytes, why) in [
        (None, "there is no such file"),
        (Some(&whole[1..]), "it does not prove task"),
        (Some(&altered), "it does not prove task"),
    ] {
        let path = proof.stream(&ids[0]);
        match bytes {
            Some(bytes) => fs::write(&path, bytes).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        let told = format!("'{path}': {why}");
        let merged = proof.merge();
        assert_eq!(merged.status.code(), Some(1));
        assert!(Proof::named(&merged).contains(&ids[0]));
        assert!(
            text(&merged.stderr).contains(&told),
            "{}",
            text(&merged.stderr)
        );
        let verified = proof.verify();
        assert_eq!(verified.status.code(), Some(1));
        let said = text(&verified.stderr);
        let without = "without a stream: ";
        let named = if bytes.is_some() { &told } else { without };
        assert!(said.contains(named), "{said}");
        let worked = proof.work();
        assert_eq!(proved(&worked), [ids[0].clone()]);
        assert!(
            text(&worked.stderr).contains(&told),
            "{}",
            text(&worked.stderr)
        );
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
}

/// Somebody made it, or the list: a worker would take its word, merging does not.
#[test]
fn a_stream_that_fits_the_list_and_proves_nothing_is_not_merged() {
    let proof = Proof::new();
    let ids = proved(&proof.work());
    let list = format!("{}/results.txt", proof.parts);
    let (path, forged) = (proof.stream(&ids[0]), b"forged");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, forged).unwrap();
    let digest = sha256(forged);
    let lines = fs::read_to_string(&list).unwrap();
    let line = format!("{} proved 1 {} {digest}\n", ids[0], forged.len());
    fs::write(&list, lines + &line).unwrap();
    assert!(proved(&proof.work()).is_empty());

    let merged = proof.merge();
    let said = text(&merged.stderr);
    assert_eq!(merged.status.code(), Some(1));
    assert!(Proof::named(&merged).contains(&ids[0]));
    let told = format!("damaged: '{path}': it does not prove task {}: ", ids[0]);
    assert!(
        said.contains(&told) && said.contains("remove it, and the task is proved anew"),
        "{said}"
    );
    assert!(!Path::new(&proof.path("proof")).exists());
    fs::remove_file(&path).unwrap();
    assert_eq!(proved(&proof.work()), [ids[0].clone()]);
    assert_eq!(fs::read(&path).unwrap(), whole);
}

/// Before anything is asked of its tasks.
#[test]
fn a_top_that_proves_nothing_is_not_merged() {
    let proof = Proof::new();
    let top = fs::read_to_string(&proof.top).unwrap();
    let (header, entries) = top.split_once("\n\n").unwrap();
    let (_, rest) = entries.split_once('\n').unwrap();
    fs::create_dir(&proof.parts).unwrap();
    fs::write(&proof.top, format!("{header}\n\n1295\n{rest}")).unwrap();
    let merged = proof.merge();
    let said = text(&merged.stderr);
    assert_eq!(merged.status.code(), Some(1));
    assert!(
        said.contains("line 6: ") && said.contains("is move 1295 of"),
        "{said}"
    );
    assert!(merged.stdout.is_empty() && !Path::new(&proof.path("proof")).exists());
    let worked = proof.work();
    assert_eq!(text(&worked.stderr), said);
    assert!(worked.stdout.is_empty());
}

#[test]
fn a_mistyped_folder_of_results_is_named_where_it_is_read() {
    let proof = Proof::new();
    let (none, out) = (proof.path("prats"), proof.path("out"));
    let claim = ["certify", START, "--claim", "p1 wins", "--split", "4000"];
    for folder in [&none, &proof.top] {
        for args in [
            &["verify", &proof.top][..],
            &["certify", "--merge", &proof.top, "--out", &out],
            &[&claim[..], &["--out", &out]].concat(),
        ] {
            let refused = totemic(&[args, &["--results", folder]].concat());
            let said = text(&refused.stderr);
            assert_eq!(refused.status.code(), Some(1), "{said}");
            assert!(said.contains(&format!("--results '{folder}': ")), "{said}");
            assert!(refused.stdout.is_empty());
        }
    }
    assert!(!Path::new(&none).exists() && !Path::new(&out).exists());
    let file = totemic(&[
        "certify",
        "--task-file",
        &proof.top,
        "--results",
        &proof.top,
    ]);
    let said = text(&file.stderr);
    assert!(
        file.status.code() == Some(1) && said.contains("it is a file"),
        "{said}"
    );
    // Where it is written it is made.
    let deep = proof.path("a/b");
    let top = fs::read_to_string(&proof.top).unwrap();
    let task = top.lines().find(|line| line.starts_with("task")).unwrap();
    totemic(&["certify", "--task", task, "--results", &deep]);
    assert!(Path::new(&format!("{deep}/results.txt")).is_file());
}

/// One task is left out, and all others are done.
#[test]
fn a_worker_goes_past_what_stands_in_the_place_of_a_stream() {
    let proof = Proof::new();
    let first = proof.work();
    let ids = proved(&first);
    fs::remove_dir_all(&proof.parts).unwrap();
    fs::create_dir_all(proof.stream(&ids[0])).unwrap();
    let passed = proof.work();
    let said = text(&passed.stderr);
    assert_eq!(passed.status.code(), Some(1), "{said}");
    let named = format!(
        "'{}': it is a directory: task {} is left out",
        proof.stream(&ids[0]),
        ids[0]
    );
    assert!(said.contains(&named), "{said}");
    assert_eq!(proved(&passed).len(), ids.len() - 1);
    fs::remove_dir(proof.stream(&ids[0])).unwrap();
    assert_eq!(proved(&proof.work()), [ids[0].clone()]);
}

#[test]
fn a_bad_line_of_a_task_is_refused_for_its_bad_part() {
    let proof = Proof::new();
    let top = fs::read_to_string(&proof.top).unwrap();
    let task = top.lines().find(|line| line.starts_with("task")).unwrap();
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
        (with(1, "0123"), same.as_str()),
        (with(2, "04000"), "a number of nodes, found '04000'"),
        (
            with(3, "p1 win"),
            "N from -10000 to 10000 as in -3 or 5, or the same of p2, found 'p1 win'",
        ),
        (with(4, "3/5/7/3*3/7/5/3 w"), "the identity "),
        (with(4, "3/5/7/3*3/7/5/3  w"), "a position with one blank"),
        (with(2, &long), "a number of nodes, found 'xxx"),
    ] {
        let refused = totemic(&["certify", "--task", &line, "--results", &proof.parts]);
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.contains(why) && said.len() < 1000, "{said}");
        assert!(!Path::new(&proof.parts).exists());
    }
}

#[test]
fn a_damaged_top_is_called_one_and_its_line_named() {
    let proof = Proof::new();
    let whole = fs::read_to_string(&proof.top).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let first = lines
        .iter()
        .position(|line| line.starts_with("task"))
        .unwrap();
    let with = |at: usize, line: &str| {
        let mut lines = lines.clone();
        lines[at] = line;
        lines.join("\n") + "\n"
    };
    let task = lines[first].replace("\tp1 wins\t", "\tp1 winds\t");
    let at = format!("line {}: ", first + 1);
    let mut other = lines[first + 1..].iter();
    let other = *other.find(|line| line.starts_with("task")).unwrap();
    for (damaged, line, found) in [
        (with(0, "totemic tip 1"), "line 1: ", "'totemic tip 1'"),
        (with(0, "totemic top 2"), "line 1: ", "'totemic top 2'"),
        (with(1, "rule hokito-1"), "line 2: ", "'rule hokito-1'"),
        (with(3, "claim p1 winds"), "line 4: ", "'p1 winds'"),
        (with(first, &task), &at, "'p1 winds'"),
        (
            with(first, "often"),
            &at,
            "the index of a move, or a task, found 'often'",
        ),
        (with(first, "1295"), &at, "is move 1295 of "),
        (
            with(first, other),
            &at,
            "a task is needed that says p1 wins in ",
        ),
    ] {
        let file = proof.path("damaged");
        fs::write(&file, damaged).unwrap();
        let verified = totemic(&["verify", &file]);
        let said = text(&verified.stderr);
        assert_eq!(verified.status.code(), Some(1));
        let is_named = said.contains(&format!("'{file}': not proved: the top of a proof: {line}"));
        assert!(is_named && said.contains(found), "{said}");
    }
    // What is no top at all, and a proof that was altered.
    let (file, none) = (proof.path("file"), proof.path("none"));
    fs::write(&file, "something\n").unwrap();
    let said = text(&totemic(&["verify", &file]).stderr);
    assert!(
        said.contains("neither a certificate nor the top of a proof"),
        "{said}"
    );
    assert!(
        said.contains("'totemic top 1', found 'something'"),
        "{said}"
    );
    let args = ["certify", START, "--claim", "p1 wins", "--out", &none];
    assert!(totemic(&args).status.success());
    let refused = totemic(&["certify", "--task-file", &none, "--results", &proof.parts]);
    let said = text(&refused.stderr);
    assert!(
        said.contains(&format!("'{none}' is no top of a proof: line 1: ")),
        "{said}"
    );
    let mut bytes = fs::read(&none).unwrap();
    bytes[30] ^= 1;
    fs::write(&none, bytes).unwrap();
    let said = text(&totemic(&["verify", &none]).stderr);
    assert!(said.contains("a certificate: the checksum"), "{said}");
}

#[test]
fn one_thing_is_singular() {
    let dir = TempDir::new().unwrap();
    let out = dir.path().join("proof").to_str().unwrap().to_owned();
    let made = totemic(&[
        "certify",
        "x6/x6/x6/x6/x6/b1,x5 b",
        "--claim",
        "p1 wins",
        "--out",
        &out,
    ]);
    assert!(
        text(&made.stdout).contains("(0 choices, "),
        "{}",
        text(&made.stderr)
    );
    let verified = text(&totemic(&["verify", &out]).stdout);
    assert!(verified.contains("(0 choices, 1 end)"), "{verified}");
    let top = dir.path().join("top").to_str().unwrap().to_owned();
    let split = ["--split", "1000000000", "--out", &top];
    let late = "x4,b3:10,x/w2:2,x4,w2:16/x6/w1,x3,w2:2,x/x5,b2:2/x2,w2:2,x2,w1 w";
    let made = totemic(&[&["certify", late, "--claim", "p2 wins"], &split[..]].concat());
    let said = text(&made.stdout);
    assert!(said.contains("(1 task, 0 done)"), "{said}");
}

/// What a command says when Ctrl-C stops it.
#[cfg(unix)]
fn stopped(args: &[&str]) -> Output {
    use std::process::Stdio;
    use std::{
        thread::sleep,
        time::{Duration, Instant},
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_totemic"));
    let command = command
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let (child, begin) = (command.spawn().unwrap(), Instant::now());
    while !commands::hears_interrupts(child.id()) {
        assert!(begin.elapsed() < Duration::from_secs(60));
        sleep(Duration::from_millis(5));
    }
    sleep(Duration::from_millis(300));
    let id = nix::unistd::Pid::from_raw(child.id() as i32);
    nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGINT).unwrap();
    child.wait_with_output().unwrap()
}

#[cfg(unix)]
#[test]
fn ctrl_c_says_how_far_it_got_and_how_to_go_on() {
    use std::collections::BTreeSet;
    use totemic::game::{Game, Hokito};

    let proof = Proof::new();
    // One task is done, as far as a worker looks; the others take for ever.
    let start = "b1,b1,b1,b1,b1,b1/b2,b2,b2,b2,b2,b2/b3,b3,b3,b3,b3,b3/w1,w1,w1,w1,w1,w1/w2,w2,w2,w2,w2,w2/w3,w3,w3,w3,w3,w3 b";
    let task = |position: &str| {
        let id = task_id(position);
        format!("task\t{id}\t1000000000000\tp1 wins\t{position}")
    };
    let endless = task(start);
    let position: Hokito = start.parse().unwrap();
    let after = position.play(position.moves()[0]);
    let replies: BTreeSet<String> = (after.moves().iter())
        .map(|&mv| after.play(mv).to_string())
        .collect();
    assert_eq!(replies.len(), after.moves().len());
    let tasks: Vec<String> = (after.moves().iter())
        .map(|&mv| task(&after.play(mv).to_string()))
        .collect();
    let file = proof.path("endless");
    let header = format!("totemic top 1\nrules hokito-1\nposition {start}\nclaim p1 wins\n");
    fs::write(&file, format!("{header}\n0\n{}\n", tasks.join("\n"))).unwrap();
    let id = tasks[0].split('\t').nth(1).unwrap();
    fs::create_dir(&proof.parts).unwrap();
    fs::write(proof.stream(id), "").unwrap();
    let line = format!("{id} proved 1 0 {}\n", sha256(""));
    fs::write(format!("{}/results.txt", proof.parts), line).unwrap();
    let told = format!(
        "stopped: 1 of {} tasks are done; the same command goes on",
        tasks.len()
    );
    let out = proof.path("out");
    let whole = ["certify", start, "--claim", "p1 wins", "--out", &out];
    for (args, said) in [
        (
            &["certify", "--task-file", &file, "--results", &proof.parts][..],
            told.as_str(),
        ),
        (
            &["certify", "--task", &endless, "--results", &proof.parts],
            "stopped: the task is not done, and the same command begins it anew",
        ),
        (&whole, "stopped after 0 % of the proof: nothing is written"),
        (
            &[&whole[..], &["--split", "1000000000"]].concat(),
            "stopped before the top was made",
        ),
        (
            &[
                "estimate",
                start,
                "--claim",
                "p1 wins",
                "--budget",
                "1000000000",
            ],
            "stopped after 0 of 64 lines: nothing is estimated",
        ),
    ] {
        let ended = stopped(args);
        let told = text(&ended.stderr);
        assert_eq!(ended.status.code(), Some(130), "{args:?}: {told}");
        assert!(told.contains(said), "{args:?}: {told}");
    }
    assert!(!Path::new(&out).exists());
}
