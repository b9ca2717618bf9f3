//! Reading corpora through the public interface, from real files.

mod archives;
mod compressed;
mod faults;
mod folders;
mod json_lines;
mod support;
