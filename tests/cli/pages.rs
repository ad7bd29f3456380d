//! Pages: runs to look at in a browser, which need nothing beside the one file.

use std::collections::BTreeSet;

use crate::{
    fixture::{AS_EXPECTED, CYCLE, Folder, bug_as_it_is, unit},
    hostile::is_harmless,
};

/// The page of the run that this command shows.
fn page(folder: &Folder, line: &str) -> String {
    let line = format!("{line} --format html --output page.html");
    folder.run(&line).code(AS_EXPECTED).stdout("");
    folder.read("page.html")
}

/// What stands between `open` and the next quotation mark, each time.
fn quoted<'a>(page: &'a str, open: &str) -> BTreeSet<&'a str> {
    page.split(open).skip(1).map(|rest| rest.split('"').next().unwrap_or_default()).collect()
}

#[test]
fn each_moment_of_a_run_has_a_section_and_each_link_leads_to_one() {
    let round = CYCLE.replace("= \"holds\"", "= \"violated\"");
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("round.toml", round);
    for (name, steps) in [("bug", 5), ("round", 3)] {
        let page = page(&folder, &format!("replay {name}.toml --counterexample"));
        let (body, _) = page.split_once("<script").expect("the script comes last");
        let (ids, links) = (quoted(body, " id=\""), quoted(body, "href=\"#"));
        assert!(links.len() > steps, "{name}: {links:?}");
        let dead: Vec<_> = links.difference(&ids).collect();
        assert!(dead.is_empty(), "{name}: {dead:?} lead nowhere");
        for state in 0..=steps {
            assert!(ids.contains(format!("run-0-{state}").as_str()), "{name}: {state} in {ids:?}");
        }
    }
}

#[test]
fn the_cause_of_the_bug_is_on_its_page() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let page = page(&folder, "replay bug.toml --counterexample");
    for told in [
        "a Dying relation is removed",
        "never done",
        "its agent does not know that it is in a scope",
        "Nobody who is assumed to act can do anything.",
        "machine-agent.1",
        "D2:373",
        "and nothing more happens",
    ] {
        assert!(page.contains(told), "{told}");
    }
}

#[test]
fn a_page_brings_all_that_it_needs() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let line = "replay bug.toml --counterexample";
    let first = page(&folder, line);
    for outside in
        ["http:", "https:", "src=", "url(", "@import", "<link", "<iframe", "<form", "style="]
    {
        assert!(!first.contains(outside), "{outside}");
    }
    assert!(first.contains("default-src 'none'"));
    assert_eq!(page(&folder, line), first, "the same run is the same page");
}

#[test]
fn what_a_file_says_stays_text() {
    let shows = "<script>alert(1)</script><img src=x onerror=alert(2)> \"quoted\" &amp; \u{202e}";
    let plain = "\"A Dead unit is removed by its deployer.\"";
    let hostile = unit().replace(plain, &serde_json::Value::from(shows).to_string());
    let folder = Folder::new().with("<b>.toml", hostile);
    let args = ["replay", "<b>.toml", "--format", "html", "--output", "page.html"];
    let output = folder.command(&args).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = folder.read("page.html");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x"), "it is told");
    assert_eq!(page.matches("<script").count(), 1, "the one script is ours");
    assert!(!page.contains("<img") && !page.contains("<b>"));
    assert!(is_harmless(&page));
}

#[test]
fn a_page_has_several_scripts_and_a_long_run_stays_small() {
    let folder = Folder::new().with("unit.toml", unit()).with("bug.toml", bug_as_it_is());
    let both = page(&folder, "replay unit.toml bug.toml");
    assert!(both.contains("id=\"run-0-2\"") && both.contains("id=\"run-1-0\""));
    let long = page(&folder, "replay bug.toml --seed 17");
    assert!(long.len() < 5 << 20, "{} bytes", long.len());
}
