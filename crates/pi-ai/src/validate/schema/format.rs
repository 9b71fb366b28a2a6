//! Formats of strings. Names of other formats mean nothing, as the specification has it; those of international hosts and
//! mail addresses are among them.

use std::net::{Ipv4Addr, Ipv6Addr};

use regex::Regex;

use super::draft::Draft;

/// A format that is checked.
#[derive(Debug)]
pub(super) struct Format {
    name: String,
    check: Check,
}

#[derive(Debug)]
enum Check {
    Shape(Regex),
    Call(fn(&str) -> bool),
}

const DATE: &str = "^([0-9]{4})-([0-9]{2})-([0-9]{2})$";
const TIME: &str =
    r"^([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9]|60)(?:\.[0-9]+)?(?:[zZ]|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))$";
const UUID: &str = "^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$";
const POINTER: &str = "^(?:/(?:[^~/]|~[01])*)*$";
const RELATIVE_POINTER: &str = "^(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^~/]|~[01])*)*)$";
const DURATION: &str = "^P(?:[0-9]+W|(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)(?:TIME)?|TIME)$";
const DURATION_TIME: &str = "T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)";
const TEMPLATE: &str = r#"^(?:[^\x00-\x20"<>%\\^`{|}\x7f]|%HH|\{[+#./;?&=,!@|]?VAR(?:,VAR)*\})*$"#;
const TEMPLATE_NAME: &str = r"(?:[A-Za-z0-9_]|%HH)+(?:\.(?:[A-Za-z0-9_]|%HH)+)*(?::[1-9][0-9]{0,3}|\*)?";
/// `SCHEME`, then authority and path, or a path whose first part has no colon where there is no scheme.
const URI: &str = r"^SCHEME(?://(?:(?:[:UC]|%HH)*@)?(?:\[[0-9A-Fa-f:.]+\]|(?:[UC]|%HH)*)(?::[0-9]*)?(?:/(?:[:@/UC]|%HH)*)?|PATH)(?:\?(?:[:@/?UC]|%HH)*)?(?:\#(?:[:@/?UC]|%HH)*)?$";
const SCHEME: &str = "[A-Za-z][A-Za-z0-9+.-]*:";
/// Unreserved characters and those between parts, inside of a class.
const ASCII_UNRESERVED: &str = r"A-Za-z0-9._~!$&'()*+,;=\-";
const HEX: &str = "[0-9A-Fa-f]{2}";

impl Format {
    /// The check for a format of this draft.
    pub(super) fn new(name: &str, draft: Draft) -> Option<Self> {
        let since = match name {
            "json-pointer" | "uri-reference" | "uri-template" => Draft::D6,
            "iri" | "iri-reference" | "relative-json-pointer" => Draft::D7,
            "duration" | "uuid" => Draft::D2019,
            _ => Draft::D4,
        };
        if draft < since {
            return None;
        }
        let shape = |text: &str| Regex::new(text).ok().map(Check::Shape);
        let check = match name {
            "date" => Some(Check::Call(is_date)),
            "time" => Some(Check::Call(is_time)),
            "date-time" => Some(Check::Call(is_date_time)),
            "duration" => shape(&DURATION.replace("TIME", DURATION_TIME)),
            "uuid" => shape(UUID),
            "ipv4" => Some(Check::Call(|text| text.parse::<Ipv4Addr>().is_ok())),
            "ipv6" => Some(Check::Call(|text| text.parse::<Ipv6Addr>().is_ok())),
            "hostname" => Some(Check::Call(is_host)),
            "email" => Some(Check::Call(is_email)),
            "regex" => Some(Check::Call(jsonschema_regex::is_valid_ecma_regex)),
            "json-pointer" => shape(POINTER),
            "relative-json-pointer" => shape(RELATIVE_POINTER),
            "uri-template" => shape(&TEMPLATE.replace("VAR", TEMPLATE_NAME).replace("HH", HEX)),
            "uri" => shape(&uri(Kind::Absolute, ASCII_UNRESERVED)),
            "uri-reference" => shape(&uri(Kind::Reference, ASCII_UNRESERVED)),
            "iri" => shape(&uri(Kind::Absolute, &format!("{ASCII_UNRESERVED}\\u{{a0}}-\\u{{10ffff}}"))),
            "iri-reference" => shape(&uri(Kind::Reference, &format!("{ASCII_UNRESERVED}\\u{{a0}}-\\u{{10ffff}}"))),
            _ => None,
        };
        check.map(|check| Self { name: name.to_owned(), check })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether a text has the format.
    pub(super) fn accepts(&self, text: &str) -> bool {
        match &self.check {
            Check::Shape(regex) => regex.is_match(text),
            Check::Call(check) => check(text),
        }
    }
}

/// Whether an address has to begin with a scheme.
#[derive(Clone, Copy)]
enum Kind {
    Absolute,
    Reference,
}

fn uri(kind: Kind, unreserved: &str) -> String {
    let rest = URI.replace("UC", unreserved).replace("HH", HEX);
    let any = format!("(?:[:@/{unreserved}]|%{HEX})*");
    let with_scheme =
        rest.replace("SCHEME", SCHEME).replace("PATH", &format!("/?(?:(?:[:@{unreserved}]|%{HEX}){any})?"));
    match kind {
        Kind::Absolute => with_scheme,
        Kind::Reference => {
            let first = format!("(?:(?:[@{unreserved}]|%{HEX})+(?:/{any})?|/(?:(?:[:@{unreserved}]|%{HEX}){any})?)?");
            let without = rest.replace("SCHEME", "").replace("PATH", &first);
            format!("(?:{with_scheme})|(?:{without})")
        }
    }
}

fn captures(shape: &str, text: &str) -> Option<Vec<String>> {
    let found = Regex::new(shape).ok()?;
    let found = found.captures(text)?;
    Some(found.iter().map(|part| part.map_or_else(String::new, |part| part.as_str().to_owned())).collect())
}

fn is_date(text: &str) -> bool {
    let Some(parts) = captures(DATE, text) else { return false };
    let [year, month, day] = [1, 2, 3].map(|part| parts[part].parse::<u16>().unwrap_or_default());
    let is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// A leap second is the last one of a day in UTC.
fn is_time(text: &str) -> bool {
    let Some(parts) = captures(TIME, text) else { return false };
    if parts[3] != "60" {
        return true;
    }
    let minutes = |hour: usize| {
        let [hours, minutes] = [hour, hour + 1].map(|part| parts[part].parse::<i32>().unwrap_or_default());
        hours * 60 + minutes
    };
    let offset = if parts[4] == "-" { -minutes(5) } else { minutes(5) };
    (minutes(1) - offset).rem_euclid(24 * 60) == 24 * 60 - 1
}

fn is_date_time(text: &str) -> bool {
    text.split_once(['T', 't']).is_some_and(|(date, time)| is_date(date) && is_time(time))
}

fn is_host(text: &str) -> bool {
    let fits = |char: char| char.is_ascii_alphanumeric() || char == '-';
    let is_label = |label: &str| {
        let length = label.len();
        (1..=63).contains(&length) && !label.starts_with('-') && !label.ends_with('-') && label.chars().all(fits)
    };
    // The third and fourth place of a label are for the mark of encoded ones.
    let is_marked = |label: &str| label.get(2..4) != Some("--") || label[..2].eq_ignore_ascii_case("xn");
    text.len() <= 253 && text.split('.').all(|label| is_label(label) && is_marked(label))
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let fits = |char: char| char.is_ascii_alphanumeric() || "!#$%&'*+/=?^_`{|}~-".contains(char);
    let quoted = local.strip_prefix('"').and_then(|local| local.strip_suffix('"'));
    let is_local = match quoted {
        Some(inner) => is_quoted(inner),
        None => local.split('.').all(|part| !part.is_empty() && part.chars().all(fits)),
    };
    is_local && local.len() <= 64 && is_mail_domain(domain)
}

/// What stands between quotes: visible characters and blanks, quotes and backslashes behind a backslash.
fn is_quoted(inner: &str) -> bool {
    let mut chars = inner.chars();
    while let Some(char) = chars.next() {
        let is_fine = match char {
            '\\' => chars.next().is_some_and(|escaped| escaped.is_ascii_graphic() || escaped == ' '),
            '"' => false,
            char if char.is_ascii() => char.is_ascii_graphic() || char == ' ' || char == '\t',
            _ => false,
        };
        if !is_fine {
            return false;
        }
    }
    true
}

fn is_mail_domain(domain: &str) -> bool {
    let Some(address) = domain.strip_prefix('[').and_then(|domain| domain.strip_suffix(']')) else {
        return is_host(domain);
    };
    match address.get(..5).filter(|tag| tag.eq_ignore_ascii_case("IPv6:")) {
        Some(_) => address[5..].parse::<Ipv6Addr>().is_ok(),
        None => address.parse::<Ipv4Addr>().is_ok(),
    }
}
