//! Where things are: the agent directory and what lies in it, session directories, expansion of user-given paths.
//!
//! Paths are computed, never touched: no file is opened here, and symbolic links are not resolved.

use std::path::{Component, Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::host::env::Env;

/// Name of the directory that holds a project's own settings and resources.
pub const PROJECT_DIR: &str = ".pi";

/// Name of the file with decisions about projects, in the user's configuration directory.
pub(crate) const TRUST_FILE: &str = "trust.json";
/// Environment variable that moves the agent directory.
pub(crate) const AGENT_DIR_VARIABLE: &str = "PI_CODING_AGENT_DIR";

/// The directories that a run works with. Cloning is cheap enough for every owner to have its own.
#[derive(Debug, Clone)]
pub struct Paths {
    env: Env,
    cwd: PathBuf,
    agent_dir: PathBuf,
}

impl Paths {
    /// Paths of a run that was started in `cwd` (absolute). The agent directory is `PI_CODING_AGENT_DIR` if set,
    /// else `~/.pi/agent`.
    pub fn new(env: Env, cwd: impl Into<PathBuf>) -> Self {
        let cwd = cwd.into();
        let agent_dir = match env.var(AGENT_DIR_VARIABLE) {
            Some(dir) => absolute(&cwd, &expand(&dir, &env)),
            None => absolute(&cwd, &env.home().unwrap_or_default().join(PROJECT_DIR).join("agent")),
        };
        Self { env, cwd, agent_dir }
    }

    /// The same with another agent directory.
    #[must_use]
    pub fn with_agent_dir(mut self, dir: impl AsRef<Path>) -> Self {
        self.agent_dir = absolute(&self.cwd, dir.as_ref());
        self
    }

    /// The environment that paths are expanded with.
    pub fn env(&self) -> &Env {
        &self.env
    }

    /// The directory in which the run was started.
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// The user's configuration directory.
    pub fn agent_dir(&self) -> &Path {
        &self.agent_dir
    }

    /// Credentials.
    pub fn auth_file(&self) -> PathBuf {
        self.agent_dir.join("auth.json")
    }

    /// Custom providers and models.
    pub fn models_file(&self) -> PathBuf {
        self.agent_dir.join("models.json")
    }

    /// Which projects the user trusts.
    pub fn trust_file(&self) -> PathBuf {
        self.agent_dir.join(TRUST_FILE)
    }

    /// The user's settings.
    pub(crate) fn settings_file(&self) -> PathBuf {
        self.agent_dir.join("settings.json")
    }

    /// The directory above all default session directories.
    pub fn sessions_root(&self) -> PathBuf {
        self.agent_dir.join("sessions")
    }

    /// Where sessions of `cwd` go unless something else is asked for.
    pub fn default_session_dir(&self, cwd: &Path) -> PathBuf {
        self.sessions_root().join(encode_cwd(cwd))
    }

    /// A path as a user gives it: `~` and `file://` expanded, absolute against the starting directory, normalised.
    pub fn resolve(&self, input: &str) -> PathBuf {
        absolute(&self.cwd, &expand(input, &self.env))
    }
}

/// The settings of the project in `cwd`.
pub(crate) fn project_settings_file(cwd: &Path) -> PathBuf {
    cwd.join(PROJECT_DIR).join("settings.json")
}

/// File names have no more bytes than this on common file systems.
const LONGEST_NAME: usize = 255;
/// So much of a hash tells long paths apart, in bytes.
const HASH_LENGTH: usize = 16;

/// The directory name that stands for a working directory: `/srv/a b:c` becomes `--srv-a b-c--`. Of a name that would be
/// longer than file names may be, the beginning is kept, and a hash of the path tells it from others.
pub fn encode_cwd(cwd: &Path) -> String {
    let text = cwd.to_string_lossy();
    let text = text.strip_prefix(['/', '\\']).unwrap_or(&text);
    let name = format!("--{}--", text.replace(['/', '\\', ':'], "-"));
    if name.len() <= LONGEST_NAME {
        return name;
    }
    let hash = Sha256::digest(cwd.as_os_str().as_encoded_bytes());
    let hash: String = hash.iter().take(HASH_LENGTH).map(|byte| format!("{byte:02x}")).collect();
    let end = format!("-{hash}--");
    format!("{}{end}", &name[..name.floor_char_boundary(LONGEST_NAME - end.len())])
}

/// Expands `~`, `~/…` and `file://…`; anything else stays as it is.
pub fn expand(input: &str, env: &Env) -> PathBuf {
    if let Some(url) = input.strip_prefix("file://") {
        return PathBuf::from(percent_decode(url.strip_prefix("localhost").unwrap_or(url)));
    }
    let rest = match input {
        "~" => Some(""),
        _ => input.strip_prefix("~/"),
    };
    match (rest, env.home()) {
        (Some(""), Some(home)) => home,
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(input),
    }
}

/// Joins `path` to `base` unless it is absolute, and removes `.` and `..` without looking at the disk.
pub fn absolute(base: &Path, path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for component in base.join(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                result.pop();
            }
            other => result.push(other),
        }
    }
    result
}

/// Decodes `%XX`; a malformed escape stays literal.
fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let escaped = (first == b'%').then(|| tail.get(..2)).flatten().and_then(hex_byte);
        bytes.push(escaped.unwrap_or(first));
        rest = if escaped.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hex_byte(digits: &[u8]) -> Option<u8> {
    let digit = |byte: u8| (byte as char).to_digit(16);
    let value = digit(*digits.first()?)? * 16 + digit(*digits.get(1)?)?;
    u8::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env() -> Env {
        Env::fixed([("HOME", "/home/u")])
    }

    #[test]
    fn working_directories_are_encoded() {
        for (cwd, expected) in [
            ("/srv/a b:c", "--srv-a b-c--"),
            ("/", "----"),
            ("//srv", "---srv--"),
            ("C:\\work\\x", "--C--work-x--"),
            ("/ü/.d", "--ü-.d--"),
        ] {
            assert_eq!(encode_cwd(Path::new(cwd)), expected);
        }
    }

    #[test]
    fn long_working_directories_are_shortened() {
        let long = |end: &str| format!("/{}{end}", "dir/".repeat(100));
        let of = |cwd: &str| encode_cwd(Path::new(cwd));
        let fits = format!("/{}", "x".repeat(251));
        assert_eq!(of(&fits), format!("--{}--", "x".repeat(251)));
        assert_eq!(of(&long("a")), "--".to_owned() + &"dir-".repeat(54) + "di-3cdf50df759159cc9624be681b9e96cc--");
        let names: std::collections::BTreeSet<_> = ["a", "b", "a/", "ü", "", "a-"].map(|end| of(&long(end))).into();
        assert_eq!(names.len(), 6);
        for cut in 0..8 {
            let name = of(&("/".to_owned() + &"x".repeat(cut) + &"ü€𝄞".repeat(100)));
            assert!((250..=255).contains(&name.len()), "{name}");
        }
    }

    #[test]
    fn user_paths_are_resolved() {
        let paths = Paths::new(env(), "/base/dir");
        for (input, expected) in [
            ("~", "/home/u"),
            ("~/x", "/home/u/x"),
            ("~x", "/base/dir/~x"),
            ("file:///a%20b/c", "/a b/c"),
            ("file://localhost/a%2", "/a%2"),
            ("../up/./x", "/base/up/x"),
            ("/../..", "/"),
            ("", "/base/dir"),
        ] {
            assert_eq!(paths.resolve(input), Path::new(expected), "{input}");
        }
    }

    #[test]
    fn the_agent_directory_follows_the_environment() {
        let dir = |env: Env| Paths::new(env, "/base").agent_dir().to_owned();
        assert_eq!(dir(env()), Path::new("/home/u/.pi/agent"));
        let moved = |to: &str| Env::fixed([("HOME", "/home/u"), (AGENT_DIR_VARIABLE, to)]);
        assert_eq!(dir(moved("~/elsewhere")), Path::new("/home/u/elsewhere"));
        assert_eq!(dir(moved("rel")), Path::new("/base/rel"));
        assert_eq!(dir(moved("")), Path::new("/home/u/.pi/agent"));
    }
}
