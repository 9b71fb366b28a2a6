//! The files of scripts, read and translated.

use std::path::Path;

use super::imports::Imports;
use super::positions::Positions;
use super::regular_files::read_text;
use super::transpile::{Transpiled, transpile};
use crate::error::Error;

/// What a file is.
#[derive(Debug)]
pub(crate) enum Source {
    /// An ES module.
    Module {
        code: String,
        positions: Positions,
        imports: Imports,
        /// Whether it awaits something outside of any function.
        awaits: bool,
    },
    /// The body of a CommonJS module.
    CommonJs { code: String, positions: Positions },
    /// Data.
    Json(String),
}

/// Reads a file.
///
/// # Errors
/// [`Error::Read`], [`Error::Syntax`].
pub(crate) fn read(path: &Path) -> Result<Source, Error> {
    let text = read_text(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
    let text = text.strip_prefix('\u{feff}').map(ToOwned::to_owned).unwrap_or(text);
    if path.extension().is_some_and(|extension| extension == "json") {
        return Ok(Source::Json(text));
    }
    let Transpiled { code, positions, is_module, node_names, imports, awaits } = transpile(path, &text)?;
    if is_module || !is_common_js(path, &node_names) {
        let prelude = prelude(&node_names);
        return Ok(Source::Module { code: prelude + &code, positions, imports, awaits });
    }
    Ok(Source::CommonJs { code, positions })
}

/// A file without import and export: CommonJS if its name or what it uses says so.
fn is_common_js(path: &Path, node_names: &[&str]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension {
        "cjs" | "cts" => true,
        "mjs" | "mts" => false,
        _ if ["module", "exports", "require"].iter().any(|name| node_names.contains(name)) => true,
        // Nothing tells: then what Node takes it for, whose packages may rely on the laxer rules of scripts.
        _ => path.components().any(|part| part.as_os_str() == "node_modules") && !is_in_module_package(path),
    }
}

/// Whether the package of a file says that its files are modules.
fn is_in_module_package(path: &Path) -> bool {
    let directories = path.ancestors().skip(1).take_while(|directory| !directory.ends_with("node_modules"));
    let manifest = directories.map(|directory| directory.join("package.json")).find(|file| file.is_file());
    let text = manifest.and_then(|file| read_text(&file).ok()).unwrap_or_default();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    manifest.get("type").and_then(serde_json::Value::as_str) == Some("module")
}

/// Declares those of Node's names that an ES module uses, on its first line, so that all lines stay where they are.
fn prelude(node_names: &[&str]) -> String {
    let declared = node_names.iter().filter_map(|name| match *name {
        "require" => Some("const require=import.meta.require;"),
        "__filename" => Some("const __filename=import.meta.filename;"),
        "__dirname" => Some("const __dirname=import.meta.dirname;"),
        _ => None,
    });
    declared.collect()
}
