//! The claims and clauses that a scenario names.

use deathwatch_claims::Claim;
use deathwatch_model::{
    actor::Actor,
    clause::{Clause, Rule},
    ids::EntityId,
    world::{Details, WorldBuilder},
};

use super::{
    Expected, ScriptStep,
    detail::how_to_switch_on,
    form::ClaimsFile,
    form::{File, SwitchOffFile},
    names::{Names, duplicate, no_duplicates, with_suggestion},
    own_rules::OwnClauses,
    vacuity::PossibleEvents,
    value::{Located, Map},
};
use crate::{
    describe,
    problem::{Problem, Text},
};

/// The answer that is expected to a claim of a list.
pub fn expected_of(claims: &[(&'static Claim, Expected)], claim: &Claim) -> Option<Expected> {
    let known = claims.iter().find(|(known, _)| known.name == claim.name);
    known.map(|(_, expected)| *expected)
}

/// The clauses that a scenario is about; a rule stands for all its clauses.
pub(super) fn rules(
    text: &Text,
    names: &[Located<String>],
    own: OwnClauses<'_>,
) -> Result<Vec<Clause>, Problem> {
    no_duplicates(text, names)?;
    let mut clauses = Vec::new();
    for name in names {
        let new = match protocol_rule(&name.value) {
            None => vec![clause(text, name, own)?],
            Some(rule) => {
                let numbers = rule.clauses().iter().map(|info| info.number);
                numbers.map(|number| Clause { rule, number }).collect()
            }
        };
        clauses
            .extend(new.into_iter().filter(|clause| !clauses.contains(clause)).collect::<Vec<_>>());
    }
    Ok(clauses)
}

/// The clauses that must be carried out; a rule stands for its first clause.
pub(super) fn witnesses(
    text: &Text,
    names: &[Located<String>],
    own: OwnClauses<'_>,
) -> Result<Vec<Clause>, Problem> {
    let mut clauses = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let clause = match protocol_rule(&name.value) {
            None => clause(text, name, own)?,
            Some(rule) => Clause { rule, number: 1 },
        };
        if let Some(first) = clauses[..index].iter().position(|earlier| *earlier == clause) {
            return Err(duplicate(text, name, &names[first].span));
        }
        clauses.push(clause);
    }
    Ok(clauses)
}

/// Switches clauses of `world` off.
pub(super) fn switch_off(
    text: &Text,
    file: &SwitchOffFile,
    own: OwnClauses<'_>,
    names: &Names,
    world: &mut WorldBuilder,
) -> Result<(), Problem> {
    no_duplicates(text, &file.clauses)?;
    not_everywhere(text, &file.clauses, own)?;
    for name in &file.clauses {
        let (clause, place) = placed(text, name, own)?;
        match place {
            None => world.without.insert(clause),
            Some(place) => {
                let entity = names.subject(text, &place)?;
                can_be_placed(text, (name, &place), clause, entity)?;
                world.without_at.push((clause, entity));
            }
        }
    }
    no_duplicates(text, &file.asserts)?;
    for name in &file.asserts {
        world.unasserted.insert(asserting(text, name)?);
    }
    no_duplicates(text, &file.neglected)?;
    not_everywhere(text, &file.neglected, own)?;
    for name in &file.neglected {
        let (clause, by) = placed(text, name, own)?;
        if !is_duty(clause) && !own.is_duty(clause) {
            let message = format!("{} is nobody's duty", name.value);
            let problem = text.problem(&name.span, message, "a duty of an agent was expected");
            let help = "unit-agent.N, machine-agent.N, provisioner.N or cleaner.N";
            return Err(problem.with_help(help));
        }
        world.neglected.insert(clause);
        if let Some(by) = by {
            let agent = neglectful(text, &by, names)?;
            has_duty(text, &by, clause, agent)?;
            world.neglected_by.push((clause, agent));
        }
    }
    Ok(())
}

/// The agent that neglects a duty: the one of a unit or a machine.
fn neglectful(text: &Text, name: &Located<String>, names: &Names) -> Result<Actor, Problem> {
    let (kind, entity) = name.value.split_once(' ').unwrap_or(("", &name.value));
    let at = Located { value: entity.trim().to_owned(), span: name.span.clone() };
    let found = match kind {
        "" | "unit-agent" | "machine-agent" => names.subject(text, &at)?,
        _ => {
            let message = format!("`{}` is no agent", name.value);
            let label = "unit-agent UNIT or machine-agent MACHINE was expected";
            return Err(text.problem(&name.span, message, label));
        }
    };
    match (kind, found) {
        ("" | "unit-agent", EntityId::Unit(id)) => Ok(Actor::UnitAgent(id)),
        ("" | "machine-agent", EntityId::Machine(id)) => Ok(Actor::MachineAgent(id)),
        _ => {
            let message = format!("`{}` has no such agent", at.value);
            let label = "unit-agent UNIT or machine-agent MACHINE was expected";
            Err(text.problem(&name.span, message, label))
        }
    }
}

/// Refuses an agent of another kind than the one whose duty a clause is.
fn has_duty(
    text: &Text,
    by: &Located<String>,
    clause: Clause,
    agent: Actor,
) -> Result<(), Problem> {
    let has_it = matches!(
        (clause.rule, agent),
        (Rule::UnitAgent, Actor::UnitAgent(_)) | (Rule::MachineAgent, Actor::MachineAgent(_))
    );
    // A rule of its own says itself whose duty it is.
    if has_it || clause.rule == Rule::Own {
        return Ok(());
    }
    let message = format!("{clause} is no duty of `{}`", by.value);
    let problem = text.problem(&by.span, message, "an agent with this duty was expected");
    Err(problem.with_help("without the name of an agent, whoever has the duty neglects it"))
}

/// A clause, and the place or the agent behind it.
fn placed(
    text: &Text,
    name: &Located<String>,
    own: OwnClauses<'_>,
) -> Result<(Clause, Option<Located<String>>), Problem> {
    let first = name.value.split(' ').next().unwrap_or_default();
    if own.named(&name.value).is_some() || Clause::named(first).is_none() {
        return Ok((clause(text, name, own)?, None));
    }
    let rest = name.value[first.len()..].trim();
    let from = name.value.len() - rest.len();
    let part =
        |value: &str, span| Located { value: value.to_owned(), span: text.inside(name, &span) };
    let found = clause(text, &part(first, 0..first.len()), own)?;
    Ok((found, (!rest.is_empty()).then(|| part(rest, from..name.value.len()))))
}

/// Checks that no clause is named with a place and without one, which says all that the first does.
fn not_everywhere(
    text: &Text,
    names: &[Located<String>],
    own: OwnClauses<'_>,
) -> Result<(), Problem> {
    for name in names {
        let (clause, Some(_)) = placed(text, name, own)? else { continue };
        let is_all = |it: &&Located<String>| matches!(placed(text, it, own), Ok((all, None)) if all == clause);
        if let Some(all) = names.iter().find(is_all) {
            let message = format!("`{}` says no more than `{}`", name.value, all.value);
            let problem = text.problem(&name.span, message, "for one");
            return Err(problem.with_label(all.span.clone(), "for all"));
        }
    }
    Ok(())
}

/// Checks that a clause can be off at one place: that it is asked about where that is known, and
/// can be about an entity of this kind.
fn can_be_placed(
    text: &Text,
    (name, place): (&Located<String>, &Located<String>),
    clause: Clause,
    entity: EntityId,
) -> Result<(), Problem> {
    let (kinds, kind) = (kinds_of_places(clause), describe::kind(entity));
    if kinds.contains(&kind) {
        return Ok(());
    }
    if kinds.is_empty() {
        let message = format!("{clause} is on or off for all");
        return Err(text.problem(&name.span, message, "the clause alone was expected"));
    }
    let message = format!("{clause} is never about the {kind} `{}`", place.value);
    let label = format!("expected: {}", kinds.join(" or "));
    Err(text.problem(&place.span, message, &label))
}

/// The kinds of entities for which a clause can be switched off. That takes a place where the
/// entity is known: in a plan, or in the duty behind an act. Clauses that an agent reads before it
/// knows its next act have none.
fn kinds_of_places(clause: Clause) -> &'static [&'static str] {
    let Clause { rule, number } = clause;
    match rule {
        Rule::SetModelConstraints
        | Rule::Settings
        | Rule::Charm
        | Rule::Workflow
        | Rule::Provisioner
        | Rule::Operator
        | Rule::Own => &[],
        Rule::EnterScope if number >= 7 => &[],
        Rule::AssignUnit if number == 4 => &[],
        Rule::AddUnit if number == 5 => &[],
        Rule::UnitAgent if matches!(number, 14..=24) => &[],
        Rule::MachineAgent if number >= 6 => &[],
        Rule::RelationHooks if number != 7 => &[],
        Rule::AddMachine
        | Rule::DestroyModel
        | Rule::SetMachineDead
        | Rule::RecordInstance
        | Rule::FailStart
        | Rule::Resolved
        | Rule::ResolvedConstraints => &["machine"],
        Rule::SetConfig
        | Rule::UpgradeCharm
        | Rule::ForceUpgradeCharm
        | Rule::Expose
        | Rule::Unexpose
        | Rule::SetConstraints => &["application"],
        Rule::AssignUnit
        | Rule::DestroyMachine
        | Rule::ForceDestroyMachine
        | Rule::RemoveMachine
        | Rule::MachineAgent => &["machine", "unit"],
        Rule::SetUnitDead | Rule::ForceDestroyUnit | Rule::UnitAgent | Rule::RelationHooks => {
            &["unit", "relation"]
        }
        Rule::Deploy | Rule::Integrate | Rule::DestroyRelation => &["application", "relation"],
        Rule::AddUnit => &["application", "unit", "machine"],
        Rule::EnterScope | Rule::LeaveScope => &["unit", "relation", "application"],
        Rule::DestroyApplication | Rule::RemoveApplication => &["application", "unit", "relation"],
        Rule::DestroyUnit | Rule::RemoveUnit | Rule::Cleaner => {
            &["unit", "machine", "application", "relation"]
        }
    }
}

/// A clause of a transaction, which may have asserts.
pub(super) fn asserting(text: &Text, name: &Located<String>) -> Result<Clause, Problem> {
    let none = Map::default();
    let clause = clause(text, name, OwnClauses(&none))?;
    if !clause.rule.is_operation() {
        let message = format!("{} is a duty of an agent and asserts nothing", name.value);
        return Err(text.problem(&name.span, message, "a clause of a transaction was expected"));
    }
    Ok(clause)
}

/// Whether the clause is a duty of an agent. The operator is no agent.
fn is_duty(clause: Clause) -> bool {
    let is_agent =
        !clause.rule.is_operation() && !matches!(clause.rule, Rule::Operator | Rule::Own);
    is_agent && !clause.is_guard()
}

/// The rule of the protocol that is called so.
fn protocol_rule(name: &str) -> Option<Rule> {
    Rule::named(name).filter(|rule| *rule != Rule::Own)
}

/// The clause that is called so: one of the protocol, or a rule of the scenario's own.
fn clause(text: &Text, name: &Located<String>, own: OwnClauses<'_>) -> Result<Clause, Problem> {
    let of_protocol = Clause::named(&name.value).filter(|it| it.rule != Rule::Own);
    if let Some(clause) = own.named(&name.value).or(of_protocol) {
        return Ok(clause);
    }
    let problem = |message| {
        text.problem(&name.span, message, "a clause, such as remove-unit.4, was expected")
    };
    let (rule, number) = name.value.rsplit_once('.').unwrap_or((&name.value, ""));
    match (protocol_rule(rule), protocol_rule(&name.value)) {
        (_, Some(rule)) => {
            let message = format!("`{}` is a rule, of several clauses", rule.name());
            Err(problem(message).with_help(its_clauses(rule)))
        }
        (Some(rule), None) => {
            let message = format!("no such clause: `{}`", name.value);
            Err(problem(message).with_help(its_clauses(rule)))
        }
        (None, None) => {
            let mut known: Vec<String> = match number {
                "" => Rule::ALL.iter().map(|rule| rule.name().to_owned()).collect(),
                _ => Clause::all().map(|clause| clause.to_string()).collect(),
            };
            known.extend(own.names());
            let message = format!("no such clause or rule: `{}`", name.value);
            Err(with_suggestion(problem(message), &name.value, known.iter().map(String::as_str)))
        }
    }
}

fn its_clauses(rule: Rule) -> String {
    let (name, last) = (rule.name(), rule.clauses().len());
    format!("{name} has the clauses {name}.1 to {name}.{last}")
}

pub(super) type ExpectedAnswers = Vec<(&'static Claim, Expected)>;

/// The key that stands for every claim.
const ALL: &str = "all";

/// The claims to ask, and the answers expected. Without a table of claims, the `own` ones are
/// asked, and hold; without these, all claims are, which no run violates, unless the script has
/// expectations of its own.
pub(super) fn expected_answers(
    text: &Text,
    file: &File,
    own: &[&'static Claim],
    steps: &[ScriptStep],
    details: Details,
) -> Result<ExpectedAnswers, Problem> {
    if let Some(file) = &file.claims {
        return claims(text, file, own, details, Some(Expected::Holds));
    }
    if !own.is_empty() {
        return Ok(own.iter().map(|claim| (*claim, Expected::Holds)).collect());
    }
    let states_outcome = steps.iter().any(|step| step.outcome.is_some());
    let is_expected = !steps.is_empty() && (!file.expect.is_empty() || states_outcome);
    let all = deathwatch_claims::all_with(details).filter(|_| !is_expected);
    Ok(all.map(|claim| (claim, Expected::NotViolated)).collect())
}

/// The claims to check and the answers expected, in the order of all claims. The `own` claims of
/// the scenario follow, which hold `by_default` if there is an answer to give.
pub(super) fn claims(
    text: &Text,
    file: &ClaimsFile,
    own: &[&'static Claim],
    details: Details,
    by_default: Option<Expected>,
) -> Result<ExpectedAnswers, Problem> {
    let all: Vec<&'static Claim> =
        deathwatch_claims::all_with(details).chain(own.iter().copied()).collect();
    let mut expected: Vec<Option<Expected>> = vec![None; all.len()];
    expected[all.len() - own.len()..].fill(by_default);
    if let Some(answer) = file.all() {
        expected.fill(Some(answer));
    }
    for (name, answer) in file.named() {
        expected[position(text, name, &all, details)?] = Some(answer);
    }
    no_duplicates(text, &file.vacuous)?;
    for name in &file.vacuous {
        if let Some((first, _)) = file.named().find(|(named, _)| named.value == name.value) {
            return Err(duplicate(text, name, &first.span));
        }
        expected[position(text, name, &all, details)?] = Some(Expected::Vacuous);
    }
    let claims = all.into_iter().zip(expected);
    Ok(claims.filter_map(|(claim, answer)| Some((claim, answer?))).collect())
}

/// Expects those claims to be vacuous of which the world shows it and `file` says nothing but
/// "all". Returns every claim that is vacuous so, with the reason.
pub(super) fn vacuous(
    file: Option<&ClaimsFile>,
    answers: &mut ExpectedAnswers,
    possible: &PossibleEvents<'_>,
) -> Vec<(&'static Claim, String)> {
    let is_named = |claim: &Claim| {
        file.is_some_and(|file| file.named().any(|(name, _)| name.value == claim.name))
    };
    let is_by_all = file.is_some_and(|file| file.all().is_some());
    let mut reasons = Vec::new();
    for (claim, expected) in answers {
        let Some(reason) = possible.vacuous(claim) else { continue };
        if is_by_all && *expected == Expected::Holds && !is_named(claim) {
            *expected = Expected::Vacuous;
        }
        reasons.push((*claim, reason));
    }
    reasons
}

impl ClaimsFile {
    /// The answer that is expected to every claim that is not named.
    fn all(&self) -> Option<Expected> {
        self.answers.iter().find(|(name, _)| name.value == ALL).map(|(_, answer)| answer.value)
    }

    /// The claims that are named, with the answers expected.
    fn named(&self) -> impl Iterator<Item = (&Located<String>, Expected)> {
        let named = self.answers.iter().filter(|(name, _)| name.value != ALL);
        named.map(|(name, answer)| (name, answer.value))
    }
}

/// The index of the claim called `name`.
fn position(
    text: &Text,
    name: &Located<String>,
    all: &[&'static Claim],
    details: Details,
) -> Result<usize, Problem> {
    if let Some(index) = all.iter().position(|claim| claim.name == name.value) {
        return Ok(index);
    }
    let lacks = deathwatch_claims::named(&name.value).and_then(|claim| claim.lacks(details));
    if let Some(detail) = lacks {
        let message = format!("the claim is about the detail `{detail}`");
        let problem = text.problem(&name.span, message, "this world does not have it");
        return Err(problem.with_help(how_to_switch_on(detail)));
    }
    let message = format!("no such claim: `{}`", name.value);
    let problem = text.problem(&name.span, message, "a claim, or `all`, was expected");
    let known = all.iter().map(|claim| claim.name);
    Err(with_suggestion(problem, &name.value, known.chain([ALL])))
}
