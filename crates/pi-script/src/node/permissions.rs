//! What a script may do on the machine. Everything, unless the program says otherwise.

/// An allow-list for one script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Permissions {
    /// Reading and writing files.
    pub files: bool,
    /// Connections.
    pub network: bool,
    /// Starting programs.
    pub programs: bool,
}

impl Permissions {
    /// Nothing is allowed.
    pub const NONE: Self = Self { files: false, network: false, programs: false };

    pub(crate) fn allow(self, permission: Permission) -> bool {
        match permission {
            Permission::Files => self.files,
            Permission::Network => self.network,
            Permission::Programs => self.programs,
        }
    }
}

impl Default for Permissions {
    /// Everything is allowed.
    fn default() -> Self {
        Self { files: true, network: true, programs: true }
    }
}

/// What an operation needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permission {
    Files,
    Network,
    Programs,
}

impl Permission {
    /// As in error texts and settings.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Files => "fs",
            Self::Network => "net",
            Self::Programs => "exec",
        }
    }
}
