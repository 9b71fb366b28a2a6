//! Things that are shared as long as somebody uses them.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Weak};

/// Remembers values without keeping them alive.
#[derive(Debug)]
pub(super) struct WeakMap<K, T: ?Sized> {
    known: HashMap<K, Weak<T>>,
    /// At this size, what nobody uses any more is forgotten.
    sweep_at: usize,
}

impl<K, T: ?Sized> Default for WeakMap<K, T> {
    fn default() -> Self {
        Self { known: HashMap::new(), sweep_at: 16 }
    }
}

impl<K: Hash + Eq, T: ?Sized> WeakMap<K, T> {
    pub(super) fn get(&self, key: &K) -> Option<Arc<T>> {
        self.known.get(key).and_then(Weak::upgrade)
    }

    pub(super) fn insert(&mut self, key: K, value: &Arc<T>) {
        if self.known.len() >= self.sweep_at {
            self.known.retain(|_, value| value.strong_count() > 0);
            // So that the cost per insertion stays the same, however many are in use.
            self.sweep_at = (self.known.len() * 2).max(16);
        }
        self.known.insert(key, Arc::downgrade(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_uses_is_forgotten() {
        let mut map: WeakMap<usize, String> = WeakMap::default();
        let kept = Arc::new("kept".to_owned());
        map.insert(0, &kept);
        for number in 1..1000 {
            map.insert(number, &Arc::new(number.to_string()));
        }
        assert_eq!((map.get(&0), map.get(&999)), (Some(Arc::clone(&kept)), None));
        assert!(map.known.len() < 20, "{}", map.known.len());
    }
}
