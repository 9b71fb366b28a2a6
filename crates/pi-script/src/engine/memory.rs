//! What the values of an engine may take up, and what is kept back for the end of its memory: an error that says so needs
//! memory itself, and so do the promises that carry it. Without that the failure would be lost, and whoever waits would
//! wait for ever.

use std::cell::Cell;
use std::rc::Rc;

use rquickjs::allocator::{Allocator, RustAllocator};

/// What is kept back, for a limit of any size: a share of it within these bounds.
const RESERVE_SHARE: usize = 16;
const LEAST_RESERVE: usize = 512 << 10;
const LARGEST_RESERVE: usize = 8 << 20;
/// Up to this size an allocation may be one of the engine's own: an error, a promise, a job.
const SMALL: usize = 16 << 10;

/// The memory of one engine.
#[derive(Debug)]
pub(super) struct Memory {
    used: Cell<usize>,
    limit: usize,
    reserve: usize,
    /// Whether the reserve is in use.
    is_short: Cell<bool>,
    /// Whether something small was refused since somebody last asked: the engine may have lost a job.
    has_lost: Cell<bool>,
    /// Whether the reserve is used up as well.
    is_spent: Cell<bool>,
}

impl Memory {
    pub(super) fn new(limit: usize) -> Rc<Self> {
        // What cannot be addressed need not be counted to.
        let limit = limit.min(isize::MAX.unsigned_abs() / 2);
        let reserve = (limit / RESERVE_SHARE).clamp(LEAST_RESERVE, LARGEST_RESERVE);
        let no = || Cell::new(false);
        Rc::new(Self { used: Cell::new(0), limit, reserve, is_short: no(), has_lost: no(), is_spent: no() })
    }

    /// Whether the engine cannot go on.
    pub(super) fn is_spent(&self) -> bool {
        self.is_spent.get()
    }

    /// Whether the reserve is in use, which is refilled when there is room again.
    pub(super) fn is_short(&self) -> bool {
        self.is_short.get()
    }

    /// Whether the engine may have lost a job, or an error, since the last question.
    pub(super) fn take_loss(&self) -> bool {
        self.has_lost.replace(false)
    }

    /// Keeps the reserve back again if there is room for it.
    pub(super) fn refill(&self) {
        if self.used.get() + self.reserve < self.limit {
            self.is_short.set(false);
        }
    }

    /// Whether `size` more bytes may be used.
    fn allows(&self, size: usize) -> bool {
        let limit = if self.is_short.get() { self.limit + self.reserve } else { self.limit };
        let used = self.used.get();
        if used.saturating_add(size) <= limit {
            return true;
        }
        if size <= SMALL {
            self.has_lost.set(true);
            self.is_spent.set(self.is_spent.get() || self.is_short.get());
        }
        // Something huge fails while there is room enough for what follows from that.
        if used + self.reserve > self.limit {
            self.is_short.set(true);
        }
        false
    }

    fn add(&self, size: usize) {
        self.used.set(self.used.get() + size);
    }

    fn remove(&self, size: usize) {
        self.used.set(self.used.get().saturating_sub(size));
    }
}

/// Gives an engine memory, and counts it.
pub(super) struct CountingAllocator(pub(super) Rc<Memory>);

#[expect(
    unsafe_code,
    reason = "the engine's interface; everything is passed on to an allocator that keeps the contract"
)]
// SAFETY: all pointers come from and go to `RustAllocator`, or are null where memory is refused.
unsafe impl Allocator for CountingAllocator {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        if !self.0.allows(size) {
            return std::ptr::null_mut();
        }
        self.counted(RustAllocator.alloc(size))
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        match count.checked_mul(size) {
            Some(total) if self.0.allows(total) => self.counted(RustAllocator.calloc(count, size)),
            _ => std::ptr::null_mut(),
        }
    }

    unsafe fn dealloc(&mut self, ptr: *mut u8) {
        // SAFETY: the caller's promise is the same as that of the functions below.
        unsafe {
            self.0.remove(Self::usable_size(ptr));
            RustAllocator.dealloc(ptr);
        }
    }

    unsafe fn realloc(&mut self, ptr: *mut u8, new_size: usize) -> *mut u8 {
        // SAFETY: as above; a pointer that was moved is not used any more.
        unsafe {
            let before = Self::usable_size(ptr);
            if new_size > before && !self.0.allows(new_size - before) {
                return std::ptr::null_mut();
            }
            let moved = RustAllocator.realloc(ptr, new_size);
            if !moved.is_null() {
                self.0.remove(before);
            }
            self.counted(moved)
        }
    }

    unsafe fn usable_size(ptr: *mut u8) -> usize {
        // SAFETY: the caller's promise.
        unsafe { RustAllocator::usable_size(ptr) }
    }
}

impl CountingAllocator {
    fn counted(&self, ptr: *mut u8) -> *mut u8 {
        if !ptr.is_null() {
            #[expect(unsafe_code, reason = "the size of an allocation is asked of its allocator")]
            // SAFETY: it was just made by `RustAllocator`.
            let size = unsafe { RustAllocator::usable_size(ptr) };
            self.0.add(size);
        }
        ptr
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: usize = 1 << 20;

    #[test]
    fn the_reserve_is_there_once_the_rest_is_gone() {
        let memory = Memory::new(LIMIT);
        assert!(memory.allows(LIMIT));
        memory.add(LIMIT);
        assert!(!memory.allows(100) && memory.is_short() && memory.take_loss() && !memory.is_spent());
        assert!(memory.allows(LEAST_RESERVE) && !memory.take_loss());
        memory.refill();
        assert!(memory.is_short(), "there is no room yet");
        memory.add(LEAST_RESERVE);
        assert!(!memory.allows(SMALL + 1) && !memory.is_spent(), "what is large is refused, again and again");
        assert!(!memory.allows(1) && memory.is_spent());
        memory.remove(LIMIT + LEAST_RESERVE);
        memory.refill();
        assert!(!memory.is_short());
    }

    #[test]
    fn something_huge_is_refused_while_there_is_room() {
        let memory = Memory::new(LIMIT);
        assert!(!memory.allows(10 * LIMIT) && !memory.is_short() && !memory.take_loss());
    }

    #[test]
    #[expect(unsafe_code, reason = "the interface")]
    fn what_is_allocated_is_counted_and_given_back() {
        let memory = Memory::new(LIMIT);
        let mut counted = CountingAllocator(Rc::clone(&memory));
        let [one, other] = [counted.alloc(100), counted.calloc(3, 50)];
        assert!(memory.used.get() >= 250);
        // SAFETY: each is used once, by the allocator that made it.
        unsafe {
            let one = counted.realloc(one, 5000);
            assert!(memory.used.get() >= 5150);
            assert!(counted.realloc(one, 2 * LIMIT).is_null());
            counted.dealloc(one);
            counted.dealloc(other);
        }
        assert_eq!(memory.used.get(), 0);
        assert!(counted.calloc(usize::MAX, 2).is_null() && counted.alloc(2 * LIMIT).is_null());
    }
}
