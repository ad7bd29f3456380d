//! The page of assumptions: the smallest sets of each removal claim, the least fairness of agents,
//! and the waits for a cure that never comes.
//!
//! No answer is written here. What is needed is what `assume` finds, and who waits is what the
//! diagnoses of its runs say. Only the passages that name an assumption are looked up in a table.

mod ask;

use std::collections::{BTreeMap, BTreeSet};

use deathwatch_documents::marked;
use deathwatch_model::world::{Assumption, FaultKind};
use deathwatch_study::assume::{
    AgentFairness, Axis, NeedsSet, QuestionAnswer, ScenarioNeeds, VariantSetting,
};
use minijinja::{Value, context};

use super::{
    markdown::link_by_name,
    template::{render, safe},
};

pub use self::ask::{AssumptionAnswers, ask};

pub(super) fn page(found: &AssumptionAnswers) -> String {
    let data = context! {
        overview => overview(found),
        needs => found.needs.iter().flat_map(|(name, assumed)| needs(name, assumed)).collect::<Vec<_>>(),
        largest => ask::LARGEST,
        fairness => fairness(found),
        cures => Assumption::ALL.iter().filter(|it| it.is_cure()).map(|it| waiting(*it, found)).collect::<Vec<_>>(),
    };
    render(include_str!("../pages/assumptions.md"), data)
}

/// The terms of the minimal sets, each with the passage that names it, and with the claims and
/// worlds whose sets have it.
fn overview(found: &AssumptionAnswers) -> Vec<Value> {
    let mut terms: BTreeMap<Term, (BTreeSet<&str>, BTreeSet<&str>)> = BTreeMap::new();
    for (name, assumed) in &found.needs {
        for (asked, answered) in &assumed.answers {
            let Some(claim) = asked.claim() else { continue };
            for term in answered.holds.iter().flat_map(Term::all) {
                let (claims, worlds) = terms.entry(term).or_default();
                claims.insert(claim.name);
                worlds.insert(name);
            }
        }
    }
    let data = terms.iter().map(|(term, (claims, worlds))| {
        context! {
            says => term.text(),
            passage => term.passage().unwrap_or("none"),
            claims => claims.len(),
            worlds => worlds.len(),
        }
    });
    data.collect()
}

/// A term of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Term {
    Premise(Axis, u8),
    Variant(VariantSetting),
}

impl Term {
    fn all(set: &NeedsSet) -> impl Iterator<Item = Self> + '_ {
        let premises = set.premises.levels().map(|(axis, level)| Self::Premise(axis, level));
        premises.chain(set.variants.iter().copied().map(Self::Variant))
    }

    fn text(self) -> String {
        match self {
            Self::Premise(axis, level) => axis.text(level),
            Self::Variant(setting) => shown(&[setting]),
        }
    }

    /// The passage of D1:15-37 that names it.
    fn passage(self) -> Option<&'static str> {
        match self {
            Self::Premise(Axis::Agents, 1) => Some("D1:31-33"),
            Self::Premise(Axis::Others(assumption), _) => named(assumption),
            Self::Premise(Axis::Faults(FaultKind::HardwareFailure), 2)
            | Self::Variant(("relation-tracking", "leave-when-detected" | "remote-scope")) => {
                Some("D1:18-26")
            }
            Self::Premise(Axis::Faults(FaultKind::UndetectedHardwareFailure), 2) => {
                Some("D1:27-30")
            }
            Self::Premise(Axis::Agents | Axis::Faults(_) | Axis::Strikes(_), _)
            | Self::Variant(_) => None,
        }
    }
}

/// The passage of D1:15-37 that names an assumption about operators and other cures.
fn named(assumption: Assumption) -> Option<&'static str> {
    match assumption {
        Assumption::FailedHardwareIsTerminated => Some("D1:27-30"),
        Assumption::AgentsAreUpgraded => Some("D1:33-35"),
        Assumption::AgentsAreRedeployed => Some("D1:35-37"),
        Assumption::AgentsAct
        | Assumption::CrashedAgentsRestart
        | Assumption::HookErrorsAreResolved
        | Assumption::FailedStartsAreResolved
        | Assumption::CommandsFinish
        | Assumption::FinitelyManyCommands
        | Assumption::Strong => None,
    }
}

/// The sets of a world, each with the claims that hold under it.
fn needs(name: &str, assumed: &ScenarioNeeds) -> Vec<Value> {
    let mut sets: BTreeMap<[String; 3], Vec<&str>> = BTreeMap::new();
    let mut arising = 0;
    for (asked, answered) in &assumed.answers {
        let Some(claim) = asked.claim().filter(|_| !is_vacuous(answered)) else { continue };
        arising += 1;
        if answered.holds.is_empty() {
            let never = ["it never does", "any that were tried", ""].map(str::to_owned);
            sets.entry(never).or_default().push(claim.name);
        }
        for set in &answered.holds {
            let says = set.premises.texts();
            let says =
                if says.is_empty() { "whatever happens".to_owned() } else { says.join("; ") };
            let lost: Vec<String> = set.lost_with.iter().map(|more| shown(more)).collect();
            let key = [says, shown(&set.variants), lost.join(", or ")];
            sets.entry(key).or_default().push(claim.name);
        }
    }
    let data = sets.into_iter().map(|([says, variants, lost], claims)| {
        let all = format!("all {arising} that arise");
        let claims = if claims.len() == arising && arising > 1 { all } else { claims.join("; ") };
        context! { link => link(name), says, variants, lost, claims }
    });
    data.collect()
}

/// Each claim about what must follow, with the worlds in which each fairness of agents is the least
/// under which it holds, and one of them.
fn fairness(found: &AssumptionAnswers) -> Vec<Value> {
    let rows = deathwatch_claims::all().filter_map(|claim| {
        let mine = found.fairness.iter().filter_map(|(name, least)| {
            let (_, least) = least.iter().find(|(it, _)| it.name == claim.name)?;
            Some((name, (*least)?))
        });
        let mine: Vec<(&String, AgentFairness)> = mine.collect();
        let cells = AgentFairness::CHAIN.map(|fairness| {
            let worlds: Vec<&String> =
                mine.iter().filter(|(_, it)| *it == fairness).map(|(name, _)| *name).collect();
            context! { worlds => worlds.len(), first => worlds.first().map(|name| link(name)) }
        });
        (!mine.is_empty()).then(|| context! { claim => marked(claim), cells => cells.to_vec() })
    });
    rows.collect()
}

/// Whether the condition of the claim never occurs in the world.
fn is_vacuous(answered: &QuestionAnswer) -> bool {
    answered.vacuous.iter().any(|set| set.premises.texts().is_empty())
}

/// The waits for a cure that never comes.
fn waiting(cure: Assumption, found: &AssumptionAnswers) -> Value {
    let stuck = found.stuck.iter().flat_map(|(name, stuck)| stuck.iter().map(move |it| (name, it)));
    let waits = stuck.filter(|(_, stuck)| stuck.without == cure).flat_map(|(name, stuck)| {
        stuck.waits.iter().map(move |wait| {
            context! {
                claim => wait.claim.name,
                subject => wait.subject.clone(),
                chain => wait.chain.join("; "),
                link => link(name),
            }
        })
    });
    context! { says => cure.row().says, waits => waits.collect::<Vec<_>>() }
}

/// A link to a scenario, by its whole name.
fn link(name: &str) -> Value {
    safe(link_by_name(name))
}

fn shown(variants: &[VariantSetting]) -> String {
    match variants {
        [] => "as they are".to_owned(),
        some => {
            let shown = some.iter().map(|(name, value)| format!("`{name} = {value}`"));
            shown.collect::<Vec<_>>().join(" and ")
        }
    }
}
