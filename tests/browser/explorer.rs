//! The explorer, on loopback: through the bug of the relation's scope to its stuck end, and back.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::{
    PATIENCE,
    access::assert_accessible,
    chromium::Browser,
    program::program,
    tab::{Scripts, Tab},
};

const BUG: &str = "scenarios/relation-scope-bug/1-as-written.toml";

/// An explorer that listens, until it is dropped.
struct BrowsedExplorer {
    process: Child,
    home: String,
}

impl BrowsedExplorer {
    fn start(file: &str) -> Self {
        let mut command = deathwatch(&["explore", file, "--address", "127.0.0.1:0"]);
        let mut process = command.stderr(Stdio::piped()).spawn().expect("it runs");
        let mut said = String::new();
        let stderr = process.stderr.take().expect("it is piped");
        let mut stderr = BufReader::new(stderr);
        let home = loop {
            assert_ne!(stderr.read_line(&mut said).expect("text"), 0, "it listens: {said}");
            if let Some((_, rest)) = said.split_once(" on http://") {
                let address = rest.split('/').next().expect("an address");
                break format!("http://{address}/");
            }
        };
        // Its further output is discarded, so that it never blocks.
        thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
        Self { process, home }
    }
}

impl Drop for BrowsedExplorer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn deathwatch(args: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.args(args).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    command
}

/// The steps of the shortest run to the stuck end, as lines of a script.
fn lines() -> Vec<String> {
    let args = ["replay", BUG, "--counterexample", "--format", "json", "--states", "first"];
    let output = deathwatch(&args).output().expect("it runs");
    let document: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let steps = document["runs"][0]["steps"].as_array().expect("steps");
    steps.iter().map(|step| step["line"].as_str().expect("a line").to_owned()).collect()
}

/// Waits until the page of this step has loaded.
fn arrive(tab: &mut Tab, step: usize, of: usize) {
    let said = format!("step {step} of {of}");
    tab.wait_until(&format!("document.querySelector('#position')?.innerText.includes('{said}')"));
}

/// Clicks the only element that this selector finds.
fn click(tab: &mut Tab, selector: &str) {
    let selector = Value::from(selector).to_string();
    assert_eq!(tab.ask(&format!("document.querySelectorAll({selector}).length")), 1, "{selector}");
    tab.ask(&format!("document.querySelector({selector}).click()"));
}

#[test]
fn the_explorer_goes_through_the_bug_and_back_and_saves_it() {
    let Some(browser) = Browser::shared() else { return };
    let explorer = BrowsedExplorer::start(BUG);
    let lines = lines();
    let last = lines.len();
    for scripts in [Scripts::On, Scripts::Off] {
        let mut tab = Tab::new(&browser, scripts);
        tab.open(&explorer.home, &explorer.home);
        for (step, line) in lines.iter().enumerate() {
            click(&mut tab, &format!("a.take[title={}]", Value::from(line.as_str())));
            arrive(&mut tab, step + 1, step + 1);
        }
        let next = tab.text("document.querySelector('#next').innerText");
        assert!(next.contains("Nobody who is assumed to act can do anything."), "{next}");
        let left = tab.ask("[...document.querySelectorAll('a.take')].map((it) => it.title)");
        let outside = ["faults: ", "client: "];
        let is_fault = |it: &Value| {
            it.as_str().is_some_and(|it| outside.iter().any(|who| it.starts_with(who)))
        };
        assert!(left.as_array().is_some_and(|left| left.iter().all(is_fault)), "{left}");
        let why = "document.querySelector('section[aria-label=Why]').innerText";
        let why_at_end = tab.text(why);
        assert!(why_at_end.contains("does not know that it is in a scope"), "{why_at_end}");
        assert!(why_at_end.contains("root"), "{why_at_end}");

        let back = |tab: &mut Tab, key: &str, to: usize| {
            match scripts {
                Scripts::On => tab.press(key),
                Scripts::Off => click(tab, &format!("li:nth-child({}).row > a", to + 1)),
            }
            arrive(tab, to, last);
        };
        back(&mut tab, "ArrowLeft", last - 1);
        let deploy = Value::from(lines[last - 1].as_str());
        let can_go_on = format!("document.querySelector(`a.take[title={deploy}]`) !== null");
        assert_eq!(tab.ask(&can_go_on), true, "what was done can be done");
        assert_eq!(tab.ask("document.querySelectorAll('.row a[aria-current=step]').length"), 1);
        back(&mut tab, "Home", 0);
        back(&mut tab, "End", last);
        assert_eq!(tab.text(why), why_at_end, "back at the same state");

        assert_saves(&mut tab);
        assert_eq!(tab.complaints(), [""; 0], "scripts {scripts:?}");
    }
}

/// Saves the run, and has `check` and `replay` read the file.
fn assert_saves(tab: &mut Tab) {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    tab.download_to(folder.path());
    click(tab, "#save");
    let begun = Instant::now();
    let file = loop {
        let mut files = fs::read_dir(folder.path()).expect("it is there");
        let is_whole = |path: &std::path::PathBuf| path.extension().is_some_and(|it| it == "toml");
        if let Some(file) = files.find_map(|it| it.ok().map(|it| it.path()).filter(is_whole)) {
            break file.display().to_string();
        }
        assert!(begun.elapsed() < PATIENCE, "nothing is saved");
        thread::sleep(Duration::from_millis(20));
    };
    for command in ["replay", "check"] {
        let output = deathwatch(&[command, &file]).output().expect("it runs");
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        let text = fs::read_to_string(&file).expect("text");
        assert!(output.status.success(), "{command}: {said}\n{text}");
    }
}

#[test]
fn the_explorer_can_be_read_by_everybody() {
    let Some(browser) = Browser::shared() else { return };
    let explorer = BrowsedExplorer::start(BUG);
    let mut tab = Tab::new(&browser, Scripts::On);
    tab.open(&explorer.home, &explorer.home);
    assert_accessible(&mut tab, "the explorer at the start");
    let stuck =
        format!("{}counterexample?claim=a%20Dying%20relation%20is%20removed", explorer.home);
    tab.open(&stuck, &explorer.home);
    arrive(&mut tab, 5, 5);
    assert_accessible(&mut tab, "the explorer at the stuck end");
    assert_eq!(tab.complaints(), [""; 0]);
}

/// The board can be read at every width, and a cell opens its run with the headline first.
#[test]
fn the_board_of_verdicts_opens_runs() {
    let Some(browser) = Browser::shared() else { return };
    let explorer = BrowsedExplorer::start(BUG);
    for scripts in [Scripts::On, Scripts::Off] {
        let mut tab = Tab::new(&browser, scripts);
        tab.open(&explorer.home, &explorer.home);
        assert_eq!(tab.ask("document.querySelector('table.board')"), Value::Null);
        click(&mut tab, "#board a");
        tab.wait_until("document.querySelector('table.board') !== null");
        assert_accessible(&mut tab, "the board of verdicts");
        click(&mut tab, "table.board tfoot td:nth-child(2) a");
        tab.wait_until("document.querySelector('h1').innerText.includes('every number')");
        assert_accessible(&mut tab, "the answers for every number of units");
        click(&mut tab, "main a");
        tab.wait_until("document.querySelector('table.board tfoot') !== null");
        click(&mut tab, "table.board td.violated:nth-child(2) a");
        arrive(&mut tab, 5, 5);
        let top = "document.querySelector('#headline').getBoundingClientRect().bottom < 500";
        assert_eq!(tab.ask(top), true, "the headline is on the first screen");
        let said = tab.text("document.querySelector('#headline').innerText");
        assert!(said.contains("a Dying relation is removed"), "{said}");
        assert!(said.contains("does not know that it is in a scope"), "{said}");
        assert_eq!(tab.complaints(), [""; 0], "scripts {scripts:?}");
    }
}

/// The question whether a fix helps is one click: it shows the run again, the step at which it
/// departs, and the verdict.
#[test]
fn what_if_the_world_were_otherwise_is_one_click() {
    let Some(browser) = Browser::shared() else { return };
    let explorer = BrowsedExplorer::start(BUG);
    let counterexample = "counterexample?claim=a%20Dying%20relation%20is%20removed";
    for scripts in [Scripts::On, Scripts::Off] {
        let mut tab = Tab::new(&browser, scripts);
        tab.open(&format!("{}{counterexample}", explorer.home), &explorer.home);
        arrive(&mut tab, 5, 5);
        let href = "a[href*='with=relation-tracking%3Aremote-scope']";
        click(&mut tab, href);
        tab.wait_until("document.querySelector('#verdict') !== null");
        let what_if = "document.querySelector('#what-if').innerText.replace(/\\s+/g, ' ')";
        let said = tab.text(what_if);
        for expected in [
            "set: relation-tracking = remote-scope",
            "a Dying relation is removed: after this run it holds, among 18 states; from the start \
             it holds, among 81 states",
        ] {
            assert!(said.contains(expected), "{expected}: {said}");
        }
        assert_eq!(
            tab.ask("document.querySelector('#parts')"),
            Value::Null,
            "each step is possible"
        );
        // The address of every step holds the setting.
        click(&mut tab, "li:nth-child(3).row > a");
        arrive(&mut tab, 2, 5);
        assert!(tab.text(what_if).contains("set: relation-tracking = remote-scope"));
        assert!(tab.text("location.search").contains("set=relation-tracking%3Aremote-scope"));
        // One more click leads back to the file's own setting, with the same run.
        click(&mut tab, "#what-if .chips a.chip");
        tab.wait_until("document.querySelector('#verdict') !== null");
        let said = tab.text(what_if);
        assert!(said.contains("from the start it is violated"), "{said}");
        assert_eq!(tab.complaints(), [""; 0]);
    }
}

/// An open page shows that its file has changed, and leads to its run in the new world.
#[test]
fn an_open_page_notices_that_its_file_has_changed() {
    let Some(browser) = Browser::shared() else { return };
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = folder.path().join("bug.toml");
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(BUG), &file).expect("copied");
    let explorer = BrowsedExplorer::start(&file.display().to_string());
    let mut tab = Tab::new(&browser, Scripts::On);
    let claim = "a%20Dying%20relation%20is%20removed";
    tab.open(&format!("{}counterexample?claim={claim}", explorer.home), &explorer.home);
    arrive(&mut tab, 5, 5);
    let is_told = "document.querySelector('#changed').checkVisibility()";
    assert_eq!(tab.ask(is_told), false);
    let text = fs::read_to_string(&file).expect("text");
    fs::write(&file, format!("{text}\n# Another text.\n")).expect("written");
    tab.wait_until(is_told);
    assert_accessible(&mut tab, "the explorer of a file that has changed");
    click(&mut tab, "#changed a");
    tab.wait_until("location.search.includes('file=')");
    arrive(&mut tab, 5, 5);
    assert_eq!(tab.ask(is_told), false, "it is of the new text");
    assert_eq!(tab.complaints(), [""; 0], "the policy lets it ask");
}

#[test]
fn a_run_parts_where_a_step_is_not_possible_any_more() {
    let Some(browser) = Browser::shared() else { return };
    let explorer = BrowsedExplorer::start(BUG);
    let mut tab = Tab::new(&browser, Scripts::Off);
    let run = "path=1.0.1.0.0&claim=a%20Dying%20relation%20is%20removed";
    tab.open(&format!("{}what-if?{run}&with=hardware-failure:off", explorer.home), &explorer.home);
    arrive(&mut tab, 2, 2);
    let said = tab.text("document.querySelector('#what-if').innerText");
    assert!(
        said.contains("parts from the one before: faults: fail-hardware 1 is not possible"),
        "{said}"
    );
    assert!(said.contains("from the start it holds"), "{said}");
    assert_accessible(&mut tab, "the explorer in a world that is set otherwise");
}

#[test]
fn a_mistake_keeps_the_run_and_the_text() {
    let Some(browser) = Browser::shared() else { return };
    let explorer = BrowsedExplorer::start(BUG);
    for (asked, expected) in [
        ("nearest?path=1.0&where=units.exists(u", "`,` was expected"),
        ("?path=1.0&where=units.exists(u", "`,` was expected"),
        ("counterexample?path=1.0&claim=nobody%20asks", "nothing is asked here that is called"),
        ("what-if?path=1.0&with=relation-tracing:x", "nothing is called `relation-tracing`"),
        ("what-if?path=1.0&with=%3Cscript%3Ealert(1)%3C/script%3E", "nothing is called `<script>"),
        ("what-if?path=1.0&with=charm:on", "needs"),
        ("step?path=1.0&step=nobody:%20sleeps", "nobody"),
    ] {
        let mut tab = Tab::new(&browser, Scripts::On);
        tab.open(&format!("{}{asked}", explorer.home), &explorer.home);
        arrive(&mut tab, 2, 2);
        let said = tab.text("document.body.innerText");
        assert!(said.contains(expected), "{asked} says {expected}: {said}");
        if asked.contains("where=") {
            assert_eq!(tab.text("document.querySelector('#where').value"), "units.exists(u");
        }
        assert_eq!(tab.ask("document.querySelectorAll('script').length"), 1, "{asked}");
    }
}
