//! Images inline, and only what is certain to be one.

use super::writer::Html;

/// Writes an image of base64 data. Types that are more than pixels (SVG) and data that is no base64 are named instead.
pub(super) fn image(html: &mut Html, data: &str, mime_type: &str) {
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    match known(mime_type).filter(|_| !data.is_empty() && data.bytes().all(is_base64)) {
        Some(source) => html.raw("<img alt=\"Image\" loading=\"lazy\" src=\"").raw(source).text(data).raw("\">"),
        None => html.raw("<p class=\"note\">Image of type “").text(mime_type).raw("”, not shown</p>"),
    };
}

fn known(mime_type: &str) -> Option<&'static str> {
    match mime_type {
        "image/png" => Some("data:image/png;base64,"),
        "image/jpeg" => Some("data:image/jpeg;base64,"),
        "image/gif" => Some("data:image/gif;base64,"),
        "image/webp" => Some("data:image/webp;base64,"),
        _ => None,
    }
}
