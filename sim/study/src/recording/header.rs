//! The header of a run, made of its scenario and its world.

use deathwatch_documents::run::{
    Application, Assumption, Counts, Entities, Fault, Given, Header, Machine, Origin, Relation,
    Setting, SwitchedOff, Table,
};
use deathwatch_model::{
    clause::Clause,
    ids::{EntityId, MachineId},
    variants::Variants,
    world::{self, FaultKind, Per, Scope, Switch, Transactions, World},
};
use deathwatch_scenario::{describe, scenario::Scenario};

/// The header of a run of `scenario`.
pub(crate) fn header(
    scenario: &Scenario,
    made_by: &str,
    origin: Origin,
    script: usize,
    counts: Option<Counts>,
) -> Header {
    let world = &scenario.world;
    let names = |clauses: &mut dyn Iterator<Item = Clause>| -> Vec<String> {
        clauses.map(|clause| world.clause_name(clause).into_owned()).collect()
    };
    let own = || world.own_rules.clauses().map(|(clause, _)| clause);
    let those = |is_in: &dyn Fn(Clause) -> bool| {
        names(&mut Clause::all().chain(own()).filter(|it| is_in(*it)))
    };
    Header {
        scenario: scenario.name.clone(),
        file: scenario.address.to_string(),
        shows: scenario.shows.clone(),
        rules: names(&mut scenario.rules.iter().copied()),
        made_by: made_by.to_owned(),
        origin,
        script,
        counts,
        transactions: match world.transactions {
            Transactions::Split => "split".to_owned(),
            Transactions::Atomic => "atomic".to_owned(),
        },
        details: world.detail.on().map(str::to_owned).collect(),
        variants: variants(&world.variants),
        directories: world.has_directories(),
        assumptions: assumptions(world),
        fairness: if world.assumptions.strong { "strong" } else { "weak" }.to_owned(),
        fairness_per: match world.assumptions.per {
            Per::Agent => "agent".to_owned(),
            Per::Duty => "duty".to_owned(),
        },
        commands: commands(world),
        users: world.user_ids().count(),
        faults: FaultKind::ALL.iter().map(|kind| fault(world, *kind)).collect(),
        switched_off: SwitchedOff {
            clauses: [those(&|it| world.without.contains(it)), at_places(world)].concat(),
            asserts: those(&|it| world.unasserted.contains(it)),
            neglected: [those(&|it| is_neglected_by_all(world, it)), by_some(world)].concat(),
        },
        own_rules: world.own_rules.clauses().map(|(_, name)| name.to_owned()).collect(),
    }
}

/// The clauses that are off at one place, with that.
fn at_places(world: &World) -> Vec<String> {
    let all = world.without_at.iter();
    all.map(|(it, at)| format!("{} {}", world.clause_name(*it), describe::name(world, *at)))
        .collect()
}

/// The duties that one agent neglects, with that.
fn by_some(world: &World) -> Vec<String> {
    let all = world.neglected_by.iter();
    all.map(|(it, by)| format!("{} {}", world.clause_name(*it), world.show_actor(*by))).collect()
}

fn is_neglected_by_all(world: &World, clause: Clause) -> bool {
    world.neglected.contains(clause) && !world.neglected_by.iter().any(|(it, _)| *it == clause)
}

fn variants(variants: &Variants) -> Table<Setting> {
    let changed = variants.changed().map(|(info, value)| {
        let means = info.value(value).map_or("", |(_, means)| means).to_owned();
        (info.name.to_owned(), Setting { value: value.to_owned(), means })
    });
    changed.collect()
}

fn assumptions(world: &World) -> Table<Assumption> {
    let all = world::Assumption::ALL.iter().map(|it| {
        let (row, made) = (it.row(), it.is_made(&world.assumptions));
        (row.key.to_owned(), Assumption { says: row.says.to_owned(), made })
    });
    all.collect()
}

fn commands(world: &World) -> Vec<Given> {
    let commands = world.commands.iter();
    let given =
        |it: &world::Allowed| Given { command: world.show_command(it.command), most: it.most };
    commands.map(given).collect()
}

fn fault(world: &World, kind: FaultKind) -> (String, Fault) {
    let switch = world.faults.switch(kind);
    let names = |ids: &[MachineId]| ids.iter().map(|id| world.machine(*id).name.clone()).collect();
    let machines = match switch {
        Switch::Whole(_) => None,
        Switch::For(ids) => Some(names(ids)),
    };
    let means = kind.row().meaning.to_owned();
    (kind.key().to_owned(), Fault { means, on: switch.is_on(), machines })
}

/// The entities of `world` that `is_shown` picks, as a header names them.
pub(crate) fn entities(world: &World, is_shown: &dyn Fn(EntityId) -> bool) -> Entities {
    let machines = world.machine_ids().filter(|id| is_shown(EntityId::Machine(*id)));
    let machines = machines.map(|id| world.machine(id)).map(|it| {
        let host = it.parent.map(|id| world.machine(id).name.clone());
        let (manages_model, hosts_units) = (it.manages_model, it.hosts_units);
        (it.name.clone(), Machine { host, manages_model, hosts_units })
    });
    let applications = world.application_ids().filter(|id| is_shown(EntityId::Application(*id)));
    let applications = applications.map(|id| world.application(id)).map(|it| {
        let units = it.units().filter(|id| is_shown(EntityId::Unit(*id)));
        let units = units.map(|id| world.unit(id).name.clone()).collect();
        (it.name.clone(), Application { subordinate: it.subordinate, units })
    });
    let relations = world.relation_ids().filter(|id| is_shown(EntityId::Relation(*id)));
    let relations = relations.map(|id| world.relation(id)).map(|it| {
        let ends = it.applications().map(|id| world.application(id).name.clone());
        let scope = match it.scope {
            Scope::Global => "global",
            Scope::Container => "container",
            Scope::Peer => "peer",
        };
        let scope = scope.to_owned();
        (it.name.clone(), Relation { applications: ends.collect(), scope })
    });
    Entities {
        machines: machines.collect(),
        applications: applications.collect(),
        relations: relations.collect(),
    }
}
