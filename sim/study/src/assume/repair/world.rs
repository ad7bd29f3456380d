//! Worlds that are asked: the answer to each claim, of a scenario as it is or with changes.

use deathwatch_claims::{
    Claim,
    check::{CheckAnswer, SearchSettings},
};
use deathwatch_scenario::{replay::Replay, scenario::Scenario};

use super::{super::evaluate::beside, known_run::KnownRun};
use crate::verdict::{self, Engine, Refines, VerdictOptions};

/// The answer to a claim.
#[derive(Clone, Debug)]
pub(in crate::assume) struct AskedClaim {
    /// The claim.
    pub(in crate::assume) claim: &'static Claim,
    /// The answer to it.
    pub(in crate::assume) answer: CheckAnswer,
    /// The run after the script that violates it, if one does.
    pub(super) run: Option<KnownRun>,
    /// The reason why it is not decided.
    pub(super) open: Option<String>,
}

/// The answers to these claims of a scenario, in their order, beside which others of `jobs` worlds
/// are asked.
pub(in crate::assume) fn answers(
    (scenario, replay): (&Scenario, &Replay),
    claims: &[&'static Claim],
    (settings, jobs): (&SearchSettings<'_>, usize),
) -> Vec<AskedClaim> {
    if claims.is_empty() {
        return Vec::new();
    }
    let settings = beside(settings, jobs);
    let refines = Refines::AsScenariosAsk;
    let options = VerdictOptions { engine: Engine::Own, only: claims, refines, settings };
    let verdict = verdict::judge(scenario, replay, &options)
        .unwrap_or_else(|why| verdict::unsearched(scenario, replay, &options, why));
    let why = verdict.undecided_because();
    let asked = |claim: &'static Claim| {
        let mut judged = verdict.judged.iter();
        let judged = judged.find(|it| it.claim().is_some_and(|it| it.name == claim.name));
        let answer = judged.map_or(CheckAnswer::Undecided, |it| it.finding.answer);
        let is_violated = answer == CheckAnswer::Violated;
        let open = judged.and_then(|it| it.open.clone()).or_else(|| why.map(str::to_owned));
        AskedClaim {
            claim,
            answer,
            run: judged.filter(|_| is_violated).and_then(KnownRun::of),
            open: open.filter(|_| answer == CheckAnswer::Undecided),
        }
    };
    claims.iter().map(|claim| asked(claim)).collect()
}
