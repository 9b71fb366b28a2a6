//! Arbitrary bodies as answers of `google-vertex`.
#![no_main]

libfuzzer_sys::fuzz_target!(|body: &[u8]| pi_fuzz::decode("google-vertex", body));
