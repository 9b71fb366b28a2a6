//! A directory to work in and a way to call tools there.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_agent_core::{NestedCalls, ToolError, ToolInvocation, ToolOutput, ToolUpdates};
use pi_ai::{InputKind, Model};
use pi_coding_agent::tools::{SpillNames, ToolOptions, create_tool};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// What a tool answered.
pub(crate) type Answer = Result<ToolOutput, ToolError>;

/// A temporary directory with `work`, `home` and `tmp`, and options that point there.
#[derive(Debug)]
pub(crate) struct Workbench {
    root: TempDir,
    pub(crate) options: ToolOptions,
}

impl Workbench {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| {
            let path = root.path().canonicalize().unwrap().join(name);
            fs::create_dir(&path).unwrap();
            path
        };
        let names: Arc<dyn SpillNames> = Arc::new(FixedName);
        let options =
            ToolOptions::builder().cwd(at("work")).home(at("home")).temp_dir(at("tmp")).spill_names(names).build();
        Self { root, options }
    }

    /// With these files in the working directory.
    pub(crate) fn with(files: &[(&str, &[u8])]) -> Self {
        let bench = Self::new();
        for (path, content) in files {
            bench.put(path, content);
        }
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.options.cwd.join(name)
    }

    pub(crate) fn put(&self, path: &str, content: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn get(&self, path: &str) -> String {
        String::from_utf8(fs::read(self.path(path)).unwrap()).unwrap()
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.root.path().canonicalize().unwrap()
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Answer {
        self.call_with(tool, arguments, CancellationToken::new(), ToolUpdates::ignored()).await
    }

    pub(crate) async fn call_with(
        &self,
        tool: &str,
        args: Value,
        cancel: CancellationToken,
        updates: ToolUpdates,
    ) -> Answer {
        let tool = create_tool(tool, &self.options).unwrap();
        let arguments = tool.prepare_arguments(args)?;
        tool.execute(ToolInvocation {
            id: "call".into(),
            arguments,
            cancel,
            updates,
            model: seeing_model(),
            calls: NestedCalls::none(),
        })
        .await
    }

    /// Calls a tool and shows arguments and answer, with the directory's name taken out and long texts shortened.
    pub(crate) async fn show(&self, tool: &str, arguments: Value) -> String {
        let call = format!("{tool} {arguments}");
        let answer = match self.call(tool, arguments).await {
            Ok(output) => json!(output),
            Err(error) => json!({ "error": error.to_string() }),
        };
        let answer = serde_json::to_string_pretty(&shortened(answer)).unwrap();
        format!("{call}\n{answer}\n").replace(&self.root().display().to_string(), "<ROOT>")
    }

    /// Several calls, one after the other.
    pub(crate) async fn show_all(&self, tool: &str, calls: &[Value]) -> String {
        let mut shown = String::new();
        for call in calls {
            shown += &self.show(tool, call.clone()).await;
        }
        shown
    }
}

/// Spill files of a test have a known name.
#[derive(Debug)]
struct FixedName;

impl SpillNames for FixedName {
    fn next(&self) -> String {
        "0123456789abcdef".to_owned()
    }
}

/// The text of an answer, whether it is a success or not.
pub(crate) fn text(answer: &Answer) -> String {
    match answer {
        Ok(output) => output.content[0].as_text().unwrap().to_owned(),
        Err(error) => error.to_string(),
    }
}

pub(crate) fn seeing_model() -> Arc<Model> {
    Arc::new(Model { input: vec![InputKind::Text, InputKind::Image], ..Model::default() })
}

/// `line 1` to `line {count}`, each with LF.
pub(crate) fn numbered_lines(count: usize) -> String {
    (1..=count).map(|n| format!("line {n}\n")).collect()
}

/// Whether a process of this id runs (and is not a zombie).
pub(crate) fn is_alive(pid: &str) -> bool {
    let stat = fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with('Z'))
}

fn shortened(value: Value) -> Value {
    match value {
        Value::String(text) if text.len() > 400 => {
            let (start, end) = (text.floor_char_boundary(60), text.ceil_char_boundary(text.len() - 140));
            json!(format!("{}<{} bytes>{}", &text[..start], end - start, &text[end..]))
        }
        Value::Array(items) => items.into_iter().map(shortened).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, shortened(value))).collect(),
        other => other,
    }
}
