//! The pages as a person meets them: in Chromium, headless, with a new and empty profile.
//!
//! Where there is no Chromium the tests say so and do nothing, unless `NEEDS_CHROMIUM` is set: then
//! that is a failure. `.ci/run` installs Chromium and sets it. Nothing here is timed: `PATIENCE` is
//! how long the slowest machine may take for one answer.

#![cfg(target_os = "linux")]

mod access;
mod chromium;
mod devtools;
mod explorer;
mod hostile;
mod pages;
mod runs;
mod tab;

use std::time::Duration;

/// The time that one answer of the browser may take.
const PATIENCE: Duration = Duration::from_secs(120);
