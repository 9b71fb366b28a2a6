//! Functions of texts: one line of TypeScript each, and what it comes to.

use serde_json::json;

use crate::support::run;

const IMPORTS: &str = "import * as pi_ from '@mariozechner/pi-coding-agent';
    const { formatSize, truncateHead, truncateTail, truncateLine, generateDiffString, generateUnifiedPatch, parseFrontmatter,
        stripFrontmatter, parseSkillBlock, isToolCallEventType, isBashToolResult, getShellConfig, getLanguageFromPath,
        createEventBus, createSyntheticSourceInfo, estimateTokens, shouldCompact, getAgentDir, CONFIG_DIR_NAME,
        DEFAULT_MAX_BYTES, serializeConversation, convertToLlm, loadSkillsFromDir, formatSkillsForPrompt,
        loadProjectContextFiles, truncateToVisualLines } = pi_;";

const CASES: &[&str] = &[
    "formatSize(512)",
    "formatSize(51200)",
    "truncateHead('a\\nb\\nc\\n', { maxLines: 2 })",
    "truncateTail('a\\nb\\nc', { maxLines: 1 }).content",
    "truncateLine('x'.repeat(5), 3)",
    "generateDiffString('a\\nb\\n', 'a\\nc\\n')",
    "'firstChangedLine' in generateDiffString('a', 'a')",
    "generateUnifiedPatch('f', 'a\\n', 'b\\n')",
    "parseFrontmatter('---\\nname: x\\nn: [1, 2]\\n---\\nBody\\n')",
    "stripFrontmatter('---\\nname: x\\n---\\nBody\\n')",
    "parseSkillBlock('<skill name=\"a\" location=\"/b\">\\nText\\n</skill>\\n\\nGo on')",
    "parseSkillBlock('nothing')",
    "isToolCallEventType('bash', { toolName: 'bash' })",
    "isBashToolResult({ toolName: 'read' })",
    "getShellConfig('/bin/sh')",
    "getShellConfig('/no/such')",
    "getLanguageFromPath('/a/b.rs')",
    "[CONFIG_DIR_NAME, DEFAULT_MAX_BYTES, getAgentDir().endsWith('/agent')]",
    "createSyntheticSourceInfo('/a', { source: 's' })",
    "estimateTokens({ role: 'user', content: 'x'.repeat(40), timestamp: 0 })",
    "[shouldCompact(90, 100, { enabled: true, reserveTokens: 20, keepRecentTokens: 1 }), shouldCompact(1, 1000, { enabled: false })]",
    "serializeConversation(convertToLlm([{ role: 'user', content: 'Hi', timestamp: 0 },
        { role: 'custom', customType: 'c', content: 'Injected', display: true, timestamp: 0 }]))",
    "(() => { const bus = createEventBus(); const got = []; const off = bus.on('a', (data) => got.push(data));
        bus.emit('a', 1); off(); bus.emit('a', 2); return got; })()",
    "(() => { const { mkdirSync, writeFileSync } = require('fs'); mkdirSync('DIR/skills/one', { recursive: true });
        writeFileSync('DIR/skills/one/SKILL.md', '---\\nname: one\\ndescription: Does one thing\\n---\\nText');
        const { skills } = loadSkillsFromDir({ dir: 'DIR/skills', source: 'mine' });
        return [skills.map(({ name, description, sourceInfo }) => [name, description, sourceInfo.source]),
            formatSkillsForPrompt(skills).includes('<name>one</name>')]; })()",
    "(() => { require('fs').writeFileSync('DIR/AGENTS.md', 'Be brief.');
        return loadProjectContextFiles({ cwd: 'DIR', agentDir: 'DIR/agent' }).map(({ content }) => content); })()",
    "truncateToVisualLines('a\\nb\\nc', 2, 10)",
];

#[tokio::test]
async fn texts() {
    let list: Vec<String> = CASES.iter().map(|case| format!("() => {case}")).collect();
    let imports =
        format!("import {{ createRequire }} from 'node:module'; const require = createRequire('DIR/x.js'); {IMPORTS}");
    let body = format!(
        "return [{}].map((work) => {{ try {{ return work() }} catch (error) {{ return 'threw ' + error.message }} }})",
        list.join(",\n")
    );
    let said = run(&imports, &body).await;
    let said = said.as_array().unwrap_or_else(|| panic!("{said}"));
    let lines: Vec<String> = CASES.iter().zip(said).map(|(case, said)| format!("{case}\n  => {said}")).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

/// The words around summaries are those that the program itself puts there.
#[tokio::test]
async fn summaries_are_framed_as_the_program_frames_them() {
    let imports = "import { BRANCH_SUMMARY_PREFIX, BRANCH_SUMMARY_SUFFIX, COMPACTION_SUMMARY_PREFIX, COMPACTION_SUMMARY_SUFFIX, convertToLlm }
        from '@earendil-works/pi-agent-core';";
    let body = "const made = convertToLlm([
            { role: 'branchSummary', summary: 'one', fromId: 'x', timestamp: 1 },
            { role: 'compactionSummary', summary: 'two', tokensBefore: 1, timestamp: 1 },
        ]).map((message) => message.content[0].text);
        return [made[0] === BRANCH_SUMMARY_PREFIX + 'one' + BRANCH_SUMMARY_SUFFIX,
            made[1] === COMPACTION_SUMMARY_PREFIX + 'two' + COMPACTION_SUMMARY_SUFFIX]";
    assert_eq!(run(imports, body).await, json!([true, true]));
}
