//! Reads past comments, `//` and `/* */`, and past commas before a closing bracket.

/// Blanks out comments and trailing commas. Every other byte keeps its place, so the positions that a JSON parser
/// reports are those of the file. Text inside strings is left alone.
pub(crate) fn strip_comments(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    // The last comma that nothing but blanks and comments has followed.
    let mut comma = None;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = string_end(&bytes, at);
                comma = None;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = blank_line(&mut bytes, at);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = blank_block(&mut bytes, at);
                continue;
            }
            b',' => comma = Some(at),
            b'}' | b']' => {
                if let Some(comma) = comma.take() {
                    bytes[comma] = b' ';
                }
            }
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => comma = None,
        }
        at += 1;
    }
    // Whole characters were replaced by blanks, so the text is still UTF-8.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// The position after the string that starts at `start`.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Blanks out the rest of the line and returns the position after it.
fn blank_line(bytes: &mut [u8], start: usize) -> usize {
    let end = memchr::memchr2(b'\n', b'\r', &bytes[start..]).map_or(bytes.len(), |found| start + found);
    bytes[start..end].fill(b' ');
    end
}

/// Blanks out a block comment, all but its line ends, and returns the position after it.
fn blank_block(bytes: &mut [u8], start: usize) -> usize {
    let end = memchr::memmem::find(&bytes[start + 2..], b"*/").map_or(bytes.len(), |found| start + found + 4);
    bytes[start..end].iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn comments_and_trailing_commas_become_blanks() {
        for (text, expected) in [
            ("{}", "{}"),
            ("{ // x\n}", "{     \n}"),
            ("[1,]", "[1 ]"),
            ("[1, // ü\n ]", "[1       \n ]"),
            ("[1,,]", "[1, ]"),
            (r#"{"a":"// no, }","b":1,}"#, r#"{"a":"// no, }","b":1 }"#),
            (r#"["\"//",]"#, r#"["\"//" ]"#),
            ("[1,/* \n,] */]", "[1    \n     ]"),
            ("/*/ 1 */2", "        2"),
            ("[1 /* ü", "[1      "),
            (r#"["/*", "*/"]"#, r#"["/*", "*/"]"#),
            ("//", "  "),
            (r#"["a"#, r#"["a"#),
        ] {
            assert_eq!(strip_comments(text), expected, "{text}");
        }
    }

    fn json() -> impl Strategy<Value = serde_json::Value> {
        use serde_json::Value;
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[a-z/,\\]}\"\\\\ü]{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 20, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[a-z/,}\"]{0,5}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn valid_json_is_unchanged(value in json()) {
            for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
                prop_assert_eq!(strip_comments(&text), text);
            }
        }

        #[test]
        fn comments_change_nothing(value in json(), comment in "[^\r\n]{0,10}") {
            let pretty = serde_json::to_string_pretty(&value).unwrap();
            let commented: String = pretty.lines().map(|line| format!("{line} // {comment}\n")).collect();
            let stripped = strip_comments(&commented);
            prop_assert_eq!(stripped.len(), commented.len());
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&stripped).unwrap(), value);
        }

        #[test]
        fn any_text_keeps_its_lines(text in ".{0,60}") {
            let stripped = strip_comments(&text);
            prop_assert_eq!(stripped.len(), text.len());
            prop_assert_eq!(stripped.matches('\n').count(), text.matches('\n').count());
        }
    }
}
