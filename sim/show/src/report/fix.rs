//! Fixes: the other scenario that shows the effect of another value of a variant, or of an
//! assumption.
//!
//! A fix is nothing else. A clause that is switched off, or an agent that neglects one, is no fix
//! of anything, even if nothing goes wrong that way; so both scenarios have the same of these.

use deathwatch_claims::Claim;
use deathwatch_model::world::{FaultKind, Faults, Transactions, World};
use deathwatch_scenario::scenario::Expected;

use super::{
    AnsweredScenario,
    markdown::{From, link},
    settings::{ALSO_THAT, NOT_THAT, Settings, other_values},
};

/// A scenario that shows how a violation is fixed.
pub(super) struct Fix<'a> {
    pub(super) by: &'a AnsweredScenario,
    /// The values of variants in which it differs from the violated one.
    pub(super) values: Vec<String>,
    /// The assumptions that it makes and the violated one does not.
    pub(super) assumptions: Vec<String>,
    /// The claims that it does not fix.
    pub(super) remaining: Vec<&'static str>,
}

impl Fix<'_> {
    /// The values and assumptions that it consists of, with a link to the scenario.
    pub(super) fn text(&self) -> String {
        let assumed = self.assumptions.iter().map(|it| format!("the assumption that {it}"));
        let parts: Vec<String> = self.values.iter().cloned().chain(assumed).collect();
        let rest = match &self.remaining[..] {
            [] => String::new(),
            [one] => format!(" (but not that {one})"),
            some => format!(" (of these claims {} stay violated)", some.len()),
        };
        format!("{}{rest}", link(From::Reports, self.by, &parts.join(", ")))
    }
}

/// The scenario that leaves the fewest of the claims violated that are violated in `broken`, in
/// the same world, with at least the same commands and faults, and breaks none that holds there;
/// among these one of the same folder, if there is one, and the one that differs least.
pub(super) fn fix<'a>(broken: &AnsweredScenario, all: &'a [AnsweredScenario]) -> Option<Fix<'a>> {
    let fixes = all.iter().filter(|other| is_as_hard(other, broken));
    let fixes = fixes.filter_map(|by| between(broken, by));
    let size = |fix: &Fix<'_>| fix.values.len() + fix.assumptions.len();
    let is_elsewhere = |fix: &Fix<'_>| fix.by.folder() != broken.folder();
    fixes
        .filter(|fix| size(fix) > 0)
        .min_by_key(|it| (it.remaining.len(), is_elsewhere(it), size(it), &it.by.name))
}

/// The fix that one scenario is for the other, if it fixes any claim and breaks none.
fn between<'a>(broken: &AnsweredScenario, by: &'a AnsweredScenario) -> Option<Fix<'a>> {
    let violated = broken.claims(Expected::Violated).into_iter();
    let holds = |claim: &&Claim| by.answer(claim) == Some(Expected::Holds);
    let (fixed, remaining): (Vec<_>, Vec<_>) = violated.partition(holds);
    let breaks =
        by.claims(Expected::Violated).iter().any(|it| broken.answer(it) == Some(Expected::Holds));
    if fixed.is_empty() || breaks {
        return None;
    }
    let (before, after) = (&broken.scenario.world, &by.scenario.world);
    let values = other_values(before, after);
    let (before, after) = (Settings::of(before).assumptions, Settings::of(after).assumptions);
    let restored = without(&before, &after);
    let restored = restored.iter().filter_map(|it| it.strip_prefix(NOT_THAT));
    let added = without(&after, &before);
    let added = added.iter().filter_map(|it| it.strip_prefix(ALSO_THAT));
    let assumptions = restored.chain(added).map(str::to_owned).collect();
    let remaining = remaining.into_iter().map(|claim| claim.name).collect();
    Some(Fix { by, values, assumptions, remaining })
}

fn without(all: &[String], known: &[String]) -> Vec<String> {
    all.iter().filter(|it| !known.contains(it)).cloned().collect()
}

/// Whether all that can happen in the world of `easier` can happen in that of `harder`, as far as
/// the variants allow, while the same clauses are in force in both.
fn is_as_hard(harder: &AnsweredScenario, easier: &AnsweredScenario) -> bool {
    let (hard, easy) = (&harder.scenario.world, &easier.scenario.world);
    let steps = |it: &AnsweredScenario| -> Vec<String> {
        it.scenario.steps.iter().map(|step| step.text.clone()).collect()
    };
    harder.scenario.start.store == easier.scenario.start.store
        && steps(harder) == steps(easier)
        && hard.machines == easy.machines
        && hard.applications == easy.applications
        && hard.units == easy.units
        && hard.relations == easy.relations
        && hard.detail == easy.detail
        && (hard.transactions == easy.transactions || hard.transactions == Transactions::Split)
        && (&hard.without, &hard.unasserted, &hard.neglected)
            == (&easy.without, &easy.unasserted, &easy.neglected)
        && has_commands(hard, easy)
        && has_faults(&hard.faults, &easy.faults)
}

fn has_commands(hard: &World, easy: &World) -> bool {
    easy.commands.iter().all(|allowed| {
        hard.commands.iter().any(|other| {
            other.command == allowed.command
                && (other.most.is_none()
                    || allowed.most.is_some_and(|most| other.most >= Some(most)))
        })
    })
}

fn has_faults(hard: &Faults, easy: &Faults) -> bool {
    FaultKind::ALL.iter().all(|kind| hard.switch(*kind).covers(easy.switch(*kind)))
}
