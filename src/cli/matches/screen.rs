//! What a match shows while it runs: a table that is redrawn on a terminal, plain lines
//! elsewhere. Both go to stderr.

use indicatif::{MultiProgress, ProgressBar};

use crate::arena::report;
use crate::arena::runner::MatchEvent;
use crate::arena::schedule::Schedule;
use crate::arena::settings::MatchSettings;
use crate::arena::tally::Tally;
use crate::cli::progress::{style, to_go};
use crate::shard::Shard;
use totemic_engine::game::{Outcome, Side};
use totemic_engine::text::number_of;
use totemic_games::record::GameRecord;

pub(super) struct Screen<'a> {
    settings: &'a MatchSettings,
    /// Number of games that were there before this run.
    before: u64,
    report_every: u64,
    /// Hidden unless stderr is a terminal.
    pub(super) display: MultiProgress,
    /// The lines of the table. Each is a bar of its own that is cut to the width of the
    /// terminal: a line that wraps would leave rows behind when it is drawn again.
    table: Vec<ProgressBar>,
    bar: ProgressBar,
}

/// Prints lines on stderr beside the live display; any thread may call it. Nobody waits for
/// a reader that stands still, as `less` does: what that cannot take is dropped.
pub(super) fn say_beside(display: &MultiProgress, text: &str) {
    for line in text.lines().filter(|_| is_read()) {
        match display.is_hidden() {
            true => say!("{line}"),
            false => drop(display.println(line)),
        }
    }
}

/// Whether stderr takes a line now.
fn is_read() -> bool {
    #[cfg(unix)]
    {
        use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
        use std::os::fd::AsFd;

        let stderr = std::io::stderr();
        let mut watched = [PollFd::new(stderr.as_fd(), PollFlags::POLLOUT)];
        poll(&mut watched, PollTimeout::ZERO) != Ok(0)
    }
    #[cfg(not(unix))]
    true
}

impl<'a> Screen<'a> {
    /// Says what is played, and begins to show it.
    pub(super) fn begin(
        settings: &'a MatchSettings,
        shard: Shard,
        openings: Option<usize>,
        before: u64,
        report_every: u64,
    ) -> Self {
        let total = Schedule::game_count(settings, shard);
        let games = total.map_or("no fixed number of".to_owned(), |n| n.to_string());
        let source = openings.map_or("random openings".to_owned(), |n| number_of(n, "opening"));
        let (game, engines, seed) = (settings.game, settings.engines.len(), settings.seed);
        let mut line = format!("{game}: {engines} engines, {games} games, {source}, seed {seed}");
        if shard != Shard::WHOLE {
            line += &format!(", part {shard}");
        }
        if before > 0 {
            line += &format!(", {} resumed", number_of(before, "game"));
        }
        let display = MultiProgress::new();
        say_beside(&display, &line);
        let bar = display.add(total.map_or_else(ProgressBar::no_length, ProgressBar::new));
        bar.set_style(style(match total {
            Some(_) => "[{elapsed}] {wide_bar} {pos}/{len} games{msg}",
            None => "[{elapsed}] {spinner} {pos} games",
        }));
        bar.set_position(before);
        Self {
            settings,
            before,
            report_every,
            display,
            table: Vec::new(),
            bar,
        }
    }

    fn line(&self, text: &str) {
        say_beside(&self.display, text);
    }

    pub(super) fn warn(&self, text: &str) {
        self.line(&format!("warning: {text}"));
    }

    pub(super) fn show(&mut self, event: &MatchEvent<'_>) {
        match event {
            MatchEvent::Warning(text) => self.warn(text),
            _ if !is_read() => {}
            MatchEvent::Tick => self.bar.tick(),
            MatchEvent::Game(game, tally) => {
                let done = tally.games;
                let is_live = !self.display.is_hidden();
                self.bar.set_position(done);
                let to_go = to_go(&self.bar, self.before);
                if is_live {
                    self.bar.set_message(to_go.clone());
                    self.set_table(&status(self.settings, tally));
                }
                if !is_live || game.reason.is_forfeit() {
                    self.line(&self.game_line(game, done));
                }
                if !is_live && self.report_every > 0 && done.is_multiple_of(self.report_every) {
                    self.line(&(status(self.settings, tally) + &self.pace(done) + &to_go));
                }
            }
        }
    }

    fn set_table(&mut self, text: &str) {
        let lines: Vec<&str> = text.lines().collect();
        while self.table.len() < lines.len() {
            let line = ProgressBar::no_length();
            line.set_style(style("{wide_msg}"));
            let line = self.display.insert_before(&self.bar, line);
            self.table.push(line);
        }
        for (at, line) in self.table.iter().enumerate() {
            line.set_message(lines.get(at).copied().unwrap_or_default().to_owned());
        }
    }

    fn game_line(&self, game: &GameRecord, done: u64) -> String {
        let name = |side: usize| &self.settings.engines[game.engines[side]].name;
        let result = match game.result {
            Outcome::Win(Side::First) => "1-0",
            Outcome::Win(Side::Second) => "0-1",
            Outcome::Draw => "1/2",
        };
        let detail = match game.detail.as_str() {
            "" => String::new(),
            detail => format!(" ({detail})"),
        };
        // Replays of ties come in addition to the planned games.
        let of = (self.bar.length().filter(|total| done <= *total))
            .map_or(String::new(), |total| format!("/{total}"));
        let (id, first, second, plies) = (game.id, name(0), name(1), game.moves.len());
        let reason = game.reason;
        format!(
            "{done}{of} game {id}: {first} - {second} {result}, {reason}{detail}, {plies} plies"
        )
    }

    fn pace(&self, done: u64) -> String {
        let played = (done - self.before) as f64;
        let hours = self.bar.elapsed().as_secs_f64() / 3600.0;
        format!("{:.0} games/hour", played / hours.max(1e-9))
    }
}

fn status(settings: &MatchSettings, tally: &Tally) -> String {
    let mut lines = Vec::new();
    if let (2, Some(meeting)) = (settings.engines.len(), tally.meetings.get(&[0, 1])) {
        lines = report::meeting_lines(settings, [0, 1], meeting);
    }
    lines.push(report::games_line(tally));
    lines.join("\n") + "\n" + &report::engine_table(settings, tally)
}
