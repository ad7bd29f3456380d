//! The pages that the tool writes, a row for each, and what is asked of all of them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use crate::{
    chromium::Browser,
    tab::{Scripts, Tab},
};

/// A page, and the command that makes it.
pub(crate) struct Page {
    pub(crate) name: &'static str,
    /// The command, without where the page goes.
    command: &'static str,
    goes: Goes,
    /// What a reader finds on it without a script.
    says: &'static [&'static str],
    made: OnceLock<()>,
}

/// Where a command writes its page.
#[derive(Clone, Copy)]
enum Goes {
    /// To the file of `--output`.
    ToOutput,
    /// To stdout, as `--output` is for something else.
    ToStdout,
}

/// Every page that the tool writes.
static PAGES: [Page; 9] = [
    Page {
        name: "stuck",
        command: "replay scenarios/relation-scope-bug/1-as-written.toml --counterexample",
        goes: Goes::ToOutput,
        says: &[
            "a Dying relation is removed",
            "its agent does not know that it is in a scope",
            "and nothing more happens",
        ],
        made: OnceLock::new(),
    },
    Page {
        name: "lasso",
        command: "replay scenarios/findings/churn-starves-a-unit-agent.toml --counterexample",
        goes: Goes::ToOutput,
        says: &["for ever"],
        made: OnceLock::new(),
    },
    Page {
        name: "seed",
        command: "replay scenarios/simulate/relation-scope-bug-by-swarm.toml --seed 1",
        goes: Goes::ToOutput,
        says: &["of seed 1"],
        made: OnceLock::new(),
    },
    Page {
        name: "script",
        command: "replay scenarios/transactions/races",
        goes: Goes::ToOutput,
        says: &["the script of the scenario"],
        made: OnceLock::new(),
    },
    Page {
        name: "check",
        command: "check scenarios/relation-scope-bug/1-as-written.toml",
        goes: Goes::ToOutput,
        says: &["a Dying relation is removed", "its agent does not know that it is in a scope"],
        made: OnceLock::new(),
    },
    Page {
        name: "check-several",
        command: "check scenarios/relation-scope-bug/1-as-written.toml \
                  scenarios/relation-scope-bug/3-no-fault-no-bug.toml \
                  scenarios/findings/churn-starves-a-unit-agent.toml scenarios/transactions/races",
        goes: Goes::ToOutput,
        says: &["1-as-written", "3-no-fault-no-bug", "churn-starves-a-unit-agent"],
        made: OnceLock::new(),
    },
    Page {
        name: "sweep",
        command: "simulate scenarios/simulate/relation-scope-bug-by-swarm.toml --seeds 0..100 \
                  --keep-going",
        goes: Goes::ToOutput,
        says: &["relation-scope-bug-by-swarm", "does not know"],
        made: OnceLock::new(),
    },
    Page {
        name: "sweep-several",
        command: "simulate scenarios/simulate/relation-scope-bug-by-swarm.toml \
                  scenarios/relation-scope-bug/1-as-written.toml --seeds 0..30 --keep-going",
        goes: Goes::ToOutput,
        says: &["1-as-written", "relation-scope-bug-by-swarm"],
        made: OnceLock::new(),
    },
    Page {
        name: "shrunk",
        command: "shrink scenarios/simulate/relation-scope-bug-by-swarm.toml --seed 90",
        goes: Goes::ToStdout,
        says: &["relation-scope-bug-by-swarm"],
        made: OnceLock::new(),
    },
];

/// Every page that the tool writes.
pub(crate) fn pages() -> &'static [Page] {
    &PAGES
}

/// The page with this name.
pub(crate) fn page(name: &str) -> &'static Page {
    PAGES.iter().find(|page| page.name == name).expect("it has a row")
}

/// Where the page is. It is made the first time that somebody wants it.
pub(crate) fn made(page: &Page) -> PathBuf {
    let file = place(page.name);
    page.made.get_or_init(|| {
        let words = page.command.split(' ').chain(["--format", "html"]);
        match page.goes {
            Goes::ToOutput => drop(run(words.chain(["--output", &file.display().to_string()]))),
            Goes::ToStdout => fs::write(&file, run(words)).expect("written"),
        }
    });
    file
}

/// A page that is made of this text.
pub(crate) fn written(name: &str, text: &str) -> PathBuf {
    let file = place(name);
    fs::write(&file, text).expect("written");
    file
}

/// Where the page with this name goes. It stays, to be looked at.
pub(crate) fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    fs::create_dir_all(&folder).expect("made");
    folder.join(format!("{name}.html"))
}

/// What the tool prints, run in the root of the repository; it has to succeed.
pub(crate) fn run<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deathwatch"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command:?}: {said}");
    output.stdout
}

/// The lines of text that a reader sees, without what is there for scripts only.
fn lines(tab: &mut Tab) -> Vec<String> {
    let text = tab.text(
        "(() => {
            const tools = document.querySelectorAll('button, input, .find, .keys');
            for (const tool of tools) tool.hidden = true;
            return document.body.innerText;
        })()",
    );
    text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

#[test]
fn every_page_opens_without_a_complaint_and_says_the_same_without_scripts() {
    let Some(browser) = Browser::shared() else { return };
    for page in pages() {
        let file = made(page);
        let [with, without] = [Scripts::On, Scripts::Off].map(|scripts| {
            let mut tab = Tab::new(&browser, scripts);
            tab.open_file(&file);
            assert_eq!(tab.ask("scrollY"), 0, "{} begins at its top", page.name);
            let lines = lines(&mut tab);
            assert_eq!(tab.complaints(), [""; 0], "{}, scripts {scripts:?}", page.name);
            lines
        });
        let differs = with.iter().zip(&without).find(|(with, without)| with != without);
        assert_eq!(differs, None, "{}", page.name);
        assert_eq!(with.len(), without.len(), "{}", page.name);
        let text = without.join("\n");
        for said in page.says {
            assert!(text.contains(said), "{} says {said}:\n{text}", page.name);
        }
    }
}

/// The test of these tests: pages that do what a page may not do.
#[test]
fn a_page_that_runs_a_foreign_script_or_asks_the_network_is_noticed() {
    let Some(browser) = Browser::shared() else { return };
    let stuck = fs::read_to_string(made(page("stuck"))).expect("written");
    let with = |added: &str| stuck.replace("</main>", &format!("{added}</main>"));
    for (name, text, expected) in [
        ("foreign-script", with("<script>document.title = 'ran'</script>"), "script-src"),
        ("foreign-style", with("<p style='color: red'>red</p>"), "style-src"),
        ("foreign-handler", with("<img src='data:,' onerror='document.title = 1'>"), "img-src"),
        ("request", "<img src='http://127.0.0.1:9/x.png'>".to_owned(), "it asks for http:"),
        ("error", "<script>nobody.knows()</script>".to_owned(), "nobody is not defined"),
        ("warning", "<script>console.warn('careful')</script>".to_owned(), "careful"),
    ] {
        let mut tab = Tab::new(&browser, Scripts::On);
        tab.open_file(&written(name, &text));
        let complaints = tab.complaints().concat();
        assert!(complaints.contains(expected), "{name}: {complaints}");
        assert_ne!(tab.text("document.title"), "ran", "{name}");
    }
}
