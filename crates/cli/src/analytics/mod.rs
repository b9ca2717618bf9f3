//! The six analytics tasks on the command line.

mod output;
mod run;
mod stats;
pub(crate) mod tune;
mod view;

pub(crate) use run::{
    chosen, inverted_index, ranked_inverted_index, sequence_count, sort, term_vector, word_count,
};
pub(crate) use stats::{Phases, print as print_stats};
pub(crate) use view::view;
