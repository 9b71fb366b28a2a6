//! An authorization server, a browser, a user, and fixed sources of time and chance.

mod server;
mod user;

use std::sync::Arc;

use pi_ai::auth::oauth::{OAuthContext, SecureRandom};
use pi_ai::{Error, FixedClock};

pub(crate) use server::{AuthServer, CopilotPaths};
pub(crate) use user::{Browser, User, fetch, redirect_of};

pub(crate) const NOW: i64 = 1_795_292_062_840;

/// Bytes that count up, so that requests are the same in every run.
#[derive(Debug)]
struct CountingBytes;

impl SecureRandom for CountingBytes {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
        (0..).zip(bytes).for_each(|(count, byte)| *byte = count);
        Ok(())
    }
}

/// What [`CountingBytes`] make of a verifier and of a state.
pub(crate) const VERIFIER: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
pub(crate) const STATE: &str = "000102030405060708090a0b0c0d0e0f";

/// The real network, fixed time and chance.
pub(crate) fn context() -> OAuthContext {
    OAuthContext::builder().clock(Arc::new(FixedClock(NOW))).random(Arc::new(CountingBytes)).build()
}

/// A port that was free a moment ago.
pub(crate) fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Whether anybody listens at the port.
pub(crate) fn is_open(port: u16) -> bool {
    std::net::TcpStream::connect(("127.0.0.1", port)).is_ok()
}
