//! Arbitrary bodies as answers of `mistral-conversations`.
#![no_main]

libfuzzer_sys::fuzz_target!(|body: &[u8]| pi_fuzz::decode("mistral-conversations", body));
