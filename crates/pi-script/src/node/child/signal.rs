//! Signals by name.

use rustix::process::Signal;

const NAMES: &[(&str, Signal)] = &[
    ("SIGHUP", Signal::HUP),
    ("SIGINT", Signal::INT),
    ("SIGQUIT", Signal::QUIT),
    ("SIGILL", Signal::ILL),
    ("SIGTRAP", Signal::TRAP),
    ("SIGABRT", Signal::ABORT),
    ("SIGBUS", Signal::BUS),
    ("SIGFPE", Signal::FPE),
    ("SIGKILL", Signal::KILL),
    ("SIGUSR1", Signal::USR1),
    ("SIGSEGV", Signal::SEGV),
    ("SIGUSR2", Signal::USR2),
    ("SIGPIPE", Signal::PIPE),
    ("SIGALRM", Signal::ALARM),
    ("SIGTERM", Signal::TERM),
    ("SIGCHLD", Signal::CHILD),
    ("SIGCONT", Signal::CONT),
    ("SIGSTOP", Signal::STOP),
    ("SIGTSTP", Signal::TSTP),
    ("SIGTTIN", Signal::TTIN),
    ("SIGTTOU", Signal::TTOU),
    ("SIGURG", Signal::URG),
    ("SIGXCPU", Signal::XCPU),
    ("SIGXFSZ", Signal::XFSZ),
    ("SIGVTALRM", Signal::VTALARM),
    ("SIGPROF", Signal::PROF),
    ("SIGWINCH", Signal::WINCH),
    ("SIGIO", Signal::IO),
    ("SIGSYS", Signal::SYS),
];

/// The signal with a name or a number.
pub(super) fn by_name(name: &str) -> Option<Signal> {
    if let Ok(number) = name.parse() {
        return Signal::from_named_raw(number);
    }
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, signal)| *signal)
}

/// The name of a signal that ended a process.
pub(super) fn name_of(number: i32) -> String {
    let known = NAMES.iter().find(|(_, signal)| signal.as_raw() == number);
    known.map_or_else(|| format!("SIG{number}"), |(name, _)| (*name).to_owned())
}
