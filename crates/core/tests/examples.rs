//! Runs the examples, so that none of them can go stale.

#[path = "../examples/compress_and_ask.rs"]
mod compress_and_ask;
#[path = "../examples/edit_and_compact.rs"]
mod edit_and_compact;
#[path = "../examples/own_storage.rs"]
mod own_storage;
#[path = "../examples/own_task.rs"]
mod own_task;
#[path = "../examples/stream_rows.rs"]
mod stream_rows;

#[test]
fn compress_and_ask_runs() {
    compress_and_ask::main().unwrap();
}

#[test]
fn edit_and_compact_runs() {
    edit_and_compact::main().unwrap();
}

#[test]
fn own_storage_runs() {
    own_storage::main().unwrap();
}

#[test]
fn own_task_runs() {
    own_task::main().unwrap();
}

#[test]
fn stream_rows_runs() {
    stream_rows::main().unwrap();
}
