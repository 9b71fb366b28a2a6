//! Hashes and HMACs, at once or piece by piece.

use std::sync::Mutex;

use aws_lc_rs::{digest, hmac};
use md5::{Digest as _, Md5};
use pi_guard::lock;

use super::super::handles::Handles;
use crate::engine::OpTable;
use crate::op::{Data, OpError};

/// What has been taken in so far.
#[derive(Clone)]
enum HasherState {
    Md5(Md5),
    Hash(digest::Context),
    Hmac(Box<hmac::Context>),
}

pub(super) fn add(ops: &mut OpTable) {
    // (name, key or undefined, bytes)
    ops.add_sync("crypto.digest", |_, mut args| {
        let mut state = HasherState::new(&args.text(0)?, args.take(1))?;
        state.update(&args.bytes(2)?);
        Ok(state.finish().into())
    });
    let open = Handles::<Mutex<HasherState>>::default();
    let shared = open.clone();
    ops.add_sync("crypto.begin", move |_, mut args| {
        let state = HasherState::new(&args.text(0)?, args.take(1))?;
        Ok(Data::Json(shared.add(Mutex::new(state)).into()))
    });
    let shared = open.clone();
    ops.add_sync("crypto.update", move |_, mut args| {
        let state = shared.get(args.parse(0)?)?;
        lock(&state).update(&args.bytes(1)?);
        Ok(Data::Undefined)
    });
    let shared = open.clone();
    ops.add_sync("crypto.copy", move |_, mut args| {
        let state = shared.get(args.parse(0)?)?;
        let state = lock(&state).clone();
        Ok(Data::Json(shared.add(Mutex::new(state)).into()))
    });
    let shared = open.clone();
    ops.add_sync("crypto.finish", move |_, mut args| {
        let number = args.parse(0)?;
        let state = shared.get(number)?;
        let state = lock(&state).clone();
        shared.remove(number);
        Ok(state.finish().into())
    });
    ops.add_sync("crypto.drop", move |_, mut args| {
        open.remove(args.parse(0)?);
        Ok(Data::Undefined)
    });
}

impl HasherState {
    fn new(name: &str, key: Data) -> Result<Self, OpError> {
        match key {
            Data::Bytes(key) => {
                let algorithm = match name {
                    "sha1" => hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY,
                    "sha224" => hmac::HMAC_SHA224,
                    "sha256" => hmac::HMAC_SHA256,
                    "sha384" => hmac::HMAC_SHA384,
                    "sha512" => hmac::HMAC_SHA512,
                    _ => return Err(unknown(name)),
                };
                Ok(Self::Hmac(Box::new(hmac::Context::with_key(&hmac::Key::new(algorithm, &key)))))
            }
            _ if name == "md5" => Ok(Self::Md5(Md5::new())),
            _ => {
                let algorithm = match name {
                    "sha1" => &digest::SHA1_FOR_LEGACY_USE_ONLY,
                    "sha224" => &digest::SHA224,
                    "sha256" => &digest::SHA256,
                    "sha384" => &digest::SHA384,
                    "sha512" => &digest::SHA512,
                    _ => return Err(unknown(name)),
                };
                Ok(Self::Hash(digest::Context::new(algorithm)))
            }
        }
    }

    fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Md5(state) => state.update(bytes),
            Self::Hash(state) => state.update(bytes),
            Self::Hmac(state) => state.update(bytes),
        }
    }

    fn finish(self) -> Vec<u8> {
        match self {
            Self::Md5(state) => state.finalize().to_vec(),
            Self::Hash(state) => state.finish().as_ref().to_vec(),
            Self::Hmac(state) => state.sign().as_ref().to_vec(),
        }
    }
}

pub(super) fn unknown(name: &str) -> OpError {
    OpError::new(format!(
        "Digest method not supported: {name}; md5 (not for HMAC), sha1, sha224, sha256, sha384 and sha512 are"
    ))
    .with("code", "ERR_CRYPTO_INVALID_DIGEST")
}
