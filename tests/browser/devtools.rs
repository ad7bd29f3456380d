//! A connection to Chromium: calls, answers and events of its `DevTools` protocol, over a web
//! socket.
//!
//! Messages stay JSON. Crates with a type for each message break whenever a newer Chromium adds a
//! value, and Debian updates it every month.

use std::net::TcpStream;

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

use crate::PATIENCE;

/// A connection to the browser, or to one of its tabs.
pub(crate) struct Connection {
    socket: WebSocket<TcpStream>,
    calls: u64,
    events: Vec<BrowserEvent>,
}

/// An event that the browser reports.
pub(crate) struct BrowserEvent {
    pub(crate) method: String,
    pub(crate) params: Value,
}

impl Connection {
    /// Connects to `path` of the browser that listens at this port.
    pub(crate) fn open(port: u16, path: &str) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("Chromium listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("it can be set");
        let address = format!("ws://127.0.0.1:{port}{path}");
        let (socket, _) = tungstenite::client(address, stream).expect("Chromium shakes hands");
        Self { socket, calls: 0, events: Vec::new() }
    }

    /// Chromium's answer to this call, which must succeed.
    pub(crate) fn call(&mut self, method: &str, params: &Value) -> Value {
        self.try_call(method, params).unwrap_or_else(|error| panic!("{method} {params}: {error}"))
    }

    /// Chromium's answer to this call.
    pub(crate) fn try_call(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        self.calls += 1;
        let call = json!({ "id": self.calls, "method": method, "params": params });
        let sent = self.socket.send(Message::text(call.to_string()));
        sent.map_err(|error| error.to_string())?;
        loop {
            let mut said = self.read()?;
            if said["id"] == self.calls {
                return match said.get("error") {
                    Some(error) => Err(error.to_string()),
                    None => Ok(said["result"].take()),
                };
            }
            self.keep(said);
        }
    }

    /// Waits for an event with this method, which may have come already, and removes it.
    pub(crate) fn wait_for(&mut self, method: &str) -> Value {
        loop {
            if let Some(place) = self.events.iter().position(|event| event.method == method) {
                return self.events.remove(place).params;
            }
            let said = self.read().unwrap_or_else(|error| panic!("no {method}: {error}"));
            self.keep(said);
        }
    }

    /// Removes and returns the remaining events.
    pub(crate) fn events(&mut self) -> Vec<BrowserEvent> {
        std::mem::take(&mut self.events)
    }

    fn read(&mut self) -> Result<Value, String> {
        loop {
            let message = self.socket.read().map_err(|error| error.to_string())?;
            if let Message::Text(text) = message {
                return serde_json::from_str(&text).map_err(|error| error.to_string());
            }
        }
    }

    fn keep(&mut self, mut said: Value) {
        let method = said["method"].as_str().unwrap_or_default().to_owned();
        self.events.push(BrowserEvent { method, params: said["params"].take() });
    }
}
