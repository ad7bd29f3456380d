//! The explorer in a browser: it answers only requests of its own pages, on this machine.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    process::{Child, Stdio},
    time::{Duration, Instant},
};

use insta::assert_snapshot;
use predicates::prelude::*;

use crate::fixture::{Folder, NOT_ASKED, bug_as_it_is, unit};

pub(crate) struct ExplorerServer {
    child: Child,
    address: SocketAddr,
}

impl ExplorerServer {
    /// Serves a scenario at a free port.
    pub(crate) fn begin(folder: &Folder, file: &str) -> Self {
        Self::with(&[], folder, file)
    }

    /// Serves a scenario at a free port, with these flags.
    fn with(flags: &[&str], folder: &Folder, file: &str) -> Self {
        let mut child = folder
            .process(["explore", file, "--address", "127.0.0.1:0"])
            .args(flags)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        let stderr = child.stderr.take().expect("it is piped");
        BufReader::new(stderr).read_line(&mut line).expect("it says where");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let address = address.and_then(|it| it.parse().ok());
        Self { child, address: address.unwrap_or_else(|| panic!("it says where: {line}")) }
    }

    /// The answer to these bytes.
    pub(crate) fn answer(&self, request: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).expect("it serves");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("set");
        stream.write_all(request).expect("it listens");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it answers");
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// The answer to a browser's request for this path, with further headers.
    pub(crate) fn get(&self, path: &str, more: &str) -> String {
        let address = self.address;
        self.answer(format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n{more}\r\n").as_bytes())
    }

    /// The answer to a request with the method POST.
    pub(crate) fn post(&self, path: &str, more: &str) -> String {
        let address = self.address;
        self.answer(format!("POST {path} HTTP/1.1\r\nHost: {address}\r\n{more}\r\n").as_bytes())
    }
}

impl Drop for ExplorerServer {
    fn drop(&mut self) {
        self.child.kill().expect("it still serves");
        self.child.wait().expect("it ends");
    }
}

#[test]
fn only_this_machine_may_explore() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("unit.toml", unit());
    assert_snapshot!(folder.seen("explore bug.toml --address 0.0.0.0:3000"));
    assert_snapshot!(folder.seen("explore bug.toml --address localhost"));
    let long = "explore bug.toml --max-steps 1501";
    folder.run(long).code(NOT_ASKED).stderr(predicate::str::contains("from 1 to 1500"));
    folder.run("explore .").code(NOT_ASKED).stderr(predicate::str::contains("more than one"));

    let taken = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = taken.local_addr().expect("it has one");
    for at in [format!("--address {address}"), format!("--port {}", address.port())] {
        let assert = folder.run(&format!("explore bug.toml {at}")).code(NOT_ASKED);
        let failed = format!("failed to serve on {address}");
        assert.stderr(predicate::str::contains(failed));
    }
    folder.run("explore bug.toml --port 1 --address 127.0.0.1:1").code(NOT_ASKED);
}

/// The page that the command names is about the world with the variant, and so are all pages that
/// it leads to.
#[test]
fn a_world_is_explored_with_another_variant() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let mut child = folder
        .process(["explore", "bug.toml", "--port", "0", "--set", "relation-tracking=remote-scope"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stderr.take().expect("it is piped")).read_line(&mut line).expect("a line");
    let url = line.split(' ').find_map(|word| word.strip_prefix("http://")).expect("it says where");
    let (address, path) = url.split_once('/').expect("a path");
    let server = ExplorerServer { child, address: address.parse().expect("an address") };
    let page = server.get(&format!("/{path}"), "");
    assert!(page.starts_with("HTTP/1.1 200 OK"), "{page}");
    assert!(page.contains("set=relation-tracking%3Aremote-scope"));
    assert!(!server.get("/", "").contains("set=relation-tracking"), "it is the file's");
}

/// A run in a large world takes long to be told.
#[test]
fn a_page_has_its_time() {
    let units = "\"1..=1000\" = {}\n[world.applications]\nwordpress.units = [\"1..=1000\"]\n";
    let world = format!(
        "shows = \"It is large.\"\n[world.machines]\n0 = {{ jobs = [\"manage-model\"] }}\n{units}"
    );
    let folder = Folder::new().with("large.toml", world);
    let hasty = ExplorerServer::with(&["--time", "1ms"], &folder, "large.toml");
    for page in ["/", "/run.json"] {
        let answer = hasty.get(page, "");
        assert!(answer.starts_with("HTTP/1.1 400"), "{page}: {answer}");
        for says in ["the time was over", "explore --time"] {
            assert!(answer.contains(says), "{page}: {says}: {answer}");
        }
    }
    let patient = ExplorerServer::with(&["--time", "5m"], &folder, "large.toml");
    assert!(patient.get("/", "").starts_with("HTTP/1.1 200"));
}

/// The greatest number of simultaneous clients, each of which sends a byte now and then.
#[test]
fn slow_clients_hold_no_places() {
    let folder = Folder::new().with("unit.toml", unit());
    let explorer = ExplorerServer::begin(&folder, "unit.toml");
    let connect = |_| TcpStream::connect(explorer.address).expect("it serves");
    let mut slow: Vec<TcpStream> = (0..64).map(connect).collect();
    let begun = Instant::now();
    let is_answered = loop {
        for stream in &mut slow {
            // The server may have closed this connection.
            drop(stream.write_all(b"G"));
        }
        std::thread::sleep(Duration::from_secs(1));
        if begun.elapsed() > Duration::from_secs(30) {
            break false;
        }
        if explorer.get("/favicon.ico", "").starts_with("HTTP/1.1 204") {
            break true;
        }
    };
    assert!(is_answered, "everybody else waits");
    assert!(begun.elapsed() > Duration::from_secs(5), "they held all places for a while");
}

/// The target of a redirecting answer.
pub(crate) fn leads_to(answer: &str) -> &str {
    let line = answer.lines().find_map(|line| line.strip_prefix("Location: "));
    line.unwrap_or_else(|| panic!("it leads on: {answer}"))
}

#[test]
fn a_step_that_is_typed_is_taken_saved_and_accepted() {
    let folder = Folder::new().with("unit.toml", unit());
    let explorer = ExplorerServer::begin(&folder, "unit.toml");
    let page = explorer.get("/?script=0", "");
    let offered = "title=\"client: destroy-unit wordpress/0\"";
    assert!(page.contains(offered), "a client's transactions are offered: {page}");
    let step = |query: &str, step: &str| {
        let page = format!("/step{query}{}step={step}", if query.is_empty() { '?' } else { '&' });
        explorer.get(&page, "")
    };
    let first = step("?script=0", "client+1:+destroy-unit+wordpress/0");
    let first = leads_to(&first);
    assert!(first.contains("path=line&line=client+1%3A+destroy-unit+wordpress%2F0"), "{first}");
    let query = &first[1..];
    let second = step(query, "client:+destroy-unit+wordpress/0+=>+no-op");
    let third = leads_to(&step(&leads_to(&second)[1..], "run+all")).to_owned();
    let wrong = step(query, "client:+begn+%3Cb%3E");
    assert!(wrong.starts_with("HTTP/1.1 400") && wrong.contains("did you mean"), "{wrong}");
    assert!(wrong.contains("begn &lt;b&gt;") && !wrong.contains("<b>"), "{wrong}");
    let unmet = step(query, "client:+destroy-machine+1+=>+no-op");
    assert!(unmet.contains("expected no-op"), "{unmet}");

    let saved = explorer.get(&format!("/scenario.toml{}", &third[1..]), "");
    let (_, saved) = saved.split_once("\r\n\r\n").expect("a head");
    assert!(saved.contains("client: destroy-unit wordpress/0 => no-op"), "{saved}");
    let folder = folder.with("saved.toml", saved);
    folder.run("replay saved.toml").success();
    folder.run("check saved.toml").success();
}

#[test]
fn a_violation_that_is_saved_is_expected_by_the_file() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let explorer = ExplorerServer::begin(&folder, "bug.toml");
    let shown = explorer.get("/counterexample?claim=a+Dying+relation+is+removed", "");
    let saved = explorer.get(&format!("/scenario.toml{}", &leads_to(&shown)[1..]), "");
    let (_, saved) = saved.split_once("\r\n\r\n").expect("a head");
    assert!(saved.contains("\"a Dying relation is removed\" = \"violated\""), "{saved}");
    let folder = folder.with("saved.toml", saved);
    folder.run("check saved.toml").success();
}

#[test]
fn a_bound_that_ends_a_search_is_named() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let explorer =
        ExplorerServer::with(&["--max-states", "2", "--max-steps", "1"], &folder, "bug.toml");
    let nearest = explorer.get("/nearest?where=units.all(u,!u.exists)", "");
    assert!(nearest.contains("`explore --max-states` raises that"), "{nearest}");
    let idle = explorer.get("/idle?path=0", "");
    assert!(idle.contains("`explore --max-steps`, here 1, "), "{idle}");
}

#[test]
fn a_large_world_is_folded() {
    let world = "shows = \"Many units.\"\n[world.machines]\n0 = { jobs = [\"manage-model\"] }\n\
                 \"1..=60\" = {}\n[world.applications]\nwordpress.units = [\"1..=60\"]\n\
                 [user]\n\"destroy-unit *\" = \"unlimited\"\n";
    let folder = Folder::new().with("many.toml", world);
    let explorer = ExplorerServer::begin(&folder, "many.toml");
    let page = explorer.get("/", "");
    assert!(page.contains("60 more units, 60 alive"), "{page}");
    assert!(page.contains("/?list=user&amp;from=40"), "20 more: {page}");
    let listed = explorer.get("/?list=unit&from=50", "");
    assert!(listed.contains("51 to 60 of 60") && listed.contains("wordpress/59"), "{listed}");
    let open = explorer.get("/?open=unit+wordpress/7", "");
    assert!(open.contains("fold unit wordpress/7"), "{open}");
    assert!(open.contains("title=\"client: destroy-unit wordpress/7\""), "{open}");
    let none = explorer.get("/?open=unit+wordpress/77", "");
    assert!(none.starts_with("HTTP/1.1 400"), "{none}");
}

#[test]
fn a_world_that_is_too_large_is_refused() {
    let world = "shows = \"Too many machines.\"\n[world.machines]\n0 = { jobs = [\"manage-model\"] }\n\
                 \"1..=50000\" = {}\n";
    let folder = Folder::new().with("huge.toml", world);
    let says = "huge is too large to be explored by hand";
    folder.run("explore huge.toml").code(NOT_ASKED).stderr(predicate::str::contains(says));
}

#[test]
fn a_page_of_another_site_is_not_answered() {
    let folder = Folder::new().with("unit.toml", unit());
    let explorer = ExplorerServer::begin(&folder, "unit.toml");
    let port = explorer.address.port();
    assert_ne!(port, 0);
    for host in ["evil.example", &format!("evil.example:{port}"), &format!("localhost:{port}"), ""]
    {
        let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n");
        let answer = explorer.answer(request.as_bytes());
        assert!(answer.starts_with("HTTP/1.1 403") && !answer.contains("unit"), "{answer}");
    }
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"] {
        let answer = explorer.get("/", &format!("Origin: {origin}\r\n"));
        assert!(answer.starts_with("HTTP/1.1 403"), "{origin}: {answer}");
    }
    let mine = format!("Origin: http://{}\r\n", explorer.address);
    assert!(explorer.get("/", &mine).starts_with("HTTP/1.1 200"));
}

#[test]
fn no_request_ends_the_explorer() {
    let folder = Folder::new().with("unit.toml", unit());
    let explorer = ExplorerServer::begin(&folder, "unit.toml");
    for length in ["18446744073709551615", "9223372036854775807", "4294967296", "1", "x", "-1"] {
        let answer = explorer.post("/", &format!("Content-Length: {length}\r\n"));
        assert!(answer.starts_with("HTTP/1.1 4"), "{length}: {answer}");
    }
    let chunked = explorer.post("/", "Transfer-Encoding: chunked\r\n");
    assert!(chunked.starts_with("HTTP/1.1 4"), "{chunked}");
    assert!(explorer.post("/", "Content-Length: 0\r\n").starts_with("HTTP/1.1 405"));
    for request in [&b"\x16\x03\x01\x02\x00\x01"[..], b"\r\n\r\n\0", b"GET / HTTP/9.9\r\n\r\n"] {
        let answer = explorer.answer(&[request, b"\r\n\r\n"].concat());
        assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
    }
    for path in ["/states", "/../etc/passwd", "http://127.0.0.1:3000/", "//evil.example/"] {
        assert!(explorer.get(path, "").starts_with("HTTP/1.1 404"), "{path}");
    }
    let large = explorer.get("/", &format!("A: {}\r\n", "b".repeat(100_000)));
    assert!(large.starts_with("HTTP/1.1 431"), "{large}");
    // Browsers that go away at once, in the middle, or before they take the answer.
    for request in ["", "GET /?pa", "GET / HTTP/1.1\r\n"] {
        drop(TcpStream::connect(explorer.address).map(|mut it| it.write_all(request.as_bytes())));
    }
    for _ in 0..50 {
        let request = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", explorer.address);
        drop(TcpStream::connect(explorer.address).map(|mut it| it.write_all(request.as_bytes())));
    }
    assert!(explorer.get("/", "").starts_with("HTTP/1.1 200"), "and on it goes");
}

#[test]
fn a_violation_that_history_shows_is_saved() {
    let own = "[own.\"nothing is installed\"]\neach = \"unit-history\"\n\
               always = \"it.last_hook == 'none'\"\n";
    let world = "shows = \"A claim that reads history.\"\ndetail.hooks = true\n\
                 world.transactions = \"split\"\nfaults.crash = true\n\
                 world.applications.wordpress = { units = [\"1\"], deployed = false }\n";
    let folder = Folder::new().with("own.toml", format!("{world}{own}"));
    let explorer = ExplorerServer::begin(&folder, "own.toml");
    let installed = explorer.get("/counterexample?claim=nothing+is+installed", "");
    let saved = explorer.get(&format!("/scenario.toml{}", &leads_to(&installed)[1..]), "");
    let (_, saved) = saved.split_once("\r\n\r\n").expect("a head");
    assert!(saved.contains("\"nothing is installed\" = \"violated\""), "{saved}");
    folder.with("saved.toml", saved).run("check saved.toml").success();
}
