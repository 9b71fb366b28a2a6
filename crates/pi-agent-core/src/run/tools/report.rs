//! What running calls say: their progress, and the events of calls that they make.

use tokio::sync::{mpsc, oneshot};

use crate::event::AgentEvent;
use crate::tool::ToolOutput;

/// Where running calls say it. The run tells its listeners.
pub(super) type Reports = mpsc::UnboundedSender<Report>;

/// Something that a call says.
pub(super) struct Report {
    /// The place of the call, or of the one that made it, among those of the answer.
    pub(super) index: usize,
    pub(super) what: Reported,
}

pub(super) enum Reported {
    /// The result so far.
    Progress(ToolOutput),
    /// An event of a call that the call makes, and who waits until listeners have heard of it.
    Nested(Box<AgentEvent>, Option<oneshot::Sender<()>>),
}

/// Says something. The receiver is gone when the batch was dropped: nobody listens then.
pub(super) fn say(reports: &Reports, index: usize, what: Reported) {
    let _ = reports.send(Report { index, what });
}
