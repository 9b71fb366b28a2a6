//! What a script may do on the machine. Everything, unless the program says otherwise.

use super::error::OpError;

/// An allow-list for one script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Permissions {
    /// Reading and writing files.
    pub files: bool,
    /// Connections.
    pub network: bool,
    /// Starting programs.
    pub programs: bool,
    /// Looking at the process and the machine: arguments, environment variables, names of users and hosts.
    pub environment: bool,
}

impl Permissions {
    /// Nothing is allowed.
    pub const NONE: Self = Self { files: false, network: false, programs: false, environment: false };

    /// Refuses what is not allowed; `name` is whom the error names.
    ///
    /// # Errors
    /// One with the code `ERR_ACCESS_DENIED`.
    pub fn check(self, needed: Permission, name: &str) -> Result<(), OpError> {
        if self.allow(needed) {
            return Ok(());
        }
        let what = needed.as_str();
        let refused = format!("{name} is not allowed to use \"{what}\"; its permissions are set by the user");
        Err(OpError::new(refused).with("code", "ERR_ACCESS_DENIED"))
    }

    fn allow(self, permission: Permission) -> bool {
        match permission {
            Permission::Files => self.files,
            Permission::Network => self.network,
            Permission::Programs => self.programs,
            Permission::Environment => self.environment,
        }
    }
}

impl Default for Permissions {
    /// Everything is allowed.
    fn default() -> Self {
        Self { files: true, network: true, programs: true, environment: true }
    }
}

/// What an operation needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// Reading and writing files.
    Files,
    /// Connections.
    Network,
    /// Starting programs.
    Programs,
    /// Looking at the process and the machine.
    Environment,
}

impl Permission {
    /// As in error texts and settings.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Files => "fs",
            Self::Network => "net",
            Self::Programs => "exec",
            Self::Environment => "env",
        }
    }
}
