//! Questions: what two scenarios are both asked, so that nothing but their worlds and scripts can
//! make a difference.

use deathwatch_claims::Claim;
use deathwatch_documents::{Expected, difference::Sides};
use deathwatch_model::{
    agents::not_of_outline,
    clause::{Clause, Rule},
};
use deathwatch_scenario::scenario::{AnySizeFile, Scenario};
use toml::Value;

/// Asks both what either asks and the other one can be asked: claims, witnesses, whether its world
/// keeps to its outline, and the answers for every number of units. If neither asks a claim, both
/// are asked all that are built in and about both worlds. What they expect plays no part.
pub fn ask_alike(a: &mut Scenario, b: &mut Scenario) {
    let claims = claims(&Sides { a, b });
    let witnesses = Sides { a: witnesses(a, b), b: witnesses(b, a) };
    let is_refinement_asked = a.refines.is_some() || b.refines.is_some();
    let is_every_number_asked = a.any_size.is_some() || b.any_size.is_some();
    for (scenario, claims, witnesses) in [(a, claims.a, witnesses.a), (b, claims.b, witnesses.b)] {
        scenario.claims = claims.into_iter().map(|claim| (claim, Expected::Holds)).collect();
        scenario.witnesses = witnesses;
        let has_outline = scenario.world.detail.any() && not_of_outline(&scenario.world).is_none();
        scenario.refines = (is_refinement_asked && has_outline).then_some(Expected::Holds);
        scenario.any_size = is_every_number_asked.then(AnySizeFile::default);
        (scenario.states, scenario.transitions) = (None, None);
    }
}

/// Lets both keep the history that either keeps, where they have the same details: their sizes can
/// be compared then.
pub fn keep_alike(a: Scenario, b: Scenario) -> [Scenario; 2] {
    if a.world.detail != b.world.detail {
        return [a, b];
    }
    let (of_a, of_b) = (a.world.history, b.world.history);
    [a.with_history(of_b), b.with_history(of_a)]
}

/// The claims of both scenarios' own that have one name and different texts.
pub(super) fn other_claims(scenarios: &Sides<&Scenario>) -> Vec<String> {
    let own = scenarios.map(|it| it.table().get("own").and_then(Value::as_table).cloned());
    let (Some(a), Some(b)) = (own.a, own.b) else { return Vec::new() };
    let is_other = |(name, text): &(&String, &Value)| b.get(*name).is_some_and(|it| it != *text);
    a.iter().filter(is_other).map(|(name, _)| name.clone()).collect()
}

fn claims(scenarios: &Sides<&mut Scenario>) -> Sides<Vec<&'static Claim>> {
    let asked = |it: &Scenario| it.claims.iter().map(|(claim, _)| *claim).collect::<Vec<_>>();
    let (a, b) = (asked(scenarios.a), asked(scenarios.b));
    if a.is_empty() && b.is_empty() {
        let all = || deathwatch_claims::all_with(scenarios.a.world.detail);
        let both = all().filter(|it| it.lacks(scenarios.b.world.detail).is_none());
        let both: Vec<&'static Claim> = both.collect();
        return Sides { a: both.clone(), b: both };
    }
    let with = |own: &[&'static Claim], of: &Scenario, others: &[&'static Claim]| {
        let is_new = |it: &&&'static Claim| own.iter().all(|known| known.name != it.name);
        let is_about = |it: &&&'static Claim| {
            deathwatch_claims::named(it.name).is_some() && it.lacks(of.world.detail).is_none()
        };
        let more = others.iter().filter(is_new).filter(is_about);
        own.iter().chain(more).copied().collect()
    };
    Sides { a: with(&a, scenarios.a, &b), b: with(&b, scenarios.b, &a) }
}

/// The witnesses of a scenario, then those of the other one that its world can be asked: a rule of
/// the other one's own has another number here, or is not there.
fn witnesses(of: &Scenario, other: &Scenario) -> Vec<Clause> {
    let here = |clause: &Clause| {
        if clause.rule != Rule::Own {
            return Some(*clause);
        }
        let name = other.world.clause_name(*clause);
        let mut own = of.world.own_rules.clauses();
        own.find(|(_, known)| *known == name).map(|(clause, _)| clause)
    };
    let mut witnesses = of.witnesses.clone();
    for clause in other.witnesses.iter().filter_map(here) {
        if !witnesses.contains(&clause) {
            witnesses.push(clause);
        }
    }
    witnesses
}
