//! What the page of assumptions is made of: what each removal claim needs in a few worlds, and what
//! waits in them for a cure that never comes.

use deathwatch_model::{
    check::{Settings, Stop},
    claims::Claim,
};
use deathwatch_scenario::replay;
use deathwatch_study::assume::{Assumed, Options, Stuck, Tried, assume, stuck};

use crate::report::Answered;

/// Whether other variants are tried in a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variants {
    /// Those that make a difference.
    Tried,
    /// None: its fixes are made already, or the others take longer than they tell.
    AsTheyAre,
}

/// The worlds in which it is asked what claims need: one for each caveat of the documents, those with
/// details that ask all removal claims, and small ones in which something else is needed.
const NEEDS: &[(&str, Variants)] = &[
    ("relation-scope-bug/1-as-written", Variants::Tried),
    ("relation-scope-bug/5-remote-scope-is-not-enough", Variants::Tried),
    ("caveats/hardware-failure-terminated", Variants::AsTheyAre),
    ("caveats/agents-are-upgraded", Variants::AsTheyAre),
    ("caveats/agents-are-redeployed", Variants::AsTheyAre),
    ("caveats/hook-error-resolved", Variants::AsTheyAre),
    ("caveats/unit-hook-error-is-resolved", Variants::AsTheyAre),
    ("caveats/crashed-agents-restart", Variants::AsTheyAre),
    ("caveats/the-only-manager-fails", Variants::AsTheyAre),
    ("relations/everything-is-removed", Variants::AsTheyAre),
    ("provisioning/everything-is-removed", Variants::AsTheyAre),
    ("provisioning/everything-is-removed-with-hooks", Variants::AsTheyAre),
    ("provisioning/a-broken-unit-that-is-resolved", Variants::AsTheyAre),
    ("provisioning/a-dying-machine-that-is-resolved", Variants::AsTheyAre),
    ("findings/no-cleaner", Variants::Tried),
    ("findings/dying-machine-is-not-provisioned", Variants::Tried),
    ("findings/the-last-manager-fails", Variants::Tried),
    ("findings/subordinates-of-an-undeployed-principal", Variants::Tried),
    ("findings/unit-without-machine", Variants::Tried),
    ("findings/forced-unit-without-machine", Variants::Tried),
    ("findings/forced-machine-is-outrun", Variants::Tried),
    ("findings/last-unit-waits-for-the-relation", Variants::Tried),
    ("findings/churn-starves-the-cleaner", Variants::Tried),
];

/// The worlds in which a cure is dropped: a hook failed, a stop hook failed, an agent is dead, hardware is
/// broken, an instance did not start, a duty is neglected.
const STUCK: &[&str] = &[
    "caveats/hook-error-resolved",
    "caveats/unit-hook-error-is-resolved",
    "caveats/crashed-agents-restart",
    "caveats/hardware-failure-terminated",
    "relations/everything-is-removed",
    "provisioning/everything-is-removed",
    "caveats/agents-are-upgraded",
    "caveats/agents-are-redeployed",
];

/// What was found in the worlds, by their names.
#[derive(Clone, Debug, Default)]
pub struct Assumptions {
    /// What each removal claim needs.
    pub(super) needs: Vec<(String, Assumed)>,
    /// What waits for a cure.
    pub(super) stuck: Vec<(String, Vec<Stuck>)>,
}

/// Asks the worlds, as far as they are among `answered`. `None` if `stop` said so.
///
/// # Panics
/// If a world is too large, or its variants are too many.
pub fn ask(
    answered: &[Answered],
    threads: usize,
    stop: &(dyn Fn() -> Option<Stop> + Sync),
    progress: &(dyn Fn(&str) + Sync),
) -> Option<Assumptions> {
    let settings = Settings { threads, max_states: None, max_bytes: None, stop, progress: &|_| {} };
    let removals: Vec<&'static Claim> = Claim::removals().collect();
    let mut all = Assumptions::default();
    for (name, variants) in NEEDS {
        let Some(it) = answered.iter().find(|it| it.name == *name) else { continue };
        progress(name);
        let replay = replay::replay(&it.scenario).expect("it was answered");
        let options = Options {
            only: &removals,
            variants: match variants {
                Variants::Tried => Tried::Fixes,
                Variants::AsTheyAre => Tried::These(&[]),
            },
            settings,
            progress: &|_, _| {},
        };
        let assumed = assume(&it.scenario, &replay, &options);
        if stop().is_some() {
            return None;
        }
        assert!(assumed.is_whole(), "{name} is decided where there are no limits");
        all.needs.push((it.name.clone(), assumed));
    }
    for name in STUCK {
        let Some(it) = answered.iter().find(|it| it.name == *name) else { continue };
        progress(name);
        let replay = replay::replay(&it.scenario).expect("it was answered");
        let stuck = stuck(&it.scenario, &replay, &removals, &settings);
        if stop().is_some() {
            return None;
        }
        all.stuck.push((it.name.clone(), stuck.expect("it was decided before")));
    }
    Some(all)
}
