//! Settings: under which readings, faults and assumptions a scenario asks.

use deathwatch_model::{
    clause::Clauses,
    variants::Variants,
    world::{Per, Transactions, World},
};

/// How what is usually assumed begins where it is not.
pub(super) const NOT_THAT: &str = "not that ";
/// How what is assumed besides begins.
pub(super) const ALSO_THAT: &str = "also that ";

/// The values that mend what the documents get wrong, each of which some scenario shows to be
/// needed.
const MENDED: &[(&str, &str)] = &[
    ("relation-tracking", "remote-scope"),
    ("undeployed-unit-not-alive", "deployed-while-held"),
    ("settings-cleanup", "cleaner"),
    ("peer-relations", "with-application"),
    ("dying-relation-skipped", "asserted"),
];

/// How a world differs from what would be asked first: the documents as written, without faults
/// and under the usual assumptions.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Settings {
    /// The readings: "as written" or "mended", then what differs from that.
    pub(super) readings: String,
    /// What is assumed, as far as that is not usual.
    pub(super) assumptions: Vec<String>,
    /// What may go wrong.
    pub(super) faults: Vec<String>,
}

impl Settings {
    /// The settings of a world.
    pub(super) fn of(world: &World) -> Self {
        Self { readings: base(world), faults: faults(world), assumptions: assumptions(world) }
    }

    /// As a sentence.
    pub(super) fn sentence(&self) -> String {
        let or = |list: &[String], none: &str| {
            if list.is_empty() { none.to_owned() } else { list.join(", ") }
        };
        let (faults, assumptions) =
            (or(&self.faults, "nothing"), or(&self.assumptions, "the usual"));
        format!("Readings: {}. May go wrong: {faults}. Assumed: {assumptions}.", self.readings)
    }
}

/// What "mended" stands for.
pub(super) fn mended() -> String {
    let values: Vec<String> =
        MENDED.iter().map(|(name, value)| format!("`{name} = {value}`")).collect();
    values.join(", ")
}

/// The readings that differ from the documents as written.
pub(super) fn readings(world: &World) -> Vec<String> {
    differences(world, &[])
}

/// The readings by what differs least from them.
fn base(world: &World) -> String {
    let (written, mended) = (differences(world, &[]), differences(world, MENDED));
    let (name, differences) =
        if mended.len() < written.len() { ("mended", mended) } else { ("as written", written) };
    let names = [name.to_owned()].into_iter().chain(differences);
    names.collect::<Vec<_>>().join(", ")
}

/// What differs from a base, which has the default value where it names no other.
fn differences(world: &World, base: &[(&str, &str)]) -> Vec<String> {
    let changed = world.variants.changed();
    let mut differences = Vec::new();
    for variant in Variants::LIST {
        let default = variant.values[0].0;
        let usual = base.iter().find(|(name, _)| *name == variant.name).map_or(default, |it| it.1);
        let value = changed.iter().find(|(name, _)| *name == variant.name);
        let value = value.map_or(default, |(_, value)| value.as_str());
        if value != usual {
            differences.push(format!("`{} = {value}`", variant.name));
        }
    }
    cuts(&world.without, "without", "", &mut differences);
    cuts(&world.unasserted, "without the asserts of", "", &mut differences);
    cuts(&world.neglected, "", " neglected", &mut differences);
    differences
}

fn cuts(clauses: &Clauses, before: &str, after: &str, readings: &mut Vec<String>) {
    let named = clauses.iter().map(|clause| format!("{before} `{clause}`{after}"));
    readings.extend(named.map(|text| text.trim_start().to_owned()));
}

fn faults(world: &World) -> Vec<String> {
    let faults = &world.faults;
    let on = [
        (world.transactions == Transactions::Split, "races between plan and commit"),
        (faults.crash && !faults.downtime, "crashes"),
        (faults.crash && faults.downtime, "crashes with downtime"),
        (!faults.hardware_failure.is_empty(), "hardware failures"),
        (!faults.undetected_hardware_failure.is_empty(), "undetected hardware failures"),
        (faults.abort, "spurious aborts"),
        (faults.lost_connection, "lost connections"),
        (faults.hook_failure, "hook failures"),
    ];
    on.into_iter().filter(|(is_on, _)| *is_on).map(|(_, text)| text.to_owned()).collect()
}

fn assumptions(world: &World) -> Vec<String> {
    let assumed = &world.assumptions;
    let unusual = [
        (!assumed.agents_act, "agents keep acting"),
        (!assumed.crashed_agents_restart, "crashed agents restart"),
        (!assumed.failed_hardware_is_terminated, "failed hardware is terminated"),
        (!assumed.hook_errors_are_resolved, "hook errors are resolved"),
        (!assumed.agents_are_upgraded, "neglectful agents are upgraded"),
        (!assumed.commands_finish, "commands finish"),
    ];
    let off = unusual.into_iter().filter(|(is_off, _)| *is_off);
    let mut texts: Vec<String> = off.map(|(_, text)| format!("{NOT_THAT}{text}")).collect();
    if assumed.per == Per::Duty {
        texts.push(format!("{ALSO_THAT}each duty is done in its turn"));
    }
    if assumed.strong {
        texts.push(format!("{ALSO_THAT}agents are strongly fair"));
    }
    texts
}
