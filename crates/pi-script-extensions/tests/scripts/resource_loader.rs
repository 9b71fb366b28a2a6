//! What sessions of scripts are told: loaders with changes of their own, registries, credentials and settings.

use pi_ai::scripted;
use serde_json::json;

use crate::support::{command, stage};

const IMPORTS: &str = "import { AuthStorage, createAgentSession, createExtensionRuntime, createSyntheticSourceInfo, DefaultResourceLoader, ModelRegistry, SessionManager, SettingsManager }
        from '@earendil-works/pi-coding-agent';
    const inMemory = (options = {}) => createAgentSession({ sessionManager: SessionManager.inMemory('DIR'), ...options });
    const failed = (work) => Promise.resolve().then(work).then(() => 'no error', (error) => error.message);";

#[tokio::test]
async fn a_loader_reads_and_changes_what_the_model_is_told() {
    let body = "
        const sourceInfo = createSyntheticSourceInfo('/virtual', { source: 'sdk' });
        const loader = new DefaultResourceLoader({ cwd: 'DIR', agentDir: 'DIR/agent',
            systemPromptOverride: (base) => `Arrr (${base})`, appendSystemPromptOverride: (base) => [...base, 'Be brief'],
            skillsOverride: ({ skills, diagnostics }) => ({ skills: [...skills, { name: 'mine', description: 'Mine', filePath: '/virtual/SKILL.md', baseDir: '/virtual', sourceInfo, disableModelInvocation: false }], diagnostics }),
            promptsOverride: ({ prompts, diagnostics }) => ({ prompts: [...prompts, { name: 'deploy', description: 'Deploys', content: 'Deploy $1', filePath: '/virtual/deploy.md', sourceInfo }], diagnostics }),
            agentsFilesOverride: ({ agentsFiles }) => ({ agentsFiles: [...agentsFiles, { path: '/virtual/AGENTS.md', content: 'Prefer const' }] }),
            extensionFactories: [(pi) => {
                pi.registerTool({ name: 'inner', label: 'Inner', description: 'Inner', parameters: {}, execute: async (id, params, signal, onUpdate, ctx) => ({ content: [{ type: 'text', text: `${ctx.cwd === 'DIR'}` }] }) });
                pi.on('context', ({ messages }) => ({ messages: messages.slice(-1) }));
            }] });
        const before = [loader.getSkills().skills, loader.getSystemPrompt() ?? 'none'];
        await loader.reload();
        const { session, extensionsResult } = await inMemory({ resourceLoader: loader, tools: ['read', 'inner'] });
        const prompt = session.systemPrompt;
        await session.prompt('/deploy now');
        const said = { before, skills: loader.getSkills().skills.map(({ name }) => name), prompts: session.promptTemplates.map(({ name }) => name), files: loader.getAgentsFiles().agentsFiles.map(({ content }) => content),
            told: ['Arrr (From file)', 'Be brief', 'mine', 'found', 'Prefer const', 'In the project'].map((text) => prompt.includes(text)), user: session.messages[0].content,
            inner: session.messages[2].content, extensions: extensionsResult.extensions.map(({ path }) => path), errors: extensionsResult.errors, same: session.resourceLoader === loader };
        session.dispose();
        const bare = new DefaultResourceLoader({ cwd: 'DIR', agentDir: 'DIR/agent', noSkills: true, noContextFiles: true, noPromptTemplates: true, systemPrompt: 'Short' });
        await bare.reload();
        const other = await inMemory({ resourceLoader: bare, noTools: 'all' });
        said.bare = [bare.getSkills().skills.length, bare.getAgentsFiles().agentsFiles.length, other.session.systemPrompt.startsWith('Short'), await failed(() => new DefaultResourceLoader({ additionalExtensionPaths: ['/x'] }))];
        return said;";
    let stage = stage(&command(IMPORTS, body)).await;
    let write = |path: &str, text: &str| {
        let path = stage.dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("AGENTS.md", "In the project");
    write("agent/SYSTEM.md", "From file");
    write("agent/skills/found/SKILL.md", "---\nname: found\ndescription: Found\n---\nText");
    let call = scripted::tool_use([scripted::tool_call("c1", "inner", json!({}))]);
    stage.script([call, scripted::message([scripted::text("done")])]);
    insta::assert_json_snapshot!(stage.run().await);
}

#[tokio::test]
async fn everything_can_be_given() {
    let body = "
        const authStorage = AuthStorage.inMemory({});
        authStorage.setRuntimeApiKey('faux', 'own key');
        const settingsManager = SettingsManager.inMemory({ retry: { enabled: false }, compaction: { enabled: false } });
        const empty = { getExtensions: () => ({ extensions: [], errors: [], runtime: createExtensionRuntime() }), getSkills: () => ({ skills: [], diagnostics: [] }),
            getPrompts: () => ({ prompts: [], diagnostics: [] }), getThemes: () => ({ themes: [], diagnostics: [] }), getAgentsFiles: () => ({ agentsFiles: [] }),
            getSystemPrompt: () => 'A minimal assistant.', getAppendSystemPrompt: () => [], extendResources: () => {}, reload: async () => {} };
        const modelRegistry = ModelRegistry.inMemory(authStorage);
        const { session } = await inMemory({ model: ctx.model, thinkingLevel: 'off', authStorage, modelRegistry, settingsManager, resourceLoader: empty, tools: [], agentDir: 'DIR/other' });
        await session.prompt('Go');
        const said = { prompt: session.systemPrompt.split('\\n')[0], retry: session.autoRetryEnabled, compaction: session.autoCompactionEnabled, text: session.getLastAssistantText(),
            kept: [session.settingsManager === settingsManager, session.modelRegistry === modelRegistry] };
        session.dispose();
        const keyless = await inMemory({ model: ctx.model, modelRegistry: ModelRegistry.inMemory(AuthStorage.inMemory({})) });
        said.keyless = await failed(() => keyless.session.prompt('Go'));
        const { session: theirs } = await inMemory({ modelRegistry: ctx.modelRegistry });
        said.theirs = theirs.model.id;
        said.wrong = await failed(() => inMemory({ settingsManager: {} }));
        return said;";
    let stage = stage(&command(IMPORTS, body)).await;
    stage.script([scripted::message([scripted::text("fine")])]);
    insta::assert_json_snapshot!(stage.run().await);
}
