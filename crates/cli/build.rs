//! Links the program so that it starts with fewer pages in memory.

use std::process::Command;

/// The first version of glibc that supports packed relocations.
const PACKING_GLIBC: (u32, u32) = (2, 36);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if takes_packed_relocations() {
        // Every start reads the 58,000 relocations: 1.4 MB, or 17 kB when packed.
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// Whether the machine that builds the program can also run it with packed relocations.
fn takes_packed_relocations() -> bool {
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|is| is == value);
    if !is("CARGO_CFG_TARGET_OS", "linux") || !is("CARGO_CFG_TARGET_ENV", "gnu") {
        return false;
    }
    // The glibc of another machine is unknown.
    if std::env::var("HOST") != std::env::var("TARGET") {
        return false;
    }
    let asked = Command::new("getconf").arg("GNU_LIBC_VERSION").output();
    let Ok(answer) = asked else { return false };
    let answer = String::from_utf8_lossy(&answer.stdout);
    let version = answer.trim().strip_prefix("glibc ").and_then(|version| {
        let (major, minor) = version.split_once('.')?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    });
    version.is_some_and(|version: (u32, u32)| version >= PACKING_GLIBC)
}
