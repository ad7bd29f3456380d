//! The units of a world that are processes, of which there may be any number, and the fixed ones.
//!
//! A unit that can be a process is a principal on a machine of its own. In each application, the
//! largest class of alike units is a type of processes (of several largest ones, the first). All
//! other units are fixed, with the rows of no process: they are there once in every instance.

use deathwatch_model::{
    ids::{ApplicationId, EntityId, Id as _, MachineId, Placement, UnitId},
    rows::RowKind,
    state::State,
    variants::{self, UnitAssignment},
    world::{Allowed, Command, CommandArgument, FaultKind, MachineDef, Scope, World},
};

use super::{
    NoTemplate,
    places::{EntityGroup, exchange},
};

/// The reason for a fixed unit of which copies, on machines of their own, may be any number.
const MANAGES: &str = "is on a machine that manages the model";

/// A unit that is there once in every instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedUnit {
    pub name: String,
    /// The reason why it is no process.
    pub why: String,
}

pub(super) struct Kinds {
    /// The types of processes: the application of their principals, and the processes.
    pub(super) types: Vec<(ApplicationId, Vec<EntityGroup>)>,
    /// The units that exist and are of no process.
    pub(super) fixed: Vec<FixedUnit>,
    /// The identifiers that are free at the start, and belong to no process.
    pub(super) free: EntityGroup,
}

impl Kinds {
    /// The kinds of units of a world.
    ///
    /// # Errors
    /// If no unit may be any number.
    pub(super) fn of(world: &World, start: &State) -> Result<Self, NoTemplate> {
        demand_interchangeable(world)?;
        let (mut types, mut fixed) = (Vec::new(), Vec::new());
        let spare = spare(world, start);
        let free = free(world, start)?;
        let principals = world.application_ids().filter(|id| !world.application(*id).subordinate);
        for application in principals {
            let mut classes: Vec<Vec<EntityGroup>> = Vec::new();
            let units = world.application(application).units();
            for unit in units.filter(|id| !free.units.contains(id)) {
                match process(unit, world, start, &spare)? {
                    Ok(process) => {
                        let same = classes
                            .iter_mut()
                            .find(|class| are_alike(world, start, &class[0], &process));
                        match same {
                            Some(class) => class.push(process),
                            None => classes.push(vec![process]),
                        }
                    }
                    Err(why) => fixed.push((unit, why.to_owned())),
                }
            }
            let most = classes.iter().map(Vec::len).max();
            let Some(first) = classes.iter().position(|class| Some(class.len()) == most) else {
                continue;
            };
            let class = classes.remove(first);
            let like = &world.unit(class[0].units[0]).name;
            let others = classes.iter().flatten().map(|it| it.units[0]);
            fixed.extend(others.map(|unit| (unit, format!("is not like {like}"))));
            types.push((application, class));
        }
        let is_of_type =
            |unit| types.iter().any(|(_, all)| all.iter().any(|it| it.units.contains(&unit)));
        for unit in world.unit_ids().filter(|unit| world.is_subordinate(*unit)) {
            if start.store.unit(unit).is_some() && !is_of_type(unit) {
                fixed.push((unit, "goes with its principal".to_owned()));
            }
        }
        fixed.sort_unstable();
        let fixed = fixed.into_iter();
        let fixed = fixed.map(|(unit, why)| FixedUnit { name: world.unit(unit).name.clone(), why });
        let fixed: Vec<FixedUnit> = fixed.collect();
        match (types.is_empty(), fixed.first()) {
            (true, None) => Err(NoTemplate::new("no application has units".to_owned())),
            (true, Some(FixedUnit { name, why })) => {
                Err(NoTemplate::new(format!("no unit may be any number: {name} {why}")))
            }
            (false, _) => {
                let kinds = Self { types, fixed, free };
                if has_births(world) {
                    kinds.demand_same_births(world, start)?;
                }
                Ok(kinds)
            }
        }
    }

    /// Demands that a unit that is added may get any free identifiers, with its machine: those of
    /// every process are like all free ones, and no others are ever freed.
    fn demand_same_births(&self, world: &World, start: &State) -> Result<(), NoTemplate> {
        let no = |reason: String| Err(NoTemplate::new(reason));
        if world.application_ids().any(|id| world.application(id).subordinate) {
            return no("units are added where there are subordinates".to_owned());
        }
        let mut born = world.application_ids().filter(|id| is_born(world, *id));
        let of_none = born.find(|id| !self.types.iter().any(|it| it.0 == *id));
        if let Some(id) = of_none {
            let name = &world.application(id).name;
            return no(format!("units of {name} are added, and none is there at the start"));
        }
        if let Some(FixedUnit { name, why }) = self.fixed.first() {
            return no(format!("units are added, and {name} {why}"));
        }
        let processes = || self.types.iter().flat_map(|it| &it.1);
        let there = || processes().flat_map(|it| it.machines.iter().copied());
        let Some(first) = there().next() else { return Ok(()) };
        for id in world.machine_ids() {
            let name = &world.machine(id).name;
            let is_process = there().any(|it| it == id);
            if !is_process && !self.free.machines.contains(&id) {
                if world.machine(id).hosts_units {
                    return no(format!("a unit that is added may get machine {name}"));
                }
            } else if !are_alike_machines(world, first, id)
                || world.renaming(&[(EntityId::Machine(first), EntityId::Machine(id))]).is_none()
            {
                return no(format!("units are added, and machine {name} is unlike others"));
            }
        }
        for unit in &self.free.units {
            let application = world.unit(*unit).application;
            let mut like = self.types.iter().filter(|it| it.0 == application);
            let is_like = like.next().is_some_and(|it| {
                let other = it.1[0].units[0];
                world.renaming(&[(EntityId::Unit(other), EntityId::Unit(*unit))]).is_some()
            });
            if !is_like {
                return no(format!("{} is unlike others", world.unit(*unit).name));
            }
        }
        let is_limited = |it: &Allowed| {
            let named = it.command.arguments().into_iter().flatten();
            let mut named = named.filter_map(CommandArgument::entity);
            it.most.is_some()
                && named.any(|it| matches!(it, EntityId::Unit(_) | EntityId::Machine(_)))
        };
        if world.commands.iter().any(is_limited) {
            return no("units are added, and a command is limited for each".to_owned());
        }
        let empty = State::empty(world);
        let is_free = |entity| match entity {
            EntityId::Unit(id) => self.free.units.contains(&id),
            EntityId::Machine(id) => self.free.machines.contains(&id),
            EntityId::Application(_) | EntityId::Relation(_) => false,
        };
        let mut rows = RowKind::ALL.into_iter().flat_map(|kind| kind.rows(world));
        if rows.any(|row| row.actor().is_some_and(is_free) && !start.is_same(row, &empty)) {
            return no("something is there at the start of a unit that is not".to_owned());
        }
        Ok(())
    }

    /// A process to copy for each application, if no unit may be any number: its first unit that
    /// would be a process if its machine did not manage the model.
    pub(super) fn to_be_copied(
        world: &World,
        start: &State,
    ) -> Result<Vec<(ApplicationId, Vec<EntityGroup>)>, NoTemplate> {
        let (mut all, spare) = (Vec::new(), spare(world, start));
        for application in world.application_ids() {
            for unit in world.application(application).units() {
                let placement = start.store.unit(unit).map(|it| it.placement);
                let Some(Placement::Machine(machine)) = placement else { continue };
                if process(unit, world, start, &spare)? == Err(MANAGES) {
                    let process = with_subordinates(unit, machine, world, start, &spare);
                    all.push((application, vec![process]));
                    break;
                }
            }
        }
        Ok(all)
    }

    /// Adds to the reasons of fixed units on managers that copies of them are processes.
    pub(super) fn told_of_copies(mut self) -> Self {
        for fixed in self.fixed.iter_mut().filter(|it| it.why == MANAGES) {
            fixed.why +=
                ", while the others, which are copies, are on machines of their own that do not";
        }
        self
    }
}

/// Demands that commands treat all identifiers of a subordinate application alike: which of them a
/// principal takes depends on all others.
fn demand_interchangeable(world: &World) -> Result<(), NoTemplate> {
    for application in world.application_ids().filter(|id| world.application(*id).subordinate) {
        let units = world.application(application).units();
        let pairs = units.map(|unit| (unit, world.application(application).units.start));
        let mut pairs =
            pairs.map(|(one, other)| (EntityId::Unit(one), EntityId::Unit(UnitId::new(other))));
        let is_of = |it: EntityId| match it {
            EntityId::Unit(unit) => world.unit(unit).application == application,
            _ => false,
        };
        let limited = world.commands.iter().filter(|it| it.most.is_some());
        let mut named = limited.flat_map(|it| it.command.arguments().into_iter().flatten());
        let is_limited = named.any(|it| it.entity().is_some_and(is_of));
        if is_limited || pairs.any(|pair| world.renaming(&[pair]).is_none()) {
            let name = &world.application(application).name;
            let reason = format!("commands tell one unit of {name} from another");
            return Err(NoTemplate::new(reason));
        }
    }
    Ok(())
}

pub(super) fn has_births(world: &World) -> bool {
    world.commands.iter().any(|it| matches!(it.command, Command::AddUnit(_)))
}

/// Whether units of an application are added.
pub(super) fn is_born(world: &World, application: ApplicationId) -> bool {
    world.commands.iter().any(|it| it.command == Command::AddUnit(application))
}

/// The identifiers that are free at the start. If units are added, those of units and machines;
/// otherwise those of principals that no move creates, which is checked when moves are listed.
fn free(world: &World, start: &State) -> Result<EntityGroup, NoTemplate> {
    if !has_births(world) {
        let empty = State::empty(world);
        let is_left = |id: &UnitId| {
            let mut rows = RowKind::ALL.into_iter().flat_map(|kind| kind.rows(world));
            rows.any(|row| row.actor() == Some(EntityId::Unit(*id)) && !start.is_same(row, &empty))
        };
        let units = world.unit_ids().filter(|id| !world.is_subordinate(*id) && !is_left(id));
        return Ok(EntityGroup { units: units.collect(), machines: Vec::new() });
    }
    let variants = &world.variants;
    if variants.unit_assignment != UnitAssignment::WithUnit {
        let reason = "a unit that is added gets its machine later; \
                      `unit-assignment` has to be \"with-unit\"";
        return Err(NoTemplate::new(reason.to_owned()));
    }
    if variants.placement != variants::Placement::NewMachine {
        let reason = "a unit that is added may get a machine that is there; \
                      `placement` has to be \"new-machine\"";
        return Err(NoTemplate::new(reason.to_owned()));
    }
    let units = world.unit_ids().filter(|id| start.store.unit(*id).is_none());
    let machines = world.machine_ids().filter(|id| start.store.machine(*id).is_none());
    Ok(EntityGroup { units: units.collect(), machines: machines.collect() })
}

/// Whether two machines have the same constants except for their names.
fn are_alike_machines(world: &World, one: MachineId, other: MachineId) -> bool {
    let faults = FaultKind::ALL.iter().map(|kind| world.faults.switch(*kind).machines());
    let mut faults = faults.map(|all| [all.contains(&one), all.contains(&other)]);
    let name = world.machine(one).name.clone();
    faults.all(|[one, other]| one == other)
        && world.series_of_machine(one) == world.series_of_machine(other)
        && *world.machine(one) == MachineDef { name, ..world.machine(other).clone() }
}

/// The process of a principal, or the reason why it has none.
fn process(
    unit: UnitId,
    world: &World,
    start: &State,
    spare: &[(UnitId, UnitId)],
) -> Result<Result<EntityGroup, &'static str>, NoTemplate> {
    let Some(document) = start.store.unit(unit) else {
        let name = &world.unit(unit).name;
        return Err(NoTemplate::new(format!("{name} does not exist at the start")));
    };
    let Placement::Machine(machine) = document.placement else {
        return Ok(Err("is on no machine at the start"));
    };
    let is_there = |other: &UnitId| {
        start.store.unit(*other).is_some_and(|it| it.placement == Placement::Machine(machine))
    };
    if world.unit_ids().filter(is_there).count() > 1 {
        return Ok(Err("shares its machine with another unit"));
    }
    if world.machine(machine).parent.is_some() {
        return Ok(Err("is in a container"));
    }
    if world.containers_of(machine).next().is_some() {
        return Ok(Err("is on a machine with containers"));
    }
    if world.machine(machine).manages_model {
        return Ok(Err(MANAGES));
    }
    Ok(Ok(with_subordinates(unit, machine, world, start, spare)))
}

/// The process of a principal on this machine.
fn with_subordinates(
    unit: UnitId,
    machine: MachineId,
    world: &World,
    start: &State,
    spare: &[(UnitId, UnitId)],
) -> EntityGroup {
    let spare = spare.iter().filter(|(principal, _)| *principal == unit).map(|(_, id)| *id);
    let mut subordinates: Vec<UnitId> = subordinates_of(unit, world, start).chain(spare).collect();
    // Subordinates correspond to each other by their application and their order in it.
    subordinates.sort_by_key(|id| world.unit(*id).application);
    let units = std::iter::once(unit).chain(subordinates).collect();
    EntityGroup { units, machines: vec![machine] }
}

/// The subordinates that a principal has at the start.
fn subordinates_of<'a>(
    principal: UnitId,
    world: &'a World,
    start: &'a State,
) -> impl Iterator<Item = UnitId> + 'a {
    world.unit_ids().filter(move |id| {
        let document = start.store.unit(*id);
        document.is_some_and(|it| it.placement == Placement::Principal(principal))
    })
}

/// The principals that may get a subordinate, each with an identifier for it. Those of an
/// application divide its identifiers evenly, including those in use at the start; a remainder is
/// left over.
fn spare(world: &World, start: &State) -> Vec<(UnitId, UnitId)> {
    let mut spare = Vec::new();
    for application in world.application_ids().filter(|id| world.application(*id).subordinate) {
        let relations = world.application(application).relations.iter();
        let relations = relations.map(|id| world.relation(*id));
        let others: Vec<ApplicationId> = relations
            .filter(|it| it.scope == Scope::Container)
            .filter_map(|it| it.counterpart(application))
            .collect();
        let is_principal = |unit: &UnitId| {
            let of = world.unit(*unit).application;
            start.store.unit(*unit).is_some()
                && !world.application(of).subordinate
                && others.contains(&of)
        };
        let principals: Vec<UnitId> = world.unit_ids().filter(is_principal).collect();
        let units = &world.application(application).units;
        let mut free = units.clone().map(UnitId::new).filter(|id| start.store.unit(*id).is_none());
        let each = units.len().checked_div(principals.len()).unwrap_or(0);
        for principal in principals {
            let there = subordinates_of(principal, world, start)
                .filter(|id| world.unit(*id).application == application)
                .count();
            let more = free.by_ref().take(each.saturating_sub(there));
            spare.extend(more.map(|id| (principal, id)));
        }
    }
    spare
}

/// Whether the world and its start stay the same if two processes are exchanged.
fn are_alike(world: &World, start: &State, one: &EntityGroup, other: &EntityGroup) -> bool {
    let applications = |process: &EntityGroup| -> Vec<ApplicationId> {
        process.units.iter().map(|id| world.unit(*id).application).collect()
    };
    let mut machines = one.machines.iter().zip(&other.machines);
    if applications(one) != applications(other)
        || !machines.all(|(one, other)| are_alike_machines(world, *one, *other))
    {
        return false;
    }
    let Some(by) = exchange(world, one, other) else { return false };
    let mut exchanged = State::empty(world);
    for row in RowKind::ALL.into_iter().flat_map(|kind| kind.rows(world)) {
        exchanged.take_renamed(start, row, &by);
    }
    exchanged == *start
}
