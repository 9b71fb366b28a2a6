//! Everything that the loop owns. What is done with it stands in the modules around: this file only holds it together.

use std::rc::Rc;
use std::sync::Arc;

use pi_ai::Clock;
use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::env::Env;
use pi_coding_agent::gate::PermissionGate;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::settings::SettingsManager;
use pi_tui::keymap::Keymap;
use tokio_util::sync::CancellationToken;

use super::attached::Seat;
use super::attention::Attention;
use super::chat::{NoteKind, Transcript};
use super::conversation_view::ConversationView;
use super::draft::Draft;
use super::extension_slots::ExtensionScreen;
use super::files::FileIndex;
use super::footer::Footer;
use super::full_screen::FullScreen;
use super::git_branch::GitHead;
use super::jobs::Jobs;
use super::mailbox::Mailbox;
use super::notices::Notices;
use super::panel::{OpenPanel, Panel};
use super::paste_image::PastedImages;
use super::prompt_box::PromptBox;
use super::queued::{Pending, QueueView};
use super::shared::Shared;
use super::status::Activity;
use super::surface::Surface;
use super::theming::Theming;
use crate::common::run_trust::RunTrust;
use crate::modes::InitialPrompts;

/// Something to be done in the loop.
pub(super) type Then = Box<dyn FnOnce(&mut App)>;

/// The mode.
pub(super) struct App {
    pub(super) session: AgentSession,
    pub(super) paths: Paths,
    /// What was decided about projects in this run.
    pub(super) trust: RunTrust,
    pub(super) shared: Rc<Shared>,
    pub(super) keys: Keymap,
    pub(super) transcript: Transcript,
    /// Where in the conversation the window is, in full screen.
    pub(super) viewport: ConversationView,
    /// Whether the conversation was drawn once.
    pub(super) has_begun: bool,
    /// Fires when the session's extensions have begun: what they are to hear of waits for that.
    pub(super) extensions_begun: CancellationToken,
    /// What is shown instead of everything else.
    pub(super) full_screen: Option<Box<dyn FullScreen>>,
    pub(super) prompt: PromptBox,
    /// Images that go with messages which name their files.
    pub(super) pasted_images: PastedImages,
    /// What asks before calls.
    pub(super) gate: PermissionGate,
    /// Files that can be completed.
    pub(super) files: FileIndex,
    pub(super) theming: Theming,
    /// What stands in the editor's place; the last one is shown.
    pub(super) panels: Vec<OpenPanel>,
    pub(super) pending: Pending,
    /// What the view of the messages that wait shows.
    pub(super) queue_view: QueueView,
    /// Whether the user looks, and how they are told otherwise.
    pub(super) attention: Attention,
    pub(super) activity: Activity,
    pub(super) footer: Footer,
    /// The file that names the branch of the footer; it is watched.
    pub(super) watched_head: Option<GitHead>,
    /// What extensions put on the screen.
    pub(super) extensions: ExtensionScreen,
    pub(super) jobs: Jobs,
    pub(super) mailbox: Mailbox,
    pub(super) surface: Surface,
    /// When the keys were pressed that act when they are pressed twice, in milliseconds of the mode.
    pub(super) pressed: Pressed,
    /// The command of the user (`!`) that runs: ends the question who runs it.
    pub(super) user_shell: Option<CancellationToken>,
    /// The exit code, when the mode is to end.
    pub(super) leaving: Option<u8>,
    /// Ends the upload that goes on.
    pub(super) sharing: Option<CancellationToken>,
    /// Whether the end of the newest compaction has said what went wrong.
    pub(super) compaction_failed: bool,
    /// What was typed and not sent, as it is kept.
    pub(super) draft: Draft,
    /// What the command line says first, until it is sent.
    pub(super) prompts: Option<InitialPrompts>,
    /// A message that could not be sent for lack of a key; it is in the editor.
    pub(super) refused: Option<Refused>,
    /// What goes wrong beside the session's events.
    pub(super) notices: Notices,
    /// What is new in each version.
    pub(super) changelog: fn() -> Option<String>,
    /// Whether it was said what a subscription may cost.
    pub(super) has_warned_of_costs: bool,
    /// The real time, for what is stored.
    pub(super) clock: Arc<dyn Clock>,
    /// This screen among the clients of the session.
    pub(super) seat: Seat,
}

/// A message that could not be sent.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) text: String,
    /// Sends it.
    pub(super) send: fn(&mut App, String),
}

/// Keys that were pressed.
#[derive(Debug, Default)]
pub(super) struct Pressed {
    pub(super) clear: Option<u64>,
    pub(super) escape: Option<u64>,
}

impl App {
    pub(super) fn settings(&self) -> &Arc<SettingsManager> {
        self.session.settings()
    }

    pub(super) fn env(&self) -> &Env {
        self.paths.env()
    }

    /// Milliseconds since the mode began.
    pub(super) fn now_ms(&self) -> u64 {
        self.surface.now_ms()
    }

    /// Says something in the conversation.
    pub(super) fn note(&mut self, kind: NoteKind, text: impl Into<String>) {
        self.transcript.note(kind, text);
    }

    /// Says that something failed.
    pub(super) fn error(&mut self, error: impl std::fmt::Display) {
        self.note(NoteKind::Error, error.to_string());
    }

    /// A status, which replaces the one before it.
    pub(super) fn status(&mut self, text: impl Into<String>) {
        self.note(NoteKind::Status, text);
    }

    /// Puts a panel in the editor's place.
    pub(super) fn open(&mut self, panel: impl Panel + 'static) {
        self.panels.push(OpenPanel { panel: Box::new(panel), question: None });
    }

    /// Lets work go on beside the loop.
    pub(super) fn spawn<T: 'static>(
        &mut self,
        work: impl Future<Output = T> + 'static,
        then: impl FnOnce(&mut Self, T) + 'static,
    ) {
        self.jobs.spawn(work, then);
    }

    /// The keys of an action, as hints name them.
    pub(super) fn key(&self, action: pi_tui::keymap::Action) -> String {
        self.keys.hint(action)
    }
}

impl std::fmt::Debug for App {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("App").field("panels", &self.panels.len()).finish_non_exhaustive()
    }
}
