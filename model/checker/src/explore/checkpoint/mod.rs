//! A checkpoint: what a search needs to go on after its process was killed.
//!
//! It has two files. One has the states, their parents and the edges, and is only appended to, so a
//! checkpoint costs what is new. The other, the head, is small and replaced whole: it says how much
//! of the first file counts, and everything else that goes on from there. Both are on the disk
//! before the head takes its name, so a kill or a full disk at any moment leaves the last one.
//!
//! Checkpoints are taken between batches. A search that goes on from one has the same states with
//! the same numbers, and the same memory in use, as one that never stopped.

mod head;

use std::{
    fs::{self, File, TryLockError},
    io::{self, BufRead as _, BufReader, BufWriter, Read, Seek as _, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use crc32fast::Hasher;

pub(super) use self::head::{SavedSearch, read_number, write_number};
use self::head::{read_head, read_u32, write_head};

use super::{StateGraph, generated::Generated};
use crate::{budget::MemoryBudget, graph::Label};

/// What a checkpoint is of, and where it is.
pub struct CheckpointOptions {
    /// The file of the head. The other file lies beside it.
    pub path: PathBuf,
    /// What the search depends on besides its space, in lines; a checkpoint of another question is
    /// refused.
    pub question: String,
    /// Whether to go on from a checkpoint that is there. Otherwise it is removed.
    pub resume: bool,
    /// How many states are expanded between two checkpoints, at least, if the first has expanded
    /// this many.
    pub interval: fn(u32) -> u32,
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
    /// Another process has it open.
    InUse,
    /// It was written by another version, in another layout.
    Layout,
    /// It is of another question: the first line in which they differ, as it has it.
    Question(String),
    /// It is not what was written.
    Damaged,
    /// The space does not have the states that it has.
    Space,
    /// It has more states, or needs more bytes, than the search may.
    Limits {
        /// The states that it has.
        states: u32,
        /// The bytes that it needs.
        bytes: u64,
    },
}

impl From<io::Error> for CheckpointError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// What is on the disk.
struct CheckpointFiles {
    states: File,
    /// The checkpoint to go on from.
    saved: Option<SavedSearch>,
    appended: Appended,
    has_failed: bool,
    error: Option<CheckpointError>,
}

/// How much of a search the appended file has.
#[derive(Clone, Default)]
struct Appended {
    bytes: u64,
    crc: Hasher,
    states: u32,
    /// The parent of the last state.
    parent: u32,
    expanded: u32,
    sequences: u32,
}

impl Checkpoint {
    /// Opens the files of a checkpoint, whose folder has to exist.
    ///
    /// # Errors
    /// If the files cannot be opened, or if what is there is not to be gone on from. Then nothing
    /// is changed.
    pub fn open(options: CheckpointOptions) -> Result<Self, CheckpointError> {
        let mut open = File::options();
        let mut states = open
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(states_file(&options.path))?;
        match states.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(CheckpointError::InUse),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        // A kill in the moment before it takes its name leaves a head.
        let _ = fs::remove_file(new_head(&options.path));
        let head = match fs::read(&options.path) {
            Ok(head) if options.resume => Some(head),
            Ok(_) => {
                fs::remove_file(&options.path)?;
                None
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        let (mut saved, mut appended) = (None, Appended::default());
        if let Some(head) = head {
            let (search, bytes, crc) = read_head(&head, &options.question)?;
            appended = Appended::read(&mut states, bytes, crc)?;
            saved = Some(search);
        }
        let files = CheckpointFiles { states, saved, appended, has_failed: false, error: None };
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
        // Without its head the other file is nothing.
        match fs::remove_file(&self.options.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        self.files().appended.bytes = 0;
        Ok(())
    }

    /// The findings of the search that it is of, as [`Resumable::save`](super::Resumable::save)
    /// gave them; `None` if there is none, or a search has begun.
    pub fn findings(&self) -> Option<Vec<u8>> {
        self.files().saved.as_ref().map(|saved| saved.findings.clone())
    }

    /// Forgets the search that it is of, as another one begins.
    pub(super) fn begin(&self) {
        let files = &mut *self.files();
        if files.appended.bytes > 0 {
            // If the head stays, it is replaced by the next one, or found to be damaged.
            let _ = fs::remove_file(&self.options.path);
            files.appended = Appended::default();
        }
    }

    /// Notes why the search cannot go on from it.
    pub(super) fn refuse(&self, error: CheckpointError) {
        self.files().error = Some(error);
    }

    /// What to go on from, if there is something.
    pub(super) fn take_saved(&self) -> Option<SavedSearch> {
        self.files().saved.take()
    }

    /// Adds to an empty graph what the checkpoint has.
    pub(super) fn restore(
        &self,
        saved: &SavedSearch,
        graph: &mut StateGraph,
    ) -> Result<(), CheckpointError> {
        let mut files = self.files();
        let bytes = files.appended.bytes;
        files.states.rewind()?;
        let mut from = BufReader::new((&files.states).take(bytes));
        let mut appended = Appended::default();
        // Memory is counted as it was.
        let mut budget = MemoryBudget::unlimited();
        while !from.fill_buf()?.is_empty() {
            appended.read_part(&mut from, saved, graph, &mut budget)?;
        }
        if (appended.states, appended.expanded) != (saved.states, saved.expanded) {
            return Err(CheckpointError::Damaged);
        }
        let crc = files.appended.crc.clone();
        files.appended = Appended { bytes, crc, ..appended };
        Ok(())
    }

    /// Whether it is worth the work to take a checkpoint of a search that has come so far.
    pub(super) fn is_due(&self, states: u32, expanded: u32) -> bool {
        let saved = self.files().appended.expanded;
        let is_over = states == expanded && saved > 0;
        expanded > saved && (is_over || expanded - saved >= (self.options.interval)(saved))
    }

    /// Takes a checkpoint. If it cannot be written, the last one stays, and the search goes on.
    pub(super) fn save(&self, search: &SavedSearch, graph: &StateGraph) {
        let files = &mut *self.files();
        if let Err(error) = files.save(&self.options, search, graph) {
            // What was appended and does not count may be what fills the disk.
            let _ = files.states.set_len(files.appended.bytes);
            if !std::mem::replace(&mut files.has_failed, true) {
                (self.options.failed)(&error.into());
            }
        }
    }

    fn files(&self) -> MutexGuard<'_, CheckpointFiles> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Checkpoint {
    fn drop(&mut self) {
        if self.files().appended.bytes == 0 {
            // Nothing was written that counts.
            let _ = fs::remove_file(states_file(&self.options.path));
        }
    }
}

impl CheckpointFiles {
    fn save(
        &mut self,
        options: &CheckpointOptions,
        search: &SavedSearch,
        graph: &StateGraph,
    ) -> io::Result<()> {
        let mut appended = self.appended.clone();
        self.states.set_len(appended.bytes)?;
        self.states.seek(SeekFrom::Start(appended.bytes))?;
        let to = Checked { file: &self.states, bytes: appended.bytes, crc: appended.crc.clone() };
        let mut to = BufWriter::with_capacity(1 << 16, to);
        appended.write_part(&mut to, search, graph)?;
        let Checked { bytes, crc, .. } = to.into_inner().map_err(io::IntoInnerError::into_error)?;
        self.states.sync_data()?;
        (appended.bytes, appended.crc) = (bytes, crc);
        let checksum = appended.crc.clone().finalize();
        let head = write_head(&options.question, search, appended.bytes, checksum);
        replace(&options.path, &head)?;
        self.appended = appended;
        Ok(())
    }
}

/// A file, how many bytes were written to it, and their checksum.
struct Checked<'f> {
    file: &'f File,
    bytes: u64,
    crc: Hasher,
}

impl Write for Checked<'_> {
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

impl Appended {
    /// What a file has, if its first `bytes` have this checksum. What is behind them was never
    /// finished.
    fn read(states: &mut File, bytes: u64, checksum: u32) -> Result<Self, CheckpointError> {
        states.rewind()?;
        let mut crc = Hasher::new();
        let mut from = states.take(bytes);
        let mut buffer = vec![0; 1 << 16];
        loop {
            match from.read(&mut buffer)? {
                0 => break,
                read => crc.update(&buffer[..read]),
            }
        }
        if from.limit() > 0 || crc.clone().finalize() != checksum {
            return Err(CheckpointError::Damaged);
        }
        Ok(Self { bytes, crc, ..Self::default() })
    }

    /// Writes what a search has more. A word of a state is written as its difference from that of
    /// the parent, which is mostly none.
    fn write_part(
        &mut self,
        to: &mut impl Write,
        search: &SavedSearch,
        graph: &StateGraph,
    ) -> io::Result<()> {
        let sequences = graph.sequences();
        let expanded = if search.store_edges { search.expanded - self.expanded } else { 0 };
        for count in [search.states - self.states, sequences - self.sequences, expanded] {
            write_number(to, count.into())?;
        }
        let (mut state, mut before) = (vec![0; search.words], vec![0; search.words]);
        for id in self.states..search.states {
            graph.read(id, &mut state);
            before.fill(0);
            if id >= search.starts {
                let parent = graph.parent(id);
                write_number(to, (parent - self.parent).into())?;
                self.parent = parent;
                graph.read(parent, &mut before);
            }
            for (word, before) in state.iter().zip(&before) {
                write_number(to, word ^ before)?;
            }
        }
        for sequence in self.sequences..sequences {
            let labels = graph.labels(sequence);
            write_number(to, labels.len() as u64)?;
            labels.iter().try_for_each(|label| write_number(to, label.code().into()))?;
        }
        for id in (self.expanded..search.expanded).take(expanded as usize) {
            let (sequence, targets) = graph.encoded_edges(id);
            write_number(to, sequence.into())?;
            write_number(to, targets.len() as u64)?;
            to.write_all(&targets)?;
        }
        (self.states, self.sequences) = (search.states, sequences);
        self.expanded = search.expanded;
        Ok(())
    }

    /// Reads what [`Self::write_part`] wrote, and adds it to `graph`.
    fn read_part(
        &mut self,
        from: &mut impl Read,
        search: &SavedSearch,
        graph: &mut StateGraph,
        budget: &mut MemoryBudget,
    ) -> Result<(), CheckpointError> {
        let [states, sequences, expanded] = [read_u32(from)?, read_u32(from)?, read_u32(from)?];
        let (mut state, mut before) = (vec![0; search.words], vec![0; search.words]);
        for id in (self.states..).take(states as usize) {
            before.fill(0);
            if id >= search.starts {
                self.parent = self.parent.saturating_add(read_u32(from)?);
                if self.parent >= id {
                    return Err(CheckpointError::Damaged);
                }
                graph.read(self.parent, &mut before);
            }
            for (word, before) in state.iter_mut().zip(&before) {
                *word = read_number(from)? ^ before;
            }
            let hash = graph.store().hash(&state);
            let new = Generated { state: &state, hash, source: self.parent };
            let added = if id < search.starts {
                graph.add_start(&state, budget)
            } else {
                graph.add(new, budget).map(drop)
            };
            added.map_err(|_| CheckpointError::Damaged)?;
        }
        let mut labels = Vec::new();
        for _ in 0..sequences {
            labels.clear();
            for _ in 0..read_u32(from)? {
                let code = u16::try_from(read_number(from)?);
                labels.push(Label::of_code(code.map_err(|_| CheckpointError::Damaged)?));
            }
            graph.add_sequence(&labels, budget).map_err(|_| CheckpointError::Damaged)?;
        }
        let mut targets = Vec::new();
        for _ in 0..expanded {
            let sequence = read_u32(from)?;
            if sequence >= graph.sequences() {
                return Err(CheckpointError::Damaged);
            }
            targets.clear();
            let length = read_number(from)?;
            from.take(length).read_to_end(&mut targets)?;
            let added = graph.add_edges(&[], Some(sequence), &targets, budget);
            added.map_err(|_| CheckpointError::Damaged)?;
        }
        self.states += states;
        self.sequences += sequences;
        self.expanded = if search.store_edges { self.expanded + expanded } else { search.expanded };
        Ok(())
    }
}

/// The file beside a head.
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
