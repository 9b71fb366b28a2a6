//! Takes out of recordings what differs between runs.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::extension_examples::package::Package;
use pi_test_kit::World;

/// What is replaced, in this order.
const PATTERNS: &[(&str, &str)] = &[
    // Each program has its own colours, and its own opinion about bold and struck-out text where there is no terminal.
    (r"\x1b\[(38|48);5;\d+m", "\u{1b}[${1};COLOURm"),
    (r"\x1b\[([1-9]|2[2-9])m", ""),
    (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID"),
    (r"\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d[.-]\d{3}Z", "TIME"),
    (r"\b\d{1,2}/\d{1,2}/\d{4}, \d{1,2}:\d\d:\d\d[ \u{202f}][AP]M\b", "LOCAL-TIME"),
    (r"\b1[6-9]\d{11}\b", "MILLISECONDS"),
    (r"/tmp/(pi-[a-z]+-)[A-Za-z0-9]+", "/tmp/${1}RANDOM"),
    (r"\b[0-9a-f]*[0-9][0-9a-f]*[a-f][0-9a-f]{5,}\b|\b[0-9a-f]{7,8}\b|\b[0-9a-f]{40}\b", "HEX"),
    (r"\d+ chars\b", "N chars"),
    (r"127\.0\.0\.1:\d+", "LOOPBACK"),
];

/// From so many lines on only the first and the last ones are written down.
const LONG: usize = 60;
/// So many of either.
const SHOWN: usize = 4;

/// Masks text and JSON of one run.
pub(crate) struct Mask<'r> {
    world: &'r World,
    package: &'r Package,
}

impl<'r> Mask<'r> {
    pub(crate) fn new(world: &'r World, package: &'r Package) -> Self {
        Self { world, package }
    }

    pub(crate) fn text(&self, text: &str) -> String {
        static REGEXES: LazyLock<Vec<(Regex, &str)>> =
            LazyLock::new(|| PATTERNS.iter().map(|(pattern, mask)| (Regex::new(pattern).unwrap(), *mask)).collect());
        let text = text.replace(self.package.dir().to_str().unwrap(), "PACKAGE");
        let text = self.world.mask(&text);
        let text = REGEXES.iter().fold(text, |text, (regex, mask)| regex.replace_all(&text, *mask).into_owned());
        shortened(text)
    }

    /// All texts in it, and numbers that are times.
    pub(crate) fn json(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Number(number) if number.as_f64().is_some_and(|number| number > 1.6e12) => {
                *value = "MILLISECONDS".into();
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.json(item)),
            Value::Object(fields) => fields.values_mut().for_each(|field| self.json(field)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// A long text without its middle: in its place stands how many lines it has, and a checksum of them.
fn shortened(text: String) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.len() < LONG {
        return text;
    }
    let middle = &lines[SHOWN..lines.len() - SHOWN];
    let (first, last) = (lines[..SHOWN].concat(), lines[lines.len() - SHOWN..].concat());
    format!("{first}[{} lines, {:016x}]\n{last}", middle.len(), checksum(middle.concat().as_bytes()))
}

/// FNV-1a: the same in every version of everything.
fn checksum(bytes: &[u8]) -> u64 {
    let step = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}
