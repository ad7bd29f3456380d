//! Verdicts: whether a scenario is answered as it expects.
//!
//! A run of a scenario is its script, then the search of everything that can follow. A verdict
//! merges what the two show, and holds each answer against its expectation. An expected violation
//! is a pass, and a claim that unexpectedly holds is a failure: a scenario that shows a bug must
//! go on showing it.

mod any_size;
mod judged;
mod questions;
mod script;

use deathwatch_claims::{
    Claim, ClaimKind,
    check::{
        self, CheckAnswer, CheckQuestion, CheckReport, Exchange, Finding, FindingSubject,
        SearchSettings, Stop, TooLarge, ViewAsState,
    },
};
pub use deathwatch_documents::limit::stopped;
use deathwatch_documents::{AnySize, Status};

pub use self::any_size::judge_any_size;
pub use self::judged::Judged;
use self::questions::Questions;
pub use self::script::ScriptFindings;
use crate::trace;
use deathwatch_documents::Begins;
use deathwatch_model::action::Action;
use deathwatch_scenario::{
    Problem,
    replay::Replay,
    scenario::{
        Scenario,
        size::{self, Largest},
    },
};

/// A checker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Our own explorer, which decides every claim.
    #[default]
    Own,
    /// The breadth-first checker of stateright: the second opinion on claims about all states,
    /// about reachability, and on witnesses.
    Stateright,
}

impl Engine {
    /// Whether this engine decides `claim`.
    pub fn decides(self, claim: &Claim) -> bool {
        match self {
            Self::Own => true,
            Self::Stateright => matches!(claim.kind(), ClaimKind::Always | ClaimKind::Reachable),
        }
    }
}

/// The scenarios whose worlds are compared with their outlines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refines {
    /// The scenarios that ask for it themselves.
    #[default]
    AsScenariosAsk,
    /// All whose worlds have details and are searched. A world that is only simulated, or is there
    /// for its script, may be too large for a search.
    EveryDetailedWorld,
}

/// The options of judging a scenario.
pub struct VerdictOptions<'a> {
    pub engine: Engine,
    /// The claims to decide; if empty, all that the scenario asks, its witnesses included.
    pub only: &'a [&'static Claim],
    /// The scenarios that are compared with their outlines.
    pub refines: Refines,
    pub settings: SearchSettings<'a>,
}

/// The answers to a scenario's questions, and whether it expects them.
#[derive(Clone, Debug)]
pub struct Verdict {
    pub scenario: String,
    /// The status: whether the answers are the expected ones.
    pub status: Status,
    /// The answer to script and claims together: violated if any is, else undecided if any is,
    /// else they hold.
    pub answer: CheckAnswer,
    /// The number of steps of its script.
    pub steps: usize,
    /// The expectations that its script does not meet.
    pub failures: Vec<String>,
    /// Whether the script cannot go on, so that nothing was searched.
    pub is_cut: bool,
    /// The numbers of states and transitions that are not the expected ones.
    pub miscounts: Vec<String>,
    /// The answers, each with its expectation: the claims, then the witnesses.
    pub judged: Vec<Judged>,
    /// The claims that the engine cannot decide, and that the script does not violate.
    pub left_out: Vec<&'static Claim>,
    /// The answers for every number of units, if the scenario asks for them.
    pub any_size: Option<AnySize>,
    /// The views that leave claims open there, in the order of these.
    pub(crate) open_views: Vec<ViewAsState>,
    /// The reason why there is no answer for every number of units, if a limit came first.
    any_size_stopped: Option<Stop>,
    /// The search, unless nothing asked for one; its findings are in `judged`.
    pub report: Option<CheckReport>,
    /// The reason why there was no search, although something asked for one.
    pub too_large: Option<TooLarge>,
}

/// Judges `scenario`, whose script led to `replay`.
///
/// # Errors
/// If its world is too large to be explored exhaustively.
///
/// # Panics
/// If a search of one process has no answer, which it always has.
pub fn judge(
    scenario: &Scenario,
    replay: &Replay,
    options: &VerdictOptions<'_>,
) -> Result<Verdict, TooLarge> {
    let verdict = judge_by(scenario, replay, options, |question| match options.engine {
        Engine::Own => check::check(question, &options.settings).map(Some),
        Engine::Stateright => deathwatch_stateright::check(question, &options.settings).map(Some),
    });
    verdict.map(|verdict| verdict.expect("an engine answers"))
}

/// Judges `scenario` as [`judge`] does, together with other processes, which all judge the same.
/// Process 0 gets the verdict.
///
/// # Errors
/// If its world is too large to be explored exhaustively.
pub fn judge_by_cluster(
    scenario: &Scenario,
    replay: &Replay,
    options: &VerdictOptions<'_>,
    exchange: &dyn Exchange,
) -> Result<Option<Verdict>, TooLarge> {
    judge_by(scenario, replay, options, |question| {
        check::check_by_cluster(question, &options.settings, exchange)
    })
}

/// The verdict on `scenario`, with the findings of `search`.
fn judge_by(
    scenario: &Scenario,
    replay: &Replay,
    options: &VerdictOptions<'_>,
    search: impl FnOnce(&CheckQuestion<'_>) -> Result<Option<CheckReport>, TooLarge>,
) -> Result<Option<Verdict>, TooLarge> {
    if replay.is_cut {
        return Ok(Some(by_script(scenario, replay, options, None)));
    }
    let questions = Questions::of(scenario, options.only, options.refines);
    let mut verdict = Verdict::before(scenario, replay);
    if !questions.is_empty() {
        let question = CheckQuestion {
            world: &scenario.world,
            start: &replay.state,
            claims: questions.claims.iter().map(|(claim, _)| *claim).collect(),
            witnesses: questions.witnesses.clone(),
            refines: questions.refinement(scenario),
        };
        let Some(mut report) = search(&question)? else { return Ok(None) };
        if report.stopped.is_none() {
            verdict.compare("states", scenario.states, report.states);
            // stateright counts the states that it generates, so its number is another one.
            if options.engine == Engine::Own {
                verdict.compare("transitions", scenario.transitions, report.transitions);
            }
        }
        let script = verdict.add_findings(
            scenario,
            replay,
            &questions,
            std::mem::take(&mut report.findings),
        );
        if let Some(exercised) = &mut report.exercised {
            script.clauses().for_each(|clause| exercised.insert(clause));
        }
        verdict.report = Some(report);
        if options.engine == Engine::Own && options.only.is_empty() {
            verdict.compare_any_size(scenario, &question, &options.settings);
        }
    }
    verdict.conclude(questions.counts);
    Ok(Some(verdict))
}

/// The verdict on a scenario whose world is too large to be explored: the findings of its script
/// alone.
pub fn unsearched(
    scenario: &Scenario,
    replay: &Replay,
    options: &VerdictOptions<'_>,
    why: TooLarge,
) -> Verdict {
    by_script(scenario, replay, options, Some(why))
}

/// The verdict without a search: of a world that is too large for one, or of a script that cannot
/// go on.
fn by_script(
    scenario: &Scenario,
    replay: &Replay,
    options: &VerdictOptions<'_>,
    too_large: Option<TooLarge>,
) -> Verdict {
    let questions = Questions::of(scenario, options.only, options.refines);
    let claims = questions.claims.iter().map(|(claim, _)| *claim);
    let claims = claims.filter(|claim| options.engine.decides(claim));
    let asked = claims
        .map(FindingSubject::Claim)
        .chain(questions.witnesses.iter().copied().map(FindingSubject::Witness));
    let asked = asked.chain(questions.refines.map(|_| FindingSubject::Refinement));
    let mut verdict = Verdict::before(scenario, replay);
    verdict.too_large = too_large;
    verdict.add_findings(scenario, replay, &questions, asked.map(open).collect());
    verdict.conclude(questions.counts);
    verdict
}

/// The problem that the world of `scenario` is too large to be explored.
pub fn unsearchable(scenario: &Scenario, why: &TooLarge) -> Problem {
    let message = format!("the world cannot be searched: {}", why.reason());
    match size::largest(scenario) {
        None => Problem::new(message),
        Some(Largest { kind, count, span }) => {
            scenario.text.problem(&span, message, &format!("the world has {count} {kind}"))
        }
    }
}

/// The answer to a question that no search was asked.
fn open(asked: FindingSubject) -> Finding {
    Finding { asked, answer: CheckAnswer::Undecided, subjects: 0, applied: 0, trace: None }
}

impl Verdict {
    /// The verdict before any search.
    fn before(scenario: &Scenario, replay: &Replay) -> Self {
        Self {
            scenario: scenario.name.clone(),
            status: Status::AsExpected,
            answer: CheckAnswer::Holds,
            steps: scenario.steps.len(),
            failures: replay.failures.iter().map(ToString::to_string).collect(),
            is_cut: replay.is_cut,
            miscounts: Vec::new(),
            judged: Vec::new(),
            left_out: Vec::new(),
            any_size: None,
            open_views: Vec::new(),
            any_size_stopped: None,
            report: None,
            too_large: None,
        }
    }

    /// Adds the findings of a search, merged with those of the script.
    fn add_findings(
        &mut self,
        scenario: &Scenario,
        replay: &Replay,
        questions: &Questions,
        findings: Vec<Finding>,
    ) -> ScriptFindings {
        let claims = || questions.claims.iter().map(|(claim, _)| *claim);
        let mut script = ScriptFindings::of(scenario, replay, claims());
        if let Some(refinement) = questions.refinement(scenario) {
            script.follow(scenario, replay, &refinement);
        }
        let is_asked = |claim: &Claim| {
            let asked = findings.iter().map(|finding| finding.asked);
            asked
                .into_iter()
                .any(|it| matches!(it, FindingSubject::Claim(it) if it.name == claim.name))
        };
        let others: Vec<&'static Claim> = claims().filter(|claim| !is_asked(claim)).collect();
        let others_begin = findings.len();
        let others = others.into_iter().map(|claim| open(FindingSubject::Claim(claim)));
        for (index, mut finding) in findings.into_iter().chain(others).enumerate() {
            let (world, first) = (&scenario.world, &scenario.start);
            let (begins, open) = match script.merge_end_into(&mut finding, world, first) {
                Some(begins) => (begins, None),
                None => script.merge_into(&mut finding, world, first),
            };
            if index >= others_begin && finding.answer == CheckAnswer::Undecided {
                self.left_out.extend(finding.asked.claim());
                continue;
            }
            let start = match begins {
                Begins::BeforeScript => &scenario.start,
                Begins::AfterScript => &replay.state,
            };
            let rendered = trace::render(&scenario.world, begins, start, &finding);
            let expected = questions.expected(finding.asked);
            let is_it =
                |claim: &Claim| finding.asked.claim().is_some_and(|it| it.name == claim.name);
            let mut reasons = scenario.vacuous.iter().filter(|(claim, _)| is_it(claim));
            let reason = reasons.next().filter(|_| finding.answer == CheckAnswer::Vacuous);
            let vacuous = reason.map(|(_, reason)| reason.clone());
            let witness = match finding.asked {
                FindingSubject::Witness(it) => Some(scenario.world.clause_name(it).into_owned()),
                FindingSubject::Claim(_) | FindingSubject::Refinement => None,
            };
            self.judged.push(Judged { finding, expected, rendered, vacuous, open, witness });
        }
        script
    }

    fn compare(&mut self, of: &str, expected: Option<u64>, found: u64) {
        if let Some(expected) = expected.filter(|expected| *expected != found) {
            self.miscounts.push(format!("{found} {of}, but {expected} are expected"));
        }
    }

    /// Draws the conclusion from the answers.
    fn conclude(&mut self, is_counted: bool) {
        let answers = || self.judged.iter().map(|judged| judged.finding.answer);
        let is_uncounted = is_counted && (self.stopped().is_some() || self.too_large.is_some());
        // A claim that was not asked is not answered.
        let is_open = is_uncounted || !self.left_out.is_empty();
        self.answer =
            if !self.failures.is_empty() || answers().any(|it| it == CheckAnswer::Violated) {
                CheckAnswer::Violated
            } else if is_open || answers().any(|it| it == CheckAnswer::Undecided) {
                CheckAnswer::Undecided
            } else {
                CheckAnswer::Holds
            };
        let worst = self.judged.iter().map(Judged::status).max();
        let mut status = worst.unwrap_or(Status::AsExpected);
        if is_open {
            status = status.max(Status::Undecided);
        }
        if !self.failures.is_empty() || !self.miscounts.is_empty() {
            status = Status::Unexpected;
        }
        self.status = status;
    }

    /// The reason why the search gave up, or that for every number of units, if one did.
    pub fn stopped(&self) -> Option<Stop> {
        self.report.as_ref().and_then(|report| report.stopped).or(self.any_size_stopped)
    }

    /// The runs after the script that violate claims, each with the names of these; a cycle is
    /// taken once.
    pub fn violating(&self) -> Vec<(String, Vec<Action>)> {
        let run = |judged: &Judged| {
            let rendered = judged.rendered.as_ref()?;
            let is_violated = judged.finding.answer == CheckAnswer::Violated;
            let trace = judged.finding.trace.as_ref();
            let trace = trace.filter(|_| is_violated && rendered.begins == Begins::AfterScript)?;
            Some((judged.name(), [trace.steps.as_slice(), &trace.cycle].concat()))
        };
        self.judged.iter().filter_map(run).collect()
    }

    /// The reason why answers are open, if one holds for all, as the end of "undecided: …".
    pub fn undecided_because(&self) -> Option<&'static str> {
        let limit =
            self.too_large.as_ref().map(TooLarge::reason).or_else(|| self.stopped().map(stopped));
        let is_cut = self.is_cut && !self.judged.is_empty();
        limit
            .or_else(|| is_cut.then_some("the script cannot go on"))
            .or_else(|| (!self.left_out.is_empty()).then_some("this engine decides other claims"))
    }

    /// Whether every answer is the expected one.
    pub fn is_as_expected(&self) -> bool {
        self.status == Status::AsExpected
    }
}
