//! Standard output, as the process got it.
//!
//! Rust's runtime opens `/dev/null` in the place of a standard output that is closed, and from then
//! on nothing tells this from a caller who wanted it so: results would be lost, and nobody would be
//! told. So it is looked at before the runtime begins.

#[cfg(unix)]
mod begun {
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::{io::fcntl_getfd, stdio::stdout};

    static IS_CLOSED: AtomicBool = AtomicBool::new(false);

    /// Runs before `main`, and uses nothing that the runtime has to set up.
    #[ctor::ctor(unsafe)]
    fn look() {
        IS_CLOSED.store(fcntl_getfd(stdout()).is_err(), Ordering::Relaxed);
    }

    pub(super) fn is_closed() -> bool {
        IS_CLOSED.load(Ordering::Relaxed)
    }
}

/// Whether standard output was closed when the process began. It is taken to be open where nobody
/// can say.
#[cfg(unix)]
pub fn is_closed() -> bool {
    begun::is_closed()
}

/// Whether standard output was closed when the process began. It is taken to be open where nobody
/// can say.
#[cfg(not(unix))]
pub fn is_closed() -> bool {
    false
}
