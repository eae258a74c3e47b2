//! Access to files, which are written completely or not at all. [`totemic_engine::file`] reads
//! whole files within limits. Refusals name the options of the commands that open such a file.

mod growing;
pub mod journal;
pub(crate) mod pgn_file;
mod write;

pub(crate) use write::{
    check_name, create_stream, folder_of, has_name_of_folder, is_same, is_taken, remove_abandoned,
    replace_and_hold, write,
};
pub use write::{check_writable, replace};

/// What to do with an existing file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Existing {
    /// Refuse it, unless there is nothing in it to lose.
    Refuse,
    /// Go on with it: all that is in it must be of this run.
    Resume,
    Replace,
}
