//! Paths such as `$.files[0]['full name']`, by which pieces of arguments say where they belong. Only paths to one place:
//! no wildcards, filters or slices (RFC 9535 calls them normalised, and also allows the dots).

/// Paths may be this deep. What is deeper could not be read back: see the limit of partial JSON.
const MAX_DEPTH: usize = 100;

/// One step down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// To a member of an object.
    Key(String),
    /// To an element of an array.
    Index(usize),
}

/// The steps of a path; `None` when it cannot be read, names the whole, or is too deep.
pub(super) fn parse(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        let (step, after) = match rest.strip_prefix('.') {
            Some(name) => member(name)?,
            None => bracketed(rest.strip_prefix('[')?)?,
        };
        if steps.len() == MAX_DEPTH {
            return None;
        }
        steps.push(step);
        rest = after;
    }
    // Arguments are an object.
    matches!(steps.first(), Some(Step::Key(_))).then_some(steps)
}

fn member(rest: &str) -> Option<(Step, &str)> {
    let end = rest.find(['.', '[']).unwrap_or(rest.len());
    (end > 0).then(|| (Step::Key(rest[..end].to_owned()), &rest[end..]))
}

fn bracketed(rest: &str) -> Option<(Step, &str)> {
    let quote = rest.chars().next()?;
    if matches!(quote, '\'' | '"') {
        let (name, after) = quoted(&rest[1..], quote)?;
        return Some((Step::Key(name), after.strip_prefix(']')?));
    }
    let (index, after) = rest.split_once(']')?;
    let is_number = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
    Some((Step::Index(index.parse().ok().filter(|_| is_number)?), after))
}

/// A name up to its closing quote, and what follows.
fn quoted(rest: &str, quote: char) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut characters = rest.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            end if end == quote => return Some((name, &rest[at + 1..])),
            '\\' => name.push(escaped(&mut characters)?),
            other => name.push(other),
        }
    }
    None
}

/// The character that an escape stands for; halves of surrogate pairs become U+FFFD.
fn escaped(characters: &mut std::str::CharIndices<'_>) -> Option<char> {
    Some(match characters.next()?.1 {
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => {
            let code = (0..4).try_fold(0, |code, _| Some(code * 16 + characters.next()?.1.to_digit(16)?))?;
            char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let key = |name: &str| Step::Key(name.to_owned());
        for (path, expected) in [
            ("$.a", vec![key("a")]),
            ("$.a.b_c[12].d", vec![key("a"), key("b_c"), Step::Index(12), key("d")]),
            ("$['full name'][\"x.y\"]", vec![key("full name"), key("x.y")]),
            (r"$['it\'s'].ü", vec![key("it's"), key("ü")]),
            (r#"$["\u00e9\n\\"]"#, vec![key("é\n\\")]),
            ("$['']", vec![key("")]),
        ] {
            assert_eq!(parse(path).as_ref(), Some(&expected), "{path}");
        }
        let deep = format!("${}", ".a".repeat(MAX_DEPTH + 1));
        for path in
            ["", "$", "a", "$a", "$.", "$..a", "$[0]", "$.a[", "$.a[]", "$.a[-1]", "$.a[+1]", "$.a[*]", "$['a", &deep]
        {
            assert_eq!(parse(path), None, "{path}");
        }
        assert_eq!(parse("$.a[99999999999999999999999]"), None);
        assert_eq!(parse(r"$['\u12']"), None);
    }
}
