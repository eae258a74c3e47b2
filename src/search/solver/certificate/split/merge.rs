//! One certificate of a top and the streams of its tasks.

use super::super::format::{Certificate, PART, write_choice};
use super::task::Task;
use super::top::{Entry, Top};

/// Puts a certificate together from a top and the streams of its tasks, each as a part;
/// none where `stream`, which is asked of all, has none for one of them. It is a proof
/// where the top follows from its tasks and each stream proves its own.
pub fn merge(top: &Top, mut stream: impl FnMut(&Task) -> Option<Vec<u8>>) -> Option<Certificate> {
    let mut choices = Vec::new();
    let mut is_whole = true;
    for entry in &top.entries {
        match entry {
            Entry::Move(index) => write_choice(*index, &mut choices),
            Entry::Task(task) => match stream(task) {
                Some(found) => {
                    write_choice(PART, &mut choices);
                    choices.extend(found);
                }
                None => is_whole = false,
            },
        }
    }
    is_whole.then(|| Certificate::new(top.header.clone(), choices))
}
