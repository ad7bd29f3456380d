//! The formulas of claims, built-in ones and a scenario's own.
//!
//! A condition is judged only where a row has changed that it reads. A claim about transitions
//! applies to those that change such a row; all others leave its subjects as they were.

mod index;
mod instances;
mod judged;
mod monitored;
mod text;

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

pub(super) use self::monitored::MonitoredClaims;
pub use self::text::ClaimTexts;
pub(crate) use self::{
    index::ClaimIndex,
    judged::{JudgedSteps, parts},
};
use super::{Claim, ClaimKind, Formula};
use deathwatch_language::{Expression, LIVES, Reads, Subject, Trail, View};
use deathwatch_model::{
    history::KeptHistory,
    rows::{Row, RowKind},
    state::State,
    world::World,
};

/// The part of a claim about the rows of a kind, or about the whole state.
#[derive(Debug)]
pub struct OwnClaim {
    /// The kind of rows that are its subjects; `None` if it is about the whole state.
    pub each: Option<RowKind>,
    pub reads: Reads,
    /// The rows whose changes can violate it, or change its conditions. A claim about transitions
    /// may watch fewer rows than it reads, if it holds as long as these stay the same.
    pub watches: Reads,
    /// The fields of history that it reads.
    pub keeps: KeptHistory,
    pub says: OwnFormula,
    /// Whether it is of the kind leads, and its second condition is the opposite of the first.
    pub ends: bool,
}

/// The formula of a claim.
#[derive(Debug)]
pub enum OwnFormula {
    /// The condition holds in every state.
    Always(Expression),
    /// The condition holds of every transition that changes a row that it reads, or, of history, a
    /// field that it reads.
    Step(Expression),
    /// On every fair run, the first condition is followed by the second.
    Leads(Box<[Expression; 2]>),
    /// The condition holds in some state.
    Reachable(Expression),
}

/// The verdict of a claim on a subject of which only the life is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LifeVerdict {
    /// The claim holds there, or is not reached there, and an obligation stays as it is.
    Settled,
    /// No obligation is open.
    Met,
    /// No obligation opens; an open one has to be judged.
    CreatesNone,
    /// The conditions have to be judged.
    Open,
}

/// The row that stands for the whole state where a subject has to be named.
const WHOLE: Row = Row::Upgrade;

/// The source of a scenario's own claims.
const OWN: &str = "own";

/// The claims made so far, by their text: they are leaked, so an equal one is not made again.
static MADE: Mutex<BTreeMap<String, &'static Claim>> = Mutex::new(BTreeMap::new());

impl Claim {
    /// A scenario's own claim with this name. It lives as long as the process, as built-in ones do;
    /// an equal claim is made only once.
    pub fn own(name: &str, own: OwnClaim) -> &'static Self {
        let key = format!("{name}\n{own:?}");
        Self::made(key, || Self::said(name.to_owned().leak(), OWN, vec![own]))
    }

    /// A scenario's own claim of which only name and kind are known, from a journal. It can be
    /// reported but not judged.
    pub fn recorded(name: &str, kind: ClaimKind) -> &'static Self {
        let key = format!("{name}\n{}", kind.name());
        let test = Formula::Recorded(kind);
        Self::made(key, || Self { name: name.to_owned().leak(), source: OWN, test })
    }

    fn made(key: String, make: impl FnOnce() -> Self) -> &'static Self {
        let mut known = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(key).or_insert_with(|| Box::leak(Box::new(make())))
    }

    /// The claim of this name with its passage, and a formula for each kind of subjects.
    ///
    /// # Panics
    /// If one of several is of the kind leads: an obligation has one kind of subjects.
    pub fn said(name: &'static str, source: &'static str, own: Vec<OwnClaim>) -> Self {
        let is_leads = own.iter().any(|it| it.kind() == ClaimKind::Leads);
        assert!(own.len() == 1 || !is_leads, "\"{name}\" is about one kind of subjects");
        Self { name, source, test: Formula::Said(own.leak()) }
    }

    /// Whether it is a scenario's own claim.
    pub fn is_own(&self) -> bool {
        self.source == OWN
    }

    /// The rows and fields of history that it reads.
    pub fn keeps(&self) -> KeptHistory {
        self.texts().iter().fold(KeptHistory::default(), |kept, it| kept | it.keeps)
    }

    /// Asserts that `world` records the history that the claim reads.
    ///
    /// # Panics
    /// If it does not: a field that is not recorded looks as if nothing had happened.
    pub fn demand_history(&self, world: &World) {
        assert!(
            world.history.has_all(self.keeps()),
            "\"{}\" reads history that is not kept: {:?}",
            self.name,
            self.keeps()
        );
    }

    /// The subject, unless the claim is about the whole state.
    pub fn subject(&self, subject: Row) -> Option<Row> {
        self.texts().iter().any(|it| it.each.is_some()).then_some(subject)
    }

    /// The row of a subject that `subject` returned.
    pub(crate) fn row_of(&self, subject: Option<Row>) -> Option<Row> {
        subject.or_else(|| self.subject(WHOLE).is_none().then_some(WHOLE))
    }
}

impl OwnClaim {
    pub fn kind(&self) -> ClaimKind {
        match self.says {
            OwnFormula::Always(_) => ClaimKind::Always,
            OwnFormula::Step(_) => ClaimKind::Step,
            OwnFormula::Leads(_) => ClaimKind::Leads,
            OwnFormula::Reachable(_) => ClaimKind::Reachable,
        }
    }

    /// The kind of its subjects; for the whole state, a kind with one row.
    pub fn subject_kind(&self) -> RowKind {
        self.each.unwrap_or(WHOLE.kind())
    }

    /// Whether a state decides the claim at this subject: violates it, or shows it reached.
    pub fn is_decided(&self, world: &World, state: &State, subject: Row) -> bool {
        self.is_decided_in(View { world, states: [state; 2], recount: None }, subject)
    }

    /// Whether the state of a view decides the claim at this subject.
    #[inline]
    pub(crate) fn is_decided_in(&self, view: View<'_>, subject: Row) -> bool {
        self.is_decided_at(view, Subject::of(subject, view.states[1]))
    }

    /// Whether the state of a view decides the claim at a subject of a known life.
    #[inline]
    fn is_decided_at(&self, view: View<'_>, subject: Subject) -> bool {
        match &self.says {
            OwnFormula::Always(holds) => !self.holds(holds, view, subject),
            OwnFormula::Reachable(holds) => self.holds(holds, view, subject),
            OwnFormula::Step(_) | OwnFormula::Leads(_) => false,
        }
    }

    /// The verdict on subjects, given a function that returns the value of a condition if it is
    /// known.
    fn verdict(&self, known: impl Fn(&Expression) -> Option<bool>) -> LifeVerdict {
        let is_settled = match &self.says {
            OwnFormula::Always(holds) | OwnFormula::Step(holds) => known(holds) == Some(true),
            OwnFormula::Reachable(holds) => known(holds) == Some(false),
            OwnFormula::Leads(both) => {
                let from = known(&both[0]);
                let to = if self.ends { from.map(|it| !it) } else { known(&both[1]) };
                if to == Some(true) {
                    return LifeVerdict::Met;
                }
                if from == Some(false) && to.is_none() {
                    return LifeVerdict::CreatesNone;
                }
                from == Some(false) && to == Some(false)
            }
        };
        if is_settled { LifeVerdict::Settled } else { LifeVerdict::Open }
    }

    /// The verdicts on subjects of each life, by its number.
    fn verdicts(&self) -> [LifeVerdict; LIVES.len()] {
        std::array::from_fn(|life| self.verdict(|it| it.known_by_life(life)))
    }

    /// The verdicts on subjects whose key names an entity of this kind, by the number of its life.
    fn verdicts_by(&self, kind: RowKind) -> [LifeVerdict; LIVES.len()] {
        std::array::from_fn(|life| self.verdict(|it| it.known_by_life_of(kind, life)))
    }

    /// Whether the constants of the world rule out that any subject ever gets an obligation.
    fn is_ruled_out(&self, view: View<'_>) -> bool {
        match &self.says {
            OwnFormula::Leads(both) if self.each.is_some() && both[0].has_constants() => {
                let mut subjects = self.subject_kind().rows(view.world);
                subjects.all(|subject| both[0].is_ruled_out(view, subject))
            }
            OwnFormula::Always(_)
            | OwnFormula::Step(_)
            | OwnFormula::Leads(_)
            | OwnFormula::Reachable(_) => false,
        }
    }

    /// The first subject at which the state of a view decides the claim.
    pub(crate) fn first_in(&self, view: View<'_>) -> Option<Row> {
        if matches!(self.says, OwnFormula::Step(_) | OwnFormula::Leads(_)) {
            return None;
        }
        self.subject_kind().rows(view.world).find(|subject| self.is_decided_in(view, *subject))
    }

    /// The first subject that violates the claim by a transition that touched these rows.
    pub(crate) fn at_fault(
        &self,
        world: &World,
        before: &State,
        after: &State,
        touched: &[Row],
    ) -> Option<Row> {
        if !matches!(self.says, OwnFormula::Step(_)) {
            return None;
        }
        let trail = Trail { world, states: [before, after], recount: None };
        let mut subjects = Vec::new();
        let differs = |row: &&Row| {
            !after.differing(**row, before, self.reads.step_fields(row.kind())).is_empty()
        };
        for row in touched.iter().filter(differs) {
            for way in self.reads.ways_from(row.kind()) {
                way.follow(&trail, *row, self.subject_kind(), &mut |subject| {
                    subjects.push(subject);
                });
            }
        }
        subjects.sort_unstable();
        subjects.into_iter().find(|it| self.is_violated(world, [before, after], *it))
    }

    /// Whether the claim may be asked of a subject where a transition changes `row`, in whatever
    /// states.
    pub(crate) fn may_ask(&self, trail: &Trail<'_>, row: Row, subject: Row) -> bool {
        let ways = || self.reads.ways_from(row.kind()).into_iter();
        let is_read = !self.reads.step_fields(row.kind()).is_empty();
        is_read && ways().any(|way| way.may_find(trail, row, subject))
    }

    /// Whether a subject violates the claim by a transition that changed a row that it reads.
    pub(crate) fn is_violated(&self, world: &World, states: [&State; 2], subject: Row) -> bool {
        let life = Subject::of(subject, states[1]).life;
        self.violating(world, states, &[subject], life).next().is_some()
    }

    /// The subjects that violate the claim, among `rows` of one life.
    #[inline]
    fn violating<'a>(
        &'a self,
        world: &'a World,
        states: [&'a State; 2],
        rows: &'a [Row],
        life: usize,
    ) -> impl Iterator<Item = Row> + 'a {
        let view = View { world, states, recount: None };
        let subjects = rows.iter().map(move |row| Subject { row: *row, life });
        let violating = subjects.filter(move |subject| match &self.says {
            OwnFormula::Step(holds) => !self.holds(holds, view, *subject),
            OwnFormula::Always(_) | OwnFormula::Leads(_) | OwnFormula::Reachable(_) => false,
        });
        violating.map(|subject| subject.row)
    }

    /// Whether the condition holds that creates an obligation, and the one that discharges it.
    pub fn obligation(&self, world: &World, state: &State, subject: Row) -> [bool; 2] {
        let view = View { world, states: [state; 2], recount: None };
        let subject = Subject::of(subject, state);
        match &self.says {
            OwnFormula::Leads(both) if self.ends => {
                let holds = self.holds(&both[0], view, subject);
                [holds, !holds]
            }
            OwnFormula::Leads(both) => both.each_ref().map(|it| self.holds(it, view, subject)),
            OwnFormula::Always(_) | OwnFormula::Step(_) | OwnFormula::Reachable(_) => [false; 2],
        }
    }

    /// Whether the obligation of a subject is open, given whether it was before.
    #[inline]
    pub(super) fn owes(&self, view: View<'_>, subject: Subject, was_owed: bool) -> bool {
        let OwnFormula::Leads(both) = &self.says else { return false };
        let [from, to] = &**both;
        let holds = |condition: &Expression| self.holds(condition, view, subject);
        if self.ends { holds(from) } else { (was_owed || holds(from)) && !holds(to) }
    }

    #[inline]
    fn holds(&self, condition: &Expression, view: View<'_>, subject: Subject) -> bool {
        match self.each {
            Some(_) => condition.holds_of(view, subject),
            None => condition.holds_in(view, None),
        }
    }
}
