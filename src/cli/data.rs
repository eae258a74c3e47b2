//! `totemic data`: files of games made by `datagen`.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::calibration::{self, CalibrationArgs};
use super::values::whole;
use super::weights::{game_of, load};
use super::{CliResult, Failure, Global, files, progress, say};
use crate::file;
use crate::game::{Game, GameKind, quoted, with_game};
use crate::search::{KNOTS, Learnable, Learned, Searchable};
use crate::train::data::{DataError, Header, Merge, Reader, Record};
use crate::train::shuffle::Shuffle;

/// Look into files of games by `datagen`: merge, shuffle, print, calibrate
#[derive(Args, Debug)]
pub(super) struct DataArgs {
    #[command(subcommand)]
    command: DataCommand,
}

#[derive(Subcommand, Debug)]
enum DataCommand {
    /// Say what files hold, and whether they are whole
    Info {
        /// Files written by `datagen`, `data merge` or `data shuffle`
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },
    /// Put the parts of one recipe together, in the order of their games
    Merge {
        /// The parts
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// The file to write, which must not be there yet
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Put the games of one recipe in a random order
    ///
    /// The order depends on the seed and the games alone: whether they come in one file
    /// or in parts, in whatever order, the same file is written. It says that it is
    /// shuffled, and by which seed; `fit` and the commands of `data` read it like
    /// any other, but `merge` and `shuffle` do not take it for a part. Takes 16 bytes of
    /// memory a game, 16 MB for a million, and reads the files twice.
    Shuffle {
        /// The parts, or a merged file
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// The file to write, which must not be there yet
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Seed of the order: the same seed, the same order
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0u64..))]
        seed: u64,
    },
    Calibration(CalibrationArgs),
    /// Print what the terms of the evaluation weigh at each knot of the game's course
    ///
    /// In thousandths of a logit, at the plies of the first line; between them weights
    /// are interpolated. The classes, of which there are thousands, are left out: `eval`
    /// of the protocol says what they make of a position. Of a file with weights for one
    /// game only these are printed, of others those of --game.
    Weights {
        /// Print all features, with tabs between: their number as in `data dump
        /// --features`, the five weights, and what they are in words; some of Hokito's,
        /// whose towers stand in the other order, never occur and weigh nothing
        #[arg(long)]
        classes: bool,
        /// A file of weights, `classic` for those written by hand, `zero` for none
        /// [default: those in the program]
        #[arg(value_name = "FILE", default_value = "", hide_default_value = true)]
        file: String,
    },
    /// Print every position as a line of text
    ///
    /// With tabs between: the position, the move, the static value and the
    /// search's score in centipoints for the side to move (the static one without what
    /// alpha-beta adds for having to move, in Hokito), `win`, `draw`, `loss` or
    /// `-` for what was proved of it, and the result of the game for the side to
    /// move: 1, 0 or -1. A random move has `random` for the two numbers. A game's
    /// result is what was proved first, even where it was played on and a later
    /// move gave the win away.
    ///
    /// With --features the three columns that another program needs to fit weights
    /// stand behind these: the number of the game, counted from 1, as the positions of a
    /// game share its result; the ply at which the weights are looked up; and the features
    /// that are not 0, as NUMBER:AMOUNT with blanks between. The static value is a tenth
    /// of the sum of all amounts times their weights, rounded towards 0, and between
    /// -32768 and 32767. The layout of a file of weights stands in
    /// `src/search/eval/learned.rs`; `tests/other_trainer.py` is such a program.
    Dump {
        /// Print the features of each position, too
        #[arg(long)]
        features: bool,
        /// A file written by `datagen`, `data merge` or `data shuffle`
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

pub(super) fn run(global: Global, args: &DataArgs) -> CliResult {
    match &args.command {
        DataCommand::Info { files } => {
            let mut worst = 0;
            for file in files {
                let told = open(global, file).and_then(
                    |(reader, kind)| with_game!(kind, G => print_info::<G>(file, reader)),
                );
                match told {
                    Ok(()) => {}
                    Err(why @ Failure::Io(_)) => return Err(why),
                    Err(why) => {
                        worst = worst.max(why.code());
                        say(format_args!("error: {why}"));
                    }
                }
            }
            match worst {
                0 => Ok(()),
                code => Err(Failure::Code(code)),
            }
        }
        DataCommand::Merge { files, out } => {
            let mut merge = Merge::default();
            for file in files {
                merge.add(open(global, file)?.0)?;
            }
            write_new(out, |file| merge.write(out, file))
        }
        DataCommand::Shuffle { files, out, seed } => {
            let mut shuffle = Shuffle::default();
            for file in files {
                shuffle.add(open(global, file)?.0)?;
            }
            write_new(out, |file| shuffle.write(*seed, out, file))
        }
        DataCommand::Calibration(args) => calibration::run(global, args),
        DataCommand::Weights { file, classes } => {
            with_game!(game_of(global, file), G => weights::<G>(file, *classes))
        }
        DataCommand::Dump { file, features } => {
            let (reader, kind) = open(global, file)?;
            with_game!(kind, G => dump::<G>(reader, *features))
        }
    }
}

fn weights<G>(name: &str, with_classes: bool) -> CliResult
where
    G: Searchable<Evaluation = Learned<G>> + Learnable,
{
    let eval = load::<G>(name)?;
    if with_classes {
        let mut out = BufWriter::new(io::stdout().lock());
        for (feature, knots) in eval.weights().knots.iter().enumerate() {
            let knots: String = knots.iter().map(|knot| format!("\t{knot}")).collect();
            writeln!(out, "{feature}{knots}\t{}", G::feature_name(feature))?;
        }
        return Ok(out.flush()?);
    }
    let mut out = io::stdout().lock();
    let (game, name, features) = (G::NAME, eval.name(), G::FEATURES);
    writeln!(
        out,
        "{game} weights {name}, features {features} {}",
        G::COUNT
    )?;
    let mut row = |name: &str, knots: [String; KNOTS.len()]| {
        let knots: String = knots.iter().map(|knot| format!(" {knot:>6}")).collect();
        writeln!(out, "{name:<52}{knots}")
    };
    row("ply", KNOTS.map(|ply| ply.to_string()))?;
    for (feature, knots) in eval.weights().knots.iter().enumerate() {
        if let Some(term) = G::term_name(feature) {
            row(term, knots.map(|weight| weight.to_string()))?;
        }
    }
    Ok(())
}

/// A file of games, and which game they are of.
pub(super) fn open(global: Global, path: &Path) -> Result<(Reader, GameKind), Failure> {
    let reader = Reader::open(path)?;
    let name = &reader.header().recipe.game;
    let unknown = || {
        let names = GameKind::ALL.map(GameKind::name).join(" or ");
        let found = quoted(name);
        files::wrong(
            path,
            format_args!("its games are of {found}, expected {names}"),
        )
    };
    let kind = GameKind::named(name).ok_or_else(unknown)?;
    global.agrees_with(path, kind)?;
    Ok((reader, kind))
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
    let how = match (header.shuffled, header.shard) {
        (Some(seed), _) => format!("shuffled by seed {seed}"),
        (None, 0) => "merged".to_owned(),
        (None, part) => format!("part {part} of {}", header.of),
    };
    let all = header.games();
    let missing = match all - games {
        0 => String::new(),
        missing => format!(", {missing} missing"),
    };
    writeln!(out, "  {games} of {all} games, {how}{missing}")?;
    writeln!(
        out,
        "  first side: {wins} won, {draws} drawn, {losses} lost; {:.1} plies a game",
        plies as f64 / games.max(1) as f64
    )?;
    writeln!(out, "  {positions} positions, {proved} of them proved")?;
    Ok(())
}

/// Writes a file of games that is not there yet, whole or not at all, and says how many
/// games of its recipe are missing.
fn write_new(
    out: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<u64, DataError>,
) -> CliResult {
    let mut missing = 0;
    let written = file::create(out, |file| {
        missing = write(file)?;
        Ok(())
    });
    written.map_err(|failure| match failure {
        Failure::Io(why) => files::unwritable(out, &why),
        failure => failure,
    })?;
    if missing > 0 {
        say(format_args!(
            "warning: {missing} games of the recipe are in none of the files"
        ));
    }
    Ok(())
}

/// Hands every game of some files to `visit`, with a bar; returns the number of the
/// games of each file that it took.
pub(super) fn read_games<G: Game>(
    paths: &[PathBuf],
    mut visit: impl FnMut(Record<G>) -> bool,
) -> Result<Vec<(Header, u64)>, Failure> {
    let mut games = 0;
    for path in paths {
        games += Reader::open(path)?.count_games()?;
    }
    let bar = progress::bar(games, "games read");
    let mut read = Vec::new();
    for path in paths {
        let mut taken = 0;
        let header = Reader::open(path)?.each_game(|game| {
            bar.inc(1);
            taken += u64::from(visit(game));
        })?;
        read.push((header, taken));
    }
    bar.finish_and_clear();
    Ok(read)
}

fn dump<G: Learnable>(reader: Reader, with_features: bool) -> CliResult {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut written = Ok(());
    let mut number = 0u64;
    reader.each_game(|game: Record<G>| {
        number += 1;
        if written.is_ok() {
            written = dump_game(&mut out, &game, with_features.then_some(number));
        }
    })?;
    written?;
    out.flush()?;
    Ok(())
}

/// A game's positions; the features with its number, if that is given.
fn dump_game<G: Learnable>(
    out: &mut impl Write,
    game: &Record<G>,
    number: Option<u64>,
) -> io::Result<()> {
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
        write!(out, "{position}\t{mv}\t{values}\t{proved}\t{result}")?;
        if let Some(number) = number {
            let mut features = BTreeMap::new();
            position.each_feature(|feature, amount, _| {
                *features.entry(feature).or_insert(0) += amount;
            });
            features.retain(|_, amount| *amount != 0);
            let features = features.iter().map(|(n, amount)| format!("{n}:{amount}"));
            let features = features.collect::<Vec<_>>().join(" ");
            write!(out, "\t{number}\t{}\t{features}", Learnable::ply(&position))?;
        }
        writeln!(out)?;
        position = position.play(mv);
    }
    Ok(())
}

impl From<DataError> for Failure {
    fn from(error: DataError) -> Self {
        match error {
            DataError::Read { path, source } => {
                files::not_read(&path, &source, "a file of games by datagen")
            }
            DataError::Write { path, source } => files::unwritable(&path, &source),
            DataError::Content { path, what } => files::wrong(&path, what),
        }
    }
}
