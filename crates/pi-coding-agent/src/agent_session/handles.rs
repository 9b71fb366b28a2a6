//! The handles of a session, one per concern: borrowed views that cost nothing and are made for a call or two. What they do is in
//! the files of their concerns.

use super::{
    AgentSession, CompactionHandle, ExportHandle, ExtensionsHandle, LimitsHandle, ModelsHandle, NameHandle,
    QueueHandle, RetryHandle, ShellHandle, StatsHandle, StoreHandle, SwitchHandle, ThinkingHandle, ToolsHandle,
    TreeHandle,
};

impl AgentSession {
    /// The models to choose from, and the choice.
    pub fn models(&self) -> ModelsHandle<'_> {
        ModelsHandle(&self.0)
    }

    /// How much the model thinks.
    pub fn thinking(&self) -> ThinkingHandle<'_> {
        ThinkingHandle(&self.0)
    }

    /// Tools, active and not.
    pub fn tools(&self) -> ToolsHandle<'_> {
        ToolsHandle(&self.0)
    }

    /// Messages that wait for the run in progress, or begin one.
    pub fn queue(&self) -> QueueHandle<'_> {
        QueueHandle(&self.0)
    }

    /// The branches of this session: navigate, fork, label.
    pub fn tree(&self) -> TreeHandle<'_> {
        TreeHandle(&self.0)
    }

    /// Switches to another session.
    pub fn switch(&self) -> SwitchHandle<'_> {
        SwitchHandle(&self.0)
    }

    /// The session file.
    pub fn store(&self) -> StoreHandle<'_> {
        StoreHandle(&self.0)
    }

    /// The display name.
    pub fn name(&self) -> NameHandle<'_> {
        NameHandle(&self.0)
    }

    /// Compaction, manual and automatic.
    pub fn compaction(&self) -> CompactionHandle<'_> {
        CompactionHandle(&self.0)
    }

    /// Automatic retries of failed model calls.
    pub fn retry(&self) -> RetryHandle<'_> {
        RetryHandle(&self.0)
    }

    /// The user's own commands.
    pub fn shell(&self) -> ShellHandle<'_> {
        ShellHandle(&self.0)
    }

    /// Token counts, cost, context usage.
    pub fn stats(&self) -> StatsHandle<'_> {
        StatsHandle(&self.0)
    }

    /// Limits on turns, cost and time.
    pub fn limits(&self) -> LimitsHandle<'_> {
        LimitsHandle(&self.0)
    }

    /// The conversation as HTML or JSONL.
    pub fn export(&self) -> ExportHandle<'_> {
        ExportHandle(&self.0)
    }

    /// The session's extensions.
    pub fn extensions(&self) -> ExtensionsHandle<'_> {
        ExtensionsHandle(&self.0)
    }
}
