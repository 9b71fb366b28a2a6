//! Changes to single messages that wait: another text, another place, gone. Each is one step: a message that a run has taken
//! meanwhile is not changed any more, and whoever asked is told so.

use std::sync::Arc;

use pi_agent_core::{QueueHold, QueuedMessages};
use pi_ai::{ContentBlock, Message, UserContent, UserMessage};

use super::{QueueHandle, StreamingBehavior};

/// A message of the user that waits.
#[derive(Debug, Clone)]
pub struct QueuedPrompt {
    /// What it says.
    pub text: String,
    /// When it is delivered.
    pub behavior: StreamingBehavior,
    /// The images that go along.
    pub images: Arc<[ContentBlock]>,
    /// Known by its allocation: texts may be equal.
    message: Arc<Message>,
}

impl QueuedPrompt {
    pub(super) fn of(message: &Arc<Message>, behavior: StreamingBehavior) -> Option<Self> {
        let Message::User(user) = &**message else { return None };
        let images = images(user).cloned().collect();
        Some(Self { text: user.content.to_text(), behavior, images, message: Arc::clone(message) })
    }
}

/// What becomes of a message that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueueChange {
    /// It says something else. Its images stay.
    Text(String),
    /// It changes places with the message of the user before it, of those that are delivered at the same time.
    Earlier,
    /// It changes places with the one behind it.
    Later,
    /// It is delivered before all others, as soon as possible.
    First,
    /// It is delivered at another time, behind those that wait for it already.
    Behavior(StreamingBehavior),
    /// It is not sent.
    Remove,
}

impl QueueHandle<'_> {
    /// The messages of the user that wait, in the order in which they are delivered. What the run has taken already is not
    /// among them.
    pub fn prompts(self) -> Vec<QueuedPrompt> {
        let agent = self.0.run.agent();
        [(agent.steering(), StreamingBehavior::Steer), (agent.follow_ups(), StreamingBehavior::FollowUp)]
            .into_iter()
            .flat_map(|(queue, behavior)| {
                queue.messages().into_iter().filter_map(move |message| QueuedPrompt::of(&message, behavior))
            })
            .collect()
    }

    /// Keeps everything that waits where it is until the returned value is dropped: a run that would deliver a message
    /// waits.
    pub fn hold(self) -> QueueHold {
        self.0.run.agent().hold_queues()
    }

    /// Changes one message, and announces it. Returns false, without any change, when the message does not wait any more.
    pub async fn change(self, prompt: &QueuedPrompt, change: QueueChange) -> bool {
        let mut is_there = false;
        let update = self.0.run.queue().update(|queues| is_there = apply(queues, &prompt.message, change));
        if let Some(update) = update {
            self.0.listeners.emit(update).await;
        }
        is_there
    }
}

/// Whether the message was there.
fn apply(queues: &mut QueuedMessages, message: &Arc<Message>, change: QueueChange) -> bool {
    let place = |queue: &[Arc<Message>]| queue.iter().position(|other| Arc::ptr_eq(other, message));
    let (queue, at) = match (place(&queues.steering), place(&queues.follow_ups)) {
        (Some(at), _) => (&mut queues.steering, at),
        (None, Some(at)) => (&mut queues.follow_ups, at),
        (None, None) => return false,
    };
    match change {
        QueueChange::Text(text) => queue[at] = Arc::new(with_text(message, text)),
        QueueChange::Earlier => {
            let before = queue[..at].iter().rposition(is_of_user);
            swap(queue, at, before);
        }
        QueueChange::Later => {
            let after = queue[at + 1..].iter().position(is_of_user);
            swap(queue, at, after.map(|after| at + 1 + after));
        }
        QueueChange::Remove => drop(queue.remove(at)),
        QueueChange::First => {
            let message = queue.remove(at);
            queues.steering.insert(0, message);
        }
        QueueChange::Behavior(behavior) => {
            let message = queue.remove(at);
            match behavior {
                StreamingBehavior::Steer => queues.steering.push(message),
                StreamingBehavior::FollowUp => queues.follow_ups.push(message),
            }
        }
    }
    true
}

fn is_of_user(message: &Arc<Message>) -> bool {
    matches!(**message, Message::User(_))
}

fn swap(queue: &mut [Arc<Message>], at: usize, with: Option<usize>) {
    if let Some(with) = with {
        queue.swap(at, with);
    }
}

fn with_text(message: &Message, text: String) -> Message {
    let Message::User(user) = message else { return message.clone() };
    let blocks = std::iter::once(ContentBlock::text(text)).chain(images(user).cloned()).collect();
    UserMessage { content: UserContent::Blocks(blocks), ..user.clone() }.into()
}

/// What goes along with the text.
fn images(user: &UserMessage) -> impl Iterator<Item = &ContentBlock> {
    let blocks = match &user.content {
        UserContent::Text(_) => &[],
        UserContent::Blocks(blocks) => blocks.as_slice(),
    };
    blocks.iter().filter(|block| block.as_text().is_none())
}
