//! Attacks, and a session that carries one in every field that it has.
//!
//! The payloads are our own, after the usual families: elements, attributes, addresses, comments, ends of script and
//! style, Markdown, encodings. Each would set `data-pwned` on the page's root.

use serde_json::{Value, json};

use crate::support::{assistant, call, message, user};

/// What an attack does.
macro_rules! pwn {
    () => {
        "document.documentElement.dataset.pwned=1"
    };
}

#[rustfmt::skip]
pub(crate) const PAYLOADS: &[&str] = &[
    concat!("<script>", pwn!(), "</script>"),
    concat!("<ScRiPt >", pwn!(), "</sCrIpT >"),
    concat!("</script><script>", pwn!(), "</script>"),
    concat!("</style><script>", pwn!(), "</script>"),
    concat!("</title><script>", pwn!(), "</script>"),
    concat!("</pre></code><script>", pwn!(), "</script>"),
    concat!("</textarea></select><script>", pwn!(), "</script>"),
    concat!("</summary></details></main><script>", pwn!(), "</script>"),
    concat!("--><script>", pwn!(), "</script><!--"),
    concat!("<!--><script>", pwn!(), "</script>-->"),
    concat!("]]><script>", pwn!(), "</script>"),
    concat!("<img src=x onerror=", pwn!(), ">"),
    concat!("<img src=x onerror=\"", pwn!(), "\""),
    concat!("<img/src=x/onerror=", pwn!(), ">"),
    concat!("\"><img src=x onerror=", pwn!(), ">"),
    concat!("'><img src=x onerror=", pwn!(), ">"),
    concat!("\" onmouseover=\"", pwn!(), "\" x=\""),
    concat!("' onmouseover='", pwn!(), "' x='"),
    concat!("\" autofocus onfocus=\"", pwn!()),
    concat!("` onclick=", pwn!(), " `"),
    concat!("<svg onload=", pwn!(), ">"),
    concat!("<svg><script>", pwn!(), "</script></svg>"),
    concat!("<svg><animate onbegin=", pwn!(), " attributeName=x dur=1s>"),
    concat!("<math><mtext><table><mglyph><style><img src=x onerror=", pwn!(), ">"),
    concat!("<body onload=", pwn!(), ">"),
    concat!("<details open ontoggle=", pwn!(), ">"),
    concat!("<input autofocus onfocus=", pwn!(), ">"),
    concat!("<video><source onerror=", pwn!(), "></video>"),
    concat!("<iframe srcdoc=\"<script>parent.", pwn!(), "</script>\"></iframe>"),
    concat!("<iframe src=\"javascript:parent.", pwn!(), "\"></iframe>"),
    concat!("<object data=\"javascript:", pwn!(), "\"></object>"),
    concat!("<a href=\"javascript:", pwn!(), "\">click</a>"),
    concat!("<form action=\"javascript:", pwn!(), "\"><button>go</button></form>"),
    concat!("<base href=\"javascript:/a/-", pwn!(), "//\">"),
    concat!("<meta http-equiv=refresh content=\"0;url=javascript:", pwn!(), "\">"),
    concat!("<link rel=stylesheet href=\"data:text/css,*{}\" onload=", pwn!(), ">"),
    concat!("<style>@keyframes x{}</style><b style=\"animation-name:x\" onanimationstart=", pwn!(), ">x</b>"),
    concat!("[click](javascript:", pwn!(), ")"),
    concat!("[click](JaVaScRiPt:", pwn!(), ")"),
    concat!("[click](java&#10;script:", pwn!(), ")"),
    concat!("[click](&#106;avascript:", pwn!(), ")"),
    concat!("[click](<javascript:", pwn!(), "> \"title\" )"),
    concat!("[click](https://a.b/\"onmouseover=\"", pwn!(), ")"),
    concat!("![x](javascript:", pwn!(), ")"),
    concat!("![x\" onerror=\"", pwn!(), "](https://a.b/c.png)"),
    concat!("<javascript:", pwn!(), ">"),
    concat!("[a]: javascript:", pwn!(), "\n\n[a]"),
    concat!("```\"><script>", pwn!(), "</script>\nx\n```\n\n```html\n<script>", pwn!(), "</script>"),
    concat!("| <script>", pwn!(), "</script> |\n|---|\n| `</code><script>", pwn!(), "</script>` |"),
    concat!("&lt;script&gt;", pwn!(), "&lt;/script&gt;&#60;script&#62;", pwn!(), "&#60;/script&#62;"),
    concat!("\u{0}<script\u{0}>", pwn!(), "</script>\r\n\u{1b}]0;x\u{7}\u{2028}\u{202e}"),
    concat!("data:text/html,<script>", pwn!(), "</script>"),
    concat!("image/svg+xml;base64,\" onerror=\"", pwn!()),
    concat!("--></noscript><plaintext><script>", pwn!(), "</script>"),
    concat!("see https://a.b/\"onmouseover=\"", pwn!(), "\" and http://a.b/'onfocus='", pwn!(), "'"),
    concat!("https://a.b/<img/src=x/onerror=", pwn!(), "> (https://a.b/`\"><script>", pwn!(), "</script>)"),
    concat!("https://javascript:", pwn!(), "/ javascript://a.b/%0a", pwn!(), " http://\u{202e}a"),
    concat!("[https://a.b/\"onclick=\"", pwn!(), "](https://c.d) ![https://e.f](https://g.h/'onload='", pwn!(), ")"),
    concat!("%3C/script>%3Cscript>", pwn!(), "%3C/script> <!--<script>", pwn!(), "</script><!-- %"),
    concat!("</SCRIPT\t/><script>", pwn!(), "</script></script foo=\">\">"),
];

/// The header of a session that carries an attack.
pub(crate) fn hostile_header(payload: &str) -> Value {
    json!({"type": "session", "version": 3, "id": payload, "timestamp": payload, "cwd": payload, "parentSession": payload,
        payload: payload})
}

/// Entries that carry an attack in each of their fields.
pub(crate) fn hostile_entries(p: &str) -> Vec<Value> {
    let everywhere =
        json!({"command": p, "path": p, "pattern": p, "content": p, "offset": p, "edits": [{"oldText": p}], p: p});
    let block = |kind: &str| json!({"type": kind, "text": p, "data": p, "mimeType": p, "id": p, "name": p, "arguments": p, p: p});
    let mut entries = vec![
        user(p),
        message(&json!({"role": "user", "content": p, "timestamp": p})),
        message(&json!({"role": "user", "content": [
            {"type": "image", "data": p, "mimeType": "image/png"}, {"type": "image", "data": "AAAA", "mimeType": p},
            {"type": "image", "data": "AAAA", "mimeType": "image/svg+xml"}, block(p)]})),
        user(&format!("<skill name=\"{}\" location=\"x\">\n{p}\n</skill>\n\n{p}", p.replace(['"', '\n'], ""))),
        message(&json!({"role": "assistant", "api": p, "provider": p, "model": p, "responseId": p, "responseModel": p,
            "stopReason": "error", "errorMessage": p, "diagnostics": [p], "timestamp": 1, p: p,
            "content": [{"type": "text", "text": p, "textSignature": p}, {"type": "thinking", "thinking": p, "thinkingSignature": p}]})),
        message(
            &json!({"role": "assistant", "content": [block("image"), block("unheard-of")], "stopReason": p, "model": p}),
        ),
        message(&json!({"role": "bashExecution", "command": p, "output": p, "exitCode": 1, "cancelled": false,
            "truncated": true, "fullOutputPath": p, "timestamp": 1})),
        message(
            &json!({"role": "custom", "customType": p, "content": p, "display": true, "details": {p: p}, "timestamp": 1}),
        ),
        message(&json!({"role": "branchSummary", "summary": p, "fromId": p, "timestamp": 1})),
        message(&json!({"role": "compactionSummary", "summary": p, "tokensBefore": 1, "timestamp": 1})),
        message(&json!({"role": p, "content": p, p: {p: [p]}})),
        json!({"type": "custom_message", "customType": p, "content": [{"type": "text", "text": p}], "display": true}),
        json!({"type": "custom", "customType": p, "data": {p: p}}),
        json!({"type": "compaction", "summary": p, "firstKeptEntryId": p, "tokensBefore": p, "details": p}),
        json!({"type": "branch_summary", "summary": p, "fromId": p}),
        json!({"type": "model_change", "provider": p, "modelId": p}),
        json!({"type": "thinking_level_change", "thinkingLevel": p}),
        json!({"type": "label", "targetId": "0", "label": p}),
        json!({"type": "label", "targetId": p, "label": p}),
        json!({"type": "session_info", "name": p}),
        json!({"type": p, p: p, "nested": [{p: p}]}),
        json!({"type": "message", "timestamp": p, "message": p}),
    ];
    for (number, name) in [p, "bash", "read", "write", "edit", "grep", "ls"].iter().enumerate() {
        let id = format!("{p}{number}");
        entries.push(assistant(&json!([call(&id, name, &everywhere)])));
        entries.push(message(
            &json!({"role": "toolResult", "toolCallId": id, "toolName": name, "isError": number % 2 == 0,
            "content": [{"type": "text", "text": p}, {"type": "image", "data": p, "mimeType": "image/gif"}, block(p)],
            "details": {"diff": format!("{p}\n+{p}\n-{p}"), p: p}, "timestamp": 1}),
        ));
    }
    entries.push(assistant(&json!([call("lost", "edit", &everywhere), call("lost2", "bash", &json!(p))])));
    entries.push(message(
        &json!({"role": "toolResult", "toolCallId": p, "toolName": p, "content": [{"type": "text", "text": p}]}),
    ));
    // A branch that was left, and ids that are attacks themselves.
    entries.push(json!({"type": "message", "id": p, "parentId": "0", "message": {"role": "user", "content": p}}));
    entries.push(json!({"type": "label", "targetId": p, "label": p, "parentId": "3"}));
    entries
}
