//! Arbitrary bodies as answers of `azure-openai-responses`.
#![no_main]

libfuzzer_sys::fuzz_target!(|body: &[u8]| pi_fuzz::decode("azure-openai-responses", body));
