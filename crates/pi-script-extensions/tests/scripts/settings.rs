//! Settings that scripts make: one line of TypeScript each, and what it comes to; real files below `DIR`.

use crate::support::lines_of;

const IMPORTS: &str = "import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
    import { SettingsManager } from '@earendil-works/pi-coding-agent';
    const text = (path) => readFileSync(path, 'utf8');
    mkdirSync('DIR/p/.pi', { recursive: true });
    mkdirSync('DIR/ag', { recursive: true });
    writeFileSync('DIR/p/.pi/settings.json', JSON.stringify({ theme: 'x', compaction: { enabled: false } }));
    writeFileSync('DIR/ag/settings.json', JSON.stringify({ defaultProvider: 'anthropic', packages: ['npm:a'], compaction: { reserveTokens: 5 } }));
    const s = SettingsManager.create('DIR/p', 'DIR/ag');
    const m = SettingsManager.inMemory({ theme: 'a', retry: { enabled: false } });
    const questions = Object.getOwnPropertyNames(SettingsManager.prototype).filter((name) => /^(get|is)/.test(name)).sort();";

const CASES: &[&str] = &[
    "Object.fromEntries(questions.map((name) => [name, s[name]()]))",
    "[m.getGlobalSettings(), m.getProjectSettings()]",
    "(m.setTheme('dark'), m.setEnabledModels(['a']), m.setEnabledModels(undefined), m.setRetryEnabled(true), m.getGlobalSettings())",
    "(m.applyOverrides({ retry: { maxRetries: 9 } }), [m.getRetrySettings(), m.getGlobalSettings()])",
    "m.reload().then(() => m.getGlobalSettings())",
    "(m.setProjectPackages(['x']), [m.getProjectSettings(), m.getPackages()])",
    "(m.setEnableAnalytics(true), [m.getTrackingId().length, m.getEnableAnalytics()])",
    "(() => { const id = m.getTrackingId(); m.setEnableAnalytics(false); m.setEnableAnalytics(true); return m.getTrackingId() === id })()",
    "(s.setProjectTrusted(false), [s.getProjectSettings(), s.getTheme(), s.isProjectTrusted()])",
    "s.setProjectPackages(['y'])",
    "(s.setTheme('light'), s.setProjectTrusted(true), s.setProjectThemePaths(['./t']), s.setDefaultModelAndProvider('p', 'm'), s.flush())",
    "[text('DIR/ag/settings.json'), text('DIR/p/.pi/settings.json')]",
    "(m.setDefaultThinkingLevel('high'), m.getDefaultThinkingLevel())",
    "(m.setImageWidthCells(0), m.getImageWidthCells())",
    "(m.setEditorPaddingX(9), m.getEditorPaddingX())",
    "(m.setAutocompleteMaxVisible(99), m.getAutocompleteMaxVisible())",
    "m.setHttpIdleTimeoutMs(-1)",
    "(m.setHttpIdleTimeoutMs(70.5), m.getHttpIdleTimeoutMs())",
    "(m.setWarnings({ anthropicExtraUsage: false }), m.getWarnings())",
    "SettingsManager.inMemory({ httpIdleTimeoutMs: 'disabled' }).getHttpIdleTimeoutMs()",
    "SettingsManager.inMemory({ retry: { provider: { maxRetries: 2, timeoutMs: 5 } } }).getProviderRetrySettings()",
    "SettingsManager.inMemory({ thinkingBudgets: { low: 5 } }).getThinkingBudgets()",
    "(writeFileSync('DIR/ag/settings.json', '{ broken'), s.reload().then(() => [s.drainErrors().map(({ scope, error }) => [scope, error instanceof Error]), s.drainErrors(), s.getTheme()]))",
    "(s.setTheme('lost'), [s.getTheme(), text('DIR/ag/settings.json'), s.drainErrors().map(({ scope, error }) => [scope, error.message.includes('settings.json')])])",
    "[s instanceof SettingsManager, Object.keys(s), s[Symbol.for('pi.handle')] !== m[Symbol.for('pi.handle')]]",
    "(globalThis.kept = { text: { global: '{\"theme\":\"g\",\"own\":1}' }, withLock(scope, change) { const next = change(this.text[scope]); if (next !== undefined) this.text[scope] = next; } },
        globalThis.o = SettingsManager.fromStorage(kept), o.getTheme())",
    "(o.setTheme('h'), o.setRetryEnabled(false), o.setProjectThemePaths(['a']), o.flush().then(() => kept.text))",
    "(o.setProjectTrusted(false), [o.getProjectSettings(), o.getThemePaths()])",
    "(o.setProjectTrusted(true), kept.text.global = '{\"theme\":\"i\"}', o.reload().then(() => [o.getTheme(), o.getRetryEnabled(), o.getThemePaths()]))",
    "(kept.text.global = '{ bad', o.reload().then(() => [o.getTheme(), o.drainErrors().map(({ scope }) => scope)]))",
    "new SettingsManager()",
    "m.setNothing",
];

#[tokio::test]
async fn settings_in_files_and_in_memory() {
    insta::assert_snapshot!(lines_of(IMPORTS, CASES).await);
}
