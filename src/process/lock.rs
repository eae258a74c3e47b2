//! Locks that a panic does not close.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A lock whose holder may have panicked: what it guards stays usable.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
