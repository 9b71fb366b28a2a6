//! The pages that the browser shows at the end of a login. They load nothing and run nothing.

/// The page after a login that worked.
pub(super) fn success() -> String {
    page("Logged in", "The login has reached pi. You can close this window and return to the terminal.")
}

/// The page after a login that did not.
pub(super) fn failure(reason: &str) -> String {
    page("Login failed", &format!("{reason}. Return to the terminal to try again."))
}

/// The page for everything else.
pub(super) fn not_found() -> String {
    page("Not found", "Nothing is here but the end of a login.")
}

fn page(title: &str, text: &str) -> String {
    let text = escape(text);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title} · pi</title>\n\
         <style>\nbody {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 20vh auto; padding: 0 1rem; \
         color-scheme: light dark; }}\n</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>{text}</p>\n</body>\n</html>\n"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_a_server_says_is_shown_as_text() {
        let page = super::failure("<script>alert(\"x\")</script>&");
        assert!(page.contains("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;."), "{page}");
    }
}
