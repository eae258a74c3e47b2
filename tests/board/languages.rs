//! The page in each of its languages, on a phone and on a laptop.

use crate::support::{with_page, with_site};

const TOUR: &str = include_str!("languages.js");

fn languages() -> Vec<String> {
    let files = std::fs::read_dir("src/board/page/lang").expect("the languages");
    let name = |file: std::io::Result<std::fs::DirEntry>| {
        let name = file.expect("a file").file_name();
        name.to_str()
            .and_then(|name| name.strip_suffix(".js").map(str::to_owned))
    };
    files.filter_map(name).collect()
}

fn takes_a_tour(part: &str) {
    with_site((1400, 900), async |stage| {
        for language in languages() {
            for size in ["[360, 640]", "[1366, 650]"] {
                let script = format!(
                    "const done = arguments[arguments.length - 1]; {TOUR} \
                     tour('{language}', {size}, '{part}').then(done, (why) => done([String(why)]))"
                );
                let faults = stage.run_async(&script).await;
                assert_eq!(faults, serde_json::json!([]), "{language} {size}");
            }
        }
    });
}

#[test]
fn a_game_is_played_in_each_language() {
    takes_a_tour("game");
}

#[test]
fn a_lesson_is_taken_in_each_language() {
    takes_a_tour("lesson");
}

#[test]
fn a_puzzle_is_solved_in_each_language() {
    takes_a_tour("puzzle");
}

#[test]
fn a_game_is_reviewed_in_each_language() {
    takes_a_tour("review");
}

#[test]
fn the_language_of_an_address_is_kept_until_another_is_chosen() {
    with_page("", (1024, 700), async |stage| {
        let speaks = async |language: &str| {
            let spoken = "return document.documentElement.lang";
            assert_eq!(stage.text(spoken).await, language);
        };
        speaks("en").await;
        let address = "return `${location.origin}/?lang=pt-BR`";
        let address = stage.text(address).await;
        stage.visit(&address).await;
        speaks("pt").await;
        stage.says("para onde vai o totem?").await;
        assert_eq!(stage.text("return location.search").await, "");
        stage.reload().await;
        speaks("pt").await;
        stage.choose("#language", "pl").await;
        stage.says("gdzie przestawić totem?").await;
        stage.reload().await;
        speaks("pl").await;
        let loaded = "return performance.getEntriesByType('resource') \
             .filter(({ name }) => name.includes('/lang/')).map(({ name }) => name.slice(-5)).join()";
        assert_eq!(stage.text(loaded).await, "pl.js");
    });
}
