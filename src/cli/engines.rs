//! Engines that are other programs: the options that name them, and asking one for a
//! move.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::{Failure, INTERRUPTED};
use crate::process::{
    EngineCommand, EngineSpec, Launch, MoveRequest, Patience, RunSetup, Trouble, UgiClient,
    split_words, tokens,
};
use totemic_engine::game::Game;
use totemic_engine::search::{MAX_PLY, Score};
use totemic_engine::stop::Stop;
use totemic_engine::text::quoted;
use totemic_games::record::{EngineScore, Reason};

/// The `key=value` tokens of each `--engine`.
#[derive(Debug, Clone, Default)]
pub(super) struct Groups(pub(super) Vec<Vec<String>>);

impl Args for Groups {
    fn augment_args(command: Command) -> Command {
        let engine = Arg::new("engine").long("engine").value_name("KEY=VALUE");
        command.arg(engine.num_args(1..).action(ArgAction::Append))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Groups {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let groups = matches.get_occurrences::<String>("engine");
        let groups = groups.into_iter().flatten();
        Ok(Self(groups.map(|group| group.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The files that an engine needs: its program, and what its arguments and options name.
pub(super) fn files(spec: &EngineSpec) -> Vec<PathBuf> {
    let program = Launch::new(spec, "").map(|launch| launch.files());
    let arguments = [&spec.cmd.to_string(), &spec.args].map(|text| split_words(text));
    let arguments = arguments.into_iter().flatten().flatten();
    let options = spec.options.iter().map(|(_, value)| value.clone());
    let dir = PathBuf::from(spec.dir.as_deref().unwrap_or_default());
    let named = arguments.chain(options).map(|name| dir.join(name));
    let named = named.filter(|path| path.is_file());
    let mut files = program.unwrap_or_default();
    files.extend(named);
    files
}

/// Gives an option a line for `-h`, and more for `--help`.
pub(super) fn explained(arg: Arg, line: &str, more: &str) -> Arg {
    arg.help(line.to_owned())
        .long_help(format!("{line}\n\n{more}"))
}

pub(super) fn refused(why: impl std::fmt::Display) -> Failure {
    usage!("--engine: {why}")
}

/// Returns the engine that these tokens describe; those of a later group take precedence.
pub(super) fn spec(groups: &[&[String]]) -> Result<EngineSpec, Failure> {
    let mut spec = EngineSpec::default();
    for tokens in groups {
        tokens::apply_to_engine(&mut spec, tokens).map_err(refused)?;
    }
    if spec.cmd == EngineCommand::default() {
        let tokens = quoted(&groups.concat().join(" "));
        return Err(refused(format!("{tokens}: expected cmd=PROGRAM, too")));
    }
    Ok(spec)
}

/// Like [`spec`], but it has to be a program; `expected` says what may be given.
pub(super) fn program(groups: &[&[String]], expected: &str) -> Result<EngineSpec, Failure> {
    let spec = spec(groups)?;
    if spec.cmd.is_built_in() {
        let cmd = spec.cmd;
        return Err(refused(format!(
            "cmd={cmd}: {cmd} plays only in matches, expected {expected}"
        )));
    }
    Ok(spec)
}

/// The program of a command with one `--engine`. It has no clock, as `no_clock` says.
pub(super) fn without_clock(
    tokens: &[String],
    expected: &str,
    no_clock: &str,
) -> Result<Option<EngineSpec>, Failure> {
    if tokens.is_empty() {
        return Ok(None);
    }
    let spec = program(&[tokens], expected)?;
    match spec.limits.clock {
        Some(_) => Err(refused(no_clock)),
        None => Ok(Some(spec)),
    }
}

/// Names those without a name after their programs, and numbers equal names.
pub(super) fn name(engines: &mut [EngineSpec], this_program: &str) {
    for index in 0..engines.len() {
        let (before, rest) = engines.split_at_mut(index);
        let spec = &mut rest[0];
        if spec.name.is_empty() {
            spec.name = match &spec.cmd {
                EngineCommand::ThisProgram => this_program.to_owned(),
                other => program_name(&other.to_string()),
            };
        }
        let wanted = spec.name.clone();
        for number in 2.. {
            if before.iter().all(|engine| engine.name != spec.name) {
                break;
            }
            spec.name = format!("{wanted}-{number}");
        }
    }
}

fn program_name(cmd: &str) -> String {
    let words = split_words(cmd).unwrap_or_default();
    let stem = (words.first()).and_then(|it| Path::new(it).file_stem()?.to_str());
    let is_plain = |c: &char| !c.is_control() && *c != '"' && *c != '\\';
    let name = stem.unwrap_or_default().chars().filter(is_plain);
    let name: String = name.take(60).collect();
    match name.is_empty() {
        true => "engine".to_owned(),
        false => name,
    }
}

/// How late a move may come, beyond twice its time, before the engine has failed.
const LATENESS_MS: u64 = 10_000;
/// How long a search without a time limit may take.
const MAX_UNTIMED_MS: u64 = 600_000;

pub(super) fn start(spec: &EngineSpec, game: &str, stop: &Stop) -> Result<UgiClient, Failure> {
    let time = spec.limits.movetime_ms;
    let patience = Patience {
        answer_ms: time.map_or(MAX_UNTIMED_MS, |ms| 2 * ms + LATENESS_MS),
        ..Patience::default()
    };
    let setup = Arc::new(RunSetup::new(game, patience, None));
    let failed = |why| failure!("engine '{}': {why}", spec.cmd);
    let mut client = UgiClient::new(spec, &setup).map_err(failed)?;
    client.new_game(stop).map_err(|why| match why {
        Trouble::Interrupted => Failure::Code(INTERRUPTED),
        why => failed(why.to_string()),
    })?;
    for warning in client.take_warnings() {
        say!("warning: {warning}");
    }
    Ok(client)
}

/// Asks an engine for a move, and returns it with its score, if it gave one. `stop` ends the
/// process, and gives [`Trouble::Interrupted`].
pub(super) fn ask<G: Game>(
    client: &mut UgiClient,
    position: &G,
    request: &MoveRequest<'_>,
    stop: &Stop,
) -> Result<(G::Move, Option<Score>), Trouble> {
    let answer = client.ask(request, stop)?;
    let mv = position.read_move(&answer.mv);
    let mv = mv.map_err(|why| Trouble::Forfeit(Reason::IllegalMove, why.to_string()))?;
    let within = |plies: i32| (plies.unsigned_abs() as usize).min(MAX_PLY);
    let score = answer.info.score.map(|score| match score {
        EngineScore::Cp(cp) => Score::estimate(cp),
        EngineScore::Mate(plies) if plies > 0 => Score::win_in(within(plies)),
        EngineScore::Mate(plies) => Score::loss_in(within(plies)),
    });
    Ok((mv, score))
}
