//! `zlib.*`: compression, of whole values.

use std::io::{self, Read};

use flate2::Compression;
use flate2::bufread::GzEncoder;
use flate2::bufread::{DeflateDecoder, DeflateEncoder, MultiGzDecoder, ZlibDecoder, ZlibEncoder};

use crate::engine::OpTable;
use crate::op::{Args, OpError, OpResult};

/// The most that is unpacked: a small archive can be a very large one inside.
const MOST: u64 = 128 << 20;

pub(super) fn add(ops: &mut OpTable) {
    for (name, later, run) in
        [("zlib.pack", "zlib.pack_later", pack as fn(Args) -> OpResult), ("zlib.unpack", "zlib.unpack_later", unpack)]
    {
        ops.add_sync(name, move |_, args| run(args));
        ops.add_async(later, move |_, args| async move {
            let done = tokio::task::spawn_blocking(move || run(args)).await;
            done.unwrap_or_else(|error| Err(OpError::new(error.to_string())))
        });
    }
}

/// `(format, bytes, level)`.
fn pack(mut args: Args) -> OpResult {
    let (format, bytes) = (args.text(0)?, args.bytes(1)?);
    let level = args.parse::<Option<i32>>(2)?.and_then(|level| u32::try_from(level).ok()).filter(|level| *level <= 9);
    let level = level.map_or_else(Compression::default, Compression::new);
    let mut packed = Vec::new();
    let done = match format.as_str() {
        "gzip" => GzEncoder::new(&bytes[..], level).read_to_end(&mut packed),
        "deflate" => ZlibEncoder::new(&bytes[..], level).read_to_end(&mut packed),
        _ => DeflateEncoder::new(&bytes[..], level).read_to_end(&mut packed),
    };
    done.map_err(|error| broken(&error))?;
    Ok(packed.into())
}

/// `(format, bytes)`.
fn unpack(mut args: Args) -> OpResult {
    let (format, bytes) = (args.text(0)?, args.bytes(1)?);
    let is_gzip = bytes.starts_with(&[0x1f, 0x8b]);
    let mut unpacked = Vec::new();
    if format == "gunzip" && !is_gzip && bytes.len() > 1 {
        return Err(OpError::new("incorrect header check").with("errno", -3).with("code", "Z_DATA_ERROR"));
    }
    let done = match format.as_str() {
        "gunzip" => MultiGzDecoder::new(&bytes[..]).take(MOST + 1).read_to_end(&mut unpacked),
        "unzip" if is_gzip => MultiGzDecoder::new(&bytes[..]).take(MOST + 1).read_to_end(&mut unpacked),
        "inflate" | "unzip" => ZlibDecoder::new(&bytes[..]).take(MOST + 1).read_to_end(&mut unpacked),
        _ => DeflateDecoder::new(&bytes[..]).take(MOST + 1).read_to_end(&mut unpacked),
    };
    done.map_err(|error| broken(&error))?;
    if unpacked.len() as u64 > MOST {
        let message = format!("Cannot create a Buffer larger than {MOST} bytes");
        return Err(
            OpError { name: "RangeError".to_owned(), ..OpError::new(message) }.with("code", "ERR_BUFFER_TOO_LARGE")
        );
    }
    Ok(unpacked.into())
}

fn broken(error: &io::Error) -> OpError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => {
            OpError::new("unexpected end of file").with("errno", -5).with("code", "Z_BUF_ERROR")
        }
        _ => OpError::new(error.to_string()).with("errno", -3).with("code", "Z_DATA_ERROR"),
    }
}
