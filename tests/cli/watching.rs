//! Watching: scenarios are answered again when their files change.

use std::{
    fs::File,
    process::{Child, Stdio},
    thread,
    time::Duration,
};

use predicates::prelude::*;

use crate::fixture::{
    AS_EXPECTED, Folder, NOT_ASKED, UNEXPECTED, bug_as_it_is, bug_not_known, code_after, unit,
};

/// The file to which a `check --watch` of the folder `watched` writes.
const SAID: &str = "said.txt";

/// A `check --watch` of a folder, or of a file in it.
struct WatchedCheck {
    folder: Folder,
    child: Child,
    /// The number of times that its answers have ended.
    ends: usize,
}

impl WatchedCheck {
    fn begin(folder: Folder, path: &str) -> Self {
        let said = File::create(folder.path(SAID)).expect("made");
        let child = folder
            .process(["check", path, "--watch"])
            .stdout(said.try_clone().expect("one more"))
            .stderr(Stdio::from(said))
            .spawn()
            .expect("it starts");
        Self { folder, child, ends: 0 }
    }

    /// Its output up to the next end of its answers.
    fn next(&mut self) -> String {
        const END: &str = "until Ctrl-C\n";
        for _ in 0..3_000 {
            let said = self.folder.read(SAID);
            let parts: Vec<&str> = said.split(END).collect();
            if parts.len() > self.ends + 1 {
                self.ends += 1;
                return parts[self.ends - 1].to_owned();
            }
            assert!(self.child.try_wait().expect("it is ours").is_none(), "it ended: {said}");
            thread::sleep(Duration::from_millis(10));
        }
        panic!("nothing more is answered: {}", self.folder.read(SAID));
    }

    /// Its output after a file gets this text.
    fn after(&mut self, name: &str, text: &str) -> String {
        std::fs::write(self.folder.path(name), text).expect("written");
        self.next()
    }

    /// Its exit code after Ctrl-C.
    fn end(mut self) -> Option<i32> {
        code_after(&mut self.child, "-INT")
    }
}

impl Drop for WatchedCheck {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
    }
}

#[test]
fn scenarios_are_answered_again_when_their_file_changes() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let mut check = WatchedCheck::begin(folder, "bug.toml");
    let first = check.next();
    assert!(first.contains("1 scenario as expected\nwatching 1 file "), "{first}");
    let unexpected = check.after("bug.toml", &bug_not_known());
    assert!(unexpected.starts_with("bug.toml has changed\n"), "{unexpected}");
    assert!(unexpected.contains("FAIL"), "{unexpected}");
    let bad = check.after("bug.toml", "shows = 1");
    assert!(bad.contains("bug.toml:1:9"), "{bad}");
    let folder = &check.folder;
    std::fs::write(folder.path("saved"), bug_as_it_is()).expect("written");
    std::fs::rename(folder.path("saved"), folder.path("bug.toml")).expect("in its place");
    let again = check.next();
    assert!(again.contains("1 scenario as expected"), "{again}");
    assert_eq!(check.end(), Some(AS_EXPECTED));
}

#[test]
fn the_exit_code_is_that_of_the_last_answers() {
    for (text, code) in [(bug_not_known(), UNEXPECTED), ("shows = 1".to_owned(), NOT_ASKED)] {
        let folder = Folder::new().with("bug.toml", bug_as_it_is());
        let mut check = WatchedCheck::begin(folder, "bug.toml");
        check.next();
        check.after("bug.toml", &text);
        assert_eq!(check.end(), Some(code));
    }
}

#[test]
fn a_new_file_in_a_watched_folder_is_answered() {
    let folder = Folder::new().with("all/bug.toml", bug_as_it_is());
    let mut check = WatchedCheck::begin(folder, "all");
    check.next();
    let both = check.after("all/unit.toml", &unit());
    assert!(
        both.contains("2 scenarios as expected") && both.contains("watching 2 files "),
        "{both}"
    );
}

/// Without a folder of scenarios the built-in ones are answered, and none of them changes.
#[test]
fn the_scenarios_in_the_program_cannot_be_watched() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let shipped = "scenarios/relation-scope-bug/1-as-written.toml";
    for (paths, file) in [
        ("scenarios/relation-scope-bug", shipped),
        (shipped, shipped),
        ("bug.toml scenarios/relation-scope-bug/1-as-written.toml", shipped),
        ("", "scenarios/"),
    ] {
        let refused = folder.run(&format!("check {paths} --watch")).code(NOT_ASKED).stdout("");
        let says = format!("failed to watch {file}");
        let refused = refused.stderr(predicate::str::contains(says));
        let refused = refused.stderr(predicate::str::contains("it is in the program"));
        refused.stderr(predicate::str::contains("new --from"));
    }
}

#[test]
fn what_is_written_once_is_not_watched() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    for flag in ["--journal=j.jsonl", "--output=answer.txt", "--write-traces=found", "--diff"] {
        let refused = folder.run(&format!("check bug.toml --watch {flag}")).code(NOT_ASKED);
        refused.stderr(predicate::str::contains("cannot be used with"));
    }
    let nowhere = folder.run("check nowhere.toml --watch").code(NOT_ASKED);
    nowhere.stderr(predicate::str::contains("nowhere.toml"));
}

/// The system reports neither of these changes.
#[test]
fn a_folder_that_is_made_again_and_the_target_of_a_link_are_watched() {
    let folder = Folder::new().with("in/bug.toml", bug_as_it_is());
    let mut check = WatchedCheck::begin(folder, "in");
    check.next();
    std::fs::remove_dir_all(check.folder.path("in")).expect("removed");
    check.next();
    std::fs::create_dir(check.folder.path("in")).expect("made");
    let again = check.after("in/bug.toml", &bug_not_known());
    assert!(again.contains("FAIL"), "{again}");
    let once_more = check.after("in/bug.toml", &bug_as_it_is());
    assert!(once_more.contains("1 scenario as expected"), "{once_more}");
    assert_eq!(check.end(), Some(AS_EXPECTED));
    let folder = Folder::new().with("elsewhere/bug.toml", bug_as_it_is());
    std::os::unix::fs::symlink("elsewhere/bug.toml", folder.path("link.toml")).expect("linked");
    let mut check = WatchedCheck::begin(folder, "link.toml");
    check.next();
    let target = check.after("elsewhere/bug.toml", &bug_not_known());
    assert!(target.contains("FAIL"), "{target}");
    assert_eq!(check.end(), Some(UNEXPECTED));
}
