//! Streams that notice the loss of the other end.
//!
//! timely's threads panic when a stream ends, and its workers wait on. So the end of a stream is
//! noted here for the worker, and the thread that reads it waits until the work is done.
//!
//! Each process sends something every second. If one sends nothing for long, it hangs, or its
//! machine is gone without closing the connection, and its stream counts as ended. So does a stream
//! with a frame that no process of ours sends: timely would allocate the length in its head, and
//! pass it to the workers in its head, unchecked.

use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpStream},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use timely::communication::allocator::zero_copy::stream::Stream;

/// The interval at which a process sends something.
pub(crate) const BEAT: Duration = Duration::from_secs(1);
/// The number of beats without a byte after which a process is lost. Only timeouts of this
/// process's own reads count, so a process that was suspended does not take the others for lost.
const SILENCE: u32 = if cfg!(test) { 2 } else { 60 };

/// The bytes of the head of a frame: its channel, its source, the first of its target workers and
/// the end of their range, its length, and its number. Each has eight bytes, big-endian.
const HEAD: usize = 48;
/// The most bytes behind a head. timely gathers pieces of messages up to some thousand bytes of
/// their own, not counting the bytes that they point to.
const MOST_BODY: u64 = 1 << 25;

/// The state of the streams to other processes, shared by threads.
#[derive(Debug, Default)]
pub(crate) struct StreamWatch {
    is_lost: AtomicBool,
    /// Set once streams are allowed to end. Threads with an ended stream wait for it; after a loss
    /// they do as long as the process lives.
    is_done: OnceLock<()>,
    /// The first process that sent nothing for too long.
    silent: OnceLock<usize>,
}

impl StreamWatch {
    /// Whether a stream has ended or failed.
    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Acquire)
    }

    /// The process that has sent nothing for too long, if there is one.
    pub(crate) fn silent(&self) -> Option<usize> {
        self.silent.get().copied()
    }

    /// Makes the other processes count as lost from now on.
    pub(crate) fn give_up(&self) {
        self.is_lost.store(true, Ordering::Release);
    }

    /// Allows streams to end from now on.
    pub(crate) fn finish(&self) {
        self.is_done.get_or_init(|| ());
    }

    /// Notes that a stream has ended, and returns once streams are allowed to.
    fn note(&self) {
        self.is_lost.store(true, Ordering::Release);
        self.is_done.wait();
    }
}

pub(crate) struct WatchedStream {
    stream: TcpStream,
    /// The process at the other end, and this one.
    ends: [usize; 2],
    watch: Arc<StreamWatch>,
    frame: FramePosition,
}

/// The position of a stream's reader in its frames.
#[derive(Clone, Debug)]
struct FramePosition {
    head: [u8; HEAD],
    /// The bytes of the head that were received.
    come: usize,
    /// The bytes of the whole head that were passed on, and those of the body that were not.
    given: usize,
    body: u64,
    /// Whether this is the last frame: nothing may follow.
    is_last: bool,
}

impl FramePosition {
    const NEW: Self = Self { head: [0; HEAD], come: 0, given: 0, body: 0, is_last: false };

    /// Reads bytes from `stream` to pass on; 0 if it has ended, or counts as ended.
    fn read(&mut self, stream: &mut TcpStream, me: usize, buffer: &mut [u8]) -> io::Result<usize> {
        if self.come == HEAD && self.given == HEAD && self.body == 0 && !self.is_last {
            *self = Self::NEW;
        }
        while self.come < HEAD {
            match stream.read(&mut self.head[self.come..])? {
                0 => return Ok(0),
                read => self.come += read,
            }
            if self.come == HEAD && !self.begins(me) {
                return Ok(0);
            }
        }
        if self.given < HEAD {
            let some = (HEAD - self.given).min(buffer.len());
            buffer[..some].copy_from_slice(&self.head[self.given..self.given + some]);
            self.given += some;
            return Ok(some);
        }
        if self.is_last {
            // Any byte behind the last frame is an error.
            return stream.read(&mut [0]).map(|_| 0);
        }
        let some = usize::try_from(self.body).map_or(buffer.len(), |it| it.min(buffer.len()));
        let read = stream.read(&mut buffer[..some])?;
        self.body -= read as u64;
        Ok(read)
    }

    /// Reads the fields of the head; returns whether a process of ours may send it to this one.
    fn begins(&mut self, me: usize) -> bool {
        let field = |at: usize| {
            let bytes = self.head[8 * at..8 * (at + 1)].try_into().expect("they are eight");
            u64::from_be_bytes(bytes)
        };
        let (first, end, body) = (field(2), field(3), field(4));
        self.is_last = body == 0;
        self.body = body;
        self.is_last || (first, end) == (me as u64, me as u64 + 1) && body <= MOST_BODY
    }
}

impl WatchedStream {
    /// A stream between two `ends`: the other process, and this one.
    pub(crate) fn new(
        stream: TcpStream,
        ends: [usize; 2],
        watch: &Arc<StreamWatch>,
    ) -> io::Result<Self> {
        stream.set_read_timeout(Some(BEAT))?;
        Ok(Self { stream, ends, watch: Arc::clone(watch), frame: FramePosition::NEW })
    }
}

impl Read for WatchedStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (mut beats, [process, me]) = (0, self.ends);
        loop {
            match self.frame.read(&mut self.stream, me, buffer) {
                Err(error) if is_timeout(&error) && beats < SILENCE => {
                    beats += u32::from(error.kind() != io::ErrorKind::Interrupted);
                }
                Ok(read @ 1..) => return Ok(read),
                ended => {
                    if ended.is_err_and(|error| is_timeout(&error)) {
                        // Only the first one counts: its victims, too, fall silent to others.
                        let _ = self.watch.silent.set(process);
                    }
                    self.watch.note();
                    return Ok(0);
                }
            }
        }
    }
}

/// Whether the error is a timeout of the stream, or an interruption by a signal.
pub(crate) fn is_timeout(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), WouldBlock | TimedOut | Interrupted)
}

impl Write for WatchedStream {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self.stream.write(buffer) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                self.watch.note();
                // The other end is gone.
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
        Ok(Self {
            stream,
            ends: self.ends,
            watch: Arc::clone(&self.watch),
            frame: FramePosition::NEW,
        })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // A stream that has ended cannot be shut down.
        self.stream.shutdown(how).or(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use std::{net::TcpListener, thread};

    use super::*;

    #[test]
    fn who_says_nothing_for_long_is_lost_and_who_says_something_is_not() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut other = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let watch = Arc::new(StreamWatch::default());
        let stream = listener.accept().unwrap().0;
        let mut stream = WatchedStream::new(stream, [3, 0], &watch).unwrap();
        let reader = thread::spawn(move || {
            let mut read = || stream.read(&mut [0; 99]).unwrap();
            [read(), read(), read()]
        });
        for part in [&head(0, 1, 1)[..], b"1"] {
            thread::sleep(BEAT * 3 / 2);
            other.write_all(part).unwrap();
        }
        assert!(!watch.is_lost());
        thread::sleep(BEAT * 5);
        assert_eq!((watch.is_lost(), watch.silent()), (true, Some(3)));
        watch.finish();
        assert_eq!(reader.join().unwrap(), [HEAD, 1, 0]);
    }

    /// The head of a frame for these workers, with a body of this length.
    fn head(first: u64, end: u64, body: u64) -> Vec<u8> {
        [7, 3, first, end, body, 9].iter().flat_map(|it: &u64| it.to_be_bytes()).collect()
    }

    /// The number of bytes passed on, of those that process 3 sends to process 2.
    fn given_on(sent: &[u8]) -> usize {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut other = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let watch = Arc::new(StreamWatch::default());
        watch.finish();
        let stream = listener.accept().unwrap().0;
        let mut stream = WatchedStream::new(stream, [3, 2], &watch).unwrap();
        other.write_all(sent).unwrap();
        drop(other);
        let mut all = Vec::new();
        stream.read_to_end(&mut all).unwrap();
        assert!(sent.starts_with(&all));
        all.len()
    }

    #[test]
    fn a_frame_that_nobody_sends_ends_a_stream_before_it_is_given_on() {
        let good = [head(2, 3, 5), b"12345".to_vec()].concat();
        assert_eq!(given_on(&good.repeat(3)), 3 * good.len());
        for bad in [
            head(0, 3, 5),
            head(2, 9, 5),
            head(1, 2, 5),
            head(3, 2, 5),
            head(2, 3, u64::MAX),
            head(2, 3, MOST_BODY + 1),
        ] {
            assert_eq!(given_on(&[&good[..], &bad, b"12345"].concat()), good.len(), "{bad:?}");
        }
        let end = head(0, 0, 0);
        let both = [&good[..], &end].concat();
        assert_eq!(given_on(&both), both.len());
        assert_eq!(given_on(&[&both[..], &good].concat()), both.len(), "nothing follows the end");
    }
}
