//! How two matches differ, in the words of the command line.

use crate::arena::settings::{MatchHeading, MatchSettings};
use crate::same_settings::same_settings;

/// Fields of the settings, with the names that users know.
const FIELD_NAMES: [(&str, &str); 26] = [
    ("name", "the name (name=)"),
    ("cmd", "the command (cmd=)"),
    ("args", "args="),
    ("dir", "the directory (dir=)"),
    ("options", "the list of options (option.NAME=)"),
    ("weights", "the checksum of the weights"),
    ("clock", "the clock (tc=)"),
    ("movetime_ms", "the time for a move in ms (st=)"),
    ("nodes", "the node limit (nodes=)"),
    ("depth", "the depth limit (depth=)"),
    ("margin_ms", "timemargin="),
    ("restart", "restart="),
    ("stages", "the number of rounds (--rounds)"),
    ("pairs", "the number of pairs (--games)"),
    ("seeds", "the number of seeded engines (--seeds)"),
    (
        "openings",
        "the source of openings (--openings, --random-plies)",
    ),
    ("solver_ms", "the solver's time in ms (--adjudicate)"),
    ("play_on", "playon (--adjudicate)"),
    ("resign", "the rule for resigning (--resign)"),
    ("draw", "the rule for draws (--draw)"),
    ("maxplies", "the most plies (--maxplies)"),
    ("format", "the format (--format)"),
    ("ponder", "thinking in the opponent's time (--ponder)"),
    ("sprt", "the sequential test (--sprt)"),
    ("startup_ms", "the time to start in ms (--start-within)"),
    ("answer_ms", "the time to answer in ms (--stall-after)"),
];

/// Checks that a journal with these settings belongs to the match that is asked for.
/// The error describes the first difference, and `place` says which journal it is. The
/// number of pairs may differ if the schedule of the longer match begins with that of
/// the shorter one.
pub(super) fn same_match(
    journal: &MatchSettings,
    wanted: &MatchSettings,
    place: &str,
) -> Result<(), String> {
    let [mut journal, mut here] = [journal, wanted].map(Clone::clone);
    if !journal.format.is_adaptive() {
        journal.pairs = here.pairs;
    }
    for (one, other) in journal.engines.iter_mut().zip(&mut here.engines) {
        // The checksum of the weights may be unknown.
        if one.weights.is_none() || other.weights.is_none() {
            (one.weights, other.weights) = (None, None);
        }
    }
    let [journal, here] = [journal, here].map(|all| serde_json::json!(all));
    same_settings("", &FIELD_NAMES, [&journal, &here], place)
}

/// Checks that a journal with this first line can be continued by a match with another. The
/// error describes the difference, as the end of a sentence.
pub(super) fn same_part(journal: &MatchHeading, wanted: &MatchHeading) -> Result<(), String> {
    let place = "in the journal";
    same_match(&journal.settings, &wanted.settings, place)?;
    let shards = [journal, wanted].map(|part| part.shard.to_string().into());
    same_settings("shard", &[], shards.each_ref(), place)
}
