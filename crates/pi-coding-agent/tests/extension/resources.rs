//! Skills and templates that extensions bring.

use std::path::Path;

use pi_coding_agent::agent_session::ExtensionBindings;
use pi_coding_agent::extension::Mode;
use pi_coding_agent::extension::events::*;

use crate::support::{Log, Stage, extension, says, stage};

fn write(dir: &Path, file: &str, text: &str) {
    let file = dir.join(file);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

fn skill(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\nDo it.")
}

fn listed(stage: &Stage) -> Vec<String> {
    let commands = stage.session.extensions().slash_commands().into_iter();
    commands
        .map(|command| format!("{} {} {:?}", command.name, command.source_info.source, command.source_info.scope))
        .collect()
}

/// A stage whose extensions bring `more/` as skills and `greet.md` as template, and hear why they are asked.
async fn bringing() -> (Stage, Log) {
    let log = Log::default();
    let reasons = log.clone();
    let bring = extension("/opt/pi/bring.ts", move |pi| {
        let log = reasons.clone();
        pi.on(move |event: ResourcesDiscoverEvent, _| {
            log.say(format!("{:?}", event.reason));
            async {
                Ok(ResourcesOutcome {
                    skill_paths: vec!["more".into(), "missing".into()],
                    prompt_paths: vec!["greet.md".into()],
                    theme_paths: vec![],
                })
            }
        });
    });
    let late = extension("<inline:2>", |pi| {
        pi.on(|event: ResourcesDiscoverEvent, _| async move {
            Ok(ResourcesOutcome { skill_paths: vec![event.cwd.join("late")], ..ResourcesOutcome::default() })
        });
    });
    let stage = stage(&[bring, late]).await;
    let dir = stage.dir.path();
    write(dir, ".pi/skills/own/SKILL.md", &skill("own", "The user's"));
    write(dir, "more/own/SKILL.md", &skill("own", "Not this one"));
    write(dir, "more/fresh/SKILL.md", &skill("fresh", "Something fresh"));
    write(dir, "late/fresh/SKILL.md", &skill("fresh", "Too late"));
    write(dir, "late/last/SKILL.md", &skill("last", "The last"));
    write(dir, "greet.md", "Hello $1");
    (stage, log)
}

#[tokio::test]
async fn they_come_last_with_their_source_and_the_system_prompt_names_them() {
    let (stage, _) = bringing().await;
    // Read before the files were there.
    stage.session.reload().await.unwrap();
    stage.session.extensions().bind(ExtensionBindings::without_user(Mode::Print)).await;
    assert_eq!(
        listed(&stage),
        [
            "greet extension:bring Temporary",
            "skill:own auto Project",
            "skill:fresh extension:bring Temporary",
            "skill:last extension:<inline:2> Temporary",
        ]
    );
    let info = &stage.session.extensions().slash_commands()[0].source_info;
    assert_eq!((info.base_dir.as_deref(), info.path.ends_with("greet.md")), (Some("/opt/pi"), true));
    let prompt = stage.session.system_prompt();
    for (text, is_there) in [
        ("Something fresh", true),
        ("The last", true),
        ("The user's", false),
        ("The user&apos;s", true),
        ("Too late", false),
    ] {
        assert_eq!(prompt.contains(text), is_there, "{text}");
    }
    let complaints = stage.errors.take();
    assert!(complaints.iter().any(|text| text.contains("missing: ")), "{complaints:?}");
    assert!(complaints.iter().any(|text| text.contains("skill \"fresh\" is already defined by")), "{complaints:?}");
    stage.script([says("hi")]);
    stage.prompt("/greet you").await;
    assert_eq!(stage.messages()[0], "user: Hello you");
}

#[tokio::test]
async fn they_are_asked_for_again_and_not_added_twice() {
    let (stage, log) = bringing().await;
    stage.session.extensions().bind(ExtensionBindings::without_user(Mode::Print)).await;
    assert_eq!(log.take(), ["Startup"]);
    stage.session.reload().await.unwrap();
    assert_eq!(log.take(), ["Reload"]);
    let first = listed(&stage);
    assert_eq!(first.len(), 4);
    std::fs::remove_dir_all(stage.dir.path().join("late")).unwrap();
    write(stage.dir.path(), "more/newer/SKILL.md", &skill("newer", "Newer"));
    stage.session.switch().to_new(None).await.unwrap();
    assert_eq!(log.take(), ["Startup"]);
    let names: Vec<String> =
        stage.session.extensions().slash_commands().into_iter().map(|command| command.name).collect();
    assert_eq!(names, ["greet", "skill:own", "skill:fresh", "skill:newer"]);
    assert!(stage.session.system_prompt().contains("Newer"));
}
