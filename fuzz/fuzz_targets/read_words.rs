#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| zgram_testkit::targets::read_words(data));
