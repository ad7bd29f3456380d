//! The properties, one module for each kind of input.

#![allow(unreachable_pub, reason = "a test and an example share it")]

pub mod edits;
pub mod expressions;
pub mod http;
pub mod journals;
pub mod scenarios;

use std::{fmt::Debug, time::Duration};

use proptest::{
    prop_assert,
    strategy::Strategy,
    test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner},
};

/// A property, checked by a runner; the error names the smallest input that fails.
pub type Property = fn(&mut TestRunner) -> Result<(), String>;

#[allow(dead_code, reason = "only the example wants all")]
pub const ALL: [(&str, Property); 9] = [
    ("changed scenarios", scenarios::changed),
    ("any text", scenarios::any_text),
    ("any bytes", scenarios::any_bytes),
    ("steps", scenarios::steps),
    ("damaged journals", journals::damaged),
    ("changed journals", journals::changed),
    ("nested conditions", expressions::nested),
    ("any request", http::any_bytes),
    ("changed requests", http::changed),
];

/// A time that no input of these sizes may take.
const TOO_LONG: Duration = Duration::from_secs(10);

/// Asserts that `done` ends in time.
#[expect(clippy::disallowed_types, reason = "no result depends on it but that of the test")]
pub fn in_time(done: impl FnOnce() -> Result<(), TestCaseError>) -> Result<(), TestCaseError> {
    let begun = std::time::Instant::now();
    done()?;
    prop_assert!(begun.elapsed() < TOO_LONG, "it took {:?}", begun.elapsed());
    Ok(())
}

/// A runner whose inputs depend only on the number of the round.
pub fn with_seed(round: u64, cases: u32) -> TestRunner {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&round.to_le_bytes());
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed))
}

/// Checks that `holds` succeeds for the values of `strategy`.
pub fn check<S: Strategy<Value: Debug>>(
    runner: &mut TestRunner,
    strategy: &S,
    holds: impl Fn(S::Value) -> Result<(), TestCaseError>,
) -> Result<(), String> {
    runner.run(strategy, holds).map_err(|failure| failure.to_string())
}
