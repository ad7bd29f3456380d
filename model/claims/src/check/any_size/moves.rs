//! The moves of a template: those of the protocol, in a world in which one process is there.
//!
//! A local state is the rows of the process, and the shared part all other rows, without the counts
//! of units: each is a state of that world without the rest. What a move reads is recorded, and has to
//! be of the two. It is done in a second world with one process more of each type, by the last of
//! them, and has to come to the same: so nothing depends on the number of processes, or on which of
//! them it is.

use deathwatch_checker::views::{
    Counts, LocalId, MOST_COUNTS, MOST_TYPES, Move, Mover, SharedId, Template, View, Whose,
};
use deathwatch_model::{
    action::Action,
    agents::{self, ActionPart, Effects, Task},
    free_ids::Scan,
    ids::{ApplicationId, EntityId, RelationId, Rename as _, Renaming},
    protocol::step_as_planned,
    rows::{Count, Read, Row, RowKind, Touched, recorded},
    state::State,
    txn::Txn,
    world::World,
};
use indexmap::IndexSet;

use super::{
    NoTemplate,
    family::{Family, Instance, rows},
    named,
};

/// Something of which documents count processes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    /// The units of an application.
    Units(ApplicationId),
    /// The units in the scope of a relation.
    InScope(RelationId),
}

impl Counted {
    /// What a state counts; 0 if the document is missing.
    fn number(self, state: &State) -> u32 {
        let count = match self {
            Self::Units(id) => state.store.application(id).map(|it| it.units),
            Self::InScope(id) => state.store.relation(id).map(|it| it.in_scope),
        };
        count.map_or(0, Count::number)
    }

    /// Makes a state count this, unless the document is missing.
    fn set(self, state: &mut State, number: u32) {
        let touched = &mut Touched::new();
        match self {
            Self::Units(id) => {
                if let Some(it) = &mut state.store.application_docs_mut(id, touched).application {
                    it.units = Count::of(number);
                }
            }
            Self::InScope(id) => {
                if let Some(it) = &mut state.store.relation_docs_mut(id, touched).relation {
                    it.in_scope = Count::of(number);
                }
            }
        }
    }

    /// How many units of a state it is about.
    fn found(self, world: &World, state: &State) -> usize {
        match self {
            Self::Units(id) => {
                world.application(id).units().filter(|it| state.store.unit(*it).is_some()).count()
            }
            Self::InScope(id) => state.store.scope(id).len(),
        }
    }

    /// The row that has the count.
    fn row(self) -> Row {
        match self {
            Self::Units(id) => Row::Application(id),
            Self::InScope(id) => Row::Relation(id),
        }
    }
}

/// A world in which the process of one place of its type is looked at.
struct Stage {
    instance: Instance,
    /// The place, the same of each type.
    slot: usize,
    /// The state without anything.
    empty: State,
    /// The parts of what shared actors can do, and for each type, of what its process can.
    shared_parts: Vec<ActionPart>,
    parts: Vec<Vec<ActionPart>>,
}

/// A move that tells all processes something.
struct Broadcast {
    whose: Whose,
    shared: SharedId,
    others: Counts,
    action: Action,
}

/// The template of a family.
pub(super) struct Protocol {
    /// The world in which moves are done, by the first process of its type.
    stage: Stage,
    /// The world in which they are done again, by the last one.
    larger: Stage,
    counted: Vec<Counted>,
    /// The bound of hidden counts.
    bound: u8,
    shared: IndexSet<State>,
    /// For each type.
    locals: Vec<IndexSet<State>>,
    adds: Vec<Vec<Counts>>,
    broadcasts: Vec<Broadcast>,
}

/// What a move comes to.
#[derive(PartialEq, Eq)]
struct Outcome {
    mover: Mover,
    shared: State,
    local: Option<State>,
    broadcasts: bool,
    action: Action,
}

impl Stage {
    fn new(instance: Instance, slot: usize) -> Result<Self, NoTemplate> {
        let empty = State::empty(&instance.world);
        let mut stage = Self {
            parts: vec![Vec::new(); instance.processes.len()],
            shared_parts: Vec::new(),
            instance,
            slot,
            empty,
        };
        let world = &stage.instance.world;
        let all = agents::actors(world).flat_map(|actor| agents::parts(world, actor));
        for part in all.collect::<Vec<_>>() {
            match stage.owners(part).as_slice() {
                [] => stage.shared_parts.push(part),
                [(of, slot)] if *slot == stage.slot => stage.parts[*of].push(part),
                [_] => {}
                _ => return Err(NoTemplate::new("an act is about two processes".to_owned())),
            }
        }
        Ok(stage)
    }

    fn world(&self) -> &World {
        &self.instance.world
    }

    /// The processes that a part mentions: those whose exchange with two others changes it.
    fn owners(&self, part: ActionPart) -> Vec<(usize, usize)> {
        let slots = self.instance.processes.iter().map(Vec::len).enumerate();
        let all = slots.flat_map(|(of, count)| {
            (0..count).map(move |slot| (of, slot, [(slot + 1) % count, (slot + 2) % count]))
        });
        let mentioned = all.filter(|(of, slot, others)| {
            others.iter().all(|it| part.renamed(&self.instance.exchange(*of, *slot, *it)) != part)
        });
        mentioned.map(|(of, slot, _)| (of, slot)).collect()
    }

    /// The rows of a state that belong to a process: those of another state, where it has them.
    fn copy(&self, from: &State, of: usize, slot: usize, to: &mut State) {
        for row in rows(self.world()).filter(|row| self.instance.owner(*row) == Some((of, slot))) {
            to.restore(row, from);
        }
    }

    /// A state without the rows of processes, and without counts.
    fn shared_of(&self, state: &State, counted: &[Counted]) -> State {
        let mut shared = state.clone();
        for row in rows(self.world()).filter(|row| self.instance.owner(*row).is_some()) {
            shared.restore(row, &self.empty);
        }
        counted.iter().for_each(|it| it.set(&mut shared, 0));
        shared
    }

    /// The rows of a process, and nothing else.
    fn local_of(&self, state: &State, of: usize, slot: usize) -> State {
        let mut local = self.empty.clone();
        self.copy(state, of, slot, &mut local);
        local
    }

    /// The moves of somebody in a state, in which nobody else is: what they come to, and what they
    /// read. `judge` says of what is read whether all processes are told something by it.
    fn moves(
        &self,
        whose: Whose,
        state: &State,
        counted: &[Counted],
        judge: &mut dyn FnMut(&[Read], bool) -> Result<bool, NoTemplate>,
    ) -> Result<Vec<(Outcome, State)>, NoTemplate> {
        let world = self.world();
        let parts = match whose {
            Whose::Shared => &self.shared_parts,
            Whose::Process(of, _) => &self.parts[of],
        };
        let (mut moves, mut reads) = (Vec::new(), Vec::new());
        for part in parts {
            let (mut actions, mut plans) = (Vec::new(), Vec::new());
            reads.clear();
            recorded(&mut reads, || {
                agents::enabled_for_part(world, state, *part, &mut actions, &mut plans);
            });
            judge(&reads, false)?;
            for (action, plan) in actions.into_iter().zip(plans) {
                reads.clear();
                let after = recorded(&mut reads, || done(world, state, action, plan));
                let broadcasts = judge(&reads, true)?;
                let local = match whose {
                    Whose::Shared => None,
                    Whose::Process(of, _) => Some(self.local_of(&after, of, self.slot)),
                };
                let shared = self.shared_of(&after, counted);
                let mover = mover(*part, world);
                moves.push((Outcome { mover, shared, local, broadcasts, action }, after));
            }
        }
        Ok(moves)
    }

    /// A state of this stage that becomes a state of another one, by a renaming of the processes of
    /// each type.
    fn moved(&self, state: &State, to: &Self, by: &Renaming) -> State {
        let mut moved = to.empty.clone();
        rows(self.world()).for_each(|row| moved.take_renamed(state, row, by));
        moved
    }
}

/// The state after an action.
fn done(world: &World, state: &State, action: Action, plan: Option<Txn>) -> State {
    let mut after = state.clone();
    step_as_planned(world, &mut after, action, plan, &Scan, &mut Effects::default());
    after
}

/// Who does a part of what there is to do.
fn mover(part: ActionPart, world: &World) -> Mover {
    let owed = |task: Task| if task.is_owed(world) { Mover::Owed } else { Mover::Free };
    match part {
        ActionPart::Task(task) => owed(task),
        ActionPart::GoesOn(user) => owed(Task::User(user)),
        ActionPart::Gives(..) => Mover::Free,
        ActionPart::Fault(_) => Mover::Fault,
    }
}

impl Protocol {
    /// The template of a family, where hidden counts are known up to a bound.
    ///
    /// # Errors
    /// If an act is about two processes.
    pub(super) fn new(family: &Family<'_>, bound: u8) -> Result<Self, NoTemplate> {
        // As many as the counts can say, one that has just come, and others to compare with.
        let most = usize::from(bound) + 2;
        let types = family.types.len();
        let stage = Stage::new(family.instance(&vec![most; types])?, 0)?;
        let larger = Stage::new(family.instance(&vec![most + 1; types])?, most)?;
        let world = stage.world();
        let has_units = |id: &ApplicationId| family.types.iter().any(|it| it.application == *id);
        let units = world.application_ids().filter(has_units).map(Counted::Units);
        let is_counted =
            |id: &RelationId| world.relation(*id).applications().any(|end| has_units(&end));
        let in_scope = world.relation_ids().filter(is_counted).map(Counted::InScope);
        let counted: Vec<Counted> = units.chain(in_scope).collect();
        if types > MOST_TYPES || counted.len() > MOST_COUNTS {
            return Err(NoTemplate::new("it has too many applications or relations".to_owned()));
        }
        Ok(Self {
            counted,
            bound,
            shared: IndexSet::new(),
            locals: vec![IndexSet::new(); types],
            adds: vec![Vec::new(); types],
            broadcasts: Vec::new(),
            stage,
            larger,
        })
    }

    /// The views of the start of all instances with this number of processes of each type, where
    /// `None` stands for all numbers.
    ///
    /// # Errors
    /// If there are too many local states.
    pub(super) fn first(&mut self, sizes: Option<&[usize]>) -> Result<Vec<View>, NoTemplate> {
        let (start, bound) = (self.stage.instance.start.clone(), self.bound);
        let shared = self.stage.shared_of(&start, &self.counted);
        let shared = self.shared_id(shared)?;
        let mut views = vec![View { shared, locals: [0; MOST_TYPES], hidden: [0; MOST_COUNTS] }];
        for of in 0..self.types() {
            let there = self.stage.local_of(&start, of, 0);
            let (there, none) =
                (self.local_id(of, there)?, self.local_id(of, self.stage.empty.clone())?);
            let adds = self.adds(of, there);
            let hidden = |others: usize| {
                let add = |hidden: Counts| {
                    std::array::from_fn(|count| (hidden[count] + adds[count]).min(bound))
                };
                move |view: &View| View {
                    hidden: (0..others).fold(view.hidden, |hidden, _| add(hidden)),
                    ..*view
                }
            };
            let with = |local: LocalId, others: usize, view: &View| {
                let mut view = hidden(others)(view);
                view.locals[of] = local;
                view
            };
            // As many others as a count can tell apart, where each adds at least one.
            let others: Vec<usize> = match sizes {
                None => (0..=usize::from(self.bound)).collect(),
                Some(sizes) => sizes[of].checked_sub(1).into_iter().collect(),
            };
            let is_none = sizes.is_none_or(|sizes| sizes[of] == 0);
            views = views
                .iter()
                .flat_map(|view| {
                    let all = others.iter().map(|others| with(there, *others, view));
                    all.chain(is_none.then(|| with(none, 0, view))).collect::<Vec<_>>()
                })
                .collect();
        }
        Ok(views)
    }

    /// The view of a state of an instance that shows these processes of each type; of a type without
    /// processes, nothing.
    ///
    /// # Errors
    /// If there are too many local states.
    pub(super) fn view_of(
        &mut self,
        instance: &Instance,
        state: &State,
        shown: &[usize],
    ) -> Result<View, NoTemplate> {
        let by = self.into_stage(instance, shown);
        let moved = |owner: Option<(usize, usize)>| {
            let mut moved = self.stage.empty.clone();
            let own = rows(&instance.world).filter(|row| instance.owner(*row) == owner);
            own.for_each(|row| moved.take_renamed(state, row, &by));
            moved
        };
        let shared = self.stage.shared_of(&moved(None), &self.counted);
        let there = shown.iter().enumerate().map(|(of, slot)| {
            let is_none = instance.processes[of].is_empty();
            if is_none { self.stage.empty.clone() } else { moved(Some((of, *slot))) }
        });
        let there: Vec<State> = there.collect();
        let (mut locals, mut seen) = ([0; MOST_TYPES], [0; MOST_COUNTS]);
        for (of, local) in there.into_iter().enumerate() {
            locals[of] = self.local_id(of, local)?;
            let adds = self.adds(of, locals[of]);
            (0..self.counts()).for_each(|count| seen[count] += u32::from(adds[count]));
        }
        let shared = self.shared_id(shared)?;
        let mut hidden = [0; MOST_COUNTS];
        for (count, counted) in self.counted.iter().enumerate() {
            let others = counted.number(state) - seen[count];
            hidden[count] = u8::try_from(others).unwrap_or(self.bound).min(self.bound);
        }
        Ok(View { shared, locals, hidden })
    }

    /// The renaming of an instance by which these processes become those that are looked at here.
    fn into_stage(&self, instance: &Instance, shown: &[usize]) -> Renaming {
        let to = |of: usize, slot: usize| {
            let here = &self.stage.instance.processes[of];
            // Others are in no row that is moved.
            if slot == shown[of] { here[0] } else { here[1] }
        };
        let world = &instance.world;
        let owner = |entity| instance.owner(Row::from(entity));
        let units = world.unit_ids().map(|id| {
            let (of, slot) = owner(EntityId::Unit(id)).expect("each unit is of a process");
            to(of, slot).unit
        });
        let machines = world.machine_ids().map(|id| {
            // Those that are shared come first, in both.
            owner(EntityId::Machine(id)).map_or(id, |(of, slot)| to(of, slot).machine)
        });
        // What a command that is about a process says, none has counted.
        let here = &self.stage.world().commands;
        let by = Renaming::into_other(
            units.collect(),
            machines.collect(),
            vec![0; world.commands.len()],
        );
        let commands = world.commands.iter().map(|it| {
            let becomes = it.command.renamed(&by);
            here.iter().position(|it| it.command == becomes).expect("commands are alike")
        });
        let commands = commands.collect();
        by.with_commands(commands)
    }

    fn shared_id(&mut self, shared: State) -> Result<SharedId, NoTemplate> {
        for (of, slots) in self.stage.instance.processes.iter().enumerate() {
            // None of the processes of a type is mentioned, as each is in one of these exchanges.
            for slot in 1..slots.len() {
                let by = self.stage.instance.exchange(of, 0, slot);
                if self.stage.moved(&shared, &self.stage, &by) != shared {
                    let reason = "what is shared names a unit or a machine".to_owned();
                    return Err(NoTemplate::new(reason));
                }
            }
        }
        Ok(SharedId::try_from(self.shared.insert_full(shared).0).expect("they are few"))
    }

    fn local_id(&mut self, of: usize, local: State) -> Result<LocalId, NoTemplate> {
        let (id, is_new) = self.locals[of].insert_full(local);
        if is_new {
            let local = &self.locals[of][id];
            let mut adds = [0; MOST_COUNTS];
            for (count, counted) in self.counted.iter().enumerate() {
                let found = counted.found(self.stage.world(), local);
                adds[count] = u8::try_from(found).expect("a process has few units");
            }
            self.adds[of].push(adds);
        }
        let id = LocalId::try_from(id);
        id.map_err(|_| NoTemplate::new("a process has too many local states".to_owned()))
    }

    /// The state in which these are, and nobody else, in a stage: processes of types at places there,
    /// and this much of each count.
    fn state_with(
        &self,
        shared: SharedId,
        processes: &[(usize, LocalId, usize)],
        others: Counts,
    ) -> State {
        let stage = &self.stage;
        let mut state = self.shared[shared as usize].clone();
        let mut counts = others.map(u32::from);
        for (of, local, slot) in processes {
            let at_first = &self.locals[*of][usize::from(*local)];
            if *slot == 0 {
                stage.copy(at_first, *of, 0, &mut state);
            } else {
                let by = stage.instance.exchange(*of, 0, *slot);
                stage.copy(&stage.moved(at_first, stage, &by), *of, *slot, &mut state);
            }
            let adds = self.adds[*of][usize::from(*local)];
            (0..self.counted.len()).for_each(|count| counts[count] += u32::from(adds[count]));
        }
        for (counted, number) in self.counted.iter().zip(counts) {
            counted.set(&mut state, number);
        }
        state
    }

    /// The shared part and the local state of a process, as a state without anybody else: as many
    /// units as it has are counted.
    pub(super) fn pair(&self, shared: SharedId, process: Option<(usize, LocalId)>) -> State {
        let process = process.map(|(of, local)| (of, local, 0));
        self.state_with(shared, process.as_slice(), [0; MOST_COUNTS])
    }

    /// The world in which states are looked at.
    pub(super) fn world(&self) -> &World {
        self.stage.world()
    }

    /// The process that a row of that world belongs to.
    pub(super) fn owner(&self, row: Row) -> Option<(usize, usize)> {
        self.stage.instance.owner(row)
    }

    /// The number of shared parts, and of local states of each type.
    pub(super) fn sizes(&self) -> (usize, Vec<usize>) {
        (self.shared.len(), self.locals.iter().map(IndexSet::len).collect())
    }

    /// Says of what was read for a move whether all processes are told something by it.
    ///
    /// # Errors
    /// If more was read than what is shared, the rows of the mover, and whether a count is at least
    /// some number that does not tell apart what the bound does not.
    fn judge(
        &self,
        stage: &Stage,
        whose: Whose,
        others: Counts,
        reads: &[Read],
        is_done: bool,
    ) -> Result<bool, NoTemplate> {
        let (mut broadcasts, mut last) = (false, None);
        for read in reads {
            match *read {
                Read::Row(row) => {
                    last = Some(row);
                    if !self.is_own(stage, whose, row) {
                        return Err(NoTemplate::reads(stage.world(), row));
                    }
                }
                Read::Relation(RowKind::Membership, _) if is_done => broadcasts = true,
                // Users are shared, and an agent has deployed what its own row says, which was read.
                Read::All(RowKind::User) | Read::Deployers => {}
                Read::AtLeast(least) => {
                    let mine = match whose {
                        Whose::Shared => [0; MOST_COUNTS],
                        Whose::Process(of, local) => self.adds(of, local),
                    };
                    for (count, counted) in self.counted.iter().enumerate() {
                        let is_asked = last.is_none_or(|row| counted.row() == row);
                        let known = u32::from(mine[count]) + u32::from(self.bound);
                        if is_asked && others[count] == self.bound && least > known {
                            return Err(NoTemplate::asks(least));
                        }
                    }
                }
                // There are no such rows.
                Read::Relation(kind, _) | Read::All(kind) if kind.count(stage.world()) == 0 => {}
                Read::Relation(kind, _) | Read::All(kind) => {
                    return Err(NoTemplate::new(format!(
                        "the rows `{}` of all units are read",
                        kind.name()
                    )));
                }
                Read::Pending => {
                    let reason = "all pending transactions are read".to_owned();
                    return Err(NoTemplate::new(reason));
                }
            }
        }
        Ok(broadcasts)
    }

    /// Whether a row is shared, or the mover's own.
    fn is_own(&self, stage: &Stage, whose: Whose, row: Row) -> bool {
        match (stage.instance.owner(row), whose) {
            (None, _) => true,
            (Some(_), Whose::Shared) => false,
            (Some(owner), Whose::Process(of, _)) => owner == (of, stage.slot),
        }
    }

    /// The moves in one of the stages, by its own names.
    fn outcomes(
        &self,
        stage: &Stage,
        whose: Whose,
        others: Counts,
        state: &State,
    ) -> Result<Vec<Outcome>, NoTemplate> {
        let mut judge = |reads: &[Read], is_done| self.judge(stage, whose, others, reads, is_done);
        let moves = stage.moves(whose, state, &self.counted, &mut judge)?;
        let mut outcomes = Vec::new();
        for (outcome, after) in moves {
            let adds = |count: usize| {
                let local = outcome.local.as_ref();
                local.map_or(0, |it| self.counted[count].found(stage.world(), it))
            };
            // What is not the mover's and not shared is as it was: nothing.
            let mut whole = outcome.shared.clone();
            if let (Whose::Process(of, _), Some(local)) = (whose, &outcome.local) {
                stage.copy(local, of, stage.slot, &mut whole);
            }
            for (count, counted) in self.counted.iter().enumerate() {
                let number = adds(count) + usize::from(others[count]);
                let number = u32::try_from(number).expect("they are few");
                counted.set(&mut whole, number);
                if counted.number(&after) != number {
                    let row = named(stage.world(), counted.row());
                    return Err(NoTemplate::new(format!("{row} does not count its units")));
                }
            }
            if whole != after {
                return Err(NoTemplate::new("a move changes more than its mover".to_owned()));
            }
            outcomes.push(outcome);
        }
        Ok(outcomes)
    }

    /// The state that stands in the larger stage for one of this stage.
    fn enlarged(&self, state: &State) -> State {
        let to = &self.larger;
        let target = |of: usize, slot: usize| {
            let there = &to.instance.processes[of];
            there[if slot == 0 { to.slot } else { slot }]
        };
        let world = self.stage.world();
        let owner = |entity| self.stage.instance.owner(Row::from(entity));
        let units = world.unit_ids().map(|id| {
            let (of, slot) = owner(EntityId::Unit(id)).expect("each unit is of a process");
            target(of, slot).unit
        });
        let machines = world.machine_ids().map(|id| {
            owner(EntityId::Machine(id)).map_or(id, |(of, slot)| target(of, slot).machine)
        });
        let commands = vec![0; world.commands.len()];
        let by = Renaming::into_other(units.collect(), machines.collect(), commands);
        let commands = world.commands.iter().map(|it| {
            let becomes = it.command.renamed(&by);
            let place = to.world().commands.iter().position(|it| it.command == becomes);
            place.expect("commands are alike")
        });
        let by = {
            let commands = commands.collect();
            by.with_commands(commands)
        };
        self.stage.moved(state, to, &by)
    }
}

impl Template for Protocol {
    type Error = NoTemplate;

    fn types(&self) -> usize {
        self.locals.len()
    }

    fn counts(&self) -> usize {
        self.counted.len()
    }

    fn bound(&self) -> u8 {
        self.bound
    }

    fn adds(&self, of: usize, local: LocalId) -> Counts {
        self.adds[of][usize::from(local)]
    }

    fn moves(
        &mut self,
        whose: Whose,
        shared: SharedId,
        others: Counts,
    ) -> Result<Vec<Move>, NoTemplate> {
        let processes: &[_] = match whose {
            Whose::Shared => &[],
            Whose::Process(of, local) => &[(of, local, 0)],
        };
        let state = self.state_with(shared, processes, others);
        let outcomes = self.outcomes(&self.stage, whose, others, &state)?;
        let again = self.outcomes(&self.larger, whose, others, &self.enlarged(&state))?;
        let is_same = |(here, there): (&Outcome, &Outcome)| {
            here.mover == there.mover
                && here.broadcasts == there.broadcasts
                && self.enlarged(&here.shared) == there.shared
                && here.local.as_ref().map(|it| self.enlarged(it)) == there.local
        };
        if outcomes.len() != again.len() || !outcomes.iter().zip(&again).all(is_same) {
            let reason = "what a unit can do depends on how many there are, or on which it is";
            return Err(NoTemplate::new(reason.to_owned()));
        }
        let mut moves = Vec::new();
        for outcome in outcomes {
            let shared_after = self.shared_id(outcome.shared)?;
            let local = match (whose, outcome.local) {
                (Whose::Process(of, _), Some(local)) => self.local_id(of, local)?,
                _ => 0,
            };
            let broadcast = outcome.broadcasts.then(|| {
                let action = outcome.action;
                self.broadcasts.push(Broadcast { whose, shared, others, action });
                u32::try_from(self.broadcasts.len() - 1).expect("they are few")
            });
            moves.push(Move { mover: outcome.mover, shared: shared_after, local, broadcast });
        }
        Ok(moves)
    }

    fn told(&mut self, broadcast: u32, of: usize, local: LocalId) -> Result<LocalId, NoTemplate> {
        let Broadcast { whose, shared, others, action } = self.broadcasts[broadcast as usize];
        let slot = usize::from(matches!(whose, Whose::Process(mover, _) if mover == of));
        let mut processes = vec![(of, local, slot)];
        if let Whose::Process(mover, mine) = whose {
            processes.push((mover, mine, 0));
        }
        // The others add as much as they do, this one among them, if they are as many.
        let adds = self.adds(of, local);
        let rest = std::array::from_fn(|count| others[count].saturating_sub(adds[count]));
        let state = self.state_with(shared, &processes, rest);
        let world = self.stage.world();
        let (mut actions, mut plans) = (Vec::new(), Vec::new());
        agents::enabled_with_plans(world, &state, action.actor(), &mut actions, &mut plans);
        let is_here = (0..self.counts()).all(|count| adds[count] <= others[count]);
        let Some(place) = actions.iter().position(|it| *it == action) else {
            // It happens only where this one is not.
            let reason = "whether all are told something depends on each of them".to_owned();
            return if is_here { Err(NoTemplate::new(reason)) } else { Ok(local) };
        };
        let after = done(world, &state, action, plans[place].take());
        let mut told = self.stage.local_of(&after, of, slot);
        if slot != 0 {
            let by = self.stage.instance.exchange(of, 0, slot);
            told = self.stage.moved(&told, &self.stage, &by);
        }
        let told = self.local_id(of, told)?;
        if self.adds(of, told) != adds {
            let reason = "what all are told changes what they count for".to_owned();
            return Err(NoTemplate::new(reason));
        }
        Ok(told)
    }
}
