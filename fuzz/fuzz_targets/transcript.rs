#![no_main]
libfuzzer_sys::fuzz_target!(|it: (&[u8], &[u8])| unspool::properties::holds_for_transcripts(it.0, it.1));
