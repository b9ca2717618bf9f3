//! Writes the lists of stop words as one text.
//!
//! The crate that has them keeps tens of thousands of strings. Each is an address that the loader
//! writes into memory when a program starts, whether or not it asks for stop words: 0.4 MB.

use std::path::PathBuf;

fn main() {
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo names a folder"));
    std::fs::write(folder.join("stop_words.txt"), lists()).expect("the folder can be written to");
    println!("cargo::rerun-if-changed=build.rs");
}

/// One line per language: its code, then its words, separated by tabs.
#[cfg(feature = "stop-words")]
fn lists() -> String {
    let mut text = String::new();
    for code in stop_words::available_languages() {
        let words = stop_words::lookup(code).expect("an available language");
        assert!(words.iter().all(|word| !word.contains(['\t', '\n'])), "a word is in one line");
        text += &format!("{code}\t{}\n", words.join("\t"));
    }
    text
}

#[cfg(not(feature = "stop-words"))]
fn lists() -> String {
    String::new()
}
