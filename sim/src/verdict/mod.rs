//! Verdicts: whether a scenario is answered as it expects.
//!
//! A run of a scenario is its script, then the search of everything that can follow. A verdict
//! merges what the two show, and holds each answer against its expectation. An expected violation
//! is a pass, and a claim that unexpectedly holds is a failure: a scenario that shows a bug must
//! go on showing it.

mod asks;
mod script;
mod words;

use deathwatch_model::{
    check::{self, Answer, Asked, Finding, Question, Report, Settings, Stop, TooLarge},
    claims::{Claim, ClaimKind},
};

use self::asks::Asks;
pub(crate) use self::script::Shown;
pub use self::words::{answer, stopped, too_large};
use crate::{
    output::story::{self, Begins, Story},
    replay::Replay,
    scenario::{Expected, Scenario},
};

/// Who searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Our own explorer, which decides every claim.
    #[default]
    Own,
    /// stateright's breadth-first checker, the second opinion on Always claims and witnesses.
    Stateright,
}

/// How a scenario is to be judged.
pub struct How<'a> {
    /// Who searches.
    pub engine: Engine,
    /// The claims to decide; if empty, what the scenario asks, its witnesses included.
    pub only: &'a [&'static Claim],
    /// Threads and limits.
    pub settings: Settings<'a>,
}

/// Whether a scenario was answered as it expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// Every answer is the expected one.
    AsExpected,
    /// Some answer is open, and none is another than the expected one.
    Undecided,
    /// Some answer is another than the expected one.
    Unexpected,
}

/// What came of a scenario.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The name of the scenario.
    pub scenario: String,
    /// Whether it was answered as it expects.
    pub standing: Standing,
    /// Over its script and its claims: violated if one is, else open if one is, else they hold.
    pub answer: Answer,
    /// How many steps its script has.
    pub steps: usize,
    /// Where its script did not do what it expects.
    pub failures: Vec<String>,
    /// Where the numbers of states and transitions are not the expected ones.
    pub miscounts: Vec<String>,
    /// The answers, each with its expectation: the claims, then the witnesses.
    pub judged: Vec<Judged>,
    /// The claims that the engine cannot decide.
    pub left_out: Vec<&'static Claim>,
    /// The search, unless nothing asked for one; its findings are in `judged`.
    pub report: Option<Report>,
    /// Why there was no search, although something asked for one.
    pub too_large: Option<TooLarge>,
}

/// An answer and its expectation.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The answer.
    pub finding: Finding,
    /// The expectation.
    pub expected: Expected,
    /// The run that shows the answer, in words.
    pub story: Option<Story>,
    /// Why the answer is open, where no limit is to blame.
    pub open: Option<String>,
}

/// Judges `scenario`, whose script led to `replay`.
///
/// # Errors
/// If its world is too large to be explored exhaustively.
pub fn judge(scenario: &Scenario, replay: &Replay, how: &How<'_>) -> Result<Verdict, TooLarge> {
    let asks = Asks::of(scenario, how.only);
    let mut verdict = Verdict::before(scenario, replay);
    if !asks.is_nothing() {
        let question = Question {
            world: &scenario.world,
            start: &replay.state,
            claims: asks.claims.iter().map(|(claim, _)| *claim).collect(),
            witnesses: asks.witnesses.clone(),
        };
        let mut report = match how.engine {
            Engine::Own => check::check(&question, &how.settings)?,
            Engine::Stateright => deathwatch_stateright::check(&question, &how.settings)?,
        };
        if report.stopped.is_none() {
            verdict.compare("states", scenario.states, report.states);
            // stateright counts the states it makes, which is another thing.
            if how.engine == Engine::Own {
                verdict.compare("transitions", scenario.transitions, report.transitions);
            }
        }
        let shown = verdict.take(scenario, replay, &asks, std::mem::take(&mut report.findings));
        shown.clauses().for_each(|clause| report.exercised.insert(clause));
        verdict.report = Some(report);
    }
    verdict.conclude(asks.counts);
    Ok(verdict)
}

/// The verdict on a scenario whose world is too large to be explored: what its script shows, and
/// otherwise nothing.
pub fn unsearched(scenario: &Scenario, replay: &Replay, how: &How<'_>, why: TooLarge) -> Verdict {
    let asks = Asks::of(scenario, how.only);
    let decides = |claim: &Claim| how.engine == Engine::Own || claim.kind() == ClaimKind::Always;
    let claims = asks.claims.iter().map(|(claim, _)| *claim).filter(|claim| decides(claim));
    let asked = claims.map(Asked::Claim).chain(asks.witnesses.iter().copied().map(Asked::Witness));
    let open = |asked| Finding {
        asked,
        answer: Answer::Inconclusive,
        subjects: 0,
        applied: 0,
        trace: None,
    };
    let mut verdict = Verdict::before(scenario, replay);
    verdict.too_large = Some(why);
    verdict.take(scenario, replay, &asks, asked.map(open).collect());
    verdict.conclude(asks.counts);
    verdict
}

impl Verdict {
    /// What there is to say before anything is searched.
    fn before(scenario: &Scenario, replay: &Replay) -> Self {
        Self {
            scenario: scenario.name.clone(),
            standing: Standing::AsExpected,
            answer: Answer::Holds,
            steps: scenario.steps.len(),
            failures: replay.failures.iter().map(ToString::to_string).collect(),
            miscounts: Vec::new(),
            judged: Vec::new(),
            left_out: Vec::new(),
            report: None,
            too_large: None,
        }
    }

    /// Takes over what was found, merged with what the script shows.
    fn take(
        &mut self,
        scenario: &Scenario,
        replay: &Replay,
        asks: &Asks,
        findings: Vec<Finding>,
    ) -> Shown {
        let claims = || asks.claims.iter().map(|(claim, _)| *claim);
        let shown = Shown::by_script(scenario, replay, claims());
        for mut finding in findings {
            let (begins, open) = shown.merge_into(&mut finding, &scenario.world);
            let start = match begins {
                Begins::BeforeScript => &scenario.start,
                Begins::AfterScript => &replay.state,
            };
            let story = story::tell(&scenario.world, begins, start, &finding);
            let expected = asks.expected(finding.asked);
            self.judged.push(Judged { finding, expected, story, open });
        }
        let is_decided = |claim: &Claim| {
            self.judged.iter().any(|judged| judged.claim().is_some_and(|it| it.name == claim.name))
        };
        self.left_out = claims().filter(|claim| !is_decided(claim)).collect();
        shown
    }

    fn compare(&mut self, of: &str, expected: Option<u64>, found: u64) {
        if let Some(expected) = expected.filter(|expected| *expected != found) {
            self.miscounts.push(format!("{found} {of}, but {expected} are expected"));
        }
    }

    /// Draws the conclusion from what was taken over.
    fn conclude(&mut self, is_pinned: bool) {
        let answers = || self.judged.iter().map(|judged| judged.finding.answer);
        let is_uncounted = is_pinned && (self.stopped().is_some() || self.too_large.is_some());
        self.answer = if !self.failures.is_empty() || answers().any(|it| it == Answer::Violated) {
            Answer::Violated
        } else if is_uncounted || answers().any(|it| it == Answer::Inconclusive) {
            Answer::Inconclusive
        } else {
            Answer::Holds
        };
        let worst = self.judged.iter().map(Judged::standing).max();
        let mut standing = worst.unwrap_or(Standing::AsExpected);
        if is_uncounted {
            standing = standing.max(Standing::Undecided);
        }
        if !self.failures.is_empty() || !self.miscounts.is_empty() {
            standing = Standing::Unexpected;
        }
        self.standing = standing;
    }

    /// Why the search gave up, if it did.
    pub fn stopped(&self) -> Option<Stop> {
        self.report.as_ref().and_then(|report| report.stopped)
    }

    /// Why answers are open, as the end of "undecided: …", where the reason is the same for all.
    pub fn obstacle(&self) -> Option<&'static str> {
        self.too_large.as_ref().map(too_large).or_else(|| self.stopped().map(stopped))
    }

    /// Whether every answer is the expected one.
    pub fn is_as_expected(&self) -> bool {
        self.standing == Standing::AsExpected
    }
}

impl Judged {
    /// The claim, unless it is a witness.
    pub fn claim(&self) -> Option<&'static Claim> {
        match self.finding.asked {
            Asked::Claim(claim) => Some(claim),
            Asked::Witness(_) => None,
        }
    }

    /// Whether the answer is the expected one.
    pub fn standing(&self) -> Standing {
        match (self.finding.answer, self.expected) {
            (Answer::Inconclusive, _) => Standing::Undecided,
            (Answer::Holds, Expected::Holds)
            | (Answer::Vacuous, Expected::Vacuous)
            | (Answer::Violated, Expected::Violated) => Standing::AsExpected,
            (Answer::Holds | Answer::Vacuous | Answer::Violated, _) => Standing::Unexpected,
        }
    }

    /// What was asked, as a sentence.
    pub fn name(&self) -> String {
        match self.finding.asked {
            Asked::Claim(claim) => claim.name.to_owned(),
            Asked::Witness(clause) => format!("{clause} is carried out"),
        }
    }

    /// The kind of what was asked, in a word.
    pub fn kind(&self) -> &'static str {
        match self.finding.asked {
            Asked::Claim(claim) => claim.kind().name(),
            Asked::Witness(_) => "witness",
        }
    }
}
