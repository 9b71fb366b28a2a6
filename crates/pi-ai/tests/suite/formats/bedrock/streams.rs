//! Streams: snapshots of the events and the final message, and what does them no harm.

use std::path::Path;

use pi_ai::{AnswerError, AssistantMessageEvent as Event, Context, Error, StopReason};
use proptest::prelude::*;

use super::{API, frame, frame_of, model, unsigned};
use crate::formats::run::{Canned, End, call, json as message_json, lines};
use crate::formats::{files, fixtures};

/// The frames of a fixture. Lines that begin with `#` say what it is about.
fn frames(path: &Path) -> Vec<Vec<u8>> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().filter(|line| !line.starts_with('#')).map(frame_of).collect()
}

fn fixture(name: &str) -> Vec<Vec<u8>> {
    frames(&fixtures("streams").join(API).join(format!("{name}.txt")))
}

/// The outcome of a stream as text: events, then the message without what is the same in all.
fn outcome(body: &[u8], split: usize, end: End) -> String {
    let outcome = call(&model(), &Context::default(), unsigned(), &Canned::stream(body, split, end));
    let mut message = message_json(outcome.message());
    let fields = message.as_object_mut().unwrap();
    for constant in ["api", "provider", "model", "role", "timestamp"] {
        fields.shift_remove(constant);
    }
    format!("{}\n{}\n", lines(&outcome.events), serde_json::to_string_pretty(&message).unwrap())
}

#[test]
fn streams() {
    for path in files(&fixtures("streams").join(API), "txt") {
        let body = frames(&path).concat();
        let name = format!("{API}@{}", path.file_stem().unwrap().to_str().unwrap());
        let whole = outcome(&body, 0, End::Closed);
        insta::assert_snapshot!(name, whole);
        for split in [1, 7, 61] {
            assert_eq!(outcome(&body, split, End::Closed), whole, "{} in pieces of {split}", path.display());
        }
    }
}

/// Cut at any byte, by an end or by a broken connection in turn.
#[test]
fn a_stream_may_break_anywhere() {
    let body = fixture("everything").concat();
    for cut in 0..=body.len() {
        let end = if cut % 2 == 0 { End::Closed } else { End::Broken };
        let outcome = call(&model(), &Context::default(), unsigned(), &Canned::stream(&body[..cut], 0, end));
        let terminal = outcome.events.iter().filter(|event| event.final_message().is_some()).count();
        assert_eq!(terminal, 1, "cut at {cut}");
        let expected = if cut < body.len() { StopReason::Error } else { StopReason::ToolUse };
        assert_eq!(outcome.message().stop_reason, expected, "cut at {cut} ({end:?})");
    }
}

#[test]
fn an_answer_without_its_end_can_be_retried() {
    let frames = fixture("text");
    for kept in 0..frames.len() - 2 {
        let canned = Canned::stream(&frames[..kept].concat(), 0, End::Closed);
        let outcome = call(&model(), &Context::default(), unsigned(), &canned);
        let Some(Event::Error { cause: Some(cause), .. }) = outcome.events.last() else { panic!("{kept} frames") };
        assert!(matches!(cause, Error::Answer(AnswerError::Incomplete { .. })) && cause.is_retryable(), "{cause}");
    }
}

#[test]
fn a_complete_answer_survives_a_connection_that_lingers_or_breaks() {
    let frames = fixture("text");
    for body in [frames.concat(), frames[..frames.len() - 1].concat()] {
        for end in [End::Open, End::Broken] {
            let outcome = call(&model(), &Context::default(), unsigned(), &Canned::stream(&body, 0, end));
            assert_eq!(outcome.message().stop_reason, StopReason::Stop, "{end:?}");
            assert_eq!(outcome.message().text(), "Hello, world");
        }
    }
}

/// Whatever byte is changed, the checksums notice; nothing that stands before the frame is lost.
#[test]
fn a_changed_byte_is_noticed() {
    let frames = fixture("text");
    let first = frames[0].len() + frames[1].len();
    let body = frames.concat();
    for at in first..first + frames[2].len() {
        let mut body = body.clone();
        body[at] ^= 0x20;
        let outcome = call(&model(), &Context::default(), unsigned(), &Canned::stream(&body, 0, End::Closed));
        let Some(Event::Error { cause: Some(cause), error, .. }) = outcome.events.last() else { panic!("byte {at}") };
        assert!(
            matches!(cause, Error::Answer(AnswerError::Decode { .. } | AnswerError::Incomplete { .. })),
            "byte {at}: {cause}"
        );
        assert_eq!(error.text(), "Hello");
    }
}

#[test]
fn a_page_instead_of_a_stream_is_shown() {
    let page = "<html><body>Sign in to the network</body></html>";
    let outcome = call(&model(), &Context::default(), unsigned(), &Canned::stream(page, 7, End::Closed));
    let error = outcome.message().error_message.clone().unwrap();
    assert!(error.contains("not a valid AWS event stream") && error.contains("Sign in"), "{error}");
}

#[test]
fn an_error_status_is_worded_by_the_format() {
    let canned = Canned::error(403, r#"{"message":"not authorized to perform x"}"#);
    let outcome = call(&model(), &Context::default(), unsigned(), &canned);
    assert_eq!(outcome.message().error_message.as_deref(), Some("403 not authorized to perform x"));
    assert_eq!(outcome.events.len(), 1, "no start before an error status");
}

fn ends_properly(body: &[u8]) -> Result<(), TestCaseError> {
    let outcome = call(&model(), &Context::default(), unsigned(), &Canned::stream(body, 0, End::Closed));
    let terminal = outcome.events.iter().filter(|event| event.final_message().is_some()).count();
    prop_assert_eq!(terminal, 1);
    let message = outcome.message();
    prop_assert_eq!(message.stop_reason == StopReason::Error, message.error_message.is_some());
    Ok(())
}

/// Frames of all fixtures.
fn some_frames() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let all: Vec<Vec<u8>> = files(&fixtures("streams").join(API), "txt").iter().flat_map(|path| frames(path)).collect();
    prop::collection::vec(prop::sample::select(all), 0..20)
}

proptest! {
    #[test]
    fn no_sequence_of_events_does_harm(frames in some_frames()) {
        ends_properly(&frames.concat())?;
    }

    #[test]
    fn no_payload_does_harm(event in "[a-zA-Z:]{0,20}", payload in ".{0,60}") {
        ends_properly(&frame(&[(":event-type", &event), (":message-type", "event")], &payload))?;
    }

    #[test]
    fn no_change_of_bytes_does_harm(frames in some_frames(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut body = frames.concat();
        if !body.is_empty() {
            let at = at.index(body.len());
            body[at] = byte;
        }
        ends_properly(&body)?;
    }
}
