//! Session files: entries, the append-only log, recovery, the branch that makes up the context.
