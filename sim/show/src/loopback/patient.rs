//! Patience: a connection to a browser, with a bound on its time. The bound is one for all reads
//! and writes, however small the pieces, so that no client can hold a place by being slow.

#![expect(clippy::disallowed_types, reason = "who is given up for being slow gets no result")]

use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpStream},
    time::{Duration, Instant},
};

/// A connection that is given up in time.
pub(super) struct DeadlineStream {
    stream: TcpStream,
    until: Instant,
}

impl DeadlineStream {
    /// A connection that gives all reads and writes together this much time.
    pub(super) fn new(stream: TcpStream, patience: Duration) -> Self {
        Self { stream, until: Instant::now() + patience }
    }

    /// Gives the next message this much time in all.
    pub(super) fn again(&mut self, patience: Duration) {
        self.until = Instant::now() + patience;
    }

    /// Ends the writing side.
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

impl Read for DeadlineStream {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        self.stream.read(bytes)
    }
}

impl Write for DeadlineStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
