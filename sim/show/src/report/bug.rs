//! The page of the relation-scope bug: which fix helps against which faults, and the story of the
//! bug.
//!
//! The table is derived from the worlds of the folder: a row is a combination of variants, a column
//! is what may go wrong. One world may decide several cells: what holds in it holds where less may
//! go wrong, and a run that violates a claim does so where more may go wrong.

use deathwatch_claims::Claim;
use deathwatch_model::{
    clause::Clause,
    world::{CommandKind, World},
};
use deathwatch_scenario::scenario::Expected;
use minijinja::{Value, context};

use super::{
    AnsweredScenario, Counterexample,
    claims::begins_as_usual,
    settings, story,
    template::render,
    trouble::Trouble::{self, Crashes, Hardware, Races},
};

/// The folder of the scenarios that the page is about.
pub(super) const FOLDER: &str = "relation-scope-bug";
/// The variants that make a row, and the value of each.
const VARIANTS: [&str; 4] =
    ["relation-tracking", "undeployed-unit-not-alive", "dead-while-in-scope", "directory-written"];
/// The columns: the faults of a world with one unit a side.
const COLUMNS: [&[Trouble]; 4] = [&[], &[Crashes], &[Hardware], &[Crashes, Hardware, Races]];
/// The number of lines of a run.
const MOST_LINES: usize = 12;

pub(super) fn page(answered: &[AnsweredScenario]) -> String {
    let mut worlds: Vec<&AnsweredScenario> =
        answered.iter().filter(|it| it.folder() == FOLDER).collect();
    worlds.sort_by_key(|it| row(it).map(|(rank, _)| rank));
    let rows = worlds.chunk_by(|one, other| row(one) == row(other));
    let rows: Vec<Value> = rows.map(row_data).collect();
    let is_default = |it: &AnsweredScenario, at: usize| row(it)[at].0 == 0;
    let is_as_written = |it: &AnsweredScenario| row(it).iter().all(|(rank, _)| *rank == 0);
    let is_fixed =
        |it: &AnsweredScenario| !is_default(it, 0) && (1..4).all(|at| is_default(it, at));
    let is_dead = |it: &AnsweredScenario| !is_default(it, 0) && !is_default(it, 2);
    let data = context! {
        rows,
        worlds => worlds.iter().map(|it| story::scenario(it)).collect::<Vec<_>>(),
        hardware => shown(&worlds, |it, run| is_as_written(it) && run.troubles == [Hardware]),
        crash => shown(&worlds, |it, run| is_as_written(it) && run.troubles == [Crashes]),
        fixed => shown(&worlds, |it, _| is_fixed(it)),
        dead => shown(&worlds, |it, _| is_dead(it)),
        ..widest(&worlds)
    };
    render(include_str!("pages/relation-scope-bug.md"), data)
}

/// The largest world with two units a side in which all claims hold though transactions interleave,
/// with its changes, destructions and faults.
fn widest(worlds: &[&AnsweredScenario]) -> Value {
    let is_meant = |it: &&&AnsweredScenario| {
        let world = &it.scenario.world;
        has_two_units_a_side(world) && Trouble::of(world).contains(&Races) && holds(it)
    };
    let widest = worlds.iter().filter(is_meant).max_by_key(|it| it.figures.map(|it| it.states));
    let Some(it) = widest else { return context! { widest => () } };
    let world = &it.scenario.world;
    let settings = settings::Settings::of(world);
    let commands = world.commands.iter().map(|it| format!("`{}`", world.show_command(it.command)));
    let changes = world.variants.changed().map(settings::shown);
    context! {
        widest => story::scenario(it),
        changes => changes.collect::<Vec<_>>().join(", "),
        commands => commands.collect::<Vec<_>>(),
        faults => settings.faults(),
    }
}

/// The values of the variants that make a row, each with its place among those of the variant.
fn row(it: &AnsweredScenario) -> [(usize, &'static str); 4] {
    let variants = &it.scenario.world.variants;
    VARIANTS.map(|name| {
        let mut all = variants.values().zip(variants.positions());
        let found = all.find(|((info, _), _)| info.name == name);
        let ((_, value), position) = found.expect("it is the name of a variant");
        (position, value)
    })
}

/// A row of the table, of worlds with the same variants.
fn row_data(worlds: &[&AnsweredScenario]) -> Value {
    let (many, one): (Vec<&AnsweredScenario>, Vec<&AnsweredScenario>) =
        worlds.iter().partition(|it| has_two_units_a_side(&it.scenario.world));
    let columns = COLUMNS.iter().map(|may| cell_data(&one, Some(may)));
    let cells: Vec<Vec<Value>> = columns.chain([cell_data(&many, None)]).collect();
    let every = any_size_data(worlds);
    let values = row(worlds[0]).map(|(rank, value)| context! { rank, value });
    context! { values, cells, every }
}

fn has_two_units_a_side(world: &World) -> bool {
    world.applications.iter().all(|it| it.units.len() > 1)
}

/// The answers of the worlds that decide a cell: a violation in a world with no more faults, or
/// else a proof in one with at least as many.
fn cell_data(worlds: &[&AnsweredScenario], may: Option<&[Trouble]>) -> Vec<Value> {
    let decides = |it: &&&AnsweredScenario| match (it.shortest_removal(), may) {
        (Some(_), None) => true,
        (None, None) => holds(it),
        (Some(run), Some(may)) => run.troubles.iter().all(|it| may.contains(it)),
        (None, Some(may)) => {
            let here = Trouble::of(&it.scenario.world);
            holds(it) && may.iter().all(|it| here.contains(it))
        }
    };
    let mut deciding: Vec<&&AnsweredScenario> = worlds.iter().filter(decides).collect();
    deciding.sort_by_key(|it| {
        (it.shortest_removal().is_none(), is_narrow(it), it.figures.map(|it| it.states))
    });
    // One world for each answer is enough; what holds where less is destroyed adds nothing to what
    // holds anyway.
    deciding.dedup_by_key(|it| it.shortest_removal().is_some());
    let data = deciding.iter().map(|it| {
        let is_violated = it.shortest_removal().is_some();
        let is_narrow = !is_violated && is_narrow(it);
        context! { is_violated, is_narrow, ..story::scenario(it) }
    });
    data.collect()
}

/// The answers for every number of units: of a world that violates a removal with some number, the
/// smallest one, and of those in which all that is asked holds, the one in which most may go wrong.
fn any_size_data(worlds: &[&AnsweredScenario]) -> Vec<Value> {
    let removals: Vec<&str> = Claim::removals().map(|claim| claim.name).collect();
    let asked = worlds.iter().filter_map(|it| Some((*it, it.any_size.as_ref()?)));
    let is_removal = |claim: &String| removals.contains(&claim.as_str());
    let violated = asked.clone().filter_map(|(it, any_size)| {
        let with = any_size.violated.iter().filter(|it| is_removal(&it.claim));
        Some((with.map(|it| &it.units).min_by_key(|it| it.iter().sum::<usize>())?, it))
    });
    let violated = violated
        .min_by_key(|(units, it)| (units.iter().sum::<usize>(), it.figures.map(|it| it.states)));
    let holds = asked.filter(|(it, any_size)| {
        let wanted = it.claims(Expected::Holds);
        let mut wanted = wanted.iter().filter(|it| removals.contains(&it.name)).peekable();
        holds(it)
            && wanted.peek().is_some()
            && wanted.all(|it| any_size.hold.iter().any(|claim| claim == it.name))
    });
    let holds = holds.max_by_key(|(it, any_size)| {
        let troubles = Trouble::of(&it.scenario.world).len();
        (!is_narrow(it), troubles, any_size.views)
    });
    let violated = violated.map(|(units, it)| {
        let units: Vec<String> = units.iter().map(ToString::to_string).collect();
        let units = units.join("+");
        context! { is_violated => true, units, is_narrow => false, ..story::scenario(it) }
    });
    let holds = holds.map(|(it, any_size)| {
        let is_narrow = is_narrow(it);
        let views = any_size.views;
        context! { is_violated => false, views, is_narrow, ..story::scenario(it) }
    });
    violated.into_iter().chain(holds).collect()
}

/// Whether only relations are destroyed in a world.
fn is_narrow(it: &AnsweredScenario) -> bool {
    let mut commands = it.scenario.world.commands.iter();
    commands.all(|it| it.command.kind() == CommandKind::DestroyRelation)
}

/// Whether a claim about removal holds in a world, under no more than the usual assumptions and
/// from its beginning, and none was found violated.
fn holds(it: &AnsweredScenario) -> bool {
    let answers = || Claim::removals().filter_map(|claim| it.answer(claim));
    let settings = settings::Settings::of(&it.scenario.world);
    settings.assumptions.is_empty()
        && begins_as_usual(&it.scenario)
        && answers().any(|it| it == Expected::Holds)
        && answers().all(|it| it != Expected::Violated)
}

/// The shortest run of these in which something is not removed, as the page tells it.
fn shown(
    worlds: &[&AnsweredScenario],
    is_meant: impl Fn(&AnsweredScenario, &Counterexample) -> bool,
) -> Option<Value> {
    let runs = worlds.iter().filter_map(|it| Some((*it, it.shortest_removal()?)));
    let meant = runs.filter(|(it, run)| is_meant(it, run));
    let (it, run) = meant.min_by_key(|(it, run)| (run.len(), it.figures.map(|it| it.states)))?;
    Some(context! {
        clauses => clauses(run),
        world => story::scenario(it),
        ..story::excerpt(it, run, MOST_LINES)
    })
}

/// The clauses that a run carries out, each once, with their texts.
fn clauses(run: &Counterexample) -> Vec<Value> {
    let clauses = run.trace.clauses();
    let mut known: Vec<Clause> = clauses.iter().filter_map(|it| Clause::named(it)).collect();
    known.sort_unstable();
    let infos = known.into_iter().filter_map(|clause| Some((clause, clause.info()?)));
    let data = infos.map(|(clause, info)| {
        context! { name => clause.to_string(), says => info.says, source => info.source }
    });
    data.collect()
}
