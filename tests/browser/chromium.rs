//! Chromium: one process for all the tests that run at the same time.

use std::{
    fs::{self, File},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError, Weak, mpsc},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use serde_json::json;
use tempfile::TempDir;

use crate::{PATIENCE, devtools::Connection};

/// Flags that isolate Chromium: no window, no network but loopback, no activity of its own. Its
/// sandbox does not start for root, as which tests run in a container.
const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--no-first-run",
    "--no-default-browser-check",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--remote-debugging-port=0",
];

/// A Chromium with a profile of its own. It ends with the last test that uses it.
pub(crate) struct Browser {
    port: u16,
    path: String,
    /// Tells the thread that started the process to end it.
    over: mpsc::Sender<()>,
    keeper: Option<JoinHandle<()>>,
    _profile: TempDir,
}

impl Browser {
    /// The running browser, or a new one; `None` without Chromium, if it may be missing.
    pub(crate) fn shared() -> Option<Arc<Self>> {
        static SHARED: Mutex<Weak<Browser>> = Mutex::new(Weak::new());
        if !is_there() {
            return None;
        }
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        let browser = shared.upgrade().unwrap_or_else(|| Arc::new(Self::start()));
        *shared = Arc::downgrade(&browser);
        Some(browser)
    }

    /// A connection to the browser itself.
    pub(crate) fn connect(&self) -> Connection {
        Connection::open(self.port, &self.path)
    }

    pub(crate) fn connect_to(&self, tab: &str) -> Connection {
        Connection::open(self.port, &format!("/devtools/page/{tab}"))
    }

    fn start() -> Self {
        let profile = tempfile::tempdir().expect("there is room for a folder");
        let said = profile.path().join("said");
        let log = File::create(&said).expect("made");
        let mut command = Command::new("setpriv");
        // The browser is killed with its parent thread, even if the tests crash.
        command.args(["--pdeathsig", "KILL", "chromium"]).args(FLAGS);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        command.env("HOME", profile.path()).stdin(Stdio::null());
        command.stderr(log.try_clone().expect("open")).stdout(log);
        let (over, is_over) = mpsc::channel();
        // The signal comes when the starting thread ends, so that thread stays.
        let keeper = thread::spawn(move || {
            let child = command.spawn().expect("setpriv is there");
            let _ = is_over.recv();
            end(child);
        });

        let begun = Instant::now();
        let (port, path) = loop {
            let file = fs::read_to_string(profile.path().join("DevToolsActivePort"));
            let file = file.unwrap_or_default();
            if let Some((port, path)) = file.split_once('\n') {
                break (port.parse().expect("a port"), path.trim().to_owned());
            }
            let said = || fs::read_to_string(&said).unwrap_or_default();
            assert!(begun.elapsed() < PATIENCE, "Chromium does not start: {}", said());
            thread::sleep(Duration::from_millis(20));
        };
        Self { port, path, over, keeper: Some(keeper), _profile: profile }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended by itself, which a test has reported then.
        let _ = self.connect().try_call("Browser.close", &json!({}));
        let _ = self.over.send(());
        if let Some(keeper) = self.keeper.take() {
            let _ = keeper.join();
        }
    }
}

/// Waits until the browser has closed, for a limited time.
fn end(mut child: Child) {
    let begun = Instant::now();
    while matches!(child.try_wait(), Ok(None)) && begun.elapsed() < Duration::from_secs(10) {
        thread::sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Whether Chromium is installed. Without it the tests are skipped where they may be.
fn is_there() -> bool {
    let found = Command::new("chromium").arg("--version").output().is_ok();
    let is_needed = std::env::var_os("NEEDS_CHROMIUM").is_some();
    assert!(found || !is_needed, "NEEDS_CHROMIUM is set, and there is no chromium: install it");
    if !found {
        eprintln!("skipped: there is no chromium; apt-get install chromium");
    }
    found
}
