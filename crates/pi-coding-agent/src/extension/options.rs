//! How messages of extensions are sent.

use serde::Deserialize;

use crate::events::StreamingBehavior;

/// Where a message goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DeliverAs {
    /// Into the next turn of the run.
    Steer,
    /// Behind the run.
    FollowUp,
    /// Behind the user's next prompt.
    NextTurn,
}

/// How a custom message is sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SendMessageOptions {
    /// Starts a run with it when there is none.
    pub trigger_turn: bool,
    /// Where it goes. By default into the next turn of the run in progress, else into the conversation.
    pub deliver_as: Option<DeliverAs>,
}

/// How a prompt of an extension is sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SendUserMessageOptions {
    /// Where it goes while a run is in progress.
    pub deliver_as: Option<StreamingBehavior>,
}
