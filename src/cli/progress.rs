//! The progress bar of long commands. It is on stderr, if that is a terminal, and goes when
//! it is dropped.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use totemic_engine::game::Game;
use totemic_games::review::Step;

pub(super) fn bar(steps: u64, name: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps), target());
    let template = format!("{{prefix}}[{{bar:24}}] {{pos}}/{{len}} {name}{{msg}}");
    bar.set_style(style(&template));
    bar
}

pub(super) fn line() -> ProgressBar {
    let line = ProgressBar::with_draw_target(None, target());
    line.set_style(style("{wide_msg}"));
    line
}

/// Returns where bars are drawn: nowhere, unless stderr can draw a line again.
fn target() -> ProgressDrawTarget {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    match io::stderr().is_terminal() && !is_dumb {
        true => ProgressDrawTarget::stderr_with_hz(10),
        false => ProgressDrawTarget::hidden(),
    }
}

/// The style of a bar, in ASCII, which every terminal can show.
pub(super) fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    style.progress_chars("=> ").tick_chars("-\\|/ ")
}

/// Says how long the rest takes at the mean pace of this run, which began with `before` steps
/// done; nobody knows that before this run has made a step.
pub(super) fn to_go(bar: &ProgressBar, before: u64) -> String {
    let (done, own) = (bar.position(), bar.position().saturating_sub(before));
    let Some(total) = bar.length().filter(|_| own > 0) else {
        return String::new();
    };
    let steps = total.saturating_sub(done) as f64 / own as f64;
    let time = Duration::try_from_secs_f64(bar.elapsed().as_secs_f64() * steps);
    format!(", {} to go", HumanDuration(time.unwrap_or(Duration::MAX)))
}

/// Shows how far a review is, and the move that it judged last.
pub(super) fn judged<G: Game>(bar: &ProgressBar, step: Step<'_, G::Move>) {
    bar.set_length(step.total as u64);
    bar.set_position(step.done as u64);
    if let Some(judged) = step.judged {
        let (name, mark) = (G::SIDE_NAMES[judged.side.index()], judged.mark.name());
        bar.set_message(format!(", {name} {}: {mark}", judged.played));
    }
}
