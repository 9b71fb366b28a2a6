//! Streams of the fixtures, damaged at random: cut, flipped, repeated, mixed with junk, under wrong heads.

use crate::formats::{files, fixtures};

use super::server::{Answer, Ending, head};

/// A generator of numbers: the same in each run.
pub(super) struct Rng(u64);

impl Rng {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound.max(1) as u64) as usize
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// The streams of the fixtures, as the frames that they consist of.
pub(super) fn recorded(api: &str) -> Vec<Vec<Vec<u8>>> {
    let folder = fixtures("streams").join(api);
    let mut streams: Vec<Vec<Vec<u8>>> = Vec::new();
    for path in files(&folder, "sse") {
        let text = std::fs::read_to_string(path).unwrap();
        streams.push(text.split_inclusive("\n\n").map(|frame| frame.as_bytes().to_vec()).collect());
    }
    #[cfg(feature = "bedrock")]
    for path in files(&folder, "txt") {
        let text = std::fs::read_to_string(path).unwrap();
        let lines = text.lines().filter(|line| line.starts_with('{'));
        streams.push(lines.map(crate::formats::bedrock::frame_of).collect());
    }
    streams.retain(|frames| !frames.is_empty());
    assert!(!streams.is_empty(), "{api} has no fixtures");
    streams
}

/// A response, and what is wrong with it.
pub(super) struct Attack {
    pub(super) name: String,
    pub(super) answer: Answer,
    /// Whether it may stay open without a word.
    pub(super) is_silent: bool,
}

const JUNK: [&[u8]; 8] = [
    b"\xff\xfe\xfd\xc3",
    b"\xe2\x82",
    b"data: \xf0\x9f\x98\n\n",
    b"\0\0\0\0\0\0\0\0\0\0\0\0",
    b"data: {\"type\":\n\n",
    b"data: null\n\ndata: 7\n\ndata: []\n\ndata: \"x\"\n\n",
    b"event: error\ndata: {}\n\n",
    b": keep-alive\n\n: keep-alive\r\r",
];
const STATUSES: [u16; 8] = [200, 200, 201, 204, 206, 302, 400, 599];
const TYPES: [&str; 4] = ["text/event-stream", "application/json", "text/html; charset=utf-16", "image/png"];

impl Attack {
    pub(super) fn any(rng: &mut Rng, streams: &[Vec<Vec<u8>>]) -> Self {
        let mut frames = rng.of(streams).clone();
        let mut name = String::new();
        for _ in 0..rng.below(4) {
            name.push_str(damage_frames(rng, &mut frames, streams));
        }
        let mut body = frames.concat();
        for _ in 0..rng.below(3) {
            name.push_str(damage_bytes(rng, &mut body));
        }
        let is_plain = rng.below(4) > 0;
        let (status, kind) = if is_plain { (200, TYPES[0]) } else { (*rng.of(&STATUSES), *rng.of(&TYPES)) };
        let mut pieces = vec![head(status, kind)];
        pieces.extend(cut(rng, &body));
        let ending = *rng.of(&[Ending::Closed, Ending::Closed, Ending::Closed, Ending::Reset, Ending::Silent]);
        name.push_str(&format!("status {status} {kind} {ending:?}"));
        Self { name, answer: Answer { pieces, repeated: Vec::new(), ending }, is_silent: ending == Ending::Silent }
    }
}

fn damage_frames(rng: &mut Rng, frames: &mut Vec<Vec<u8>>, streams: &[Vec<Vec<u8>>]) -> &'static str {
    let at = rng.below(frames.len() + 1);
    match rng.below(6) {
        0 => {
            let last = frames.last().cloned().unwrap_or_default();
            frames.extend([last.clone(), last]);
            "terminal event again, "
        }
        1 => {
            frames.insert(at, rng.of(&JUNK).to_vec());
            "junk, "
        }
        2 => {
            frames.insert(at, deep(rng));
            "deep JSON, "
        }
        3 => {
            frames.truncate(at);
            "frames missing, "
        }
        4 => {
            let stream = rng.of(streams);
            let other = rng.of(stream).clone();
            frames.insert(at, other);
            "frame of another stream, "
        }
        _ => {
            let other = rng.below(frames.len().max(1));
            if at < frames.len() && other < frames.len() {
                frames.swap(at, other);
            }
            "frames in another order, "
        }
    }
}

/// A frame that nests deeper than any reader goes.
fn deep(rng: &mut Rng) -> Vec<u8> {
    let depth = *rng.of(&[120, 130, 1000, 200_000]);
    let (open, close) = *rng.of(&[("[", "]"), ("{\"type\":", "}"), ("{\"error\":{\"message\":", "}}")]);
    format!("data: {}1{}\n\n", open.repeat(depth), close.repeat(depth)).into_bytes()
}

fn damage_bytes(rng: &mut Rng, body: &mut Vec<u8>) -> &'static str {
    let at = rng.below(body.len() + 1);
    match rng.below(3) {
        0 => {
            body.truncate(at);
            "cut, "
        }
        1 => {
            if let Some(byte) = body.get_mut(at) {
                *byte ^= 1 << rng.below(8);
            }
            "a bit, "
        }
        _ => {
            body.splice(at..at, rng.of(&JUNK).iter().copied());
            "junk inside, "
        }
    }
}

fn cut(rng: &mut Rng, body: &[u8]) -> Vec<Vec<u8>> {
    let mut pieces = Vec::new();
    let mut rest = body;
    while !rest.is_empty() {
        let most = if pieces.len() > 40 { rest.len() } else { rest.len().min(1 + body.len() / 8) };
        let (piece, behind) = rest.split_at(1 + rng.below(most));
        pieces.push(piece.to_vec());
        rest = behind;
    }
    pieces
}
