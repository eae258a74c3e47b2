//! Which module may name which: the layers inside each crate, and no cycles among the files
//! of a folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each module with those beside it, in its crate, that it may name, and those of the crates
/// below it.
const LAYERS: &[(&str, &str, &str)] = &[
    ("src/engine/game", "", ""),
    ("src/engine/host", "", ""),
    ("src/engine/stop", "host lock", ""),
    ("src/engine/search", "game checksum host lock stop", ""),
    ("src/engine/engine", "game host search lock stop", ""),
    ("src/engine/drawing", "game", ""),
    ("src/engine/bench", "game host search stop", ""),
    ("src/games/record", "", "file game"),
    (
        "src/games/review",
        "record",
        "drawing engine game search stop",
    ),
    (
        "src/games/facts",
        "record review",
        "engine game search stop",
    ),
    ("src/file", "", "file game record"),
    ("src/process", "file", "checksum file game lock record stop"),
    ("src/arena", "file process shard", "game lock record stop"),
    (
        "src/board",
        "file process",
        "checksum facts file game lock stop",
    ),
    (
        "src/train",
        "file shard",
        "engine file game record search stop",
    ),
    ("src/analysis", "", "engine game record search stop"),
];

/// What modules without a search may name of it, too: the limits that it is given.
const PLAIN: [&str; 2] = [
    "totemic_engine::search::Clock;",
    "totemic_engine::search::Limits;",
];

/// Parts of the search with the neighbours that they must not name.
const APART: &[(&str, &str)] = &[
    ("alphabeta", "mcts think"),
    ("mcts", "alphabeta think"),
    ("solver", "alphabeta mcts think"),
    ("eval", "alphabeta mcts solver think request threads time"),
];

fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// Returns the files of a module: its own and those in its folder.
fn files(module: &str) -> Vec<PathBuf> {
    let mut found = vec![source(&format!("{module}.rs"))];
    let mut folders = vec![source(module)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("a folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                found.push(path);
            }
        }
    }
    found
}

/// Returns the names after a prefix in the code of a file, without comments.
fn named(file: &Path, prefix: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let code = code.inspect(|line| {
        let is_plain = !line.contains("crate::{");
        assert!(is_plain, "{file:?}: a line for each, not '{line}'");
    });
    let code = PLAIN.iter().fold(code.collect(), |code: String, plain| {
        code.replace(plain, "")
    });
    let word = |part: &str| {
        let is_end = |c: char| !c.is_ascii_lowercase() && c != '_';
        let word = part.trim_start().split(is_end).next();
        word.unwrap_or_default().to_owned()
    };
    let names = code.split(prefix).skip(1).flat_map(|part| {
        let list = part
            .strip_prefix('{')
            .and_then(|list| list.split('}').next());
        list.unwrap_or(part.split(',').next().unwrap_or_default())
            .split(',')
            .map(word)
    });
    names.filter(|word| !word.is_empty()).collect()
}

#[test]
fn each_layer_knows_only_those_below_it() {
    for (module, beside, below) in LAYERS {
        let (_, own) = module.rsplit_once('/').expect("a path");
        for file in files(module) {
            for (prefix, known) in [
                ("crate::", beside),
                ("totemic_engine::", below),
                ("totemic_games::", below),
            ] {
                for other in named(&file, prefix) {
                    let is_known = other == own || known.split(' ').any(|name| name == other);
                    assert!(is_known, "{} names {prefix}{other}", file.display());
                }
            }
        }
    }
}

#[test]
fn the_parts_of_the_search_are_apart() {
    for (part, strangers) in APART {
        for file in files(&format!("src/engine/search/{part}")) {
            for prefix in ["crate::search::", "super::super::"] {
                for other in named(&file, prefix) {
                    let is_known = !strangers.split(' ').any(|stranger| stranger == other);
                    assert!(is_known, "{} names {other}", file.display());
                }
            }
        }
    }
}

/// Returns the folders of the source, from this one down.
fn folders(folder: PathBuf) -> Vec<PathBuf> {
    let entries = fs::read_dir(&folder).expect("a folder can be read");
    let paths = entries.map(|entry| entry.expect("a folder can be read").path());
    let mut found: Vec<PathBuf> = paths
        .filter(|path| path.is_dir())
        .flat_map(folders)
        .collect();
    found.push(folder);
    found
}

/// Returns each file of a folder with the files beside it that it names.
fn uses(folder: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let entries = fs::read_dir(folder).expect("a folder can be read");
    let paths = entries.map(|entry| entry.expect("a folder can be read").path());
    let sources = paths.filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let uses = sources.map(|path| {
        let stem = path.file_stem().expect("a name").to_string_lossy();
        (stem.into_owned(), named(&path, "super::"))
    });
    uses.collect()
}

/// No file of a folder needs, directly or through others, one that needs it.
#[test]
fn nothing_goes_in_a_circle() {
    for folder in folders(source("src")) {
        let mut left = uses(&folder);
        while !left.is_empty() {
            let is_free =
                |uses: &BTreeSet<String>| uses.iter().all(|name| !left.contains_key(name));
            let free = left.iter().find(|(_, uses)| is_free(uses));
            let name = free.map(|(name, _)| name.clone());
            let name = name.unwrap_or_else(|| panic!("{folder:?}: a circle among {left:?}"));
            left.remove(&name);
        }
    }
}
