//! Whether a project is trusted, where nothing has decided that: the user of the editor is asked, once the client knows the
//! session. Until then, and without a yes, the project's own settings and resources do not count.

use std::path::{Path, PathBuf};

use agent_client_protocol_schema::v1::{NoticeSeverity, PermissionOptionKind};

use super::agent::Agent;
use super::dialogs::{Choice, EditorUi};
use super::open_session::OpenSession;
use crate::config::settings::ProjectTrust;
use crate::config::trust::{TrustChoice, subject_names, undecided_subjects};

/// The answers, and what they are to the editor.
fn answers() -> [(TrustChoice, PermissionOptionKind); 4] {
    [
        (TrustChoice::Trust, PermissionOptionKind::AllowAlways),
        (TrustChoice::TrustThisSession, PermissionOptionKind::AllowOnce),
        (TrustChoice::RefuseThisSession, PermissionOptionKind::RejectOnce),
        (TrustChoice::Refuse, PermissionOptionKind::RejectAlways),
    ]
}

/// Asks about the project of a session, if there is something to ask. Says whether it has become trusted by that.
pub(super) async fn ask(agent: &Agent, open: &OpenSession) -> bool {
    let (session, host) = (open.session(), agent.pool().host());
    // A session that is not stored cannot be made anew.
    let is_stored = session.session_file().is_some();
    let is_open = session.settings().default_project_trust() == ProjectTrust::Ask;
    let cwd = session.store().read(|manager| manager.cwd().to_owned());
    if !is_stored || !is_open || !agent.options().asks_trust || agent.trusts(&cwd).is_some() {
        return false;
    }
    let subjects = undecided_subjects(&host.paths, &cwd);
    if subjects.is_empty() {
        return false;
    }
    let answers = answers();
    let labels = answers.each_ref().map(|(answer, _)| answer.label());
    let choices: Vec<_> = labels.iter().zip(&answers).map(|(label, (_, kind))| Choice { label, kind: *kind }).collect();
    let ui = EditorUi::new(open.updates().clone());
    let chosen = ui.choose(&question(&cwd, &subjects), &choices).await;
    // Whoever cancels is not asked again by this process.
    let answer = chosen.and_then(|at| answers.get(at)).map_or(&TrustChoice::RefuseThisSession, |(answer, _)| answer);
    agent.decide_trust(cwd.clone(), answer.trusts());
    if let Err(error) = answer.remember(&host.paths, &cwd, &*host.clock) {
        open.updates().notify(NoticeSeverity::Warning, &error.to_string()).await;
    }
    answer.trusts()
}

fn question(cwd: &Path, subjects: &[PathBuf]) -> String {
    format!(
        "Do you trust this project? {} brings settings or resources of its own, which may run commands on this machine: {}",
        cwd.display(),
        subject_names(cwd, subjects)
    )
}
