//! Memory that was freed goes back to the system after something large was closed: the allocator keeps what lies between
//! pieces that stay, and a long session that was looked through once would count for the rest of the day.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What was closed may be let go by others a little later.
const DELAY: Duration = Duration::from_secs(2);

/// Whether it is about to happen.
static WAITS: AtomicBool = AtomicBool::new(false);

/// Gives it back soon, on a thread that nobody waits for. Several calls in a row are one.
pub(crate) fn return_soon() {
    if WAITS.swap(true, Ordering::AcqRel) {
        return;
    }
    let work = || {
        std::thread::sleep(DELAY);
        WAITS.store(false, Ordering::Release);
        trim();
    };
    // Without a thread it stays with the program.
    if std::thread::Builder::new().name("trim".to_owned()).spawn(work).is_err() {
        WAITS.store(false, Ordering::Release);
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the allocator of the system can be asked by a foreign function only")]
fn trim() {
    use std::ffi::c_int;

    unsafe extern "C" {
        fn malloc_trim(pad: usize) -> c_int;
    }

    // SAFETY: the declaration is that of glibc, which is what this is compiled for; the function may be called at any time on
    // any thread, takes the allocator's own locks, and touches nothing that is in use.
    unsafe { malloc_trim(0) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn trim() {}
