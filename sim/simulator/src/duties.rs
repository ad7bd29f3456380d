//! Duties of agents: which they carry out in a run, and how far they are when a fault strikes.

use std::collections::{BTreeMap, BTreeSet};

use deathwatch_model::{
    action::{Act, Action, Hook, HookAct, TxnAct},
    clause::{Clause, Clauses, Rule},
    operation::Operation,
    protocol::Effects,
    world::FaultKind,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// The progress of an agent with the duty that it has carried out last, or still does.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum DutyStage {
    /// Its transaction is planned and not committed.
    Planned,
    /// Its unit has entered a scope, and may not have written the directory.
    Entered,
    /// The hooks of a departure run.
    Departure,
    Hook,
    Done,
}

impl DutyStage {
    const ALL: [Self; 5] = [Self::Planned, Self::Entered, Self::Departure, Self::Hook, Self::Done];

    fn in_hook(hook: Hook) -> Self {
        match hook {
            Hook::Departure(_) | Hook::Broken(_) => Self::Departure,
            Hook::Stop
            | Hook::Install
            | Hook::ConfigChanged
            | Hook::Start
            | Hook::UpgradeCharm
            | Hook::Joined(..)
            | Hook::Changed(..)
            | Hook::Departed(..) => Self::Hook,
        }
    }
}

/// Duties, each with how far an agent was.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Duties(BTreeSet<(DutyStage, Clause)>);

impl Duties {
    pub fn insert(&mut self, stage: DutyStage, duty: Clause) {
        self.0.insert((stage, duty));
    }

    /// Adds those of `other`.
    pub fn extend(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, by stages and then in the order of the rules.
    pub fn iter(&self) -> impl Iterator<Item = (DutyStage, Clause)> + '_ {
        self.0.iter().copied()
    }

    /// The duties after which faults of this kind can strike and that are not among `struck`.
    /// Faults that can strike only in one place have none.
    #[must_use]
    pub fn not_struck(&self, kind: FaultKind, struck: &Self) -> Self {
        let never =
            self.0.difference(&struck.0).filter(|(at, duty)| can_strike(kind, *at, duty.rule));
        Self(never.copied().collect())
    }
}

/// Whether the faults of a kind can strike an agent that is that far with a duty of this rule.
fn can_strike(kind: FaultKind, stage: DutyStage, rule: Rule) -> bool {
    let is_managers = matches!(rule, Rule::Provisioner | Rule::Cleaner);
    match kind {
        // A crash by which nothing is lost is none.
        FaultKind::Crash | FaultKind::Reboot => stage != DutyStage::Done,
        FaultKind::HardwareFailure | FaultKind::UndetectedHardwareFailure => !is_managers,
        FaultKind::Disconnection => !is_managers && rule != Rule::MachineAgent,
        FaultKind::Abort => stage == DutyStage::Planned,
        FaultKind::HookFailure => {
            stage == DutyStage::Departure || stage == DutyStage::Hook && rule == Rule::RelationHooks
        }
        FaultKind::UnitHookFailure => stage == DutyStage::Hook && rule != Rule::RelationHooks,
        FaultKind::Downtime
        | FaultKind::LostConnection
        | FaultKind::StartFailure
        | FaultKind::StartTimeout
        | FaultKind::FailOver => false,
    }
}

/// The duty that an agent has carried out last, or still does, and how far it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastDuty {
    pub(crate) stage: DutyStage,
    pub(crate) duty: Clause,
}

impl LastDuty {
    /// Its value after a step of its agent. What follows the first step of a duty says no duty.
    #[inline]
    pub(crate) fn after(last: Option<Self>, action: &Action, effects: &Effects) -> Option<Self> {
        let stage = match action.act {
            Act::Txn(_, TxnAct::Abort) => return None,
            Act::Txn(_, TxnAct::Begin(_)) => DutyStage::Planned,
            Act::Txn(_, TxnAct::Run(Operation::EnterScope(..))) => DutyStage::Entered,
            Act::Txn(_, TxnAct::Commit) => match effects.clauses.first() {
                Some(Clause { rule: Rule::EnterScope, .. }) => DutyStage::Entered,
                _ => DutyStage::Done,
            },
            Act::Hook(_, HookAct::Begin(hook)) => DutyStage::in_hook(hook),
            Act::Hook(_, HookAct::Exit) => return last,
            _ => DutyStage::Done,
        };
        let duty = action.duty.or(last.map(|last| last.duty))?;
        Some(Self { stage, duty })
    }
}

/// The same as [`Duties`], to which another is added in no time.
#[derive(Debug, Default)]
pub(crate) struct DutySets([Clauses; DutyStage::ALL.len()]);

impl DutySets {
    #[inline]
    pub(crate) fn insert(&mut self, LastDuty { stage, duty }: LastDuty) {
        self.0[stage as usize].insert(duty);
    }

    pub(crate) fn duties(&self) -> Duties {
        let of = |stage| self.0[stage as usize].iter().map(move |duty| (stage, duty));
        Duties(DutyStage::ALL.into_iter().flat_map(of).collect())
    }
}

impl Serialize for Duties {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut stages: BTreeMap<DutyStage, BTreeMap<&str, Vec<u8>>> = BTreeMap::new();
        for (stage, duty) in self.iter() {
            let rules = stages.entry(stage).or_default();
            rules.entry(duty.rule.name()).or_default().push(duty.number);
        }
        stages.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Duties {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let stages = BTreeMap::<DutyStage, BTreeMap<String, Vec<u8>>>::deserialize(from)?;
        let mut duties = Self::default();
        for (stage, rules) in stages {
            for clause in named(rules) {
                duties.insert(stage, clause.map_err(D::Error::custom)?);
            }
        }
        Ok(duties)
    }
}

/// The clauses with these numbers in the rules of these names, or which of them is none.
pub(crate) fn named(
    rules: BTreeMap<String, Vec<u8>>,
) -> impl Iterator<Item = Result<Clause, String>> {
    rules.into_iter().flat_map(|(name, numbers)| {
        numbers.into_iter().map(move |number| {
            let name = format!("{name}.{number}");
            Clause::named(&name).ok_or_else(|| format!("no such clause: `{name}`"))
        })
    })
}
