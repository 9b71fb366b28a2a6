//! Words of a query that are known by their shape: `#general` is a channel, whoever has a tool for channels.

use super::terms::is_number;

/// What the words of a query are, as words that tools may have.
pub(super) fn shapes(query: &str) -> impl Iterator<Item = &'static str> {
    query.split_whitespace().filter_map(|word| shape(word.trim_end_matches(['.', ',', '?', '!', ':', ';', ')'])))
}

fn shape(word: &str) -> Option<&'static str> {
    if let Some(name) = word.strip_prefix('#') {
        return Some(if is_number(name) { "issue" } else { "channel" }).filter(|_| !name.is_empty());
    }
    if let Some(name) = word.strip_prefix('@') {
        return (!name.is_empty()).then_some("user");
    }
    if word.contains("://") || word.starts_with("www.") {
        return Some("url");
    }
    if word.contains('@') && word.contains('.') {
        return Some("email");
    }
    if let Some((project, number)) = word.rsplit_once('-') {
        let is_project = project.len() > 1 && project.chars().all(|letter| letter.is_ascii_uppercase());
        return (is_project && is_number(number)).then_some("ticket");
    }
    match word.rsplit_once('.') {
        Some((site, "com" | "org" | "net" | "io" | "dev" | "app")) if !site.is_empty() => Some("url"),
        Some((file, end)) if !file.is_empty() && (1..=4).contains(&end.len()) && !is_number(end) => Some("file"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_by_their_shape() {
        for (query, expected) in [
            ("post in #general, please", "channel"),
            ("close #17", "issue"),
            ("what is PROJ-99?", "ticket"),
            ("go to example.com", "url"),
            ("read https://a.b/c", "url"),
            ("open notes.txt.", "file"),
            ("write to bob@example.com", "email"),
            ("ask @bob", "user"),
        ] {
            assert_eq!(shapes(query).collect::<Vec<_>>(), [expected], "{query}");
        }
        assert_eq!(shapes("a # sign, version 1.2, well-known e-mail COVID-x - and @").count(), 0);
    }
}
