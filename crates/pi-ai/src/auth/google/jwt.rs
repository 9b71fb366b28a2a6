//! The signed statement by which a service account asks for a token (RFC 7523).

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rustls_pki_types::PrivateKeyDer;
use rustls_pki_types::pem::PemObject as _;
use serde_json::{Value, json};

use super::SCOPE;
use super::source::ServiceAccount;

/// The longest life that Google accepts, in seconds.
const LIFETIME: i64 = 3600;

/// The statement, or what is wrong with the account's key.
pub(super) fn assertion(account: &ServiceAccount, audience: &str, now_ms: i64) -> Result<String, &'static str> {
    let issued = now_ms / 1000;
    let mut header = json!({"alg": "RS256", "typ": "JWT"});
    if let Some(id) = &account.private_key_id {
        header["kid"] = id.as_str().into();
    }
    let claims = json!({
        "iss": account.client_email, "scope": SCOPE, "aud": audience, "iat": issued, "exp": issued + LIFETIME,
    });
    let statement = format!("{}.{}", encode(&header), encode(&claims));
    let signature = sign(&key_pair(&account.private_key)?, statement.as_bytes())?;
    Ok(format!("{statement}.{}", URL_SAFE_NO_PAD.encode(signature)))
}

fn encode(part: &Value) -> String {
    URL_SAFE_NO_PAD.encode(part.to_string())
}

fn key_pair(pem: &str) -> Result<RsaKeyPair, &'static str> {
    let key = PrivateKeyDer::from_pem_slice(pem.as_bytes()).map_err(|_| "its private_key is not a PEM key")?;
    let pair = match &key {
        PrivateKeyDer::Pkcs8(key) => RsaKeyPair::from_pkcs8(key.secret_pkcs8_der()),
        PrivateKeyDer::Pkcs1(key) => RsaKeyPair::from_der(key.secret_pkcs1_der()),
        _ => return Err("its private_key is not an RSA key"),
    };
    pair.map_err(|_| "its private_key is not a usable RSA key")
}

fn sign(pair: &RsaKeyPair, statement: &[u8]) -> Result<Vec<u8>, &'static str> {
    let mut signature = vec![0; pair.public_modulus_len()];
    pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), statement, &mut signature)
        .map_err(|_| "its private_key cannot sign")?;
    Ok(signature)
}
