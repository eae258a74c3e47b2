//! `totemic compliance`: checks an engine against the protocol.

use std::io;
use std::time::Duration;

use clap::Args;
use serde_json::json;

use super::values::time;
use super::{CliResult, Failure, Global, engines, fail_if, interrupted, stop_on_interrupt};
use crate::arena::compliance::{CheckReport, check};
use crate::process::{EngineSpec, Launch, guard};
use totemic_engine::game::with_game;

#[derive(Args, Debug)]
pub(super) struct ComplianceArgs {
    /// The engine, cmd=PROGRAM; cmd=self is this program
    ///
    /// cmd=PROGRAM [args=ARGS] [dir=DIR]
    #[arg(long, required = true, num_args = 1.., value_name = "KEY=VALUE")]
    engine: Vec<String>,
    /// How long to wait for each answer
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = time)]
    patience: Duration,
    /// Print every exchange, not only those that fail
    #[arg(long)]
    verbose: bool,
    /// Print one JSON object for each check
    #[arg(long)]
    json: bool,
}

pub(super) fn run(global: Global, args: &ComplianceArgs) -> CliResult {
    let spec = engines::program(&[&args.engine], "a program")?;
    let expected = EngineSpec {
        cmd: spec.cmd.clone(),
        args: spec.args.clone(),
        dir: spec.dir.clone(),
        ..EngineSpec::default()
    };
    if spec != expected {
        let why = "expected cmd, args and dir only: the checks set what they need";
        return Err(engines::refused(why));
    }
    let kind = global.kind();
    let launch = Launch::new(&spec, kind.name()).map_err(engines::refused)?;
    let stop = stop_on_interrupt()?;
    let _guard = guard::start();
    let mut printed = Ok(());
    let (mut passed, mut all) = (0, 0);
    let on_check = |check: &CheckReport| {
        all += 1;
        passed += u32::from(check.failure.is_none());
        if printed.is_ok() {
            printed = print(args, check);
        }
    };
    with_game!(kind, G => check::<G>(&launch, args.patience, &stop, on_check)).map_err(|why| {
        match stop.is_stopped() {
            true => interrupted("stopped before all checks were made"),
            false => failure!("engine '{}': {why}", spec.cmd),
        }
    })?;
    if printed.is_ok() && !args.json {
        printed = print_line!("{passed} of {all} checks passed");
    }
    match printed {
        // If a reader has seen enough, that changes nothing about the engine.
        Err(Failure::Stdout(why)) if why.kind() != io::ErrorKind::BrokenPipe => Err(why.into()),
        _ => fail_if(passed < all, 1),
    }
}

fn print(args: &ComplianceArgs, check: &CheckReport) -> CliResult {
    if args.json {
        let report = json!({"check": check.claim, "passed": check.failure.is_none(),
            "why": check.failure, "exchange": check.exchange});
        return print_line!("{report}");
    }
    match &check.failure {
        None => print_line!("ok      {}", check.claim)?,
        Some(why) => print_line!("FAILED  {}: {why}", check.claim)?,
    }
    if args.verbose || check.failure.is_some() {
        for line in &check.exchange {
            let shortened: String = line.chars().take(200).collect();
            print_line!("        {}", shortened.replace('\n', "\n        > "))?;
        }
    }
    Ok(())
}
