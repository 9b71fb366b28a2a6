//! Puts the system prompt together. What is in it, and in which order, is fixed; the words are ours.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use pi_ai::Clock;
use time::{Date, OffsetDateTime, UtcOffset};

use super::context_files::ContextFile;
use super::skills::{Skill, skill_listing};

const ROLE: &str = "\
You are a coding agent in pi, a program for working on code and files. You help the user by reading, running, changing \
and writing things with the tools below.";
const OTHER_TOOLS: &str = "The project may add tools of its own to these; their definitions say what they do.";
const EXPLORE_WITH_BASH: &str = "Use bash to look around: ls, rg, find.";
const BE_CONCISE: &str = "Keep answers short and to the point.";
const NAME_FILES: &str = "When you speak of a file, give its path.";
const CONTEXT_INTRO: &str = "Instructions of the user and the project, the most general first:";

/// What the prompt says of an active tool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolPrompt {
    /// Name that the model calls.
    pub name: String,
    /// One line for the list of tools; a tool without one is not listed.
    pub snippet: Option<String>,
    /// Rules for its use.
    pub guidelines: Vec<String>,
}

/// Where the program's own documentation is, for questions about the program itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductDocs {
    /// The overview.
    pub readme: PathBuf,
    /// One page per topic.
    pub docs: Option<PathBuf>,
    /// Runnable examples.
    pub examples: Option<PathBuf>,
}

impl ProductDocs {
    /// Looks for documentation in an installation directory; the prompt never names what is not there.
    pub fn find(dir: &Path) -> Option<Self> {
        let existing = |name: &str| Some(dir.join(name)).filter(|path| path.exists());
        Some(Self { readme: existing("README.md")?, docs: existing("docs"), examples: existing("examples") })
    }
}

/// Everything that the system prompt is made of.
#[derive(Debug, Clone)]
pub struct SystemPrompt<'a> {
    /// Takes the place of the default text; the parts below still follow.
    pub custom: Option<&'a str>,
    /// Added after the text, in order.
    pub append: &'a [String],
    /// The active tools, in order.
    pub tools: &'a [ToolPrompt],
    /// Instructions of the user and the project.
    pub context_files: &'a [ContextFile],
    /// Skills; they are listed while the `read` tool is active.
    pub skills: &'a [Skill],
    /// Documentation of the program.
    pub docs: Option<&'a ProductDocs>,
    /// The command that prints it, where the program carries its documentation; named while the `bash` tool is active.
    pub docs_command: Option<&'a str>,
    /// Today, where the user is.
    pub date: Date,
    /// The working directory.
    pub cwd: &'a Path,
}

impl SystemPrompt<'_> {
    /// The text of the prompt.
    pub fn build(&self) -> String {
        let mut prompt = self.custom.map_or_else(|| self.default_text(), str::to_owned);
        for text in self.append {
            prompt.push_str("\n\n");
            prompt.push_str(text);
        }
        self.push_context(&mut prompt);
        self.push_skills(&mut prompt);
        let cwd = self.cwd.to_string_lossy().replace('\\', "/");
        prompt.push_str(&format!("\nCurrent date: {}\nCurrent working directory: {cwd}", self.date));
        prompt
    }

    fn default_text(&self) -> String {
        let bullets = |lines: Vec<String>| lines.iter().map(|line| format!("- {line}\n")).collect::<String>();
        let tools = match bullets(self.tool_lines()) {
            lines if lines.is_empty() => "(none)\n".to_owned(),
            lines => lines,
        };
        let guidelines = bullets(self.guidelines());
        let mut text = format!("{ROLE}\n\nAvailable tools:\n{tools}\n{OTHER_TOOLS}\n\nGuidelines:\n{guidelines}");
        if let Some(docs) = self.docs {
            text.push('\n');
            text.push_str(&docs_block(docs));
        }
        if let (None, Some(command), true) = (self.docs, self.docs_command, self.has_tool("bash")) {
            text.push_str(&format!(
                "\n{DOCS_INTRO}\n- `{command}` lists the pages, `{command} NAME` prints one (cli, settings, models, sessions, extensions, …)\n"
            ));
        }
        text.truncate(text.trim_end().len());
        text
    }

    fn tool_lines(&self) -> Vec<String> {
        let lines = self.tools.iter().filter_map(|tool| {
            let snippet = one_line(tool.snippet.as_deref()?);
            (!snippet.is_empty()).then(|| format!("{}: {snippet}", tool.name))
        });
        lines.collect()
    }

    /// Each rule once, in the order of its first appearance.
    fn guidelines(&self) -> Vec<String> {
        let explore = self.has_tool("bash") && !["grep", "find", "ls"].iter().any(|name| self.has_tool(name));
        let of_tools = self.tools.iter().flat_map(|tool| tool.guidelines.iter().map(|line| line.trim()));
        let all = explore.then_some(EXPLORE_WITH_BASH).into_iter().chain(of_tools).chain([BE_CONCISE, NAME_FILES]);
        let mut seen = HashSet::new();
        all.filter(|line| !line.is_empty() && seen.insert(*line)).map(str::to_owned).collect()
    }

    fn has_tool(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool.name == name)
    }

    fn push_context(&self, prompt: &mut String) {
        if self.context_files.is_empty() {
            return;
        }
        prompt.push_str(&format!("\n\n<project_context>\n\n{CONTEXT_INTRO}\n\n"));
        for file in self.context_files {
            let (path, content) = (file.path.display(), &file.content);
            prompt.push_str(&format!("<project_instructions path=\"{path}\">\n{content}\n</project_instructions>\n\n"));
        }
        prompt.push_str("</project_context>\n");
    }

    fn push_skills(&self, prompt: &mut String) {
        let Some(listing) = skill_listing(self.skills).filter(|_| self.has_tool("read")) else { return };
        prompt.push_str(if prompt.ends_with('\n') { "\n" } else { "\n\n" });
        prompt.push_str(&listing);
    }
}

const DOCS_INTRO: &str = "Documentation of pi itself. Read it only when the user asks about pi, its settings, sessions, skills, prompt templates, extensions or libraries, and read it before you answer:";

fn docs_block(docs: &ProductDocs) -> String {
    let mut text = format!("{DOCS_INTRO}\n- Overview: {}\n", docs.readme.display());
    if let Some(dir) = &docs.docs {
        text.push_str(&format!("- One page per topic: {}\n", dir.display()));
    }
    if let Some(dir) = &docs.examples {
        text.push_str(&format!("- Examples: {}\n", dir.display()));
    }
    text
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The date that the clock shows at this offset from UTC. Find the offset at the start of `main`: systems do not
/// tell it safely once there are threads.
pub fn local_date(clock: &dyn Clock, offset: UtcOffset) -> Date {
    let seconds = clock.now_ms().div_euclid(1000);
    // A time outside the calendar comes from a broken clock.
    let now = OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    now.checked_to_offset(offset).unwrap_or(now).date()
}
