//! Streams that notice that the other end is gone.
//!
//! timely's threads panic when a stream ends, and its workers wait on. So the end of a stream is
//! noted here, for the worker to see, and the thread that reads it waits until nobody minds.

use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use timely::communication::allocator::zero_copy::stream::Stream;

/// How often a thread whose stream has ended looks whether the work is done.
const POLL: Duration = Duration::from_millis(20);

/// What threads know of the streams to other processes.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    is_lost: AtomicBool,
    is_done: AtomicBool,
}

impl Watch {
    /// Whether a stream has ended or failed.
    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Acquire)
    }

    /// From now on streams may end.
    pub(crate) fn finish(&self) {
        self.is_done.store(true, Ordering::Release);
    }

    /// Notes that a stream has ended, and returns once streams may.
    fn note(&self) {
        self.is_lost.store(true, Ordering::Release);
        while !self.is_done.load(Ordering::Acquire) {
            thread::sleep(POLL);
        }
    }
}

/// A stream to another process.
pub(crate) struct WatchedStream {
    pub(crate) stream: TcpStream,
    pub(crate) watch: Arc<Watch>,
}

impl Read for WatchedStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => {
                    self.watch.note();
                    return Ok(0);
                }
                Ok(read) => return Ok(read),
            }
        }
    }
}

impl Write for WatchedStream {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self.stream.write(buffer) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                self.watch.note();
                // Nobody is there to get it.
                Ok(buffer.len())
            }
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for WatchedStream {
    fn try_clone(&self) -> io::Result<Self> {
        let stream = self.stream.try_clone()?;
        Ok(Self { stream, watch: Arc::clone(&self.watch) })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // A stream that has ended needs none.
        self.stream.shutdown(how).or(Ok(()))
    }
}
