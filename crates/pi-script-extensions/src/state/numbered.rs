//! Things that scripts know by number.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use pi_guard::Unpoisoned;

/// Things by number.
#[derive(Debug)]
pub(crate) struct Numbered<T>(Mutex<(u32, HashMap<u32, T>)>);

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self(Mutex::new((0, HashMap::new())))
    }
}

impl<T> Numbered<T> {
    pub(crate) fn add(&self, thing: T) -> u32 {
        let mut numbers = self.lock();
        numbers.0 += 1;
        let number = numbers.0;
        numbers.1.insert(number, thing);
        number
    }

    pub(crate) fn remove(&self, number: u32) {
        self.take(number);
    }

    /// Takes one out.
    pub(crate) fn take(&self, number: u32) -> Option<T> {
        self.lock().1.remove(&number)
    }

    /// Takes out all that are meant.
    pub(crate) fn extract(&self, mut is_meant: impl FnMut(&T) -> bool) -> Vec<T> {
        self.lock().1.extract_if(|_, thing| is_meant(thing)).map(|(_, thing)| thing).collect()
    }

    /// Gives it a number as long as the place is held.
    pub(crate) fn open(&self, thing: T) -> ReservedId<'_, T> {
        ReservedId(self, self.add(thing))
    }

    /// How many there are.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.lock().1.len()
    }

    fn lock(&self) -> MutexGuard<'_, (u32, HashMap<u32, T>)> {
        self.0.lock().unpoisoned()
    }
}

impl<T: Clone> Numbered<T> {
    pub(crate) fn get(&self, number: u32) -> Option<T> {
        self.lock().1.get(&number).cloned()
    }
}

/// A number that is taken.
#[derive(Debug)]
pub(crate) struct ReservedId<'a, T>(&'a Numbered<T>, u32);

impl<T> ReservedId<'_, T> {
    pub(crate) fn number(&self) -> u32 {
        self.1
    }
}

impl<T> Drop for ReservedId<'_, T> {
    fn drop(&mut self) {
        self.0.remove(self.1);
    }
}
