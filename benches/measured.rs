//! Shared parts of benchmarks: processes of their own, their peak memory, medians.

use std::{env, process::Command};

/// The peak memory of this process in bytes, as the system reports it; 0 where it does not.
pub(crate) fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}

/// Runs this program again with `arguments`, and reads the figures that it prints.
pub(crate) fn child(arguments: &[&str]) -> Vec<f64> {
    let this = env::current_exe().expect("a running program has a file");
    let output = Command::new(this).args(arguments).output().expect("the same program runs again");
    let text = String::from_utf8_lossy(&output.stdout);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?} failed: {said}");
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
