//! The number of threads that the system allows.

use std::{
    any::Any,
    fs,
    panic::{self, AssertUnwindSafe, resume_unwind},
    sync::Mutex,
    thread::{self, Builder},
    time::Duration,
};

/// The interval at which it is looked whether threads are gone, and how often at most.
const POLL: Duration = Duration::from_millis(1);
const MOST_POLLS: usize = 1_000;

/// The number of threads, at most `wanted`, that can run side by side.
///
/// stateright panics where it cannot start one, so they are tried out before. Their number is that
/// of a moment: what others start in between cannot be known, and [`unless_refused`] is for that.
pub(crate) fn startable(wanted: usize) -> usize {
    let before = running();
    let started = startable_with(wanted, Builder::new);
    // A thread that has ended still counts for a moment.
    let mut polls = 0..MOST_POLLS;
    while running() > before && polls.next().is_some() {
        thread::sleep(POLL);
    }
    started
}

/// The number of threads of this process, where the system tells it.
fn running() -> Option<usize> {
    fs::read_dir("/proc/self/task").ok().map(Iterator::count)
}

/// The result of `start`; `None` if the system refused a thread, at which it panics. The panic
/// prints no message.
pub(crate) fn unless_refused<T>(start: impl FnOnce() -> T) -> Option<T> {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let started = panic::catch_unwind(AssertUnwindSafe(start));
    panic::set_hook(hook);
    started.map_or_else(|why| if is_refusal(&*why) { None } else { resume_unwind(why) }, Some)
}

/// Whether this is what stateright says where it cannot start a thread.
fn is_refusal(panicked: &(dyn Any + Send)) -> bool {
    let text = panicked.downcast_ref::<String>();
    text.is_some_and(|text| text.starts_with("Failed to spawn a thread"))
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

    #[test]
    fn a_thread_that_is_refused_is_no_panic() {
        assert_eq!(unless_refused(|| 1), Some(1));
        let huge = || {
            Builder::new()
                .stack_size(usize::MAX / 4)
                .spawn(|| ())
                .expect("Failed to spawn a thread")
        };
        assert!(unless_refused(huge).is_none());
    }
}
