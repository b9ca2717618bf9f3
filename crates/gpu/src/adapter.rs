//! Lists GPUs, and chooses one.

use crate::error::GpuError;
use std::fmt;
use std::str::FromStr;

/// The kind of device behind an adapter, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A card with its own memory.
    Discrete,
    /// Part of the processor's chip: shares memory with the CPU.
    Integrated,
    /// A share of a card, in a virtual machine.
    Virtual,
    /// The driver does not report it.
    Unknown,
    /// A program that emulates a GPU. Used only if requested.
    Software,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Discrete => "discrete",
            Self::Integrated => "integrated",
            Self::Virtual => "virtual",
            Self::Unknown => "unknown",
            Self::Software => "software",
        })
    }
}

/// The adapter that the user asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Wish {
    /// The best one that is not software.
    #[default]
    Best,
    /// The first software adapter.
    Software,
    /// The best one whose name contains this text, ignoring case.
    Named(String),
}

impl FromStr for Wish {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "" | "best" => Self::Best,
            "software" => Self::Software,
            name => Self::Named(name.to_owned()),
        })
    }
}

impl fmt::Display for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Best => f.write_str("GPU"),
            Self::Software => f.write_str("software adapter"),
            Self::Named(name) => write!(f, "adapter named {name:?}"),
        }
    }
}

/// An adapter: a device and its driver.
#[derive(Clone, Debug)]
pub struct Adapter {
    pub(crate) inner: wgpu::Adapter,
    /// The device's name.
    pub name: String,
    /// The kind of device.
    pub kind: Kind,
    /// The interface to it, such as Vulkan.
    pub backend: String,
    /// The driver and its version.
    pub driver: String,
}

/// All adapters, the best first. Loads the graphics drivers.
#[must_use]
pub fn adapters() -> Vec<Adapter> {
    let backends = wgpu::Backends::from_env().unwrap_or(wgpu::Backends::all());
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends,
        // Validation as in the build profile, but no WGSL names in kernels: older validation layers
        // reject them.
        flags: wgpu::InstanceFlags::default().difference(wgpu::InstanceFlags::DEBUG),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let found = pollster::block_on(instance.enumerate_adapters(backends));
    let mut adapters: Vec<Adapter> = found.into_iter().map(Adapter::new).collect();
    adapters.sort_by_key(|adapter| adapter.kind);
    adapters
}

/// Finds the adapter that the user asks for.
///
/// # Errors
/// [`GpuError::NoAdapter`].
pub fn choose(wish: &Wish) -> Result<Adapter, GpuError> {
    let mut adapters = adapters();
    let kinds: Vec<(&str, Kind)> =
        adapters.iter().map(|adapter| (adapter.name.as_str(), adapter.kind)).collect();
    match pick(wish, &kinds) {
        Some(at) => Ok(adapters.swap_remove(at)),
        None => Err(GpuError::NoAdapter {
            wanted: wish.to_string(),
            found: adapters.into_iter().map(|adapter| adapter.name).collect(),
        }),
    }
}

/// The index of the requested adapter, given all adapters, best first.
fn pick(wish: &Wish, adapters: &[(&str, Kind)]) -> Option<usize> {
    adapters.iter().position(|(name, kind)| match wish {
        Wish::Best => *kind != Kind::Software,
        Wish::Software => *kind == Kind::Software,
        Wish::Named(part) => name.to_lowercase().contains(&part.to_lowercase()),
    })
}

impl Adapter {
    fn new(inner: wgpu::Adapter) -> Self {
        let info = inner.get_info();
        let kind = match info.device_type {
            wgpu::DeviceType::DiscreteGpu => Kind::Discrete,
            wgpu::DeviceType::IntegratedGpu => Kind::Integrated,
            wgpu::DeviceType::VirtualGpu => Kind::Virtual,
            wgpu::DeviceType::Cpu => Kind::Software,
            wgpu::DeviceType::Other => Kind::Unknown,
        };
        let driver = format!("{} {}", info.driver, info.driver_info).trim().to_owned();
        Self { inner, name: info.name, kind, backend: info.backend.to_string(), driver }
    }

    /// Whether the device uses the host's memory, so that nothing needs to be copied to it
    /// (gtadoc-embedded section 5).
    #[must_use]
    pub fn shares_memory(&self) -> bool {
        matches!(self.kind, Kind::Integrated | Kind::Software)
            && self.inner.features().contains(wgpu::Features::MAPPABLE_PRIMARY_BUFFERS)
    }

    /// The most bytes of one binding.
    #[must_use]
    pub fn most_binding_bytes(&self) -> u64 {
        self.inner.limits().max_storage_buffer_binding_size
    }

    /// The most bytes of one buffer.
    #[must_use]
    pub fn most_buffer_bytes(&self) -> u64 {
        self.inner.limits().max_buffer_size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn software_is_used_only_if_requested() {
        let adapters = [
            ("Big Card", Kind::Discrete),
            ("Chip", Kind::Integrated),
            ("llvmpipe", Kind::Software),
        ];
        let wish = |text: &str| text.parse::<Wish>().unwrap();
        assert_eq!(pick(&wish(""), &adapters), Some(0));
        assert_eq!(pick(&wish("chip"), &adapters), Some(1));
        assert_eq!(pick(&wish("software"), &adapters), Some(2));
        assert_eq!(pick(&wish("LLVM"), &adapters), Some(2));
        assert_eq!(pick(&wish("best"), &adapters[2..]), None);
        assert_eq!(pick(&wish("other"), &adapters), None);
    }

    #[test]
    fn a_missing_adapter_is_reported() {
        let error = choose(&Wish::Named("no such thing".to_owned())).unwrap_err();
        assert!(error.to_string().starts_with("no adapter named \"no such thing\" was found"));
    }
}
