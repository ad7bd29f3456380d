//! The page of assumptions: which smallest sets each removal claim needs, and what waits for ever if
//! something is never put right.
//!
//! No answer is written here. What is needed is what `assume` finds, and who waits is what the diagnoses
//! of its runs say. Only the passages that name an assumption are looked up in a table.

mod ask;

use std::{collections::BTreeMap, fmt::Write as _};

use deathwatch_model::{
    claims::Claim,
    world::{Assumption, FaultKind},
};

pub use self::ask::{Assumptions, ask};
use super::markdown::{MADE_BY, block, head, row, say};
use deathwatch_study::assume::{Answered, Axis, NeedsSet, Setting};

/// The command for the worlds of the documents' caveats and of the findings, with their own claims.
const MORE: &str = "deathwatch assume scenarios/caveats scenarios/findings --output needs.txt";

/// The page.
pub(super) fn page(found: &Assumptions) -> String {
    let mut page = format!("{MADE_BY}\n\n# Which assumptions each removal claim needs\n");
    say(
        &mut page,
        "Death and Destruction says that the removal of what is destroyed \"is very likely\", and names \
         three reasons why it is not guaranteed (D1:15-37). Here are the smallest sets of assumptions and \
         variants under which each removal claim holds in a few worlds, faults at any moment included. \
         Nothing is taken for granted: not that agents act, nor that faults ever cease. Of each kind of \
         fault that a world has it can be assumed that it strikes finitely often, or never.",
    );
    say(
        &mut page,
        "A world in which nothing happens that a claim is about is left out of its table. \"As they are\" \
         means the variants of the scenario. What other worlds need is asked by name:",
    );
    block(&mut page, [MORE]);
    overview(&mut page, found);
    for (index, claim) in Claim::removals().enumerate() {
        section(&mut page, index, claim, found);
    }
    waiting(&mut page, found);
    page
}

/// What occurs in some minimal set, the passage that names it, and where.
fn overview(page: &mut String, found: &Assumptions) {
    let mut terms: BTreeMap<Term, (Vec<&str>, Vec<&str>)> = BTreeMap::new();
    for (name, assumed) in &found.needs {
        for (asked, answered) in &assumed.answers {
            let Some(claim) = asked.claim() else { continue };
            for set in &answered.holds {
                for term in Term::all(set) {
                    let (claims, worlds) = terms.entry(term).or_default();
                    claims.push(claim.name);
                    worlds.push(name);
                }
            }
        }
    }
    page.push_str("\n## What is needed at all\n");
    say(
        page,
        "Each assumption and each value of a variant that occurs in some set, the passage that names it \
         among the reasons of D1, and in how many claims and worlds it occurs. What has no passage is what \
         the documents forgot.",
    );
    head(page, &["what is needed", "passage", "#claims", "#worlds"]);
    let distinct = |names: &[&str]| {
        let mut names = names.to_vec();
        names.sort_unstable();
        names.dedup();
        names.len().to_string()
    };
    for (term, (claims, worlds)) in &terms {
        let passage = term.passage().unwrap_or("none");
        row(page, &[&term.says(), passage, &distinct(claims), &distinct(worlds)]);
    }
}

/// What a set is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Term {
    /// A level of an axis.
    Premise(Axis, u8),
    /// A value of a variant.
    Variant(Setting),
}

impl Term {
    fn all(set: &NeedsSet) -> impl Iterator<Item = Self> + '_ {
        let premises = set.premises.levels().map(|(axis, level)| Self::Premise(axis, level));
        premises.chain(set.variants.iter().copied().map(Self::Variant))
    }

    fn says(self) -> String {
        match self {
            Self::Premise(axis, level) => axis.says(level),
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

/// The passage of D1:15-37 that names an assumption about somebody who puts something right.
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
        | Assumption::Strong => None,
    }
}

/// The sets for one claim in each world.
fn section(page: &mut String, index: usize, claim: &Claim, found: &Assumptions) {
    let _ = write!(page, "\n## {}\n", claim.name);
    say(page, &format!("From {}.", claim.source));
    head(page, &["world", "holds if", "with variants", "but no more with"]);
    for (name, assumed) in &found.needs {
        let (_, answered) = &assumed.answers[index];
        let link = link(name);
        if answered.holds.is_empty() && !is_vacuous(answered) {
            row(page, &[&link, "it never does", "any that were tried", ""]);
        }
        for set in &answered.holds {
            let says = set.premises.says();
            let says =
                if says.is_empty() { "whatever happens".to_owned() } else { says.join("; ") };
            let lost: Vec<String> = set.lost_with.iter().map(|more| shown(more)).collect();
            row(page, &[&link, &says, &shown(&set.variants), &lost.join(", or ")]);
        }
    }
}

/// Whether nothing happens in the world that the claim is about.
fn is_vacuous(answered: &Answered) -> bool {
    answered.vacuous.iter().any(|set| set.premises.says().is_empty())
}

/// What waits for a cure that never comes.
fn waiting(page: &mut String, found: &Assumptions) {
    page.push_str("\n## What waits for ever\n");
    say(
        page,
        "For operators, the reverse: one thing goes wrong and is never put right, and all else is. What \
         cannot be removed then, and by which chain, as the shortest run of the world shows it. \
         `deathwatch assume FILE --stuck` asks any world.",
    );
    let cures = Assumption::ALL.iter().filter(|it| it.is_cure());
    for cure in cures {
        let _ = write!(page, "\n### Unless {}\n", cure.row().says);
        head(page, &["what does not come to pass", "for whom", "by which chain", "world"]);
        for (name, stuck) in &found.stuck {
            let waits = stuck.iter().filter(|stuck| stuck.without == *cure);
            for wait in waits.flat_map(|stuck| &stuck.waits) {
                row(page, &[wait.claim.name, &wait.subject, &wait.chain.join("; "), &link(name)]);
            }
        }
    }
}

/// A link to a scenario, by its whole name.
fn link(name: &str) -> String {
    format!("[{name}](../scenarios/{name}.toml)")
}

fn shown(variants: &[Setting]) -> String {
    match variants {
        [] => "as they are".to_owned(),
        some => {
            let shown = some.iter().map(|(name, value)| format!("`{name} = {value}`"));
            shown.collect::<Vec<_>>().join(" and ")
        }
    }
}
