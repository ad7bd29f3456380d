//! The answer: every state that Juju's output allows is searched, and those with the same answer
//! are told together.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    path::Path,
};

use deathwatch_claims::{
    check::Stop,
    diagnosis::{Reason, RootKind},
};
use deathwatch_model::{life::Life, rows::Row};
use deathwatch_scenario::{Problem, Scenario, describe, scenario};

use crate::{
    cut::{Cut, Thing, cuts},
    hidden::{Fact, Facts, Pick, has_only_peers},
    holders::{self, Holders, said, to_do},
    juju::{Agent, Juju},
    report::{Case, Group, Outcome, Report, Step, Verdict},
    search::{self, Found, Goes, way_out},
    version::{Behaviour, Choice, FIXES, PEERS, Version, behaviour},
    words,
    world::Candidate,
};

/// What holds of a Dying relation in every state to which a run leads.
const HELD: &str = "a Dying relation is held by a unit in its scope";

/// The most facts that decide together, as they are told.
const MOST_DECIDERS: usize = 3;

/// What is said of a model, and the scenarios that it rests on: one for each answer.
pub struct Diagnosed {
    /// What is said.
    pub report: Report,
    /// A scenario for each answer, in the order of groups and cases.
    pub scenarios: Vec<String>,
    /// Each state that fits what Juju shows, as it was searched.
    pub considered: Vec<Considered>,
}

/// A state that fits what Juju shows.
pub struct Considered {
    /// The state as a scenario.
    pub scenario: String,
    /// The names of units there, by those in the model.
    pub names: BTreeMap<String, String>,
    /// What becomes of each thing that is not Alive.
    pub goes: Vec<Outcome>,
}

/// Says what holds what in a model. `stop` may end the search, whose answers are then open.
///
/// # Errors
/// If it is a model of Juju 1.x.
pub fn diagnose(
    juju: &Juju,
    stop: &(dyn Fn() -> Option<Stop> + Sync),
) -> Result<Diagnosed, Problem> {
    let version = Version::read(&juju.version);
    if version.is_some_and(|it| !it.is_read()) {
        let message = format!("the model is of Juju {}", juju.version);
        return Err(Problem::new(message).with_help("Juju 2.0 or newer was expected"));
    }
    let cuts = cuts(juju);
    let report = Report {
        model: juju.name.clone(),
        juju: juju.version.clone(),
        destroying: juju.is_destroying,
        verdict: Verdict::GoesByItself,
        notes: notes(juju, &cuts, version),
        groups: Vec::new(),
    };
    let mut diagnosed = Diagnosed { report, scenarios: Vec::new(), considered: Vec::new() };
    for cut in &cuts {
        let group = Grouping::of(juju, cut, version, stop).group(&mut diagnosed);
        let report = &mut diagnosed.report;
        report.verdict = report.verdict.max(group.verdict);
        report.groups.push(group);
    }
    Ok(diagnosed)
}

/// The variants of a version of Juju that are known, each with its value.
pub fn variants(version: &str) -> Vec<(&'static str, &'static str)> {
    behaviour(Version::read(version)).known
}

/// What the search does not know of.
fn notes(juju: &Juju, cuts: &[Cut], version: Option<Version>) -> Vec<String> {
    let mut notes = juju.notes.clone();
    if version.is_none() {
        notes.push("the version of Juju cannot be read, so each known way is tried".to_owned());
    }
    if !juju.has_units && !juju.units.is_empty() {
        notes.push(
            "without `juju show-unit` nobody knows which units are Dying and who is in scope; units \
             of Alive applications were taken to be Alive"
                .to_owned(),
        );
    }
    if version.is_some_and(Version::has_jobs) {
        notes.push(
            "by the protocol of D1 and D2: in 4.x removal jobs set Dead, instances have lives of \
             their own, and nothing is counted"
                .to_owned(),
        );
    }
    let shown = juju.units.len() + juju.machines.len() + juju.applications.len();
    let kept: BTreeSet<&Thing> = cuts.iter().flat_map(|cut| &cut.things).collect();
    let kept = kept.iter().filter(|it| !matches!(it, Thing::Relation(_))).count();
    if shown > kept {
        notes.push(format!(
            "left out: {} that are Alive and hold nothing here; an Alive entity holds others only as \
             a unit in scope, as a deployer or as a host, and one of each kind was kept",
            shown - kept
        ));
    }
    let searched: BTreeSet<usize> = cuts.iter().flat_map(Cut::relations).collect();
    let relations = juju.relations.iter().enumerate();
    let open = relations.filter(|(it, relation)| {
        !searched.contains(it) && juju.lives_of_relation(relation).len() > 1
    });
    let open = open.count();
    if open > 0 {
        let are = if open == 1 { "1 relation" } else { &format!("{open} relations") };
        notes.push(format!(
            "Juju does not print whether {are} between Alive applications, beside what is told \
             here, may be Dying"
        ));
    }
    if !cuts.is_empty() {
        let mut outside = juju.outside.clone();
        outside.sort();
        outside.dedup();
        if !outside.is_empty() {
            notes.push(format!("also held, perhaps, by {}: not modelled", outside.join(", ")));
        }
    }
    notes
}

/// A cut that is being answered.
struct Grouping<'a> {
    juju: &'a Juju,
    cut: &'a Cut,
    version: Option<Version>,
    behaviour: Behaviour,
    leaves_peers: bool,
    facts: Facts,
    stop: &'a (dyn Fn() -> Option<Stop> + Sync),
}

/// A state and what was found of it.
struct State {
    number: usize,
    found: Found,
    holders: Holders,
    broken: Vec<String>,
}

/// What is the same in all states of a case.
type Signature = (Vec<(Thing, Goes)>, Vec<String>, bool);

impl<'a> Grouping<'a> {
    fn of(
        juju: &'a Juju,
        cut: &'a Cut,
        version: Option<Version>,
        stop: &'a (dyn Fn() -> Option<Stop> + Sync),
    ) -> Self {
        let behaviour = behaviour(version);
        let leaves_peers = behaviour.leaves_peers || !has_only_peers(juju, cut);
        let facts = Facts::of(juju, cut, &behaviour);
        Self { juju, cut, version, behaviour, leaves_peers, facts, stop }
    }

    fn candidate(
        &self,
        number: usize,
        fix: Option<Choice>,
        forced: Option<Thing>,
    ) -> Candidate<'_> {
        let mut variants = self.behaviour.known.clone();
        if let Some(fix) = fix {
            variants.retain(|it| it.0 != fix.0);
            variants.push(fix);
        }
        Candidate {
            juju: self.juju,
            cut: self.cut,
            picks: self.facts.state(number),
            variants,
            leaves_peers: self.leaves_peers,
            forced,
        }
    }

    /// The number of states that were searched of what a state becomes with a fix, or after force,
    /// if everything goes then.
    fn after(&self, state: &State, fix: Option<Choice>, forced: Option<Thing>) -> Option<u64> {
        let candidate = self.candidate(state.number, fix, forced);
        let text = candidate.scenario();
        if text == self.candidate(state.number, None, None).scenario() {
            return None;
        }
        let (scenario, _) = search::read(&text).ok()?;
        let found = search::search(&candidate, scenario, self.stop).ok()?;
        found.goes.iter().all(|(_, it)| *it != Goes::Never).then_some(found.states)
    }

    fn group(&self, diagnosed: &mut Diagnosed) -> Group {
        let (states, undecided) = self.states();
        let things = self.cut.stuck.iter().map(|it| said(self.juju, it)).collect();
        let mut by_signature: BTreeMap<Signature, Vec<&State>> = BTreeMap::new();
        for state in &states {
            by_signature.entry(self.signature(state)).or_default().push(state);
        }
        let mut all: Vec<Vec<&State>> = by_signature.into_values().collect();
        all.sort_by_key(|it| it[0].number);
        let deciders = self.deciders(&all);
        let mut cases: Vec<Case> = Vec::new();
        for of in &all {
            let when = if all.len() == 1 { Vec::new() } else { self.when(&deciders, of) };
            cases.push(self.case(of, when));
            diagnosed.scenarios.push(self.written(of[0]));
        }
        for state in &states {
            diagnosed.considered.push(Considered {
                scenario: self.candidate(state.number, None, None).scenario(),
                names: self.candidate(state.number, None, None).names(),
                goes: state.found.goes.iter().map(|(it, goes)| self.outcome(it, goes)).collect(),
            });
        }
        let is_broken = !states.is_empty() && states.iter().all(|it| !it.broken.is_empty());
        let verdict = verdict(&cases, is_broken, undecided.is_some());
        let facts = deciders.iter().map(|it| &self.facts.all[*it].values[0]);
        let mut tell: Vec<String> = facts.map(|it| words::command(self.juju, it)).collect();
        tell.dedup();
        Group {
            verdict,
            things,
            tell: if all.len() > 1 { tell } else { Vec::new() },
            cases,
            states: states.len(),
            settled: self.facts.is_settled,
            alike: self.cut.alike.clone(),
            undecided,
        }
    }

    /// A state as the scenario that is written for others to go on with.
    fn written(&self, state: &State) -> String {
        let candidate = self.candidate(state.number, None, None);
        let text = candidate.scenario();
        let strict = text.replacen("inconsistent = true\n", "", 1);
        let is_strict = scenario::parse(Path::new("diagnosis.toml"), strict.as_str()).is_ok();
        let mut head = String::from("# What `deathwatch diagnose` made of a model of Juju.\n");
        let _ = writeln!(head, "# Machine {} stands for the controller.", candidate.controller());
        for (real, name) in candidate.names().iter().filter(|(real, name)| real != name) {
            let _ = writeln!(head, "# {name} is {real} in the model.");
        }
        head + if is_strict { &strict } else { &text }
    }

    /// Searches each state that no check refuses. If there is none, those are taken of which least
    /// is broken.
    fn states(&self) -> (Vec<State>, Option<String>) {
        let mut read = BTreeMap::new();
        for number in 0..self.facts.states() {
            let text = self.candidate(number, None, None).scenario();
            read.entry(text).or_insert(number);
        }
        let mut numbers: Vec<(usize, String)> = read.into_iter().map(|(it, at)| (at, it)).collect();
        numbers.sort();
        let mut known = Vec::new();
        for (number, text) in numbers {
            if (self.stop)().is_some() {
                return (Vec::new(), Some("the time was up".to_owned()));
            }
            match search::read(&text) {
                Ok((scenario, broken)) => known.push((number, scenario, broken)),
                // What the world cannot hold is no state.
                Err(problem) if known.is_empty() && self.facts.states() == 1 => {
                    return (Vec::new(), Some(problem.to_string()));
                }
                Err(_) => {}
            }
        }
        let least = known.iter().map(|(.., broken)| broken.len()).min().unwrap_or_default();
        let mut states = Vec::new();
        for (number, scenario, broken) in known {
            if broken.len() > least && !self.may_be_broken(&broken) {
                continue;
            }
            let candidate = self.candidate(number, None, None);
            let holders = holders::find(&candidate, &scenario);
            let told = broken.iter().map(|(says, row)| {
                format!("\"{says}\" does not hold of {}", self.subject(&candidate, &scenario, *row))
            });
            let broken = told.collect();
            match search::search(&candidate, scenario, self.stop) {
                Ok(found) => states.push(State { number, found, holders, broken }),
                Err(why) => return (states, Some(why)),
            }
        }
        let why = states.is_empty().then(|| "no state fits what is shown".to_owned());
        (states, why)
    }

    /// Whether it is worth telling what follows if this is broken: nobody is known to hold a Dying
    /// relation, although each unit was asked.
    fn may_be_broken(&self, broken: &[(&'static str, Row)]) -> bool {
        let is_known_empty = |number: usize| {
            let relation = &self.juju.relations[number];
            !relation.in_scope.values().any(|it| *it)
        };
        self.juju.has_units
            && broken.len() == 1
            && broken[0].0 == HELD
            && self.cut.relations().any(is_known_empty)
    }

    /// The row of a broken invariant, by its real name.
    fn subject(&self, candidate: &Candidate<'_>, scenario: &Scenario, row: Row) -> String {
        let said = describe::subject(&scenario.world, row);
        let names = candidate.names();
        let word = |word: &str| {
            let real = names.iter().find(|(_, it)| *it == word).map(|(real, _)| real.clone());
            real.unwrap_or_else(|| word.to_owned())
        };
        said.split(' ').map(word).collect::<Vec<_>>().join(" ")
    }

    /// What tells a state from others. What is hidden is no part of it.
    fn signature(&self, state: &State) -> Signature {
        let goes = state.found.goes.iter();
        let goes = goes.filter(|(it, _)| !matches!(it, Thing::Relation(_))).cloned().collect();
        // Who acts first is no matter where all goes by itself; nor is it where nothing will do.
        let is_up_to_you = |it: &(Thing, Goes)| matches!(it.1, Goes::With(_));
        let is_never = state.found.goes.iter().any(|(_, it)| *it == Goes::Never);
        let is_up_to_you = state.found.goes.iter().any(is_up_to_you) && !is_never;
        let roots = state.holders.roots.iter().filter(|_| is_up_to_you);
        let steps = roots.filter_map(|(kind, it)| to_do(self.juju, *kind, it));
        let mut steps: Vec<String> = steps.map(|it| it.what).collect();
        steps.sort();
        (goes, steps, !state.broken.is_empty())
    }

    /// The facts whose values tell the cases apart: as few as will do.
    fn deciders(&self, cases: &[Vec<&State>]) -> Vec<usize> {
        if cases.len() < 2 {
            return Vec::new();
        }
        let picks = |state: &State| self.facts.state(state.number);
        let states: Vec<(usize, Vec<&Pick>)> = cases
            .iter()
            .enumerate()
            .flat_map(|(case, of)| of.iter().map(move |it| (case, picks(it))))
            .collect();
        let is_open = |fact: &usize| states.iter().any(|(_, it)| it[*fact] != states[0].1[*fact]);
        let open: Vec<usize> = (0..self.facts.all.len()).filter(is_open).collect();
        for size in 1..=MOST_DECIDERS.min(open.len()) {
            for set in combinations(&open, size) {
                let decides = states.iter().all(|(case, mine)| {
                    states.iter().all(|(other, theirs)| {
                        case == other || set.iter().any(|it| mine[*it] != theirs[*it])
                    })
                });
                if decides {
                    return set;
                }
            }
        }
        open
    }

    /// The values that the facts which decide have in a case.
    fn when(&self, deciders: &[usize], of: &[&State]) -> Vec<String> {
        let fact = |fact: &usize| {
            let mut values: Vec<&Pick> = Vec::new();
            for state in of {
                let value = self.facts.state(state.number)[*fact];
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            let all: &Fact = &self.facts.all[*fact];
            (values.len() < all.values.len() || deciders.len() == 1)
                .then(|| words::fact(self.juju, &values))
        };
        deciders.iter().filter_map(fact).collect()
    }

    fn case(&self, of: &[&State], when: Vec<String>) -> Case {
        let state = of[0];
        let candidate = self.candidate(state.number, None, None);
        let world = &state.found.scenario.world;
        let way = way_out(&state.found.scenario, self.stop);
        let then = way.as_ref().map(|it| words::steps(&candidate, world, it)).unwrap_or_default();
        let mut next: Vec<Step> = Vec::new();
        for (kind, thing) in &state.holders.roots {
            let step = to_do(self.juju, *kind, thing);
            next.extend(step.filter(|it| !next.contains(it)));
        }
        let is_never = state.found.goes.iter().any(|(_, it)| *it == Goes::Never);
        let steps: Vec<String> = then
            .iter()
            .filter(|(who, _)| next.is_empty() || who != "you")
            .map(|(who, what)| format!("{who} {what}"))
            .collect();
        if next.is_empty() {
            next.push(match then.first() {
                Some((who, what)) if !is_never => Step { who: who.clone(), what: what.clone() },
                _ => Step { who: "nobody".to_owned(), what: "can take the next step".to_owned() },
            });
        }
        let is_first = next.len() == 1 && next[0].who != "you" && !steps.is_empty();
        let then = if is_never { Vec::new() } else { steps[usize::from(is_first)..].to_vec() };
        let goes: Vec<Outcome> =
            state.found.goes.iter().map(|(thing, it)| self.outcome(thing, it)).collect();
        let verdict = if !state.broken.is_empty() && is_never {
            Verdict::Inconsistent
        } else if is_never {
            Verdict::ForEver
        } else if goes.iter().all(|it| it.by_itself) {
            Verdict::GoesByItself
        } else {
            Verdict::UntilYouAct
        };
        let (fixes, mut like) = if is_never { self.fixes(of) } else { Default::default() };
        like.extend(self.like(state));
        like.dedup();
        Case {
            when,
            verdict,
            broken: state.broken.clone(),
            states: of.len(),
            following: state.found.states,
            holders: state.holders.trees.clone(),
            next,
            then,
            goes,
            fixes,
            like,
        }
    }

    fn outcome(&self, thing: &Thing, goes: &Goes) -> Outcome {
        let needs = match goes {
            Goes::ByItself | Goes::Never => Vec::new(),
            Goes::With(sets) => sets
                .iter()
                .map(|set| set.iter().map(|it| words::assumption(*it).to_owned()).collect())
                .collect(),
        };
        Outcome { thing: said(self.juju, thing), by_itself: *goes == Goes::ByItself, needs }
    }

    /// What would help in all of these states, and the bugs that it is about: each fix is put into
    /// their worlds, which are searched again.
    fn fixes(&self, of: &[&State]) -> (Vec<String>, Vec<String>) {
        let (mut fixes, mut like) = (Vec::new(), Vec::new());
        for fix in FIXES {
            if fix.choice == PEERS && self.leaves_peers {
                continue;
            }
            let after = |state: &&State| self.after(state, Some(fix.choice), None);
            let found: Option<Vec<u64>> = of.iter().map(after).collect();
            if let Some(found) = found {
                fixes.push(format!("with \"{}\": yes ({} searched)", fix.says, found[0]));
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
            let after = |state: &&&State| self.after(state, None, Some(thing.clone())).is_some();
            let helps = match of.iter().filter(after).count() {
                0 => "no",
                all if all == of.len() => "yes",
                _ => "in some of these states",
            };
            fixes.push(format!("with {command}: {helps}"));
        }
        (fixes, like)
    }

    /// The known bugs that the holders look like.
    fn like(&self, state: &State) -> Vec<String> {
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

/// The verdict on a group with these cases.
fn verdict(cases: &[Case], is_broken: bool, is_open: bool) -> Verdict {
    let is_calm = |it: &Case| it.verdict == Verdict::GoesByItself;
    if is_open || cases.is_empty() {
        Verdict::Undecided
    } else if is_broken {
        Verdict::Inconsistent
    } else if cases.iter().all(is_calm) {
        Verdict::GoesByItself
    } else if cases.iter().any(is_calm) {
        Verdict::Depends
    } else if cases.iter().all(|it| it.verdict == Verdict::ForEver) {
        Verdict::ForEver
    } else {
        Verdict::UntilYouAct
    }
}

/// The sets of this size of these numbers.
fn combinations(of: &[usize], size: usize) -> Vec<Vec<usize>> {
    match (size, of.split_first()) {
        (0, _) => vec![Vec::new()],
        (_, None) => Vec::new(),
        (_, Some((first, rest))) => {
            let with = combinations(rest, size - 1);
            let with = with.into_iter().map(|set| [&[*first], &set[..]].concat());
            with.chain(combinations(rest, size)).collect()
        }
    }
}
