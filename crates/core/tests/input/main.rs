//! Corpus reading through the public interface, on real files.

mod archives;
mod compressed;
mod faults;
mod folders;
mod json_lines;
mod support;
