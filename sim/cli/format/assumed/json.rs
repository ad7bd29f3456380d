//! What claims need, as a document with the keys of scenario files.

use deathwatch_documents::assumed::{self, Choice, Needs, OpenChoice, Premise};
use deathwatch_model::check::FindingSubject;
use deathwatch_study::assume::{Assumed, NeedsSet, QuestionAnswer, VariantSetting};

use super::{reason, why_no_others};

/// One scenario.
pub(super) fn run(it: &Assumed) -> assumed::Assumed {
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
    let (name, kind) = match asked {
        FindingSubject::Claim(claim) => (claim.name.to_owned(), claim.kind().name()),
        FindingSubject::Witness(clause) => (format!("{clause} is carried out"), "witness"),
        FindingSubject::Refinement => unreachable!("it is not asked here"),
    };
    Needs {
        name,
        kind: kind.to_owned(),
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
        variants: choice(&set.variants),
        minimal: set.is_minimal,
        lost_with: set.lost_with.iter().map(|more| choice(more)).collect(),
    }
}

fn choice(variants: &[VariantSetting]) -> Choice {
    variants.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}
