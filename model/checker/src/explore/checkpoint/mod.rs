//! A checkpoint: two files from which a search goes on after its process was killed.
//!
//! One file has the states, their parents and the edges. It is only appended to, so a checkpoint
//! costs no more than the new ones. The other, the head, is small and replaced whole: it has the
//! length of the first file that counts, and all counts and findings. Both are on the disk before
//! the head takes its name, so a kill or a full disk at any moment leaves the last checkpoint.
//!
//! Each of several processes has such files of its own, and the head before the last one, too: a
//! process may be killed while it writes a part that the others have written. So all have one of
//! the same moment.
//!
//! Checkpoints are taken between batches. A search that goes on from one has the same states with
//! the same numbers, and the same memory in use, as one that never stopped.

mod growth;
mod head;

use std::{
    fs::{self, File, TryLockError},
    io::{self, BufRead as _, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use crc32fast::Hasher;

use self::head::{MARK, StatesEnd, begin_head, end_head, read_head};
pub(super) use self::{
    growth::{Growing, Written, read_edges, read_words, write_edges, write_words},
    head::{SavedSearch, read_number, read_u32, write_number},
};
use crate::budget::MemoryBudget;

/// The number of attempts of a process in a cluster to lock its files, and the time between two:
/// the process that held them before may take a moment to notice that its peers were killed.
const LOOKS: u32 = 250;
const POLL: Duration = Duration::from_millis(20);

/// The place and the question of a checkpoint, and when it is taken.
pub struct CheckpointOptions {
    /// The file of the head. The other file lies beside it.
    pub path: PathBuf,
    /// The facts on which the search depends besides its space, in lines; a checkpoint of another
    /// question is refused.
    pub question: String,
    /// Whether the search goes on from a checkpoint that is there. Otherwise it is removed.
    pub resume: bool,
    /// The least number of states that are expanded between two checkpoints, given the number at
    /// the first of them.
    pub interval: fn(u64) -> u64,
    /// Called once if a checkpoint cannot be written. The search goes on.
    pub failed: Box<dyn Fn(&CheckpointError) + Send + Sync>,
}

/// The files of a checkpoint. They are locked for as long as they are open.
pub struct Checkpoint {
    options: CheckpointOptions,
    files: Mutex<CheckpointFiles>,
}

/// Why a search cannot go on from a checkpoint, or why there is none.
#[derive(Debug)]
pub enum CheckpointError {
    /// A file cannot be read or written.
    Io(io::Error),
    InUse,
    /// The file has the layout of another version.
    Layout,
    /// The checkpoint answers another question; this is its first line that differs.
    Question(String),
    /// The bytes are not those that were written.
    Damaged,
    /// The space does not have the states that it has.
    Space,
    /// The search may not have as many states, or as many bytes, as the checkpoint.
    Limits {
        states: u64,
        /// The bytes that it needs.
        bytes: u64,
    },
    /// This process has no checkpoint of a moment of which all others have one.
    Process(usize),
    PeerLost,
}

impl CheckpointError {
    /// This error as `Damaged`, if the file ended early or had an impossible number.
    fn or_damaged(self) -> Self {
        use io::ErrorKind::{InvalidData, UnexpectedEof};
        match self {
            Self::Io(error) if matches!(error.kind(), InvalidData | UnexpectedEof) => Self::Damaged,
            other => other,
        }
    }
}

impl From<io::Error> for CheckpointError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

struct CheckpointFiles {
    states: File,
    /// The name that the last head takes when another one replaces it; `None` if it is not kept.
    before: Option<PathBuf>,
    /// The checkpoints that may be gone on from, the newest last.
    saved: Vec<(SavedSearch, AppendedExtent)>,
    appended: AppendedExtent,
    /// The end of the bytes that were appended for a checkpoint that does not count yet.
    prepared: Option<AppendedExtent>,
    /// Whether the newest head is void, so that the one before it is the last that counts.
    is_newest_void: bool,
    has_failed: bool,
    error: Option<CheckpointError>,
}

/// The part of a search that the appended file has.
#[derive(Clone, Default)]
struct AppendedExtent {
    bytes: u64,
    crc: Hasher,
    written: Written,
    expanded: u64,
}

impl Checkpoint {
    /// Opens the files of a checkpoint, whose folder has to exist.
    ///
    /// # Errors
    /// If the files cannot be opened, or if what is there is not to be gone on from. Then nothing
    /// is changed.
    pub fn open(options: CheckpointOptions) -> Result<Self, CheckpointError> {
        Self::open_files(options, None)
    }

    /// Opens the files of one of several processes.
    pub(super) fn open_shared(options: CheckpointOptions) -> Result<Self, CheckpointError> {
        let before = options.path.with_extension("before");
        Self::open_files(options, Some(before))
    }

    fn open_files(
        options: CheckpointOptions,
        before: Option<PathBuf>,
    ) -> Result<Self, CheckpointError> {
        let mut open = File::options();
        let mut states = open
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(states_file(&options.path))?;
        let mut looks = if before.is_some() { LOOKS } else { 1 };
        while let Err(error) = states.try_lock() {
            looks -= 1;
            match error {
                TryLockError::WouldBlock if looks > 0 => thread::sleep(POLL),
                TryLockError::WouldBlock => return Err(CheckpointError::InUse),
                TryLockError::Error(error) => return Err(error.into()),
            }
        }
        // A kill in the moment before it takes its name leaves a head.
        let _ = fs::remove_file(new_head(&options.path));
        let (mut saved, mut appended, mut newest) = (Vec::new(), AppendedExtent::default(), None);
        for path in before.iter().chain([&options.path]) {
            if options.resume
                && let Some(head) = if_there(fs::read(path))?
            {
                let (search, end) = read_head(&head, &options.question)?;
                appended.read_on(&mut states, &end)?;
                appended.expanded = search.expanded;
                saved.push((search, appended.clone()));
                newest = Some(path);
            } else {
                if_there(fs::remove_file(path))?;
            }
        }
        let files = CheckpointFiles {
            states,
            is_newest_void: newest.is_some_and(|path| *path != options.path),
            before,
            saved,
            appended,
            prepared: None,
            has_failed: false,
            error: None,
        };
        Ok(Self { options, files: Mutex::new(files) })
    }

    /// Why the search could not go on from it, if so. It was interrupted then, before it began.
    pub fn take_error(&self) -> Option<CheckpointError> {
        self.files().error.take()
    }

    /// Removes the files.
    ///
    /// # Errors
    /// If they cannot be removed.
    pub fn remove(self) -> io::Result<()> {
        let mut files = self.files();
        // Without its heads the other file is nothing.
        files.remove_heads(&self.options.path)?;
        (files.appended.bytes, files.prepared) = (0, None);
        Ok(())
    }

    /// The findings of the search that it is of, as [`Resumable::save`](super::Resumable::save)
    /// gave them; `None` if there is none, or a search has begun.
    pub fn findings(&self) -> Option<Vec<u8>> {
        self.files().saved.last().map(|(saved, _)| saved.findings.clone())
    }

    /// Forgets the search that it is of, as another one begins.
    pub(super) fn begin(&self) {
        let files = &mut *self.files();
        if files.appended.bytes > 0 {
            // If a head stays, it is replaced by the next one, or found to be damaged.
            let _ = files.remove_heads(&self.options.path);
            (files.appended, files.is_newest_void) = (AppendedExtent::default(), false);
        }
    }

    /// The numbers of expanded states at the checkpoints from which a search may go on; with 0, a
    /// new start, as long as no head was replaced.
    pub(super) fn moments(&self) -> Vec<u64> {
        let files = self.files();
        let is_first = files.before.as_ref().is_some_and(|before| !before.exists());
        let saved = files.saved.iter().map(|(search, _)| search.expanded);
        is_first.then_some(0).into_iter().chain(saved).collect()
    }

    /// Leaves only the checkpoint of this moment to be gone on from.
    pub(super) fn keep_only(&self, moment: u64) {
        let files = &mut *self.files();
        let newest = files.saved.last().map(|(search, _)| search.expanded);
        files.is_newest_void |= newest != Some(moment);
        files.saved.retain(|(search, _)| search.expanded == moment);
        if let Some((_, appended)) = files.saved.last() {
            files.appended = appended.clone();
        }
    }

    /// Notes why the search cannot go on from it.
    pub(super) fn refuse(&self, error: CheckpointError) {
        self.files().error = Some(error);
    }

    /// The newest checkpoint from which the search may go on, which is taken out.
    pub(super) fn take_saved(&self) -> Option<SavedSearch> {
        std::mem::take(&mut self.files().saved).pop().map(|(search, _)| search)
    }

    /// Adds the checkpoint's part to a search that has begun.
    pub(super) fn restore(
        &self,
        saved: &SavedSearch,
        search: &mut impl Growing,
    ) -> Result<(), CheckpointError> {
        let files = &mut *self.files();
        files.states.rewind()?;
        let mut from = BufReader::new((&files.states).take(files.appended.bytes));
        let mut written = search.begun();
        // Memory is counted as it was.
        let mut budget = MemoryBudget::unlimited();
        while !from.fill_buf()?.is_empty() {
            let read = search.read_more(&mut written, saved, &mut from, &mut budget);
            read.and_then(|()| Ok(from.read_exact(&mut [0; MARK])?))
                .map_err(CheckpointError::or_damaged)?;
        }
        files.appended.written = written;
        Ok(())
    }

    /// Whether a checkpoint is due: the interval since the last one is over, or the search is and
    /// has left one before, which would otherwise stay behind it.
    pub(super) fn is_due(&self, states: u64, expanded: u64) -> bool {
        let saved = self.files().appended.expanded;
        let is_over = states == expanded && saved > 0;
        expanded > saved && (is_over || expanded - saved >= (self.options.interval)(saved))
    }

    /// Takes a checkpoint. If it cannot be written, the last one stays, and the search goes on.
    pub(super) fn save(&self, search: &SavedSearch, growing: &impl Growing) {
        if self.prepare(search, growing) {
            self.count();
        }
    }

    /// Writes a checkpoint, which counts once [`Self::count`] is called, and says whether it could.
    pub(super) fn prepare(&self, search: &SavedSearch, growing: &impl Growing) -> bool {
        let files = &mut *self.files();
        let Err(error) = files.write(&self.options, search, growing) else { return true };
        // What was appended and does not count may be what fills the disk.
        let _ = files.states.set_len(files.appended.bytes);
        if !std::mem::replace(&mut files.has_failed, true) {
            (self.options.failed)(&error.into());
        }
        false
    }

    /// Makes the checkpoint count that was written last.
    pub(super) fn count(&self) {
        let files = &mut *self.files();
        files.appended = files.prepared.take().expect("it was written");
        files.is_newest_void = false;
    }

    fn files(&self) -> MutexGuard<'_, CheckpointFiles> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Checkpoint {
    fn drop(&mut self) {
        let files = self.files();
        if files.appended.bytes == 0 && files.prepared.is_none() {
            // Nothing was written that counts, or may.
            let _ = fs::remove_file(states_file(&self.options.path));
        }
    }
}

impl CheckpointFiles {
    fn write(
        &mut self,
        options: &CheckpointOptions,
        search: &SavedSearch,
        growing: &impl Growing,
    ) -> io::Result<()> {
        self.prepared = None;
        if self.is_newest_void {
            if_there(fs::remove_file(&options.path))?;
        }
        let mut appended = self.appended.clone();
        if appended.bytes == 0 {
            appended.written = growing.begun();
        }
        self.states.set_len(appended.bytes)?;
        self.states.seek(SeekFrom::Start(appended.bytes))?;
        let to = CrcFile { file: &self.states, bytes: appended.bytes, crc: appended.crc.clone() };
        let mut to = BufWriter::with_capacity(1 << 16, to);
        growing.write_more(&mut appended.written, search, &mut to)?;
        let (head, mark) = begin_head(&options.question, search);
        to.write_all(&mark)?;
        let CrcFile { bytes, crc, .. } = to.into_inner().map_err(io::IntoInnerError::into_error)?;
        self.states.sync_data()?;
        (appended.bytes, appended.crc, appended.expanded) = (bytes, crc, search.expanded);
        let checksum = appended.crc.clone().finalize();
        let head = end_head(head, appended.bytes, checksum);
        if let Some(before) = &self.before {
            if self.appended.bytes > 0 && !self.is_newest_void {
                fs::rename(&options.path, before)?;
            }
            self.is_newest_void = true;
        }
        replace(&options.path, &head)?;
        self.prepared = Some(appended);
        Ok(())
    }

    /// Removes the heads, the newest first.
    fn remove_heads(&self, newest: &Path) -> io::Result<()> {
        if_there(fs::remove_file(newest))?;
        self.before.iter().try_for_each(|it| if_there(fs::remove_file(it)).map(drop))
    }
}

/// The result of an operation on a file; `None` if there is no such file.
fn if_there<T>(done: io::Result<T>) -> io::Result<Option<T>> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        done => done.map(Some),
    }
}

/// A file, how many bytes were written to it, and their checksum.
struct CrcFile<'f> {
    file: &'f File,
    bytes: u64,
    crc: Hasher,
}

impl Write for CrcFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.crc.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl AppendedExtent {
    /// Goes on to an end of a file, which has to be as it says. What is behind it was never
    /// finished.
    fn read_on(&mut self, states: &mut File, end: &StatesEnd) -> Result<(), CheckpointError> {
        states.seek(SeekFrom::Start(self.bytes))?;
        let more = end.bytes.checked_sub(self.bytes).ok_or(CheckpointError::Damaged)?;
        let mut from = states.take(more);
        let mut buffer = vec![0; 1 << 16];
        loop {
            match from.read(&mut buffer)? {
                0 => break,
                read => self.crc.update(&buffer[..read]),
            }
        }
        if from.limit() > 0 || more < MARK as u64 || self.crc.clone().finalize() != end.checksum {
            return Err(CheckpointError::Damaged);
        }
        let mut mark = [0; MARK];
        states.seek(SeekFrom::Start(end.bytes - MARK as u64))?;
        states.read_exact(&mut mark)?;
        if mark != end.mark {
            return Err(CheckpointError::Damaged);
        }
        self.bytes = end.bytes;
        Ok(())
    }
}

fn states_file(head: &Path) -> PathBuf {
    head.with_extension("states")
}

/// The file that takes the place of a head once it is written.
fn new_head(head: &Path) -> PathBuf {
    head.with_extension("new")
}

/// Replaces a file whole, so that it lasts, or not at all.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = new_head(path);
    let written = File::create(&new).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let replaced = written.and_then(|()| fs::rename(&new, path));
    if replaced.is_err() {
        let _ = fs::remove_file(&new);
    }
    replaced?;
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}
