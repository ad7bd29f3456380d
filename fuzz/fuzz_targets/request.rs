//! Any bytes as a request to the explorer: none from elsewhere is allowed.
#![no_main]

use std::net::{Ipv4Addr, SocketAddr};

use deathwatch_show::loopback::{Judgement, judge};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let here = SocketAddr::from((Ipv4Addr::LOCALHOST, 3000));
    if let Judgement::Allowed(path) = judge(bytes, here) {
        let says_host = bytes.windows(5).any(|it| it.eq_ignore_ascii_case(b"host:"));
        assert!(path.starts_with('/') && says_host, "{path}");
    }
});
