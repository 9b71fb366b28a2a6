//! What is to be started, and how that travels to the spawner: as text in a file that is in memory only, so that it may
//! have any length.

use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program to start.
#[derive(Debug)]
pub(crate) struct Launch {
    pub(super) line: Line,
    /// Where its standard input comes from; without it, that is empty.
    pub(super) stdin: Option<OwnedFd>,
    /// Where its standard output goes.
    pub(super) stdout: OwnedFd,
    /// Where its standard error goes.
    pub(super) stderr: OwnedFd,
}

/// What a program is called with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) program: OsString,
    pub(super) arguments: Vec<OsString>,
    /// By default the directory of this process.
    pub(super) cwd: Option<PathBuf>,
    /// The whole environment.
    pub(super) env: Vec<(OsString, OsString)>,
    pub(super) place: ProcessGroup,
}

/// Where a program is among the processes of the system, and with it what ends together with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProcessGroup {
    /// It leads a session of its own, without a terminal. With it ends all that it has started.
    Session,
    /// It leads a process group of its own, which ends with it.
    Group,
    /// It belongs to the process group of this program, keys of the terminal reach it, and it ends alone.
    Ours,
}

impl Launch {
    /// A program with its whole environment.
    pub(crate) fn new(
        program: impl Into<OsString>,
        env: Vec<(OsString, OsString)>,
        place: ProcessGroup,
        (stdout, stderr): (OwnedFd, OwnedFd),
    ) -> Self {
        let line = Line { program: program.into(), arguments: Vec::new(), cwd: None, env, place };
        Self { line, stdin: None, stdout, stderr }
    }

    /// What a command says: program, arguments, directory, changes of the environment of this process.
    pub(crate) fn of(command: &Command, place: ProcessGroup, outputs: (OwnedFd, OwnedFd)) -> Self {
        #[expect(clippy::disallowed_methods, reason = "a child inherits the environment of this process")]
        let mut env: Vec<(OsString, OsString)> = std::env::vars_os().collect();
        for (name, value) in command.get_envs() {
            env.retain(|(other, _)| other != name);
            env.extend(value.map(|value| (name.to_owned(), value.to_owned())));
        }
        let launch = Self::new(command.get_program(), env, place, outputs).arguments(command.get_args());
        match command.get_current_dir() {
            Some(cwd) => launch.cwd(cwd),
            None => launch,
        }
    }

    pub(crate) fn arguments<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.line.arguments.extend(arguments.into_iter().map(|argument| argument.as_ref().to_owned()));
        self
    }

    pub(super) fn stdin(mut self, stdin: OwnedFd) -> Self {
        self.stdin = Some(stdin);
        self
    }

    pub(crate) fn cwd(mut self, cwd: &Path) -> Self {
        self.line.cwd = Some(cwd.to_owned());
        self
    }
}

impl Line {
    /// As a command; streams and place are up to the caller.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).env_clear().envs(self.env.iter().map(|(name, value)| (name, value)));
        if let Some(cwd) = &self.cwd {
            command.current_dir(cwd);
        }
        command
    }
}

#[cfg(target_os = "linux")]
mod text {
    //! Fields with their lengths in front; they never leave the machine, nor the version of the program.

    use std::os::unix::ffi::{OsStrExt, OsStringExt};

    use super::{Line, OsStr, OsString, ProcessGroup};

    impl Line {
        pub(in crate::host::processes) fn to_bytes(&self) -> Vec<u8> {
            let mut bytes = Vec::new();
            let place = match self.place {
                ProcessGroup::Session => "session",
                ProcessGroup::Group => "group",
                ProcessGroup::Ours => "ours",
            };
            put(&mut bytes, place.as_ref());
            put(&mut bytes, &self.program);
            put_length(&mut bytes, usize::from(self.cwd.is_some()));
            self.cwd.iter().for_each(|cwd| put(&mut bytes, cwd.as_os_str()));
            put_length(&mut bytes, self.arguments.len());
            self.arguments.iter().for_each(|argument| put(&mut bytes, argument));
            put_length(&mut bytes, self.env.len());
            self.env.iter().for_each(|(name, value)| {
                put(&mut bytes, name);
                put(&mut bytes, value);
            });
            bytes
        }

        /// `None` for what [`Self::to_bytes`] has not made.
        pub(in crate::host::processes) fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
            let bytes = &mut bytes;
            let place = match take(bytes)?.to_str()? {
                "session" => ProcessGroup::Session,
                "group" => ProcessGroup::Group,
                "ours" => ProcessGroup::Ours,
                _ => return None,
            };
            let program = take(bytes)?;
            let cwd = if take_length(bytes)? == 0 { None } else { Some(take(bytes)?.into()) };
            let arguments = (0..take_length(bytes)?).map(|_| take(bytes)).collect::<Option<_>>()?;
            let env = (0..take_length(bytes)?).map(|_| Some((take(bytes)?, take(bytes)?))).collect::<Option<_>>()?;
            bytes.is_empty().then_some(Self { program, arguments, cwd, env, place })
        }
    }

    fn put_length(bytes: &mut Vec<u8>, length: usize) {
        bytes.extend((length as u64).to_le_bytes());
    }

    fn put(bytes: &mut Vec<u8>, field: &OsStr) {
        put_length(bytes, field.len());
        bytes.extend(field.as_bytes());
    }

    fn take_length(bytes: &mut &[u8]) -> Option<usize> {
        let (length, rest) = bytes.split_first_chunk()?;
        *bytes = rest;
        usize::try_from(u64::from_le_bytes(*length)).ok()
    }

    fn take(bytes: &mut &[u8]) -> Option<OsString> {
        let length = take_length(bytes)?;
        let (field, rest) = bytes.split_at_checked(length)?;
        *bytes = rest;
        Some(OsString::from_vec(field.to_vec()))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_line_arrives_as_it_was() {
            let broken = OsString::from_vec(vec![0xff, b'\n', b'"']);
            let line = Line {
                program: "sh".into(),
                arguments: vec!["-c".into(), OsString::new(), broken.clone()],
                cwd: Some("/tmp".into()),
                env: vec![("A".into(), broken), ("B".into(), "x".repeat(100_000).into())],
                place: ProcessGroup::Session,
            };
            let bare = Line { cwd: None, env: Vec::new(), place: ProcessGroup::Ours, ..line.clone() };
            for line in [line, bare] {
                let bytes = line.to_bytes();
                assert_eq!(Line::from_bytes(&bytes), Some(line));
                for cut in [0, 1, 8, 20, bytes.len() - 1] {
                    assert_eq!(Line::from_bytes(&bytes[..cut]), None, "{cut}");
                }
            }
        }
    }
}
