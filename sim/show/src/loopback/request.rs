//! Requests: which of them the guard lets through.
//!
//! Who asks, and how large a request may be, is judged here; which pages there are, the server
//! knows.

use std::net::SocketAddr;

use httparse::{EMPTY_HEADER, Request, Status};

/// The greatest size of the head of a request, in bytes. A way of a thousand steps fits.
pub const LARGEST_HEAD: usize = 64 << 10;
const MOST_HEADERS: usize = 64;

/// The judgement on a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Its head is not complete.
    Unfinished,
    Refused(Refusal),
    /// The server is asked for the page at this path, which includes the query if there is one.
    Allowed(String),
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The bytes are no request.
    Senseless,
    /// The request is for another address than the served one, or comes from another site.
    Foreign,
    /// The page does not exist.
    Unknown,
    /// Its method is not `GET`.
    Method,
    Body,
    Large,
    Slow,
    Busy,
}

impl Refusal {
    /// The status, and the text for the browser.
    pub fn status_and_text(self) -> (&'static str, &'static str) {
        match self {
            Self::Senseless => ("400 Bad Request", "this is not a request"),
            Self::Foreign => {
                ("403 Forbidden", "open the page by the address that deathwatch has printed")
            }
            Self::Unknown => ("404 Not Found", "there is no such page"),
            Self::Method => ("405 Method Not Allowed", "this cannot be done here"),
            Self::Slow => ("408 Request Timeout", "the request did not come to an end"),
            Self::Body => ("413 Content Too Large", "no request has a body here"),
            Self::Large => ("431 Request Header Fields Too Large", "the request is too large"),
            Self::Busy => ("503 Service Unavailable", "too many requests are being answered"),
        }
    }

    pub(super) fn text(self) -> String {
        let (status, says) = self.status_and_text();
        let length = says.len() + 1;
        format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n\
             X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n{says}\n"
        )
    }
}

/// Judges a request, as far as it has come, to the server that is reached by `address`.
pub fn judge(bytes: &[u8], address: SocketAddr) -> Judgement {
    let mut headers = [EMPTY_HEADER; MOST_HEADERS];
    let mut request = Request::new(&mut headers);
    match request.parse(&bytes[..bytes.len().min(LARGEST_HEAD)]) {
        Ok(Status::Complete(_)) => match allowed_path(&request, address) {
            Ok(path) => Judgement::Allowed(path),
            Err(refusal) => Judgement::Refused(refusal),
        },
        Ok(Status::Partial) if bytes.len() < LARGEST_HEAD => Judgement::Unfinished,
        Ok(Status::Partial) | Err(httparse::Error::TooManyHeaders) => {
            Judgement::Refused(Refusal::Large)
        }
        Err(_) => Judgement::Refused(Refusal::Senseless),
    }
}

fn allowed_path(request: &Request<'_, '_>, address: SocketAddr) -> Result<String, Refusal> {
    let (Some(method), Some(path)) = (request.method, request.path) else {
        return Err(Refusal::Senseless);
    };
    let values = |name: &str| -> Vec<&[u8]> {
        let all = request.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
        all.map(|header| header.value).collect()
    };
    if !matches!(values("Host").as_slice(), [host] if is_host(host, address)) {
        return Err(Refusal::Foreign);
    }
    if !values("Origin").iter().all(|origin| is_origin(origin, address)) {
        return Err(Refusal::Foreign);
    }
    // Another site may lead a person here, and may not have anything loaded from here.
    let is_elsewhere = |site: &&[u8]| [&b"cross-site"[..], b"same-site"].contains(site);
    let is_visit = values("Sec-Fetch-Dest") == [b"document"];
    if values("Sec-Fetch-Site").iter().any(is_elsewhere) && !is_visit {
        return Err(Refusal::Foreign);
    }
    let has_length = |length: &&[u8]| **length != *b"0";
    if !values("Transfer-Encoding").is_empty() || values("Content-Length").iter().any(has_length) {
        return Err(Refusal::Body);
    }
    if method != "GET" {
        return Err(Refusal::Method);
    }
    Ok(path.to_owned())
}

/// Whether a browser sends this as the host, once it was given the address.
fn is_host(host: &[u8], address: SocketAddr) -> bool {
    let with_port = address.to_string();
    let without = with_port.strip_suffix(":80").unwrap_or(&with_port);
    host == with_port.as_bytes() || host == without.as_bytes()
}

/// Whether a page of the server is where a request comes from.
fn is_origin(origin: &[u8], address: SocketAddr) -> bool {
    origin.strip_prefix(b"http://").is_some_and(|host| is_host(host, address))
}

#[cfg(test)]
mod tests {
    use super::*;
    const ADDRESS: &str = "127.0.0.1:3000";

    fn judged(request: &str) -> Judgement {
        let text = request.replace('\n', "\r\n");
        judge(text.as_bytes(), ADDRESS.parse().expect("an address"))
    }

    fn status(request: &str) -> &'static str {
        match judged(request) {
            Judgement::Refused(refusal) => &refusal.status_and_text().0[..3],
            Judgement::Unfinished => "...",
            Judgement::Allowed(_) => "ok",
        }
    }

    #[test]
    fn the_page_itself_is_let_through() {
        for (request, path) in [
            ("GET / HTTP/1.1\nHost: 127.0.0.1:3000\n\n", "/"),
            ("GET /?path=0.17 HTTP/1.1\nhost: 127.0.0.1:3000\nCookie: x\n\n", "/?path=0.17"),
            (
                "GET /?path=3 HTTP/1.1\nHost: 127.0.0.1:3000\nContent-Length: 0\n\
                 Origin: http://127.0.0.1:3000\n\n",
                "/?path=3",
            ),
        ] {
            match judged(request) {
                Judgement::Allowed(allowed) => assert_eq!(allowed, path),
                other => panic!("{request}: {other:?}"),
            }
        }
    }

    #[test]
    fn what_comes_from_elsewhere_is_not() {
        let mine = "Host: 127.0.0.1:3000\n";
        for (request, says) in [
            ("GET / HTTP/1.1\nHost: evil.example\n\n".to_owned(), "403"),
            ("GET / HTTP/1.1\nHost: 127.0.0.1:3001\n\n".to_owned(), "403"),
            ("GET / HTTP/1.1\nHost: 127.0.0.1\n\n".to_owned(), "403"),
            ("GET / HTTP/1.1\n\n".to_owned(), "403"),
            (format!("GET / HTTP/1.1\n{mine}{mine}\n"), "403"),
            (format!("GET / HTTP/1.1\nHost: evil.example\n{mine}\n"), "403"),
            (format!("GET / HTTP/1.1\n{mine}Origin: http://a.b\n\n"), "403"),
            (format!("GET / HTTP/1.1\n{mine}Origin: null\n\n"), "403"),
            (format!("GET / HTTP/1.1\n{mine}Sec-Fetch-Site: cross-site\n\n"), "403"),
            (
                format!(
                    "GET / HTTP/1.1\n{mine}Sec-Fetch-Site: same-site\nSec-Fetch-Dest: iframe\n\n"
                ),
                "403",
            ),
            (
                format!(
                    "GET / HTTP/1.1\n{mine}Sec-Fetch-Site: cross-site\nSec-Fetch-Dest: document\n\n"
                ),
                "ok",
            ),
            (format!("GET / HTTP/1.1\n{mine}Sec-Fetch-Site: same-origin\n\n"), "ok"),
            (format!("GET / HTTP/1.1\n{mine}Content-Length: 18446744073709551615\n\n"), "413"),
            (format!("GET / HTTP/1.1\n{mine}Content-Length: -1\n\n"), "413"),
            (format!("GET / HTTP/1.1\n{mine}Content-Length: 0\nContent-Length: 9\n\n"), "413"),
            (format!("GET / HTTP/1.1\n{mine}Transfer-Encoding: chunked\n\n"), "413"),
            (format!("POST / HTTP/1.1\n{mine}\n"), "405"),
            (format!("PUT / HTTP/1.1\n{mine}\n"), "405"),
            (format!("GET / HTTP/1.1\n{mine}"), "..."),
            ("\u{16}\u{3}\u{1} hello\n\n".to_owned(), "400"),
            (format!("GET / HTTP/1.1\n{}{mine}\n", "A: b\n".repeat(64)), "431"),
            (format!("GET / HTTP/1.1\n{mine}A: {}\n", "b".repeat(LARGEST_HEAD)), "431"),
        ] {
            assert_eq!(status(&request), says, "{request}");
        }
    }
}
