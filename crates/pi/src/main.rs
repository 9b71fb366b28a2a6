//! The `pi` program. Everything happens in the library; what concerns the whole process is set here.

use std::process::ExitCode;

use pi_coding_agent::processes;

fn main() -> ExitCode {
    let _commands = processes::init();
    processes::raise_open_file_limit();
    return_big_buffers();
    let argv = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    ExitCode::from(pi::cli::run(argv))
}

/// Has the allocator give buffers from 128 KiB on back to the system as soon as they are free.
///
/// That is where glibc begins, but it raises the limit with each such buffer that is freed. A request body grows with the
/// conversation, so soon bodies would come from the heap, and what they leave behind between small pieces that stay is
/// kept: several hundred bytes per turn.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the allocator of the system can be set up by a foreign function only")]
fn return_big_buffers() {
    use std::ffi::c_int;

    /// `M_MMAP_THRESHOLD` of glibc's `malloc.h`.
    const MMAP_THRESHOLD: c_int = -3;
    const BIG: c_int = 128 << 10;

    unsafe extern "C" {
        fn mallopt(parameter: c_int, value: c_int) -> c_int;
    }

    // SAFETY: the declaration is that of glibc, which is what this is compiled for; the function takes two numbers, touches
    // nothing of ours and may be called at any time. It is called before there are threads. A refusal changes nothing.
    unsafe { mallopt(MMAP_THRESHOLD, BIG) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn return_big_buffers() {}
