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
    agents,
    ids::{ApplicationId, EntityId, RelationId, Rename as _, Renaming},
    rows::{Read, Row, RowKind, Touched},
    runtime::Pending,
    state::State,
    world::World,
};
use indexmap::IndexSet;

use super::{
    NoTemplate,
    family::{Family, Instance, rows},
    named,
    stage::{Counted, Done, Stage, done},
};

/// A move that tells all processes something.
struct Broadcast {
    whose: Whose,
    shared: SharedId,
    others: Counts,
    action: Action,
    /// The counts of which nothing is left.
    clears: Counts,
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
    /// For each pointer what was pending about a process, of a place of its own: the first that was met
    /// and the last. While somebody hidden is the holder, one of them stands for whatever that has.
    ghosts: Vec<Option<[State; 2]>>,
    settled_shared: Settled,
    settled_locals: Vec<Settled>,
}

/// States without what is pending in them, numbered.
#[derive(Default)]
struct Settled {
    known: IndexSet<State>,
    /// For each state its number.
    of: Vec<u32>,
}

/// What a move comes to.
struct Outcome {
    mover: Mover,
    action: Action,
    shared: State,
    local: Option<State>,
    tells: bool,
    clears: Counts,
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
        let busy = stage.pointers.iter().copied().map(Counted::Busy);
        let counted: Vec<Counted> = units.chain(in_scope).chain(busy).collect();
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
            ghosts: vec![None; stage.pointers.len()],
            settled_shared: Settled::default(),
            settled_locals: (0..types).map(|_| Settled::default()).collect(),
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
        let shared = self.stage.shared_of(&start, &self.counted)?;
        let shared = self.shared_id(shared)?;
        let mut views = vec![View { shared, locals: [0; MOST_TYPES], hidden: [0; MOST_COUNTS] }];
        for of in 0..self.types() {
            let there = self.stage.local_of(&start, of, 0)?;
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
        let moved = |owner: Option<(usize, usize)>| -> Result<State, NoTemplate> {
            let own = rows(&instance.world).filter(|row| instance.owner(*row) == owner);
            let mut moved = self.stage.moved(state, &by, own);
            for pointer in &self.stage.pointers {
                let target = pointer.target(instance, state);
                let target = target.map_err(|()| NoTemplate::new("two targets".to_owned()))?;
                if target != owner {
                    pointer.clear(&mut moved);
                } else if owner.is_some() {
                    pointer.copy(
                        &self.stage.moved(state, &by, [pointer.row()].into_iter()),
                        &mut moved,
                    );
                }
            }
            Ok(moved)
        };
        let shared = self.stage.shared_of(&moved(None)?, &self.counted)?;
        let there = shown.iter().enumerate().map(|(of, slot)| {
            let is_none = instance.processes[of].is_empty();
            if is_none { Ok(self.stage.empty.clone()) } else { moved(Some((of, *slot))) }
        });
        let there = there.collect::<Result<Vec<State>, NoTemplate>>()?;
        let (mut locals, mut seen) = ([0; MOST_TYPES], [0; MOST_COUNTS]);
        for (of, local) in there.into_iter().enumerate() {
            locals[of] = self.local_id(of, local)?;
            let adds = self.adds(of, locals[of]);
            (0..self.counts()).for_each(|count| seen[count] += u32::from(adds[count]));
        }
        let shared = self.shared_id(shared)?;
        let mut hidden = [0; MOST_COUNTS];
        for (count, counted) in self.counted.iter().enumerate() {
            let others = counted.number(instance, state) - seen[count];
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
                if self.stage.exchanged(&shared, &by) != shared {
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
            let last = self.stage.instance.processes[of].len() - 1;
            for (ghost, pointer) in self.ghosts.iter_mut().zip(&self.stage.pointers) {
                if pointer.txn(local).is_some() {
                    let by = self.stage.instance.exchange(of, 0, last);
                    let there = self.stage.exchanged(local, &by);
                    let first = ghost.take().map_or_else(|| there.clone(), |[first, _]| first);
                    *ghost = Some([first, there]);
                }
            }
        }
        let id = LocalId::try_from(id);
        id.map_err(|_| NoTemplate::new("a process has too many local states".to_owned()))
    }

    /// The state in which these are, and nobody else: processes of types at places, and others that
    /// count this much; of those who have something pending the first that was met, or the last.
    fn state_with(
        &self,
        shared: SharedId,
        processes: &[(usize, LocalId, usize)],
        others: Counts,
        ghost: usize,
    ) -> State {
        let stage = &self.stage;
        let mut state = self.shared[shared as usize].clone();
        let mut counts = others.map(u32::from);
        for (of, local, slot) in processes {
            let at_first = &self.locals[*of][usize::from(*local)];
            if *slot == 0 {
                stage.put(at_first, *of, 0, &mut state);
            } else {
                let by = stage.instance.exchange(*of, 0, *slot);
                stage.put(&stage.exchanged(at_first, &by), *of, *slot, &mut state);
            }
            let adds = self.adds[*of][usize::from(*local)];
            (0..self.counted.len()).for_each(|count| counts[count] += u32::from(adds[count]));
        }
        for (count, counted) in self.counted.iter().enumerate() {
            counted.set(&mut state, counts[count]);
        }
        for (place, count) in self.pointers().enumerate().filter(|(_, count)| others[*count] > 0) {
            let pointer = self.stage.pointers[place];
            if let Some(ghosts) = &self.ghosts[place]
                && pointer.txn(&state).is_none()
            {
                pointer.copy(&ghosts[ghost], &mut state);
            }
            debug_assert!(others[count] <= self.bound, "it is known up to the bound");
        }
        state
    }

    /// For each pointer the number of its count.
    fn pointers(&self) -> impl Iterator<Item = usize> + use<> {
        let counts = self.counted.len();
        counts - self.stage.pointers.len()..counts
    }

    /// Whether at most one holds each pointer, where some are there who add this much, and others who
    /// add that much.
    fn is_possible(&self, shared: SharedId, adds: Counts, others: Counts) -> bool {
        self.stage.pointers.iter().zip(self.pointers()).all(|(pointer, count)| {
            let is_shared = pointer.txn(&self.shared[shared as usize]).is_some();
            adds[count] + others[count].min(1) + u8::from(is_shared) <= 1
        })
    }

    /// The shared part and the local state of a process, as a state without anybody else: as many
    /// units as it has are counted.
    pub(super) fn pair(&self, shared: SharedId, process: Option<(usize, LocalId)>) -> State {
        let process = process.map(|(of, local)| (of, local, 0));
        self.state_with(shared, process.as_slice(), [0; MOST_COUNTS], 0)
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
                        let is_asked = last.is_none_or(|row| counted.row() == Some(row));
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
        let (of, adds) = match whose {
            Whose::Shared => (None, [0; MOST_COUNTS]),
            Whose::Process(of, local) => (Some(of), self.adds(of, local)),
        };
        let pointers: Vec<usize> = self.pointers().collect();
        let holds = |pointer: usize| {
            let count = pointers[pointer];
            adds[count] > 0 || of.is_none() && others[count] == 0
        };
        let mut judge = |reads: &[Read], is_done| self.judge(stage, whose, others, reads, is_done);
        let moves = stage.moves(of, state, holds, &mut judge)?;
        moves.into_iter().map(|done| self.outcome(stage, of, others, done)).collect()
    }

    /// What a move comes to, which has to be nothing but this: what is shared, the process that made
    /// it, and counts that follow from it.
    fn outcome(
        &self,
        stage: &Stage,
        of: Option<usize>,
        others: Counts,
        done: Done,
    ) -> Result<Outcome, NoTemplate> {
        let Done { mover, action, after, mut tells } = done;
        let shared = stage.shared_of(&after, &self.counted)?;
        let local = of.map(|of| stage.local_of(&after, of, stage.slot)).transpose()?;
        let mut whole = shared.clone();
        if let (Some(of), Some(local)) = (of, &local) {
            stage.put(local, of, stage.slot, &mut whole);
        }
        let mut clears = [0; MOST_COUNTS];
        for (count, counted) in self.counted.iter().enumerate() {
            let found = local.as_ref().map_or(0, |it| counted.found(stage.world(), it));
            let number = u32::try_from(found).expect("they are few") + u32::from(others[count]);
            counted.set(&mut whole, number);
            let is = counted.number(&stage.instance, &after);
            if let Counted::Busy(pointer) = counted {
                let is_held = number.min(1);
                if is < is_held {
                    // Whoever holds it loses what is pending.
                    (clears[count], tells) = (1, true);
                } else if found == 0 && is_held > 0 {
                    pointer.copy(&after, &mut whole);
                }
                if is > is_held {
                    return Err(NoTemplate::new("a move is about another process".to_owned()));
                }
            } else if is != number {
                let row = counted.row().map(|row| named(stage.world(), row)).unwrap_or_default();
                return Err(NoTemplate::new(format!("{row} does not count what there is")));
            }
        }
        if whole != after {
            return Err(NoTemplate::new("a move changes more than its mover".to_owned()));
        }
        Ok(Outcome { mover, action, shared, local, tells, clears })
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
        to.moved(state, &by, rows(world))
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
        let adds = processes.iter().fold([0; MOST_COUNTS], |_, it| self.adds(it.0, it.1));
        if !self.is_possible(shared, adds, others) {
            return Ok(Vec::new());
        }
        let state = self.state_with(shared, processes, others, 0);
        let outcomes = self.outcomes(&self.stage, whose, others, &state)?;
        let other = self.state_with(shared, processes, others, 1);
        let again = self.outcomes(&self.larger, whose, others, &self.enlarged(&other))?;
        let is_same = |(here, there): (&Outcome, &Outcome)| {
            (here.mover, here.tells, here.clears) == (there.mover, there.tells, there.clears)
                && self.enlarged(&here.shared) == there.shared
                && here.local.as_ref().map(|it| self.enlarged(it)) == there.local
        };
        if outcomes.len() != again.len() || !outcomes.iter().zip(&again).all(is_same) {
            let reason = "what a unit can do depends on how many there are, or on which it is";
            return Err(NoTemplate::new(reason.to_owned()));
        }
        let mut moves = Vec::new();
        for outcome in outcomes {
            let shared_after = self.shared_id(outcome.shared.clone())?;
            let local = match (whose, outcome.local.clone()) {
                (Whose::Process(of, _), Some(local)) => self.local_id(of, local)?,
                _ => 0,
            };
            let Outcome { mover, action, tells, clears, .. } = outcome;
            let broadcast = tells.then(|| {
                self.broadcasts.push(Broadcast { whose, shared, others, action, clears });
                u32::try_from(self.broadcasts.len() - 1).expect("they are few")
            });
            moves.push(Move { mover, shared: shared_after, local, broadcast });
        }
        Ok(moves)
    }

    fn told(&mut self, broadcast: u32, of: usize, local: LocalId) -> Result<LocalId, NoTemplate> {
        let Broadcast { whose, shared, others, action, clears } =
            self.broadcasts[broadcast as usize];
        let slot = usize::from(matches!(whose, Whose::Process(mover, _) if mover == of));
        let mut processes = vec![(of, local, slot)];
        let mut adding = self.adds(of, local);
        if let Whose::Process(mover, mine) = whose {
            processes.push((mover, mine, 0));
            let mine = self.adds(mover, mine);
            (0..MOST_COUNTS).for_each(|count| adding[count] += mine[count]);
        }
        // The others add as much as they do, this one among them, if they are as many.
        let adds = self.adds(of, local);
        let rest = std::array::from_fn(|count| others[count].saturating_sub(adds[count]));
        let is_here = (0..self.counts()).all(|count| adds[count] <= others[count]);
        if !is_here || !self.is_possible(shared, adding, rest) {
            return Ok(local); // it happens only where this one is not
        }
        let state = self.state_with(shared, &processes, rest, 0);
        let world = self.stage.world();
        let (mut actions, mut plans) = (Vec::new(), Vec::new());
        agents::enabled_with_plans(world, &state, action.actor(), &mut actions, &mut plans);
        let Some(place) = actions.iter().position(|it| *it == action) else {
            let reason = "whether all are told something depends on each of them".to_owned();
            return Err(NoTemplate::new(reason));
        };
        let after = done(world, &state, action, plans[place].take());
        let mut told = self.stage.local_of(&after, of, slot)?;
        if slot != 0 {
            told = self.stage.exchanged(&told, &self.stage.instance.exchange(of, 0, slot));
        }
        let told = self.local_id(of, told)?;
        let after = self.adds(of, told);
        let is_kept = |count: usize| clears[count] > 0 || after[count] == adds[count];
        if !(0..self.counts()).all(is_kept) {
            let reason = "what all are told changes what they count for".to_owned();
            return Err(NoTemplate::new(reason));
        }
        Ok(told)
    }

    fn clears(&self, broadcast: u32) -> Counts {
        self.broadcasts[broadcast as usize].clears
    }

    fn is_of_pending(&self, count: usize) -> bool {
        self.pointers().any(|it| it == count)
    }

    fn settled_shared(&mut self, shared: SharedId) -> SharedId {
        let pointers = &self.stage.pointers;
        self.settled_shared.number(&self.shared, shared as usize, |state| {
            pointers.iter().for_each(|it| it.clear(state));
        })
    }

    fn settled_local(&mut self, of: usize, local: LocalId) -> u32 {
        let (pointers, instance) = (&self.stage.pointers, &self.stage.instance);
        let process = instance.processes[of][0];
        self.settled_locals[of].number(&self.locals[of], usize::from(local), |state| {
            pointers.iter().for_each(|it| it.clear(state));
            let touched = &mut Touched::new();
            state.runtime.machine_mut(process.machine, touched).pending = None;
            let pending = &mut state.runtime.unit_mut(process.unit, touched).pending;
            pending.take_if(|it| matches!(it, Pending::Txn(_)));
        })
    }
}

impl Settled {
    /// The number of a state without what is pending in it, which `settle` takes away.
    fn number(
        &mut self,
        states: &IndexSet<State>,
        place: usize,
        settle: impl Fn(&mut State),
    ) -> u32 {
        while self.of.len() <= place {
            let mut state = states[self.of.len()].clone();
            settle(&mut state);
            let number = self.known.insert_full(state).0;
            self.of.push(u32::try_from(number).expect("they are few"));
        }
        self.of[place]
    }
}
