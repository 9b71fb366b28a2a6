//! What the footer and the window's title say, brought up to date when something happened that they tell of.

use pi_ai::{Message, ThinkingLevel};
use pi_coding_agent::gate::GateMode;
use pi_coding_agent::theme::Token;

use super::app::App;
use super::git_branch::GitHead;
use super::models;
use crate::common::one_line::one_line;

/// Another session, or the first: everything.
pub(super) fn session_changed(app: &mut App) {
    let cwd = app.shared.cwd();
    app.footer.cwd = app.shared.shorten(&cwd);
    app.footer.cache_hits = None;
    permissions(app);
    branch(app);
    totals(app);
    name(app);
    model(app);
}

/// The model or its thinking level.
pub(super) fn model(app: &mut App) {
    let model = app.session.model();
    let level = app.session.thinking().level();
    let registry = app.session.models().registry();
    let providers: std::collections::BTreeSet<String> =
        registry.available().iter().map(|model| model.provider.to_string()).collect();
    app.footer.providers = providers.len();
    app.footer.provider = (providers.len() > 1).then(|| model.provider.to_string());
    app.footer.model = if models::has_one(app) { model.id.clone() } else { "no-model".to_owned() };
    app.footer.thinking = app.session.thinking().is_supported().then(|| level.as_str().to_owned());
    app.footer.is_subscription = registry.auth().is_oauth(&model.provider);
    app.prompt.set_level(if app.session.thinking().is_supported() { token_of(level) } else { Token::ThinkingOff });
    context(app);
}

fn token_of(level: ThinkingLevel) -> Token {
    match level {
        ThinkingLevel::Off => Token::ThinkingOff,
        ThinkingLevel::Minimal => Token::ThinkingMinimal,
        ThinkingLevel::Low => Token::ThinkingLow,
        ThinkingLevel::Medium => Token::ThinkingMedium,
        ThinkingLevel::High => Token::ThinkingHigh,
        ThinkingLevel::Xhigh => Token::ThinkingXhigh,
        ThinkingLevel::Max => Token::ThinkingMax,
    }
}

/// How full the context is.
pub(super) fn context(app: &mut App) {
    app.footer.context = app.session.stats().context_usage();
    app.footer.auto_compaction = app.session.compaction().is_auto();
}

/// A message is complete.
pub(super) fn message(app: &mut App, message: &Message) {
    let Message::Assistant(message) = message else { return };
    let usage = &message.usage;
    app.footer.input += usage.input;
    app.footer.output += usage.output;
    app.footer.cache_read += usage.cache_read;
    app.footer.cache_write += usage.cache_write;
    app.footer.cost += usage.cost.total;
    let sent = usage.input + usage.cache_read + usage.cache_write;
    if sent > 0 {
        app.footer.cache_hits = Some(usage.cache_read as f64 / sent as f64 * 100.0);
    }
    context(app);
}

/// A run is over: commands may have changed the branch.
pub(super) fn run_ended(app: &mut App) {
    context(app);
    branch(app);
}

/// The name of the session, which others may have given it in several lines.
pub(super) fn name(app: &mut App) {
    app.footer.name = app.session.name().get().map(|name| one_line(&name));
}

/// The title of the window.
pub(super) fn title(app: &App) -> String {
    if let Some(title) = &app.extensions.title {
        return title.clone();
    }
    let cwd = app.shared.cwd();
    let dir = cwd.file_name().map_or_else(|| cwd.display().to_string(), |name| name.to_string_lossy().into_owned());
    match &app.footer.name {
        Some(name) => format!("π - {name} - {dir}"),
        None => format!("π - {dir}"),
    }
}

/// What all messages of the file add up to.
fn totals(app: &mut App) {
    let session = app.session.clone();
    app.spawn(async move { session.stats().file_totals().await }, |app, totals| {
        let Ok(totals) = totals else { return };
        app.footer.input = totals.tokens.input;
        app.footer.output = totals.tokens.output;
        app.footer.cache_read = totals.tokens.cache_read;
        app.footer.cache_write = totals.tokens.cache_write;
        app.footer.cost = totals.cost;
    });
}

/// Reads the branch, and again whenever it may have changed, as long as this is the session's repository.
fn branch(app: &mut App) {
    let head = GitHead::of(&app.shared.cwd());
    app.footer.branch = head.as_ref().and_then(GitHead::branch);
    if app.watched_head != head {
        app.watched_head.clone_from(&head);
        if let Some(head) = head {
            follow(app, head);
        }
    }
}

fn follow(app: &mut App, head: GitHead) {
    let watched = head.clone();
    app.spawn(async move { watched.changed().await }, |app, ()| {
        let is_watched = |app: &App| app.watched_head.as_ref() == Some(&head);
        if is_watched(app) {
            branch(app);
        }
        // It may be another repository's by now, which is followed by itself.
        if is_watched(app) {
            follow(app, head);
        }
    });
}

/// Before what the user is asked.
pub(super) fn permissions(app: &mut App) {
    let mode = app.gate.mode();
    app.footer.asks = (mode != GateMode::Never).then(|| mode.as_str());
}
