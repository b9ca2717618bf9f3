//! The program without GPU support.

use crate::args::GpuArgs;
use crate::args::gpu::{AdapterArgs, EngineArgs, EngineName};
use crate::complaint::Refusal;
use crate::reporter::Reporter;
use std::sync::Arc;
use zgram::Corpus;
use zgram::analytics::{Choice, Decision, Question};
use zgram::plumbing::Accelerator;
use zgram::plumbing::TransactionReader;
use zgram_bwt::bzip2::Accelerator as BlockAccelerator;

/// Never exists.
pub(crate) enum Gpu {}

impl Gpu {
    pub(crate) fn accelerator(&self) -> &dyn Accelerator {
        match *self {}
    }

    pub(crate) fn falls_back(&self) -> bool {
        match *self {}
    }

    pub(crate) fn print_stats(&self) {
        match *self {}
    }
}

/// Never exists.
pub(crate) enum Reader {}

impl Reader {
    pub(crate) fn batch_reader(&self) -> &dyn TransactionReader {
        match *self {}
    }

    pub(crate) fn failures(&self) -> Vec<String> {
        match *self {}
    }

    pub(crate) fn print_stats(&self) {
        match *self {}
    }
}

fn refusal() -> Refusal {
    let hint = "build zgram with the feature `gpu`, which is on by default";
    Refusal::error("this zgram was built without GPU support", hint)
}

pub(crate) fn block_sorter(_: &AdapterArgs) -> Result<Arc<dyn BlockAccelerator>, Refusal> {
    Err(refusal())
}

pub(crate) fn choose(
    args: &EngineArgs,
    _: &Corpus,
    _: &Question,
    _: (&Decision, Choice),
    _: &Reporter,
) -> anyhow::Result<Option<Gpu>> {
    if args.engine == EngineName::Gpu { Err(refusal().into()) } else { Ok(None) }
}

pub(crate) fn choose_reader(
    args: &EngineArgs,
    _: usize,
    _: &Reporter,
) -> anyhow::Result<Option<Reader>> {
    if args.engine == EngineName::Gpu { Err(refusal().into()) } else { Ok(None) }
}

pub(crate) fn list(_: &GpuArgs, _: &Reporter) -> anyhow::Result<()> {
    Err(refusal().into())
}
