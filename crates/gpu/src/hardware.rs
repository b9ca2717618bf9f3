//! Looks for a hardware GPU without loading a driver.
//!
//! To list adapters, wgpu loads the Vulkan loader and every installed driver. That took 300 ms on a machine
//! that has only software drivers, and one of them printed to the terminal. Listing the system's device
//! files takes microseconds and prints nothing.

use std::fs;
use std::path::Path;

/// Whether this machine may have a hardware GPU. Loads no driver.
///
/// On Linux the answer is yes if a device file of a GPU exists. On other systems it is always yes: their
/// drivers are part of the system and print nothing.
#[must_use]
pub fn may_have_hardware() -> bool {
    !cfg!(target_os = "linux") || has_device_file(Path::new("/"))
}

/// The beginnings of the names of GPU device files in `/dev`: NVIDIA's cards; NVIDIA's chips (two), the
/// GPU of Windows inside WSL, Qualcomm's and Arm's chips. A digit must follow the first one, because
/// `nvidiactl` exists without a card.
const NUMBERED: &str = "nvidia";
const NAMES: [&str; 5] = ["nvhost-gpu", "nvgpu", "dxg", "kgsl-3d", "mali"];

/// PCI vendors of displays that virtual machines emulate: virtio, QEMU, VMware, VirtualBox, Cirrus.
const EMULATED: [&str; 5] = ["0x1af4", "0x1234", "0x15ad", "0x80ee", "0x1013"];

/// Whether the system below `root` has a device file of a hardware GPU.
fn has_device_file(root: &Path) -> bool {
    names_in(&root.join("dev")).any(|name| is_device_name(&name))
        || names_in(&root.join("dev/dri")).any(|name| {
            name.starts_with("renderD") && !is_emulated(&root.join("sys/class/drm").join(name))
        })
}

fn names_in(folder: &Path) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok())
}

fn is_device_name(name: &str) -> bool {
    let number = name.strip_prefix(NUMBERED);
    number.is_some_and(|number| number.starts_with(|digit: char| digit.is_ascii_digit()))
        || NAMES.iter().any(|start| name.starts_with(start))
}

/// Whether a render node belongs to a program or to an emulated display. A PCI device has a vendor, a
/// device on a chip has a node of the device tree, and a program's device has neither. A node that the
/// system does not describe counts as hardware.
fn is_emulated(node: &Path) -> bool {
    let device = node.join("device");
    if !device.exists() {
        return false;
    }
    match fs::read_to_string(device.join("vendor")) {
        Ok(vendor) => EMULATED.contains(&vendor.trim()),
        Err(_) => !device.join("of_node").exists(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        root
    }

    #[track_caller]
    fn check(files: &[(&str, &str)], expected: bool) {
        assert_eq!(has_device_file(system(files).path()), expected, "{files:?}");
    }

    #[test]
    fn device_files_of_hardware_are_recognised() {
        let vendor = "sys/class/drm/renderD128/device/vendor";
        check(&[("dev/nvidia0", "")], true);
        check(&[("dev/nvhost-gpu", "")], true);
        check(&[("dev/dxg", "")], true);
        check(&[("dev/dri/renderD128", "")], true);
        check(&[("dev/dri/renderD128", ""), (vendor, "0x1002\n")], true);
        let chip = "sys/class/drm/renderD128/device/of_node/name";
        check(&[("dev/dri/renderD128", ""), (chip, "gpu")], true);
        // One emulated display does not hide a card.
        let two = [("dev/dri/renderD128", ""), (vendor, "0x1af4\n"), ("dev/dri/renderD129", "")];
        check(&two, true);
    }

    #[test]
    fn a_machine_without_hardware_is_recognised() {
        let vendor = "sys/class/drm/renderD128/device/vendor";
        check(&[], false);
        check(&[("dev/null", ""), ("dev/nvidiactl", ""), ("dev/nvidia-uvm", "")], false);
        check(&[("dev/dri/card0", "")], false);
        check(&[("dev/dri/renderD128", ""), (vendor, "0x1af4\n")], false);
        let program = "sys/class/drm/renderD128/device/uevent";
        check(&[("dev/dri/renderD128", ""), (program, "")], false);
    }
}
