//! A candidate: a world, and a run in it that violates the claim.

use std::{iter, sync::Arc};

use deathwatch_claims::{Claim, ClaimKind, Monitor};
use deathwatch_model::{
    action::{Act, Action},
    actor::Client,
    ids::UserId,
    rows::{Row, RowKind},
    state::State,
    world::World,
};
use deathwatch_scenario::{describe, scenario::Scenario};
use toml::Table;

use super::{
    elements::{Renamed, renamed_line},
    own,
    replay::{Criterion, Execution, ViolatingRun},
};

/// A world and a run in it that violates the claim.
#[derive(Clone)]
pub(super) struct ShrinkCandidate {
    /// The tables of its scenario file.
    pub(super) table: Table,
    /// The scenario that was read from them.
    pub(super) scenario: Arc<Scenario>,
    /// The document that violates the claim, if the claim is about what must follow.
    pub(super) subject: Option<Row>,
    /// The run, each step of which is possible.
    pub(super) steps: Vec<Action>,
}

impl ShrinkCandidate {
    /// An execution at the start of the scenario.
    pub(super) fn execution(&self, criterion: Criterion) -> Execution<'_> {
        let Scenario { world, start, .. } = &*self.scenario;
        Execution::begin(world, start, criterion.of(&self.scenario), self.subject)
    }

    /// The same run in the world that `table` describes; `None` if that is no world, or the run
    /// does not violate the claim in it. Steps are carried over by name; those about entities that
    /// do not exist there are left out. A world that violates a claim at its start would explain
    /// nothing, so it is no candidate.
    pub(super) fn moved(
        &self,
        table: Table,
        renamed: &Renamed,
        criterion: Criterion,
    ) -> Option<Self> {
        let table = own::renamed(table, renamed)?;
        let mut scenario = Arc::new(self.scenario.with_table(&table).ok()?);
        if criterion.claim.lacks(scenario.world.detail).is_some() {
            return None;
        }
        if !scenario.world.history.has_all(criterion.claim.keeps()) {
            let keeping = Scenario::clone(&scenario).keeping(iter::once(criterion.claim));
            scenario = Arc::new(keeping);
        }
        let (old, new) = (&self.scenario.world, &scenario.world);
        let [one, other] = [&scenario, &self.scenario].map(|it| Begin::of(it, criterion));
        if !is_as_sound(&one, &other) {
            return None;
        }
        let line = |action: &Action| {
            let action = by_user_of(new, *action);
            new.read(&renamed_line(&old.show(&action), renamed)?).ok()
        };
        let steps: Vec<Action> = self.steps.iter().filter_map(line).collect();
        let subject = match self.subject {
            None => None,
            Some(subject) => {
                let name = renamed_line(&describe::subject(old, subject), renamed)?;
                Some(named(new, subject.kind(), &name)?)
            }
        };
        let candidate = Self { table, scenario, subject, steps };
        let ViolatingRun { steps, .. } =
            candidate.execution(criterion).violates(criterion, &candidate.steps)?;
        Some(Self { steps, ..candidate })
    }

    /// Another run in the same world, if that violates the claim.
    pub(super) fn with_steps(&self, steps: &[Action], criterion: Criterion) -> Option<Self> {
        let ViolatingRun { steps, .. } = self.execution(criterion).violates(criterion, steps)?;
        Some(Self { steps, ..self.clone() })
    }

    /// The whole run: its steps, and the ones that follow by themselves.
    pub(super) fn whole(&self, criterion: Criterion) -> Option<ViolatingRun> {
        self.execution(criterion).violates(criterion, &self.steps)
    }
}

struct Begin<'a> {
    world: &'a World,
    start: &'a State,
    /// The claim, if it is one of the scenario's own.
    own: Option<&'static Claim>,
}

impl<'a> Begin<'a> {
    fn of(scenario: &'a Scenario, criterion: Criterion) -> Self {
        let claim = criterion.of(scenario).claim;
        let own = claim.is_own().then_some(claim);
        Self { world: &scenario.world, start: &scenario.start, own }
    }

    /// The names of the claims about states that it decides.
    fn decided(&self) -> Vec<&'static str> {
        let mut decided = Vec::new();
        let is_kept = |claim: &&Claim| self.world.history.has_all(claim.keeps());
        let claims = deathwatch_claims::all().filter(is_kept).chain(self.own);
        Monitor::new(self.world, self.start, claims, &mut |claim, _| decided.push(claim.name));
        decided
    }
}

/// Whether each claim about states that the start of `one` violates or reaches, is violated or
/// reached at the start of `other`, too.
fn is_as_sound(one: &Begin<'_>, other: &Begin<'_>) -> bool {
    let mut found = one.decided();
    if !found.is_empty() {
        let known = other.decided();
        found.retain(|claim| !known.contains(claim));
    }
    found.is_empty()
}

/// The action as a user of `world` does it: the first one, if there is no such user.
fn by_user_of(world: &World, action: Action) -> Action {
    match action.act {
        Act::Txn(Client::User(id), act) if world.user_ids().all(|known| known != id) => {
            Action { act: Act::Txn(Client::User(UserId::FIRST), act), ..action }
        }
        _ => action,
    }
}

/// The document that a candidate keeps for `claim`: `subject`, if the claim is about what must
/// follow.
pub(super) fn subject_of(claim: &Claim, subject: Row) -> Option<Row> {
    (claim.kind() == ClaimKind::Leads).then_some(subject)
}

/// The subject of this kind and name.
fn named(world: &World, kind: RowKind, name: &str) -> Option<Row> {
    kind.rows(world).find(|subject| describe::subject(world, *subject) == name)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use deathwatch_model::store::Touched;
    use deathwatch_scenario::scenario::parse;

    use super::*;

    fn world(relations: &str) -> Scenario {
        let text = format!(
            "shows = \"A test.\"\n[world.machines]\n0 = {{ jobs = [\"manage-model\"] }}\n1 = {{}}\n\
             [world.applications]\nwordpress.units = [\"1\"]\n[world.relations]\n{relations}"
        );
        parse(Path::new("test.toml"), text).expect("a scenario")
    }

    #[test]
    fn a_world_is_sound_if_it_violates_nothing_more_at_its_start() {
        let sound = world("\"wordpress:cluster\" = {}\n");
        let lacking = world("\"wordpress:cluster\" = { exists = false }\n");
        let mut wrong = lacking.clone();
        let unit = wrong.world.unit_named("wordpress/0").expect("there is one");
        wrong.start.store.unit_docs_mut(unit, &mut Touched::new()).unit = None;
        let criterion = Criterion {
            claim: deathwatch_claims::all().next().expect("there are some"),
            is_managed: false,
            root: None,
        };
        let at = |scenario: &Scenario| Begin::of(scenario, criterion).decided().len();
        assert_eq!((at(&sound), at(&lacking)), (0, 1));
        assert!(at(&wrong) > 1);
        let all = [&sound, &lacking, &wrong];
        for (index, one) in all.into_iter().enumerate() {
            for (than, other) in all.into_iter().enumerate() {
                let [one, other] = [one, other].map(|it| Begin::of(it, criterion));
                assert_eq!(is_as_sound(&one, &other), index <= than, "{index} and {than}");
            }
        }
    }
}
