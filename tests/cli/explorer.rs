//! The explorer in a browser: a walk through a scenario by its links, and only its own pages, on this
//! machine, are answered. stateright's pages are behind the same guard.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    time::Duration,
};

use insta::assert_snapshot;
use predicates::prelude::*;

use crate::fixture::{CYCLE, Folder, NOT_ASKED, bug_as_it_is, unit};

/// An explorer that serves.
struct Explorer {
    child: Child,
    address: SocketAddr,
}

impl Explorer {
    /// Serves a scenario at any port.
    fn begin(folder: &Folder, file: &str) -> Self {
        Self::of("own", folder, file)
    }

    /// Serves stateright's pages of a scenario at any port.
    fn stateright(folder: &Folder, file: &str) -> Self {
        Self::of("stateright", folder, file)
    }

    fn of(engine: &str, folder: &Folder, file: &str) -> Self {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("deathwatch"))
            .current_dir(&folder.0)
            .args(["explore", file, "--address", "127.0.0.1:0", "--engine", engine])
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

    /// What it answers to these bytes.
    fn answer(&self, request: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).expect("it serves");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("set");
        stream.write_all(request).expect("it listens");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it answers");
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// What it answers to a browser that was given its address, with more headers.
    fn get(&self, path: &str, more: &str) -> String {
        let address = self.address;
        self.answer(format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n{more}\r\n").as_bytes())
    }

    fn post(&self, path: &str, more: &str) -> String {
        let address = self.address;
        self.answer(format!("POST {path} HTTP/1.1\r\nHost: {address}\r\n{more}\r\n").as_bytes())
    }
}

impl Drop for Explorer {
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
    folder.run("explore .").code(NOT_ASKED).stderr(predicate::str::contains("more than one"));

    let taken = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = taken.local_addr().expect("it has one");
    let assert = folder.run(&format!("explore bug.toml --address {address}")).code(NOT_ASKED);
    assert.stderr(predicate::str::contains("failed to serve on 127.0.0.1"));
}

/// What stands behind `mark` up to the next quotation mark, with the characters that HTML escapes.
fn quoted(page: &str, mark: &str) -> Vec<String> {
    let all = page.split(mark).skip(1).map(|rest| rest.split('"').next().unwrap_or_default());
    all.map(|text| text.replace("&amp;", "&").replace("&quot;", "\"")).collect()
}

impl Explorer {
    /// The page at an address, which is there.
    fn page(&self, path: &str) -> String {
        let answer = self.get(path, "");
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        answer
    }

    /// Where the answer leads.
    fn leads(&self, path: &str) -> String {
        let answer = self.get(path, "");
        assert!(answer.starts_with("HTTP/1.1 303"), "{path}: {answer}");
        let location = answer.lines().find_map(|line| line.strip_prefix("Location: "));
        location.expect("it says where").to_owned()
    }
}

/// The address to which a page's link of the action with this line leads.
fn taken(page: &str, line: &str) -> String {
    let title = format!("title=\"{line}\"");
    let links = page.split("<a class=\"take\" href=\"").skip(1);
    let is_it = |link: &&str| link.split('>').next().is_some_and(|it| it.contains(&title));
    let found = links.into_iter().find(is_it);
    let found = found.unwrap_or_else(|| panic!("{line} is not possible on {page}"));
    found.split('"').next().unwrap_or_default().replace("&amp;", "&")
}

/// A step of the run to the stuck end of the bug.
const TO_THE_END: [&str; 5] = [
    "unit-agent wordpress/0: enter-scope wordpress/0 wordpress:db mysql:server",
    "user: destroy-relation wordpress:db mysql:server",
    "faults: fail-hardware 1",
    "provisioner: start-instance 1",
    "machine-agent 1: deploy-unit wordpress/0",
];

/// The scenario that shows the bug, as it is shipped.
fn shipped() -> String {
    let file =
        concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/relation-scope-bug/1-as-written.toml");
    std::fs::read_to_string(file).expect("it is shipped")
}

#[test]
fn one_walks_by_links_to_the_stuck_end_of_the_bug_and_saves_it() {
    let folder = Folder::new().with("bug.toml", shipped());
    let explorer = Explorer::begin(&folder, "bug.toml");
    let (mut address, mut page) = ("/".to_owned(), explorer.page("/"));
    assert!(page.contains("step 0 of 0") && !page.contains("Nobody who is assumed to act"));
    for (number, line) in TO_THE_END.iter().enumerate() {
        address = taken(&page, line);
        page = explorer.page(&address);
        assert!(page.contains(&format!("step {0} of {0}", number + 1)), "{page}");
    }
    for told in [
        "Nobody who is assumed to act can do anything.",
        "never done",
        "its agent does not know that it is in a scope",
        "the agent of wordpress/0 has no directory for this and does not know it",
        "fault here",
        "violated: owed since step 2, at the end",
    ] {
        assert!(page.contains(told), "{told}");
    }
    // A step back, and another way from there.
    let back = quoted(&page, "href=\"").into_iter().find(|it| it.contains("at=2"));
    let back = explorer.page(&back.expect("a link to each state"));
    assert!(back.contains("step 2 of 5"), "{back}");
    let branch = taken(&back, "faults: fail-hardware 2");
    assert!(explorer.page(&branch).contains("step 3 of 3"));

    let query = address.strip_prefix('/').expect("a path");
    let saved = explorer.page(&format!("/scenario.toml{query}"));
    let (head, saved) = saved.split_once("\r\n\r\n").expect("a head");
    assert!(head.contains("attachment; filename=\"explored.toml\""), "{head}");
    let folder = folder.with("saved.toml", saved);
    folder.run("replay saved.toml").success();
    let args: Vec<&str> = vec!["check", "saved.toml", "--claim", "a Dying relation is removed"];
    let output = folder.command(&args).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("violated"), "{text}");
}

#[test]
fn the_explorer_finds_states_and_counterexamples() {
    let folder = Folder::new().with("bug.toml", shipped()).with("round.toml", CYCLE);
    let explorer = Explorer::begin(&folder, "bug.toml");
    let found = explorer.leads("/counterexample?claim=a+Dying+relation+is+removed");
    let page = explorer.page(&found);
    assert!(page.contains("step 5 of 5") && page.contains("violated: owed since"), "{page}");
    let idle = explorer.page(&explorer.leads("/idle"));
    assert!(idle.contains("Nobody who is assumed to act can do anything."), "{idle}");
    let found =
        explorer.leads("/nearest?where=relations.exists%28r%2C+r.life+%3D%3D+%22dying%22%29");
    let page = explorer.page(&found);
    assert!(page.contains("step 2 of 2") && page.contains("holds here"), "{page}");
    let none = explorer.page("/nearest?where=units.exists%28u%2C+%21u.exists%29");
    assert!(none.contains("there is none: all 107 states"), "{none}");
    let run = explorer.page("/run.json?path=0");
    let (_, json) = run.split_once("\r\n\r\n").expect("a head");
    let json: serde_json::Value = serde_json::from_str(json).expect("JSON");
    assert_eq!(json["runs"][0]["kept"], serde_json::json!({ "at": 1 }));
    assert_eq!(json["runs"][0]["steps"].as_array().map(Vec::len), Some(1));

    let explorer = Explorer::begin(&folder, "round.toml");
    let claim = quoted(&explorer.page("/"), "href=\"");
    let claim = claim.into_iter().find(|it| it.starts_with("/counterexample")).expect("a claim");
    let page = explorer.page(&explorer.leads(&claim));
    assert!(page.contains("For ever") && page.contains("This can go on for ever"), "{page}");
}

#[test]
fn what_is_no_address_is_refused_with_a_page() {
    let folder = Folder::new().with("bug.toml", shipped());
    let explorer = Explorer::begin(&folder, "bug.toml");
    let long = format!("/?path={}", vec!["0"; 1_501].join("."));
    for path in [
        "/?path=99",
        "/?path=0..1",
        "/?path=18446744073709551616",
        "/?at=1",
        "/?script=1",
        "/?loop=1",
        "/?path=0.0&loop=1",
        "/?sudo=1",
        "/?where=units.exists%28",
        "/nearest",
        "/nearest?where=%3Cscript%3Ealert%281%29%3C%2Fscript%3E",
        "/counterexample?claim=%3Cscript%3E",
        "/run.json?path=x",
        &long,
    ] {
        let answer = explorer.get(path, "");
        assert!(answer.starts_with("HTTP/1.1 400"), "{path}: {answer}");
        assert!(answer.contains("This leads nowhere"), "{path}: {answer}");
        assert_eq!(answer.matches("<script").count(), 1, "{path}: {answer}");
    }
    for path in ["/.states", "/run", "/index.html", "/../etc/passwd"] {
        assert!(explorer.get(path, "").starts_with("HTTP/1.1 404"), "{path}");
    }
    assert!(explorer.post("/", "").starts_with("HTTP/1.1 404"));
    for header in ["Origin: http://evil.example", "Sec-Fetch-Site: cross-site"] {
        let answer = explorer.get("/", &format!("{header}\r\n"));
        assert!(answer.starts_with("HTTP/1.1 403"), "{header}: {answer}");
    }
    assert!(explorer.answer(b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n").contains(" 403 "));
    explorer.page("/");
}

#[test]
fn the_world_is_served_to_a_browser() {
    let folder = Folder::new().with("unit.toml", unit()).with("ui/index.htm", "a page of others");
    let explorer = Explorer::stateright(&folder, "unit.toml");
    assert_ne!(explorer.address.port(), 0);
    let page = explorer.get("/", "");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<html"), "{page}");
    for part in ["/app.css", "/app.js", "/knockout-3.5.0.js", "/.status"] {
        assert!(explorer.get(part, "").starts_with("HTTP/1.1 200"), "{part}");
    }
    let states = explorer.get("/.states/", "");
    assert!(states.contains("life: Dead"), "it begins where the script ends:\n{states}");
    let next = explorer.get("/.states/0", "");
    assert!(next.contains("machine-agent 1: recall-unit wordpress/0"), "{next}");
    let run = explorer.post("/.runtocompletion", "Content-Length: 0\r\n");
    assert!(run.starts_with("HTTP/1.1 200"), "{run}");
}

#[test]
fn a_page_of_another_site_is_not_answered() {
    let folder = Folder::new().with("unit.toml", unit());
    let explorer = Explorer::stateright(&folder, "unit.toml");
    let port = explorer.address.port();
    for host in ["evil.example", &format!("evil.example:{port}"), &format!("localhost:{port}"), ""]
    {
        let request = format!("GET /.states HTTP/1.1\r\nHost: {host}\r\n\r\n");
        let answer = explorer.answer(request.as_bytes());
        assert!(answer.starts_with("HTTP/1.1 403") && !answer.contains("life"), "{answer}");
    }
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"] {
        let answer = explorer.post("/.runtocompletion", &format!("Origin: {origin}\r\n"));
        assert!(answer.starts_with("HTTP/1.1 403"), "{origin}: {answer}");
    }
    let mine = format!("Origin: http://{}\r\n", explorer.address);
    assert!(explorer.post("/.runtocompletion", &mine).starts_with("HTTP/1.1 200"));
}

#[test]
fn no_request_ends_the_explorer() {
    let folder = Folder::new().with("unit.toml", unit());
    let explorer = Explorer::stateright(&folder, "unit.toml");
    for length in ["18446744073709551615", "9223372036854775807", "4294967296", "1", "x", "-1"] {
        let answer = explorer.post("/.runtocompletion", &format!("Content-Length: {length}\r\n"));
        assert!(answer.starts_with("HTTP/1.1 4"), "{length}: {answer}");
    }
    let chunked = explorer.post("/.runtocompletion", "Transfer-Encoding: chunked\r\n");
    assert!(chunked.starts_with("HTTP/1.1 4"), "{chunked}");
    for request in [&b"\x16\x03\x01\x02\x00\x01"[..], b"\r\n\r\n\0", b"GET / HTTP/9.9\r\n\r\n"] {
        let answer = explorer.answer(&[request, b"\r\n\r\n"].concat());
        assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
    }
    for path in ["/.states/1", "/.states/0/99999", "/.states/99999999999999999999999/0"] {
        assert!(explorer.get(path, "").starts_with("HTTP/1.1 404"), "{path}");
    }
    let large = explorer.get("/", &format!("A: {}\r\n", "b".repeat(100_000)));
    assert!(large.starts_with("HTTP/1.1 431"), "{large}");
    // Browsers that go away at once, in the middle, or before they take the answer.
    for request in ["", "GET /.st", "GET /app.js HTTP/1.1\r\n"] {
        drop(TcpStream::connect(explorer.address).map(|mut it| it.write_all(request.as_bytes())));
    }
    for _ in 0..50 {
        let request = format!("GET /app.js HTTP/1.1\r\nHost: {}\r\n\r\n", explorer.address);
        drop(TcpStream::connect(explorer.address).map(|mut it| it.write_all(request.as_bytes())));
    }
    assert!(explorer.get("/.status", "").starts_with("HTTP/1.1 200"), "and on it goes");
}
