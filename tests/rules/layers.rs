//! Which module may name which: the layers inside each crate, and no cycles among the files
//! of a folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each module with those beside it, in its crate, that it may name, and those of the crates
/// below it.
const LAYERS: &[(&str, &str, &str)] = &[
    ("src/engine/checksum", "", ""),
    ("src/engine/lock", "", ""),
    ("src/engine/text", "", ""),
    ("src/engine/file", "text", ""),
    ("src/engine/game", "text", ""),
    ("src/engine/host", "", ""),
    ("src/engine/stop", "host lock", ""),
    ("src/engine/search", "game checksum host lock stop text", ""),
    ("src/engine/engine", "game host search lock stop", ""),
    ("src/engine/drawing", "game", ""),
    ("src/engine/weights", "file search text", ""),
    ("src/engine/bench", "game host search stop", ""),
    (
        "src/engine/ugi",
        "bench drawing engine file game host lock search stop text weights",
        "",
    ),
    ("src/games/numbers", "", ""),
    ("src/games/limits", "", ""),
    ("src/games/record", "limits", "file game text"),
    ("src/games/final_score", "", "game"),
    ("src/games/odds_in_words", "", "game search"),
    (
        "src/games/review",
        "final_score limits odds_in_words record",
        "drawing engine game search stop text",
    ),
    (
        "src/games/facts",
        "final_score limits odds_in_words record review",
        "engine game search stop",
    ),
    ("src/storage", "", "file record text"),
    (
        "src/process",
        "",
        "checksum file game limits lock numbers record stop text",
    ),
    ("src/same_settings", "", "text"),
    (
        "src/arena",
        "process shard storage",
        "game limits lock record stop text",
    ),
    (
        "src/board",
        "process storage",
        "checksum facts file game lock stop text",
    ),
    (
        "src/train",
        "same_settings shard storage",
        "engine file game record search stop",
    ),
    (
        "src/analysis",
        "",
        "engine game limits numbers record search stop text",
    ),
];

/// What modules without a search may name of it, too: the limits that it is given.
const ALLOWED: [&str; 2] = [
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
    found.extend(files_below(source(module)));
    found
}

/// Returns the files of Rust below a path, none if it is no folder.
fn files_below(folder: PathBuf) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("a folder can be read").path();
        match path.extension() {
            Some(end) if end == "rs" => found.push(path),
            _ => found.extend(files_below(path)),
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
    let code = ALLOWED
        .iter()
        .fold(code.collect(), |code: String, allowed| {
            code.replace(allowed, "")
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

/// Returns each file of a module with each name after a prefix in it.
fn names(module: &str, prefix: &str) -> Vec<(PathBuf, String)> {
    let of_file = |file: PathBuf| {
        let names = named(&file, prefix).into_iter();
        names.map(move |name| (file.clone(), name))
    };
    files(module).into_iter().flat_map(of_file).collect()
}

#[test]
fn each_layer_knows_only_those_below_it() {
    for (module, beside, below) in LAYERS {
        let (_, own) = module.rsplit_once('/').expect("a path");
        for (prefix, known) in [
            ("crate::", beside),
            ("totemic_engine::", below),
            ("totemic_games::", below),
        ] {
            for (file, other) in names(module, prefix) {
                let is_known = other == own || known.split(' ').any(|name| name == other);
                assert!(is_known, "{} names {prefix}{other}", file.display());
            }
        }
    }
}

#[test]
fn the_parts_of_the_search_are_apart() {
    let search = source("src/engine/search");
    for (part, strangers) in APART {
        for file in files(&format!("src/engine/search/{part}")) {
            let below = file.strip_prefix(&search).expect("a file of the search");
            let beside = "super::".repeat(below.components().count());
            let names = ["crate::search::", &beside].map(|prefix| named(&file, prefix));
            for other in names.iter().flatten() {
                let is_known = !strangers.split(' ').any(|stranger| stranger == other);
                assert!(is_known, "{} names {other}", file.display());
            }
        }
    }
}

/// No file of a folder, with what is in its own folder, needs, directly or through others, one
/// beside it that needs it.
#[test]
fn nothing_goes_in_a_circle() {
    let mut folders: BTreeMap<PathBuf, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for file in files_below(source("src")) {
        let stem = file.file_stem().expect("a name").to_string_lossy();
        let path = file.with_file_name("");
        let folder = path.file_name().expect("a folder").display();
        let prefix = format!("::{folder}::");
        let mut names = named(&file, "super::");
        for part in files_below(file.with_extension("")).iter().chain([&file]) {
            names.extend(named(part, &prefix));
        }
        names.remove(&*stem);
        let files = folders.entry(path).or_default();
        files.insert(stem.into_owned(), names);
    }
    assert!(folders.len() > 20, "{folders:?}");
    for (folder, mut left) in folders {
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
