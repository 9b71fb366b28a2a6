//! What a session is made of when little or nothing is said.

use std::sync::Arc;

use super::session_pool::{PoolOptions, SessionPool};
use super::*;

#[test]
fn a_session_in_memory_reads_no_configuration() {
    let dir = tempfile::tempdir().unwrap();
    for (file, text) in [("AGENTS.md", "from the project"), ("SYSTEM.md", "x"), (".pi/settings.json", "{oops")] {
        std::fs::create_dir_all(dir.path().join(".pi")).unwrap();
        std::fs::write(dir.path().join(file), text).unwrap();
    }
    let model = pi_ai::get_model("anthropic", "claude-sonnet-4-5").unwrap();
    let options = CreateAgentSessionOptions::in_memory(dir.path(), Arc::clone(&model), "key");
    let created = create_agent_session(options).unwrap();
    let session = created.session;
    assert_eq!((session.session_file(), session.model()), (None, Arc::clone(&model)));
    assert_eq!(created.model_fallback_message, None);
    assert!(session.models().registry().has_configured_auth(&model));
    assert!(session.settings().drain_problems().is_empty());
    let prompt = session.system_prompt();
    assert!(prompt.contains(&*dir.path().to_string_lossy()), "{prompt}");
    assert!(!prompt.contains("from the project"), "{prompt}");
}

/// A user with a configuration, a project that has one, too, and what goes wrong.
struct Home {
    dir: tempfile::TempDir,
    warnings: Arc<std::sync::Mutex<Vec<String>>>,
}

impl Home {
    fn new() -> Self {
        let home = Self { dir: tempfile::tempdir().unwrap(), warnings: Arc::default() };
        for (file, text) in [
            (
                ".pi/agent/settings.json",
                r#"{"defaultProvider": "openai", "defaultModel": "gpt-5", "defaultThinkingLevel": "low"}"#,
            ),
            (".pi/agent/auth.json", r#"{"openai": {"type": "api_key", "key": "k"}}"#),
            (".pi/agent/AGENTS.md", "rules of the user"),
            ("project/AGENTS.md", "rules of the project"),
            ("project/.pi/settings.json", r#"{"defaultThinkingLevel": "high"}"#),
            ("project/.pi/SYSTEM.md", "prompt of the project"),
        ] {
            let file = home.dir.path().join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        home
    }

    fn create(&self, change: impl FnOnce(CreateAgentSessionOptions) -> CreateAgentSessionOptions) -> AgentSession {
        let warnings = Arc::clone(&self.warnings);
        let options = CreateAgentSessionOptions::builder()
            .cwd(self.dir.path().join("project"))
            .env(Env::fixed([("HOME", self.dir.path().to_str().unwrap())]))
            .warn(Arc::new(move |warning: &str| warnings.lock().unwrap().push(warning.to_owned())))
            .build();
        create_agent_session(change(options)).unwrap().session
    }
}

#[test]
fn what_is_not_given_is_read_from_the_users_configuration() {
    let home = Home::new();
    let session = home.create(|options| options);
    assert_eq!((&*session.model().id, session.thinking().level()), ("gpt-5", ThinkingLevel::Low));
    assert!(session.models().registry().has_configured_auth(&session.model()));
    let prompt = session.system_prompt();
    assert!(prompt.contains("rules of the user") && prompt.contains("rules of the project"), "{prompt}");
    assert!(!prompt.contains("prompt of the project"), "nobody trusts it: {prompt}");
    let file = session.session_file().unwrap();
    assert!(file.starts_with(home.dir.path().join(".pi/agent/sessions")), "{}", file.display());
    assert!(home.warnings.lock().unwrap().is_empty());
}

#[test]
fn a_project_that_is_trusted_counts() {
    let home = Home::new();
    let session = home.create(|options| CreateAgentSessionOptions { project_trusted: Some(true), ..options });
    assert_eq!(session.thinking().level(), ThinkingLevel::High);
    assert!(session.system_prompt().contains("prompt of the project"));
}

#[test]
fn another_directory_of_configuration_and_texts_of_the_program_count() {
    let home = Home::new();
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::write(elsewhere.path().join("SYSTEM.md"), "prompt of a file").unwrap();
    let session = home.create(|options| CreateAgentSessionOptions {
        agent_dir: Some(elsewhere.path().to_owned()),
        append_system_prompt: vec!["AGENTS.md".to_owned(), "and this".to_owned()],
        model: Some(Model::unknown().into()),
        ..options
    });
    let prompt = session.system_prompt();
    assert!(prompt.starts_with("prompt of a file") && prompt.contains("AGENTS.md\n\nand this"), "{prompt}");
    assert!(!prompt.contains("rules of the user"), "{prompt}");
    let session = home.create(|options| CreateAgentSessionOptions {
        system_prompt: Some("Only this.".to_owned()),
        resources: Some(PromptResources::none(Path::new("/"))),
        ..options
    });
    assert!(session.system_prompt().starts_with("Only this."));
}

#[test]
fn broken_configuration_is_told_and_left_out() {
    let home = Home::new();
    for file in ["settings.json", "models.json", "trust.json"] {
        std::fs::write(home.dir.path().join(".pi/agent").join(file), "{oops").unwrap();
    }
    let session = home.create(|options| options);
    assert_eq!(session.thinking().level(), ThinkingLevel::Medium);
    let warnings = home.warnings.lock().unwrap().join("\n");
    for file in ["settings.json", "models.json", "trust.json"] {
        assert!(warnings.contains(file), "{file}: {warnings}");
    }
}

#[tokio::test]
async fn a_session_can_be_created_off_the_thread() {
    let dir = tempfile::tempdir().unwrap();
    let model = pi_ai::get_model("anthropic", "claude-sonnet-4-5").unwrap();
    let options = CreateAgentSessionOptions::in_memory(dir.path(), model, "key");
    let created = create_agent_session_async(options).await.unwrap();
    assert_eq!(created.session.stats().message_count(), 0);
}

/// Files that bring a flag of their name; the log tells what was made.
fn flags_of(log: &Arc<std::sync::Mutex<Vec<String>>>) -> Arc<crate::extension::MakeExtension> {
    let log = Arc::clone(log);
    Arc::new(
        move |path: &Path,
              _: crate::resources::prompt::SourceInfo,
              places: &crate::resources::prompt::ResourcePlaces| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let cwd = places.cwd.file_name().unwrap().to_string_lossy();
            log.lock().unwrap().push(format!("{name} in {cwd}"));
            crate::extension::extension_fn(name.clone(), move |pi| {
                pi.register_flag(crate::extension::Flag::boolean(name.clone()));
                async { Ok(()) }
            })
        },
    )
}

#[tokio::test]
async fn extensions_in_files_are_those_that_the_program_would_have() {
    for (trusted, names, made) in [
        (
            None,
            vec!["named", "listed", "users", "inline"],
            vec!["named in project", "listed in project", "users in project"],
        ),
        (
            Some(true),
            vec!["named", "own", "listed", "users", "inline"],
            vec!["named in project", "own in project", "listed in project", "users in project"],
        ),
    ] {
        let home = Home::new();
        for file in
            [".pi/agent/extensions/users.ts", ".pi/agent/listed.ts", "project/.pi/extensions/own.ts", "named.ts"]
        {
            let file = home.dir.path().join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "").unwrap();
        }
        std::fs::write(home.dir.path().join(".pi/agent/settings.json"), r#"{"extensions": ["listed.ts", "gone.ts"]}"#)
            .unwrap();
        let log = Arc::default();
        let inline = crate::extension::extension_fn("inline", |_| async { Ok(()) });
        let loaded = crate::extension::load_extensions(&[inline], crate::extension::LoadOptions::default()).await;
        let warnings = Arc::clone(&home.warnings);
        let extensions = vec![home.dir.path().join("named.ts"), home.dir.path().join("missing.ts")];
        let options = CreateAgentSessionOptions {
            project_trusted: trusted,
            ..CreateAgentSessionOptions::builder()
                .cwd(home.dir.path().join("project"))
                .env(Env::fixed([("HOME", home.dir.path().to_str().unwrap())]))
                .resource_options(ResourceOptions { extensions, ..ResourceOptions::default() })
                .extensions(loaded)
                .warn(Arc::new(move |warning: &str| warnings.lock().unwrap().push(warning.to_owned())))
                .build()
        };
        let options = options.load_extension_files_by(flags_of(&log)).await.unwrap();
        let created = create_agent_session_async(options).await.unwrap();
        let runner = created.session.extensions().runner();
        assert_eq!(runner.extensions().iter().map(|extension| extension.name().to_owned()).collect::<Vec<_>>(), names);
        assert_eq!(*log.lock().unwrap(), made);
        let errors: Vec<_> = created.extension_errors.iter().map(ToString::to_string).collect();
        assert!(errors.len() == 1 && errors[0].contains("missing.ts: Extension path does not exist: "), "{errors:?}");
        let warnings = home.warnings.lock().unwrap();
        assert!(warnings.len() == 1 && warnings[0].ends_with("gone.ts: extension path does not exist"), "{warnings:?}");
    }
}

#[tokio::test]
async fn sessions_of_a_pool_may_have_them_too() {
    let home = Home::new();
    let file = home.dir.path().join(".pi/agent/extensions/users.ts");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, "").unwrap();
    let log = Arc::default();
    let env = Env::fixed([("HOME", home.dir.path().to_str().unwrap())]);
    let options = PoolOptions::builder().env(env).extension_files(flags_of(&log)).build();
    let pool = SessionPool::new(options);
    let cwd = home.dir.path().join("project");
    for made in 1..=2 {
        let session = pool.create(pool.options(&cwd)).await.unwrap().session;
        assert_eq!(session.extensions().runner().extensions().len(), 1);
        assert_eq!(log.lock().unwrap().len(), made, "each session has its own");
    }
    let sessions: Vec<_> = pool.ids().iter().filter_map(|id| pool.get(id)).collect();
    assert!(Arc::ptr_eq(sessions[0].settings(), sessions[1].settings()), "settings are read once");
}

/// An extension that brings a tool of its name.
fn brings(name: &'static str) -> Arc<dyn crate::extension::Extension> {
    crate::extension::extension_fn(name, move |pi| {
        let definition = pi_ai::ToolDefinition {
            name: name.to_owned(),
            description: "Says its name.".to_owned(),
            parameters: serde_json::json!({"type": "object", "properties": {}}),
        };
        let tool = pi_agent_core::FnTool::new(definition, |_| async { Ok(pi_agent_core::ToolOutput::text("me")) });
        pi.register_tool(crate::extension::ToolRegistration::new(tool));
        async { Ok(()) }
    })
}

/// Makes an extension out of a file: it brings a tool that is called as the file says.
struct NamedInFiles;

impl ExtensionLoader for NamedInFiles {
    fn maker(&self, _: &Arc<SettingsManager>, _: &SessionHost) -> Arc<crate::extension::MakeExtension> {
        Arc::new(|path, _, _| brings(std::fs::read_to_string(path).unwrap_or_default().leak()))
    }
}

/// Extensions of the program and in files, with and without those that the user has, by one option.
#[tokio::test]
async fn one_option_names_all_extensions() {
    let home = Home::new();
    for (file, name) in [("project/named.ts", "named"), (".pi/agent/extensions/users.ts", "users")] {
        let file = home.dir.path().join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, name).unwrap();
    }
    type Wanted = fn() -> Extensions;
    let table: [(Wanted, &[&str]); 6] = [
        (Extensions::none, &[]),
        (|| brings("one").into(), &["one"]),
        (|| vec![brings("one"), brings("two")].into(), &["one", "two"]),
        (|| Extensions::none().with(brings("one")).with_file("named.ts"), &["named", "one"]),
        (Extensions::configured, &["users"]),
        (|| Extensions::configured().with(brings("one")).with_file("named.ts"), &["named", "users", "one"]),
    ];
    for (wanted, names) in table {
        let options = CreateAgentSessionOptions::builder()
            .cwd(home.dir.path().join("project"))
            .env(Env::fixed([("HOME", home.dir.path().to_str().unwrap())]))
            .extensions(wanted())
            .extension_loader(Arc::new(NamedInFiles))
            .build();
        let created = create_agent_session_async(options).await.unwrap();
        assert!(created.extension_errors.is_empty(), "{:?}", created.extension_errors);
        let active = created.session.tools().active();
        assert_eq!(active[4..], *names, "{:?}", wanted());
    }
}

#[tokio::test]
async fn a_session_that_reads_no_configuration_may_have_extensions_in_files() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("named.ts"), "named").unwrap();
    let model = pi_ai::get_model("anthropic", "claude-sonnet-4-5").unwrap();
    let options = || CreateAgentSessionOptions {
        extensions: Extensions::none().with_file("named.ts").with_file("gone.ts").with(brings("one")),
        extension_loader: Arc::new(NamedInFiles),
        ..CreateAgentSessionOptions::in_memory(dir.path(), &*model, "key")
    };
    let created = create_agent_session_async(options()).await.unwrap();
    assert_eq!(created.session.tools().active()[4..], ["named", "one"]);
    let errors: Vec<_> = created.extension_errors.iter().map(ToString::to_string).collect();
    assert!(errors.len() == 1 && errors[0].contains("gone.ts: Extension path does not exist"), "{errors:?}");
    let refused = create_agent_session(options()).unwrap_err();
    assert!(
        matches!(refused, Error::AgentSession(agent_session::Error::Extension(crate::ExtensionCallError::NotLoaded))),
        "{refused}"
    );
}

#[test]
fn a_model_may_be_named() {
    let home = Home::new();
    let model = pi_ai::get_model("openai", "gpt-5-mini").unwrap();
    let choices: [ModelChoice; 4] =
        ["openai/gpt-5-mini".into(), (&*model).into(), (*model).clone().into(), model.into()];
    for choice in choices {
        let session = home.create(|options| CreateAgentSessionOptions { model: Some(choice), ..options });
        assert_eq!(&*session.model().id, "gpt-5-mini");
    }
    let options = CreateAgentSessionOptions::builder()
        .cwd(home.dir.path())
        .env(Env::fixed([("HOME", home.dir.path().to_str().unwrap())]))
        .model("openai/no-such-model");
    let refused = create_agent_session(options.build()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "Model \"openai/no-such-model\" not found. Use --list-models to see available models."
    );
}
