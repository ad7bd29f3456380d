//! Certificates of answers for every number of units, read by a checker that shares no code with
//! the search. It has to notice each mistake in one.

mod checker;
mod mistakes;
mod parsed;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use deathwatch_claims::{
    Claim,
    check::{Certificate, SearchSettings},
};
use deathwatch_scenario::{
    Scenario, replay,
    scenario::{self, Address},
};
use deathwatch_study::{certificate, verdict};

use self::parsed::ParsedCertificate;
use crate::common::good;

/// Claims of the kinds leads and always.
const CLAIMS: [&str; 4] = [
    "a Dying relation is removed",
    "a Dying unit is removed",
    "a Dying machine is removed",
    "a Dead unit is in no scope",
];

fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios")
}

/// The text of the certificate about these claims, if the scenario is a template of few views.
fn certified(scenario: &Scenario, claims: &[&str]) -> Option<String> {
    let start = replay(scenario).ok().filter(|it| !it.is_cut)?;
    let named = |name: &&str| deathwatch_claims::named(name).expect("there is such a claim");
    let claims: Vec<&'static Claim> = claims.iter().map(named).collect();
    let few = SearchSettings { max_states: Some(30_000), ..SearchSettings::without_limits(1) };
    let mut text = String::new();
    let mut write = |piece: &str| {
        text.push_str(piece);
        true
    };
    let mut given = |it: &Certificate<'_>| certificate::write(scenario, it, &mut write);
    let judged = verdict::judge_any_size(scenario, &start, &claims, &few, Some(&mut given));
    judged.ok().filter(|it| it.stopped().is_none()).map(|_| text)
}

/// The certificate of a shipped scenario.
fn read(address: &str) -> ParsedCertificate {
    let address = Address::given(&shipped().join(address));
    let scenario = scenario::load(address).expect("it loads");
    ParsedCertificate::read(&certified(&scenario, &CLAIMS).expect("it is a template"))
}

#[test]
fn certificates_of_shipped_worlds_are_right() {
    for (address, views, leads, kept) in [
        ("relation-scope-bug/1-as-written.toml#", 722, 5, 2),
        ("relation-scope-bug/2-a-crash-is-enough.toml#before-entering", 118, 6, 2),
        ("relation-scope-bug/7-two-units-a-side-as-written.toml#remote-scope", 14_471, 6, 2),
        ("lifecycle/counterpart-is-asserted-split.toml#", 3_742, 6, 2),
        ("lifecycle/peers.toml#split", 2_174, 4, 1),
        ("known-bugs/06-forgotten-on-restart.toml#fixed", 122, 6, 2),
        ("weakening/deployer.toml#", 630, 3, 1),
    ] {
        let read = read(address);
        assert_eq!(read.check(), Ok(()), "{address}");
        let found = (read.views.len(), read.leads.len(), read.kept);
        assert_eq!(found, (views, leads, kept), "{address}");
    }
}

/// A count of Alive units is told from one of all units, and each Alive unit has to count as a
/// unit.
#[test]
fn a_certificate_says_whom_it_counts() {
    let scenario = good(
        "shows = \"A test.\"\nworld.applications.wordpress = { units = [\"1\"] }\n\
         variants.units-of-dying-application = \"agents-and-cleanup\"\n\
         user.\"destroy-application wordpress\" = \"unlimited\"\n",
    );
    let mut read =
        ParsedCertificate::read(&certified(&scenario, &CLAIMS).expect("it is a template"));
    let of = |counts: &str| ("application wordpress".to_owned(), counts.to_owned());
    assert_eq!(read.counts, [of("units"), of("alive")]);
    assert_eq!(read.check(), Ok(()));
    let gone = read.locals.values_mut().find(|(_, adds)| *adds == [0, 0]);
    gone.expect("a unit is removed").1[1] = 1;
    assert_eq!(read.check(), Err("it adds more than there is".to_owned()));
}

/// A unit that is added later is shown beside those that are there.
#[test]
fn a_certificate_begins_with_units_that_come_later_too() {
    let scenario = good(
        "shows = \"A test.\"\nassume.finitely-many-commands = true\n\
         [world]\nmachines = { 1 = {}, 2 = {}, 3 = { exists = false } }\n\
         [world.applications]\nwordpress = { units = [\"1\"], most-units = 2 }\n\
         mysql = { units = [\"2\"] }\n[variants]\nunit-assignment = \"with-unit\"\n\
         placement = \"new-machine\"\n[user]\n\"add-unit wordpress\" = \"unlimited\"\n\
         \"destroy-unit *\" = \"unlimited\"\n",
    );
    let read = ParsedCertificate::read(&certified(&scenario, &CLAIMS).expect("it is a template"));
    assert_eq!(read.check(), Ok(()));
    let shown: BTreeSet<&Vec<u64>> = read.first.iter().map(|(_, locals, _)| locals).collect();
    assert_eq!(shown.len(), 2, "with a unit of wordpress that is there, and with one that is not");
    for left_out in &read.first {
        let mut read = read.clone();
        read.first.remove(left_out);
        assert!(read.check().is_err(), "{left_out:?} is left out");
    }
}

#[test]
#[ignore = "takes a minute in a release build"]
fn certificates_of_all_shipped_worlds_are_right() {
    let files = scenario::find(&[shipped()]).expect("they are found");
    let mut checked = 0;
    for address in files {
        let Ok(scenario) = scenario::load(address.clone()) else { continue };
        let Some(text) = certified(&scenario, &CLAIMS) else { continue };
        assert_eq!(ParsedCertificate::read(&text).check(), Ok(()), "{address}");
        checked += 1;
    }
    println!("{checked} certificates");
    assert!(checked > 100, "only {checked}");
}
