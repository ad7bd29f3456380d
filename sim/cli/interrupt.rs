//! Ctrl-C: the first one asks for what is known so far, the second one ends the process. And the
//! time that an answer may take, which ends it in the same way.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use deathwatch_model::check::Stop;

/// What a shell reports of a process that was interrupted.
const INTERRUPTED: i32 = 130;

/// Whether somebody pressed Ctrl-C.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on.
    pub(crate) fn listen() -> Self {
        let interrupt = Self::default();
        let pressed = interrupt.clone();
        let heard = ctrlc::set_handler(move || {
            if pressed.0.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPTED);
            }
        });
        // Where no handler can be set, Ctrl-C ends the process, as it does anywhere.
        drop(heard);
        interrupt
    }

    /// Whether it was pressed.
    pub(crate) fn is_pressed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What ends an answer early: Ctrl-C, or the time that it may take.
#[derive(Debug)]
pub(crate) struct Deadline {
    interrupt: Interrupt,
    begun: Instant,
    time: Option<Duration>,
}

impl Deadline {
    /// From now on, and for as long as `time`, if that is given.
    pub(crate) fn begin(time: Option<Duration>) -> Self {
        Self { interrupt: Interrupt::listen(), begun: Instant::now(), time }
    }

    /// Why to stop, if it is so far; Ctrl-C comes first.
    pub(crate) fn stop(&self) -> Option<Stop> {
        if self.is_interrupted() {
            return Some(Stop::Interrupted);
        }
        self.is_over().then_some(Stop::Time)
    }

    /// Whether somebody pressed Ctrl-C.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.is_pressed()
    }

    /// Whether the time is over.
    pub(crate) fn is_over(&self) -> bool {
        self.time.is_some_and(|time| self.begun.elapsed() >= time)
    }
}
