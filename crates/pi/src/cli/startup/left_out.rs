//! What the user may take for granted and is not there: one line each, with the way out.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::Startup;
use crate::modes::InitialPrompts;
use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::host::project_dirs::outer_dirs;
use pi_coding_agent::trust::{stored_decision, trust_subjects, undecided_subjects};

/// So many names are listed.
const LISTED: usize = 4;

impl Startup {
    /// Says what of the project does not count because it is not trusted, unless that was decided.
    pub(super) fn report_untrusted(&mut self, cwd: &Path) {
        if self.needs_no_trust || self.trust_was_decided {
            return;
        }
        let subjects = self.left_out(cwd);
        if subjects.is_empty() {
            return;
        }
        self.diagnostics.warning(untrusted(cwd, &subjects));
    }

    /// What nobody has decided about: all of the project, or what is above a directory that is trusted by itself.
    fn left_out(&self, cwd: &Path) -> Vec<PathBuf> {
        if !self.settings.is_project_trusted() {
            return undecided_subjects(&self.paths, cwd);
        }
        let home = self.paths.env().home();
        let is_open = |dir: &Path| matches!(stored_decision(&self.paths.trust_file(), dir), Ok(None));
        let counted: Vec<PathBuf> =
            self.settings.resources().outer_projects().into_iter().map(|project| project.dir).collect();
        let mut left_out = outer_dirs(cwd, home.as_deref());
        left_out.retain(|dir| !counted.contains(dir) && dir.parent().is_some_and(is_open));
        if left_out.is_empty() {
            return left_out;
        }
        let mut subjects = trust_subjects(cwd, home.as_deref());
        subjects.retain(|subject| left_out.iter().any(|dir| subject.starts_with(dir)));
        subjects
    }

    /// Says which paths of options are not there.
    pub(super) fn report_missing(&mut self) {
        let args = &self.line.args;
        let named = [("--skill", &args.skill), ("--prompt-template", &args.prompt_template)];
        let mut warnings = Vec::new();
        for (option, path) in named.into_iter().flat_map(|(option, paths)| paths.iter().map(move |path| (option, path)))
        {
            let reason = match fs::metadata(self.paths.resolve(&path.to_string_lossy())) {
                Ok(_) => continue,
                Err(error) if error.kind() == ErrorKind::NotFound => "there is no such file or directory".to_owned(),
                Err(error) => format!("it cannot be looked at: {error}"),
            };
            warnings.push(format!("{option} {}: {reason}", path.display()));
        }
        let prompts = args.system_prompt.iter().map(|text| ("--system-prompt", text));
        let prompts = prompts.chain(args.append_system_prompt.iter().map(|text| ("--append-system-prompt", text)));
        for (option, text) in prompts.filter(|(_, text)| looks_like_a_file(text)) {
            if !self.paths.cwd().join(text).exists() {
                warnings.push(format!("{option} {text}: there is no such file, so this text itself is the prompt"));
            }
        }
        warnings.iter().for_each(|warning| self.diagnostics.warning(warning));
    }

    /// Says that the model will not see attached images.
    pub(super) fn report_unseen(&mut self, prompts: &InitialPrompts, session: &AgentSession) {
        let model = session.model();
        // Without a key there is no model, which is told soon.
        if prompts.images.is_empty() || model.accepts_images() || model.provider == "unknown" {
            return;
        }
        self.diagnostics.warning(format!(
            "{}/{} takes no images: it is told the names of the attached ones only. pi models says which models take some",
            model.provider, model.id
        ));
    }
}

/// The line about a project that is not trusted, for who has not decided about it: which parts of it do not count.
pub(super) fn untrusted(cwd: &Path, subjects: &[PathBuf]) -> String {
    let names = subjects.iter().map(|path| path.strip_prefix(cwd).unwrap_or(path).display().to_string());
    let mut names: Vec<String> = names.collect();
    let more = names.len().saturating_sub(LISTED);
    names.truncate(LISTED);
    if more > 0 {
        names.push(format!("{more} more"));
    }
    format!(
        "this project is not trusted, so these do not count: {}. To trust it: pi trust, or --approve for one run; --no-approve says nothing",
        names.join(", ")
    )
}

/// Whether a text is more likely a path than a prompt: one word with a slash or the ending of a text file in it.
fn looks_like_a_file(text: &str) -> bool {
    let ends_like_one =
        [".md", ".txt", ".markdown", ".prompt"].iter().any(|ending| text.to_lowercase().ends_with(ending));
    !text.contains(char::is_whitespace) && (text.contains('/') || ends_like_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_from_prompts() {
        for (text, expected) in [
            ("prompts/review.md", true),
            ("./system", true),
            ("SYSTEM.MD", true),
            ("Be brief.", false),
            ("Read README.md", false),
            ("brief", false),
            ("", false),
        ] {
            assert_eq!(looks_like_a_file(text), expected, "{text}");
        }
    }
}
