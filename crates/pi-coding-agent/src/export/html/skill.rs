//! Skills in a user's message: instructions that a command put in front of what the user typed.

/// `<skill name="…" location="…">`, line end, body, line end, `</skill>`, blank line, what the user added.
pub(super) struct Skill<'a> {
    pub(super) name: &'a str,
    pub(super) body: &'a str,
    pub(super) rest: &'a str,
}

impl<'a> Skill<'a> {
    /// The skill that a text begins with.
    pub(super) fn in_front_of(text: &'a str) -> Option<Self> {
        let (name, text) = text.strip_prefix("<skill name=\"")?.split_once("\" location=\"")?;
        let (location, text) = text.split_once("\">\n")?;
        if name.contains(['"', '\n']) || location.contains(['"', '\n']) {
            return None;
        }
        match text.strip_suffix("\n</skill>") {
            Some(body) => Some(Self { name, body, rest: "" }),
            None => text.split_once("\n</skill>\n\n").map(|(body, rest)| Self { name, body, rest }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_skills_in_front_count() {
        let parts = |text| Skill::in_front_of(text).map(|skill| (skill.name, skill.body, skill.rest));
        let whole = "<skill name=\"a\" location=\"/b\">\nbody\n</skill>";
        assert_eq!(parts(whole), Some(("a", "body", "")));
        let longer = format!("{whole}\n\nand more");
        assert_eq!(parts(&longer), Some(("a", "body", "and more")));
        for text in
            ["", "see <skill>", &format!(" {whole}"), &format!("{whole} more"), "<skill name=\"a\" location=\"/b\">\n"]
        {
            assert_eq!(parts(text), None, "{text}");
        }
    }
}
