//! Locks that a panic does not close.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes a lock also where a thread that held it has panicked: use it for values
/// that are never left half changed.
pub(crate) fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
