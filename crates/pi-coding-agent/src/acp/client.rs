//! What the client has said that it can do.

use agent_client_protocol_schema::v1::ClientCapabilities;

/// The abilities of the client that make a difference here.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Client {
    /// It takes notices beside the conversation.
    pub(super) takes_notices: bool,
    /// It shows compactions.
    pub(super) shows_compactions: bool,
    /// It can ask for texts.
    pub(super) has_forms: bool,
    /// It can run a login in a terminal.
    pub(super) opens_terminals: bool,
    /// It shows the output of commands as terminals.
    pub(super) shows_terminals: bool,
    /// It shows options that are on or off.
    pub(super) has_switches: bool,
    /// It reads files for us.
    pub(super) reads_files: bool,
    /// It writes files for us.
    pub(super) writes_files: bool,
}

impl Client {
    pub(super) fn new(said: &ClientCapabilities) -> Self {
        let session = said.session.as_ref();
        Self {
            takes_notices: session.is_some_and(|session| session.notices.is_some()),
            shows_compactions: session.is_some_and(|session| session.compaction.is_some()),
            has_forms: said.elicitation.as_ref().is_some_and(|offered| offered.form.is_some()),
            opens_terminals: said.auth.terminal,
            shows_terminals: said.meta.as_ref().is_some_and(|meta| meta.get("terminal_output") == Some(&true.into())),
            has_switches: session
                .and_then(|session| session.config_options.as_ref())
                .is_some_and(|options| options.boolean.is_some()),
            reads_files: said.fs.read_text_file,
            writes_files: said.fs.write_text_file,
        }
    }
}
