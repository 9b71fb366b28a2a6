//! What a session is made of when little or nothing is said.

use std::sync::Arc;

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
    assert!(session.models().has_configured_auth(&model));
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
    assert_eq!((&*session.model().id, session.thinking_level()), ("gpt-5", ThinkingLevel::Low));
    assert!(session.models().has_configured_auth(&session.model()));
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
    assert_eq!(session.thinking_level(), ThinkingLevel::High);
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
        model: Some(Model::unknown()),
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
    assert_eq!(session.thinking_level(), ThinkingLevel::Medium);
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
    assert_eq!(created.session.message_count(), 0);
}
