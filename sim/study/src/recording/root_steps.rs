//! Root steps: the step that made each root of a decision, and the steps between its plan and its
//! commit.

use deathwatch_documents::run::{Decision, Kind, Pending, RootStep, Step, StepOutcome, Table};

/// The steps that made the roots of `answer`, as far as the run is known.
pub(super) fn of(
    answer: &Decision,
    (steps, pending): (&[Step], &[Pending]),
    kinds: &Table<Kind>,
) -> Vec<RootStep> {
    let roots = answer.wait_for.iter().flat_map(|graph| &graph.roots).enumerate();
    let made = roots.filter_map(|(root, named)| {
        let number = usize::try_from(named.since?).ok()?;
        let step = steps.iter().find(|it| it.of_all.unwrap_or(it.number) == number)?;
        let number = step.number;
        let ended = || step.ends.iter().copied().find(|index| pending[*index].from > 0);
        let commits = (step.outcome == StepOutcome::Committed).then(ended).flatten();
        let between = commits.map_or(0..0, |index| pending[index].from..number - 1);
        let others = steps[between].iter().filter(|it| it.act.actor != step.act.actor);
        let meanwhile = others.filter(|it| is_about(it, &named.entities, kinds));
        let meanwhile = meanwhile.map(|it| it.number).collect();
        Some(RootStep { root, step: number, commits, meanwhile })
    });
    made.collect()
}

/// Whether a step changes a row of one of these entities; their names are as in "unit mysql/0".
fn is_about(step: &Step, entities: &[String], kinds: &Table<Kind>) -> bool {
    step.changes.iter().any(|change| {
        let about = kinds.get(&change.document.kind);
        let about = about.into_iter().flat_map(|kind| kind.entities(&change.document.name));
        let mut names = about.map(|(tier, name)| format!("{} {name}", tier.word()));
        names.any(|it| entities.contains(&it))
    })
}
