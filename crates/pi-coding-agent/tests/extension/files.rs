//! Extensions in files: what a session keeps of them when it is replaced or read anew, and what it finds again.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_coding_agent::agent_session::ExtensionBindings;
use pi_coding_agent::extension::events::*;
use pi_coding_agent::extension::*;
use pi_coding_agent::prompt::{ResourceOptions, ResourcePlaces, SourceInfo};
use pi_coding_agent::sdk::CreateAgentSessionOptions;
use pi_coding_agent::session::{NewSession, SessionManager};
use tokio::sync::Barrier;

use crate::support::{Log, Stage, calls, host, named_echo, says, stage_with};

/// Stands for an engine: the words of the file are names of tools, `--name` is a flag, `meet` waits for others. The file is
/// read once, before the first activation.
struct Words {
    name: String,
    info: SourceInfo,
    words: Mutex<Option<String>>,
    log: Log,
    /// Ends when three of them are there.
    meeting: Arc<Barrier>,
}

impl Extension for Words {
    fn name(&self) -> &str {
        &self.name
    }

    fn source_info(&self) -> SourceInfo {
        self.info.clone()
    }

    fn prepare(&self) -> BoxFuture<'_, Result<(), HandlerError>> {
        async {
            if self.words.lock().unwrap().is_none() {
                let words = fs::read_to_string(&self.info.path)?;
                self.log.say(format!("{} read", self.name));
                if words.contains("meet") {
                    self.meeting.wait().await;
                }
                *self.words.lock().unwrap() = Some(words);
            }
            Ok(())
        }
        .boxed()
    }

    fn activate(&self, pi: ExtensionApi) -> BoxFuture<'_, Result<(), HandlerError>> {
        async move {
            let words = self.words.lock().unwrap().clone().unwrap();
            self.log.say(format!("{} activated: {words}", self.name));
            if words.contains("broken") {
                return Err("it is broken".into());
            }
            for word in words.split_whitespace().filter(|word| *word != "meet") {
                match word.strip_prefix("--") {
                    Some(flag) => pi.register_flag(Flag::string(flag).default("unset")),
                    None => pi.register_tool(named_echo(word, false)),
                }
            }
            let (log, name) = (self.log.clone(), self.name.clone());
            pi.on(move |event: SessionStartEvent, _| {
                log.say(format!("{name} begins: {:?}", event.reason));
                async { Ok(()) }
            });
            let (log, name) = (self.log.clone(), self.name.clone());
            pi.on(move |event: ToolCallEvent, _| {
                log.say(format!("{name} sees {}", event.tool_name));
                async { Ok(ToolCallOutcome::allow()) }
            });
            Ok(())
        }
        .boxed()
    }
}

fn make(log: &Log) -> Arc<MakeExtension> {
    let (log, meeting) = (log.clone(), Arc::new(Barrier::new(3)));
    Arc::new(move |path: &Path, info: SourceInfo, _: &ResourcePlaces| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        Arc::new(Words { name, info, words: Mutex::default(), log: log.clone(), meeting: Arc::clone(&meeting) })
    })
}

/// A directory with these files, and a session in it.
struct Place {
    stage: Stage,
    log: Log,
}

impl Place {
    async fn new(files: &[(&str, &str)], options: ResourceOptions) -> Self {
        let log = Log::default();
        let stage = stage_with(&[], LoadOptions::default(), |options| options).await;
        let dir = stage.dir.path().canonicalize().unwrap();
        for (file, words) in files {
            write(&dir, file, words);
        }
        let resources =
            pi_coding_agent::prompt::PromptResources::new(stage.session.resources().places().clone(), options);
        let given = CreateAgentSessionOptions {
            session_manager: Some(SessionManager::create(host(&dir), &dir, &NewSession::default()).unwrap()),
            resources: Some(resources),
            ..CreateAgentSessionOptions::in_memory(&dir, stage.provider.model(), "key")
        };
        let given = given.load_extension_files_by(make(&log)).await.unwrap();
        let stage = stage_with(&[], LoadOptions::default(), move |options| CreateAgentSessionOptions {
            session_manager: given.session_manager,
            resources: given.resources,
            extensions: given.extensions,
            trusts: Some(Arc::new(|_: &Path| true)),
            ..options
        })
        .await
        .with_dir(stage.dir);
        stage.session.extensions().bind(ExtensionBindings::without_user(Mode::Rpc)).await;
        Self { stage, log }
    }

    fn dir(&self) -> std::path::PathBuf {
        self.stage.dir.path().canonicalize().unwrap()
    }

    fn write(&self, file: &str, words: &str) {
        write(&self.dir(), file, words);
    }

    /// Names of the active tools that are not built in.
    fn tools(&self) -> Vec<String> {
        let builtin = ["read", "bash", "edit", "write"];
        self.stage.session.tools().active().into_iter().filter(|name| !builtin.contains(&name.as_str())).collect()
    }

    fn flag(&self, name: &str) -> Option<FlagValue> {
        self.stage.session.extensions().runner().runtime().flag(name)
    }
}

fn write(dir: &Path, file: &str, words: &str) {
    fs::create_dir_all(dir.join(file).parent().unwrap()).unwrap();
    fs::write(dir.join(file), words).unwrap();
}

#[tokio::test]
async fn they_are_prepared_at_once_and_activated_in_order() {
    let files = [
        (".pi/extensions/a.ts", "meet one"),
        ("agent/extensions/b.ts", "meet two one"),
        ("agent/extensions/c.ts", "meet broken"),
    ];
    let place = Place::new(&files, ResourceOptions::default()).await;
    let log = place.log.take();
    assert_eq!(log[..3], ["a.ts read", "b.ts read", "c.ts read"]);
    assert_eq!(log[3..6], ["a.ts activated: meet one", "b.ts activated: meet two one", "c.ts activated: meet broken"]);
    assert_eq!(log[6..], ["a.ts begins: Startup", "b.ts begins: Startup"]);
    assert_eq!(place.tools(), ["one", "two"]);
    let errors = place.stage.errors.take();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[0].ends_with("b.ts: Tool \"one\" conflicts with a.ts"), "{errors:?}");
    assert!(errors[1].ends_with("c.ts: Failed to load extension: it is broken"), "{errors:?}");
}

#[tokio::test]
async fn a_replacement_keeps_what_was_read() {
    let place = Place::new(&[("agent/extensions/a.ts", "one")], ResourceOptions::default()).await;
    place.log.take();
    place.write("agent/extensions/a.ts", "changed");
    place.write("agent/extensions/b.ts", "new");
    place.stage.session.switch().to_new(None).await.unwrap();
    assert_eq!(place.log.take(), ["a.ts activated: one", "a.ts begins: New"]);
    assert_eq!(place.tools(), ["one"]);
    assert_eq!(place.stage.errors.take(), [""; 0]);
}

#[tokio::test]
async fn a_reload_finds_what_is_new_changed_and_gone() {
    let files = [("agent/extensions/a.ts", "one --kept"), ("agent/extensions/b.ts", "two"), ("cli.ts", "three four")];
    let place = Place::new(&files, ResourceOptions::default()).await;
    place.stage.session.extensions().runner().runtime().set_flag("kept", "set".into());
    place.stage.session.tools().set_active(&["read".to_owned(), "one".to_owned()]);
    place.log.take();
    place.write("agent/extensions/a.ts", "one more --kept");
    fs::remove_file(place.dir().join("agent/extensions/b.ts")).unwrap();
    place.write(".pi/extensions/first.ts", "first");
    place.write(".pi/extensions/second.ts", "broken");
    place.stage.session.reload().await.unwrap();
    let (mut read, rest): (Vec<_>, Vec<_>) = place.log.take().into_iter().partition(|line| line.ends_with("read"));
    read.sort();
    assert_eq!(read, ["a.ts read", "first.ts read", "second.ts read"]);
    assert_eq!(
        rest,
        [
            "first.ts activated: first",
            "second.ts activated: broken",
            "a.ts activated: one more --kept",
            "first.ts begins: Reload",
            "a.ts begins: Reload",
        ]
    );
    assert_eq!(place.tools(), ["one", "first", "more"]);
    assert_eq!(place.flag("kept"), Some("set".into()));
    let errors = place.stage.errors.take();
    assert_eq!(errors, ["second.ts load: Failed to load extension: it is broken"]);

    fs::remove_dir_all(place.dir().join(".pi")).unwrap();
    fs::remove_dir_all(place.dir().join("agent/extensions")).unwrap();
    place.stage.session.reload().await.unwrap();
    assert_eq!((place.tools(), place.log.take(), place.stage.errors.take()), (vec![], vec![], vec![]));
}

#[tokio::test]
async fn the_first_ones_may_come_with_a_reload() {
    let place = Place::new(&[], ResourceOptions::default()).await;
    place.stage.script([says("hi"), says("there")]);
    place.stage.prompt("go").await;
    place.write("agent/extensions/a.ts", "echo");
    place.stage.session.switch().to_new(None).await.unwrap();
    assert_eq!(place.log.take(), [""; 0], "nobody has looked");
    place.stage.session.reload().await.unwrap();
    assert_eq!(place.log.take(), ["a.ts read", "a.ts activated: echo", "a.ts begins: Reload"]);
    place.stage.script([calls(&["hello"]), says("done")]);
    place.stage.prompt("on").await;
    assert_eq!(place.log.take(), ["a.ts sees echo"], "it is connected with the agent, too");
    assert_eq!(place.tools(), ["echo"]);
}

#[tokio::test]
async fn another_directory_has_its_own() {
    let files = [(".pi/extensions/a.ts", "one --kept"), ("agent/extensions/b.ts", "two"), ("cli.ts", "three")];
    let tree = tempfile::tempdir().unwrap();
    write(tree.path(), "cli.ts", "three");
    let options = ResourceOptions { extensions: vec![tree.path().join("cli.ts")], ..ResourceOptions::default() };
    let place = Place::new(&files, options).await;
    place.stage.session.extensions().runner().runtime().set_flag("kept", "set".into());
    let start = place.stage.session.session_file().unwrap();
    place.log.take();
    let other = tempfile::tempdir().unwrap();
    let cwd = other.path().canonicalize().unwrap();
    write(&cwd, ".pi/extensions/c.ts", "four --kept");
    let file = {
        let mut manager = SessionManager::create(host(&cwd), &cwd, &NewSession::default()).unwrap();
        manager.append().session_info("other").unwrap();
        manager.append_message(Arc::new(says("x").into())).unwrap();
        manager.session_file().unwrap().to_owned()
    };
    place.stage.session.switch().to(&file).await.unwrap();
    let log: Vec<_> = place.log.take().into_iter().filter(|line| !line.ends_with("read")).collect();
    assert_eq!(
        log,
        [
            "cli.ts activated: three",
            "c.ts activated: four --kept",
            "b.ts activated: two",
            "cli.ts begins: Resume",
            "c.ts begins: Resume",
            "b.ts begins: Resume",
        ]
    );
    assert_eq!(
        (place.tools(), place.flag("kept")),
        (vec!["three".into(), "two".into(), "four".into()], Some("set".into()))
    );
    place.write(".pi/extensions/a.ts", "changed");
    place.stage.session.switch().to(&start).await.unwrap();
    assert!(place.log.take().contains(&"a.ts activated: changed".to_owned()));
    let errors = place.stage.errors.take();
    assert!(!errors.iter().any(|error| error.contains("load")), "{errors:?}");
}

#[tokio::test]
async fn what_was_asked_for_and_is_gone_is_told_again() {
    let tree = tempfile::tempdir().unwrap();
    let file = tree.path().join("cli.ts");
    let options = ResourceOptions { extensions: vec![file.clone()], ..ResourceOptions::default() };
    let place = Place::new(&[], options).await;
    let gone = format!("Extension path does not exist: {}", file.display());
    assert_eq!(place.stage.errors.take(), [format!("{}: {gone}", file.display())]);
    place.stage.session.reload().await.unwrap();
    assert_eq!(place.stage.errors.take(), [format!("{} load: {gone}", file.display())]);
    fs::write(&file, "there").unwrap();
    place.stage.session.reload().await.unwrap();
    assert_eq!((place.tools(), place.stage.errors.take()), (vec!["there".to_owned()], vec![]));
}
