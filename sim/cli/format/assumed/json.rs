//! What claims need, as JSON, with the keys of scenario files.

use deathwatch_model::check::Asked;
use deathwatch_study::assume::{Answered, Assumed, NeedsSet, Setting};
use serde_json::{Map, Value, json};

use super::{reason, why_no_others};

/// One scenario.
pub(super) fn run(assumed: &Assumed) -> Value {
    let tried = assumed.tried.iter().map(|(name, values)| ((*name).to_owned(), json!(values)));
    let open = assumed.open.iter();
    let open = open.map(|(choice, why)| json!({"variants": map(choice), "reason": reason(why)}));
    json!({
        "scenario": assumed.scenario,
        "decided": assumed.is_whole(),
        "states": assumed.states,
        "choices": assumed.choices,
        "tried": tried.collect::<Map<_, _>>(),
        "indifferent": assumed.indifferent.iter().map(|one| map(&[*one])).collect::<Vec<_>>(),
        "questions": assumed.answers.iter().map(question).collect::<Vec<_>>(),
        "open": open.collect::<Vec<_>>(),
        "others": assumed.others.err().map(|_| why_no_others()),
    })
}

fn question((asked, answered): &(Asked, Answered)) -> Value {
    let (name, kind) = match asked {
        Asked::Claim(claim) => (claim.name.to_owned(), claim.kind().name()),
        Asked::Witness(clause) => (format!("{clause} is carried out"), "witness"),
        Asked::Refinement => unreachable!("it is not asked here"),
    };
    json!({
        "name": name,
        "kind": kind,
        "holds": answered.holds.iter().map(set).collect::<Vec<_>>(),
        "vacuous": answered.vacuous.iter().map(set).collect::<Vec<_>>(),
        "open": answered.open.iter().map(|choice| map(choice)).collect::<Vec<_>>(),
    })
}

fn set(set: &NeedsSet) -> Value {
    let faults = set.premises.faults().into_iter();
    let faults = faults.map(|(key, how)| (key.to_owned(), Value::from(how)));
    json!({
        "assume": set.premises.assumed(),
        "faults": faults.collect::<Map<_, _>>(),
        "variants": map(&set.variants),
        "minimal": set.is_minimal,
        "lost_with": set.lost_with.iter().map(|more| map(more)).collect::<Vec<_>>(),
    })
}

fn map(variants: &[Setting]) -> Value {
    let entries = variants.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value)));
    Value::Object(entries.collect())
}
