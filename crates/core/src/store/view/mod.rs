//! The corpus as it is now, edits included, for questions about all of it.
//!
//! | file | what it does |
//! |---|---|
//! | `snapshot` | [`Store::snapshot`](super::Store::snapshot): the edits of an open store |
//! | `open` | [`Corpus::open`](crate::Corpus::open): a file and its journal, without a store |
//! | `shards` | a folder or a list of files as one corpus |
//! | `patch` | a corpus with applied edits: grammars with some symbols replaced |
//! | `builder`, `final_symbols`, `facts` | build a patch from the edited texts |
//! | `deferred` | a corpus whose edits are applied only when a question needs more than word counts |

mod builder;
mod deferred;
mod facts;
mod final_symbols;
mod open;
mod patch;
pub(in crate::store) mod shards;
mod snapshot;
