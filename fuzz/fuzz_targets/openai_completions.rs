//! Arbitrary bodies as answers of `openai-completions`.
#![no_main]

libfuzzer_sys::fuzz_target!(|body: &[u8]| pi_fuzz::decode("openai-completions", body));
