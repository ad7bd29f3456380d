//! Answers after the script for every number of units; they are computed once a page asks for them.

use deathwatch_claims::Claim;
use deathwatch_documents::Expected;
use deathwatch_scenario::{problem::Problem, replay, scenario};
use deathwatch_study::{answers, verdict};

use super::{
    Explorer,
    address::Address,
    answer::{Response, StatusCode},
};
use crate::page;

impl Explorer {
    /// The answers for every number of units of the world with the settings of `address.with`, if
    /// there are some, and else of this one. `file` is the explorer of the world of the file.
    pub(super) fn every_number_with(
        &self,
        file: &Self,
        address: &Address,
    ) -> Result<Response, Problem> {
        let varied = if address.with.is_empty() { None } else { file.set(&address.with)? };
        let set = if address.with.is_empty() { &address.set } else { &address.with };
        let there = Address { set: set.clone(), with: Vec::new(), ..address.clone() };
        varied.as_deref().unwrap_or(self).every_number(&there)
    }

    /// The answers for every number of units. The scenario is read again, with the history of its
    /// own claims alone: the explorer keeps that of all claims, and the number of views grows with
    /// it.
    fn every_number(&self, address: &Address) -> Result<Response, Problem> {
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
