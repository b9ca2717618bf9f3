//! `zgram info`: facts about a corpus, without reading its text.

use crate::args::InfoArgs;
use crate::open::open_store;
use crate::printer::{Cell, Field, Table, field, print_record};
use crate::reporter::Reporter;
use zgram::Corpus;
use zgram::format::Facts;
use zgram::plumbing::{Section, SectionKind};
use zgram::store::Threshold;

pub(crate) fn run(args: &InfoArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let store = open_store(&args.file, reporter)?;
    let corpus = store.corpus();
    let with_tables = args.segments || reporter.is_verbose();
    if !corpus.shards().is_empty() {
        let tables = [shards(&corpus)];
        return Ok(print_record(&fields(&corpus), &tables, true, args.format)?);
    }
    let tables = [segments(corpus.facts()), sections(&corpus)];
    let mut fields = fields(&corpus);
    let pending = store.pending();
    fields.push(field("pending_edits", "pending edits", Cell::Count(pending.edits)));
    fields.push(field("pending_bytes", "pending text", Cell::Bytes(pending.bytes)));
    let Threshold { edits, bytes } = store.threshold();
    let limit = |limit: u64, cell: fn(u64) -> Cell<'static>| match limit {
        u64::MAX => Cell::Text("never".to_owned()),
        limit => cell(limit),
    };
    fields.push(field("threshold_edits", "auto-compact edits", limit(edits, Cell::Count)));
    fields.push(field("threshold_bytes", "auto-compact text", limit(bytes, Cell::Bytes)));
    Ok(print_record(&fields, &tables, with_tables, args.format)?)
}

fn fields(corpus: &Corpus) -> Vec<Field> {
    let facts = corpus.facts();
    let (sizes, compressed) = (&facts.sizes, corpus.compressed_bytes());
    let text = |text: &str| Cell::Text(text.to_owned());
    let file = corpus.path().as_os_str().as_encoded_bytes();
    let documents = if facts.has_envelopes { "JSON line" } else { "file" };
    // The tokens that shards have in common are known only from their dictionaries.
    let vocabulary = match corpus.shards() {
        [] => [
            field("vocabulary", "vocabulary", Cell::Count(facts.vocabulary)),
            field("vocabulary_words", "distinct words", Cell::Count(facts.vocabulary_words)),
        ],
        shards => [
            field("shards", "files", Cell::Count(shards.len() as u64)),
            field(
                "vocabulary_words_at_most",
                "distinct words, at most",
                Cell::Count(facts.vocabulary_words),
            ),
        ],
    };
    let mut fields = vec![
        field("file", "file", Cell::name(file.to_owned())),
        field("text_bytes", "text", Cell::Bytes(sizes.text_bytes)),
        field("compressed_bytes", "compressed", Cell::Bytes(compressed)),
        field("ratio", "ratio", Cell::Ratio(sizes.text_bytes, compressed)),
        field("documents", "documents", Cell::Count(facts.documents)),
        field("document_unit", "document unit", text(documents)),
        field("tokens", "tokens", Cell::Count(sizes.text_tokens)),
        field("words", "words", Cell::Count(sizes.text_words)),
    ];
    fields.extend(vocabulary);
    fields.extend([
        field("rules", "rules", Cell::Count(sizes.rules)),
        field("symbols", "symbols", Cell::Count(sizes.symbols)),
        field("depth", "depth", Cell::Count(sizes.depth)),
        field("root_symbols", "root symbols", Cell::Count(sizes.root_symbols)),
        field("root_share", "root share", Cell::Share(sizes.root_symbols, sizes.symbols)),
        field("level", "level", text(facts.level.name())),
        field("grammar", "grammar", text(facts.grammar.name())),
        field("layer", "layer", text(facts.layer.name())),
        field("tokeniser", "tokeniser", Cell::Count(facts.tokeniser.into())),
        field("segment_count", "segments", Cell::Count(facts.segments.len() as u64)),
    ]);
    fields
}

fn shards(corpus: &Corpus) -> Table {
    let mut first = 0;
    let row = |shard: &std::sync::Arc<Corpus>| {
        let facts = shard.facts();
        let row = vec![
            Cell::name(shard.path().as_os_str().as_encoded_bytes().to_owned()),
            Cell::Count(first),
            Cell::Count(facts.documents),
            Cell::Bytes(facts.sizes.text_bytes),
            Cell::Bytes(shard.compressed_bytes()),
            Cell::Count(facts.segments.len() as u64),
        ];
        first += facts.documents;
        row
    };
    let columns =
        vec!["file", "first_document", "documents", "text_bytes", "compressed_bytes", "segments"];
    Table { key: "files", columns, rows: corpus.shards().iter().map(row).collect() }
}

fn segments(facts: &Facts) -> Table {
    let row = |(number, segment): (usize, &zgram::format::SegmentFacts)| {
        let sizes = &segment.sizes;
        vec![
            Cell::Count(number as u64),
            Cell::Count(segment.first_document),
            Cell::Count(segment.first_piece),
            Cell::Count(segment.documents),
            Cell::Bytes(sizes.text_bytes),
            Cell::Count(sizes.text_tokens),
            Cell::Count(sizes.text_words),
            Cell::Count(sizes.rules),
            Cell::Count(sizes.symbols),
            Cell::Count(sizes.root_symbols),
            Cell::Count(sizes.depth),
        ]
    };
    let columns = vec![
        "segment",
        "first_document",
        "first_piece",
        "documents",
        "text_bytes",
        "tokens",
        "words",
        "rules",
        "symbols",
        "root_symbols",
        "depth",
    ];
    Table { key: "segments", columns, rows: facts.segments.iter().enumerate().map(row).collect() }
}

fn sections(corpus: &Corpus) -> Table {
    // The blocks of a root are shown as one row.
    let is_same = |a: &Section, b: &Section| {
        a.kind == SectionKind::Root && (a.kind, a.number) == (b.kind, b.number)
    };
    let row = |same: &[Section]| {
        let len = same.iter().map(|section| section.len).sum();
        let name = match same.len() {
            1 => same[0].to_string(),
            blocks => format!("{}, {blocks} blocks", same[0]),
        };
        vec![
            Cell::Text(name),
            Cell::Count(same[0].offset),
            Cell::Bytes(len),
            Cell::Share(len, corpus.compressed_bytes()),
        ]
    };
    let columns = vec!["section", "offset", "bytes", "share"];
    Table { key: "sections", columns, rows: corpus.sections().chunk_by(is_same).map(row).collect() }
}
