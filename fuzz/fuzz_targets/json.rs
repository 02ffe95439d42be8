#![no_main]
libfuzzer_sys::fuzz_target!(|text: &str| unspool::properties::json_agrees_with_serde_json(text));
