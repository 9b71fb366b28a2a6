//! Skills: instructions for a kind of task, listed for the model and read when the task comes up.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::frontmatter::{Document, parse_document};
use crate::config::settings::ResourceKind;
use crate::host::{FileKind, SymlinkGuard};
use crate::resources::locate::explicit::ListedResources;
use crate::resources::locate::search::{Located, Search, locate};
use crate::resources::locate::source::{
    DiagnosticKind, Found, Origin, ResourcePlaces, SourceInfo, file_name, read_text, text,
};

/// Longer names are reported.
const MAX_NAME: usize = 64;
/// Longer descriptions are reported.
const MAX_DESCRIPTION: usize = 1024;

/// A skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// Its name; the directory's when the file gives none.
    pub name: String,
    /// When to use it, for the model.
    pub description: String,
    /// Its file, absolute.
    pub file: PathBuf,
    /// True when only the user may call it: it is not listed.
    pub disable_model_invocation: bool,
    /// Where it came from.
    pub source: SourceInfo,
}

impl Skill {
    /// The directory that paths in the skill are relative to.
    pub fn dir(&self) -> &Path {
        self.file.parent().unwrap_or(&self.file)
    }
}

/// Finds the skills: the project's if it is trusted, the user's, those of packages, then the files and directories in
/// `explicit` (absolute), then those of extensions. With `discover` off only those for this run. The first skill of a
/// name counts.
pub fn load_skills(
    places: &ResourcePlaces,
    listed: &ListedResources,
    explicit: &[PathBuf],
    discover: bool,
) -> Found<Skill> {
    let mut loader = Loader::default();
    let search = Search { kind: ResourceKind::Skills, places, listed, explicit, discover };
    for Located { path, origin } in locate(search, &mut loader.found) {
        loader.file(&path, &origin, places);
    }
    loader.found
}

#[derive(Default)]
struct Loader {
    found: Found<Skill>,
    /// Real paths: one file may be reached in several ways.
    seen: HashSet<PathBuf>,
}

impl Loader {
    fn file(&mut self, path: &Path, origin: &Origin, places: &ResourcePlaces) {
        let real = match path.canonicalize() {
            Ok(real) => real,
            Err(error) => return self.found.refuse(path, error.to_string()),
        };
        if !self.seen.insert(real) {
            return;
        }
        let fence = places.fence_of(path, &origin.info(path));
        let text = match read_text(path, FileKind::Skill, fence.as_ref()) {
            Ok(text) => text,
            Err(error) => return self.found.refuse(path, error.to_string()),
        };
        match parse_document(&text) {
            Ok(document) => self.document(path, &document, origin),
            Err(error) => self.found.warn(path, error.to_string()),
        }
    }

    fn document(&mut self, path: &Path, document: &Document, origin: &Origin) {
        let default = path.parent().and_then(file_name).unwrap_or_default().to_owned();
        let name = document.text("name").filter(|name| !name.is_empty()).unwrap_or(default);
        for problem in name_problems(&name) {
            self.found.warn(path, problem);
        }
        let description = document.text("description").unwrap_or_default();
        if description.trim().is_empty() {
            return self.found.warn(path, "description is required");
        }
        let length = description.chars().count();
        if length > MAX_DESCRIPTION {
            self.found.warn(path, format!("description has {length} characters, {MAX_DESCRIPTION} are allowed"));
        }
        if let Some(first) = self.found.items.iter().find(|skill| skill.name == name) {
            let message = format!("skill \"{name}\" is already defined by {}", first.source.path);
            return self.found.report(DiagnosticKind::Collision, path, message);
        }
        let disable_model_invocation = document.is_true("disable-model-invocation");
        let (file, source) = (path.to_owned(), origin.info(path));
        self.found.items.push(Skill { name, description, file, disable_model_invocation, source });
    }
}

/// What is wrong with a name. It counts all the same.
fn name_problems(name: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let length = name.chars().count();
    if length > MAX_NAME {
        problems.push(format!("name has {length} characters, {MAX_NAME} are allowed"));
    }
    if !name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') || name.is_empty() {
        problems.push(format!("name \"{name}\" should only have lower-case letters, digits and hyphens"));
    }
    if name.starts_with('-') || name.ends_with('-') {
        problems.push(format!("name \"{name}\" should not begin or end with a hyphen"));
    }
    if name.contains("--") {
        problems.push(format!("name \"{name}\" should not have two hyphens in a row"));
    }
    problems
}

/// The part of the system prompt that tells the model of its skills; `None` when it may call none.
pub fn skill_listing(skills: &[Skill]) -> Option<String> {
    let visible: Vec<&Skill> = skills.iter().filter(|skill| !skill.disable_model_invocation).collect();
    if visible.is_empty() {
        return None;
    }
    let entries = visible.iter().map(|skill| {
        let (name, description) = (escape(&skill.name), escape(&skill.description));
        let location = escape(&text(&skill.file));
        format!(
            "  <skill>\n    <name>{name}</name>\n    <description>{description}</description>\n    <location>{location}</location>\n  </skill>\n"
        )
    });
    Some(format!("{LISTING_INTRO}\n\n<available_skills>\n{}</available_skills>", entries.collect::<String>()))
}

const LISTING_INTRO: &str = "\
Skills hold instructions for particular kinds of tasks.
When a task fits a skill's description, load the file at its location with the read tool before you begin.
Relative paths in a skill mean files in the skill's own directory; use their absolute paths in tool calls.";

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            _ => out.push(c),
        }
    }
    out
}

/// The file of a skill that the user called cannot be read any more.
#[derive(Debug, thiserror::Error)]
#[error("Cannot read skill file {}: {source}", crate::host::plain_path(.path))]
pub struct SkillReadError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    source: std::io::Error,
}

/// Expands what follows `/skill:`. `fence_of` says what the file of a skill must not lead out of.
///
/// # Errors
/// The skill's file cannot be read any more; the text should then be sent as it is.
pub(super) fn expand_skill_call(
    call: &str,
    skills: &[Skill],
    fence_of: impl Fn(&Skill) -> Option<SymlinkGuard>,
) -> Result<Option<String>, SkillReadError> {
    let (name, arguments) = call.split_once(' ').unwrap_or((call, ""));
    let Some(skill) = skills.iter().find(|skill| skill.name == name) else { return Ok(None) };
    let fence = fence_of(skill);
    let content = read_text(&skill.file, FileKind::Skill, fence.as_ref());
    let content = content.map_err(|source| SkillReadError { path: skill.file.clone(), source })?;
    // A head that has become unreadable since hides nothing: the text goes in whole.
    let body = parse_document(&content).map_or(content, |document| document.body);
    let (file, dir, body, arguments) = (text(&skill.file), text(skill.dir()), body.trim(), arguments.trim());
    let mut expanded =
        format!("<skill name=\"{name}\" location=\"{file}\">\nReferences are relative to {dir}.\n\n{body}\n</skill>");
    if !arguments.is_empty() {
        expanded.push_str("\n\n");
        expanded.push_str(arguments);
    }
    Ok(Some(expanded))
}

/// A user message that a skill command was expanded to, taken apart for display.
#[doc(alias = "ParsedSkillBlock")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillBlock {
    /// The skill's name.
    pub name: String,
    /// Its file.
    pub location: String,
    /// What was inserted.
    pub content: String,
    /// What the user added, trimmed.
    pub user_message: Option<String>,
}

/// Recognises what the expansion of a call of a skill produced.
pub fn parse_skill_block(input: &str) -> Option<SkillBlock> {
    let rest = input.strip_prefix("<skill name=\"")?;
    let (name, rest) = rest.split_once("\" location=\"").filter(|(name, _)| is_attribute(name))?;
    let (location, rest) = rest.split_once("\">\n").filter(|(location, _)| is_attribute(location))?;
    let end = "\n</skill>";
    // The first end that is followed by nothing or by a message counts.
    let ends = rest.match_indices(end).map(|(at, _)| (&rest[..at], &rest[at + end.len()..]));
    let (content, tail) = ends
        .into_iter()
        .find(|(_, tail)| tail.is_empty() || tail.strip_prefix("\n\n").is_some_and(|m| !m.is_empty()))?;
    let user_message = tail.strip_prefix("\n\n").map(|message| message.trim().to_owned());
    Some(SkillBlock { name: name.to_owned(), location: location.to_owned(), content: content.to_owned(), user_message })
}

fn is_attribute(text: &str) -> bool {
    !text.is_empty() && !text.contains('"')
}
