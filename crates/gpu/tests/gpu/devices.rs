//! The devices that tests run on.

use crate::grammars::{answer, expected, job, wide};
use std::sync::{Mutex, Once, OnceLock};
use zgram::analytics::Traversal;
use zgram_gpu::{Backend, Device, DeviceOptions, Engine, Twins, Wish, choose, self_test};

/// The names of the two software devices: lavapipe and SwiftShader.
pub(crate) const NAMES: [&str; 2] = ["llvmpipe", "SwiftShader"];

/// Complaints of drivers, of the validation layer, and of wgpu.
struct Complaints;

static COMPLAINTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

impl log::Log for Complaints {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.level() <= log::Level::Warn
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            let text = format!("{} {}: {}", record.level(), record.target(), record.args());
            COMPLAINTS.lock().unwrap().push(text);
        }
    }

    fn flush(&self) {}
}

/// Opens the device with this name.
pub(crate) fn open(name: &str, options: DeviceOptions) -> Device {
    static LISTENS: Once = Once::new();
    LISTENS.call_once(|| {
        log::set_logger(&Complaints).expect("there is no other logger");
        log::set_max_level(log::LevelFilter::Warn);
    });
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

#[test]
fn nobody_complains_of_calls_to_the_driver() {
    for (name, shared_memory) in NAMES.iter().flat_map(|name| [(name, true), (name, false)]) {
        let device = open(name, DeviceOptions { shared_memory, ..DeviceOptions::default() });
        assert!(self_test(&device).unwrap().is_right, "{name}");
        let grammar = wide(300, 20);
        let documents: Vec<usize> = (0..grammar.doc_count()).collect();
        for (n, traversal) in [1, 3].into_iter().flat_map(|n| Traversal::ALL.map(|way| (n, way))) {
            let job = job(&grammar, &documents, n, true);
            let counted = Engine::new(&device).with_traversal(traversal).count_job(&job).unwrap();
            assert_eq!(answer(&counted, n), expected(&job), "{name}, {n}, {traversal}");
        }
    }
    let complaints = COMPLAINTS.lock().unwrap();
    assert!(complaints.is_empty(), "{complaints:#?}");
}
