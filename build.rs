//! Tells the program what it was built for, for `totemic --version`.

fn main() {
    let read = |name: &str| std::env::var(name).unwrap_or_default();
    let target = read("TARGET");
    let features = read("CARGO_CFG_TARGET_FEATURE");
    println!("cargo::rustc-env=TOTEMIC_TARGET={target} {features}");
    println!("cargo::rerun-if-changed=build.rs");
}
