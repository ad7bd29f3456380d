//! Streams that notice that the other end is gone.
//!
//! timely's threads panic when a stream ends, and its workers wait on. So the end of a stream is
//! noted here, for the worker to see, and the thread that reads it waits until nobody minds.
//!
//! Each process sends something every second. One that sends nothing for long hangs, or its machine
//! is gone without a word, and its stream is taken to have ended.

use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpStream},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use timely::communication::allocator::zero_copy::stream::Stream;

/// How often a thread whose stream has ended looks whether the work is done.
const POLL: Duration = Duration::from_millis(20);
/// How often a process sends something.
pub(crate) const BEAT: Duration = Duration::from_secs(1);
/// After how many of these without a word a process is lost. Only those count that this process has
/// waited through, so one that was stopped itself does not take the others for lost.
const SILENCE: u32 = if cfg!(test) { 2 } else { 60 };

/// What threads know of the streams to other processes.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    is_lost: AtomicBool,
    is_done: AtomicBool,
    /// The process that was the first to send nothing for too long.
    silent: OnceLock<usize>,
}

impl Watch {
    /// Whether a stream has ended or failed.
    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Acquire)
    }

    /// The process that has sent nothing for too long, if there is one.
    pub(crate) fn silent(&self) -> Option<usize> {
        self.silent.get().copied()
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
    stream: TcpStream,
    process: usize,
    watch: Arc<Watch>,
}

impl WatchedStream {
    /// A stream to this process.
    pub(crate) fn new(stream: TcpStream, process: usize, watch: &Arc<Watch>) -> io::Result<Self> {
        stream.set_read_timeout(Some(BEAT))?;
        Ok(Self { stream, process, watch: Arc::clone(watch) })
    }
}

impl Read for WatchedStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut beats = 0;
        loop {
            match self.stream.read(buffer) {
                Err(error) if is_timeout(&error) && beats < SILENCE => {
                    beats += u32::from(error.kind() != io::ErrorKind::Interrupted);
                }
                Ok(read @ 1..) => return Ok(read),
                ended => {
                    if ended.is_err_and(|error| is_timeout(&error)) {
                        // The first one counts: who takes it for lost is silent then, too.
                        let _ = self.watch.silent.set(self.process);
                    }
                    self.watch.note();
                    return Ok(0);
                }
            }
        }
    }
}

/// Whether nothing has come in the time that a stream waits, or until a signal.
pub(crate) fn is_timeout(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), WouldBlock | TimedOut | Interrupted)
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
        Ok(Self { stream, process: self.process, watch: Arc::clone(&self.watch) })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // A stream that has ended needs none.
        self.stream.shutdown(how).or(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn who_says_nothing_for_long_is_lost_and_who_says_something_is_not() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut other = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let watch = Arc::new(Watch::default());
        let stream = listener.accept().unwrap().0;
        let mut stream = WatchedStream::new(stream, 3, &watch).unwrap();
        let reader = thread::spawn(move || {
            let mut read = || stream.read(&mut [0; 9]).unwrap();
            [read(), read(), read()]
        });
        for _ in 0..2 {
            thread::sleep(BEAT * 3 / 2);
            other.write_all(b"1").unwrap();
        }
        assert!(!watch.is_lost());
        thread::sleep(BEAT * 5);
        assert_eq!((watch.is_lost(), watch.silent()), (true, Some(3)));
        watch.finish();
        assert_eq!(reader.join().unwrap(), [1, 1, 0]);
    }
}
