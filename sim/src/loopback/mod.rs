//! A guard before a server of this machine: it lets through what its own page asks, and nothing
//! else.
//!
//! A page of another site can make a browser ask a server on the loopback address, and can read
//! the answers by a name of its own that leads there ("DNS rebinding"). So each request is read here,
//! within bounds, and judged (`request`), and a server is asked only for pages that it offers. Our own
//! explorer is such a server, and so is one that listens by itself (`behind`).

mod behind;
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

use self::patient::Patient;
pub use self::{
    behind::Behind,
    request::{Forwarded, LARGEST_HEAD, Method, Refusal, Verdict, judge},
};

/// The greatest number of requests that are answered at a time.
const MOST_AT_A_TIME: usize = 64;
/// The time after which a server that takes nothing is given up.
const PATIENCE: Duration = Duration::from_secs(5);
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
    /// Whether it has such a page. The path has its query, if there is one.
    fn offers(&self, method: Method, path: &str) -> bool;

    /// The whole answer to a request for a page that it has, as HTTP has it.
    ///
    /// # Errors
    /// If there is none.
    fn answer(&self, request: &Forwarded) -> io::Result<Vec<u8>>;
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

    /// Lets requests through to `server`, for as long as that `is_there`.
    pub fn serve(&self, server: &Arc<dyn Server>, is_there: &dyn Fn() -> bool) {
        let busy = Arc::new(AtomicUsize::new(0));
        while is_there() {
            let Ok((stream, _)) = self.listener.accept() else {
                thread::sleep(Duration::from_millis(50)); // no more files can be opened now
                continue;
            };
            let permit = Permit::take(&busy);
            let (address, server) = (self.address, Arc::clone(server));
            let answer = move || {
                // A browser that goes away is no matter.
                let _ = match permit {
                    Some(_permit) => answer(stream, address, &*server),
                    None => refuse(Patient::new(stream, REFUSAL_PATIENCE), Refusal::Busy),
                };
            };
            // Without a thread, the connection is closed, and the browser may try again.
            drop(thread::Builder::new().spawn(answer));
        }
    }
}

/// A permit to be answered; there are a few at a time.
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
    let mut stream = Patient::new(stream, HEAD_PATIENCE);
    let mut head = Vec::new();
    for _ in 0..MOST_PIECES {
        let mut piece = [0; 4096];
        let length = match stream.read(&mut piece) {
            Ok(length) => length,
            Err(error) if is_late(&error) => return refuse(stream, Refusal::Slow),
            Err(error) => return Err(error),
        };
        head.extend_from_slice(&piece[..length]);
        match judge(&head, address, &|method, path| server.offers(method, path)) {
            Verdict::Unfinished if length == 0 => return Ok(()),
            Verdict::Unfinished => {}
            Verdict::Refused(refusal) => return refuse(stream, refusal),
            Verdict::Forwarded(request) => {
                // The server must not know whether the browser is still there: it would end.
                return match server.answer(&request) {
                    Ok(answer) => {
                        stream.again(ANSWER_PATIENCE);
                        stream.write_all(&answer)
                    }
                    Err(_) => refuse(stream, Refusal::Gone),
                };
            }
        }
    }
    refuse(stream, Refusal::Slow)
}

/// Whether somebody was given up.
fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

/// Answers that there is no answer.
fn refuse(mut stream: Patient, refusal: Refusal) -> io::Result<()> {
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
