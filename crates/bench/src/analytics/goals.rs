//! The goals for zgram: its speed and memory relative to the raw rival.

use crate::tasks::Task;

/// The kind of text of a corpus, if it has goals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Natural,
    News,
    Logs,
    Versions,
}

fn kind(corpus: &str) -> Option<Kind> {
    match corpus {
        "gutenberg" | "enwiki-100m" => Some(Kind::Natural),
        "20news" => Some(Kind::News),
        "hadoop-logs" => Some(Kind::Logs),
        "versioned-fpb" => Some(Kind::Versions),
        _ => None,
    }
}

/// The traversal that is measured against the goal: zgram's own choice, unless that reads stored counts.
#[must_use]
pub fn traversal(task: Task) -> Option<&'static str> {
    matches!(task, Task::WordCount | Task::Sort).then_some("top-down")
}

/// How many times faster than raw a task should be on a corpus compressed at a level.
#[must_use]
pub fn speed(task: Task, corpus: &str, level: &str) -> Option<f64> {
    let fast = level == "fast";
    match (task, kind(corpus)?) {
        (Task::WordCount | Task::Sort, Kind::Natural) => Some(if fast { 5.0 } else { 2.5 }),
        (Task::WordCount | Task::Sort, Kind::News) => None,
        (Task::WordCount | Task::Sort, Kind::Logs) => Some(15.0),
        (Task::WordCount | Task::Sort, Kind::Versions) => Some(20.0),
        (Task::InvertedIndex | Task::TermVector, Kind::Natural | Kind::News) => {
            Some(if fast { 2.5 } else { 1.5 })
        }
        (Task::InvertedIndex | Task::TermVector, Kind::Logs) => Some(8.0),
        (Task::InvertedIndex | Task::TermVector, Kind::Versions) => Some(15.0),
        (Task::SequenceCount | Task::RankedInvertedIndex, Kind::Natural) => Some(1.3),
        (Task::SequenceCount | Task::RankedInvertedIndex, Kind::News) => None,
        (Task::SequenceCount | Task::RankedInvertedIndex, Kind::Logs) => Some(4.0),
        (Task::SequenceCount | Task::RankedInvertedIndex, Kind::Versions) => Some(10.0),
    }
}

/// The largest share of raw's peak memory.
#[must_use]
pub fn memory(corpus: &str) -> Option<f64> {
    match kind(corpus)? {
        Kind::Natural => Some(0.5),
        Kind::Versions => Some(0.1),
        Kind::News | Kind::Logs => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_depend_on_task_text_and_level() {
        assert_eq!(speed(Task::Sort, "gutenberg", "fast"), Some(5.0));
        assert_eq!(speed(Task::Sort, "gutenberg", "default"), Some(2.5));
        assert_eq!(speed(Task::TermVector, "20news", "default"), Some(1.5));
        assert_eq!(speed(Task::SequenceCount, "versioned-fpb", "fast"), Some(10.0));
        assert_eq!(speed(Task::WordCount, "nasty", "fast"), None);
        assert_eq!((memory("enwiki-100m"), memory("hadoop-logs")), (Some(0.5), None));
    }
}
