//! Why the schema or the arguments of a tool are rejected.

/// A tool's schema or its arguments are not valid.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ValidationError {
    /// The schema of a tool cannot be used.
    #[error("The argument schema of tool \"{tool}\" is not a usable JSON Schema: {detail}")]
    InvalidSchema {
        /// Tool name.
        tool: String,
        /// What is wrong with the schema.
        detail: String,
    },
    /// Tool arguments do not fit the tool's schema; the text lists every mismatch.
    #[error("{message}")]
    InvalidArguments {
        /// The report.
        message: String,
    },
}
