//! Proofs in files: made and checked by the program, and checked by a verifier in
//! another language with rules of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::commands::{self, task_id, text, totemic};
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use totemic::game::Rng;

/// Late positions and true claims about them.
const CLAIMS: [(&str, &str); 6] = [
    (
        "x4,b3:10,x/w2:2,x4,w2:16/x6/w1,x3,w2:2,x/x5,b2:2/x2,w2:2,x2,w1 b",
        "p2 wins",
    ),
    (
        "x,b3:14,x,w1:2,x,b1/x5,b2/w1:14,x5/x6/x6/w3:2,w2,x3,w1 b",
        "p1 draws",
    ),
    (
        "x,b3:14,x,w1:2,x,b1/x5,b2/w1:14,x5/x6/x6/w3:2,w2,x3,w1 b",
        "p1 >= 73",
    ),
    ("3/IIy1o/yOO1I*1/o1Yy3/yoiiIX1/IXoyO/3 w", "p1 wins"),
    ("3/IIy1o/yOO1I*1/o1Yy3/yoiiIX1/IXoyO/3 w", "p1 >= 0"),
    ("1oo/YOi1O/i1O1x2/iXoOI1Y/4IO*/Xyx2/yYy r", "p1 wins"),
];

/// What a command says that has to end by itself.
fn in_time(command: &mut Command) -> std::io::Result<Output> {
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let (mut child, begin) = (command.spawn()?, Instant::now());
    while child.try_wait()?.is_none() {
        if begin.elapsed() > Duration::from_secs(300) {
            child.kill()?;
            child.wait()?;
            panic!("{command:?} does not end");
        }
        sleep(Duration::from_millis(5));
    }
    child.wait_with_output()
}

/// Whether a text tells a terminal nothing.
fn is_clean(text: &str) -> bool {
    let is_clean = |c: char| "\n\t".contains(c) || !c.is_control();
    text.replace("\r\n", "\n").chars().all(is_clean)
}

/// Whether a verifier in Python accepts; one that breaks has not refused.
fn is_accepted(output: &Output) -> bool {
    let said = text(&output.stderr);
    let is_refused = output.status.code() == Some(1) && said.contains("not proved: ");
    assert!(output.status.success() || is_refused, "{said}");
    assert!(!said.contains("Traceback") && is_clean(&said), "{said:?}");
    output.status.success()
}

/// Tasks are done: just where one is refuted or too large, that is said and the exit
/// code 1.
fn assert_done(done: &Output) {
    let said = text(&done.stderr);
    let is_left = said.contains("tasks that are refuted: ");
    assert_eq!(done.status.code(), Some(i32::from(is_left)), "{said}");
}

/// What the verifier in Python says of files, by its exit code and lines; `None`,
/// with a word, where there is no Python.
fn python(files: &[PathBuf]) -> Option<(bool, String)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verify_certificate.py");
    match Command::new("python3").arg(script).args(files).output() {
        Ok(output) => Some((is_accepted(&output), text(&output.stdout))),
        Err(why) => {
            eprintln!("skipped the verifier in Python: python3 does not start: {why}");
            None
        }
    }
}

/// Whether the checker of tops in Python accepts one, with all that is in a folder;
/// `None` where there is no Python.
fn python_accepts_top(top: &str, parts: Option<&str>) -> Option<bool> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verify_top.py");
    let mut command = Command::new("python3");
    command.arg(script).arg(top).args(parts);
    in_time(&mut command)
        .ok()
        .map(|output| is_accepted(&output))
}

fn certify(dir: &TempDir, name: &str, position: &str, claim: &str) -> (PathBuf, Output) {
    let path = dir.path().join(name);
    let out = path.to_str().expect("a path in UTF-8");
    let output = totemic(&["certify", position, "--claim", claim, "--out", out]);
    (path, output)
}

#[test]
fn proofs_are_accepted_by_both_verifiers() {
    let dir = TempDir::new().unwrap();
    let mut files = Vec::new();
    for (i, (position, claim)) in CLAIMS.iter().enumerate() {
        let (path, made) = certify(&dir, &i.to_string(), position, claim);
        assert!(made.status.success(), "{position}: {}", text(&made.stderr));
        let said = format!("proved: {claim} in '{position}'");
        assert!(
            text(&made.stdout).starts_with(&said),
            "{}",
            text(&made.stdout)
        );
        let verified = totemic(&["verify", path.to_str().unwrap()]);
        assert!(verified.status.success(), "{}", text(&verified.stderr));
        assert!(text(&verified.stdout).contains(&said));
        files.push(path);
    }
    if let Some((accepted, said)) = python(&files) {
        assert!(accepted, "{said}");
        for (position, claim) in CLAIMS {
            assert!(
                said.contains(&format!("proved: {claim} in '{position}'")),
                "{said}"
            );
        }
    }
}

#[test]
fn the_test_vectors_are_proofs() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/certificates");
    let files: Vec<PathBuf> = fs::read_dir(&dir)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    // What verify says of each stands beside it.
    let list = fs::read_to_string(dir.join("README.md")).unwrap();
    let row = |line: &str| {
        let (name, rest) = line.strip_prefix("| `")?.split_once("` | ")?;
        let said = rest.rsplit_once(" | ")?.1.strip_suffix(" |")?;
        Some((name.to_owned(), said.to_owned()))
    };
    let rows: Vec<(String, String)> = list.lines().filter_map(row).collect();
    let is_vector = |path: &&PathBuf| {
        let kind = path.extension().unwrap_or_default();
        kind == "good" || kind == "bad"
    };
    assert_eq!(rows.len(), files.iter().filter(is_vector).count());
    for (name, said) in rows {
        let path = dir.join(&name);
        let verified = totemic(&["verify", path.to_str().unwrap()]);
        let is_proof = name.ends_with("good");
        assert_eq!(verified.status.code(), Some(i32::from(!is_proof)), "{name}");
        let told = text(&verified.stdout) + &text(&verified.stderr);
        assert!(told.contains(&said), "{name}: {told}");
        if let Some((accepted, said)) = python(&[path]) {
            assert_eq!(accepted, is_proof, "{name}: {said}");
        }
    }
}

#[test]
fn a_false_claim_writes_nothing_and_nothing_is_written_over() {
    let dir = TempDir::new().unwrap();
    let (position, claim) = CLAIMS[3];
    let (path, made) = certify(&dir, "false", position, "p2 draws");
    assert_eq!(made.status.code(), Some(1));
    assert!(
        text(&made.stderr).contains("it is false that p2 draws"),
        "{}",
        text(&made.stderr)
    );
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);

    fs::write(&path, "mine").unwrap();
    let (_, refused) = certify(&dir, "false", position, claim);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("--force"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");

    for claim in ["p3 wins", "p1 win", "p1 >= +3", "p1 >= 99999", ""] {
        let (_, refused) = certify(&dir, "none", position, claim);
        assert_eq!(refused.status.code(), Some(2), "{claim}");
        assert!(
            text(&refused.stderr).contains("expected 'p1 wins'"),
            "{claim}"
        );
    }
}

#[test]
fn what_the_theorems_say_is_no_win_is_proved() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/theorems");
    let page = fs::read_to_string(folder.join("README.md")).unwrap();
    let set_ups = page.lines().filter_map(|line| {
        let set_up = line.strip_prefix("  - `")?;
        set_up.strip_suffix('`')
    });
    let (mut files, mut claims) = (Vec::new(), Vec::new());
    // Three draws of 4x4, then the losses of 3x6.
    for (i, set_up) in set_ups.enumerate() {
        if i >= 3 {
            files.push(folder.join(format!("3x6-loss{}.proof", i - 2)));
            claims.push(format!("proved: p2 wins in '{set_up}'"));
            continue;
        }
        for side in ["p1", "p2"] {
            files.push(folder.join(format!("draw{}-{side}.proof", i + 1)));
            claims.push(format!("proved: {side} draws in '{set_up}'"));
        }
    }
    assert_eq!(files.len(), 8);
    for (file, claim) in files.iter().zip(&claims) {
        let verified = totemic(&["verify", file.to_str().unwrap()]);
        assert!(verified.status.success(), "{}", text(&verified.stderr));
        assert!(text(&verified.stdout).contains(claim), "{claim}");
    }
    if let Some((accepted, said)) = python(&files) {
        assert!(accepted, "{said}");
        assert!(claims.iter().all(|claim| said.contains(claim)), "{said}");
    }
}

/// The page says what the files of the values hold, and the list of what is no win is
/// true.
#[test]
fn the_numbers_of_the_theorems_are_those_of_their_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/theorems");
    let page = fs::read_to_string(folder.join("README.md")).unwrap();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let list = fs::read_to_string(folder.join("3x6.txt")).unwrap();
    let sum = |column: usize| -> u64 {
        let lines = list.lines().skip(1);
        let words = lines.map(|line| line.split(' ').nth(column).expect("a column"));
        words.map(|word| word.parse::<u64>().unwrap()).sum()
    };
    let [wins, draws, losses, nodes] = [1, 2, 3, 4].map(sum);
    let grouped = |number: u64| {
        let digits: Vec<char> = number.to_string().chars().rev().collect();
        let groups: Vec<String> = digits
            .chunks(3)
            .map(|group| group.iter().collect())
            .collect();
        groups.join(",").chars().rev().collect::<String>()
    };
    let said = format!(
        "Of the {} set-ups up to reflection the first side wins {}, {draws} are draws, and it \
         loses {losses};",
        grouped(wins + draws + losses),
        grouped(wins)
    );
    assert!(page.contains(&said), "{said}");
    assert!(page.contains(&format!("{} nodes", grouped(nodes))));

    let file = folder.join("3x6-no-win.txt");
    let listed = fs::read_to_string(&file).unwrap();
    let of = |value: &str| listed.lines().filter(|line| line.ends_with(value)).count() as u64;
    assert_eq!((of("\tdraw"), of("\tloss")), (draws, losses));
    let solved = totemic(&["solve", "--threads", "2", "--file", file.to_str().unwrap()]);
    assert!(solved.status.success(), "{}", text(&solved.stderr));
}

/// The page states what they claim.
#[test]
fn the_tops_of_the_theorems_follow_from_their_tasks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/theorems");
    let page = fs::read_to_string(folder.join("README.md")).unwrap();
    // Wherever its lines break.
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let files = fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let tops: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|kind| kind == "top"))
        .collect();
    assert!(!tops.is_empty());
    for top in tops {
        let verified = totemic(&["verify", top.to_str().unwrap()]);
        assert!(verified.status.success(), "{}", text(&verified.stderr));
        let said = text(&verified.stdout);
        let (_, what) = said.split_once("follows from ").unwrap();
        let (tasks, position) = what.split_once(" tasks: p1 wins in '").unwrap();
        let (position, _) = position.split_once('\'').unwrap();
        let tasks: usize = tasks.parse().unwrap();
        assert!(page.contains(&format!("`{position}`")), "{position}");
        assert!(page.contains(&format!("{tasks} tasks")), "{tasks}");
    }
}

/// Both verifiers say the same of altered files whose checksum is right.
#[test]
fn verifiers_agree_on_altered_proofs() {
    let dir = TempDir::new().unwrap();
    let mut rng = Rng::new(53);
    let made = |(i, (position, claim)): (usize, &(&str, &str))| {
        certify(&dir, &format!("whole{i}"), position, claim).0
    };
    let mut proofs: Vec<PathBuf> = CLAIMS.iter().enumerate().map(made).collect();
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/certificates");
    proofs.extend(["parts.good", "parts-yoxii.good"].map(|name| vectors.join(name)));
    let mut files = Vec::new();
    for (i, proof) in proofs.iter().enumerate() {
        let whole = fs::read(proof).unwrap();
        for k in 0..150 {
            let mut body = whole[..whole.len() - 32].to_vec();
            let at = rng.below(body.len());
            match k % 3 {
                0 => body[at] ^= 1 << rng.below(7),
                1 => drop(body.remove(at)),
                _ => body.insert(at, rng.below(128) as u8),
            }
            let checksum = Sha256::digest(&body);
            body.extend_from_slice(&checksum);
            let path = dir.path().join(format!("altered{i}-{k}"));
            fs::write(&path, body).unwrap();
            files.push(path);
        }
    }
    let names: Vec<&str> = files.iter().map(|path| path.to_str().unwrap()).collect();
    let ours = text(&totemic(&[&["verify"], names.as_slice()].concat()).stdout);
    let Some((_, theirs)) = python(&files) else {
        return;
    };
    let accepted = |said: &str, name: &str| said.contains(&format!("{name}: proved"));
    let mut left = 0;
    for name in names {
        assert_eq!(accepted(&ours, name), accepted(&theirs, name), "{name}");
        left += usize::from(accepted(&ours, name));
    }
    // Some alterations leave a proof, such as another text for the prover.
    assert!(left > 0 && left < files.len() / 2, "{left}");
}

/// From its first move.
const START: &str = "x2,b2,b2,b1,b2/x2,b3,b1,b3,b1/x2,w1,w3,w1,w2/x2,w3,w1,w2,w2/x6/x6 b";

/// With a checksum that is right.
#[test]
fn headers_that_are_not_as_documented_are_refused_by_both_verifiers() {
    let dir = TempDir::new().unwrap();
    let (path, _) = certify(&dir, "whole", CLAIMS[3].0, CLAIMS[3].1);
    let whole = fs::read(path).unwrap();
    let end = whole.windows(2).position(|two| two == b"\n\n").unwrap();
    let header = text(&whole[..end]);
    let prover = header
        .lines()
        .find(|line| line.starts_with("prover"))
        .unwrap();
    let long = format!("{prover:x<2049}");
    let altered = [
        header.replace("certificate 1", "certificate 3"),
        header.replace("certificate 1", "certificate 11"),
        header.replace("rules yoxii-1", "rules yoxii"),
        header.replace("rules yoxii-1", "rules yoxii-1-1"),
        header.replace("rules yoxii-1", "rules Yoxii-1"),
        header.replace("rules yoxii-1", "rules hokito-1"),
        header.replace("position ", "position  "),
        header.replace("/3 w", "/3  w"),
        header.replace("/3 w", "/3 w\r"),
        header.replace("/3 w", "/3\tw"),
        header.replace("position 3/", "position \u{b2}1/"),
        header.replace("position 3/", "position \u{663}/"),
        header.replace("claim p1 wins", "claim p1 wins "),
        header.replace("claim p1 wins", "claim p1 >= -10001"),
        header.replace("claim p1 wins", "claim p1 >= -2147483648"),
        header.replace("choices ", "choices 0"),
        header.replace("choices ", "choices 99999999999999999999"),
        header.replace("\nprover ", "\nProver "),
        header.replace(prover, "prover"),
        header.replace(prover, &long),
        // As if the rest of the line was another.
        header.replace(&format!("{prover}\n"), &long[..2049]),
    ];
    let mut files = Vec::new();
    for (i, other) in altered.iter().enumerate() {
        assert_ne!(*other, header, "{i}");
        let mut body = other.clone().into_bytes();
        body.extend_from_slice(&whole[end..whole.len() - 32]);
        let checksum = Sha256::digest(&body);
        body.extend_from_slice(&checksum);
        let path = dir.path().join(format!("altered{i}"));
        fs::write(&path, body).unwrap();
        files.push(path);
    }
    for (file, other) in files.iter().zip(&altered) {
        let refused = totemic(&["verify", file.to_str().unwrap()]);
        assert_eq!(refused.status.code(), Some(1), "{other}");
        if let Some((accepted, said)) = python(std::slice::from_ref(file)) {
            assert!(!accepted, "{said}");
        }
    }
}

/// A proof without choices of a game that is over, cut where its header ends.
#[test]
fn headers_that_are_cut_are_refused_by_both_verifiers() {
    let dir = TempDir::new().unwrap();
    let (path, _) = certify(&dir, "whole", "x6/x6/x6/x6/x6/b1,x5 b", "p1 wins");
    let whole = fs::read(&path).unwrap();
    let body = &whole[..whole.len() - 32];
    assert!(body.ends_with(b"choices 0\n\n"));
    for (cut, is_proof) in [(0, true), (1, false), (2, false), (3, false)] {
        let mut body = body[..body.len() - cut].to_vec();
        let checksum = Sha256::digest(&body);
        body.extend_from_slice(&checksum);
        fs::write(&path, body).unwrap();
        let verified = totemic(&["verify", path.to_str().unwrap()]);
        assert_eq!(verified.status.success(), is_proof, "{cut}");
        if let Some((accepted, said)) = python(std::slice::from_ref(&path)) {
            assert_eq!(accepted, is_proof, "{cut}: {said}");
        }
    }
}

#[test]
fn parts_made_by_several_workers_are_one_proof() {
    let dir = TempDir::new().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (parts, list) = (path("parts"), path("parts/results.txt"));
    fs::create_dir(&parts).unwrap();
    let split = |out: &str| {
        let claim = ["certify", START, "--claim", "p1 wins"];
        let made = totemic(
            &[
                &claim[..],
                &["--split", "4000", "--results", &parts, "--out", out],
            ]
            .concat(),
        );
        assert!(made.status.success(), "{}", text(&made.stderr));
        let top = fs::read_to_string(out).unwrap();
        let tasks = top.lines().filter(|line| line.starts_with("task"));
        tasks.map(ToOwned::to_owned).collect::<Vec<String>>()
    };
    let merge = |top: &str, out: &str| {
        totemic(&["certify", "--merge", top, "--results", &parts, "--out", out])
    };
    let verified = |proof: &str| {
        assert!(totemic(&["verify", proof]).status.success());
        if let Some((accepted, said)) = python(&[PathBuf::from(proof)]) {
            assert!(accepted, "{said}");
        }
    };
    let (top, proof) = (path("top"), path("proof"));
    let tasks = split(&top);
    assert!(tasks.len() > 3, "{}", tasks.len());

    // Nothing is done: all tasks are named, and nothing is written.
    let unmade = merge(&top, &proof);
    assert_eq!(unmade.status.code(), Some(1));
    assert_eq!(text(&unmade.stdout).lines().collect::<Vec<_>>(), tasks);
    assert!(!Path::new(&proof).exists());

    // Two workers at once, one of which is killed in the midst.
    let worker = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_totemic"));
        command.args(["certify", "--task-file", &top, "--results", &parts]);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let mut killed = worker();
    let one = totemic(&["certify", "--task", &tasks[0], "--results", &parts]);
    assert_done(&one);
    killed.kill().unwrap();
    killed.wait().unwrap();
    let cut = fs::read_to_string(&list).unwrap() + "0123 proved 1";
    fs::write(&list, cut).unwrap();
    for worker in [worker(), worker()] {
        assert_done(&worker.wait_with_output().unwrap());
    }

    // Where the engine was wrong, tasks are refuted: another top keeps the rest.
    let finish = |name: &str| {
        for round in 0..30 {
            let (top, proof) = (
                path(&format!("{name}{round}")),
                path(&format!("{name}.proof")),
            );
            let tasks = split(&top);
            assert_done(&totemic(&[
                "certify",
                "--task-file",
                &top,
                "--results",
                &parts,
            ]));
            let made = merge(&top, &proof);
            if made.status.success() {
                verified(&proof);
                return (top, tasks);
            }
            assert!(
                text(&made.stderr).contains("refuted: task"),
                "{}",
                text(&made.stderr)
            );
        }
        panic!("no proof after 30 rounds");
    };
    let (top, done) = finish("first");
    assert!(done.iter().any(|task| tasks.contains(task)));

    // The same parts on another machine, byte for byte; an altered one is missed.
    let again = path("again");
    totemic(&["certify", "--task", &done[1], "--results", &again]);
    let id = done[1].split('\t').nth(1).unwrap();
    let stream = |folder: &str| format!("{folder}/{id}.stream");
    assert_eq!(
        fs::read(stream(&again)).unwrap(),
        fs::read(stream(&parts)).unwrap()
    );
    fs::write(stream(&parts), "altered").unwrap();
    let unmade = merge(&top, &path("none"));
    assert_eq!(text(&unmade.stdout).trim_end(), done[1]);
    totemic(&["certify", "--task", &done[1], "--results", &parts]);
    assert_eq!(
        fs::read(stream(&again)).unwrap(),
        fs::read(stream(&parts)).unwrap()
    );

    // A machine that loses its power may leave any bytes, and a worker with another top
    // find too large what is proved; what is done stays done.
    let mut damaged = fs::read(&list).unwrap();
    damaged.extend(format!("{id} large 7\n").bytes());
    damaged.extend(b"\xff\0\xfe");
    fs::write(&list, damaged).unwrap();
    let resumed = totemic(&["certify", "--task-file", &top, "--results", &parts]);
    assert!(resumed.status.success() && resumed.stdout.is_empty());
    let said = text(&resumed.stderr);
    assert!(
        said.contains("results.txt': 1 bad line passed over"),
        "{said}"
    );
    assert!(
        said.contains("'0123 proved 1'") && said.lines().count() == 2,
        "{said}"
    );
    assert!(merge(&top, &path("whole")).status.success());
    verified(&path("whole"));

    // A task that was refuted sends the proof another way.
    let mut refuted = fs::read(&list).unwrap();
    refuted.extend(format!("\n{id} refuted 7\n").bytes());
    fs::write(&list, refuted).unwrap();
    fs::remove_file(stream(&parts)).unwrap();
    let unmade = merge(&top, &path("none"));
    assert!(text(&unmade.stderr).contains(&format!("refuted: {}", done[1])));
    for work in [["--task-file", &top], ["--task", &done[1]]] {
        let known = totemic(&[&["certify", "--results", &parts], &work[..]].concat());
        let said = text(&known.stderr);
        assert!(known.status.code() == Some(1) && known.stdout.is_empty());
        assert!(
            said.contains("that are refuted: 1, too large: 0;"),
            "{said}"
        );
    }
    let (_, others) = finish("second");
    assert!(!others.contains(&done[1]));

    let bad = tasks[0].replace("p1 wins", "p1 draws");
    let refused = totemic(&["certify", "--task", &bad, "--results", &parts]);
    assert_eq!(refused.status.code(), Some(2));
}

/// As `cp` and `cat` do it.
#[test]
fn folders_of_several_machines_are_put_together_by_copying() {
    let dir = TempDir::new().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (top, all) = (path("top"), path("all"));
    let claim = ["--claim", "p1 wins", "--split", "4000", "--out", &top];
    let made = totemic(&[&["certify", START], &claim[..]].concat());
    assert!(made.status.success(), "{}", text(&made.stderr));
    let folders = [path("one"), path("two")];
    let lines = fs::read_to_string(&top).unwrap();
    let tasks = lines.lines().filter(|line| line.starts_with("task"));
    for (task, folder) in tasks.zip(folders.iter().cycle()) {
        assert_done(&totemic(&["certify", "--task", task, "--results", folder]));
    }
    fs::create_dir(&all).unwrap();
    let mut list = String::new();
    for folder in &folders {
        for file in fs::read_dir(folder).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), Path::new(&all).join(file.file_name())).unwrap();
        }
        list += &fs::read_to_string(format!("{folder}/results.txt")).unwrap();
    }
    fs::write(format!("{all}/results.txt"), list).unwrap();
    let done = totemic(&["certify", "--task-file", &top, "--results", &all]);
    assert_done(&done);
    assert!(done.stdout.is_empty(), "{}", text(&done.stdout));
}

/// Of rules that are not known no task is done, and what a file says is shown so that
/// it tells a terminal nothing.
#[test]
fn files_with_foreign_rules_or_control_characters_are_refused() {
    let dir = TempDir::new().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (top, parts, file, none) = (path("top"), path("parts"), path("file"), path("none"));
    let claim = ["--claim", "p1 wins", "--split", "4000", "--out", &top];
    let made = totemic(&[&["certify", START], &claim[..]].concat());
    assert!(made.status.success(), "{}", text(&made.stderr));
    let whole = fs::read_to_string(&top).unwrap();
    fs::write(&file, whole.replace("hokito-1", "hokito-2")).unwrap();
    for work in [
        &["--task-file", &file][..],
        &["--merge", &file, "--out", &none],
    ] {
        let refused = totemic(&[&["certify", "--results", &parts], work].concat());
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{said}");
        assert!(said.contains("rules 'hokito-2'"), "{said}");
    }
    assert!(!Path::new(&parts).exists());

    let evil = "\x1b[2J\x07\u{9b}";
    let (proof, _) = certify(&dir, "proof", CLAIMS[3].0, CLAIMS[3].1);
    let proof = fs::read(proof).unwrap();
    let end = proof.windows(2).position(|two| two == b"\n\n").unwrap();
    let header = text(&proof[..end]);
    let place = format!("{START}{evil}");
    let task = format!("\n\ntask\t{}\t1\tp1 wins\t{place}\n", task_id(&place));
    let mut files = Vec::new();
    for (from, to) in [
        ("rules ", format!("rules {evil}")),
        ("rules ", format!("{evil} ")),
        ("position ", format!("position {evil} ")),
        ("position ", format!("position {evil}")),
        ("claim ", format!("claim {evil}")),
        ("choices ", format!("choices {evil}")),
        ("\n\n", format!("\n{evil}\n")),
        ("\n\n", format!("\n\n{evil}\n")),
        ("\n\n", task),
    ] {
        if whole.contains(from) {
            files.push(whole.replacen(from, &to, 1).into_bytes());
        }
        let mut body = (header.clone() + "\n\n")
            .replacen(from, &to, 1)
            .into_bytes();
        body.extend_from_slice(&proof[end + 2..proof.len() - 32]);
        let checksum = Sha256::digest(&body);
        body.extend_from_slice(&checksum);
        files.push(body);
    }
    for bytes in files {
        fs::write(&file, bytes).unwrap();
        let merge = ["--merge", &file, "--results", &parts, "--out", &none];
        for args in [
            &["verify", &file][..],
            &["certify", "--task-file", &file, "--results", &parts],
            &[&["certify"], &merge[..]].concat(),
        ] {
            let output = totemic(args);
            let said = text(&[output.stdout, output.stderr].concat());
            assert!(is_clean(&said), "{args:?}: {said:?}");
            let is_refused = output.status.code() == Some(1);
            assert!(is_refused || args[0] != "verify", "{said}");
        }
        assert_ne!(python_accepts_top(&file, None), Some(true));
        let accepted = python(&[PathBuf::from(&file)]).map(|(accepted, _)| accepted);
        assert_ne!(accepted, Some(true));
    }
}

#[test]
fn a_task_that_is_far_too_large_is_split_again() {
    let start = "x3,b2,b2,b1/x3,b3,b1,b3/x3,b1,b3,b2/x3,w1,w2,w2/x3,w1,w3,w3/x3,w3,w1,w2 b";
    let dir = TempDir::new().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (top, parts, proof) = (path("top"), path("parts"), path("proof"));
    fs::create_dir(&parts).unwrap();
    let split = |top: &str| {
        let claim = ["certify", start, "--claim", "p1 wins", "--split", "30000"];
        let made = totemic(&[&claim[..], &["--results", &parts, "--out", top]].concat());
        assert!(made.status.success(), "{}", text(&made.stderr));
        let top = fs::read_to_string(top).unwrap();
        let tasks = top.lines().filter(|line| line.starts_with("task"));
        tasks.map(ToOwned::to_owned).collect::<Vec<String>>()
    };
    let merge = |top: &str| {
        totemic(&[
            "certify",
            "--merge",
            top,
            "--results",
            &parts,
            "--out",
            &proof,
        ])
    };
    let prove = |top: &str, parts: &str| {
        let done = totemic(&["certify", "--task-file", top, "--results", parts]);
        assert_done(&done);
        text(&done.stdout)
    };
    let tasks = split(&top);
    let id_of = |task: &str| task.split('\t').nth(1).unwrap().to_owned();
    // The one that takes most nodes, with far fewer than these.
    let proved = prove(&top, &path("others"));
    let nodes = |line: &&str| line.split(' ').nth(2).unwrap().parse::<u64>().unwrap();
    let longest = proved.lines().max_by_key(nodes).unwrap();
    let task = tasks
        .iter()
        .find(|task| longest.starts_with(&id_of(task)))
        .unwrap();
    let (id, starved) = (id_of(task), task.replace("\t30000\t", "\t1\t"));
    assert_ne!(starved, *task);
    let done = totemic(&["certify", "--task", &starved, "--results", &parts]);
    assert!(
        text(&done.stdout).starts_with(&format!("{id} large ")),
        "{longest}"
    );
    // Now, and where it is left out as known.
    let known = totemic(&["certify", "--task", &starved, "--results", &parts]);
    for done in [done, known] {
        let said = text(&done.stderr);
        assert_eq!(done.status.code(), Some(1), "{said}");
        assert!(
            said.contains("that are refuted: 0, too large: 1;"),
            "{said}"
        );
    }

    let unmade = merge(&top);
    assert_eq!(unmade.status.code(), Some(1));
    let said = text(&unmade.stderr);
    assert!(said.contains(&format!("too large: {task}")), "{said}");
    assert!(said.contains("--split again"), "{said}");
    assert!(!text(&unmade.stdout).contains(&id) && !Path::new(&proof).exists());

    // The next top has smaller tasks there.
    for round in 0..30 {
        let next = path(&format!("next{round}"));
        assert!(!split(&next).contains(task));
        prove(&next, &parts);
        if merge(&next).status.success() {
            assert!(totemic(&["verify", &proof]).status.success());
            tops_are_checked_with_their_tasks(&next, &parts);
            return;
        }
    }
    panic!("no proof after 30 rounds");
}

/// What `verify` says of a top and of the streams of all its tasks.
fn tops_are_checked_with_their_tasks(top: &str, parts: &str) {
    let said = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_totemic"));
        let output = in_time(command.arg("verify").args(args)).unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), text(&said))
    };
    let whole = fs::read_to_string(top).unwrap();
    let tasks = whole.lines().filter(|line| line.starts_with("task"));
    let ids: Vec<&str> = tasks.map(|task| task.split('\t').nth(1).unwrap()).collect();
    let (code, line) = said(&[top]);
    assert_eq!(code, Some(0), "{line}");
    assert!(
        line.contains(&format!("follows from {} tasks: p1 wins in", ids.len())),
        "{line}"
    );
    let (code, line) = said(&[top, "--results", parts]);
    assert_eq!(code, Some(0), "{line}");
    assert!(line.contains("proved: p1 wins in"), "{line}");
    assert_ne!(python_accepts_top(top, Some(parts)), Some(false));

    let stream = format!("{parts}/{}.stream", ids[1]);
    let bytes = fs::read(&stream).unwrap();
    fs::write(&stream, &bytes[1..]).unwrap();
    let (code, line) = said(&[top, "--results", parts]);
    assert!(
        code == Some(1) && line.contains(&format!("'{stream}': it does not prove task")),
        "{line}"
    );
    assert_ne!(python_accepts_top(top, Some(parts)), Some(true));
    fs::remove_file(&stream).unwrap();
    assert_ne!(python_accepts_top(top, Some(parts)), Some(true));
    let (code, line) = said(&[top, "--results", parts]);
    let missing = format!("without a stream: 1 (the first of task {})", ids[1]);
    assert!(code == Some(1) && line.contains(&missing), "{line}");
    // What would wait for ever is no stream.
    #[cfg(unix)]
    assert!(
        Command::new("mkfifo")
            .arg(&stream)
            .status()
            .unwrap()
            .success()
    );
    assert_ne!(python_accepts_top(top, Some(parts)), Some(true));
    let (code, line) = said(&[top, "--results", parts]);
    let is_named = line.contains(&format!(
        "'{stream}': it is a pipe: expected a regular file"
    ));
    #[cfg(unix)]
    assert!(code == Some(1) && is_named, "{line}");

    // A top that leaves a task out, has it twice, or another in its place; or whose
    // header is not as it should be.
    let line_of = |id: &str| whole.lines().find(|line| line.contains(id)).unwrap();
    let (one, other) = (line_of(ids[1]), line_of(ids[2]));
    for altered in [
        whole.replace(&format!("{one}\n"), ""),
        whole.replace(one, &format!("{one}\n{one}")),
        whole.replace(one, other),
        whole.replace("totemic top 1", "totemic top 12"),
        whole.replace("rules hokito-1", "rules hokito"),
        whole.replace("rules hokito-1", "rules hokito-2"),
        whole.replacen("\n\n", "\nmore\n", 1),
        whole.replacen("\n\n", "\n", 1),
        whole.replacen("claim ", "claim  ", 1),
        whole.replace('\n', "\r\n"),
        whole.replacen("\n\n", "\n\n0", 1),
        whole.replacen("\n\n", "\n\n+", 1),
        whole.replacen("\t30000\t", "\t030000\t", 1),
        whole.replacen("\t30000\t", "\t18446744073709551616\t", 1),
        whole.trim_end().to_owned(),
        whole.clone() + "\n",
        whole.clone() + &"0".repeat(3000) + "\n",
    ] {
        assert_ne!(altered, whole);
        fs::write(top, altered).unwrap();
        let (code, line) = said(&[top]);
        assert!(code == Some(1) && line.contains("not proved"), "{line}");
        assert_ne!(python_accepts_top(top, None), Some(true));
    }
}

#[test]
fn options_that_would_do_nothing_are_refused() {
    let id = task_id("3/5/7/3*3/7/5/3 w");
    let task = &format!("task\t{id}\t1\tp1 wins\t3/5/7/3*3/7/5/3 w");
    let part = ["certify", "--results", "parts"];
    for (work, option) in [
        (&["--task-file", "top"][..], &["--hash", "64"][..]),
        (&["--task-file", "top"], &["--max-size", "8"]),
        (&["--task-file", "top"], &["--out", "file"]),
        (&["--task-file", "top"], &["--force"]),
        (&["--task", task], &["--hash", "64"]),
        (&["--out", "file", "startpos", "--claim", "p1 wins"], &[]),
        (&["--merge", "top", "--out", "file"], &["--hash", "64"]),
        (&["--merge", "top", "--out", "file"], &["--max-size", "8"]),
        (
            &["--merge", "top", "--out", "file"],
            &["--claim", "p1 wins"],
        ),
        (
            &[
                "--split", "900", "--out", "file", "startpos", "--claim", "p1 wins",
            ],
            &["--hash", "64"],
        ),
    ] {
        let refused = totemic(&[&part[..], work, option].concat());
        assert_eq!(refused.status.code(), Some(2), "{work:?} {option:?}");
        let said = text(&refused.stderr);
        let refused = option.first().unwrap_or(&"--results");
        assert!(said.contains(refused), "{work:?} {option:?}: {said}");
    }
}

/// While it samples, and while it makes the top.
#[cfg(unix)]
#[test]
fn a_split_that_is_stopped_leaves_nothing() {
    for wait in [0, 5000] {
        let dir = TempDir::new().unwrap();
        let out = dir.path().join("top");
        let mut child = Command::new(env!("CARGO_BIN_EXE_totemic"))
            .args([
                "certify", "startpos", "--game", "hokito", "--claim", "p1 wins",
            ])
            .args(["--split", "100", "--out", out.to_str().unwrap()])
            .spawn()
            .unwrap();
        let begin = Instant::now();
        while !commands::hears_interrupts(child.id()) {
            assert!(begin.elapsed() < Duration::from_secs(60));
            sleep(Duration::from_millis(5));
        }
        sleep(Duration::from_millis(wait));
        let id = nix::unistd::Pid::from_raw(child.id() as i32);
        nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGINT).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}

#[test]
fn an_estimate_says_what_is_proved_and_what_is_not() {
    let told = |args: &[&str]| {
        let output = totemic(&[&["estimate", START, "--json"], args].concat());
        let object = serde_json::from_slice(&output.stdout).unwrap_or(serde_json::Value::Null);
        (output.status.code(), object)
    };
    let (code, proved) = told(&[]);
    assert_eq!(code, Some(0));
    assert_eq!(proved["proved"], true);
    assert_eq!(proved["claim"], "p1 wins");
    let nodes = proved["nodes"].as_f64().unwrap();

    let small = ["--budget", "500", "--samples", "100", "--claim", "p1 wins"];
    let (code, estimated) = told(&small);
    assert_eq!(code, Some(0));
    assert!(estimated["proved"].is_null());
    let found = &estimated["estimate"];
    let [mean, low, high] = ["nodes", "nodes_low", "nodes_high"].map(|field| found[field].as_f64());
    assert!(low < mean && mean < high, "{estimated}");
    let factor = mean.unwrap() / nodes;
    assert!((0.25..4.0).contains(&factor), "{factor}");
    assert_eq!(told(&small).1["estimate"]["nodes"], found["nodes"]);

    let (code, refuted) = told(&["--claim", "p2 draws"]);
    assert_eq!(
        (code, &refuted["proved"]),
        (Some(1), &serde_json::json!(false))
    );
    let refused = totemic(&["estimate", START, "--claim", "p3 wins"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("expected 'p1 wins'"));
}

/// What `estimate --help` says of its interval, on random set-ups of Hokito and endgames of
/// both games.
#[test]
fn intervals_of_estimates_hold_what_certificates_take() {
    let mut rng = Rng::new(83);
    let mut claims: Vec<(String, String)> = Vec::new();
    for round in 0..12 {
        let (files, values) = match round % 3 {
            2 => (3, &[1, 1, 1, 2, 2, 2, 3, 3, 3][..]),
            _ => (4, &[1, 1, 1, 2, 2, 2, 3, 3][..]),
        };
        let mut row = |side: char| {
            let mut values = values.to_vec();
            rng.shuffle(&mut values);
            let pawns = values.into_iter().map(|value| format!("{side}{value}"));
            pawns.collect::<Vec<_>>()
        };
        let pawns = [row('b'), row('w')].concat();
        let ranks = pawns
            .chunks(files)
            .map(|rank| format!("{},x{}", rank.join(","), 6 - files));
        let mut ranks: Vec<String> = ranks.collect();
        ranks.resize(6, "x6".to_owned());
        claims.push((format!("{} b", ranks.join("/")), "p1 wins".to_owned()));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/suite");
    for (game, first) in [("yoxii", 'w'), ("hokito", 'b')] {
        let rows = fs::read_to_string(folder.join(format!("{game}-12.tsv"))).unwrap();
        for row in rows.lines().take(4) {
            let fields: Vec<&str> = row.split('\t').collect();
            let mover = if fields[1].ends_with(first) {
                "p1"
            } else {
                "p2"
            };
            let goal = if fields[2] == "win" { "wins" } else { "draws" };
            claims.push((fields[1].to_owned(), format!("{mover} {goal}")));
        }
    }
    let dir = TempDir::new().unwrap();
    let (mut held, mut logs) = (0, 0.0);
    for (at, (position, claim)) in claims.iter().enumerate() {
        let (_, made) = certify(&dir, &at.to_string(), position, claim);
        let said = text(&made.stdout);
        let cost = said.split(" nodes of the solver)").next().unwrap();
        let cost: u64 = cost.rsplit(' ').next().unwrap().parse().expect(&said);
        let budget = (cost / 100).max(50).to_string();
        let args = [
            "estimate", position, "--claim", claim, "--json", "--budget", &budget,
        ];
        let told: serde_json::Value = serde_json::from_slice(&totemic(&args).stdout).unwrap();
        let found = &told["estimate"];
        let number = |field: &str| found[field].as_f64().expect(position);
        held += u32::from((number("nodes_low")..=number("nodes_high")).contains(&(cost as f64)));
        logs += (number("nodes") / cost as f64).ln();
    }
    assert!(held >= 19, "{held} of {}", claims.len());
    let factor = (logs / claims.len() as f64).exp();
    assert!((0.5..2.0).contains(&factor), "{factor}");
}

/// The header in the documentation of the format.
#[test]
fn the_documented_certificate_is_what_the_command_writes() {
    let dir = TempDir::new().unwrap();
    let (path, _) = certify(&dir, "4x4", START, "p1 wins");
    let written = String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
    let (header, _) = written.split_once("\n\n").unwrap();
    let documented = header.lines().map(|line| format!("//! {line}\n"));
    let block = format!("```text\n{}//! ```", documented.collect::<String>());
    let page = include_str!("../../src/search/solver/certificate.rs");
    assert!(page.contains(&block), "{block}");
}

/// A false claim, so that the work would be told first if it were done first.
#[test]
fn a_place_that_takes_no_file_is_refused_before_the_work() {
    let dir = TempDir::new().unwrap();
    let folder = dir.path().display().to_string();
    let nowhere = dir.path().join("none/a.proof").display().to_string();
    let position = "3/IIy1o/yOO1I*1/o1Yy3/yoiiIX1/IXoyO/3 w";
    for place in [&nowhere, &folder] {
        let refused = totemic(&[
            "certify", position, "--claim", "p2 wins", "--out", place, "--force",
        ]);
        assert_eq!(refused.status.code(), Some(1));
        let why = text(&refused.stderr);
        assert!(
            why.contains("cannot write") && why.contains(place.as_str()),
            "{why}"
        );
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}
