//! How many bytes of device memory each stage of block sorting reads and writes for a byte of text,
//! counted from the recordings. Needs no device.
//!
//! `cargo run --release -p zgram-gpu --example block_traffic FILE`

use std::fs::File;
use std::io::Read;
use zgram_gpu::Twins;
use zgram_gpu::bwt::Stages;

/// The largest block of bzip2.
const BLOCK: u64 = 900_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("the name of a file is wanted")?;
    let mut text = Vec::new();
    File::open(path)?.take(BLOCK).read_to_end(&mut text)?;
    let stages = Stages::new(Twins::default());
    let mut before = 0;
    let mut tell = |stage: &str| {
        let now = stages.traffic();
        println!("{stage:>18}  {:6.1} bytes a byte", (now - before) as f64 / text.len() as f64);
        before = now;
    };
    let transformed = stages.forward(&text)?;
    tell("transform");
    let list = std::array::from_fn(|place| place as u8);
    let places = stages.move_to_front(&transformed.last_column, &list)?;
    tell("move to front");
    let symbols: Vec<u16> = places.iter().map(|&place| place.into()).collect();
    stages.huffman(&symbols, 256)?;
    tell("Huffman");
    stages.move_from_front(&places, &list)?;
    tell("move from front");
    let restored = stages.inverse(&transformed.last_column, transformed.origin)?;
    tell("inverse transform");
    if restored == text { Ok(()) } else { Err("the text did not come back".into()) }
}
