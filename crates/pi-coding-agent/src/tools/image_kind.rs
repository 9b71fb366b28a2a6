//! Recognises images by their first bytes, never by the name of the file.

/// How many bytes [`ImageKind::sniff`] looks at, at most.
pub const SNIFF_BYTES: u64 = 4100;

const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// A kind of image that models accept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageKind {
    /// JPEG.
    Jpeg,
    /// PNG, not animated.
    Png,
    /// GIF.
    Gif,
    /// WebP.
    WebP,
}

impl ImageKind {
    /// The kind of image that starts with these bytes; `None` for anything else, which is then text.
    pub fn sniff(head: &[u8]) -> Option<Self> {
        match head {
            [0xff, 0xd8, 0xff, rest @ ..] if rest.first() != Some(&0xf7) => Some(Self::Jpeg),
            _ if is_still_png(head) => Some(Self::Png),
            [b'G', b'I', b'F', ..] => Some(Self::Gif),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::WebP),
            _ => None,
        }
    }

    /// The kind of a MIME type.
    pub fn of_mime_type(mime_type: &str) -> Option<Self> {
        [Self::Jpeg, Self::Png, Self::Gif, Self::WebP].into_iter().find(|kind| kind.mime_type() == mime_type)
    }

    /// The MIME type.
    pub fn mime_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Gif => "image/gif",
            Self::WebP => "image/webp",
        }
    }
}

/// A PNG whose first chunk is a proper IHDR and that shows no animation control before its image data.
fn is_still_png(head: &[u8]) -> bool {
    let Some(chunks) = head.strip_prefix(PNG_SIGNATURE) else { return false };
    chunks.starts_with(b"\0\0\0\x0dIHDR") && !is_animated(chunks)
}

/// Walks the chunks: length, type, data, checksum.
fn is_animated(mut chunks: &[u8]) -> bool {
    while let Some((length, rest)) = chunks.split_first_chunk::<4>() {
        match rest.first_chunk::<4>() {
            Some(b"acTL") => return true,
            Some(b"IDAT") | None => return false,
            Some(_) => {}
        }
        let data = u32::from_be_bytes(*length) as usize;
        chunks = rest.get(data.saturating_add(8)..).unwrap_or_default();
    }
    false
}
