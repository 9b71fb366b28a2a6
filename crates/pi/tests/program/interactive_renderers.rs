//! Calls and messages that extensions draw, in a real pseudo-terminal.

use std::fs;

use pi_test_kit::{Gate, Provider, Reply, World, answer, delta, end, open, tool_call};
use serde_json::json;

use crate::screen::Screen;

const HEAD: &str = r#"import { spawnSync } from "node:child_process";
import { Text } from "@earendil-works/pi-tui";
const parameters = { type: "object", properties: { n: { type: "number" } } };
const execute = async (id, { n }) => ({ content: [{ type: "text", text: "raw output" }], details: { n } });
"#;

fn world(provider: &Provider, body: &str) -> World {
    let world = World::with(provider);
    let dir = world.agent_dir().join("extensions");
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("drawing.ts"), format!("{HEAD}export default function (pi) {{\n{body}\n}}\n")).unwrap();
    world
}

async fn asked(world: &World) -> Screen {
    let mut screen = Screen::start(world, "");
    screen.see("ctrl+o").await;
    screen.type_in("question\r").await;
    screen.see("all done").await;
    screen
}

async fn left(mut screen: Screen) -> String {
    screen.type_in("\x04").await;
    screen.ended().await.0.join("\n")
}

fn dice(n: u64) -> [Reply; 2] {
    [tool_call("t1", "dice", &json!({"n": n})), answer("all done")]
}

#[tokio::test]
async fn a_tool_draws_its_call_and_its_result() {
    let provider = Provider::start(dice(4)).await;
    let world = world(
        &provider,
        r#"pi.registerTool({ name: "dice", label: "Dice", description: "d", parameters, execute,
          renderCall: (args, theme, row) => { row.state.seen = args.n; return new Text("rolls " + args.n, 0, 0); },
          renderResult: (result, { expanded }, theme, row) =>
            new Text("rolled " + result.details.n + " of " + row.state.seen + " " + row.toolCallId + (expanded ? " in full" : ""), 0, 0) });"#,
    );
    let mut screen = asked(&world).await;
    screen.see("rolls 4").await;
    screen.see("rolled 4 of 4 t1").await;
    assert!(!screen.terminal.screen().contains("raw output"), "{}", screen.terminal);
    screen.type_in("\x0f").await;
    screen.see("rolled 4 of 4 t1 in full").await;
    let shown = left(screen).await;
    assert_eq!((shown.matches("rolls 4").count(), shown.matches("rolled 4").count()), (1, 1), "{shown}");
    // The model gets what the tool said.
    assert!(provider.requests()[1].body.to_string().contains("raw output"));
}

#[tokio::test]
async fn a_stored_call_is_drawn_by_its_tool() {
    let provider = Provider::start(dice(4)).await;
    let body = r#"pi.registerTool({ name: "dice", label: "Dice", description: "d", parameters, execute,
          renderResult: (result) => new Text("rolled " + result.details.n, 0, 0) });"#;
    let world = world(&provider, body);
    left(asked(&world).await).await;
    let mut screen = Screen::start(&world, "-c");
    screen.see("rolled 4").await;
    // The head is the program's where the tool draws the result alone.
    screen.see("dice").await;
    let shown = left(screen).await;
    assert!(!shown.contains("raw output"), "{shown}");
}

#[tokio::test]
async fn what_cannot_be_drawn_is_drawn_by_the_program() {
    for (case, render) in [
        ("throws", r#"() => { throw new Error("boom"); }"#),
        ("is nothing", "() => undefined"),
        ("draws no rows", "() => ({ render: () => 7 })"),
        ("takes too long", "() => { const end = Date.now() + 1500; while (Date.now() < end); }"),
    ] {
        let provider = Provider::start(dice(4)).await;
        let tool = format!(
            r#"pi.registerTool({{ name: "dice", label: "Dice", description: "d", parameters, execute, renderCall: {render}, renderResult: {render} }});"#
        );
        let world = world(&provider, &tool);
        let mut screen = asked(&world).await;
        screen.see("raw output").await;
        screen.see("dice").await;
        screen.kill(rustix::process::Signal::TERM);
        let (rows, _) = screen.ended().await;
        assert_eq!(rows.iter().filter(|row| row.contains("raw output")).count(), 1, "{case}: {rows:#?}");
    }
}

/// A renderer that is slow, or whose machine is: the program draws the call meanwhile, and the lines are shown when they come.
#[tokio::test]
async fn what_is_drawn_late_is_shown_when_it_comes() {
    let provider = Provider::start(dice(4)).await;
    let body = r#"const slow = (text) => ({ render: () => {
             spawnSync("sh", ["-c", "until [ -e go ]; do sleep 0.05; done"]);
             return [text];
           } });
           pi.registerTool({ name: "dice", label: "Dice", description: "d", parameters,
             execute: async (id, params) => {
               pi.appendEntry("card", { text: "card" });
               return execute(id, params);
             },
             renderResult: (result) => slow("rolled " + result.details.n) });
           pi.registerEntryRenderer("card", (entry) => slow("drawn " + entry.data.text));"#;
    let world = world(&provider, body);
    let mut screen = asked(&world).await;
    screen.see("raw output").await;
    screen.see("[card] is not drawn yet: its extension has not answered").await;
    // Nothing waits for them meanwhile.
    screen.type_in("typed meanwhile").await;
    screen.see("typed meanwhile").await;
    assert!(!screen.terminal.screen().contains("rolled"), "{}", screen.terminal);
    world.write("go", "");
    screen.see("rolled 4").await;
    screen.see("drawn card").await;
    assert!(!screen.terminal.screen().contains("raw output"), "{}", screen.terminal);
    screen.kill(rustix::process::Signal::TERM);
    let shown = screen.ended().await.0.join("\n");
    assert_eq!((shown.matches("rolled 4").count(), shown.matches("raw output").count()), (1, 0), "{shown}");
}

#[tokio::test]
async fn a_call_is_drawn_again_when_its_tool_wants_that() {
    let provider = Provider::start(dice(4)).await;
    let world = world(
        &provider,
        r#"pi.registerTool({ name: "dice", label: "Dice", description: "d", parameters, execute, renderShell: "self",
          renderCall: () => ({ render: () => [] }),
          renderResult: (result, options, theme, row) => {
            row.state.ticks = (row.state.ticks ?? 0) + 1;
            if (row.state.ticks < 3) setTimeout(row.invalidate, 20);
            return { render: (width) => ["drawn " + row.state.ticks + " times", "x".repeat(width + 50)] };
          } });"#,
    );
    let mut screen = asked(&world).await;
    screen.see("drawn 3 times").await;
    let shown = left(screen).await;
    assert_eq!(shown.matches("drawn").count(), 1, "{shown}");
    // A row that is too wide is cut, and does not wrap.
    assert_eq!(shown.lines().filter(|row| row.starts_with("xxx")).count(), 1, "{shown}");
}

#[tokio::test]
async fn a_message_is_drawn_by_its_extension() {
    let provider = Provider::start([]).await;
    let world = world(
        &provider,
        r#"pi.registerMessageRenderer("note", (message, { expanded }, theme) =>
             new Text(theme.fg("accent", "drawn: " + message.content + (expanded ? " in full" : "")), 0, 0));
           pi.registerMessageRenderer("broken", () => { throw new Error("boom"); });
           pi.registerCommand("note", { handler: async () => pi.sendMessage({ customType: "note", content: "words", display: true }) });
           pi.registerCommand("broken", { handler: async () => pi.sendMessage({ customType: "broken", content: "others", display: true }) });"#,
    );
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("/note\r").await;
    screen.see("drawn: words").await;
    screen.type_in("/broken\r").await;
    screen.see("[broken]").await;
    screen.see("others").await;
    screen.type_in("\x0f").await;
    screen.see("drawn: words in full").await;
    let shown = left(screen).await;
    assert_eq!(shown.matches("drawn: words").count(), 1, "{shown}");
}

#[tokio::test]
async fn an_entry_is_drawn_by_its_extension_now_and_when_the_session_goes_on() {
    let provider = Provider::start([answer("all done")]).await;
    let body = r#"pi.registerEntryRenderer("card", (entry, { expanded }, theme) =>
             new Text(theme.fg("accent", `${entry.type} ${entry.customType}: ${entry.data.text}${expanded ? " in full" : ""}`), 0, 0));
           pi.registerEntryRenderer("silent", () => undefined);
           pi.registerEntryRenderer("broken", () => { throw new Error("boom"); });
           pi.registerCommand("keep", { handler: async (text) => {
             pi.appendEntry("unknown", { text });
             pi.appendEntry("silent", { text });
             pi.appendEntry("card", { text });
           } });
           pi.registerCommand("break", { handler: async () => pi.appendEntry("broken") });"#;
    let world = world(&provider, body);
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("/keep first\r").await;
    screen.see("custom card: first").await;
    screen.type_in("question\r").await;
    screen.see("all done").await;
    screen.type_in("/keep second\r").await;
    screen.see("custom card: second").await;
    screen.type_in("/break\r").await;
    screen.see("[broken] cannot be drawn: boom").await;
    screen.type_in("\x0f").await;
    screen.see("custom card: second in full").await;
    assert!(!screen.terminal.screen().contains("unknown"), "{}", screen.terminal);
    left(screen).await;
    let mut screen = Screen::start(&world, "-c");
    screen.see("[broken] cannot be drawn: boom").await;
    let shown = left(screen).await;
    let places = ["card: first", "question", "all done", "card: second", "[broken]"].map(|text| shown.find(text));
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?} {shown}");
}

#[tokio::test]
async fn the_transcript_has_what_extensions_draw() {
    let gate = Gate::new();
    let hanging = Reply::stream(&(open() + &delta("begun"))).wait(&gate).then(&(delta(" and over") + &end())).end();
    let provider = Provider::start([answer("all done"), hanging]).await;
    let body = r#"pi.registerEntryRenderer("card", (entry, { expanded }) =>
             new Text(`drawn ${entry.data.text}${expanded ? " in full" : ""}`, 0, 0));
           pi.registerMessageRenderer("note", (message) => new Text("drawn " + message.content, 0, 0));
           let turns = 0;
           pi.on("turn_end", () => pi.appendEntry("card", { text: "turn " + ++turns }));
           pi.registerCommand("keep", { handler: async (text) => {
             pi.appendEntry("unknown", { text });
             pi.appendEntry("card", { text });
           } });
           // A message that comes before the run is over would be part of it.
           pi.registerCommand("note", { handler: async (_, ctx) => {
             await ctx.waitForIdle();
             pi.sendMessage({ customType: "note", content: "words", display: true });
           } });"#;
    let world = world(&provider, body);
    let mut screen = Screen::in_window(&world, "", (80, 50), |pi| pi);
    screen.see("ctrl+o").await;
    screen.type_in("/keep first\r").await;
    screen.see("drawn first").await;
    // There is no message yet.
    screen.type_in("/transcript\r").await;
    screen.see("block 1 of 1").await;
    screen.see("drawn first").await;
    screen.type_in("q").await;
    screen.until(|terminal| !terminal.screen().contains("block 1 of 1")).await;
    screen.type_in("question\r").await;
    screen.see("drawn turn 1").await;
    screen.type_in("/note\r").await;
    screen.see("drawn words").await;
    screen.type_in("go on\r").await;
    screen.see("begun").await;
    screen.type_in("/transcript\r").await;
    screen.see("block 6 of 6").await;
    gate.open();
    screen.see("block 8 of 8").await;
    screen.see("drawn turn 2").await;
    // The newest one is selected, and shows more.
    screen.type_in("\r").await;
    screen.see("drawn turn 2 in full").await;
    screen.type_in("g").await;
    screen.see("block 1 of 8").await;
    let order = [
        "drawn first",
        "question",
        "all done",
        "drawn turn 1",
        "drawn words",
        "go on",
        "begun and over",
        "drawn turn 2",
    ];
    let shown = screen.terminal.screen();
    let places = order.map(|text| shown.find(text));
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}\n{shown}");
    assert!(!shown.contains("unknown"), "{shown}");
    // What was stored is found.
    screen.type_in("/FIRST\r").await;
    screen.see("not found").await;
    screen.type_in("/first\r").await;
    screen.see("\"first\": 1 of 1 blocks").await;
    screen.type_in("q").await;
    screen.see("begun and over").await;
    left(screen).await;
}

#[tokio::test]
async fn markdown_is_transformed_before_it_is_drawn() {
    let provider = Provider::start([answer("the **plain** arrow -->"), answer("more -->")]).await;
    let body = r#"const seen = [];
           pi.registerMarkdownTransformer((markdown, about) => {
             seen.push(`${about.messageType} ${about.isStreaming} ${about.availableWidth > 10}`);
             return markdown.replaceAll("-->", "→");
           });
           pi.registerMarkdownTransformer(() => { throw new Error("boom"); });
           pi.registerMarkdownTransformer((markdown, { messageType }) => messageType === "user" ? `${markdown}!` : undefined);
           pi.registerCommand("seen", { handler: async (_, ctx) => ctx.ui.notify([...new Set(seen)].sort().join(", ")) });"#;
    let world = world(&provider, body);
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("question -->\r").await;
    screen.see("the plain arrow →").await;
    screen.see("question →!").await;
    screen.see("drawing.ts cannot transform Markdown, which is shown without it: boom").await;
    screen.type_in("again\r").await;
    screen.see("more →").await;
    screen.type_in("/seen\r").await;
    screen.see("assistant false true, ").await;
    screen.see("user false true").await;
    let shown = left(screen).await;
    // Said once, however many texts there are.
    assert_eq!(shown.matches("cannot transform").count(), 1, "{shown}");
    assert_eq!((shown.matches("more →").count(), shown.matches("-->").count()), (1, 0), "{shown}");
    // The model and the session have what was written.
    assert!(provider.requests()[1].body.to_string().contains("arrow -->"));
    let mut screen = Screen::start(&world, "-c");
    screen.see("the plain arrow →").await;
    left(screen).await;
}
