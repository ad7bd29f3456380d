//! The premises of claims, as a document with the keys of scenario files.

use deathwatch_claims::check::FindingSubject;
use deathwatch_documents::IS_CARRIED_OUT;
use deathwatch_documents::assumed::{
    self, Choice, Needs, OpenChoice, Premise, StuckRun, StuckWithout, WaitingClaim,
};

use super::{
    MOST_CHOICES, NeedsSet, QuestionAnswer, ScenarioNeeds, SearchLimit, Stuck, UndecidedReason,
    VariantSetting, Wait,
};
use crate::verdict::stopped;

/// The premises of the claims of one scenario.
pub fn assumed(it: &ScenarioNeeds) -> assumed::Assumed {
    let tried = it.tried.iter().map(|(name, values)| {
        ((*name).to_owned(), values.iter().map(|value| (*value).to_owned()).collect())
    });
    let open = it.open.iter().map(|(variants, why)| OpenChoice {
        variants: choice(variants),
        reason: reason(why).to_owned(),
    });
    assumed::Assumed {
        scenario: it.scenario.clone(),
        decided: it.is_whole(),
        states: it.states,
        choices: it.choices,
        tried: tried.collect(),
        indifferent: it.indifferent.iter().map(|one| choice(&[*one])).collect(),
        questions: it.answers.iter().map(needs).collect(),
        open: open.collect(),
        others: it.others.err().map(|_| why_no_others()),
    }
}

fn needs((asked, answered): &(FindingSubject, QuestionAnswer)) -> Needs {
    let name = match asked {
        FindingSubject::Claim(claim) => claim.name.to_owned(),
        FindingSubject::Witness(clause) => format!("{clause}{IS_CARRIED_OUT}"),
        FindingSubject::Refinement => unreachable!("it is not asked here"),
    };
    Needs {
        name,
        kind: (*asked).into(),
        holds: answered.holds.iter().map(premise).collect(),
        vacuous: answered.vacuous.iter().map(premise).collect(),
        open: answered.open.iter().map(|variants| choice(variants)).collect(),
    }
}

fn premise(set: &NeedsSet) -> Premise {
    let faults = set.premises.faults().into_iter();
    Premise {
        assume: set.premises.assumed().into_iter().map(str::to_owned).collect(),
        faults: faults.map(|(key, how)| (key.to_owned(), how.to_owned())).collect(),
        says: set.premises.texts(),
        variants: choice(&set.variants),
        minimal: set.is_minimal,
        lost_with: set.lost_with.iter().map(|more| choice(more)).collect(),
    }
}

/// Variants with their values.
pub(super) fn choice(variants: &[VariantSetting]) -> Choice {
    variants.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// The reason why a choice is open.
fn reason(open: &UndecidedReason) -> &'static str {
    match open {
        UndecidedReason::Impossible => "the scenario is not possible so",
        UndecidedReason::Limit(SearchLimit::TooLarge(why)) => why.reason(),
        UndecidedReason::Limit(SearchLimit::Stopped(stop)) => stopped(*stop),
    }
}

/// The reason why no other choices than the scenario's own were decided.
fn why_no_others() -> String {
    format!("there are more than {MOST_CHOICES} combinations; name fewer with --variants")
}

/// The waits of one scenario, for each assumption or repair that is left out.
pub fn stuck(scenario: &str, stuck: &[Stuck]) -> StuckRun {
    let wait = |Wait { claim, subject, chain, wait_for }: &Wait| WaitingClaim {
        claim: claim.name.to_owned(),
        subject: subject.clone(),
        chain: chain.clone(),
        wait_for: wait_for.clone(),
    };
    let one = |stuck: &Stuck| StuckWithout {
        without: stuck.without.row().key.to_owned(),
        says: stuck.without.row().says.to_owned(),
        waits: stuck.waits.iter().map(wait).collect(),
    };
    StuckRun { scenario: scenario.to_owned(), stuck: stuck.iter().map(one).collect() }
}
