//! Tells the program what it was built from and for, for `totemic --version`, and which
//! files the page of the board has.

use std::path::Path;
use std::process::Command;

fn main() {
    list_page();
    let read = |name: &str| std::env::var(name).unwrap_or_default();
    let target = read("TARGET");
    let features = read("CARGO_CFG_TARGET_FEATURE");
    println!("cargo::rustc-env=TOTEMIC_TARGET={target} {features}");
    println!("cargo::rerun-if-changed=build.rs");
    // While somebody works on it, each commit would compile everything again.
    let commit = (read("PROFILE") == "release").then(commit).flatten();
    let commit = commit.map(|commit| format!(" ({commit})"));
    println!(
        "cargo::rustc-env=TOTEMIC_COMMIT={}",
        commit.unwrap_or_default()
    );
}

/// Writes the files of the page as an array of names and contents.
fn list_page() {
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo names the folder");
    let page = Path::new(&root).join("src/board/page");
    println!("cargo::rerun-if-changed=src/board/page");
    let mut entries = Vec::new();
    for folder in ["", "lang/", "vendor/"] {
        for entry in std::fs::read_dir(page.join(folder)).expect("the page lies there") {
            let path = entry.expect("a file of the page").path();
            let name = path
                .file_name()
                .and_then(|name| name.to_str())
                .expect("UTF-8");
            if path.is_file() && name != "tsconfig.json" && !name.ends_with(".d.ts") {
                entries.push(format!(
                    "({:?}, include_bytes!({path:?}).as_slice()),\n",
                    format!("{folder}{name}")
                ));
            }
        }
    }
    entries.sort();
    let out = std::env::var("OUT_DIR").expect("cargo names the folder");
    std::fs::write(
        Path::new(&out).join("page.rs"),
        format!("&[{}]", entries.concat()),
    )
    .expect("the list is written");
}

/// Git puts the commit here in an archive of the sources.
const ARCHIVED: &str = "$Format:%H$";

/// The commit of this checkout, or of the package or archive that was made of one.
fn commit() -> Option<String> {
    if let Some(hash) = ARCHIVED.get(..10).filter(|text| !text.starts_with('$')) {
        return Some(hash.to_owned());
    }
    if let Ok(info) = std::fs::read_to_string(".cargo_vcs_info.json") {
        let hash = info.split("\"sha1\": \"").nth(1)?;
        return Some(hash.get(..10)?.to_owned());
    }
    // The package may lie in a folder of somebody else's repository.
    if !Path::new(".git").exists() {
        return None;
    }
    // In a worktree the log lies elsewhere; of a path that is not there, cargo thinks that it changes.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists());
    for path in log.as_deref().into_iter().chain(["src", "Cargo.lock"]) {
        println!("cargo::rerun-if-changed={path}");
    }
    git(&[
        "describe",
        "--always",
        "--dirty",
        "--abbrev=10",
        "--exclude=*",
    ])
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
