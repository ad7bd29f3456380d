//! Judges of a walk: a full judge, with the reports that the monitor should give, and a claim that
//! is monitored alone.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use deathwatch_claims::{Claim, Monitor};
use deathwatch_model::{
    ids::{Id, MachineId},
    rows::Row,
    state::State,
    world::World,
};
use deathwatch_simulator::dice::Dice;

/// Names of claims, each with the subject that violates it.
pub(crate) type ViolatedClaims = BTreeMap<&'static str, Row>;

/// The violations and obligations that the monitor should report, found by checking everything.
pub(crate) struct FullJudge {
    claims: Vec<&'static Claim>,
    pub(crate) violated: ViolatedClaims,
    /// Indices of claims, each with a subject to which it is owed.
    owed: BTreeSet<(usize, Row)>,
}

impl FullJudge {
    pub(crate) fn new(world: &World) -> Self {
        let claims = deathwatch_claims::all_in(world).collect();
        Self { claims, violated: ViolatedClaims::new(), owed: BTreeSet::new() }
    }

    /// The open obligations, in the order of the claims.
    pub(crate) fn owed(&self) -> impl Iterator<Item = (&'static str, Row)> + '_ {
        let claims = self.claims.iter().enumerate();
        claims.flat_map(|(number, claim)| self.owed_of(number).map(|it| (claim.name, it)))
    }

    /// The subjects to which the claim with this index is owed.
    fn owed_of(&self, claim: usize) -> impl Iterator<Item = Row> + '_ {
        let first = Row::Machine(MachineId::new(0));
        self.owed.range((claim, first)..(claim + 1, first)).map(|it| it.1)
    }

    pub(crate) fn check_state(&mut self, world: &World, state: &State) {
        for (number, claim) in self.claims.iter().enumerate() {
            if let Some(subject) = claim.first(world, state) {
                self.violated.entry(claim.name).or_insert(subject);
            }
            let Some(obligation) = claim.obligation() else { continue };
            for subject in obligation.kind().rows(world) {
                match obligation.from_to(world, state, subject) {
                    [_, true] => self.owed.remove(&(number, subject)),
                    [true, false] => self.owed.insert((number, subject)),
                    [false, false] => false,
                };
            }
        }
    }

    pub(crate) fn check_step(
        &mut self,
        world: &World,
        before: &State,
        after: &State,
        touched: &[Row],
    ) {
        for claim in &self.claims {
            if let Some(subject) = claim.at_fault(world, before, after, touched) {
                self.violated.entry(claim.name).or_insert(subject);
            }
        }
    }
}

/// A claim that is monitored alone, so that nothing is judged for the sake of other claims: a read
/// that the claim does not declare is found.
pub(crate) struct Alone {
    claim: &'static Claim,
    number: usize,
    monitor: Monitor,
    violated: Option<Row>,
}

impl Alone {
    pub(crate) fn drawn(world: &World, state: &State, dice: &mut Dice) -> Self {
        let claims: Vec<&'static Claim> = deathwatch_claims::all_in(world).collect();
        let number = dice.index(claims.len());
        let claim = claims[number];
        let mut violated = None;
        let note = &mut |_: &'static Claim, it| violated = Some(it);
        let monitor = Monitor::new(world, state, std::iter::once(claim), note);
        Self { claim, number, monitor, violated }
    }

    pub(crate) fn check_step(&mut self, world: &World, state: &State, touched: &[Row]) {
        let violated = &mut self.violated;
        self.monitor.check_step(world, state, touched, &mut |_, it| {
            violated.get_or_insert(it);
        });
    }

    pub(crate) fn agrees(&self, world: &World, oracle: &FullJudge) -> bool {
        let owed = self.monitor.owed(world).into_iter().map(|(_, it)| it);
        self.violated == oracle.violated.get(self.claim.name).copied()
            && owed.eq(oracle.owed_of(self.number))
    }
}

impl fmt::Debug for Alone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" alone: {:?}", self.claim.name, self.violated)
    }
}
