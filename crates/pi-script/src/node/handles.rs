//! Things of the machine that a script holds by number: children, connections, bodies that still arrive.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use pi_guard::Unpoisoned;

use crate::op::OpError;

/// Numbered things of one kind, of one engine. Clones share them.
#[derive(Debug)]
pub(super) struct Handles<T>(Arc<Mutex<Table<T>>>);

#[derive(Debug)]
struct Table<T> {
    last: u32,
    entries: HashMap<u32, Arc<T>>,
}

impl<T> Handles<T> {
    /// Keeps a thing and gives it a number.
    pub(super) fn add(&self, thing: T) -> u32 {
        let mut table = self.lock();
        table.last += 1;
        let number = table.last;
        table.entries.insert(number, Arc::new(thing));
        number
    }

    /// The thing with a number.
    ///
    /// # Errors
    /// When it is closed.
    pub(super) fn get(&self, number: u32) -> Result<Arc<T>, OpError> {
        let thing = self.lock().entries.get(&number).cloned();
        thing.ok_or_else(|| OpError::new("It is closed already").with("code", "EBADF"))
    }

    /// Lets a thing go.
    pub(super) fn remove(&self, number: u32) -> Option<Arc<T>> {
        self.lock().entries.remove(&number)
    }

    fn lock(&self) -> MutexGuard<'_, Table<T>> {
        self.0.lock().unpoisoned()
    }
}

impl<T> Default for Handles<T> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Table { last: 0, entries: HashMap::new() })))
    }
}

impl<T> Clone for Handles<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}
