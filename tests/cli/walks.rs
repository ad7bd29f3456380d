//! Walks through a scenario on the pages of the explorer, by their links.

use crate::{
    explorer::ExplorerServer,
    fixture::{CYCLE, Folder},
};

/// The texts between `mark` and the next quotation mark, with the characters that HTML escapes.
pub(crate) fn quoted(page: &str, mark: &str) -> Vec<String> {
    let all = page.split(mark).skip(1).map(|rest| rest.split('"').next().unwrap_or_default());
    all.map(|text| text.replace("&amp;", "&").replace("&quot;", "\"")).collect()
}

impl ExplorerServer {
    /// The page at an address that exists.
    pub(crate) fn page(&self, path: &str) -> String {
        let answer = self.get(path, "");
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        answer
    }

    pub(crate) fn leads(&self, path: &str) -> String {
        let answer = self.get(path, "");
        assert!(answer.starts_with("HTTP/1.1 303"), "{path}: {answer}");
        let location = answer.lines().find_map(|line| line.strip_prefix("Location: "));
        location.expect("it says where").to_owned()
    }
}

/// The target of a page's link for the action with this line.
fn taken(page: &str, line: &str) -> String {
    let title = format!("title=\"{line}\"");
    let links = page.split("<a class=\"take\" href=\"").skip(1);
    let is_it = |link: &&str| link.split('>').next().is_some_and(|it| it.contains(&title));
    let found = links.into_iter().find(is_it);
    let found = found.unwrap_or_else(|| panic!("{line} is not possible on {page}"));
    found.split('"').next().unwrap_or_default().replace("&amp;", "&")
}

/// The steps of the run to the stuck end of the bug.
const TO_THE_END: [&str; 5] = [
    "unit-agent wordpress/0: enter-scope wordpress/0 wordpress:db mysql:server",
    "user: destroy-relation wordpress:db mysql:server",
    "faults: fail-hardware 1",
    "provisioner: start-instance 1",
    "machine-agent 1: deploy-unit wordpress/0",
];

/// The scenario that shows the bug.
const BUG: &str = "scenarios/relation-scope-bug/1-as-written.toml";

/// A scenario as it is shipped.
fn shipped(file: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(root.join(file)).expect("it is shipped")
}

#[test]
fn one_walks_by_links_to_the_stuck_end_of_the_bug_and_saves_it() {
    let folder = Folder::new().with("bug.toml", shipped(BUG));
    let explorer = ExplorerServer::begin(&folder, "bug.toml");
    let (mut address, mut page) = ("/".to_owned(), explorer.page("/"));
    assert!(page.contains("step 0 of 0") && !page.contains("Nobody who is assumed to act"));
    for (number, line) in TO_THE_END.iter().enumerate() {
        address = taken(&page, line);
        page = explorer.page(&address);
        assert!(page.contains(&format!("step {0} of {0}", number + 1)), "{page}");
    }
    for told in [
        "Nobody who is assumed to act can do anything.",
        "never done",
        "agent</abbr> does not know that it is in a ",
        "the agent of wordpress/0 has no directory for this and does not know it",
        "fault here",
        "violated: owed since step 2, at the end",
    ] {
        assert!(page.contains(told), "{told}");
    }
    // A step back, and another branch from there.
    let back = quoted(&page, "href=\"").into_iter().find(|it| it.contains("at=2"));
    let back = explorer.page(&back.expect("a link to each state"));
    assert!(back.contains("step 2 of 5"), "{back}");
    let branch = taken(&back, "faults: fail-hardware 2");
    assert!(explorer.page(&branch).contains("step 3 of 3"));

    let query = address.strip_prefix('/').expect("a path");
    let saved = explorer.page(&format!("/scenario.toml{query}"));
    let (head, saved) = saved.split_once("\r\n\r\n").expect("a head");
    assert!(head.contains("attachment; filename=\"explored.toml\""), "{head}");
    let folder = folder.with("saved.toml", saved);
    folder.run("replay saved.toml").success();
    let args: Vec<&str> = vec!["check", "saved.toml", "--claim", "a Dying relation is removed"];
    let output = folder.command(&args).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("violated"), "{text}");
}

#[test]
fn the_explorer_finds_states_and_counterexamples() {
    let folder = Folder::new().with("bug.toml", shipped(BUG)).with("round.toml", CYCLE);
    let explorer = ExplorerServer::begin(&folder, "bug.toml");
    let found = explorer.leads("/counterexample?claim=a+Dying+relation+is+removed");
    let page = explorer.page(&found);
    assert!(page.contains("step 5 of 5") && page.contains("violated: owed since"), "{page}");
    let idle = explorer.page(&explorer.leads("/idle"));
    assert!(idle.contains("Nobody who is assumed to act can do anything."), "{idle}");
    let found =
        explorer.leads("/nearest?where=relations.exists%28r%2C+r.life+%3D%3D+%22dying%22%29");
    let page = explorer.page(&found);
    assert!(page.contains("step 2 of 2") && page.contains("holds here"), "{page}");
    let none = explorer.page("/nearest?where=units.exists%28u%2C+%21u.exists%29");
    assert!(none.contains("there is none: all 107 states"), "{none}");
    let run = explorer.page("/run.json?path=0");
    let (_, json) = run.split_once("\r\n\r\n").expect("a head");
    let json: serde_json::Value = serde_json::from_str(json).expect("JSON");
    assert_eq!(json["runs"][0]["kept"], serde_json::json!({ "at": 1 }));
    assert_eq!(json["runs"][0]["steps"].as_array().map(Vec::len), Some(1));

    let explorer = ExplorerServer::begin(&folder, "round.toml");
    let claim = quoted(&explorer.page("/"), "href=\"");
    let claim = claim.into_iter().find(|it| it.starts_with("/counterexample")).expect("a claim");
    let page = explorer.page(&explorer.leads(&claim));
    assert!(page.contains("For ever") && page.contains("This can go on for ever"), "{page}");

    let churn = "scenarios/findings/churn-starves-the-cleaner.toml";
    let folder = Folder::new().with("churn.toml", shipped(churn));
    let explorer = ExplorerServer::begin(&folder, "churn.toml");
    let claim = "the+settings+of+a+removed+relation+are+deleted";
    let page = explorer.page(&explorer.leads(&format!("/counterexample?claim={claim}")));
    assert!(page.contains("and again: state 5 is state 2, for ever"), "{page}");
    assert!(page.contains("This can go on for ever"), "it acts, if on something else: {page}");
}

#[test]
fn a_loop_with_faults_is_no_run_that_counts() {
    let folder = Folder::new().with("bug.toml", shipped(BUG));
    let explorer = ExplorerServer::begin(&folder, "bug.toml");
    let mut address = "/".to_owned();
    for line in [
        "faults: fail-hardware 1",
        "provisioner: start-instance 1",
        "machine-agent 1: deploy-unit wordpress/0",
    ] {
        address = taken(&explorer.page(&address), line);
    }
    let page = explorer.page(&format!("{address}&loop=3"));
    assert!(page.contains("This is no run that counts"), "{page}");
    assert!(!page.contains("and again: state"), "it decides nothing: {page}");
    assert!(page.contains("happen finitely often, and here for ever: step 1<"), "{page}");
}

/// A user has done what the other world gives nobody to do: there the run ends before it.
#[test]
fn what_another_world_does_not_allow_ends_the_run_there() {
    let file = "scenarios/findings/unit-without-machine-between-two-users.toml";
    let folder = Folder::new().with("unit.toml", shipped(file));
    let explorer = ExplorerServer::begin(&folder, "unit.toml");
    let page = explorer.page("/what-if?path=0.1.0&with=unit-assignment:with-unit");
    let begin = page.find("id=\"what-if\"").expect("it is answered");
    let said = &page[begin..];
    assert!(said.contains("is not possible: user has no duty to do this now"), "{said}");
    assert!(!said.contains("after this run it is violated"), "{said}");
}

#[test]
fn what_is_no_address_is_refused_with_a_page() {
    let folder = Folder::new().with("bug.toml", shipped(BUG));
    let explorer = ExplorerServer::begin(&folder, "bug.toml");
    let long = format!("/?path={}", vec!["0"; 1_501].join("."));
    for path in [
        "/?path=99",
        "/?path=0..1",
        "/?path=18446744073709551616",
        "/?at=1",
        "/?script=1",
        "/?loop=1",
        "/?path=0.0&loop=1",
        "/?sudo=1",
        "/?set=sudo:on",
        "/?set=crash:on&path=99",
        "/what-if?path=99&with=crash:on",
        "/run.json?path=x",
        &long,
    ] {
        let answer = explorer.get(path, "");
        assert!(answer.starts_with("HTTP/1.1 400"), "{path}: {answer}");
        assert!(answer.contains("This leads nowhere"), "{path}: {answer}");
        assert_eq!(answer.matches("<script").count(), 1, "{path}: {answer}");
    }
    // A mistake in a question is reported on the page of the state, which stays.
    for path in [
        "/?where=units.exists%28",
        "/nearest",
        "/nearest?where=%3Cscript%3Ealert%281%29%3C%2Fscript%3E",
        "/counterexample?claim=%3Cscript%3E",
        "/what-if?with=%3Cscript%3E",
        "/what-if?with=relation-tracking:%3Cscript%3E",
    ] {
        let answer = explorer.get(path, "");
        assert!(answer.starts_with("HTTP/1.1 400"), "{path}: {answer}");
        assert!(answer.contains("What can happen next"), "{path}: {answer}");
        assert_eq!(answer.matches("<script").count(), 1, "{path}: {answer}");
    }
    for path in ["/.states", "/run", "/index.html", "/../etc/passwd"] {
        assert!(explorer.get(path, "").starts_with("HTTP/1.1 404"), "{path}");
    }
    assert!(explorer.post("/", "").starts_with("HTTP/1.1 405"));
    for header in ["Origin: http://evil.example", "Sec-Fetch-Site: cross-site"] {
        let answer = explorer.get("/", &format!("{header}\r\n"));
        assert!(answer.starts_with("HTTP/1.1 403"), "{header}: {answer}");
    }
    assert!(explorer.answer(b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n").contains(" 403 "));
    explorer.page("/");
}
