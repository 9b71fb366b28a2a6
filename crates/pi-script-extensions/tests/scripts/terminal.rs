//! The modules of terminal components on the vectors in `fixtures/tui`, with which `pi-tui` is tested too: both draw on one
//! screen.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use super::modules::run;

/// Runs the vectors and returns those that come to something else, with what they come to.
const RUNNER: &str = r#"
    import * as t from "@earendil-works/pi-tui";
    const bare = (text) => text.replace(/\x1b\[[\d;]*m/g, "");
    const texts = {
        widths: ([text]) => t.visibleWidth(text),
        wrapping: ([text, columns]) => t.wrapTextWithAnsi(text, columns).map(bare),
        truncation: ([text, columns, ellipsis]) => bare(t.truncateToWidth(text, columns, ellipsis)),
    };
    const isCapital = (raw) => raw.length === 1 && raw >= "A" && raw <= "Z";
    const isCoded = (raw) => /^\x1b\[[\d:;]+u$/.test(raw);
    const meaning = ({ raw, keys }) => ({
        best: isCapital(raw) ? keys[0] : t.parseKey(raw),
        matched: keys.filter((key) => t.matchesKey(raw, key)),
        text: isCoded(raw) ? t.decodeKittyPrintable(raw) : undefined,
        kind: t.isKeyRelease(raw) ? "release" : t.isKeyRepeat(raw) ? "repeat" : undefined,
    });
    const expected = ({ raw, keys, text, kind }) => ({ best: keys[0], matched: keys, text: isCoded(raw) ? text : undefined, kind });
    const differs = (one, other) => JSON.stringify(one) !== JSON.stringify(other);
    export const run = () => {
        const found = [];
        const compare = (input, actual, wanted) => differs(actual, wanted) && found.push({ input, actual, wanted });
        for (const [name, work] of Object.entries(texts)) {
            for (const row of vectors[name]) compare([name, ...row.slice(0, -1)], work(row), row.at(-1));
        }
        for (const isKitty of [false, true]) {
            t.setKittyProtocolActive(isKitty);
            for (const row of vectors.keys) {
                const wanted = { ...row, keys: (isKitty && row.kitty) || row.keys };
                compare([row.raw, isKitty], meaning(wanted), expected(wanted));
            }
        }
        t.setKittyProtocolActive(false);
        return JSON.stringify(found.map((one) => JSON.stringify(one)));
    };
"#;

fn vectors(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/tui").join(name).with_extension("json");
    format!("{name}: {}", std::fs::read_to_string(file).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn text_and_keys_are_those_of_the_terminal() {
    let all = ["widths", "wrapping", "truncation", "keys"].map(vectors).join(",");
    let found = run(&format!("const vectors = {{ {all} }};\n{RUNNER}")).await;
    assert_eq!(found, serde_json::json!([]));
}
