//! The devices that tests run on.

use std::sync::OnceLock;
use zgram_gpu::{Backend, Device, DeviceOptions, Twins, Wish, choose};

/// Names of the two software devices: lavapipe and SwiftShader.
pub(crate) const NAMES: [&str; 2] = ["llvmpipe", "SwiftShader"];

/// A device of this name.
pub(crate) fn open(name: &str, options: DeviceOptions) -> Device {
    let adapter = choose(&Wish::Named(name.to_owned())).expect("./test installs this device");
    Device::new(adapter, options).expect("a software device always opens")
}

/// The two devices, opened once.
pub(crate) fn devices() -> &'static [Device] {
    static DEVICES: OnceLock<Vec<Device>> = OnceLock::new();
    DEVICES.get_or_init(|| NAMES.map(|name| open(name, DeviceOptions::default())).into())
}

/// The two devices and the twins, with their names.
pub(crate) fn backends() -> Vec<(String, &'static dyn Backend)> {
    static TWINS: OnceLock<Twins> = OnceLock::new();
    let twins: &dyn Backend = TWINS.get_or_init(Twins::default);
    let devices = devices().iter().map(|device| (device.adapter().name.clone(), device as _));
    std::iter::once(("twins".to_owned(), twins)).chain(devices).collect()
}
