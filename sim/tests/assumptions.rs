//! The documents' own caveats (D1:18-37), found in the worlds that show them: each claim needs the
//! premises that the documents name, and some that they do not.

use std::path::Path;

use deathwatch_claims::check::SearchSettings;
use deathwatch_scenario::{
    replay,
    scenario::{self, Address},
};
use deathwatch_study::assume::{AssumeOptions, NamedVariant, NeedsSet, Tried, assume};

/// The known bug, as the documents write it.
const BUG: &str = "relation-scope-bug/1-as-written";
/// The same with the second proposed fix, and with units that may be Dying.
const NOT_ENOUGH: &str = "relation-scope-bug/5-remote-scope-is-not-enough";

/// The minimal sets of assumptions for a claim of a shipped scenario: the premises in words, then
/// the variants. Only these variants are tried, as a debug build takes long to find the relevant
/// ones.
fn sets(name: &str, claim: &str, variants: &[&str]) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    let scenario = scenario::load(Address::below(&folder, name)).expect("it is shipped");
    let replay = replay(&scenario).expect("its steps are possible");
    let variants: Vec<NamedVariant> =
        variants.iter().map(|it| NamedVariant::read(it).expect("it is a variant")).collect();
    let options = AssumeOptions {
        only: &[deathwatch_claims::named(claim).expect("it is a claim")],
        variants: Tried::These(&variants),
        settings: SearchSettings::without_limits(2),
        progress: &|_, _| {},
    };
    let assumed = assume(&scenario, &replay, &options);
    let said = |set: &NeedsSet| {
        let variants = set.variants.iter().map(|(name, value)| format!("{name} = {value}"));
        set.premises.texts().into_iter().chain(variants).collect::<Vec<_>>().join("; ")
    };
    assumed.answers[0].1.holds.iter().map(said).collect()
}

const FINITELY: &str = "finitely many hardware failures";

/// Agents that are so come to each duty in the end, however often hardware fails.
const STRONGLY: &str = "agents are strongly fair to each duty";

/// The sets with these terms beside agents that are fair enough for hardware that fails.
fn with(terms: &str) -> [String; 2] {
    [format!("agents keep acting; {FINITELY}; {terms}"), format!("{STRONGLY}; {terms}")]
}

#[test]
fn hardware_failure_needs_a_fix() {
    let never = ["agents keep acting; no hardware failures".to_owned()];
    let fixes = ["leave-when-detected", "remote-scope", "reconciled"];
    let repaired = fixes.iter().flat_map(|fix| with(&format!("relation-tracking = {fix}")));
    let expected: Vec<String> = never.into_iter().chain(repaired).collect();
    assert_eq!(sets(BUG, "a Dying relation is removed", &["relation-tracking"]), expected);
}

/// The documents say that either fix is enough. It is not for a unit that is Dying already.
#[test]
fn either_fix_needs_another() {
    let variants = ["dead-while-in-scope=allowed-and-left-on-removal", "undeployed-unit-not-alive"];
    let never = ["agents keep acting; no hardware failures".to_owned()];
    let left = with("dead-while-in-scope = allowed-and-left-on-removal");
    let held = with("undeployed-unit-not-alive = deployed-while-held");
    let expected: Vec<String> = never.into_iter().chain(left).chain(held).collect();
    assert_eq!(sets(NOT_ENOUGH, "a Dying unit is removed", &variants), expected);
}

#[test]
fn undetected_hardware_failure_needs_an_operator() {
    let agents = "agents keep acting; ";
    assert_eq!(
        sets("caveats/hardware-failure-terminated", "a Dying relation is removed", &[]),
        [
            format!("{agents}no undetected hardware failures"),
            format!(
                "{agents}failed hardware is terminated; finitely many undetected hardware failures"
            ),
            format!("{STRONGLY}; failed hardware is terminated"),
        ]
    );
}

#[test]
fn a_neglected_duty_needs_an_upgrade_or_a_fresh_system() {
    let expected = |cures: &str| {
        [format!("agents keep acting; {cures}; {FINITELY}"), format!("{STRONGLY}; {cures}")]
    };
    let (upgraded, claim) = ("neglectful agents are upgraded", "a Dying unit is removed");
    let in_place = sets("caveats/agents-are-redeployed#agents-are-upgraded", claim, &[]);
    assert_eq!(in_place, expected(upgraded));
    let fresh = sets("caveats/agents-are-redeployed", claim, &[]);
    assert_eq!(fresh, expected(&format!("{upgraded}; neglectful agents are redeployed")));
}

/// Premises that the documents do not mention: errors of hooks, agents that stay down, and faults
/// without end.
#[test]
fn the_documents_forget_some() {
    let agents = "agents keep acting; ";
    assert_eq!(
        sets("caveats/hook-error-resolved", "a Dying unit is removed", &[]),
        [
            format!("{agents}hook errors are resolved; {FINITELY}"),
            format!("{agents}{FINITELY}; no hook failures"),
            format!("{STRONGLY}; hook errors are resolved"),
            format!("{STRONGLY}; no hook failures"),
        ]
    );
    assert_eq!(
        sets("caveats/crashed-agents-restart", "a Dying unit is removed", &[]),
        [
            format!("{agents}no crashes"),
            format!("{agents}crashed agents restart; finitely many crashes"),
            "agents are strongly fair; crashed agents restart".to_owned(),
        ]
    );
}

/// The script of this world is not possible with all fixes. The relevant variants are found from
/// each fix alone.
#[test]
fn a_script_need_not_be_possible_with_all_fixes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = path.join("../scenarios/caveats/a-deployer-passes-its-version-on.toml");
    let scenario = scenario::load(&path).expect("it is shipped");
    let replay = replay(&scenario).expect("its steps are possible");
    let options = AssumeOptions {
        only: &[deathwatch_claims::named("a Dying unit is removed").expect("it is a claim")],
        variants: Tried::Fixes,
        settings: SearchSettings::without_limits(2),
        progress: &|_, _| {},
    };
    let assumed = assume(&scenario, &replay, &options);
    assert!(assumed.is_whole() && !assumed.indifferent.is_empty(), "{:?}", assumed.tried);
}
