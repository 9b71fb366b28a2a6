//! Tells models apart by id and name: what they accept is nowhere else to be found.

use crate::model::Model;

const ADAPTIVE: [&str; 8] =
    ["opus-4-6", "opus-4-7", "opus-4-8", "sonnet-4-6", "fable-5", "haiku-5", "opus-5", "sonnet-5"];
const KNOWS_XHIGH: [&str; 6] = ["opus-4-7", "opus-4-8", "fable-5", "haiku-5", "opus-5", "sonnet-5"];
const CACHING: [&str; 6] = ["-4-", "claude-3-7-sonnet", "claude-3-5-haiku", "haiku-5", "opus-5", "sonnet-5"];

/// Id and name of a model in lower case, each also with dashes for separators.
#[derive(Debug, Clone)]
pub(super) struct Family {
    id: String,
    name: String,
    dashed: [String; 2],
}

impl Family {
    pub(super) fn of(model: &Model) -> Self {
        let (id, name) = (model.id.to_lowercase(), model.name.to_lowercase());
        let dashed = [dashed(&id), dashed(&name)];
        Self { id, name, dashed }
    }

    fn mentions(&self, part: &str) -> bool {
        let all = [&self.id, &self.name].into_iter().chain(&self.dashed);
        all.into_iter().any(|text| text.contains(part))
    }

    fn mentions_any(&self, parts: &[&str]) -> bool {
        parts.iter().any(|part| self.mentions(part))
    }

    /// Whether thinking comes signed and is asked for as Anthropic's models want it.
    pub(super) fn is_claude(&self) -> bool {
        self.id.contains("anthropic.claude") || self.id.contains("anthropic/claude") || self.name.contains("claude")
    }

    /// Whether the model decides by itself how much to think.
    pub(super) fn is_adaptive(&self) -> bool {
        self.mentions_any(&ADAPTIVE)
    }

    /// Whether it has an effort above `high`.
    pub(super) fn knows_xhigh(&self) -> bool {
        self.mentions_any(&KNOWS_XHIGH)
    }

    /// Whether the prompt may hold cache points. Application profiles may hide which model they lead to: `forced` is the
    /// word of somebody who knows.
    pub(super) fn caches(&self, forced: bool) -> bool {
        if self.mentions("claude") { self.mentions_any(&CACHING) } else { forced }
    }
}

/// Runs of white space, `_`, `.` and `:` as one dash.
fn dashed(text: &str) -> String {
    let is_separator = |c: char| c.is_whitespace() || matches!(c, '_' | '.' | ':');
    let mut dashed = String::with_capacity(text.len());
    let mut in_run = false;
    for c in text.chars() {
        if !is_separator(c) {
            dashed.push(c);
        } else if !in_run {
            dashed.push('-');
        }
        in_run = is_separator(c);
    }
    dashed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn family(id: &str, name: &str) -> Family {
        Family::of(&Model { id: id.into(), name: name.into(), ..Model::default() })
    }

    #[test]
    fn separators_do_not_matter() {
        let hidden = family("arn:aws:bedrock:eu-west-1:1:application-inference-profile/x", "Claude  Opus_4.7");
        assert!(hidden.is_claude() && hidden.is_adaptive() && hidden.knows_xhigh() && hidden.caches(false));
        let sonnet = family("us.anthropic.claude-sonnet-4-6", "");
        assert!(sonnet.is_claude() && sonnet.is_adaptive() && !sonnet.knows_xhigh());
        let newer = family("eu.anthropic.claude-sonnet-5", "");
        assert!(newer.is_adaptive() && newer.knows_xhigh());
        assert!(!family("anthropic.claude-sonnet-4-5-20250929-v1:0", "Claude Sonnet 4.5").is_adaptive());
    }

    #[test]
    fn who_caches() {
        for (id, caches) in [
            ("anthropic.claude-sonnet-4-5-20250929-v1:0", true),
            ("anthropic.claude-3-7-sonnet-20250219-v1:0", true),
            ("anthropic.claude-3-5-haiku-20241022-v1:0", true),
            ("anthropic.claude-3-5-sonnet-20240620-v1:0", false),
            ("us.anthropic.claude-opus-5-5", true),
            ("anthropic.claude-fable-5", false),
            ("amazon.nova-pro-v1:0", false),
        ] {
            assert_eq!(family(id, "").caches(false), caches, "{id}");
        }
        assert!(family("amazon.nova-pro-v1:0", "").caches(true));
        assert!(!family("anthropic.claude-fable-5", "").caches(true));
    }
}
