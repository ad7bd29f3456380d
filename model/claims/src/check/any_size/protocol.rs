//! The template of a family: its shared parts and local states, numbered, and the views of states.
//!
//! A local state has the rows of the process, with transactions that are pending about it. The
//! shared part has all other rows, without the counts of units. Both are stored as states of the
//! stage's world in which all other rows are empty.

use deathwatch_checker::views::{
    Amounts, LocalId, MOST_COUNTS, MOST_TYPES, SharedId, StateView, Template as _, Whose,
};
use deathwatch_model::{
    action::Action,
    clause::Clauses,
    ids::{ApplicationId, RelationId, Renaming, UnitId},
    rows::{Read, Row},
    state::State,
    world::World,
};
use indexmap::IndexSet;

use super::{
    NoTemplate,
    counts::CountOf,
    family::{Family, Instance, rows},
    places::{ProcessIndex, with_commands},
    pointer::PendingKind,
    stage::Stage,
};

/// A move that concerns all processes.
pub(super) struct Broadcast {
    pub(super) whose: Whose,
    pub(super) shared: SharedId,
    pub(super) others: Amounts,
    pub(super) action: Action,
    /// The counts that it sets to zero.
    pub(super) clears: Amounts,
    pub(super) after: (SharedId, LocalId),
}

pub(super) struct Protocol {
    /// The world in which moves are made, by the first process of its type.
    pub(super) stage: Stage,
    /// The world in which they are made again, by the last one.
    pub(super) larger: Stage,
    pub(super) counted: Vec<CountOf>,
    pub(super) bound: u8,
    pub(super) shared: IndexSet<State>,
    /// For each shared part the amount that it adds to each count.
    fixed: Vec<[u32; MOST_COUNTS]>,
    pub(super) locals: Vec<IndexSet<State>>,
    pub(super) adds: Vec<Vec<Amounts>>,
    pub(super) broadcasts: Vec<Broadcast>,
    /// The clauses that moves carry out.
    pub(super) carried_out: Clauses,
    /// For each pointer its ghosts: the first transaction of each kind that was pending about a
    /// process, at a place of its own. While the holder is hidden, one of them stands for its
    /// pending transaction.
    pub(super) ghosts: Vec<Vec<(PendingKind, State)>>,
    pub(super) settled_shared: Settled,
    pub(super) settled_locals: Vec<Settled>,
}

/// States without their pending transactions, numbered.
#[derive(Default)]
pub(super) struct Settled {
    pub(super) known: IndexSet<State>,
    pub(super) of: Vec<u32>,
}

impl Protocol {
    /// The template of a family, with counts of hidden units up to `bound`, and with counts of
    /// Alive units for these applications.
    ///
    /// # Errors
    /// If an act is about two processes, or there are too many types or counts.
    pub(super) fn new(
        family: &Family,
        bound: u8,
        alive: &[ApplicationId],
    ) -> Result<Self, NoTemplate> {
        // As many as the counts can tell apart, one that is added, and one to compare with.
        let most = usize::from(bound) + 2;
        let types = family.types.len();
        let stage = Stage::new(family.instance(&vec![most; types])?, 0)?;
        let larger = Stage::new(family.instance(&vec![most + 1; types])?, most)?;
        let world = stage.world();
        let first = stage.instance.places.processes.iter().filter_map(|slots| slots.first());
        let units: Vec<UnitId> = first.flat_map(|it| it.units.iter().copied()).collect();
        let has_units =
            |id: &ApplicationId| units.iter().any(|unit| world.unit(*unit).application == *id);
        let units = world.application_ids().filter(has_units).map(CountOf::Units);
        let is_counted =
            |id: &RelationId| world.relation(*id).applications().any(|end| has_units(&end));
        let in_scope = world.relation_ids().filter(is_counted).map(CountOf::InScope);
        let alive = alive.iter().copied().map(CountOf::Alive);
        let busy = stage.pointers.iter().copied().map(CountOf::Busy);
        let counted: Vec<CountOf> = units.chain(in_scope).chain(alive).chain(busy).collect();
        if types > MOST_TYPES || counted.len() > MOST_COUNTS {
            return Err(NoTemplate::new("it has too many applications or relations".to_owned()));
        }
        Ok(Self {
            counted,
            bound,
            shared: IndexSet::new(),
            fixed: Vec::new(),
            locals: vec![IndexSet::new(); types],
            adds: vec![Vec::new(); types],
            broadcasts: Vec::new(),
            carried_out: Clauses::default(),
            ghosts: vec![Vec::new(); stage.pointers.len()],
            settled_shared: Settled::default(),
            settled_locals: (0..types).map(|_| Settled::default()).collect(),
            stage,
            larger,
        })
    }

    /// The views of the starts of all instances with these numbers of processes, or with any
    /// number.
    ///
    /// # Errors
    /// If there are too many local states.
    pub(super) fn first(&mut self, sizes: Option<&[usize]>) -> Result<Vec<StateView>, NoTemplate> {
        let (start, bound) = (self.stage.instance.start.clone(), self.bound);
        let shared = self.stage.shared_of(&start, &self.counted)?;
        let shared = self.shared_id(shared)?;
        let mut views =
            vec![StateView { shared, locals: [0; MOST_TYPES], hidden: [0; MOST_COUNTS] }];
        for of in 0..self.types() {
            let there = self.stage.local_of(&start, of, 0)?;
            let (there, none) =
                (self.local_id(of, there)?, self.local_id(of, self.stage.empty.clone())?);
            let adds = self.adds(of, there);
            let hidden = |others: usize| {
                let add = |hidden: Amounts| {
                    std::array::from_fn(|count| (hidden[count] + adds[count]).min(bound))
                };
                move |view: &StateView| StateView {
                    hidden: (0..others).fold(view.hidden, |hidden, _| add(hidden)),
                    ..*view
                }
            };
            let with = |local: LocalId, others: usize, view: &StateView| {
                let mut view = hidden(others)(view);
                view.locals[of] = local;
                view
            };
            // The numbers of others that counts tell apart, as each adds at least one.
            let others: Vec<usize> = match sizes {
                None => (0..=usize::from(self.bound)).collect(),
                Some(sizes) => sizes[of].checked_sub(1).into_iter().collect(),
            };
            let is_none = sizes.is_some_and(|sizes| sizes[of] == 0);
            // A process that is not there yet, beside all that are: at least one.
            let beside: Vec<usize> = match sizes {
                _ if !self.stage.is_born(of) => Vec::new(),
                None => (1..=usize::from(self.bound)).collect(),
                Some(sizes) => vec![sizes[of]],
            };
            views = views
                .iter()
                .flat_map(|view| {
                    let all = others.iter().map(|others| with(there, *others, view));
                    let later = beside.iter().map(|others| with(none, *others, view));
                    let none = is_none.then(|| with(none, 0, view));
                    all.chain(none).chain(later).collect::<Vec<_>>()
                })
                .collect();
        }
        Ok(views)
    }

    /// The view of a state of an instance that shows these processes; an empty local state for a
    /// type without processes.
    ///
    /// # Errors
    /// If there are too many local states.
    pub(super) fn view_of(
        &mut self,
        instance: &Instance,
        state: &State,
        shown: &[usize],
    ) -> Result<StateView, NoTemplate> {
        let by = self.to_stage(instance, shown);
        let is_shown = |(of, slot): (usize, usize)| shown[of] == slot;
        let seen = rows(&instance.world).filter(|row| instance.owner(*row).is_none_or(is_shown));
        let moved = self.stage.moved(state, &by, seen);
        let shared = self.stage.shared_of(&moved, &self.counted)?;
        let there = instance.sizes().into_iter().enumerate().map(|(of, size)| {
            if size == 0 {
                Ok(self.stage.empty.clone())
            } else {
                self.stage.local_of(&moved, of, 0)
            }
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
            let seen = seen[count] + self.fixed[shared as usize][count];
            let others = counted.number(instance, state) - seen;
            hidden[count] = u8::try_from(others).unwrap_or(self.bound).min(self.bound);
        }
        Ok(StateView { shared, locals, hidden })
    }

    /// The renaming of an instance that maps these processes to the visible ones of the stage.
    fn to_stage(&self, instance: &Instance, shown: &[usize]) -> Renaming {
        // The rows of other processes are not moved.
        let slot = |of: usize, slot: usize| usize::from(slot != shown[of]);
        let by = instance.places.renaming_to(&self.stage.instance.places, slot);
        with_commands(by, &instance.world, self.stage.world())
    }

    /// The state of the larger stage that corresponds to one of this stage.
    pub(super) fn enlarged(&self, state: &State) -> State {
        let (here, there) = (&self.stage.instance, &self.larger.instance);
        let slot = |_, slot| if slot == 0 { self.larger.slot } else { slot };
        let by = here.places.renaming_to(&there.places, slot);
        let by = with_commands(by, &here.world, &there.world);
        self.larger.moved(state, &by, rows(&here.world))
    }

    pub(super) fn shared_id(&mut self, shared: State) -> Result<SharedId, NoTemplate> {
        for (of, slots) in self.stage.instance.places.processes.iter().enumerate() {
            // The first process takes part in each exchange, so the shared part names none.
            for slot in 1..slots.len() {
                let by = self.stage.instance.exchange(of, 0, slot);
                if self.stage.exchanged(&shared, &by) != shared {
                    let reason = "what is shared names a unit or a machine".to_owned();
                    return Err(NoTemplate::new(reason));
                }
            }
        }
        let (id, is_new) = self.shared.insert_full(shared);
        if is_new {
            let (world, shared) = (self.stage.world(), &self.shared[id]);
            self.stage.demand_interchangeable(None, shared)?;
            let mut fixed = [0; MOST_COUNTS];
            for (count, counted) in self.counted.iter().enumerate() {
                fixed[count] = counted.fixed(world, shared);
            }
            self.fixed.push(fixed);
        }
        Ok(SharedId::try_from(id).expect("they are few"))
    }

    pub(super) fn local_id(&mut self, of: usize, local: State) -> Result<LocalId, NoTemplate> {
        let (id, is_new) = self.locals[of].insert_full(local);
        if is_new {
            let local = &self.locals[of][id];
            self.stage.demand_interchangeable(Some(of), local)?;
            let mut adds = [0; MOST_COUNTS];
            for (count, counted) in self.counted.iter().enumerate() {
                let found = counted.found(self.stage.world(), local);
                adds[count] = u8::try_from(found).expect("a process has few units");
            }
            self.adds[of].push(adds);
            let last = self.stage.instance.places.processes[of].len() - 1;
            for (ghost, pointer) in self.ghosts.iter_mut().zip(&self.stage.pointers) {
                let Some(kind) = pointer.kind(local) else { continue };
                if !ghost.iter().any(|(known, _)| *known == kind) {
                    let by = self.stage.instance.exchange(of, 0, last);
                    ghost.push((kind, self.stage.exchanged(local, &by)));
                }
            }
            let first = |other: usize| usize::from(other == of);
            let places =
                |other: usize| first(other) + 1..self.stage.instance.places.processes[other].len();
            let exchanges = (0..self.locals.len())
                .flat_map(|other| places(other).map(move |place| (other, first(other), place)));
            // Each other process takes part in one exchange, so the local state names none.
            for (other, one, place) in exchanges {
                let by = self.stage.instance.exchange(other, one, place);
                if self.stage.exchanged(local, &by) != *local {
                    let reason = "a unit's rows name another unit or machine".to_owned();
                    return Err(NoTemplate::new(reason));
                }
            }
        }
        let id = LocalId::try_from(id);
        id.map_err(|_| NoTemplate::new("a process has too many local states".to_owned()))
    }

    /// The state with these processes at their places, and others that add this much. The ghost of
    /// this number stands for transactions that are pending about others, and one unit for all
    /// Alive ones.
    pub(super) fn state_with(
        &self,
        shared: SharedId,
        processes: &[(usize, LocalId, usize)],
        others: Amounts,
        ghost: usize,
    ) -> State {
        let mut state = self.shared[shared as usize].clone();
        let mut counts = others.map(u32::from);
        for (of, local, slot) in processes {
            let at_first = &self.locals[*of][usize::from(*local)];
            if *slot == 0 {
                self.stage.put(at_first, *of, 0, &mut state);
            } else {
                let by = self.stage.instance.exchange(*of, 0, *slot);
                self.stage.put(&self.stage.exchanged(at_first, &by), *of, *slot, &mut state);
            }
            let adds = self.adds[*of][usize::from(*local)];
            (0..self.counted.len()).for_each(|count| counts[count] += u32::from(adds[count]));
        }
        for (count, counted) in self.counted.iter().enumerate() {
            counted.set(&mut state, counts[count] + self.fixed[shared as usize][count]);
            if let CountOf::Alive(id) = counted
                && others[count] > 0
            {
                self.stage.put_alive(*id, &mut state);
            }
        }
        for (place, count) in self.pointers().enumerate().filter(|(_, count)| others[*count] > 0) {
            let pointer = self.stage.pointers[place];
            let ghosts = &self.ghosts[place];
            if let Some((_, ghost)) = ghosts.get(ghost.min(ghosts.len().saturating_sub(1)))
                && pointer.txn(&state).is_none()
            {
                pointer.copy(ghost, &mut state);
            }
            debug_assert!(others[count] <= self.bound, "it is known up to the bound");
        }
        state
    }

    /// Whether a shared actor's row was read that may have a transaction about a process.
    pub(super) fn reads_pointer(&self, reads: &[Read]) -> bool {
        self.stage.pointers.iter().any(|it| reads_row(reads, it.row()))
    }

    /// Whether a shared actor may have a transaction about a process in this row.
    pub(super) fn has_pointer(&self, row: Row) -> bool {
        self.stage.pointers.iter().any(|it| it.row() == row)
    }

    /// The states that come of one if a hidden process is the holder of pointers that were read:
    /// one for each combination of their ghosts.
    pub(super) fn with_ghosts(&self, state: &State, reads: &[Read]) -> Vec<State> {
        let mut all = vec![state.clone()];
        for (pointer, ghosts) in self.stage.pointers.iter().zip(&self.ghosts) {
            if !reads_row(reads, pointer.row()) || pointer.txn(state).is_some() {
                continue;
            }
            let mut held = Vec::new();
            for (state, (_, ghost)) in
                all.iter().flat_map(|it| ghosts.iter().map(move |ghost| (it, ghost)))
            {
                let mut state = state.clone();
                pointer.copy(ghost, &mut state);
                held.push(state);
            }
            all.append(&mut held);
        }
        all.split_off(1)
    }

    /// For each pointer the index of its count.
    pub(super) fn pointers(&self) -> impl Iterator<Item = usize> + use<> {
        let counts = self.counted.len();
        counts - self.stage.pointers.len()..counts
    }

    /// Whether each pointer has at most one holder, among visible processes and others.
    pub(super) fn is_possible(&self, shared: SharedId, adds: Amounts, others: Amounts) -> bool {
        self.stage.pointers.iter().zip(self.pointers()).all(|(pointer, count)| {
            let is_shared = pointer.txn(&self.shared[shared as usize]).is_some();
            adds[count] + others[count].min(1) + u8::from(is_shared) <= 1
        })
    }

    /// The shared part and the local state of a process, as a state without others.
    pub(super) fn pair(&self, shared: SharedId, process: Option<(usize, LocalId)>) -> State {
        let process = process.map(|(of, local)| (of, local, 0));
        self.state_with(shared, process.as_slice(), [0; MOST_COUNTS], 0)
    }

    /// The world of the states.
    pub(super) fn world(&self) -> &World {
        self.stage.world()
    }

    /// The process of a row of that world.
    pub(super) fn owner(&self, row: Row) -> ProcessIndex {
        self.stage.instance.owner(row)
    }

    /// The number of shared parts, and of local states of each type.
    pub(super) fn sizes(&self) -> (usize, Vec<usize>) {
        (self.shared.len(), self.locals.iter().map(IndexSet::len).collect())
    }
}

/// Whether a row was read, alone or with all of its kind.
fn reads_row(reads: &[Read], row: Row) -> bool {
    reads.contains(&Read::Row(row)) || reads.contains(&Read::All(row.kind()))
}

impl Settled {
    /// The number of a state without its pending transactions, which `settle` clears.
    pub(super) fn number(
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
