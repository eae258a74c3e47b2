//! The board as a user meets it, in headless Chromium.

use std::collections::BTreeSet;
use std::time::Instant;

use crate::support::{Board, PATIENCE, Stage, kill, with_both, with_page, with_site};

const DESKTOP: (u32, u32) = (1280, 1000);
const PHONE: (u32, u32) = (500, 900);

/// Begins a game against the lowest level, which answers fast.
async fn begin(stage: &Stage, game: &str) {
    begin_as(stage, game, "p1").await;
    stage.until("$('#lower .soft')").await;
}

/// Begins such a game for a side, or for both.
async fn begin_as(stage: &Stage, game: &str, side: &str) {
    let play = format!("play: {{level: 0, seconds: 0.1, side: '{side}'}}");
    stage
        .with_settings(&format!("known: true, motion: false, {play}"))
        .await;
    stage.press(&format!("#game-{game}")).await;
    start(stage).await;
    stage.until(YOURS).await;
}

/// Goes to the analysis and begins it.
async fn analyse(stage: &Stage) {
    stage.press("#mode-analyse").await;
    stage.press("#analysis").await;
}

/// Begins a game, also where the form for it is folded away.
async fn start(stage: &Stage) {
    stage.run("$('#new-game')?.setAttribute('open', '')").await;
    stage.press("#start").await;
}

/// Whether a person may move, or the game is over.
const YOURS: &str = "$('.typed.yours') || $('#status').textContent.startsWith('Game over')";
const OVER: &str = "return $('#status').textContent.startsWith('Game over')";
/// The number of moves that the list shows.
const MOVES: &str = "$$('#moves button').length";
const VERDICT: &str = "$('#verdict').textContent";
const MODES: [&str; 7] = [
    "play", "learn", "analyse", "setup", "review", "watch", "rules",
];

/// Resigns, which has to be confirmed.
async fn resign(stage: &Stage) {
    for _ in 0..2 {
        stage.press("#resign").await;
    }
}

async fn moves(stage: &Stage) -> u64 {
    let count = stage.run(&format!("return {MOVES}")).await;
    count.as_u64().expect("a number")
}

/// Waits until the number of moves listed compares so, as in `> 4`.
async fn listed(stage: &Stage, compares: &str) {
    stage.until(&format!("{MOVES} {compares}")).await;
}

/// As [`listed`], and that a person may move, or the game is over.
async fn your_move(stage: &Stage, compares: &str) {
    let yours = format!("{MOVES} {compares} && ({YOURS})");
    stage.until(&yours).await;
}

/// Presses squares, as in `c5b6`.
pub async fn click(stage: &Stage, squares: &str) {
    for at in (0..squares.len()).step_by(2) {
        let square = &squares[at..at + 2];
        stage.press(&format!("[data-square={square}]")).await;
    }
}

/// The example of a legal move that the page gives.
pub async fn legal(stage: &Stage) -> String {
    let text = stage.text("return $('#typed').placeholder").await;
    text.rsplit(' ').next().expect("a move").to_owned()
}

/// Waits until the name of a square for those who do not see it contains this.
async fn labelled(stage: &Stage, square: &str, part: &str) {
    let label = format!("$('[data-square={square}][aria-label*=\"{part}\"]')");
    stage.until(&label).await;
}

/// Makes a move of Yoxii by clicks and waits for the engine's. The totem goes to the
/// square nearest the middle: at the edge it would soon be shut in.
async fn move_and_answer(stage: &Stage) {
    let before = moves(stage).await;
    stage.until("$('[data-square].target')").await;
    let nearest = "const far = (square) => Math.hypot(square.charCodeAt(0) - 100, square[1] - 4); \
                   return [...$$('[data-square].target')].map((button) => button.dataset.square) \
                       .sort((a, b) => far(a) - far(b))[0]";
    click(stage, &stage.text(nearest).await).await;
    let free = "[data-square].target:not([aria-label*=chosen])";
    stage.press(free).await;
    your_move(stage, &format!("> {before}")).await;
}

#[test]
fn a_game_of_yoxii_by_clicks() {
    with_both(DESKTOP, async |stage| {
        begin(stage, "yoxii").await;
        while stage.run(OVER).await != true {
            move_and_answer(stage).await;
        }
        stage.says("cannot move").await;
        stage.says("Next to the totem").await;
        let count = moves(stage).await;
        assert!(count > 8, "{count}");
        stage.press("#takeback").await;
        your_move(stage, &format!("< {count}")).await;
    });
}

#[test]
fn the_engine_is_asked_for_a_move_before_the_library_has_answered() {
    with_page("", DESKTOP, async |stage| {
        begin(stage, "yoxii").await;
        move_and_answer(stage).await;
        let script = "window.carried = []; \
                      const { send } = WebSocket.prototype; \
                      const hear = ({ data }) => carried.push(`heard ${data}`); \
                      WebSocket.prototype.send = function (text) { \
                          if (carried.length === 0) this.addEventListener('message', hear); \
                          carried.push(text); \
                          send.call(this, text); \
                      }";
        stage.run(script).await;
        move_and_answer(stage).await;
        let order = "const at = ['\"position\"', ' go ', 'heard {'] \
                         .map((part) => carried.findIndex((text) => text.includes(part))); \
                     return at[0] >= 0 && at[0] < at[1] && at[1] < at[2] || carried";
        assert_eq!(stage.run(order).await, true);
    });
}

#[test]
fn a_game_of_hokito_by_keyboard() {
    with_both(DESKTOP, async |stage| {
        begin(stage, "hokito").await;
        // The first move by walking over the board.
        let first = legal(stage).await;
        let focus = "$('[data-square][tabindex=\"0\"]').focus()";
        stage.run(focus).await;
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
            let (from, to) = (mv[..2].to_uppercase(), &mv[2..]);
            type_move(stage, &format!("{from} - {to}")).await;
            your_move(stage, &format!("> {before}")).await;
        }
        stage.says("value times height").await;
        // What counts is marked, and the result comes with what to do next.
        stage.until("$$('.lit > g').length > 0").await;
        stage.press("#finale-swap").await;
        let other = "$('#lower b').textContent === 'White' && $('#finale').hidden";
        stage.until(other).await;
        your_move(stage, "=== 1").await;
    });
}

pub async fn type_move(stage: &Stage, text: &str) {
    stage.run("$('#typed').focus()").await;
    stage.keys(&format!("{text}\u{e007}")).await;
}

/// Whether the pieces of a side stand on the lower half of the board, on the whole.
async fn is_below(stage: &Stage, side: &str) -> bool {
    let script = format!(
        "const tops = (css) => [...$$(css)].map((it) => it.getBoundingClientRect().top); \
         const mean = (all) => all.reduce((sum, it) => sum + it, 0) / all.length; \
         return mean(tops('[data-square][aria-label*=\"{side}\"]')) > mean(tops('[data-square]'))"
    );
    stage.run(&script).await == true
}

#[test]
fn your_own_side_sits_below() {
    with_both(DESKTOP, async |stage| {
        for (side, name) in [("p1", "Black"), ("p2", "White")] {
            begin_as(stage, "hokito", side).await;
            let name_below = format!("$('#lower b').textContent === '{name}' && ({YOURS})");
            stage.until(&name_below).await;
            assert!(is_below(stage, name).await, "{name}");
            stage.reload().await;
            stage.until(&name_below).await;
            assert!(is_below(stage, name).await, "{name} after a reload");
            stage.press("#flip").await;
            assert!(!is_below(stage, name).await, "{name} turned");
            stage.press("#flip").await;
        }
    });
}

/// Touches a square with a finger.
async fn touch(stage: &Stage, square: &str) {
    finger(stage, square, "'down', 'up', 'leave'").await;
}

/// What a finger does on a square, as in `'down', 'up'`.
async fn finger(stage: &Stage, square: &str, kinds: &str) {
    let script = format!(
        "const box = $('[data-square={square}]').getBoundingClientRect(); \
         const at = {{ pointerType: 'touch', bubbles: true, clientX: box.x + box.width / 2, \
             clientY: box.y + box.height / 2 }}; \
         for (const kind of [{kinds}]) \
             $('svg.board').dispatchEvent(new PointerEvent('pointer' + kind, at))"
    );
    stage.run(&script).await;
}

#[test]
fn a_move_of_hokito_is_its_route() {
    const LEGS: &str = "$$('.step-number').length";
    with_both(DESKTOP, async |stage| {
        let settings = "known: true, play: {level: 0, seconds: 0.1, side: 'both'}";
        stage.with_settings(settings).await;
        stage.press("#game-hokito").await;
        start(stage).await;
        stage.until(YOURS).await;
        // Under the keys; the pawn has value 3.
        stage
            .run("$('[data-square][tabindex=\"0\"]').focus()")
            .await;
        walk(stage, "d4").await;
        stage.keys("\u{e007}").await;
        walk(stage, "d5").await;
        stage.until(&format!("{LEGS} === 3")).await;
        // A square that it does not reach says why.
        walk(stage, "a1").await;
        stage.keys("\u{e007}").await;
        stage.says("a1: no route of exactly 3 steps").await;
        walk(stage, "d5").await;
        // The pawn is on its way for a while, and the stack shows when it has come.
        let seen = "window.flights = 0; new MutationObserver(() => \
            window.flights += $$('.flight > g').length).observe($('.flight'), { childList: true })";
        stage.run(seen).await;
        stage.keys("\u{e007}").await;
        listed(stage, "=== 1").await;
        stage
            .until("window.flights > 0 && $$('.flight > g').length === 0")
            .await;
        stage
            .until("!$('[data-piece=d5]').hasAttribute('visibility')")
            .await;
        // A finger sees the way first, and goes it at the second touch.
        touch(stage, "d3").await;
        touch(stage, "d2").await;
        let reached = "[...$$('[data-square].target')].map((it) => it.dataset.square)[0]";
        let target = stage.text(&format!("return {reached}")).await;
        touch(stage, &target).await;
        stage.until("$$('.routes .route').length > 0").await;
        stage.says("Touch the square again").await;
        assert_eq!(moves(stage).await, 1);
        touch(stage, &target).await;
        listed(stage, "=== 2").await;
        // A finger that rests on a stack, of whichever side, only looks into it.
        for stack in [&target, "d5"] {
            finger(stage, stack, "'down'").await;
            stage.until("$$('.tip > *').length === 2").await;
            finger(stage, stack, "'up', 'leave'").await;
            stage.until("$('.tip').childElementCount === 0").await;
            stage.says("Your move").await;
            let chosen = "return $('[data-square][aria-label*=chosen]')";
            assert!(stage.run(chosen).await.is_null(), "{stack}");
        }
    });
}

#[test]
fn a_look_at_the_other_game_leaves_this_one_as_it_was() {
    with_both(DESKTOP, async |stage| {
        begin(stage, "yoxii").await;
        move_and_answer(stage).await;
        let before = moves(stage).await;
        stage.press("#game-hokito").await;
        stage.until("$$('[data-square]').length === 36").await;
        your_move(stage, "=== 0").await;
        // A move there, which begins a game.
        click(stage, &legal(stage).await).await;
        your_move(stage, "=== 2").await;
        stage.press("#game-yoxii").await;
        stage.until("$$('[data-square]').length === 37").await;
        your_move(stage, &format!("=== {before}")).await;
        // The engine still plays the other side.
        move_and_answer(stage).await;
        let after = moves(stage).await;
        stage.press("#game-hokito").await;
        listed(stage, "=== 2").await;
        // A reload keeps both.
        stage.reload().await;
        stage.press("#game-yoxii").await;
        your_move(stage, &format!("=== {after}")).await;
    });
}

#[test]
fn resigning_asks_once_and_another_game_is_one_press_away() {
    with_both(DESKTOP, async |stage| {
        begin(stage, "yoxii").await;
        move_and_answer(stage).await;
        let label = "$('#resign').textContent";
        stage.press("#resign").await;
        stage.until(&format!("{label} === 'Really resign?'")).await;
        // Whoever does not answer goes on playing.
        stage.until(&format!("{label} === 'Resign'")).await;
        move_and_answer(stage).await;
        resign(stage).await;
        stage.says("resigned").await;
        stage.says("You lose").await;
        assert_eq!(stage.run("return $$('b.turn').length").await, 0);
        // It can be taken back, and nothing else with it.
        let played = moves(stage).await;
        stage.press("#takeback").await;
        stage.until(YOURS).await;
        assert_eq!(moves(stage).await, played);
        resign(stage).await;
        // A review tells it at the end of the moves.
        stage.press("#to-review").await;
        stage.until("$('#story')").await;
        stage.run("$('#last').click()").await;
        stage.says("White resigned. Game over. Red wins.").await;
        stage.press("#mode-play").await;
        stage.press("#again").await;
        your_move(stage, "=== 0").await;
        move_and_answer(stage).await;
    });
}

/// Puts two white pieces on the board, which is no position.
async fn set_up_two_pieces(stage: &Stage) {
    stage.press("#mode-setup").await;
    stage.press("#brush-0").await;
    click(stage, "c3c4").await;
}

#[test]
fn a_position_that_was_set_up_is_played_at_once_and_told_of() {
    with_both(DESKTOP, async |stage| {
        begin(stage, "yoxii").await;
        // The words of a hint come after those of a refusal.
        click(stage, "a3").await;
        stage.says("a3: the totem moves along").await;
        stage.press("#hint").await;
        stage.says("Hint: totem to ").await;
        set_up_two_pieces(stage).await;
        stage.until("$('#lower .points').textContent === '–'").await;
        stage.press("#brush-4").await;
        click(stage, "e5").await;
        stage
            .until(&format!("{VERDICT} === 'A legal position.'"))
            .await;
        stage.press("#use-play").await;
        let there = "$('[data-square=e5]').ariaLabel.includes('Red 1') && $('#lower .soft')";
        stage.until(&format!("{there} && ({YOURS})")).await;
        // What was refused is no longer told of once something else is done.
        type_move(stage, "a1a1").await;
        stage.until("$('.notice')").await;
        move_and_answer(stage).await;
        stage.until("!$('.notice')").await;
    });
}

/// Walks the focus to a square with the arrow keys.
async fn walk(stage: &Stage, square: &str) {
    // Where the board is turned, the ranks count downwards.
    let way = format!(
        "const box = (it) => it.getBoundingClientRect(); \
         const [at, to] = [box(document.activeElement), box($('[data-square={square}]'))]; \
         const [x, y] = [to.x - at.x, to.y - at.y].map(Math.round); \
         return x < 0 ? 'left' : x > 0 ? 'right' : y < 0 ? 'up' : y > 0 ? 'down' : ''"
    );
    for _ in 0..20 {
        let key = match stage.text(&way).await.as_str() {
            "left" => "\u{e012}",
            "up" => "\u{e013}",
            "right" => "\u{e014}",
            "down" => "\u{e015}",
            _ => return,
        };
        stage.keys(key).await;
    }
    panic!("{square} is not reached");
}

#[test]
fn analysis_reload_and_an_engine_that_is_killed() {
    with_page("", DESKTOP, async |stage| {
        stage.press("#later").await;
        stage.press("#mode-analyse").await;
        click(stage, "c5b6").await;
        stage.press("#analysis").await;
        stage.until("$$('.line').length === 3").await;
        stage.until("$$('.arrows > g').length === 3").await;
        stage.press("#pv-0-1").await;
        listed(stage, "=== 3").await;
        // The game is there again after a reload, and the analysis begins anew.
        stage.reload().await;
        listed(stage, "=== 3").await;
        stage.press("#analysis").await;
        stage.until("$('.line')").await;
        // Whatever is killed, the page says so and goes on.
        for engine in stage.board.children(|line| line.contains(" ugi")) {
            kill(engine);
        }
        stage.press("#act-engine-analyst").await;
        stage.press("#back").await;
        stage.until("$('.line')").await;
    });
}

#[test]
fn a_position_is_set_up_and_refused_with_a_reason() {
    with_both(DESKTOP, async |stage| {
        set_up_two_pieces(stage).await;
        stage.until(&format!("{VERDICT}.includes('white')")).await;
        stage.until("$('#use-play').disabled").await;
        stage.press("#brush-4").await;
        click(stage, "e5").await;
        stage
            .until(&format!("{VERDICT} === 'A legal position.'"))
            .await;
        // Neither a look elsewhere nor a reload loses it.
        stage.press("#mode-rules").await;
        stage.press("#mode-setup").await;
        labelled(stage, "e5", "Red 1").await;
        stage.reload().await;
        stage.press("#use-analyse").await;
        labelled(stage, "e5", "Red 1").await;
    });
}

#[test]
fn the_editor_takes_nothing_that_is_no_game() {
    with_both(DESKTOP, async |stage| {
        stage.with_settings("known: true").await;
        stage.press("#mode-setup").await;
        // Nothing is lost by a first press on a piece.
        click(stage, "d4").await;
        labelled(stage, "d4", "totem").await;
        // One white piece more: only Red can be to move.
        stage.press("#brush-0").await;
        click(stage, "c3").await;
        stage
            .until("$('#side').value === 'p2' && $('#side').disabled")
            .await;
        stage.press("#game-hokito").await;
        stage.press("#empty").await;
        stage.until("$('#use-play').disabled").await;
        stage.choose("#height", "40").await;
        stage.shows("#wrong-height", "40").await;
        assert_eq!(stage.text("return $('#height').value").await, "40");
        stage.press("#brush-0").await;
        click(stage, "c3").await;
        labelled(stage, "c3", "free").await;
    });
}

#[test]
fn two_tabs_have_games_of_their_own_and_a_link_opens_one() {
    with_both(DESKTOP, async |stage| {
        stage.press("#mode-analyse").await;
        click(stage, "c5b6").await;
        listed(stage, "=== 1").await;
        let first = stage.open_tab().await;
        let link = "#game=yoxii&fen=3/5/7/3*3/7/5/3+w&moves=d5e5y+d6d5x";
        let address = stage.url.split('?').next().expect("an address");
        stage.visit(&format!("{address}{link}")).await;
        listed(stage, "=== 2").await;
        // A link with an illegal move is refused with its reason, and the game stays.
        let refused = link.replace("d6d5x", "e5d5x");
        stage.visit(&format!("{address}{refused}")).await;
        let reason = "document.body.innerText.includes(\"'e5d5x' is illegal\")";
        stage.until(reason).await;
        assert_eq!(moves(stage).await, 2);
        // The box for games takes a link as well.
        let pasted = format!("{address}{}", link.replace("+d6d5x", ""));
        stage.press("#share summary").await;
        load(stage, &pasted).await;
        listed(stage, "=== 1").await;
        stage.turn_to(first).await;
        assert_eq!(moves(stage).await, 1);
        stage.says("Red").await;
    });
}

#[test]
fn a_game_in_two_tabs_goes_on_where_it_was_played_last() {
    with_both(DESKTOP, async |stage| {
        begin(stage, "yoxii").await;
        move_and_answer(stage).await;
        stage.run("dispatchEvent(new Event('pagehide'))").await;
        let first = stage.open_tab().await;
        stage.visit(&stage.url).await;
        listed(stage, "=== 2").await;
        move_and_answer(stage).await;
        let second = stage.page.window().await.expect("a window");
        stage.turn_to(first).await;
        listed(stage, "=== 4").await;
        stage.shows(".notice", "in another tab").await;
        stage.press("#act-elsewhere").await;
        move_and_answer(stage).await;
        stage.turn_to(second).await;
        listed(stage, "=== 6").await;
    });
}

#[test]
fn a_link_with_a_wrong_secret_locks_nobody_out() {
    with_page("", DESKTOP, async |stage| {
        let address = stage.url.split_once("?").expect("a query").0;
        stage.visit(&format!("{address}?token=wrong")).await;
        stage.visit(address).await;
    });
}

#[test]
fn a_phone_shows_all_without_scrolling_sideways() {
    with_page("", PHONE, async |stage| {
        for mode in MODES {
            stage.press(&format!("#mode-{mode}")).await;
            let wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
            assert_eq!(stage.run(wide).await, 0, "{mode}");
        }
        stage.press("#mode-play").await;
        let board = "return $('svg.board').getBoundingClientRect().width / innerWidth";
        let part = stage.run(board).await.as_f64().expect("a number");
        assert!(part > 0.85, "{part}");
        stage.with_settings("language: 'fr'").await;
        let hidden = "return $('nav').scrollWidth - $('nav').clientWidth";
        assert_eq!(stage.run(hidden).await, 0, "modes");
        begin(stage, "yoxii").await;
        move_and_answer(stage).await;
        stage.press("#game-hokito").await;
        stage.until("$('.notice')").await;
        let covered = "const box = (it) => it.getBoundingClientRect(), own = box($('.notice')); \
                       return [...$$('button, .player, #status, .card')].filter((it) => \
                           !it.closest('.notice') && box(it).height > 0 && \
                           box(it).top < own.bottom && box(it).bottom > own.top).length";
        assert_eq!(stage.run(covered).await, 0, "covered by the notice");
        stage.press("#game-yoxii").await;
        resign(stage).await;
        stage.until("!$('#finale').hidden").await;
        let below = "return $('#finale').getBoundingClientRect().top >= $('#board').getBoundingClientRect().bottom";
        assert_eq!(stage.run(below).await, true, "the end of a game");
    });
}

/// Shows the page in a frame, as no window of a browser is as small.
async fn frame(stage: &Stage, width: u32, height: u32) {
    stage
        .run(&format!(
            "$('iframe')?.remove(); const frame = document.createElement('iframe'); \
             frame.width = {width}; frame.height = {height}; frame.src = location.href; \
             document.body.append(frame)"
        ))
        .await;
}

#[test]
fn every_screen_shows_board_turn_and_prompt_at_once() {
    with_site(DESKTOP, async |stage| {
        let laptops = [(1366, 650), (1024, 600)];
        let phones = [(360, 640), (390, 844), (430, 932), (640, 360), (844, 390)];
        for game in ["yoxii", "hokito"] {
            begin(stage, game).await;
            for (width, height) in laptops.into_iter().chain(phones) {
                frame(stage, width, height).await;
                let page = "$('iframe').contentDocument";
                stage
                    .until(&format!("{page}?.querySelector('#lower b.turn')"))
                    .await;
                for part in ["#board", "#status", "#upper", "#lower", "#steps"] {
                    let inside = format!(
                        "const box = {page}.querySelector('{part}').getBoundingClientRect(); \
                         return box.height > 0 && box.top >= 0 && box.left >= 0 \
                             && box.bottom <= {height} && box.right <= {width}"
                    );
                    let told = format!("{part} {width}x{height} {game}");
                    assert_eq!(stage.run(&inside).await, true, "{told}");
                }
                let wide = format!(
                    "const page = {page}.documentElement; return page.scrollWidth - page.clientWidth"
                );
                assert_eq!(stage.run(&wide).await, 0, "{width}x{height} {game}");
                let beside = format!(
                    "const box = (part) => {page}.querySelector(part).getBoundingClientRect(); \
                     return box('#status').left >= box('#board').right"
                );
                assert_eq!(stage.run(&beside).await, width > height, "{width}x{height}");
            }
            stage.reload().await;
        }
    });
}

#[test]
fn a_page_that_was_visited_once_plays_on_without_a_network() {
    with_site(DESKTOP, async |stage| {
        begin(stage, "yoxii").await;
        move_and_answer(stage).await;
        let before = moves(stage).await;
        let kept =
            "const done = arguments[0]; navigator.serviceWorker.ready.then(() => done(true))";
        stage.run_async(kept).await;
        kill(stage.board.id());
        stage.reload().await;
        your_move(stage, &format!("=== {before}")).await;
        move_and_answer(stage).await;
        // The hosts sent no headers for it, but the page's own worker did.
        assert_eq!(stage.run("return crossOriginIsolated").await, true);
        analyse(stage).await;
        stage.until("$$('.line').length === 3").await;
    });
}

/// Words in code quotes at the head of the rows of a section's tables.
fn words(protocol: &str, section: &str) -> BTreeSet<String> {
    let (_, text) = (protocol.split_once(&format!("\n## {section}\n"))).expect("the section");
    let text = text.split("\n## ").next().expect("its text");
    let heads = text.lines().filter(|line| line.starts_with("| `"));
    let heads = heads.map(|line| line.split('|').nth(1).expect("a cell"));
    let quoted = heads.flat_map(|head| head.split('`').skip(1).step_by(2));
    let words = quoted.map(|quoted| quoted.split_whitespace().next().expect("a word"));
    words.map(str::to_owned).collect()
}

#[test]
fn the_page_speaks_the_protocol() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let logged = format!("option.LogFile={}", log.display());
    let engine = format!("--engine cmd=self name=watched {logged}");
    with_page(&engine, DESKTOP, async |stage| {
        begin(stage, "yoxii").await;
        move_and_answer(stage).await;
        stage.press("#hint").await;
        stage.until("$('.arrows > g')").await;
        analyse(stage).await;
        stage.until("$('.line')").await;
        stage.press("#analysis").await;
        // An engine that is ended at once may never read that it is to stop.
        let begin = Instant::now();
        while !std::fs::read_to_string(&log).is_ok_and(|log| log.contains(" > stop\n")) {
            stage.run("").await;
            assert!(begin.elapsed() < PATIENCE, "not in time: a stop");
        }
        stage.press("#game-hokito").await;
        stage.press("#analysis").await;
        stage.until("$('.line')").await;
        let protocol = include_str!("../../protocol.md");
        let [commands, options, limits] =
            ["Commands", "Options", "Go"].map(|section| words(protocol, section));
        let log = std::fs::read_to_string(&log).expect("a log");
        let mut heard = BTreeSet::new();
        let lines = log.lines().filter_map(|line| line.split_once(" > "));
        // The log's own note on an engine that has ended.
        let lines = lines.filter(|(_, line)| *line != "(end of input)");
        for (_, line) in lines {
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
        with_page("", size, async |stage| {
            stage.with_settings(&format!("theme: '{theme}'")).await;
            stage.run(&axe).await;
            for mode in MODES {
                stage.press(&format!("#mode-{mode}")).await;
                let found = stage.run_async(AXE).await;
                assert_eq!(found["violations"], serde_json::json!([]), "{theme} {mode}");
                assert!(found["passes"].as_u64() > Some(10), "{found}");
            }
        });
    }
}

/// Puts a text into the field for positions and games, and takes it.
pub async fn paste(stage: &Stage, text: &str) {
    stage.press("#later").await;
    stage.press("#share summary").await;
    load(stage, text).await;
}

/// Does so once the field is unfolded.
async fn load(stage: &Stage, text: &str) {
    stage.run(&format!("$('#paste').value = '{text}'")).await;
    stage.press("#load").await;
}

/// Takes a game without its last move.
async fn paste_28_moves(stage: &Stage) {
    let games = include_str!("../data/games.tsv");
    let game = games.lines().next().expect("a game");
    let game = game.split('\t').nth(2).expect("its moves");
    paste(stage, game.rsplit_once(' ').expect("a last move").0).await;
    listed(stage, "=== 28").await;
}

#[test]
fn variations_of_a_file_are_kept() {
    with_both(DESKTOP, async |stage| {
        paste(stage, "1. c5b6y (1. c4b5x d5e6x) d6e6x *").await;
        listed(stage, "=== 4").await;
        stage.press("#moves .variation button:last-of-type").await;
        let current = "$('#moves .variation [aria-current=true]')?.textContent";
        stage.until(&format!("{current} === 'd5e6x'")).await;
    });
}

#[test]
fn a_game_is_reviewed_and_its_mistakes_are_asked() {
    with_both(DESKTOP, async |stage| {
        let text = "x,b3:14,x,w1:2,x,b1/x5,b2/w1:14,x5/x6/x6/w3:2,w2,x3,w1 b moves f5b1 a1d6";
        paste(stage, text).await;
        listed(stage, "=== 2").await;
        stage.press("#mode-review").await;
        stage.press("#review-start").await;
        stage.shows("#review-said", "proved").await;
        // The questions begin where you are; once more, they begin with the first.
        stage.press("#last").await;
        stage.press("#quiz").await;
        stage.says("White played here: a1d6. Find").await;
        for button in ["show", "next", "show", "next", "again"] {
            stage.press(&format!("#quiz-{button}")).await;
        }
        stage.says("Black played here: f5b1. Find").await;
    });
}

#[test]
fn the_end_is_explained_square_by_square() {
    with_both(DESKTOP, async |stage| {
        // Seven points each, but White has more pieces at the totem.
        paste(stage, "o1i/XOIXY/y*Oy1o1/OoyxYYi/IIOXIy1/ixoOy/Ix1 r").await;
        stage.until("$$('.counted').length === 7").await;
        stage.says("White wins").await;
        stage.says("decides: White has 4").await;
    });
}

/// Lets the page keep what it would save as files.
async fn keep_blobs(stage: &Stage) {
    let kept = "window.blobs = []; const url = URL.createObjectURL; \
                URL.createObjectURL = (blob) => { window.blobs.push(blob); return url(blob); }";
    stage.run(kept).await;
}

/// The text of the first file.
async fn blob(stage: &Stage) -> String {
    stage
        .until("window.blobs.length === 1 || $('.notice')")
        .await;
    let read = "const done = arguments[0]; window.blobs[0].text().then(done)";
    let text = stage.run_async(read).await;
    text.as_str().expect("text").to_owned()
}

#[test]
fn a_saved_game_of_hokito_has_the_result_of_the_right_side() {
    with_both(DESKTOP, async |stage| {
        keep_blobs(stage).await;
        paste(stage, "x6/x6/x6/b1,x5/w1,x5/b2:3,x5 b moves a3a2").await;
        listed(stage, "=== 1").await;
        stage.press("#save-file").await;
        let text = blob(stage).await;
        // Black, who moves first, wins by 8 points to none.
        assert!(text.contains("[Result \"0-1\"]"), "{text}");
        assert!(text.contains("1... a3a2 0-1"), "{text}");
    });
}

/// The option for a program that answers `ugi`, `go` and perhaps more in these ways.
fn scripted(name: &str, ugi: &str, go: &str) -> String {
    let engine = format!(
        "cmd=sh -c 'while read -r line; do case \"$line\" in ugi) {ugi}; echo ugiok;; \
         isready) echo readyok;; go*) {go};; esac; done'"
    );
    format!("--engine {} name={name} ", shell_words::quote(&engine))
}

#[test]
fn engines_that_talk_nonsense_or_hang_are_told_and_offered_anew() {
    let engines = scripted("nonsense", ":", "echo bestmove zz99");
    let engines = engines + &scripted("hangs", ":", "sleep 1000");
    with_page(&engines, DESKTOP, async |stage| {
        stage.press("#later").await;
        stage.press("#mode-analyse").await;
        for (index, act) in [("0", "#act-nonsense"), ("1", "#act-engine-analyst")] {
            stage.choose("#analyst", index).await;
            stage.press("#analysis").await;
            stage.press(act).await;
            if index == "0" {
                // Begun anew, it says the same at once; the notice moves the panel.
                stage.until(&format!("$('{act}')")).await;
            }
            stage.press("#analysis").await;
            stage
                .until("$('#analysis').textContent === 'Start analysis'")
                .await;
        }
        // The page goes on.
        click(stage, "c5b6").await;
        listed(stage, "=== 1").await;
    });
}

#[test]
fn what_an_engine_says_last_is_shown_though_it_says_no_more() {
    let said = [
        "1 multipv 1 score cp 30 pv c5b6y",
        "1 multipv 2 score cp 20 pv c4b5x",
        "1 multipv 3 score cp 10 pv d5e5y",
        "2 multipv 1 score cp 90 pv c4b5x",
    ];
    let said = said
        .map(|line| format!("echo info depth {line}"))
        .join("; ");
    let go = format!("{said};; stop) echo bestmove c4b5x");
    let options = "echo option name MultiPV type spin default 1 min 1 max 99";
    let engine = scripted("silent", options, &go);
    with_page(&engine, DESKTOP, async |stage| {
        stage.press("#later").await;
        analyse(stage).await;
        stage.shows("#verdict-live", "depth 2").await;
        let moves = "return [...$$('.line')].map((_, i) => $(`#pv-${i}-0`).textContent).join()";
        assert_eq!(stage.text(moves).await, "c4b5x,c5b6y,d5e5y");
    });
}

#[test]
fn reasons_are_told_in_french() {
    with_both(DESKTOP, async |stage| {
        stage.with_settings("known: true, language: 'fr'").await;
        set_up_two_pieces(stage).await;
        let reason = "pièces blanches\u{a0}: 2, rouges\u{a0}: 0. ";
        stage
            .until(&format!("{VERDICT}.includes('{reason}')"))
            .await;
    });
}

#[test]
fn what_is_no_game_is_told_in_a_sentence_first() {
    with_both(DESKTOP, async |stage| {
        paste(stage, "1. e4 e5 2. Nf3 Nc6").await;
        let said = "$('#share-said')?.firstChild.textContent";
        stage
            .until(&format!(
                "{said}?.startsWith('This could not be read as a game')"
            ))
            .await;
        stage.shows("#share-said small", "e4").await;
        stage
            .visit(&format!("{}#game=yoxii&fen=hello", stage.url))
            .await;
        stage
            .until("$('.notice')?.textContent.startsWith('This link is broken')")
            .await;
        stage.press("#mode-setup").await;
        stage.choose("#fen", "hello").await;
        stage
            .until(&format!("{VERDICT}.startsWith('This is not a position.')"))
            .await;
    });
}

#[test]
fn the_first_move_begins_the_game_that_is_shown() {
    with_both(DESKTOP, async |stage| {
        let play = "known: true, play: {level: 0, seconds: 0.1";
        stage.with_settings(&format!("{play}}}")).await;
        move_and_answer(stage).await;
        assert_eq!(moves(stage).await, 2);
        // Where the computer begins, the board says so, and waits.
        let second = format!("{play}, side: 'p2'}}");
        stage.with_settings(&second).await;
        stage.press("#game-hokito").await;
        stage.says("press Start").await;
        click(stage, &legal(stage).await).await;
        assert_eq!(moves(stage).await, 0);
        start(stage).await;
        your_move(stage, "=== 1").await;
    });
}

#[test]
fn each_mode_keeps_its_own_game_and_says_what_waits() {
    with_both(DESKTOP, async |stage| {
        let settings =
            "known: true, motion: false, play: {level: 0, seconds: 0.1}, watch: {seconds: 0.3}";
        stage.with_settings(settings).await;
        move_and_answer(stage).await;
        stage.press("#mode-watch").await;
        listed(stage, "=== 0").await;
        stage.press("#watch-start").await;
        listed(stage, "> 0").await;
        stage.press("#mode-play").await;
        your_move(stage, "=== 2").await;
        stage.shows(".notice", "Watch").await;
        stage.press("#hint").await;
        stage.says("Hint: totem to ").await;
        // The moves of an analysis are no moves of the game.
        stage.press("#mode-analyse").await;
        listed(stage, "=== 2").await;
        click(stage, &legal(stage).await[..4]).await;
        listed(stage, "=== 3").await;
        stage.press("#mode-play").await;
        your_move(stage, "=== 2").await;
        move_and_answer(stage).await;
        resign(stage).await;
        stage.says("You lose").await;
        stage.press("#mode-watch").await;
        listed(stage, "> 0").await;
        let seen = moves(stage).await;
        listed(stage, &format!("> {seen}")).await;
        // What was added stands beside what was played since.
        stage.press("#mode-play").await;
        listed(stage, "=== 4").await;
        stage.press("#mode-analyse").await;
        listed(stage, "=== 5").await;
    });
}

#[test]
fn a_watched_game_waits_while_somebody_looks_back() {
    with_both(DESKTOP, async |stage| {
        let settings = "known: true, motion: false, watch: {seconds: 0.3}";
        stage.with_settings(settings).await;
        stage.press("#mode-watch").await;
        stage.press("#watch-start").await;
        for reload in [false, true] {
            listed(stage, "> 1").await;
            stage.press("#back").await;
            stage.says("The game waits").await;
            if reload {
                stage.reload().await;
                stage.says("The game waits").await;
            }
            let seen = moves(stage).await;
            stage.press("#watch-on").await;
            listed(stage, &format!("> {seen}")).await;
        }
        stage.press("#watch-stop").await;
        stage.says("The game is stopped").await;
        let seen = moves(stage).await;
        stage.press("#watch-on").await;
        listed(stage, &format!("> {seen}")).await;
    });
}

#[test]
fn a_return_game_begins_with_the_same_pieces() {
    with_both(DESKTOP, async |stage| {
        let play = "play: {level: 0, seconds: 0.1, start: 'scattered'}";
        stage.with_settings(&format!("known: true, {play}")).await;
        stage.press("#game-hokito").await;
        let labels = "return [...$$('[data-square]')].map((square) => square.ariaLabel.split(', possible')[0]).join()";
        start(stage).await;
        stage.press("#resign").await;
        let before = stage.text(labels).await;
        stage.press("#resign").await;
        stage.press("#finale-swap").await;
        stage
            .until("$('#lower b').textContent === 'White' && $('#moves button')")
            .await;
        stage.press("#first").await;
        stage.until("!$('#moves [aria-current=true]')").await;
        assert_eq!(stage.text(labels).await, before);
    });
}

#[test]
fn lines_of_analysis_are_in_order() {
    // Counts looks at which a value is above the one before it, for two seconds.
    const WATCH: &str = "const done = arguments[0]; let [looks, wrong] = [0, 0]; \
        const look = () => { \
            const values = [...document.querySelectorAll('.line .value')].map((value) => parseInt(value.textContent)); \
            if (values.length > 1) looks++; \
            if (values.some((value, i) => value > values[i - 1])) wrong++; \
        }; \
        const watch = new MutationObserver(look); \
        watch.observe(document.querySelector('#lines-live'), { childList: true }); \
        setTimeout(() => { watch.disconnect(); done([looks, wrong]); }, 2000)";
    with_both(DESKTOP, async |stage| {
        analyse(stage).await;
        for _ in 0..3 {
            click(stage, &legal(stage).await[..4]).await;
            let seen = stage.run_async(WATCH).await;
            assert!(seen[0].as_u64() > Some(1), "{seen}");
            assert_eq!(seen[1], 0, "{seen}");
        }
    });
}

#[test]
fn a_board_that_is_started_again_finds_its_tab_as_it_was() {
    with_page("", DESKTOP, async |stage| {
        begin(stage, "yoxii").await;
        move_and_answer(stage).await;
        kill(stage.board.id());
        stage.says("not running").await;
        // Nothing is taken that nobody answers.
        click(stage, &legal(stage).await[..4]).await;
        assert_eq!(moves(stage).await, 2);
        stage
            .until("!$('#lower .points').textContent.includes('–')")
            .await;
        let port = stage.url.split([':', '/']).nth(4).expect("a port");
        let again = Board::start(&format!("--port {port}"));
        stage.says("was restarted").await;
        // As it does by itself when it may open a browser.
        let first = stage.open_tab().await;
        stage.visit(&again.url).await;
        stage.turn_to(first).await;
        your_move(stage, "=== 2").await;
        move_and_answer(stage).await;
    });
}

#[test]
fn games_are_kept_in_a_list() {
    with_both(DESKTOP, async |stage| {
        begin(stage, "yoxii").await;
        move_and_answer(stage).await;
        // A game in the middle is not left without a question.
        start(stage).await;
        stage.press("#question-no").await;
        your_move(stage, "=== 2").await;
        start(stage).await;
        stage.press("#question-yes").await;
        your_move(stage, "=== 0").await;
        move_and_answer(stage).await;
        resign(stage).await;
        stage.says("You lose").await;
        // The next tab, days later.
        stage.run("sessionStorage.clear()").await;
        stage.reload().await;
        stage.press("#games summary").await;
        let listed_games = "[...$$('.kept b')].map((result) => result.textContent).join()";
        stage
            .until(&format!(
                "{listed_games} === 'You lose,Unfinished' && $$('.kept svg').length === 2"
            ))
            .await;
        stage.press("li:last-child .kept").await;
        your_move(stage, "=== 2").await;
        move_and_answer(stage).await;
        keep_blobs(stage).await;
        stage.press("#export-games").await;
        let text = blob(stage).await;
        assert_eq!(text.matches("[Variant \"Yoxii\"]").count(), 2, "{text}");
        assert!(text.contains("[Result \"0-1\"]"), "{text}");
        assert!(text.contains("[White \"Player\"]"), "{text}");
        assert!(text.contains(", level 0\"]"), "{text}");
        // A study of the game knows who plays, too.
        stage.press("#mode-analyse").await;
        let names = "$('#lower .who').textContent === 'you' && $('#upper .who').textContent.includes('level 0')";
        stage.until(names).await;
        stage.press("li:first-child .drop").await;
        stage.press("#question-yes").await;
        stage
            .until(&format!("{listed_games} === 'Unfinished'"))
            .await;
    });
}

#[test]
fn storage_that_is_forbidden_is_told_when_a_game_begins() {
    with_page("", DESKTOP, async |stage| {
        let forbid = "Object.defineProperty(window, 'localStorage', \
            { get() { throw new DOMException('', 'SecurityError') } })";
        stage.run(forbid).await;
        stage.press("#gentle-yoxii").await;
        let told = "$('#notices').textContent.includes('does not let the page keep anything')";
        stage.until(told).await;
    });
}

#[test]
fn all_games_are_saved_with_their_own_ends() {
    with_both(DESKTOP, async |stage| {
        begin(stage, "yoxii").await;
        move_and_answer(stage).await;
        resign(stage).await;
        stage.says("You lose").await;
        // A move after the end was never played; another one instead is a variation.
        stage.press("#mode-analyse").await;
        listed(stage, "=== 2").await;
        click(stage, &legal(stage).await[..4]).await;
        listed(stage, "=== 3").await;
        // What cannot be written does not keep the others back.
        let bad = "localStorage.setItem('totemic-games/bad', JSON.stringify({ id: 'bad', date: 1, name: 'yoxii', \
             players: ['', ''], moves: 1, fen: '3/5/7/3*3/7/5/3 w', result: 'none', study: { name: 'yoxii', \
             fen: '3/5/7/3*3/7/5/3 w', tree: [null, null, null, ['a1a1x', null, null]], at: [] } }))";
        stage.run(bad).await;
        stage.press("#games summary").await;
        keep_blobs(stage).await;
        stage.press("#export-games").await;
        stage.until("$('.notice')").await;
        let text = blob(stage).await;
        let told = "return $('.notice').textContent";
        let told = stage.text(told).await;
        assert!(
            told.starts_with("1 game was not saved.") && told.contains("a1a1x"),
            "{told}"
        );
        let results = ["[Result \"0-1\"]", "[Result \"*\"]"].map(|tag| text.matches(tag).count());
        assert_eq!(results, [1, 1], "{text}");
        assert_eq!(
            text.matches("Termination \"resignation").count(),
            1,
            "{text}"
        );
    });
}

/// Drags what a selector finds to a square.
async fn drag(stage: &Stage, from: &str, square: &str) {
    let script = format!(
        "const [from, to] = [$('{from}'), $('[data-square={square}]')]; \
         const send = (kind, it) => {{ \
             const box = it.getBoundingClientRect(); \
             it.dispatchEvent(new PointerEvent(kind, {{ bubbles: true, pointerType: 'mouse', \
                 clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 }})); \
         }}; \
         send('pointerdown', from); send('pointermove', to); send('pointerup', to)"
    );
    stage.run(&script).await;
}

#[test]
fn pieces_are_dragged() {
    with_both(DESKTOP, async |stage| {
        let settings = "known: true, motion: false, play: {two: true}";
        stage.with_settings(settings).await;
        drag(stage, "[data-square=d4]", "c5").await;
        stage.says("now place a piece").await;
        drag(stage, "#tray-p1-3", "b6").await;
        stage
            .until("$('#moves button')?.textContent === 'c5b6y'")
            .await;
        stage.press("#game-hokito").await;
        let mv = legal(stage).await;
        drag(stage, &format!("[data-square={}]", &mv[..2]), &mv[2..]).await;
        stage
            .until(&format!("$('#moves button')?.textContent === '{mv}'"))
            .await;
    });
}

#[test]
fn what_counts_lights_up_one_after_the_other_and_then_comes_the_result() {
    with_both(DESKTOP, async |stage| {
        let settings = "play: {two: true}";
        stage.with_settings(settings).await;
        paste(stage, "Oo1/oIi2/1xXiiOi/oYy1XII/yIOxYyy/1x*XO/IyO w").await;
        stage.press("#play-here").await;
        let seen = "window.seen = []; new MutationObserver(() => { \
             const now = $('#finale').hidden ? $$('.lit > g').length : 'result'; \
             if (now !== window.seen.at(-1)) window.seen.push(now); \
         }).observe($('#board'), { childList: true, subtree: true, attributes: true })";
        stage.run(seen).await;
        click(stage, "a5e6").await;
        stage.until("!$('#finale').hidden").await;
        let lit = stage.run("return $$('.lit > g').length").await;
        let expected = (0..=lit.as_u64().expect("a number")).map(|count| count.into());
        let expected = expected.chain([serde_json::json!("result")]);
        let expected = serde_json::Value::Array(expected.collect());
        assert!(lit.as_u64() > Some(1));
        stage.until("window.seen.at(-1) === 'result'").await;
        assert_eq!(stage.run("return window.seen").await, expected);
        // The result of one game does not lie over another one that is over, too.
        stage.press("#game-hokito").await;
        stage.press("#start").await;
        resign(stage).await;
        stage
            .until("!$('#finale').hidden && $('#finale').textContent.includes('resigned')")
            .await;
        stage.press("#game-yoxii").await;
        stage.says("Game over").await;
        assert_eq!(stage.run("return $('#finale').hidden").await, true);
    });
}

#[test]
fn a_loss_on_time_is_taken_back() {
    with_both(DESKTOP, async |stage| {
        let clock = "time: 'clock', minutes: 0.0001, increment: 0";
        let settings = format!("known: true, motion: false, play: {{two: true, {clock}}}");
        stage.with_settings(&settings).await;
        stage.press("#start").await;
        click(stage, "c5b6").await;
        stage.says("Red ran out of time").await;
        stage.press("#takeback").await;
        stage.says("Red: where does the totem go?").await;
        let square = legal(stage).await;
        click(stage, &square[..4]).await;
        listed(stage, "=== 2").await;
    });
}

#[test]
fn the_move_list_follows_and_arrow_keys_step() {
    with_both((1366, 650), async |stage| {
        paste_28_moves(stage).await;
        let current = "$('#moves [aria-current=true]')";
        let in_view = format!(
            "const [list, move] = [$('#moves'), {current}].map((it) => it.getBoundingClientRect()); \
             return move.top >= list.top - 1 && move.bottom <= list.bottom + 1 \
                 && document.elementFromPoint(move.left + 4, (move.top + move.bottom) / 2) === {current}"
        );
        // Two columns, each move beside the number of its pair.
        let columns = "const lefts = [...$$('#moves > button')].map((it) => it.getBoundingClientRect().left); \
             return lefts.every((left, i) => left === lefts[i % 2]) && lefts[0] < lefts[1] \
                 && $$('#moves > .number')[3].textContent === '4.'";
        assert_eq!(stage.run(columns).await, true);
        stage.reload().await;
        // The lead is drawn at every move, though nobody has been there since.
        stage.press("#points").await;
        stage
            .until("$('.lead')?.getAttribute('d').split('L').length === 29")
            .await;
        stage.press("#analysis").await;
        stage.until("$('.line')").await;
        // Stepping leaves the list as it is, but for the mark.
        stage.run("window.first = $('#moves button')").await;
        for ply in (1..28).rev() {
            stage.keys("\u{e012}").await;
            stage
                .until(&format!("$$('#moves button')[{}] === {current}", ply - 1))
                .await;
            assert_eq!(stage.run(&in_view).await, true, "{ply}");
        }
        stage.keys("\u{e010}").await;
        stage
            .until(&format!("$$('#moves button')[27] === {current}"))
            .await;
        assert_eq!(stage.run(&in_view).await, true);
        assert_eq!(stage.run("return window.first.isConnected").await, true);
        // What is pressed far below stays under the mouse.
        let top = "return Math.round($('#colours').getBoundingClientRect().top)";
        stage
            .run("$('#colours').scrollIntoView({ block: 'center' })")
            .await;
        let before = stage.run(top).await;
        stage.press("#colours[aria-pressed=false]").await;
        stage.until("$('#colours[aria-pressed=true]')").await;
        assert_eq!(stage.run(top).await, before);
    });
}

#[test]
fn the_current_move_is_in_view_on_every_screen() {
    with_site(DESKTOP, async |stage| {
        paste_28_moves(stage).await;
        for _ in 0..2 {
            stage.press("#back").await;
        }
        // Leaving the page keeps where it stands.
        stage.reload().await;
        let sizes = [
            (1366, 650),
            (1024, 600),
            (1920, 1080),
            (390, 844),
            (844, 390),
        ];
        for (width, height) in sizes {
            frame(stage, width, height).await;
            let page = "$('iframe').contentDocument";
            let current = format!("{page}?.querySelector('#moves [aria-current=true]')");
            stage.until(&current).await;
            let click = async |id: &str| {
                stage
                    .run(&format!("{page}.querySelector('{id}').click()"))
                    .await
            };
            click("#analysis").await;
            for mode in ["analyse", "review"] {
                click(&format!("#mode-{mode}")).await;
                // All lines are in view as well.
                stage
                    .until(&format!(
                        "(() => {{ /* {mode}, {width}x{height} */ const lines = {page}.querySelector('.engine'); \
                         return lines.querySelectorAll('.line').length === 3 && lines.scrollHeight <= lines.clientHeight }})()"
                    ))
                    .await;
                for key in ["ArrowLeft", "ArrowLeft", "ArrowRight"] {
                    let before = stage.text(&format!("return {current}.id")).await;
                    let key =
                        format!("new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }})");
                    stage.run(&format!("{page}.dispatchEvent({key})")).await;
                    stage
                        .until(&format!(
                            "(() => {{ const box = {current}.getBoundingClientRect(); \
                             const there = [box.left + 4, (box.top + box.bottom) / 2]; \
                             return {current}.id !== '{before}' && {page}.elementFromPoint(...there) === {current} }})()"
                        ))
                        .await;
                }
            }
        }
    });
}

#[test]
fn what_is_wrong_with_a_file_is_told_in_its_place_and_language() {
    with_both((1024, 600), async |stage| {
        stage.with_settings("known: true, language: 'fr'").await;
        stage.press("#share summary").await;
        let said = "$('#share-said')?.textContent";
        for (text, part) in [
            ("1. c5b6y c5b6y", "«\u{a0}c5b6y\u{a0}» est illégal"),
            ("(null)", "une position ou des coups"),
            ("1. c5b6y (d5e5x", "variante"),
            ("[Event x", "attendu [Nom"),
            ("  ", "ni partie ni position"),
        ] {
            load(stage, text).await;
            stage.until(&format!("{said}?.includes('{part}')")).await;
        }
        assert_eq!(stage.run("return $$('.notice').length").await, 0);
        let picture = "const files = new DataTransfer(); \
             files.items.add(new File([new Uint8Array([137, 80, 78, 71, 0, 255])], 'board.png')); \
             $('#file').files = files.files; $('#file').dispatchEvent(new Event('change'))";
        stage.run(picture).await;
        stage
            .until(&format!(
                "{said}?.includes('board.png') && {said}.includes('fichier texte')"
            ))
            .await;
    });
}

#[test]
fn two_people_play_at_one_screen_with_their_own_clock() {
    with_both(DESKTOP, async |stage| {
        stage.with_settings("known: true, motion: false").await;
        stage.press("#twoPeople").await;
        for (field, name) in [("#name-0", "Ann"), ("#name-1", "Bob")] {
            stage.run(&format!("$('{field}').focus()")).await;
            stage.keys(name).await;
        }
        stage.press("#swap-names").await;
        // The button to start stays in view, over what is below.
        stage.run("$('#panel').scrollTop = 9999").await;
        stage.press("#turns").await;
        stage.choose("#time", "own").await;
        stage.until("$('#time-minutes')").await;
        stage.choose("#time-minutes", "7").await;
        stage.choose("#time-increment", "2").await;
        stage.reload().await;
        stage.press("#start").await;
        stage
            .until("$('#lower .who')?.textContent === 'Bob' && $('#lower .clock')?.textContent === '7:00'")
            .await;
        stage.says("Bob: where does the totem go?").await;
        for (mv, below) in [("c5b6", "Ann"), ("d6e6", "Bob")] {
            click(stage, mv).await;
            stage
                .until(&format!(
                    "$('#lower .who')?.textContent === '{below}' && ({YOURS})"
                ))
                .await;
        }
    });
}

#[test]
fn levels_have_words_and_each_side_of_a_match_has_its_own() {
    with_both(DESKTOP, async |stage| {
        let settings = "known: true, play: {level: 4}, watch: {levels: [0, 20], seconds: 0.1}";
        stage.with_settings(settings).await;
        stage.shows("label[for=level]", "easy").await;
        stage.press("#mode-watch").await;
        let told = "[...$$('#panel label')].map((label) => label.textContent).join()";
        stage
            .until(&format!(
                "{told}.includes('beginner') && {told}.includes('full strength')"
            ))
            .await;
        stage.press("#watch-start").await;
        stage
            .until("$('#lower .who')?.textContent.includes('level 0') && !$('#upper .who').textContent.includes('level')")
            .await;
        listed(stage, "> 1").await;
    });
}

#[test]
fn modes_and_lessons_have_addresses_and_back_leads_to_them() {
    with_both(DESKTOP, async |stage| {
        stage.with_settings("known: true").await;
        stage.until("location.hash === '#/play'").await;
        stage.press("#mode-learn").await;
        stage.until("location.hash === '#/learn/yoxii/1'").await;
        stage.press("#lesson-2").await;
        stage.until("location.hash === '#/learn/yoxii/3'").await;
        stage.press("#mode-rules").await;
        stage.press("#game-hokito").await;
        stage.until("location.hash === '#/rules/hokito'").await;
        for address in [
            "#/rules/yoxii",
            "#/learn/yoxii/3",
            "#/learn/yoxii/1",
            "#/play",
        ] {
            stage.run("history.back()").await;
            stage.until(&format!("location.hash === '{address}'")).await;
        }
        stage.until("$('#mode-play').ariaCurrent === 'page'").await;
        let page = stage.url.split('?').next().expect("an address");
        stage.visit(&format!("{page}#/learn/hokito/4")).await;
        stage.until("$('#lesson-3').ariaCurrent === 'true'").await;
    });
}

#[test]
fn a_move_is_typed_while_the_computer_thinks_and_keys_stay_in_the_field() {
    with_both(DESKTOP, async |stage| {
        let play = "known: true, play: {level: 20, seconds: 10}";
        stage.with_settings(play).await;
        start(stage).await;
        stage
            .until("document.activeElement.matches('.square')")
            .await;
        stage.run("$('#typed').focus()").await;
        stage.keys("c5b6y\u{e007}").await;
        stage
            .until("/thinking/.test($('#status').textContent)")
            .await;
        // A letter of a move is no hotkey, and the move waits.
        stage.keys("a1\u{e007}").await;
        stage.says("a1 is played as soon as it is your turn").await;
        stage.until("document.activeElement.id === 'typed'").await;
        stage.shows(".notice", "a1").await;
        stage
            .until("$('#typed').value === 'a1' && location.hash === '#/play'")
            .await;
        resign(stage).await;
        stage
            .until("document.activeElement !== document.body")
            .await;
    });
}

/// The link that the page offers to send.
async fn letter(stage: &Stage) -> String {
    let script = "const [done] = arguments; \
                  navigator.clipboard.write = async ([item]) => done(await (await item.getType('text/plain')).text()); \
                  document.querySelector('#copy-letter').click();";
    let link = stage.run_async(script).await;
    link.as_str().expect("a link").to_owned()
}

/// Opens a link in a browser that keeps this.
async fn as_another(stage: &Stage, kept: &str, link: &str) {
    let script = format!(
        "const kept = {kept}; history.replaceState(null, '', '{link}'); \
         addEventListener('pagehide', () => [localStorage, sessionStorage].forEach((storage, i) => \
             {{ storage.clear(); Object.assign(storage, kept[i]); }}))"
    );
    stage.run(&script).await;
    stage.reload().await;
}

#[test]
fn a_game_with_a_friend_goes_by_link() {
    with_both(DESKTOP, async |stage| {
        stage.with_settings("known: true").await;
        stage.press("#byLink").await;
        start(stage).await;
        click(stage, "c5b6").await;
        listed(stage, "=== 1").await;
        let first = letter(stage).await;
        // The friend's browser knows nothing of it; this one is put aside meanwhile.
        let own = "return JSON.stringify([{ ...localStorage }, { ...sessionStorage }])";
        stage.run("dispatchEvent(new Event('pagehide'))").await;
        let own = stage.text(own).await;
        let token = "{ 'totemic-token': localStorage.getItem('totemic-token') ?? '' }";
        let friend = format!("[{{ ...{token}, 'totemic-settings': '{{\"known\": true}}' }}, {{}}]");
        as_another(stage, &friend, &first).await;
        listed(stage, "=== 1").await;
        stage.says("Red: where does the totem go?").await;
        assert_eq!(stage.text("return $('#lower b').textContent").await, "Red");
        click(stage, &legal(stage).await[..4]).await;
        listed(stage, "=== 2").await;
        let second = letter(stage).await;
        assert!(second.len() < 200, "{second}");
        as_another(stage, &own, &second).await;
        listed(stage, "=== 2").await;
        // An older link, and one with another move, change nothing.
        stage.visit(&first).await;
        stage.shows(".notice", "older").await;
        assert_eq!(moves(stage).await, 2);
        stage.visit(&first.replace("c5b6", "c5d6")).await;
        stage.shows(".notice", "does not fit").await;
        assert_eq!(moves(stage).await, 2);
        assert_eq!(
            stage.run("return $('#hint')").await,
            serde_json::Value::Null
        );
        stage.press("#mode-analyse").await;
        stage.until("!$('#analysis') && $('#bar.off')").await;
        stage.press("#mode-play").await;
        resign(stage).await;
        let end = letter(stage).await;
        assert!(end.contains("end=resigned-p1"), "{end}");
        stage.until("$('#to-review')").await;
    });
}
