//! What would help, and the known bugs that a state looks like.

use deathwatch_claims::diagnosis::{Reason, RootKind};
use deathwatch_model::life::Life;

use super::{Grouping, State};
use crate::{
    cut::Thing,
    juju::Agent,
    search::{self, Goes},
    version::{FIXES, PEERS, VariantChoice, Version},
};

/// The most states of a case in which a fix is tried.
const MOST_TRIED: usize = 8;

impl Grouping<'_> {
    /// The number of states that were searched of what a state becomes with a fix, or after force,
    /// if everything goes then.
    fn after(
        &self,
        state: &State,
        fix: Option<VariantChoice>,
        forced: Option<Thing>,
    ) -> Option<u64> {
        let candidate = self.candidate(state.number, fix, forced);
        let text = candidate.scenario();
        if text == self.candidate(state.number, None, None).scenario() {
            return None;
        }
        let (scenario, _) = search::read(&text).ok()?;
        let found = search::search(&candidate, scenario, self.stop).ok()?;
        found.goes.iter().all(|(_, it)| *it != Goes::Never).then_some(found.states)
    }

    /// What would help in all of these states, and the bugs that it is about: each fix is put into
    /// their worlds, which are searched again.
    pub(super) fn fixes(&self, of: &[&State]) -> (Vec<String>, Vec<String>) {
        let (mut fixes, mut like) = (Vec::new(), Vec::new());
        for fix in FIXES {
            if fix.choice == PEERS && self.leaves_peers {
                continue;
            }
            let tried = &of[..of.len().min(MOST_TRIED)];
            let after = |state: &&State| self.after(state, Some(fix.choice), None);
            let found: Option<Vec<u64>> = tried.iter().map(after).collect();
            if let Some(found) = found {
                let searched = found[0];
                let tried = limited(of.len());
                fixes.push(format!("with \"{}\": yes{tried} ({searched} searched)", fix.says));
                like.push(fix.like.to_owned());
            }
        }
        let mut forced: Vec<&Thing> = of[0].holders.roots.iter().map(|(_, it)| it).collect();
        forced.dedup();
        for thing in forced {
            let command = match thing {
                Thing::Unit(name) => format!("juju remove-unit --force {name}"),
                Thing::Machine(name) => format!("juju remove-machine --force {name}"),
                Thing::Application(_) | Thing::Relation(_) => continue,
            };
            let tried = &of[..of.len().min(MOST_TRIED)];
            let after = |state: &&State| self.after(state, None, Some(thing.clone())).is_some();
            let helps: Vec<bool> = tried.iter().map(after).collect();
            let helps = match (helps.contains(&true), helps.contains(&false)) {
                (true, false) => "yes",
                (false, _) => "no",
                (true, true) => "in some of these states",
            };
            let tried = limited(of.len());
            let helps = format!("{helps}{tried}");
            fixes.push(format!("with {command}: {helps}"));
        }
        (fixes, like)
    }

    /// The known bugs that the holders look like.
    pub(super) fn like(&self, state: &State) -> Vec<String> {
        let is_4 = self.version.is_some_and(Version::has_jobs);
        let mut like = Vec::new();
        let calm = state.found.goes.iter().all(|(_, it)| *it == Goes::ByItself);
        for (kind, _) in state.holders.roots.iter().filter(|_| !calm) {
            let bug = match kind {
                RootKind::Cause(Reason::RelationHookFailed) if is_4 => {
                    "#21678, fixed by #21690 (a unit in error leaves): an upgrade also helps"
                }
                RootKind::Cause(Reason::RelationHookFailed) => {
                    "#6825 (lp:1657657): a failed hook keeps its unit and what that is in"
                }
                RootKind::Cause(Reason::AgentCrashed | Reason::HardwareUnnoticed) => {
                    "#20955 (#21182): only a unit's own agent leaves its scopes; remove-unit --force \
                     does it on its behalf"
                }
                RootKind::Cause(Reason::NobodyInScope) => {
                    "#23352 (#21758, #21608): nobody is in scope, so nobody will ever remove it"
                }
                RootKind::Cause(Reason::Unreferenced) => {
                    "lp:1794602 (#10109): nothing refers to it any more; fixed in 2018"
                }
                _ => continue,
            };
            like.push(bug.to_owned());
        }
        if is_4 && self.leaves_peers && self.is_in_peers() {
            like.push(
                "#23326 may come next: agents of 4.x do not leave their peers, which is not searched \
                 beside other relations"
                    .to_owned(),
            );
        }
        like
    }

    /// Whether a unit that is not Alive is in a peer relation.
    fn is_in_peers(&self) -> bool {
        let is_stuck = |it: &&str| self.juju.lives_of_unit(it) != [Life::Alive];
        let is_known = |it: &&str| self.juju.units[*it].agent != Agent::Allocating;
        let mut units = self.cut.units().filter(is_stuck).filter(is_known);
        units.any(|unit| {
            self.cut.relations().any(|it| {
                let relation = &self.juju.relations[it];
                relation.is_peer()
                    && relation.joins(&self.juju.units[unit].application)
                    && relation.in_scope.get(unit) != Some(&false)
            })
        })
    }
}

/// Where a fix was tried, if not in all states of a case.
fn limited(states: usize) -> String {
    if states > MOST_TRIED {
        format!(" in the {MOST_TRIED} states that were tried")
    } else {
        String::new()
    }
}
