//! Turns the command line into the settings of a match.

use std::ffi::OsString;
use std::path::Path;

use super::args::MatchArgs;
use crate::arena::settings::{Adjudication, Format, MatchSettings, UNLIMITED_PAIRS};
use crate::arena::tokens;
use crate::cli::values::whole;
use crate::cli::{Failure, engines, files, layout};
use crate::process::tokens::apply_to_engine;
use crate::process::{EngineCommand, EngineSpec, Patience, split_words};
use crate::shard::Shard;
use totemic_engine::file;
use totemic_engine::game::{Game, GameKind, Yoxii};
use totemic_engine::search::{Learned, WeightsFile};
use totemic_engine::text::quoted_path;
use totemic_games::record::openings::{Openings, OpeningsError, Selection};

pub(super) fn openings<G: Game>(args: &MatchArgs, seed: u64) -> Result<Openings, Failure> {
    layout(G::NAME, args.scattered)?;
    let Some([path, keys @ ..]) = args.openings.as_deref() else {
        // Yoxii has only one start.
        let default = if G::NAME == Yoxii::NAME { 4 } else { 0 };
        let plies = args.random_plies.unwrap_or(default);
        return Ok(Openings::random(seed, plies, args.scattered));
    };
    let (start, plies) = opening_keys(keys)?;
    let selection = Selection {
        seed,
        shuffled: args.order == "random",
        start,
        plies,
    };
    let path = Path::new(path);
    let text = files::read_text(path, "a file of openings")?;
    Openings::of_text::<G>(text, selection).map_err(|why| match why {
        OpeningsError::File(why) => files::content_error(path, why),
        OpeningsError::Selection(why) => usage!("--openings {}: {why}", quoted_path(path)),
    })
}

/// The index of the first opening, and the plies to take from a game.
fn opening_keys(keys: &[OsString]) -> Result<(usize, Option<u32>), Failure> {
    let (mut start, mut plies) = (0, None);
    for key in keys.iter().map(|key| key.to_string_lossy()) {
        let (name, value) = key.split_once('=').unwrap_or((&key, ""));
        let wrong = |why: String| usage!("--openings: '{key}': {why}");
        match name {
            // It counts from 1.
            "start" => start = whole(1usize..)(value).map_err(wrong)? - 1,
            "plies" => plies = Some(whole(0..=1000u32)(value).map_err(wrong)?),
            _ => return Err(wrong("expected start=N or plies=N".to_owned())),
        }
    }
    Ok((start, plies))
}

pub(super) fn settings(
    args: &MatchArgs,
    game: GameKind,
    seed: u64,
    openings: &Openings,
) -> Result<MatchSettings, Failure> {
    let engines = engines(args)?;
    let count = engines.len();
    let sprt = read_option("sprt", args.sprt.as_deref(), tokens::sprt)?;
    if sprt.is_some() && count != 2 {
        return Err(usage!("--sprt compares 2 engines, but {count} are given"));
    }
    let (pairs, swiss_rounds) = (pairs(args)?, swiss_rounds(args, count)?);
    if let Some(seeds) = args.seeds.filter(|&seeds| seeds as usize > count) {
        return Err(usage!(
            "--seeds {seeds}: expected at most {count}, the number of engines"
        ));
    }
    if args.seeds.is_some() && args.format != Format::Knockout {
        return Err(usage!(
            "--seeds: only a knockout has seeds: add --format knockout"
        ));
    }
    Ok(MatchSettings {
        game,
        engines,
        format: args.format,
        swiss_rounds,
        seeded_engines: args.seeds,
        pairs,
        seed,
        openings: openings.source().clone(),
        adjudication: adjudication(args)?,
        ponder: args.ponder,
        sprt,
        patience: Patience {
            startup_ms: args.start_within.as_millis() as u64,
            answer_ms: args.stall_after.as_millis() as u64,
        },
    })
}

/// Pairs of games of each meeting.
fn pairs(args: &MatchArgs) -> Result<u64, Failure> {
    let games = args.games.unwrap_or(2);
    if games % 2 == 1 {
        return Err(usage!(
            "--games {games}: expected an even number, because every opening is played twice"
        ));
    }
    let is_endless = args.sprt.is_some() && args.games.is_none() && args.rounds.is_none();
    Ok(match args.format {
        Format::RoundRobin | Format::Gauntlet if is_endless => UNLIMITED_PAIRS,
        Format::RoundRobin | Format::Gauntlet => games / 2 * args.rounds.unwrap_or(1),
        Format::Swiss | Format::Knockout => games / 2,
    })
}

fn swiss_rounds(args: &MatchArgs, engines: usize) -> Result<u32, Failure> {
    match (args.format, args.rounds) {
        (Format::Swiss, rounds) => {
            let enough = u64::from(usize::BITS - engines.saturating_sub(1).leading_zeros());
            Ok(u32::try_from(rounds.unwrap_or(enough.max(1))).unwrap_or(u32::MAX))
        }
        (Format::Knockout, Some(_)) => Err(usage!(
            "--rounds: a knockout has as many as it needs; use --games"
        )),
        _ => Ok(1),
    }
}

fn engines(args: &MatchArgs) -> Result<Vec<EngineSpec>, Failure> {
    let mut groups = args.engine.0.clone();
    if let Some(path) = &args.engines {
        groups.extend(listed(path)?);
    }
    let count = groups.len();
    if count < 2 {
        let why = format!("expected at least two engines, found {count}");
        return Err(engines::refused(why));
    }
    apply_to_engine(&mut EngineSpec::default(), &args.each)
        .map_err(|why| usage!("--each: {why}"))?;
    let specs = groups.iter().map(|own| engines::spec(&[&args.each, own]));
    let mut engines = specs.collect::<Result<Vec<_>, _>>()?;
    engines::name(&mut engines, "totemic");
    for spec in &mut engines {
        spec.weights = weights(spec);
        if !spec.cmd.is_built_in() && !spec.limits.is_bounded() {
            return Err(usage!(
                "engine {}: expected one of tc=, st=, nodes= or depth=",
                spec.name
            ));
        }
    }
    Ok(engines)
}

/// Reads a file of engines, one on each line, with words quoted as in a shell.
fn listed(path: &Path) -> Result<Vec<Vec<String>>, Failure> {
    let text = files::read_text(path, "a file of engines")?;
    let mut groups = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = |why: String| files::content_error(path, format_args!("line {number}: {why}"));
        // A remark may have a single quotation mark, so it is dropped before the words are split.
        let line = line.split(" #").next().unwrap_or_default().trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let words = split_words(line).map_err(|why| wrong(why.to_string()))?;
        apply_to_engine(&mut EngineSpec::default(), &words).map_err(wrong)?;
        groups.push(words);
    }
    Ok(groups)
}

/// From the option `EvalFile`, or those of this program if it is the engine.
fn weights(spec: &EngineSpec) -> Option<String> {
    let mut options = spec.options.iter().rev();
    let file = options.find(|(name, _)| name.eq_ignore_ascii_case("EvalFile"));
    let file = file.map_or("", |(_, value)| value.as_str());
    match file.to_ascii_lowercase().as_str() {
        // One file contains the weights of both games.
        "" | "<empty>" | "<builtin>" => (spec.cmd == EngineCommand::ThisProgram)
            .then(|| Learned::<Yoxii>::default().name().to_owned()),
        name @ ("classic" | "zero") => Some(name.to_owned()),
        _ => {
            let path = Path::new(spec.dir.as_deref().unwrap_or_default()).join(file);
            let bytes = file::read(&path, file::MAX_BYTES).ok()?;
            let file = WeightsFile::read(&bytes).ok()?;
            Some(format!("{:08x}", file.checksum))
        }
    }
}

fn adjudication(args: &MatchArgs) -> Result<Adjudication, Failure> {
    let solver = read_option("adjudicate", args.adjudicate.as_deref(), tokens::solver)?;
    Ok(Adjudication {
        solver_ms: solver.map(|(ms, _)| ms),
        play_on: solver.is_some_and(|(_, play_on)| play_on),
        resign: read_option("resign", args.resign.as_deref(), tokens::resign)?,
        draw: read_option("draw", args.draw.as_deref(), tokens::draw)?,
        maxplies: args.maxplies,
    })
}

fn read_option<T: ?Sized, R>(
    option: &str,
    value: Option<&T>,
    parse: impl Fn(&T) -> Result<R, String>,
) -> Result<Option<R>, Failure> {
    let parsed = value.map(parse).transpose();
    parsed.map_err(|why| usage!("--{option}: {why}"))
}

pub(super) fn shard(args: &MatchArgs, settings: &MatchSettings) -> Result<Shard, Failure> {
    let Some(shard) = args.shard else {
        return Ok(Shard::WHOLE);
    };
    let goes_on = args.resume.is_some() && args.journal().is_some_and(|path| path.exists());
    if shard != Shard::WHOLE && args.seed.is_none() && !goes_on {
        return Err(usage!(
            "--shard {shard}: the parts of a match need the same seed: add --seed N"
        ));
    }
    if shard != Shard::WHOLE && (settings.format.is_adaptive() || settings.sprt.is_some()) {
        return Err(usage!(
            "--shard {shard}: here the games depend on results, so the match cannot be split"
        ));
    }
    Ok(shard)
}
