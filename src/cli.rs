//! The command line: one module for each subcommand.
//!
//! Results go to stdout, diagnostics to stderr. Exit codes: 0 done, 1 the work failed, 2
//! bad arguments; a subcommand may add others above that. A missing or malformed file is
//! failed work. It is no error if the reader of a pipe closes it early.

/// Prints a line on stderr, like `eprintln`, but it need not have a reader.
macro_rules! say {
    ($($line:tt)*) => {
        $crate::cli::say(format_args!($($line)*))
    };
}

/// Prints a line on stdout, as a [`CliResult`].
macro_rules! print_line {
    ($($line:tt)*) => {
        $crate::cli::print_line(format_args!($($line)*))
    };
}

macro_rules! usage {
    ($($why:tt)*) => {
        $crate::cli::Failure::Usage(format!($($why)*))
    };
}

macro_rules! failure {
    ($($why:tt)*) => {
        $crate::cli::Failure::Work(format!($($why)*))
    };
}

// The commands.
mod analyze;
mod bench;
mod board;
mod certify;
mod completions;
mod compliance;
mod data;
mod datagen;
mod estimate;
mod fit;
mod matches;
mod perft;
mod play;
mod problems;
mod rate;
mod review;
mod rules;
mod setup;
mod solve;
mod sprt;
mod ugi;
mod verify;

// What they share.
mod broken_pipe;
mod chooser;
mod console;
mod engines;
mod files;
mod journals;
mod playable;
mod position;
mod progress;
mod proof_folder;
mod same_match;
mod startup;
mod terminal;
mod values;
mod weights;

use std::fmt::Display;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args, ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::process::guard;
use totemic_engine::game::{Game, GameKind, Hokito, Layout, Yoxii};
use totemic_engine::search::Learned;
use totemic_engine::stop::Stop;
use totemic_engine::text::quoted;

/// Why a subcommand ends early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command line cannot be used: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// The work could not be done: exit code 1.
    #[error("{0}")]
    Work(String),
    /// What was printed has not arrived: exit code 1, or that of [`Command::unheard`] if a
    /// pipe was closed.
    #[error("cannot write to stdout: {0}")]
    Stdout(#[from] io::Error),
    /// Everything has been said; only this exit code is left, which may be 0.
    #[error("exit code {0}")]
    Code(u8),
}

impl Failure {
    /// The failure of a server, whose errors have a text of their own except those of stdout.
    fn of_server(why: io::Error) -> Self {
        match why.get_ref() {
            Some(text) => Self::Work(text.to_string()),
            None => Self::Stdout(why),
        }
    }

    fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Work(_) | Self::Stdout(_) => 1,
            Self::Code(code) => *code,
        }
    }
}

pub(crate) type CliResult = Result<(), Failure>;

/// The version, with the commit from which a release was built.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("TOTEMIC_COMMIT"));

/// Names what this build may use and has in it.
fn long_version() -> String {
    format!(
        "{VERSION}\ntarget features: {}\nweights: {}",
        env!("TOTEMIC_TARGET"),
        Learned::<Yoxii>::default().name(),
    )
}

const AFTER_HELP: &str = "\
Without a subcommand the program speaks UGI. Results go to stdout, diagnostics to stderr.

Exit codes: 0 success; 1 failure, such as a missing or malformed file; 2 bad \
arguments, such as an illegal move; 3 solve left a value unknown; 130 stopped by Ctrl-C (0 for \
play on a terminal, board and analyze --infinite).

Input files must be regular files, not pipes or devices. Where a command accepts `-` in place of a \
file, it reads standard input.";

#[derive(Parser, Debug)]
#[command(name = "totemic", version = VERSION, about, long_about = None)]
#[command(after_help = AFTER_HELP)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Option<Command>,
}

/// Commands for which --game means nothing.
const NO_GAME: [&str; 6] = ["board", "rate", "sprt", "verify", "completions", "man"];
/// Commands whose output has colours.
const COLOURED: [&str; 4] = ["play", "rules", "analyze", "review"];

/// Options that every subcommand takes, before or after its name.
#[derive(Args, Debug, Clone, Copy)]
struct Global {
    /// yoxii or hokito [default: that of the position or file, else yoxii]
    #[arg(long, help_heading = "Common options", global = true, ignore_case = true,
          value_parser = game(), hide_possible_values = true)]
    game: Option<GameKind>,
    /// Colours: always, never, or auto, which means on a terminal
    #[arg(long, help_heading = "Common options", global = true, value_enum, value_name = "WHEN",
          hide_possible_values = true, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
}

impl Global {
    fn kind(self) -> GameKind {
        self.game.unwrap_or_default()
    }

    /// Refuses something of another game than the one asked for; `what` ends with "is" or "are".
    fn check_game(self, found: GameKind, what: impl FnOnce() -> String) -> CliResult {
        match self.game.filter(|&game| game != found) {
            Some(game) => Err(usage!("--game {game}: {} of {found}", what())),
            None => Ok(()),
        }
    }
}

fn game() -> impl TypedValueParser<Value = GameKind> {
    let names = PossibleValuesParser::new(GameKind::ALL.map(GameKind::name));
    names.map(|name| GameKind::named(&name).unwrap_or_default())
}

/// Returns the layout of random starts; only Hokito has two of them.
fn layout(game: &str, scattered: bool) -> Result<Layout, Failure> {
    if scattered && game != Hokito::NAME {
        return Err(usage!(
            "--scattered is a variant of hokito: add --game hokito"
        ));
    }
    Ok(Layout::of(scattered))
}

/// In the order in which a stranger may need them.
#[derive(Subcommand, Debug)]
enum Command {
    Play(Box<play::PlayArgs>),
    /// Open a board in the browser: play, analyse, set up, review, watch
    Board(board::BoardArgs),
    /// Print the rules, with a board and its coordinates
    Rules,
    #[command(alias = "analyse")]
    Analyze(analyze::AnalyzeArgs),
    Review(Box<review::ReviewArgs>),
    Solve(solve::SolveArgs),
    Problems(problems::ProblemsArgs),
    /// Print random start positions, or positions after random plies
    Setup(setup::SetupArgs),
    /// Speak the UGI protocol on stdin and stdout (the default)
    Ugi,
    /// Play matches between engines
    ///
    /// Exit codes: 0 the match was played or decided; 1 it could not go on; 2 bad
    /// arguments; 130 stopped by Ctrl-C, which lets the running games finish. A second
    /// Ctrl-C ends them, too, and a third one ends the program at once.
    ///
    /// Example: totemic match --engine cmd=self name=new nodes=20000 --engine cmd=./old
    /// name=old st=0.1 --games 100 --journal games.jsonl
    Match(Box<matches::MatchArgs>),
    /// Rate the engines of a match from its journals
    Rate(rate::RateArgs),
    /// Run a sequential probability ratio test on results that you have
    ///
    /// The test asks whether the first engine is stronger than the second by elo1 or
    /// only by elo0. The keys follow the results or --sprt and have these defaults:
    /// elo0=0, elo1=5; alpha=0.05, the risk of accepting elo1 wrongly; beta=0.05, the
    /// risk of accepting elo0 wrongly; model=normalized or logistic, the scale of Elo.
    /// Without keys, a journal is tested with those of its match.
    ///
    /// Example: totemic sprt 410 220 370 elo0=0 elo1=3
    Sprt(sprt::SprtArgs),
    /// Check any engine against the protocol
    ///
    /// Exit codes: 0 all checks passed; 1 one failed, or the engine does not
    /// start; 2 bad arguments; 130 stopped by Ctrl-C.
    Compliance(compliance::ComplianceArgs),
    Certify(certify::CertifyArgs),
    Verify(verify::VerifyArgs),
    Estimate(estimate::EstimateArgs),
    /// Count the move sequences of each length from a position
    Perft(perft::PerftArgs),
    Bench(bench::BenchArgs),
    Datagen(datagen::DatagenArgs),
    #[command(subcommand)]
    Data(data::DataCommand),
    Fit(fit::FitArgs),
    /// Print a completion script for a shell
    Completions(completions::CompletionsArgs),
    /// Write the manual pages to a folder
    Man(completions::ManArgs),
}

impl Command {
    fn run(&self, global: Global) -> CliResult {
        match self {
            Self::Play(args) => play::run(global, args),
            Self::Board(args) => board::run(global, args),
            Self::Analyze(args) => analyze::run(global, args),
            Self::Review(args) => review::run(global, args),
            Self::Rules => rules::run(global),
            Self::Solve(args) => solve::run(global, args),
            Self::Problems(args) => problems::run(global, args),
            Self::Setup(args) => setup::run(global, args),
            Self::Ugi => ugi::run(global),
            Self::Match(args) => matches::run(global, args),
            Self::Rate(args) => rate::run(args),
            Self::Sprt(args) => sprt::run(args),
            Self::Compliance(args) => compliance::run(global, args),
            Self::Certify(args) => certify::run(global, args),
            Self::Verify(args) => verify::run(global, args),
            Self::Estimate(args) => estimate::run(global, args),
            Self::Perft(args) => perft::run(global, args),
            Self::Bench(args) => bench::run(global, args),
            Self::Datagen(args) => datagen::run(global, args),
            Self::Data(command) => data::run(global, command),
            Self::Fit(args) => fit::run(global, args),
            Self::Completions(args) => completions::run(args),
            Self::Man(args) => completions::write_man(args),
        }
    }

    /// Whether its work is in vain once nobody reads what it prints.
    fn only_prints(&self) -> bool {
        match self {
            Self::Data(command) => command.only_prints(),
            Self::Match(args) => args.only_prints(),
            Self::Review(args) => args.pgn.is_none() && args.html.is_none(),
            Self::Solve(args) => args.output.is_none() && args.certificate.is_none(),
            // The exit code of `compliance` is wanted, too.
            Self::Board(_) | Self::Compliance(_) | Self::Man(_) | Self::Play(_) => false,
            Self::Certify(_) | Self::Datagen(_) | Self::Fit(_) => false,
            Self::Analyze(_) | Self::Bench(_) | Self::Completions(_) | Self::Estimate(_) => true,
            Self::Perft(_) | Self::Problems(_) | Self::Rate(_) | Self::Rules => true,
            Self::Setup(_) | Self::Sprt(_) | Self::Ugi | Self::Verify(_) => true,
        }
    }

    /// The exit code if nobody reads the output. Where an exit code of 0 is an answer, it must
    /// not be given then: the rest was not checked.
    const fn unheard(&self) -> u8 {
        match self {
            Self::Certify(_) | Self::Verify(_) => 1,
            _ => 0,
        }
    }
}

/// Builds the command line. It reads `-1` as a bad value, not as an option, and the help
/// of a command shows those options of all commands that matter there.
fn command() -> clap::Command {
    let command = Cli::command();
    let global: Vec<Arg> = command.get_arguments().cloned().collect();
    command.mut_subcommands(|subcommand| {
        let is_used = |arg: &Arg| match (subcommand.get_name(), arg.get_id().as_str()) {
            (name, "game") => !NO_GAME.contains(&name),
            (name, _) => COLOURED.contains(&name),
        };
        let hidden = global.iter().filter(|arg| !is_used(arg));
        let hidden = Vec::from_iter(hidden.map(|arg| arg.clone().hide(true)));
        subcommand.args(hidden).mut_args(|arg| {
            let has_value = arg.get_action().takes_values();
            arg.allow_negative_numbers(has_value)
        })
    })
}

/// `--color`, before the arguments are parsed: help and errors have colours, too.
fn colour_choice(words: &[String]) -> ColorChoice {
    let behind = words.iter().position(|word| word == "--color");
    let behind = behind.and_then(|at| words.get(at + 1)).map(String::as_str);
    let value = words.iter().find_map(|word| word.strip_prefix("--color="));
    let choice = value.or(behind).map(|it| ColorChoice::from_str(it, false));
    choice.and_then(Result::ok).unwrap_or_default()
}

/// Runs the program on the process's arguments.
#[must_use]
pub fn main() -> ExitCode {
    startup::prepare();
    if std::env::args_os().skip(1).eq([guard::COMMAND]) {
        guard::watch(io::stdin().lock());
        return ExitCode::SUCCESS;
    }
    let words: Vec<String> = std::env::args_os()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let mut command = command().color(colour_choice(&words));
    // Nothing else needs the checksum of the weights, which takes some time.
    if words.iter().any(|word| word == "--version") {
        command = command.long_version(long_version());
    }
    let matches = command.try_get_matches();
    let cli = matches.and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match cli.map_err(shortened) {
        Ok(cli) => cli,
        Err(why) if why.use_stderr() => why.exit(),
        Err(why) => return exit_code(why.print().map_err(Failure::Stdout), 0),
    };
    let global = cli.global;
    set_colours(global.color);
    let command = cli.command.unwrap_or_else(|| {
        ugi::greet();
        Command::Ugi
    });
    let unheard = command.unheard();
    if command.only_prints() {
        broken_pipe::end_on_it(unheard);
    }
    exit_code(command.run(global), unheard)
}

/// Makes a clap error quote long values as other errors do, with a tip if a position is
/// not in quotes or a game has no `--game`.
fn shortened(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg)
        && error.kind() == ErrorKind::UnknownArgument
    {
        let tip = match argument.as_str() {
            "w" | "b" | "r" => Some("the whole position is one argument, in quotes".to_owned()),
            name => GameKind::named(name).map(|kind| format!("give the game as --game {kind}")),
        };
        if let Some(tip) = tip {
            let tips = ContextValue::StyledStrs(vec![tip.into()]);
            error.insert(ContextKind::Suggested, tips);
        }
    }
    if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) {
        // Clap adds the quotes itself.
        let quoted = quoted(value);
        let within = quoted[1..quoted.len() - 1].to_owned();
        error.insert(ContextKind::InvalidValue, ContextValue::String(within));
    }
    error
}

fn set_colours(choice: ColorChoice) {
    let choice = match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

const fn fail_if(is_wrong: bool, code: u8) -> CliResult {
    match is_wrong {
        true => Err(Failure::Code(code)),
        false => Ok(()),
    }
}

/// Exit code of a command that Ctrl-C stopped; shells use the same for SIGINT.
const INTERRUPTED: u8 = 130;

/// Ends a command that was stopped by Ctrl-C; the line says how far it got.
fn interrupted(line: impl Display) -> Failure {
    say!("{line}");
    Failure::Code(INTERRUPTED)
}

/// Returns another seed each time, for those who do not want a game to repeat itself.
fn random_seed() -> u64 {
    RandomState::new().hash_one(0)
}

/// Returns a stop that comes at the first Ctrl-C; a second one ends the program.
fn stop_on_interrupt() -> Result<Stop, Failure> {
    let stop = Stop::new();
    let handle = stop.clone();
    on_interrupt(move || match handle.is_stopped() {
        true => std::process::exit(INTERRUPTED.into()),
        false => handle.now(),
    })?;
    Ok(stop)
}

fn on_interrupt(function: impl FnMut() + Send + 'static) -> CliResult {
    ctrlc::set_handler(function).map_err(|why| failure!("cannot watch for interrupts: {why}"))
}

fn say(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

fn print_line(line: std::fmt::Arguments<'_>) -> CliResult {
    Ok(writeln!(io::stdout().lock(), "{line}")?)
}

fn texts(moves: &[impl ToString]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

const MAX_ERRORS: usize = 20;

fn say_errors<E: Display>(errors: &[E]) {
    for why in errors.iter().take(MAX_ERRORS) {
        say!("error: {why}");
    }
    if errors.len() > MAX_ERRORS {
        say!("error: {} more of these", errors.len() - MAX_ERRORS);
    }
}

/// Writes the last results, reports a failure on stderr and returns the exit code.
fn exit_code(done: CliResult, unheard: u8) -> ExitCode {
    let is_closed = |why: &io::Error| why.kind() == io::ErrorKind::BrokenPipe;
    let flushed = match done {
        Ok(()) | Err(Failure::Code(_)) => io::stdout().flush(),
        Err(_) => Ok(()),
    };
    let failure = match (done, flushed) {
        // A failure stays a failure, even if nobody reads about it.
        (Err(failure), Err(why)) if is_closed(&why) => failure,
        (_, Err(why)) => why.into(),
        (Err(failure), Ok(())) => failure,
        (Ok(()), Ok(())) => return ExitCode::SUCCESS,
    };
    match &failure {
        Failure::Stdout(why) if is_closed(why) => return ExitCode::from(unheard),
        Failure::Code(_) => {}
        failure => say!("error: {failure}"),
    }
    ExitCode::from(failure.code())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_commands_name_commands() {
        for name in NO_GAME.iter().chain(&COLOURED) {
            assert!(Cli::command().find_subcommand(name).is_some(), "{name}");
        }
    }
}
