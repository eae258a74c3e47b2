//! The board as a user meets it, in headless Chromium.

use std::collections::BTreeSet;
use std::time::Instant;

use crate::support::{PATIENCE, READY, Stage, with_page};

const DESKTOP: (u32, u32) = (1280, 1000);
const PHONE: (u32, u32) = (500, 900);

/// Begins a game against the lowest level, which answers fast.
async fn begin(stage: &Stage, game: &str) {
    stage
        .run(
            "localStorage.setItem('totemic-settings', JSON.stringify({known: true, motion: false, \
              play: {level: 0, seconds: 0.1}}))",
        )
        .await;
    stage.reload().await;
    stage.until("the page is there", READY).await;
    stage.press(&format!("#game-{game}")).await;
    stage.press("#start").await;
    let seated = format!("document.querySelector('#lower .soft') && ({YOURS})");
    stage.until("your move", &seated).await;
}

/// Whether a person may move, or the game is over.
const YOURS: &str = "!document.getElementById('typed').disabled \
                     || document.getElementById('status').textContent.startsWith('Game over')";
const OVER: &str = "return document.getElementById('status').textContent.startsWith('Game over')";
/// Moves that the list shows.
const MOVES: &str = "return document.querySelectorAll('#moves button').length";

async fn moves(stage: &Stage) -> u64 {
    stage.run(MOVES).await.as_u64().expect("a number")
}

/// Waits until the number of moves listed compares so, as in `> 4`.
async fn listed(stage: &Stage, compares: &str) {
    stage
        .until(
            &format!("moves {compares}"),
            &format!("(() => {{ {MOVES} }})() {compares}"),
        )
        .await;
}

/// Waits for the board of so many squares.
async fn squares(stage: &Stage, count: usize) {
    let shown = format!("document.querySelectorAll('[data-square]').length === {count}");
    stage.until(&format!("{count} squares"), &shown).await;
}

/// As [`listed`], and that a person may move, or the game is over.
async fn your_move(stage: &Stage, compares: &str) {
    stage
        .until(
            &format!("your move, moves {compares}"),
            &format!("(() => {{ {MOVES} }})() {compares} && ({YOURS})"),
        )
        .await;
}

/// The example of a legal move that the page gives.
async fn legal(stage: &Stage) -> String {
    let text = stage
        .run("return document.getElementById('typed').placeholder")
        .await;
    let text = text.as_str().expect("text");
    text.rsplit(' ').next().expect("a move").to_owned()
}

/// Presses the square nearest the middle that the totem may go to: at the edge
/// it would soon be shut in.
async fn press_central(stage: &Stage) {
    stage
        .until("a target", "document.querySelector('[data-square].target')")
        .await;
    let nearest = stage
        .run(
            "const far = (square) => Math.hypot(square.charCodeAt(0) - 100, square[1] - 4); \
             return [...document.querySelectorAll('[data-square].target')] \
                 .map((button) => button.dataset.square).sort((a, b) => far(a) - far(b))[0]",
        )
        .await;
    let nearest = nearest.as_str().expect("a square");
    stage.press(&format!("[data-square={nearest}]")).await;
}

#[test]
fn a_game_of_yoxii_by_clicks() {
    with_page(&[], DESKTOP, async |stage| {
        begin(stage, "yoxii").await;
        while stage.run(OVER).await != true {
            let before = moves(stage).await;
            press_central(stage).await;
            stage
                .press("[data-square].target:not([aria-label*=chosen])")
                .await;
            your_move(stage, &format!("> {before}")).await;
        }
        let status = stage.status().await;
        assert!(
            status.contains("cannot move") && status.contains("Next to the totem"),
            "{status}"
        );
        let count = moves(stage).await;
        assert!(count > 8, "{count}");
        stage.press("#takeback").await;
        your_move(stage, &format!("< {count}")).await;
    });
}

#[test]
fn a_game_of_hokito_by_keyboard() {
    with_page(&[], DESKTOP, async |stage| {
        begin(stage, "hokito").await;
        // The first move by walking over the board.
        let first = legal(stage).await;
        stage
            .run("document.querySelector('[data-square][tabindex=\"0\"]').focus()")
            .await;
        for square in [&first[..2], &first[2..]] {
            walk(stage, square).await;
            stage.keys("\u{e007}").await;
        }
        your_move(stage, ">= 2").await;
        // The others by typing, as loosely as people do.
        while stage.run(OVER).await != true {
            let before = moves(stage).await;
            let mv = legal(stage).await;
            stage.run("document.activeElement.blur()").await;
            stage.run("document.getElementById('typed').focus()").await;
            stage
                .keys(&format!(
                    "{} - {}\u{e007}",
                    mv[..2].to_uppercase(),
                    &mv[2..]
                ))
                .await;
            your_move(stage, &format!("> {before}")).await;
        }
        let status = stage.status().await;
        assert!(status.contains("value times height"), "{status}");
    });
}

/// Makes a move of Yoxii by clicks and waits for the engine's.
async fn move_and_answer(stage: &Stage) {
    let before = moves(stage).await;
    press_central(stage).await;
    stage
        .press("[data-square].target:not([aria-label*=chosen])")
        .await;
    your_move(stage, &format!("> {before}")).await;
}

#[test]
fn a_look_at_the_other_game_leaves_this_one_as_it_was() {
    with_page(&[], DESKTOP, async |stage| {
        begin(stage, "yoxii").await;
        move_and_answer(stage).await;
        let before = moves(stage).await;
        stage.press("#game-hokito").await;
        squares(stage, 36).await;
        your_move(stage, "=== 0").await;
        // A move there, for both sides by hand.
        let first = legal(stage).await;
        for square in [&first[..2], &first[2..]] {
            stage.press(&format!("[data-square={square}]")).await;
        }
        listed(stage, "=== 1").await;
        stage.press("#game-yoxii").await;
        squares(stage, 37).await;
        your_move(stage, &format!("=== {before}")).await;
        // The engine still plays the other side.
        move_and_answer(stage).await;
        let after = moves(stage).await;
        stage.press("#game-hokito").await;
        listed(stage, "=== 1").await;
        // A reload keeps both.
        stage.reload().await;
        stage.until("the page is there", READY).await;
        stage.press("#game-yoxii").await;
        your_move(stage, &format!("=== {after}")).await;
    });
}

#[test]
fn resigning_asks_once_and_another_game_is_one_press_away() {
    with_page(&[], DESKTOP, async |stage| {
        begin(stage, "yoxii").await;
        move_and_answer(stage).await;
        let label = "document.getElementById('resign').textContent";
        stage.press("#resign").await;
        stage
            .until("a question", &format!("{label} === 'Really resign?'"))
            .await;
        // Whoever does not answer goes on playing.
        stage
            .until("no question", &format!("{label} === 'Resign'"))
            .await;
        move_and_answer(stage).await;
        stage.press("#resign").await;
        stage.press("#resign").await;
        let status = "document.getElementById('status').textContent";
        stage
            .until("the end", &format!("{status}.includes('resigned')"))
            .await;
        let said = stage.status().await;
        assert!(said.contains("You lose"), "{said}");
        // It can be taken back, and nothing else with it.
        let played = moves(stage).await;
        stage.press("#takeback").await;
        stage.until("your move", YOURS).await;
        assert_eq!(moves(stage).await, played);
        stage.press("#resign").await;
        stage.press("#resign").await;
        stage.press("#again").await;
        your_move(stage, "=== 0").await;
        move_and_answer(stage).await;
    });
}

#[test]
fn a_position_that_was_set_up_is_played_at_once_and_told_of() {
    with_page(&[], DESKTOP, async |stage| {
        begin(stage, "yoxii").await;
        let status = "document.getElementById('status').textContent";
        stage.press("#hint").await;
        stage
            .until(
                "a hint in words",
                &format!("{status}.startsWith('Hint: totem to ')"),
            )
            .await;
        stage.press("#mode-setup").await;
        stage.press("#brush-0").await;
        stage.press("[data-square=c3]").await;
        stage
            .until(
                "no points of what is no position",
                "document.querySelector('#lower .points').textContent === '–'",
            )
            .await;
        stage.press("#brush-4").await;
        stage.press("[data-square=e5]").await;
        stage
            .until(
                "a position",
                "document.getElementById('verdict').textContent === 'A legal position.'",
            )
            .await;
        stage.press("#use-play").await;
        stage
            .until(
                "a game from there",
                &format!(
                    "document.querySelector('[data-square=e5]').ariaLabel.includes('Red 1') \
                     && document.querySelector('#lower .soft') && ({YOURS})"
                ),
            )
            .await;
        // What was refused is no longer told of once something else is done.
        stage.run("document.getElementById('typed').focus()").await;
        stage.keys("a1a1\u{e007}").await;
        stage
            .until("a reason", "document.querySelector('.notice')")
            .await;
        move_and_answer(stage).await;
        stage
            .until("no reason", "!document.querySelector('.notice')")
            .await;
    });
}

/// Walks the focus to a square with the arrow keys.
async fn walk(stage: &Stage, square: &str) {
    const FOCUS: &str = "return document.activeElement.dataset.square";
    for _ in 0..20 {
        let at = stage.run(FOCUS).await;
        let at = at.as_str().expect("a square has the focus").as_bytes();
        let to = square.as_bytes();
        let key = match (to[0].cmp(&at[0]), to[1].cmp(&at[1])) {
            (std::cmp::Ordering::Less, _) => "\u{e012}",
            (std::cmp::Ordering::Greater, _) => "\u{e014}",
            (_, std::cmp::Ordering::Less) => "\u{e015}",
            (_, std::cmp::Ordering::Greater) => "\u{e013}",
            _ => return,
        };
        stage.keys(key).await;
    }
    panic!("{square} is not reached");
}

#[test]
fn analysis_reload_and_an_engine_that_is_killed() {
    with_page(&[], DESKTOP, async |stage| {
        stage.press("#later").await;
        stage.press("[data-square=c5]").await;
        stage.press("[data-square=b6]").await;
        stage.press("#mode-analyse").await;
        stage.press("#analysis").await;
        stage
            .until(
                "three lines",
                "document.querySelectorAll('.line').length === 3",
            )
            .await;
        stage
            .until(
                "arrows",
                "document.querySelectorAll('.arrows > g').length === 3",
            )
            .await;
        stage.press("#pv-0-1").await;
        listed(stage, "=== 3").await;
        // The game is there again after a reload, and the analysis begins anew.
        stage.reload().await;
        listed(stage, "=== 3").await;
        stage.press("#analysis").await;
        stage
            .until("lines", "document.querySelectorAll('.line').length > 0")
            .await;
        // Whatever is killed, the page says so and goes on.
        for engine in stage.engines() {
            let killed = std::process::Command::new("kill")
                .args(["-9", &engine.to_string()])
                .status();
            assert!(killed.expect("kill runs").success());
        }
        stage.press("#act-engine-analyst").await;
        stage.press("#back").await;
        stage
            .until(
                "lines again",
                "document.querySelectorAll('.line').length > 0",
            )
            .await;
    });
}

#[test]
fn a_position_is_set_up_and_refused_with_a_reason() {
    with_page(&[], DESKTOP, async |stage| {
        stage.press("#mode-setup").await;
        stage.press("#brush-0").await;
        stage.press("[data-square=c3]").await;
        let verdict = "document.getElementById('verdict').textContent";
        stage
            .until("a reason", &format!("{verdict}.includes('white')"))
            .await;
        stage
            .until("no way on", "document.getElementById('use-play').disabled")
            .await;
        stage.press("#brush-4").await;
        stage.press("[data-square=e5]").await;
        stage
            .until("a position", &format!("{verdict} === 'A legal position.'"))
            .await;
        stage.press("#use-analyse").await;
        stage
            .until(
                "it is shown",
                "document.querySelector('[data-square=e5]').ariaLabel.includes('Red 1')",
            )
            .await;
    });
}

#[test]
fn two_tabs_have_games_of_their_own_and_a_link_opens_one() {
    with_page(&[], DESKTOP, async |stage| {
        stage.press("#later").await;
        stage.press("[data-square=c5]").await;
        stage.press("[data-square=b6]").await;
        listed(stage, "=== 1").await;
        let first = stage.open_tab().await;
        let link = "#game=yoxii&fen=3/5/7/3*3/7/5/3+w&moves=d5e5y+d6d5x";
        let address = stage.url.split_once("?").expect("a query").0;
        stage.visit(&format!("{address}{link}")).await;
        listed(stage, "=== 2").await;
        // A link with an illegal move is refused with its reason, and the game stays.
        let refused = link.replace("d6d5x", "e5d5x");
        stage.visit(&format!("{address}{refused}")).await;
        stage
            .until(
                "a reason",
                "document.body.innerText.includes(\"'e5d5x' is illegal\")",
            )
            .await;
        assert_eq!(moves(stage).await, 2);
        stage.turn_to(first).await;
        assert_eq!(moves(stage).await, 1);
        assert!(
            stage.status().await.contains("Red"),
            "{}",
            stage.status().await
        );
    });
}

#[test]
fn a_link_with_a_wrong_secret_locks_nobody_out() {
    with_page(&[], DESKTOP, async |stage| {
        let address = stage.url.split_once("?").expect("a query").0;
        stage.visit(&format!("{address}?token=wrong")).await;
        stage.until("the page is there", READY).await;
        stage.visit(address).await;
        stage.until("the page is there", READY).await;
    });
}

#[test]
fn a_phone_shows_all_without_scrolling_sideways() {
    with_page(&[], PHONE, async |stage| {
        for mode in ["play", "analyse", "setup", "review", "watch", "rules"] {
            stage.press(&format!("#mode-{mode}")).await;
            let wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
            assert_eq!(stage.run(wide).await, 0, "{mode}");
        }
        let board =
            "return document.querySelector('svg.board').getBoundingClientRect().width / innerWidth";
        let part = stage.run(board).await.as_f64().expect("a number");
        assert!(part > 0.85, "{part}");
    });
}

/// Words in code quotes at the head of the rows of a section's tables.
fn words(protocol: &str, section: &str) -> BTreeSet<String> {
    let text = protocol
        .split(&format!("\n## {section}\n"))
        .nth(1)
        .expect("the section");
    let text = text.split("\n## ").next().expect("its text");
    (text.lines().filter(|line| line.starts_with("| `")))
        .flat_map(|line| {
            line.split('|')
                .nth(1)
                .expect("a cell")
                .split('`')
                .skip(1)
                .step_by(2)
        })
        .map(|quoted| quoted.split_whitespace().next().expect("a word").to_owned())
        .collect()
}

#[test]
fn the_page_speaks_the_protocol() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let option = format!("option.LogFile={}", log.display());
    let engine = ["--engine", "cmd=self", "name=watched", &option];
    with_page(&engine, DESKTOP, async |stage| {
        begin(stage, "yoxii").await;
        stage.press("[data-square].target").await;
        stage
            .press("[data-square].target:not([aria-label*=chosen])")
            .await;
        your_move(stage, ">= 2").await;
        stage.press("#hint").await;
        stage
            .until("a hint", "document.querySelector('.arrows > g')")
            .await;
        stage.press("#mode-analyse").await;
        stage.press("#analysis").await;
        stage
            .until("lines", "document.querySelector('.line')")
            .await;
        stage.press("#analysis").await;
        // An engine that is ended at once may never read that it is to stop.
        let begin = Instant::now();
        while !std::fs::read_to_string(&log).is_ok_and(|log| log.contains(" > stop\n")) {
            stage.status().await;
            assert!(begin.elapsed() < PATIENCE, "not in time: a stop");
        }
        stage.press("#game-hokito").await;
        stage.press("#analysis").await;
        stage
            .until("lines", "document.querySelector('.line')")
            .await;
        let protocol = include_str!("../../protocol.md");
        let (commands, options) = (words(protocol, "Commands"), words(protocol, "Options"));
        let limits: BTreeSet<String> = words(protocol, "Go");
        let log = std::fs::read_to_string(&log).expect("a log");
        let mut heard = BTreeSet::new();
        for line in log
            .lines()
            .filter_map(|line| line.split_once(" > ").map(|(_, line)| line))
        {
            // The log's own note on an engine that has ended.
            if line == "(end of input)" {
                continue;
            }
            let words: Vec<&str> = line.split(' ').collect();
            assert!(commands.contains(words[0]), "{line}");
            heard.insert(words[0].to_owned());
            match words[..] {
                ["setoption", "name", name, "value", _] => {
                    assert!(options.contains(name), "{line}")
                }
                ["go", ref limit @ ..] => {
                    let known = |word: &&str| limits.contains(*word) || word.parse::<u64>().is_ok();
                    assert!(limit.iter().all(known), "{line}");
                }
                ["position", "fen", _, "w" | "r" | "b"] => {}
                ["position", "fen", _, "w" | "r" | "b", "moves", _, ..] => {}
                ["isready" | "stop"] => {}
                _ => panic!("not in the grammar: {line}"),
            }
        }
        assert!(heard.contains("go") && heard.contains("stop"), "{heard:?}");
        assert!(!log.contains("info string error"), "{log}");
    });
}

/// Runs axe, a checker of accessibility, over the page.
const AXE: &str = "const done = arguments[0]; axe.run().then((found) => done({ \
    passes: found.passes.length, \
    violations: found.violations.map((v) => v.id + ' ' + v.nodes.map((n) => n.target).join(' ')) }))";

#[test]
fn a_checker_of_accessibility_finds_no_fault() {
    let Some(axe) = std::env::var_os("TOTEMIC_AXE") else {
        println!("skipped: TOTEMIC_AXE does not name the file axe.min.js");
        return;
    };
    let axe = std::fs::read_to_string(axe).expect("axe-core");
    for (theme, size) in [("light", DESKTOP), ("dark", DESKTOP), ("light", PHONE)] {
        with_page(&[], size, async |stage| {
            stage
                .run(&format!(
                    "localStorage.setItem('totemic-settings', JSON.stringify({{theme: '{theme}'}}))"
                ))
                .await;
            stage.reload().await;
            stage.until("the page is there", READY).await;
            stage.run(&axe).await;
            for mode in ["play", "analyse", "setup", "review", "watch", "rules"] {
                stage.press(&format!("#mode-{mode}")).await;
                let found = stage.run_async(AXE).await;
                assert_eq!(found["violations"], serde_json::json!([]), "{theme} {mode}");
                assert!(found["passes"].as_u64() > Some(10), "{found}");
            }
        });
    }
}

#[test]
fn variations_of_a_file_are_kept() {
    with_page(&[], DESKTOP, async |stage| {
        stage.press("#later").await;
        stage.press("#share summary").await;
        let text = "1. c5b6y (1. c4b5x d5e6x) d6e6x *";
        stage
            .run(&format!(
                "document.getElementById('paste').value = '{text}'"
            ))
            .await;
        stage.press("#load").await;
        listed(stage, "=== 4").await;
        stage.press("#moves .variation button:last-of-type").await;
        stage
            .until(
                "the end of the variation",
                "document.querySelector('#moves .variation [aria-current=true]')?.textContent === 'd5e6x'",
            )
            .await;
    });
}

#[test]
fn a_game_is_reviewed_and_its_mistakes_are_asked() {
    with_page(&[], DESKTOP, async |stage| {
        stage.press("#later").await;
        stage.press("#share summary").await;
        let text = "x,b3:14,x,w1:2,x,b1/x5,b2/w1:14,x5/x6/x6/w3:2,w2,x3,w1 b moves f5b1";
        stage
            .run(&format!(
                "document.getElementById('paste').value = '{text}'"
            ))
            .await;
        stage.press("#load").await;
        listed(stage, "=== 1").await;
        stage.press("#mode-review").await;
        stage.press("#review-start").await;
        let said = "document.getElementById('review-said')?.textContent";
        stage
            .until("a verdict", &format!("{said}?.includes('proved')"))
            .await;
    });
}

/// Puts a text into the field for positions and games, and takes it.
async fn paste(stage: &Stage, text: &str) {
    stage
        .run(&format!(
            "document.getElementById('share').open = true; \
             document.getElementById('paste').value = '{text}'"
        ))
        .await;
    stage.press("#load").await;
}

#[test]
fn the_end_is_explained_square_by_square() {
    with_page(&[], DESKTOP, async |stage| {
        stage.press("#later").await;
        // Seven points each, but White has more pieces at the totem.
        paste(stage, "o1i/XOIXY/y*Oy1o1/OoyxYYi/IIOXIy1/ixoOy/Ix1 r").await;
        stage
            .until(
                "what counted",
                "document.querySelectorAll('.counted').length === 7",
            )
            .await;
        let status = stage.status().await;
        assert!(
            status.contains("White wins") && status.contains("White has 4 pieces"),
            "{status}"
        );
    });
}

#[test]
fn a_saved_game_of_hokito_has_the_result_of_the_right_side() {
    with_page(&[], DESKTOP, async |stage| {
        stage.press("#later").await;
        stage
            .run(
                "window.blobs = []; const url = URL.createObjectURL; \
                 URL.createObjectURL = (blob) => { window.blobs.push(blob); return url(blob); }",
            )
            .await;
        paste(stage, "x6/x6/x6/b1,x5/w1,x5/b2:3,x5 b moves a3a2").await;
        listed(stage, "=== 1").await;
        stage.press("#save-file").await;
        stage
            .until(
                "a file",
                "window.blobs.length === 1 || document.querySelector('.notice')",
            )
            .await;
        let text = stage
            .run_async("const done = arguments[0]; window.blobs[0].text().then(done)")
            .await;
        let text = text.as_str().expect("text");
        // Black, who moves first, wins by 8 points to none.
        assert!(text.contains("[Result \"0-1\"]"), "{text}");
        assert!(text.contains("1... a3a2 0-1"), "{text}");
    });
}

/// A program that speaks UGI and answers `go` as it is told.
fn bad_engine(answer: &str) -> String {
    format!(
        "cmd=sh -c 'while read -r line; do case \"$line\" in ugi) echo ugiok;; \
         isready) echo readyok;; go*) {answer};; esac; done'"
    )
}

#[test]
fn engines_that_talk_nonsense_or_hang_are_told_and_offered_anew() {
    let (nonsense, hangs) = (bad_engine("echo bestmove zz99"), bad_engine("sleep 1000"));
    let engines = [
        "--engine",
        nonsense.as_str(),
        "name=nonsense",
        "--engine",
        hangs.as_str(),
        "name=hangs",
    ];
    with_page(&engines, DESKTOP, async |stage| {
        stage.press("#later").await;
        stage.press("#mode-analyse").await;
        for (index, act) in [(0, "#act-nonsense"), (1, "#act-engine-analyst")] {
            stage
                .run(&format!(
                    "const list = document.getElementById('analyst'); list.value = '{index}'; \
                     list.dispatchEvent(new Event('change'))"
                ))
                .await;
            stage.press("#analysis").await;
            stage.press(act).await;
            stage.press("#analysis").await;
        }
        // The page goes on.
        stage.press("[data-square=c5]").await;
        stage.press("[data-square=b6]").await;
        listed(stage, "=== 1").await;
    });
}

#[test]
fn reasons_are_told_in_french() {
    with_page(&[], DESKTOP, async |stage| {
        stage
            .run("localStorage.setItem('totemic-settings', JSON.stringify({known: true, language: 'fr'}))")
            .await;
        stage.reload().await;
        stage.until("the page is there", READY).await;
        stage.press("#mode-setup").await;
        stage.press("#brush-0").await;
        stage.press("[data-square=c3]").await;
        let verdict = "document.getElementById('verdict').textContent";
        stage
            .until(
                "a reason",
                &format!("{verdict}.includes('1 pièces blanches et 0 rouges')"),
            )
            .await;
    });
}
