//! Groups whose worlds are too large for a search: the documents show which entities wait for
//! which, and seeds show the outcomes.

use deathwatch_diagnose::Diagnosed;
use deathwatch_documents::diagnosis::{Simulated, StuckVerdict};
use insta::assert_snapshot;
use serde_json::{Map, Value, json};

use super::{diagnosed, page_of, shown_of};

/// Dying applications with two units each, every two of them related. If `has_failed`, the stop
/// hook of the last unit has failed.
fn mesh(applications: usize, has_failed: bool) -> [String; 2] {
    let name = |number: usize| format!("app{number}");
    let (mut machines, mut shown, mut units) = (Map::new(), Map::new(), Map::new());
    for one in 0..applications {
        let others = || (0..applications).filter(move |other| *other != one);
        let mut its_units = Map::new();
        for number in 0..2 {
            let machine = (2 * one + number).to_string();
            let agent = json!({ "current": "started" });
            machines.insert(machine.clone(), json!({ "juju-status": agent, "instance-id": "i" }));
            let is_last = has_failed && one + 1 == applications && number == 1;
            let workload = if is_last {
                json!({ "current": "error", "message": "hook failed: \"stop\"" })
            } else {
                json!({ "current": "active" })
            };
            its_units.insert(
                format!("{}/{number}", name(one)),
                json!({
                    "machine": machine,
                    "workload-status": workload,
                    "juju-status": { "current": "idle", "version": "3.6.14" },
                }),
            );
            let infos: Vec<Value> = others()
                .map(|other| {
                    let in_scope = json!({ "in-scope": true });
                    let related =
                        (0..2).map(|it| (format!("{}/{it}", name(other)), in_scope.clone()));
                    json!({
                        "relation-id": one.min(other) * applications + one.max(other),
                        "endpoint": format!("to{other}"),
                        "related-endpoint": format!("to{one}"),
                        "related-units": related.collect::<Map<String, Value>>(),
                    })
                })
                .collect();
            let unit = json!({ "life": "dying", "relation-info": infos });
            units.insert(format!("{}/{number}", name(one)), unit);
        }
        let relations = others().map(|other| {
            let to = json!([{ "related-application": name(other), "interface": "mesh" }]);
            (format!("to{other}"), to)
        });
        let relations: Map<String, Value> = relations.collect();
        shown.insert(
            name(one),
            json!({ "life": "dying", "relations": relations, "units": its_units }),
        );
    }
    let model = json!({ "name": "mesh", "version": "3.6.14" });
    let status = json!({ "model": model, "machines": machines, "applications": shown });
    [status.to_string(), Value::Object(units).to_string()]
}

/// The verdict on the only group of a model, and its simulated outcomes.
fn simulated(diagnosed: &Diagnosed) -> (StuckVerdict, Simulated) {
    let [group] = &diagnosed.report.groups[..] else { panic!("one group") };
    (group.verdict, group.simulated.clone().expect("it is simulated"))
}

#[test]
fn a_group_that_is_too_large_is_told_by_its_documents_and_by_seeds() {
    let files = mesh(4, true);
    let diagnosed = diagnosed(&[&files[0], &files[1]]);
    assert_snapshot!(shown_of(&diagnosed));
    let (verdict, seeds) = simulated(&diagnosed);
    assert_eq!(verdict, StuckVerdict::Undecided, "seeds decide nothing");
    assert_eq!((seeds.by_itself, seeds.put_right), (0, seeds.runs), "a hook has failed");
    let page = page_of(&diagnosed);
    assert!(page.contains("which proves nothing"), "{page}");
}

#[test]
fn all_may_go_by_itself_in_each_run_and_it_is_open() {
    let files = mesh(4, false);
    let (verdict, seeds) = simulated(&diagnosed(&[&files[0], &files[1]]));
    assert_eq!(verdict, StuckVerdict::Undecided, "seeds decide nothing");
    assert_eq!(seeds.by_itself, seeds.runs);
    assert!(seeds.runs > 0 && seeds.stays.is_empty(), "{seeds:?}");
}
