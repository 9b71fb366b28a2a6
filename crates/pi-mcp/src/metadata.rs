//! What is known of a server without asking it: its tools and prompts as it listed them last, in a file per entry.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_agent_core::ToolAnnotations;
use pi_coding_agent::host::{FileKind, json_file};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Grows with the shape of the files.
const VERSION: u64 = 2;
/// Their folder in the configuration directory.
const FOLDER: &str = "mcp-cache";

/// A tool as its server described it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ToolInfo {
    pub(crate) name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    #[serde(default)]
    pub(crate) description: String,
    pub(crate) input_schema: Arc<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "ToolAnnotations::is_empty")]
    pub(crate) annotations: ToolAnnotations,
}

/// A prompt as its server described it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PromptInfo {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) description: String,
    /// Names, in order.
    #[serde(default)]
    pub(crate) arguments: Vec<String>,
}

/// All that is known of a server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Metadata {
    /// What it calls itself.
    #[serde(default)]
    pub(crate) title: String,
    #[serde(default)]
    pub(crate) protocol_version: String,
    /// Whether it shook hands, which newer revisions do not.
    #[serde(default)]
    pub(crate) is_legacy: bool,
    #[serde(default)]
    pub(crate) has_resources: bool,
    #[serde(default)]
    pub(crate) tools: Vec<ToolInfo>,
    #[serde(default)]
    pub(crate) prompts: Vec<PromptInfo>,
    /// What of its lists cannot be used, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) problems: Vec<String>,
}

/// The file of one entry.
#[derive(Debug, Clone)]
pub(crate) struct MetadataFile(PathBuf);

impl MetadataFile {
    /// By the hash of the entry.
    pub(crate) fn new(agent_dir: &Path, hash: &str) -> Self {
        Self(agent_dir.join(FOLDER).join(format!("{hash}.json")))
    }

    /// What it holds; `None` for none, for one of another version and for one that is broken.
    pub(crate) fn read(&self) -> Option<Metadata> {
        let object = json_file::read_object(&self.0, FileKind::Models).ok()??;
        if object.get("version").and_then(Value::as_u64) != Some(VERSION) {
            return None;
        }
        serde_json::from_value(Value::Object(object)).ok()
    }

    /// Keeps it. What cannot be kept is asked for again the next time.
    pub(crate) fn write(&self, metadata: &Metadata) {
        let Ok(Value::Object(mut object)) = serde_json::to_value(metadata) else { return };
        object.insert("version".to_owned(), VERSION.into());
        let has_folder = self.0.parent().is_some_and(|dir| std::fs::create_dir_all(dir).is_ok());
        if has_folder {
            let _ = json_file::write_object(&self.0, &object, FileKind::Models, Some(0o600));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_what_is_broken_is_not() {
        let root = tempfile::tempdir().unwrap();
        let file = MetadataFile::new(root.path(), "abc");
        assert_eq!(file.read(), None);
        let annotations = ToolAnnotations { read_only_hint: Some(true), ..ToolAnnotations::default() };
        let (name, description, input_schema) = ("t".to_owned(), "d".to_owned(), Arc::default());
        let tool = ToolInfo { name, title: None, description, input_schema, annotations };
        let metadata = Metadata { tools: vec![tool], has_resources: true, ..Metadata::default() };
        file.write(&metadata);
        assert_eq!(file.read(), Some(metadata));
        for broken in ["{", "{\"version\": 1}", "{\"version\": 2, \"tools\": 7}"] {
            std::fs::write(&file.0, broken).unwrap();
            assert_eq!(file.read(), None, "{broken}");
        }
    }
}
