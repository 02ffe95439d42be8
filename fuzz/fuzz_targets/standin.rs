#![no_main]
libfuzzer_sys::fuzz_target!(|it: (u8, &[u8], &[u8])| unspool::properties::holds_for_stand_ins(
    it.1,
    it.2,
    it.0.into()
));
