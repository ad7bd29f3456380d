//! The board of verdicts of the explorer, and the links to the other scenarios of a file.

use crate::{
    explorer::ExplorerServer,
    fixture::{BUG, Folder, UNIT},
    walks::quoted,
};

/// The bug, which two fixes repair, and the same world with one of them; no fix repairs the claim
/// about settings alone.
fn bug() -> String {
    format!(
        "{BUG}[claims]\n\"a Dying relation is removed\" = \"violated\"\n\
         \"the settings of a removed relation are deleted\" = \"violated\"\n\
         \"a Dead unit is removed\" = \"vacuous\"\n\
         [also.\"fixed <b>\"]\nshows = \"It is left.\"\n\
         variants.relation-tracking = \"remote-scope\"\n\
         claims.\"a Dying relation is removed\" = \"holds\"\n"
    )
}

/// The texts of the cells of a board's row, in the order of its columns.
fn cells(page: &str, claim: &str) -> Vec<String> {
    let row = page.split("<tr>").find(|row| row.contains(&format!("scope=\"row\">{claim}<")));
    let row = row.unwrap_or_else(|| panic!("{claim} has a row: {page}"));
    let row = row.split("</tr>").next().unwrap_or_default();
    let text = |cell: &str| {
        let behind_tags = cell.split('<').filter_map(|it| it.rsplit('>').next());
        behind_tags.collect::<String>()
    };
    row.split("<td").skip(1).map(text).collect()
}

#[test]
fn the_board_has_a_verdict_for_each_claim_in_each_world() {
    let folder = Folder::new().with("bug.toml", bug());
    let explorer = ExplorerServer::begin(&folder, "bug.toml");
    let start = explorer.page("/");
    assert!(!start.contains("<table class=\"board\""), "nobody looks at it");
    let address = quoted(&start, "href=\"").into_iter().find(|it| it.contains("board=on"));
    let page = explorer.page(&address.expect("it can be unfolded"));
    let heads: Vec<&str> = page.split("<th scope=\"col\">").skip(1).collect();
    let heads: Vec<&str> = heads.iter().filter_map(|it| it.split("</th>").next()).collect();
    let named = |name: &str| heads.iter().position(|it| it.contains(name)).expect(name);
    assert_eq!(named("as it is"), 0);
    let relation = cells(&page, "a Dying relation is removed");
    let settings = cells(&page, "the settings of a removed relation are deleted");
    for (column, of_relation, of_settings) in [
        ("as it is", "violated", "violated"),
        ("#fixed &lt;b&gt;", "holds", "violated"),
        ("relation-tracking = remote-scope", "holds", "violated"),
        ("relation-tracking = leave-when-detected", "holds", "violated"),
        ("settings-cleanup = cleaner", "violated", "holds"),
    ] {
        assert_eq!(relation[named(column)], of_relation, "{column}");
        assert_eq!(settings[named(column)], of_settings, "{column}");
    }
    assert!(page.contains("1 claim violated in none of these worlds"), "{page}");
    assert!(page.contains(" fixes without effect here"), "{page}");
    let without = page.split("fixes without effect here").nth(1).expect("it was there");
    let without = without.split("</details>").next().expect("an end");
    assert!(without.contains("force") && !without.contains("relation-tracking"), "{without}");

    // A cell opens its run, in its world.
    let runs: Vec<String> = quoted(&page, "href=\"")
        .into_iter()
        .filter(|it| it.starts_with("/counterexample"))
        .collect();
    let cleaned = runs.iter().find(|it| it.contains("with=settings-cleanup%3Acleaner"));
    let there = explorer.leads(cleaned.expect("the relation stays with the cleaner, too"));
    assert!(there.contains("set=settings-cleanup%3Acleaner"), "{there}");
    let run = explorer.page(&there);
    assert!(run.contains("id=\"headline\""), "{run}");
    let headline = run.split("id=\"headline\"").nth(1).and_then(|it| it.split("</section>").next());
    let headline = headline.expect("it has an end");
    for told in ["violated: ", "a Dying relation is removed", "Held by "] {
        assert!(headline.contains(told), "{told}: {headline}");
    }
    let first = |what: &str| run.find(what).expect(what);
    assert!(first("id=\"headline\"") < first("id=\"what-if\""), "the headline comes first");
    assert!(first("id=\"headline\"") < first("id=\"board\""), "also before the board");
}

/// The board leads to the answers for every number of units in each world, and so does each page.
#[test]
fn each_world_is_answered_for_every_number_of_units() {
    let folder = Folder::new().with("bug.toml", bug());
    let explorer = ExplorerServer::begin(&folder, "bug.toml");
    let board = explorer.page("/?board=on");
    let asked: Vec<String> = quoted(&board, "href=\"")
        .into_iter()
        .filter(|it| it.starts_with("/every-number"))
        .collect();
    let verdict = |address: &str| cells(&explorer.page(address), "a Dying relation is removed");
    assert_eq!(verdict("/every-number"), ["violated with 1+1"]);
    let page = explorer.page("/every-number");
    assert!(page.contains("of any number of units of wordpress and of mysql"), "{page}");
    assert!(page.contains("fail-hardware"), "{page}");
    let fixed = asked.iter().find(|it| it.contains("with=relation-tracking%3Aremote-scope"));
    assert_eq!(verdict(fixed.expect("a column has the fix")), ["holds"]);
    let beside = asked.iter().find(|it| it.contains("also=fixed")).expect("a column is beside it");
    assert_eq!(verdict(beside), ["holds"]);
    let set = explorer.page("/?set=relation-tracking%3Aremote-scope");
    let here = quoted(&set, "href=\"").into_iter().find(|it| it.starts_with("/every-number"));
    let there = explorer.page(&here.expect("each page leads there"));
    assert!(there.contains("with relation-tracking = remote-scope"), "{there}");
    assert_eq!(cells(&there, "a Dying relation is removed"), ["holds"]);
}

/// A world that is no template has the reason on the page of the state.
#[test]
fn a_world_that_cannot_be_asked_for_every_number_says_why() {
    let on = "detail = { hooks = true, relations = true }\n";
    let folder = Folder::new().with("bug.toml", format!("{on}{BUG}"));
    let explorer = ExplorerServer::begin(&folder, "bug.toml");
    let answer = explorer.get("/every-number", "");
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    assert!(answer.contains("cannot be asked for every number of units: "), "{answer}");
    assert!(answer.contains("id=\"world\""), "the page stays: {answer}");
}

#[test]
fn a_page_leads_to_the_other_scenarios_of_its_file() {
    let folder = Folder::new().with("bug.toml", bug()).with("unit.toml", UNIT);
    let explorer = ExplorerServer::begin(&folder, "bug.toml");
    let page = explorer.page("/");
    let links = quoted(&page, "href=\"");
    let fixed = links.iter().find(|it| it.contains("also=fixed")).expect("it leads there");
    let fixed = explorer.page(fixed);
    assert!(fixed.contains("bug#fixed &lt;b&gt;") && fixed.contains("It is left."), "{fixed}");
    let links = quoted(&fixed, "href=\"");
    let back = links.iter().find(|it| it.contains("also=%23")).expect("it leads back");
    assert!(explorer.page(back).contains("A unit agent that lost its disk"));
    let step = links.iter().find(|it| it.contains("path=") && it.contains("also=fixed"));
    assert!(explorer.page(step.expect("it goes on")).contains("step 1 of 1"));
    let other = explorer.get("/?also=missing", "");
    assert!(other.starts_with("HTTP/1.1 400") && other.contains("This leads nowhere"), "{other}");
    let alone = ExplorerServer::begin(&folder, "unit.toml").page("/");
    assert!(!alone.contains("in this file: "), "{alone}");
}

/// The board is about the states after the script, which is replayed in each world.
#[test]
fn the_board_is_of_what_follows_the_script() {
    let claims = "[claims]\n\"a Dead unit is removed\" = \"violated\"\n\
                  [switch-off]\nclauses = [\"remove-unit.3\"]\n";
    let folder =
        Folder::new().with("unit.toml", UNIT.replace("[expect]", &format!("{claims}[expect]")));
    let explorer = ExplorerServer::begin(&folder, "unit.toml");
    let page = explorer.page("/?board=on");
    let cells = cells(&page, "a Dead unit is removed");
    assert!(cells.iter().all(|it| it == "violated"), "{cells:?}");
    let links = quoted(&page, "href=\"");
    let run = links.iter().find(|it| it.starts_with("/counterexample")).expect("it has a run");
    assert!(explorer.page(&explorer.leads(run)).contains("id=\"headline\""));
}
