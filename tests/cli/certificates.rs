//! Proofs in files: made and checked by the program, and checked by a verifier in another
//! language with its own rules.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use crate::program::{Folder, assert_has, cases, stderr, stdout, totemic};
use crate::proof_support::{
    Proof, START, assert_python_accepts, id_of, is_clean, verify_in_python,
};
use crate::support::{HOKITO_LATE, YOXII_LATE, objects, task_id};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use totemic_engine::game::Rng;

const LOST: &str = "x4,b3:10,x/w2:2,x4,w2:16/x6/w1,x3,w2:2,x/x5,b2:2/x2,w2:2,x2,w1 b";

/// Late positions, and true claims about them.
const CLAIMS: [(&str, &str); 6] = [
    (LOST, "p2 wins"),
    (HOKITO_LATE, "p1 draws"),
    (HOKITO_LATE, "p1 >= 73"),
    (YOXII_LATE, "p1 wins"),
    (YOXII_LATE, "p1 >= 0"),
    ("1oo/YOi1O/i1O1x2/iXoOI1Y/4IO*/Xyx2/yYy r", "p1 wins"),
];

/// If a task is refuted or too large, that must be said, and the exit code be 1.
fn assert_done(done: &Output) {
    let said = stderr(done);
    let is_left = said.contains("tasks refuted: ");
    assert_eq!(done.status.code(), Some(i32::from(is_left)), "{said}");
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
    if let Some((_, theirs)) = verify_in_python("verify_certificate.py", Path::new("."), files) {
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

/// Writes what is in a certificate, with a correct checksum.
fn write_signed(dir: &Folder, name: &str, mut body: Vec<u8>) -> PathBuf {
    let checksum = Sha256::digest(&body);
    body.extend_from_slice(&checksum);
    dir.write(name, body);
    dir.path(name)
}

#[test]
fn the_test_vectors_are_proofs() {
    let dir = Path::new("tests/data/certificates");
    // The list says beside each file what `verify` says about it.
    let list = fs::read_to_string(dir.join("README.md")).unwrap();
    let row = |line: &str| {
        let (name, rest) = line.strip_prefix("| `")?.split_once("` | ")?;
        let said = rest.rsplit_once(" | ")?.1.strip_suffix(" |")?;
        Some((name.to_owned(), said.to_owned()))
    };
    let rows: Vec<(String, String)> = list.lines().filter_map(row).collect();
    let files = fs::read_dir(dir).unwrap();
    let kinds = files.filter_map(|file| file.unwrap().path().extension().map(OsStr::to_owned));
    let vectors = kinds.filter(|kind| kind == "good" || kind == "bad");
    assert_eq!(rows.len(), vectors.count());
    let files: Vec<PathBuf> = rows.iter().map(|(name, _)| dir.join(name)).collect();
    let (accepted, told) = verdicts(&files);
    for ((name, said), is_proof) in rows.iter().zip(accepted) {
        assert_eq!(is_proof, name.ends_with("good"), "{name}");
        let is_about = |line: &&str| line.contains(&format!("/{name}"));
        let mut lines = told.lines().filter(is_about);
        assert!(lines.any(|line| line.contains(said)), "{name}: {told}");
    }
}

const THEOREMS: &str = include_str!("../../benches/theorems/README.md");

#[test]
fn what_the_theorems_say_is_no_win_is_proved() {
    let lines = THEOREMS.lines();
    let set_ups = lines.filter_map(|line| line.strip_prefix("  - `")?.strip_suffix('`'));
    let set_ups: Vec<&str> = set_ups.collect();
    assert_eq!(set_ups.len(), 5);
    for (name, set_up, claim) in [
        ("draw1-p1", 0, "p1 draws"),
        ("draw1-p2", 0, "p2 draws"),
        ("draw2-p1", 1, "p1 draws"),
        ("draw2-p2", 1, "p2 draws"),
        ("draw3-p1", 2, "p1 draws"),
        ("draw3-p2", 2, "p2 draws"),
        ("3x6-loss1", 3, "p2 wins"),
        ("3x6-loss2", 4, "p2 wins"),
    ] {
        let file = format!("benches/theorems/{name}.proof");
        let verified = totemic().args(["verify", &file]).output().unwrap();
        let proved = format!("proved: {claim} in '{}'", set_ups[set_up]);
        assert_has(&stdout(&verified), &proved);
        assert!(verified.status.success(), "{name}");
        // For the large ones Python would take half a minute.
        if set_up == 0 {
            verdicts(&[file.into()]);
        }
    }
}

/// The page and the list of set-ups that are not wins are right.
#[test]
fn the_numbers_of_the_theorems_are_those_of_their_files() {
    let words: Vec<&str> = THEOREMS.split_whitespace().collect();
    let page = words.join(" ").replace(',', "");
    let list = fs::read_to_string("benches/theorems/3x6.txt").unwrap();
    let sum = |column: usize| -> u64 {
        let lines = list.lines().skip(1);
        let words = lines.map(|line| line.split(' ').nth(column).expect("a column"));
        words.map(|word| word.parse::<u64>().unwrap()).sum()
    };
    let [wins, draws, losses, nodes] = [1, 2, 3, 4].map(sum);
    let said = format!(
        "Of the {} set-ups up to reflection the first side wins {wins} {draws} are draws and it \
         loses {losses};",
        wins + draws + losses
    );
    assert_has(&page, &said);
    assert_has(&page, &format!("{nodes} nodes"));

    let listed = fs::read_to_string("benches/theorems/3x6-no-win.txt").unwrap();
    let of = |value: &str| listed.lines().filter(|line| line.ends_with(value)).count() as u64;
    assert_eq!((of("\tdraw"), of("\tloss")), (draws, losses));
    // One in eight, because all of them take a while.
    let some: Vec<&str> = listed.lines().step_by(8).collect();
    let dir = Folder::new();
    dir.write("some", some.join("\n") + "\n");
    dir.stdout_of("solve --threads 2 --file some");
}

/// The altered files have a correct checksum.
#[test]
fn verifiers_agree_on_proofs_and_on_altered_ones() {
    let dir = Folder::new();
    let mut rng = Rng::new(53);
    let proved = CLAIMS.map(|(position, claim)| format!("proved: {claim} in '{position}'"));
    let mut proofs = Vec::new();
    for (claim, proved) in CLAIMS.into_iter().zip(&proved) {
        let (path, made) = certify(&dir, &format!("whole{}", proofs.len()), claim);
        let said = stdout(&made);
        assert!(said.starts_with(proved), "{proved}: {}", stderr(&made));
        proofs.push(path);
    }
    let (accepted, said) = verdicts(&proofs);
    assert_eq!(accepted, [true; CLAIMS.len()]);
    for (line, proved) in said.lines().zip(&proved) {
        assert_has(line, proved);
    }

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
            files.push(write_signed(&dir, &format!("altered{i}-{k}"), body));
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
    let (path, _) = certify(&dir, "whole", (YOXII_LATE, "p1 wins"));
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
        let body = [other.as_bytes(), &choices].concat();
        let name = format!("altered{}", altered.len());
        altered.push(write_signed(&dir, &name, body));
    }
    let (accepted, said) = verdicts(&altered);
    assert!(!accepted.contains(&true), "{said}");
}

/// A proof without choices, for a game that is over, cut off where its header ends.
#[test]
fn headers_that_are_cut_are_refused_by_both_verifiers() {
    let dir = Folder::new();
    let (path, _) = certify(&dir, "whole", ("x6/x6/x6/x6/x6/b1,x5 b", "p1 wins"));
    let (header, choices) = split_proof(&path);
    assert!(header.ends_with("choices 0\n\n") && choices.is_empty());
    let files = [0, 1, 2, 3].map(|cut| {
        let body = header[..header.len() - cut].into();
        write_signed(&dir, &format!("cut{cut}"), body)
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
        let is_left = said.contains("refuted: task") || said.contains("too large: task");
        assert!(is_left, "{said}");
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
    assert!(stdout(&proof.unmerged()).lines().eq(&tasks));

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

    // Another machine makes the same parts, byte for byte.
    let task = &done[1];
    let id = id_of(task);
    proof.work_on_in(task, "again");
    let again = fs::read(dir.path(&format!("again/{id}.stream"))).unwrap();
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
    assert_has(&said, "results.txt': 1 bad line skipped");
    assert_has(&said, "'0123 proved 1'");
    assert_eq!(said.lines().count(), 2, "{said}");
    finish(&proof);

    // If a task was refuted, the proof goes another way.
    let mut refuted = fs::read(dir.path(list)).unwrap();
    refuted.extend(format!("\n{id} refuted 7\n").bytes());
    dir.write(list, refuted);
    fs::remove_file(proof.stream(id)).unwrap();
    assert_has(&stderr(&proof.merge()), &format!("refuted: {task}"));
    for known in [proof.work(), proof.work_on(task)] {
        assert!(known.status.code() == Some(1) && known.stdout.is_empty());
        assert_has(&stderr(&known), "tasks refuted: 1, too large: 0;");
    }
    proof.split("--results parts");
    finish(&proof);
    assert!(!proof.tasks().contains(task));
}

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
    let (proof, _) = certify(dir, "proof", (YOXII_LATE, "p1 wins"));
    let (header, choices) = split_proof(&proof);
    let place = format!("{START}{evil}");
    let task = format!("\n\ntask\t{}\t1\tp1 wins\t{place}\n", task_id(&place));
    let is_clean_and_refused = |verifier: &str| {
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
        let found = verify_in_python(verifier, dir.at(), ["file"]);
        assert!(found.is_none_or(|(is_accepted, _)| !is_accepted));
    };
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
            dir.write("file", whole.replacen(from, &to, 1));
            is_clean_and_refused("verify_top.py");
        }
        let header = header.replacen(from, &to, 1);
        write_signed(dir, "file", [header.as_bytes(), &choices].concat());
        is_clean_and_refused("verify_certificate.py");
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
        assert_eq!(done.status.code(), Some(1));
        assert_has(&stderr(&done), "tasks refuted: 0, too large: 1;");
    }

    let unmade = proof.unmerged();
    assert_has(&stderr(&unmade), &format!("too large: {task}"));
    assert_has(&stderr(&unmade), "--split again");
    assert!(!stdout(&unmade).contains(id));

    // The next top has smaller tasks in its place.
    let next = proof.split("--results parts");
    assert!(!next.contains(task));
    finish(&proof);

    // A top alone says what follows from its tasks, and with their streams what is proved.
    let follows = format!("follows from {} tasks: p1 wins in", proof.tasks().len());
    assert_has(&dir.stdout_of("verify top"), &follows);
    let proved = dir.stdout_of("verify top --results parts");
    assert_has(&proved, "proved: p1 wins in");
    assert_python_accepts(dir, Some("parts"), "top", true);
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
        assert_python_accepts(dir, None, "damaged", false);
    };
    let (one, other) = (&*tasks[0], &*tasks[1]);
    let before = whole.split(one).next().unwrap();
    let first = format!("the top of a proof: line {}: ", before.lines().count() + 1);
    let unescaped = |text: &str| {
        let text = text.replace("ONE", one).replace("TWO", other);
        let text = text.replace(r"\t", "\t").replace(r"\r", "\r");
        text.replace(r"\n", "\n")
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

/// Returns what `estimate` tells about a position.
fn estimated(position: &str, options: &str) -> Json {
    Folder::new().json(&format!("estimate '{position}' --json {options}"))
}

#[test]
fn an_estimate_says_what_is_proved_and_what_is_not() {
    let proved = estimated(START, "");
    assert_eq!(proved["proved"], true);
    assert_eq!(proved["claim"], "p1 wins");
    let nodes = proved["nodes"].as_f64().unwrap();

    let small = "--budget 500 --samples 100 --claim 'p1 wins'";
    let told = estimated(START, small);
    assert!(told["proved"].is_null());
    let found = &told["estimate"];
    let [mean, low, high] = ["nodes", "nodes_low", "nodes_high"].map(|field| found[field].as_f64());
    assert!(low < mean && mean < high, "{told}");
    assert_eq!(found["interval_measured"], true);
    let factor = mean.unwrap() / nodes;
    assert!((0.25..4.0).contains(&factor), "{factor}");
    assert_eq!(estimated(START, small)["estimate"]["nodes"], found["nodes"]);

    let refuted = Folder::new().run(&format!("estimate '{START}' --json --claim 'p2 draws'"));
    assert_eq!(refuted.status.code(), Some(1));
    assert_eq!(objects(&stdout(&refuted))[0]["proved"], false);
}

/// Returns the nodes that a certificate takes, and those that an estimate says: the mean
/// and both ends of its interval. The budget is that of a cost.
fn cost_and_estimate(position: &str, claim: &str, budget: fn(u64) -> u64) -> (f64, [f64; 3]) {
    let of_claim = format!("'{position}' --claim '{claim}' --json");
    let cost = Folder::new().json(&format!("certify {of_claim} --out proof"))["nodes"].as_u64();
    let cost = cost.expect(position);
    let line = format!("estimate {of_claim} --budget {}", budget(cost));
    let found = &Folder::new().json(&line)["estimate"];
    let number = |field| found[field].as_f64().expect(position);
    let found = ["nodes", "nodes_low", "nodes_high"].map(number);
    (cost as f64, found)
}

#[test]
fn intervals_of_estimates_hold_what_certificates_take() {
    let (mut held, mut factors) = (0, Vec::new());
    for [claim, position] in cases(include_str!("../data/estimates.txt")) {
        let a_hundredth = |cost: u64| (cost / 100).max(50);
        let (cost, [nodes, low, high]) = cost_and_estimate(position, claim, a_hundredth);
        held += u32::from((low..=high).contains(&cost));
        factors.push(nodes / cost);
    }
    assert!(held >= 19, "{held} of {}", factors.len());
    let logs: f64 = factors.iter().map(|factor| factor.ln()).sum();
    let factor = (logs / factors.len() as f64).exp();
    assert!((0.5..2.0).contains(&factor), "{factor}");
}

/// Small claims of Yoxii from games as they are played, in which few lines tell little.
#[test]
fn intervals_of_estimates_hold_small_claims_of_games() {
    for (position, claim) in [
        ("3/o4/xO1Ii1y/iI1IoX1/i*1IyyX/OX3/3 w", "p1 wins"),
        ("x2/2O1X/3y1i1/2OOx2/1ioX2I/1i1O*/Y2 r", "p2 wins"),
    ] {
        let (cost, [_, low, high]) = cost_and_estimate(position, claim, |_| 1000);
        let holds = (1000.0..=cost).contains(&low) && cost <= high;
        assert!(holds, "{position}: {cost} from {low} to {high}");
    }
}

#[test]
fn the_documented_certificate_is_what_the_command_writes() {
    let dir = Folder::new();
    let (path, _) = certify(&dir, "4x4", (START, "p1 wins"));
    let (header, _) = split_proof(&path);
    let documented = header.trim_end().replace('\n', "\n//! ");
    let page = include_str!("../../src/engine/search/certificates.rs");
    assert_has(page, &format!("```text\n//! {documented}\n//! ```"));
}
