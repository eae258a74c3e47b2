//! Files of self-play games.
//!
//! A file is one line of text, `totemic-games 1 ` and a JSON object (the
//! [`Recipe`] and the shard), behind it a blank and the CRC-32 of the object in eight
//! hexadecimal digits (files of 0.2.0 have none), and then blocks in the order of their
//! numbers. A block is four little-endian `u32`: its number, the number of its games, the
//! bytes of the games, and the CRC-32 of all that but itself; then the games. The
//! blocks of a shuffled file are numbered anew.
//!
//! A game is the length of its start's text (`u8`) and the text; its result for
//! the first side (`i8`: 1, 0, -1); the number of its moves (`u8`); and for each
//! move its packed form (`u16`), flags (`u8`), and the static value and the
//! search's score of the position before it (`i16` each, centipoints for the
//! side to move, decisive scores as [`Score`](crate::search::Score) has them).
//! Flags: 1 the move was random and the values are none; 2, 4, 8 the position is
//! proved to be lost, drawn, won for the side to move.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::checksum::crc32;
use crate::file;
use crate::game::{Game, Move, Side, canonical_key, quoted_path};

/// What the line at the head of a file begins with.
const MAGIC: &str = "totemic-games 1 ";
/// Games of a block, but for the last one.
pub(crate) const GAMES_PER_BLOCK: u64 = 64;
/// No recipe has more games.
pub(crate) const MOST_GAMES: u64 = 1_000_000_000;
/// More than any header is long.
const LONGEST_HEADER: u64 = 4096;
/// More than the games of a block take.
const LONGEST_BLOCK: u32 = 1 << 20;
/// Bytes of a block before its games.
pub(super) const HEAD: usize = 16;

/// All that games depend on, but for the program: the same build makes the same games
/// of the same recipe.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Recipe {
    /// [`Game::NAME`].
    pub game: String,
    /// Version of the generator.
    pub generator: String,
    /// Checksum of the weights of the player; `classic` for those written by hand, of
    /// whatever build.
    pub weights: String,
    /// Seed of all games.
    pub seed: u64,
    /// Games in all shards together.
    pub games: u64,
    /// Nodes of the player's search.
    pub nodes: u64,
    /// Nodes that the solver may take for a position.
    pub solver_nodes: u64,
}

/// What a file holds: the part `shard` of `of` of the games of a recipe, both
/// from 1.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Header {
    /// What the games depend on.
    pub recipe: Recipe,
    /// The part that this file has, from 1; 0 after a merge of several.
    pub shard: u64,
    /// Number of parts.
    pub of: u64,
    /// The seed by which the games were shuffled; `None` where they stand in the order
    /// of their numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shuffled: Option<u64>,
}

impl Header {
    /// Numbers of the blocks that belong to this part, in order.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = u32> + use<> {
        let blocks = self.recipe.games.div_ceil(GAMES_PER_BLOCK);
        (self.shard.saturating_sub(1)..blocks)
            .step_by(self.of.max(1) as usize)
            .map(|block| block as u32)
    }

    /// Numbers of the games of a block.
    #[must_use]
    pub(crate) fn games_of(&self, block: u32) -> std::ops::Range<u64> {
        let first = u64::from(block) * GAMES_PER_BLOCK;
        first..(first + GAMES_PER_BLOCK).min(self.recipe.games)
    }

    /// Whether a block is one of this part: by its number, and by that of its games.
    fn has(&self, block: &Block) -> bool {
        let games = u64::from(block.games);
        if self.shuffled.is_some() {
            return (1..=GAMES_PER_BLOCK).contains(&games);
        }
        let number = u64::from(block.number);
        let first = self.shard.saturating_sub(1);
        let own = self.games_of(block.number);
        number >= first
            && (number - first).is_multiple_of(self.of.max(1))
            && !own.is_empty()
            && own.end - own.start == games
    }

    /// Number of the games of this part.
    #[must_use]
    pub(crate) fn games(&self) -> u64 {
        let games = self.blocks().map(|block| self.games_of(block));
        games.map(|games| games.end - games.start).sum()
    }

    /// Checks that the games of this file can be put together with those before, which
    /// are of `recipe`, if there were any.
    ///
    /// # Errors
    /// [`DataError::Content`] of the file.
    pub(super) fn belongs_to(
        &self,
        recipe: &mut Option<Recipe>,
        path: &Path,
    ) -> Result<(), DataError> {
        if self.shuffled.is_some() {
            let what = "its games are shuffled: expected the files that they came from";
            return Err(DataError::content(path, what));
        }
        match recipe.get_or_insert_with(|| self.recipe.clone()) == &self.recipe {
            true => Ok(()),
            false => {
                let what = "its games were made otherwise than those before";
                Err(DataError::content(path, what))
            }
        }
    }

    /// Writes the first line of a file, which is named by `path` where that fails.
    ///
    /// # Errors
    /// [`DataError`].
    pub(super) fn write(&self, path: &Path, out: &mut dyn Write) -> Result<(), DataError> {
        let text =
            serde_json::to_string(self).map_err(|why| DataError::content(path, why.to_string()))?;
        let line = format!("{MAGIC}{text} {:08x}\n", crc32(text.as_bytes()));
        out.write_all(line.as_bytes())
            .map_err(DataError::written(path))
    }
}

/// The parts of one recipe in the order of their games.
#[derive(Debug, Default)]
pub(crate) struct Merge {
    recipe: Option<Recipe>,
    blocks: BTreeMap<u32, Block>,
}

impl Merge {
    /// Adds a part, of which no block was read.
    ///
    /// # Errors
    /// [`DataError`], also where it does not belong to those before.
    pub(crate) fn add(&mut self, mut reader: Reader) -> Result<(), DataError> {
        reader
            .header()
            .belongs_to(&mut self.recipe, reader.path())?;
        while let Some(block) = reader.next_block()? {
            if self.blocks.insert(block.number, block).is_some() {
                let what = "some of its games are in a file before";
                return Err(DataError::content(reader.path(), what));
            }
        }
        reader.expect_end()
    }

    /// Writes the file; answers how many games of the recipe are missing.
    ///
    /// # Errors
    /// [`DataError`] of `to`.
    pub(crate) fn write(self, to: &Path, out: &mut dyn Write) -> Result<u64, DataError> {
        let Some(recipe) = self.recipe else {
            return Ok(0);
        };
        let header = Header {
            recipe,
            shard: 0,
            of: 1,
            shuffled: None,
        };
        header.write(to, out)?;
        let mut games = 0;
        for block in self.blocks.values() {
            block.write(&mut *out).map_err(DataError::written(to))?;
            games += u64::from(block.games);
        }
        Ok(header.games().saturating_sub(games))
    }
}

/// Why a file of games cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DataError {
    /// The system said no to reading it.
    #[error("cannot read {}: {source}", quoted_path(path))]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system said no to writing it.
    #[error("cannot write {}: {source}", quoted_path(path))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file holds something else.
    #[error("{}: {what}", quoted_path(path))]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what was expected.
        what: String,
    },
}

impl DataError {
    pub(super) fn content(path: &Path, what: impl Into<String>) -> Self {
        Self::Content {
            path: path.to_owned(),
            what: what.into(),
        }
    }

    pub(super) fn read(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |source| Self::Read {
            path: path.to_owned(),
            source,
        }
    }

    pub(super) fn written(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |source| Self::Write {
            path: path.to_owned(),
            source,
        }
    }
}

/// What is known of a position in which a move was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Sample {
    /// Whether the move was random; the rest then says nothing.
    pub is_random: bool,
    /// The proved value's sign for the side to move.
    pub proved: Option<i32>,
    /// The static value in centipoints for the side to move.
    pub value: i16,
    /// The search's score likewise.
    pub score: i16,
}

const RANDOM: u8 = 1;
/// Bytes of a move and its sample.
const BYTES_PER_MOVE: usize = 7;

/// The flag of a proved value: 2, 4, 8 for -1, 0, 1.
fn flag_of(sign: i32) -> u8 {
    1 << (sign.signum() + 2)
}

impl Sample {
    fn flags(self) -> u8 {
        let proved = self.proved.map_or(0, flag_of);
        (u8::from(self.is_random) * RANDOM) | proved
    }

    fn from_flags(flags: u8) -> Self {
        Self {
            is_random: flags & RANDOM != 0,
            proved: (-1..=1).find(|sign| flags & flag_of(*sign) != 0),
            ..Self::default()
        }
    }
}

/// A game of the engine against itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Record<G: Game> {
    /// Its first position.
    pub start: G,
    /// The sign of its result for the first side: the first that was proved, else
    /// that of the end.
    pub result: i32,
    /// The moves, and what is known of the positions before them.
    pub moves: Vec<(G::Move, Sample)>,
}

impl<G: Game> Record<G> {
    /// The sign of the result for a side.
    #[must_use]
    pub(crate) fn result_for(&self, side: Side) -> i32 {
        match side {
            Side::First => self.result,
            Side::Second => -self.result,
        }
    }

    /// Calls `each` with the positions that count and what is known of them: those
    /// whose move was not at random, and of those that are equal up to the board's
    /// symmetries only the first, here and in the games before by their `known` keys.
    pub(crate) fn each_new(&self, known: &mut FxHashSet<u64>, mut each: impl FnMut(&G, &Sample)) {
        let mut position = self.start;
        for (mv, sample) in &self.moves {
            if !sample.is_random && known.insert(canonical_key(&position)) {
                each(&position, sample);
            }
            position = position.play(*mv);
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        let text = self.start.to_string();
        out.push(text.len() as u8);
        out.extend_from_slice(text.as_bytes());
        out.push(self.result as u8);
        out.push(self.moves.len() as u8);
        for (mv, sample) in &self.moves {
            out.extend_from_slice(&mv.bits().to_le_bytes());
            out.push(sample.flags());
            out.extend_from_slice(&sample.value.to_le_bytes());
            out.extend_from_slice(&sample.score.to_le_bytes());
        }
    }

    /// The next game of a block; `None` where there is no legal game.
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let length = usize::from(take(bytes, 1)?[0]);
        let text = std::str::from_utf8(take(bytes, length)?).ok()?;
        let start: G = text.parse().ok()?;
        let result = i32::from(take(bytes, 1)?[0] as i8);
        let count = usize::from(take(bytes, 1)?[0]);
        let mut position = start;
        let mut moves = Vec::with_capacity(count);
        for _ in 0..count {
            let fields = take(bytes, BYTES_PER_MOVE)?;
            let word = |at: usize| [fields[at], fields[at + 1]];
            let mv = G::Move::from_bits(u16::from_le_bytes(word(0)));
            let sample = Sample {
                value: i16::from_le_bytes(word(3)),
                score: i16::from_le_bytes(word(5)),
                ..Sample::from_flags(fields[2])
            };
            position = position.try_play(mv).ok()?;
            moves.push((mv, sample));
        }
        (-1..=1).contains(&result).then_some(Self {
            start,
            result,
            moves,
        })
    }
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(taken)
}

/// A block as it stands in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    /// Its number among those of the recipe.
    pub number: u32,
    games: u32,
    bytes: Vec<u8>,
}

impl Block {
    /// A block of games.
    #[must_use]
    pub(crate) fn of<G: Game>(number: u32, games: &[Record<G>]) -> Self {
        let mut bytes = Vec::new();
        games.iter().for_each(|game| game.write(&mut bytes));
        Self {
            number,
            games: games.len() as u32,
            bytes,
        }
    }

    /// The games; `None` where one breaks the rules.
    #[must_use]
    pub(crate) fn games<G: Game>(&self) -> Option<Vec<Record<G>>> {
        let mut bytes = self.bytes.as_slice();
        let games = (0..self.games).map(|_| Record::read(&mut bytes));
        let games = games.collect::<Option<Vec<_>>>()?;
        bytes.is_empty().then_some(games)
    }

    /// A block of games that are written already.
    #[must_use]
    pub(super) fn of_bytes(number: u32, games: u32, bytes: Vec<u8>) -> Self {
        Self {
            number,
            games,
            bytes,
        }
    }

    /// How many bytes each of the games takes; `None` where they are no games. Whether
    /// they keep the rules is not looked at.
    #[must_use]
    pub(super) fn lengths(&self) -> Option<Vec<u16>> {
        let mut bytes = self.bytes.as_slice();
        let mut length = || {
            let before = bytes.len();
            let text = usize::from(take(&mut bytes, 1)?[0]);
            let moves = usize::from(take(&mut bytes, text + 2)?[text + 1]);
            take(&mut bytes, BYTES_PER_MOVE * moves)?;
            u16::try_from(before - bytes.len()).ok()
        };
        let lengths = (0..self.games).map(|_| length());
        let lengths = lengths.collect::<Option<Vec<_>>>()?;
        bytes.is_empty().then_some(lengths)
    }

    fn head(&self) -> [u8; 12] {
        let mut head = [0; 12];
        let fields = [self.number, self.games, self.bytes.len() as u32];
        for (bytes, field) in head.chunks_mut(4).zip(fields) {
            bytes.copy_from_slice(&field.to_le_bytes());
        }
        head
    }

    fn checksum(&self) -> u32 {
        crc32(&[&self.head(), self.bytes.as_slice()].concat())
    }

    pub(super) fn write(&self, mut out: impl Write) -> io::Result<()> {
        let mut all = self.head().to_vec();
        all.extend_from_slice(&self.checksum().to_le_bytes());
        all.extend_from_slice(&self.bytes);
        out.write_all(&all)
    }

    /// The next block; `None` where the file ends or the rest is no block.
    fn read(mut from: impl Read) -> io::Result<Option<Self>> {
        let mut head = [0; HEAD];
        if !filled(&mut from, &mut head)? {
            return Ok(None);
        }
        let field = |at: usize| head_field(&head, at);
        if field(2) > LONGEST_BLOCK {
            return Ok(None);
        }
        let mut block = Self {
            number: field(0),
            games: field(1),
            bytes: vec![0; field(2) as usize],
        };
        let whole = filled(&mut from, &mut block.bytes)? && block.checksum() == field(3);
        Ok(whole.then_some(block))
    }
}

/// A number in the head of a block: its own, that of its games, of their bytes, and the
/// checksum.
fn head_field(head: &[u8; HEAD], at: usize) -> u32 {
    u32::from_le_bytes([0, 1, 2, 3].map(|i| head[4 * at + i]))
}

/// Whether there was as much to read.
fn filled(mut from: impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match from.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// A file being read, block by block.
#[derive(Debug)]
pub(crate) struct Reader {
    path: PathBuf,
    from: BufReader<File>,
    header: Header,
    /// The number of the block before.
    last: Option<u32>,
}

impl Reader {
    /// Opens a file.
    ///
    /// # Errors
    /// [`DataError`], also where the file is of another kind.
    pub(crate) fn open(path: &Path) -> Result<Self, DataError> {
        let mut from = BufReader::new(file::open(path).map_err(DataError::read(path))?);
        let mut line = String::new();
        let read = from.by_ref().take(LONGEST_HEADER).read_line(&mut line);
        match read {
            // Text that is not UTF-8 is as wrong as any other.
            Err(why) if why.kind() == io::ErrorKind::InvalidData => {}
            read => drop(read.map_err(DataError::read(path))?),
        }
        let header = line.strip_prefix(MAGIC).ok_or_else(|| {
            let what =
                format!("no file of games: expected a first line that begins with '{MAGIC}'");
            DataError::content(path, what)
        })?;
        if !header.ends_with('\n') {
            return Err(DataError::content(path, "its first line is cut"));
        }
        let damaged =
            |why: &str| DataError::content(path, format!("its first line is damaged: {why}"));
        let end = header.rfind('}').map_or(header.len(), |at| at + 1);
        let (header, sum) = header.split_at(end);
        let is_right = |sum: &str| u32::from_str_radix(sum, 16) == Ok(crc32(header.as_bytes()));
        if !(sum.trim().is_empty() || is_right(sum.trim())) {
            return Err(damaged("its checksum is wrong"));
        }
        let header: Header =
            serde_json::from_str(header).map_err(|why| damaged(&why.to_string()))?;
        if header.recipe.games > MOST_GAMES {
            return Err(damaged("it tells of more games than there can be"));
        }
        Ok(Self {
            path: path.to_owned(),
            from,
            header,
            last: None,
        })
    }

    /// What the file holds.
    #[must_use]
    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The next block; `None` at the end, or where a killed writer left half of
    /// one, or at a damaged one (see [`Reader::rest`]).
    ///
    /// # Errors
    /// [`DataError`], also where the block is none of this part.
    pub(crate) fn next_block(&mut self) -> Result<Option<Block>, DataError> {
        let place = self.place()?;
        let block = Block::read(&mut self.from).map_err(DataError::read(&self.path))?;
        let Some(block) = block else {
            let back = self.from.seek(SeekFrom::Start(place));
            back.map_err(DataError::read(&self.path))?;
            return Ok(None);
        };
        let number = block.number;
        let is_next = self.last.is_none_or(|last| last < number);
        if !(is_next && self.header.has(&block)) {
            let what = format!("block {number} does not belong to its part");
            return Err(DataError::content(&self.path, what));
        }
        self.last = Some(number);
        Ok(Some(block))
    }

    /// Where the next block begins.
    ///
    /// # Errors
    /// [`DataError::Read`].
    pub(super) fn place(&mut self) -> Result<u64, DataError> {
        let place = self.from.stream_position();
        place.map_err(DataError::read(&self.path))
    }

    /// The number of games in the blocks that follow, as the heads of these say, for
    /// those who want to know how far they have come.
    ///
    /// # Errors
    /// [`DataError::Read`].
    pub(crate) fn count_games(mut self) -> Result<u64, DataError> {
        let mut games = 0;
        let mut head = [0; HEAD];
        while filled(&mut self.from, &mut head).map_err(DataError::read(&self.path))? {
            games += u64::from(head_field(&head, 1));
            let next = self.from.seek_relative(head_field(&head, 2).into());
            next.map_err(DataError::read(&self.path))?;
        }
        Ok(games)
    }

    /// Checks that nothing follows the last whole block.
    ///
    /// # Errors
    /// [`DataError`].
    pub(super) fn expect_end(&mut self) -> Result<(), DataError> {
        self.expect_no_damage()?;
        match self.rest()? {
            0 => Ok(()),
            rest => {
                let what = match self.header.shard {
                    0 => "expected a whole file: make it again",
                    _ => "finish it with datagen --resume",
                };
                let what = format!("its last {rest} bytes are no whole block: {what}");
                Err(DataError::content(&self.path, what))
            }
        }
    }

    /// Checks that what follows is at most half of a block, as a killed writer leaves
    /// it: no whole one behind a damaged one.
    fn expect_no_damage(&mut self) -> Result<(), DataError> {
        let place = self.place()?;
        let mut rest = Vec::new();
        let mut behind = self.from.by_ref().take(2 * u64::from(LONGEST_BLOCK));
        let read = behind.read_to_end(&mut rest);
        read.map_err(DataError::read(&self.path))?;
        let back = self.from.seek(SeekFrom::Start(place));
        back.map_err(DataError::read(&self.path))?;
        let is_block = |at: usize| {
            let bytes = &rest[at..];
            let head = bytes.first_chunk::<HEAD>();
            let games = head.map(|head| u64::from(head_field(head, 1)));
            games.is_some_and(|games| (1..=GAMES_PER_BLOCK).contains(&games))
                && matches!(Block::read(bytes), Ok(Some(_)))
        };
        match (1..rest.len()).find(|&at| is_block(at)) {
            None => Ok(()),
            Some(at) => {
                let what = format!(
                    "{at} bytes behind its first {place} are damaged, and whole blocks follow: \
                     expected a good copy of the file"
                );
                Err(DataError::content(&self.path, what))
            }
        }
    }

    /// Bytes after the last whole block that was read.
    ///
    /// # Errors
    /// [`DataError::Read`].
    pub(crate) fn rest(&mut self) -> Result<u64, DataError> {
        let place = self.place()?;
        let length = self.from.get_ref().metadata();
        Ok(length
            .map_err(DataError::read(&self.path))?
            .len()
            .saturating_sub(place))
    }

    /// Hands every game to `visit`.
    ///
    /// # Errors
    /// [`DataError`], also where the file ends in something damaged or holds the
    /// other game.
    pub(crate) fn each_game<G: Game>(
        mut self,
        mut visit: impl FnMut(Record<G>),
    ) -> Result<Header, DataError> {
        let name = &self.header.recipe.game;
        if name != G::NAME {
            let what = format!("its games are of {name}, expected {}", G::NAME);
            return Err(DataError::content(&self.path, what));
        }
        let mut count = 0;
        while let Some(block) = self.next_block()? {
            let games = block.games().ok_or_else(|| {
                let what = format!("block {} holds a game against the rules", block.number);
                DataError::content(&self.path, what)
            })?;
            count += games.len() as u64;
            games.into_iter().for_each(&mut visit);
        }
        self.expect_end()?;
        let most = self.header.games();
        if count > most {
            let what = format!("it holds {count} games, and its first line says {most}");
            return Err(DataError::content(&self.path, what));
        }
        Ok(self.header)
    }
}

/// A file being written.
#[derive(Debug)]
pub(crate) struct Writer {
    path: PathBuf,
    file: File,
}

impl Writer {
    /// A new file.
    ///
    /// # Errors
    /// [`DataError::Write`], also where there is such a file.
    pub(crate) fn create(path: &Path, header: &Header) -> Result<Self, DataError> {
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        let mut writer = Self {
            path: path.to_owned(),
            file: file.map_err(DataError::written(path))?,
        };
        header.write(path, &mut writer.file)?;
        Ok(writer)
    }

    /// The rest of a file that was begun with the same header, and the number of
    /// its whole blocks. What a killed writer left behind them is cut off.
    ///
    /// # Errors
    /// [`DataError`]; the file then stays as it was.
    pub(crate) fn resume(path: &Path, header: &Header) -> Result<(Self, usize), DataError> {
        if let Some(writer) = Self::begin_again(path, header)? {
            return Ok((writer, 0));
        }
        let mut reader = Reader::open(path)?;
        if reader.header() != header {
            let (found, wanted) = (reader.header(), header);
            let what = format!(
                "its games were made otherwise: {}; expected {}",
                serde_json::to_string(found).unwrap_or_default(),
                serde_json::to_string(wanted).unwrap_or_default(),
            );
            return Err(DataError::content(path, what));
        }
        let mut expected = header.blocks();
        let mut blocks = 0;
        while let Some(block) = reader.next_block()? {
            if expected.next() != Some(block.number) {
                let what = format!("block {} does not belong to its part", block.number);
                return Err(DataError::content(path, what));
            }
            blocks += 1;
        }
        reader.expect_no_damage()?;
        let place = reader.place()?;
        let file = OpenOptions::new().write(true).open(path);
        let mut file = file.map_err(DataError::written(path))?;
        file.set_len(place).map_err(DataError::written(path))?;
        file.seek(SeekFrom::End(0))
            .map_err(DataError::written(path))?;
        let path = path.to_owned();
        Ok((Self { path, file }, blocks))
    }

    /// A file of which a killed writer made only a part of the first line, or nothing.
    fn begin_again(path: &Path, header: &Header) -> Result<Option<Self>, DataError> {
        let mut begun = Vec::new();
        let file = File::open(path).map_err(DataError::read(path))?;
        let read = file.take(LONGEST_HEADER).read_to_end(&mut begun);
        read.map_err(DataError::read(path))?;
        let mut line = Vec::new();
        header.write(path, &mut line)?;
        if begun.len() >= line.len() || !line.starts_with(&begun) {
            return Ok(None);
        }
        let file = OpenOptions::new().write(true).truncate(true).open(path);
        let mut writer = Self {
            path: path.to_owned(),
            file: file.map_err(DataError::written(path))?,
        };
        header.write(path, &mut writer.file)?;
        Ok(Some(writer))
    }

    /// Adds a block.
    ///
    /// # Errors
    /// [`DataError::Write`].
    pub(crate) fn write(&mut self, block: &Block) -> Result<(), DataError> {
        block
            .write(&mut self.file)
            .map_err(DataError::written(&self.path))
    }
}
