//! Which weights a command searches with.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::Args;

use super::{Failure, Global, files};
use totemic_engine::file;
use totemic_engine::game::GameKind;
use totemic_engine::search::{Learnable, Learned, Searchable, WeightsFile};
use totemic_engine::weights::{self, LoadError};

/// A game whose evaluation has weights that are learned.
pub(super) trait Weighted: Searchable<Evaluation = Learned<Self>> + Learnable {}

impl<G: Searchable<Evaluation = Learned<G>> + Learnable> Weighted for G {}

#[derive(Args, Debug)]
pub(super) struct WeightsArg {
    /// Weights: a file, classic or zero [default: built-in]
    ///
    /// `classic` are those written by hand; `zero` makes every position even.
    #[arg(long, visible_alias = "weights", value_name = "FILE")]
    eval_file: Option<OsString>,
}

impl WeightsArg {
    /// The file that was given; `None` for weights that need none.
    pub(super) fn file(&self) -> Option<&Path> {
        let file = self.eval_file.as_deref().map(Path::new);
        file.filter(|name| weights::without_file(name).is_none())
    }

    pub(super) fn load<G: Searchable>(&self) -> Result<G::Evaluation, Failure> {
        load::<G>(self.eval_file.as_deref().unwrap_or_default())
    }
}

/// Loads the weights of a name, which is empty for those in the program.
pub(super) fn load<G: Searchable>(name: &OsStr) -> Result<G::Evaluation, Failure> {
    weights::load::<G>(name).map_err(|error| {
        let (path, expected) = (Path::new(name), "a file of weights");
        match error {
            LoadError::File { why, .. } => files::io_read_error(path, &why, expected),
            LoadError::Content { why, .. } => files::content_error(path, why),
            LoadError::Own(why) => Failure::Work(why),
        }
    })
}

/// The game asked for, or else the only one in the file.
pub(super) fn game_of(global: Global, name: &OsStr) -> GameKind {
    // A file that is not a file of weights is reported when it is loaded.
    let of_file = || {
        if weights::without_file(name).is_some() {
            return None;
        }
        let bytes = file::read(Path::new(name), weights::MAX_FILE_BYTES).ok()?;
        let file = WeightsFile::read(&bytes).ok()?;
        let mut kinds = file.games().filter_map(GameKind::named);
        kinds.next().filter(|_| kinds.next().is_none())
    };
    global.game.or_else(of_file).unwrap_or_default()
}
