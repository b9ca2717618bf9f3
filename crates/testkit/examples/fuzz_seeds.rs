//! Writes inputs for the fuzzer to begin with: `cargo run -p zgram-testkit --example fuzz_seeds`.

use std::fs;
use std::path::Path;
use zgram::format::Layer;
use zgram_testkit::{combinations, small_corpus, small_documents, targets};

fn main() -> std::io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for (target, _) in targets::ALL {
        fs::create_dir_all(corpus.join(target))?;
    }
    for (level, grammar, layer) in combinations() {
        let name = format!("{}-{}-{}", level.name(), grammar.name(), layer.name());
        fs::write(corpus.join("open_container").join(name), small_corpus(level, grammar, layer))?;
    }
    for (number, file) in (0u8..).zip(targets::sound_files()) {
        for (place, section) in (0u8..).zip(&file.sections) {
            let input = [&[number, place, 0][..], &section.bytes].concat();
            fs::write(corpus.join("decode_section").join(format!("{number}-{place}")), input)?;
        }
    }
    for (number, (level, _, layer)) in (0u8..).zip(combinations()) {
        let mut input = vec![level as u8, number, 14, number];
        for document in small_documents() {
            input.extend((document.text.len() as u16).to_le_bytes());
            input.extend(document.text);
        }
        if layer != Layer::Gzip {
            fs::write(corpus.join("round_trip").join(number.to_string()), input)?;
        }
    }
    println!("seeds are in {}", corpus.display());
    Ok(())
}
