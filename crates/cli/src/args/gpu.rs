//! Options that choose the CPU or a GPU.

use crate::size;
use clap::{Args, ValueEnum};

/// Which engine runs the work.
#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// Run on the CPU or a GPU; results are identical
    #[arg(
        long,
        value_enum,
        default_value_t,
        env = "ZGRAM_ENGINE",
        hide_env = true,
        hide_short_help = true
    )]
    pub(crate) engine: EngineName,
    #[command(flatten)]
    pub(crate) adapter: AdapterArgs,
}

/// The GPU to use.
#[derive(Debug, Default, Args)]
pub(crate) struct AdapterArgs {
    /// Use the GPU whose name contains NAME; `software` for a software device. See `zgram gpu`
    #[arg(
        long,
        value_name = "NAME",
        env = "ZGRAM_ADAPTER",
        hide_env = true,
        hide_short_help = true
    )]
    pub(crate) adapter: Option<String>,
    /// Use at most this much GPU memory, such as 512M
    #[arg(long, value_name = "SIZE", value_parser = size::parse_positive, hide_short_help = true)]
    pub(crate) gpu_memory: Option<u64>,
}

/// The engine of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineName {
    /// A hardware GPU if the work is large; otherwise, or if it fails, the CPU
    #[default]
    Auto,
    /// The CPU
    Cpu,
    /// A GPU; an error if there is none or it fails
    Gpu,
}

/// The engine of block sorting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum BlockEngineName {
    /// The CPU
    #[default]
    Cpu,
    /// A GPU; an error if there is none or it fails
    Gpu,
}
