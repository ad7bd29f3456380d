//! Watching: a command answers again when one of its files changes, until Ctrl-C.
//!
//! What the system says of a folder is only a hint: a program that saves a file may write it in
//! several steps, or put another in its place. So folders are watched, and texts are compared. It
//! says nothing of a folder that was removed and made again, or of what a link leads to: so texts
//! are compared now and then without a hint, too, and after a change folders are watched anew.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::Duration,
};

use deathwatch_scenario::{
    Problem,
    input::{self, LARGEST_SCENARIO},
    scenario::{Address, display},
};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::{
    diagnostics::say,
    exit::{Abandon, Exit},
    interrupt, load,
};

/// The interval at which a command that waits looks for Ctrl-C.
const POLL: Duration = Duration::from_millis(20);
/// The time that a program has to save a file after its first change.
const SAVING: Duration = Duration::from_millis(100);

/// The number of intervals after which texts are compared without a hint.
const UNHINTED: u32 = 100;

/// The texts of files; `None` for one that cannot be read.
type FileContents = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// Answers about the scenarios that `paths` name, again after each change of their files. A problem
/// in a file is reported, and the next change awaited. The exit code is that of the last answers.
pub(crate) fn run(
    paths: &[PathBuf],
    answer: impl Fn() -> Result<Exit, Abandon>,
) -> Result<Exit, Abandon> {
    watchable(paths)?;
    let (sender, changes) = mpsc::sync_channel(1);
    let notice = move |event: notify::Result<Event>| {
        if event.map_or(true, |event| !event.kind.is_access()) {
            // One that was not seen yet stands for those that follow it.
            let _ = sender.try_send(());
        }
    };
    let mut watcher = notify::recommended_watcher(notice).map_err(|error| failed(&error))?;
    watch(&mut watcher, paths).map_err(|error| failed(&error))?;
    loop {
        let read = texts(paths);
        let exit = match answer() {
            Ok(exit) => exit,
            Err(Abandon::NobodyReads) => return Err(Abandon::NobodyReads),
            Err(stop) => stop.report(),
        };
        if !interrupt::is_pressed() {
            let files = if read.len() == 1 { "file" } else { "files" };
            say(format_args!("watching {} {files} until Ctrl-C", read.len()));
        }
        loop {
            if !is_changed(&changes) {
                return Ok(exit);
            }
            let now = texts(paths);
            if let Some(changed) = changed(&read, &now) {
                // One that is gone may come back, which texts will show.
                let _ = watch(&mut watcher, paths);
                say(format_args!("{} has changed", display(changed)));
                break;
            }
        }
    }
}

/// Checks that there are files to watch: the shipped scenarios are in the program.
fn watchable(paths: &[PathBuf]) -> Result<(), Abandon> {
    let files = load::files(paths)?;
    match files.iter().find(|address| input::is_offered(&address.file)) {
        None => Ok(()),
        Some(address) => {
            let file = display(&address.file);
            let message = format!("failed to watch {file}: it is in the program and cannot change");
            let help = "`deathwatch new --from NAME` writes a shipped scenario to a file";
            Err(Problem::new(message).with_help(help).into())
        }
    }
}

/// Watches folders: those that are named with all in them, and those that named files are in, as a
/// file that is put in the place of another is not watched.
fn watch(watcher: &mut RecommendedWatcher, paths: &[PathBuf]) -> notify::Result<()> {
    let (mut whole, mut flat) = (BTreeSet::new(), BTreeSet::new());
    for path in paths {
        let file = Address::given(path).file;
        match file.parent() {
            _ if file.is_dir() => whole.insert(file),
            Some(folder) if folder != Path::new("") => flat.insert(folder.to_owned()),
            Some(_) | None => flat.insert(PathBuf::from(".")),
        };
    }
    for folder in flat.difference(&whole) {
        watcher.watch(folder, RecursiveMode::NonRecursive)?;
    }
    whole.iter().try_for_each(|folder| watcher.watch(folder, RecursiveMode::Recursive))
}

/// Waits for a change of the files, and for its end; `false` if Ctrl-C comes first.
fn is_changed(changes: &Receiver<()>) -> bool {
    let mut waits = 0;
    while !interrupt::is_pressed() {
        waits += 1;
        match changes.recv_timeout(POLL) {
            Err(_) if waits == UNHINTED => return true,
            Ok(()) => {
                thread::sleep(SAVING);
                let _ = changes.try_recv();
                return true;
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
    }
    false
}

/// The texts of the files of scenarios.
fn texts(paths: &[PathBuf]) -> FileContents {
    // Each path by itself: another one may be gone for now.
    let files = paths.iter().flat_map(|path| match load::files(std::slice::from_ref(path)) {
        Ok(found) => found.into_iter().map(|address| address.file).collect(),
        Err(_) => vec![Address::given(path).file],
    });
    let text = |file: PathBuf| {
        let text = input::read(&file, LARGEST_SCENARIO).ok();
        (file, text)
    };
    files.map(text).collect()
}

/// The first file that differs.
fn changed<'a>(before: &'a FileContents, now: &'a FileContents) -> Option<&'a Path> {
    let files = before.keys().chain(now.keys());
    files.map(PathBuf::as_path).find(|file| before.get(*file) != now.get(*file))
}

fn failed(error: &notify::Error) -> Problem {
    Problem::new(format!("failed to watch the files: {error}"))
}
