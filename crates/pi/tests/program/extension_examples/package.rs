//! Where the examples come from: the reference's package.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The version that the recordings are of.
const VERSION: &str = "0.79.10";
const NAME: &str = "@earendil-works/pi-coding-agent";

/// The reference's package, with the packages that it needs beside it.
#[derive(Debug, Clone)]
pub(crate) struct Package {
    dir: PathBuf,
}

impl Package {
    /// The one that `PI_REFERENCE_PACKAGE` names, or one that npm installs. Without either there is none, and a notice
    /// says so.
    pub(crate) fn find() -> Option<Self> {
        let dir = match std::env::var_os("PI_REFERENCE_PACKAGE") {
            Some(dir) => PathBuf::from(dir),
            None => install()?,
        };
        let manifest = std::fs::read_to_string(dir.join("package.json")).expect("the package has a manifest");
        let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        assert_eq!(manifest["version"], VERSION, "the recordings are of another version");
        // Extensions find their files by real paths.
        Some(Self { dir: dir.canonicalize().unwrap() })
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// All example extensions by name: a file, or a directory with `index.ts` (named with a slash). Sorted.
    pub(crate) fn units(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.examples()).unwrap().map(|entry| entry.unwrap());
        let units = entries.filter_map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            match entry.path() {
                path if path.join("index.ts").is_file() => Some(format!("{name}/")),
                path if path.extension().is_some_and(|extension| extension == "ts") => Some(name),
                _ => None,
            }
        });
        let mut units: Vec<String> = units.collect();
        units.sort();
        units
    }

    /// What `--extension` takes for the unit.
    pub(crate) fn path(&self, unit: &str) -> PathBuf {
        let path = self.examples().join(unit);
        if unit.ends_with('/') { path.join("index.ts") } else { path }
    }

    /// The source of the unit, all its files one after the other.
    pub(crate) fn source(&self, unit: &str) -> String {
        let path = self.examples().join(unit);
        if !unit.ends_with('/') {
            return std::fs::read_to_string(path).unwrap();
        }
        let files = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "ts"));
        files.map(|path| std::fs::read_to_string(path).unwrap()).collect()
    }

    fn examples(&self) -> PathBuf {
        self.dir.join("examples/extensions")
    }
}

/// Installs the package into a directory of this build, once.
fn install() -> Option<PathBuf> {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("reference-{VERSION}"));
    let package = home.join("node_modules").join(NAME);
    let done = home.join("installed");
    if done.exists() {
        return Some(package);
    }
    std::fs::create_dir_all(&home).unwrap();
    // Without a manifest npm would look for one in the directories above.
    std::fs::write(home.join("package.json"), "{\"private\": true}").unwrap();
    let mut npm = Command::new("npm");
    npm.args(["install", "--ignore-scripts", "--no-audit", "--no-fund", &format!("{NAME}@{VERSION}")])
        .current_dir(&home);
    match npm.output() {
        Ok(output) if output.status.success() => {
            std::fs::write(done, "").unwrap();
            Some(package)
        }
        Ok(output) => {
            let reason = String::from_utf8_lossy(&output.stderr).into_owned();
            println!("skipped: npm cannot install the reference's examples: {reason}");
            None
        }
        Err(error) => {
            println!("skipped: there is no npm to install the reference's examples: {error}");
            None
        }
    }
}
