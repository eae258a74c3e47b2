//! Games of files in a random order.
//!
//! What is kept of a game is where it stands, 16 bytes; it is read again when its turn
//! comes. The order depends on the seed and on the games, not on how they are spread over
//! files: they are put in the order of their numbers before they are shuffled.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use super::data::{Block, DataError, GAMES_PER_BLOCK, HEAD, Header, Reader, Recipe};
use crate::game::Rng;

/// Where a game stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    block: u32,
    file: u16,
    length: u16,
    offset: u64,
}

/// Games to be shuffled, of one recipe.
#[derive(Debug, Default)]
pub(crate) struct Shuffle {
    files: Vec<(PathBuf, File)>,
    places: Vec<Place>,
    blocks: FxHashSet<u32>,
    recipe: Option<Recipe>,
}

impl Shuffle {
    /// Adds the games of a file, of which no block was read.
    ///
    /// # Errors
    /// [`DataError`], also where its games do not belong to those before.
    pub(crate) fn add(&mut self, mut reader: Reader) -> Result<(), DataError> {
        let path = &reader.path().to_owned();
        let refused = |what: &str| DataError::content(path, what);
        reader.header().belongs_to(&mut self.recipe, path)?;
        let file = u16::try_from(self.files.len())
            .map_err(|_| refused("expected at most 65536 files: merge some before"))?;
        loop {
            let place = reader.place()?;
            let Some(block) = reader.next_block()? else {
                break;
            };
            if !self.blocks.insert(block.number) {
                return Err(refused("some of its games are in a file before"));
            }
            let lengths = block
                .lengths()
                .ok_or_else(|| refused(&format!("block {} is no block of games", block.number)))?;
            let mut offset = place + HEAD as u64;
            for length in lengths {
                self.places.push(Place {
                    block: block.number,
                    file,
                    length,
                    offset,
                });
                offset += u64::from(length);
            }
        }
        reader.expect_end()?;
        let open = File::open(path).map_err(DataError::read(path))?;
        self.files.push((path.to_owned(), open));
        Ok(())
    }

    /// Writes a file of all games in the order of a seed, which is named by `to` where
    /// that fails; answers how many games of the recipe are missing.
    ///
    /// # Errors
    /// [`DataError`], also where the games cannot be read again.
    pub(crate) fn write(
        mut self,
        seed: u64,
        to: &Path,
        out: &mut dyn Write,
    ) -> Result<u64, DataError> {
        let Some(recipe) = self.recipe else {
            return Ok(0);
        };
        self.places.sort_unstable();
        Rng::new(seed).shuffle(&mut self.places);
        let header = Header {
            recipe,
            shard: 0,
            of: 1,
            shuffled: Some(seed),
        };
        header.write(to, out)?;
        for (number, places) in (0..).zip(self.places.chunks(GAMES_PER_BLOCK as usize)) {
            let mut bytes = Vec::new();
            for place in places {
                let (path, file) = &mut self.files[usize::from(place.file)];
                read(file, place, &mut bytes).map_err(DataError::read(path))?;
            }
            let block = Block::of_bytes(number, places.len() as u32, bytes);
            block.write(&mut *out).map_err(DataError::written(to))?;
        }
        Ok(header.games().saturating_sub(self.places.len() as u64))
    }
}

fn read(file: &mut File, place: &Place, bytes: &mut Vec<u8>) -> io::Result<()> {
    file.seek(SeekFrom::Start(place.offset))?;
    let from = bytes.len();
    bytes.resize(from + usize::from(place.length), 0);
    file.read_exact(&mut bytes[from..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_takes_as_much_memory_as_is_said() {
        assert_eq!(size_of::<Place>(), 16);
    }
}
