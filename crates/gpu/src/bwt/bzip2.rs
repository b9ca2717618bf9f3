//! The stages as an accelerator of bzip2 writers and readers.

use super::Stages;
use super::huffman::Codes;
use crate::backend::Backend;
use std::fmt::Debug;
use zgram_bwt::Transformed;
use zgram_bwt::bzip2::{Accelerator, CodedSymbols, DecodedSymbols, Failure};

impl<B: Backend + Debug> Accelerator for Stages<B> {
    fn transform(&self, block: &[u8]) -> Result<Transformed, Failure> {
        Ok(self.forward(block)?)
    }

    fn move_to_front(&self, symbols: &[u8], list: &[u8; 256]) -> Result<Vec<u8>, Failure> {
        Ok(Self::move_to_front(self, symbols, list)?)
    }

    fn code(
        &self,
        symbols: &[u16],
        lengths: &[Vec<u8>],
        selectors: &[u8],
        group: usize,
    ) -> Result<(Vec<u8>, u64), Failure> {
        Ok(Self::code(self, symbols, &Codes { lengths, selectors, group })?)
    }

    fn decode(&self, coded: &CodedSymbols<'_>) -> Result<Option<DecodedSymbols>, Failure> {
        Ok(Self::decode(self, coded)?)
    }

    fn move_from_front(&self, places: &[u8], list: &[u8; 256]) -> Result<Vec<u8>, Failure> {
        Ok(Self::move_from_front(self, places, list)?)
    }

    fn restore(&self, last_column: &[u8], origin: usize) -> Result<Vec<u8>, Failure> {
        Ok(self.inverse(last_column, origin)?)
    }
}
