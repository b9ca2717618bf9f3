//! Handles Ctrl-C. It ends the program at once, unless there are temporary files to clean up. Then the
//! first Ctrl-C asks the work to stop, and a second one ends the program.

use crate::exit::Exit;
#[cfg(unix)]
use std::sync::Arc;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

static HAS_TO_CLEAN_UP: AtomicBool = AtomicBool::new(false);
static ASKED_TO_STOP: AtomicBool = AtomicBool::new(false);

/// Starts to handle Ctrl-C and termination signals.
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
    if listening.is_err() {
        // No thread to clean up with: Ctrl-C ends the program at once.
        #[cfg(unix)]
        end_at_once();
    }
    // A write past the limit on file sizes then fails with an error instead of ending the program
    // before it can remove its temporary file. The flag itself is of no interest.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Lets signals end the program, without its own thread.
#[cfg(unix)]
fn end_at_once() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::flag::register_conditional_shutdown;
    let always = Arc::new(AtomicBool::new(true));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        let code = Exit::Interrupted.code().into();
        // A signal that cannot be caught ends the program anyway.
        let _ = register_conditional_shutdown(signal, code, Arc::clone(&always));
    }
}

/// From now on there are temporary files: the first signal asks the work to stop.
pub(crate) fn clean_up_from_now_on() {
    HAS_TO_CLEAN_UP.store(true, SeqCst);
}

/// Whether the user has asked to stop.
pub(crate) fn is_asked_to_stop() -> bool {
    ASKED_TO_STOP.load(SeqCst)
}
