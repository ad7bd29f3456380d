//! What-if: the outcome of a state after a step that the protocol has an operator take, under
//! another Juju, or by force; and the known bugs that it looks like.

use std::collections::BTreeSet;

use deathwatch_claims::diagnosis::{Reason, RootKind};
use deathwatch_documents::diagnosis::{StuckVerdict, WhatIf, WhatIfGoes, WhatIfKind};
use deathwatch_model::{life::Life, world::Assumption};

use super::{DiagnosedState, Grouping};
use crate::{
    cut::Thing,
    holders::{cure, said, to_do},
    juju::AgentStatus,
    search::{self, RemovalCondition, SearchedState},
    version::{FIXES, PEERS, VariantValue, Version},
    words,
};

/// The most states of a case in which a fix is tried, or force where nothing else helps.
const MOST_TRIED: usize = 8;
/// The most in which force is tried although an operator can do something else.
const MOST_FORCED: usize = 2;

/// The greatest number of states that follow one of these.
const MOST_FOLLOWING: u64 = 5_000;

/// The outcome of a state that could not be searched, or not to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NotSearched;

impl Grouping<'_> {
    /// The outcomes of these states, the likely one first, and the bugs that fixes are about.
    pub(super) fn what_if(
        &self,
        of: &[&DiagnosedState],
        verdict: StuckVerdict,
    ) -> (Vec<WhatIf>, Vec<String>) {
        if verdict == StuckVerdict::GoesByItself {
            return Default::default();
        }
        let mut all = self.doing(of);
        let (upgrades, like) = self.upgrades(of, verdict);
        all.extend(upgrades);
        if verdict != StuckVerdict::UntilYouAct {
            all.extend(self.forced(of, MOST_TRIED));
        } else if of[0].found.states <= MOST_FOLLOWING {
            all.extend(self.forced(of, MOST_FORCED));
        }
        (all, like)
    }

    /// The outcomes of these states if nobody does anything, and if an operator does one of the
    /// things that the protocol has them do, or all. They are the same in all of these states.
    fn doing(&self, of: &[&DiagnosedState]) -> Vec<WhatIf> {
        let cures = &of[0].found.cures;
        let mut sets: Vec<Vec<Assumption>> = vec![Vec::new()];
        sets.extend(cures.iter().map(|it| vec![*it]));
        if cures.len() > 1 {
            sets.push(cures.clone());
        }
        let what_if = |set: Vec<Assumption>| {
            let goes = of[0].found.goes.iter();
            let stays: Vec<String> = goes
                .filter(|(_, goes)| !goes.with(&set))
                .map(|(thing, _)| said(self.juju, thing))
                .collect();
            let doing: Vec<&str> = set.iter().map(|it| words::doing(*it)).collect();
            WhatIf {
                kind: if set.is_empty() { WhatIfKind::Nothing } else { WhatIfKind::Act },
                doing: if set.is_empty() { "do nothing".to_owned() } else { doing.join(" and ") },
                how: if set.len() == 1 { self.how(of[0], set[0]) } else { Vec::new() },
                goes: if stays.is_empty() { WhatIfGoes::Yes } else { WhatIfGoes::No },
                stays,
                tried: None,
                following: None,
            }
        };
        sets.into_iter().map(what_if).collect()
    }

    /// The way in which an operator does what an assumption is about.
    fn how(&self, state: &DiagnosedState, assumption: Assumption) -> Vec<String> {
        let roots = state.holders.roots.iter();
        let is_about = |kind: &RootKind| cure(*kind) == Some(assumption);
        let steps = roots.filter(|(kind, _)| is_about(kind));
        let steps = steps.filter_map(|(kind, thing)| to_do(self.juju, *kind, thing));
        let mut how: Vec<String> = steps.map(|it| it.what).collect();
        how.dedup();
        how
    }

    /// The outcome of a state with a fix, or after force; `None` if that makes no difference.
    ///
    /// # Errors
    /// If it cannot be searched, or the search ends at a limit.
    fn after(
        &self,
        state: &DiagnosedState,
        fix: Option<VariantValue>,
        forced: Option<Thing>,
    ) -> Result<Option<SearchedState>, NotSearched> {
        let candidate = self.candidate(state.number, fix, forced);
        let text = candidate.scenario();
        if text == self.candidate(state.number, None, None).scenario() {
            return Ok(None);
        }
        let (scenario, _) = search::read(&text).map_err(|_| NotSearched)?;
        search::search(&candidate, scenario, self.stop).map(Some).map_err(|_| NotSearched)
    }

    /// The Jujus that would help in all of these states, and the bugs that they are about: each fix
    /// is put into their worlds, which are searched again.
    fn upgrades(
        &self,
        of: &[&DiagnosedState],
        verdict: StuckVerdict,
    ) -> (Vec<WhatIf>, Vec<String>) {
        let (mut upgrades, mut like) = (Vec::new(), Vec::new());
        let helps = |found: &SearchedState| {
            found.goes.iter().all(|(_, goes)| match verdict {
                StuckVerdict::UntilYouAct => *goes == RemovalCondition::ByItself,
                _ => *goes != RemovalCondition::Never,
            })
        };
        for fix in FIXES {
            if fix.choice == PEERS && self.leaves_peers {
                continue;
            }
            let (mut following, mut is_decided) = (Vec::new(), true);
            let mut tried = of.iter().take(MOST_TRIED);
            let may_help = tried.all(|state| {
                let found = self.after(state, Some(fix.choice), None);
                is_decided &= found.is_ok();
                let helping = found.map(|it| it.filter(helps));
                following.extend(helping.iter().flatten().map(|it| it.states));
                !matches!(helping, Ok(None))
            });
            if !may_help {
                continue;
            }
            upgrades.push(WhatIf {
                kind: WhatIfKind::Upgrade,
                doing: fix.says.to_owned(),
                how: Vec::new(),
                goes: if is_decided { WhatIfGoes::Yes } else { WhatIfGoes::Undecided },
                stays: Vec::new(),
                tried: limited(of, MOST_TRIED),
                following: following.first().copied().filter(|_| is_decided),
            });
            like.extend(is_decided.then(|| fix.like.to_owned()));
        }
        (upgrades, like)
    }

    /// The outcomes of the first of these states if a holder is removed by force.
    fn forced(&self, of: &[&DiagnosedState], most: usize) -> Vec<WhatIf> {
        let things: BTreeSet<&Thing> = of[0].holders.roots.iter().map(|(_, it)| it).collect();
        let what_if = |thing: &Thing| {
            let command = match thing {
                Thing::Unit(name) => format!("juju remove-unit --force {name}"),
                Thing::Machine(name) => format!("juju remove-machine --force {name}"),
                Thing::Application(_) | Thing::Relation(_) => return None,
            };
            let tried = of.iter().take(most);
            let stays = |state: &&DiagnosedState| {
                let Some(found) = self.after(state, None, Some(thing.clone()))? else {
                    return Ok(None);
                };
                let never = found.goes.into_iter().filter(|(_, it)| *it == RemovalCondition::Never);
                Ok(Some(never.map(|(it, _)| said(self.juju, &it)).collect()))
            };
            let stays: Vec<Result<Option<Vec<String>>, NotSearched>> = tried.map(stays).collect();
            let decided = || stays.iter().flatten();
            let helps = |it: &Option<Vec<String>>| it.as_ref().is_some_and(Vec::is_empty);
            let is_same = stays.iter().all(|it| *it == stays[0]);
            Some(WhatIf {
                kind: WhatIfKind::Force,
                doing: format!("remove {} by force", said(self.juju, thing)),
                how: vec![command],
                goes: match (decided().any(helps), decided().all(helps)) {
                    (true, false) => WhatIfGoes::InSomeStates,
                    _ if stays.iter().any(Result::is_err) => WhatIfGoes::Undecided,
                    (_, true) => WhatIfGoes::Yes,
                    (false, false) => WhatIfGoes::No,
                },
                stays: decided().next().cloned().flatten().filter(|_| is_same).unwrap_or_default(),
                tried: limited(of, most),
                following: None,
            })
        };
        things.into_iter().filter_map(what_if).collect()
    }

    /// The known bugs that the holders look like.
    pub(super) fn like(&self, state: &DiagnosedState) -> Vec<String> {
        let is_4 = self.version.is_some_and(Version::has_jobs);
        let mut like = Vec::new();
        let calm = state.found.goes.iter().all(|(_, it)| *it == RemovalCondition::ByItself);
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
        let is_known = |it: &&str| self.juju.units[*it].agent != AgentStatus::Allocating;
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

/// The number of states in which something was tried, if not in all.
fn limited(of: &[&DiagnosedState], most: usize) -> Option<usize> {
    (of.len() > most).then_some(most)
}
