# The developer's menu. `just` lists it; each recipe is one plain command.

default:
    @just --list

# Build the program in release mode.
build:
    cargo build --release

# Set up and pass all tests.
test:
    ./test

# Format everything.
fmt:
    cargo fmt --all

# Formatting, lints and documentation without complaint.
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# Licences, advisories and spelling; needs cargo-deny and typos.
audit:
    cargo deny check
    typos

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
