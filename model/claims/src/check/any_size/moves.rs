//! The moves of a template: those of the protocol, in a world with one visible process.
//!
//! The reads of a move are recorded, and must be of shared rows or of the mover's own. It is also
//! made in a second, larger world with one more process of each type, by the last of them, and must
//! have the same result: so no move depends on the number of processes, or on the choice of the
//! mover.

use deathwatch_checker::views::{
    Amounts, Closure, LocalId, MOST_COUNTS, MoverKind, SharedId, Template, ViewMove, Whose,
};
use deathwatch_model::{
    action::Action,
    clause::Clauses,
    rows::{Read, Row, RowKind, Touched},
    runtime::UnitWork,
    state::State,
};

use super::{
    NoTemplate,
    counts::CountOf,
    named,
    places::EntityGroup,
    pointer::Pointer,
    protocol::{Broadcast, Protocol},
    stage::{MadeMove, Reached, Stage},
};

pub(super) struct MoveResult {
    mover: MoverKind,
    action: Action,
    shared: State,
    local: Option<State>,
    tells: bool,
    clears: Amounts,
    clauses: Clauses,
}

impl Protocol {
    /// Judges the reads of a move; returns the others that it changes.
    ///
    /// # Errors
    /// If it reads more than the shared part, the mover's rows, while it is done also rows of a
    /// process about which something is pending, and counts whose answer more processes would not
    /// change.
    pub(super) fn judge(
        &self,
        stage: &Stage,
        whose: Whose,
        others: Amounts,
        holders: &[(usize, usize)],
        reads: &[Read],
        is_done: bool,
    ) -> Result<Reached, NoTemplate> {
        let (mut reached, mut last) = (Reached::default(), None);
        let is_held =
            |row: Row| is_done && stage.instance.owner(row).is_some_and(|it| holders.contains(&it));
        let has_count =
            |row: Option<Row>| matches!(row, Some(Row::Application(_) | Row::Relation(_)));
        for read in reads {
            match *read {
                Read::Row(row) => {
                    last = Some(row);
                    if !Self::is_own(stage, whose, row) {
                        if !is_held(row) {
                            return Err(NoTemplate::reads(stage.world(), row));
                        }
                        reached.holder = Some(row);
                    }
                }
                // Users are shared, and an agent has deployed what its own row says, which was
                // read. A count that is at least a number stays so with more others.
                Read::All(RowKind::User) | Read::Deployers | Read::Count(true) => {}
                Read::Count(false) => {
                    let is_asked = |count: &usize| {
                        let row = self.counted[*count].row();
                        row.is_some() && (row == last || !has_count(last))
                    };
                    let mut asked = (0..self.counted.len()).filter(is_asked);
                    if asked.any(|count| others[count] == self.bound) {
                        return Err(NoTemplate::asks(self.bound));
                    }
                }
                Read::AnyAlive(id, is_so) => {
                    let counted = CountOf::Alive(id);
                    match self.counted.iter().position(|it| *it == counted) {
                        Some(count) if !is_so && others[count] > 0 => {
                            return Err(NoTemplate::asks(self.bound));
                        }
                        None if stage.hidden_unit(id).is_some() => {
                            return Err(NoTemplate::asks_of_lives(stage.world(), id));
                        }
                        _ => {}
                    }
                }
                Read::Broadcast(_) if is_done => reached.all = true,
                // The world has no such rows.
                Read::Relation(kind, _) | Read::All(kind) if kind.count(stage.world()) == 0 => {}
                Read::Relation(kind, _) | Read::All(kind) => {
                    return Err(NoTemplate::new(format!(
                        "the rows `{}` of all units are read",
                        kind.name()
                    )));
                }
                Read::Broadcast(_) | Read::Pending => {
                    let reason = "all pending transactions are read".to_owned();
                    return Err(NoTemplate::new(reason));
                }
            }
        }
        Ok(reached)
    }

    /// Whether a row is shared, or the mover's own.
    fn is_own(stage: &Stage, whose: Whose, row: Row) -> bool {
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
        others: Amounts,
        before: &State,
    ) -> Result<Vec<MoveResult>, NoTemplate> {
        let (of, adds) = match whose {
            Whose::Shared => (None, [0; MOST_COUNTS]),
            Whose::Process(of, local) => (Some(of), self.adds(of, local)),
        };
        let pointers: Vec<usize> = self.pointers().collect();
        let holds = |pointer: usize| {
            let count = pointers[pointer];
            adds[count] > 0 || of.is_none() && others[count] == 0
        };
        let holders = stage.holders(before);
        let mut judge =
            |reads: &[Read], is_done| self.judge(stage, whose, others, &holders, reads, is_done);
        let moves = stage.moves(of, before, holds, &mut judge)?;
        moves.into_iter().map(|done| self.outcome(stage, of, others, before, done)).collect()
    }

    /// The result of a move. It may change only the shared part, its mover, and counts accordingly.
    ///
    /// # Errors
    /// If it changes anything else.
    pub(super) fn outcome(
        &self,
        stage: &Stage,
        of: Option<usize>,
        others: Amounts,
        before: &State,
        done: MadeMove,
    ) -> Result<MoveResult, NoTemplate> {
        let MadeMove { mover, action, after, reached, clauses } = done;
        let Reached { all: mut tells, holder } = reached;
        let shared = stage.shared_of(&after, &self.counted)?;
        let local = of.map(|of| stage.local_of(&after, of, stage.slot)).transpose()?;
        let mut whole = shared.clone();
        if let (Some(of), Some(local)) = (of, &local) {
            stage.put(local, of, stage.slot, &mut whole);
        }
        stage.copy_given_of_others(of.map(|of| (of, stage.slot)), before, &mut whole);
        let mut clears = [0; MOST_COUNTS];
        for (count, counted) in self.counted.iter().enumerate() {
            let found = local.as_ref().map_or(0, |it| counted.found(stage.world(), it));
            let fixed = counted.fixed(stage.world(), &shared);
            let number = u32::try_from(found).expect("they are few") + u32::from(others[count]);
            let number = number + fixed;
            counted.set(&mut whole, number);
            if let CountOf::Alive(id) = *counted {
                // One unit stands for all hidden ones, and stays as it was.
                let hidden = stage.hidden_unit(id).into_iter();
                hidden.for_each(|unit| whole.restore(Row::Unit(unit), before));
                continue;
            }
            let is = counted.number(&stage.instance, &after);
            if let CountOf::Busy(pointer) = counted {
                let is_held = number.min(1);
                if is < is_held {
                    // The holder loses its pending transaction, and may be changed by that.
                    (clears[count], tells) = (1, true);
                    if let Ok(Some(hidden)) = pointer.target(&stage.instance, before) {
                        stage.copy_rows(hidden, &after, &mut whole);
                    }
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
        if let Some(row) = holder.filter(|_| clears == [0; MOST_COUNTS]) {
            return Err(NoTemplate::reads(stage.world(), row));
        }
        if whole != after {
            return Err(NoTemplate::new("a move changes more than its mover".to_owned()));
        }
        Ok(MoveResult { mover, action, shared, local, tells, clears, clauses })
    }

    /// The moves, with the ghost of this number as the pending transaction about a hidden process.
    fn moves_with(
        &mut self,
        whose: Whose,
        shared: SharedId,
        others: Amounts,
        ghost: usize,
    ) -> Result<Vec<ViewMove>, NoTemplate> {
        let processes: &[_] = match whose {
            Whose::Shared => &[],
            Whose::Process(of, local) => &[(of, local, 0)],
        };
        let adds = processes.iter().fold([0; MOST_COUNTS], |_, it| self.adds(it.0, it.1));
        if !self.is_possible(shared, adds, others) {
            return Ok(Vec::new());
        }
        let state = self.state_with(shared, processes, others, ghost);
        let outcomes = self.outcomes(&self.stage, whose, others, &state)?;
        let mut enlarged = self.enlarged(&state);
        self.larger.give_of_others(&mut enlarged);
        let again = self.outcomes(&self.larger, whose, others, &enlarged)?;
        let is_same = |(here, there): (&MoveResult, &MoveResult)| {
            (here.mover, here.tells, here.clears) == (there.mover, there.tells, there.clears)
                && self.enlarged(&here.shared) == there.shared
                && here.local.as_ref().map(|it| self.enlarged(it)) == there.local
        };
        if outcomes.len() != again.len() || !outcomes.iter().zip(&again).all(is_same) {
            let reason = "what a unit can do depends on how many there are, or on which it is";
            return Err(NoTemplate::new(reason.to_owned()));
        }
        if let Whose::Process(of, local) = whose
            && !outcomes.is_empty()
            && self.locals[of][usize::from(local)] == self.stage.empty
            && !self.stage.has_births()
        {
            return Err(NoTemplate::new("units come to be".to_owned()));
        }
        let mut moves = Vec::new();
        for outcome in outcomes {
            let shared_after = self.shared_id(outcome.shared.clone())?;
            let local = match (whose, outcome.local.clone()) {
                (Whose::Process(of, _), Some(local)) => self.local_id(of, local)?,
                _ => 0,
            };
            let MoveResult { mover, action, tells, clears, clauses, .. } = outcome;
            self.carried_out.extend(&clauses);
            let broadcast = tells.then(|| {
                let after = (shared_after, local);
                let all = &mut self.broadcasts;
                all.push(Broadcast { whose, shared, others, action, clears, after });
                u32::try_from(self.broadcasts.len() - 1).expect("they are few")
            });
            moves.push(ViewMove { mover, shared: shared_after, local, broadcast });
        }
        Ok(moves)
    }

    /// Demands that a broadcast has the same result if there is a process that it concerns.
    fn demand_same(&mut self, broadcast: u32, state: &State) -> Result<(), NoTemplate> {
        let Broadcast { whose, after, .. } = self.broadcasts[broadcast as usize];
        let shared = self.stage.shared_of(state, &self.counted)?;
        let local = match whose {
            Whose::Shared => 0,
            Whose::Process(of, _) => {
                let local = self.stage.local_of(state, of, 0)?;
                self.local_id(of, local)?
            }
        };
        if (self.shared_id(shared)?, local) == after {
            Ok(())
        } else {
            Err(NoTemplate::new("what all are told depends on who is told".to_owned()))
        }
    }

    /// Demands that moves do not depend on what is pending about a hidden process: those made while
    /// something is are listed again with a ghost of each kind of operation.
    ///
    /// # Errors
    /// If some move depends on it.
    pub(super) fn demand_any_ghost(&mut self, closure: &Closure) -> Result<(), NoTemplate> {
        let ghosts = self.ghosts.iter().map(Vec::len).max().unwrap_or(0);
        for ((whose, shared, others), moves) in closure.moves() {
            if !self.pointers().any(|count| others[count] > 0) {
                continue;
            }
            for ghost in 1..ghosts {
                let again = self.moves_with(whose, shared, others, ghost)?;
                let is_same = |(one, other): (&ViewMove, &ViewMove)| {
                    let is_told = [one, other].map(|it| it.broadcast.is_some());
                    (one.mover, one.shared, one.local, is_told[0])
                        == (other.mover, other.shared, other.local, is_told[1])
                };
                if moves.len() != again.len() || !moves.iter().zip(&again).all(is_same) {
                    let reason = "it matters what is pending about another unit".to_owned();
                    return Err(NoTemplate::new(reason));
                }
            }
        }
        Ok(())
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

    fn adds(&self, of: usize, local: LocalId) -> Amounts {
        self.adds[of][usize::from(local)]
    }

    fn moves(
        &mut self,
        whose: Whose,
        shared: SharedId,
        others: Amounts,
    ) -> Result<Vec<ViewMove>, NoTemplate> {
        self.moves_with(whose, shared, others, 0)
    }

    fn told(&mut self, broadcast: u32, of: usize, local: LocalId) -> Result<LocalId, NoTemplate> {
        let Broadcast { whose, shared, others, action, clears, .. } =
            self.broadcasts[broadcast as usize];
        let slot = usize::from(matches!(whose, Whose::Process(mover, _) if mover == of));
        let mut processes = vec![(of, local, slot)];
        let mut adding = self.adds(of, local);
        if let Whose::Process(mover, mine) = whose {
            processes.push((mover, mine, 0));
            let mine = self.adds(mover, mine);
            (0..MOST_COUNTS).for_each(|count| adding[count] += mine[count]);
        }
        // The others include this process, if they add at least as much.
        let adds = self.adds(of, local);
        let rest = std::array::from_fn(|count| others[count].saturating_sub(adds[count]));
        let is_here = (0..self.counts())
            .all(|count| others[count] == self.bound || adds[count] <= others[count]);
        if !is_here || !self.is_possible(shared, adding, rest) {
            return Ok(local); // it happens only where this one is not
        }
        let state = self.state_with(shared, &processes, rest, 0);
        let mover = match whose {
            Whose::Shared => None,
            Whose::Process(mover, _) => Some(mover),
        };
        let Some(after) = self.stage.again(mover, &state, action) else {
            let reason = "whether all are told something depends on each of them".to_owned();
            return Err(NoTemplate::new(reason));
        };
        self.demand_same(broadcast, &after)?;
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

    fn clears(&self, broadcast: u32) -> Amounts {
        self.broadcasts[broadcast as usize].clears
    }

    fn is_of_pending(&self, count: usize) -> bool {
        self.pointers().any(|it| it == count)
    }

    fn settled_shared(&mut self, shared: SharedId) -> SharedId {
        let (pointers, instance) = (&self.stage.pointers, &self.stage.instance);
        self.settled_shared.number(&self.shared, shared as usize, |state| {
            settle(state, pointers, &instance.places.fixed);
        })
    }

    fn settled_local(&mut self, of: usize, local: LocalId) -> u32 {
        let (pointers, instance) = (&self.stage.pointers, &self.stage.instance);
        let process = &instance.places.processes[of][0];
        self.settled_locals[of].number(&self.locals[of], usize::from(local), |state| {
            settle(state, pointers, process);
        })
    }
}

/// Clears the pending transactions of shared actors, and of these agents.
fn settle(state: &mut State, pointers: &[Pointer], agents: &EntityGroup) {
    let touched = &mut Touched::new();
    for it in pointers {
        it.clear(state);
    }
    for id in &agents.machines {
        state.runtime.machine_mut(*id, touched).pending = None;
    }
    for id in &agents.units {
        let pending = &mut state.runtime.unit_mut(*id, touched).pending;
        pending.take_if(|it| matches!(it, UnitWork::Txn(_)));
    }
}
