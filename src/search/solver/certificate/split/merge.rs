//! One certificate of a top and the streams of its tasks.

use super::super::format::{Certificate, PART, write_choice};
use super::super::verify::Rejection;
use super::task::Task;
use super::top::{Entry, Top};

/// Puts a certificate together from a top and the streams of its tasks, each as a part;
/// none where `stream`, which is asked of all, has none for one of them. It is a proof
/// where each stream proves its task.
///
/// # Errors
/// Why the claim does not follow from the tasks; nothing is asked then.
pub fn merge(
    top: &Top,
    mut stream: impl FnMut(&Task) -> Option<Vec<u8>>,
) -> Result<Option<Certificate>, Rejection> {
    top.verify()?;
    let mut choices = Some(Vec::new());
    for entry in &top.entries {
        match entry {
            Entry::Move(index) => {
                if let Some(choices) = &mut choices {
                    write_choice(*index, choices);
                }
            }
            Entry::Task(task) => match (stream(task), &mut choices) {
                (Some(found), Some(choices)) => {
                    write_choice(PART, choices);
                    choices.extend(found);
                }
                _ => choices = None,
            },
        }
    }
    Ok(choices.map(|choices| Certificate::new(top.header.clone(), choices)))
}
