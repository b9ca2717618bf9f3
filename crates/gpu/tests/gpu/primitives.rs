//! Sums, sorting, downloads, and the display of recordings.

use crate::devices::{NAMES, backends, devices, open};
use zgram_gpu::{Backend, DeviceOptions, GpuError, Recording};

/// Pseudo-random numbers.
fn numbers(count: usize, below: u32) -> Vec<u32> {
    let mut state = 0x2545_F491u32;
    let next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state % below
    };
    std::iter::repeat_with(next).take(count).collect()
}

#[test]
fn sums_of_any_length() {
    for (name, backend) in backends() {
        for count in [1, 2, 255, 4096, 4097, 70_001, 4096 * 4096 / 100] {
            let data = numbers(count, 1000);
            let mut recording = Recording::new();
            let buffer = recording.upload("data", data.clone());
            recording.scan(buffer, count);
            let sums = recording.download(buffer, 0..count);
            recording.free(buffer);
            let sums = backend.submit(recording).unwrap().take(sums);
            let mut before = 0;
            for (at, (&sum, word)) in sums.iter().zip(data).enumerate() {
                assert_eq!(sum, before, "{name}: sum {at} of {count}");
                before += word;
            }
        }
    }
}

#[test]
fn sorting_keeps_equal_keys_in_order() {
    for (name, backend) in backends() {
        for (count, bits) in [(1, 8), (300, 1), (256, 8), (1000, 17), (20_000, 32)] {
            let below = (1u64 << bits).min(u64::from(u32::MAX)) as u32;
            let keys = numbers(count, below);
            let mut recording = Recording::new();
            let key_buffer = recording.upload("keys", keys.clone());
            let payload = recording.upload("payload", (0..count as u32).collect());
            let sorter = recording.sorter(count, bits);
            sorter.sort(&mut recording, key_buffer, payload);
            sorter.free(&mut recording);
            let sorted = recording.download(key_buffer, 0..count);
            let order = recording.download(payload, 0..count);
            recording.free(key_buffer);
            recording.free(payload);
            let mut outcome = backend.submit(recording).unwrap();
            let mut expected: Vec<(u32, u32)> = keys.into_iter().zip(0..).collect();
            expected.sort_unstable();
            let found: Vec<(u32, u32)> =
                outcome.take(sorted).into_iter().zip(outcome.take(order)).collect();
            assert_eq!(found, expected, "{name}: {count} keys of {bits} bits");
        }
    }
}

#[test]
fn a_recording_can_be_read() {
    let mut recording = Recording::new();
    let data = recording.upload("data", vec![1; 5000]);
    recording.scan(data, 5000);
    let _ = recording.download(data, 10..20);
    assert_eq!(recording.dispatches(), 3);
    assert_eq!(
        recording.to_string(),
        "upload data of 5000 words\n\
         create tile_sums of 2 words\n\
         run scan_tiles on 2 x 256 with words=5000: *data *tile_sums\n\
         create tile_sums'2 of 1 words\n\
         run scan_tiles on 1 x 256 with words=2: *tile_sums *tile_sums'2\n\
         free tile_sums'2\n\
         run scan_add on 79 x 64 with words=5000: *data tile_sums\n\
         free tile_sums\n\
         download data[10..20]\n"
    );
}

#[test]
fn shared_memory_is_used_in_place() {
    for (name, shares) in NAMES.iter().flat_map(|name| [(name, true), (name, false)]) {
        let options = DeviceOptions { shared_memory: shares, ..DeviceOptions::default() };
        let device = open(name, options);
        assert_eq!(device.shares_memory(), shares);
        let mut recording = Recording::new();
        let data = recording.upload("data", (0..100).collect());
        let download = recording.download(data, 3..50);
        recording.free(data);
        let words = device.submit(recording).unwrap().take(download);
        assert_eq!(words, (3..50).collect::<Vec<u32>>());
        let counters = device.counters();
        let moved = (counters.bytes_up, counters.bytes_down, counters.bytes_shared);
        assert_eq!(moved, if shares { (0, 0, 400 + 188) } else { (400, 188, 0) });
        assert_eq!((counters.submissions, counters.peak_bytes), (1, 400));
    }
}

#[test]
fn too_little_memory_is_reported() {
    for name in NAMES {
        let device = open(name, DeviceOptions { memory: Some(1000), ..DeviceOptions::default() });
        let mut recording = Recording::new();
        recording.buffer("large", 251);
        assert_eq!(
            device.submit(recording).unwrap_err(),
            GpuError::OutOfMemory { needed: 1004, limit: 1000 }
        );
        // The failure has left no buffers.
        let mut recording = Recording::new();
        let small = recording.buffer("small", 250);
        let download = recording.download(small, 0..250);
        assert_eq!(device.submit(recording).unwrap().take(download), vec![0; 250]);
    }
    assert_eq!(devices().len(), 2);
}
