//! `totemic sprt`: what a sequential test says about given results.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value as Json, json};

use super::{CliResult, Failure, journals};
use crate::arena::sprt::Sprt;
use crate::arena::stats::{Pentanomial, Wdl};
use crate::arena::{json, report, tokens};
use totemic_engine::text::{number_of, quoted};

#[derive(Args, Debug)]
pub(super) struct SprtArgs {
    /// Games won, drawn and lost; or pairs of games; or journals
    ///
    /// Three numbers are games won, drawn and lost. Five numbers are pairs of games with
    /// 0, 1/2, 1, 3/2 and 2 points. Journals are those of a match of two engines.
    #[arg(required = true, num_args = 1.., value_name = "COUNTS|JOURNAL")]
    results: Vec<PathBuf>,
    /// The test: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// Take games together that different programs played as one engine
    #[arg(long)]
    mixed: bool,
    /// Print the results as one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &SprtArgs) -> CliResult {
    // Both `sprt 1 2 3 elo1=5` and `sprt 1 2 3 --sprt elo1=5` read well.
    let (keys, results): (Vec<PathBuf>, Vec<PathBuf>) = (args.results.iter().cloned())
        .partition(|word| word.to_string_lossy().contains('=') && !word.exists());
    if results.is_empty() {
        return Err(usage!(
            "expected results beside the keys: 3 numbers (W D L), 5 numbers (pairs) or journals"
        ));
    }
    let mut keys = words(&keys);
    keys.extend(args.sprt.iter().cloned());
    let sprt = tokens::sprt(&keys).map_err(Failure::Usage)?;
    let (line, strength, llr, counts) = match counts(&results)?.as_deref() {
        Some(&[wins, draws, losses]) => {
            let games = Wdl {
                wins,
                draws,
                losses,
            };
            let count = games.games();
            let line = format!("{} +{wins} ={draws} -{losses}", number_of(count, "game"));
            let counts = json!({"games": count, "wins": wins, "draws": draws, "losses": losses});
            (line, games.estimate(), sprt.llr_of_games(&games), counts)
        }
        Some(&[a, b, c, d, e]) => {
            let pairs = Pentanomial([a, b, c, d, e]);
            let count = pairs.pairs();
            let line = format!("{} {:?}", number_of(count, "pair"), pairs.0);
            let counts = json!({"games": 2 * count, "pairs": pairs});
            (line, pairs.estimate(), sprt.llr_of_pairs(&pairs), counts)
        }
        Some(_) => {
            let counts = quoted(&words(&results).join(" "));
            return Err(usage!(
                "{counts}: expected 3 numbers (W D L), 5 numbers (pairs) or journals"
            ));
        }
        None => {
            let wanted = Some(sprt).filter(|_| !keys.is_empty());
            return test_journals(args, &results, wanted);
        }
    };
    let mut lines = vec![line];
    lines.extend(strength.as_ref().map(report::estimate_line));
    lines.push(report::sprt_line(&sprt, llr));
    print(args, &lines, &json::tested(counts, strength, &sprt, llr))
}

fn print(args: &SprtArgs, lines: &[String], object: &Json) -> CliResult {
    match args.json {
        true => print_line!("{object}"),
        false => print_line!("{}", lines.join("\n")),
    }
}

/// Runs the test that was asked for, or that of the match, or the default one.
fn test_journals(args: &SprtArgs, paths: &[PathBuf], wanted: Option<Sprt>) -> CliResult {
    let (mut settings, tally) = journals::read_results(paths, args.mixed)?;
    let count = settings.engines.len();
    if count != 2 {
        return Err(failure!(
            "a sequential test compares 2 engines, but this match has {count}"
        ));
    }
    settings.sprt = Some(wanted.or(settings.sprt).unwrap_or_default());
    let meeting = tally.meetings.get(&[0, 1]).cloned().unwrap_or_default();
    let lines = report::meeting_lines(&settings, [0, 1], &meeting);
    print(args, &lines, &json::meeting(&settings, [0, 1], &meeting))
}

fn words(results: &[PathBuf]) -> Vec<String> {
    let words = results.iter().map(|word| word.display().to_string());
    words.collect()
}

/// Returns the words as numbers; `None` if the first is not a number.
fn counts(results: &[PathBuf]) -> Result<Option<Vec<u64>>, Failure> {
    let words = words(results);
    if results.first().is_none_or(|path| {
        let digits = words[0].trim_start_matches('-');
        !digits.starts_with(|c: char| c.is_ascii_digit()) || path.exists()
    }) {
        return Ok(None);
    }
    let number = |word: &String| {
        // At most some thousands of millions, so that no sum overflows.
        word.parse::<u32>().map(u64::from).map_err(|_| {
            let (word, most) = (quoted(word), u32::MAX);
            usage!("{word}: expected a number of games or pairs up to {most}")
        })
    };
    words.iter().map(number).collect::<Result<_, _>>().map(Some)
}
