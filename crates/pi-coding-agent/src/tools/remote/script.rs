//! What is sent to a shell over there: a number that marks its reports, arguments, the script. Nothing is sent here.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use uuid::Uuid;

const COMMON: &str = include_str!("scripts/common.sh");
const PATHS: &str = include_str!("scripts/paths.sh");
/// Tools report in English where their words matter, and compare and count bytes.
const C_LOCALE: &str = "LC_ALL=C\nexport LC_ALL\n";

/// The line that reads the script: up to the line that is the number, so that half a script is never run.
const LOADER: &str =
    r#"n=$(printf '\nx');n=${n%x};s=;while IFS= read -r l;do case $l in @)eval "$s";exit;;esac;s=$s$l$n;done"#;

/// A script, ready to be sent.
#[derive(Debug, Clone)]
pub(super) struct Script {
    /// What sets its reports apart from what it moves: 32 hexadecimal digits that nobody can guess.
    pub(super) number: String,
    exports: Vec<u8>,
    arguments: Vec<u8>,
    body: Vec<&'static str>,
}

impl Script {
    /// A script that reads messages and counts bytes.
    pub(super) fn new(body: &'static str) -> Self {
        Self::with_body(vec![C_LOCALE, body])
    }

    /// A script that looks paths up.
    pub(super) fn on_paths(body: &'static str) -> Self {
        Self::with_body(vec![C_LOCALE, PATHS, body])
    }

    /// A script in the language that the user has chosen over there.
    pub(super) fn in_user_locale(body: &'static str) -> Self {
        Self::with_body(vec![body])
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "what a command writes must not pass for the end of a script, so nobody may foresee the mark"
    )]
    fn with_body(body: Vec<&'static str>) -> Self {
        Self { number: Uuid::new_v4().simple().to_string(), exports: Vec::new(), arguments: Vec::new(), body }
    }

    /// The next argument.
    pub(super) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(b' ');
        self.arguments.extend(quoted(argument.as_ref().as_bytes()));
        self
    }

    /// Sets a variable of the environment; the name is one that a shell accepts.
    pub(super) fn export(&mut self, name: &str, value: &OsStr) {
        self.exports.extend(format!("export {name}=").as_bytes());
        self.exports.extend(quoted(value.as_bytes()));
        self.exports.push(b'\n');
    }

    /// What goes to the shell's standard input.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        let Self { number, exports, arguments, body } = self;
        let mut bytes = LOADER.replace('@', &number).into_bytes();
        bytes.extend(format!("\nN={number}\n{COMMON}").as_bytes());
        bytes.extend(exports);
        bytes.extend(b"set --");
        bytes.extend(arguments);
        // What was on standard error before is noise, too.
        bytes.extend(b"\nprintf %s \"$N\" >&2\nsay start\n");
        bytes.extend(body.concat().as_bytes());
        bytes.extend(format!("\n{number}\n").as_bytes());
        bytes
    }
}

/// The bytes as one word of the shell's language: in single quotes nothing has a meaning, and a single quote itself
/// stands outside of them. Shells cannot hold NUL; names and variables cannot either.
fn quoted(bytes: &[u8]) -> Vec<u8> {
    let mut word = vec![b'\''];
    for byte in bytes.iter().filter(|byte| **byte != 0) {
        match byte {
            b'\'' => word.extend(br"'\''"),
            other => word.push(*other),
        }
    }
    word.push(b'\'');
    word
}

/// Whether a shell can have a variable of this name.
pub(super) fn is_variable_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use proptest::prelude::*;

    use super::super::frames::{Frame, FrameBuffer};
    use super::super::shell::BOOTSTRAP;
    use super::*;

    /// What a real shell makes of the arguments.
    fn echoed(arguments: &[Vec<u8>]) -> Vec<u8> {
        let script = Script::new(r#"printf '%s\n' "$@""#);
        let script = arguments.iter().fold(script, |script, argument| script.arg(OsStr::from_bytes(argument)));
        let mut frames = FrameBuffer::new(&script.number);
        let mut sh = Command::new("sh");
        let sh = sh.args(["-c", BOOTSTRAP]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = sh.spawn().unwrap();
        child.stdin.take().unwrap().write_all(&script.into_bytes()).unwrap();
        let output = child.wait_with_output().unwrap().stdout;
        let frames = frames.feed(&output).into_iter().chain(frames.end());
        frames.flat_map(|frame| if let Frame::Data(data) = frame { data.to_vec() } else { Vec::new() }).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn no_argument_is_read_as_anything_else(
            arguments in prop::collection::vec(prop_oneof![
                prop::collection::vec(1u8.., 0..20),
                "[-'\"$`(){}*?\\[\\]\\\\!#~;&|<> \n\t\u{e9}@%]{0,12}".prop_map(String::into_bytes),
            ], 0..4),
        ) {
            let mut expected = arguments.join(&b'\n');
            expected.push(b'\n');
            prop_assert_eq!(echoed(&arguments), expected);
        }
    }

    #[test]
    fn half_a_script_is_not_run() {
        let bytes = Script::new("echo ran").into_bytes();
        let mut sh = Command::new("sh");
        let mut child = sh.args(["-c", BOOTSTRAP]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(&bytes[..bytes.len() - 2]).unwrap();
        assert_eq!(child.wait_with_output().unwrap().stdout, b"");
    }
}
