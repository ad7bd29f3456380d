//! The scenario language: `list steps` and `list refusals` agree with the steps and refusals of
//! scripts.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use deathwatch_model::{
    actor::{Actor, Client},
    agents,
    clause::Clause,
    free_ids::Scan,
    ids::UserId,
    operation::Operation,
    ops::Plan,
    protocol::{self, Effects},
    state::State,
    txn::Why,
    world::{Probe, World, every_of},
};
use deathwatch_scenario::{
    ExpectedOutcome, Scenario, find, replay,
    scenario::language::{FORMS, steps},
};

use crate::common::{
    MIXED, dice, good,
    worlds::{scenarios, small_worlds},
};

/// A world, the same world with a probe, and the worlds without one clause each.
struct Blamed<'a> {
    world: &'a World,
    probed: World,
    probe: Probe,
    without: BTreeMap<Clause, World>,
}

impl<'a> Blamed<'a> {
    fn of(world: &'a World) -> Self {
        let probe = Probe::default();
        let without = |clause| (clause, world.changed(|world| world.without.insert(clause)));
        let without = Clause::all().map(without).collect();
        Self { world, probed: world.probed(&probe), probe, without }
    }

    /// Adds to `found` the clauses without which an operation would not be refused for that reason.
    fn blame(&self, state: &State, found: &mut BTreeMap<Why, BTreeSet<Clause>>) {
        for client in [Client::User(UserId::FIRST), Client::Script(0)] {
            for operation in every_of::<Operation>(self.world) {
                let plan = |world: &World| agents::plan_for(world, state, client, operation, &Scan);
                self.probe.take();
                let Plan::Refuse(why) = plan(&self.probed) else { continue };
                let asked = self.probe.take();
                let matters = |it: &Clause| plan(&self.without[it]) != Plan::Refuse(why);
                found.entry(why).or_default().extend(asked.iter().filter(matters));
            }
        }
    }
}

fn walk(scenario: &Scenario, seed: u64, found: &mut BTreeMap<Why, BTreeSet<Clause>>) {
    let world = &scenario.world;
    let blamed = Blamed::of(world);
    let (mut rng, mut effects) = (dice(seed), Effects::default());
    let mut state = scenario.start.clone();
    for action in replay(scenario).expect("it replays").actions {
        blamed.blame(&state, found);
        protocol::step(world, &mut state, action, &mut effects);
    }
    for step in 0..60 {
        if step % 4 == 0 {
            blamed.blame(&state, found);
        }
        let mut all = Vec::new();
        protocol::enabled(world, &state, &mut all);
        if all.is_empty() {
            break;
        }
        protocol::step(world, &mut state, all[rng.index(all.len())], &mut effects);
    }
}

#[test]
fn every_reason_names_the_clauses_that_it_comes_from() {
    let mut found = BTreeMap::new();
    // A machine with containers does not become Dying, unless these clauses are switched off.
    let steps = "steps = \"client: destroy-machine 0\"\n";
    let off = "[switch-off]\nclauses = [\"destroy-machine.2\", \"destroy-machine.3\", \
               \"destroy-machine.4\"]\n";
    let unguarded = good(&format!("shows = \"A test.\"\n{steps}{MIXED}{off}"));
    // The commands of a charm may come before its application is deployed.
    let undeployed = good(
        "shows = \"A test.\"\n[detail]\nhooks = true\ncharm = true\n[world.machines]\n\
         0 = { jobs = [\"manage-model\"] }\n[world.applications]\nwordpress.exists = false\n",
    );
    let guarded = small_worlds().into_iter().chain(scenarios());
    let is_guarded = |world: &World| {
        let is_off = Clause::all().any(|clause| world.is_off(clause));
        !is_off && !world.is_amended()
    };
    let guarded = guarded.filter(|it| is_guarded(&it.world));
    for (seed, scenario) in (0..).zip(guarded.chain([unguarded, undeployed])) {
        walk(&scenario, seed, &mut found);
    }
    for why in Why::ALL {
        let named: BTreeSet<Clause> = why.clauses().iter().copied().collect();
        assert_eq!(found.get(why), Some(&named), "refused: {}", why.text());
    }
}

#[test]
fn every_reason_has_an_example_among_the_scenarios() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    let files = find(&[root]).expect("there are scenarios");
    let texts: Vec<String> =
        files.iter().map(|it| fs::read_to_string(&it.file).expect("it can be read")).collect();
    for why in Why::ALL {
        let line = format!("\n{} => refused: {}\n", why.example(), why.text());
        assert!(texts.iter().any(|text| text.contains(&line)), "no script has{line}");
    }
}

/// A world with everything that the examples name.
const NAMED: &str = r#"
[detail]
constraints = true
[world]
constraints = ["mem=2G"]
[world.machines]
0 = { jobs = ["manage-model"] }
1 = {}
2 = {}
[world.applications]
wordpress.units = ["1"]
mysql.units = ["2"]
nrpe = { subordinate = true, subordinates = ["wordpress/0"] }
[world.relations]
"wordpress:db mysql:server" = {}
"wordpress:cluster" = {}
"#;

#[test]
fn every_example_is_a_line_of_a_script() {
    let forms = FORMS.actors.iter().chain(&FORMS.steps).chain(&FORMS.outcomes);
    let examples = forms.map(|form| form.example.clone());
    let examples: Vec<String> = examples.chain(steps().map(|step| step.example())).collect();
    assert!(examples.len() >= 60, "{}", examples.len());
    for line in &examples {
        let scenario = good(&format!("shows = \"A test.\"\nsteps = \"{line}\"\n{NAMED}"));
        assert_eq!(scenario.steps[0].text, *line);
    }
    for verb in steps().map(|step| step.row.verb) {
        let shown = examples.iter().any(|line| line.split(' ').any(|word| word == verb));
        assert!(shown, "{verb} has no example");
    }
}

#[test]
fn every_actor_and_every_outcome_is_explained() {
    let world = good(&format!("shows = \"A test.\"\n{NAMED}")).world;
    let actors = agents::actors(&world).chain([Actor::Client(0)]);
    let first = |name: &str| name.split(' ').next().map(str::to_owned).expect("a name");
    let words: BTreeSet<String> = actors.map(|actor| first(&world.show_actor(actor))).collect();
    assert_eq!(words, FORMS.actors.iter().map(|form| first(&form.form)).collect());
    let clause = Clause::named("remove-unit.4");
    let outcomes = [
        ExpectedOutcome::NoOp,
        ExpectedOutcome::Refused(Why::HasUnits),
        ExpectedOutcome::Aborted(None),
        ExpectedOutcome::Aborted(clause),
        ExpectedOutcome::Contended,
    ];
    for (form, outcome) in FORMS.outcomes.iter().zip(outcomes) {
        assert!(form.example.ends_with(&format!("=> {outcome}")), "{outcome}");
    }
}
