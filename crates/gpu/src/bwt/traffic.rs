//! The bytes of device memory that the stages read and write for a block. They are counted from the
//! recordings and by the kernels' twins, without a device.

use super::{Stages, Traffic};
use crate::cpu_twins::Twins;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use zgram_bwt::Transformed;
use zgram_bwt::bzip2::{
    Accelerator, CodedSymbols, DecodedSymbols, Failure, Reader, Writer, WriterOptions,
};

/// Bytes by stage and kernel.
pub type StageTraffic = BTreeMap<&'static str, Traffic>;

/// The traffic to compress and decompress a text.
#[derive(Clone, Debug)]
pub struct BlockTraffic {
    /// The thesis's three stages: transform, move to front, and one Huffman table for everything.
    pub three_stages: StageTraffic,
    /// Compression to bzip2's format, which encodes runs before and in between.
    pub compressing: StageTraffic,
    /// Decompression of bzip2's format.
    pub decompressing: StageTraffic,
}

impl BlockTraffic {
    /// Compresses and decompresses a text, ideally one block.
    ///
    /// # Errors
    /// When it does not fit, or when the decompressed text differs.
    pub fn of(text: &[u8]) -> Result<Self, Failure> {
        let counted =
            Arc::new(Counted { stages: Stages::new(Twins::default()), by_stage: Mutex::default() });
        counted.three_stages(text)?;
        let three_stages = counted.take();
        let options = WriterOptions { level: 9, threads: 1 };
        let mut writer = Writer::new(Vec::new(), options).with_accelerator(counted.clone());
        writer.write_all(text)?;
        let file = writer.finish()?;
        let compressing = counted.take();
        let mut restored = Vec::new();
        Reader::new(&file[..], 1).with_accelerator(counted.clone()).read_to_end(&mut restored)?;
        match restored == text {
            true => Ok(Self { three_stages, compressing, decompressing: counted.take() }),
            false => Err("the text did not come back".into()),
        }
    }
}

/// Stages whose traffic is counted per stage.
#[derive(Debug)]
struct Counted {
    stages: Stages<Twins>,
    by_stage: Mutex<StageTraffic>,
}

impl Counted {
    fn three_stages(&self, text: &[u8]) -> Result<(), Failure> {
        let list = std::array::from_fn(|place| place as u8);
        let column = self.transform(text)?.last_column;
        let places = self.move_to_front(&column, &list)?;
        let symbols: Vec<u16> = places.into_iter().map(u16::from).collect();
        self.count("Huffman", |stages| stages.huffman(&symbols, 256))?;
        Ok(())
    }

    fn count<T>(&self, stage: &'static str, run: impl FnOnce(&Stages<Twins>) -> T) -> T {
        let before = self.stages.traffic();
        let result = run(&self.stages);
        let mut by_stage = self.by_stage.lock().unwrap_or_else(PoisonError::into_inner);
        let kernels = by_stage.entry(stage).or_default();
        for (kernel, bytes) in self.stages.traffic() {
            *kernels.entry(kernel).or_default() += bytes - before.get(kernel).unwrap_or(&0);
        }
        kernels.retain(|_, bytes| *bytes > 0);
        result
    }

    /// The traffic since the last call.
    fn take(&self) -> StageTraffic {
        std::mem::take(&mut *self.by_stage.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Accelerator for Counted {
    fn transform(&self, block: &[u8]) -> Result<Transformed, Failure> {
        self.count("transform", |stages| Ok(stages.forward(block)?))
    }

    fn move_to_front(&self, symbols: &[u8], list: &[u8; 256]) -> Result<Vec<u8>, Failure> {
        self.count("move to front", |stages| Ok(stages.move_to_front(symbols, list)?))
    }

    fn code(
        &self,
        symbols: &[u16],
        lengths: &[Vec<u8>],
        selectors: &[u8],
        group: usize,
    ) -> Result<(Vec<u8>, u64), Failure> {
        self.count("Huffman", |stages| {
            Accelerator::code(stages, symbols, lengths, selectors, group)
        })
    }

    fn decode(&self, coded: &CodedSymbols<'_>) -> Result<Option<DecodedSymbols>, Failure> {
        self.count("inverse Huffman", |stages| Ok(stages.decode(coded)?))
    }

    fn move_from_front(&self, places: &[u8], list: &[u8; 256]) -> Result<Vec<u8>, Failure> {
        self.count("inverse move to front", |stages| Ok(stages.move_from_front(places, list)?))
    }

    fn restore(&self, last_column: &[u8], origin: usize) -> Result<Vec<u8>, Failure> {
        self.count("inverse transform", |stages| Ok(stages.inverse(last_column, origin)?))
    }
}
