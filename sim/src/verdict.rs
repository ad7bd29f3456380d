//! Verdicts: whether a scenario is answered as it expects.
//!
//! A run of a scenario is its script, then the search of everything that can follow. A verdict
//! holds each answer against its expectation. An expected violation is a pass, and a claim that
//! unexpectedly holds is a failure: a scenario that shows a bug must go on showing it.

use deathwatch_model::{
    check::{self, Answer, Asked, Finding, Question, Report, Settings, Stop, TooLarge},
    claims::Claim,
};

use crate::{
    output::story::{self, Story},
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
}

/// Judges `scenario`, whose script led to `replay`.
///
/// # Errors
/// If its world is too large to be explored exhaustively.
pub fn judge(scenario: &Scenario, replay: &Replay, how: &How<'_>) -> Result<Verdict, TooLarge> {
    let mut verdict = Verdict {
        scenario: scenario.name.clone(),
        standing: Standing::AsExpected,
        answer: Answer::Holds,
        steps: scenario.steps.len(),
        failures: replay.failures.iter().map(ToString::to_string).collect(),
        miscounts: Vec::new(),
        judged: Vec::new(),
        left_out: Vec::new(),
        report: None,
    };
    let claims = claims_asked(scenario, how.only);
    let witnesses = if how.only.is_empty() { scenario.witnesses.clone() } else { Vec::new() };
    let is_pinned = scenario.states.is_some() || scenario.transitions.is_some();
    if !claims.is_empty() || !witnesses.is_empty() || is_pinned {
        let question = Question {
            world: &scenario.world,
            start: &replay.state,
            claims: claims.iter().map(|(claim, _)| *claim).collect(),
            witnesses,
        };
        let report = match how.engine {
            Engine::Own => check::check(&question, &how.settings)?,
            Engine::Stateright => check::check_with_stateright(&question, &how.settings)?,
        };
        verdict.take(scenario, replay, how.engine, &claims, report);
    }
    verdict.conclude(is_pinned);
    Ok(verdict)
}

/// The claims to decide, each with its expectation: one without is expected to hold.
fn claims_asked(scenario: &Scenario, only: &[&'static Claim]) -> Vec<(&'static Claim, Expected)> {
    if only.is_empty() {
        return scenario.claims.clone();
    }
    let expected = |claim: &Claim| {
        let known = scenario.claims.iter().find(|(known, _)| known.name == claim.name);
        known.map_or(Expected::Holds, |(_, expected)| *expected)
    };
    only.iter().map(|claim| (*claim, expected(claim))).collect()
}

impl Verdict {
    /// Takes over what the search found.
    fn take(
        &mut self,
        scenario: &Scenario,
        replay: &Replay,
        engine: Engine,
        claims: &[(&'static Claim, Expected)],
        mut report: Report,
    ) {
        for finding in std::mem::take(&mut report.findings) {
            let expected = match finding.asked {
                Asked::Claim(claim) => expectation(claims, claim),
                Asked::Witness(_) => Expected::Holds,
            };
            let story = story::tell(&scenario.world, &replay.state, &finding);
            self.judged.push(Judged { finding, expected, story });
        }
        let is_decided = |claim: &Claim| {
            self.judged.iter().any(|judged| judged.claim().is_some_and(|it| it.name == claim.name))
        };
        self.left_out =
            claims.iter().map(|(claim, _)| *claim).filter(|claim| !is_decided(claim)).collect();
        if report.stopped.is_none() {
            self.compare("states", scenario.states, report.states);
            // stateright counts the states it makes, which is another thing.
            if engine == Engine::Own {
                self.compare("transitions", scenario.transitions, report.transitions);
            }
        }
        self.report = Some(report);
    }

    fn compare(&mut self, of: &str, expected: Option<u64>, found: u64) {
        if let Some(expected) = expected.filter(|expected| *expected != found) {
            self.miscounts.push(format!("{found} {of}, but {expected} are expected"));
        }
    }

    /// Draws the conclusion from what was taken over.
    fn conclude(&mut self, is_pinned: bool) {
        let answers = || self.judged.iter().map(|judged| judged.finding.answer);
        let is_uncounted = is_pinned && self.stopped().is_some();
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

    /// Whether every answer is the expected one.
    pub fn is_as_expected(&self) -> bool {
        self.standing == Standing::AsExpected
    }
}

fn expectation(claims: &[(&'static Claim, Expected)], claim: &Claim) -> Expected {
    let asked = claims.iter().find(|(asked, _)| asked.name == claim.name);
    asked.expect("an engine answers only what it is asked").1
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

/// An answer in a word.
pub fn answer(answer: Answer) -> &'static str {
    match answer {
        Answer::Holds => "holds",
        Answer::Vacuous => "vacuous",
        Answer::Violated => "violated",
        Answer::Inconclusive => "inconclusive",
    }
}

/// Why a search gave up, as the end of "undecided: …".
pub fn stopped(stop: Stop) -> &'static str {
    match stop {
        Stop::States => "the greatest number of states was reached",
        Stop::Memory => "the greatest amount of memory was reached",
        Stop::Time => "the time was over",
        Stop::Interrupted => "it was interrupted",
        Stop::Transactions => "there were too many different transactions in flight",
    }
}

/// Why a world cannot be searched, as a sentence.
pub fn too_large(why: &TooLarge) -> &'static str {
    match why {
        TooLarge::Entities => "it has more than 64 units, machines, relations or applications",
        TooLarge::Documents => "the documents of one entity do not fit in two words",
        TooLarge::Duties => "it has more duties than fairness per duty can tell apart",
    }
}
