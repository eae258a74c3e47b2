//! Which weights a command searches with.

use clap::Args;

use super::Failure;
use crate::search::Searchable;
use crate::ugi::weights::load;

#[derive(Args, Debug)]
pub(super) struct WeightsArg {
    /// Search with the weights of a file, with `classic`, those written by hand, or
    /// with `zero`, where every position is even [default: those in the program]
    #[arg(
        long,
        value_name = "FILE",
        default_value = "",
        hide_default_value = true
    )]
    eval_file: String,
}

impl WeightsArg {
    pub(super) fn load<G: Searchable>(&self) -> Result<G::Evaluation, Failure> {
        load::<G>(&self.eval_file).map_err(Failure::Work)
    }
}
