//! Input: ordinary files, read without ever waiting for somebody to write them.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read as _},
    path::Path,
};

/// The greatest size of a scenario file, in bytes: a world of 100,000 machines and a script of a
/// million steps fit.
pub const LARGEST_SCENARIO: u64 = 256 << 20;

/// Reads the ordinary file at `path`, which has at most `largest` bytes.
///
/// # Errors
/// If it cannot be read, is larger, or is no ordinary file.
pub fn read(path: &Path, largest: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    // The path may lead to another file than when somebody looked at it.
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not an ordinary file"));
    }
    let mut bytes = Vec::new();
    file.take(largest.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > largest {
        return Err(io::Error::other(format!("it has more than {} MiB", largest >> 20)));
    }
    Ok(bytes)
}

/// Opens a file for reading. Reading a pipe or a log of the kernel then fails instead of waiting.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    options.open(path)
}
