//! Sessions beside the one that runs, entries as lists, and summaries.

use std::sync::Arc;

use pi_ai::{FixedClock, scripted};
use pi_coding_agent::env::Env;
use pi_coding_agent::ids::SeededIds;
use pi_coding_agent::session::SessionHost;
use serde_json::json;

use crate::support::{command, run, stage, stage_with};

const IMPORTS: &str = "import { SessionManager, buildSessionContext, parseSessionEntries, migrateSessionEntries, getLatestCompactionEntry,
    getLastAssistantUsage, findCutPoint, findTurnStartIndex, collectEntriesForBranchSummary, prepareBranchEntries, generateSummary,
    generateBranchSummary, compact } from '@earendil-works/pi-coding-agent';
    const user = (content) => ({ role: 'user', content, timestamp: 1 });
    const entry = (id, parentId, message) => ({ type: 'message', id, parentId, timestamp: '2026-01-01T00:00:00.000Z', message });";

#[tokio::test]
async fn sessions_are_written_and_read_again() {
    let body = "
        const session = SessionManager.create('DIR', 'DIR/sessions');
        const first = session.appendMessage(user('one'));
        session.appendMessage({ role: 'assistant', content: [{ type: 'text', text: 'two' }], timestamp: 2 });
        session.appendCustomEntry('note', { n: 1 });
        session.appendSessionInfo('Named');
        session.appendLabelChange(first, 'start');
        const again = SessionManager.open(session.getSessionFile());
        return [];";
    let said = run(IMPORTS, body).await;
    // The first one still has the file open.
    assert!(said.as_str().unwrap().contains("session"), "{said}");
    let body = "
        const session = SessionManager.inMemory('DIR');
        const first = session.appendMessage(user('one'));
        session.appendMessage({ role: 'assistant', content: [{ type: 'text', text: 'two' }], timestamp: 2 });
        session.appendCustomEntry('note', { n: 1 });
        session.appendSessionInfo('Named');
        session.appendLabelChange(first, 'start');
        session.branch(first);
        session.appendMessage(user('other'));
        return [session.getSessionName(), session.getLabel(first), session.getBranch().map(({ type }) => type),
            session.buildSessionContext().messages.map(({ content }) => content), session.getTree().length,
            session.getTree()[0].children.length, session.getEntries().length, session.isPersisted(), session instanceof SessionManager,
            ctx.sessionManager instanceof SessionManager];";
    let said = run(IMPORTS, body).await;
    assert_eq!(said, json!(["Named", "start", ["message", "message"], ["one", "other"], 1, 2, 6, false, true, true]));
}

#[tokio::test]
async fn entries_are_read_migrated_and_cut() {
    let body = "
        const lines = parseSessionEntries('{\"type\":\"session\",\"id\":\"s\",\"cwd\":\"/\",\"timestamp\":\"2026-01-01T00:00:00.000Z\"}\\nbroken\\n' +
            JSON.stringify({ type: 'message', timestamp: '2026-01-01T00:00:00.000Z', message: user('old') }) + '\\n');
        const count = lines.length;
        migrateSessionEntries(lines);
        const entries = [entry('a', null, user('one')), entry('b', 'a', { role: 'assistant', content: [], usage: { input: 5, output: 1, totalTokens: 6 }, stopReason: 'stop' }),
            entry('c', 'b', user('x'.repeat(400))), entry('d', 'a', user('aside'))];
        return [count, lines[0].version, Boolean(lines[1].id), lines[1].parentId,
            buildSessionContext(entries, 'c').messages.length, buildSessionContext(entries).messages.map(({ content }) => content),
            buildSessionContext(entries, null).messages, getLatestCompactionEntry(entries), getLastAssistantUsage(entries).input,
            findCutPoint(entries.slice(0, 3), 0, 3, 10), findTurnStartIndex(entries, 1, 0),
            prepareBranchEntries(entries.slice(2)).messages.length];";
    let said = run(IMPORTS, body).await;
    insta::assert_json_snapshot!(said);
}

#[tokio::test]
async fn summaries_are_made_by_the_model_that_is_given() {
    let body = "
        const model = ctx.modelRegistry.find('faux', 'one');
        const summary = await generateSummary([user('Long story')], model, 1000, 'key');
        const branch = await generateBranchSummary([entry('a', null, user('Left'))], { model, apiKey: 'key', signal: new AbortController().signal });
        const made = await compact({ firstKeptEntryId: 'k', messagesToSummarize: [user('Old')], turnPrefixMessages: [], tokensBefore: 900,
            fileOps: { read: new Set(['/r']), written: new Set(), edited: new Set() }, settings: { enabled: true, reserveTokens: 10, keepRecentTokens: 5 } },
            model, 'key');
        return [summary, branch.summary.includes('Branch'), branch.readFiles, made.firstKeptEntryId, made.tokensBefore, made.details];";
    let stage = stage(&command(IMPORTS, body)).await;
    stage.script(["Summary", "Branch", "Compacted"].map(|text| scripted::message([scripted::text(text)])));
    assert_eq!(stage.run().await, json!(["Summary", true, [], "k", 900, {"readFiles": ["/r"], "modifiedFiles": []}]));
}

/// A session that a script makes is the same again when the session that the extension serves has the same ids and time.
#[tokio::test]
async fn ids_and_times_of_new_sessions_follow_from_the_session_that_runs() {
    let source = command(
        "import { SessionManager } from '@earendil-works/pi-coding-agent';",
        "const made = [SessionManager.inMemory('DIR'), SessionManager.inMemory('DIR')];
         const entries = made.map((session) => session.appendCustomEntry('kept', 1));
         return [made.map((session) => session.getHeader()).map(({ id, timestamp }) => [id, timestamp]), entries];",
    );
    let made = async |seed| {
        let clock = Arc::new(FixedClock(1_795_292_062_840));
        let host = SessionHost { clock, ids: Arc::new(SeededIds::new(seed)), ..SessionHost::new(Env::process()) };
        stage_with(&source, pi_script::Permissions::default(), host).await.run().await
    };
    let first = made(7).await;
    assert_eq!(first, made(7).await);
    assert_ne!(first, made(8).await);
    assert_ne!(first[0][0], first[0][1]);
    assert_eq!(first[0][0][1], "2026-11-21T20:14:22.840Z");
}
