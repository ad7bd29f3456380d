//! The family of a world: its instances with any number of units of each application.
//!
//! A process is a principal unit with its subordinates and its machine, and all rows that one of
//! them acts for. A world has a type of processes for each application that may have any number of
//! units (`kinds`). That they are alike is checked: the instance of the world's own size, made of
//! copies of one process of each type, must be the world itself.

use deathwatch_model::{
    ids::{
        ApplicationId, EntityId, Id as _, MachineId, Placement, Rename as _, Renaming, UnitId,
        UserId,
    },
    operation::Operation,
    rows::{Count, Row, RowKind, Touched},
    state::State,
    world::{Allowed, Command, FaultKind, MachineDef, SwitchMut, UnitDef, World},
};

use super::{
    NoTemplate,
    kinds::{self, FixedUnit, Kinds},
    places::{EntityGroup, Places, ProcessIndex, with_commands},
    rules,
};

/// A world, and all worlds that differ from it only in the number of processes of each type.
pub(super) struct Family {
    world: World,
    start: State,
    /// The applications of the principals of each type, in order.
    pub(super) types: Vec<ApplicationId>,
    /// The units that are there once in every instance.
    pub(super) fixed: Vec<FixedUnit>,
    places: Places,
}

/// An instance of a family: a world with some number of processes of each type.
#[derive(Clone, Debug)]
pub struct Instance {
    pub world: World,
    /// The state in which its runs begin.
    pub start: State,
    pub(super) places: Places,
}

/// Every row that a world may have.
pub(super) fn rows(world: &World) -> impl Iterator<Item = Row> + '_ {
    RowKind::ALL.into_iter().flat_map(move |kind| kind.rows(world))
}

impl Family {
    /// The family of a world. If all units that could be processes are on machines that manage the
    /// model, the world first gets a copy of one unit of each application, on a machine of its own.
    ///
    /// # Errors
    /// If no unit may be any number, or units are not alike.
    pub(super) fn of(world: &World, start: &State) -> Result<Self, NoTemplate> {
        demand_clauses_everywhere(world)?;
        let family = match Kinds::of(world, start) {
            Ok(kinds) => Self::with(world.clone(), start.clone(), kinds),
            Err(why) => {
                let types = Kinds::to_be_copied(world, start)?;
                if types.is_empty() {
                    return Err(why);
                }
                let sizes = vec![2; types.len()];
                let kinds = Kinds { types, fixed: Vec::new(), free: EntityGroup::default() };
                let family = Self::with(world.clone(), start.clone(), kinds);
                let Instance { world, start, places } = family.instance(&sizes)?;
                let copies = places.processes.iter().map(|slots| slots[1].machines[0]);
                let world = world.changed(|world| {
                    for copy in copies {
                        world.machines[copy.index()].manages_model = false;
                        // Only managers have this fault.
                        world.faults.fail_over.retain(|id| *id != copy);
                    }
                });
                let kinds = Kinds::of(&world, &start)?.told_of_copies();
                Self::with(world, start, kinds)
            }
        };
        family.demand_alike()?;
        Ok(family)
    }

    pub(super) fn with(world: World, start: State, Kinds { types, fixed, free }: Kinds) -> Self {
        let (types, processes) = types.into_iter().unzip();
        let places = Places::of(&world, processes).without(free);
        Self { world, start, types, fixed, places }
    }

    /// The process of which all others of a type are copies.
    fn exemplar(&self, of: usize) -> &EntityGroup {
        &self.places.processes[of][0]
    }

    /// The instance with this number of processes of each type.
    ///
    /// # Errors
    /// If a command is about units of two processes.
    pub(super) fn instance(&self, sizes: &[usize]) -> Result<Instance, NoTemplate> {
        self.instance_with(sizes, 0)
    }

    /// The instance with this number of processes of each type at the start, and with `later` more
    /// of each type to which units are added.
    ///
    /// # Errors
    /// If a command is about units of two processes.
    pub(super) fn instance_with(
        &self,
        there: &[usize],
        later: usize,
    ) -> Result<Instance, NoTemplate> {
        let of_type = there.iter().zip(&self.types);
        let sizes = of_type.map(|(size, application)| {
            size + if kinds::is_born(&self.world, *application) { later } else { 0 }
        });
        let sizes: &[usize] = &sizes.collect::<Vec<_>>();
        let names = FreshNames::of(&self.world);
        let mut processes: Vec<Vec<EntityGroup>> = vec![Vec::new(); self.types.len()];
        // Each machine of the instance, with the one that it is a copy of.
        let mut machines: Vec<(MachineDef, MachineId)> = Vec::new();
        let fixed = &self.places.fixed.machines;
        let parent = |id: MachineId, host: &dyn Fn(MachineId) -> Option<MachineId>| {
            self.world.machine(id).parent.and_then(host)
        };
        for id in fixed {
            let place = |id| fixed.iter().position(|it| *it == id).map(MachineId::new);
            let parent = parent(*id, &place);
            machines.push((MachineDef { parent, ..self.world.machine(*id).clone() }, *id));
        }
        for (of, processes) in processes.iter_mut().enumerate() {
            for slot in 0..sizes[of] {
                let original = self.places.processes[of].get(slot);
                let mut process = EntityGroup::default();
                let copied = &self.exemplar(of).machines;
                for (at, id) in copied.iter().enumerate() {
                    let place = |id| {
                        let place = copied.iter().position(|it| *it == id)?;
                        process.machines.get(place).copied()
                    };
                    let parent = parent(*id, &place);
                    let name = original.map_or_else(
                        || names.machine(machines.len()),
                        |it| self.world.machine(it.machines[at]).name.clone(),
                    );
                    process.machines.push(MachineId::new(machines.len()));
                    let copy = MachineDef { name, parent, ..self.world.machine(*id).clone() };
                    machines.push((copy, *id));
                }
                processes.push(process);
            }
        }
        let mut units = Vec::new();
        let mut ranges = Vec::new();
        for application in self.world.application_ids() {
            let first = units.len();
            let is_of = |id: &UnitId| self.world.unit(*id).application == application;
            let fixed = self.places.fixed.units.iter().filter(|id| is_of(id));
            units.extend(fixed.map(|id| self.world.unit(*id).clone()));
            for (of, processes) in processes.iter_mut().enumerate() {
                for (slot, process) in processes.iter_mut().enumerate() {
                    let original = self.places.processes[of].get(slot);
                    let copied = self.exemplar(of).units.iter().enumerate();
                    for (at, _) in copied.filter(|(_, id)| is_of(id)) {
                        let name = original.map_or_else(
                            || names.unit(&self.world, application, units.len() - first),
                            |it| self.world.unit(it.units[at]).name.clone(),
                        );
                        // The units of an application are consecutive, also within a process.
                        process.units.push(UnitId::new(units.len()));
                        units.push(UnitDef { name, application });
                    }
                }
            }
            ranges.push(first..units.len());
        }
        self.in_order(&mut processes, &units);
        let copied: Vec<MachineId> = machines.iter().map(|(_, copied)| *copied).collect();
        let world = self.world.changed(|world| {
            world.machines = machines.into_iter().map(|(machine, _)| machine).collect();
            world.units = units;
            for (application, units) in world.applications.iter_mut().zip(ranges) {
                application.units = units;
            }
            world.series = world.series.for_machines(copied.iter().copied());
            for kind in FaultKind::ALL {
                if let SwitchMut::For(machines) = world.faults.switch_mut(*kind) {
                    let of = |index: &usize| machines.contains(&copied[*index]);
                    *machines = (0..copied.len()).filter(of).map(MachineId::new).collect();
                }
            }
        });
        let places = Places::of(&world, processes);
        let to = |of: usize, slot: usize| {
            let at = |other: usize, _| if other == of { slot } else { 0 };
            self.places.renaming_to(&places, at)
        };
        let commands = self.commands(sizes, &to)?;
        let world = world.changed(|world| world.commands = commands);
        let own_rules = rules::of_instance(&self.world, &self.places, sizes, &to);
        let world = world.changed(|world| world.own_rules = own_rules);
        let start = self.start_of(&world, there, &to);
        Ok(Instance { world, start, places })
    }

    /// Sorts the units of each process as its exemplar's: they are in the order of applications.
    fn in_order(&self, processes: &mut [Vec<EntityGroup>], units: &[UnitDef]) {
        for (of, processes) in processes.iter_mut().enumerate() {
            for process in processes {
                let mut left = std::mem::take(&mut process.units);
                for id in &self.exemplar(of).units {
                    let application = self.world.unit(*id).application;
                    let is_of = |id: &UnitId| units[id.index()].application == application;
                    let at = left.iter().position(is_of).expect("it is a copy");
                    process.units.push(left.remove(at));
                }
            }
        }
    }

    /// The start of an instance: copies of the rows of the exemplar of each type for each of its
    /// processes, and all shared rows.
    fn start_of(
        &self,
        world: &World,
        sizes: &[usize],
        to: &dyn Fn(usize, usize) -> Renaming,
    ) -> State {
        let mut start = State::empty(world);
        let by = |of: usize, slot: usize| with_commands(to(of, slot), &self.world, world);
        for row in rows(&self.world).filter(|row| !self.is_free(*row)) {
            match self.places.owner(row) {
                None => start.take_renamed(&self.start, row, &by(0, 0)),
                Some((of, 0)) => {
                    for slot in 0..sizes[of] {
                        start.take_renamed(&self.start, row, &by(of, slot));
                    }
                }
                Some(_) => {}
            }
        }
        let touched = &mut Touched::new();
        for (place, allowed) in self.world.commands.iter().enumerate() {
            if let (Ok(Some((of, 0))), Some(_)) = (self.places.about(allowed.command), allowed.most)
            {
                for slot in 0..sizes[of] {
                    let becomes = by(of, slot).command(place);
                    let given = &mut start.runtime.user_mut(UserId::FIRST, touched).given;
                    given[becomes] = self.start.runtime.given()[place];
                }
            }
        }
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

    /// The commands of an instance: those about an exemplar for each process of its type, and all
    /// others.
    fn commands(
        &self,
        sizes: &[usize],
        to: &dyn Fn(usize, usize) -> Renaming,
    ) -> Result<Vec<Allowed>, NoTemplate> {
        let mut commands = Vec::new();
        let all = self.world.commands.iter();
        for Allowed { command, most } in all.filter(|it| !self.places.names_free(it.command)) {
            let copy = |of: usize, slot: usize| Allowed {
                command: command.renamed(&to(of, slot)),
                most: *most,
            };
            match self.places.about(*command)? {
                None => commands.push(copy(0, 0)),
                Some((of, 0)) => commands.extend((0..sizes[of]).map(|slot| copy(of, slot))),
                Some(_) => {}
            }
        }
        Ok(commands)
    }

    /// Whether a row belongs to an identifier that is free at the start.
    fn is_free(&self, row: Row) -> bool {
        row.actor().is_some_and(|entity| self.places.is_free(entity))
    }

    pub(super) fn has_births(&self) -> bool {
        kinds::has_births(&self.world)
    }

    /// Whether users may add any number of units, so that no number of identifiers suffices.
    pub(super) fn is_unbounded(&self) -> bool {
        let commands = self.world.commands.iter();
        let mut born = commands.filter(|it| matches!(it.command, Command::AddUnit(_)));
        born.any(|it| it.most.is_none())
    }

    /// Demands that the instance of the world's own size is the world, without free identifiers.
    pub(super) fn demand_alike(&self) -> Result<(), NoTemplate> {
        let differ = |what: String| Err(NoTemplate::new(what));
        rules::demand_alike(&self.world, &self.places)?;
        let instance = self.instance(&self.places.sizes())?;
        let by = self.places.renaming_to(&instance.places, |_, slot| slot);
        let is_free = |entity| self.places.is_free(entity);
        for id in self.world.machine_ids().filter(|id| !is_free(EntityId::Machine(*id))) {
            let here = self.world.machine(id);
            let here = MachineDef { parent: here.parent.renamed(&by), ..here.clone() };
            if here != *instance.world.machine(id.renamed(&by)) {
                return differ(format!("machine {} is unlike others", self.world.machine(id).name));
            }
        }
        for id in self.world.unit_ids().filter(|id| !is_free(EntityId::Unit(*id))) {
            if self.world.unit(id) != instance.world.unit(id.renamed(&by)) {
                return differ(format!("{} is unlike others", self.world.unit(id).name));
            }
        }
        for kind in FaultKind::ALL {
            let here = self.world.faults.switch(*kind).machines();
            let here = here.iter().filter(|id| !is_free(EntityId::Machine(**id)));
            let mut here: Vec<MachineId> = here.map(|id| id.renamed(&by)).collect();
            here.sort_unstable();
            if here != instance.world.faults.switch(*kind).machines() {
                let kind = kind.row().plural;
                return differ(format!("{kind} are allowed for some machines only"));
            }
        }
        let commands = self.world.commands.iter();
        let mut commands = commands.filter(|it| !self.places.names_free(it.command));
        let is_there = |allowed: &Allowed| {
            let becomes = Allowed { command: allowed.command.renamed(&by), most: allowed.most };
            instance.world.commands.contains(&becomes)
        };
        let is_as_many = commands.clone().count() == instance.world.commands.len();
        if !is_as_many || !commands.all(is_there) {
            return differ("a command is allowed for some units or machines only".to_owned());
        }
        if !rules::are_same(&self.world, &self.places, &instance.world, &by) {
            return differ("a rule does something for some units or machines only".to_owned());
        }
        let by = with_commands(by, &self.world, &instance.world);
        let mut start = State::empty(&instance.world);
        for row in rows(&self.world).filter(|row| !self.is_free(*row)) {
            start.take_renamed(&self.start, row, &by);
        }
        if start != instance.start {
            return differ("units begin in different states".to_owned());
        }
        if self.start.runtime.pending_txns().next().is_some() {
            return differ("a transaction is pending at the start".to_owned());
        }
        Ok(())
    }
}

impl Instance {
    /// The number of units of each application that is a type, in the order of the types.
    pub fn sizes(&self) -> Vec<usize> {
        self.places.sizes()
    }

    /// The units of a principal's process, of which it is the first, with those that it may get;
    /// empty if it is of no process.
    pub fn with(&self, principal: UnitId) -> &[UnitId] {
        let owner = self.places.owner_of(EntityId::Unit(principal));
        owner.map_or(&[], |owner| &self.places.of_owner(Some(owner)).units)
    }

    /// The same state with each unit on the machine of its own process: a unit that was added got
    /// the first free machine.
    pub(super) fn paired(&self, state: &State) -> State {
        let mut paired = state.clone();
        for process in self.places.processes.iter().flatten() {
            let (unit, own) = (process.units[0], process.machines[0]);
            let document = paired.store.unit(unit).map(|it| it.placement);
            let pending = paired.runtime.pending_txns().find_map(|txn| match txn.operation {
                Operation::AddUnitOn(id, machine) if id == unit => Some(machine),
                _ => None,
            });
            let placed = match document {
                Some(Placement::Machine(machine)) => Some(machine),
                _ => pending,
            };
            if let Some(machine) = placed.filter(|machine| *machine != own) {
                let swap = (EntityId::Machine(machine), EntityId::Machine(own));
                let by = self.world.renaming(&[swap]).expect("machines are alike");
                let mut renamed = State::empty(&self.world);
                rows(&self.world).for_each(|row| renamed.take_renamed(&paired, row, &by));
                paired = renamed;
            }
        }
        paired
    }

    /// The process of an entity: its type, and its index there.
    pub(super) fn owner_of(&self, entity: EntityId) -> ProcessIndex {
        self.places.owner_of(entity)
    }

    /// The process that acts for a row: its type, and its index there.
    pub(super) fn owner(&self, row: Row) -> ProcessIndex {
        self.places.owner(row)
    }

    /// The renaming that exchanges two processes of a type.
    pub(super) fn exchange(&self, of: usize, one: usize, other: usize) -> Renaming {
        self.places.exchange(&self.world, of, one, other).expect("commands are alike")
    }
}

fn count(number: usize) -> Count {
    Count::of(u32::try_from(number).expect("a world has fewer units"))
}

/// Names of machines and units that a world does not have.
struct FreshNames {
    machine: usize,
    unit: usize,
}

impl FreshNames {
    fn of(world: &World) -> Self {
        let number =
            |name: &str| name.parse::<usize>().map_or(0, |number| number.saturating_add(1));
        let machines = world.machines.iter().map(|it| number(&it.name)).max();
        let units =
            world.units.iter().filter_map(|it| it.name.rsplit('/').next()).map(number).max();
        Self { machine: machines.unwrap_or(0), unit: units.unwrap_or(0) }
    }

    fn machine(&self, index: usize) -> String {
        (self.machine + index).to_string()
    }

    /// The name of the unit with this index among those of its application.
    fn unit(&self, world: &World, application: ApplicationId, index: usize) -> String {
        format!("{}/{}", world.application(application).name, self.unit + index)
    }
}

/// Demands that no clause is off at one place or neglected by one agent: that makes a unit unlike
/// others.
fn demand_clauses_everywhere(world: &World) -> Result<(), NoTemplate> {
    let at = world.without_at.first().map(|(clause, _)| clause);
    let by = world.neglected_by.first().map(|(clause, _)| clause);
    match at.or(by) {
        Some(clause) => {
            let reason = "is off at one place alone, or neglected by one agent";
            Err(NoTemplate::new(format!("`{}` {reason}", world.clause_name(*clause))))
        }
        None => Ok(()),
    }
}
