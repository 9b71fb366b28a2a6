//! Whether a JPEG file is all there. Pixels are the business of `resize.rs`.

use memchr::memmem;

const START_OF_SCAN: u8 = 0xda;
const END_OF_IMAGE: &[u8] = b"\xff\xd9";

/// Whether the file goes on to its end marker. Our decoder fills in what is missing; those of providers refuse the
/// request, and with it every later one of the session.
pub(super) fn is_complete(bytes: &[u8]) -> bool {
    scan_start(bytes).is_some_and(|start| memmem::find(&bytes[start..], END_OF_IMAGE).is_some())
}

/// Where the first scan starts: behind the header's segments, in which a thumbnail may hold markers of its own.
fn scan_start(bytes: &[u8]) -> Option<usize> {
    let mut at = 2;
    loop {
        at = match *bytes.get(at..at + 2)? {
            [0xff, START_OF_SCAN] => return Some(at),
            // Fill bytes, and markers without a length.
            [0xff, 0xff] => at + 1,
            [0xff, 0x01 | 0xd0..=0xd8] => at + 2,
            [0xff, _] => at + 2 + usize::from(u16::from_be_bytes(*bytes.get(at + 2..)?.first_chunk()?)),
            // No marker: the decoder has judged whether that can be skipped.
            _ => return Some(at),
        }
    }
}
