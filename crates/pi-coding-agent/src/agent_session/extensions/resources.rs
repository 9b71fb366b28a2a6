//! Skills, templates and themes that extensions bring.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_guard::lock;

use super::tools::tools_of_extensions;
use crate::agent_session::store::blocking;
use crate::agent_session::{DirectoryState, Inner};
use crate::events::Error;
use crate::extension::LoadedExtension;
use crate::extension::events::{DiscoverReason, ResourcesDiscoverEvent, ResourcesOutcome};
use crate::resources::prompt::{ExtensionResources, ListedResources, PromptResources, ResourcePaths};

/// Resources that extensions have added to.
pub(super) struct Extended {
    base: Arc<PromptResources>,
    with_extensions: Arc<PromptResources>,
}

/// Reads the resources of the session's directory anew; tools and the user's shell follow the settings. Trust stays as
/// it was decided.
pub(super) async fn reload_resources(session: &Arc<Inner>) -> Result<(), Error> {
    blocking(session, |session| {
        let resources = session.place.resources();
        let (cwd, trusted) = (resources.places().cwd.clone(), resources.places().trusted);
        let tools = tools_of_extensions(session);
        let listed = ListedResources::of_settings(session.place.settings());
        let fresh = resources.moved_to(&cwd, trusted).with_listed(listed);
        let (fresh, _) = session.place.furnishing().furnish(&cwd, fresh, &tools);
        let mut workspace = session.place.workspace();
        // The session may have moved meanwhile.
        if workspace.resources.places().cwd == cwd {
            let DirectoryState { toolbox, .. } = std::mem::replace(&mut *workspace, fresh);
            workspace.toolbox.keep_active(&toolbox);
        }
        Ok(())
    })
    .await
}

/// Asks the extensions for more resources and adds them.
pub(super) async fn discover_resources(session: &Inner, reason: DiscoverReason) {
    let runner = session.extensions.runner();
    if !runner.listens::<ResourcesDiscoverEvent>() {
        return;
    }
    let cwd: PathBuf = session.place.cwd();
    let mut found: Vec<ExtensionResources> = Vec::new();
    let event = ResourcesDiscoverEvent { cwd: cwd.clone(), reason };
    let context = runner.context();
    let asked = runner.fold_by(event, &context, None, |extension, _, outcome| {
        found.extend(contribution(extension, outcome, &cwd));
        ControlFlow::Continue(())
    });
    asked.await;
    if !found.is_empty() {
        extend_resources(session, found).await;
    }
}

/// Appends resources to the present ones; the system prompt follows.
async fn extend_resources(session: &Inner, found: Vec<ExtensionResources>) {
    let base = session.place.resources();
    let read = tokio::task::spawn_blocking(move || {
        let extended = found.into_iter().fold(None, |extended: Option<PromptResources>, more| {
            Some(extended.as_ref().unwrap_or(&base).extended_by(more))
        });
        let complaints = extended.as_ref().map(|extended| read_all(extended, &base)).unwrap_or_default();
        (base, extended.map(Arc::new), complaints)
    });
    let Ok((base, Some(extended), complaints)) = read.await else { return };
    complaints.iter().for_each(|complaint| session.store.warn(complaint));
    exchange_resources(session, &base, &extended);
    *lock(&session.extensions.extended) = Some(Extended { base, with_extensions: extended });
}

/// Drops what extensions have added. Those that follow add their own.
pub(super) fn forget_resources(session: &Inner) {
    if let Some(Extended { base, with_extensions }) = lock(&session.extensions.extended).take() {
        exchange_resources(session, &with_extensions, &base);
    }
}

/// Replaces `old` by `new`, unless something else has replaced `old` meanwhile.
fn exchange_resources(session: &Inner, old: &Arc<PromptResources>, new: &Arc<PromptResources>) {
    let is_current = {
        let mut workspace = session.place.workspace();
        let is_current = Arc::ptr_eq(&workspace.resources, old);
        if is_current {
            workspace.resources = Arc::clone(new);
        }
        is_current
    };
    if is_current {
        session.place.apply(session.run.agent());
    }
}

/// What an extension adds, under its name. Relative paths count from the session's directory.
fn contribution(extension: &LoadedExtension, outcome: ResourcesOutcome, cwd: &Path) -> Option<ExtensionResources> {
    if outcome == ResourcesOutcome::default() {
        return None;
    }
    let absolute = |paths: Vec<PathBuf>| paths.iter().map(|path| cwd.join(path)).collect();
    let info = extension.source_info();
    // An extension without a file belongs to no directory.
    let own_dir = Path::new(&info.path).parent().filter(|dir| dir.is_absolute()).map(ToOwned::to_owned);
    let base_dir = own_dir.or_else(|| info.base_dir.as_ref().map(PathBuf::from)).unwrap_or_else(|| cwd.to_owned());
    Some(ExtensionResources {
        name: short_name(extension.name()).to_owned(),
        base_dir,
        paths: ResourcePaths {
            skills: absolute(outcome.skill_paths),
            prompts: absolute(outcome.prompt_paths),
            themes: absolute(outcome.theme_paths),
            ..ResourcePaths::default()
        },
    })
}

/// The name of the file without its ending.
fn short_name(name: &str) -> &str {
    let file = Path::new(name).file_name().and_then(|file| file.to_str()).unwrap_or(name);
    file.strip_suffix(".ts").or_else(|| file.strip_suffix(".js")).unwrap_or(file)
}

/// Reads everything that the prompt and the list of commands need, and returns what is wrong with what was added.
fn read_all(extended: &PromptResources, base: &PromptResources) -> Vec<String> {
    extended.prompt_files();
    extended.context_files();
    let problems = |resources: &PromptResources| -> Vec<String> {
        let skills = resources.skills().diagnostics.iter();
        skills.chain(&resources.templates().diagnostics).map(ToString::to_string).collect()
    };
    let known = problems(base);
    problems(extended).into_iter().filter(|problem| !known.contains(problem)).collect()
}
