//! Seeds of worlds with details: the time that named hooks take, how often they fail, and the
//! details that a seed draws.

use std::{collections::BTreeSet, path::Path};

use deathwatch_documents::Sweep;
use deathwatch_model::clause::Clause;
use deathwatch_scenario::{Problem, Scenario, replay, scenario::parse};
use deathwatch_study::{
    shrink::{self, Budget, FailingRun},
    simulate::{SeedRun, Simulation},
    sweep::{About, SeedRange, SeedResult, Seeds, Shard, SweepHeader, Tally, Until},
};

use crate::common::render;

/// A world in which one unit is installed, started and destroyed, with further tables.
fn with(tables: &str) -> Result<Scenario, Problem> {
    let text = format!(
        "shows = \"A life.\"\n[world.machines]\n0 = {{ jobs = [\"manage-model\"] }}\n1 = {{}}\n\
         [world.applications]\nwordpress = {{ units = [\"1\"], deployed = false }}\n\
         [user]\n\"destroy-unit wordpress/0\" = 1\n{tables}"
    );
    parse(Path::new("life.toml"), text)
}

/// The runs of 20 seeds of the world with these tables.
fn runs(tables: &str) -> Vec<SeedRun> {
    let scenario = with(tables).expect("it is a scenario");
    let replay = replay(&scenario).expect("it has no script");
    let simulation = Simulation::new(&scenario, &replay).expect("it can be simulated");
    (0..20).map(|seed| simulation.run(seed, &|| false).expect("nobody stops it")).collect()
}

/// The longest simulated time of a run, in hours.
fn hours(tables: &str) -> u64 {
    runs(tables).iter().map(|run| run.stats.time).max().expect("there are some") / 3_600_000
}

#[test]
fn hooks_with_names_take_a_time_of_their_own() {
    let [named, other] = ["named-hook", "hook"].map(|hook| {
        format!("[simulate]\nswarm = false\nlatency.{hook} = \"1000h\"\n[world]\nhooks = true\n")
    });
    let detail = "[detail]\nhooks = true\n";
    assert_eq!(hours(&format!("{named}{detail}")), 4_000, "four hooks, one after the other");
    assert_eq!(hours(&format!("{other}{detail}")), 0);
    assert_eq!(hours(&named), 0);
    assert_eq!(hours(&other), 1_000, "the stop hook has no name here");
}

/// The number of failed hooks in the runs of 20 seeds, where each fails with this chance in a
/// thousand.
fn failures(per_mille: u32) -> u64 {
    let tables = format!(
        "[detail]\nhooks = true\n[faults]\nunit-hook-failure = true\n[simulate]\nswarm = false\n\
         [simulate.faults]\nunit-hook-failure = \"never\"\nnamed-hook-failure = {per_mille}\n"
    );
    let failed = |run: &SeedRun| run.stats.faults.get("unit-hook-failure").copied().unwrap_or(0);
    runs(&tables).iter().map(failed).sum()
}

#[test]
fn hooks_with_names_fail_by_a_chance_of_their_own() {
    assert_eq!(failures(0), 0);
    let (some, all) = (failures(300), failures(1_000));
    assert!(some > 0 && all > some, "{some} and {all}");
}

#[test]
fn hooks_without_names_have_no_such_chance() {
    let [fault, detail] = ["[faults]\nunit-hook-failure = true\n", "[detail]\nhooks = true\n"];
    let chance = "[simulate.faults]\nnamed-hook-failure = 300\n";
    let told = |tables: &str| render(&with(tables).expect_err("it is refused"));
    let lacks_detail = told(&format!("{fault}{chance}"));
    assert!(lacks_detail.contains("allow it: [detail] hooks = true"), "{lacks_detail}");
    let lacks_fault = told(&format!("{detail}{chance}"));
    assert!(lacks_fault.contains("allow it: [faults] unit-hook-failure = true"), "{lacks_fault}");
    assert!(with(&format!("{fault}{detail}{chance}")).is_ok());
}

/// A world whose units come and go, with these details, the tables that they need, and more.
fn busy(details: &[&str], more: &str) -> Scenario {
    let has = |detail: &str| details.contains(&detail);
    let [mut application, mut user, mut rates, mut machine, mut faults] = [""; 5];
    if has("provisioning") {
        machine = "provisioned = false";
        (user, faults) = ("\"resolved *\" = \"unlimited\"\n", "start-failure = true\n");
        rates = "[simulate.faults]\nstart-failure = 200\n";
    }
    if has("hooks") {
        application = ", hooks = [\"start\", \"stop\"]";
        rates = "[simulate.faults]\nnamed-hook-failure = 200\n";
    }
    if has("charm") {
        application = ", hooks = [\"start\", \"stop\", \"upgrade-charm\"], open-port = [\"start\"]";
        user = "\"set-config *\" = \"unlimited\"\n\"upgrade-charm --force *\" = \"unlimited\"\n";
    }
    let on: Vec<String> = details.iter().map(|detail| format!("{detail} = true")).collect();
    let on = on.join("\n");
    let text = format!(
        "shows = \"Units come and go.\"\n[detail]\n{on}\n[world]\ntransactions = \"split\"\n\
         [world.machines]\n0 = {{ jobs = [\"manage-model\"] }}\n1 = {{ {machine} }}\n2 = {{}}\n\
         [world.applications]\n\
         wordpress = {{ units = [\"1\", \"2\"], most-units = 3{application} }}\n\
         [user]\n\"add-unit *\" = \"unlimited\"\n\"destroy-unit *\" = \"unlimited\"\n{user}\
         [faults]\ncrash = true\nunit-hook-failure = true\n{faults}{rates}{more}"
    );
    parse(Path::new("busy.toml"), text).expect("it is a scenario")
}

/// The digests of 20 seeds of a scenario, each with the details that the seed drew.
fn digests(scenario: &Scenario) -> Vec<(Vec<&'static str>, u64)> {
    let replay = replay(scenario).expect("it has no script");
    let simulation = Simulation::new(scenario, &replay).expect("it can be simulated");
    let digest = |seed| simulation.run(seed, &|| false).expect("nobody stops it").digest;
    let details = |seed| simulation.drawn(seed).world.detail.on().collect();
    (0..20).map(|seed| (details(seed), digest(seed))).collect()
}

#[test]
fn a_seed_runs_as_in_the_world_with_the_details_that_it_draws() {
    let all: [&[&str]; 3] = [&[], &["hooks"], &["hooks", "charm"]];
    let written = all.map(|details| digests(&busy(details, "")));
    let drawn = digests(&busy(all[2], "[simulate]\ndraw-details = true\n"));
    let mut times = [0; 3];
    for (seed, run) in drawn.iter().enumerate() {
        let same =
            all.iter().position(|details| *details == run.0).expect("it has what each needs");
        assert_eq!(*run, written[same][seed], "seed {seed}");
        times[same] += 1;
    }
    assert!(times.iter().all(|times| *times > 2), "each is drawn: {times:?}");
    let [none, hooks, charm] = written;
    for (one, other) in [(&none, &hooks), (&hooks, &charm)] {
        let others = one.iter().zip(other).filter(|(one, other)| one.1 != other.1);
        assert!(others.count() > 10, "most of them are other runs");
    }
}

/// A world without the detail is written without the tables that it needs. The world that seeds
/// draw without it has to be the same: in both, the machine has no instance at the start.
#[test]
fn a_seed_may_draw_that_instances_are_not_apart_from_machines() {
    let drawn = digests(&busy(&["provisioning"], "[simulate]\ndraw-details = true\n"));
    let written = digests(&busy(&["provisioning"], ""));
    let (with, without): (Vec<_>, Vec<_>) =
        drawn.iter().zip(&written).partition(|(run, _)| !run.0.is_empty());
    assert!(with.len() > 2 && without.len() > 2, "each is drawn");
    assert!(with.iter().all(|(run, written)| run == written));
    assert!(without.iter().any(|(run, written)| run.1 != written.1));
}

#[test]
fn details_are_drawn_only_where_that_means_something() {
    let draws = "[simulate]\ndraw-details = true\n";
    let hooks = "[detail]\nhooks = true\n";
    let told = |tables: &str| render(&with(tables).expect_err("it is refused"));
    let wrong = |tables: &str, message: &str| {
        let told = told(tables);
        assert!(told.contains(message), "{message}\n{told}");
    };
    wrong(draws, "this world has no details that could be drawn");
    wrong(&format!("{hooks}{draws}swarm = false\n"), "seeds draw nothing where `swarm` is off");
    let start = "[start]\nphase = { \"wordpress/0\" = \"fresh\" }\n";
    wrong(
        &format!("{hooks}{draws}{start}"),
        "seeds may draw no details, and then this is not a scenario",
    );
    let script = format!(
        "steps = \"client: destroy-unit wordpress/0\"\n{}{hooks}{draws}",
        crate::common::PAIR
    );
    let script = parse(Path::new("script.toml"), format!("shows = \"A script.\"\n{script}"));
    let told = render(&script.expect_err("it is refused"));
    assert!(told.contains("details cannot be drawn where there is a script"), "{told}");
    assert!(with(&format!("{hooks}{draws}")).is_ok());
    assert!(with("[simulate]\ndraw-details = false\n").is_ok());
}

#[test]
fn what_a_seed_shows_is_shrunk_in_the_world_that_it_draws() {
    let scenario = busy(
        &["hooks"],
        "[simulate]\ndraw-details = true\n\
         [own]\ndying = { reachable = \"units.exists(u, u.life == 'dying')\" }\n",
    );
    let (claim, _) = scenario.claims[0];
    let start = replay(&scenario).expect("it has no script");
    let simulation = Simulation::new(&scenario, &start).expect("it can be simulated");
    let mut details = BTreeSet::new();
    for seed in 0..10 {
        let (run, steps) = simulation.trace(seed, Some(claim));
        if run.violations.is_empty() {
            continue;
        }
        let scenario = simulation.drawn(seed);
        let failing = FailingRun { scenario, claim, subject: None, steps: &steps, root: None };
        let budget = Budget { tries: 200, stop: &|| false, progress: &|_| () };
        let shrunk = shrink::shrink(&failing, "a seed", budget).expect("it is shown again");
        assert_eq!(shrunk.after.steps, 1, "{}", shrunk.text);
        let [found, drawn] = [&shrunk.scenario, scenario].map(|it| it.world.detail);
        assert!(found.on().all(|name| drawn.has(name)), "{}", shrunk.text);
        details.insert(drawn.on().collect::<Vec<_>>());
    }
    assert_eq!(details.len(), 2, "both worlds show it");
}

/// The report on 20 seeds of a scenario.
fn report(scenario: &Scenario) -> Sweep {
    let replay = replay(scenario).expect("it has no script");
    let simulation = Simulation::new(scenario, &replay).expect("it can be simulated");
    let seeds = Seeds::new(&[SeedRange::new(0, 20)], &[]);
    let about = vec![About::new(&simulation, &replay)];
    let header = SweepHeader::new(seeds, Shard::WHOLE, Until::End, about);
    let about = &header.scenarios[0];
    let plan = header.plan(about);
    let mut tally = Tally::new(about, &plan, Until::End);
    for seed in 0..20 {
        let result = SeedResult::by_running(&simulation, seed, &|| false);
        tally.add(&result.expect("nobody stops it"));
    }
    tally.document(&[])
}

#[test]
fn a_report_says_which_details_seeds_drew() {
    let all = ["hooks", "charm"];
    let scenario = busy(&all, "[simulate]\ndraw-details = true\n");
    let runs = digests(&scenario);
    let found = report(&scenario).drawn;
    assert_eq!(found.len(), 3, "{found:?}");
    for (drawn, names) in found.iter().zip([&all[..0], &all[..1], &all]) {
        let mut seeds = (0..).zip(&runs).filter(|(_, (details, _))| *details == names);
        let (first, others) = (seeds.next().map(|(seed, _)| seed), seeds.count() as u64);
        assert!(drawn.details == names && drawn.first_seed == first, "{drawn:?}");
        assert_eq!(drawn.seeds, 1 + others, "{names:?}");
    }
    assert!(report(&busy(&all, "")).drawn.is_empty(), "they draw nothing");
}

#[test]
fn no_report_misses_clauses_of_details_that_its_world_has_not() {
    let never =
        |details: &[&str]| -> Vec<String> { report(&busy(details, "")).stats.never_exercised };
    let of_details = |names: &[String]| -> BTreeSet<&'static str> {
        let clauses = names.iter().filter_map(|name| Clause::named(name));
        clauses.flat_map(Clause::needs).copied().collect()
    };
    assert_eq!(of_details(&never(&[])), BTreeSet::new());
    let hooks = never(&["hooks"]);
    assert!(of_details(&hooks).iter().all(|it| *it == "hooks"), "{hooks:?}");
    let charm = never(&["hooks", "charm"]);
    assert!(charm.iter().any(|it| it == "expose.2"), "nobody exposes anything: {charm:?}");
}
