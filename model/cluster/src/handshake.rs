//! The handshake, by which both ends prove that they belong together before anything else is read.
//!
//! Each end sends a mark and a random number. Then each sends a code over all of that, which only a
//! process with the secret can make (HMAC-SHA-256): first the end that has connected. Only then
//! each describes itself, again with a code: so a stranger learns nothing of the program or its
//! question.

use std::io::{self, Read, Write};

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::watched::is_timeout;

/// The mark of a process: the name and the version of the handshake, which a change of it raises.
const MARK: &[u8; 16] = b"deathwatch/2....";
/// The bytes of a random number.
const NONCE: usize = 32;
/// The bytes of a code.
const CODE: usize = 32;
/// The most bytes of a process's description of itself.
const MOST_TEXT: u16 = 1 << 12;

/// The reason why there is no connection to a process.
#[derive(Debug)]
pub(crate) enum HandshakeError {
    /// The other end is no process of a cluster.
    Stranger,
    /// The stream has ended or failed.
    Lost(io::Error),
    /// A line of its question differs: its line, and ours.
    Different(String, String),
    /// It does not know the secret.
    Secret,
}

impl From<io::Error> for HandshakeError {
    fn from(error: io::Error) -> Self {
        Self::Lost(error)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PeerRole {
    /// It has connected to the other end.
    Connects,
    Accepts,
}

impl PeerRole {
    fn other(self) -> Self {
        match self {
            Self::Connects => Self::Accepts,
            Self::Accepts => Self::Connects,
        }
    }
}

/// Shakes hands; returns the number of the other process. `lines` must be equal at both ends, and
/// `expected` is the number of the other process if it is known.
pub(crate) fn shake_hands(
    stream: &mut (impl Read + Write),
    role: PeerRole,
    process: usize,
    expected: Option<usize>,
    lines: &[String],
    secret: &[u8],
) -> Result<usize, HandshakeError> {
    let mut nonce = [0; NONCE];
    getrandom::fill(&mut nonce).map_err(|error| io::Error::other(error.to_string()))?;
    let ours = [&MARK[..], &nonce].concat();
    stream.write_all(&ours)?;
    stream.flush()?;
    let theirs = read_hello(stream)?;
    let (connects, accepts) = match role {
        PeerRole::Connects => (&ours, &theirs),
        PeerRole::Accepts => (&theirs, &ours),
    };
    // The code of one end, over both random numbers and its description.
    let code = |by: PeerRole, description: &[u8]| {
        let mut code = Hmac::<Sha256>::new_from_slice(secret).expect("a key has any length");
        let name: &[u8] = if by == PeerRole::Connects { b"connects" } else { b"accepts" };
        for part in [name, connects, accepts, description] {
            code.update(part);
        }
        code
    };
    let mut sent = [0; CODE];
    match role {
        PeerRole::Connects => {
            stream.write_all(&code(PeerRole::Connects, b"").finalize().into_bytes())?;
            stream.flush()?;
            // The other end hangs up on a wrong code.
            stream.read_exact(&mut sent).map_err(|error| {
                if is_timeout(&error) {
                    HandshakeError::Lost(error)
                } else {
                    HandshakeError::Secret
                }
            })?;
            code(PeerRole::Accepts, b"").verify_slice(&sent).map_err(|_| HandshakeError::Secret)?;
        }
        PeerRole::Accepts => {
            stream.read_exact(&mut sent)?;
            code(PeerRole::Connects, b"")
                .verify_slice(&sent)
                .map_err(|_| HandshakeError::Secret)?;
            stream.write_all(&code(PeerRole::Accepts, b"").finalize().into_bytes())?;
            stream.flush()?;
        }
    }
    let description = format!("{process}\n{}", lines.join("\n"));
    let size = u16::try_from(description.len()).ok().filter(|size| *size <= MOST_TEXT);
    let size = size.ok_or_else(|| io::Error::other("what is asked takes too long to say"))?;
    let signed = code(role, description.as_bytes()).finalize().into_bytes();
    stream.write_all(&[&size.to_le_bytes()[..], description.as_bytes(), &signed].concat())?;
    stream.flush()?;
    let (their_text, signed) = read_text(stream)?;
    code(role.other(), &their_text).verify_slice(&signed).map_err(|_| HandshakeError::Secret)?;
    let their_text = str::from_utf8(&their_text).map_err(|_| HandshakeError::Stranger)?;
    let (other, their_lines) = their_text.split_once('\n').unwrap_or((their_text, ""));
    let other: usize = other.parse().map_err(|_| HandshakeError::Stranger)?;
    if let Some((their, our)) = difference(their_lines, &lines.join("\n")) {
        return Err(HandshakeError::Different(their, our));
    }
    if expected.is_some_and(|expected| expected != other) || other == process {
        let expected = expected.map_or_else(String::new, |it| format!("process {it}"));
        return Err(HandshakeError::Different(format!("process {other}"), expected));
    }
    Ok(other)
}

/// Reads the mark and the random number of the other end. Nothing is read behind a wrong mark.
fn read_hello(stream: &mut impl Read) -> Result<Vec<u8>, HandshakeError> {
    let mut hello = vec![0; MARK.len()];
    stream.read_exact(&mut hello)?;
    if hello != MARK {
        return Err(HandshakeError::Stranger);
    }
    let mut nonce = [0; NONCE];
    stream.read_exact(&mut nonce)?;
    hello.extend(nonce);
    Ok(hello)
}

/// Reads the other end's description of itself, and its code.
fn read_text(stream: &mut impl Read) -> Result<(Vec<u8>, [u8; CODE]), HandshakeError> {
    let mut size = [0; size_of::<u16>()];
    stream.read_exact(&mut size)?;
    let size = u16::from_le_bytes(size);
    if size > MOST_TEXT {
        return Err(HandshakeError::Stranger);
    }
    let (mut text, mut signed) = (vec![0; size.into()], [0; CODE]);
    stream.read_exact(&mut text)?;
    stream.read_exact(&mut signed)?;
    Ok((text, signed))
}

/// The first lines that differ, if any do.
fn difference(theirs: &str, ours: &str) -> Option<(String, String)> {
    if theirs == ours {
        return None;
    }
    let (mut theirs, mut ours) = (theirs.lines(), ours.lines());
    loop {
        let (their, our) = (theirs.next(), ours.next());
        if their != our || their.is_none() {
            return Some((their.unwrap_or("").to_owned(), our.unwrap_or("").to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{os::unix::net::UnixStream, thread};

    use super::*;

    fn both(
        one: (usize, &[&str], &[u8]),
        other: (usize, &[&str], &[u8]),
    ) -> [Result<usize, HandshakeError>; 2] {
        let (mut near, mut far) = UnixStream::pair().unwrap();
        let lines =
            |lines: &[&str]| -> Vec<String> { lines.iter().map(|it| (*it).into()).collect() };
        thread::scope(|scope| {
            let accepts = scope.spawn(move || {
                let (process, text, secret) = one;
                let role = PeerRole::Accepts;
                shake_hands(&mut far, role, process, None, &lines(text), secret)
            });
            let (process, text, secret) = other;
            let connects =
                shake_hands(&mut near, PeerRole::Connects, process, Some(0), &lines(text), secret);
            drop(near);
            [accepts.join().unwrap(), connects]
        })
    }

    #[test]
    fn who_asks_the_same_and_knows_the_secret_is_let_in() {
        let [accepts, connects] = both((0, &["a", "b"], b"secret"), (3, &["a", "b"], b"secret"));
        assert_eq!((accepts.unwrap(), connects.unwrap()), (3, 0));
    }

    #[test]
    fn both_say_what_differs() {
        let [accepts, connects] = both((0, &["a", "b"], b"s"), (3, &["a", "c"], b"s"));
        let shown = |error| match error {
            Err(HandshakeError::Different(theirs, ours)) => (theirs, ours),
            other => panic!("{other:?}"),
        };
        assert_eq!(shown(accepts), ("c".to_owned(), "b".to_owned()));
        assert_eq!(shown(connects), ("b".to_owned(), "c".to_owned()));
        let [_, connects] = both((1, &[], b"s"), (3, &[], b"s"));
        assert_eq!(shown(connects), ("process 1".to_owned(), "process 0".to_owned()));
    }

    #[test]
    fn who_does_not_know_the_secret_is_not_let_in() {
        for (one, other) in [(&b"secret"[..], &b"Secret"[..]), (b"secret", b""), (b"", b"secret")] {
            let [accepts, connects] = both((0, &["a"], one), (1, &["a"], other));
            assert!(matches!(accepts, Err(HandshakeError::Secret)), "{accepts:?}");
            assert!(matches!(connects, Err(HandshakeError::Secret)), "{connects:?}");
        }
    }

    #[test]
    fn a_code_is_good_for_one_handshake_and_one_role() {
        // An echo sends the right mark, and is turned away all the same.
        let (mut near, mut far) = UnixStream::pair().unwrap();
        let echo = thread::spawn(move || {
            let mut bytes = [0; 512];
            while let Ok(read @ 1..) = far.read(&mut bytes) {
                if far.write_all(&bytes[..read]).is_err() {
                    return;
                }
            }
        });
        let found = shake_hands(&mut near, PeerRole::Connects, 1, None, &[], b"secret");
        assert!(matches!(found, Err(HandshakeError::Secret)), "{found:?}");
        drop(near);
        echo.join().unwrap();
    }

    #[test]
    fn of_a_stranger_nothing_is_read_but_the_mark() {
        for garbage in [&b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"[..], &[0; 100], &[255; 100]] {
            let (mut near, mut far) = UnixStream::pair().unwrap();
            near.write_all(garbage).unwrap();
            let found = shake_hands(&mut far, PeerRole::Accepts, 0, None, &[], b"");
            assert!(matches!(found, Err(HandshakeError::Stranger)), "{found:?}");
        }
        let (mut near, mut far) = UnixStream::pair().unwrap();
        near.write_all(&[&MARK[..], &[1; NONCE], &[2; CODE]].concat()).unwrap();
        let found = shake_hands(&mut far, PeerRole::Accepts, 0, None, &["world".to_owned()], b"");
        assert!(matches!(found, Err(HandshakeError::Secret)), "{found:?}");
        drop(far);
        let mut told = Vec::new();
        near.read_to_end(&mut told).unwrap();
        assert_eq!(told.len(), MARK.len() + NONCE, "it is not told what is asked");
    }
}
