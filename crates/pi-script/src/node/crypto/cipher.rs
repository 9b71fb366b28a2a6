//! AES in the modes that scripts use: GCM, which authenticates, and CBC.

use aws_lc_rs::aead::{self, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::cipher::{
    AES_128, AES_192, AES_256, DecryptionContext, EncryptionContext, PaddedBlockDecryptingKey,
    PaddedBlockEncryptingKey, UnboundCipherKey,
};
use aws_lc_rs::iv::FixedLength;

use crate::engine::OpTable;
use crate::op::{Args, Data, OpError, OpResult};

/// Bytes of GCM's tag.
const TAG: usize = 16;

pub(super) fn add(ops: &mut OpTable) {
    // (bits, mode, key, iv, authenticated, bytes): for GCM the tag follows the bytes.
    ops.add_sync("crypto.encrypt", |_, args| encrypt(args));
    ops.add_sync("crypto.decrypt", |_, args| decrypt(args));
}

struct Work {
    bits: u32,
    is_gcm: bool,
    key: Vec<u8>,
    iv: Vec<u8>,
    authenticated: Vec<u8>,
    bytes: Vec<u8>,
}

fn work(mut args: Args) -> Result<Work, OpError> {
    let (bits, mode): (u32, String) = (args.parse(0)?, args.text(1)?);
    let (key, iv) = (args.bytes(2)?, args.bytes(3)?);
    let is_gcm = mode == "gcm";
    if key.len() * 8 != bits as usize {
        return Err(OpError { name: "RangeError".to_owned(), ..OpError::new("Invalid key length") }
            .with("code", "ERR_CRYPTO_INVALID_KEYLEN"));
    }
    if iv.len() != if is_gcm { 12 } else { 16 } {
        let needed = if is_gcm { "12 bytes for GCM in this program" } else { "16 bytes" };
        return Err(OpError::type_error(format!("Invalid initialization vector: it must have {needed}"))
            .with("code", "ERR_CRYPTO_INVALID_IV"));
    }
    Ok(Work { bits, is_gcm, key, iv, authenticated: args.bytes(4)?, bytes: args.bytes(5)? })
}

fn encrypt(args: Args) -> OpResult {
    let failed = |_| OpError::new("The encryption failed");
    let mut work = work(args)?;
    if work.is_gcm {
        let (key, nonce) = gcm(&work)?;
        key.seal_in_place_append_tag(nonce, Aad::from(&work.authenticated), &mut work.bytes).map_err(failed)?;
    } else {
        let key = PaddedBlockEncryptingKey::cbc_pkcs7(cbc(&work)?).map_err(failed)?;
        let iv = EncryptionContext::Iv128(fixed(&work.iv)?);
        key.less_safe_encrypt(&mut work.bytes, iv).map_err(failed)?;
    }
    Ok(Data::Bytes(work.bytes))
}

fn decrypt(args: Args) -> OpResult {
    let mut work = work(args)?;
    if work.is_gcm {
        let refused = || OpError::new("Unsupported state or unable to authenticate data");
        if work.bytes.len() < TAG {
            return Err(refused());
        }
        let (key, nonce) = gcm(&work)?;
        let opened = key.open_in_place(nonce, Aad::from(&work.authenticated), &mut work.bytes);
        return Ok(Data::Bytes(opened.map_err(|_| refused())?.to_vec()));
    }
    let failed =
        |_| OpError::new("bad decrypt: wrong key, initialization vector or data").with("code", "ERR_OSSL_BAD_DECRYPT");
    let key = PaddedBlockDecryptingKey::cbc_pkcs7(cbc(&work)?).map_err(failed)?;
    let opened = key.decrypt(&mut work.bytes, DecryptionContext::Iv128(fixed(&work.iv)?)).map_err(failed)?;
    Ok(Data::Bytes(opened.to_vec()))
}

fn gcm(work: &Work) -> Result<(LessSafeKey, Nonce), OpError> {
    let algorithm = match work.bits {
        128 => &aead::AES_128_GCM,
        192 => &aead::AES_192_GCM,
        _ => &aead::AES_256_GCM,
    };
    let failed = |_| OpError::new("The key cannot be used");
    let key = UnboundKey::new(algorithm, &work.key).map_err(failed)?;
    let nonce = Nonce::try_assume_unique_for_key(&work.iv).map_err(failed)?;
    Ok((LessSafeKey::new(key), nonce))
}

fn cbc(work: &Work) -> Result<UnboundCipherKey, OpError> {
    let algorithm = match work.bits {
        128 => &AES_128,
        192 => &AES_192,
        _ => &AES_256,
    };
    UnboundCipherKey::new(algorithm, &work.key).map_err(|_| OpError::new("The key cannot be used"))
}

fn fixed(iv: &[u8]) -> Result<FixedLength<16>, OpError> {
    let bytes: [u8; 16] = iv.try_into().map_err(|_| OpError::new("Invalid initialization vector"))?;
    Ok(FixedLength::from(bytes))
}
