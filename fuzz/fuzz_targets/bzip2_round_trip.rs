#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| zgram_testkit::targets::bzip2_round_trip(data));
