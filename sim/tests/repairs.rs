//! Repairs: the historical fixes of the known bugs are found, and the repairs are those of the
//! definition, with every set decided by a search.

use std::{fs, path::Path};

use deathwatch_claims::check::{CheckAnswer, SearchSettings};
use deathwatch_documents::assumed::{Amendment, Repaired};
use deathwatch_scenario::{
    replay,
    scenario::{self, Address, Scenario},
};
use deathwatch_study::{
    assume::{
        Tried,
        repair::{RepairOptions, repair},
    },
    verdict::{Engine, Refines, VerdictOptions, judge},
};

/// A bug, and its expected repairs.
struct RepairCase {
    /// The beginning of the name of its file.
    number: &'static str,
    /// The claims that the historical fix leaves violated on purpose.
    except: &'static [&'static str],
    /// The historical fix, in the notation of changes.
    fix: &'static str,
    /// The numbers of tried sets, of sets that a known run refutes, and of repairs.
    counts: [usize; 3],
}

/// The bugs of transactions, each without its scenario `fixed`.
#[rustfmt::skip]
const BUGS: &[RepairCase] = &[
    RepairCase { number: "01", except: &[], fix: "destroy-application.5 with its asserts", counts: [2, 0, 1] },
    RepairCase { number: "02", except: &[], fix: "last-unit-removal = units-or-relations", counts: [13, 11, 1] },
    RepairCase { number: "03", except: &[], fix: "counterpart-removal = asserted", counts: [13, 11, 1] },
    RepairCase { number: "04", except: &[], fix: "last-unit-removal = units-or-relations", counts: [2, 0, 1] },
    RepairCase {
        number: "15",
        except: &["a Dead unit is in no scope"],
        fix: "dead-while-in-scope = allowed-and-left-on-removal",
        counts: [10, 5, 4],
    },
    RepairCase {
        number: "16",
        except: &[
            "a machine with principals or containers does not change its life",
            "only Dead units and machines are removed",
        ],
        fix: "unprovisioned-unit = removed-directly-if-free",
        counts: [5, 0, 4],
    },
    RepairCase { number: "20", except: &[], fix: "enter-scope.4 switched on", counts: [13, 11, 1] },
    RepairCase { number: "37", except: &[], fix: "done-already = noticed", counts: [13, 11, 1] },
];

/// The bug in the file whose name begins with `number`, without the file's other scenarios.
fn bug(number: &str) -> Scenario {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios/known-bugs");
    let entries = fs::read_dir(&folder).expect("there is a museum");
    let mut names = entries.filter_map(|it| it.ok()?.file_name().into_string().ok());
    let name = names.find(|it| it.starts_with(number)).expect("it is there");
    let name = name.trim_end_matches(".toml");
    scenario::load(Address::below(&folder, name)).expect("it is shipped")
}

fn repaired(scenario: &Scenario, except: &[&str]) -> Repaired {
    let replay = replay(scenario).expect("its steps are possible");
    let except: Vec<String> = except.iter().map(|it| (*it).to_owned()).collect();
    let options = RepairOptions {
        except: &except,
        variants: Tried::DefaultsAndFixes,
        settings: SearchSettings::without_limits(2),
        progress: &|_, _, _| {},
    };
    repair(&[(scenario, &replay)], &options)
}

fn said(changes: &[Amendment]) -> String {
    changes.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

#[test]
fn the_historical_fixes_of_the_museum_are_found() {
    for asked in BUGS {
        let found = repaired(&bug(asked.number), asked.except);
        let repairs: Vec<String> = found.repairs.iter().map(|it| said(&it.changes)).collect();
        assert!(repairs.iter().any(|it| it == asked.fix), "{}: {repairs:?}", asked.number);
        let counts = [found.tried.sets, found.tried.filtered, repairs.len()];
        assert_eq!(counts, asked.counts, "{}", asked.number);
        assert!(found.decided, "{}", asked.number);
    }
}

/// Decides every set of the tried changes by a search of its own.
#[test]
fn repairs_are_the_minimal_sets_by_definition() {
    for asked in BUGS {
        let scenario = bug(asked.number);
        let found = repaired(&scenario, asked.except);
        let mut sets: Vec<Vec<Amendment>> = vec![Vec::new()];
        for (name, values) in &found.variants {
            let of =
                |value: &String| Amendment::Variant { name: name.clone(), value: value.clone() };
            add_each(&mut sets, &values.iter().map(of).collect::<Vec<_>>());
        }
        for switch in &found.switched_on {
            add_each(&mut sets, std::slice::from_ref(switch));
        }
        assert!(sets.len() > 1 && sets.len() >= found.tried.sets, "{}", asked.number);
        let vacuous = answered(&scenario, asked.except, CheckAnswer::Vacuous);
        let is_repair = |set: &&Vec<Amendment>| {
            let changed = changed(&scenario, set);
            let still = answered(&changed, asked.except, CheckAnswer::Vacuous);
            answered(&changed, asked.except, CheckAnswer::Violated).is_empty()
                && still.iter().all(|it| vacuous.contains(it))
        };
        let all: Vec<&Vec<Amendment>> = sets.iter().filter(is_repair).collect();
        let is_part = |part: &[Amendment], of: &[Amendment]| {
            part.len() < of.len() && part.iter().all(|it| of.contains(it))
        };
        let minimal = all.iter().filter(|set| !all.iter().any(|part| is_part(part, set)));
        let mut minimal: Vec<String> = minimal.map(|it| said(it)).collect();
        let mut repairs: Vec<String> = found.repairs.iter().map(|it| said(&it.changes)).collect();
        minimal.sort();
        repairs.sort();
        assert_eq!(repairs, minimal, "{}", asked.number);
    }
}

/// Adds the union of each set with each of `changes`.
fn add_each(sets: &mut Vec<Vec<Amendment>>, changes: &[Amendment]) {
    let with = |set: &Vec<Amendment>| {
        let set = set.clone();
        changes.iter().map(move |change| [&set[..], std::slice::from_ref(change)].concat())
    };
    let more: Vec<Vec<Amendment>> = sets.iter().flat_map(with).collect();
    sets.extend(more);
}

/// The scenario with these changes in its text.
fn changed(scenario: &Scenario, set: &[Amendment]) -> Scenario {
    let mut table = scenario.table();
    for change in set {
        let (list, name) = match change {
            Amendment::Variant { name, value } => {
                let variants = table.entry("variants").or_insert_with(|| toml::Table::new().into());
                let variants = variants.as_table_mut().expect("it is a table");
                variants.insert(name.clone(), value.clone().into());
                continue;
            }
            Amendment::Clause(name) => ("clauses", name),
            Amendment::Asserts(name) => ("asserts", name),
        };
        let off = table["switch-off"][list].as_array_mut().expect("it is switched off");
        off.retain(|it| it.as_str() != Some(name));
    }
    scenario.with_table(&table).expect("it is a scenario")
}

/// The claims of a scenario with this answer.
fn answered(scenario: &Scenario, except: &[&str], answer: CheckAnswer) -> Vec<&'static str> {
    let asked = scenario.claims.iter().map(|(claim, _)| *claim);
    let claims: Vec<_> = asked.filter(|claim| !except.contains(&claim.name)).collect();
    let options = VerdictOptions {
        engine: Engine::Own,
        only: &claims,
        refines: Refines::AsScenariosAsk,
        settings: SearchSettings::without_limits(2),
    };
    let replay = replay(scenario).expect("its steps are possible");
    let verdict = judge(scenario, &replay, &options).expect("it is small");
    let judged = verdict.judged.iter().filter(|it| it.finding.answer == answer);
    judged.filter_map(|it| Some(it.claim()?.name)).collect()
}
