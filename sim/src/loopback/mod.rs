//! A guard before a server of this machine: it lets through what its own page asks, and nothing
//! else.
//!
//! A page of another site can make a browser ask a server on the loopback address, and can read
//! the answers by a name of its own that leads there ("DNS rebinding"). And the server behind the
//! guard ends at a request that is too large. So each request is read here, within bounds, and
//! judged (`request`); the server sees requests that were written here. It listens where no browser
//! goes: on a port that the Fetch standard forbids, and on Linux at an address drawn by lot.

mod request;

use std::{
    hash::{BuildHasher as _, RandomState},
    io::{self, Read as _, Write as _},
    net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

pub use self::request::{Forwarded, LARGEST_HEAD, Method, Refusal, Verdict, judge};

/// The greatest number of requests that are answered at a time.
const MOST_AT_A_TIME: usize = 64;
/// The time after which a browser that sends nothing, or takes nothing, is given up.
const PATIENCE: Duration = Duration::from_secs(5);
/// The time after which the server is given up: some of its answers explore.
const LONG_PATIENCE: Duration = Duration::from_secs(120);
/// The greatest number of pieces in which a request may come.
const MOST_PIECES: usize = 64;
/// The size of an answer that no server of ours gives, in bytes.
const LARGEST_ANSWER: u64 = 1 << 30;
/// Ports that no browser connects to ("bad ports" of the Fetch standard) and anybody may open.
const FORBIDDEN: [u16; 12] =
    [6665, 6666, 6667, 6668, 6669, 6679, 6697, 5060, 5061, 6566, 10_080, 4190];

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

    /// Lets requests through to the server at `server`, for as long as that `is_there`.
    pub fn serve(&self, server: SocketAddr, is_there: &dyn Fn() -> bool) {
        let busy = Arc::new(AtomicUsize::new(0));
        while is_there() {
            let Ok((stream, _)) = self.listener.accept() else {
                thread::sleep(Duration::from_millis(50)); // no more files can be opened now
                continue;
            };
            let permit = Permit::take(&busy);
            let address = self.address;
            let answer = move || {
                // A browser that goes away is no matter.
                let _ = match permit {
                    Some(_permit) => answer(stream, address, server),
                    None => refuse(stream, Refusal::Busy),
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

/// An address for a server behind a guard, which is free now.
///
/// # Errors
/// If all are taken.
pub fn hidden_address() -> io::Result<SocketAddr> {
    let addresses = FORBIDDEN.map(|port| SocketAddr::new(hidden_ip(), port));
    TcpListener::bind(&addresses[..])?.local_addr()
}

/// A loopback address: on Linux, one of sixteen million.
fn hidden_ip() -> IpAddr {
    if cfg!(target_os = "linux") {
        let [_, a, b, c, ..] = RandomState::new().hash_one(()).to_le_bytes();
        return Ipv4Addr::new(127, a, b, c.clamp(2, 254)).into();
    }
    Ipv4Addr::LOCALHOST.into()
}

/// Answers one request: all there is to a connection.
fn answer(mut stream: TcpStream, address: SocketAddr, server: SocketAddr) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut head = Vec::new();
    for _ in 0..MOST_PIECES {
        let mut piece = [0; 4096];
        let length = stream.read(&mut piece)?;
        head.extend_from_slice(&piece[..length]);
        match judge(&head, address) {
            Verdict::Unfinished if length == 0 => return Ok(()),
            Verdict::Unfinished => {}
            Verdict::Refused(refusal) => return refuse(stream, refusal),
            Verdict::Forwarded(request) => {
                // The server must not know whether the browser is still there: it would end.
                return match ask(server, &request) {
                    Ok(answer) => stream.write_all(&answer),
                    Err(_) => refuse(stream, Refusal::Gone),
                };
            }
        }
    }
    refuse(stream, Refusal::Slow)
}

/// The whole answer of the server to a request.
fn ask(server: SocketAddr, request: &Forwarded) -> io::Result<Vec<u8>> {
    let mut stream = connect(server)?;
    stream.set_read_timeout(Some(LONG_PATIENCE))?;
    stream.write_all(request.text(server).as_bytes())?;
    let mut answer = Vec::new();
    stream.take(LARGEST_ANSWER).read_to_end(&mut answer)?;
    Ok(answer)
}

/// Connects to the server, which may not listen yet.
fn connect(server: SocketAddr) -> io::Result<TcpStream> {
    let mut tries = 0;
    loop {
        match TcpStream::connect_timeout(&server, PATIENCE) {
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused && tries < 100 => {
                tries += 1;
                thread::sleep(Duration::from_millis(20));
            }
            done => return done,
        }
    }
}

/// Answers that there is no answer.
fn refuse(mut stream: TcpStream, refusal: Refusal) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(refusal.text().as_bytes())?;
    stream.shutdown(Shutdown::Write)?;
    // What is still being sent is read for a moment, or the answer would be lost with it.
    stream.set_read_timeout(Some(Duration::from_millis(200)))?;
    let mut rest = [0; 4096];
    for _ in 0..MOST_PIECES {
        if stream.read(&mut rest)? == 0 {
            break;
        }
    }
    Ok(())
}
