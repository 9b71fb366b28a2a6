//! Arbitrary bodies as answers of `google-generative-ai`.
#![no_main]

libfuzzer_sys::fuzz_target!(|body: &[u8]| pi_fuzz::decode("google-generative-ai", body));
