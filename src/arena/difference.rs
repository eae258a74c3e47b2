//! What two matches differ in, in the words of the command line.

use std::fmt::Display;

use super::settings::MatchSettings;
use crate::process::EngineSpec;

impl MatchSettings {
    /// Whether games of two journals may be counted together; if not, the
    /// setting that differs and both values, `self` being the journal's. The
    /// number of pairs may differ where the schedule of the longer match
    /// begins with that of the shorter.
    ///
    /// # Errors
    /// The difference, as the end of a sentence.
    pub fn same_match(&self, asked: &Self) -> Result<(), String> {
        difference(self, asked).map_or(Ok(()), Err)
    }
}

/// The first setting that differs, with both values: that of the journal and
/// that asked for here. The number of pairs is not compared unless the
/// pairings depend on results.
fn difference(journal: &MatchSettings, asked: &MatchSettings) -> Option<String> {
    let number = |settings: &MatchSettings| settings.engines.len().to_string();
    said("game", &quoted(&journal.game), &quoted(&asked.game))
        .or_else(|| said("the number of engines", &number(journal), &number(asked)))
        .or_else(|| {
            (journal.engines.iter().zip(&asked.engines).enumerate())
                .find_map(|(index, (a, b))| engine(index, a, b))
        })
        .or_else(|| {
            let format = |settings: &MatchSettings| format!("{:?}", settings.format).to_lowercase();
            said("the format (--format)", &format(journal), &format(asked))
        })
        .or_else(|| {
            said(
                "the number of rounds (--rounds)",
                &journal.stages,
                &asked.stages,
            )
        })
        .or_else(|| said("seed", &journal.seed, &asked.seed))
        .or_else(|| {
            let words = |settings: &MatchSettings| settings.openings.words();
            said(
                "where games begin (--openings, --random-plies)",
                &words(journal),
                &words(asked),
            )
        })
        .or_else(|| judges(journal, asked))
        .or_else(|| {
            let pairs = |settings: &MatchSettings| settings.pairs;
            (journal.format.is_adaptive())
                .then(|| {
                    said(
                        "the number of pairs (--games)",
                        &pairs(journal),
                        &pairs(asked),
                    )
                })
                .flatten()
        })
}

fn said<T: PartialEq + Display>(what: &str, journal: &T, asked: &T) -> Option<String> {
    (journal != asked).then(|| format!("{what} is {journal} in the journal, but {asked} here"))
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

/// A value that need not be there.
fn maybe(value: Option<impl Display>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}

fn engine(index: usize, journal: &EngineSpec, asked: &EngineSpec) -> Option<String> {
    let number = format!("the name of engine {}", index + 1);
    if let Some(why) = said(&number, &quoted(&journal.name), &quoted(&asked.name)) {
        return Some(why);
    }
    let name = &journal.name;
    let limits = [journal, asked].map(|spec| spec.limits);
    let options = [journal, asked].map(|spec| {
        let all = spec
            .options
            .iter()
            .map(|(name, value)| format!("option.{name}={value}"));
        maybe(Some(all.collect::<Vec<_>>().join(" ")).filter(|all| !all.is_empty()))
    });
    // Whoever began the journal need not have known them.
    let weights = match [journal, asked].map(|spec| spec.weights.clone()) {
        [Some(one), Some(other)] => [one, other],
        _ => Default::default(),
    };
    let times = |limits: [Option<u64>; 2]| limits.map(|ms| maybe(ms.map(|ms| format!("{ms} ms"))));
    [
        (
            "the command (cmd=)",
            [quoted(&journal.cmd), quoted(&asked.cmd)],
        ),
        (
            "the arguments (args=)",
            [quoted(&journal.args), quoted(&asked.args)],
        ),
        (
            "the directory (dir=)",
            [maybe(journal.dir.as_ref()), maybe(asked.dir.as_ref())],
        ),
        ("the clock (tc=)", limits.map(|own| maybe(own.clock))),
        (
            "the time for a move (st=)",
            times(limits.map(|own| own.movetime_ms)),
        ),
        (
            "the node limit (nodes=)",
            limits.map(|own| maybe(own.nodes)),
        ),
        (
            "the depth limit (depth=)",
            limits.map(|own| maybe(own.depth)),
        ),
        (
            "the margin (timemargin=)",
            times(limits.map(|own| Some(own.margin_ms))),
        ),
        ("the set of options", options),
        ("the checksum of the weights", weights),
        (
            "the restart (restart=)",
            [journal.restart.to_string(), asked.restart.to_string()],
        ),
    ]
    .into_iter()
    .find_map(|(what, [a, b])| said(&format!("{what} of engine {name}"), &a, &b))
}

fn judges(journal: &MatchSettings, asked: &MatchSettings) -> Option<String> {
    let both = [journal, asked];
    let rules = both.map(|settings| settings.adjudication);
    let shown = |value: Option<String>| maybe(value);
    [
        (
            "the solver's time (--adjudicate)",
            rules.map(|own| maybe(own.solver_ms)),
        ),
        (
            "whether games go on (--adjudicate …,playon)",
            rules.map(|own| own.play_on.to_string()),
        ),
        (
            "the rule for resigning (--resign)",
            rules.map(|own| {
                shown(own.resign.map(|rule| {
                    format!(
                        "score={} movecount={} twosided={}",
                        rule.score, rule.movecount, rule.twosided
                    )
                }))
            }),
        ),
        (
            "the rule for draws (--draw)",
            rules.map(|own| {
                shown(own.draw.map(|rule| {
                    format!(
                        "score={} movecount={} movenumber={}",
                        rule.score, rule.movecount, rule.movenumber
                    )
                }))
            }),
        ),
        (
            "the most plies (--maxplies)",
            rules.map(|own| maybe(own.maxplies)),
        ),
        (
            "whether engines think in their opponents' time (--ponder)",
            both.map(|settings| settings.ponder.to_string()),
        ),
        (
            "the sequential test (--sprt)",
            both.map(|settings| {
                shown(settings.sprt.map(|test| {
                    format!(
                        "elo0={} elo1={} alpha={} beta={} model={}",
                        test.elo0, test.elo1, test.alpha, test.beta, test.model
                    )
                }))
            }),
        ),
        (
            "the time to start (--start-within)",
            both.map(|settings| format!("{} ms", settings.patience.startup_ms)),
        ),
        (
            "the time to answer (--stall-after)",
            both.map(|settings| format!("{} ms", settings.patience.answer_ms)),
        ),
    ]
    .into_iter()
    .find_map(|(what, [a, b])| said(what, &a, &b))
}
