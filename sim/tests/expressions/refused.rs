//! Expressions that are refused: the place of the mistake, and the possible corrections.

use deathwatch_language::{Error, Expression, ExpressionKind};
use deathwatch_model::rows::RowKind;

use crate::common::{MIXED, good};

fn refuse(form: ExpressionKind, text: &str) -> Error {
    let scenario = good(&format!("shows = \"A world.\"\n{MIXED}"));
    match Expression::new(&scenario.world, form, text) {
        Ok(_) => panic!("this should be refused: {text}"),
        Err(error) => error,
    }
}

/// Asserts that an expression is refused at this column, in these words.
#[track_caller]
fn refused(form: ExpressionKind, text: &str, column: usize, said: &str) {
    let error = refuse(form, text);
    let names = error.names.as_ref().map_or(&[][..], |(_, names)| names).join(", ");
    let all = format!("{}; {}; {names}", error.message, error.expected);
    assert_eq!((error.line_column(text), all.contains(said)), ((1, column), true), "{text}: {all}");
}

const UNIT: ExpressionKind = ExpressionKind::State(Some(RowKind::Unit));
const STATE: ExpressionKind = ExpressionKind::State(None);

#[test]
fn unknown_names_are_refused_with_those_that_there_are() {
    refused(UNIT, "it.lief == 'alive'", 4, "life, placement");
    refused(UNIT, "that.life == 'alive'", 1, "the subject is called `it`");
    refused(STATE, "it.life == 'alive'", 1, "a list of rows");
    refused(STATE, "unitz.all(u, u.exists)", 1, "units");
    refused(UNIT, "it.life != dying", 12, "did you mean \"dying\"?");
    refused(UNIT, "it.life == 'aliv'", 12, "\"alive\", \"dying\", \"dead\", \"gone\"");
    refused(UNIT, "it.machine == 'wordpress/0'", 15, "the name of a machine or \"none\"");
    refused(STATE, "unit('wordpress/9').exists", 6, "wordpress/0");
    refused(STATE, "unit('none').exists", 6, "there always is one");
    refused(STATE, "units.every(u, u.exists)", 7, "exists_one");
    refused(STATE, "unti('wordpress/0').exists", 1, "unit");
    refused(UNIT, "has(it.life)", 1, "`exists`");
    refused(STATE, "scope('wordpress:cluster', 'mysql/0').in_scope", 1, "does not concern");
    let step = ExpressionKind::Step(None);
    refused(step, "before.unitz.all(u, u.exists)", 8, "units");
    refused(step, "before.all(u, true)", 8, "no function `all`");
    refused(
        STATE,
        "manager_tasks.exists(t, t.pending == 'remove-unti wordpress/0')",
        38,
        "no such action",
    );
}

#[test]
fn what_means_nothing_in_a_form_is_not_suggested_there() {
    let suggested = |form: ExpressionKind| -> Vec<String> {
        let error = refuse(form, "befor == 1");
        let (_, names) = error.names.expect("an unknown name has suggestions");
        let of_time = ["before", "after", "state_before"];
        names.into_iter().filter(|name| of_time.contains(&name.as_str())).collect()
    };
    let sorted = |form| {
        let mut names = suggested(form);
        names.sort();
        names
    };
    assert_eq!(sorted(STATE), Vec::<String>::new());
    assert_eq!(sorted(UNIT), Vec::<String>::new());
    assert_eq!(sorted(ExpressionKind::Step(None)), ["after", "before"]);
    assert_eq!(
        sorted(ExpressionKind::Step(Some(RowKind::Unit))),
        ["after", "before", "state_before"]
    );
}

#[test]
fn what_a_world_or_a_form_does_not_have_is_refused() {
    refused(UNIT, "variant('settings-cleanap') == 'cleaner'", 9, "settings-cleanup");
    refused(UNIT, "variant('settings-cleanup') == 'cleanr'", 32, "last-leaver");
    refused(STATE, "unit_hooks('wordpress/0').retry", 1, "where the detail `hooks` is on");
    refused(STATE, "machines.all(m, m.asked_for)", 19, "is about a step");
}

#[test]
fn wrong_types_are_refused() {
    refused(UNIT, "it.life", 1, "this is one of");
    refused(UNIT, "it", 1, "this is a row `unit`");
    refused(UNIT, "it.deployed + 1 == 2", 1, "a number was expected");
    refused(UNIT, "it.subordinates", 1, "without a guard");
    refused(STATE, "units", 1, "this is a list");
    refused(STATE, "1 == true", 1, "a number is compared with true or false");
    refused(STATE, "'a' == 'b'", 1, "nothing tells what this names");
    refused(UNIT, "it == it", 1, "rows are compared by their names");
    refused(UNIT, "it.machine == it.application", 1, "is compared with");
    refused(STATE, "relations.all(r, 'wordpress' in r.in_scope)", 18, "the name of a unit");
    refused(STATE, "'x' in units", 8, "this is a list of rows");
    refused(STATE, "1 in 2", 6, "a list was expected");
    refused(STATE, "[true]", 1, "to the right of `in`");
    refused(STATE, "(true ? 1 : false) == 1", 13, "as in the other case");
    refused(STATE, "units.all(u, true, false)", 7, "has 3 arguments");
    refused(STATE, "units.all(1, true)", 11, "a variable");
    refused(STATE, "units.all(units, true)", 11, "means something else already");
}

#[test]
fn what_may_be_missing_has_to_be_guarded() {
    let good = |form, text: &str| {
        let scenario = good(&format!("shows = \"A world.\"\n{MIXED}"));
        Expression::new(&scenario.world, form, text)
            .unwrap_or_else(|error| panic!("{text}: {error:?}"));
    };
    let application = ExpressionKind::State(Some(RowKind::Application));
    refused(application, "it.units > 0", 1, "write `it.exists && …` before this");
    refused(application, "it.units > 0 && it.exists", 1, "without a guard");
    refused(application, "it.exists || it.units > 0", 14, "without a guard");
    refused(
        application,
        "!(it.exists && it.life == 'dying') && it.units > 0",
        39,
        "without a guard",
    );
    refused(application, "it.life != 'dying' && it.units > 0", 23, "without a guard");
    refused(application, "(it.exists ? 1 : it.units) > 0", 18, "without a guard");
    refused(UNIT, "machine_agent(it.machine).down", 1, "there may be no such row");
    refused(UNIT, "it.exists && machine(it.machine).manager", 14, "no such row");
    refused(
        STATE,
        "units.exists(u, u.exists) && units.all(u, size(u.subordinates) == 0)",
        48,
        "guard",
    );
    refused(
        ExpressionKind::Step(Some(RowKind::Application)),
        "!before.exists || after.units == before.units",
        19,
        "without a guard",
    );
    for text in [
        "it.exists && it.units > 0",
        "!it.exists || it.units > 0",
        "it.life == 'dying' && it.units > 0",
        "it.life == 'gone' || it.units > 0",
        "it.life in ['alive'] || it.life != 'gone' && it.units == 0",
        "(it.exists ? it.units : 0) > 0",
        "!(!it.exists || false) && it.units > 0",
        "(it.exists ? it.life == 'alive' : false) && it.units == it.relations",
    ] {
        good(application, text);
    }
    good(UNIT, "it.machine != 'none' && machine_agent(it.machine).down");
    good(UNIT, "machine_agent(it.machine).exists && machine_agent(it.machine).down");
    good(UNIT, "machine(it.machine).life == 'alive'");
    good(STATE, "units.filter(u, u.exists).all(x, size(x.subordinates) == 0)");
    good(STATE, "relations.all(r, r.in_scope.all(u, unit(u).life != 'dead'))");
}

#[test]
fn what_could_hang_or_overflow_is_refused() {
    refused(STATE, "9223372036854775808 == 1", 1, "is no number");
    refused(STATE, "9223372036854775807 + 1 == 1", 1, "which is no number any more");
    refused(STATE, "0 - 9223372036854775807 - 2 == 1", 1, "as little as -9223372036854775809");
    refused(STATE, "4 / 2 == 2", 3, "there is no division");
    let long = "!".repeat(5000);
    refused(STATE, &long, 1, "too long");
    refused(STATE, &format!("{}true{}", "(".repeat(100), ")".repeat(100)), 41, "too deeply");
    refused(STATE, &format!("{}true", "!".repeat(100)), 41, "too deeply");
    let nested = |list: &str, depth: usize| -> String {
        let all = (0..depth)
            .flat_map(|at| [list, ".all(x", ["0", "1", "2", "3", "4", "5", "6"][at], ", "]);
        all.collect()
    };
    let chain = format!("units{}.size() > 1", ".filter(u, u.exists)".repeat(45));
    refused(STATE, &chain, 725, "too deeply");
    let deep = nested("units", 7);
    refused(STATE, &format!("{deep}true{}", ")".repeat(7)), 95, "nested too deeply");
    let many = nested("scopes", 6);
    let many = format!("{many}true{}", ")".repeat(6));
    refused(STATE, &many, 1, "steps in this world");
    refused(STATE, &format!("false in [true, {many}]"), 1, "steps in this world");
}

#[test]
fn what_takes_too_many_steps_in_a_large_world_is_refused() {
    let large = good(
        "shows = \"A large world.\"\n[world.machines]\n\"0..=1000\" = {}\n\
         [world.applications]\nmysql.units = [\"1..=1000\"]\n",
    );
    let is_refused =
        |form: ExpressionKind, text: &str| match Expression::new(&large.world, form, text) {
            Ok(_) => false,
            Err(error) => {
                assert!(error.message.contains("steps in this world"), "{}", error.message);
                true
            }
        };
    let two = "units.all(a, units.exists(b, a.name == b.name))";
    let three = "units.all(a, units.all(b, units.all(c, true)))";
    let four = "units.all(a, units.all(b, units.all(c, units.all(d, true))))";
    assert!(!is_refused(STATE, two) && is_refused(STATE, three) && is_refused(STATE, four));
    assert!(is_refused(UNIT, two), "it is asked of each of 1,000 units");
    assert!(!is_refused(UNIT, "units.exists(a, a.name == it.name)"));
    assert!(!is_refused(UNIT, "it.scopes.all(a, size(relation(a).ends) < 3)"));
    let each = ExpressionKind::State(Some(RowKind::Machine));
    // Each unit is listed by one machine, but one may list them all.
    assert!(!is_refused(each, "it.exists && it.principals.all(a, unit(a).machine == it.name)"));
    let pairs = "it.exists && it.principals.all(a, it.principals.all(b, a == b))";
    assert!(!is_refused(each, pairs));
    let triples = "it.exists && it.principals.all(a, it.principals.all(b, a in it.principals))";
    assert!(is_refused(each, triples));
    let error = Expression::new(&large.world, UNIT, two).expect_err("it is refused");
    assert!(error.message.contains("for its 1000 subjects"), "{}", error.message);
}

#[test]
fn what_is_nested_is_checked_at_once() {
    let scenario = good(&format!("shows = \"A world.\"\n{MIXED}"));
    let read = |text: &str| match Expression::new(&scenario.world, STATE, text) {
        Ok(expression) => drop(expression.holds(&scenario.world, &scenario.start, None)),
        Err(error) => panic!("{text}: {error:?}"),
    };
    let nested = |inner: &str, before: &str, after: &str| {
        format!("{}{inner}{}", before.repeat(35), after.repeat(35))
    };
    read(&nested("quiescent", "(", " ? quiescent : true)"));
    read(&nested("quiescent", "(true ? ", " : quiescent)"));
    read(&format!("units{}.size() > 1", ".filter(u, u.exists)".repeat(35)));
    read(&format!("size(units{}) > 1", ".map(u, u)".repeat(35)));
}

#[test]
fn broken_syntax_is_refused_in_plain_words() {
    refused(STATE, "", 1, "the end is unexpected");
    refused(STATE, "true &&", 8, "a value was expected");
    refused(STATE, "true & false", 6, "`&&` was expected");
    refused(STATE, "1 = 1", 3, "`==` was expected");
    refused(STATE, "units.all(u, u.exists", 22, "`,` was expected");
    refused(STATE, "'abc", 1, "does not end");
    refused(STATE, "'a\\q' == 'b'", 3, "is no escape");
    refused(STATE, "true false", 6, "an operator or the end");
    refused(STATE, "1.5 == 1", 3, "a field or a macro");
    refused(STATE, "units[0].exists", 6, "no indices");
    refused(STATE, "for == 1", 1, "reserved");
    let error = refuse(STATE, "true &&\n  units.all(é, true)");
    assert_eq!(error.line_column("true &&\n  units.all(é, true)"), (2, 13));
}
