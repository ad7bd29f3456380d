//! The answer: every state that Juju's output allows is searched, and those with the same answer
//! are told together.

mod deciders;
mod notes;
mod seeds;
mod what_if;

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use deathwatch_claims::{check::Stop, diagnosis::RootKind};
use deathwatch_documents::diagnosis::{
    Case, ModelDiagnosis, NextStep, StuckGroup, StuckVerdict, ThingOutcome,
};
use deathwatch_model::rows::Row;
use deathwatch_scenario::{Problem, Scenario, describe, scenario};

use crate::{
    cut::{ModelCut, Thing, cuts},
    hidden::{Facts, has_only_peers},
    holders::{self, Holders, said, should, to_do},
    juju::Juju,
    search::{self, BrokenClaim, RemovalCondition, SearchedState},
    version::{VariantValue, Version, VersionVariants, behaviour},
    way_out::WayOut,
    words,
    world::FittingState,
};

/// The claim that has to hold of a Dying relation in every state to which a run leads.
const HELD: &str = "a Dying relation is held by a unit in its scope";

/// The report on a model, and the scenarios that it rests on: one for each answer.
pub struct Diagnosed {
    pub report: ModelDiagnosis,
    /// A scenario for each answer, in the order of groups and cases.
    pub scenarios: Vec<String>,
    /// The way out of each answer that was searched, for each group in the order of its cases.
    pub ways_out: Vec<Vec<WayOut>>,
    /// Each state that fits what Juju shows, as it was searched.
    pub considered: Vec<Considered>,
}

/// A state that fits what Juju shows.
pub struct Considered {
    pub scenario: String,
    /// The names of units there, by those in the model.
    pub names: BTreeMap<String, String>,
    /// The outcome of each thing that is not Alive.
    pub goes: Vec<ThingOutcome>,
}

/// Says what holds what in a model. `stop` may end the search, whose answers are then open.
///
/// # Errors
/// If it is a model of Juju 1.x, or on Kubernetes.
pub fn diagnose(
    juju: &Juju,
    stop: &(dyn Fn() -> Option<Stop> + Sync),
) -> Result<Diagnosed, Problem> {
    let version = Version::read(&juju.version);
    if version.is_some_and(|it| !it.is_read()) {
        let message = format!("the model is of Juju {}", juju.version);
        return Err(Problem::new(message).with_help("Juju 2.0 or newer was expected"));
    }
    if juju.is_kubernetes {
        let message = format!("the model {} is on Kubernetes, which is not modelled", juju.name);
        return Err(Problem::new(message).with_help("a model with machines was expected"));
    }
    let cuts = cuts(juju);
    let report = ModelDiagnosis {
        model: juju.name.clone(),
        juju: juju.version.clone(),
        destroying: juju.is_destroying,
        verdict: StuckVerdict::GoesByItself,
        notes: notes::notes(juju, &cuts, version),
        groups: Vec::new(),
    };
    // What is taken to be Alive, or healthy, may not be; what is not there may hold something.
    let is_open =
        juju.taken_to_be_alive() > 0 || juju.may_be_cut_off || !juju.of_unknown_status.is_empty();
    let verdict = if is_open { StuckVerdict::Undecided } else { StuckVerdict::GoesByItself };
    let report = ModelDiagnosis { verdict, ..report };
    let mut diagnosed =
        Diagnosed { report, scenarios: Vec::new(), ways_out: Vec::new(), considered: Vec::new() };
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

/// A cut that is being answered.
struct Grouping<'a> {
    juju: &'a Juju,
    cut: &'a ModelCut,
    version: Option<Version>,
    behaviour: VersionVariants,
    leaves_peers: bool,
    facts: Facts,
    stop: &'a (dyn Fn() -> Option<Stop> + Sync),
}

/// A state and what was found of it.
struct DiagnosedState {
    number: usize,
    found: SearchedState,
    holders: Holders,
    broken: Vec<String>,
}

/// The number of a state that fits, its scenario, and what is broken there.
type FittingScenario = (usize, Scenario, Vec<BrokenClaim>);

/// Why states were not searched, and those that fit.
struct Unsearched {
    why: String,
    fitting: Vec<FittingScenario>,
}

/// The part that all states of a case have in common.
type Signature = (Vec<(Thing, RemovalCondition)>, Vec<String>, bool);

impl<'a> Grouping<'a> {
    fn of(
        juju: &'a Juju,
        cut: &'a ModelCut,
        version: Option<Version>,
        stop: &'a (dyn Fn() -> Option<Stop> + Sync),
    ) -> Self {
        let mut behaviour = behaviour(version);
        if cut.has_only_containers_to_start(juju) {
            behaviour = behaviour.of_containers();
        }
        let leaves_peers = behaviour.leaves_peers || !has_only_peers(juju, cut);
        let facts = Facts::of(juju, cut, &behaviour);
        Self { juju, cut, version, behaviour, leaves_peers, facts, stop }
    }

    fn candidate(
        &self,
        number: usize,
        fix: Option<VariantValue>,
        forced: Option<Thing>,
    ) -> FittingState<'_> {
        let mut variants = self.behaviour.known.clone();
        if let Some(fix) = fix {
            variants.retain(|it| it.0 != fix.0);
            variants.push(fix);
        }
        FittingState {
            juju: self.juju,
            cut: self.cut,
            picks: self.facts.state(number),
            variants,
            leaves_peers: self.leaves_peers,
            forced,
        }
    }

    fn group(&self, diagnosed: &mut Diagnosed) -> StuckGroup {
        let states = match self.states() {
            Ok(states) => states,
            Err(unsearched) => {
                let first = unsearched.fitting.first().map(|(number, ..)| self.written(*number));
                diagnosed.scenarios.extend(first);
                diagnosed.ways_out.push(Vec::new());
                return self.unsearched(unsearched);
            }
        };
        let things = self.cut.stuck.iter().map(|it| said(self.juju, it)).collect();
        let mut by_signature: BTreeMap<Signature, Vec<&DiagnosedState>> = BTreeMap::new();
        for state in &states {
            by_signature.entry(self.signature(state)).or_default().push(state);
        }
        let mut all: Vec<Vec<&DiagnosedState>> = by_signature.into_values().collect();
        all.sort_by_key(|it| it[0].number);
        let deciders = self.deciders(&all);
        let (mut cases, mut ways) = (Vec::new(), Vec::new());
        for of in &all {
            let when = if all.len() == 1 { Vec::new() } else { self.when(&deciders, of) };
            let (case, way_out) = self.case(of, when);
            cases.push(case);
            ways.push(way_out);
            diagnosed.scenarios.push(self.written(of[0].number));
        }
        diagnosed.ways_out.push(ways);
        for state in &states {
            diagnosed.considered.push(Considered {
                scenario: self.candidate(state.number, None, None).scenario(),
                names: self.candidate(state.number, None, None).names(),
                goes: state.found.goes.iter().map(|(it, goes)| self.outcome(it, goes)).collect(),
            });
        }
        let outside = self.outside();
        let is_broken = !states.is_empty() && states.iter().all(|it| !it.broken.is_empty());
        let verdict = verdict(&cases, is_broken, self.facts.is_settled || !outside.is_empty());
        let facts = deciders.iter().map(|it| &self.facts.all[*it].values[0]);
        let mut tell: Vec<String> = facts.map(|it| words::command(self.juju, it)).collect();
        tell.dedup();
        StuckGroup {
            verdict,
            things,
            tell: if all.len() > 1 { tell } else { Vec::new() },
            cases,
            states: states.len(),
            settled: self.facts.is_settled,
            alike: self.cut.alike.iter().map(|it| said(self.juju, it)).collect(),
            outside,
            undecided: None,
            simulated: None,
        }
    }

    /// A state as the scenario that is written for others to go on with.
    fn written(&self, number: usize) -> String {
        let candidate = self.candidate(number, None, None);
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

    /// The states that no check refuses, with their scenarios and what is broken there. If there is
    /// none, those of which least is broken.
    ///
    /// # Errors
    /// If there was no time, or the world cannot hold the only one.
    fn fitting(&self) -> Result<Vec<FittingScenario>, String> {
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
                return Err("the time was up".to_owned());
            }
            match search::read(&text) {
                Ok((scenario, broken)) => known.push((number, scenario, broken)),
                // What the world cannot hold is no state.
                Err(problem) if known.is_empty() && self.facts.states() == 1 => {
                    return Err(problem.to_string());
                }
                Err(_) => {}
            }
        }
        let least = known.iter().map(|(.., broken)| broken.len()).min().unwrap_or_default();
        known.retain(|(.., broken)| broken.len() == least || self.may_be_broken(broken));
        Ok(known)
    }

    /// Searches each state that fits.
    ///
    /// # Errors
    /// If some state was not searched.
    fn states(&self) -> Result<Vec<DiagnosedState>, Unsearched> {
        let fitting = self.fitting().map_err(|why| Unsearched { why, fitting: Vec::new() })?;
        let mut states = Vec::new();
        for (number, scenario, broken) in &fitting {
            let (number, scenario) = (*number, scenario.clone());
            let candidate = self.candidate(number, None, None);
            let holders = holders::find(&candidate, &scenario);
            let told = broken.iter().map(|(says, row)| {
                format!("\"{says}\" does not hold of {}", subject(&candidate, &scenario, *row))
            });
            let broken = told.collect();
            match search::search(&candidate, scenario, self.stop) {
                Ok(found) => states.push(DiagnosedState { number, found, holders, broken }),
                // What was searched before is not all that fits.
                Err(why) => return Err(Unsearched { why, fitting }),
            }
        }
        if states.is_empty() {
            let why = "no state fits what is shown".to_owned();
            return Err(Unsearched { why, fitting: Vec::new() });
        }
        Ok(states)
    }

    /// The waits by the documents alone, where there is no search, and the runs of seeds.
    fn unsearched(&self, Unsearched { why, fitting }: Unsearched) -> StuckGroup {
        let holders = fitting.first().map(|(number, scenario, _)| {
            holders::find(&self.candidate(*number, None, None), scenario)
        });
        let case = |holders: Holders| Case {
            when: Vec::new(),
            verdict: StuckVerdict::Undecided,
            broken: Vec::new(),
            states: 0,
            following: 0,
            next: self.to_do(&holders),
            holders: holders.trees,
            waits: holders.waits,
            then: Vec::new(),
            goes: Vec::new(),
            what_if: Vec::new(),
            like: Vec::new(),
        };
        StuckGroup {
            verdict: StuckVerdict::Undecided,
            things: self.cut.stuck.iter().map(|it| said(self.juju, it)).collect(),
            cases: holders.map(case).into_iter().collect(),
            tell: Vec::new(),
            states: 0,
            settled: false,
            alike: self.cut.alike.iter().map(|it| said(self.juju, it)).collect(),
            outside: self.outside(),
            undecided: Some(why),
            simulated: self.simulated(&fitting),
        }
    }

    /// Things in Juju that may hold something of the cut, and are not modelled.
    fn outside(&self) -> Vec<String> {
        let is_held = |holds: &str| {
            let name = || holds.to_owned();
            let held = [Thing::Unit(name()), Thing::Application(name()), Thing::Machine(name())];
            held.iter().any(|it| self.cut.stuck.contains(it))
        };
        let all = self.juju.outside.iter().filter(|it| is_held(&it.holds));
        let mut all: Vec<String> = all.map(|it| it.what.clone()).collect();
        all.sort();
        all.dedup();
        all
    }

    /// The next steps about holders.
    fn to_do(&self, holders: &Holders) -> Vec<NextStep> {
        let mut next: Vec<NextStep> = Vec::new();
        for (kind, thing) in &holders.roots {
            let is_with_machine = match thing {
                Thing::Unit(name) => self.juju.units[name]
                    .machine
                    .as_ref()
                    .is_some_and(|it| holders.roots.contains(&(*kind, Thing::Machine(it.clone())))),
                _ => false,
            };
            let step = to_do(self.juju, *kind, thing).filter(|_| !is_with_machine);
            next.extend(step.filter(|it| !next.contains(it)));
        }
        next
    }

    /// Whether it is worth telling what follows if this is broken: nobody is known to hold a Dying
    /// relation, although each unit was asked.
    fn may_be_broken(&self, broken: &[BrokenClaim]) -> bool {
        let is_known_empty = |number: usize| {
            let relation = &self.juju.relations[number];
            !relation.in_scope.values().any(|it| *it)
        };
        self.juju.has_units
            && broken.len() == 1
            && broken[0].0 == HELD
            && self.cut.relations().any(is_known_empty)
    }

    /// The part that tells a state from others. Nothing hidden belongs to it.
    fn signature(&self, state: &DiagnosedState) -> Signature {
        let goes = state.found.goes.iter();
        let goes = goes.filter(|(it, _)| !matches!(it, Thing::Relation(_))).cloned().collect();
        // Who acts first is no matter where all goes by itself; nor is it where nothing will do.
        let is_up_to_you =
            |it: &(Thing, RemovalCondition)| matches!(it.1, RemovalCondition::With(_));
        let is_never = state.found.goes.iter().any(|(_, it)| *it == RemovalCondition::Never);
        let is_up_to_you = state.found.goes.iter().any(is_up_to_you) && !is_never;
        let roots = state.holders.roots.iter().filter(|_| is_up_to_you);
        let steps = roots.filter_map(|(kind, it)| to_do(self.juju, *kind, it));
        let mut steps: Vec<String> = steps.map(|it| it.what).collect();
        steps.sort();
        (goes, steps, !state.broken.is_empty())
    }

    fn case(&self, of: &[&DiagnosedState], when: Vec<String>) -> (Case, WayOut) {
        let state = of[0];
        let candidate = self.candidate(state.number, None, None);
        let scenario = &state.found.scenario;
        let steps = search::way_out(scenario, self.stop);
        let way_out = WayOut::of(&candidate, scenario.clone(), steps);
        let then = way_out.words();
        let mut next = self.to_do(&state.holders);
        let is_alive = |(kind, _): &(RootKind, Thing)| *kind == RootKind::StillAlive;
        if state.holders.roots.iter().all(is_alive) {
            next.retain(|_| state.found.goes.iter().any(|(_, it)| *it == RemovalCondition::Never));
        } else if state.found.goes.iter().all(|(_, it)| *it == RemovalCondition::Never) {
            // Nothing of it helps.
            next = state.holders.roots.iter().filter_map(|(kind, it)| should(*kind, it)).collect();
        }
        let is_never = state.found.goes.iter().any(|(_, it)| *it == RemovalCondition::Never);
        let steps: Vec<String> = then
            .iter()
            .filter(|(who, _)| next.is_empty() || who != "you")
            .map(|(who, what)| format!("{who} {what}"))
            .collect();
        if next.is_empty() {
            next.push(match then.first() {
                Some((who, what)) if !is_never => NextStep { who: who.clone(), what: what.clone() },
                _ => {
                    NextStep { who: "nobody".to_owned(), what: "can take the next step".to_owned() }
                }
            });
        }
        let is_first = next.len() == 1 && next[0].who != "you" && !steps.is_empty();
        let then = if is_never { Vec::new() } else { steps[usize::from(is_first)..].to_vec() };
        let goes: Vec<ThingOutcome> =
            state.found.goes.iter().map(|(thing, it)| self.outcome(thing, it)).collect();
        let verdict = if !state.broken.is_empty() && is_never {
            StuckVerdict::Inconsistent
        } else if is_never {
            StuckVerdict::ForEver
        } else if goes.iter().all(|it| it.by_itself) {
            StuckVerdict::GoesByItself
        } else {
            StuckVerdict::UntilYouAct
        };
        let (what_if, mut like) = self.what_if(of, verdict);
        like.extend(self.like(state));
        like.dedup();
        let case = Case {
            when,
            verdict,
            broken: state.broken.clone(),
            states: of.len(),
            following: state.found.states,
            holders: state.holders.trees.clone(),
            waits: state.holders.waits.clone(),
            next,
            then,
            goes,
            what_if,
            like,
        };
        (case, way_out)
    }

    fn outcome(&self, thing: &Thing, goes: &RemovalCondition) -> ThingOutcome {
        let needs = match goes {
            RemovalCondition::ByItself | RemovalCondition::Never => Vec::new(),
            RemovalCondition::With(sets) => sets
                .iter()
                .map(|set| set.iter().map(|it| words::assumption(*it).to_owned()).collect())
                .collect(),
        };
        ThingOutcome {
            thing: said(self.juju, thing),
            by_itself: *goes == RemovalCondition::ByItself,
            needs,
        }
    }
}

/// The verdict on a group with these cases.
fn verdict(cases: &[Case], is_broken: bool, is_open: bool) -> StuckVerdict {
    let is_calm = |it: &Case| it.verdict == StuckVerdict::GoesByItself;
    if is_broken {
        StuckVerdict::Inconsistent
    } else if cases.iter().all(is_calm) {
        // It may not go in a state that was not tried, or what is not modelled may hold it.
        if is_open { StuckVerdict::Undecided } else { StuckVerdict::GoesByItself }
    } else if cases.iter().any(is_calm) {
        StuckVerdict::Depends
    } else if cases.iter().all(|it| it.verdict == StuckVerdict::ForEver) {
        StuckVerdict::ForEver
    } else {
        StuckVerdict::UntilYouAct
    }
}

/// The row of a broken invariant, by its real name.
fn subject(candidate: &FittingState<'_>, scenario: &Scenario, row: Row) -> String {
    let said = describe::subject(&scenario.world, row);
    let names = candidate.names();
    let word = |word: &str| {
        let real = names.iter().find(|(_, it)| *it == word).map(|(real, _)| real.clone());
        real.unwrap_or_else(|| word.to_owned())
    };
    said.split(' ').map(word).collect::<Vec<_>>().join(" ")
}
