//! Which addresses a page may link to.

/// A web or mail address; `None` for anything else, for example `javascript:`, `data:`, `file:` or a relative path.
pub(super) fn safe_link(address: &str) -> Option<&str> {
    const SCHEMES: [&str; 3] = ["https://", "http://", "mailto:"];
    let address = address.trim();
    let start = |scheme: &str| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    // Browsers drop line ends and tabs, which could hide what an address is.
    let clean = !address.chars().any(char::is_control);
    (clean && SCHEMES.iter().any(|scheme| start(scheme))).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_and_mail_addresses_are_linked() {
        for good in ["https://a.b/?q=\"<x>", "HTTP://a", "mailto:a@b", " https://a "] {
            assert_eq!(safe_link(good), Some(good.trim()));
        }
        for bad in
            ["", "javascript:alert(1)", "java\nscript:x", "data:text/html,x", "file:///etc", "//a", "https:/\n/a", "ä"]
        {
            assert_eq!(safe_link(bad), None, "{bad:?}");
        }
    }
}
