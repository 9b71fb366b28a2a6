//! `crypto.*`: digests, random bytes, keys from passwords, AES.

mod cipher;
mod digest;

use std::num::NonZeroU32;

use aws_lc_rs::{pbkdf2, rand};

use crate::engine::OpTable;
use crate::op::{Args, Data, OpError, OpResult};

/// What the Web's and Node's generators give at once at most.
const MOST_RANDOM: usize = 1 << 30;

pub(super) fn add(ops: &mut OpTable) {
    digest::add(ops);
    cipher::add(ops);
    ops.add_sync("crypto.random", |_, mut args| random(args.parse(0)?));
    #[expect(clippy::disallowed_methods, reason = "what Node does")]
    ops.add_sync("crypto.uuid", |_, _| Ok(uuid::Uuid::new_v4().to_string().into()));
    ops.add_sync("crypto.equal", |_, mut args| {
        let (one, other) = (args.bytes(0)?, args.bytes(1)?);
        Ok(aws_lc_rs::constant_time::verify_slices_are_equal(&one, &other).is_ok().into())
    });
    ops.add_sync("crypto.pbkdf2", |_, args| derive(args));
    ops.add_async("crypto.pbkdf2_later", |_, args| async move {
        tokio::task::spawn_blocking(|| derive(args)).await.unwrap_or_else(|error| Err(OpError::new(error.to_string())))
    });
}

fn random(size: usize) -> OpResult {
    if size > MOST_RANDOM {
        return Err(OpError { name: "RangeError".to_owned(), ..OpError::new("Too many random bytes at once") });
    }
    let mut bytes = vec![0; size];
    rand::fill(&mut bytes).map_err(|_| OpError::new("The system gives no random bytes"))?;
    Ok(bytes.into())
}

/// `(digest, password, salt, iterations, length)`.
fn derive(mut args: Args) -> OpResult {
    let name = args.text(0)?;
    let algorithm = match name.as_str() {
        "sha1" => pbkdf2::PBKDF2_HMAC_SHA1,
        "sha256" => pbkdf2::PBKDF2_HMAC_SHA256,
        "sha384" => pbkdf2::PBKDF2_HMAC_SHA384,
        "sha512" => pbkdf2::PBKDF2_HMAC_SHA512,
        _ => return Err(digest::unknown(&name)),
    };
    let (password, salt) = (args.bytes(1)?, args.bytes(2)?);
    let iterations: NonZeroU32 = args.parse(3)?;
    let mut key = vec![0; args.parse::<u32>(4)? as usize];
    if !key.is_empty() {
        pbkdf2::derive(algorithm, iterations, &salt, &password, &mut key);
    }
    Ok(Data::Bytes(key))
}
