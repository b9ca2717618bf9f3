//! Ctrl-C: the first asks the work to stop and clean up, the second ends the program at once.

use crate::exit::Exit;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

static ASKED_TO_STOP: AtomicBool = AtomicBool::new(false);

/// Begins to listen for Ctrl-C, and for being asked to terminate.
pub(crate) fn listen() {
    let listening = ctrlc::set_handler(|| {
        if ASKED_TO_STOP.swap(true, SeqCst) {
            std::process::exit(Exit::Interrupted.code().into());
        }
    });
    if let Err(error) = listening {
        // Ctrl-C then ends the program without cleaning up; the work itself is not in danger.
        anstream::eprintln!("zgram: warning: cannot listen for Ctrl-C: {error}");
    }
}

/// Whether the user has asked to stop.
pub(crate) fn is_asked_to_stop() -> bool {
    ASKED_TO_STOP.load(SeqCst)
}
