//! Arbitrary bodies as answers of `openai-codex-responses`.
#![no_main]

libfuzzer_sys::fuzz_target!(|body: &[u8]| pi_fuzz::decode("openai-codex-responses", body));
