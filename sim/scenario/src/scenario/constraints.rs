//! The sets of constraints of a world, where the detail `constraints` is on, and their names.

use deathwatch_model::{
    ids::Constraints,
    world::{ConstraintValues, ConstraintsDef, WorldBuilder},
};

use super::{
    detail::how_to_switch_on,
    form::WorldFile,
    names::{no_duplicates, with_suggestion},
    value::Located,
};
use crate::problem::{Problem, Text};

/// The expected form of constraints.
const EXPECTED: &str = "constraints, such as mem=2G or cpu-power=400,mem=2G, were expected";

/// Reads the sets that commands may name, in the world that has its details.
///
/// # Errors
/// If one is not a set of constraints, or if there are some without the detail, or too many.
pub(super) fn read(text: &Text, file: &WorldFile, world: &mut WorldBuilder) -> Result<(), Problem> {
    let listed = &file.constraints;
    if let (Some(first), false) = (listed.first(), world.detail.constraints) {
        let message = "there are constraints only where the detail `constraints` is on";
        let problem = text.problem(&first.span, message, "not expected here");
        return Err(problem.with_help(how_to_switch_on("constraints")));
    }
    if let Some(extra) = listed.get(ConstraintsDef::MOST) {
        let message = format!("there can be at most {} sets of constraints", ConstraintsDef::MOST);
        return Err(text.problem(&extra.span, message, "one too many"));
    }
    no_duplicates(text, listed)?;
    let read = |sets: &[Located<String>]| sets.iter().map(|set| values(text, set)).collect();
    let sets: Result<_, Problem> = read(listed);
    world.constraints = ConstraintsDef::of(sets?);
    let Some(hardware) = &file.hardware else { return Ok(()) };
    let details =
        [("constraints", world.detail.constraints), ("provisioning", world.detail.provisioning)];
    if let Some((off, _)) = details.into_iter().find(|(_, is_on)| !is_on) {
        let message =
            format!("the provider's hardware matters only where the detail `{off}` is on");
        let problem = text.problem(&hardware.span, message, "not expected here");
        return Err(problem.with_help(how_to_switch_on(off)));
    }
    no_duplicates(text, &hardware.value)?;
    let kinds: Result<_, Problem> = read(&hardware.value);
    world.constraints = std::mem::take(&mut world.constraints).on(kinds?);
    Ok(())
}

/// The values of a set, whose keys are in order, so that each set has one name.
fn values(text: &Text, set: &Located<String>) -> Result<ConstraintValues, Problem> {
    let wrong = |message: String| text.problem(&set.span, message, EXPECTED);
    let is_word = |word: &str| {
        !word.is_empty() && word.chars().all(|it| it.is_ascii_alphanumeric() || "-_.".contains(it))
    };
    let (mut values, mut last) = (ConstraintValues::new(), "");
    for part in set.value.split(',') {
        let Some((key, value)) =
            part.split_once('=').filter(|(key, value)| is_word(key) && is_word(value))
        else {
            return Err(wrong(format!("`{part}` is not a constraint")));
        };
        if key <= last {
            return Err(wrong(format!("`{key}` does not come after `{last}`")));
        }
        values.insert(key.to_owned(), value.to_owned());
        last = key;
    }
    Ok(values)
}

/// The set of this name.
///
/// # Errors
/// If the world has none of this name.
pub(super) fn named(
    text: &Text,
    sets: &ConstraintsDef,
    name: &Located<String>,
) -> Result<Constraints, Problem> {
    sets.named(&name.value).ok_or_else(|| {
        let message = format!("this world has no constraints `{}`", name.value);
        let problem = text.problem(&name.span, message, EXPECTED);
        let known: Vec<String> = sets.listed().map(|set| sets.name(set).to_owned()).collect();
        with_suggestion(problem, &name.value, known.iter().map(String::as_str))
    })
}

/// The set of this name, which commands may name.
///
/// # Errors
/// If the world lists none of this name.
pub(super) fn listed(
    text: &Text,
    sets: &ConstraintsDef,
    name: &Located<String>,
) -> Result<Constraints, Problem> {
    let set = named(text, sets, name)?;
    if sets.listed().any(|it| it == set) {
        return Ok(set);
    }
    let message = format!("`{}` is not listed in `constraints` of [world]", name.value);
    Err(text.problem(&name.span, message, "one that is listed was expected"))
}
