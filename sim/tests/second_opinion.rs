//! The second opinion: stateright's checker agrees with ours on everything that it can decide.

use std::path::Path;

use deathwatch_claims::{
    ClaimKind,
    check::{
        self, CheckAnswer, CheckQuestion, Finding, FindingSubject, Refinement, SearchSettings, Stop,
    },
};
use deathwatch_model::clause::Clause;
use deathwatch_scenario::{replay, scenario};

const SETTINGS: SearchSettings<'static> = SearchSettings::without_limits(2);

/// Calls `ask` with the question about every claim, every witness and refinement in the world of
/// the bug.
fn of_everything<T>(ask: impl FnOnce(&CheckQuestion<'_>) -> T) -> T {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let path = root.join("scenarios/relation-scope-bug/1-as-written.toml");
    let scenario = scenario::load(&path).expect("a scenario that loads");
    let start = replay(&scenario).expect("every step is possible").state;
    let witnesses: Vec<Clause> = Clause::all().collect();
    // Each witness is asked twice, so that there are more properties than stateright takes at once.
    let (claims, witnesses) =
        (deathwatch_claims::all_in(&scenario.world).collect(), witnesses.repeat(2));
    let (world, refines) = (&scenario.world, Some(Refinement::of(&scenario.world)));
    ask(&CheckQuestion { world, start: &start, claims, witnesses, refines })
}

fn name(finding: &Finding) -> String {
    match finding.asked {
        FindingSubject::Claim(claim) => claim.name.to_owned(),
        FindingSubject::Witness(clause) => clause.to_string(),
        FindingSubject::Refinement => "it keeps to its outline".to_owned(),
    }
}

#[test]
fn the_explorers_agree_on_more_than_stateright_can_be_asked_at_once() {
    of_everything(|question| {
        let own = check::check(question, &SETTINGS).expect("the world is small");
        let other = deathwatch_stateright::check(question, &SETTINGS).expect("the world is small");
        assert_eq!((own.stopped, other.stopped), (None, None));
        assert_eq!(own.states, other.states);
        let is_decided = |finding: &&Finding| match finding.asked {
            FindingSubject::Claim(claim) => claim.kind() == ClaimKind::Always,
            FindingSubject::Witness(_) | FindingSubject::Refinement => true,
        };
        let own: Vec<&Finding> = own.findings.iter().filter(is_decided).collect();
        assert!(own.len() > 128, "only {} things are asked", own.len());
        assert_eq!(own.len(), other.findings.len());
        let mut violated = 0;
        for (own, other) in own.into_iter().zip(&other.findings) {
            assert_eq!(name(own), name(other));
            assert_eq!(own.answer, other.answer, "{}", name(own));
            violated += u32::from(own.answer == CheckAnswer::Violated);
        }
        assert!(violated > 0, "some clauses are never carried out here");
    });
}

#[test]
fn both_engines_stop_with_any_number_of_threads() {
    of_everything(|question| {
        for threads in [1, 2, 5] {
            for stop in [Stop::Time, Stop::Interrupted] {
                let stop: &(dyn Fn() -> Option<Stop> + Sync) = &move || Some(stop);
                let settings = SearchSettings { threads, stop, ..SETTINGS };
                let own = check::check(question, &settings).expect("the world is small");
                let other = deathwatch_stateright::check(question, &settings);
                let other = other.expect("the world is small");
                assert_eq!((own.stopped, other.stopped), (stop(), stop()));
                let mut findings = own.findings.iter().chain(&other.findings);
                assert!(findings.all(|finding| finding.answer != CheckAnswer::Vacuous));
                let holds = |finding: &&Finding| {
                    finding.answer == CheckAnswer::Holds
                        && !matches!(finding.asked, FindingSubject::Witness(_))
                };
                let held = own.findings.iter().chain(&other.findings).find(holds);
                assert!(held.is_none(), "{held:?}");
            }
        }
    });
}
