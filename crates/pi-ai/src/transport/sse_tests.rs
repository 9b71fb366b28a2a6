//! Tests of the SSE decoder: a table of cases, and two properties against a naive decoder of whole bodies.

use proptest::prelude::*;

use super::*;

type Owned = (Option<String>, String);

/// Decodes a body that arrives in these chunks.
fn decode<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<Owned> {
    let mut decoder = SseDecoder::new();
    let mut frames = Vec::new();
    let mut take = |decoder: &mut SseDecoder| {
        while let Some(frame) = decoder.next_frame() {
            frames.push((frame.event.map(str::to_owned), frame.data.to_owned()));
        }
    };
    for chunk in chunks {
        decoder.push(chunk);
        take(&mut decoder);
    }
    decoder.finish();
    take(&mut decoder);
    frames
}

/// The format as its specification words it, on a whole body, with copies everywhere.
fn naive(body: &[u8]) -> Vec<Owned> {
    let body = String::from_utf8_lossy(body).into_owned();
    let body = body.strip_prefix('\u{feff}').unwrap_or(&body);
    let body = body.replace("\r\n", "\n").replace('\r', "\n") + "\n\n";
    let (mut frames, mut event, mut data) = (Vec::new(), None, Vec::new());
    for line in body.split('\n') {
        if line.is_empty() {
            let event: Option<String> = event.take();
            if !data.is_empty() {
                frames.push((event.filter(|name| !name.is_empty()), std::mem::take(&mut data).join("\n")));
            }
            continue;
        }
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value).to_owned();
        match name {
            "data" => data.push(value),
            "event" => event = Some(value),
            _ => {}
        }
    }
    frames
}

fn frame(event: &str, data: &str) -> Owned {
    ((!event.is_empty()).then(|| event.to_owned()), data.to_owned())
}

#[test]
fn the_rules_of_the_format() {
    let cases: &[(&str, &[u8], &[Owned])] = &[
        ("event and data", b"event: a\ndata: 1\n\n", &[frame("a", "1")]),
        ("carriage returns", b"event: a\rdata: 1\r\rdata: 2\r\r", &[frame("a", "1"), frame("", "2")]),
        ("both", b"data: 1\r\n\r\ndata: 2\r\n\r\n", &[frame("", "1"), frame("", "2")]),
        ("lines are joined", b"data: 1\ndata:\ndata: 2\n\n", &[frame("", "1\n\n2")]),
        ("one space is stripped", b"data:  1\ndata:2\n\n", &[frame("", " 1\n2")]),
        ("comments and other fields", b": ping\nid: 7\nretry: 5\ndata: 1\n: x\n\n", &[frame("", "1")]),
        ("a field without a colon", b"data\n\n", &[frame("", "")]),
        ("no data, no frame", b"event: a\n\ndata: 1\n\n", &[frame("", "1")]),
        ("an empty event name is none", b"event:\ndata: 1\n\n", &[frame("", "1")]),
        ("the last event name counts", b"event: a\nevent: b\ndata: 1\n\n", &[frame("b", "1")]),
        ("no last blank line", b"data: 1\n\nevent: z\ndata: 2\n", &[frame("", "1"), frame("z", "2")]),
        ("no last line end", b"data: 1", &[frame("", "1")]),
        ("byte order mark", b"\xef\xbb\xbfdata: 1\n\n", &[frame("", "1")]),
        ("only one mark", b"\xef\xbb\xbf\xef\xbb\xbfdata: 1\n\ndata: 2\n\n", &[frame("", "2")]),
        (
            "not UTF-8",
            b"event: \xff\ndata: a\xffb\n\ndata: \xc3\n\n",
            &[frame("\u{fffd}", "a\u{fffd}b"), frame("", "\u{fffd}")],
        ),
        ("no stream at all", b"<html>\n<body>data: x</body>", &[]),
        ("JSON", b"{\"hello\":\"world\"}", &[]),
        ("nothing", b"", &[]),
    ];
    for (name, body, expected) in cases {
        assert_eq!(decode([*body]), *expected, "{name}");
        assert_eq!(decode(body.chunks(1)), *expected, "{name}, byte by byte");
        assert_eq!(naive(body), *expected, "{name}, naive decoder");
    }
}

/// Pieces that are likely to meet in an interesting way.
fn body() -> impl Strategy<Value = Vec<u8>> {
    let pieces: &[&[u8]] = &[
        b"data",
        b"data:",
        b"data: ",
        b"event: ",
        b"event:name",
        b":",
        b" ",
        b"id: 1",
        b"x",
        b"\n",
        b"\n\n",
        b"\r",
        b"\r\n",
        b"\r\n\r\n",
        "é€😀".as_bytes(),
        b"\xff",
        b"\xe2\x82",
        BYTE_ORDER_MARK,
        b"{\"a\":[1,2]}",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn agrees_with_the_naive_decoder(body in body()) {
        prop_assert_eq!(decode([&body[..]]), naive(&body));
    }

    #[test]
    fn does_not_depend_on_the_split(body in body(), sizes in prop::collection::vec(1usize..9, 1..20)) {
        let mut rest = &body[..];
        let mut chunks = Vec::new();
        for size in sizes.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (chunk, tail) = rest.split_at((*size).min(rest.len()));
            chunks.push(chunk);
            rest = tail;
        }
        prop_assert_eq!(decode(chunks), naive(&body));
    }
}

/// A quadratic decoder would need hours for this: 10 MB scanned anew for each of 1.4 million chunks.
#[test]
fn one_long_line_in_tiny_chunks() {
    let body = [b"data: ".as_slice(), &vec![b'x'; 10_000_000], b"\n\n"].concat();
    let frames = decode(body.chunks(7));
    assert_eq!(frames.len(), 1);
    assert_eq!(frames[0].1.len(), 10_000_000);
}

/// Comments between frames must not pile up in the buffer.
#[test]
fn what_was_read_is_forgotten() {
    let mut decoder = SseDecoder::new();
    for _ in 0..10_000 {
        decoder.push(b": keep-alive\nid: 1\ndata: 12345\n\n: ping\n");
        while decoder.next_frame().is_some() {}
    }
    assert!(decoder.buffer.capacity() < 1024, "{}", decoder.buffer.capacity());
}
