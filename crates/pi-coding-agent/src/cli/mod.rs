//! The command line: arguments, start-up, input assembly, exit codes.
