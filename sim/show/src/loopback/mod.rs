//! A guard before a server of this machine: it lets the requests of its own page through, and no
//! others.
//!
//! A page of another site can make a browser ask a server on the loopback address, and can read
//! the answers by a name of its own that leads there ("DNS rebinding"). So each request is read
//! here, within bounds, and judged (`request`), and a server
//! sees nothing but a path. Every request is a `GET` without a body: nothing that a browser sends
//! changes anything.

mod patient;
mod request;

use std::{
    io::{self, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use self::patient::DeadlineStream;
pub use self::request::{Judgement, LARGEST_HEAD, Refusal, judge};

/// The greatest number of requests that are answered at a time. As many more are refused, and
/// others get no answer.
const MOST_AT_A_TIME: usize = 64;
/// The time in which the whole head of a request has to come.
const HEAD_PATIENCE: Duration = Duration::from_secs(10);
/// The time in which the whole answer has to be taken.
const ANSWER_PATIENCE: Duration = Duration::from_secs(60);
/// The time in which a refusal has to be taken.
const REFUSAL_PATIENCE: Duration = Duration::from_secs(1);
/// The greatest number of pieces in which a request may come.
const MOST_PIECES: usize = 64;

/// A server behind the guard.
pub trait Server: Send + Sync {
    /// The whole HTTP response for the page at `path`, which includes the query if there is one;
    /// `None` if there is no such page.
    fn answer(&self, path: &str) -> Option<Vec<u8>>;
}

/// A guard that listens.
#[derive(Debug)]
pub struct Guard {
    listener: TcpListener,
    address: SocketAddr,
}

impl Guard {
    /// Listens on `address`; on any port, if that is 0.
    ///
    /// # Errors
    /// If that cannot be done, as when another program listens there.
    pub fn listen(address: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// The address, with the port that it got.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Lets requests through to `server` until the process ends.
    pub fn serve(&self, server: &Arc<dyn Server>) -> ! {
        let (busy, refusing) = (Arc::default(), Arc::default());
        loop {
            let Ok((stream, _)) = self.listener.accept() else {
                thread::sleep(Duration::from_millis(50)); // no more files can be opened now
                continue;
            };
            let (permit, refusal) = match Permit::take(&busy) {
                Some(permit) => (Some(permit), None),
                None => match Permit::take(&refusing) {
                    Some(refusal) => (None, Some(refusal)),
                    None => continue,
                },
            };
            let (address, server) = (self.address, Arc::clone(server));
            let answer = move || {
                let _refusal = refusal;
                // A browser that goes away is no matter.
                let _ = match permit {
                    Some(_permit) => answer(stream, address, &*server),
                    None => refuse(DeadlineStream::new(stream, REFUSAL_PATIENCE), Refusal::Busy),
                };
            };
            // Without a thread, the connection is closed, and the browser may try again.
            drop(thread::Builder::new().spawn(answer));
        }
    }
}

/// A permit to be answered, or to be refused; there are a few at a time.
struct Permit(Arc<AtomicUsize>);

impl Permit {
    fn take(busy: &Arc<AtomicUsize>) -> Option<Self> {
        let permit = Self(Arc::clone(busy));
        (busy.fetch_add(1, Ordering::Relaxed) < MOST_AT_A_TIME).then_some(permit)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Answers one request: all there is to a connection.
fn answer(stream: TcpStream, address: SocketAddr, server: &dyn Server) -> io::Result<()> {
    let mut stream = DeadlineStream::new(stream, HEAD_PATIENCE);
    let mut head = Vec::new();
    for _ in 0..MOST_PIECES {
        let mut piece = [0; 4096];
        let length = match stream.read(&mut piece) {
            Ok(length) => length,
            Err(error) if is_late(&error) => return refuse(stream, Refusal::Slow),
            Err(error) => return Err(error),
        };
        head.extend_from_slice(&piece[..length]);
        match judge(&head, address) {
            Judgement::Unfinished if length == 0 => return Ok(()),
            Judgement::Unfinished => {}
            Judgement::Refused(refusal) => return refuse(stream, refusal),
            Judgement::Allowed(path) => {
                let Some(answer) = server.answer(&path) else {
                    return refuse(stream, Refusal::Unknown);
                };
                stream.again(ANSWER_PATIENCE);
                return stream.write_all(&answer);
            }
        }
    }
    refuse(stream, Refusal::Slow)
}

fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

/// Answers that there is no answer.
fn refuse(mut stream: DeadlineStream, refusal: Refusal) -> io::Result<()> {
    stream.again(REFUSAL_PATIENCE);
    stream.write_all(refusal.text().as_bytes())?;
    stream.end()?;
    // What is still being sent is read for a moment, or the answer would be lost with it.
    let mut rest = [0; 4096];
    for _ in 0..MOST_PIECES {
        if stream.read(&mut rest)? == 0 {
            break;
        }
    }
    Ok(())
}
