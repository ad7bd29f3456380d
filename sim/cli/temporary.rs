//! Files that are not whole yet: beside the file that they are to replace, and gone if they never
//! do, whether the command fails or a signal ends the process.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::NamedTempFile;

/// Those that were made and did not take their place; some are gone already.
static FILES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A file that is not whole yet.
pub(crate) struct Temporary {
    file: NamedTempFile,
    path: PathBuf,
}

impl Temporary {
    /// A file beside `path`, with the rights that a new file has.
    pub(crate) fn beside(path: &Path) -> io::Result<Self> {
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        if path.file_name().is_none() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".deathwatch-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        // No signal comes between the file and the note of it.
        let mut files = files();
        // The name of the temporary file tells nobody anything.
        let file = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
        files.insert(file.path().to_owned());
        let path = path.to_owned();
        Ok(Self { file, path })
    }

    /// The file that it is to replace.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Lets it take the place of the file that it is beside.
    pub(crate) fn replace(self) -> io::Result<()> {
        let name = self.file.path().to_owned();
        let replaced = self.file.persist(&self.path);
        files().remove(&name);
        replaced.map(drop).map_err(|error| error.error)
    }
}

impl Write for Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Removes all there are, before the process ends at once; none can be made any more.
pub(crate) fn remove_all() {
    let files = files();
    for file in files.iter() {
        // It may have taken its place in this moment.
        let _ = fs::remove_file(file);
    }
    std::mem::forget(files);
}

fn files() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}
