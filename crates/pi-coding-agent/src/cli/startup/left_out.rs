//! What the user may take for granted and is not there: one line each, with the way out.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::Start;
use crate::agent_session::AgentSession;
use crate::modes::InitialPrompts;
use crate::trust::{stored_decision, trust_subjects};

/// So many names are listed.
const LISTED: usize = 4;

impl Start {
    /// Says what of the project does not count because it is not trusted, unless that was decided.
    pub(super) fn report_untrusted(&mut self, cwd: &Path) {
        if self.settings.is_project_trusted() || self.line.approval.is_some() || self.trust_was_decided {
            return;
        }
        let subjects = trust_subjects(cwd, self.paths.env().home().as_deref());
        // A no is a decision, and what cannot be read was told.
        let is_decided = stored_decision(&self.paths.trust_file(), cwd).map_or(true, |decision| decision.is_some());
        if subjects.is_empty() || is_decided {
            return;
        }
        let names = subjects.iter().map(|path| path.strip_prefix(cwd).unwrap_or(path).display().to_string());
        let mut names: Vec<String> = names.collect();
        let more = names.len().saturating_sub(LISTED);
        names.truncate(LISTED);
        if more > 0 {
            names.push(format!("{more} more"));
        }
        self.diagnostics.warning(format!(
            "this project is not trusted, so these do not count: {}. To trust it: pi trust, or --approve for one run; --no-approve says nothing",
            names.join(", ")
        ));
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
