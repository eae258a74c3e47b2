//! A review in plain text, for people.

use std::fmt::Write;

use super::{Mark, MoveReview, Review, SecondOpinion};
use crate::final_score::{Count, explain};
use crate::odds_in_words::{Advantage, better_side};
use crate::record::Termination;
use crate::record::writer::move_number;
use totemic_engine::game::{Game, Outcome, Side};
use totemic_engine::text::{number_of, quoted, table};

/// Width of the explanation of the end, in columns.
const WIDTH: usize = 79;
/// Number of plies of a variation that are shown.
const PV_PLIES: usize = 6;
/// Number of those that fit into a table of 80 columns.
const TABLE_PLIES: usize = 4;
/// What the columns of the tables mean.
pub(super) const LEGEND: &str = "\
open: moves that had something to lose: a choice, in a game not yet lost
lost: expected points given away per open move; a win is 1
points: points on the board given away per proved move
chances: of the side that moved, before and after its move; a win is 100
!: proved by play to the end
-N: points on the board that the move gives away for certain
better: the best move and what may follow
";

impl<G: Game> Review<G> {
    /// Names a side by its colour and, if known, its player: `Red (Ann)`.
    pub fn player(&self, side: Side) -> String {
        let colour = G::SIDE_NAMES[side.index()];
        match self.game.players[side.index()].as_str() {
            "" => colour.to_owned(),
            name => format!("{colour} ({name})"),
        }
    }

    /// Returns the number of a move as players count: in each pair the side that begins
    /// comes first.
    pub(super) fn move_number(&self, ply: usize) -> String {
        move_number(true, ply)
    }

    fn ending(&self) -> String {
        let Some(outcome) = self.game.result else {
            let side = self.end().side_name();
            return format!("The game is not finished; {side} is to move.");
        };
        let (winner, verdict) = match outcome {
            Outcome::Draw => (None, "The game is drawn".to_owned()),
            Outcome::Win(side) => (Some(side), format!("{} won", self.player(side))),
        };
        let loser = winner.map_or("nobody", |side| G::SIDE_NAMES[side.other().index()]);
        let reason = self.game.reason_text.as_str();
        let why = match reason {
            "" => String::new(),
            reason => format!(" ({reason})"),
        };
        let how = match self.game.termination {
            Termination::Rules => return format!("{verdict}{}.", self.score_text(winner)),
            Termination::Time => format!("on time: {loser} ran out{why}"),
            Termination::Resignation => format!("by resignation of {loser}"),
            Termination::Agreement => "by agreement".to_owned(),
            Termination::Adjudication => format!("by adjudication{why}"),
            Termination::Forfeit => format!("by forfeit of {loser}{why}"),
            Termination::Untold if !reason.is_empty() => {
                let reason = quoted(reason);
                format!("(its file says {reason}, but the moves do not end the game)")
            }
            Termination::Untold | Termination::Unfinished => "(reason not recorded)".to_owned(),
        };
        format!("{verdict} {how}.{}", self.last_value())
    }

    fn score_text(&self, winner: Option<Side>) -> String {
        let standing = self.end().standing();
        let first = winner.unwrap_or(Side::First);
        let [more, fewer] = [first, first.other()].map(|side| standing.points[side.index()]);
        if more != fewer || winner.is_none() {
            return format!(" {more} to {fewer}");
        }
        let [pieces, others] = [first, first.other()].map(|side| standing.tie_break[side.index()]);
        format!(" {more} to {fewer} with {pieces} pieces to {others}")
    }

    fn last_value(&self) -> String {
        let Some(first) = self.expected_at_end else {
            return String::new();
        };
        let (side, points) = better_side(Side::First, first);
        if Advantage::of(points) == Advantage::Even {
            return " The last position was even.".to_owned();
        }
        let name = G::SIDE_NAMES[side.index()];
        format!(" In the last position {name} had {}.", percent(points))
    }

    /// The line above the moves: who played, and how many moves.
    pub fn heading(&self) -> String {
        let [first, second] = Side::BOTH.map(|side| self.player(side));
        let moves = number_of(self.game.moves.len(), "move");
        format!("{}: {first} against {second}, {moves}.", G::TITLE)
    }

    /// Sums up the game in at most ten lines: who played, how it ended, how well each
    /// side played, and where it turned.
    #[must_use]
    pub fn summary(&self) -> Vec<String> {
        let mut lines = vec![self.heading(), self.ending()];
        if !self.is_complete() {
            let (judged, all) = (self.moves.len(), self.game.moves.len() - self.book_plies);
            let stopped = format!("only the last {judged} of {all} moves are judged");
            lines.push(format!("Stopped early: {stopped}."));
        }
        lines.extend(Side::BOTH.map(|side| self.side_line(side)));
        lines.extend(self.ahead_since());
        // Five after four lines, else four.
        let turns = self.turning_points(9 - lines.len().min(5));
        if turns.is_empty() && !self.moves.is_empty() {
            let line = match self.is_complete() {
                true => "Nobody made a mistake that changed the game.",
                false => "None of these moves is a mistake.",
            };
            lines.push(line.to_owned());
        }
        lines.extend(turns.into_iter().map(|judged| self.describe_error(judged)));
        lines
    }

    fn side_line(&self, side: Side) -> String {
        let name = G::SIDE_NAMES[side.index()];
        let sum = self.accuracy(side);
        if sum.moves == 0 {
            return format!("{name}: no move judged.");
        }
        let errors = match sum.counts([Mark::Blunder, Mark::Mistake, Mark::Inaccuracy]) {
            none if none.is_empty() => "no error".to_owned(),
            errors => errors,
        };
        let proved = sum.proved_loss_per_move();
        let proved = proved.map_or_else(String::new, |points| {
            let moves = number_of(sum.proved_moves, "proved move");
            format!("; {points:.1} points a move in {moves}")
        });
        let Some(lost) = sum.loss_per_move() else {
            return format!("{name} had nothing to lose: {errors}{proved}.");
        };
        let (lost, open) = (100.0 * lost, number_of(sum.open_moves, "move"));
        format!(
            "{name} gave away {lost:.1} % a move in {open} with something to lose: {errors}{proved}."
        )
    }

    /// Returns the index of the move from which the winner was ahead until the end.
    pub(super) fn decided_at(&self) -> Option<usize> {
        let Some(Outcome::Win(winner)) = self.game.result else {
            return None;
        };
        let is_even = |&(_, first): &(usize, f64)| {
            Advantage::of(super::for_first(winner, first)) == Advantage::Even
        };
        match self.expected_by_ply().into_iter().rfind(is_even) {
            None => self.is_complete().then_some(self.book_plies),
            Some((ply, _)) => Some(ply).filter(|&ply| ply < self.game.moves.len()),
        }
    }

    fn ahead_since(&self) -> Option<String> {
        let (ply, Outcome::Win(winner)) = (self.decided_at()?, self.game.result?) else {
            return None;
        };
        let name = G::SIDE_NAMES[winner.index()];
        let (number, mv) = (self.move_number(ply), &self.game.moves.get(ply)?.mv);
        Some(format!("{name} was ahead for good from {number} {mv} on."))
    }

    /// Describes an error: `7... Red b5c4x, blunder: 62 % -> 35 %; better was c3d4y.`.
    pub fn describe_error(&self, judged: &MoveReview<G::Move>) -> String {
        let better = judged.better();
        let better = better.map_or_else(String::new, |best| format!("; better was {best}"));
        let number = self.move_number(judged.ply);
        let name = G::SIDE_NAMES[judged.side.index()];
        let (played, mark, change) = (judged.played, judged.mark.name(), change(judged));
        format!("{number} {name} {played}, {mark}: {change}{better}.")
    }

    /// Rows for [`table`]: how well each side played.
    pub(super) fn accuracy_table(&self) -> Vec<Vec<String>> {
        let head = ["side", "moves", "open", "lost", "proved", "points", "marks"];
        let number = |value: Option<f64>, digits| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
        };
        let row = |side| {
            let sum = self.accuracy(side);
            vec![
                G::SIDE_NAMES[side.index()].to_owned(),
                sum.moves.to_string(),
                sum.open_moves.to_string(),
                number(sum.loss_per_move(), 3),
                sum.proved_moves.to_string(),
                number(sum.proved_loss_per_move(), 1),
                sum.counts(Mark::ALL),
            ]
        };
        let head = head.map(str::to_owned).to_vec();
        std::iter::once(head).chain(Side::BOTH.map(row)).collect()
    }

    /// Rows for [`table`]: all judged moves.
    pub(super) fn moves_table(
        &self,
        chances: impl Fn(&MoveReview<G::Move>) -> String,
    ) -> Vec<Vec<String>> {
        let mut head = vec!["move", "side", "played", "chances", "mark", "better"];
        if (self.moves.iter()).any(|judged| judged.second_opinion.is_some()) {
            head.push("second opinion");
        }
        let row = |judged: &MoveReview<G::Move>| {
            let better = &judged.pv[..judged.pv.len().min(TABLE_PLIES)];
            let better = judged.better().map(|_| variation(better));
            let lost = judged.proved_loss.filter(|&points| points > 0);
            let lost = lost.map_or_else(String::new, |points| format!(" -{points}"));
            vec![
                self.move_number(judged.ply),
                G::SIDE_NAMES[judged.side.index()].to_owned(),
                judged.played.to_string(),
                chances(judged),
                format!("{}{lost}", judged.mark.name()),
                better.unwrap_or_default(),
                (judged.second_opinion.as_ref()).map_or_else(String::new, opinion),
            ]
        };
        let head = head.into_iter().map(str::to_owned).collect();
        let rows = self.moves.iter().map(row);
        std::iter::once(head).chain(rows).collect()
    }

    /// Writes the whole review: the summary, the turning points with their variations, what
    /// counted at the end, and a table of all moves.
    pub fn text(&self) -> String
    where
        G: Count,
    {
        let mut text = String::new();
        for line in self.summary() {
            let _ = writeln!(text, "{line}");
        }
        let turns = self.turning_points(usize::MAX);
        if !turns.is_empty() {
            text.push_str("\nTurning points\n");
        }
        for judged in turns {
            let _ = writeln!(text, "\n{}", self.describe_error(judged));
            let _ = writeln!(text, "    should have been  {}", variation(&judged.pv));
            if let Some(depth) = judged.depth {
                let _ = writeln!(text, "    search depth      {depth}");
            }
            if let Some(second) = &judged.second_opinion {
                let _ = writeln!(text, "    second opinion    {}", opinion(second));
            }
            let _ = writeln!(text, "    position          {}", self.positions[judged.ply]);
        }
        if let Some(lines) = explain(self.end(), WIDTH) {
            let _ = writeln!(text, "\nThe end\n\n{}", lines.join("\n"));
        }
        if !self.moves.is_empty() {
            let sides = table(&self.accuracy_table(), usize::MAX);
            let moves = table(&self.moves_table(chances_cell), usize::MAX);
            let _ = write!(text, "\n{sides}\n{moves}\n{LEGEND}");
        }
        text
    }
}

/// Describes a change like `62 % -> 35 %`, with what is proved.
pub fn change<M: PartialEq>(judged: &MoveReview<M>) -> String {
    let proved = match (judged.proof_before, judged.proof_after) {
        (Some(before), Some(after)) => format!(" (proved: {} -> {})", before.text(), after.text()),
        (None, Some(after)) => format!(" (proved: {})", after.text()),
        _ => String::new(),
    };
    let [before, after] = [judged.before, judged.after].map(percent);
    format!("{before} -> {after}{proved}")
}

/// Writes both values, with a `!` after those that are proved.
fn chances_cell<M>(judged: &MoveReview<M>) -> String {
    let value = |points: f64, is_proved: bool| {
        let sign = if is_proved { "!" } else { "" };
        format!("{:.0}{sign}", 100.0 * points)
    };
    let before = value(judged.before, judged.proof_before.is_some());
    let after = value(judged.after, judged.proof_after.is_some());
    format!("{before:>4} -> {after}")
}

/// Names the move of another engine, and its odds before and after the move played.
pub(super) fn opinion<M: std::fmt::Display>(second: &SecondOpinion<M>) -> String {
    match (second.before, second.after) {
        (Some(before), Some(after)) => {
            let [before, after] = [before, after].map(percent);
            format!("{}, {before} -> {after}", second.best)
        }
        _ => second.best.to_string(),
    }
}

/// The first six moves of a variation, with ` ...` if there are more.
pub fn variation<M: std::fmt::Display>(moves: &[M]) -> String {
    let shown = moves.iter().take(PV_PLIES).map(ToString::to_string);
    let more = if moves.len() > PV_PLIES { " ..." } else { "" };
    format!("{}{more}", Vec::from_iter(shown).join(" "))
}

/// Writes expected points as a percentage of a win.
pub fn percent(points: f64) -> String {
    format!("{:.0} %", 100.0 * points)
}
