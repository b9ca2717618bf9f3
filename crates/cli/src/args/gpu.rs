//! What can be asked of GPUs.

use crate::size;
use clap::{Args, ValueEnum};

/// Who answers.
#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// Who answers; the answer is the same
    #[arg(long, value_enum, default_value_t, env = "ZGRAM_ENGINE", hide_env = true)]
    pub(crate) engine: EngineName,
    #[command(flatten)]
    pub(crate) adapter: AdapterArgs,
}

/// Which GPU.
#[derive(Debug, Default, Args)]
pub(crate) struct AdapterArgs {
    /// The GPU whose name contains NAME; `software` for one that is a program. See `zgram gpu`
    #[arg(long, value_name = "NAME", env = "ZGRAM_ADAPTER", hide_env = true)]
    pub(crate) adapter: Option<String>,
    /// Memory of the GPU to use at most, such as 512M
    #[arg(long, value_name = "SIZE", value_parser = size::parse_positive)]
    pub(crate) gpu_memory: Option<u64>,
}

/// Who answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineName {
    /// A GPU, where there is one and the work is large enough to gain; the CPU if it fails
    #[default]
    Auto,
    /// The CPU
    Cpu,
    /// A GPU, or an error
    Gpu,
}

/// Who sorts blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum BlockEngineName {
    /// The CPU
    #[default]
    Cpu,
    /// A GPU, or an error
    Gpu,
}
