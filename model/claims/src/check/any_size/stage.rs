//! Stages: worlds for states with one visible process of each type.

use std::cell::Cell;

use deathwatch_checker::views::MoverKind;
use deathwatch_model::{
    action::{Act, Action},
    actor::Client,
    agents::{self, ActionPart, Effects, Task},
    clause::Clauses,
    free_ids::{FreeIds, ScannedEntities},
    ids::{ApplicationId, EntityId, MachineId, Placement, Rename as _, Renaming, UnitId, UserId},
    operation::Operation,
    ops::Plan,
    protocol::step_as_planned,
    refusal::Why,
    rows::{Read, Row, Touched, Unit, recorded},
    state::State,
    txn::Txn,
    world::{Command, World},
};

use super::{
    NoTemplate,
    counts::CountOf,
    family::{Instance, rows},
    places::ProcessIndex,
    pointer::Pointer,
};

/// A world in which the process at one place of its type is visible.
pub(super) struct Stage {
    pub(super) instance: Instance,
    /// The place, which is the same for each type.
    pub(super) slot: usize,
    /// The state with all rows empty.
    pub(super) empty: State,
    pub(super) pointers: Vec<Pointer>,
    /// The rows that belong to no process.
    shared_rows: Vec<Row>,
    /// For each type and each process the rows that belong to it.
    rows: Vec<Vec<Vec<Row>>>,
    /// For each limited command its index, and the process that it is about, if any: the number of
    /// times that it was given is part of that process's state.
    limited: Vec<(usize, ProcessIndex)>,
    /// The parts of the actions of shared actors, and for each type, of its process.
    shared_parts: Vec<ActionPart>,
    parts: Vec<Vec<ActionPart>>,
    /// For each type the parts by which a user adds a process.
    births: Vec<Vec<ActionPart>>,
    /// For each pointer the parts that continue its pending transaction.
    pointer_parts: Vec<Vec<ActionPart>>,
}

/// The free identifiers for subordinates of one process, or of entities of none.
struct OwnIds<'a> {
    among: ScannedEntities<'a>,
    /// Whether an identifier was asked for that may be of any process: it is no subordinate's.
    is_asked: Cell<bool>,
}

impl FreeIds for OwnIds<'_> {
    fn unit(&self, world: &World, state: &State, application: ApplicationId) -> Option<UnitId> {
        self.is_asked.set(self.is_asked.get() || !world.application(application).subordinate);
        self.among.unit(world, state, application)
    }

    fn machine(&self, world: &World, state: &State, unit: UnitId) -> Option<MachineId> {
        self.is_asked.set(true);
        self.among.machine(world, state, unit)
    }

    fn is_machine_unused(&self, state: &State, id: MachineId) -> bool {
        self.among.is_machine_unused(state, id)
    }
}

/// A judge of the reads to list an action (`false`) or to take it (`true`); returns the others that
/// are changed.
pub(super) type JudgeReads<'a> = &'a mut dyn FnMut(&[Read], bool) -> Result<Reached, NoTemplate>;

/// The processes besides its mover that a move changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reached {
    /// Whether it concerns all processes.
    pub(super) all: bool,
    /// A row of a process about which something is pending, which is lost.
    pub(super) holder: Option<Row>,
}

/// A move: its mover, and its result.
pub(super) struct MadeMove {
    pub(super) mover: MoverKind,
    pub(super) action: Action,
    pub(super) after: State,
    pub(super) reached: Reached,
    /// The clauses that it carries out.
    pub(super) clauses: Clauses,
}

impl Stage {
    pub(super) fn new(instance: Instance, slot: usize) -> Result<Self, NoTemplate> {
        let empty = State::empty(&instance.world);
        let world = &instance.world;
        let pointers = Pointer::all(world);
        let count = |of: usize| instance.sizes()[of];
        let types = instance.sizes().len();
        let mut own: Vec<Vec<Vec<Row>>> =
            (0..types).map(|of| vec![Vec::new(); count(of)]).collect();
        let mut shared_rows = Vec::new();
        for row in rows(world) {
            match instance.owner(row) {
                Some((of, slot)) => own[of][slot].push(row),
                None => shared_rows.push(row),
            }
        }
        let mut limited = Vec::new();
        for (place, allowed) in world.commands.iter().enumerate() {
            let about = instance.places.about(allowed.command)?;
            if allowed.most.is_some() {
                limited.push((place, about));
            }
        }
        let (mut shared_parts, mut parts) = (Vec::new(), vec![Vec::new(); types]);
        let mut pointer_parts = vec![Vec::new(); pointers.len()];
        let mut births = vec![Vec::new(); types];
        let all = agents::actors(world).flat_map(|actor| agents::parts(world, actor));
        for part in all.collect::<Vec<_>>() {
            match owners(&instance, part).as_slice() {
                [] => match pointers.iter().position(|it| it.goes_on_by(part)) {
                    Some(pointer) => pointer_parts[pointer].push(part),
                    None => match born_by(&instance, part) {
                        Some(of) => births[of].push(part),
                        None => shared_parts.push(part),
                    },
                },
                [(of, at)] if *at == slot => parts[*of].push(part),
                [_] => {}
                _ => return Err(NoTemplate::new("an act is about two processes".to_owned())),
            }
        }
        Ok(Self {
            instance,
            slot,
            empty,
            pointers,
            shared_rows,
            rows: own,
            limited,
            shared_parts,
            parts,
            births,
            pointer_parts,
        })
    }

    pub(super) fn world(&self) -> &World {
        &self.instance.world
    }

    /// Puts a process into a state: its rows in `local`, and transactions pending about it there.
    pub(super) fn put(&self, local: &State, of: usize, slot: usize, into: &mut State) {
        self.copy_rows((of, slot), local, into);
        for pointer in self.pointers.iter().filter(|it| it.txn(local).is_some()) {
            pointer.copy(local, into);
        }
        self.copy_given(Some((of, slot)), local, into);
    }

    /// Copies the numbers of times that the commands about a process were given.
    fn copy_given(&self, about: ProcessIndex, from: &State, into: &mut State) {
        for (place, _) in self.limited.iter().filter(|(_, it)| *it == about) {
            let given = from.runtime.given()[*place];
            into.runtime.user_mut(UserId::FIRST, &mut Touched::new()).given[*place] = given;
        }
    }

    /// As `copy_given`, for the commands about all processes but this one.
    pub(super) fn copy_given_of_others(&self, mover: ProcessIndex, from: &State, into: &mut State) {
        for (of, slots) in self.rows.iter().enumerate() {
            for slot in (0..slots.len()).filter(|slot| Some((of, *slot)) != mover) {
                self.copy_given(Some((of, slot)), from, into);
            }
        }
    }

    /// Makes the commands about all processes at other places given as often as they may be.
    pub(super) fn give_of_others(&self, state: &mut State) {
        for (place, about) in &self.limited {
            if about.is_some_and(|(_, slot)| slot != self.slot) {
                let most = self.world().commands[*place].most.unwrap_or(0);
                state.runtime.user_mut(UserId::FIRST, &mut Touched::new()).given[*place] = most;
            }
        }
    }

    /// The unit that stands for all hidden ones of an application, if there may be some.
    pub(super) fn hidden_unit(&self, id: ApplicationId) -> Option<UnitId> {
        let world = self.world();
        let hidden = self.instance.places.processes.iter().flat_map(|slots| {
            let last = slots.iter().enumerate().rev().find(|(slot, _)| *slot != self.slot);
            last.into_iter().flat_map(|(_, process)| &process.units)
        });
        hidden.copied().find(|unit| world.unit(*unit).application == id)
    }

    /// Makes a hidden unit of an application Alive, with no other rows.
    pub(super) fn put_alive(&self, id: ApplicationId, into: &mut State) {
        if let Some(unit) = self.hidden_unit(id) {
            let docs = into.store.unit_docs_mut(unit, &mut Touched::new());
            docs.unit = Some(Unit::created(Placement::Nowhere));
        }
    }

    /// The shared part of a state: without the rows of processes, without transactions that are
    /// pending about one, and without counts.
    ///
    /// # Errors
    /// If something pending is about two processes.
    pub(super) fn shared_of(
        &self,
        state: &State,
        counted: &[CountOf],
    ) -> Result<State, NoTemplate> {
        let mut shared = self.empty.clone();
        for row in &self.shared_rows {
            shared.restore(*row, state);
        }
        for pointer in &self.pointers {
            if self.target(*pointer, state)?.is_some() {
                pointer.clear(&mut shared);
            }
        }
        for it in counted {
            it.set(&mut shared, 0);
        }
        self.copy_given_of_others(None, &self.empty, &mut shared);
        Ok(shared)
    }

    /// The local state of a process: its rows and the transactions pending about it.
    ///
    /// # Errors
    /// If something pending is about two processes.
    pub(super) fn local_of(
        &self,
        state: &State,
        of: usize,
        slot: usize,
    ) -> Result<State, NoTemplate> {
        let mut local = self.empty.clone();
        self.copy_rows((of, slot), state, &mut local);
        for pointer in &self.pointers {
            if self.target(*pointer, state)? == Some((of, slot)) {
                pointer.copy(state, &mut local);
            }
        }
        self.copy_given(Some((of, slot)), state, &mut local);
        Ok(local)
    }

    /// The processes about which something is pending.
    pub(super) fn holders(&self, state: &State) -> Vec<(usize, usize)> {
        let held = self.pointers.iter().map(|it| it.target(&self.instance, state));
        held.filter_map(|it| it.ok().flatten()).collect()
    }

    /// Copies the rows of a process from one state to another.
    pub(super) fn copy_rows(&self, (of, slot): (usize, usize), from: &State, into: &mut State) {
        self.rows[of][slot].iter().for_each(|row| into.restore(*row, from));
    }

    fn target(
        &self,
        pointer: Pointer,
        state: &State,
    ) -> Result<Option<(usize, usize)>, NoTemplate> {
        let target = pointer.target(&self.instance, state);
        target.map_err(|()| NoTemplate::new("a transaction is about two processes".to_owned()))
    }

    /// The image of rows of a state under a renaming into this stage.
    pub(super) fn moved(
        &self,
        state: &State,
        by: &Renaming,
        rows: impl Iterator<Item = Row>,
    ) -> State {
        let mut moved = self.empty.clone();
        rows.for_each(|row| moved.take_renamed(state, row, by));
        moved
    }

    /// The image of a state of this stage under an exchange of processes.
    pub(super) fn exchanged(&self, state: &State, by: &Renaming) -> State {
        self.moved(state, by, rows(self.world()))
    }

    /// The moves of shared actors, or of the process of a type, in a state. `holds` returns for
    /// each pointer whether its transaction is theirs to continue. `judge` gets the reads, first
    /// those to list actions, then those to take each.
    ///
    /// # Errors
    /// If `judge` returns one, or units are created otherwise than by add-unit.
    pub(super) fn moves(
        &self,
        of: Option<usize>,
        state: &State,
        holds: impl Fn(usize) -> bool,
        judge: JudgeReads<'_>,
    ) -> Result<Vec<MadeMove>, NoTemplate> {
        let world = self.world();
        let own = of.map_or(&self.shared_parts, |of| &self.parts[of]);
        let pointers = (0..self.pointers.len()).filter(|it| holds(*it));
        let pending = pointers.flat_map(|it| &self.pointer_parts[it]);
        let births: &[ActionPart] = of.map_or(&[], |of| &self.births[of]);
        let (mut moves, mut reads) = (Vec::new(), Vec::new());
        for part in pending.chain(own).chain(births) {
            let free_ids = &self.free_ids(of);
            let (mut actions, mut plans) = (Vec::new(), Vec::new());
            reads.clear();
            recorded(&mut reads, || {
                agents::enabled_for_part(world, state, *part, free_ids, &mut actions, &mut plans);
            });
            judge(&reads, false)?;
            for (action, plan) in actions.into_iter().zip(plans) {
                reads.clear();
                let (after, clauses) =
                    recorded(&mut reads, || done(world, state, action, plan, free_ids));
                let reached = judge(&reads, true)?;
                let who = mover(*part, action, world);
                moves.push(MadeMove { mover: who, action, after, reached, clauses });
            }
            if free_ids.is_asked.get() && !births.contains(part) {
                let reason = "units come to be otherwise than by add-unit".to_owned();
                return Err(NoTemplate::new(reason));
            }
        }
        self.demand_places(of, state)?;
        Ok(moves)
    }

    pub(super) fn has_births(&self) -> bool {
        self.births.iter().any(|it| !it.is_empty())
    }

    /// Whether processes of a type are added.
    pub(super) fn is_born(&self, of: usize) -> bool {
        !self.births[of].is_empty()
    }

    /// The identifiers that the process of a type may take, or that entities of none may.
    fn free_ids(&self, of: Option<usize>) -> OwnIds<'_> {
        let own = self.instance.places.of_owner(of.map(|of| (of, self.slot)));
        let among = ScannedEntities { units: &own.units, machines: &own.machines };
        OwnIds { among, is_asked: Cell::new(false) }
    }

    /// Demands that no principal lacks an identifier for a subordinate that it would get: so it
    /// makes no difference which process has which identifiers.
    fn demand_places(&self, of: Option<usize>, state: &State) -> Result<(), NoTemplate> {
        let (world, free_ids) = (self.world(), &self.free_ids(of));
        for unit in free_ids.among.units {
            for relation in world.relations_of(*unit) {
                let other = world.relation(*relation).counterpart(world.unit(*unit).application);
                let is_full = other.is_some_and(|other| {
                    world.application(other).subordinate
                        && free_ids.unit(world, state, other).is_none()
                });
                let enters = Operation::EnterScope(*unit, *relation);
                let plan = || agents::plan_for(world, state, Client::Unit(*unit), enters, free_ids);
                if is_full && plan() == Plan::Refuse(Why::Full) {
                    let name = &world.unit(*unit).name;
                    let reason = format!("{name} lacks an identifier for a subordinate");
                    return Err(NoTemplate::new(reason));
                }
            }
        }
        Ok(())
    }

    /// Demands of the process of a type, or of entities of none, that free identifiers for
    /// subordinates cannot be distinguished, so that a principal may take any; and that pending
    /// transactions of these agents name no other units and machines, so that no other process has
    /// to look at them.
    pub(super) fn demand_interchangeable(
        &self,
        of: Option<usize>,
        state: &State,
    ) -> Result<(), NoTemplate> {
        let (world, own) = (self.world(), self.instance.places.of_owner(of.map(|of| (of, 0))));
        let free_ids = ScannedEntities { units: &own.units, machines: &own.machines };
        let rows = of.map_or(&self.shared_rows, |of| &self.rows[of][0]);
        let has_births = self.has_births();
        let rows_of = |entity| {
            let mut rows = rows.iter().filter(move |row| row.actor() == Some(entity));
            rows.any(|row| !state.is_same(*row, &self.empty))
        };
        let left = own
            .units
            .iter()
            .any(|id| free_ids.is_unit_free(world, state, *id) && rows_of(EntityId::Unit(*id)))
            || own.machines.iter().any(|id| {
                free_ids.is_machine_unused(state, *id) && rows_of(EntityId::Machine(*id))
            });
        if has_births && left {
            let reason = "something is left of a unit or machine that is gone".to_owned();
            return Err(NoTemplate::new(reason));
        }
        for id in own.units.iter().filter(|id| world.is_subordinate(**id)) {
            let mut rows = rows.iter().filter(|row| row.actor() == Some(EntityId::Unit(*id)));
            if free_ids.is_unit_free(world, state, *id)
                && rows.any(|row| !state.is_same(*row, &self.empty))
            {
                let reason = "something is left of a subordinate that is gone".to_owned();
                return Err(NoTemplate::new(reason));
            }
        }
        let agents = own.units.iter().copied().map(Client::Unit);
        let agents = agents.chain(own.machines.iter().copied().map(Client::Machine));
        for txn in agents.filter_map(|client| state.runtime.pending_txn(client)) {
            let units = txn.units().all(|id| own.units.contains(&id));
            if !units || !txn.machines().all(|id| own.machines.contains(&id)) {
                let reason = "a transaction of a unit's or machine's agent is about another one";
                return Err(NoTemplate::new(reason.to_owned()));
            }
        }
        Ok(())
    }

    /// The state after an action of a process or shared actor; `None` if it is not enabled.
    pub(super) fn again(&self, of: Option<usize>, state: &State, action: Action) -> Option<State> {
        let own = of.map_or(&self.shared_parts, |of| &self.parts[of]);
        let free_ids = &self.free_ids(of);
        for part in self.pointer_parts.iter().flatten().chain(own) {
            let (mut actions, mut plans) = (Vec::new(), Vec::new());
            let world = self.world();
            agents::enabled_for_part(world, state, *part, free_ids, &mut actions, &mut plans);
            if let Some(place) = actions.iter().position(|it| *it == action) {
                return Some(done(world, state, action, plans[place].take(), free_ids).0);
            }
        }
        None
    }
}

/// The type of the process that a user adds by this part of the actions, if any.
fn born_by(instance: &Instance, part: ActionPart) -> Option<usize> {
    let ActionPart::Gives(_, place) = part else { return None };
    let world = &instance.world;
    let Command::AddUnit(application) = world.commands[place].command else { return None };
    let mut types = instance.places.processes.iter();
    types.position(|slots| {
        slots.first().is_some_and(|it| world.unit(it.units[0]).application == application)
    })
}

/// The processes that a part mentions: those whose exchange with two others changes it.
pub(super) fn owners(instance: &Instance, part: ActionPart) -> Vec<(usize, usize)> {
    let slots = instance.sizes().into_iter().enumerate();
    let all = slots.flat_map(|(of, count)| {
        (0..count).map(move |slot| (of, slot, [(slot + 1) % count, (slot + 2) % count]))
    });
    let mentioned = all.filter(|(of, slot, others)| {
        others.iter().all(|it| part.renamed(&instance.exchange(*of, *slot, *it)) != part)
    });
    mentioned.map(|(of, slot, _)| (of, slot)).collect()
}

/// The state after an action, and the clauses that it carries out.
fn done(
    world: &World,
    state: &State,
    action: Action,
    plan: Option<Txn>,
    free_ids: &dyn FreeIds,
) -> (State, Clauses) {
    let (mut after, mut effects) = (state.clone(), Effects::default());
    step_as_planned(world, &mut after, action, plan, free_ids, &mut effects);
    (after, effects.clauses.into_iter().collect())
}

/// The mover of an action of this part. A former provisioner owes nothing.
fn mover(part: ActionPart, action: Action, world: &World) -> MoverKind {
    let owed = |task: Task| if task.is_owed(world) { MoverKind::Owed } else { MoverKind::Free };
    let is_late = matches!(action.act, Act::Provisioner(act) if act.is_late());
    match part {
        ActionPart::Task(_) if is_late => MoverKind::Free,
        ActionPart::Task(task) => owed(task),
        ActionPart::Destroys(id, _) => owed(Task::Clean(EntityId::Application(id))),
        ActionPart::GoesOn(user) => owed(Task::User(user)),
        // Finitely many commands are like faults.
        ActionPart::Gives(..) if world.assumptions.finitely_many_commands => MoverKind::Fault,
        ActionPart::Gives(..) => MoverKind::Command,
        ActionPart::Fault(_) => MoverKind::Fault,
    }
}
