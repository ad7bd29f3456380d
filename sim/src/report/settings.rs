//! Settings: under which readings, faults and assumptions a scenario asks.

use deathwatch_model::{
    clause::Clauses,
    world::{Per, Transactions, World},
};

/// How a world differs from the documents, consistently read, without faults and under all
/// assumptions.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Settings {
    /// The readings that are not the default, and the clauses that are switched off.
    pub(super) readings: Vec<String>,
    /// What may go wrong.
    pub(super) faults: Vec<String>,
    /// What is not assumed.
    pub(super) assumptions: Vec<String>,
}

impl Settings {
    /// The settings of a world.
    pub(super) fn of(world: &World) -> Self {
        let changed = world.variants.changed().into_iter();
        let mut readings: Vec<String> =
            changed.map(|(name, value)| format!("`{name} = {value}`")).collect();
        cuts(&world.without, "without", "", &mut readings);
        cuts(&world.unasserted, "without the asserts of", "", &mut readings);
        cuts(&world.neglected, "", " neglected", &mut readings);
        Self { readings, faults: faults(world), assumptions: assumptions(world) }
    }

    /// As three cells of a table.
    pub(super) fn cells(&self) -> [String; 3] {
        let or = |list: &[String], none: &str| {
            if list.is_empty() { none.to_owned() } else { list.join(", ") }
        };
        [or(&self.readings, "as written"), or(&self.faults, "none"), or(&self.assumptions, "all")]
    }

    /// As a sentence.
    pub(super) fn sentence(&self) -> String {
        let readings = match self.readings.as_slice() {
            [] => "as written".to_owned(),
            readings => readings.join(", "),
        };
        let faults = match self.faults.as_slice() {
            [] => "none".to_owned(),
            faults => faults.join(", "),
        };
        let mut text = format!("Readings: {readings}. Faults: {faults}.");
        if !self.assumptions.is_empty() {
            text.push_str(&format!(" Not assumed: {}.", self.assumptions.join(", ")));
        }
        text
    }
}

fn cuts(clauses: &Clauses, before: &str, after: &str, readings: &mut Vec<String>) {
    let named = clauses.iter().map(|clause| format!("{before} `{clause}`{after}"));
    readings.extend(named.map(|text| text.trim_start().to_owned()));
}

fn faults(world: &World) -> Vec<String> {
    let faults = &world.faults;
    let on = [
        (world.transactions == Transactions::Split, "others act between plan and commit"),
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
    let mut texts: Vec<String> = off.map(|(_, text)| text.to_owned()).collect();
    if assumed.per == Per::Duty {
        texts.push("(but that each duty is done in its turn)".to_owned());
    }
    if assumed.strong {
        texts.push("(but that agents are strongly fair)".to_owned());
    }
    texts
}
