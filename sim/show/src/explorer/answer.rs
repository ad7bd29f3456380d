//! Responses of the explorer, as HTTP has them.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StatusCode {
    Found,
    Nothing,
    SeeOther,
    Bad,
}

impl StatusCode {
    fn line(self) -> &'static str {
        match self {
            Self::Found => "200 OK",
            Self::Nothing => "204 No Content",
            Self::SeeOther => "303 See Other",
            Self::Bad => "400 Bad Request",
        }
    }
}

pub(super) struct Response {
    status: StatusCode,
    headers: Vec<(&'static str, String)>,
    body: String,
}

impl Response {
    pub(super) fn page(status: StatusCode, body: String) -> Self {
        Self::of(status, "text/html; charset=utf-8", body)
    }

    pub(super) fn text(body: String) -> Self {
        Self::of(StatusCode::Found, "text/plain; charset=utf-8", body)
    }

    pub(super) fn json(body: &serde_json::Value) -> Self {
        Self::of(StatusCode::Found, "application/json", format!("{body:#}\n"))
    }

    /// A file to be saved under this name, of letters, digits, dots and hyphens.
    pub(super) fn file(name: &str, body: String) -> Self {
        let mut answer = Self::of(StatusCode::Found, "application/toml; charset=utf-8", body);
        answer.headers.push(("Content-Disposition", format!("attachment; filename=\"{name}\"")));
        answer
    }

    /// A redirection to another address.
    pub(super) fn elsewhere(address: String) -> Self {
        let mut answer = Self::nothing();
        answer.status = StatusCode::SeeOther;
        answer.headers.push(("Location", address));
        answer
    }

    pub(super) fn nothing() -> Self {
        Self { status: StatusCode::Nothing, headers: Vec::new(), body: String::new() }
    }

    fn of(status: StatusCode, kind: &str, body: String) -> Self {
        Self { status, headers: vec![("Content-Type", kind.to_owned())], body }
    }

    /// The bytes that are sent. A page is shown in no frame of another site, kept in no cache, and
    /// tells no other site its address.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut text = format!("HTTP/1.1 {}\r\n", self.status.line());
        let length = self.body.len().to_string();
        let all = [
            ("Content-Length", length.as_str()),
            ("Content-Security-Policy", "frame-ancestors 'none'"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
            ("Cache-Control", "no-store"),
            ("Connection", "close"),
        ];
        let own = self.headers.iter().map(|(name, value)| (*name, value.as_str()));
        for (name, value) in own.chain(all) {
            text.push_str(name);
            text.push_str(": ");
            text.push_str(value);
            text.push_str("\r\n");
        }
        text.push_str("\r\n");
        text.push_str(&self.body);
        text.into_bytes()
    }
}
