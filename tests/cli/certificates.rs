//! Proofs in files: made and checked by the program, and checked by a verifier in another
//! language with its own rules.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use super::parts::{Proof, START, id_of};
use crate::commands::{self, task_id};
use crate::program::{self, Folder, assert_has, cases, in_time, stderr, stdout, totemic};
use sha2::{Digest, Sha256};
use totemic_engine::game::Rng;

/// Late positions, and true claims about them.
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

fn is_clean(text: &str) -> bool {
    let is_clean = |c: char| "\n\t".contains(c) || !c.is_control();
    text.replace("\r\n", "\n").chars().all(is_clean)
}

/// Whether a verifier in Python accepts. If it breaks, that is not a refusal.
fn is_accepted(output: &Output) -> bool {
    let said = stderr(output);
    let is_refused = output.status.code() == Some(1) && said.contains("not proved: ");
    assert!(output.status.success() || is_refused, "{said}");
    assert!(!said.contains("Traceback") && is_clean(&said), "{said:?}");
    output.status.success()
}

/// If a task is refuted or too large, that must be said, and the exit code be 1.
fn assert_done(done: &Output) {
    let said = stderr(done);
    let is_left = said.contains("tasks refuted: ");
    assert_eq!(done.status.code(), Some(i32::from(is_left)), "{said}");
}

/// `None`, with a message, without Python.
fn python(
    script: &str,
    dir: &Path,
    files: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Option<Output> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(script);
    let mut python = program::python()?;
    let command = python.current_dir(dir).arg(script).args(files);
    Some(in_time(command).expect("it starts"))
}

pub fn python_accepts_top(dir: &Folder, parts: Option<&str>, top: &str) -> Option<bool> {
    let output = python("verify_top.py", dir.at(), [top].into_iter().chain(parts))?;
    Some(is_accepted(&output))
}

fn python_says(files: &[PathBuf]) -> Option<String> {
    let output = python("verify_certificate.py", Path::new("."), files)?;
    is_accepted(&output);
    Some(stdout(&output))
}

fn certify(dir: &Folder, name: &str, (position, claim): (&str, &str)) -> (PathBuf, Output) {
    let line = format!("certify '{position}' --claim '{claim}' --out {name}");
    (dir.path(name), dir.run(&line))
}

/// Which files `verify` accepts, as the verifier in Python must, and what it says.
fn verdicts(files: &[PathBuf]) -> (Vec<bool>, String) {
    let output = totemic().arg("verify").args(files).output();
    let output = output.expect("it starts");
    let said = stdout(&output) + &stderr(&output);
    let accepted = |said: &str| -> Vec<bool> {
        let is_proved = |file: &PathBuf| said.contains(&format!("{}: proved", file.display()));
        files.iter().map(is_proved).collect()
    };
    let ours = accepted(&said);
    let code = i32::from(ours.contains(&false));
    assert_eq!(output.status.code(), Some(code), "{said}");
    if let Some(theirs) = python_says(files) {
        assert_eq!(accepted(&theirs), ours, "{theirs}\n{said}");
    }
    (ours, said)
}

/// Returns the header of a certificate with the empty line after it, and the choices.
fn split_proof(path: &Path) -> (String, Vec<u8>) {
    let whole = fs::read(path).unwrap();
    let end = whole.windows(2).position(|two| two == b"\n\n").unwrap() + 2;
    let header = String::from_utf8_lossy(&whole[..end]).into_owned();
    (header, whole[end..whole.len() - 32].to_vec())
}

fn write_signed(path: &Path, mut body: Vec<u8>) {
    let checksum = Sha256::digest(&body);
    body.extend_from_slice(&checksum);
    fs::write(path, body).unwrap();
}

fn theorems() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/theorems")
}

#[test]
fn the_test_vectors_are_proofs() {
    let dir = Path::new("tests/data/certificates");
    let files = fs::read_dir(dir).unwrap();
    let files = files.map(|file| file.unwrap().path());
    // The list says beside each file what `verify` says about it.
    let list = fs::read_to_string(dir.join("README.md")).unwrap();
    let row = |line: &str| {
        let (name, rest) = line.strip_prefix("| `")?.split_once("` | ")?;
        let said = rest.rsplit_once(" | ")?.1.strip_suffix(" |")?;
        Some((name.to_owned(), said.to_owned()))
    };
    let rows: Vec<(String, String)> = list.lines().filter_map(row).collect();
    let kinds = files.filter_map(|path| path.extension().map(ToOwned::to_owned));
    let vectors = kinds.filter(|kind| kind == "good" || kind == "bad");
    assert_eq!(rows.len(), vectors.count());
    let files: Vec<PathBuf> = rows.iter().map(|(name, _)| dir.join(name)).collect();
    let (accepted, told) = verdicts(&files);
    for ((name, said), is_proof) in rows.iter().zip(accepted) {
        assert_eq!(is_proof, name.ends_with("good"), "{name}");
        let mut lines = told
            .lines()
            .filter(|line| line.contains(&format!("/{name}")));
        assert!(lines.any(|line| line.contains(said)), "{name}: {told}");
    }
}

#[test]
fn a_false_claim_writes_nothing() {
    let dir = Folder::new();
    let (position, _) = CLAIMS[3];
    let (_, made) = certify(&dir, "false", (position, "p2 draws"));
    assert_eq!(made.status.code(), Some(1));
    assert_has(&stderr(&made), "it is false that p2 draws");
    assert_eq!(fs::read_dir(dir.at()).unwrap().count(), 0);
}

#[test]
fn what_the_theorems_say_is_no_win_is_proved() {
    let page = fs::read_to_string(theorems().join("README.md")).unwrap();
    let set_ups = page
        .lines()
        .filter_map(|line| line.strip_prefix("  - `")?.strip_suffix('`'));
    // Three draws of 4x4, then the losses of 3x6.
    let mut proofs = 0;
    for (i, set_up) in set_ups.enumerate() {
        let draws = ["p1", "p2"].map(|side| (format!("draw{}-{side}", i + 1), side, "draws"));
        let loss = [(
            format!("3x6-loss{}", (i + 1).saturating_sub(3)),
            "p2",
            "wins",
        )];
        for (name, side, result) in if i < 3 { &draws[..] } else { &loss } {
            let file = theorems().join(format!("{name}.proof"));
            let said = Folder::new().ok(&format!("verify '{}'", file.display()));
            assert_has(&said, &format!("proved: {side} {result} in '{set_up}'"));
            // For the large ones Python would take half a minute.
            if i == 0 {
                verdicts(&[file]);
            }
            proofs += 1;
        }
    }
    assert_eq!(proofs, 8);
}

/// The page and the list of set-ups that are not wins are right.
#[test]
fn the_numbers_of_the_theorems_are_those_of_their_files() {
    let page = fs::read_to_string(theorems().join("README.md")).unwrap();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let list = fs::read_to_string(theorems().join("3x6.txt")).unwrap();
    let sum = |column: usize| -> u64 {
        let lines = list.lines().skip(1);
        let words = lines.map(|line| line.split(' ').nth(column).expect("a column"));
        words.map(|word| word.parse::<u64>().unwrap()).sum()
    };
    let [wins, draws, losses, nodes] = [1, 2, 3, 4].map(sum);
    let page = page.replace(',', "");
    let said = format!(
        "Of the {} set-ups up to reflection the first side wins {wins} {draws} are draws and it \
         loses {losses};",
        wins + draws + losses
    );
    assert!(page.contains(&said), "{said}");
    assert!(page.contains(&format!("{nodes} nodes")));

    let listed = fs::read_to_string(theorems().join("3x6-no-win.txt")).unwrap();
    let of = |value: &str| listed.lines().filter(|line| line.ends_with(value)).count() as u64;
    assert_eq!((of("\tdraw"), of("\tloss")), (draws, losses));
    // One in eight, because all of them take a while.
    let some: Vec<&str> = listed.lines().step_by(8).collect();
    let dir = Folder::new();
    dir.write("some", some.join("\n") + "\n");
    dir.ok("solve --threads 2 --file some");
}

/// The altered files have a correct checksum.
#[test]
fn verifiers_agree_on_proofs_and_on_altered_ones() {
    let dir = Folder::new();
    let mut rng = Rng::new(53);
    let (mut proofs, mut claims) = (Vec::new(), Vec::new());
    for (at, (position, claim)) in CLAIMS.into_iter().enumerate() {
        let (path, made) = certify(&dir, &format!("whole{at}"), (position, claim));
        assert!(made.status.success(), "{position}: {}", stderr(&made));
        let said = format!("proved: {claim} in '{position}'");
        assert!(stdout(&made).starts_with(&said), "{}", stdout(&made));
        claims.push(said);
        proofs.push(path);
    }
    let (accepted, said) = verdicts(&proofs);
    assert_eq!(accepted, [true; CLAIMS.len()]);
    let is_told = |(line, claim): (&str, &String)| line.contains(claim);
    assert!(said.lines().zip(&claims).all(is_told), "{said}");

    proofs.push("tests/data/certificates/parts-yoxii.good".into());
    let mut files = Vec::new();
    for (i, proof) in proofs.iter().enumerate() {
        let whole = fs::read(proof).unwrap();
        for k in 0..60 {
            let mut body = whole[..whole.len() - 32].to_vec();
            let at = rng.below(body.len());
            match k % 3 {
                0 => body[at] ^= 1 << rng.below(7),
                1 => drop(body.remove(at)),
                _ => body.insert(at, rng.below(128) as u8),
            }
            let path = dir.path(&format!("altered{i}-{k}"));
            write_signed(&path, body);
            files.push(path);
        }
    }
    let (accepted, _) = verdicts(&files);
    let left = accepted.into_iter().filter(|&is_proof| is_proof).count();
    // Some alterations leave a proof, such as a different text for the prover.
    assert!(left > 0 && left < files.len() / 2, "{left}");
}

#[test]
fn headers_that_are_not_as_documented_are_refused_by_both_verifiers() {
    let dir = Folder::new();
    let (path, _) = certify(&dir, "whole", CLAIMS[3]);
    let (header, choices) = split_proof(&path);
    let mut lines = header.lines();
    let prover = lines.find(|line| line.starts_with("prover")).unwrap();
    let long = format!("{prover:x<2049}");
    let mut altered = Vec::new();
    for (from, to) in [
        ("certificate 1", "certificate 3"),
        ("certificate 1", "certificate 11"),
        ("rules yoxii-1", "rules yoxii"),
        ("rules yoxii-1", "rules yoxii-1-1"),
        ("rules yoxii-1", "rules Yoxii-1"),
        ("rules yoxii-1", "rules hokito-1"),
        ("position ", "position  "),
        ("/3 w", "/3  w"),
        ("/3 w", "/3 w\r"),
        ("/3 w", "/3\tw"),
        ("position 3/", "position \u{b2}1/"),
        ("position 3/", "position \u{663}/"),
        ("claim p1 wins", "claim p1 wins "),
        ("claim p1 wins", "claim p1 >= -10001"),
        ("claim p1 wins", "claim p1 >= -2147483648"),
        ("choices ", "choices 0"),
        ("choices ", "choices 99999999999999999999"),
        ("\nprover ", "\nProver "),
        (prover, "prover"),
        (prover, &long),
        // As if the rest of the line were different.
        (&format!("{prover}\n"), &long[..2049]),
    ] {
        let other = header.replace(from, to);
        assert_ne!(other, header, "{to}");
        altered.push(dir.path(&format!("altered{}", altered.len())));
        write_signed(
            altered.last().unwrap(),
            [other.as_bytes(), &choices].concat(),
        );
    }
    let (accepted, said) = verdicts(&altered);
    assert!(!accepted.contains(&true), "{said}");
}

/// A proof without choices, for a game that is over, cut off where its header ends.
#[test]
fn headers_that_are_cut_are_refused_by_both_verifiers() {
    let dir = Folder::new();
    let (path, _) = certify(&dir, "whole", ("x6/x6/x6/x6/x6/b1,x5 b", "p1 wins"));
    let whole = fs::read(&path).unwrap();
    let body = &whole[..whole.len() - 32];
    assert!(body.ends_with(b"choices 0\n\n"));
    let files = [0, 1, 2, 3].map(|cut| {
        let path = dir.path(&format!("cut{cut}"));
        write_signed(&path, body[..body.len() - cut].to_vec());
        path
    });
    assert_eq!(verdicts(&files).0, [true, false, false, false]);
}

/// Proves tasks, and others instead of those refuted or too large, until all are proved.
fn finish(proof: &Proof) {
    for _ in 0..30 {
        assert_done(&proof.work());
        let made = proof.merge();
        if made.status.success() {
            assert!(verdicts(&[proof.0.path("proof")]).0[0]);
            return;
        }
        let said = stderr(&made);
        let is_left = ["refuted", "too large"].map(|why| format!("{why}: task"));
        assert!(is_left.iter().any(|why| said.contains(why)), "{said}");
        proof.split("--results parts");
    }
    panic!("no proof after 30 rounds");
}

#[test]
fn parts_made_by_several_workers_are_one_proof() {
    let proof = Proof::new();
    let dir = &proof.0;
    let tasks = proof.tasks();
    assert!(tasks.len() > 3, "{}", tasks.len());

    // Nothing has been done: all tasks are named, and nothing is written.
    fs::create_dir(dir.path("parts")).unwrap();
    let unmade = proof.merge();
    assert_eq!(unmade.status.code(), Some(1));
    assert_eq!(stdout(&unmade).lines().collect::<Vec<_>>(), tasks);
    assert!(!dir.path("proof").exists());

    // Two workers run at once, and one of them is killed in the middle.
    let worker = || {
        let mut command = dir.command("certify --task-file top --results parts");
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let mut killed = worker();
    assert_done(&proof.work_on(&tasks[0]));
    killed.kill().unwrap();
    killed.wait().unwrap();
    let list = "parts/results.txt";
    dir.write(list, dir.read(list) + "0123 proved 1");
    for worker in [worker(), worker()] {
        assert_done(&worker.wait_with_output().unwrap());
    }
    finish(&proof);
    let done = proof.tasks();
    assert!(done.iter().any(|task| tasks.contains(task)));

    // Another machine makes the same parts, byte for byte; an altered one is missed.
    let task = &done[1];
    let id = id_of(task);
    proof.work_on_in(task, "again");
    let again = fs::read(dir.path(&format!("again/{id}.stream"))).unwrap();
    assert_eq!(again, fs::read(proof.stream(id)).unwrap());
    fs::write(proof.stream(id), "altered").unwrap();
    assert_eq!(stdout(&proof.merge()).trim_end(), task);
    proof.work_on(task);
    assert_eq!(again, fs::read(proof.stream(id)).unwrap());

    // Lists and streams of several machines are put together by copying them, as with
    // `cp` and `cat`.
    let both = dir.read(list) + &dir.read("again/results.txt");
    dir.write(list, both);

    // A machine that loses power may leave any bytes, and a worker with another top may
    // find something too large that is proved; what is done stays done.
    let mut damaged = fs::read(dir.path(list)).unwrap();
    damaged.extend(format!("{id} large 7\n").bytes());
    damaged.extend(b"\xff\0\xfe");
    dir.write(list, damaged);
    let resumed = proof.work();
    assert!(resumed.status.success() && resumed.stdout.is_empty());
    let said = stderr(&resumed);
    let passed = "results.txt': 1 bad line skipped";
    assert!(said.contains(passed), "{said}");
    let named = said.contains("'0123 proved 1'") && said.lines().count() == 2;
    assert!(named, "{said}");
    finish(&proof);

    // If a task was refuted, the proof goes another way.
    let mut refuted = fs::read(dir.path(list)).unwrap();
    refuted.extend(format!("\n{id} refuted 7\n").bytes());
    dir.write(list, refuted);
    fs::remove_file(proof.stream(id)).unwrap();
    assert_has(&stderr(&proof.merge()), &format!("refuted: {task}"));
    for known in [proof.work(), proof.work_on(task)] {
        let said = stderr(&known);
        assert!(known.status.code() == Some(1) && known.stdout.is_empty());
        let counted = "tasks refuted: 1, too large: 0;";
        assert!(said.contains(counted), "{said}");
    }
    proof.split("--results parts");
    finish(&proof);
    assert!(!proof.tasks().contains(task));
}

/// Nothing that a file says may reach a terminal as a control character.
#[test]
fn files_with_foreign_rules_or_control_characters_are_refused() {
    let top = Proof::new();
    let dir = &top.0;
    let whole = dir.read("top");
    dir.write("file", whole.replace("hokito-1", "hokito-2"));
    for work in ["--task-file file", "--merge file --out none"] {
        let line = format!("certify --results parts {work}");
        dir.fails_with(1, &line, "rules 'hokito-2'");
    }
    assert!(!dir.path("parts").exists());

    let evil = "\x1b[2J\x07\u{9b}";
    let (proof, _) = certify(dir, "proof", CLAIMS[3]);
    let (header, choices) = split_proof(&proof);
    let place = format!("{START}{evil}");
    let task = format!("\n\ntask\t{}\t1\tp1 wins\t{place}\n", task_id(&place));
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
        let is_clean_and_refused = |is_top: bool| {
            for line in [
                "verify file",
                "certify --task-file file --results parts",
                "certify --merge file --results parts --out none",
            ] {
                let output = dir.run(line);
                let said = stdout(&output) + &stderr(&output);
                assert!(is_clean(&said), "{line}: {said:?}");
                let is_refused = output.status.code() == Some(1);
                assert!(is_refused || !line.starts_with("verify"), "{said}");
            }
            let accepted = match is_top {
                true => python_accepts_top(dir, None, "file"),
                false => python_says(&[dir.path("file")]).map(|said| said.contains("proved")),
            };
            assert_ne!(accepted, Some(true));
        };
        if whole.contains(from) {
            dir.write("file", whole.replacen(from, &to, 1));
            is_clean_and_refused(true);
        }
        let header = header.replacen(from, &to, 1);
        write_signed(&dir.path("file"), [header.as_bytes(), &choices].concat());
        is_clean_and_refused(false);
    }
}

#[test]
fn a_task_that_is_far_too_large_is_split_again() {
    let proof = Proof::new();
    let dir = &proof.0;
    let tasks = proof.tasks();
    // Takes the task that takes the most nodes, and gives it far fewer.
    let others = dir.run("certify --task-file top --results others");
    assert_done(&others);
    let proved = stdout(&others);
    let nodes = |line: &&str| line.split(' ').nth(2).unwrap().parse::<u64>().unwrap();
    let longest = proved.lines().max_by_key(nodes).unwrap();
    let mut tasks = tasks.iter();
    let task = tasks.find(|task| longest.starts_with(id_of(task))).unwrap();
    let (id, starved) = (id_of(task), task.replace("\t4000\t", "\t1\t"));
    assert_ne!(starved, *task);
    let done = proof.work_on(&starved);
    let large = format!("{id} large ");
    assert!(stdout(&done).starts_with(&large), "{longest}");
    // First when it is tried, then when it is known and left out.
    for done in [done, proof.work_on(&starved)] {
        let said = stderr(&done);
        assert_eq!(done.status.code(), Some(1), "{said}");
        let counted = "tasks refuted: 0, too large: 1;";
        assert!(said.contains(counted), "{said}");
    }

    let unmade = proof.merge();
    assert_eq!(unmade.status.code(), Some(1));
    let said = stderr(&unmade);
    assert!(said.contains(&format!("too large: {task}")), "{said}");
    assert!(said.contains("--split again"), "{said}");
    assert!(!stdout(&unmade).contains(id) && !dir.path("proof").exists());

    // The next top has smaller tasks in its place.
    let next = proof.split("--results parts");
    assert!(!next.contains(task));
    finish(&proof);
    tops_are_checked_with_their_tasks(&proof);
}

fn tops_are_checked_with_their_tasks(proof: &Proof) {
    let follows = format!("follows from {} tasks: p1 wins in", proof.tasks().len());
    assert_has(&proof.0.ok("verify top"), &follows);
    let said = proof.0.ok("verify top --results parts");
    assert_has(&said, "proved: p1 wins in");
    assert_ne!(
        python_accepts_top(&proof.0, Some("parts"), "top"),
        Some(false)
    );
}

#[test]
fn a_damaged_top_is_called_one_and_its_line_named() {
    let proof = Proof::new();
    let dir = &proof.0;
    let whole = dir.read("top");
    let tasks = proof.tasks();
    let check = |altered: &str, line: &str, found: &str| {
        assert_ne!(altered, whole);
        dir.write("damaged", altered);
        let said = dir.fails_with(1, "verify damaged", "'damaged': not proved: ");
        assert!(said.contains(line) && said.contains(found), "{said}");
        assert_ne!(python_accepts_top(dir, None, "damaged"), Some(true));
    };
    let (one, other) = (&*tasks[0], &*tasks[1]);
    let before = whole.split(one).next().unwrap();
    let first = format!("the top of a proof: line {}: ", before.lines().count() + 1);
    let unescaped = |text: &str| {
        let pairs = [
            ("ONE", one),
            ("TWO", other),
            (r"\t", "\t"),
            (r"\r", "\r"),
            (r"\n", "\n"),
        ];
        let replace = |text: String, (from, to)| text.replace(from, to);
        pairs.into_iter().fold(text.to_owned(), replace)
    };
    for [from, to, line, found] in cases(include_str!("../data/certificates/tops.txt")) {
        let altered = whole.replacen(&unescaped(from), &unescaped(to), 1);
        check(&altered, &line.replace("FIRST", first.trim()), found);
    }
    check(&(whole.clone() + &"0".repeat(3000)), "", "");
    check(whole.trim_end(), "", "");
    check(&format!("{whole}\n"), "", "");

    // One file that is not a top at all, and an altered proof.
    dir.write("file", "something\n");
    let said = dir.fails_with(1, "verify file", "'totemic top 1', found 'something'");
    assert_has(&said, "neither a certificate nor the top of a proof");
    let (path, _) = certify(dir, "none", (START, "p1 wins"));
    let why = "'none' is not the top of a proof: line 1: ";
    dir.fails_with(1, "certify --task-file none --results parts", why);
    let mut bytes = fs::read(path).unwrap();
    bytes[30] ^= 1;
    dir.write("none", bytes);
    dir.fails_with(1, "verify none", "a certificate: the checksum");
}

/// It is stopped while it samples, then while it makes the top.
#[cfg(unix)]
#[test]
fn a_split_that_is_stopped_leaves_nothing() {
    for wait in [0, 5000] {
        let dir = Folder::new();
        let line = "certify startpos --game hokito --claim 'p1 wins' --split 100 --out top";
        let ended = commands::stopped(dir.command(line), wait);
        assert_eq!(ended.status.code(), Some(130));
        assert_eq!(fs::read_dir(dir.at()).unwrap().count(), 0);
    }
}

fn cost(dir: &Folder, name: &str, claim: (&str, &str)) -> u64 {
    let said = stdout(&certify(dir, name, claim).1);
    let cost = said.split(" nodes of the solver)").next().unwrap();
    cost.rsplit(' ').next().unwrap().parse().expect(&said)
}

/// Returns what `estimate` prints about a position as JSON, with its exit code.
fn estimated(position: &str, options: &str) -> (Option<i32>, serde_json::Value) {
    let output = Folder::new().run(&format!("estimate '{position}' --json {options}"));
    let object = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (output.status.code(), object)
}

#[test]
fn an_estimate_says_what_is_proved_and_what_is_not() {
    let (code, proved) = estimated(START, "");
    assert_eq!(code, Some(0));
    assert_eq!(proved["proved"], true);
    assert_eq!(proved["claim"], "p1 wins");
    let nodes = proved["nodes"].as_f64().unwrap();

    let small = "--budget 500 --samples 100 --claim 'p1 wins'";
    let (code, told) = estimated(START, small);
    assert_eq!(code, Some(0));
    assert!(told["proved"].is_null());
    let found = &told["estimate"];
    let [mean, low, high] = ["nodes", "nodes_low", "nodes_high"].map(|field| found[field].as_f64());
    assert!(low < mean && mean < high, "{told}");
    assert_eq!(found["interval_measured"], true);
    let factor = mean.unwrap() / nodes;
    assert!((0.25..4.0).contains(&factor), "{factor}");
    let again = estimated(START, small).1;
    assert_eq!(again["estimate"]["nodes"], found["nodes"]);

    let (code, refuted) = estimated(START, "--claim 'p2 draws'");
    assert_eq!((code, &refuted["proved"]), (Some(1), &false.into()));
}

/// On random set-ups of Hokito and endgames of both games.
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
    let folder = Path::new("tests/data/suite");
    for (game, first) in [("yoxii", 'w'), ("hokito", 'b')] {
        let rows = fs::read_to_string(folder.join(format!("{game}-12.tsv"))).unwrap();
        for row in rows.lines().take(4) {
            let fields: Vec<&str> = row.split('\t').collect();
            let mover = ["p2", "p1"][usize::from(fields[1].ends_with(first))];
            let goal = if fields[2] == "win" { "wins" } else { "draws" };
            claims.push((fields[1].to_owned(), format!("{mover} {goal}")));
        }
    }
    let dir = Folder::new();
    let (mut held, mut logs) = (0, 0.0);
    for (at, (position, claim)) in claims.iter().enumerate() {
        let cost = cost(&dir, &at.to_string(), (position, claim));
        let options = format!("--claim '{claim}' --budget {}", (cost / 100).max(50));
        let told = estimated(position, &options).1;
        let found = &told["estimate"];
        let number = |field: &str| found[field].as_f64().expect(position);
        held += u32::from((number("nodes_low")..=number("nodes_high")).contains(&(cost as f64)));
        logs += (number("nodes") / cost as f64).ln();
    }
    assert!(held >= 19, "{held} of {}", claims.len());
    let factor = (logs / claims.len() as f64).exp();
    assert!((0.5..2.0).contains(&factor), "{factor}");
}

/// Small claims of Yoxii from games as they are played, in which few lines tell little.
#[test]
fn intervals_of_estimates_hold_small_claims_of_games() {
    let claims = [
        ("3/o4/xO1Ii1y/iI1IoX1/i*1IyyX/OX3/3 w", "p1 wins"),
        ("x2/2O1X/3y1i1/2OOx2/1ioX2I/1i1O*/Y2 r", "p2 wins"),
    ];
    let dir = Folder::new();
    for claim in claims {
        let cost = cost(&dir, "proof --force", claim) as f64;
        let told = estimated(claim.0, &format!("--claim '{}' --budget 1000", claim.1)).1;
        let found = &told["estimate"];
        let [low, high] = ["nodes_low", "nodes_high"].map(|field| found[field].as_f64().unwrap());
        assert!(
            (1000.0..=cost).contains(&low) && cost <= high,
            "{cost}: {told}"
        );
    }
}

#[test]
fn the_documented_certificate_is_what_the_command_writes() {
    let dir = Folder::new();
    let (path, _) = certify(&dir, "4x4", (START, "p1 wins"));
    let (header, _) = split_proof(&path);
    let documented = header
        .trim_end()
        .lines()
        .map(|line| format!("//! {line}\n"));
    let block = format!("```text\n{}//! ```", documented.collect::<String>());
    let page = include_str!("../../src/engine/search/proofs.rs");
    assert!(page.contains(&block), "{block}");
}
