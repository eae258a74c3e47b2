//! Ids that were used.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use serde_json::Value as Json;

use super::key_of;

/// The last ids, so many of them.
#[derive(Debug)]
pub(super) struct Names {
    known: FxHashSet<String>,
    order: VecDeque<String>,
    most: usize,
}

impl Names {
    pub(super) fn new(most: usize) -> Self {
        Self {
            known: FxHashSet::default(),
            order: VecDeque::new(),
            most,
        }
    }

    /// Whether an id was used.
    pub(super) fn has(&self, id: &Json) -> bool {
        self.known.contains(&key_of(id))
    }

    /// Notes an id; false if it was used before.
    pub(super) fn add(&mut self, id: &Json) -> bool {
        let key = key_of(id);
        if !self.known.insert(key.clone()) {
            return false;
        }
        self.order.push_back(key);
        if self.order.len() > self.most
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_id_is_free_again_after_so_many_others() {
        let mut names = Names::new(2);
        assert!(names.add(&json!("a")));
        assert!(!names.add(&json!("a")));
        assert!(names.add(&json!(1)) && names.add(&json!("1")));
        assert!(!names.has(&json!("a")) && names.add(&json!("a")));
    }
}
