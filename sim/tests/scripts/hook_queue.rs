//! The queue of hooks of one relation: which hook of a unit may run next, after what has happened.
//!
//! Each case says what is given and what happens then, and every act that the unit's agent may
//! begin. `wordpress/0` is in the scope; `mysql/0` and `mysql/1` come and go. Letters stand for
//! hooks that run as a whole.

use deathwatch_model::protocol;
use deathwatch_scenario::replay;

use crate::common::good;

const RELATION: &str = "wordpress:db mysql:server";

/// What happens, in a word and the number of the `mysql` unit that it is about.
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

/// What the agent of `wordpress/0` may begin after `story`, in the variant of
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

/// A story, and what may come next.
type QueueStory = (&'static str, &'static str);

fn check(cases: &[QueueStory]) {
    for (story, then) in cases {
        assert_eq!(next(story, "always"), *then, "after `{story}`");
    }
}

#[test]
fn a_unit_joins_whoever_is_there_and_nobody_else() {
    check(&[
        ("", ""),
        ("comes 0", "joined 0"),
        ("comes 0, comes 1", "joined 0, joined 1"),
        ("comes 0, goes 0", ""),
        ("comes 0, comes 1, goes 0", "joined 1"),
        ("comes 0, writes 0", "joined 0"),
        ("comes 0, joining 0", "end"),
    ]);
}

#[test]
fn changed_is_next_after_joined() {
    check(&[
        ("comes 0, joined 0", "changed 0"),
        ("comes 0, joined 0, comes 1", "changed 0"),
        ("comes 0, comes 1, joined 1", "changed 1"),
        ("comes 0, joined 0, writes 0", "changed 0"),
        ("comes 0, joined 0, goes 0", "changed 0"),
        ("comes 0, joining 0, goes 0, ends", "changed 0"),
        ("comes 0, joined 0, relation-dies", "changed 0"),
        ("comes 0, joined 0, unit-dies", "changed 0"),
        ("comes 0, joined 0, changed 0", ""),
        ("comes 0, comes 1, joined 0, changed 0", "joined 1"),
    ]);
}

#[test]
fn changed_runs_again_after_settings_have_changed() {
    check(&[
        ("comes 0, joined 0, changed 0, writes 0", "changed 0"),
        ("comes 0, joined 0, changed 0, writes 0, changed 0", ""),
        ("comes 0, joined 0, writes 0, changed 0", ""),
        ("comes 0, joining 0, writes 0, ends, changed 0", ""),
        ("comes 0, joined 0, changing 0, writes 0, ends", "changed 0"),
        ("comes 0, joined 0, changed 0, writes 0, writes 0, changed 0, writes 0", ""),
        ("comes 0, joined 0, changed 0, writes 0, comes 1", "changed 0, joined 1"),
        ("comes 0, joined 0, changed 0, writes 0, goes 0", "departed 0"),
        (
            "comes 0, comes 1, joined 0, changed 0, joined 1, changed 1, writes 0, writes 1",
            "changed 0, changed 1",
        ),
    ]);
}

#[test]
fn departed_runs_once_for_whoever_was_seen() {
    check(&[
        ("comes 0, joined 0, changed 0, goes 0", "departed 0"),
        ("comes 0, joined 0, goes 0, changed 0", "departed 0"),
        ("comes 0, joined 0, changed 0, goes 0, departed 0", ""),
        ("comes 0, joined 0, changed 0, goes 0, departing 0", "end"),
        ("comes 0, joined 0, changed 0, goes 0, comes 1", "departed 0, joined 1"),
        ("comes 0, joined 0, changed 0, goes 0, unit-dies", "departed 0"),
    ]);
}

#[test]
fn broken_comes_last() {
    check(&[
        ("relation-dies", "broken"),
        ("unit-dies", "broken"),
        ("comes 0, relation-dies", "broken"),
        ("comes 0, joined 0, changed 0, relation-dies", "departed 0"),
        ("comes 0, joined 0, changed 0, writes 0, relation-dies", "departed 0"),
        ("comes 0, joined 0, changed 0, relation-dies, departed 0", "broken"),
        (
            "comes 0, comes 1, joined 0, changed 0, joined 1, changed 1, unit-dies",
            "departed 0, departed 1",
        ),
        (
            "comes 0, comes 1, joined 0, changed 0, joined 1, changed 1, unit-dies, departed 1",
            "departed 0",
        ),
        (
            "comes 0, joined 0, relation-dies, changed 0, departed 0, broken",
            "leave-scope wordpress/0",
        ),
        ("relation-dies, broken", "leave-scope wordpress/0"),
        ("unit-dies, comes 0, broken", "leave-scope wordpress/0"),
    ]);
}

#[test]
fn a_hook_that_failed_counts_as_run_or_is_due_again() {
    check(&[
        ("comes 0, joining 0, fails", ""),
        ("comes 0, joining 0, fails, skipped", "changed 0"),
        ("comes 0, joining 0, fails, retried", "joined 0"),
        ("comes 0, joining 0, fails, goes 0, retried", "joined 0"),
        ("comes 0, joining 0, fails, goes 0, skipped", "changed 0"),
        ("comes 0, joined 0, changing 0, fails, skipped", ""),
        ("comes 0, joined 0, changing 0, fails, retried", "changed 0"),
        ("comes 0, joined 0, changed 0, writes 0, changing 0, fails, retried", "changed 0"),
        ("comes 0, joined 0, changed 0, writes 0, changing 0, fails, writes 0, skipped", ""),
        ("comes 0, joined 0, changed 0, goes 0, departing 0, fails, skipped", ""),
        ("comes 0, joined 0, changed 0, goes 0, departing 0, fails, retried", "departed 0"),
        ("relation-dies, breaks-down", ""),
        ("relation-dies, breaks-down, skipped", "leave-scope wordpress/0"),
        ("relation-dies, breaks-down, retried", "broken"),
    ]);
}

/// An agent that is back finds a hook that was cut short, whatever has happened meanwhile.
#[test]
fn a_hook_that_was_cut_short_has_failed() {
    check(&[
        ("comes 0, joining 0, crashes", "find-failed"),
        ("comes 0, joining 0, crashes, goes 0", "find-failed"),
        ("comes 0, joining 0, crashes, finds, skipped", "changed 0"),
        ("comes 0, joined 0, changing 0, crashes, finds, retried", "changed 0"),
        (
            "comes 0, joined 0, changed 0, goes 0, departing 0, crashes, finds, retried",
            "departed 0",
        ),
    ]);
}

/// A relation that is made again under the same name is another one.
#[test]
fn nothing_is_left_of_a_relation_that_is_gone() {
    let gone = "comes 0, joined 0, changed 0, relation-dies, departed 0, broken, leaves, last-leaves 0, integrated";
    check(&[(gone, "")]);
    assert_eq!(next(&format!("{gone}, comes 0"), "always"), "joined 0");
}

#[test]
fn changed_is_dropped_for_whoever_departed_where_the_variant_says_so() {
    for (story, then) in [
        ("comes 0, joined 0", "changed 0"),
        ("comes 0, joined 0, goes 0", "departed 0"),
        ("comes 0, joined 0, goes 0, departed 0", ""),
    ] {
        assert_eq!(next(story, "unless-departed"), then, "after `{story}`");
    }
}
