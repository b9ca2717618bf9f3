//! The six analytics tasks on command lines and in reports.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serializer;
pub use zgram::plumbing::TaskKind as Task;

/// Parses a task's name.
///
/// # Panics
/// Never: only names of tasks are possible values.
pub fn parser() -> impl TypedValueParser<Value = Task> {
    let names = PossibleValuesParser::new(Task::ALL.map(Task::name));
    names.map(|name| Task::named(&name).expect("a possible value"))
}

/// Writes a task's name.
///
/// # Errors
/// As the serializer.
pub fn serialize<S: Serializer>(task: &Task, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(task.name())
}
