//! Searches from the state that is looked at: the nearest state in which a condition holds, and a
//! run that violates a claim.
//!
//! A search has bounds, and says when they were too narrow. A later one takes the place of an
//! earlier one, as nobody waits for that any more.

use std::sync::atomic::{AtomicUsize, Ordering};

use deathwatch_claims::{
    Claim,
    check::{self, CheckAnswer, CheckQuestion, CheckReport, Finding, Stop, Trace},
};
use deathwatch_documents::Expected;
use deathwatch_model::{state::State, world::World};
use deathwatch_scenario::{problem::Problem, replay, scenario};
use deathwatch_study::{answers, verdict};

use super::{
    Explorer,
    address::RunAddress,
    answer::{Response, StatusCode},
    bounds::{Bounds, raised_by},
};
use crate::page;

/// The greatest number of states of the first tries. What is near is found by the first.
const TRIES: [u64; 2] = [20_000, 300_000];

#[derive(Debug, Default)]
pub(super) struct SearchesFromState {
    begun: AtomicUsize,
}

pub(super) struct Searched {
    /// The run that was looked for.
    pub(super) trace: Option<Trace>,
    /// The answer to the claim; `None` if it cannot be searched.
    pub(super) answer: Option<CheckAnswer>,
    pub(super) states: u64,
    /// The answer in a sentence.
    pub(super) sentence: String,
}

impl SearchesFromState {
    /// Searches from `state` on for a run that decides the claim: one that violates it, or reaches
    /// its condition.
    pub(super) fn look(
        &self,
        world: &World,
        state: &State,
        claim: &'static Claim,
        bounds: &Bounds,
    ) -> Searched {
        let mine = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
        let is_over = (bounds.clock)();
        let stop = || {
            let is_superseded = self.begun.load(Ordering::Relaxed) != mine;
            is_over().or(is_superseded.then_some(Stop::Interrupted))
        };
        let question = CheckQuestion {
            world,
            start: state,
            claims: vec![claim],
            witnesses: Vec::new(),
            refines: None,
        };
        let mut searched = None;
        let tries = TRIES.into_iter().filter(|most| *most < bounds.states);
        for most in tries.chain([bounds.states]) {
            let settings = bounds.settings(most, &stop);
            match check::check(&question, &settings) {
                Ok(report) => searched = Some(report),
                Err(why) => {
                    let sentence = format!("this cannot be searched: {}", why.reason());
                    return Searched { trace: None, answer: None, states: 0, sentence };
                }
            }
            if !searched.as_ref().is_some_and(is_too_short) {
                break;
            }
        }
        let report = searched.expect("there are tries");
        result_of(report)
    }
}

/// Whether a search of more states might find a run that this one has not found.
fn is_too_short(report: &CheckReport) -> bool {
    let is_open = |finding: &Finding| finding.trace.is_none();
    report.stopped == Some(Stop::States) && report.findings.iter().all(is_open)
}

fn result_of(report: CheckReport) -> Searched {
    let (states, stopped) = (report.states, report.stopped);
    let among = format!("{states} state{}", if states == 1 { "" } else { "s" });
    let finding = report.findings.into_iter().next().expect("one claim was asked");
    let sentence = match (finding.answer, stopped) {
        (CheckAnswer::Holds | CheckAnswer::Violated, _) if finding.trace.is_some() => {
            format!("found among the first {among}")
        }
        (CheckAnswer::Undecided, Some(stop)) => {
            let why = verdict::stopped(stop);
            let raised = raised_by(stop).map(|how| format!(" ({how})")).unwrap_or_default();
            format!("given up after {among}, without an answer: {why}{raised}")
        }
        (CheckAnswer::Vacuous, _) => {
            format!(
                "it holds from here on, but what it is about never happens: all {among} were searched"
            )
        }
        (CheckAnswer::Holds | CheckAnswer::Violated | CheckAnswer::Undecided, _) => {
            format!("there is none: all {among} that can follow were searched")
        }
    };
    Searched { trace: finding.trace, answer: Some(finding.answer), states, sentence }
}

impl Explorer {
    /// The answers for every number of units of the world with the settings of `address.with`, if
    /// there are some, and else of this one. `file` is the explorer of the world of the file.
    pub(super) fn every_number_with(
        &self,
        file: &Self,
        address: &RunAddress,
    ) -> Result<Response, Problem> {
        let varied = if address.with.is_empty() { None } else { file.set(&address.with)? };
        let set = if address.with.is_empty() { &address.set } else { &address.with };
        let there = RunAddress { set: set.clone(), with: Vec::new(), ..address.clone() };
        varied.as_deref().unwrap_or(self).every_number(&there)
    }

    /// The answers for every number of units. The scenario is read again, with the history of its
    /// own claims alone: the explorer keeps that of all claims, and the number of views grows with
    /// it.
    fn every_number(&self, address: &RunAddress) -> Result<Response, Problem> {
        let mut scenario = scenario::with_variants(&self.scenario, &[])?;
        if scenario.claims.is_empty() {
            let all = deathwatch_claims::all_with(scenario.world.detail);
            let asked = all.filter(|claim: &&Claim| claim.keeps().is_empty());
            scenario.claims = asked.map(|claim| (claim, Expected::Holds)).collect();
        }
        let replay = replay::replay(&scenario).map_err(|impossible| impossible.problem)?;
        let is_over = (self.bounds.clock)();
        let settings = self.bounds.settings(u64::MAX, &*is_over);
        let verdict = verdict::judge_any_size(&scenario, &replay, &[], &settings, None)?;
        let command = format!("deathwatch check --any-size {}", scenario.words());
        let answer = answers::of(&scenario, &verdict, command);
        let back = format!("/{}", address.query());
        Ok(Response::page(StatusCode::Found, page::of_every_number(&answer, &address.set, &back)))
    }
}
