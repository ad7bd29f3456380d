//! The queue of hooks of one relation: the hooks of a unit that may run next after some events.
//!
//! Each case of `hook_queue.toml` has the events and every act that the unit's agent may begin
//! then. `wordpress/0` is in the scope; `mysql/0` and `mysql/1` come and go. Letters stand for
//! hooks that run as a whole.

use std::collections::BTreeMap;

use deathwatch_model::protocol;
use deathwatch_scenario::replay;

use crate::common::good;

const RELATION: &str = "wordpress:db mysql:server";

/// The steps of an event, given by a word and the number of its `mysql` unit.
fn steps(word: &str, unit: &str) -> String {
    let me = "unit-agent wordpress/0";
    let other = format!("mysql/{unit}");
    let hook = |kind: &str| format!("{me}: begin run-{kind}-hook {other} {RELATION}");
    let whole = |kind: &str| format!("{}\n{me}: end", hook(kind));
    match word {
        "comes" => format!("unit-agent {other}: enter-scope {other} {RELATION}"),
        "goes" => format!(
            "client: destroy-unit {other}\nunit-agent {other}: leave-scope {other} {RELATION}"
        ),
        "writes" => {
            format!("faults: crash unit-agent {other}\nunit-agent {other}: run-config-changed-hook")
        }
        "joined" | "changed" | "departed" => whole(word),
        "joining" => hook("joined"),
        "changing" => hook("changed"),
        "departing" => hook("departed"),
        "ends" => format!("{me}: end"),
        "broken" => format!("{me}: run-broken-hook {RELATION}"),
        "fails" | "breaks-down" => format!("faults: fail-hooks wordpress/0 {RELATION}"),
        "crashes" => "faults: crash unit-agent wordpress/0".to_owned(),
        "finds" => format!("{me}: find-failed-hook"),
        "skipped" => "operator: resolve wordpress/0".to_owned(),
        "retried" => "operator: resolve-by-retry wordpress/0".to_owned(),
        "relation-dies" => format!("client: destroy-relation {RELATION}"),
        "unit-dies" => "client: destroy-unit wordpress/0".to_owned(),
        "leaves" => format!("{me}: leave-scope wordpress/0 {RELATION}"),
        "last-leaves" => format!("unit-agent {other}: leave-scope {other} {RELATION}"),
        "integrated" => {
            format!("client: integrate {RELATION}\n{me}: enter-scope wordpress/0 {RELATION}")
        }
        _ => panic!("nobody says `{word}`"),
    }
}

/// The acts that the agent of `wordpress/0` may begin after `story`, in the variant of
/// `changed-after-joined`.
fn next(story: &str, variant: &str) -> String {
    let script: Vec<String> = story
        .split(", ")
        .filter(|event| !event.is_empty())
        .map(|event| {
            let (word, unit) = event.split_once(' ').unwrap_or((event, ""));
            steps(word, unit)
        })
        .collect();
    let scenario = good(&format!(
        r#"
shows = "A test."
steps = """
{}
"""
[detail]
hooks = true
relations = true
[variants]
relation-tracking = "remote-scope"
hook-record = "with-exit"
resolved-by-default = "chosen"
changed-after-joined = "{variant}"
[faults]
crash = true
hook-failure = true
unit-hook-failure = true
[world.machines]
0 = {{ jobs = ["manage-model"] }}
1 = {{}}
2 = {{}}
3 = {{}}
[world.applications]
wordpress = {{ units = ["1"], hooks = ["relation-joined", "relation-changed", "relation-departed", "relation-broken"] }}
mysql = {{ units = ["2", "3"], hooks = ["config-changed"], writes = ["config-changed"] }}
[world.relations]
"{RELATION}" = {{ entered = ["wordpress/0"] }}
"#,
        script.join("\n")
    ));
    let replayed = replay(&scenario).unwrap_or_else(|it| panic!("{story}: {:?}", it.problem));
    let (world, mut enabled) = (&scenario.world, Vec::new());
    protocol::enabled(world, &replayed.state, &mut enabled);
    let shown = enabled.iter().map(|action| world.show(action));
    let mine =
        shown.filter_map(|text| Some(text.strip_prefix("unit-agent wordpress/0: ")?.to_owned()));
    let short = mine.map(|text| {
        let text = text.replace(&format!(" {RELATION}"), "").replace("mysql/", "");
        text.replace("begin run-", "").replace("run-", "").replace("-hook", "")
    });
    let mut short: Vec<String> = short.collect();
    short.sort();
    short.join(", ")
}

#[test]
fn each_hook_runs_in_its_turn() {
    let variants: BTreeMap<String, Vec<[String; 2]>> =
        toml::from_str(include_str!("hook_queue.toml")).expect("stories and what follows");
    for (variant, stories) in &variants {
        for [story, then] in stories {
            assert_eq!(next(story, variant), *then, "after `{story}` where {variant}");
        }
    }
    assert!(variants["always"].len() >= 64 && !variants["unless-departed"].is_empty());
}
