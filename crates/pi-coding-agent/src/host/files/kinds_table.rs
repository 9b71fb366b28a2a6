//! tidy: data, one row per kind of file: how much of it is read. `docs/security.md` shows the same table.

/// What a file is for. That decides how much of it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// `AGENTS.md` and its relatives.
    Context,
    /// `SYSTEM.md`, `APPEND_SYSTEM.md` and the files of the options in their place.
    SystemPrompt,
    /// A skill.
    Skill,
    /// A prompt template.
    Prompt,
    /// A theme.
    Theme,
    /// `settings.json`.
    Settings,
    /// `models.json`.
    Models,
    /// `auth.json`.
    Credentials,
    /// `trust.json`.
    Trust,
    /// The `package.json` of a package or an extension.
    Manifest,
    /// `.gitignore` and its relatives.
    Ignore,
    /// What is known of the tool calls of a session.
    Effects,
    /// A recording.
    Cassette,
    /// A file that the command line attaches to a prompt. Its text has to fit the model's window besides.
    Attachment,
}

#[cfg(test)]
pub(super) const ALL: [FileKind; 14] = [
    FileKind::Context,
    FileKind::SystemPrompt,
    FileKind::Skill,
    FileKind::Prompt,
    FileKind::Theme,
    FileKind::Ignore,
    FileKind::Settings,
    FileKind::Credentials,
    FileKind::Manifest,
    FileKind::Models,
    FileKind::Trust,
    FileKind::Attachment,
    FileKind::Effects,
    FileKind::Cassette,
];

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

impl FileKind {
    /// Most bytes that a file of this kind may have. Session files are no kind: they are read line by line and have no
    /// limit.
    pub const fn limit(self) -> u64 {
        match self {
            Self::Context | Self::SystemPrompt | Self::Skill | Self::Prompt | Self::Theme | Self::Ignore => MIB,
            Self::Settings | Self::Credentials | Self::Manifest => 4 * MIB,
            Self::Models | Self::Trust => 16 * MIB,
            Self::Attachment => 64 * MIB,
            Self::Effects => 256 * MIB,
            Self::Cassette => 512 * MIB,
        }
    }

    /// Bytes above which a file is used and reported.
    pub(crate) const fn remarkable(self) -> Option<u64> {
        match self {
            Self::Context => Some(64 * KIB),
            _ => None,
        }
    }

    /// Whether the command line names it, and a pipe that is open already will do.
    pub(crate) const fn may_be_piped(self) -> bool {
        matches!(self, Self::SystemPrompt | Self::Attachment | Self::Cassette)
    }

    /// What such a file is called, with its article.
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Self::Context => "a context file",
            Self::SystemPrompt => "a prompt file",
            Self::Skill => "a skill",
            Self::Prompt => "a prompt template",
            Self::Theme => "a theme",
            Self::Settings => "a settings file",
            Self::Models => "models.json",
            Self::Credentials => "auth.json",
            Self::Trust => "trust.json",
            Self::Manifest => "a package.json",
            Self::Ignore => "an ignore file",
            Self::Effects => "a file of effects",
            Self::Cassette => "a cassette",
            Self::Attachment => "an attached file",
        }
    }
}
