//! The evaluation of choices: one exploration each, and the minimal premises of each question
//! there.

use deathwatch_claims::{
    Claim, ClaimKind,
    check::{
        CheckAnswer, CheckQuestion, Finding, FindingSubject, SearchSettings, Survey, Symmetry,
    },
};
use deathwatch_model::{clause::Clause, world::FaultKind};
use deathwatch_scenario::{
    replay::{self, Replay},
    scenario::Scenario,
};

use super::{
    AssumeOptions,
    choices::{VariantCandidate, VariantSetting, settings, with},
    open::{SearchLimit, UndecidedReason, whole},
    premises::{MinimalPremises, is_wanted, key, leads_premises, safety_premises},
    set::Premises,
};
use crate::{verdict::ScriptFindings, workers};

/// The greatest number of explorations at a time. What memory one may take follows from it, so it
/// does not depend on the machine.
const MOST_WORKERS: usize = 8;

/// The greatest number of graphs at a time: one that others are compared with, and two for each
/// worker.
const MOST_GRAPHS: u64 = 1 + 2 * MOST_WORKERS as u64;

pub(super) enum Evaluated {
    Open(UndecidedReason),
    /// The minimal premises for each question.
    Decided {
        states: u64,
        /// The minimal premises of each question, in order.
        found: Vec<MinimalPremises>,
    },
}

impl Evaluated {
    /// The number of states, if they were explored.
    pub(super) fn states(&self) -> Option<u64> {
        match self {
            Self::Open(_) => None,
            Self::Decided { states, .. } => Some(*states),
        }
    }

    /// The reason why nothing is decided.
    pub(super) fn open(&self) -> Option<UndecidedReason> {
        match self {
            Self::Open(open) => Some(open.clone()),
            Self::Decided { .. } => None,
        }
    }
}

pub(super) struct Evaluator<'a> {
    scenario: &'a Scenario,
    replay: &'a Replay,
    options: &'a AssumeOptions<'a>,
    pub(super) asked: Vec<FindingSubject>,
}

/// A scenario with a choice made, ready to be asked.
struct Prepared {
    scenario: Scenario,
    replay: Replay,
    claims: Vec<&'static Claim>,
    witnesses: Vec<Clause>,
}

impl Prepared {
    fn question(&self, is_asked: impl Fn(&Claim) -> bool) -> CheckQuestion<'_> {
        CheckQuestion {
            world: &self.scenario.world,
            start: &self.replay.state,
            claims: self.claims.iter().copied().filter(|claim| is_asked(claim)).collect(),
            witnesses: self.witnesses.clone(),
            refines: None,
        }
    }
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(
        scenario: &'a Scenario,
        replay: &'a Replay,
        options: &'a AssumeOptions<'a>,
    ) -> Self {
        let asked = if options.only.is_empty() {
            let claims = scenario.claims.iter().map(|(claim, _)| FindingSubject::Claim(claim));
            claims.chain(scenario.witnesses.iter().copied().map(FindingSubject::Witness)).collect()
        } else {
            options.only.iter().copied().map(FindingSubject::Claim).collect()
        };
        Self { scenario, replay, options, asked }
    }

    /// The values that make a difference, and those that make none: alone, or beside all others.
    /// `None` if that cannot be told, as the world as it is cannot be explored.
    pub(super) fn that_matter(
        &self,
        all: &[VariantCandidate],
    ) -> Option<(Vec<VariantCandidate>, Vec<VariantSetting>)> {
        let base = self.prepare(&[]).ok()?;
        let question = base.question(|_| true);
        let base = self.survey(&question, all.len()).ok()?;
        let values: Vec<VariantSetting> = settings(all).collect();
        let firsts: Vec<VariantSetting> = all.iter().map(|it| (it.name, it.values[0])).collect();
        let progress = |done| (self.options.progress)(done, values.len());
        let matters = workers::all(self.workers(), values.len(), &progress, |index| {
            let setting = values[index];
            let others = firsts.iter().copied().filter(|it| it.0 != setting.0);
            let without: Vec<VariantSetting> = others.collect();
            let beside = [&without[..], &[setting]].concat();
            self.differs(&base, &[setting], values.len())
                || self.surveyed(&without, values.len(), |without| {
                    self.differs(without, &beside, values.len())
                }) == Ok(true)
        });
        let (mut tried, mut indifferent) = (all.to_vec(), Vec::new());
        for (setting, _) in values.iter().zip(matters).filter(|(_, matters)| !matters) {
            indifferent.push(*setting);
            for candidate in tried.iter_mut().filter(|it| it.name == setting.0) {
                candidate.values.retain(|value| *value != setting.1);
            }
        }
        tried.retain(|candidate| !candidate.values.is_empty());
        Some((tried, indifferent))
    }

    /// The values that make a difference alone. `None` if that cannot be told, as the world as it
    /// is cannot be explored.
    pub(super) fn that_differ(&self, all: &[VariantCandidate]) -> Option<Vec<VariantSetting>> {
        let base = self.prepare(&[]).ok()?;
        let question = base.question(|_| false);
        let base = self.survey(&question, 1).ok()?;
        let values: Vec<VariantSetting> = settings(all).collect();
        // A world with more states is another one, whatever there is to it.
        let beside = self.settings(values.len());
        let most = SearchSettings { max_states: Some(base.states()), ..beside };
        let differ = workers::all(self.workers(), values.len(), &|_| {}, |index| {
            let other = self.prepare(&[values[index]]).and_then(|prepared| {
                let question = prepared.question(|_| false);
                Ok(!base.is_like(&*whole(&question, &most)?))
            });
            other.unwrap_or_else(|open| open != UndecidedReason::Impossible)
        });
        let differing = values.into_iter().zip(differ).filter(|(_, differs)| *differs);
        Some(differing.map(|(value, _)| value).collect())
    }

    pub(super) fn evaluate(&self, choices: &[Vec<VariantSetting>]) -> Vec<Evaluated> {
        let progress = |done| (self.options.progress)(done, choices.len());
        workers::all(self.workers(), choices.len(), &progress, |index| {
            match self.decide(&choices[index], choices.len()) {
                Ok(evaluated) => evaluated,
                Err(open) => Evaluated::Open(open),
            }
        })
    }

    /// Whether a choice gives another world than the one surveyed. An impossible world is no other
    /// one; an undecided one may be, and is asked.
    fn differs(&self, survey: &Survey<'_>, choice: &[VariantSetting], jobs: usize) -> bool {
        match self.surveyed(choice, jobs, |other| !survey.is_like(other)) {
            Ok(differs) => differs,
            Err(open) => open != UndecidedReason::Impossible,
        }
    }

    /// The answer of `ask` to the survey of a choice.
    fn surveyed(
        &self,
        choice: &[VariantSetting],
        jobs: usize,
        ask: impl Fn(&Survey<'_>) -> bool,
    ) -> Result<bool, UndecidedReason> {
        let prepared = self.prepare(choice)?;
        let question = prepared.question(|_| true);
        Ok(ask(&*self.survey(&question, jobs)?))
    }

    fn prepare(&self, choice: &[VariantSetting]) -> Result<Prepared, UndecidedReason> {
        let impossible = |_| UndecidedReason::Impossible;
        let scenario = with(self.scenario, choice).map_err(impossible)?;
        let replay = if choice.is_empty() {
            self.replay.clone()
        } else {
            replay::replay(&scenario).map_err(|_| UndecidedReason::Impossible)?
        };
        let claims = self.asked.iter().filter_map(|asked| asked.claim());
        let here = |claim: &'static Claim| {
            let mut own = scenario.claims.iter().map(|(claim, _)| *claim);
            own.find(|own| own.name == claim.name).unwrap_or(claim)
        };
        let claims = claims.map(here).collect();
        let witness = |asked: &FindingSubject| match asked {
            FindingSubject::Witness(clause) => Some(*clause),
            FindingSubject::Claim(_) | FindingSubject::Refinement => None,
        };
        let witnesses = self.asked.iter().filter_map(witness).collect();
        Ok(Prepared { scenario, replay, claims, witnesses })
    }

    fn survey<'q>(
        &self,
        question: &'q CheckQuestion<'q>,
        jobs: usize,
    ) -> Result<Box<Survey<'q>>, SearchLimit> {
        whole(question, &self.settings(jobs))
    }

    fn decide(&self, choice: &[VariantSetting], jobs: usize) -> Result<Evaluated, UndecidedReason> {
        let prepared = self.prepare(choice)?;
        let settings = self.settings(jobs);
        let leads = prepared.question(|claim| claim.kind() == ClaimKind::Leads);
        let survey = self.survey(&leads, jobs)?;
        let mut by_name =
            leads_premises(&leads, &survey, &settings).map_err(SearchLimit::Stopped)?;
        let faults: Vec<FaultKind> = survey.faults().collect();
        let states = survey.states();
        drop(survey);
        let safety = prepared.question(|claim| claim.kind() != ClaimKind::Leads);
        by_name.extend(safety_premises(&safety, &faults, &settings)?);
        let script = ScriptFindings::of(
            &prepared.scenario,
            &prepared.replay,
            prepared.claims.iter().copied(),
        );
        let mut claims = prepared.claims.iter();
        let found = self.asked.iter().map(|asked| {
            let asked = match asked {
                FindingSubject::Claim(_) => {
                    FindingSubject::Claim(claims.next().expect("each claim is prepared"))
                }
                FindingSubject::Witness(_) | FindingSubject::Refinement => *asked,
            };
            let found = by_name.remove(&key(asked)).expect("each question was asked");
            after_script(&script, asked, found, &prepared)
        });
        Ok(Evaluated::Decided { states, found: found.collect() })
    }

    /// The settings of an exploration beside which others of `jobs` run.
    fn settings(&self, jobs: usize) -> SearchSettings<'_> {
        beside(&self.options.settings, jobs)
    }

    fn workers(&self) -> usize {
        at_a_time(&self.options.settings)
    }
}

/// The number of explorations at a time.
pub(super) fn at_a_time(settings: &SearchSettings<'_>) -> usize {
    settings.threads.min(MOST_WORKERS)
}

/// The settings of an exploration beside which others of `jobs` run.
pub(super) fn beside<'a>(all: &'a SearchSettings<'_>, jobs: usize) -> SearchSettings<'a> {
    let workers = jobs.clamp(1, MOST_WORKERS);
    SearchSettings {
        threads: (all.threads / workers).max(1),
        symmetry: Symmetry::Off,
        max_bytes: all.max_bytes.map(|bytes| bytes / MOST_GRAPHS),
        progress: &|_| {},
        spill: None,
        checkpoint: None,
        ..*all
    }
}

/// The premises that a search after the script found, corrected by the script: a violation on the
/// way there is one under all premises, and a claim that the script is about is never vacuous.
fn after_script(
    script: &ScriptFindings,
    asked: FindingSubject,
    found: MinimalPremises,
    prepared: &Prepared,
) -> MinimalPremises {
    let probe = if is_wanted(asked) { CheckAnswer::Violated } else { CheckAnswer::Vacuous };
    let mut finding = Finding { asked, answer: probe, subjects: 0, applied: 0, trace: None };
    script.merge_into(&mut finding, &prepared.scenario.world, &prepared.scenario.start);
    match (probe, finding.answer, found) {
        (_, CheckAnswer::Undecided, _) => MinimalPremises::Open,
        (CheckAnswer::Vacuous, CheckAnswer::Violated, _) => {
            MinimalPremises::Sets { holds: Vec::new(), vacuous: Vec::new() }
        }
        (CheckAnswer::Vacuous, CheckAnswer::Holds, MinimalPremises::Sets { holds, vacuous }) => {
            MinimalPremises::Sets { holds: [holds, vacuous].concat(), vacuous: Vec::new() }
        }
        (CheckAnswer::Violated, CheckAnswer::Holds, _) => {
            MinimalPremises::Sets { holds: vec![Premises::default()], vacuous: Vec::new() }
        }
        (_, _, found) => found,
    }
}
