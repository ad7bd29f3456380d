//! Connections: each process listens at its own address, and connects to those before it.

use std::{
    fmt, io,
    net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _},
    thread,
    time::Duration,
};

use crate::{
    dataflow::Cluster,
    handshake::{HandshakeError, Role, shake_hands},
    watched::is_timeout,
};

/// How long a process waits before it tries again to connect, or to be connected to.
const POLL: Duration = Duration::from_millis(20);
/// How long the other end of a connection may take for each part of the handshake, once it has
/// begun.
const PATIENCE: Duration = Duration::from_secs(5);

/// The address of a process: a host and a port.
pub type HostAddress = String;

/// A process of a cluster before it is connected.
pub struct Member<'m> {
    /// The addresses of all processes; this one listens at its own and nowhere else.
    pub addresses: &'m [HostAddress],
    /// The number of this process.
    pub process: usize,
    /// What all processes know.
    pub secret: &'m [u8],
    /// What has to be the same in all processes, line by line.
    pub question: &'m [String],
    /// Asked again and again: whether to wait no longer.
    pub stop: &'m dyn Fn() -> bool,
    /// Gets the address of who is turned away, as it is no process of a cluster.
    pub turned_away: &'m dyn Fn(&str),
}

/// Why processes are not connected.
#[derive(Debug)]
pub enum ConnectError {
    /// This process cannot listen at its address.
    Listen(io::Error),
    /// The address of a process cannot be resolved.
    Resolve(usize, io::Error),
    /// Somebody said to wait no longer, while these processes were missing.
    Waited(Vec<usize>),
    /// This process was connected, and has ended while others were missing.
    Ended(usize),
    /// A process has something else than this one: what it has, and what this one has.
    Different(String, String),
    /// There is no secret, and not all addresses are of this machine alone.
    Open,
    /// A process does not know the secret.
    Secret(String),
    /// Two processes have this number.
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
            Self::Open => {
                f.write_str("others could connect, too, and there is no secret to tell them apart")
            }
            Self::Secret(address) => {
                write!(f, "the process at {address} does not know the secret of this one")
            }
            Self::Twice(process) => write!(f, "there are two processes {process}"),
            Self::Io(error) => write!(f, "a connection was lost: {error}"),
        }
    }
}

/// Connects a process with all others.
///
/// # Errors
/// If a process does not come, or does not belong to the others.
pub fn connect(member: &Member<'_>) -> Result<Cluster, ConnectError> {
    let Member { addresses, process, .. } = *member;
    if member.secret.is_empty() {
        for (other, address) in addresses.iter().enumerate() {
            let places = address.to_socket_addrs();
            let mut places = places.map_err(|error| ConnectError::Resolve(other, error))?;
            if !places.all(|place| place.ip().is_loopback()) {
                return Err(ConnectError::Open);
            }
        }
    }
    let listener = listen(&addresses[process]).map_err(ConnectError::Listen)?;
    let mut streams: Vec<Option<TcpStream>> = Vec::new();
    streams.resize_with(addresses.len(), || None);
    for other in 0..process {
        streams[other] = Some(reach(member, other, &streams)?);
    }
    loop {
        let is_missing = |it: &usize| streams[*it].is_none();
        let missing: Vec<usize> = (process + 1..addresses.len()).filter(is_missing).collect();
        if missing.is_empty() {
            break;
        }
        wait_for(&missing, member, &streams)?;
        match listener.accept() {
            Ok((stream, from)) => {
                if let Some((other, stream)) = admit(member, stream, from)? {
                    if other <= process || other >= addresses.len() || streams[other].is_some() {
                        return Err(ConnectError::Twice(other));
                    }
                    streams[other] = Some(stream);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(POLL),
            Err(error) => return Err(ConnectError::Listen(error)),
        }
    }
    Cluster::start(process, streams).map_err(ConnectError::Io)
}

/// This number of addresses of this machine at which nobody listens.
///
/// # Errors
/// If there are not as many.
pub fn free_addresses(processes: usize) -> io::Result<Vec<HostAddress>> {
    let listeners = (0..processes).map(|_| TcpListener::bind("127.0.0.1:0"));
    // All are bound before one is given up, so no two are the same.
    let listeners: Vec<TcpListener> = listeners.collect::<io::Result<_>>()?;
    listeners.iter().map(|it| Ok(it.local_addr()?.to_string())).collect()
}

/// Listens at an address.
fn listen(address: &str) -> io::Result<TcpListener> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Says whether to wait on for processes, with streams to others.
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
        let Some(mut stream) = places.iter().find_map(|it| TcpStream::connect(it).ok()) else {
            thread::sleep(POLL);
            continue;
        };
        // It may have to wait for others before it lets this one in.
        let mut has_begun = false;
        while !has_begun {
            wait_for(&[other], member, streams)?;
            has_begun =
                prepare(&stream, POLL).and_then(|()| begins(&stream)).map_err(ConnectError::Io)?;
        }
        let shaken = prepare(&stream, PATIENCE).map_err(HandshakeError::Lost).and_then(|()| {
            let Member { process, question, secret, .. } = *member;
            shake_hands(&mut stream, Role::Connects, process, Some(other), question, secret)
        });
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

/// Lets a process in that has connected; turns away who is none.
fn admit(
    member: &Member<'_>,
    mut stream: TcpStream,
    from: SocketAddr,
) -> Result<Option<(usize, TcpStream)>, ConnectError> {
    let Member { process, question, secret, .. } = *member;
    let shaken = prepare(&stream, PATIENCE)
        .map_err(HandshakeError::Lost)
        .and_then(|()| shake_hands(&mut stream, Role::Accepts, process, None, question, secret));
    match shaken {
        Ok(other) => settled(stream).map(|stream| Some((other, stream))),
        Err(HandshakeError::Stranger | HandshakeError::Lost(_)) => {
            (member.turned_away)(&from.to_string());
            Ok(None)
        }
        Err(HandshakeError::Different(theirs, ours)) => Err(ConnectError::Different(theirs, ours)),
        Err(HandshakeError::Secret) => Err(ConnectError::Secret(from.to_string())),
    }
}

/// Whether anything has come on a stream, for which this waits a little.
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

/// A stream after the handshake: rounds may take any time.
fn settled(stream: TcpStream) -> Result<TcpStream, ConnectError> {
    let forever = stream.set_read_timeout(None).and_then(|()| stream.set_write_timeout(None));
    forever.map(|()| stream).map_err(ConnectError::Io)
}
