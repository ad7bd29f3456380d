//! Ctrl-C: the first one asks for what is known so far, the second one ends the process.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

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
