//! `totemic board`: the board in a browser.

use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use tempfile::NamedTempFile;
use tokio::sync::Notify;

use super::engines::{self, Groups};
use super::values::whole;
use super::{CliResult, Failure, Global, on_interrupt};
use crate::board::Board;
use crate::process::{EngineCommand, EngineSpec, Launch, guard};
use crate::storage::journal;
use totemic_engine::game::GameKind;
use totemic_games::limits::MoveLimits;

/// The port if nobody asks for another.
const PORT: u16 = 4747;

#[derive(Args, Debug)]
#[command(mut_arg("engine", |arg| {
    let short = "An engine for the page, once for each [default: this program]";
    let keys = "cmd=PROGRAM [args=ARGS] [dir=DIR] [name=NAME] [option.NAME=VALUE]";
    engines::explained(arg, short, keys)
}))]
pub(super) struct BoardArgs {
    #[command(flatten)]
    engines: Groups,
    /// Port on this machine [default: 4747, or a free one if that is in use]
    #[arg(long, value_name = "N", value_parser = whole(0..=65535u16))]
    port: Option<u16>,
    /// Show the games of a match as they finish, from this journal
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Print the address without opening a browser
    #[arg(long)]
    no_open: bool,
}

pub(super) fn run(global: Global, args: &BoardArgs) -> CliResult {
    if let Some(path) = &args.journal {
        journal::check::<journal::AnyHeading>(path).map_err(|why| failure!("{why}"))?;
    }
    let engines = engines(&args.engines.0)?;
    for engine in &engines {
        let launch = Launch::new(engine, GameKind::default().name());
        let launch = launch.map_err(engines::refused)?;
        if let Some(why) = launch.missing() {
            return Err(failure!("--engine: {why}"));
        }
    }
    let board = Board::new(listen(args.port)?, engines, args.journal.clone());
    let board = board.map_err(|why| failure!("{why}"))?;
    let stop = Arc::new(Notify::new());
    let handle = Arc::clone(&stop);
    on_interrupt(move || handle.notify_one())?;
    let _redirect = announce(&board, global.game, args.no_open)?;
    let _guard = guard::start();
    board.run(&stop).map_err(|why| failure!("{why}"))
}

/// Takes the port that was asked for; without one the usual port or else any free one.
fn listen(port: Option<u16>) -> Result<TcpListener, Failure> {
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    if let Some(port) = port {
        return bind(port).map_err(|why| failure!("--port {port}: {why}"));
    }
    let listener = bind(PORT).or_else(|why| {
        say!("using a port other than {PORT}: {why}");
        bind(0)
    });
    listener.map_err(|why| failure!("there is no free port: {why}"))
}

/// Prints the address and opens it in a browser. The returned file must stay until the
/// browser has read it.
fn announce(
    board: &Board,
    game: Option<GameKind>,
    no_open: bool,
) -> Result<Option<NamedTempFile>, Failure> {
    let mut url = board.url();
    if let Some(game) = game {
        url += &format!("#/play/{}", game.name());
    }
    print_line!("{url}")?;
    let redirect = (!no_open).then(|| open_in_browser(&url).ok()).flatten();
    let open = if redirect.is_some() { "opened" } else { "open" };
    say!("{open} this address in a browser; Ctrl-C here ends the board and its engines");
    Ok(redirect)
}

/// Opens the address through a file that only this user can read: other users see a
/// browser's arguments, and the address contains a secret.
fn open_in_browser(url: &str) -> io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new()
        .prefix("totemic-")
        .suffix(".html")
        .tempfile()?;
    let refresh = format!("<meta http-equiv=\"refresh\" content=\"0; url={url}\">");
    writeln!(file, "<!doctype html>{refresh}")?;
    open::that_detached(file.path())?;
    Ok(file)
}

fn engines(groups: &[Vec<String>]) -> Result<Vec<EngineSpec>, Failure> {
    let program = |tokens: &Vec<String>| engines::program(&[tokens], "a program");
    let mut engines = groups.iter().map(program).collect::<Result<Vec<_>, _>>()?;
    if (engines.iter()).any(|spec| spec.limits != MoveLimits::default()) {
        let why = "tc, st, nodes and depth: choose the time in the page";
        return Err(engines::refused(why));
    }
    if engines.is_empty() {
        engines.push(EngineSpec {
            cmd: EngineCommand::ThisProgram,
            ..EngineSpec::default()
        });
    }
    engines::name(&mut engines, "Totemic");
    Ok(engines)
}
