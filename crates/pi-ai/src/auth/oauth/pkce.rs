//! Proof key for code exchange (RFC 7636), method S256, and random states.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::secure_random::SecureRandom;
use crate::error::Error;

/// Ties the exchange of a code to the login that asked for it. Not `Debug`: the verifier is a secret.
pub(super) struct Pkce {
    /// Kept until the exchange: 32 random bytes in base64url.
    pub(super) verifier: String,
    /// Sent first: the verifier's SHA-256 in base64url.
    pub(super) challenge: String,
}

impl Pkce {
    pub(super) fn new(random: &dyn SecureRandom) -> Result<Self, Error> {
        let mut bytes = [0; 32];
        random.fill(&mut bytes)?;
        Ok(Self::from_verifier(URL_SAFE_NO_PAD.encode(bytes)))
    }

    fn from_verifier(verifier: String) -> Self {
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
        Self { verifier, challenge }
    }
}

/// 16 random bytes in hexadecimal.
pub(super) fn random_state(random: &dyn SecureRandom) -> Result<String, Error> {
    let mut bytes = [0; 16];
    random.fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::super::secure_random::SystemSecureRandom;
    use super::*;

    #[test]
    fn agrees_with_the_example_of_the_rfc() {
        let pkce = Pkce::from_verifier("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk".to_owned());
        assert_eq!(pkce.challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }

    #[test]
    fn every_login_has_its_own() {
        let (one, two) = (Pkce::new(&SystemSecureRandom).unwrap(), Pkce::new(&SystemSecureRandom).unwrap());
        assert_eq!((one.verifier.len(), one.challenge.len()), (43, 43));
        assert_ne!(one.verifier, two.verifier);
        let state = random_state(&SystemSecureRandom).unwrap();
        assert!(state.len() == 32 && state.bytes().all(|byte| byte.is_ascii_hexdigit()), "{state}");
    }
}
