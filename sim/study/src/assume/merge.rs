//! The minimal sets over all choices: the premises of one choice, held against the choices that
//! change less.

use deathwatch_claims::check::FindingSubject;

use super::{
    choices::{VariantSetting, is_part},
    evaluate::Evaluated,
    open::UndecidedReason,
    premises::MinimalPremises,
    set::Premises,
};

/// A set of assumptions and variants that is enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeedsSet {
    pub variants: Vec<VariantSetting>,
    pub premises: Premises,
    /// Whether no smaller set will do. It is open where a smaller choice of variants is.
    pub is_minimal: bool,
    /// The smallest further changes of variants with which it is not enough any more.
    pub lost_with: Vec<Vec<VariantSetting>>,
}

/// The answer to a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuestionAnswer {
    /// The minimal sets with which it holds or is reached.
    pub holds: Vec<NeedsSet>,
    /// The minimal sets with which it is vacuous.
    pub vacuous: Vec<NeedsSet>,
    /// The choices of variants for which it is open.
    pub open: Vec<Vec<VariantSetting>>,
}

impl QuestionAnswer {
    /// Whether each choice was decided.
    pub fn is_decided(&self) -> bool {
        self.open.is_empty()
    }
}

pub(super) fn answers(
    asked: &[FindingSubject],
    choices: &[Vec<VariantSetting>],
    evaluated: &[Evaluated],
) -> Vec<(FindingSubject, QuestionAnswer)> {
    let answer = |(index, asked): (usize, &FindingSubject)| {
        let found: Vec<(&[VariantSetting], Option<&MinimalPremises>)> = choices
            .iter()
            .map(Vec::as_slice)
            .zip(evaluated)
            .filter(|(_, evaluated)| evaluated.open() != Some(UndecidedReason::Impossible))
            .map(|(choice, evaluated)| (choice, found_in(evaluated, index)))
            .collect();
        (*asked, merged(&found))
    };
    asked.iter().enumerate().map(answer).collect()
}

fn found_in(evaluated: &Evaluated, index: usize) -> Option<&MinimalPremises> {
    match evaluated {
        Evaluated::Open(_) => None,
        Evaluated::Decided { found, .. } => Some(&found[index]),
    }
}

/// The answer from the premises of each choice, those with fewer changes first.
fn merged(found: &[(&[VariantSetting], Option<&MinimalPremises>)]) -> QuestionAnswer {
    let mut answered = QuestionAnswer::default();
    for (choice, found_here) in found {
        let (holds, vacuous) = match found_here {
            Some(MinimalPremises::Sets { holds, vacuous }) => (holds, vacuous),
            Some(MinimalPremises::Open) | None => {
                answered.open.push(choice.to_vec());
                continue;
            }
        };
        let is_minimal = !answered.open.iter().any(|open| is_part(open, choice));
        let set = |premises: &Premises| NeedsSet {
            variants: choice.to_vec(),
            premises: premises.clone(),
            is_minimal,
            lost_with: lost_with(choice, premises, found),
        };
        for (sets, into) in [(holds, &mut answered.holds), (vacuous, &mut answered.vacuous)] {
            let is_new = |premises: &&Premises| {
                let covers = |set: &NeedsSet| {
                    is_part(&set.variants, choice) && set.premises.is_within(premises)
                };
                !into.iter().any(covers)
            };
            let new: Vec<NeedsSet> = sets.iter().filter(is_new).map(set).collect();
            into.extend(new);
        }
    }
    answered
}

/// The smallest further changes with which the question is violated under these premises.
fn lost_with(
    choice: &[VariantSetting],
    premises: &Premises,
    found: &[(&[VariantSetting], Option<&MinimalPremises>)],
) -> Vec<Vec<VariantSetting>> {
    let mut lost: Vec<Vec<VariantSetting>> = Vec::new();
    for (larger, found_there) in found {
        let Some(MinimalPremises::Sets { holds, vacuous }) = found_there else { continue };
        let is_enough = holds.iter().chain(vacuous).any(|it| it.is_within(premises));
        if is_part(choice, larger) && !is_enough {
            let more: Vec<VariantSetting> =
                larger.iter().copied().filter(|it| !choice.contains(it)).collect();
            if !lost.iter().any(|less| is_part(less, &more)) {
                lost.push(more);
            }
        }
    }
    lost
}
