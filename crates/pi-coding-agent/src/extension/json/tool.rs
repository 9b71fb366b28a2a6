//! Answers about tool calls and about commands of the user's own.

use std::sync::Arc;

use super::Late;
use super::answer::HandlerAnswer;
use super::codec::JsonForm;
use super::message::Blocks;
use crate::events::BashResult;
use crate::events::HandlerError;
use crate::extension::events::{
    ToolCallEvent, ToolCallOutcome, ToolExecutionUpdateEvent, ToolResultEvent, ToolResultOutcome, UserBashEvent,
    UserBashOutcome,
};
use crate::host::json_depth::shallow;

/// What results are made of.
const CONTENT: &str = "an array of content blocks";

impl JsonForm for ToolExecutionUpdateEvent {
    fn late(&self) -> Option<Late> {
        let result = Arc::clone(&self.partial_result);
        Some(Late::new(move || Ok(serde_json::to_string(&*result)?)))
    }

    fn outcome(&self, _: HandlerAnswer) -> Result<(), HandlerError> {
        Ok(())
    }
}

impl JsonForm for ToolCallEvent {
    /// The arguments are changed in place; what is wrong with an answer blocks the call.
    fn outcome(&self, mut answer: HandlerAnswer) -> Result<ToolCallOutcome, HandlerError> {
        let input = answer.left("input").filter(|input| *input != *self.input);
        Ok(ToolCallOutcome { block: answer.is_true("block"), reason: answer.text("reason")?, input })
    }
}

impl JsonForm for ToolResultEvent {
    fn outcome(&self, mut answer: HandlerAnswer) -> Result<ToolResultOutcome, HandlerError> {
        let returned = answer.read("content", CONTENT)?.map(|Blocks(content)| content);
        let content = match (returned, answer.left("content")) {
            (Some(content), _) => Some(content),
            (None, Some(left)) => {
                let Blocks(content) = serde_json::from_value(left)
                    .map_err(|error| answer.error(format_args!("left content that cannot be used: {error}")))?;
                Some(content).filter(|content| *content != self.output.content)
            }
            (None, None) => None,
        };
        let left = answer
            .left("details")
            .filter(|details| !details.is_null() && Some(details) != self.output.details.as_ref());
        let is_error = answer.left("isError").and_then(|left| left.as_bool()).filter(|left| *left != self.is_error);
        Ok(ToolResultOutcome {
            content,
            details: answer.take("details").or(left).map(shallow),
            is_error: answer.flag("isError").or(is_error),
        })
    }
}

impl JsonForm for UserBashEvent {
    fn outcome(&self, mut answer: HandlerAnswer) -> Result<UserBashOutcome, HandlerError> {
        if let Some(operations) = answer.operations.take() {
            return Ok(UserBashOutcome::Operations(operations));
        }
        match answer.object("result")? {
            Some(result) => Ok(UserBashOutcome::Result(bash_result(result)?)),
            None => Ok(UserBashOutcome::Usual),
        }
    }
}

fn bash_result(mut answer: HandlerAnswer) -> Result<BashResult, HandlerError> {
    let code = answer.take("exitCode");
    let exit_code = code.as_ref().map(|code| {
        // Scripts have one kind of number.
        let whole = code.as_i64().or_else(|| code.as_f64().filter(|code| code.fract() == 0.0).map(|code| code as i64));
        whole.ok_or_else(|| answer.wrong("exitCode", code, "a whole number"))
    });
    Ok(BashResult {
        exit_code: exit_code.transpose()?,
        output: answer.required_text("output", "a result")?,
        cancelled: answer.is_true("cancelled"),
        truncated: answer.is_true("truncated"),
        full_output_path: answer.text("fullOutputPath")?,
    })
}
