//! The reader of scenario files.

use std::{fs, path::Path, sync::Arc};

use deathwatch_claims::Claim;
use deathwatch_model::{
    state::State,
    variants::{VariantError, Variants},
    world::{Details, FaultKind, KeptHistory, World, WorldBuilder},
};
use serde::Deserialize as _;
use toml::{Spanned, Table, de::DeTable};

use super::{
    Address, Expected, Scenario, ScriptStep, Simulate,
    address::unreadable,
    also, charm,
    claims::{self, ExpectedAnswers},
    commands, constraints, detail, display, drawn, expand, expect, faults, finding,
    form::{File, VariantsFile, WorldFile},
    idle::IdleIn,
    names::{Names, with_suggestion},
    needs,
    not_understood::not_understood,
    own,
    own_rules::{self, OwnClauses},
    place::ScenarioLines,
    series, set, simulate, start, steps,
    vacuity::PossibleEvents,
    world,
};
use crate::{
    input::{self, LARGEST_SCENARIO},
    problem::{Problem, Text, nearest},
};

/// Reads the scenario at `address`.
///
/// # Errors
/// If there is no scenario. The problem says where, and what was expected.
pub fn load(address: impl Into<Address>) -> Result<Scenario, Problem> {
    let address = address.into();
    let source = source(&address.file)?;
    parse_part(&address, source, address.also.as_ref())
}

/// Calls `each` with each of these addresses, and with a reader of the scenario there, which does
/// as [`load`] does. A file is read once for those that stand beside each other in the list.
pub fn load_each(
    addresses: &[Address],
    mut each: impl FnMut(&Address, &dyn Fn() -> Result<Scenario, Problem>),
) {
    for of_one_file in addresses.chunk_by(|one, next| one.file == next.file) {
        let whole = source(&of_one_file[0].file)
            .and_then(|source| text(&of_one_file[0], source.into(), None));
        let parsed = whole.as_ref().ok().and_then(|text| parsed(text).ok());
        for address in of_one_file {
            each(address, &|| match (&whole, &parsed) {
                (Ok(whole), Some(parsed)) => {
                    let mut text = whole.clone();
                    let also = address.also.as_ref();
                    text.part = also.map(|name| parsed.part(&text, name)).transpose()?;
                    scenario_in(address, &text, parsed)
                }
                // It says what is wrong.
                _ => load(address.clone()),
            });
        }
    }
}

/// The file of a text, parsed.
fn parsed(text: &Text) -> Result<also::ParsedFile<'_>, Problem> {
    also::ParsedFile::new(text, &|error| not_understood(text, error))
}

/// The text of the file at `path`.
pub(super) fn source(path: &Path) -> Result<String, Problem> {
    let kind = fs::metadata(path);
    if let Some(kind) = kind.ok().filter(|kind| !kind.is_file()) {
        let what = if kind.is_dir() { "a folder" } else { "not an ordinary file" };
        let message = format!("{} is {what}, where a scenario file is expected", display(path));
        return Err(Problem::new(message));
    }
    let bytes = input::read(path, LARGEST_SCENARIO).map_err(|error| unreadable(path, &error))?;
    decode(path, bytes)
}

/// Reads the scenario that `source` is, as if it were in the file at `path`.
///
/// # Errors
/// If it is not a scenario. The problem says where, and what was expected.
pub fn parse(path: &Path, source: impl Into<Arc<str>>) -> Result<Scenario, Problem> {
    parse_again(&path.into(), source)
}

/// The scenario in `source`, under the address of the one that it is made of, so that it keeps the
/// name.
///
/// # Errors
/// If it is none. The problem says where, and what was expected.
pub fn parse_again(address: &Address, source: impl Into<Arc<str>>) -> Result<Scenario, Problem> {
    parse_part(address, source, None)
}

/// The bytes as text.
fn decode(path: &Path, bytes: Vec<u8>) -> Result<String, Problem> {
    String::from_utf8(bytes).map_err(|error| {
        let (at, bytes) = (error.utf8_error().valid_up_to(), error.as_bytes());
        let text = Text::new(display(path), String::from_utf8_lossy(bytes).into());
        match bytes.iter().position(|byte| *byte == 0) {
            Some(nul) => binary(&text, nul.min(at)),
            None => {
                text.problem(&(at..at), "this is not UTF-8 text", "no letter begins with this byte")
            }
        }
    })
}

/// The problem that the file is binary, as it has a byte of zero at `at`.
fn binary(text: &Text, at: usize) -> Problem {
    text.problem(&(at..at), "this is a binary file, not a scenario", "text was expected")
}

fn is_unprintable(letter: char) -> bool {
    letter.is_ascii_control() && !"\n\r\t".contains(letter)
}

/// Reads `scenario` again, after a change of the text of its file.
///
/// # Errors
/// If it is none any more. The problem says where, and what was expected.
pub fn reread(scenario: &Scenario, source: String) -> Result<Scenario, Problem> {
    let part = scenario.text.part.as_ref();
    parse_part(&scenario.address, source, part.map(|part| &part.name))
}

/// Reads `scenario` again, with these variants whatever its file says of them. What its file says
/// of the number of its states is about another world.
///
/// # Errors
/// If there is no such world, or if its steps are about another one.
pub fn with_variants(before: &Scenario, set: &[(&str, &str)]) -> Result<Scenario, Problem> {
    let mut text = before.text.clone();
    text.set.extend(set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    let again = scenario(&before.address, &text)?;
    Ok(Scenario { states: None, transitions: None, any_size: None, ..again })
}

/// Reads the scenario at `address`, which is in the file of `scenario`, from the text of that.
///
/// # Errors
/// If there is none. The problem says where, and what was expected.
pub fn beside(scenario: &Scenario, address: &Address) -> Result<Scenario, Problem> {
    parse_part(address, Arc::clone(&scenario.text.source), address.also.as_ref())
}

/// Reads the scenario at `address`, which `source` describes with its table `also` of this name.
fn parse_part(
    address: &Address,
    source: impl Into<Arc<str>>,
    also: Option<&Arc<str>>,
) -> Result<Scenario, Problem> {
    scenario(address, &text(address, source.into(), also)?)
}

/// The text of the file of `address`, and which part of it is read.
pub(super) fn text(
    address: &Address,
    source: Arc<str>,
    also: Option<&Arc<str>>,
) -> Result<Text, Problem> {
    let mut text = Text::new(display(&address.file), source);
    checked(&text)?;
    if let Some(name) = also {
        text.part = Some(parsed(&text)?.part(&text, name)?);
    }
    Ok(text)
}

/// Checks that this is text, and not an empty one.
fn checked(text: &Text) -> Result<(), Problem> {
    if let Some(at) = text.source.find('\0') {
        return Err(binary(text, at));
    }
    if let Some(at) = text.source.find(is_unprintable) {
        let message = "a control character does not belong into a scenario";
        return Err(text.problem(&(at..at + 1), message, "text was expected"));
    }
    if text.source.trim().is_empty() {
        let problem = text.problem(&(0..0), "the file is empty", "a scenario was expected here");
        return Err(problem.with_help("begin with what it shows: shows = \"…\""));
    }
    Ok(())
}

/// The file that `text` is.
pub(super) fn file(text: &Text) -> Result<File, Problem> {
    file_of(text, parsed(text)?.document(text)?)
}

fn file_of(text: &Text, document: Spanned<DeTable<'_>>) -> Result<File, Problem> {
    let file = File::deserialize(toml::Deserializer::from(document));
    file.map_err(|error| not_understood(text, &error))
}

/// The file that `text` is, as a table.
pub(super) fn table(text: &Text) -> Table {
    let document = parsed(text).and_then(|it| it.document(text)).ok();
    document
        .and_then(|it| Table::deserialize(toml::Deserializer::from(it)).ok())
        .unwrap_or_default()
}

/// Reads the scenario that `text` is.
pub(super) fn scenario(address: &Address, text: &Text) -> Result<Scenario, Problem> {
    scenario_in(address, text, &parsed(text)?)
}

fn scenario_in(
    address: &Address,
    text: &Text,
    parsed: &also::ParsedFile<'_>,
) -> Result<Scenario, Problem> {
    let document = parsed.document(text)?;
    let places = ScenarioLines::of(text, document.get_ref(), &parsed.lines);
    let mut file = file_of(text, document)?;
    // A rule keeps its number where a file is written anew, which has its tables in any order.
    file.rule.0.sort_by(|(one, _), (other, _)| one.value.cmp(&other.value));
    if file.shows.value.trim().is_empty() || file.shows.value.trim().contains('\n') {
        let label = "one sentence was expected";
        return Err(text.problem(&file.shows.span, "it must say what the scenario shows", label));
    }
    expand::expand(text, &mut file.world)?;
    let (mut world, names) = world::read(text, &file.world)?;
    world.variants = variants(text, &file.variants)?;
    world.detail = detail::read(text, &file.detail)?;
    world.faults = faults::read(text, &file.faults, &world, &names)?;
    world.retries = retries(text, &file.world, world.detail)?;
    hooks(text, &file.world, &world)?;
    needs::check_machines(text, &file.world, world.detail)?;
    charm::read(text, &file.world, &mut world)?;
    series::read(text, &file.world, &names, &mut world)?;
    constraints::read(text, &file.world, &mut world)?;
    world.assumptions = file.assume.assumptions();
    let own_clauses = OwnClauses(&file.rule);
    claims::switch_off(text, &file.switch_off, own_clauses, &names, &mut world)?;
    world.more_users = commands::take_sessions(text, &mut file.user)?;
    world.commands = commands::read(text, &file.user, &world, &names)?;
    let world = own_rules::read(text, &file.rule, world.build())?;
    let own = own::read(text, &file.own, &world)?;
    let steps = steps::read(text, file.steps.as_ref(), &world)?;
    let again = steps::read(text, file.again.as_ref(), &world)?;
    let mut claims = claims::expected_answers(text, &file, &own, &steps, world.detail)?;
    let simulate = simulate::read(text, file.simulate.as_ref(), &world, &own)?;
    let of_seeds = claims_of_seeds(&claims, &simulate, &steps, world.detail);
    let asked = claims.iter().chain(&of_seeds).map(|(claim, _)| *claim);
    let world = with_history(world, history_of(asked));
    let mut start = start::build(text, &file.world, &world, &names)?;
    let is_inconsistent = match &file.start {
        None => false,
        Some(file) => set::apply(text, file, &world, &names, &mut start)?,
    };
    let script = [&steps[..], &again[..]].concat();
    let possible = PossibleEvents::of(&world, &start, file.start.is_none(), &script);
    let vacuous = claims::vacuous(file.claims.as_ref(), &mut claims, &possible);
    let commands = commands::named(text, &file.user, &world, &names)?;
    let idle_in = IdleIn { world: &world, start: &start, script: &script };
    let mut idle = idle_in.all(&commands);
    idle.extend(idle_in.claims(&own));
    idle.extend(idle_in.settings());
    // Seeds have faults and commands of their own, and `[start]` names what is not there any more.
    if file.simulate.is_none() && file.start.is_none() {
        idle.extend(idle_in.limits(&file.world));
    }
    let scenario = Scenario {
        address: address.clone(),
        name: address.name(),
        text: text.clone(),
        shows: file.shows.value.trim().to_owned(),
        finding: finding::read(text, file.finding.as_ref(), &claims)?,
        rules: claims::rules(text, &file.rules, own_clauses)?,
        steps,
        again,
        expect: expect::read(text, &file.expect, &world, &names, &start)?,
        claims,
        vacuous,
        witnesses: claims::witnesses(text, &file.witnesses, own_clauses)?,
        any_size: file.check.any_size,
        states: file.check.states,
        transitions: file.check.transitions,
        refines: detail::refines(text, &file.check, &world)?,
        simulate,
        is_inconsistent,
        idle,
        places,
        world,
        start,
    };
    drawn::check(text, file.simulate.as_ref(), &scenario)?;
    Ok(scenario)
}

/// The claims that seeds are asked, each with the answer that is expected of all of them together:
/// those that `[simulate]` names, or those of the scenario. Where there are none, and no script
/// alone is the answer, seeds are asked all.
pub(super) fn claims_of_seeds(
    claims: &ExpectedAnswers,
    simulate: &Simulate,
    steps: &[ScriptStep],
    details: Details,
) -> ExpectedAnswers {
    let asked = simulate.claims.as_ref().unwrap_or(claims).iter();
    let asked: Vec<_> = asked.map(|(claim, it)| (*claim, it.of_seeds(claim))).collect();
    let is_script = !steps.is_empty() && !simulate.is_given;
    if asked.is_empty() && !is_script {
        return deathwatch_claims::all_with(details).map(|it| (it, Expected::Holds)).collect();
    }
    asked
}

/// The history that these claims read.
pub(super) fn history_of(claims: impl Iterator<Item = &'static Claim>) -> KeptHistory {
    claims.fold(KeptHistory::default(), |kept, claim| kept | claim.keeps())
}

/// The world, with this history, too.
pub(super) fn with_history(world: World, kept: KeptHistory) -> World {
    let all = world.history | kept;
    if world.history.has_all(kept) { world } else { world.changed(|it| it.history = all) }
}

/// The state that `[world]` alone describes, in which `scenario` begins but for its `[start]`.
pub fn described(scenario: &Scenario) -> State {
    described_in(scenario, &scenario.world).0
}

/// The start of `scenario` and that of its outline. Where `[start]` sets a field that only details
/// have, both are as `[world]` alone describes them.
pub fn starts(scenario: &Scenario, outline: &World) -> [State; 2] {
    let (mut state, file, names) = described_in(scenario, outline);
    let described = state.clone();
    let text = &scenario.text;
    let applied = file.start.map(|file| set::apply(text, &file, outline, &names, &mut state));
    match applied {
        None | Some(Ok(_)) => [scenario.start.clone(), state],
        Some(Err(_)) => [self::described(scenario), described],
    }
}

/// The state of `world` that the table `[world]` of `scenario` describes, with the file as it was
/// read.
fn described_in(scenario: &Scenario, world: &World) -> (State, File, Names) {
    let text = &scenario.text;
    let read = || {
        let mut file = file(text).ok()?;
        expand::expand(text, &mut file.world).ok()?;
        let (_, names) = world::read(text, &file.world).ok()?;
        let state = start::build(text, &file.world, world, &names).ok()?;
        Some((state, file, names))
    };
    read().expect("it was read before")
}

fn variants(text: &Text, file: &VariantsFile) -> Result<Variants, Problem> {
    let mut variants = Variants::default();
    for (name, value) in file.0.iter() {
        match variants.set(&name.value, &value.value) {
            Ok(()) => {}
            Err(VariantError::UnknownVariant) => {
                let known = Variants::LIST.iter().map(|variant| variant.name);
                let message = format!("no such variant: `{}`", name.value);
                let problem = text.problem(&name.span, message, "a variant was expected");
                return Err(with_suggestion(problem, &name.value, known));
            }
            Err(VariantError::UnknownValue(values)) => {
                let message = format!("`{}` has no value `{}`", name.value, value.value);
                let label = format!("expected {}", values.join(" or "));
                let problem = text.problem(&value.span, message, &label);
                let near = nearest(&value.value, values.iter().copied());
                return Err(near.into_iter().fold(problem, Problem::with_help));
            }
        }
    }
    Ok(variants)
}

/// Refuses a world in which hooks can fail and there are none.
fn hooks(text: &Text, file: &WorldFile, world: &WorldBuilder) -> Result<(), Problem> {
    let hooks = match &file.hooks {
        Some(hooks) if !hooks.value => hooks,
        Some(hooks) if world.detail.workflow => {
            let message = "here a unit's hooks are those of its workflow";
            return Err(text.problem(&hooks.span, message, "nothing was expected"));
        }
        Some(_) | None => return Ok(()),
    };
    let kinds = [FaultKind::HookFailure, FaultKind::UnitHookFailure];
    let on = kinds.into_iter().find(|kind| world.faults.switch(*kind).is_on());
    let Some(kind) = on else { return Ok(()) };
    let message = "hooks can fail in this world, so it has some";
    let problem = text.problem(&hooks.span, message, "true, or nothing, was expected");
    Err(problem.with_help(format!("leave out `hooks`, or the fault {}", kind.key())))
}

/// The number of times that a failed transition is tried again.
fn retries(text: &Text, file: &WorldFile, details: Details) -> Result<u8, Problem> {
    let Some(retries) = &file.retries else { return Ok(u8::from(details.workflow)) };
    if !details.workflow {
        let message = "transitions are tried again only where the detail `workflow` is on";
        let problem = text.problem(&retries.span, message, "not expected here");
        return Err(problem.with_help(detail::how_to_switch_on("workflow")));
    }
    Ok(u8::try_from(world::number(text, retries, 0..=3)?).unwrap_or(3))
}
