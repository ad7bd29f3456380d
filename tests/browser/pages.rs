//! The pages that the tool writes, one row each, and the checks of all of them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::OnceLock,
};

use crate::{
    chromium::Browser,
    program::program,
    tab::{Scripts, Tab},
};

/// A page, and the command that makes it.
pub(crate) struct TestedPage {
    pub(crate) name: &'static str,
    /// The command, without the place of the page. Earlier commands, separated by "; ", prepare its
    /// input. `DIR` stands for a folder for that.
    command: &'static str,
    goes: PageDestination,
    /// Texts that a reader finds on it without a script.
    says: &'static [&'static str],
    made: OnceLock<()>,
}

/// The place to which a command writes its page.
#[derive(Clone, Copy)]
enum PageDestination {
    /// To the file of `--output`.
    ToOutput,
    /// To the file of `--output`, by a command whose answer is not as expected.
    ToOutputOfSurprise,
    /// To stdout, as `--output` has another use.
    ToStdout,
    /// To the file with the page's name in this folder; one command writes all pages of a folder.
    InFolder(&'static str, &'static OnceLock<()>),
}

/// The command of the reports on a few scenarios, with the committed curves.
const REPORTS: &str = "report claims findings answers simulation --quick \
                       --scenarios scenarios/series";
static REPORTS_ARE_MADE: OnceLock<()> = OnceLock::new();

/// Every page that the tool writes.
static PAGES: [TestedPage; 20] = [
    TestedPage {
        name: "stuck",
        command: "replay scenarios/relation-scope-bug/1-as-written.toml --counterexample",
        goes: PageDestination::ToOutput,
        says: &[
            "a Dying relation is removed",
            "its agent does not know that it is in a scope",
            "and nothing more happens",
        ],
        made: OnceLock::new(),
    },
    TestedPage {
        name: "lasso",
        command: "replay scenarios/findings/churn-starves-a-unit-agent.toml --counterexample",
        goes: PageDestination::ToOutput,
        says: &["for ever"],
        made: OnceLock::new(),
    },
    TestedPage {
        name: "seed",
        command: "replay scenarios/simulate/relation-scope-bug-by-swarm.toml --seed 10",
        goes: PageDestination::ToOutput,
        says: &["of seed 10"],
        made: OnceLock::new(),
    },
    TestedPage {
        name: "script",
        command: "replay scenarios/transactions/races",
        goes: PageDestination::ToOutput,
        says: &["the script of the scenario"],
        made: OnceLock::new(),
    },
    TestedPage {
        name: "check",
        command: "check scenarios/relation-scope-bug/1-as-written.toml",
        goes: PageDestination::ToOutput,
        says: &["a Dying relation is removed", "its agent does not know that it is in a scope"],
        made: OnceLock::new(),
    },
    TestedPage {
        name: "check-several",
        command: "check scenarios/relation-scope-bug/1-as-written.toml \
                  scenarios/relation-scope-bug/3-no-fault-no-bug.toml \
                  scenarios/findings/churn-starves-a-unit-agent.toml scenarios/transactions/races",
        goes: PageDestination::ToOutput,
        says: &["1-as-written", "3-no-fault-no-bug", "churn-starves-a-unit-agent"],
        made: OnceLock::new(),
    },
    TestedPage {
        name: "differences",
        command: "check --diff scenarios/relation-scope-bug/1-as-written.toml \
                  --set relation-tracking=remote-scope",
        goes: PageDestination::ToOutputOfSurprise,
        says: &["=remote-scope fixes it: a Dying relation is removed", "holds in B", "by itself"],
        made: OnceLock::new(),
    },
    TestedPage {
        name: "sweep",
        command: "simulate scenarios/simulate/relation-scope-bug-by-swarm.toml --seeds 0..100 \
                  --keep-going",
        goes: PageDestination::ToOutput,
        says: &["relation-scope-bug-by-swarm", "does not know"],
        made: OnceLock::new(),
    },
    TestedPage {
        name: "sweep-several",
        command: "simulate scenarios/simulate/relation-scope-bug-by-swarm.toml \
                  scenarios/relation-scope-bug/1-as-written.toml --seeds 0..30 --keep-going",
        goes: PageDestination::ToOutput,
        says: &["1-as-written", "relation-scope-bug-by-swarm"],
        made: OnceLock::new(),
    },
    TestedPage {
        name: "shrunk",
        command: "shrink scenarios/simulate/relation-scope-bug-by-swarm.toml --seed 90",
        goes: PageDestination::ToStdout,
        says: &["relation-scope-bug-by-swarm"],
        made: OnceLock::new(),
    },
    TestedPage {
        name: "merged",
        command: "simulate scenarios/relation-scope-bug/1-as-written.toml --seeds 0..100 \
                  --keep-going --shard 1/2 --journal DIR/1.jsonl; \
                  simulate scenarios/relation-scope-bug/1-as-written.toml --seeds 0..100 \
                  --keep-going --shard 2/2 --journal DIR/2.jsonl; merge DIR/2.jsonl DIR/1.jsonl",
        goes: PageDestination::ToOutput,
        says: &["1-as-written", "a Dying relation is removed"],
        made: OnceLock::new(),
    },
    TestedPage {
        name: "assumed",
        command: "assume scenarios/relation-scope-bug/1-as-written.toml",
        goes: PageDestination::ToOutput,
        says: &[
            "a Dying relation is removed",
            "agents keep acting; no hardware failures",
            "relation-tracking = remote-scope",
        ],
        made: OnceLock::new(),
    },
    TestedPage {
        name: "repaired",
        command: "assume scenarios/known-bugs/04-last-unit-decrements-only.toml# --all-claims",
        goes: PageDestination::ToOutput,
        says: &["Every claim holds with", "last-unit-removal = units-or-relations", "2 searched"],
        made: OnceLock::new(),
    },
    TestedPage {
        name: "diagnosis",
        command: "diagnose sim/tests/diagnosing/samples/s4-agent-lost.status.json \
                  sim/tests/diagnosing/samples/s4-agent-lost.show-unit.json",
        goes: PageDestination::ToOutputOfSurprise,
        says: &["STUCK until you act", "waits for unit pg/0", "start the stopped agents", "(b)"],
        made: OnceLock::new(),
    },
    TestedPage {
        name: "index",
        command: REPORTS,
        goes: PageDestination::InFolder("reports", &REPORTS_ARE_MADE),
        says: &["Findings", "scenarios as expected"],
        made: OnceLock::new(),
    },
    TestedPage {
        name: "claims",
        command: REPORTS,
        goes: PageDestination::InFolder("reports", &REPORTS_ARE_MADE),
        says: &["violated in n worlds", "a Dying unit is removed"],
        made: OnceLock::new(),
    },
    TestedPage {
        name: "claim-a-dying-unit-is-removed",
        command: REPORTS,
        goes: PageDestination::InFolder("reports", &REPORTS_ARE_MADE),
        says: &["The worlds that ask it", "placement = clean-machine-of-any-series"],
        made: OnceLock::new(),
    },
    TestedPage {
        name: "scenarios",
        command: REPORTS,
        goes: PageDestination::InFolder("reports", &REPORTS_ARE_MADE),
        says: &["What is stuck", "held by"],
        made: OnceLock::new(),
    },
    TestedPage {
        name: "findings",
        command: REPORTS,
        goes: PageDestination::InFolder("reports", &REPORTS_ARE_MADE),
        says: &["never removed", "picks a machine without units"],
        made: OnceLock::new(),
    },
    TestedPage {
        name: "simulation",
        command: REPORTS,
        goes: PageDestination::InFolder("reports", &REPORTS_ARE_MADE),
        says: &["Scale", "mass-removal"],
        made: OnceLock::new(),
    },
];

/// Every page that the tool writes.
pub(crate) fn pages() -> &'static [TestedPage] {
    &PAGES
}

pub(crate) fn page(name: &str) -> &'static TestedPage {
    PAGES.iter().find(|page| page.name == name).expect("it has a row")
}

/// The path of the page, which is made by the first caller.
pub(crate) fn made(page: &TestedPage) -> PathBuf {
    let (file, once) = match page.goes {
        PageDestination::ToOutput
        | PageDestination::ToOutputOfSurprise
        | PageDestination::ToStdout => (place(page.name), &page.made),
        PageDestination::InFolder(folder, once) => {
            (place(folder).with_extension("").join(format!("{}.html", page.name)), once)
        }
    };
    once.get_or_init(|| {
        let parts = tempfile::tempdir().expect("there is room for a folder");
        let command = page.command.replace("DIR", &parts.path().display().to_string());
        let (before, command) = command.rsplit_once("; ").unwrap_or(("", &command));
        for command in before.split("; ").filter(|it| !it.is_empty()) {
            // The exit code of one shard may differ from that of the whole.
            drop(output(command.split(' ')));
        }
        let (words, html) = (command.split(' '), ["--format", "html"]);
        let to = |path: &Path| path.display().to_string();
        match page.goes {
            PageDestination::ToOutput => {
                drop(run(words.chain(html).chain(["--output", &to(&file)])));
            }
            PageDestination::ToOutputOfSurprise => {
                let output = output(words.chain(html).chain(["--output", &to(&file)]));
                assert_eq!(output.status.code(), Some(1), "{command}");
            }
            PageDestination::ToStdout => fs::write(&file, run(words.chain(html))).expect("written"),
            PageDestination::InFolder(..) => {
                drop(run(words.chain(["--html", &to(file.parent().expect("a folder"))])));
            }
        }
    });
    file
}

/// Writes a page with this text, and returns its path.
pub(crate) fn written(name: &str, text: &str) -> PathBuf {
    let file = place(name);
    fs::write(&file, text).expect("written");
    file
}

/// The path of the page with this name. It is kept, so that it can be looked at.
pub(crate) fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    fs::create_dir_all(&folder).expect("made");
    folder.join(format!("{name}.html"))
}

/// The tool's stdout, run in the root of the repository; it must succeed.
pub(crate) fn run<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Vec<u8> {
    let arguments: Vec<&str> = arguments.into_iter().collect();
    let output = output(arguments.iter().copied());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {said}");
    output.stdout
}

/// The tool's exit status and output, run in the root of the repository.
pub(crate) fn output<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Output {
    let mut command = Command::new(program());
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    command.output().expect("it runs")
}

/// The lines of text that a reader sees, without the elements that need scripts.
fn lines(tab: &mut Tab) -> Vec<String> {
    let text = tab.text(
        "(() => {
            const tools = document.querySelectorAll('button, input, .find, .keys, .scripted');
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

/// The test of these tests: pages that do forbidden things.
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
