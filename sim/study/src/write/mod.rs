//! Counterexamples as scenario files: a run that was found is written as a script.
//!
//! The file has the world of the scenario in which the run was found, and expects the documents to
//! be as the run leaves them. It loads and replays. With the claims that the run violates it is a
//! regression test: it is as expected while they are violated, and not once they hold.

mod start;

pub use start::start;

use std::{borrow::Cow, fmt::Write as _};

use deathwatch_claims::Claim;
use deathwatch_documents::Begins;
use deathwatch_model::{
    action::Action, agents, ids::EntityId, life::Life, rows::RowKind, state::State, world::World,
};
use deathwatch_scenario::{
    describe,
    escape::{escape, escape_quoted},
    replay::{self, Interpreter},
    scenario::{CLEANUPS, Expected, ExpectedOutcome, Scenario, cleanups, described},
};
use toml::{Table, Value};

use crate::verdict::Judged;

/// The tables of a scenario that describe its world and its permissions.
pub const KEPT: [&str; 9] =
    ["variants", "detail", "world", "user", "faults", "assume", "rule", "switch-off", "start"];

/// A table that asks nothing. Without one and without expectations, no claim may be violated.
pub const NO_CLAIMS: &str = "\n[claims]\n";

/// The last line of a script after which nobody has anything to do.
const NOBODY_ACTS: &str = "run all => no-op\n";

/// A run as a scenario file. `steps` follow the script of `base`, unless the run `begins` before
/// it; the steps of `cycle`, if there are any, are repeated for ever after them. `shows` is its
/// sentence.
pub fn to_scenario_text(
    base: &Scenario,
    shows: &str,
    begins: Begins,
    steps: &[Action],
    cycle: &[Action],
) -> String {
    // A run of no steps is a script, too, if nobody can act.
    let end = if steps.is_empty() && cycle.is_empty() { NOBODY_ACTS } else { "" };
    let text = run_text(base, shows, begins, &UnwrittenRun { steps, cycle, end });
    let is_script = text.contains("\nsteps = ") || text.contains("\nloop = ");
    if is_script && text.contains("\n[expect]\n") { text } else { text + NO_CLAIMS }
}

/// The run by which `judged` is violated as a scenario file that expects it to be violated; `None`
/// if no run shows that.
pub fn to_regression_text(base: &Scenario, shows: &str, judged: &Judged) -> Option<String> {
    let (trace, rendered) = (judged.finding.trace.as_ref()?, judged.rendered.as_ref()?);
    let end = if rendered.quiescent { NOBODY_ACTS } else { "" };
    let run = UnwrittenRun { steps: &trace.steps, cycle: &trace.cycle, end };
    let text = run_text(base, shows, rendered.begins, &run);
    let expected = match judged.claim() {
        Some(claim) => expecting(base, &[(claim, Expected::Violated.of_seeds(claim))]),
        None => format!("{NO_CLAIMS}\n[check]\nrefines = false\n"),
    };
    Some(text + &expected)
}

/// The run from the start of `base` on that takes `steps`, as a scenario file that expects this
/// answer.
pub fn to_answered_text(
    base: &Scenario,
    shows: &str,
    steps: &[Action],
    answer: (&'static Claim, Expected),
) -> String {
    let run = UnwrittenRun { steps, cycle: &[], end: "" };
    run_text(base, shows, Begins::BeforeScript, &run) + &expecting(base, &[answer])
}

/// The tables that expect these answers to claims.
pub fn expecting(base: &Scenario, claims: &[(&'static Claim, Expected)]) -> String {
    let file = base.table();
    let own: Table = claims.iter().flat_map(|(claim, _)| own(&file, claim)).collect();
    let claims = claims.iter().map(|(claim, it)| (claim.name.to_owned(), it.name().into()));
    let mut text = String::new();
    section("own", &own, &mut text);
    section("claims", &claims.collect(), &mut text);
    text
}

/// The table of the scenario's own claims, with no other than `claim`.
pub fn own(file: &Table, claim: &Claim) -> Table {
    let own = file.get("own").and_then(Value::as_table);
    let entry = own.and_then(|own| Some((claim.name.to_owned(), own.get(claim.name)?.clone())));
    entry.into_iter().collect()
}

struct UnwrittenRun<'a> {
    steps: &'a [Action],
    /// The steps that are then repeated for ever.
    cycle: &'a [Action],
    /// The line with which its script ends.
    end: &'a str,
}

fn run_text(base: &Scenario, shows: &str, begins: Begins, run: &UnwrittenRun<'_>) -> String {
    let file = base.table();
    let (mut first, mut script) = (base.start.clone(), String::new());
    if begins == Begins::AfterScript {
        first = replay::replay(base).map_or(first, |replay| replay.state);
        script.push_str(file.get("steps").and_then(Value::as_str).unwrap_or_default().trim());
    }
    if !script.is_empty() {
        script.push_str("\n# From here on, what was found:\n");
    }
    let mut interpreter = Interpreter::new(&base.world, first);
    perform(&mut interpreter, run.steps, &mut script);
    let tasks = agents::assumed_tasks(&base.world);
    // Somebody may be able to act, and not have to.
    if tasks.iter().all(|task| interpreter.first_enabled(*task).is_none()) {
        script.push_str(run.end);
    }
    let shows = shows.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut text = format!("shows = {}\n", string(&shows));
    let mut again = String::new();
    perform(&mut interpreter, run.cycle, &mut again);
    for (key, script) in [("steps", script), ("loop", again)] {
        if !script.is_empty() {
            let _ = write!(text, "{key} = \"\"\"\n{}\"\"\"\n", escaped(&script));
        }
    }
    kept(&file, &mut text);
    section("expect", &expect(&base.world, &base.start, &interpreter.state), &mut text);
    text
}

/// A scenario file of the world of `base`, which begins in `state` and asks the same claims. `None`
/// if a transaction is pending there, as no table can say that.
pub fn to_start_text(base: &Scenario, shows: &str, state: &State) -> Option<String> {
    let start = start(&base.world, &described(base), state)?;
    let mut file = base.table();
    file.insert("start".to_owned(), start.into());
    let mut text = format!("shows = {}\n", string(shows));
    kept(&file, &mut text);
    for name in ["own", "claims"] {
        if let Some(Value::Table(table)) = file.get(name) {
            section(name, table, &mut text);
        }
    }
    let asks_nothing = base.claims.is_empty() && !text.contains(NO_CLAIMS);
    Some(if asks_nothing { text + NO_CLAIMS } else { text })
}

/// Whether a claim of the scenario reads the history up to `state`, which no table can give.
pub fn needs_history(scenario: &Scenario, state: &State) -> bool {
    let kinds = RowKind::ALL.into_iter().filter(|kind| kind.is_history());
    let mut rows = kinds.flat_map(|kind| kind.rows(&scenario.world));
    scenario.claims.iter().any(|(claim, _)| !claim.keeps().is_empty())
        && rows.any(|row| !state.is_same(row, &scenario.start))
}

/// Writes the tables that describe the world and its permissions.
fn kept(file: &Table, text: &mut String) {
    for name in KEPT {
        if let Some(Value::Table(table)) = file.get(name) {
            let before = text.len();
            section(name, table, text);
            // An empty world is one, too, and every scenario has a world.
            if name == "world" && text.len() == before {
                text.push_str("\n[world]\n");
            }
        }
    }
}

/// Does `actions`, and writes a line for each.
fn perform(interpreter: &mut Interpreter<'_>, actions: &[Action], script: &mut String) {
    for action in actions {
        let outcome = interpreter.step(*action, None);
        script.push_str(&interpreter.world.show(action));
        if let Some(outcome) = ExpectedOutcome::to_be_written(action.act, outcome) {
            let _ = write!(script, " => {outcome}");
        }
        script.push('\n');
    }
}

/// A script as the inside of a multi-line string, which three quotes in a row would end.
fn escaped(script: &str) -> String {
    let mut text = String::with_capacity(script.len());
    for letter in script.chars() {
        match letter {
            '\\' => text.push_str("\\\\"),
            '"' if text.ends_with("\"\"") => text.push_str("\\\""),
            letter => text.push(letter),
        }
    }
    escape_quoted(&text).into_owned()
}

/// A text in one line as a string.
fn string(text: &str) -> String {
    if let Cow::Borrowed(text) = escape(text) {
        return Value::from(text).to_string();
    }
    key(text)
}

/// A key in quotes, or a text as a string: in one line, as a key has to be. `Value` takes several
/// where there are both kinds of quotes.
pub fn key(text: &str) -> String {
    // What JSON makes of it is a basic string of TOML, too.
    escape_quoted(&serde_json::Value::from(text).to_string()).into_owned()
}

/// Writes a table: its values a line each, then the tables of `[world]`, whose entries are a line
/// each in turn.
fn section(name: &str, table: &Table, text: &mut String) {
    let is_section = |value: &Value| name == "world" && value.is_table();
    // A world without machines has to say so.
    let is_said = name == "world.machines" || table.values().any(|value| !is_section(value));
    if is_said {
        let _ = write!(text, "\n[{name}]\n");
    }
    for (key, value) in table.iter().filter(|(_, value)| !is_section(value)) {
        let _ = writeln!(text, "{} = {value}", written(key));
    }
    for (key, value) in table.iter().filter(|(_, value)| is_section(value)) {
        if let Value::Table(entries) = value {
            section(&format!("{name}.{}", written(key)), entries, text);
        }
    }
}

/// A key, in quotes where it needs them.
fn written(name: &str) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { key(name) }
}

/// The documents after the run, except those that were Alive at its start and still are.
fn expect(world: &World, start: &State, state: &State) -> Table {
    let mut expect = Table::new();
    let names = |wanted: &dyn Fn(Option<Life>, Option<Life>) -> bool| -> Vec<Value> {
        let subjects = EntityId::all(world).filter(|it| wanted(it.life(start), it.life(state)));
        subjects.map(|subject| Value::from(describe::bare_name(world, subject))).collect()
    };
    let mut list = |key: &str, names: Vec<Value>| {
        if !names.is_empty() {
            expect.insert(key.to_owned(), names.into());
        }
    };
    let lives = [Some(Life::Alive), Some(Life::Dying), Some(Life::Dead), None];
    for life in lives {
        // What was Alive before, or had no document, and is so now, goes without saying.
        let is_new = |was: Option<Life>| match life {
            Some(Life::Alive) => was.is_none(),
            Some(Life::Dying | Life::Dead) => true,
            None => was.is_some(),
        };
        list(Life::word(life), names(&|was, is| is == life && is_new(was)));
    }
    let cleanups = cleanups(world, state).into_iter();
    list(CLEANUPS, cleanups.map(|doc| Value::from(doc.name(world))).collect());
    let mut scopes = Table::new();
    for id in world.relation_ids() {
        let scope = state.store.scope(id);
        if !scope.is_empty() {
            let units = scope.iter().map(|unit| Value::from(world.unit(unit).name.as_str()));
            scopes.insert(world.relation(id).name.clone(), units.collect::<Vec<_>>().into());
        }
    }
    if !scopes.is_empty() {
        expect.insert("in-scope".to_owned(), scopes.into());
    }
    expect
}
