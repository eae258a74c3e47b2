//! From self-play to weights that the engine plays with, by the commands.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

#[cfg(unix)]
use crate::commands::hears_interrupts;
use crate::commands::{text, totemic};
use tempfile::TempDir;
use totemic::game::{Hokito, Yoxii};
use totemic::search::Learnable;

/// What the program prints, which must succeed.
fn printed(args: &[&str]) -> String {
    let output = totemic(args);
    let why = text(&output.stderr);
    assert!(output.status.success(), "{args:?}: {why}");
    text(&output.stdout)
}

/// The words that make few and quick games.
fn games_of<'a>(game: &'a str, out: &'a str) -> Vec<&'a str> {
    let words = "datagen --games 200 --nodes 60 --solver-nodes 60 --seed 5";
    let words = words.split(' ');
    words.chain(["--game", game, "--out", out]).collect()
}

/// Makes few and quick games.
fn datagen(game: &str, out: &str, more: &[&str]) {
    printed(&[&games_of(game, out)[..], more].concat());
}

/// Paths in a folder, as words of a command line.
fn names<const N: usize>(dir: &TempDir, names: [&str; N]) -> [String; N] {
    names.map(|name| dir.path().join(name).to_str().unwrap().to_owned())
}

/// What a refused command says, with its exit code.
fn refused(args: &[&str]) -> (Option<i32>, String) {
    let output = totemic(args);
    assert!(output.stdout.is_empty(), "{args:?}");
    (output.status.code(), text(&output.stderr))
}

/// What a session answers.
fn session(script: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_totemic"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(script.as_bytes()).expect("it reads");
    drop(stdin);
    text(&child.wait_with_output().expect("it ends").stdout)
}

#[test]
fn games_do_not_depend_on_threads_parts_or_kills() {
    let dir = TempDir::new().unwrap();
    let [whole, cut, one, two] = names(&dir, ["whole", "cut", "1", "2"]);
    let args = games_of("yoxii", &whole);
    let made = totemic(&[&args[..], &["--threads", "2"]].concat());
    // Where no bar can be drawn lines say how far it is.
    let said = text(&made.stderr);
    assert!(said.starts_with("0 of 200 games\n"), "{said}");
    assert!(
        said.ends_with(&format!("200 of 200 games in '{whole}'\n")),
        "{said}"
    );
    let bytes = fs::read(&whole).unwrap();
    let lines = |path: &str| -> BTreeSet<String> {
        let text = fs::read_to_string(path).unwrap();
        text.lines().map(str::to_owned).collect()
    };

    // Killed in the middle of a game, of the first line, and before it.
    let head = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    for at in [bytes.len() / 2, head + 1, head - 9, 0] {
        fs::write(&cut, &bytes[..at]).unwrap();
        let args = games_of("yoxii", &cut);
        let has_games = at > head + 1;
        if has_games {
            let (code, why) = refused(&args);
            assert!(code == Some(1) && why.contains("--resume"), "{why}");
            assert!(fs::read(&cut).unwrap() == bytes[..at]);
            // Nobody minds the half of a game, which was never said to be finished.
            let info = printed(&["data", "info", &cut]);
            assert!(info.contains(" of 200 games\n"), "{info}");
        }
        printed(&[&args[..], &["--resume"]].concat());
        assert!(lines(&cut) == lines(&whole), "cut at {at}");
    }

    for part in ["1/2", "2/2"] {
        let [out] = names(&dir, [&part[..1]]);
        datagen("yoxii", &out, &["--shard", part]);
    }
    let dump = printed(&["data", "dump", &two, &one, &one]);
    assert!(dump == printed(&["data", "dump", &whole]));
    assert!(dump.lines().count() > 2000);
    let info = totemic(&["data", "info", &one]);
    assert!(text(&info.stderr).contains("warning: 100 of the 200 games with seed 5 are missing"));
    assert!(text(&info.stdout).contains("\n  100 of 200 games\n"));
    fs::write(&cut, &bytes[..bytes.len() - 1]).unwrap();
    let info = totemic(&["data", "info", &cut]);
    assert!(text(&info.stderr).contains("warning: 1 of the 200 games with seed 5 is missing"));
}

/// A game that was altered is refused, and so are journals of something else.
#[test]
fn what_is_no_game_of_a_recipe_is_named() {
    let dir = TempDir::new().unwrap();
    let [games, altered] = names(&dir, ["games", "altered"]);
    datagen("hokito", &games, &["--shard", "1/20"]);
    let whole = fs::read_to_string(&games).unwrap();
    let header = whole.lines().next().unwrap();
    for (from, to, expected) in [
        (
            r#""result":"p1win""#,
            r#""result":"draw""#,
            "its moves do not give",
        ),
        (r#""m":""#, r#""m":"z"#, "line "),
        (
            r#""seed":5,"#,
            r#""seed":6,"#,
            "it is not one of this journal's recipe",
        ),
        (
            r#""pair":0,"#,
            r#""pair":1,"#,
            "it is not one of this journal's recipe",
        ),
        (
            r#""hokito""#,
            r#""chess""#,
            "its games are of 'chess', expected yoxii or hokito",
        ),
        (
            header,
            "totemic-games 1 {}",
            "games in the format of totemic 0.2.0",
        ),
        (
            header,
            r#"{"totemic_match":1}"#,
            "not the first line of a journal of datagen",
        ),
    ] {
        let text = whole.replacen(from, to, 1);
        assert!(text != whole, "{from}");
        fs::write(&altered, &text).unwrap();
        for command in [&["data", "info"][..], &["fit", "--out", "none", "--data"]] {
            let (code, why) = refused(&[command, &[&altered]].concat());
            assert_eq!(code, Some(1));
            assert!(why.contains(expected), "{why}");
        }
    }
    let args = games_of("hokito", &games);
    let (code, why) = refused(&[&args[..], &["--resume"]].concat());
    assert_eq!(code, Some(1));
    assert!(
        why.contains(r#"shard is "1/20" in the journal, but "1/1" here"#),
        "{why}"
    );
    let others = ["--resume", "--shard", "1/20", "--weights", "zero"];
    let (_, why) = refused(&[&args[..], &others].concat());
    assert!(
        why.contains("line 1: games with other settings: weights is \"")
            && why.contains("\" in the journal, but \"zero\" here"),
        "{why}"
    );
    let (_, why) = refused(&games_of("hokito", "no/such/folder"));
    assert!(why.contains("cannot write 'no/such/folder': "), "{why}");
    let (code, why) = refused(&["rate", &games]);
    assert_eq!(code, Some(1));
    assert!(
        why.contains("not the first line of a match's journal, but of a journal of datagen\n"),
        "{why}"
    );
    assert!(fs::read_to_string(&games).unwrap() == whole);
    datagen("hokito", &games, &["--force", "--shard", "2/20"]);
    assert!(fs::read_to_string(&games).unwrap() != whole);
}

/// Ctrl-C, and what a cluster sends, ends a run in the middle of a search; games that are
/// finished are kept.
#[cfg(unix)]
#[test]
fn a_stop_waits_for_no_search() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let dir = TempDir::new().unwrap();
    let [games] = names(&dir, ["games"]);
    let run = |nodes: &str, signal: Signal, is_time: &dyn Fn() -> bool| {
        let child = Command::new(env!("CARGO_BIN_EXE_totemic"))
            .args([
                "datagen", "--games", "100000", "--nodes", nodes, "--out", &games,
            ])
            .args(["--resume", "--threads", "2"])
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        while !(hears_interrupts(child.id()) && is_time()) {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        kill(Pid::from_raw(child.id() as i32), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        text(&output.stderr)
    };
    let lines = || fs::read_to_string(&games).map_or(0, |text| text.lines().count());
    let said = run("1000000000", Signal::SIGINT, &|| true);
    assert!(said.contains("stopped: 0 of 100000 games"), "{said}");
    let said = run("60", Signal::SIGTERM, &|| lines() > 2);
    let kept = format!("stopped: {} of 100000 games", lines() - 1);
    assert!(said.contains(&kept) && lines() > 2, "{said}");
}

/// What has no end is not read.
#[cfg(target_os = "linux")]
#[test]
fn devices_are_not_read() {
    let dir = TempDir::new().unwrap();
    let [games, weights] = names(&dir, ["games", "weights"]);
    datagen("yoxii", &games, &[]);
    for (data, out, expected) in [
        (&*games, "/dev/full", "cannot write '/dev/full'"),
        ("/dev/zero", &weights, "it is a device"),
    ] {
        let output = totemic(&["fit", "--data", data, "--out", out, "--epochs", "1"]);
        assert_eq!(output.status.code(), Some(1));
        let why = text(&output.stderr);
        assert!(why.contains(expected), "{why}");
    }
    let (_, why) = refused(&["data", "info", "/dev/zero"]);
    assert!(why.contains("it is a device"), "{why}");
}

/// The weights of one game are there again when that is played again.
#[test]
fn weights_of_one_game_outlast_the_other() {
    let dir = TempDir::new().unwrap();
    let [games, weights] = names(&dir, ["games", "weights"]);
    datagen("hokito", &games, &[]);
    let fit = ["fit", "--data", &games, "--out", &weights, "--epochs", "1"];
    printed(&fit);
    let answers = session(&format!(
        "setoption name Game value hokito\nsetoption name EvalFile value {weights}\neval\n\
         setoption name Game value yoxii\neval\nsetoption name Game value hokito\neval\n"
    ));
    let totals: Vec<_> = (answers.lines())
        .filter(|line| line.starts_with("total"))
        .collect();
    assert_eq!(totals.len(), 3, "{answers}");
    assert_eq!(totals[0], totals[2], "{answers}");
    let told = "the file has no weights for yoxii; yoxii has the weights in the program";
    assert!(answers.contains(told), "{answers}");

    let (code, why) = refused(&["fit", "--data", &games, "--out", "zero"]);
    assert_eq!(code, Some(2));
    assert!(why.contains("'zero'"), "{why}");
    let [none] = names(&dir, ["none"]);
    let (code, why) = refused(&["fit", "--data", &games, "--odds-only", "--out", &none]);
    assert_eq!(code, Some(1));
    assert!(why.contains("there is no such file"), "{why}");
}

#[test]
fn weights_are_fitted_loaded_and_refused_when_damaged() {
    let dir = TempDir::new().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    for game in ["hokito", "yoxii"] {
        datagen(game, &path(game), &[]);
        let fit = [
            "fit",
            "--data",
            &path(game),
            "--out",
            &path("weights"),
            "--epochs",
            "2",
        ];
        let table = printed(&fit);
        assert!(
            table.starts_with("plies  positions  by hand  fitted"),
            "{table}"
        );
        let (losses, calibration) = table.split_once("scores of searches: ").unwrap();
        assert_eq!(losses.lines().count(), 6, "{table}");
        // Where there are few positions, no loss is said.
        for row in losses.lines().skip(1) {
            let words: Vec<&str> = row.split_whitespace().collect();
            let are_few = words[1].parse::<u32>().unwrap() < 100;
            assert_eq!(are_few, words[2..] == ["-", "-"], "{table}");
        }
        let mut calibration = calibration.lines().skip(1);
        let head = "phase   plies  expected     made  positions";
        assert_eq!(calibration.next(), Some(head));
        // A row for each tenth of a point, in all and in each part of the game.
        assert_eq!(calibration.count(), 40, "{table}");
        if game == "hokito" {
            fs::copy(path("weights"), path("one")).unwrap();
        }
    }
    let printed_weights = printed(&["data", "weights", &path("weights"), "--game", "hokito"]);
    assert!(
        printed_weights.starts_with("hokito weights "),
        "{printed_weights}"
    );
    // A file of one game needs no name of it; of two it is the game that is else meant.
    let of_both = printed(&["data", "weights", &path("weights")]);
    assert!(of_both.starts_with("yoxii weights "), "{of_both}");
    let of_one = printed(&["data", "weights", &path("one")]);
    assert!(of_one.starts_with("hokito weights "), "{of_one}");
    let (code, why) = refused(&["data", "weights", &path("one"), "--game", "yoxii"]);
    assert_eq!(code, Some(1));
    assert!(
        why.contains("one': the file has no weights for yoxii"),
        "{why}"
    );
    let terms = printed_weights.lines().skip(1);
    assert!(terms.clone().count() > 10, "{printed_weights}");
    // A name of words and a number for each knot.
    for row in terms {
        let mut numbers = row.split_whitespace().rev().take(5);
        assert!(numbers.all(|word| word.parse::<i32>().is_ok()), "{row}");
    }
    let [hokito, yoxii] = ["hokito", "yoxii"].map(path);
    for command in ["info", "dump", "calibration"] {
        let (code, why) = refused(&["data", command, &hokito, "--game", "yoxii"]);
        assert!(code == Some(2) && why.contains("--game yoxii"), "{why}");
        let (code, why) = refused(&["data", command, &hokito, &yoxii]);
        assert!(
            code == Some(1) && why.contains("its games are of yoxii"),
            "{why}"
        );
    }
    let weights = fs::read(path("weights")).unwrap();
    let mut damaged = weights.clone();
    damaged[weights.len() / 2] ^= 1;
    fs::write(path("damaged"), damaged).unwrap();

    let total = |answers: &str| {
        let lines = answers.lines().filter(|line| line.starts_with("total"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let [good, bad] = ["weights", "damaged"].map(path);
    let position = "position fen 3/OII2/1xy4/XoYy3/YyOyx*1/yX1IO/2o r";
    let answers = session(&format!(
        "{position}\neval\nsetoption name EvalFile value {good}\neval\n\
         setoption name EvalFile value {bad}\neval\nsetoption name EvalFile value classic\neval\n\
         setoption name EvalFile value <builtin>\neval\n"
    ));
    let values = total(&answers);
    assert_eq!(values.len(), 5, "{answers}");
    assert_eq!(values[1], values[2], "the last weights stay");
    assert_eq!(values[0], values[4]);
    assert_ne!(values[0], values[3]);
    assert!(
        answers.contains("EvalFile") && answers.contains("damaged"),
        "{answers}"
    );
    // The file serves the other game of the same session, too.
    let other = session(&format!(
        "setoption name EvalFile value {good}\nsetoption name Game value hokito\neval\n"
    ));
    assert!(
        !other.contains("error") && other.contains("total"),
        "{other}"
    );

    let wrong = totemic(&["fit", "--data", &good, "--out", &path("none")]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(text(&wrong.stderr).contains("not the first line of a journal of datagen"));
}

#[test]
fn nothing_but_the_rules_is_enough_to_learn_from() {
    let dir = TempDir::new().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    datagen("yoxii", &path("games"), &["--eval-file", "zero"]);
    let (games, weights) = (path("games"), path("weights"));
    assert!(printed(&["data", "info", &games]).contains("zero"));
    printed(&[
        "fit",
        "--data",
        &games,
        "--out",
        &weights,
        "--without-terms",
    ]);
    let answers = session(&format!(
        "position fen 3/OII2/1xy4/XoYy3/YyOyx*1/yX1IO/2o r\n\
         setoption name EvalFile value zero\neval\n\
         setoption name EvalFile value {weights}\neval\n"
    ));
    // The value of the part that a line is about.
    let values = |part: &str| -> Vec<String> {
        let lines = answers.lines().filter_map(|line| line.strip_prefix(part));
        lines.map(|value| value.trim().to_owned()).collect()
    };
    assert_eq!(values("own totem moves  "), ["0", "0"], "{answers}");
    assert_eq!(values("total")[0], "0", "{answers}");
    assert_ne!(values("total")[1], "0", "{answers}");
    let both = ["--without-terms", "--keep-terms"];
    let refused = totemic(&[&["fit", "--data", &games, "--out", &weights], &both[..]].concat());
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn a_fit_that_was_killed_ends_with_the_same_weights() {
    let dir = TempDir::new().unwrap();
    let [games, others, straight, resumed, checkpoint] = names(
        &dir,
        ["games", "others", "straight", "resumed", "checkpoint"],
    );
    datagen("yoxii", &games, &[]);
    let fit = |out: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_totemic"));
        command.args(["fit", "--epochs", "200", "--seed", "3", "--data", &games]);
        command.args(["--out", out]).args(more);
        command
    };
    let done = |more: &[&str]| {
        let checkpoint = [&["--checkpoint", &checkpoint], more].concat();
        fit(&resumed, &checkpoint).output().unwrap()
    };
    assert!(fit(&straight, &[]).output().unwrap().status.success());

    let mut child = fit(&resumed, &["--checkpoint", &checkpoint])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    while !Path::new(&checkpoint).exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!Path::new(&resumed).exists(), "killed too late");
    let kept = fs::read(&checkpoint).unwrap();

    let said = text(&done(&[]).stderr);
    let mut lines = said.lines();
    let after = lines.find_map(|line| line.strip_prefix("continues after epoch "));
    let after: usize = after.unwrap().split(',').next().unwrap().parse().unwrap();
    assert!((1..200).contains(&after), "{said}");
    let epochs = said.lines().filter(|line| line.starts_with("epoch "));
    assert_eq!(epochs.count(), 200 - after, "{said}");
    assert!(fs::read(&straight).unwrap() == fs::read(&resumed).unwrap());
    // Once more there is nothing left to do, and the same comes out.
    fs::remove_file(&resumed).unwrap();
    assert!(text(&done(&[]).stderr).contains("continues after epoch 200"));
    assert!(fs::read(&straight).unwrap() == fs::read(&resumed).unwrap());

    // What does not belong to it is named.
    datagen("yoxii", &others, &["--shard", "1/2"]);
    fs::remove_file(&resumed).unwrap();
    for (more, name) in [
        (&["--rate", "0.02"][..], "its rate is 0.01, expected 0.02"),
        (&["--keep-terms"], r#"its terms is "Fit", expected "Keep""#),
        (&["--held-out", &others], "its held-out is []"),
    ] {
        let output = done(more);
        assert_eq!(output.status.code(), Some(1));
        let said = text(&output.stderr);
        assert!(said.contains(name), "{said}");
    }
    for bytes in [&kept[..kept.len() - 4], b"", b"{}"] {
        fs::write(&checkpoint, bytes).unwrap();
        let output = done(&[]);
        assert_eq!(output.status.code(), Some(1));
        let said = text(&output.stderr);
        assert!(said.ends_with("not a checkpoint of a fit\n"), "{said}");
        assert_eq!(fs::read(&checkpoint).unwrap(), bytes, "it stays as it was");
    }
    assert!(!Path::new(&resumed).exists());
}

#[test]
fn a_fit_ends_when_it_gets_no_better_and_takes_no_more_than_it_may() {
    let dir = TempDir::new().unwrap();
    let [games, long, short, few] = names(&dir, ["games", "long", "short", "few"]);
    datagen("hokito", &games, &[]);
    // Steps of ten logits soon make it worse.
    let fit = ["fit", "--data", &games, "--rate", "10", "--epochs", "60"];
    let said = |args: &[&str]| {
        let output = totemic(&[&fit[..], args].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stderr)
    };
    let losses = |said: &str| -> Vec<f64> {
        let lines = said.lines().filter_map(|line| line.strip_prefix("epoch "));
        lines
            .map(|line| line.split_once(": ").unwrap().1.parse().unwrap())
            .collect()
    };
    let patient = said(&["--out", &long, "--patience", "4"]);
    let seen = losses(&patient);
    let best = (1..=seen.len())
        .min_by(|a, b| seen[a - 1].total_cmp(&seen[b - 1]))
        .unwrap();
    assert_eq!(seen.len(), best + 4, "{patient}");
    let ended = format!("none of the last 4 epochs was better than epoch {best}");
    assert!(patient.contains(&ended), "{patient}");
    assert!(patient.contains("warning: no epoch"), "{patient}");
    // Steps without end are no weights.
    let endless = totemic(&["fit", "--data", &games, "--out", &few, "--rate", "1e30"]);
    assert_eq!(endless.status.code(), Some(1));
    let why = text(&endless.stderr);
    assert!(why.contains("--rate") && !Path::new(&few).exists(), "{why}");
    // The best pass is taken: one that ends sooner behind the same one has the same.
    let hasty = said(&["--out", &short, "--patience", "1"]);
    let hasty = losses(&hasty);
    assert_eq!(hasty, seen[..hasty.len()]);
    let same = fs::read(&long).unwrap() == fs::read(&short).unwrap();
    assert_eq!(same, hasty.len() == best + 1);

    let counts = |said: &str| -> Vec<usize> {
        let line = said
            .lines()
            .find(|line| line.contains("positions to learn from"));
        let words = line.unwrap().split_whitespace();
        words.filter_map(|word| word.parse().ok()).collect()
    };
    let all: usize = counts(&patient).iter().sum();
    let limited = said(&["--out", &few, "--max-positions", "700"]);
    let some: usize = counts(&limited).iter().sum();
    assert!(all > 700 && (650..=700).contains(&some), "{limited}");
    assert!(limited.contains("games left out"), "{limited}");
    // A sample of all games: another seed, another sample.
    let other = said(&["--out", &few, "--max-positions", "700", "--seed", "2"]);
    assert_ne!(counts(&limited), counts(&other));
    let (code, why) = refused(&[&fit[..], &["--out", &few, "--max-positions", "1"]].concat());
    assert_eq!(code, Some(1));
    assert!(why.contains("too few positions"), "{why}");
    let few_held = said(&["--out", &few, "--max-positions", "400", "--patience", "1"]);
    assert!(few_held.contains("fewer than 100"), "{few_held}");
    assert!(!few_held.contains("no epoch"), "{few_held}");
    for option in ["--ridge", "--proved-weight"] {
        let (code, why) = refused(&[&fit[..2], &[&games, "--out", &few, option, "1e38"]].concat());
        assert_eq!(code, Some(2));
        assert!(why.contains("expected a number from 0 to 1000"), "{why}");
    }
    for option in ["--patience", "--max-positions", "--rate"] {
        let (code, why) = refused(&[&fit[..2], &[&games, "--out", &few, option, "-1"]].concat());
        assert_eq!(code, Some(2));
        assert!(why.contains("'-1'") && why.contains("expected a"), "{why}");
    }
}

#[test]
fn odds_are_fitted_anew_and_the_weights_stay() {
    let dir = TempDir::new().unwrap();
    let [games, weights, none] = names(&dir, ["games", "weights", "none"]);
    datagen("hokito", &games, &[]);
    fs::copy("src/search/eval/weights.bin", &weights).unwrap();
    let parts = |bytes: Vec<u8>| {
        let end = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap();
        let checksum = bytes.len() - 4;
        let header = String::from_utf8(bytes[..end].to_vec()).unwrap();
        (header, bytes[end..checksum].to_vec())
    };
    let (before, knots) = parts(fs::read(&weights).unwrap());
    let fit = ["fit", "--odds-only", "--data", &games, "--out"];
    let table = printed(&[&fit[..], &[&weights]].concat());
    let (after, same_knots) = parts(fs::read(&weights).unwrap());
    assert_eq!(knots, same_knots);
    let odds_of = |header: &str, game: &str| -> String {
        let mut lines = header.lines().skip_while(|line| !line.starts_with(game));
        let odds = lines.nth(1).filter(|line| line.starts_with("odds "));
        odds.expect(header).to_owned()
    };
    let [old, new] = [&before, &after].map(|header| odds_of(header, "hokito "));
    assert_ne!(old, new);
    let [old, other] = [&before, &after].map(|header| odds_of(header, "yoxii "));
    assert_eq!(old, other);
    assert!(table.contains(&format!("({new})")), "{table}");
    assert!(after.contains("; odds by 200 games of"), "{after}");

    // What it does not use is refused, and so is a file without weights.
    let (code, why) = refused(&[&fit[..], &[&weights, "--epochs", "3"]].concat());
    assert_eq!(code, Some(2));
    assert!(why.contains("--epochs"), "{why}");
    let (code, why) = refused(&[&fit[..], &[&none]].concat());
    assert_eq!(code, Some(1));
    assert!(why.contains("there is no such file"), "{why}");
    assert!(!Path::new(&none).exists());
}

#[test]
fn the_calibration_of_weights_is_what_their_fit_said() {
    let dir = TempDir::new().unwrap();
    let [games, held, weights, picture, other] = names(
        &dir,
        ["games", "held", "weights", "picture.svg", "other.svg"],
    );
    datagen("yoxii", &games, &[]);
    datagen("yoxii", &held, &["--shard", "1/2"]);
    let fit = [
        "fit",
        "--data",
        &games,
        "--held-out",
        &held,
        "--out",
        &weights,
        "--epochs",
        "1",
    ];
    let table = printed(&[&fit[..], &["--svg", &picture]].concat());
    let (_, table) = table.split_once("scores of searches: ").unwrap();
    let command = ["data", "calibration", &held];
    // By the odds in the program it is said for which games they hold.
    let said = text(&totemic(&command).stderr);
    let expected = "fitted to games of 20000 nodes a move; these games were played with 60";
    assert!(said.contains(expected), "{said}");
    let of_weights = [&command[..], &["--weights", &weights, "--svg", &other]].concat();
    let alone = printed(&of_weights);
    assert_eq!(alone.strip_prefix("scores of searches: "), Some(table));
    let drawn = fs::read_to_string(&picture).unwrap();
    assert_eq!(drawn, fs::read_to_string(&other).unwrap());

    let rows: Vec<Vec<&str>> = alone
        .lines()
        .skip(2)
        .map(|row| row.split_whitespace().collect())
        .collect();
    assert_eq!(rows.len(), 40, "{alone}");
    let count = |phase: &str| -> usize {
        let own = rows.iter().filter(|row| row[0] == phase);
        own.map(|row| row.last().unwrap().parse::<usize>().unwrap())
            .sum()
    };
    let parts: usize = ["early", "middle", "late"].map(count).iter().sum();
    assert_eq!(count("all"), parts);
    for phase in [
        "early, plies 0 to 8",
        "middle, plies 9 to 17",
        "late, from ply 18 on",
    ] {
        let name = phase.split(',').next().unwrap();
        let legend = format!(">{phase}: {} positions<", count(name));
        assert!(drawn.contains(&legend), "{legend}");
        let dots = rows
            .iter()
            .filter(|row| row[0] == name && *row.last().unwrap() != "0");
        assert_eq!(
            drawn.matches(&format!("<title>{phase}")).count(),
            dots.count()
        );
    }
    assert!(drawn.starts_with("<svg xmlns=") && drawn.ends_with("</svg>\n"));

    for name in ["", "classic", "zero"] {
        assert!(printed(&[&command[..], &["--weights", name]].concat()).contains("late"));
    }
    let (code, why) = refused(&[&command[..], &["--weights", &held]].concat());
    assert_eq!(code, Some(1));
    assert!(why.contains("held"), "{why}");
    let before = fs::read(&held).unwrap();
    let (code, why) = refused(&[&command[..], &["--svg", &held]].concat());
    assert_eq!(code, Some(2));
    assert!(
        why.contains("--svg") && why.contains("it is read, expected another file"),
        "{why}"
    );
    let over_weights = ["--weights", &weights, "--svg", &weights];
    let (code, why) = refused(&[&command[..], &over_weights].concat());
    assert_eq!(code, Some(2));
    assert!(why.contains("it is read, expected another file"), "{why}");
    let (code, why) = refused(&[&fit[..], &["--svg", &weights]].concat());
    assert_eq!(code, Some(2));
    assert!(why.contains("it is the file of --out"), "{why}");
    let (code, _) = refused(&[&fit[..], &["--checkpoint", &held]].concat());
    assert_eq!(code, Some(2));
    assert!(fs::read(&held).unwrap() == before);
}

/// Whoever reads what odds mean learns for which players they hold.
#[test]
fn pages_say_for_which_effort_odds_hold() {
    for page in ["README.md", "protocol.md", "src/review/README.md"] {
        let text = fs::read_to_string(page).unwrap();
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let explained = words.split("between equal players").skip(1);
        assert!(explained.clone().count() > 0, "{page}");
        for after in explained {
            assert!(
                after.starts_with(" of 20,000 nodes a move"),
                "{page}: {:.60}",
                after
            );
        }
        assert!(words.contains("At 2,000 nodes a move"), "{page}");
    }
}

/// Another program, which knows of weights only what is written of them, computes the
/// same values and makes weights of its own.
#[test]
fn others_fit_weights_by_what_is_printed() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: there is no python3 on this machine");
        return;
    }
    let dir = TempDir::new().unwrap();
    let [games, table, positions, weights] =
        names(&dir, ["games", "table", "positions", "weights"]);
    let trained = |game: &str, features: &str| {
        let output = Command::new("python3")
            .arg("tests/other_trainer.py")
            .args([game, features, &table, &positions, &weights])
            .output()
            .unwrap();
        let (out, why) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success() && why.is_empty(), "{out}{why}");
        out
    };
    for (game, features) in [("yoxii", Yoxii::FEATURES), ("hokito", Hokito::FEATURES)] {
        datagen(game, &games, &[]);
        let printed_table = printed(&["--game", game, "data", "weights", "--classes"]);
        let printed_positions = printed(&["data", "dump", "--features", &games]);
        fs::write(&table, &printed_table).unwrap();
        fs::write(&positions, &printed_positions).unwrap();
        fs::remove_file(&games).unwrap();
        let out = trained(game, features);
        let last = out.lines().last().unwrap();
        let loss = last.strip_prefix("loss fitted ").expect(&out);
        let loss: f64 = loss.parse().unwrap();
        assert!(loss < 0.68, "{out}: to expect nothing costs 0.6931");

        // The program that loads what it wrote plays by the same values.
        datagen(game, &games, &["--eval-file", &weights]);
        let of_new = printed(&["--game", game, "data", "weights", "--classes", &weights]);
        fs::write(&table, of_new).unwrap();
        let dump = [
            "data",
            "dump",
            "--features",
            &games,
            "--eval-file",
            &weights,
        ];
        let of_new = printed(&dump);
        fs::write(&positions, of_new).unwrap();
        fs::remove_file(&games).unwrap();
        let out = trained(game, features);
        assert!(out.contains(" static values agree"), "{out}");

        // Numbers that it would not find in the table, or twice in a line, it could not use.
        let count = printed_table.lines().count();
        for line in printed_positions.lines() {
            let features = line.rsplit('\t').next().unwrap().split(' ');
            let numbers: Vec<usize> = features
                .map(|pair| pair.split_once(':').unwrap().0.parse().unwrap())
                .collect();
            assert!(numbers.is_sorted_by(|a, b| a < b), "{line}");
            assert!(numbers.iter().all(|&number| number < count), "{line}");
        }
    }
}
