//! The committed facts: reading and writing the files of the snapshot folder. Its README says what is in them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::provider_table::Source;
use super::rows::{Entry, Key, SourceRow, WireRow};

const PUBLISHED: &str = "published.jsonl";
const WIRE: &str = "wire.jsonl";

/// All that is known without asking anybody.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Snapshot {
    /// Models that stay listed whatever the sources say.
    pub(super) published: Vec<Entry>,
    /// How models are spoken to that are not among the published ones.
    pub(super) wire: Vec<WireRow>,
    /// What each source said when it was last asked.
    pub(super) sources: BTreeMap<Source, Vec<SourceRow>>,
}

/// The file that holds what a source said.
pub(super) fn file_of(source: Source) -> &'static str {
    match source {
        Source::ModelsDev => "models-dev.jsonl",
        Source::OpenRouter => "openrouter.jsonl",
        Source::VercelGateway => "vercel-ai-gateway.jsonl",
    }
}

impl Snapshot {
    /// Reads the folder.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let published: Vec<Entry> = read_rows(&folder.join(PUBLISHED), |entry: &Entry| &entry.key)?;
        let wire = read_rows(&folder.join(WIRE), |row: &WireRow| &row.key)?;
        let mut sources = BTreeMap::new();
        for source in Source::ALL {
            sources.insert(source, read_rows(&folder.join(file_of(source)), |row: &SourceRow| &row.key)?);
        }
        Ok(Self { published, wire, sources })
    }

    /// Replaces what one source said, in the folder and here.
    pub(super) fn replace(&mut self, folder: &Path, source: Source, mut rows: Vec<SourceRow>) -> Result<()> {
        rows.sort_by(|a, b| a.key.cmp(&b.key));
        write_rows(&folder.join(file_of(source)), &rows)?;
        self.sources.insert(source, rows);
        Ok(())
    }
}

/// Reads JSON lines. Each model may occur once.
fn read_rows<T: DeserializeOwned>(path: &Path, key: impl Fn(&T) -> &Key) -> Result<Vec<T>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let place = |index: usize| format!("{} line {}", path.display(), index + 1);
    let rows = text.lines().enumerate().map(|(index, line)| serde_json::from_str(line).with_context(|| place(index)));
    let rows: Vec<T> = rows.collect::<Result<_>>()?;
    let mut seen = BTreeSet::new();
    for (index, row) in rows.iter().enumerate() {
        ensure!(seen.insert(key(row)), "{}: {} is there twice", place(index), key(row));
    }
    Ok(rows)
}

fn write_rows(path: &Path, rows: &[impl Serialize]) -> Result<()> {
    let mut text = String::new();
    for row in rows {
        text.push_str(&serde_json::to_string(row)?);
        text.push('\n');
    }
    write_whole(path, &text)
}

/// Writes a file so that whoever reads it sees all of it or what was there before.
pub(super) fn write_whole(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    let write = || -> Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&folder)?;
        std::io::Write::write_all(&mut file, text.as_bytes())?;
        readable_by_all(file.path())?;
        file.persist(path)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Temporary files are private; the files of a checkout are not.
#[cfg(unix)]
fn readable_by_all(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644))?;
    Ok(())
}

#[cfg(not(unix))]
fn readable_by_all(_: &Path) -> Result<()> {
    Ok(())
}
