//! Every rival is run for real on a small text and must bring it back.

use std::fs::{self, File};
use std::process::Stdio;

use tempfile::TempDir;
use zgram_bench::compress::measure_rival;
use zgram_bench::measure;
use zgram_bench::rivals::RIVALS;
use zgram_bench::verify::first_difference;

const TEXT_BYTES: usize = 100_000;

/// Text whose words repeat often, but in an order that does not.
fn text() -> String {
    let words = ["grammar", "rule", "symbol", "token", "text", "word", "of", "the"];
    let mut state = 1u32;
    let mut text = String::new();
    while text.len() < TEXT_BYTES {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text += words[(state >> 29) as usize];
        text.push(' ');
    }
    text.truncate(TEXT_BYTES);
    text
}

#[test]
fn every_rival_compresses_and_restores() {
    let folder = TempDir::new().unwrap();
    let input = folder.path().join("text");
    fs::write(&input, text()).unwrap();
    for rival in &RIVALS {
        let packed = folder.path().join("packed");
        measure::once(&mut rival.compress(&input, &packed).unwrap()).unwrap();
        let restored = folder.path().join("restored");
        let output = Stdio::from(File::create(&restored).unwrap());
        measure::once(&mut rival.decompress(&packed, output)).unwrap();
        assert_eq!(first_difference(&input, &restored).unwrap(), None, "{}", rival.name);
    }
}

#[test]
fn every_rival_is_measured() {
    let folder = TempDir::new().unwrap();
    let input = folder.path().join("text");
    fs::write(&input, text()).unwrap();
    for rival in &RIVALS {
        let row = measure_rival(rival, &input, folder.path(), 2).unwrap();
        assert_eq!(row.tool, rival.name);
        assert!(row.compressed_bytes > 0 && row.compressed_bytes < TEXT_BYTES as u64 / 2);
        assert!(row.compress.wall_seconds > 0.0 && row.decompress.wall_seconds > 0.0);
        assert!(row.compress.peak_rss_bytes > 500_000);
        assert!(rival.version().unwrap().contains(|c: char| c.is_ascii_digit()));
    }
}
