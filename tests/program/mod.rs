//! The program that tests start.

use std::{env, path::PathBuf};

/// The path of the program: the one that `DEATHWATCH` names, or that of the tests' own build.
///
/// `.ci/run` names the optimised one, which users run: it searches many times as fast. Only the
/// tests of Slurm start their own build: they end its jobs in the middle of a search.
pub(crate) fn program() -> PathBuf {
    let built = || PathBuf::from(env!("CARGO_BIN_EXE_deathwatch"));
    env::var_os("DEATHWATCH").map_or_else(built, PathBuf::from)
}
