//! Temporary files: beside the files that they are to replace. They are removed if they never do,
//! whether the command fails or a signal ends the process.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use deathwatch_study::destination;
use tempfile::{NamedTempFile, PersistError};

/// The temporary files that were made and have not replaced a file; some are gone already.
static FILES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

pub(crate) struct Temporary {
    file: NamedTempFile,
    path: PathBuf,
}

impl Temporary {
    /// A temporary file beside `path`, with the permissions of a new file.
    pub(crate) fn beside(path: &Path) -> io::Result<Self> {
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        if path.file_name().is_none() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        destination::make_folders_to(path)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".deathwatch-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        // The lock keeps signals out between making the file and noting it.
        let mut files = files();
        // An error must not name the temporary file, which means nothing to the user.
        let file = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
        files.insert(file.path().to_owned());
        let path = path.to_owned();
        Ok(Self { file, path })
    }

    /// The file that it is to replace.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn replace(self) -> io::Result<()> {
        self.become_the_file(NamedTempFile::persist)
    }

    /// Becomes the file, unless there is one by now.
    pub(crate) fn create(self) -> io::Result<()> {
        self.become_the_file(NamedTempFile::persist_noclobber)
    }

    fn become_the_file(
        self,
        persist: fn(NamedTempFile, PathBuf) -> Result<File, PersistError>,
    ) -> io::Result<()> {
        let name = self.file.path().to_owned();
        let persisted = persist(self.file, self.path);
        files().remove(&name);
        persisted.map(drop).map_err(|error| error.error)
    }
}

impl Write for Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // An error must not name the temporary file here, either.
        self.file.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_file_mut().flush()
    }
}

/// Removes all temporary files before the process ends at once. No new one can be made.
pub(crate) fn remove_all() {
    let files = files();
    for file in files.iter() {
        // It may have replaced its file in this moment.
        let _ = fs::remove_file(file);
    }
    std::mem::forget(files);
}

fn files() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}
