//! A corpus of some texts, for tests.

use crate::corpus::Corpus;
use crate::input::Sources;
use crate::progress::Silent;
use std::sync::Arc;

/// Compresses texts and opens the result.
pub(super) fn corpus_of(texts: &[String]) -> Arc<Corpus> {
    let folder = tempfile::tempdir().unwrap();
    let (source, file) = (folder.path().join("texts"), folder.path().join("x.zgram"));
    std::fs::create_dir(&source).unwrap();
    for (number, text) in texts.iter().enumerate() {
        std::fs::write(source.join(number.to_string()), text).unwrap();
    }
    let sources = Sources::new([source]);
    crate::compress(&sources, &file, &crate::CompressOptions::default(), &Silent).unwrap();
    let bytes = std::fs::read(&file).unwrap();
    Arc::new(Corpus::from_storage(file, crate::storage::Memory(bytes)).unwrap())
}
