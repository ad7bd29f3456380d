//! Interruptions and deadlines: Ctrl-C or another signal that asks a process to end, and the time
//! that an answer may take.
//!
//! The first signal asks for the results so far, the second one ends the process. A command without
//! partial results ends at the first one. Either way no temporary file is left behind.

use std::{
    panic,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use deathwatch_claims::check::Stop;

use crate::temporary;

/// The exit code that a shell reports for an interrupted process.
const INTERRUPTED: i32 = 130;
/// The interval at which a waiting thread looks for a reason to stop.
const POLL: Duration = Duration::from_millis(20);
/// The stack of a thread that works in place of the main one, of the same size.
const STACK: usize = 8 << 20;

/// Whether the command checks for interruptions.
static IS_ASKED: AtomicBool = AtomicBool::new(false);
static IS_PRESSED: AtomicBool = AtomicBool::new(false);

/// Listens for signals from now on.
pub(crate) fn listen() {
    // A file that becomes larger than it may is an error, as where a disk is full, and does not end
    // the process.
    #[cfg(unix)]
    drop(signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default()));
    let heard = ctrlc::set_handler(|| {
        let is_second = IS_PRESSED.swap(true, Ordering::Relaxed);
        if is_second || !IS_ASKED.load(Ordering::Relaxed) {
            temporary::remove_all();
            std::process::exit(INTERRUPTED);
        }
    });
    // Where no handler can be set, Ctrl-C ends the process, as it does anywhere.
    drop(heard);
}

/// Whether Ctrl-C was pressed; commands with a deadline check it.
pub(crate) fn is_pressed() -> bool {
    IS_PRESSED.load(Ordering::Relaxed)
}

/// The reasons that end an answer early.
#[derive(Clone, Debug)]
pub(crate) struct Deadline {
    begun: Instant,
    time: Option<Duration>,
}

impl Deadline {
    /// A deadline after `time`, if that is given, from now on. A command with a deadline checks it.
    pub(crate) fn begin(time: Option<Duration>) -> Self {
        IS_ASKED.store(true, Ordering::Relaxed);
        Self { begun: Instant::now(), time }
    }

    /// The reason to stop, if there is one; an interruption comes first.
    pub(crate) fn stop(&self) -> Option<Stop> {
        if is_pressed() {
            return Some(Stop::Interrupted);
        }
        let is_over = self.time.is_some_and(|time| self.begun.elapsed() >= time);
        is_over.then_some(Stop::Time)
    }

    /// Does `work`, which never checks the deadline, on a thread of its own. If it takes too long
    /// the thread is abandoned; the process is to end then.
    pub(crate) fn wait_for<T: Send + 'static>(
        &self,
        work: impl Fn() -> T + Clone + Send + 'static,
    ) -> Result<T, Stop> {
        let (sender, result) = mpsc::channel();
        let task = work.clone();
        let thread = thread::Builder::new().stack_size(STACK).spawn(move || {
            // The receiver may be gone.
            let _ = sender.send(task());
        });
        let Ok(thread) = thread else { return Ok(work()) };
        loop {
            match result.recv_timeout(POLL) {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(stop) = self.stop() {
                        return Err(stop);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let ended = thread.join();
                    panic::resume_unwind(ended.expect_err("it ended without a result"));
                }
            }
        }
    }
}
