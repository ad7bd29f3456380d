//! Certificates: all data that answers for every number of units rest on, for a check that shares
//! no code with the search. `docs/any-size.md` describes such a check.

use std::collections::{BTreeMap, BTreeSet};

use deathwatch_checker::views::{
    Amounts, Closure, LocalId, Measure, Pair, RestViews, SharedId, StateView, Template as _,
};
use deathwatch_model::{
    protocol::{Effects, step},
    rows::Row,
    state::State,
    world::World,
};

use super::{
    AnySizeAnswer, InstanceRun, NoTemplate, confirm::AllAnswers, counts::CountKind,
    protocol::Protocol,
};
use crate::claims::Claim;

/// The proof that a claim holds of a subject for every number of units.
#[derive(Clone, Debug)]
pub struct ClaimProof {
    pub claim: &'static Claim,
    /// The subject: a shared row, or one of the first process of its type; `None` for the whole
    /// state.
    pub subject: Option<Row>,
    pub of: Option<usize>,
    /// The proof that no pair of a shared part and a local state violates the claim.
    pub proof: PairsProof,
}

/// The proof that no pair violates a claim.
#[derive(Clone, Debug)]
pub enum PairsProof {
    /// No pair violates it, or no step from one pair to another does.
    NoneViolates,
    /// The condition of a claim of the kind reachable holds in no pair.
    NoneReaches,
    /// The obligation is open in no pair at rest.
    NoneRestsOpen {
        /// The pairs in which the condition holds that opens it.
        from: Vec<Pair>,
        /// The pairs in which the condition holds that meets it.
        to: Vec<Pair>,
        /// The pairs in which it may be open.
        open: Vec<Pair>,
    },
}

/// The effect of a broadcast on the local state of a process of a type.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    pub broadcast: u32,
    pub of: usize,
    pub local: LocalId,
    pub becomes: LocalId,
}

/// A run of an instance that decides a claim or witness, as a path of views.
#[derive(Clone, Debug)]
pub struct ShownPath {
    /// A claim, or the clause of a witness.
    pub asked: String,
    /// Whether the run reaches the condition; otherwise it violates the claim.
    pub is_reached: bool,
    /// The number of units of each application in the instance.
    pub units: Vec<usize>,
    /// The views of its states that show the first process of each type, without repetitions.
    /// `None` if other processes have taken identifiers of such a process.
    pub views: Option<Vec<StateView>>,
}

/// All data that the answers rest on.
pub struct Certificate<'a> {
    /// The views of the starts of all instances.
    pub first: &'a [StateView],
    /// The views, and the answers to queries for moves.
    pub closure: &'a Closure,
    /// The measure by which runs end, if there is one.
    pub measure: Option<&'a Measure>,
    pub rest: &'a RestViews,
    pub claims: &'a [ClaimProof],
    /// The runs of instances that decide the other claims.
    pub shown: Vec<ShownPath>,
    /// The effects of broadcasts on processes.
    pub told: Vec<Told>,
    /// For each shared part its number without pending transactions.
    pub settled_shared: Vec<SharedId>,
    /// For each type and each local state its number without pending transactions.
    pub settled_locals: Vec<Vec<u32>>,
    types: Vec<String>,
    protocol: &'a Protocol,
}

impl<'a> Certificate<'a> {
    /// The certificate of a closure.
    ///
    /// # Errors
    /// If a broadcast violates the conditions of a template.
    pub(super) fn of(
        protocol: &'a mut Protocol,
        types: Vec<String>,
        (first, closure): (&'a [StateView], &'a Closure),
        measure: Option<&'a Measure>,
        rest: &'a RestViews,
        claims: &'a [ClaimProof],
        answers: AllAnswers<'_>,
    ) -> Result<Self, NoTemplate> {
        let shown = shown(protocol, closure, answers);
        let told = told(protocol, closure)?;
        let (shared, locals) = protocol.sizes();
        let settled_shared = (0..shared).map(|it| protocol.settled_shared(number(it))).collect();
        let settled_locals = locals.iter().enumerate().map(|(of, count)| {
            (0..*count).map(|it| protocol.settled_local(of, number(it))).collect()
        });
        let settled_locals = settled_locals.collect();
        let protocol = &*protocol;
        Ok(Self {
            first,
            closure,
            measure,
            rest,
            claims,
            shown,
            told,
            settled_shared,
            settled_locals,
            types,
            protocol,
        })
    }

    /// The world of the states: each visible process is the first one of its type.
    pub fn world(&self) -> &World {
        self.protocol.world()
    }

    pub fn bound(&self) -> u8 {
        self.protocol.bound
    }

    /// The types of processes: the names of their applications.
    pub fn types(&self) -> impl ExactSizeIterator<Item = &str> {
        self.types.iter().map(String::as_str)
    }

    /// The row that each count is about, and the kind of units that it counts.
    pub fn counts(&self) -> impl ExactSizeIterator<Item = (Row, CountKind)> + '_ {
        self.protocol.counted.iter().map(|it| it.counts())
    }

    /// The shared parts, in the order of their numbers.
    pub fn shared(&self) -> impl ExactSizeIterator<Item = &State> {
        self.protocol.shared.iter()
    }

    /// The local states of a type, in the order of their numbers, with the amounts that each adds.
    pub fn locals(&self, of: usize) -> impl ExactSizeIterator<Item = (&State, Amounts)> {
        self.protocol.locals[of].iter().zip(self.protocol.adds[of].iter().copied())
    }

    /// The counts that a broadcast sets to zero.
    pub fn clears(&self, broadcast: u32) -> Amounts {
        self.protocol.clears(broadcast)
    }

    /// The rows in which one of these states differs from the empty state.
    pub fn rows(&self, state: &State) -> Vec<Row> {
        let empty = &self.protocol.stage.empty;
        super::family::rows(self.world()).filter(|row| !state.is_same(*row, empty)).collect()
    }
}

/// The runs of instances that were found.
fn shown(
    protocol: &mut Protocol,
    closure: &Closure,
    (answers, witnesses): AllAnswers<'_>,
) -> Vec<ShownPath> {
    let answers = answers.iter().map(|(claim, answer)| (claim.name.to_owned(), answer));
    let witnesses = witnesses.iter().map(|(clause, answer)| (clause.to_string(), answer));
    let mut shown = Vec::new();
    for (asked, answer) in answers.chain(witnesses) {
        let (run, is_reached) = match answer {
            AnySizeAnswer::Violated(run) => (run, false),
            AnySizeAnswer::Reached(run) => (run, true),
            _ => continue,
        };
        let (units, views) = (run.instance.sizes(), path(protocol, closure, run));
        shown.push(ShownPath { asked, is_reached, units, views });
    }
    shown
}

/// The views of a run that show the first process of each type.
fn path(protocol: &mut Protocol, closure: &Closure, run: &InstanceRun) -> Option<Vec<StateView>> {
    let (instance, mut state) = (&run.instance, run.instance.start.clone());
    let (shown, mut views) = (vec![0; protocol.types()], Vec::new());
    let mut steps = run.trace.steps.iter();
    loop {
        let view = protocol.view_of(instance, &instance.paired(&state), &shown);
        views.push(view.ok().filter(|view| closure.has(view))?);
        let Some(action) = steps.next() else { break };
        step(&instance.world, &mut state, *action, &mut Effects::default());
    }
    views.dedup();
    Some(views)
}

/// The effects of each broadcast on the local states that occur at its shared part.
fn told(protocol: &mut Protocol, closure: &Closure) -> Result<Vec<Told>, NoTemplate> {
    let types = protocol.types();
    let mut there: BTreeMap<SharedId, Vec<BTreeSet<LocalId>>> = BTreeMap::new();
    for view in closure.views() {
        let all = there.entry(view.shared).or_insert_with(|| vec![BTreeSet::new(); types]);
        all.iter_mut().zip(view.locals).for_each(|(all, local)| {
            all.insert(local);
        });
    }
    let mut told = Vec::new();
    for ((_, shared, _), moves) in closure.moves() {
        for broadcast in moves.iter().filter_map(|it| it.broadcast) {
            for (of, locals) in there.get(&shared).into_iter().flatten().enumerate() {
                for local in locals {
                    let becomes = protocol.told(broadcast, of, *local)?;
                    told.push(Told { broadcast, of, local: *local, becomes });
                }
            }
        }
    }
    Ok(told)
}

fn number<N: TryFrom<usize>>(place: usize) -> N {
    N::try_from(place).unwrap_or_else(|_| unreachable!("as many have numbers"))
}
