//! `totemic match`: plays engines against engines.

mod args;
mod prover;
mod screen;
mod settings;

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{self, Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::FromArgMatches;
use indicatif::MultiProgress;

pub(super) use args::MatchArgs;
use screen::{Screen, say_beside};
use settings::{openings, settings, shard};

use super::engines;
use super::files::{check_distinct, existing, journal_error, make_folder, write_error_text};
use super::same_match::same_part;
use super::terminal::{folded, width};
use super::{CliResult, Failure, Global, INTERRUPTED, interrupted, journals, on_interrupt};
use crate::arena::adjudicate::Prove;
use crate::arena::audit::Audit;
use crate::arena::runner::{ArenaError, MatchEnd, Records, Runner};
use crate::arena::schedule::Schedule;
use crate::arena::settings::{CommandLine, MatchHeading, MatchSettings};
use crate::arena::tally::Tally;
use crate::arena::{json, report};
use crate::process::{EngineSpec, RunSetup, guard, processors};
use crate::shard::Shard;
use crate::storage::is_same;
use crate::storage::journal::{self, Contents, Heading};
use crate::storage::pgn_file::{ExistingPgn, PgnFile};
use totemic_engine::file;
use totemic_engine::game::{Game, GameKind, with_game};
use totemic_engine::search::solver::Solvable;
use totemic_engine::stop::Stop;
use totemic_engine::text::{number_of, quoted_path};
use totemic_games::record::openings::Openings;
use totemic_games::record::reader::ReadError;

pub(super) fn run(global: Global, args: &MatchArgs) -> CliResult {
    if let (Some(journal), Some(Some(other))) = (&args.journal, &args.resume)
        && !is_same(journal, other)
    {
        let (journal, other) = (quoted_path(journal), quoted_path(other));
        return Err(usage!(
            "--journal {journal}: --resume names another one, {other}"
        ));
    }
    match args.journal() {
        Some(journal) if args.has_only_a_journal() => resume(journal, args),
        _ => with_game!(global.kind(), G => play::<G>(global.kind(), args)),
    }
}

/// Goes on by the command that began the match; options given now override it.
fn resume(journal: &Path, now: &MatchArgs) -> CliResult {
    let refused = |why: &str| failure!("journal {} {why}", quoted_path(journal));
    let contents = read_match(journal)?.ok_or_else(|| refused("does not say yet what to play"))?;
    let Some(CommandLine { dir, words }) = contents.heading.started else {
        return Err(refused(
            "does not say how its match was begun: repeat that command, with --resume",
        ));
    };
    let (global, mut args) = read_command(words)?;
    let lost = |why: io::Error| refused(&format!("cannot be continued here: {why}"));
    let own = path::absolute(journal).map_err(lost)?;
    args.take_over(now).map_err(lost)?;
    (args.resume, args.force) = (Some(Some(own)), false);
    // The match may have been lengthened since it was begun.
    let begun = &contents.heading.settings;
    let played = contents.games.iter().map(|game| game.id.pair + 1).max();
    let meetings = Schedule::meeting_count(begun).max(1);
    let pairs = played.unwrap_or(0).div_ceil(meetings);
    let is_said = now.games.is_some() || now.rounds.is_some() || begun.format.is_adaptive();
    if pairs > begun.pairs && !is_said {
        (args.games, args.rounds) = (Some(2 * pairs), None);
    }
    // Programs and files of the command are looked up where it was given.
    env::set_current_dir(&dir).map_err(|why| {
        let (dir, why) = (quoted_path(&dir), file::reason(&why));
        refused(&format!(
            "belongs to the directory {dir}: {why}; repeat its command, with --resume"
        ))
    })?;
    with_game!(global.kind(), G => play::<G>(global.kind(), &args))
}

/// The command line of this process; `None` if it cannot be written down.
fn this_command_line() -> Option<CommandLine> {
    let words = env::args_os().skip(1);
    let words = words.map(|word| word.into_string().ok());
    Some(CommandLine {
        dir: env::current_dir().ok()?,
        words: words.collect::<Option<_>>()?,
    })
}

/// Reads the command line that began a match, with the words of this one after it.
fn read_command(begun: Vec<String>) -> Result<(Global, Box<MatchArgs>), Failure> {
    let mut now = Vec::from_iter(env::args_os().skip(1));
    if let Some(at) = now.iter().position(|word| word == "match") {
        now.remove(at);
    }
    let begun = begun.into_iter().filter(|word| word != "--force");
    let words = begun.map(OsString::from).chain(now);
    let command = super::command().no_binary_name(true);
    let command = command.mut_subcommand("match", |it| it.args_override_self(true));
    let read = command.try_get_matches_from(words);
    let cli = read.and_then(|matches| super::Cli::from_arg_matches(&matches));
    let why = "the journal's command cannot be read";
    let cli = cli.map_err(|error| usage!("{why}: {error}"))?;
    match cli.command {
        Some(super::Command::Match(args)) => Ok((cli.global, args)),
        _ => Err(usage!("{why}")),
    }
}

fn read_match(journal: &Path) -> Result<Option<Contents<MatchHeading>>, Failure> {
    journal::read(journal).map_err(|why| journal_error(why, MatchHeading::JOURNAL))
}

fn play<G: Solvable>(game: GameKind, args: &MatchArgs) -> CliResult {
    if args.resume.is_some() && args.journal().is_none() {
        return Err(usage!(
            "--resume: expected the journal, as in --resume JOURNAL"
        ));
    }
    let seed = seed(args)?;
    let openings = openings::<G>(args, seed)?;
    let settings = settings(args, game, seed, &openings)?;
    let shard = shard(args, &settings)?;
    let prove = (settings.adjudication.solver_ms).map(|_| prover::prover::<G>());
    if let Some(dir) = &args.log {
        make_folder("--log", dir, "a folder")?;
    }
    let (processors, is_crowded) = processors(args, &settings)?;
    let (mut records, mut tally) = records::<G>(args, &settings, shard, &openings)?;
    let before = tally.games;
    let mut screen = Screen::begin(&settings, shard, openings.count(), before, args.report);
    if is_crowded {
        screen.warn("engines will wait for processors while their clocks run");
    }
    let mut setup = RunSetup::new(G::NAME, settings.patience, args.log.clone());
    setup.ponder = settings.ponder;
    setup.hashes_programs = true;
    let stop = Stop::new();
    let runner = Runner::<G> {
        settings: &settings,
        openings: &openings,
        shard,
        concurrency: args.concurrency.into(),
        processors,
        setup: Arc::new(setup),
        prove: prove.as_ref().map(|prove| prove as &Prove<G>),
        stop: stop.clone(),
        allows_mixed: args.mixed,
    };
    let over = Stop::new();
    catch_signals(screen.display.clone(), stop, over.clone())?;
    let _guard = guard::start();
    let ended = runner.run(&mut tally, &mut records, &mut |event| screen.show(event));
    drop(screen);
    over.now();
    let printed = match ended.is_ok() || tally.games > before {
        true => print(args.json, &settings, &tally, ended.as_ref().ok().copied()),
        false => Ok(()),
    };
    // A failure is told even if nobody reads the results.
    let ended = ended.map_err(|error| match error {
        ArenaError::Refused(why) => Failure::Usage(why),
        ArenaError::Failed(why) => Failure::Work(why),
    })?;
    printed?;
    match ended {
        MatchEnd::Stopped => Err(interrupted(how_to_continue(args.journal()))),
        _ => Ok(()),
    }
}

fn how_to_continue(journal: Option<&PathBuf>) -> String {
    match journal {
        Some(path) if this_command_line().is_some() => {
            format!("continue with totemic match --resume {}", quoted_path(path))
        }
        Some(_) => "continue with the same command and --resume".to_owned(),
        None => "without --journal, the match cannot be continued".to_owned(),
    }
}

/// Prints the results; `ended` is `None` if the match failed.
fn print(
    is_json: bool,
    settings: &MatchSettings,
    tally: &Tally,
    ended: Option<MatchEnd>,
) -> CliResult {
    if is_json {
        return print_line!("{}", json::of_match(settings, tally, ended));
    }
    let text = folded(&report::of_games(settings, tally), width());
    let ended = report::ended_line(ended, tally.games);
    print_line!("{text}{ended}, seed {}", settings.seed)
}

/// Each game's own processors, if any, and whether engines with clocks share them.
fn processors(
    args: &MatchArgs,
    settings: &MatchSettings,
) -> Result<(Vec<Vec<usize>>, bool), Failure> {
    let mut allowed = Vec::new();
    let mut there = available_parallelism().map_or(usize::MAX, usize::from);
    if args.affinity {
        allowed = processors::allowed()
            .ok_or_else(|| usage!("--affinity: programs are bound to processors only on Linux"))?;
        there = allowed.len();
    }
    let (games, threads) = (usize::from(args.concurrency), settings.threads());
    let is_timed = |spec: &EngineSpec| spec.threads() > 0 && spec.limits.is_timed();
    let is_crowded = games * threads > there && settings.engines.iter().any(is_timed);
    if games * threads > there && args.affinity || is_crowded && !args.force_concurrency {
        let mut instead = match there / threads {
            0 => "give the engines fewer threads".to_owned(),
            most => format!("give at most {most}"),
        };
        if !args.affinity {
            instead += ", or add --force-concurrency";
        }
        return Err(usage!(
            "--concurrency {games}: with {} in each game it takes {}, but this program may use \
             {there}; {instead}",
            number_of(threads, "thread"),
            number_of(games * threads, "processor"),
        ));
    }
    let own = allowed.chunks_exact(threads).take(games);
    Ok((own.map(<[usize]>::to_vec).collect(), is_crowded))
}

fn seed(args: &MatchArgs) -> Result<u64, Failure> {
    if let Some(seed) = args.seed {
        return Ok(seed);
    }
    let resumed = args.journal().filter(|_| args.resume.is_some());
    if let Some(path) = resumed.filter(|path| path.exists())
        && let Some(contents) = read_match(path)?
    {
        return Ok(contents.heading.settings.seed);
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    Ok(now.map_or(1, |now| now.as_micros() as u64 & 0xffff_ffff))
}

/// Opens the journal and the file of games, and counts the games of a journal that is
/// resumed.
fn records<G: Game>(
    args: &MatchArgs,
    settings: &MatchSettings,
    shard: Shard,
    openings: &Openings,
) -> Result<(Records, Tally), Failure> {
    let existing = existing(args.resume.is_some(), args.force);
    check_files(args, settings)?;
    let mut records = Records::default();
    for (key, value) in [("Event", &args.event), ("Site", &args.site)] {
        records.tags.extend(value.clone().map(|value| (key, value)));
    }
    let mut games = Vec::new();
    if let Some(path) = args.journal() {
        let part = MatchHeading {
            settings: settings.clone(),
            shard,
            started: this_command_line(),
        };
        let accept = |there: &Contents<_>| accept::<G>(there, &part, openings);
        let (journal, played) = journals::open(path, &part, existing, accept)?;
        records.journal = Some(journal);
        games = played;
    }
    if let Some(path) = &args.pgn {
        let texts = games.iter().map(|game| settings.pgn(game, &records.tags));
        let pgn = PgnFile::open(path, existing_pgn(args), texts.collect());
        records.pgn = Some(pgn.map_err(|why| pgn_refused(path, &why))?);
    }
    Ok((records, Tally::of(settings, &games)))
}

/// Checks, before anything is changed, that the files of a match can be written.
fn check_files(args: &MatchArgs, settings: &MatchSettings) -> CliResult {
    let openings = args.openings.iter().flat_map(|words| words.first());
    let read = openings.map(PathBuf::from).chain(args.engines.clone());
    let read = read.chain(settings.engines.iter().flat_map(engines::files));
    let written = [("--pgn", args.pgn.as_ref()), ("--journal", args.journal())];
    check_distinct(&written, &Vec::from_iter(read))?;
    if let Some(path) = &args.pgn {
        PgnFile::check(path, existing_pgn(args)).map_err(|why| pgn_refused(path, &why))?;
    }
    match args.journal() {
        Some(path) if path.as_os_str() == "-" => Err(usage!(
            "--journal -: expected a file, which can be read again"
        )),
        _ => Ok(()),
    }
}

fn existing_pgn(args: &MatchArgs) -> ExistingPgn {
    match args.append {
        true => ExistingPgn::Append,
        false => ExistingPgn::Own(existing(args.resume.is_some(), args.force)),
    }
}

fn pgn_refused(path: &Path, why: &io::Error) -> Failure {
    let (name, why) = (quoted_path(path), write_error_text(path, why));
    failure!("--pgn {name}: {why}")
}

/// Checks that a journal is of this match, whose length may have changed.
fn accept<G: Game>(
    there: &Contents<MatchHeading>,
    part: &MatchHeading,
    openings: &Openings,
) -> Result<(), ReadError> {
    let mut part = part.clone();
    part.settings.openings = openings.source_as_in(&there.heading.settings.openings);
    let same = same_part(&there.heading, &part);
    same.map_err(|why| ReadError::text(1, format!("it is of another match: {why}")))?;
    let mut settings = part.settings;
    settings.pairs = settings.pairs.max(there.heading.settings.pairs);
    let audit = Audit {
        settings: &settings,
        shard: part.shard,
        openings: Some(openings),
    };
    audit.check::<G>(&there.games)
}

/// The first signal lets the running games finish, the second one ends them, and a third one
/// ends the program. So does any once the match is `over`: whoever reads the results may
/// stand still.
fn catch_signals(display: MultiProgress, stop: Stop, over: Stop) -> CliResult {
    let mut heard = 0;
    on_interrupt(move || {
        heard += 1;
        if over.is_stopped() || heard > 2 {
            std::process::exit(INTERRUPTED.into());
        } else if heard == 1 {
            stop.soon();
            let text = "finishing the running games; interrupt again to stop now";
            say_beside(&display, text);
        } else {
            stop.now();
            say_beside(&display, "stopping now");
        }
    })
}
