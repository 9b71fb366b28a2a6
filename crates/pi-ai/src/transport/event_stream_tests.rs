//! Frames from bytes in any pieces, whole, cut, damaged or made up.

use aws_smithy_eventstream::frame::write_message_to;
use aws_smithy_types::event_stream::{Header, HeaderValue};
use proptest::prelude::*;

use super::*;

/// Event and payload.
type Owned = (Option<String>, String);

fn message(headers: &[(&'static str, &str)], payload: &str) -> Vec<u8> {
    let header =
        |(name, value): &(&'static str, &str)| Header::new(*name, HeaderValue::String((*value).to_owned().into()));
    let message = Message::new_from_parts(headers.iter().map(header).collect(), payload.as_bytes().to_vec());
    let mut bytes = Vec::new();
    write_message_to(&message, &mut bytes).unwrap();
    bytes
}

fn event(kind: &str, payload: &str) -> Vec<u8> {
    message(&[(":message-type", "event"), (":event-type", kind)], payload)
}

/// Everything that comes out of a body in pieces of so many bytes; ends with the first error.
fn read(body: &[u8], split: usize) -> (Vec<Owned>, Option<String>) {
    let mut reader = EventStreamReader::default();
    let mut found = Vec::new();
    for chunk in body.chunks(split.max(1)) {
        reader.push(chunk);
        while let Some(frame) = reader.next_frame() {
            match frame {
                Ok(frame) => found.push((frame.event.map(str::to_owned), frame.data.to_owned())),
                Err(error) => return (found, Some(error.to_string())),
            }
        }
    }
    reader.finish();
    let error = reader.next_frame().map(|last| last.unwrap_err().to_string());
    (found, error)
}

fn owned(event: &str, data: &str) -> Owned {
    (Some(event.to_owned()), data.to_owned())
}

/// The checksum of the format, bit by bit: independent of the crate that we read with.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

/// A frame of any header bytes and payload under right checksums.
fn raw(headers: &[u8], payload: &[u8]) -> Vec<u8> {
    let total = u32::try_from(headers.len() + payload.len() + 16).unwrap();
    let mut bytes = [total.to_be_bytes(), u32::try_from(headers.len()).unwrap().to_be_bytes()].concat();
    bytes.extend(crc32(&bytes).to_be_bytes());
    bytes.extend_from_slice(headers);
    bytes.extend_from_slice(payload);
    bytes.extend(crc32(&bytes).to_be_bytes());
    bytes
}

#[test]
fn frames_of_every_kind_in_any_pieces() {
    let headers = [(":message-type", "error"), (":error-code", "Odd"), (":error-message", "it broke")];
    let body = [
        event("messageStart", "{}"),
        message(&[(":message-type", "exception"), (":exception-type", "throttlingException")], "{\"message\":\"m\"}"),
        message(&headers, "ignored"),
        message(&[], "nameless"),
        message(&[(":event-type", "untyped")], ""),
        event("last", "Grüße 👋"),
    ]
    .concat();
    let expected = vec![
        owned("messageStart", "{}"),
        owned("failure:throttlingException", "{\"message\":\"m\"}"),
        owned("failure:Odd", "it broke"),
        (None, "nameless".to_owned()),
        owned("untyped", ""),
        owned("last", "Grüße 👋"),
    ];
    for split in [1, 2, 3, 7, 61, body.len()] {
        assert_eq!(read(&body, split), (expected.clone(), None), "pieces of {split}");
    }
}

#[test]
fn our_own_checksum_agrees_with_the_published_one() {
    assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    assert_eq!(read(&raw(b"", b"x"), 1), (vec![(None, "x".to_owned())], None));
}

#[test]
fn a_cut_frame_is_none() {
    let body = [event("first", "1"), event("second", "2")].concat();
    for cut in event("first", "1").len()..body.len() {
        assert_eq!(read(&body[..cut], 5), (vec![owned("first", "1")], None), "cut at {cut}");
    }
}

#[test]
fn every_changed_bit_is_noticed_or_waited_for() {
    let body = event("first", "{\"text\":\"hello\"}");
    for bit in 0..body.len() * 8 {
        let mut body = body.clone();
        body[bit / 8] ^= 1 << (bit % 8);
        let (found, error) = read(&body, 9);
        assert_eq!(found, vec![], "bit {bit}");
        // A length that grew looks like a frame that is still arriving.
        assert!(error.is_some() || bit < 32, "bit {bit}");
    }
}

#[test]
fn absurd_lengths_are_refused_at_once_and_for_good() {
    for length in [0u32, 11, 33 * 1024 * 1024, u32::MAX] {
        let mut reader = EventStreamReader::default();
        reader.push(&[&length.to_be_bytes()[..], &[0x80; 4]].concat());
        let error = reader.next_frame().unwrap().unwrap_err().to_string();
        assert!(error.contains("not a valid AWS event stream"), "{error}");
        reader.push(&event("later", "{}"));
        assert!(reader.next_frame().is_none() && reader.pending.capacity() == 0, "nothing is kept after an error");
    }
}

#[test]
fn text_is_shown_once_there_is_enough_of_it() {
    let (found, error) = read(b"<html>no stream</html>\n", 3);
    assert_eq!(found, vec![]);
    assert!(error.unwrap().ends_with("it is text: <html>no stream</html>"));
    let (_, error) = read(&[b'y'; 5000], 100);
    assert_eq!(error.unwrap().matches('y').count(), SHOWN);
}

#[test]
fn a_payload_that_is_no_text_is_an_error() {
    let (_, error) = read(&raw(b"", &[0xff, 0xfe]), 4);
    assert!(error.unwrap().contains("not UTF-8"));
}

/// A long body is read without holding more than a frame of it.
#[test]
fn what_was_read_is_forgotten() {
    let frame = event("contentBlockDelta", &"x".repeat(1000));
    let mut reader = EventStreamReader::default();
    for _ in 0..5000 {
        for piece in frame.chunks(100) {
            reader.push(piece);
            while let Some(frame) = reader.next_frame() {
                assert_eq!(frame.unwrap().data.len(), 1000);
            }
        }
    }
    assert!(reader.pending.capacity() < 64 * 1024, "{} bytes are held", reader.pending.capacity());
}

proptest! {
    #[test]
    fn any_bytes_in_any_pieces(body in prop::collection::vec(any::<u8>(), 0..200), split in 1..20usize) {
        prop_assert_eq!(read(&body, split), read(&body, body.len()));
    }

    #[test]
    fn any_headers_under_right_checksums(
        headers in prop::collection::vec(any::<u8>(), 0..60),
        payload in prop::collection::vec(any::<u8>(), 0..20),
        split in 1..20usize,
    ) {
        let body = raw(&headers, &payload);
        prop_assert_eq!(read(&body, split), read(&body, body.len()));
    }

    /// Headers that are nearly right: a name, a type, and a value of any bytes.
    #[test]
    fn any_header_values(name in "[:a-z-]{0,15}", kind in 0..11u8, value in prop::collection::vec(any::<u8>(), 0..20)) {
        let headers = [&[name.len() as u8][..], name.as_bytes(), &[kind], &value].concat();
        let body = raw(&headers, b"{}");
        prop_assert_eq!(read(&body, 1), read(&body, body.len()));
    }

    #[test]
    fn frames_survive(payloads in prop::collection::vec(".{0,40}", 0..6), split in 1..50usize) {
        let body: Vec<u8> = payloads.iter().flat_map(|payload| event("e", payload)).collect();
        let expected: Vec<Owned> = payloads.iter().map(|payload| owned("e", payload)).collect();
        prop_assert_eq!(read(&body, split), (expected, None));
    }
}
