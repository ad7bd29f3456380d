//! The number of threads that the system allows.

use std::{
    sync::Mutex,
    thread::{self, Builder},
};

/// The number of threads, at most `wanted`, that can run side by side.
///
/// stateright panics where it cannot start one, so they are tried out before. What others start
/// in between cannot be known.
pub(crate) fn startable(wanted: usize) -> usize {
    startable_with(wanted, Builder::new)
}

fn startable_with(wanted: usize, builder: impl Fn() -> Builder) -> usize {
    let gate = Mutex::new(());
    thread::scope(|scope| {
        // Each thread that was started waits until all were tried.
        let closed = gate.lock();
        let wait = || drop(gate.lock());
        let started = (0..wanted).take_while(|_| builder().spawn_scoped(scope, wait).is_ok());
        let started = started.count();
        drop(closed);
        started
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_counted_up_to_the_first_that_cannot_be_started() {
        assert_eq!(startable(3), 3);
        assert_eq!(startable(0), 0);
        // No machine has room for such a stack.
        let huge = || Builder::new().stack_size(usize::MAX / 4);
        assert_eq!(startable_with(3, huge), 0);
    }
}
