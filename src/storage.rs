//! Access to files, which are written completely or not at all. [`totemic_engine::file`] reads
//! whole files within limits.

mod growing;
pub mod journal;
pub(crate) mod pgn_file;
mod write;

pub(crate) use write::{
    check_name, create_stream, folder_of, has_name_of_folder, is_same, is_taken, remove_abandoned,
    replace_and_hold, write,
};
pub use write::{check_writable, replace};
