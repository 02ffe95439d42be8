#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| unspool::properties::output_is_json(bytes));
