//! `pi` with checkpoints: before every turn the files of the project are kept as a commit that no branch knows, and whoever
//! forks the conversation may have the files of that moment back.
//!
//! `cargo run -p pi --example git_checkpoint -- --mode rpc`
//!
//! A checkpoint has everything that git does not ignore, also files that were never added. Neither HEAD nor the index nor
//! a branch is touched: it is made with an index of its own, and a reference below `refs/pi/checkpoints/` protects it from
//! being collected (`git for-each-ref refs/pi/checkpoints` lists them, `git update-ref -d` lets go of one). Which commit
//! belongs where is written in the session, so forks and later runs find it.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use pi::cli;
use pi_coding_agent::agent_session::ForkPosition;
use pi_coding_agent::extension::events::{
    ForkOutcome, SessionBeforeForkEvent, SessionShutdownEvent, SessionStartEvent, TurnStartEvent,
};
use pi_coding_agent::extension::{
    DialogOptions, ExecOptions, Extension, ExtensionApi, ExtensionContext, HandlerError, NotifyKind, extension_fn,
};
use pi_coding_agent::session::{SessionEntry, SessionManager, StoredEntry};
use serde::{Deserialize, Serialize};

const ENTRY: &str = "git-checkpoint";
const RESTORE: &str = "Restore the files";
const KEEP: &str = "Keep the files as they are";
const NO_REPOSITORY: &str = "No checkpoints here: the directory is not in a git repository, or git is not installed.";
/// For one call of git. The first checkpoint of a big project reads all of it.
const PATIENCE: Duration = Duration::from_secs(120);

/// What an entry of the session says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Checkpoint {
    commit: String,
    tree: String,
}

fn main() -> ExitCode {
    ExitCode::from(cli::run_with(std::env::args().skip(1), vec![git_checkpoint()]))
}

fn git_checkpoint() -> Arc<dyn Extension> {
    extension_fn(ENTRY, |pi| async move {
        let api = pi.clone();
        pi.on(move |_: SessionStartEvent, ctx| begin(api.clone(), ctx));
        let api = pi.clone();
        pi.on(move |_: TurnStartEvent, ctx| before_turn(api.clone(), ctx));
        let api = pi.clone();
        pi.on(move |event: SessionBeforeForkEvent, ctx| before_fork(api.clone(), event, ctx));
        let api = pi.clone();
        pi.on(move |_: SessionShutdownEvent, ctx| clean_up(api.clone(), ctx));
        Ok(())
    })
}

async fn begin(pi: ExtensionApi, ctx: ExtensionContext) -> Result<(), HandlerError> {
    if Repository::of(&pi, &ctx).await?.is_none() {
        ctx.ui().notify(NO_REPOSITORY, Some(NotifyKind::Warning)).await;
    }
    Ok(())
}

/// Keeps the files, unless they are those of the checkpoint before. What goes wrong is told and holds up nothing.
async fn before_turn(pi: ExtensionApi, ctx: ExtensionContext) -> Result<(), HandlerError> {
    let Some(repository) = Repository::of(&pi, &ctx).await? else { return Ok(()) };
    let before = ctx.with_manager(|manager| last_checkpoint(manager, manager.leaf_id()))?;
    match repository.checkpoint(before.as_ref()).await {
        Ok(now) if Some(&now) != before.as_ref() => {
            pi.append_entry(ENTRY, Some(serde_json::to_value(now)?))?;
        }
        Ok(_) => {}
        Err(error) => ctx.ui().notify(&format!("No checkpoint: {error}"), Some(NotifyKind::Warning)).await,
    }
    Ok(())
}

/// A fork in front of a prompt goes back in the conversation; the files may go back, too.
async fn before_fork(
    pi: ExtensionApi,
    event: SessionBeforeForkEvent,
    ctx: ExtensionContext,
) -> Result<ForkOutcome, HandlerError> {
    if event.position != ForkPosition::Before || !ctx.has_ui() {
        return Ok(ForkOutcome::default());
    }
    let then = ctx.with_manager(|manager| last_checkpoint(manager, Some(&event.entry_id)))?;
    let (Some(then), Some(repository)) = (then, Repository::of(&pi, &ctx).await?) else {
        return Ok(ForkOutcome::default());
    };
    match repository.offer(&then, &ctx).await {
        Ok(true) => Ok(ForkOutcome::default()),
        Ok(false) => Ok(ForkOutcome::cancel()),
        Err(error) => {
            // Half of the way back would be worse than none.
            ctx.ui().notify(&format!("The files were not restored: {error}"), Some(NotifyKind::Error)).await;
            Ok(ForkOutcome::cancel())
        }
    }
}

async fn clean_up(pi: ExtensionApi, ctx: ExtensionContext) -> Result<(), HandlerError> {
    let Some(repository) = Repository::of(&pi, &ctx).await? else { return Ok(()) };
    // It was never made if there was no turn.
    let _ = tokio::fs::remove_file(repository.index).await;
    Ok(())
}

/// The newest checkpoint from this entry up: the files as they were when the entry came.
fn last_checkpoint(manager: &SessionManager, from: Option<&str>) -> Option<Checkpoint> {
    let branch = manager.entries().branch_of(from?).ok()?;
    branch.iter().rev().find_map(|entry: &StoredEntry| {
        if entry.kind() != "custom" {
            return None;
        }
        let SessionEntry::Custom(custom) = entry.parse() else { return None };
        let data = custom.data.filter(|_| custom.custom_type == ENTRY)?;
        Checkpoint::deserialize(data).ok()
    })
}

/// The repository that the session is in.
struct Repository<'a> {
    pi: &'a ExtensionApi,
    /// An index for this session alone.
    index: String,
}

impl<'a> Repository<'a> {
    /// `None` where there is none. Asked every time: a project may become a repository while the session goes on.
    async fn of(pi: &'a ExtensionApi, ctx: &ExtensionContext) -> Result<Option<Self>, HandlerError> {
        let session = ctx.with_manager(|manager| manager.session_id().to_owned())?;
        let found = Self { pi, index: String::new() }.git(&["rev-parse", "--absolute-git-dir"]).await;
        Ok(found.ok().map(|dir| Self { pi, index: format!("{dir}/pi-checkpoint-{session}.index") }))
    }

    /// Runs git beside the index of the user; what it prints, or what it complains of.
    async fn git(&self, arguments: &[&str]) -> Result<String, String> {
        let index = format!("GIT_INDEX_FILE={}", self.index);
        // The commit needs a name, and the user may have none yet.
        let mut all = vec!["git", "-c", "user.name=pi", "-c", "user.email=pi@localhost"];
        if !self.index.is_empty() {
            all.insert(0, &index);
        }
        all.extend(arguments);
        let options = ExecOptions { timeout: Some(PATIENCE), ..ExecOptions::default() };
        let done = self.pi.exec("env", &all, options).await;
        let first_line = done.stderr.lines().next().unwrap_or("it said nothing");
        match (done.killed, done.code) {
            (true, _) => Err(format!("git {} took too long", arguments[0])),
            (false, 0) => Ok(done.stdout.trim().to_owned()),
            (false, _) => Err(format!("git {} failed: {first_line}", arguments[0])),
        }
    }

    /// A checkpoint of the files as they are; the one before if nothing has changed since.
    async fn checkpoint(&self, before: Option<&Checkpoint>) -> Result<Checkpoint, String> {
        self.git(&["add", "--all", "--", ":/"]).await?;
        let tree = self.git(&["write-tree"]).await?;
        if let Some(before) = before.filter(|before| before.tree == tree) {
            return Ok(before.clone());
        }
        let commit = self.git(&["commit-tree", &tree, "-m", "Checkpoint of pi"]).await?;
        self.git(&["update-ref", &format!("refs/pi/checkpoints/{commit}"), &commit]).await?;
        Ok(Checkpoint { commit, tree })
    }

    /// Asks whether the files shall be those of then. False when the user dismissed the question.
    async fn offer(&self, then: &Checkpoint, ctx: &ExtensionContext) -> Result<bool, String> {
        let now = self.checkpoint(Some(then)).await?;
        if now == *then {
            return Ok(true);
        }
        let title = "The files of the project have changed since that prompt.";
        let options = [RESTORE.to_owned(), KEEP.to_owned()];
        match ctx.ui().select(title, &options, DialogOptions::default()).await.as_deref() {
            Some(RESTORE) => self.restore(then, &now, ctx).await?,
            Some(_) => {}
            None => return Ok(false),
        }
        Ok(true)
    }

    /// Files that came since are removed; those that git ignores stay.
    async fn restore(&self, then: &Checkpoint, now: &Checkpoint, ctx: &ExtensionContext) -> Result<(), String> {
        self.git(&["read-tree", "--reset", "-u", &then.commit]).await?;
        let text = format!("The files are as they were. What they were before that is commit {}.", now.commit);
        ctx.ui().notify(&text, Some(NotifyKind::Info)).await;
        Ok(())
    }
}
