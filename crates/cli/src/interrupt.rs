//! Ctrl-C: ends the program at once, unless there is something to clean up. Then the first asks the
//! work to stop, and only the second ends the program.

use crate::exit::Exit;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

static HAS_TO_CLEAN_UP: AtomicBool = AtomicBool::new(false);
static ASKED_TO_STOP: AtomicBool = AtomicBool::new(false);

/// Begins to listen for Ctrl-C, and for being asked to terminate.
pub(crate) fn listen() {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(begin_to_listen);
}

fn begin_to_listen() {
    let listening = ctrlc::set_handler(|| {
        let again = ASKED_TO_STOP.swap(true, SeqCst);
        if again || !HAS_TO_CLEAN_UP.load(SeqCst) {
            anstream::eprintln!("zgram: interrupted");
            std::process::exit(Exit::Interrupted.code().into());
        }
    });
    if let Err(error) = listening {
        // Ctrl-C then ends the program without cleaning up; the work itself is not in danger.
        anstream::eprintln!("zgram: warning: cannot listen for Ctrl-C: {error}");
    }
}

/// From now on there are temporary files: the work is asked to stop rather than ended.
pub(crate) fn clean_up_from_now_on() {
    HAS_TO_CLEAN_UP.store(true, SeqCst);
}

/// Whether the user has asked to stop.
pub(crate) fn is_asked_to_stop() -> bool {
    ASKED_TO_STOP.load(SeqCst)
}
