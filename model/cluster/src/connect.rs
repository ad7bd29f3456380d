//! Connections: each process listens at its own address, and connects to all processes before it.

use std::{
    fmt,
    io::{self, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::channel,
    },
    thread,
    time::Duration,
};

use crate::{
    dataflow::Cluster,
    handshake::{HandshakeError, PeerRole, shake_hands},
    watched::is_timeout,
};

/// The pause before a process tries again to connect, or to accept a connection.
const POLL: Duration = Duration::from_millis(20);
/// The number of waits of `POLL` that a handshake may take once it has begun: five seconds. The
/// work in between takes little time.
const MOST_WAITS: u32 = 250;
/// The time that one attempt to reach an address may take, before this process checks whether to
/// stop.
const ATTEMPT: Duration = Duration::from_secs(1);
/// The number of handshakes at a time. Other connections stay in the system's queue.
const MOST_AT_ONCE: usize = 64;

/// The address of a process: a host and a port.
pub type HostAddress = String;

/// A process of a cluster before it is connected.
pub struct Member<'m> {
    /// The addresses of all processes; this one listens at its own and nowhere else.
    pub addresses: &'m [HostAddress],
    pub process: usize,
    /// The secret that exactly the processes of the cluster know.
    pub secret: &'m [u8],
    /// The lines that have to be the same in all processes.
    pub question: &'m [String],
    /// Asked repeatedly: whether to give up waiting.
    pub stop: &'m dyn Fn() -> bool,
    /// Gets the address of each connection that is turned away, and the reason.
    pub turned_away: &'m dyn Fn(&str, TurnedAway),
}

/// The reason why a connection is turned away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnedAway {
    /// The other end is no process of a cluster.
    Stranger,
    /// The other end does not know the secret.
    Secret,
}

/// The error that processes are not connected.
#[derive(Debug)]
pub enum ConnectError {
    /// This process cannot listen at its address.
    Listen(io::Error),
    /// The address of a process cannot be resolved.
    Resolve(usize, io::Error),
    /// Waiting was stopped while these processes were missing.
    Waited(Vec<usize>),
    /// The process with this number was connected, and has ended while others were missing.
    Ended(usize),
    /// A line of the question differs in a process: the other's line, and this one's.
    Different(String, String),
    /// A process does not know the secret.
    Secret(String),
    Twice(usize),
    /// A connection was lost, or no thread could be started.
    Io(io::Error),
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listen(error) => write!(f, "this process cannot listen at its address: {error}"),
            Self::Resolve(process, error) => {
                write!(f, "the address of process {process} leads nowhere: {error}")
            }
            Self::Waited(missing) => {
                let missing: Vec<String> = missing.iter().map(usize::to_string).collect();
                let word = if missing.len() == 1 { "process" } else { "processes" };
                write!(f, "{word} {} did not come", missing.join(", "))
            }
            Self::Ended(process) => write!(f, "process {process} came, and has ended since"),
            Self::Different(theirs, ours) => {
                write!(f, "the processes differ: another has \"{theirs}\", this one \"{ours}\"")
            }
            Self::Secret(address) => {
                write!(f, "the process at {address} does not know the secret of this one")
            }
            Self::Twice(process) => write!(f, "there are two processes {process}"),
            Self::Io(error) => write!(f, "a connection was lost: {error}"),
        }
    }
}

/// Connects this process with all others.
///
/// # Errors
/// If a process does not come, or does not belong to the cluster.
pub fn connect(member: &Member<'_>) -> Result<Cluster, ConnectError> {
    let Member { addresses, process, .. } = *member;
    let listener = listen(&addresses[process]).map_err(ConnectError::Listen)?;
    let mut streams: Vec<Option<TcpStream>> = Vec::new();
    streams.resize_with(addresses.len(), || None);
    for other in 0..process {
        streams[other] = Some(reach(member, other, &streams)?);
    }
    admit_all(member, &listener, &mut streams)?;
    Cluster::start(process, streams).map_err(ConnectError::Io)
}

/// Addresses of this machine with unused ports, as many as `processes`.
///
/// # Errors
/// If there are not as many.
pub fn free_addresses(processes: usize) -> io::Result<Vec<HostAddress>> {
    let listeners = (0..processes).map(|_| TcpListener::bind("127.0.0.1:0"));
    // All are bound before one is given up, so no two are the same.
    let listeners: Vec<TcpListener> = listeners.collect::<io::Result<_>>()?;
    listeners.iter().map(|it| Ok(it.local_addr()?.to_string())).collect()
}

fn listen(address: &str) -> io::Result<TcpListener> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Checks that no connected process has ended and that waiting for the `missing` is not stopped.
fn wait_for(
    missing: &[usize],
    member: &Member<'_>,
    streams: &[Option<TcpStream>],
) -> Result<(), ConnectError> {
    let has_ended = |stream: &TcpStream| {
        let look = stream.set_nonblocking(true).and_then(|()| stream.peek(&mut [0]));
        let is_there = match look {
            Ok(bytes) => bytes > 0,
            Err(error) => is_timeout(&error),
        };
        !is_there || stream.set_nonblocking(false).is_err()
    };
    if let Some(ended) = streams.iter().position(|it| it.as_ref().is_some_and(has_ended)) {
        return Err(ConnectError::Ended(ended));
    }
    if (member.stop)() { Err(ConnectError::Waited(missing.to_vec())) } else { Ok(()) }
}

/// Connects to a process with a smaller number, as soon as it listens.
fn reach(
    member: &Member<'_>,
    other: usize,
    streams: &[Option<TcpStream>],
) -> Result<TcpStream, ConnectError> {
    let address = &member.addresses[other];
    loop {
        wait_for(&[other], member, streams)?;
        let resolved = address.to_socket_addrs();
        let places: Vec<SocketAddr> =
            resolved.map_err(|error| ConnectError::Resolve(other, error))?.collect();
        let reached = places.iter().find_map(|it| TcpStream::connect_timeout(it, ATTEMPT).ok());
        let Some(mut stream) = reached else {
            thread::sleep(POLL);
            continue;
        };
        // The other process may be waiting for others before it accepts this one.
        let mut has_begun = false;
        while !has_begun {
            wait_for(&[other], member, streams)?;
            has_begun =
                prepare(&stream, POLL).and_then(|()| begins(&stream)).map_err(ConnectError::Io)?;
        }
        let Member { process, question, secret, stop, .. } = *member;
        let shaken =
            shake(&mut stream, PeerRole::Connects, (process, Some(other)), question, secret, stop);
        if shaken.is_err() {
            wait_for(&[other], member, streams)?;
        }
        match shaken {
            Ok(_) => return settled(stream),
            Err(HandshakeError::Different(theirs, ours)) => {
                return Err(ConnectError::Different(theirs, ours));
            }
            Err(HandshakeError::Secret) => return Err(ConnectError::Secret(address.clone())),
            Err(HandshakeError::Stranger) => {
                let other = io::Error::other(format!("{address} is no process of a cluster"));
                return Err(ConnectError::Io(other));
            }
            Err(HandshakeError::Lost(error)) => return Err(ConnectError::Io(error)),
        }
    }
}

/// Accepts all processes with greater numbers, and turns strangers away. Handshakes run side by
/// side, so a slow connection keeps no other waiting.
fn admit_all(
    member: &Member<'_>,
    listener: &TcpListener,
    streams: &mut [Option<TcpStream>],
) -> Result<(), ConnectError> {
    let Member { process, question, secret, turned_away, .. } = *member;
    let is_over = &AtomicBool::new(false);
    let (sender, ended) = channel();
    thread::scope(|scope| {
        let begin = |mut stream: TcpStream, from: SocketAddr| {
            let sender = sender.clone();
            let work = move || {
                let (who, stop) = ((process, None), &|| is_over.load(Ordering::Relaxed));
                let shaken = shake(&mut stream, PeerRole::Accepts, who, question, secret, stop);
                // The receiver is gone once all processes are connected.
                drop(sender.send((from, shaken.map(|other| (other, stream)))));
            };
            thread::Builder::new().spawn_scoped(scope, work).is_ok()
        };
        let mut at_once = 0;
        let mut admit = || loop {
            let is_missing = |it: &usize| streams[*it].is_none();
            let missing: Vec<usize> = (process + 1..streams.len()).filter(is_missing).collect();
            if missing.is_empty() {
                return Ok(());
            }
            wait_for(&missing, member, streams)?;
            for (from, shaken) in ended.try_iter() {
                at_once -= 1;
                let why = match shaken {
                    Ok((other, stream)) => {
                        if other <= process || !streams.get(other).is_some_and(Option::is_none) {
                            return Err(ConnectError::Twice(other));
                        }
                        streams[other] = Some(settled(stream)?);
                        continue;
                    }
                    Err(HandshakeError::Different(theirs, ours)) => {
                        return Err(ConnectError::Different(theirs, ours));
                    }
                    Err(HandshakeError::Secret) => TurnedAway::Secret,
                    Err(HandshakeError::Stranger | HandshakeError::Lost(_)) => TurnedAway::Stranger,
                };
                turned_away(&from.to_string(), why);
            }
            if at_once == MOST_AT_ONCE {
                thread::sleep(POLL);
                continue;
            }
            match listener.accept() {
                Ok((stream, from)) => at_once += usize::from(begin(stream, from)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(POLL),
                Err(error) => return Err(ConnectError::Listen(error)),
            }
        };
        let done = admit();
        is_over.store(true, Ordering::Relaxed);
        done
    })
}

/// Shakes hands within the time allowed: with process `expected`, if its number is known.
fn shake(
    stream: &mut TcpStream,
    role: PeerRole,
    (process, expected): (usize, Option<usize>),
    question: &[String],
    secret: &[u8],
    stop: &dyn Fn() -> bool,
) -> Result<usize, HandshakeError> {
    prepare(stream, POLL)?;
    let mut stream = TimeoutStream { stream, waits: 0, stop };
    shake_hands(&mut stream, role, process, expected, question, secret)
}

/// A stream that allows `MOST_WAITS` timeouts in all, and none once `stop` returns true.
struct TimeoutStream<'p> {
    stream: &'p mut TcpStream,
    waits: u32,
    stop: &'p dyn Fn() -> bool,
}

impl TimeoutStream<'_> {
    /// Attempts an operation again after each timeout, as long as one is allowed.
    fn try_for<T>(
        &mut self,
        mut attempt: impl FnMut(&mut TcpStream) -> io::Result<T>,
    ) -> io::Result<T> {
        loop {
            match attempt(self.stream) {
                Err(error) if is_timeout(&error) => self.waits += 1,
                done => return done,
            }
            if self.waits >= MOST_WAITS || (self.stop)() {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
    }
}

impl Read for TimeoutStream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.try_for(|stream| stream.read(buffer))
    }
}

impl Write for TimeoutStream<'_> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.try_for(|stream| stream.write(buffer))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether any bytes have come, within the timeout of the stream.
fn begins(stream: &TcpStream) -> io::Result<bool> {
    match stream.peek(&mut [0]) {
        Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
        Ok(_) => Ok(true),
        Err(error) if is_timeout(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Prepares a stream for the handshake.
fn prepare(stream: &TcpStream, patience: Duration) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(patience))?;
    stream.set_write_timeout(Some(patience))
}

/// A stream after the handshake: without timeouts, as a round may take any time.
fn settled(stream: TcpStream) -> Result<TcpStream, ConnectError> {
    let forever = stream.set_read_timeout(None).and_then(|()| stream.set_write_timeout(None));
    forever.map(|()| stream).map_err(ConnectError::Io)
}
