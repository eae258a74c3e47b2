//! From self-play to weights that the engine plays with, by the commands.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn totemic(args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_totemic");
    Command::new(program)
        .args(args)
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

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

    // Killed in the middle of a block, and once more at its very beginning.
    for cut in [whole.len() / 2, 300] {
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
        // Where there are no positions, no loss is said.
        for row in losses.lines().skip(1) {
            let words: Vec<&str> = row.split_whitespace().collect();
            assert_eq!(words[1] == "0", words[2..] == ["-", "-"], "{table}");
        }
        let mut calibration = calibration.lines().skip(1);
        assert_eq!(calibration.next(), Some("expected  made  positions"));
        assert_eq!(calibration.count(), 10, "{table}");
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
