//! The `pi` program.

fn main() {}
