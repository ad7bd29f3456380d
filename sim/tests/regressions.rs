//! Counterexamples of the shipped scenarios, written as regression tests: each gets the answer that
//! it expects, and each stuck one has a reason.

use deathwatch_claims::check::{CheckAnswer, SearchSettings};
use deathwatch_documents::Status;
use deathwatch_scenario::replay;
use deathwatch_study::{
    to_regression_text,
    verdict::{self, Engine, Refines, VerdictOptions},
};

use crate::common::{parse, render, worlds::of_few_states};

/// The greatest number of states of a world here.
const FEW: u64 = 120;

#[test]
fn a_counterexample_is_a_scenario_that_expects_it() {
    let settings = SearchSettings::without_limits(1);
    let how =
        VerdictOptions { engine: Engine::Own, only: &[], refines: Refines::default(), settings };
    let (mut written, mut round) = (0, 0);
    for (scenario, played) in of_few_states(FEW).into_iter().filter(|(it, _)| it.states.is_some()) {
        let verdict = verdict::judge(&scenario, &played, &how).expect("the world is small");
        let violated = verdict.judged.iter();
        let violated =
            violated.filter(|it| !it.is_witness() && it.finding.answer == CheckAnswer::Violated);
        for judged in violated {
            let what = format!("{}: {}", scenario.name, judged.name());
            let rendered = judged.rendered.as_ref();
            let said = rendered.and_then(|it| it.diagnosis.as_deref()).unwrap_or_default();
            assert!(!said.contains("whoever has to act next can ("), "{what} is stuck: {said}");
            // A witness that is never reached has no run.
            let Some(text) = to_regression_text(&scenario, "It is so.", judged) else { continue };
            let kept = parse(&text).unwrap_or_else(|it| panic!("{what}\n{text}\n{}", render(&it)));
            let played = replay(&kept)
                .unwrap_or_else(|it| panic!("{what}\n{text}\n{}", render(&it.problem)));
            let again = verdict::judge(&kept, &played, &how).expect("it is the same world");
            assert_eq!(again.status, Status::AsExpected, "{what}\n{text}\n{again:#?}");
            written += 1;
            round += usize::from(!kept.again.is_empty());
        }
    }
    assert!(written > 100 && round > 3, "{written}, of which {round} go round");
}
