//! Answers about the life of a session: whether it is left, how it is summarised, where it goes on.

use tokio_util::sync::CancellationToken;

use super::answer::HandlerAnswer;
use super::codec::JsonForm;
use crate::events::HandlerError;
use crate::extension::events::{
    BeforeCompactOutcome, BeforeTreeOutcome, CancelOutcome, ForkOutcome, SessionBeforeCompactEvent,
    SessionBeforeForkEvent, SessionBeforeSwitchEvent, SessionBeforeTreeEvent, SuppliedSummary,
};
use crate::session::Compaction;

impl JsonForm for SessionBeforeSwitchEvent {
    fn outcome(&self, answer: HandlerAnswer) -> Result<CancelOutcome, HandlerError> {
        Ok(CancelOutcome { cancel: answer.is_true("cancel") })
    }
}

impl JsonForm for SessionBeforeForkEvent {
    fn outcome(&self, answer: HandlerAnswer) -> Result<ForkOutcome, HandlerError> {
        let skip_conversation_restore = answer.is_true("skipConversationRestore");
        Ok(ForkOutcome { cancel: answer.is_true("cancel"), skip_conversation_restore })
    }
}

impl JsonForm for SessionBeforeCompactEvent {
    fn cancel(&self) -> Option<&CancellationToken> {
        Some(&self.cancel)
    }

    fn outcome(&self, mut answer: HandlerAnswer) -> Result<BeforeCompactOutcome, HandlerError> {
        if answer.is_true("cancel") {
            return Ok(BeforeCompactOutcome { cancel: true, compaction: None });
        }
        let compaction = answer.object("compaction")?.map(compaction).transpose()?;
        Ok(BeforeCompactOutcome { cancel: false, compaction })
    }
}

fn compaction(mut answer: HandlerAnswer) -> Result<Compaction, HandlerError> {
    let tokens: f64 = answer.read("tokensBefore", "a number")?.unwrap_or_default();
    Ok(Compaction {
        summary: answer.required_text("summary", "a compaction")?,
        first_kept_entry_id: answer.required_text("firstKeptEntryId", "a compaction")?,
        // Scripts have one kind of number; `as` keeps it in range.
        tokens_before: tokens as u64,
        details: answer.take("details"),
        from_hook: None,
    })
}

impl JsonForm for SessionBeforeTreeEvent {
    fn cancel(&self) -> Option<&CancellationToken> {
        Some(&self.cancel)
    }

    fn outcome(&self, mut answer: HandlerAnswer) -> Result<BeforeTreeOutcome, HandlerError> {
        let summary = match answer.object("summary")? {
            None => None,
            Some(mut summary) => Some(SuppliedSummary {
                summary: summary.required_text("summary", "a summary")?,
                details: summary.take("details"),
            }),
        };
        Ok(BeforeTreeOutcome {
            cancel: answer.is_true("cancel"),
            summary,
            custom_instructions: answer.text("customInstructions")?,
            replace_instructions: answer.flag("replaceInstructions"),
            label: answer.text("label")?,
        })
    }
}
