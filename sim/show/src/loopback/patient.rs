//! Patience: a connection to a browser, for as long as it is waited for. The bound is one for all
//! that is read or written, however small the pieces, so that nobody can hold a place by being
//! slow.

#![expect(clippy::disallowed_types, reason = "who is given up for being slow gets no result")]

use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpStream},
    time::{Duration, Instant},
};

/// A connection that is given up in time.
pub(super) struct Patient {
    stream: TcpStream,
    until: Instant,
}

impl Patient {
    /// Waits for what is read and written for so long in all.
    pub(super) fn new(stream: TcpStream, patience: Duration) -> Self {
        Self { stream, until: Instant::now() + patience }
    }

    /// Waits for what comes next for so long in all.
    pub(super) fn again(&mut self, patience: Duration) {
        self.until = Instant::now() + patience;
    }

    /// Says that nothing more is written.
    pub(super) fn end(&self) -> io::Result<()> {
        self.stream.shutdown(Shutdown::Write)
    }

    fn left(&self) -> io::Result<Option<Duration>> {
        match self.until.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Err(io::ErrorKind::TimedOut.into()),
            left => Ok(Some(left)),
        }
    }
}

impl Read for Patient {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        self.stream.read(bytes)
    }
}

impl Write for Patient {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
