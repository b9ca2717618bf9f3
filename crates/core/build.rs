//! Writes the lists of stop words as one text.
//!
//! As the crate has them, tens of thousands of strings, each is an address that is written into memory
//! whenever a program starts, whether it asks for stop words or not: 0.4 MB.

use std::path::PathBuf;

fn main() {
    let mut text = String::new();
    for code in stop_words::available_languages() {
        let words = stop_words::lookup(code).expect("an available language");
        assert!(words.iter().all(|word| !word.contains(['\t', '\n'])), "a word is in one line");
        text += &format!("{code}\t{}\n", words.join("\t"));
    }
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo names a folder"));
    std::fs::write(folder.join("stop_words.txt"), text).expect("the folder can be written to");
    println!("cargo::rerun-if-changed=build.rs");
}
