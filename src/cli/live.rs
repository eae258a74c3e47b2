//! What a match shows while it runs: a table that is redrawn on a terminal,
//! plain lines elsewhere. Both go to stderr.

use std::io::{IsTerminal, stderr};
use std::time::Instant;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::say;
use crate::arena::report;
use crate::arena::runner::MatchEvent;
use crate::arena::settings::{MatchSettings, Shard};
use crate::arena::tally::Tally;
use crate::game::number_of;
use crate::record::{GameRecord, GameResult};

pub(super) struct Screen<'a> {
    settings: &'a MatchSettings,
    total: Option<u64>,
    /// Games that were there before this run.
    before: u64,
    every: u64,
    begin: Instant,
    live: Option<Live>,
}

/// The parts of the live display. Each line of the table is a bar of its own,
/// cut to the width of the terminal: a line that wraps leaves rows behind when
/// it is drawn again.
struct Live {
    all: MultiProgress,
    table: Vec<ProgressBar>,
    bar: ProgressBar,
}

impl Live {
    fn new(total: Option<u64>, before: u64) -> Self {
        let all = MultiProgress::new();
        let bar = all.add(total.map_or_else(ProgressBar::no_length, ProgressBar::new));
        let template = if total.is_some() {
            "[{elapsed}] {wide_bar} {pos}/{len} games, {eta} to go"
        } else {
            "[{elapsed}] {spinner} {pos} games"
        };
        bar.set_style(style(template));
        bar.set_position(before);
        bar.reset_eta();
        Self {
            all,
            table: Vec::new(),
            bar,
        }
    }

    fn set_table(&mut self, text: &str) {
        let lines: Vec<&str> = text.lines().collect();
        while self.table.len() < lines.len() {
            let line = ProgressBar::no_length();
            line.set_style(style("{wide_msg}"));
            self.table.push(self.all.insert_before(&self.bar, line));
        }
        let texts = lines.into_iter().chain(std::iter::repeat(""));
        for (line, text) in self.table.iter().zip(texts) {
            line.set_message(text.to_owned());
        }
    }
}

/// A way to say something beside the live display, from any thread.
#[derive(Clone)]
pub(super) struct Voice(Option<MultiProgress>);

impl Voice {
    pub(super) fn say(&self, text: &str) {
        match &self.0 {
            Some(all) => drop(all.println(text)),
            None => say(format_args!("{text}")),
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl<'a> Screen<'a> {
    pub(super) fn new(
        settings: &'a MatchSettings,
        total: Option<u64>,
        before: u64,
        every: u64,
    ) -> Self {
        let live = stderr().is_terminal().then(|| Live::new(total, before));
        Self {
            settings,
            total,
            before,
            every,
            begin: Instant::now(),
            live,
        }
    }

    pub(super) fn begin(&self, seed: u64, shard: Shard, openings: Option<usize>) {
        let games = self
            .total
            .map_or("no fixed number of".to_owned(), |n| n.to_string());
        let source = openings.map_or("random openings".to_owned(), |n| number_of(n, "opening"));
        let mut line = format!(
            "{}: {} engines, {games} games, {source}, seed {seed}",
            self.settings.game,
            self.settings.engines.len()
        );
        if shard != Shard::WHOLE {
            line.push_str(&format!(", part {shard}"));
        }
        if self.before > 0 {
            line.push_str(&format!(", {} games resumed", self.before));
        }
        self.line(&line);
    }

    fn line(&self, text: &str) {
        self.voice().say(text);
    }

    pub(super) fn voice(&self) -> Voice {
        Voice(self.live.as_ref().map(|live| live.all.clone()))
    }

    pub(super) fn warn(&self, text: &str) {
        self.line(&format!("warning: {text}"));
    }

    pub(super) fn show(&mut self, event: &MatchEvent<'_>) {
        match event {
            MatchEvent::Warning(text) => self.warn(text),
            MatchEvent::Tick => {
                if let Some(live) = &self.live {
                    live.bar.tick();
                }
            }
            MatchEvent::Game(game, tally) => {
                let done = tally.games;
                if let Some(live) = &mut self.live {
                    live.bar.set_position(done);
                    live.set_table(&status(self.settings, tally));
                    if game.reason.is_forfeit() {
                        self.line(&self.game_line(game, done));
                    }
                    return;
                }
                self.line(&self.game_line(game, done));
                if self.every > 0 && done.is_multiple_of(self.every) {
                    self.line(&(status(self.settings, tally) + &self.pace(done)));
                }
            }
        }
    }

    fn game_line(&self, game: &GameRecord, done: u64) -> String {
        let name = |side: usize| &self.settings.engines[game.engines[side]].name;
        let result = match game.result {
            GameResult::P1Win => "1-0",
            GameResult::P2Win => "0-1",
            GameResult::Draw => "1/2",
        };
        let detail = match game.detail.as_str() {
            "" => String::new(),
            detail => format!(" ({detail})"),
        };
        // Replays of ties come on top of the games that were planned.
        let of = (self.total.filter(|total| done <= *total))
            .map_or(String::new(), |total| format!("/{total}"));
        format!(
            "{done}{of} game {}: {} - {} {result}, {}{detail}, {} plies",
            game.id,
            name(0),
            name(1),
            game.reason,
            game.moves.len()
        )
    }

    fn pace(&self, done: u64) -> String {
        let played = (done - self.before) as f64;
        let hours = self.begin.elapsed().as_secs_f64() / 3600.0;
        let mut line = format!("{:.0} games/hour", played / hours.max(1e-9));
        if let Some(total) = self.total {
            let left = total.saturating_sub(done) as f64 * hours / played.max(1.0) * 3600.0;
            line.push_str(&format!(", {left:.0} s to go"));
        }
        line
    }

    /// Clears the live display, so that the results stand alone.
    pub(super) fn end(&self) {
        if let Some(live) = &self.live {
            for line in &live.table {
                line.finish_and_clear();
            }
            live.bar.finish_and_clear();
        }
    }
}

fn status(settings: &MatchSettings, tally: &Tally) -> String {
    let mut out = String::new();
    if settings.engines.len() == 2
        && let Some(meeting) = tally.meetings.get(&[0, 1])
    {
        let names = [0, 1].map(|engine: usize| settings.engines[engine].name.as_str());
        for line in
            report::meeting_lines(names, meeting, settings.sprt.as_ref(), &settings.openings)
        {
            out.push_str(&line);
            out.push('\n');
        }
    }
    out.push_str(&report::games_line(tally));
    out.push('\n');
    out.push_str(&report::engine_table(settings, tally));
    out
}
