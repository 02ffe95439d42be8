#![no_main]
libfuzzer_sys::fuzz_target!(|it: (u8, u16, &[u8])| unspool::properties::holds_for_journals(
    it.2,
    it.0.into(),
    it.1.into()
));
