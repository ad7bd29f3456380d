//! Pages: runs to be viewed in a browser, each in a single file without dependencies.

use std::{collections::BTreeSet, fs, path::Path};

use crate::{
    explorer::ExplorerServer,
    fixture::{
        AS_EXPECTED, CYCLE, Folder, LARGE, NOT_ASKED, UNDECIDED, UNEXPECTED, bug_as_it_is,
        bug_not_known, stdout_of, unit,
    },
    hostile::is_harmless,
};

/// The page of the run that this command shows.
fn page(folder: &Folder, line: &str) -> String {
    let line = format!("{line} --format html --output page.html");
    folder.run(&line).code(AS_EXPECTED).stdout("");
    folder.read("page.html")
}

/// The texts between `open` and the next quotation mark.
pub(crate) fn quoted<'a>(page: &'a str, open: &str) -> BTreeSet<&'a str> {
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
        "agent</abbr> does not know that it is in a ",
        "Nobody who is assumed to act can do anything.",
        "machine-agent.1",
        "D2:373",
        "and nothing more happens",
        // The meanings of words and citations are shown behind them.
        "<abbr title=\"The units that take part in a relation: ",
        "<abbr title=\"Death and Destruction: a BUG: after hardware fails ",
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
    assert!(!both.contains("not assumed"), "what is usual goes without saying");
    let long = page(&folder, "replay bug.toml --seed 17");
    assert!(long.len() < 5 << 20, "{} bytes", long.len());
}

/// A world in which a seed takes thousands of steps.
const HUNDRED: &str = concat!("\n", include_str!("../worlds/hundred.toml"));

/// The page of a run that is too long has its end, and the steps that led to its holders.
#[test]
fn a_long_run_that_is_stuck_has_a_page_of_what_holds_it() {
    let folder = Folder::new().with("hundred.toml", HUNDRED);
    let replay = "replay hundred.toml --seed 0";
    let text = folder.stdout(replay, UNEXPECTED);
    let page = page_of(&folder, replay, UNEXPECTED);
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    let (_, steps) = text.split_once("and nothing more happens, after ").expect("it ends");
    let steps = steps.split(' ').next().expect("a number").to_owned();
    assert!(page.contains(&format!("of {steps}</small>")), "the whole run has {steps} steps");
    assert!(
        page.contains("steps of others") && page.contains("what holds the end"),
        "{steps} steps"
    );
    assert!(page.contains("the settings of its units are left, and there is no cleaner"));
    // The text has the same steps, and counts the others; with --verbose it has all.
    let (head, run) = text.split_once("--verbose has all\n").expect("it says so");
    assert!(head.contains("what holds the end"), "{head}");
    let (run, _) = run.split_once("and nothing more happens").expect("it ends");
    let (others, shown): (Vec<&str>, Vec<&str>) =
        run.lines().partition(|line| line.trim_start().starts_with('…'));
    let left_out = others.iter().map(|line| {
        let number = line.split_whitespace().nth(1).expect("a number").replace(',', "");
        number.parse::<usize>().expect("a number")
    });
    let all: usize = steps.parse().expect("a number");
    assert_eq!(left_out.sum::<usize>() + shown.len(), all);
    for line in &shown {
        let number = line.split_whitespace().next().expect("a number");
        assert!(page.contains(&format!("<span class=\"n\">{number}</span>")), "{line}");
    }
    let verbose = folder.run(&format!("{replay} --verbose")).code(UNEXPECTED).get_output().clone();
    let verbose = String::from_utf8(verbose.stdout).expect("text");
    assert!(verbose.lines().count() > all);
    assert!(!verbose.contains("steps of others"));
    // The same run as a script has them, too.
    folder.run(&format!("{replay} --write-scenario script.toml")).code(UNEXPECTED);
    let script = folder.run("replay script.toml").code(AS_EXPECTED).get_output().clone();
    let script = String::from_utf8(script.stdout).expect("text");
    let (_, again) = script.split_once("--verbose has all\n").expect("it says so");
    let (again, decided) = again.split_once("violated: ").expect("it says what");
    let actions = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split(" => ").next().unwrap_or(line).to_owned()).collect()
    };
    assert_eq!(actions(again), actions(run));
    assert!(decided.contains("held by "), "{decided}");
    let page = page_of(&folder, "replay script.toml", AS_EXPECTED);
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    assert!(page.contains(&format!("of {steps}</small>")) && page.contains("steps of others"));
    let verbose = folder.run("replay script.toml --verbose").code(AS_EXPECTED).get_output().clone();
    assert!(String::from_utf8(verbose.stdout).expect("text").lines().count() > all);
}

#[test]
fn a_run_that_is_too_long_has_a_page_of_its_end() {
    let holds =
        HUNDRED.replace("claims = {}", "claims = { \"a Dying unit is removed\" = \"holds\" }");
    let folder = Folder::new().with("hundred.toml", holds);
    let replay = "replay hundred.toml --seed 0";
    folder.run(&format!("{replay} --format json")).code(NOT_ASKED);
    let text = folder.stdout(replay, AS_EXPECTED);
    let page = page_of(&folder, replay, AS_EXPECTED);
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    let (_, steps) = text.split_once("and nothing more happens, after ").expect("it ends");
    let steps = steps.split(' ').next().expect("a number");
    let says = format!("Here are the last 50 of {steps} steps, counted anew.");
    assert!(page.contains(&says), "{says}");
    assert!(page.contains("id=\"run-0-50\"") && !page.contains("id=\"run-0-51\""));
    let last = text.lines().take_while(|it| !it.starts_with("and nothing more happens")).last();
    let last = last.expect("a step").split("  [").next().expect("an action");
    assert!(page.contains(&format!("title=\"{last}\"")), "it ends with {last}");
}

/// The page of a command with the format html.
fn page_of(folder: &Folder, line: &str, code: i32) -> String {
    folder.run(&format!("{line} --format html --output page.html")).code(code).stdout("");
    folder.read("page.html")
}

#[test]
fn one_scenario_is_answered_on_a_page_with_whole_runs() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let page = page_of(&folder, "check bug.toml", AS_EXPECTED);
    for told in
        ["✓ as expected", "1 violated", "18 states", "The world", "id=\"run-0-5\"", "D2:373"]
    {
        assert!(page.contains(told), "{told}");
    }
    assert_eq!(page.matches("A unit agent that lost its disk").count(), 1, "it is told once");
    let asked = page_of(&folder, "ask bug.toml --always false", UNEXPECTED);
    assert!(asked.contains("deathwatch ask bug.toml --always false"), "the command is told");
}

/// The data of the graph in a page.
fn graph(page: &str) -> Option<serde_json::Value> {
    let (_, rest) = page.split_once("<script id=\"graph\" type=\"application/json\">")?;
    let (json, _) = rest.split_once("</script>").expect("it ends");
    assert!(!json.contains('<'), "nothing in it ends it early");
    Some(serde_json::from_str(json).expect("it is JSON"))
}

#[test]
fn the_graph_of_a_small_world_is_in_its_page() {
    let own = "[own.\"<b>\u{202e}</script>\"]\neach = \"relation\"\nalways = \"it.exists\"\n";
    let claims = "[claims]\n\"<b>\u{202e}</script>\" = \"violated\"\n";
    let file = format!("{}{claims}{own}", crate::fixture::BUG);
    let folder = Folder::new().with("bug.toml", file).with("large.toml", LARGE);
    let page = page_of(&folder, "check bug.toml --threads 1", AS_EXPECTED);
    assert_eq!(page_of(&folder, "check bug.toml --threads 2", AS_EXPECTED), page);
    let graph = self::graph(&page).expect("it is small");
    let states = graph["states"].as_array().expect("a list");
    assert!(page.contains(&format!("{} states", states.len())), "as many as are counted");
    let edges: usize = states.iter().map(|it| it["next"].as_array().expect("a list").len()).sum();
    assert!(page.contains(&format!("{edges} transitions")), "as many as are counted");
    let run = &graph["runs"][0];
    assert_eq!(run["claim"], "<b>\\u{202e}</script>", "it is shown like this");
    let mut at = &states[0];
    for choice in run["choices"].as_array().expect("a list") {
        let next = &at["next"][usize::try_from(choice.as_u64().expect("a place")).expect("small")];
        at = &states[usize::try_from(next[1].as_u64().expect("a state")).expect("small")];
    }
    let gone = at["lines"].as_array().expect("a list").iter().any(|line| {
        let line =
            &graph["lines"][usize::try_from(line.as_u64().expect("a place")).expect("small")];
        line.as_str().expect("text").starts_with("relation wordpress:db mysql:server: gone")
    });
    assert!(gone, "the run ends where the claim is violated: {at}");
    // A page with too many states has no graph, and neither has one of several scenarios.
    let limited = page_of(&folder, "check large.toml --max-states 100", UNDECIDED);
    assert_eq!(self::graph(&limited), None);
    let both = page_of(&folder, "check bug.toml large.toml --max-states 100", UNDECIDED);
    assert_eq!(self::graph(&both), None);
}

#[test]
fn many_scenarios_have_a_row_each_and_what_is_violated_unfolds() {
    let folder = Folder::new().with("a/bug.toml", bug_as_it_is()).with("a/unit.toml", unit());
    let folder = folder.with("b/new.toml", bug_not_known()).with("b/round.toml", CYCLE);
    let page = page_of(&folder, "check a b", UNEXPECTED);
    assert!(page.contains("2 of 4 scenarios are not as expected"));
    assert_eq!(page.matches("<th scope=\"row\">").count(), 4);
    assert_eq!(page.matches("<details class=\"scenario").count(), 3, "one has nothing to be told");
    assert_eq!(page.matches(" open>").count(), 2, "what is not as expected is open");
    assert_eq!(page.matches("aria-label=\"The world\"").count(), 2, "and has its world");
    for told in [
        "but expected to hold",
        "its agent does not know that it is in a scope",
        "for ever",
        "href=\"#clause-enter-scope.1\"",
        "id=\"clause-enter-scope.1\"",
        "deathwatch replay a/bug.toml --counterexample",
        "--format html --output run.html",
    ] {
        assert!(page.contains(told), "{told}");
    }
    assert!(!page.contains("id=\"run-"), "whole runs are for the page of one");
    let quiet = page_of(&folder, "check a b --quiet", UNEXPECTED);
    assert_eq!(quiet.matches("<details class=\"scenario").count(), 2);
}

#[test]
fn merged_shards_are_the_page_of_the_whole() {
    let folder = Folder::new().with("a/bug.toml", bug_as_it_is()).with("a/unit.toml", unit());
    let whole = page_of(&folder, "check a", AS_EXPECTED);
    for shard in [1, 2] {
        folder.run(&format!("check a --shard {shard}/2 --journal {shard}.jsonl"));
    }
    assert_eq!(page_of(&folder, "merge 1.jsonl 2.jsonl", AS_EXPECTED), whole);
    let half = page_of(&folder, "merge 1.jsonl", UNDECIDED);
    assert!(half.contains("shard 2/2 has no answer"));
}

/// A journal may be of any origin.
#[test]
fn markup_of_others_in_a_journal_reaches_no_page() {
    let folder = Folder::new().with("a/bug.toml", bug_as_it_is()).with("a/unit.toml", unit());
    folder.run("check a --journal whole.jsonl").code(AS_EXPECTED);
    let journal = folder.read("whole.jsonl");
    let foreign = "<script>alert(1)</script><img src=x onerror=alert(1)></details>";
    for field in ["shows", "command", "name", "line", "action", "text", "diagnosis", "means"] {
        let field = format!("\"{field}\":\"");
        let (header, results) = journal.split_once('\n').expect("a header");
        let changed = results.replace(&field, &format!("{field}{foreign}"));
        assert_ne!(changed, results, "{field}");
        let changed = crate::fixture::sealed(&format!("{header}\n{changed}"));
        fs::write(folder.path("changed.jsonl"), changed).expect("written");
        let page = page_of(&folder, "merge changed.jsonl", AS_EXPECTED);
        assert!(!page.contains("<script>alert") && !page.contains("<img"), "{field}: {page}");
    }
}

/// Every shipped page of a scenario passes through a journal unchanged.
#[test]
fn pages_of_ours_are_taken_from_journals() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Folder::new();
    let journal = folder.path("whole.jsonl").display().to_string();
    let run = |args: &[&str]| {
        let args = [args, &["--format", "html", "--quiet"]].concat();
        folder.command(&args).current_dir(root).assert().get_output().stdout.clone()
    };
    for file in ["caveats", "known-bugs", "relation-scope-bug/1-as-written.toml", "own-claims"] {
        let file = format!("scenarios/{file}");
        let line = ["check", &file, "--max-states", "1000", "--journal", &journal];
        let whole = run(&line);
        assert_eq!(run(&["merge", &journal]), whole, "{file}");
        fs::remove_file(&journal).expect("it was written");
    }
}

#[test]
fn what_files_say_stays_text_on_the_page_of_check() {
    let shows = "<script>alert(1)</script>";
    let plain = "A unit agent that lost its disk forgets a relation, which then stays.";
    let folder = Folder::new().with("<b>/<i>.toml", bug_as_it_is().replace(plain, shows));
    let folder = folder.with("<b>/unit.toml", unit());
    for (line, scripts) in [("check <b>/<i>.toml", 2), ("check <b>", 1)] {
        let page = page_of(&folder, line, AS_EXPECTED);
        assert!(page.contains("&lt;script&gt;alert(1)"), "{line}");
        assert_eq!(page.matches("<script").count(), scripts, "{line}");
        assert!(!page.contains("<b>") && !page.contains("<i>") && is_harmless(&page), "{line}");
        assert!(!page.contains("style="), "the policy would drop it");
    }
}

#[test]
fn a_page_says_what_is_switched_off_and_has_a_bar_for_each_subject() {
    let two = "\nmysql.units = [\"2\", \"2\"]\n";
    let world = crate::fixture::BUG.replace("\nmysql.units = [\"2\"]\n", two);
    let world = world.replace("\"mysql/0\"]", "\"mysql/0\", \"mysql/1\"]");
    let steps =
        "steps = \"\"\"\nclient: destroy-unit mysql/0\nclient: destroy-unit mysql/1\n\"\"\"\n";
    let off = "[switch-off]\nneglected = [\"unit-agent.2\"]\n[claims]\n\
               \"a Dying unit is removed\" = \"holds\"\n";
    let folder = Folder::new().with("off.toml", format!("{steps}{world}{off}"));
    folder.run("replay off.toml --format html --output page.html").success();
    let page = folder.read("page.html");
    assert!(page.contains("<dt>neglected</dt><dd>unit-agent.2</dd>"), "{page}");
    for unit in 0..2 {
        let bar = format!("<li>a Dying unit is removed: <strong>mysql/{unit}</strong>");
        assert!(page.contains(&bar), "mysql/{unit}: {page}");
    }
}

/// A machine that comes has a field `start` in every world, but only with provisioning does it have
/// more than one value.
#[test]
fn facts_of_details_that_are_off_are_not_shown() {
    let world = "shows = \"A machine comes.\"\n\
                 steps = \"\"\"\nuser: add-machine 1\nDO\nuser: add-machine 2\n\"\"\"\n\
                 [world.machines]\n0 = { jobs = [\"manage-model\"] }\n1 = { exists = false }\n\
                 2 = { exists = false }\n3 = { exists = false }\n\
                 [user]\n\"add-machine 1\" = 1\n\"add-machine 2\" = 1\n\"add-machine 3\" = 1\n";
    let failing = "[detail]\nprovisioning = true\n[faults]\nstart-failure = [\"1\"]\n";
    let fails = "provisioner: start-instance 1\nfaults: fail-start 1";
    let folder = Folder::new()
        .with("off.toml", world.replace("DO\n", ""))
        .with("on.toml", format!("{}{failing}", world.replace("DO", fails)));
    let off = [
        page(&folder, "replay off.toml"),
        ExplorerServer::begin(&folder, "off.toml").get("/", ""),
        ExplorerServer::begin(&folder, "off.toml").get("/?at=1", ""),
        page_of(&folder, "ask off.toml --reachable machine('3').exists", AS_EXPECTED),
    ];
    for page in &off {
        let (_, page) = page.split_once("<body").expect("it has one");
        // Every detail has a setting, whether or not it is on.
        let settings = page.split_once("id=\"what-if\"");
        let page =
            settings.map_or(page, |(_, rest)| rest.split_once("</section>").expect("an end").1);
        for fact in ["start: ", "stage: ", "strays: ", "former start: "] {
            assert!(!page.contains(fact), "{fact}: {page}");
        }
    }
    assert!(off[0].contains("life: none"), "what comes is told");
    assert!(page(&folder, "replay on.toml").contains("start: error"));
}

#[test]
fn the_name_of_a_claim_is_escaped_in_junit() {
    let own = "[own.\"a \\u202e b\"]\neach = \"unit\"\nalways = \"it.exists\"\n";
    let folder = Folder::new().with("own.toml", format!("{}{own}", crate::fixture::BUG));
    let output = folder.run("check own.toml --format junit").get_output().stdout.clone();
    let text = String::from_utf8(output).expect("text");
    assert!(!text.contains('\u{202e}'), "{text}");
}

/// A scope whose unit's agent has just lost its directory is shown broken at that step.
#[test]
fn what_an_agent_has_just_lost_is_not_known() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let page = page(&folder, "replay bug.toml --counterexample");
    let told = "its agent has nothing about it on its disk, <mark>no directory</mark>";
    assert!(page.contains(told), "the directory is lost");
}

/// A condition that would make a step possible is one that can be satisfied.
#[test]
fn no_relation_is_said_to_be_dead_in_any_other_case() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let run = stdout_of(&folder.run("replay bug.toml --counterexample --format json --states all"));
    assert!(run.contains("it would be possible if"), "{run}");
    let lives = run.split("life of ").skip(1).filter_map(|it| it.split(',').next());
    let dead = lives.filter(|it| it.contains("were Dead") && !it.starts_with("unit "));
    assert_eq!(dead.filter(|it| !it.starts_with("machine ")).collect::<Vec<_>>(), [""; 0]);
}
