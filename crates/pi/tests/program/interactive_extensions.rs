//! `/extensions` and `pi config`, in a real pseudo-terminal.

use std::fs;

use pi_test_kit::{Provider, World};
use serde_json::Value;

use crate::screen::Screen;

const FOOTER: &str =
    r#"pi.on("session_start", (_, ctx) => ctx.ui.setFooter(() => ({ render: () => ["a footer"], invalidate() {} })));"#;

fn world(provider: &Provider, extensions: &[(&str, &str)]) -> World {
    let world = World::with(provider);
    let dir = world.agent_dir().join("extensions");
    fs::create_dir_all(&dir).unwrap();
    for (name, body) in extensions {
        fs::write(dir.join(name), format!("export default function (pi) {{\n{body}\n}}\n")).unwrap();
    }
    world
}

#[tokio::test]
async fn extensions_are_listed_with_what_they_bring_show_and_failed_at() {
    let provider = Provider::start([]).await;
    let one = format!(
        r#"const parameters = {{ type: "object", properties: {{}} }};
        pi.registerTool({{ name: "dice", label: "Dice", description: "d", parameters, execute: async () => ({{ content: [] }}) }});
        pi.registerCommand("roll", {{ handler: async () => {{}} }});
        pi.registerShortcut("ctrl+c", {{ handler: () => {{}} }});
        pi.registerShortcut("ctrl+alt+y", {{ handler: () => {{}} }});
        pi.registerMessageRenderer("note", () => undefined);
        pi.on("turn_end", () => {{}});
        pi.on("turn_end", () => {{}});
        {FOOTER}"#
    );
    let world = world(&provider, &[("a_one.ts", one.as_str()), ("b_two.ts", FOOTER)]);
    let mut screen = Screen::in_window(&world, "", (100, 40), |pi| pi);
    screen.see("The footer of a_one.ts is hidden by that of b_two.ts").await;
    screen.type_in("/extensions\r").await;
    screen.see("Extensions: 2").await;
    screen.see("→ a_one.ts  1 tool, 1 command, 2 keys, 1 renderer, 3 handlers").await;
    for row in [
        "Tools          dice",
        "Commands       /roll",
        "Keys           ctrl+c (not in force), ctrl+alt+y",
        "Draws messages note",
        "Handles        session_start, turn_end ×2",
        "Hidden         footer, by b_two.ts",
        "Source         auto (user)",
    ] {
        screen.see(row).await;
    }
    screen.type_in("\x1b[B").await;
    screen.see("→ b_two.ts  1 handler").await;
    screen.see("Shows          footer").await;
    screen.type_in("\x1b").await;
    screen.until(|terminal| !terminal.screen().contains("Extensions: 2")).await;
    // What cannot be loaded any more is listed with the reason.
    fs::write(world.agent_dir().join("extensions/b_two.ts"), "throw new Error('out of order');\n").unwrap();
    screen.type_in("/reload\r").await;
    screen.see("out of order").await;
    screen.type_in("/extensions\r").await;
    screen.see("Extensions: 1, and 1 with problems").await;
    screen.see("b_two.ts  not loaded").await;
    screen.type_in("\x1b[B").await;
    screen.see("Problem        ").await;
    screen.type_in("\x1b").await;
    screen.until(|terminal| !terminal.screen().contains("not loaded")).await;
    screen.type_in("\x04").await;
    screen.ended().await;
}

#[tokio::test]
async fn resources_are_switched_on_a_screen() {
    let provider = Provider::start([]).await;
    let world = world(&provider, &[("one.ts", ""), ("two.ts", "")]);
    let mut screen = Screen::start(&world, "config");
    screen.see("Resources: 2 of 2 are used").await;
    screen.see("User, extensions").await;
    screen.see("→ [x] extensions/one.ts").await;
    screen.type_in("two").await;
    screen.until(|terminal| !terminal.screen().contains("one.ts")).await;
    screen.type_in("\r").await;
    screen.see("→ [ ] extensions/two.ts").await;
    screen.see("Resources: 1 of 2 are used").await;
    let settings = || {
        let text = fs::read_to_string(world.agent_dir().join("settings.json")).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["extensions"].clone()
    };
    assert_eq!(settings(), serde_json::json!(["-extensions/two.ts"]));
    screen.type_in("\r").await;
    screen.see("→ [x] extensions/two.ts").await;
    assert!(settings().as_array().is_none_or(Vec::is_empty), "{}", settings());
    screen.type_in("\x1b").await;
    let (rows, _) = screen.ended().await;
    assert!(!rows.join("\n").contains("Resources"), "{rows:#?}");
}
