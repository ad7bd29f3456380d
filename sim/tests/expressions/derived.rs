//! Data derived from expressions: closures, which have the values of the tree; facts about subjects
//! that follow from a life; and watched rows, without whose change no value changes.

use std::collections::BTreeSet;

use deathwatch_language::{
    Expression, ExpressionKind, KINDS, Reads, Recount, Subject, Trail, View,
};
use deathwatch_model::{
    history::History,
    ids::EntityId,
    protocol::{self, Effects},
    rows::{FieldSet, Row, RowKind},
    state::State,
    world::World,
};
use deathwatch_simulator::dice::Dice;

use super::{CONSTRAINED, DETAILED, generate::Generator, subjects};
use crate::common::{dice, good, worlds};

/// A random expression in a world, and two states of a random walk there: those before and after a
/// step, or two states some steps apart for an expression on states.
struct ExpressionCase<'a> {
    world: &'a World,
    form: ExpressionKind,
    text: &'a str,
    expression: &'a Expression,
    states: [&'a State; 2],
}

/// The number of expressions made in each world, of walks through it, and of steps between two
/// states of a case.
const EXPRESSIONS: usize = 400;
const WALKS: usize = 8;
const APART: usize = 5;

/// Makes random expressions in some worlds, and calls `see` with each in states of random walks.
fn each_case(mut dice: Dice, mut see: impl FnMut(&ExpressionCase<'_>)) {
    let others = [good(CONSTRAINED), good(DETAILED)];
    for scenario in worlds::scenarios().into_iter().chain(others) {
        let world = &scenario.world.keeping_all();
        let start = State { history: History::empty(world), ..scenario.start.clone() };
        let made: Vec<_> = (0..EXPRESSIONS).filter_map(|_| made(world, &mut dice)).collect();
        for _ in 0..WALKS {
            let states = walk(world, &start, 30, &mut dice);
            for (at, state) in states.iter().enumerate().skip(1).step_by(3) {
                for (form, text, expression) in &made {
                    let before = match form {
                        ExpressionKind::Step(_) => at - 1,
                        ExpressionKind::State(_) | ExpressionKind::Rule(_) => {
                            at.saturating_sub(APART)
                        }
                    };
                    let (form, states) = (*form, [&states[before], state]);
                    see(&ExpressionCase { world, form, text, expression, states });
                }
            }
        }
    }
}

/// A random expression, if the text that was made has a meaning.
fn made(world: &World, dice: &mut Dice) -> Option<(ExpressionKind, String, Expression)> {
    let kinds: Vec<RowKind> = KINDS.into_iter().filter(|kind| kind.count(world) > 0).collect();
    let each = Some(kinds[dice.index(kinds.len())]).filter(|_| dice.index(4) > 0);
    let form = match dice.index(2) {
        0 => ExpressionKind::Step(each),
        _ => ExpressionKind::State(each),
    };
    let mut generator = Generator::of_all(world, form, dice);
    let text = match form {
        ExpressionKind::Step(Some(kind)) => generator.change(kind, 2),
        ExpressionKind::Step(None) | ExpressionKind::State(_) | ExpressionKind::Rule(_) => {
            generator.flag(3)
        }
    };
    let expression = Expression::new(world, form, &text).ok()?;
    Some((form, text, expression))
}

/// The states of a walk of at most `steps` random steps.
fn walk(world: &World, start: &State, steps: usize, dice: &mut Dice) -> Vec<State> {
    let mut states = vec![start.clone()];
    let (mut effects, mut enabled) = (Effects::default(), Vec::new());
    for _ in 0..steps {
        let mut state = states.last().expect("there is the first").clone();
        enabled.clear();
        protocol::enabled(world, &state, &mut enabled);
        if enabled.is_empty() {
            break;
        }
        let action = enabled[dice.index(enabled.len())];
        protocol::step(world, &mut state, action, &mut effects);
        states.push(state);
    }
    states
}

impl ExpressionCase<'_> {
    /// The view in which the expression is evaluated: a step, or the state after it.
    fn view<'a>(&'a self, recount: Option<&'a Recount>) -> View<'a> {
        let [before, after] = self.states;
        match self.form {
            ExpressionKind::Step(_) => View { world: self.world, states: [before, after], recount },
            ExpressionKind::State(_) | ExpressionKind::Rule(_) => {
                View { world: self.world, states: [after; 2], recount }
            }
        }
    }

    /// The subjects that the reverse dependencies lead to, from the rows that differ in a field
    /// that is read.
    fn led_to(&self, reads: &Reads) -> BTreeSet<Row> {
        let Self { world, states, .. } = *self;
        let recount = Recount::of(world, states[0]);
        let trail = Trail { world, states, recount: Some(&recount) };
        let kind = self.form.each().unwrap_or(WHOLE);
        let mut found = BTreeSet::new();
        for row in RowKind::ALL.into_iter().flat_map(|kind| kind.rows(world)) {
            let changed = states[1].differing(row, states[0], FieldSet::ALL);
            if reads.fields[row.kind() as usize].meet(changed) {
                for way in reads.ways_from(row.kind()) {
                    way.follow(&trail, row, kind, &mut |subject| found.extend([subject]));
                }
            }
        }
        found
    }
}

/// The kind of the subject that stands for the whole state.
const WHOLE: RowKind = RowKind::Upgrade;

/// The entity of a kind that a row's key names, if the row itself is no entity's.
fn named(row: Row, kind: RowKind) -> Option<Row> {
    let relation = row.relation().map(EntityId::Relation);
    let named = relation.into_iter().chain(row.actor()).find_map(|it| kind.of_entity(it));
    named.filter(|_| row.own_entity().is_none())
}

#[test]
fn closures_have_the_values_of_the_tree() {
    let (mut compared, mut held, mut known) = (0_u32, 0_u32, 0_u32);
    each_case(dice(11), |case| {
        let ExpressionCase { world, form, text, expression, states } = case;
        let recount = Recount::of(world, states[1]);
        for subject in subjects(world, form.each()) {
            for recount in [None, Some(&recount)] {
                let view = case.view(recount);
                let tree = expression.holds_by_tree(view, subject);
                let closure = expression.holds_in(view, subject);
                assert_eq!(closure, tree, "{text}\nof {subject:?}");
                compared += 1;
                held += u32::from(tree);
                let Some(row) = subject else { continue };
                let by_life = expression.known_by_life(Subject::of(row, states[1]).life);
                let by_named = RowKind::ENTITIES.into_iter().filter_map(|kind| {
                    let life = Subject::of(named(row, kind)?, states[1]).life;
                    expression.known_by_life_of(kind, life)
                });
                for holds in by_named.chain(by_life) {
                    assert_eq!(holds, tree, "{text}\nof {row:?} by a life");
                    known += 1;
                }
            }
        }
    });
    assert!(compared > 100_000, "only {compared} values are compared");
    assert!(held > compared / 10 && held < compared - compared / 10, "{held} of {compared} hold");
    assert!(known > 1000, "only {known} are known by a life");
}

#[test]
fn nothing_changes_without_what_is_watched() {
    let (mut changes, mut violated, mut narrow) = (0_u32, 0_u32, 0_u32);
    each_case(dice(13), |case| {
        let ExpressionCase { world, form, text, expression, states } = case;
        let [before, after] = *states;
        let all = subjects(world, form.each());
        let row = |subject: Option<Row>| subject.unwrap_or(Row::Upgrade);
        match form {
            ExpressionKind::State(_) | ExpressionKind::Rule(_) => {
                let found = case.led_to(expression.reads());
                for subject in all {
                    let [old, new] = [before, after].map(|it| expression.holds(world, it, subject));
                    if old != new {
                        assert!(found.contains(&row(subject)), "{text}\nof {subject:?}");
                        changes += 1;
                    }
                }
            }
            ExpressionKind::Step(_) => {
                let reads = expression.reads().clone().of_steps();
                let triggers = expression.triggers();
                let (found, watched) = (case.led_to(&reads), case.led_to(&triggers));
                narrow += u32::from(triggers != reads);
                for subject in all {
                    let holds = expression.holds_between(world, before, after, subject);
                    if !holds && found.contains(&row(subject)) {
                        assert!(watched.contains(&row(subject)), "{text}\nof {subject:?}");
                        violated += u32::from(triggers != reads);
                    }
                }
            }
        }
    });
    assert!(changes > 1000, "only {changes} values change");
    assert!(narrow > 1000, "only {narrow} expressions watch less than they read");
    assert!(violated > 100, "only {violated} of them are violated");
}
