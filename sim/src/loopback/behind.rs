//! Stateright's server, behind the guard.
//!
//! It ends at a request that is too large, so it sees requests that were written here. It listens
//! where no browser goes: on a port that the Fetch standard forbids, and on Linux at an address drawn
//! by lot.

use std::{
    hash::{BuildHasher as _, RandomState},
    io::{self, Read as _, Write as _},
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    thread,
    time::Duration,
};

use super::{Forwarded, Method, PATIENCE, Server};

/// The time after which the server is given up: some of its answers explore.
const LONG_PATIENCE: Duration = Duration::from_secs(120);
/// The size of an answer that no server of ours gives, in bytes.
const LARGEST_ANSWER: u64 = 1 << 30;
/// Ports that no browser connects to ("bad ports" of the Fetch standard) and anybody may open.
const FORBIDDEN: [u16; 12] =
    [6665, 6666, 6667, 6668, 6669, 6679, 6697, 5060, 5061, 6566, 10_080, 4190];
/// The pages and answers that may be got by their names.
const PAGES: [&str; 5] = ["/", "/app.css", "/app.js", "/knockout-3.5.0.js", "/.status"];
/// The states that a way of numbered steps leads to.
const STATES: &str = "/.states";
/// What may be asked for by a post.
const RUN: &str = "/.runtocompletion";

/// The address of stateright's server.
#[derive(Clone, Copy, Debug)]
pub struct Behind(SocketAddr);

impl Behind {
    /// An address that is free now.
    ///
    /// # Errors
    /// If all are taken.
    pub fn hidden() -> io::Result<Self> {
        let addresses = FORBIDDEN.map(|port| SocketAddr::new(hidden_ip(), port));
        TcpListener::bind(&addresses[..])?.local_addr().map(Self)
    }

    /// The server that listens there.
    pub fn at(address: SocketAddr) -> Self {
        Self(address)
    }

    /// The address.
    pub fn address(self) -> SocketAddr {
        self.0
    }
}

impl Server for Behind {
    fn offers(&self, method: Method, path: &str) -> bool {
        offers(method, path)
    }

    fn answer(&self, request: &Forwarded) -> io::Result<Vec<u8>> {
        let mut stream = connect(self.0)?;
        stream.set_read_timeout(Some(LONG_PATIENCE))?;
        stream.write_all(text(request, self.0).as_bytes())?;
        let mut answer = Vec::new();
        stream.take(LARGEST_ANSWER).read_to_end(&mut answer)?;
        Ok(answer)
    }
}

/// Whether stateright's server has such a page.
pub(super) fn offers(method: Method, path: &str) -> bool {
    match method {
        Method::Get => PAGES.contains(&path) || is_way(path),
        Method::Post => path == RUN,
    }
}

/// Whether a path is that of the states at the end of a way.
fn is_way(path: &str) -> bool {
    let digits = |step: &str| step.bytes().all(|byte| byte.is_ascii_digit());
    match path.strip_prefix(STATES) {
        Some("") => true,
        Some(way) => way.starts_with('/') && way.split('/').all(digits),
        None => false,
    }
}

/// A loopback address: on Linux, one of sixteen million.
fn hidden_ip() -> IpAddr {
    if cfg!(target_os = "linux") {
        let [_, a, b, c, ..] = RandomState::new().hash_one(()).to_le_bytes();
        return Ipv4Addr::new(127, a, b, c.clamp(2, 254)).into();
    }
    Ipv4Addr::LOCALHOST.into()
}

/// The request to `server`.
fn text(request: &Forwarded, server: SocketAddr) -> String {
    let method = match request.method {
        Method::Get => "GET",
        Method::Post => "POST",
    };
    let path = &request.path;
    format!(
        "{method} {path} HTTP/1.1\r\nHost: {server}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )
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
