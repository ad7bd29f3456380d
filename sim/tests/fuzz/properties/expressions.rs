//! Conditions in CEL, in a world of 1,000 units: read or refused, and evaluated, in time.
//!
//! They are wrapped level by level, so most of them have a meaning, however deep they are. Without
//! a bound, their evaluation takes time that doubles with each level.

use std::{
    path::Path,
    sync::{
        LazyLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use deathwatch_language::{Error, Expression, ExpressionKind};
use deathwatch_model::rows::RowKind;
use deathwatch_scenario::{Scenario, scenario::parse};
use proptest::{
    collection::vec, prelude::*, sample::select, strategy::Strategy, test_runner::TestRunner,
};

use super::{check, in_time};

pub static EVALUATED: AtomicUsize = AtomicUsize::new(0);

static WORLD: LazyLock<Scenario> = LazyLock::new(|| {
    let text = r#"
shows = "A test."
[world.machines]
0 = { jobs = ["manage-model"] }
"1..=1000" = {}
[world.applications]
wordpress = { units = ["1..=500"] }
mysql = { units = ["501..=1000"] }
[world.relations]
"wordpress:db mysql:server" = { entered = ["wordpress/*"] }
"#;
    parse(Path::new("test.toml"), text).expect("a scenario")
});

/// Wrappers of a condition, which stands at `{}`; `#` is the number of the level.
const WRAPPERS: [&str; 14] = [
    "!{}",
    "({} && quiescent)",
    "(quiescent || {})",
    "({} ? true : quiescent)",
    "(quiescent ? {} : false)",
    "({} == true)",
    "true in [{}, false]",
    "units.all(v#, {})",
    "machines.exists(v#, v#.exists && {})",
    "relations.exists_one(v#, {})",
    "units.map(v#, {}).size() > 1",
    "relations.filter(v#, {}).exists(w#, w#.exists && size(w#.in_scope) > 1)",
    "unit('mysql/0').scopes.all(v#, relation(v#).exists && {})",
    "size(scopes.filter(v#, {})) * 2 - 1 > 3",
];

/// The links of a chain of lists.
const LINKS: [&str; 4] =
    [".filter(u, u.exists)", ".map(u, u)", ".filter(u, true)", ".filter(u, u.life != 'dead')"];

const INNER: [&str; 6] = [
    "true",
    "quiescent",
    "units.all(u, u.exists)",
    "units.exists(u, u.name == 'é')",
    "machines.exists(m, m.manager && m.life == 'alive')",
    "unit('wordpress/499').machine == '500'",
];

/// A condition in up to 44 equal wrappers, or in up to 11 random ones.
fn conditions() -> impl Strategy<Value = String> {
    let inner = select(&INNER[..]).prop_map(str::to_owned);
    let chain = vec(select(&LINKS[..]), 0..60).prop_map(|links| {
        let links: String = links.concat();
        format!("units{links}.size() > 1")
    });
    let mixed = vec(select(&WRAPPERS[..]), 0..12);
    let same = (select(&WRAPPERS[..]), 0..45_usize).prop_map(|(it, times)| vec![it; times]);
    let wrapped = (prop_oneof![inner, chain], prop_oneof![mixed, same]);
    wrapped.prop_map(|(condition, wrappers)| {
        wrappers.iter().enumerate().fold(condition, |condition, (level, wrapper)| {
            wrapper.replace('#', &level.to_string()).replace("{}", &condition)
        })
    })
}

/// Evaluates a condition for all its subjects.
fn evaluate(form: ExpressionKind, text: &str) -> Result<(), Error> {
    let Scenario { world, start, .. } = &*WORLD;
    let expression = Expression::new(world, form, text)?;
    match form.each() {
        None => drop(expression.holds(world, start, None)),
        Some(kind) => kind.rows(world).for_each(|row| {
            expression.holds(world, start, Some(row));
        }),
    }
    EVALUATED.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

/// Any condition is refused with a place in it, or has a value, in time.
pub fn nested(runner: &mut TestRunner) -> Result<(), String> {
    let kinds = vec![None, Some(RowKind::Unit), Some(RowKind::Relation)];
    check(runner, &(conditions(), select(kinds)), |(text, each)| {
        in_time(|| {
            if let Err(error) = evaluate(ExpressionKind::State(each), &text) {
                prop_assert!(error.span.end <= text.len(), "{error:?}");
                prop_assert!(text.is_char_boundary(error.span.start), "{error:?}");
                prop_assert!(!error.message.is_empty() && !error.expected.is_empty());
            }
            Ok(())
        })
    })
}
