//! `totemic data`: files of games made by `datagen`.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::{CliResult, Failure};
use crate::game::{Game, GameKind, with_game};
use crate::train::data::{Block, DataError, Header, Reader, Record, Writer};

/// Look into files of games made by `datagen`, and put parts together
#[derive(Args, Debug)]
pub(super) struct DataArgs {
    #[command(subcommand)]
    command: DataCommand,
}

#[derive(Subcommand, Debug)]
enum DataCommand {
    /// Say what files hold, and whether they are whole
    Info {
        /// Files written by `datagen` or `data merge`
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },
    /// Put the parts of one recipe together, in the order of their games
    Merge {
        /// The parts
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// The file to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Print every position as a line of text
    ///
    /// With tabs between: the position, the move, the static value and the
    /// search's score in centipoints for the side to move, `win`, `draw`, `loss` or
    /// `-` for what was proved of it, and the result of the game for the side to
    /// move: 1, 0 or -1. A random move has `random` for the two numbers.
    Dump {
        /// A file written by `datagen` or `data merge`
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

pub(super) fn run(args: &DataArgs) -> CliResult {
    match &args.command {
        DataCommand::Info { files } => files.iter().try_for_each(|file| info(file)),
        DataCommand::Merge { files, out } => merge(files, out),
        DataCommand::Dump { file } => {
            let reader = Reader::open(file)?;
            with_game!(kind_of(reader.header())?, G => dump::<G>(reader))
        }
    }
}

pub(super) fn kind_of(header: &Header) -> Result<GameKind, Failure> {
    let name = &header.recipe.game;
    let unknown = || {
        Failure::Work(format!(
            "its games are of '{name}', expected yoxii or hokito"
        ))
    };
    GameKind::named(name).ok_or_else(unknown)
}

fn info(path: &Path) -> CliResult {
    let reader = Reader::open(path)?;
    let header = reader.header().clone();
    with_game!(kind_of(&header)?, G => print_info::<G>(path, reader))
}

fn print_info<G: Game>(path: &Path, reader: Reader) -> CliResult {
    let (mut games, mut results, mut plies) = (0u64, [0u64; 3], 0);
    let (mut positions, mut proved) = (0u64, 0u64);
    let header = reader.each_game(|game: Record<G>| {
        games += 1;
        results[(1 - game.result) as usize] += 1;
        plies += game.moves.len();
        let samples = game.moves.iter().map(|(_, sample)| sample);
        for sample in samples.filter(|sample| !sample.is_random) {
            positions += 1;
            proved += u64::from(sample.proved.is_some());
        }
    })?;
    let recipe = &header.recipe;
    let [wins, draws, losses] = results;
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{}: {} by {}",
        path.display(),
        recipe.game,
        recipe.weights
    )?;
    writeln!(
        out,
        "  generator {}, seed {}, {} nodes a move, {} for a proof",
        recipe.generator, recipe.seed, recipe.nodes, recipe.solver_nodes
    )?;
    match header.shard {
        0 => writeln!(out, "  {games} of {} games, merged", recipe.games)?,
        part => writeln!(
            out,
            "  {games} of {} games, part {part} of {}",
            recipe.games, header.of
        )?,
    }
    writeln!(
        out,
        "  first side: {wins} won, {draws} drawn, {losses} lost; {:.1} plies a game",
        plies as f64 / games.max(1) as f64
    )?;
    writeln!(out, "  {positions} positions, {proved} of them proved")?;
    Ok(())
}

fn merge(files: &[PathBuf], out: &Path) -> CliResult {
    let mut blocks: BTreeMap<u32, Block> = BTreeMap::new();
    let mut recipe = None;
    for path in files {
        let refused = |what: &str| Failure::Work(format!("{}: {what}", path.display()));
        let mut reader = Reader::open(path)?;
        let own = reader.header().recipe.clone();
        if *recipe.get_or_insert_with(|| own.clone()) != own {
            return Err(refused("its games were made otherwise than those before"));
        }
        while let Some(block) = reader.next_block()? {
            if blocks.insert(block.number, block).is_some() {
                return Err(refused("some of its games are in a file before"));
            }
        }
        if reader.rest()? > 0 {
            return Err(refused(
                "its last block is not whole: finish it with datagen --resume",
            ));
        }
    }
    let Some(recipe) = recipe else {
        return Ok(());
    };
    let header = Header {
        recipe,
        shard: 0,
        of: 1,
    };
    let mut writer = Writer::create(out, &header)?;
    blocks.values().try_for_each(|block| writer.write(block))?;
    Ok(())
}

fn dump<G: Game>(reader: Reader) -> CliResult {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut written = Ok(());
    reader.each_game(|game: Record<G>| {
        if written.is_ok() {
            written = dump_game(&mut out, &game);
        }
    })?;
    written?;
    out.flush()?;
    Ok(())
}

fn dump_game<G: Game>(out: &mut impl Write, game: &Record<G>) -> io::Result<()> {
    let mut position = game.start;
    for &(mv, sample) in &game.moves {
        let proved = sample.proved.map_or("-", |sign| match sign {
            1 => "win",
            0 => "draw",
            _ => "loss",
        });
        let values = match sample.is_random {
            true => "random\trandom".to_owned(),
            false => format!("{}\t{}", sample.value, sample.score),
        };
        let result = game.result_for(position.side());
        writeln!(out, "{position}\t{mv}\t{values}\t{proved}\t{result}")?;
        position = position.play(mv);
    }
    Ok(())
}

impl From<DataError> for Failure {
    fn from(error: DataError) -> Self {
        Self::Work(error.to_string())
    }
}
