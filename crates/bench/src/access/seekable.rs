//! zstd in independent frames of 64 KB with a table of offsets, as its seekable format has it.

use super::Figures;
use super::clock::Clock;
use super::texts::{Random, Texts};
use anyhow::{Result, ensure};

const FRAME: usize = 64 << 10;
const EXTRACTS: usize = 20_000;
/// zstd's own default; a higher level decompresses no faster.
const LEVEL: i32 = 3;

pub(super) fn measure(
    texts: &Texts,
    share: &dyn Fn(u64) -> String,
    figures: &mut Figures,
) -> Result<()> {
    let all = texts.documents.concat();
    let starts: Vec<usize> = texts
        .documents
        .iter()
        .scan(0, |next, document| Some(std::mem::replace(next, *next + document.len())))
        .collect();
    let frames: Vec<Vec<u8>> = all
        .chunks(FRAME)
        .map(|frame| zstd::bulk::compress(frame, LEVEL))
        .collect::<std::io::Result<_>>()?;
    // The seek table of the seekable format has 8 bytes a frame and 17 around them.
    let bytes = frames.iter().map(|frame| frame.len() as u64 + 8).sum::<u64>() + 17;
    figures.add("size", "zstd seekable, 64 KB", share(bytes));
    let mut unpacker = zstd::bulk::Decompressor::new()?;
    let mut frame = vec![0; FRAME];
    let mut extract = |at: usize, out: &mut Vec<u8>| -> Result<()> {
        let end = (at + 64).min(all.len());
        let numbers = at / FRAME..=(end - 1) / FRAME;
        for (number, packed) in numbers.clone().zip(&frames[numbers]) {
            let len = unpacker.decompress_to_buffer(packed, &mut frame[..])?;
            let start = number * FRAME;
            out.extend_from_slice(&frame[at.max(start) - start..(end - start).min(len)]);
        }
        Ok(())
    };
    let mut random = Random(1);
    let places: Vec<usize> = (0..EXTRACTS)
        .map(|_| texts.place(&mut random))
        .map(|(document, offset)| starts[document] + offset as usize)
        .collect();
    let mut out = Vec::new();
    for &at in &places[..100] {
        out.clear();
        extract(at, &mut out)?;
        ensure!(out == all[at..(at + 64).min(all.len())]);
    }
    let begun = Clock::start();
    for &at in &places {
        out.clear();
        extract(at, &mut out)?;
    }
    figures.add("extract 64 bytes, warm", "zstd seekable, 64 KB", begun.micros(EXTRACTS));
    Ok(())
}
