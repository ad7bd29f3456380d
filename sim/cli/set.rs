//! `--set`: scenarios with variants that their files have otherwise.

use deathwatch_scenario::{
    Problem,
    scenario::{self, AnySizeFile, Scenario},
};
use deathwatch_study::assume::NamedVariant;

use crate::load::{self, Ready};

/// A variant with the value that it is set to.
pub(crate) fn setting(text: &str) -> Result<NamedVariant, String> {
    let named = NamedVariant::read(text)?;
    match named.value {
        Some(_) => Ok(named),
        None => Err(format!("a value is missing, as in {text}=VALUE")),
    }
}

/// The flags that set them.
pub(crate) fn flags(set: &[NamedVariant]) -> impl Iterator<Item = String> {
    set.iter().filter_map(|it| Some(format!("--set {}={}", it.variant, it.value?)))
}

/// The scenario with these variants.
pub(crate) fn unplayed(set: &[NamedVariant], scenario: Scenario) -> Result<Scenario, Problem> {
    if set.is_empty() {
        return Ok(scenario);
    }
    for (at, it) in set.iter().enumerate() {
        if set[..at].iter().any(|known| known.variant == it.variant) {
            return Err(Problem::new(format!("{} is set twice", it.variant)));
        }
    }
    let chosen = |it: &NamedVariant| (it.variant, it.value.expect("the flag has required one"));
    let set: Vec<(&str, &str)> = set.iter().map(chosen).collect();
    let mut other = scenario::with_variants(&scenario, &set)?;
    // The pinned numbers are those of the file's own world. The question is asked of this one, too.
    other.any_size = scenario.any_size.map(|_| AnySizeFile::default());
    Ok(other)
}

/// The scenario with these variants, and its script played there as far as that is possible.
pub(crate) fn played(set: &[NamedVariant], ready: Ready) -> Result<Ready, Problem> {
    if set.is_empty() {
        return Ok(ready);
    }
    let scenario = unplayed(set, ready.scenario)?;
    let replay = load::replay_or_cut(&scenario)?;
    Ok(Ready { scenario, replay })
}

/// The same of several scenarios.
pub(crate) fn all(set: &[NamedVariant], all: Vec<Ready>) -> Result<Vec<Ready>, Problem> {
    all.into_iter().map(|ready| played(set, ready)).collect()
}
