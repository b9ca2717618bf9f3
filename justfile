# The developer's menu. `just` lists it; each recipe is one plain command.

default:
    @just --list

# Build the program in release mode.
build:
    cargo build --release

# Install what the tests need and run them all.
test:
    ./test

# Format everything.
fmt:
    cargo fmt --all

# Check formatting, lints and documentation.
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# Advisories besides what `./test` checks of licences, sources and spelling; needs cargo-deny.
audit:
    cargo deny check

# Compression against the general-purpose tools, quickly on the sample corpus.
bench-sample *OPTIONS:
    cargo run --release -p zgram-bench -- compress samples/books {{OPTIONS}}

# `zgram bzip2` against the bzip2 programs, and its stages.
bench-bzip2 *OPTIONS:
    cargo run --release -p zgram-bench -- bzip2 {{OPTIONS}}

# Compression on every corpus, recorded in benchmarks/record.
bench *OPTIONS:
    cargo run --release -p zgram-bench -- compress --record {{OPTIONS}}

# Analytics against plain text and other tools on every corpus, recorded in benchmarks/record.
bench-analytics *OPTIONS:
    cargo run --release -p zgram-bench -- analytics --record {{OPTIONS}}

# Term matrices, TF-IDF, BM25, co-occurrence, word2vec and LDA against other tools, recorded in benchmarks/record.
bench-applications *OPTIONS:
    cargo run --release -p zgram-bench -- applications --record {{OPTIONS}}
