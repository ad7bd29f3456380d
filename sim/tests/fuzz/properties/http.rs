//! Requests to the guard before the explorer, and to the explorer behind it.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    sync::Arc,
    thread,
    time::Duration,
};

use deathwatch_scenario::{replay, scenario};
use deathwatch_show::{
    explorer::{Bounds, Explorer},
    loopback::{Guard, Judgement, LARGEST_HEAD, Server, judge},
};
use proptest::{collection::vec, prelude::*, sample::select, test_runner::TestRunner};

use super::{
    check,
    edits::{edited, edits},
};

const REQUESTS: [&str; 4] = [
    "GET / HTTP/1.1\r\nHost: 127.0.0.1:3000\r\nAccept: */*\r\n\r\n",
    "GET /?path=0.17.3 HTTP/1.1\r\nHost: 127.0.0.1:3000\r\nCookie: a=b\r\n\r\n",
    "GET /run.json HTTP/1.1\r\nHost: 127.0.0.1:3000\r\nContent-Length: 0\r\n\
     Origin: http://127.0.0.1:3000\r\n\r\n",
    "POST /run.json HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 99999999999999999999\r\n\
     Origin: http://evil.example\r\nTransfer-Encoding: chunked\r\n\r\n",
];

fn address() -> SocketAddr {
    "127.0.0.1:3000".parse().expect("an address")
}

/// Any bytes.
pub fn any_bytes(runner: &mut TestRunner) -> Result<(), String> {
    check(runner, &vec(any::<u8>(), 0..400), |bytes| is_judged(&bytes))
}

/// Requests after a few changes.
pub fn changed(runner: &mut TestRunner) -> Result<(), String> {
    let requests = (select(&REQUESTS[..]), edits());
    check(runner, &requests, |(request, edits)| is_judged(edited(request, &edits).as_bytes()))
}

/// Asserts that the judgement of a request does not depend on the pieces in which it arrives, and
/// that only requests of the page itself are let through.
fn is_judged(bytes: &[u8]) -> Result<(), TestCaseError> {
    let mut judgement = Judgement::Unfinished;
    for end in 0..=bytes.len() {
        let now = judge(&bytes[..end], address());
        if judgement == Judgement::Unfinished {
            judgement = now;
        } else {
            prop_assert_eq!(&now, &judgement, "more bytes make no difference");
        }
    }
    if judgement == Judgement::Unfinished {
        prop_assert!(bytes.len() < LARGEST_HEAD);
    }
    let Judgement::Allowed(_) = judgement else { return Ok(()) };
    let text = String::from_utf8_lossy(bytes).to_lowercase();
    let head = text.split("\r\n\r\n").next().unwrap_or_default();
    let head = head.split("\n\n").next().unwrap_or_default();
    prop_assert!(!head.contains("evil"), "{head}");
    let hosts = head.lines().filter(|line| line.trim_start().starts_with("host:"));
    prop_assert_eq!(hosts.count(), 1, "{}", head);
    prop_assert!(head.trim_start().starts_with("get "), "{}", head);
    Ok(())
}

const ADDRESSES: [&str; 14] = [
    "/",
    "/?path=0.1.0&at=2",
    "/?script=0&path=3.1.4.1.5&at=1&loop=2&claim=a+Dying+unit+is+removed",
    "/nearest?path=0&where=units.exists%28u%2C+u.life+%3D%3D+%22dead%22%29",
    "/counterexample?claim=a+Dying+unit+is+removed",
    "/scenario.toml?path=1.1",
    "/run.json?path=0.0&at=1&where=%3Cscript%3E",
    "/?open=unit+a%2F0&open=machine+1&list=faults&from=2",
    "/?path=line.0.line&line=client%3A+destroy-unit+a%2F0&line=client+1%3A+expose+a",
    "/what-if?path=0&with=relation-tracking%3Aremote-scope&with=crash%3Aon",
    "/?set=relation-tracking%3Aremote-scope&script=0&path=0&parts=%3Cscript%3E",
    "/step?path=0&step=client%3A+retry+destroy-unit+a%2F0",
    "/step?step=run+all+%3D%3E+no-op",
    "/step?step=user%3A+destroy-machine+1+%3D%3E+refused%3A+%3Cscript%3E",
];

/// Addresses of our own explorer after a few changes: each is answered, and the answer contains no
/// element that the address injected.
#[allow(dead_code, reason = "each answer does a run again, which takes the example too long")]
pub fn explored(runner: &mut TestRunner) -> Result<(), String> {
    let text = "shows = \"x\"\n[world.machines]\n0 = { jobs = [\"manage-model\"] }\n1 = {}\n\
                [world.applications]\na.units = [\"1\"]\n[user]\n\"destroy-unit a/0\" = 1\n";
    let scenario = scenario::parse("explored.toml".as_ref(), text).map_err(|it| it.to_string())?;
    let replay = replay::replay(&scenario).map_err(|it| it.problem.to_string())?;
    let clock = || -> Box<dyn Fn() -> Option<_> + Sync> { Box::new(|| None) };
    let explorer = Explorer::new(scenario, replay, Bounds::usual(Arc::new(clock)));
    let explorer = explorer.map_err(|problem| problem.to_string())?;
    check(runner, &(select(&ADDRESSES[..]), edits()), |(address, edits)| {
        let path = edited(address, &edits);
        let Some(answer) = explorer.answer(&path) else { return Ok(()) };
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).unwrap_or_default();
        prop_assert!(["200", "204", "303", "400"].contains(&status), "{answer}");
        let (head, _) = answer.split_once("\r\n\r\n").unwrap_or_default();
        prop_assert!(head.lines().all(|line| line.contains([':', ' '])), "{head}");
        prop_assert!(answer.matches("<script").count() <= 1, "{answer}");
        Ok(())
    })
}

/// A guard before a server, with requests over real sockets.
#[allow(dead_code, reason = "the example would wait for sockets most of its time")]
pub fn served(runner: &mut TestRunner) -> Result<(), String> {
    let guard = Guard::listen("127.0.0.1:0".parse().expect("an address"));
    let guard = guard.map_err(|error| error.to_string())?;
    let address = guard.address();
    thread::spawn(move || guard.serve(&(Arc::new(Obliging) as Arc<dyn Server>)));
    let requests = (select(&REQUESTS[..]), edits());
    check(runner, &requests, |(request, edits)| {
        let host = |request: &str| request.replace("127.0.0.1:3000", &address.to_string());
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(9)))?;
        stream.write_all(host(&edited(request, &edits)).as_bytes())?;
        // The guard sees the end of an unfinished request.
        stream.shutdown(std::net::Shutdown::Write)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        prop_assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 "), "{answer:?}");
        let mut stream = TcpStream::connect(address)?;
        stream.write_all(host(REQUESTS[0]).as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        prop_assert!(answer.ends_with("at your command"), "and on it goes: {answer}");
        Ok(())
    })
}

/// A server that answers every path.
#[allow(dead_code, reason = "as above")]
struct Obliging;

impl Server for Obliging {
    fn answer(&self, _path: &str) -> Option<Vec<u8>> {
        Some(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nat your command".to_vec())
    }
}
