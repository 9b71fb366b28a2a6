//! Arbitrary bodies as answers of `anthropic-messages`.
#![no_main]

libfuzzer_sys::fuzz_target!(|body: &[u8]| pi_fuzz::decode("anthropic-messages", body));
