//! The built-in tools, one file each, and what they share: truncation, paths, operations, the mutation queue.
