//! A world in which every process has something to do now and then.
//!
//! Two units of wordpress are on machines 1 and 2, one of mysql is with the second; the relation of
//! the two applications is in use. Subordinates of logging and machine 3 may come.

use deathwatch_model::{
    clause::{Clause, Rule},
    ids::{ApplicationId, Id, MachineId, Placement, RelationId, UnitId},
    rows::{Application, Count, Machine, Relation, Unit},
    runtime::Membership,
    state::State,
    store::Touched,
    variants::{AgentUpgrade, SettingsCleanup, Variants},
    world::{
        Allowed, ApplicationDef, CharmDef, Command, Faults, MachineDef, RelationDef, Scope,
        Transactions, UnitDef, World, WorldBuilder,
    },
};

const WORDPRESS: usize = 0;
const MYSQL: usize = 1;
const LOGGING: usize = 2;
/// The units of each application: their indices.
const UNITS: [std::ops::Range<usize>; 3] = [0..3, 3..4, 4..7];
/// The units at the start, with their applications and machines.
const DEPLOYED: [(usize, usize, usize); 3] = [(0, WORDPRESS, 1), (1, WORDPRESS, 2), (3, MYSQL, 2)];
/// The relation of wordpress and mysql.
const DB: usize = 0;
/// The relation of wordpress and logging.
const INFO: usize = 1;

pub(super) fn world() -> World {
    let neglected = [Clause { rule: Rule::UnitAgent, number: 1 }].into_iter().collect();
    let machines: Vec<MachineId> = (0..4).map(MachineId::new).collect();
    let faults = Faults {
        crash: true,
        downtime: true,
        undetected_hardware_failure: machines[1..3].to_vec(),
        hardware_failure: machines,
        abort: true,
        hook_failure: true,
        ..Faults::default()
    };
    WorldBuilder {
        machines: [(true, false), (true, true), (false, true), (false, true)]
            .into_iter()
            .enumerate()
            .map(|(index, (manages_model, hosts_units))| MachineDef {
                name: index.to_string(),
                parent: None,
                manages_model,
                hosts_units,
                never_starts: false,
            })
            .collect(),
        applications: vec![
            application("wordpress", WORDPRESS, &[DB, INFO]),
            application("mysql", MYSQL, &[DB]),
            application("logging", LOGGING, &[INFO]),
        ],
        units: UNITS.into_iter().enumerate().flat_map(|(of, units)| units.map(unit(of))).collect(),
        relations: vec![
            relation("wordpress:db mysql:server", [WORDPRESS, MYSQL], Scope::Global),
            relation("wordpress:info logging:info", [WORDPRESS, LOGGING], Scope::Container),
        ],
        variants: Variants { settings_cleanup: SettingsCleanup::Cleaner, ..Variants::default() },
        transactions: Transactions::Split,
        commands: commands(),
        faults,
        tries: 3,
        neglected,
        ..WorldBuilder::default()
    }
    .build()
}

/// The same, where an upgrade does not help the agents that run.
pub(super) fn with_versions() -> World {
    world().changed(|world| {
        world.variants.agent_upgrade = AgentUpgrade::OnFreshSystems;
        world.neglected.insert(Clause { rule: Rule::Provisioner, number: 3 });
        world.neglected.insert(Clause { rule: Rule::Cleaner, number: 1 });
    })
}

fn application(name: &str, index: usize, relations: &[usize]) -> ApplicationDef {
    ApplicationDef {
        name: name.to_owned(),
        subordinate: index == LOGGING,
        charm: CharmDef::default(),
        relations: relations.iter().map(|index| RelationId::new(*index)).collect(),
        units: UNITS[index].clone(),
    }
}

fn unit(of: usize) -> impl Fn(usize) -> UnitDef {
    move |index| UnitDef { name: index.to_string(), application: ApplicationId::new(of) }
}

fn relation(name: &str, ends: [usize; 2], scope: Scope) -> RelationDef {
    RelationDef { name: name.to_owned(), ends: ends.map(ApplicationId::new), scope }
}

fn commands() -> Vec<Allowed> {
    let (db, unit, machine) = (RelationId::new(DB), UnitId::new, MachineId::new);
    let again = [
        Command::DestroyRelation(db),
        Command::Integrate(db),
        Command::AddUnit(ApplicationId::new(WORDPRESS)),
        Command::DestroyUnit(unit(0)),
        Command::ForceDestroyUnit(unit(1)),
    ];
    let once = [
        Command::DestroyMachine(machine(0)),
        Command::ForceDestroyMachine(machine(2)),
        Command::AddMachine(machine(3)),
    ];
    let again = again.map(|command| Allowed { command, most: None });
    again.into_iter().chain(once.map(|command| Allowed { command, most: Some(1) })).collect()
}

/// The state in which its runs begin.
pub(super) fn start(world: &World) -> State {
    let (mut state, mut touched) = (State::empty(world), Touched::new());
    for id in world.machine_ids().take(3) {
        state.store.machine_docs_mut(id, &mut touched).machine = Some(Machine::created());
        state.start_instance(id, &mut touched);
    }
    for id in world.application_ids() {
        let constants = world.application(id);
        let units = DEPLOYED.into_iter().filter(|(unit, ..)| constants.units.contains(unit));
        let (units, relations) = (units.count(), constants.relations.len());
        let docs = state.store.application_docs_mut(id, &mut touched);
        docs.settings = true;
        docs.application = Some(Application {
            units: Count::of(u32::try_from(units).expect("three are few")),
            relations: u32::try_from(relations).expect("two are few"),
            ..Application::created()
        });
    }
    for (unit, _, machine) in DEPLOYED {
        let (unit, machine) = (UnitId::new(unit), MachineId::new(machine));
        let on = Placement::Machine(machine);
        let docs = state.store.machine_docs_mut(machine, &mut touched);
        docs.machine.as_mut().expect("it was created").principals.insert(unit);
        state.store.unit_docs_mut(unit, &mut touched).unit = Some(Unit::created(on));
        state.runtime.deploy(world, unit, on, &mut touched);
    }
    enter(&mut state, &[UnitId::new(0), UnitId::new(3)], &mut touched);
    let info = state.store.relation_docs_mut(RelationId::new(INFO), &mut touched);
    info.relation = Some(Relation::created());
    state
}

/// Creates the relation of wordpress and mysql, with these units in scope.
fn enter(state: &mut State, units: &[UnitId], touched: &mut Touched) {
    let id = RelationId::new(DB);
    let in_scope = Count::of(u32::try_from(units.len()).expect("two are few"));
    let docs = state.store.relation_docs_mut(id, touched);
    docs.relation = Some(Relation { in_scope, ..Relation::created() });
    docs.settings = true;
    for &unit in units {
        let membership = Membership { directory: true, ..Membership::default() };
        state.store.enter_scope(id, unit, touched);
        state.runtime.set_membership(id, unit, membership, touched);
    }
}
