//! Choices of variants: which variants are tried, at which values, and the scenario with a choice
//! made.
//!
//! A claim that holds with one fix may be violated with two, so every combination is a choice of
//! its own and nothing follows from one for another. What keeps their number small is that a value
//! is tried only where it makes a difference.

use deathwatch_model::variants::{VariantInfo, Variants};
use toml::{Table, Value};

use deathwatch_scenario::{Problem, problem::nearest, scenario::Scenario};

/// The greatest number of choices; more would take far too long.
pub const MOST_CHOICES: usize = 4096;

/// A variant and the value that it is tried at.
pub type VariantSetting = (&'static str, &'static str);

/// A variant to try, as a user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedVariant {
    pub variant: &'static str,
    /// The only value to try; if there is none, each value that is a fix, or any other if none is.
    pub value: Option<&'static str>,
}

/// The variants to try.
#[derive(Clone, Copy, Debug)]
pub enum Tried<'a> {
    /// Each that the scenario leaves at its default and that has a fix, at its fixes.
    Fixes,
    /// The same, and each that the scenario chooses, at its default.
    FixesAndDefaults,
    /// Each, at its default and at its fixes, whatever the scenario chooses.
    DefaultsAndFixes,
    These(&'a [NamedVariant]),
}

/// The reason why combinations are not tried: there are more than [`MOST_CHOICES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

/// A variant that is tried, with the values that differ from the scenario's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VariantCandidate {
    pub(super) name: &'static str,
    pub(super) values: Vec<&'static str>,
}

/// Each value of each of these variants, in their order.
pub(super) fn settings(all: &[VariantCandidate]) -> impl Iterator<Item = VariantSetting> + '_ {
    all.iter().flat_map(|it| it.values.iter().map(|value| (it.name, *value)))
}

impl NamedVariant {
    /// The variant that `text` names, as "relation-tracking" or "relation-tracking=remote-scope".
    ///
    /// # Errors
    /// If there is no such variant, or no such value: what there is instead.
    pub fn read(text: &str) -> Result<Self, String> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim())),
            None => (text.trim(), None),
        };
        let Some(variant) = VariantInfo::named(name) else {
            let like = nearest(name, Variants::LIST.iter().map(|variant| variant.name));
            let help = like.unwrap_or("`deathwatch list variants` names all".to_owned());
            return Err(format!("there is no variant \"{name}\"; {help}"));
        };
        let known = |value| {
            variant.value(value).map(|(value, _)| value).ok_or_else(|| {
                let names: Vec<&str> = variant.values.iter().map(|(name, _)| *name).collect();
                format!("{name} has no value \"{value}\", but {}", names.join(", "))
            })
        };
        Ok(Self { variant: variant.name, value: value.map(known).transpose()? })
    }
}

/// The variants to try, with their values.
pub(super) fn candidates(scenario: &Scenario, tried: Tried<'_>) -> Vec<VariantCandidate> {
    let candidate = |(variant, own): (&'static VariantInfo, &str)| {
        let default = variant.default();
        let values = match tried {
            Tried::Fixes | Tried::FixesAndDefaults if own == default => variant.fixes.to_vec(),
            Tried::Fixes => Vec::new(),
            Tried::FixesAndDefaults => vec![default],
            Tried::DefaultsAndFixes => [&[default], variant.fixes].concat(),
            Tried::These(named) => values_named(variant, named),
        };
        let values: Vec<&str> = values.into_iter().filter(|it| *it != own).collect();
        VariantCandidate { name: variant.name, values }
    };
    let all = scenario.world.variants.values().map(candidate);
    all.filter(|it| !it.values.is_empty()).collect()
}

/// The values of a variant that are asked for.
fn values_named(variant: &'static VariantInfo, named: &[NamedVariant]) -> Vec<&'static str> {
    let all = || variant.values.iter().map(|(value, _)| *value);
    let mine = named.iter().filter(|it| it.variant == variant.name);
    let values: Vec<&str> = mine
        .flat_map(|it| match it.value {
            Some(value) => vec![value],
            None if variant.fixes.is_empty() => all().collect(),
            None => variant.fixes.to_vec(),
        })
        .collect();
    all().filter(|value| values.contains(value)).collect()
}

/// All combinations of values, those with fewer changes first. The first changes nothing.
///
/// # Errors
/// If there are too many.
pub(super) fn combinations(
    candidates: &[VariantCandidate],
) -> Result<Vec<Vec<VariantSetting>>, TooMany> {
    let count = candidates.iter().try_fold(1_usize, |count, candidate| {
        let count = count.checked_mul(candidate.values.len() + 1)?;
        (count <= MOST_CHOICES).then_some(count)
    });
    count.ok_or(TooMany)?;
    let mut choices = vec![Vec::new()];
    for VariantCandidate { name, values } in candidates {
        let longer: Vec<Vec<VariantSetting>> = choices
            .iter()
            .flat_map(|choice| values.iter().map(move |it| [&choice[..], &[(*name, *it)]].concat()))
            .collect();
        choices.extend(longer);
    }
    choices.sort_by_key(Vec::len);
    Ok(choices)
}

/// Whether `of` makes all changes of `choice`, too.
pub(super) fn is_part(choice: &[VariantSetting], of: &[VariantSetting]) -> bool {
    choice.iter().all(|setting| of.contains(setting))
}

/// The scenario with a choice made.
///
/// # Errors
/// If there is no such world, or the scenario's steps are about another one.
pub fn with(scenario: &Scenario, choice: &[VariantSetting]) -> Result<Scenario, Problem> {
    if choice.is_empty() {
        return Ok(scenario.clone());
    }
    let mut table = scenario.table();
    choose(&mut table, choice);
    scenario.with_table(&table)
}

/// Sets these variants in the table of a scenario.
pub(super) fn choose(table: &mut Table, choice: &[VariantSetting]) {
    let variants = table.entry("variants").or_insert_with(|| Value::Table(Table::new()));
    if let Some(variants) = variants.as_table_mut() {
        for (name, value) in choice {
            variants.insert((*name).to_owned(), Value::String((*value).to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_come_by_the_number_of_changes() {
        let candidates = [
            VariantCandidate { name: "a", values: vec!["1", "2"] },
            VariantCandidate { name: "b", values: vec!["3"] },
        ];
        let choices = combinations(&candidates).expect("they are few");
        let (a1, a2, b) = (("a", "1"), ("a", "2"), ("b", "3"));
        assert_eq!(
            choices,
            [vec![], vec![a1], vec![a2], vec![b], vec![a1, b], vec![a2, b]]
                as [Vec<VariantSetting>; 6]
        );
        assert!(is_part(&[b], &[a1, b]) && !is_part(&[a2], &[a1, b]) && is_part(&[], &[]));
        let many = vec![VariantCandidate { name: "a", values: vec!["1", "2", "3"] }; 7];
        assert!(combinations(&many).is_err());
        assert_eq!(combinations(&many[..6]).map(|it| it.len()).ok(), Some(MOST_CHOICES));
    }

    #[test]
    fn a_variant_is_named_with_or_without_a_value() {
        let all = NamedVariant { variant: "settings-cleanup", value: None };
        assert_eq!(NamedVariant::read("settings-cleanup"), Ok(all.clone()));
        let one = NamedVariant { value: Some("cleaner"), ..all };
        assert_eq!(NamedVariant::read("settings-cleanup = cleaner"), Ok(one));
        for bad in ["", "cleaner", "settings-cleanup=", "settings-cleanup=never"] {
            assert!(NamedVariant::read(bad).is_err(), "{bad}");
        }
    }
}
