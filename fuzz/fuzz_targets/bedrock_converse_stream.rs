//! Arbitrary bodies as answers of `bedrock-converse-stream`.
#![no_main]

libfuzzer_sys::fuzz_target!(|body: &[u8]| pi_fuzz::decode("bedrock-converse-stream", body));
