//! Settings: merging, defaults, saving.

use std::fs;
use std::path::Path;
use std::time::Duration;

use pi_agent_core::QueueMode;
use pi_ai::{Model, SystemClock, ThinkingLevel, Transport};
use pi_coding_agent::config::Error;
use pi_coding_agent::env::Env;
use pi_coding_agent::settings::{PackageSetting, ProjectTrust, ResourceKind, SettingsManager, SettingsScope};
use serde_json::{Value, json};

use crate::support::{object, paths};

fn write(dir: &Path, global: &str, project: &str) {
    for (file, text) in [(".pi/agent/settings.json", global), ("work/.pi/settings.json", project)] {
        let file = dir.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
}

fn load(dir: &Path, trusted: bool) -> SettingsManager {
    SettingsManager::load(&paths(dir), &dir.join("work"), trusted, std::sync::Arc::new(SystemClock))
}

fn global_text(dir: &Path) -> String {
    fs::read_to_string(dir.join(".pi/agent/settings.json")).unwrap()
}

fn memory(values: Value) -> SettingsManager {
    SettingsManager::in_memory(object(values), Env::fixed([("HOME", "/home/u")]))
}

fn problems(settings: &SettingsManager) -> Vec<String> {
    let problems = settings.drain_problems();
    problems.iter().map(|problem| format!("{}: {}", problem.scope.as_str(), problem.message)).collect()
}

#[test]
fn defaults_apply_where_nothing_is_set() {
    let settings = memory(json!({}));
    let mut report = String::new();
    let mut line = |name: &str, value: &dyn std::fmt::Debug| report.push_str(&format!("{name}: {value:?}\n"));
    line(
        "default model",
        &(
            settings.models().default_provider(),
            settings.models().default_model(),
            settings.models().default_thinking_level(),
        ),
    );
    line("transport", &settings.network().transport());
    line("queues", &(settings.sessions().steering_mode(), settings.sessions().follow_up_mode()));
    line("theme", &(settings.interface().theme(), settings.interface().theme_setting()));
    line("compaction", &settings.compaction());
    line("branch summary", &settings.branch_summary());
    line("retry", &settings.retry());
    line("provider retry", &settings.network().provider_retry());
    line("http idle", &settings.network().http_idle_timeout());
    line("websocket", &settings.network().websocket_connect_timeout());
    line("proxy", &settings.network().http_proxy());
    line(
        "shell",
        &(settings.tools().shell_path(), settings.tools().shell_command_prefix(), settings.resources().npm_command()),
    );
    line(
        "quiet",
        &(
            settings.interface().quiet_startup(),
            settings.interface().collapse_changelog(),
            settings.interface().hide_thinking_block(),
        ),
    );
    line("trust", &settings.default_project_trust());
    line(
        "telemetry",
        &(
            settings.telemetry().enable_install_telemetry(),
            settings.telemetry().enable_analytics(),
            settings.telemetry().tracking_id(),
        ),
    );
    line("packages", &settings.resources().packages(SettingsScope::Global));
    line("skills", &settings.resources().paths(SettingsScope::Global, ResourceKind::Skills));
    line("skill commands", &settings.resources().enable_skill_commands());
    line("terminal", &settings.interface().terminal());
    line("images", &settings.tools().images());
    line("models", &settings.models().enabled_models());
    line("escape, filter", &(settings.interface().double_escape_action(), settings.interface().tree_filter_mode()));
    line("budgets", &settings.models().thinking_budgets());
    line("editor", &(settings.interface().editor_padding_x(), settings.interface().autocomplete_max_visible()));
    line("cursor", &settings.interface().show_hardware_cursor());
    line("indent", &settings.interface().code_block_indent());
    line("extra usage", &settings.interface().warn_anthropic_extra_usage());
    line("sessions, changelog", &(settings.sessions().dir(), settings.interface().last_changelog_version()));
    insta::assert_snapshot!(report);
}

#[test]
fn values_are_read_clamped_and_converted() {
    let settings = memory(json!({
        "theme": "dawn/dusk", "sessionDir": "~/sessions", "editorPaddingX": 9, "autocompleteMaxVisible": 1,
        "terminal": {"imageWidthCells": 0.5}, "thinkingBudgets": {"low": 3000, "galactic": 1},
        "transport": "websocket-cached", "followUpMode": "all", "retry": {"maxDelayMs": 7, "maxRetries": 2.9},
        "packages": ["npm:a", {"source": "npm:b", "skills": []}, 5], "defaultThinkingLevel": "xhigh",
    }));
    assert_eq!(
        (settings.interface().theme(), settings.interface().theme_setting().as_deref()),
        (None, Some("dawn/dusk"))
    );
    assert_eq!(settings.sessions().dir().as_deref(), Some(Path::new("/home/u/sessions")));
    assert_eq!((settings.interface().editor_padding_x(), settings.interface().autocomplete_max_visible()), (3, 3));
    assert_eq!(settings.interface().terminal().image_width_cells, 1);
    assert_eq!(settings.models().thinking_budgets(), Some([(ThinkingLevel::Low, 3000)].into()));
    assert_eq!(
        (settings.network().transport(), settings.sessions().follow_up_mode()),
        (Transport::WebsocketCached, QueueMode::All)
    );
    assert_eq!(settings.retry().max_retries, 2);
    assert_eq!(settings.network().provider_retry().max_retry_delay, Duration::from_millis(7));
    assert_eq!(settings.resources().packages(SettingsScope::Global)[0], PackageSetting::Source("npm:a".into()));
    assert_eq!(settings.resources().packages(SettingsScope::Global).len(), 2);
    assert_eq!(settings.models().default_thinking_level(), Some(ThinkingLevel::Xhigh));
}

#[test]
fn limits_come_in_several_spellings() {
    let default = Some(Duration::from_secs(300));
    for (value, expected) in [
        (json!(1500.7), Some(Duration::from_millis(1500))),
        (json!("2000"), Some(Duration::from_millis(2000))),
        (json!(0), None),
        (json!("disabled"), None),
        (json!(-1), default),
        (json!("soon"), default),
        (json!(true), default),
    ] {
        assert_eq!(memory(json!({"httpIdleTimeoutMs": value})).network().http_idle_timeout(), expected, "{value}");
    }
    assert_eq!(memory(json!({"websocketConnectTimeoutMs": 0})).network().websocket_connect_timeout(), Some(None));
}

#[test]
fn the_project_wins_at_every_depth_if_it_is_trusted() {
    let dir = tempfile::tempdir().unwrap();
    write(
        dir.path(),
        r#"{"theme":"a","compaction":{"enabled":false,"reserveTokens":1},"retry":{"provider":{"timeoutMs":5,"maxRetries":4}},"skills":["g"],"defaultProjectTrust":"never","httpProxy":"http://g"}"#,
        r#"{"compaction":{"reserveTokens":2},"retry":{"provider":{"maxRetries":1}},"skills":["p"],"defaultProjectTrust":"always","httpProxy":"http://p"}"#,
    );
    let settings = load(dir.path(), true);
    assert_eq!((settings.compaction().enabled, settings.compaction().reserve_tokens), (false, 2));
    assert_eq!(
        (settings.network().provider_retry().timeout, settings.network().provider_retry().max_retries),
        (Some(Duration::from_millis(5)), 1)
    );
    assert_eq!(settings.default_project_trust(), ProjectTrust::Never);
    assert_eq!(settings.network().http_proxy().as_deref(), Some("http://g"));
    let skills = |scope| settings.resources().paths(scope, ResourceKind::Skills);
    assert_eq!((skills(SettingsScope::Global), skills(SettingsScope::Project)), (vec!["g".into()], vec!["p".into()]));

    let distrusting = load(dir.path(), false);
    assert_eq!(distrusting.compaction().reserve_tokens, 1);
    let refused = distrusting.set(SettingsScope::Project, &["theme"], Some("x".into())).unwrap_err();
    assert_eq!(refused.to_string(), "Project is not trusted; refusing to write project settings");
    assert_eq!(distrusting.interface().theme().as_deref(), Some("a"));
    distrusting.set_project_trusted(true);
    assert_eq!(distrusting.compaction().reserve_tokens, 2);
}

#[test]
fn budgets_of_models_fall_back_one_by_one() {
    let dir = tempfile::tempdir().unwrap();
    write(
        dir.path(),
        r#"{"compaction":{"reserveTokens":1,"modelOverrides":{"p/a/b":{"reserveTokens":5,"keepRecentTokens":-1},"p/c":7,"d":{}}}}"#,
        r#"{"compaction":{"keepRecentTokens":2,"modelOverrides":{"p/a/b":{"keepRecentTokens":6.0}}}}"#,
    );
    let settings = load(dir.path(), true);
    let budget = |provider: &str, id: &str| {
        let model = Model { provider: provider.to_owned(), id: id.to_owned(), ..(*Model::unknown()).clone() };
        let compaction = settings.compaction_for(&model);
        (compaction.reserve_tokens, compaction.keep_recent_tokens)
    };
    assert_eq!((budget("p", "a/b"), budget("p", "c"), budget("P", "a/b")), ((5, 6), (1, 2), (1, 2)));
    assert_eq!(settings.compaction().reserve_tokens, 1);
    let expected = [
        r#"global: "compaction.modelOverrides.p/a/b.keepRecentTokens" must be a whole number, 0 or more; it is ignored"#,
        r#"global: "compaction.modelOverrides.p/c" must be an object; it is ignored"#,
        r#"global: "compaction.modelOverrides.d" is not the name of a model, provider/id; it is ignored"#,
    ];
    assert_eq!(problems(&settings), expected);
}

#[test]
fn pauses_double_up_to_a_limit() {
    let delays = |settings: Value| {
        let retry = memory(json!({"retry": settings})).retry();
        [1, 2, 6, 40].map(|attempt| retry.delay(attempt).as_millis())
    };
    assert_eq!(delays(json!({})), [2000, 4000, 60_000, 60_000]);
    assert_eq!(delays(json!({"maxAgentDelayMs": 3000})), [2000, 3000, 3000, 3000]);
    assert_eq!(delays(json!({"maxAgentDelayMs": -1})), [2000, 4000, 60_000, 60_000]);
}

#[test]
fn saving_touches_only_what_was_set() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), r#"{"unknownThing":{"a":[1,2.50]},"theme":"light","compaction":{"x":1,"enabled":true}}"#, "{}");
    let settings = load(dir.path(), true);
    settings.sessions().set_steering_mode(QueueMode::All).unwrap();
    // Somebody else edits the file meanwhile.
    let edited = global_text(dir.path()).replace("light", "dark").replace("\"x\": 1", "\"x\": 2");
    fs::write(dir.path().join(".pi/agent/settings.json"), edited).unwrap();
    settings.set_compaction_enabled(false).unwrap();
    settings.models().set_default_model("p", "m").unwrap();
    settings.models().set_default_thinking_level(ThinkingLevel::Low).unwrap();
    insta::assert_snapshot!(global_text(dir.path()));
    assert_eq!(settings.interface().theme().as_deref(), Some("light"), "memory follows only its own changes");
    settings.reload();
    assert_eq!(settings.interface().theme().as_deref(), Some("dark"));
    assert!(!dir.path().join(".pi/agent/settings.json.lock").exists());
}

#[test]
fn a_migrated_file_is_written_in_the_new_spelling() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), r#"{"queueMode":"all","z":1}"#, "{}");
    let settings = load(dir.path(), true);
    assert_eq!(settings.sessions().steering_mode(), QueueMode::All);
    assert_eq!(global_text(dir.path()), r#"{"queueMode":"all","z":1}"#, "reading changes nothing");
    settings.interface().set_theme("x").unwrap();
    assert_eq!(
        object(serde_json::from_str(&global_text(dir.path())).unwrap()),
        object(json!({"z": 1, "steeringMode": "all", "theme": "x"}))
    );
}

#[test]
fn reading_creates_nothing_and_writing_a_project_setting_does() {
    let dir = tempfile::tempdir().unwrap();
    let settings = load(dir.path(), true);
    assert_eq!(problems(&settings), [] as [&str; 0]);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    settings.resources().set_paths(SettingsScope::Project, ResourceKind::Themes, &["./t".into()]).unwrap();
    let text = fs::read_to_string(dir.path().join("work/.pi/settings.json")).unwrap();
    assert_eq!(text, "{\n  \"themes\": [\n    \"./t\"\n  ]\n}");
    settings.models().set_enabled_models(Some(&["a*".into()])).unwrap();
    settings.models().set_enabled_models(None).unwrap();
    assert_eq!(global_text(dir.path()), "{}");
}

#[test]
fn a_broken_file_is_reported_and_never_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "{ broken", "[1]");
    let settings = load(dir.path(), true);
    let report = problems(&settings).join("\n").replace(dir.path().to_str().unwrap(), "DIR");
    insta::assert_snapshot!(report);
    let refused = settings.sessions().set_steering_mode(QueueMode::All).unwrap_err();
    assert!(matches!(refused, Error::NotOverwritten { .. }), "{refused}");
    assert_eq!(settings.sessions().steering_mode(), QueueMode::All, "the value is in force all the same");
    assert_eq!(global_text(dir.path()), "{ broken");
    // Once the file is whole again, it can be written.
    write(dir.path(), "{}", "{}");
    settings.reload();
    settings.interface().set_theme("t").unwrap();
    assert_eq!(global_text(dir.path()), "{\n  \"theme\": \"t\"\n}");
    assert_eq!(problems(&settings), [] as [&str; 0]);
}

#[test]
fn comments_are_read_past_and_kept() {
    let dir = tempfile::tempdir().unwrap();
    let text = "{\n  // at night\n  \"theme\": \"dark\", /* or light */\n  \"unknown\": [1,],\n}\n";
    write(dir.path(), text, "{}");
    let settings = load(dir.path(), true);
    assert_eq!((settings.interface().theme().as_deref(), problems(&settings).len()), (Some("dark"), 0));
    settings.interface().set_theme("light").unwrap();
    assert_eq!(global_text(dir.path()), text.replace("\"dark\"", "\"light\""));
}

#[test]
fn a_failed_reload_keeps_what_was_there() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), r#"{"theme":"a"}"#, "{}");
    let settings = load(dir.path(), true);
    write(dir.path(), "{", "{}");
    settings.reload();
    assert_eq!((settings.interface().theme().as_deref(), problems(&settings).len()), (Some("a"), 1));
}

#[test]
fn values_of_the_wrong_kind_are_named_and_ignored() {
    let dir = tempfile::tempdir().unwrap();
    write(
        dir.path(),
        r#"{"theme":5,"compaction":{"enabled":"yes","reserveTokens":null},"retry":[],"transport":"pigeon","httpIdleTimeoutMs":"soon","skills":[1],"defaultThinkingLevel":"huge","packages":{},"futureKey":{"x":1}}"#,
        "{}",
    );
    let settings = load(dir.path(), true);
    insta::assert_snapshot!(problems(&settings).join("\n"));
    assert!(settings.compaction().enabled);
}

#[test]
fn a_change_that_could_not_be_saved_is_saved_later() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "{}", "{}");
    let settings = load(dir.path(), true);
    let lock = dir.path().join(".pi/agent/settings.json.lock");
    fs::create_dir(&lock).unwrap();
    let refused = settings.interface().set_theme("t").unwrap_err();
    assert!(matches!(refused, Error::Host(pi_coding_agent::host::Error::FileLocked { .. })), "{refused}");
    fs::remove_dir(&lock).unwrap();
    settings.flush().unwrap();
    assert_eq!(global_text(dir.path()), "{\n  \"theme\": \"t\"\n}");
}

#[test]
fn overrides_last_but_are_never_written() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), r#"{"images":{"autoResize":false}}"#, "{}");
    let settings = load(dir.path(), true);
    settings.apply_overrides(&object(json!({"quietStartup": true, "images": {"blockImages": true}})));
    settings.interface().set_theme("t").unwrap();
    settings.reload();
    assert!(
        settings.interface().quiet_startup()
            && settings.tools().images().block_images
            && !settings.tools().images().auto_resize
    );
    assert!(!global_text(dir.path()).contains("quietStartup"));
}

#[test]
fn the_settings_of_another_project_take_the_place_of_the_first() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), r#"{"theme": "mine", "shellPath": "/bin/sh"}"#, r#"{"theme": "first"}"#);
    let other = dir.path().join("other");
    fs::create_dir_all(other.join(".pi")).unwrap();
    fs::write(other.join(".pi/settings.json"), r#"{"shellPath": "/other", "retry": 5}"#).unwrap();
    let settings = load(dir.path(), true);
    let read = || (settings.interface().theme().unwrap(), settings.tools().shell_path().unwrap());
    assert_eq!(read(), ("first".to_owned(), "/bin/sh".to_owned()));
    settings.move_to(&other, true);
    assert_eq!(read(), ("mine".to_owned(), "/other".to_owned()));
    assert_eq!(problems(&settings).len(), 1, "what is wrong there is told");
    settings.move_to(&other, true);
    assert_eq!(problems(&settings).len(), 0, "and not twice");
    settings.set(SettingsScope::Project, &["theme"], Some(json!("new"))).unwrap();
    assert!(fs::read_to_string(other.join(".pi/settings.json")).unwrap().contains("new"));
    settings.move_to(&other, false);
    assert_eq!(read(), ("mine".to_owned(), "/bin/sh".to_owned()));
    let refused = settings.set(SettingsScope::Project, &["theme"], Some(json!("x"))).unwrap_err();
    assert!(matches!(refused, Error::ProjectNotTrusted), "{refused}");
    let memory = SettingsManager::in_memory(object(json!({"theme": "kept"})), Env::fixed([("HOME", "/")]));
    memory.move_to(&other, true);
    assert_eq!((memory.interface().theme().as_deref(), memory.tools().shell_path()), (Some("kept"), None));
}
