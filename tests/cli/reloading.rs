//! The explorer of a file that changes: an address keeps its run, as far as it is possible.

use crate::{
    explorer::{ExplorerServer, leads_to},
    fixture::{BUG, Folder},
};

/// The bug with another table of faults.
fn bug_with(more: &str) -> String {
    BUG.replace("[faults]\nhardware-failure = [\"2\"]\n", more)
}

/// An explorer of the bug, and the address of a run of two steps: the relation is destroyed, and
/// then a machine fails.
fn explored(folder: &Folder) -> (ExplorerServer, String) {
    let explorer = ExplorerServer::begin(folder, "bug.toml");
    let destroyed = explorer.get("/step?step=user:+destroy-relation+wordpress:db+mysql:server", "");
    let query = leads_to(&destroyed)[2..].to_owned();
    let failed = explorer.get(&format!("/step?{query}&step=faults:+fail-hardware+2"), "");
    let address = leads_to(&failed).to_owned();
    assert!(!address.contains("file="), "{address}");
    (explorer, address)
}

#[test]
fn a_run_is_done_again_by_its_steps() {
    let folder = Folder::new().with("bug.toml", BUG);
    let (explorer, address) = explored(&folder);
    let with_crashes = bug_with("[faults]\ncrash = true\nhardware-failure = [\"1\", \"2\"]\n");
    let folder = folder.with("bug.toml", with_crashes);
    let there = leads_to(&explorer.get(&address, "")).to_owned();
    let path = |address: &str| address.split(['?', '&']).nth(1).map(str::to_owned);
    assert_ne!(path(&there), path(&address), "places are others there");
    let page = explorer.get(&there, "");
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(page.contains("<title>bug, step 2: faults: fail-hardware 2"), "{page}");
    assert!(!page.contains("the run parts"), "{page}");
    let on = page.split("href=\"/?").skip(1).filter(|link| link.contains("path="));
    assert!(on.clone().count() > 0);
    for link in on {
        let link = link.split('"').next().unwrap_or_default();
        assert!(link.contains("file="), "each link is of this text: {link}");
    }
    let first = explorer.get("/", "");
    assert!(first.contains("crash"), "the start is of this text, too: {first}");

    let _folder = folder.with("bug.toml", BUG);
    assert_eq!(leads_to(&explorer.get(&there, "")), address, "and back");
    assert!(explorer.get(&address, "").starts_with("HTTP/1.1 200"));
    let unknown = explorer.get("/?path=0&file=0123456789ab", "");
    assert!(unknown.starts_with("HTTP/1.1 400"), "{unknown}");
    assert!(unknown.contains("another text of the file"), "{unknown}");
}

#[test]
fn a_run_that_is_not_possible_any_more_keeps_what_is() {
    let folder = Folder::new().with("bug.toml", BUG);
    let (explorer, address) = explored(&folder);
    let _folder = folder.with("bug.toml", bug_with(""));
    let there = leads_to(&explorer.get(&address, "")).to_owned();
    let page = explorer.get(&there, "");
    let step = "<title>bug, step 1: user: destroy-relation wordpress:db mysql:server";
    assert!(page.contains(step), "{page}");
    let parts = "At step 2 the run parts from the one before: <strong>faults: fail-hardware 2";
    assert!(page.contains(parts), "{page}");
}

/// The text between `open` and the next quotation mark.
fn said<'a>(page: &'a str, open: &str) -> &'a str {
    let rest = page.split_once(open).unwrap_or_else(|| panic!("{open}: {page}")).1;
    rest.split('"').next().unwrap_or_default()
}

/// An open page asks for the newest version, and leads to its run there.
#[test]
fn an_open_page_can_find_that_the_file_has_changed() {
    const MADE_OF: &str = "data-version=\"";
    let folder = Folder::new().with("bug.toml", BUG);
    let (explorer, address) = explored(&folder);
    let newest = || {
        let answer = explorer.get("/version", "");
        answer.split_once("\r\n\r\n").expect("a body").1.to_owned()
    };
    let page = explorer.get(&address, "");
    let first = newest();
    assert_eq!(said(&page, MADE_OF), first);
    assert!(page.contains("connect-src 'self'"), "its script may ask");
    let varied = explorer.get(&format!("{address}&set=hardware-failure:on"), "");
    assert_eq!(said(&varied, MADE_OF), first, "what is set otherwise is of the same file");

    let with_crashes = bug_with("[faults]\ncrash = true\nhardware-failure = [\"1\", \"2\"]\n");
    let folder = folder.with("bug.toml", &with_crashes);
    assert_ne!(newest(), first);
    let reload = said(&page, "The scenario has changed: <a href=\"").replace("&amp;", "&");
    let there = leads_to(&explorer.get(&reload, "")).to_owned();
    let again = explorer.get(&there, "");
    assert!(again.contains("<title>bug, step 2: faults: fail-hardware 2"), "{again}");
    assert_eq!(said(&again, MADE_OF), newest());

    let folder = folder.with("bug.toml", format!("{with_crashes}\n[user]\n"));
    let bad = newest();
    assert_ne!(bad, said(&again, MADE_OF), "that something is wrong is new, too");
    assert_eq!(said(&explorer.get(&there, ""), MADE_OF), bad);
    let _folder = folder.with("bug.toml", BUG);
    assert_eq!(newest(), first, "and back");
}

#[test]
fn while_something_is_wrong_with_the_file_the_world_before_stays() {
    let folder = Folder::new().with("bug.toml", BUG);
    let (explorer, address) = explored(&folder);
    let folder = folder.with("bug.toml", format!("{BUG}\n[user]\n"));
    for address in [address.as_str(), "/"] {
        let page = explorer.get(address, "");
        assert!(page.starts_with("HTTP/1.1 200"), "{page}");
        let told = page.split_once("id=\"bad-file\"").expect("it is told").1;
        let told = told.split_once("</section>").expect("it ends").0;
        assert!(told.contains("[bug.toml:18:"), "with its place: {told}");
        assert!(page.contains("id=\"world\""), "{page}");
    }
    let varied = explorer.get(&format!("{address}&set=hardware-failure:on"), "");
    assert!(varied.contains("id=\"bad-file\""), "in other worlds, too: {varied}");
    let folder = folder.with("bug.toml", BUG);
    assert!(!explorer.get(&address, "").contains("id=\"bad-file\""));
    std::fs::remove_file(folder.path("bug.toml")).expect("it was there");
    assert!(explorer.get(&address, "").contains("id=\"bad-file\""));
}
