//! Worlds with random rules from tables of acts, refusals and fields: each short cut of the search
//! and of the simulator, compared with the long way.

use std::fmt::Write as _;

use deathwatch_claims::check::{
    self, Caching, CheckQuestion, CheckReport, FindingSubject, SearchSettings, Symmetry,
};
use deathwatch_model::{
    clause::{Clause, Clauses, Rule},
    operation::Operation,
    table::RowEnum as _,
    txn::Why,
};
use deathwatch_scenario::{Scenario, replay, scenario::parse};
use deathwatch_study::simulate::Simulation;

#[derive(Debug, Default)]
pub(crate) struct RuleTally {
    /// Worlds, and those in which some rule was carried out.
    pub(crate) worlds: usize,
    pub(crate) applied: usize,
    /// Worlds in which a state stood for others.
    pub(crate) reduced: usize,
    pub(crate) states: u64,
}

/// Pseudo-random numbers, the same for the same seed.
pub(crate) struct Draws(u64);

impl Draws {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound
    }

    fn one_of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    fn is_so(&mut self, per_cent: usize) -> bool {
        self.below(100) < per_cent
    }
}

/// The parts of worlds: applications and relations, with commands on them.
const WORLDS: &[(&str, &[&str])] = &[
    (
        "wordpress = { units = [\"1\", \"2\"] }\n",
        &["destroy-unit wordpress/*", "destroy-application wordpress", "destroy-machine *"],
    ),
    (
        "wordpress = { units = [\"1\"], most-units = 2 }\n",
        &["add-unit wordpress", "destroy-unit wordpress/*", "destroy-machine 1"],
    ),
    (
        "wordpress = { units = [\"1\"] }\nmysql = { units = [\"2\"] }\n[world.relations]\n\
         \"wordpress:db mysql:server\" = {}\n\"wordpress:cluster\" = {}\n",
        &[
            "destroy-relation wordpress:db mysql:server",
            "integrate wordpress:db mysql:server",
            "destroy-unit wordpress/0",
            "destroy-application mysql",
        ],
    ),
    (
        "wordpress = { units = [\"1\", \"2\"] }\nnrpe = { subordinate = true, most-units = 2 }\n\
         [world.relations]\n\"wordpress:info nrpe:info\" = { scope = \"container\" }\n",
        &["destroy-relation wordpress:info nrpe:info", "destroy-unit wordpress/*"],
    ),
];

/// Conditions on a row of a kind, without facts that only an agent remembers.
const OF_UNITS: &[&str] = &[
    "it.life == \"alive\"",
    "it.life == \"dying\"",
    "it.exists && it.subordinates.size() == 0",
    "it.scopes.size() == 0",
    "it.machine == \"1\"",
    "it.machine != \"none\" && machine(it.machine).life == \"alive\"",
    "units.filter(x, x.life == \"alive\").size() > 1",
    "!it.exists",
    "it.scopes.all(r, relation(r).life == \"dying\")",
];
const OF_MACHINES: &[&str] = &[
    "it.life == \"alive\" && it.placed.size() == 0",
    "it.life == \"dying\"",
    "it.exists && !it.manager && it.placed.all(u, unit(u).life != \"alive\")",
    "machines.exists_one(m, m.life == \"dying\")",
    "it.exists && it.instance",
];
const OF_APPLICATIONS: &[&str] = &[
    "it.exists && it.units == 0",
    "it.life == \"dying\"",
    "it.exists && it.relations > 0",
    "units.all(u, u.life != \"alive\")",
];
const OF_RELATIONS: &[&str] =
    &["it.life == \"dying\"", "it.life == \"alive\" && it.in_scope.size() == 0"];
const OF_SCOPES: &[&str] =
    &["it.in_scope && unit(it.unit).life != \"alive\"", "relation(it.relation).life == \"dying\""];
const OF_MEMBERSHIPS: &[&str] = &["it.departed", "relation(it.relation).life == \"dying\""];

/// Duties: actor, kind of row, conditions and acts.
const DUTIES: &[(&str, &str, &[&str], &[&str])] = &[
    ("unit-agent", "unit", OF_UNITS, &["destroy-unit {it}", "set-unit-dead {it}"]),
    ("machine-agent", "machine", OF_MACHINES, &["destroy-machine {it}", "set-machine-dead {it}"]),
    ("provisioner", "machine", OF_MACHINES, &["destroy-machine {it}", "remove-machine {it}"]),
    ("cleaner", "unit", OF_UNITS, &["destroy-unit {it}", "add-unit {it}", "remove-unit {it}"]),
    ("cleaner", "application", OF_APPLICATIONS, &["destroy-application {it}"]),
    ("cleaner", "relation", OF_RELATIONS, &["destroy-relation {it}", "integrate {it}"]),
    ("unit-agent", "scope", OF_SCOPES, &["leave-scope {it.unit} {it.relation}"]),
    ("unit-agent", "membership", OF_MEMBERSHIPS, &["leave-scope {it.unit} {it.relation}"]),
    (
        "cleaner",
        "machine",
        OF_MACHINES,
        &["force-destroy-machine {it}", "destroy-unit wordpress/0"],
    ),
];

/// Restrictions: verb, actor, kind of row and conditions.
const ONLY: &[(&str, &str, &str, &[&str])] = &[
    ("remove-unit", "machine-agent", "machine", OF_MACHINES),
    ("remove-unit", "", "unit", OF_UNITS),
    ("destroy-unit", "", "unit", OF_UNITS),
    ("destroy-unit", "user", "unit", OF_UNITS),
    ("set-unit-dead", "unit-agent", "unit", OF_UNITS),
    ("set-machine-dead", "", "machine", OF_MACHINES),
    ("leave-scope", "unit-agent", "membership", OF_MEMBERSHIPS),
    ("leave-scope", "unit-agent", "scope", OF_SCOPES),
    ("enter-scope", "unit-agent", "unit", OF_UNITS),
    ("deploy-unit", "machine-agent", "machine", OF_MACHINES),
    ("decommission", "provisioner", "machine", OF_MACHINES),
    ("start-instance", "provisioner", "machine", OF_MACHINES),
    ("destroy-machine", "", "machine", OF_MACHINES),
    ("run-hooks", "unit-agent", "unit", OF_UNITS),
];

/// Branches: clauses and conditions.
const BRANCHES: &[(&str, &[&str])] = &[
    ("remove-unit.4", OF_APPLICATIONS),
    ("leave-scope.6", OF_APPLICATIONS),
    ("leave-scope.2", OF_RELATIONS),
    ("destroy-relation.3", OF_RELATIONS),
    ("destroy-application.5", OF_APPLICATIONS),
];

/// The text of a world with some rules.
#[expect(clippy::same_functions_in_if_condition, reason = "each draw is another one")]
pub(crate) fn drawn(seed: u64) -> String {
    let draws = &mut Draws::new(seed);
    let (applications, commands) = WORLDS[draws.below(WORLDS.len())];
    let mut text = String::from("shows = \"A world with rules that were drawn.\"\n");
    let split = draws.is_so(40);
    let hooks = draws.is_so(25);
    let _ = writeln!(
        text,
        "[world]\ntransactions = \"{}\"\nhooks = {hooks}\n[world.machines]\n\
         0 = {{ jobs = [\"manage-model\"] }}\n1 = {{}}\n2 = {{}}\n[world.applications]\n{applications}",
        if split { "split" } else { "atomic" },
    );
    text += "[user]\n";
    for command in commands.iter().filter(|_| draws.is_so(70)) {
        let _ = writeln!(text, "\"{command}\" = 1");
    }
    if draws.is_so(30) {
        text += "[faults]\ncrash = true\n";
    } else if draws.is_so(30) {
        text += "[faults]\nhardware-failure = [\"1\"]\n";
    }
    for number in 0..2 + draws.below(4) {
        rule(draws, number, &mut text);
    }
    if draws.is_so(20) {
        let at = draws.one_of(&[
            "unit-agent.10 wordpress/0",
            "machine-agent.3 1",
            "remove-unit.4 wordpress",
        ]);
        let _ = writeln!(text, "[switch-off]\nclauses = [\"{at}\"]");
    }
    text
}

fn rule(draws: &mut Draws, number: usize, text: &mut String) {
    let _ = writeln!(text, "[rule.\"rule {number}\"]");
    let is_atomic = !text.contains("\"split\"");
    match draws.below(if is_atomic { 6 } else { 5 }) {
        5 => {
            let (clause, when) = BRANCHES[draws.below(BRANCHES.len())];
            let when = draws.one_of(when);
            let _ = writeln!(text, "clause = \"{clause}\"\nwhen = '{when}'");
        }
        0 | 1 => {
            let (actor, each, when, acts) = DUTIES[draws.below(DUTIES.len())];
            let (when, act) = (draws.one_of(when), draws.one_of(acts));
            let _ = writeln!(
                text,
                "actor = \"{actor}\"\neach = \"{each}\"\nwhen = '{when}'\nact = \"{act}\""
            );
        }
        2 | 3 => {
            let (verb, actor, each, when) = ONLY[draws.below(ONLY.len())];
            let when = draws.one_of(when);
            let _ = writeln!(text, "only = \"{verb}\"\neach = \"{each}\"\nwhen = '{when}'");
            if !actor.is_empty() {
                let _ = writeln!(text, "actor = \"{actor}\"");
            }
        }
        _ => {
            let place = draws.below(Operation::ROWS.len());
            let rule = Operation::RULES[place];
            let mut refuses = Why::ALL.to_vec();
            refuses.retain(|why| why.clauses().iter().any(|clause| clause.rule == rule));
            let why = refuses.get(draws.below(refuses.len().max(1))).unwrap_or(&Why::NotFound);
            let becomes = if draws.is_so(60) { "no-op" } else { Why::HasUnits.text() };
            let (of, why) = (Operation::ROWS[place].verb, why.text());
            let _ = writeln!(text, "refusal = \"{why}\"\nof = \"{of}\"\nbecomes = \"{becomes}\"");
        }
    }
}

/// Compares all ways to search the world of this seed, and runs some seeds of the simulator in it.
/// A world of more than `most` states is left out.
///
/// # Errors
/// The description of a difference, if there is one.
pub(crate) fn compare(seed: u64, most: u64, tally: &mut RuleTally) -> Result<(), String> {
    let text = drawn(seed);
    let scenario = parse("drawn.toml".as_ref(), text.as_str())
        .map_err(|problem| format!("{problem:?}\n{text}"))?;
    let start = replay(&scenario).expect("it has no script").state;
    let own = scenario.world.own_rules.clauses().map(|(clause, _)| clause);
    let question = CheckQuestion {
        world: &scenario.world,
        start: &start,
        claims: deathwatch_claims::all_in(&scenario.world).collect(),
        witnesses: Clause::all().chain(own).collect(),
        refines: None,
    };
    let ask = |caching, symmetry, threads| {
        let limits = SearchSettings::without_limits(threads);
        let settings = SearchSettings { caching, symmetry, max_states: Some(most), ..limits };
        check::check(&question, &settings)
    };
    let Ok(plain) = ask(Caching::Off, Symmetry::Off, 1) else { return Ok(()) };
    if plain.stopped.is_some() {
        return Ok(());
    }
    for (name, caching, symmetry, threads) in [
        ("look-ups", Caching::On, Symmetry::Off, 1),
        ("two threads", Caching::On, Symmetry::Off, 2),
        ("symmetry", Caching::On, Symmetry::On, 1),
        ("symmetry without look-ups", Caching::Off, Symmetry::On, 2),
    ] {
        let other = ask(caching, symmetry, threads).map_err(|_| "it is too large".to_owned())?;
        tally.reduced += usize::from(other.representatives.is_some() && threads == 1);
        let (one, other) = (said(&plain), said(&other));
        if let Some((one, other)) = one.iter().zip(&other).find(|(one, other)| one != other) {
            return Err(format!("seed {seed}, {name}: {one} became {other}\n{text}"));
        }
    }
    simulate(&scenario);
    tally.worlds += 1;
    tally.states += plain.states;
    tally.applied +=
        usize::from(plain.exercised.iter().flat_map(Clauses::iter).any(|it| it.rule == Rule::Own));
    Ok(())
}

/// Runs some seeds: debug builds find each lost wake-up.
fn simulate(scenario: &Scenario) {
    let replay = replay(scenario).expect("it has no script");
    let Ok(simulation) = Simulation::new(scenario, &replay) else { return };
    for seed in 0..3 {
        simulation.run(seed, &|| false).expect("nobody stops it");
    }
}

/// Everything that has to be equal.
fn said(report: &CheckReport) -> Vec<String> {
    let CheckReport { stopped, states, transitions, depth, exercised, .. } = report;
    let clauses: Vec<String> =
        exercised.iter().flat_map(Clauses::iter).map(|it| it.to_string()).collect();
    let counts = format!("{stopped:?}, {states} states, {transitions} transitions, depth {depth}");
    let findings = report.findings.iter().map(|finding| {
        let name = match finding.asked {
            FindingSubject::Claim(claim) => claim.name.to_owned(),
            FindingSubject::Witness(clause) => clause.to_string(),
            FindingSubject::Refinement => unreachable!("it is not asked"),
        };
        let length = finding.trace.as_ref().map(|trace| trace.steps.len());
        format!("{name}: {:?}, applied {}, run {length:?}", finding.answer, finding.applied)
    });
    [counts, clauses.join(" ")].into_iter().chain(findings).collect()
}
