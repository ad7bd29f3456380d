//! Claims that the constants of a world show to be vacuous get this answer, in every shipped world.

use deathwatch_claims::{
    Claim, ClaimKind,
    check::{CheckAnswer, FindingSubject},
};

use crate::common::{asking, cases, parse, worlds};

/// The greatest number of states of a world here.
const LARGEST: u64 = 2_000;

#[test]
fn what_the_constants_exclude_is_answered_vacuous() {
    let (mut excluded, mut vacuous) = (0, 0);
    for (scenario, replay) in worlds::of_few_states(LARGEST).into_iter().step_by(cases(2, 1)) {
        // Claims over history have rows as subjects that other claims have, too.
        let is_about =
            |claim: &&Claim| claim.kind() == ClaimKind::Leads && claim.keeps().is_empty();
        let claims = deathwatch_claims::all_with(scenario.world.detail).filter(is_about);
        let claims: Vec<&str> = claims.map(|claim| claim.name).collect();
        let asking = parse(&asking(&scenario.table(), &claims));
        let asking = asking.expect("it is a scenario with other questions");
        let claims = asking.claims.iter().map(|(claim, _)| *claim).collect();
        let start = deathwatch_scenario::replay(&asking).expect("the same script").state;
        assert_eq!(start.store, replay.state.store, "{}", scenario.name);
        let Some(report) = worlds::search(&asking.world, &start, claims, LARGEST) else { continue };
        for finding in &report.findings {
            let FindingSubject::Claim(claim) = finding.asked else { continue };
            let mut reasons = asking.vacuous.iter().filter(|(it, _)| it.name == claim.name);
            let reason = reasons.next().map(|(_, reason)| reason);
            vacuous += u32::from(finding.answer == CheckAnswer::Vacuous);
            excluded += u32::from(reason.is_some());
            if let Some(reason) = reason {
                let (name, answer) = (&scenario.name, finding.answer);
                let of = format!("{name}: \"{}\", as {reason}", claim.name);
                assert_eq!(answer, CheckAnswer::Vacuous, "{of}");
            }
        }
    }
    assert!(
        excluded > cases(500, 1_000) && excluded * 2 > vacuous,
        "{excluded} of {vacuous} are excluded"
    );
}
