//! Constraints: the demands of a unit on its machine (D3:27-64). A scenario lists the sets that
//! commands may name; these, and the combinations of an application's with the model's, are
//! numbered with the world.

use std::collections::BTreeMap;

use crate::ids::Constraints;

/// The value of each key that is set.
pub type ConstraintValues = BTreeMap<String, String>;

/// The sets of constraints of a world. The first one is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstraintsDef {
    sets: Vec<ConstraintValues>,
    names: Vec<String>,
    /// The number of sets that commands may name.
    listed: usize,
    /// For each listed set of an application and each of the model, their combination.
    combined: Vec<Vec<Constraints>>,
    /// The kinds of hardware that the provider has; `None` is any hardware.
    hardware: Option<Vec<ConstraintValues>>,
}

impl Default for ConstraintsDef {
    fn default() -> Self {
        Self::of(Vec::new())
    }
}

impl ConstraintsDef {
    /// The greatest number of sets that can be listed, so that all their combinations have numbers.
    pub const MOST: usize = 14;

    /// The sets that commands may name, beside none.
    pub fn of(listed: Vec<ConstraintValues>) -> Self {
        let mut sets: Vec<ConstraintValues> =
            [ConstraintValues::new()].into_iter().chain(listed).collect();
        let listed = sets.len();
        let mut combined = Vec::new();
        for own in 0..listed {
            let mut row = Vec::new();
            for model in 0..listed {
                // Every key that the application does not set is taken from the model (D3:40-43).
                let mut both = sets[model].clone();
                both.extend(sets[own].clone());
                let known = sets.iter().position(|set| *set == both);
                let number = known.unwrap_or(sets.len());
                if known.is_none() {
                    sets.push(both);
                }
                row.push(Constraints::new(number));
            }
            combined.push(row);
        }
        let names = sets.iter().map(name).collect();
        Self { sets, names, listed, combined, hardware: None }
    }

    /// The same sets, with a provider that has these kinds of hardware and no others.
    #[must_use]
    pub fn on(self, hardware: Vec<ConstraintValues>) -> Self {
        Self { hardware: Some(hardware), ..self }
    }

    /// The kinds of hardware that the provider has, by their names; `None` is any hardware.
    pub fn hardware(&self) -> Option<impl Iterator<Item = String>> {
        self.hardware.as_ref().map(|kinds| kinds.iter().map(name))
    }

    /// Whether the provider has hardware that satisfies this set.
    pub fn can_be_satisfied(&self, set: Constraints) -> bool {
        let asked = &self.sets[set.number()];
        self.hardware.as_ref().is_none_or(|kinds| kinds.iter().any(|kind| has(kind, asked)))
    }

    pub(crate) fn count(&self) -> usize {
        self.sets.len()
    }

    /// The number of sets that commands may name, including none.
    pub(crate) fn listed_count(&self) -> usize {
        self.listed
    }

    /// The constraints that commands may name, none first.
    pub fn listed(&self) -> impl Iterator<Item = Constraints> + use<> {
        (0..self.listed).map(Constraints::new)
    }

    /// The constraints that a unit captures if its application has `own` and the model has `model`:
    /// key by key the application's value, else the model's, else none.
    pub fn captured(&self, own: Constraints, model: Constraints) -> Constraints {
        self.combined[own.number()][model.number()]
    }

    /// Whether a machine made by `machine` satisfies the constraints `unit`.
    pub fn satisfies(&self, machine: Constraints, unit: Constraints) -> bool {
        has(&self.sets[machine.number()], &self.sets[unit.number()])
    }

    /// The value of each key that a set has.
    pub fn values(&self, set: Constraints) -> &ConstraintValues {
        &self.sets[set.number()]
    }

    /// The name of a set, as in "cpu-power=400,mem=2G".
    pub fn name(&self, set: Constraints) -> &str {
        &self.names[set.number()]
    }

    /// The names of all sets, that of none first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    pub fn named(&self, name: &str) -> Option<Constraints> {
        self.names.iter().position(|known| known == name).map(Constraints::new)
    }
}

/// Whether hardware with these values satisfies a demand: for each key the amount or more, in any
/// units. A value that is no amount, such as the name of an architecture, must be equal.
fn has(values: &ConstraintValues, asked: &ConstraintValues) -> bool {
    let is_enough = |(key, asked): (&String, &String)| {
        let value = values.get(key);
        value.is_some_and(|value| match (amount(value), amount(asked)) {
            (Some(amount), Some(asked)) => amount >= asked,
            (_, None) | (None, _) => value == asked,
        })
    };
    asked.iter().all(is_enough)
}

/// The name of a set: its keys in order, or the word for none.
fn name(set: &ConstraintValues) -> String {
    let values: Vec<String> = set.iter().map(|(key, value)| format!("{key}={value}")).collect();
    if values.is_empty() { "none".to_owned() } else { values.join(",") }
}

/// The amount of a value, in the smallest unit; `None` if it is no amount.
fn amount(value: &str) -> Option<u64> {
    let (number, factor) = match value.strip_suffix(|unit: char| "MGT".contains(unit)) {
        Some(number) if value.ends_with('M') => (number, 1),
        Some(number) if value.ends_with('G') => (number, 1 << 10),
        Some(number) => (number, 1 << 20),
        None => (value, 1),
    };
    number.parse::<u64>().ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> ConstraintValues {
        let values = text.split(',').filter_map(|it| it.split_once('='));
        values.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
    }

    #[test]
    fn an_application_is_asked_key_by_key_before_the_model() {
        let world = ConstraintsDef::of(["mem=2G", "cpu=4,mem=1G", "cpu=2"].map(set).to_vec());
        let captured = |own: &str, model: &str| {
            let [own, model] = [own, model].map(|name| world.named(name).expect(name));
            world.name(world.captured(own, model)).to_owned()
        };
        assert_eq!(captured("none", "none"), "none");
        assert_eq!(captured("mem=2G", "none"), "mem=2G");
        assert_eq!(captured("none", "mem=2G"), "mem=2G");
        assert_eq!(captured("mem=2G", "cpu=4,mem=1G"), "cpu=4,mem=2G");
        assert_eq!(captured("cpu=4,mem=1G", "mem=2G"), "cpu=4,mem=1G");
        assert_eq!(captured("mem=2G", "cpu=2"), "cpu=2,mem=2G");
        assert_eq!(world.listed().count(), 4);
        assert_eq!(world.count(), 7, "cpu=2 over mem=1G is one, too");
    }

    #[test]
    fn a_machine_satisfies_whoever_asks_for_no_more() {
        let world = ConstraintsDef::of(
            ["mem=2G", "mem=2048M", "mem=3G", "arch=arm", "arch=i386"].map(set).to_vec(),
        );
        let satisfies = |machine: &str, unit: &str| {
            let [machine, unit] = [machine, unit].map(|name| world.named(name).expect(name));
            world.satisfies(machine, unit)
        };
        assert!(satisfies("none", "none") && satisfies("mem=2G", "none"));
        assert!(satisfies("mem=3G", "mem=2G") && satisfies("mem=3G", "mem=2048M"));
        assert!(satisfies("mem=2G", "mem=2048M") && satisfies("mem=2048M", "mem=2G"));
        assert!(!satisfies("mem=2G", "mem=3G") && !satisfies("none", "mem=2G"));
        assert!(satisfies("arch=arm", "arch=arm") && !satisfies("arch=arm", "arch=i386"));
        assert!(!satisfies("arch=arm", "mem=2G"));
    }

    #[test]
    fn a_provider_satisfies_what_one_kind_of_its_hardware_has() {
        let listed = || ["mem=2G", "mem=3G", "cpu=4", "cpu=4,mem=2G"].map(set).to_vec();
        let any = ConstraintsDef::of(listed());
        let some = ConstraintsDef::of(listed()).on(["mem=2G", "cpu=8"].map(set).to_vec());
        let none = ConstraintsDef::of(listed()).on(Vec::new());
        let satisfied = |world: &ConstraintsDef| {
            let can_be = |set: &Constraints| world.can_be_satisfied(*set);
            world.listed().filter(can_be).map(|set| world.name(set).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(satisfied(&any), ["none", "mem=2G", "mem=3G", "cpu=4", "cpu=4,mem=2G"]);
        assert_eq!(satisfied(&some), ["none", "mem=2G", "cpu=4"], "no kind has both");
        assert!(satisfied(&none).is_empty(), "where there is no hardware nothing starts");
    }
}
