//! The files that may hold unsafe code, and why there is no other way.

/// A file and the reason.
pub(super) const UNSAFE: &[(&str, &str)] = &[
    ("crates/pi/src/main.rs", "one setting of the allocator, by a function of the C library"),
    (
        "crates/pi/src/common/freed_memory.rs",
        "the allocator is asked to give memory back, by a function of the C library",
    ),
    (
        "crates/pi-script/src/engine/memory.rs",
        "the memory of the script engine is counted: its allocator is an unsafe trait",
    ),
    ("crates/pi-script/src/engine/values.rs", "bytes are copied out of buffers of the script engine"),
    (
        "crates/pi-script/src/module/compiled.rs",
        "compiled modules are handed to the script engine, which cannot check them",
    ),
];
