//! From self-play to weights that the engine plays with, by the commands.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::commands::{text, totemic};
use tempfile::TempDir;
use totemic::game::{Hokito, Yoxii};
use totemic::search::Learnable;

/// What the program prints, which must succeed.
fn printed(args: &[&str]) -> String {
    let output = totemic(args);
    assert!(
        output.status.success(),
        "{args:?}: {}",
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// Few and quick games.
fn datagen(game: &str, out: &Path, more: &[&str]) -> Output {
    let out = out.to_str().expect("a path in UTF-8");
    let settings = [
        "datagen",
        "--game",
        game,
        "--games",
        "200",
        "--nodes",
        "60",
        "--solver-nodes",
        "60",
        "--seed",
        "5",
        "--out",
        out,
    ];
    totemic(&[&settings[..], more].concat())
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
    let path = |name: &str| dir.path().join(name);
    assert!(
        datagen("yoxii", &path("whole"), &["--threads", "2"])
            .status
            .success()
    );
    let whole = fs::read(path("whole")).unwrap();

    // Killed in the middle of a block, at its very beginning, and before the first.
    let head = whole.iter().position(|&byte| byte == b'\n').unwrap();
    for cut in [whole.len() / 2, 300, head, head - 9, 50, 0] {
        fs::write(path("cut"), &whole[..cut]).unwrap();
        let refused = datagen("yoxii", &path("cut"), &[]);
        assert_eq!(refused.status.code(), Some(1));
        assert_eq!(fs::read(path("cut")).unwrap(), &whole[..cut]);
        let resumed = datagen("yoxii", &path("cut"), &["--resume"]);
        assert!(resumed.status.success(), "{}", text(&resumed.stderr));
        assert!(fs::read(path("cut")).unwrap() == whole, "cut at {cut}");
    }

    for part in ["1/2", "2/2"] {
        let made = datagen("yoxii", &path(&part[..1]), &["--shard", part]);
        assert!(made.status.success());
    }
    let [one, two, all] = ["1", "2", "all"].map(|name| path(name).to_str().unwrap().to_owned());
    printed(&["data", "merge", &two, &one, "--out", &all]);
    let dump = printed(&["data", "dump", &all]);
    assert!(dump == printed(&["data", "dump", path("whole").to_str().unwrap()]));
    assert!(dump.lines().count() > 2000);
    let twice = totemic(&["data", "merge", &one, &one, "--out", &format!("{all}2")]);
    assert!(text(&twice.stderr).contains("are in a file before"));
    assert!(printed(&["data", "info", &all]).contains("200 of 200 games, merged"));

    // What is missing is told.
    let [less, part] = ["less", "part"].map(|name| path(name).to_str().unwrap().to_owned());
    let merged = totemic(&["data", "merge", &one, "--out", &less]);
    assert!(merged.status.success());
    assert!(text(&merged.stderr).contains("warning: 72 games of the recipe are in none"));
    assert!(printed(&["data", "info", &less]).contains("128 of 200 games, merged, 72 missing"));
    assert!(printed(&["data", "info", &one]).contains("128 of 128 games, part 1 of 2\n"));
    let parts = fs::read(&one).unwrap();
    // One of its two blocks.
    let first = parts.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let length = u32::from_le_bytes(parts[first + 8..first + 12].try_into().unwrap());
    fs::write(&part, &parts[..first + 16 + length as usize]).unwrap();
    assert!(printed(&["data", "info", &part]).contains("64 of 128 games, part 1 of 2, 64 missing"));
}

/// What a kill leaves is cut off, what else is damaged is not.
#[test]
fn a_damaged_block_is_no_reason_to_throw_those_behind_it_away() {
    let dir = TempDir::new().unwrap();
    let [games] = names(&dir, ["games"]);
    assert!(datagen("yoxii", Path::new(&games), &[]).status.success());
    let mut damaged = fs::read(&games).unwrap();
    damaged[300] ^= 1;
    fs::write(&games, &damaged).unwrap();
    let resumed = datagen("yoxii", Path::new(&games), &["--resume"]);
    let info = totemic(&["data", "info", &games]);
    // The others are told all the same.
    #[cfg(unix)]
    {
        let [pipe, good] = names(&dir, ["pipe", "good"]);
        assert!(
            Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        assert!(datagen("yoxii", Path::new(&good), &[]).status.success());
        let told = totemic(&["data", "info", &pipe, &games, &good]);
        assert_eq!(told.status.code(), Some(1));
        assert!(text(&told.stdout).starts_with(&good));
        let said = text(&told.stderr);
        assert!(
            said.contains(&format!("'{pipe}': it is a pipe: expected a regular file")),
            "{said}"
        );
        assert_eq!(said.lines().count(), 2, "{said}");
    }
    for output in [resumed, info] {
        assert_eq!(output.status.code(), Some(1));
        let said = text(&output.stderr);
        assert!(said.contains("damaged, and whole blocks follow"), "{said}");
    }
    assert!(fs::read(&games).unwrap() == damaged);

    // The recipe is what the weights are said to come from.
    damaged[300] ^= 1;
    let seed = damaged
        .windows(8)
        .position(|it| it == b"\"seed\":5")
        .unwrap();
    damaged[seed + 7] = b'6';
    fs::write(&games, &damaged).unwrap();
    let (_, why) = refused(&["data", "info", &games]);
    assert!(
        why.contains("its first line is damaged: its checksum is wrong"),
        "{why}"
    );
}

/// The weights of one game are there again when that is played again.
#[test]
fn weights_of_one_game_outlast_the_other() {
    let dir = TempDir::new().unwrap();
    let [games, weights] = names(&dir, ["games", "weights"]);
    assert!(datagen("hokito", Path::new(&games), &[]).status.success());
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
    let (code, why) = refused(&["fit", "--data", &games, &games, "--out", &weights]);
    assert_eq!(code, Some(2));
    assert!(why.contains("is given twice"), "{why}");
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
        assert!(datagen(game, Path::new(&path(game)), &[]).status.success());
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
    let (file, out) = (path("hokito"), path("none"));
    for command in [
        &["info"][..],
        &["dump"],
        &["calibration"],
        &["merge", "--out", &out],
        &["shuffle", "--out", &out],
    ] {
        let words = [&["data"], command, &[&file, "--game", "yoxii"]].concat();
        let (code, why) = refused(&words);
        assert!(code == Some(2) && why.contains("--game yoxii"), "{why}");
        assert!(!Path::new(&out).exists(), "{command:?}");
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
    assert!(text(&wrong.stderr).contains("expected a first line that begins with"));
}

#[test]
fn nothing_but_the_rules_is_enough_to_learn_from() {
    let dir = TempDir::new().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let made = datagen("yoxii", Path::new(&path("games")), &["--eval-file", "zero"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
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

#[test]
fn shuffled_games_are_the_same_games_in_another_order() {
    let dir = TempDir::new().unwrap();
    let [one, two, all, mixed, again, other, new] =
        names(&dir, ["1", "2", "all", "mixed", "again", "other", "new"]);
    for (part, out) in [("1/2", &one), ("2/2", &two)] {
        assert!(
            datagen("yoxii", Path::new(out), &["--shard", part])
                .status
                .success()
        );
    }
    printed(&["data", "merge", &one, &two, "--out", &all]);
    printed(&["data", "shuffle", &all, "--out", &mixed, "--seed", "7"]);
    printed(&[
        "data", "shuffle", &two, &one, "--out", &again, "--seed", "7",
    ]);
    printed(&["data", "shuffle", &all, "--out", &other, "--seed", "8"]);
    let [mixed_bytes, again_bytes, other_bytes] =
        [&mixed, &again, &other].map(|path| fs::read(path).unwrap());
    assert!(mixed_bytes == again_bytes, "parts make no difference");
    assert!(mixed_bytes != other_bytes, "but the seed does");

    let info = printed(&["data", "info", &mixed]);
    assert!(
        info.contains("200 of 200 games, shuffled by seed 7"),
        "{info}"
    );
    let rest = |info: &str| info.lines().skip(3).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(rest(&info), rest(&printed(&["data", "info", &all])));
    let lines = |path: &str| {
        let dump = printed(&["data", "dump", path]);
        dump.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let (mut before, mut after) = (lines(&all), lines(&mixed));
    assert_ne!(before, after);
    before.sort_unstable();
    after.sort_unstable();
    assert!(before == after);
    printed(&["fit", "--data", &mixed, "--out", &new, "--epochs", "1"]);

    // Nothing is written in the place of another file, nor where something is wrong.
    let (code, why) = refused(&["data", "shuffle", &all, "--out", &mixed]);
    assert_eq!(code, Some(1));
    assert!(why.contains("there is such a file already"), "{why}");
    assert!(fs::read(&mixed).unwrap() == mixed_bytes);
    let [none] = names(&dir, ["none"]);
    for (args, expected) in [
        (
            ["shuffle", &all, &one],
            "some of its games are in a file before",
        ),
        (["shuffle", &one, &mixed], "its games are shuffled"),
        (["merge", &mixed, &one], "its games are shuffled"),
    ] {
        let (code, why) = refused(&[&["data"], &args[..], &["--out", &none]].concat());
        assert_eq!(code, Some(1));
        assert!(why.contains(expected), "{why}");
    }
    let whole = fs::read(&one).unwrap();
    fs::write(&one, &whole[..whole.len() - 1]).unwrap();
    let (_, why) = refused(&["data", "shuffle", &one, "--out", &none]);
    assert!(why.contains("are no whole block"), "{why}");
    assert!(!Path::new(&none).exists());
    let left = fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left
        .filter(|name| name.to_string_lossy().contains("part"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_fit_that_was_killed_ends_with_the_same_weights() {
    let dir = TempDir::new().unwrap();
    let [games, others, straight, resumed, checkpoint] = names(
        &dir,
        ["games", "others", "straight", "resumed", "checkpoint"],
    );
    assert!(datagen("yoxii", Path::new(&games), &[]).status.success());
    let epochs = ["--epochs", "200", "--seed", "3"];
    let fit = |out: &str, more: &[&str]| {
        let words = [&["fit", "--data", &games, "--out", out], &epochs[..], more].concat();
        words
            .iter()
            .map(|&word| word.to_owned())
            .collect::<Vec<_>>()
    };
    let words = |args: &[String]| totemic(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(words(&fit(&straight, &[])).status.success());

    let mut child = Command::new(env!("CARGO_BIN_EXE_totemic"))
        .args(fit(&resumed, &["--checkpoint", &checkpoint]))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    while !Path::new(&checkpoint).exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!Path::new(&resumed).exists(), "killed too late");
    let kept = fs::read(&checkpoint).unwrap();

    let output = words(&fit(&resumed, &["--checkpoint", &checkpoint]));
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    let after = said
        .lines()
        .find_map(|line| line.strip_prefix("goes on after pass "));
    let after: u32 = after.unwrap().split(',').next().unwrap().parse().unwrap();
    assert!((1..200).contains(&after), "{said}");
    let passes = said
        .lines()
        .filter(|line| line.starts_with("pass "))
        .count();
    assert_eq!(passes as u32, 200 - after, "{said}");
    assert!(fs::read(&straight).unwrap() == fs::read(&resumed).unwrap());
    // Once more there is nothing left to do, and the same comes out.
    fs::remove_file(&resumed).unwrap();
    let output = words(&fit(&resumed, &["--checkpoint", &checkpoint]));
    assert!(text(&output.stderr).contains("goes on after pass 200"));
    assert!(fs::read(&straight).unwrap() == fs::read(&resumed).unwrap());

    // What does not belong to it is named.
    let made = datagen("yoxii", Path::new(&others), &["--shard", "1/2"]);
    assert!(made.status.success());
    fs::remove_file(&resumed).unwrap();
    for (more, name) in [
        (vec!["--rate", "0.02"], "its --rate is 0.01, expected 0.02"),
        (
            vec!["--patience", "9"],
            "its --patience is none, expected 9",
        ),
        (
            vec!["--keep-terms"],
            "its treatment of the terms is fitted, expected kept",
        ),
        (
            vec!["--held-out", &others],
            "its SHA-256 of the positions held out is",
        ),
    ] {
        let more = [&["--checkpoint", &checkpoint], &more[..]].concat();
        let output = words(&fit(&resumed, &more));
        assert_eq!(output.status.code(), Some(1));
        let said = text(&output.stderr);
        assert!(said.contains(name), "{said}");
    }
    let mut damaged = kept.clone();
    damaged[kept.len() / 2] ^= 1;
    let cases: [(&[u8], &str); 4] = [
        (&damaged, "its checksum is not that of its content"),
        (
            &kept[..kept.len() - 4],
            "its checksum is not that of its content",
        ),
        (
            b"",
            "expected a first line that begins with 'totemic-checkpoint 1 '",
        ),
        (b"totemic-checkpoint 1 ", "the checkpoint is damaged"),
    ];
    for (bytes, expected) in cases {
        fs::write(&checkpoint, bytes).unwrap();
        let output = words(&fit(&resumed, &["--checkpoint", &checkpoint]));
        assert_eq!(output.status.code(), Some(1));
        let said = text(&output.stderr);
        assert!(said.contains(expected), "{said}");
        assert_eq!(fs::read(&checkpoint).unwrap(), bytes, "it stays as it was");
    }
    assert!(!Path::new(&resumed).exists());
}

#[test]
fn a_fit_ends_when_it_gets_no_better_and_takes_no_more_than_it_may() {
    let dir = TempDir::new().unwrap();
    let [games, long, short, few] = names(&dir, ["games", "long", "short", "few"]);
    assert!(datagen("hokito", Path::new(&games), &[]).status.success());
    // Steps of ten logits soon make it worse.
    let fit = ["fit", "--data", &games, "--rate", "10", "--epochs", "60"];
    let said = |args: &[&str]| {
        let output = totemic(&[&fit[..], args].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stderr)
    };
    let losses = |said: &str| -> Vec<f64> {
        let lines = said.lines().filter_map(|line| line.strip_prefix("pass "));
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
    let ended = format!("none of the last 4 passes was better than pass {best}");
    assert!(patient.contains(&ended), "{patient}");
    assert!(patient.contains("warning: no pass"), "{patient}");
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
    let (code, why) = refused(&[&fit[..], &["--out", &few, "--max-positions", "1"]].concat());
    assert_eq!(code, Some(1));
    assert!(why.contains("too few positions"), "{why}");
    let few_held = said(&["--out", &few, "--max-positions", "400", "--patience", "1"]);
    assert!(few_held.contains("fewer than 100"), "{few_held}");
    assert!(!few_held.contains("no pass"), "{few_held}");
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
    assert!(datagen("hokito", Path::new(&games), &[]).status.success());
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
    assert!(datagen("yoxii", Path::new(&games), &[]).status.success());
    let made = datagen("yoxii", Path::new(&held), &["--shard", "1/2"]);
    assert!(made.status.success());
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
        let made = datagen(game, Path::new(&games), &[]);
        assert!(made.status.success(), "{}", text(&made.stderr));
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
        let made = datagen(game, Path::new(&games), &["--eval-file", &weights]);
        assert!(made.status.success(), "{}", text(&made.stderr));
        let of_new = printed(&["--game", game, "data", "weights", "--classes", &weights]);
        fs::write(&table, of_new).unwrap();
        let of_new = printed(&["data", "dump", "--features", &games]);
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
