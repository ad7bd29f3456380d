//! Input: ordinary files. A pipe is refused, as reading it might wait for ever.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fs::{File, OpenOptions},
    io::{self, Read as _},
    path::{Path, PathBuf},
    sync::{LazyLock, OnceLock},
};

/// The greatest size of a scenario file, in bytes: a world of 100,000 machines and a script of a
/// million steps fit.
pub const LARGEST_SCENARIO: u64 = 256 << 20;

/// Files that are in the program, by paths that no file on the disk has.
pub type Offered = BTreeMap<PathBuf, Cow<'static, [u8]>>;

static OFFER: OnceLock<fn() -> Offered> = OnceLock::new();
static OFFERED: LazyLock<Offered> =
    LazyLock::new(|| OFFER.get().map_or_else(Offered::new, |offered| offered()));

/// Makes files that are in the program readable: once, before any file is read.
pub fn offer(files: fn() -> Offered) {
    // One program has one set of files.
    let _ = OFFER.set(files);
}

/// Whether the file at `path` is one of those that the program contains.
pub fn is_offered(path: &Path) -> bool {
    OFFERED.contains_key(plain(path))
}

/// The files in the program that are `path` or below it.
pub(crate) fn offered_below(path: &Path) -> impl Iterator<Item = &'static Path> {
    OFFERED.keys().map(PathBuf::as_path).filter(move |file| file.starts_with(plain(path)))
}

/// The path without "./".
pub(crate) fn plain(path: &Path) -> &Path {
    path.strip_prefix(".").unwrap_or(path)
}

/// Reads the ordinary file at `path`, which has at most `largest` bytes, or the file in the
/// program.
///
/// # Errors
/// If it cannot be read, is larger, or is no ordinary file.
pub fn read(path: &Path, largest: u64) -> io::Result<Vec<u8>> {
    if let Some(bytes) = OFFERED.get(plain(path)) {
        return Ok(bytes.to_vec());
    }
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
