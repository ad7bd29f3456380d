//! Bytes on disk instead of in memory: written once, and read again where they are needed.
//!
//! The file has no name, so nothing is left of it however the process ends. What is read again
//! comes in pages, some of which are kept: most of what is read lies near what was read before.

use std::{
    fmt,
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::{Stop, budget::MemoryBudget};

/// The bytes of a page.
const PAGE: usize = 1 << 13;
/// The number of pages that are kept. A page can be at one place only, which it shares with others.
const PAGES: usize = 1 << 7;
/// The page of a place that has none.
const NONE: u64 = u64::MAX;

/// A folder for the edges of expanded states, which a search need not keep in memory.
#[derive(Clone)]
pub struct SpillFolder(Arc<Spill>);

struct Spill {
    path: PathBuf,
    failed: Box<dyn Fn(&io::Error) + Send + Sync>,
}

impl SpillFolder {
    /// A folder for edges; it has to exist. `failed` is called if something cannot be written
    /// there, and the search stops.
    pub fn new(path: &Path, failed: impl Fn(&io::Error) + Send + Sync + 'static) -> Self {
        Self(Arc::new(Spill { path: path.to_owned(), failed: Box::new(failed) }))
    }
}

impl fmt::Debug for SpillFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SpillFolder").field(&self.0.path).finish()
    }
}

/// Bytes in a file, one after the other.
#[derive(Debug)]
pub(super) struct SpilledBytes {
    folder: SpillFolder,
    len: u64,
    /// `None` as long as nothing was written.
    pages: Option<Mutex<FilePages>>,
}

/// The file, and the pages of it that are kept.
#[derive(Debug)]
struct FilePages {
    file: File,
    numbers: Vec<u64>,
    bytes: Vec<u8>,
}

impl SpilledBytes {
    pub(super) fn new(folder: &SpillFolder) -> Self {
        Self { folder: folder.clone(), len: 0, pages: None }
    }

    /// The number of bytes written.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The bytes of memory in use.
    pub(super) fn bytes(&self) -> u64 {
        self.pages.as_ref().map_or(0, |_| FilePages::BYTES)
    }

    /// Writes `bytes` behind those that are there, and returns where they begin.
    pub(super) fn append(&mut self, bytes: &[u8], budget: &mut MemoryBudget) -> Result<u64, Stop> {
        if self.pages.is_none() {
            budget.take(FilePages::BYTES)?;
        }
        let at = self.len;
        if let Err(error) = self.write(bytes) {
            (self.folder.0.failed)(&error);
            return Err(Stop::Spill);
        }
        self.len += bytes.len() as u64;
        Ok(at)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let pages = match &mut self.pages {
            Some(pages) => pages,
            none => none.insert(Mutex::new(FilePages::new(&self.folder.0.path)?)),
        };
        let pages = pages.get_mut().unwrap_or_else(PoisonError::into_inner);
        pages.file.seek(SeekFrom::Start(self.len))?;
        pages.file.write_all(bytes)?;
        // The last page may be kept as it was before.
        pages.forget(self.len / PAGE as u64);
        Ok(())
    }

    /// Adds the bytes from `at` on to `bytes`, this many.
    ///
    /// # Panics
    /// If they cannot be read: nobody else has the file, so its disk has failed.
    pub(super) fn read(&self, at: u64, count: usize, bytes: &mut Vec<u8>) {
        let mut pages = self.pages();
        let (mut at, mut left) = (at, count);
        while left > 0 {
            let within = remainder(at, PAGE);
            let taken = left.min(PAGE - within);
            let page = match pages.page(at / PAGE as u64) {
                Ok(page) => page,
                Err(error) => {
                    let folder = self.folder.0.path.display();
                    panic!("what was written to {folder} can no longer be read: {error}");
                }
            };
            bytes.extend_from_slice(&page[within..within + taken]);
            (at, left) = (at + taken as u64, left - taken);
        }
    }

    fn pages(&self) -> MutexGuard<'_, FilePages> {
        let pages = self.pages.as_ref().expect("what is read was written");
        pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FilePages {
    /// The bytes of memory of the pages.
    const BYTES: u64 = (PAGES * (PAGE + size_of::<u64>())) as u64;

    fn new(folder: &Path) -> io::Result<Self> {
        let file = tempfile::tempfile_in(folder)?;
        Ok(Self { file, numbers: vec![NONE; PAGES], bytes: vec![0; PAGES * PAGE] })
    }

    fn forget(&mut self, number: u64) {
        let place = place_of(number);
        if self.numbers[place] == number {
            self.numbers[place] = NONE;
        }
    }

    /// The page with this number, from memory or the file; behind the end of the file it has old
    /// bytes.
    fn page(&mut self, number: u64) -> io::Result<&[u8]> {
        let place = place_of(number);
        let page = &mut self.bytes[place * PAGE..][..PAGE];
        if self.numbers[place] != number {
            self.numbers[place] = NONE;
            self.file.seek(SeekFrom::Start(number * PAGE as u64))?;
            let mut filled = 0;
            while filled < PAGE {
                match self.file.read(&mut page[filled..]) {
                    Ok(0) => break,
                    Ok(read) => filled += read,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
            self.numbers[place] = number;
        }
        Ok(page)
    }
}

/// The place of a page among those that are kept.
fn place_of(number: u64) -> usize {
    remainder(number, PAGES)
}

fn remainder(number: u64, of: usize) -> usize {
    usize::try_from(number % of as u64).expect("it is less than one")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn byte(at: u64) -> u8 {
        ((at / 3) ^ (at >> 9)).to_le_bytes()[0]
    }

    #[test]
    fn bytes_come_back_from_wherever_they_lie() {
        let folder = tempfile::tempdir().unwrap();
        let never = |error: &io::Error| panic!("{error}");
        let mut spilled = SpilledBytes::new(&SpillFolder::new(folder.path(), never));
        let mut budget = MemoryBudget::unlimited();
        let mut read = Vec::new();
        for size in [1, 5, PAGE, 3 * PAGE - 7, PAGES * PAGE, 12] {
            let begin = spilled.len();
            let bytes: Vec<u8> = (begin..).take(size).map(byte).collect();
            assert_eq!(spilled.append(&bytes, &mut budget), Ok(begin));
            // What was read before is there, and what the last page of it has more.
            for (at, count) in [(begin, size), (0, 1), (begin / 2, size / 2), (begin, 1)] {
                read.clear();
                spilled.read(at, count, &mut read);
                assert!(read.iter().copied().eq((at..).take(count).map(byte)), "{count} at {at}");
            }
        }
        assert_eq!(budget.used(), spilled.bytes());
        assert_eq!(folder.path().read_dir().unwrap().count(), 0, "the file has no name");
    }

    #[test]
    fn a_folder_that_takes_nothing_stops_the_search() {
        let folder = tempfile::tempdir().unwrap();
        let told = Arc::new(Mutex::new(Vec::new()));
        let failed = {
            let told = told.clone();
            move |error: &io::Error| told.lock().unwrap().push(error.kind())
        };
        let gone = SpillFolder::new(&folder.path().join("gone"), failed);
        let mut spilled = SpilledBytes::new(&gone);
        let mut budget = MemoryBudget::unlimited();
        assert_eq!(spilled.append(&[1, 2], &mut budget), Err(Stop::Spill));
        assert_eq!(*told.lock().unwrap(), [io::ErrorKind::NotFound]);
        let mut small = MemoryBudget::of(Some(FilePages::BYTES - 1));
        assert_eq!(spilled.append(&[1, 2], &mut small), Err(Stop::Memory));
    }
}
