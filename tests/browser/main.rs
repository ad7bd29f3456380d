//! The pages as a reader sees them: in headless Chromium, with a new and empty profile.
//!
//! Without Chromium the tests report that and do nothing, unless `NEEDS_CHROMIUM` is set: then they
//! fail. `.ci/run` installs Chromium and sets it. Nothing here is timed: `PATIENCE` only bounds one
//! answer on the slowest machine.

#![cfg(target_os = "linux")]

mod access;
mod chromium;
mod devtools;
mod explorer;
mod hostile;
mod pages;
#[path = "../program/mod.rs"]
mod program;
mod runs;
mod tab;

use std::time::Duration;

/// The time that one answer of the browser may take.
const PATIENCE: Duration = Duration::from_secs(120);
