//! Which weights a command searches with.

use std::path::Path;

use clap::Args;

use super::{Failure, Global, files};
use crate::file;
use totemic_engine::game::GameKind;
use totemic_engine::search::{Searchable, WeightsFile};
use totemic_engine::ugi::weights::{self, LoadError};

#[derive(Args, Debug)]
pub(super) struct WeightsArg {
    /// The weights to evaluate with: a file, `classic` for those written by hand, or
    /// `zero`, which makes every position even [default: those in the program]
    #[arg(
        long,
        visible_alias = "weights",
        value_name = "FILE",
        default_value = "",
        hide_default_value = true
    )]
    pub(super) eval_file: String,
}

impl WeightsArg {
    pub(super) fn load<G: Searchable>(&self) -> Result<G::Evaluation, Failure> {
        load::<G>(&self.eval_file)
    }
}

pub(super) fn load<G: Searchable>(name: &str) -> Result<G::Evaluation, Failure> {
    weights::load::<G>(name).map_err(|error| {
        let (path, expected) = (Path::new(name), "a file of weights");
        match error {
            LoadError::File { why, .. } => files::not_read(path, &why, expected),
            LoadError::Content { why, .. } => files::wrong(path, why),
            LoadError::Own(why) => Failure::Work(why),
        }
    })
}

/// Returns the game that the weights are for: the one asked for, or else the only one in
/// the file.
pub(super) fn game_of(global: Global, name: &str) -> GameKind {
    let has = |file: &WeightsFile, kind: GameKind| file.games().any(|game| game == kind.name());
    let only = |file: WeightsFile| {
        let mut kinds = GameKind::ALL.into_iter().filter(|&kind| has(&file, kind));
        kinds.next().filter(|_| kinds.next().is_none())
    };
    // A file that is not a file of weights is reported when it is loaded.
    let bytes = || {
        let path = Path::new(name);
        match weights::own(name) {
            Some(_) => None,
            None => file::read(path, weights::LONGEST).ok(),
        }
    };
    let found = || only(WeightsFile::read(&bytes()?).ok()?);
    global.game.or_else(found).unwrap_or_default()
}
