//! When the program is built again: when a shipped scenario is new or gone, too.
//!
//! The scenarios are in the program. The compiler knows of those that it has read, and not of their
//! folder. A build with debug assertions reads them as it runs.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed=scenarios");
    }
}
