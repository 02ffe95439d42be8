#![no_main]
libfuzzer_sys::fuzz_target!(|it: (u8, u64, &[u8])| unspool_redact::properties::holds_for_masks(
    it.2,
    it.0.into(),
    it.1
));
