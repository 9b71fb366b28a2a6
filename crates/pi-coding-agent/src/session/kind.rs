//! The types of entries as one byte.

/// The `type` of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Message,
    ThinkingLevelChange,
    ModelChange,
    Compaction,
    BranchSummary,
    Custom,
    CustomMessage,
    Label,
    SessionInfo,
    /// One that this version does not know.
    Other,
}

impl Kind {
    /// From the word in the file.
    pub(super) fn of(word: &str) -> Self {
        match word {
            "message" => Self::Message,
            "thinking_level_change" => Self::ThinkingLevelChange,
            "model_change" => Self::ModelChange,
            "compaction" => Self::Compaction,
            "branch_summary" => Self::BranchSummary,
            "custom" => Self::Custom,
            "custom_message" => Self::CustomMessage,
            "label" => Self::Label,
            "session_info" => Self::SessionInfo,
            _ => Self::Other,
        }
    }

    /// Whether entries of this type may put a message into the context.
    pub(super) fn has_message(self) -> bool {
        matches!(self, Self::Message | Self::CustomMessage | Self::BranchSummary)
    }

    /// Whether what the entry says holds for the whole file, not only for its branch.
    pub(super) fn is_note(self) -> bool {
        matches!(self, Self::Label | Self::SessionInfo)
    }
}
