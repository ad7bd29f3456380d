//! Destinations: files that are written. Missing folders are made, and a pipe without a reader is
//! an error, not a wait.

use std::{
    fs::{self, File},
    io,
    path::Path,
};

/// Makes the missing folders that lead to the file at `path`. Every file that is written has them
/// made.
///
/// # Errors
/// If one of them cannot be made.
pub fn make_folders_to(path: &Path) -> io::Result<()> {
    let Some(folder) = path.parent().filter(|folder| *folder != Path::new("")) else {
        return Ok(());
    };
    fs::create_dir_all(folder).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => io::ErrorKind::NotADirectory.into(),
        _ => error,
    })
}

/// The opened device or pipe at `path`; `None` if there is an ordinary file or nothing. A pipe
/// needs a reader.
///
/// # Errors
/// If it is a folder, a disk, a socket, or a pipe that nobody reads: to wait for a reader might
/// take for ever.
pub fn open_special(path: &Path) -> io::Result<Option<File>> {
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(data) if !data.is_file() => open_without_waiting(path, &data).map(Some),
        Ok(_) | Err(_) => Ok(None),
    }
}

#[cfg(unix)]
fn open_without_waiting(path: &Path, data: &fs::Metadata) -> io::Result<File> {
    use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};

    use rustix::{
        fs::{OFlags, fcntl_getfl, fcntl_setfl},
        io::Errno,
    };

    let kind = data.file_type();
    if kind.is_socket() || kind.is_block_device() {
        let what = if kind.is_socket() { "it is a socket" } else { "it is a disk" };
        return Err(io::Error::other(what));
    }
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
    let opened = File::options().write(true).custom_flags(flags).open(path);
    let file = opened.map_err(|error| match Errno::from_io_error(&error) {
        Some(Errno::NXIO) => io::Error::other("it is a pipe that nobody reads"),
        _ => error,
    })?;
    // A slow reader is waited for, as at the end of any pipe.
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(file)
}

#[cfg(not(unix))]
fn open_without_waiting(path: &Path, _: &fs::Metadata) -> io::Result<File> {
    File::options().write(true).open(path)
}
