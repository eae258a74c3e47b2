//! How games end: the result as text, and the reason.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use totemic_engine::game::Outcome;

/// Why a game of a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The rules: the side to move has no move.
    Rules,
    /// The solver proved the result.
    Solver,
    /// The loser's scores were too low.
    Resign,
    /// The scores of both engines were even.
    AgreedDraw,
    /// The game had too many plies.
    MaxPlies,
    /// The loser did not answer within its time.
    TimeForfeit,
    /// The loser did not answer by the deadline that holds where no clock runs.
    Stall,
    /// The loser's move was illegal or not a move at all.
    IllegalMove,
    /// The loser sent `bestmove` without having been asked.
    PrematureMove,
    /// The loser did not complete the handshake after a restart.
    NoHandshake,
    /// The loser did not answer `isready`.
    NotReady,
    /// The loser's process ended.
    Crash,
    /// The loser closed its output, but its process did not end.
    ClosedPipe,
    /// The loser sent an endless line.
    LineTooLong,
    /// The loser wrote too much.
    Flood,
}

impl Reason {
    /// Returns the text for people, the value of the PGN tag `Termination`, and how the game came
    /// to its end.
    const fn described(self) -> (&'static str, &'static str, Termination) {
        use Termination::{Adjudication, Agreement, Forfeit, Resignation, Time};
        match self {
            Self::Rules => ("no move left", "normal", Termination::Rules),
            Self::Solver => ("proven by the solver", "adjudication", Adjudication),
            Self::Resign => ("resignation by score", "adjudication", Resignation),
            Self::AgreedDraw => ("draw by scores", "adjudication", Agreement),
            Self::MaxPlies => ("too many plies", "adjudication", Adjudication),
            Self::TimeForfeit => ("time forfeit", "time forfeit", Time),
            Self::Stall => ("stall", "time forfeit", Time),
            Self::IllegalMove => ("illegal move", "rules infraction", Forfeit),
            Self::PrematureMove => ("premature bestmove", "rules infraction", Forfeit),
            Self::NoHandshake => ("no handshake", "abandoned", Forfeit),
            Self::NotReady => ("no readyok", "abandoned", Forfeit),
            Self::Crash => ("crash", "abandoned", Forfeit),
            Self::ClosedPipe => ("closed pipe", "abandoned", Forfeit),
            Self::LineTooLong => ("line too long", "abandoned", Forfeit),
            Self::Flood => ("output flood", "abandoned", Forfeit),
        }
    }

    /// Returns the value of the PGN tag `Termination`.
    pub(crate) const fn tag(self) -> &'static str {
        self.described().1
    }

    pub(crate) const fn termination(self) -> Termination {
        self.described().2
    }

    /// Whether an engine lost by misbehaviour.
    pub const fn is_forfeit(self) -> bool {
        matches!(self.termination(), Termination::Time | Termination::Forfeit)
    }

    /// Whether somebody outside may have ended the engine's process.
    pub const fn may_come_from_outside(self) -> bool {
        matches!(self, Self::Crash | Self::ClosedPipe | Self::NoHandshake)
    }
}

impl Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.described().0)
    }
}

/// How a game came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Termination {
    /// By the rules: the side to move cannot move.
    Rules,
    /// The loser's time ran out.
    Time,
    /// The loser resigned.
    Resignation,
    /// Both sides agreed to a draw.
    Agreement,
    /// The game was adjudicated, as by the solver in matches.
    Adjudication,
    /// The loser broke a rule, or its program failed.
    Forfeit,
    /// There is a result, but not by the rules, and the reason is not recorded.
    Untold,
    /// There is no result.
    #[default]
    Unfinished,
}

/// The words of the PGN tag `Termination`, each with the end that it means. The first of an
/// end is written; the others are those of matches and of other programs.
const TAGS: [(&str, Termination); 11] = [
    ("time forfeit", Termination::Time),
    ("on time", Termination::Time),
    ("abandoned", Termination::Forfeit),
    ("rules infraction", Termination::Forfeit),
    ("resignation", Termination::Resignation),
    ("resign", Termination::Resignation),
    ("agreement", Termination::Agreement),
    ("agree", Termination::Agreement),
    ("adjudication", Termination::Adjudication),
    ("normal", Termination::Rules),
    ("unterminated", Termination::Unfinished),
];

impl Termination {
    /// Returns the value of the tag `Termination` if the end is known.
    pub(crate) fn tag(self) -> Option<&'static str> {
        let tag = TAGS.iter().find(|&&(_, end)| end == self);
        tag.map(|&(tag, _)| tag)
    }

    /// Returns how a game ended according to its tags. `reason` is only searched for a
    /// [`Reason`], because it may go on with what an engine said.
    pub(crate) fn read(termination: &str, reason: &str) -> Self {
        let termination = termination.to_lowercase();
        let tagged = TAGS.iter().find(|&&(tag, _)| termination.contains(tag));
        let tagged = tagged.map_or(Self::Untold, |&(_, end)| end);
        match tagged {
            Self::Time | Self::Forfeit | Self::Resignation | Self::Agreement => tagged,
            // The tag does not tell what the scores of engines amount to.
            _ => [Reason::Resign, Reason::AgreedDraw]
                .into_iter()
                .find(|by_scores| reason.starts_with(&by_scores.to_string()))
                .map_or(tagged, Reason::termination),
        }
    }
}

/// Says how a game ended: `p1win (resignation by score)`.
pub fn end_in_words(result: Outcome, reason: Reason) -> String {
    format!("{} ({reason})", result.word())
}
