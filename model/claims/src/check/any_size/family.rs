//! The family of a world: its instances with any number of units of each application.
//!
//! A process is a principal unit and the machine that it is on, with all rows that one of the two
//! acts for. A world has a type of processes for each of its applications. That its units are alike
//! is not assumed: the instance of its own size, made by copying one unit of each application, has
//! to be the world itself.

use deathwatch_model::{
    ids::{ApplicationId, EntityId, Id as _, MachineId, Placement, Rename as _, Renaming, UnitId},
    rows::{Count, Row, RowKind, Touched},
    state::State,
    world::{Allowed, Command, CommandArgument, FaultKind, MachineDef, SwitchMut, UnitDef, World},
};

use super::NoTemplate;

/// A type of processes: the units of an application, each on a machine of its own.
pub(super) struct ProcessType {
    /// The application.
    pub(super) application: ApplicationId,
    /// Its processes in the world that the family is made of, at least one.
    originals: Vec<Process>,
}

/// A process: its unit, and the machine that this is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Process {
    pub(super) unit: UnitId,
    pub(super) machine: MachineId,
}

/// A world and all that differ from it only in the number of units of its applications.
pub(super) struct Family<'a> {
    world: &'a World,
    start: &'a State,
    /// The types of processes, in the order of their applications.
    pub(super) types: Vec<ProcessType>,
}

/// An instance of a family.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its constants.
    pub world: World,
    /// The state in which its runs begin.
    pub start: State,
    /// The processes of each type.
    pub(super) processes: Vec<Vec<Process>>,
}

/// Every row that a world may have.
pub(super) fn rows(world: &World) -> impl Iterator<Item = Row> + '_ {
    RowKind::ALL.into_iter().flat_map(move |kind| kind.rows(world))
}

impl<'a> Family<'a> {
    /// The family of a world.
    ///
    /// # Errors
    /// If its units are not alike, or it has what no template has.
    pub(super) fn of(world: &'a World, start: &'a State) -> Result<Self, NoTemplate> {
        if let Some(machine) = world.machines.iter().find(|it| it.parent.is_some()) {
            return Err(NoTemplate::new(format!("machine {} is a container", machine.name)));
        }
        if let Some(application) = world.applications.iter().find(|it| it.subordinate) {
            let name = &application.name;
            return Err(NoTemplate::new(format!("{name} is a subordinate application")));
        }
        let mut types = Vec::new();
        for id in world.application_ids().filter(|id| !world.application(*id).units.is_empty()) {
            let units = world.application(id).units();
            let originals = units.map(|unit| process(unit, world, start));
            types.push(ProcessType {
                application: id,
                originals: originals.collect::<Result<_, _>>()?,
            });
        }
        if types.is_empty() {
            return Err(NoTemplate::new("no application has units".to_owned()));
        }
        let family = Self { world, start, types };
        family.demand_alike()?;
        Ok(family)
    }

    /// The number of processes of each type in the world that the family is made of.
    pub(super) fn sizes(&self) -> Vec<usize> {
        self.types.iter().map(|it| it.originals.len()).collect()
    }

    /// The process of a type that the others are copies of.
    fn exemplar(&self, of: usize) -> Process {
        self.types[of].originals[0]
    }

    /// The instance with this number of processes of each type.
    ///
    /// # Errors
    /// If a command is about units of two processes, or is limited for each unit.
    pub(super) fn instance(&self, sizes: &[usize]) -> Result<Instance, NoTemplate> {
        let of_process = |id: MachineId| {
            self.types.iter().any(|it| it.originals.iter().any(|it| it.machine == id))
        };
        let shared: Vec<MachineId> =
            self.world.machine_ids().filter(|id| !of_process(*id)).collect();
        let names = Names::of(self.world);
        let (mut machines, mut units): (Vec<MachineDef>, Vec<UnitDef>) =
            (shared.iter().map(|id| self.world.machine(*id).clone()).collect(), Vec::new());
        let mut processes: Vec<Vec<Process>> = vec![Vec::new(); self.types.len()];
        let mut ranges = Vec::new();
        for id in self.world.application_ids() {
            let first = units.len();
            if let Some(of) = self.types.iter().position(|it| it.application == id) {
                for slot in 0..sizes[of] {
                    let original = self.types[of].originals.get(slot);
                    let machine = self.world.machine(self.exemplar(of).machine);
                    let name = original.map_or_else(
                        || names.machine(of, slot, machines.len()),
                        |it| self.world.machine(it.machine).name.clone(),
                    );
                    let unit = original.map_or_else(
                        || names.unit(&self.world.application(id).name, slot),
                        |it| self.world.unit(it.unit).name.clone(),
                    );
                    processes[of].push(Process {
                        unit: UnitId::new(units.len()),
                        machine: MachineId::new(machines.len()),
                    });
                    units.push(UnitDef { name: unit, application: id });
                    machines.push(MachineDef { name, ..machine.clone() });
                }
            }
            ranges.push(first..units.len());
        }
        let to = |of: usize, slot: usize| {
            self.renaming(&shared, |other| {
                let slots = &processes[other];
                slots.get(if other == of { slot } else { 0 }).copied()
            })
        };
        let commands = self.commands(sizes, &to)?;
        let mut world = self.world.changed(|world| {
            (world.machines, world.units) = (machines, units);
            for (application, units) in world.applications.iter_mut().zip(ranges) {
                application.units = units;
            }
            world.commands = commands;
        });
        let on = |switched: &[MachineId]| {
            let kept = (0..shared.len()).filter(|new| switched.contains(&shared[*new]));
            let mut on: Vec<MachineId> = kept.map(MachineId::new).collect();
            for (of, slots) in processes.iter().enumerate() {
                let is_on = switched.contains(&self.exemplar(of).machine);
                on.extend(slots.iter().filter(|_| is_on).map(|it| it.machine));
            }
            on.sort_unstable();
            on
        };
        world = world.changed(|world| {
            for kind in FaultKind::ALL {
                if let SwitchMut::For(machines) = world.faults.switch_mut(*kind) {
                    *machines = on(machines);
                }
            }
        });
        let start = self.start_of(&world, sizes, &to);
        Ok(Instance { world, start, processes })
    }

    /// The state in which an instance begins: a copy of the rows of one process of each type for
    /// each of that type, and of all rows that belong to none.
    fn start_of(
        &self,
        world: &World,
        sizes: &[usize],
        to: &dyn Fn(usize, usize) -> Renaming,
    ) -> State {
        let mut start = State::empty(world);
        for row in rows(self.world) {
            match self.owner(row) {
                None => start.take_renamed(self.start, row, &to(0, 0)),
                Some((of, 0)) => {
                    for slot in 0..sizes[of] {
                        start.take_renamed(self.start, row, &to(of, slot));
                    }
                }
                Some(_) => {}
            }
        }
        let touched = &mut Touched::new();
        let exists = |id: &UnitId, start: &State| start.store.unit(*id).is_some();
        for id in world.application_ids() {
            let units = world.application(id).units().filter(|it| exists(it, &start)).count();
            if let Some(application) =
                &mut start.store.application_docs_mut(id, touched).application
            {
                application.units = count(units);
            }
        }
        for id in world.relation_ids() {
            let in_scope = start.store.scope(id).len();
            if let Some(relation) = &mut start.store.relation_docs_mut(id, touched).relation {
                relation.in_scope = count(in_scope);
            }
        }
        start
    }

    /// The commands of an instance: those about a process for each of its type.
    fn commands(
        &self,
        sizes: &[usize],
        to: &dyn Fn(usize, usize) -> Renaming,
    ) -> Result<Vec<Allowed>, NoTemplate> {
        let mut commands = Vec::new();
        for allowed in &self.world.commands {
            match self.about(allowed.command)? {
                None => commands.push(Allowed {
                    command: allowed.command.renamed(&to(0, 0)),
                    most: allowed.most,
                }),
                Some(_) if allowed.most.is_some() => {
                    let reason = "a command is limited for each unit or machine";
                    return Err(NoTemplate::new(reason.to_owned()));
                }
                Some((of, 0)) => commands.extend((0..sizes[of]).map(|slot| Allowed {
                    command: allowed.command.renamed(&to(of, slot)),
                    most: None,
                })),
                Some(_) => {}
            }
        }
        Ok(commands)
    }

    /// The process that a command is about: its type, and its place among those.
    fn about(&self, command: Command) -> Result<Option<(usize, usize)>, NoTemplate> {
        let entities =
            command.arguments().into_iter().flatten().filter_map(CommandArgument::entity);
        let mut about = entities.filter_map(|entity| self.owner_of(entity));
        let first = about.next();
        if about.any(|other| Some(other) != first) {
            let reason = "a command is about two units, or a unit and the machine of another";
            return Err(NoTemplate::new(reason.to_owned()));
        }
        Ok(first)
    }

    /// The process that acts for a row: its type, and its place among those.
    fn owner(&self, row: Row) -> Option<(usize, usize)> {
        self.owner_of(row.actor()?)
    }

    fn owner_of(&self, entity: EntityId) -> Option<(usize, usize)> {
        self.types.iter().enumerate().find_map(|(of, it)| {
            let slot = it.originals.iter().position(|it| it.has(entity))?;
            Some((of, slot))
        })
    }

    /// What becomes of the world's units and machines where each process of a type becomes this
    /// one, and the shared machines come first. Of a type without processes nothing is renamed by
    /// it.
    fn renaming(
        &self,
        shared: &[MachineId],
        target: impl Fn(usize) -> Option<Process>,
    ) -> Renaming {
        let nobody = Process { unit: UnitId::new(0), machine: MachineId::new(0) };
        let process = |of: usize| target(of).unwrap_or(nobody);
        let units = self.world.unit_ids().map(|id| {
            let owner = self.owner_of(EntityId::Unit(id));
            process(owner.expect("each unit is of a process").0).unit
        });
        let machines = self.world.machine_ids().map(|id| {
            let place = shared.iter().position(|it| *it == id);
            place.map_or_else(
                || {
                    process(self.owner_of(EntityId::Machine(id)).expect("it is not shared").0)
                        .machine
                },
                MachineId::new,
            )
        });
        let none_given = vec![0; self.world.commands.len()];
        Renaming::into_other(units.collect(), machines.collect(), none_given)
    }

    /// Demands that the instance of the world's own size is the world.
    fn demand_alike(&self) -> Result<(), NoTemplate> {
        let differ = |what: String| Err(NoTemplate::new(what));
        let sizes = self.sizes();
        let instance = self.instance(&sizes)?;
        let units = self.world.unit_ids().map(|id| {
            let (of, slot) = self.owner_of(EntityId::Unit(id)).expect("each is of a process");
            instance.processes[of][slot].unit
        });
        let of_process = |id: &MachineId| self.owner_of(EntityId::Machine(*id));
        let shared: Vec<MachineId> =
            self.world.machine_ids().filter(|id| of_process(id).is_none()).collect();
        let machines = self.world.machine_ids().map(|id| match of_process(&id) {
            Some((of, slot)) => instance.processes[of][slot].machine,
            None => MachineId::new(shared.iter().position(|it| *it == id).expect("it is shared")),
        });
        let none_given = vec![0; self.world.commands.len()];
        let by = Renaming::into_other(units.collect(), machines.collect(), none_given);
        for id in self.world.machine_ids() {
            if self.world.machine(id) != instance.world.machine(id.renamed(&by)) {
                return differ(format!("machine {} is unlike others", self.world.machine(id).name));
            }
        }
        for kind in FaultKind::ALL {
            let here = self.world.faults.switch(*kind).machines();
            let mut here: Vec<MachineId> = here.iter().map(|id| id.renamed(&by)).collect();
            here.sort_unstable();
            if here != instance.world.faults.switch(*kind).machines() {
                let kind = kind.row().plural;
                return differ(format!("{kind} are allowed for some machines only"));
            }
        }
        let commands = &self.world.commands;
        let is_there = |allowed: &Allowed| {
            let becomes = Allowed { command: allowed.command.renamed(&by), most: allowed.most };
            instance.world.commands.contains(&becomes)
        };
        if commands.len() != instance.world.commands.len() || !commands.iter().all(is_there) {
            return differ("a command is allowed for some units or machines only".to_owned());
        }
        let mut start = State::empty(&instance.world);
        for row in rows(self.world) {
            start.take_renamed(self.start, row, &by);
        }
        if start != instance.start {
            return differ("units begin in different states".to_owned());
        }
        if self.start.runtime.pending_txns().next().is_some() {
            return differ("a transaction is pending at the start".to_owned());
        }
        if self.start.runtime.given().iter().any(|given| *given > 0) {
            return differ("a command counts as given at the start".to_owned());
        }
        Ok(())
    }
}

impl Process {
    /// Whether an entity is its unit or its machine.
    pub(super) fn has(self, entity: EntityId) -> bool {
        entity == EntityId::Unit(self.unit) || entity == EntityId::Machine(self.machine)
    }
}

impl Instance {
    /// The number of units of each application that has any in the family.
    pub fn sizes(&self) -> Vec<usize> {
        self.processes.iter().map(Vec::len).collect()
    }

    /// The process that acts for a row: its type, and its place among those.
    pub(super) fn owner(&self, row: Row) -> Option<(usize, usize)> {
        let entity = row.actor()?;
        self.processes
            .iter()
            .enumerate()
            .find_map(|(of, slots)| Some((of, slots.iter().position(|it| it.has(entity))?)))
    }

    /// The renaming by which two processes of a type take each other's place.
    pub(super) fn exchange(&self, of: usize, one: usize, other: usize) -> Renaming {
        let [one, other] = [one, other].map(|slot| self.processes[of][slot]);
        let units = (EntityId::Unit(one.unit), EntityId::Unit(other.unit));
        let machines = (EntityId::Machine(one.machine), EntityId::Machine(other.machine));
        self.world.renaming(&[units, machines]).expect("commands are alike")
    }
}

/// The process of a unit, which is on a machine of its own.
fn process(unit: UnitId, world: &World, start: &State) -> Result<Process, NoTemplate> {
    let name = &world.unit(unit).name;
    let no = |reason: &str| Err(NoTemplate::new(format!("{name} {reason}")));
    let Some(document) = start.store.unit(unit) else {
        return no("does not exist at the start");
    };
    let Placement::Machine(machine) = document.placement else {
        return no("is on no machine at the start");
    };
    let is_there = |other: &UnitId| {
        start.store.unit(*other).is_some_and(|it| it.placement == Placement::Machine(machine))
    };
    if world.unit_ids().filter(is_there).count() > 1 {
        return no("shares its machine with another unit");
    }
    if world.machine(machine).manages_model {
        return no("is on a machine that manages the model");
    }
    Ok(Process { unit, machine })
}

fn count(number: usize) -> Count {
    Count::of(u32::try_from(number).expect("a world has fewer units"))
}

/// Names of machines and units that a world does not have.
struct Names {
    machine: usize,
    unit: usize,
}

impl Names {
    fn of(world: &World) -> Self {
        let number =
            |name: &str| name.parse::<usize>().map_or(0, |number| number.saturating_add(1));
        let machines = world.machines.iter().map(|it| number(&it.name)).max();
        let units =
            world.units.iter().filter_map(|it| it.name.rsplit('/').next()).map(number).max();
        Self { machine: machines.unwrap_or(0), unit: units.unwrap_or(0) }
    }

    /// That of a machine, which is the one with this index.
    fn machine(&self, _: usize, _: usize, index: usize) -> String {
        (self.machine + index).to_string()
    }

    fn unit(&self, application: &str, slot: usize) -> String {
        format!("{application}/{}", self.unit + slot)
    }
}
