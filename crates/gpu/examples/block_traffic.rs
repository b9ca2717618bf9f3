//! Reports the bytes of device memory that each stage of block sorting, and each of its kernels, reads
//! and writes per byte of text: in the thesis's three stages, and to compress and decompress a block of
//! bzip2. Needs no device.
//!
//! `cargo run --release -p zgram-gpu --example block_traffic FILE`

use std::fs::File;
use std::io::Read;
use zgram_gpu::bwt::{BlockTraffic, StageTraffic, Traffic};

/// About the largest block of bzip2.
const BLOCK: u64 = 899_900;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let path = std::env::args_os().nth(1).ok_or("the name of a file is wanted")?;
    let mut text = Vec::new();
    File::open(path)?.take(BLOCK).read_to_end(&mut text)?;
    let traffic = BlockTraffic::of(&text)?;
    print("the thesis's three stages", &traffic.three_stages, text.len());
    print("compressing", &traffic.compressing, text.len());
    print("decompressing", &traffic.decompressing, text.len());
    Ok(())
}

fn print(what: &str, stages: &StageTraffic, len: usize) {
    let a_byte = |bytes: u64| bytes as f64 / len as f64;
    let all: u64 = stages.values().flat_map(Traffic::values).sum();
    println!("{what}: {:.1} bytes of memory for a byte of text", a_byte(all));
    for (stage, kernels) in stages {
        println!("  {:8.1}  {stage}", a_byte(kernels.values().sum()));
        for (kernel, &bytes) in kernels {
            println!("    {:8.2}  {kernel}", a_byte(bytes));
        }
    }
}
