#![no_main]
libfuzzer_sys::fuzz_target!(|it: (u8, &[u8])| unspool::properties::cuts_do_not_matter(it.1, it.0.into()));
