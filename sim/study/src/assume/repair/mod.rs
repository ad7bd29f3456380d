//! Repairs: the smallest sets of changes with which every claim of some scenarios holds.
//!
//! A change is another value of a variant, or something that the scenarios switch off and that is
//! switched on. Sets are tried by their size, and of one size those of variants alone first. A
//! second change may break what the first one mended, so nothing follows from one set for another,
//! but a set that has a repair as a part is no smallest one, and is not tried.
//!
//! ```text
//! for size in 0.. {
//!     for set of that size, without a repair as a part {
//!         if a known run violates a claim with it { continue }        // a real run of that world
//!         search the worlds of all scenarios with it, up to the first that violates a claim
//!         violated: remember the runs; all hold: a repair; cut off: open, and never a repair
//!     }
//! }
//! ```
//!
//! Sets are tried in groups of a fixed size, and a group knows the runs of those before it. So the
//! answer, and what was filtered, does not depend on threads.

mod change;
mod elsewhere;
mod known_run;
pub(super) mod world;

use deathwatch_claims::{
    Claim,
    check::{CheckAnswer, SearchSettings},
};
use deathwatch_documents::assumed::{Amendment, ClaimOf, EmptiedBy, OpenSet, Repair, Repaired};
use deathwatch_model::variants::Variants;
use deathwatch_scenario::{
    replay::{self, Replay},
    scenario::Scenario,
};

pub use self::elsewhere::{OtherReplays, costs};
use self::{
    change::{changed, exclude, is_variant, switches, variant},
    known_run::KnownRun,
    world::AskedClaim,
};
use super::{
    AssumeOptions, MOST_CHOICES, Tried, VariantSetting,
    choices::{candidates, settings},
    document,
    evaluate::{Evaluator, at_a_time},
};
use crate::workers;

/// The number of sets that are tried with the same known runs.
const GROUP: usize = 8;

/// The claims to repair, the changes to try, and the limits of their searches.
pub struct RepairOptions<'a> {
    /// The claims that may be violated.
    pub except: &'a [String],
    /// The variants to try.
    pub variants: Tried<'a>,
    /// Threads and limits. The limit on states is that of each world.
    pub settings: SearchSettings<'a>,
    /// Gets the number of sets of a size that are begun, of all of that size, and the size.
    pub progress: &'a (dyn Fn(usize, usize, usize) + Sync),
}

/// The repairs of `scenarios`, each with the replay of its script.
pub fn repair(scenarios: &[(&Scenario, &Replay)], options: &RepairOptions<'_>) -> Repaired {
    let found = Repaired {
        scenarios: scenarios.iter().map(|(scenario, _)| scenario.name.clone()).collect(),
        except: options.except.to_vec(),
        ..Repaired::default()
    };
    let known = vec![Vec::new(); scenarios.len()];
    let mut search = RepairSearch { scenarios, options, vacuous: Vec::new(), known, found };
    search.begin();
    let all = search.changes();
    for size in 1.. {
        let sets = sets(&all, size, &search.found.repairs);
        let tried = &mut search.found.tried;
        if tried.sets + sets.len() > MOST_CHOICES {
            let why = format!("they would be more than {MOST_CHOICES}; name fewer variants");
            tried.others = Some(why);
            break;
        }
        if sets.is_empty() {
            break;
        }
        search.try_all(&sets, size);
    }
    let found = search.found;
    Repaired { decided: found.open.is_empty() && found.tried.others.is_none(), ..found }
}

/// The outcome of trying a set of changes.
enum SetOutcome {
    /// A scenario is not possible so.
    Impossible,
    /// A known run violates a claim.
    Filtered,
    /// The answers, up to the first scenario of which a claim is violated.
    Searched(Vec<Vec<AskedClaim>>),
}

/// A search for repairs.
struct RepairSearch<'a> {
    scenarios: &'a [(&'a Scenario, &'a Replay)],
    options: &'a RepairOptions<'a>,
    /// The claims that are vacuous as the scenarios are, by scenario.
    vacuous: Vec<Vec<&'static str>>,
    /// The known runs of each scenario.
    known: Vec<Vec<KnownRun>>,
    found: Repaired,
}

impl RepairSearch<'_> {
    /// Asks the scenarios without changes, for comparison.
    fn begin(&mut self) {
        let jobs = self.scenarios.len();
        let threads = at_a_time(&self.options.settings);
        let answers = workers::all(threads, jobs, &|_| {}, |index| {
            let (scenario, replay) = self.scenarios[index];
            let settings = (&self.options.settings, jobs);
            world::answers((scenario, replay), &self.claims(scenario), settings)
        });
        for ((scenario, _), answers) in self.scenarios.iter().zip(&answers) {
            let with = |answer| answers.iter().filter(move |it: &&AskedClaim| it.answer == answer);
            self.vacuous.push(with(CheckAnswer::Vacuous).map(|it| it.claim.name).collect());
            let violated = with(CheckAnswer::Violated);
            let violated = violated.map(|it| ClaimOf::new(&scenario.name, it.claim.name));
            self.found.violated.extend(violated);
            self.found.claims += answers.len();
        }
        self.note(Vec::new(), SetOutcome::Searched(answers));
    }

    /// The claims of a scenario that are to hold.
    fn claims(&self, scenario: &Scenario) -> Vec<&'static Claim> {
        let asked = scenario.claims.iter().map(|(claim, _)| *claim);
        asked.filter(|claim| self.options.except.iter().all(|it| it != claim.name)).collect()
    }

    /// The changes to try: values of variants that make a difference in one of the worlds, then
    /// clauses that are switched off. None, if nothing is to be repaired.
    fn changes(&mut self) -> Vec<Amendment> {
        if !self.found.repairs.is_empty() {
            return Vec::new();
        }
        let (mut values, mut indifferent) = (Vec::new(), Vec::new());
        for (scenario, replay) in self.scenarios {
            let (mine, others) = self.values(scenario, replay);
            values.extend(mine);
            indifferent.extend(others);
            for switch in switches(scenario) {
                if !self.found.switched_on.contains(&switch) {
                    self.found.switched_on.push(switch);
                }
            }
        }
        let mut changes = Vec::new();
        for info in Variants::LIST {
            for (value, _) in info.values {
                let setting: VariantSetting = (info.name, value);
                if values.contains(&setting) {
                    let tried = self.found.variants.entry(info.name.to_owned()).or_default();
                    tried.push((*value).to_owned());
                    changes.push(variant(setting));
                } else if indifferent.contains(&setting) {
                    self.found.indifferent.push(document::choice(&[setting]));
                }
            }
        }
        changes.extend(self.found.switched_on.iter().cloned());
        changes
    }

    /// The values to try in one of the worlds, and those that make no difference there.
    fn values(
        &self,
        scenario: &Scenario,
        replay: &Replay,
    ) -> (Vec<VariantSetting>, Vec<VariantSetting>) {
        let options = AssumeOptions {
            only: &self.claims(scenario),
            variants: self.options.variants,
            settings: SearchSettings { ..self.options.settings },
            progress: &|_, _| {},
        };
        let all = candidates(scenario, self.options.variants);
        let (tried, indifferent) = match self.options.variants {
            Tried::These(_) => (all, Vec::new()),
            Tried::Fixes | Tried::FixesAndDefaults | Tried::DefaultsAndFixes => {
                let evaluator = Evaluator::new(scenario, replay, &options);
                evaluator.that_matter(&all).unwrap_or((all, Vec::new()))
            }
        };
        (settings(&tried).collect(), indifferent)
    }

    /// Tries sets of one size.
    fn try_all(&mut self, sets: &[Vec<Amendment>], size: usize) {
        let threads = at_a_time(&self.options.settings);
        for (group, sets) in sets.chunks(GROUP).enumerate() {
            let before = group * GROUP;
            let all = before + sets.len();
            let progress = |done| (self.options.progress)(before + done, all, size);
            let outcomes = workers::all(threads, sets.len(), &progress, |index| {
                self.outcome(&sets[index], sets.len())
            });
            for (set, outcome) in sets.iter().zip(outcomes) {
                self.note(set.clone(), outcome);
            }
        }
        self.found.tried.most = size;
    }

    /// The outcome of a set, tried while `jobs` sets share the threads.
    fn outcome(&self, set: &[Amendment], jobs: usize) -> SetOutcome {
        let mut worlds = Vec::with_capacity(self.scenarios.len());
        for (scenario, replay) in self.scenarios {
            worlds.push(match changed(scenario, set) {
                Ok(None) => ((*scenario).clone(), (*replay).clone()),
                Ok(Some(changed)) => match replay::replay(&changed) {
                    Ok(replay) => (changed, replay),
                    Err(_) => return SetOutcome::Impossible,
                },
                Err(_) => return SetOutcome::Impossible,
            });
        }
        for ((scenario, replay), known) in worlds.iter().zip(&self.known) {
            let claims = self.claims(scenario);
            if known.iter().any(|run| run.violates((scenario, replay), &claims)) {
                return SetOutcome::Filtered;
            }
        }
        let mut answers = Vec::with_capacity(worlds.len());
        for (scenario, replay) in &worlds {
            let settings = (&self.options.settings, jobs);
            let asked = world::answers((scenario, replay), &self.claims(scenario), settings);
            let is_violated = asked.iter().any(|it| it.answer == CheckAnswer::Violated);
            answers.push(asked);
            if is_violated {
                break;
            }
        }
        SetOutcome::Searched(answers)
    }

    /// Notes the outcome of a set.
    fn note(&mut self, changes: Vec<Amendment>, outcome: SetOutcome) {
        let tried = &mut self.found.tried;
        tried.sets += 1;
        let answers = match outcome {
            SetOutcome::Impossible => {
                tried.impossible += 1;
                return;
            }
            SetOutcome::Filtered => {
                tried.filtered += 1;
                return;
            }
            SetOutcome::Searched(answers) => answers,
        };
        tried.searched += 1;
        for (known, answers) in self.known.iter_mut().zip(&answers) {
            for run in answers.iter().filter_map(|it| it.run.as_ref()) {
                if !known.contains(run) {
                    known.push(run.clone());
                }
            }
        }
        let is = |answer| move |it: &&AskedClaim| it.answer == answer;
        if answers.iter().flatten().any(|it| is(CheckAnswer::Violated)(&it)) {
            return;
        }
        let (mut open, mut claims) = (None, Vec::new());
        for (index, answers) in answers.iter().enumerate() {
            let name = &self.scenarios[index].0.name;
            if let Some(it) = answers.iter().find(is(CheckAnswer::Undecided)) {
                let why = it.open.as_deref().unwrap_or("it cannot be told");
                open.get_or_insert_with(|| format!("{name}: {}: {why}", it.claim.name));
            }
            let vacuous = answers.iter().filter(is(CheckAnswer::Vacuous));
            let new = vacuous.filter(|it| !self.vacuous[index].contains(&it.claim.name));
            claims.extend(new.map(|it| ClaimOf::new(name, it.claim.name)));
        }
        if let Some(reason) = open {
            self.found.open.push(OpenSet { changes, reason });
        } else if claims.is_empty() {
            let minimal = !self.found.open.iter().any(|part| is_part(&part.changes, &changes));
            self.found.repairs.push(Repair { changes, minimal, elsewhere: None });
        } else {
            self.found.vacuous.push(EmptiedBy { changes, claims });
        }
    }
}

/// The sets of `size` changes that have no repair as a part: those of variants alone first, then
/// in the order of the changes. If they are more than are tried, some of them.
fn sets(all: &[Amendment], size: usize, repairs: &[Repair]) -> Vec<Vec<Amendment>> {
    let mut sets = Vec::new();
    longer(all, (size, repairs), &mut Vec::new(), &mut sets);
    sets.sort_by_key(|set| set.iter().filter(|change| !is_variant(change)).count());
    sets
}

/// Adds to `sets` those that consist of `chosen` and of `size` more of the `rest`.
fn longer(
    rest: &[Amendment],
    (size, repairs): (usize, &[Repair]),
    chosen: &mut Vec<Amendment>,
    sets: &mut Vec<Vec<Amendment>>,
) {
    if repairs.iter().any(|repair| is_part(&repair.changes, chosen)) || sets.len() > MOST_CHOICES {
        return;
    }
    if size == 0 {
        sets.push(chosen.clone());
        return;
    }
    for (index, change) in rest.iter().enumerate() {
        if !chosen.iter().any(|it| exclude(it, change)) {
            chosen.push(change.clone());
            longer(&rest[index + 1..], (size - 1, repairs), chosen, sets);
            chosen.pop();
        }
    }
}

/// Whether `of` has all changes of `part`, too.
fn is_part(part: &[Amendment], of: &[Amendment]) -> bool {
    part.iter().all(|change| of.contains(change))
}
