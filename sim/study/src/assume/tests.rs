//! The minimal sets against the definition: every set of premises is decided for itself, with a
//! graph of its own, and nothing follows from one for another.

use std::{collections::BTreeSet, path::Path};

use deathwatch_claims::{
    Claim,
    check::{self, CheckAnswer, CheckQuestion, FindingSubject, SearchSettings, Survey, Surveyed},
};
use deathwatch_model::world::{Assumption, FaultKind, Per};
use deathwatch_scenario::{
    replay,
    scenario::{self, Scenario},
};

use super::{
    AgentFairness, AssumeOptions, Axis, NamedVariant, NeedsSet, Premises, QuestionAnswer,
    ScenarioNeeds, Tried, VariantSetting, assume,
    choices::{candidates, combinations, is_part, with},
    lattice::AxisLevels as _,
    least_fairness,
};

const RELATION: &str = concat!("\n", include_str!("../../../../tests/worlds/lost-hardware.toml"));

const HOOKS: &str = concat!("\n", include_str!("../../../../tests/worlds/failing-hooks.toml"));

const SCRIPT: &str = concat!("\n", include_str!("../../../../tests/worlds/set-dead.toml"));

/// All combinations of levels.
fn every(axes: &[Axis]) -> Vec<Premises> {
    let mut points = vec![Vec::new()];
    for axis in axes {
        let longer = |point: &Vec<u8>| {
            let point = point.clone();
            (0..=axis.top()).map(move |level| [&point[..], &[level]].concat())
        };
        points = points.iter().flat_map(longer).collect();
    }
    points.iter().map(|point| Premises::at(axes, point)).collect()
}

/// The answer under these premises, from a search of its own where `check` knows such premises. It
/// does not know faults that strike again and again, which are asked of a survey of their own.
fn decide(scenario: &Scenario, claim: &'static Claim, premises: &Premises) -> CheckAnswer {
    let replay = replay::replay(scenario).expect("its steps are possible");
    let premise = premises.premise(&scenario.world.assumptions);
    let world = scenario.world.changed(|world| world.assumptions = premise.assumptions.clone());
    let question = CheckQuestion {
        world: &world,
        start: &replay.state,
        claims: vec![claim],
        witnesses: Vec::new(),
        refines: None,
    };
    let settings = SearchSettings::without_limits(1);
    let on = |kind: &&FaultKind| scenario.world.faults.switch(**kind).is_on();
    let with = |level: u8| {
        FaultKind::ALL
            .iter()
            .filter(on)
            .filter(move |kind| premises.level(Axis::Faults(**kind)) == level)
    };
    if claim.obligation().is_some() && with(0).next().is_some() {
        let Ok(Surveyed::Whole(survey)) = Survey::of(&question, &settings) else {
            panic!("the world is small")
        };
        return survey.leads(&premise, &|| None).expect("nothing stops it")[0];
    }
    let never: Vec<FaultKind> = with(2).copied().collect();
    let report = check::check_without(&question, &never, &settings).expect("the world is small");
    report.findings[0].answer
}

type AnsweredSets<'a> = BTreeSet<(Vec<VariantSetting>, Premises)>;

/// The minimal sets with this answer by the definition.
fn by_definition(
    scenario: &Scenario,
    claim: &'static Claim,
    choices: &[Vec<VariantSetting>],
    axes: &[Axis],
    wanted: CheckAnswer,
) -> AnsweredSets<'static> {
    let mut all = Vec::new();
    for choice in choices {
        let changed = with(scenario, choice).expect("the choice is possible");
        let decided: Vec<(Premises, CheckAnswer)> = every(axes)
            .into_iter()
            .map(|premises| (premises.clone(), decide(&changed, claim, &premises)))
            .collect();
        for (less, answer) in &decided {
            let more = decided.iter().filter(|(more, _)| less.is_within(more));
            for (more, other) in more {
                let is_lost = *answer != CheckAnswer::Violated && *other == CheckAnswer::Violated;
                assert!(!is_lost, "{}: {less:?} is enough, and {more:?} is not", claim.name);
            }
        }
        let mine = decided.into_iter().filter(|(_, answer)| *answer == wanted);
        all.extend(mine.map(|(premises, _)| (choice.clone(), premises)));
    }
    let is_less = |one: &(Vec<VariantSetting>, Premises),
                   other: &(Vec<VariantSetting>, Premises)| {
        one != other && is_part(&one.0, &other.0) && one.1.is_within(&other.1)
    };
    let least = all.iter().filter(|it| !all.iter().any(|other| is_less(other, it)));
    least.cloned().collect()
}

fn plain(sets: &[NeedsSet]) -> AnsweredSets<'static> {
    sets.iter().map(|set| (set.variants.clone(), set.premises.clone())).collect()
}

fn parsed(source: &str) -> Scenario {
    scenario::parse(Path::new("world.toml"), source).expect("it is a scenario")
}

/// The needs of claims, where these variants are tried.
fn needs(scenario: &Scenario, only: &[&'static Claim], variants: &[NamedVariant]) -> ScenarioNeeds {
    let replay = replay::replay(scenario).expect("its steps are possible");
    let options = AssumeOptions {
        only,
        variants: Tried::These(variants),
        settings: SearchSettings::without_limits(2),
        progress: &|_, _| {},
    };
    assume(scenario, &replay, &options)
}

/// The premises of sets, in words.
fn texts(sets: &[NeedsSet]) -> Vec<Vec<String>> {
    sets.iter().map(|set| set.premises.texts()).collect()
}

/// Compares the answers to claims with the definition, and returns them.
fn compared(
    scenario: &Scenario,
    variants: &[&str],
    claims: &[&str],
    axes: &[Axis],
) -> Vec<QuestionAnswer> {
    let named: Vec<NamedVariant> =
        variants.iter().map(|it| NamedVariant::read(it).expect("it is one")).collect();
    let choices = combinations(&candidates(scenario, Tried::These(&named))).expect("they are few");
    let claims: Vec<&'static Claim> =
        claims.iter().map(|name| deathwatch_claims::named(name).expect("it is a claim")).collect();
    let assumed = needs(scenario, &claims, &named);
    assert!(assumed.is_whole());
    for (claim, (asked, answered)) in claims.iter().zip(&assumed.answers) {
        assert!(matches!(asked, FindingSubject::Claim(it) if it.name == claim.name));
        for (answer, sets) in
            [(CheckAnswer::Holds, &answered.holds), (CheckAnswer::Vacuous, &answered.vacuous)]
        {
            let expected = by_definition(scenario, claim, &choices, axes, answer);
            assert_eq!(plain(sets), expected, "{}: {answer:?}", claim.name);
        }
    }
    assumed.answers.into_iter().map(|(_, answered)| answered).collect()
}

#[test]
fn the_sets_for_a_relation_are_minimal() {
    let axes = [
        Axis::Agents,
        Axis::Others(Assumption::FailedHardwareIsTerminated),
        Axis::Faults(FaultKind::HardwareFailure),
        Axis::Faults(FaultKind::UndetectedHardwareFailure),
    ];
    let claims =
        ["a Dying relation is removed", "a Dying unit is removed", "a Dead unit is in no scope"];
    let variants =
        ["relation-tracking", "undeployed-unit-not-alive", "dead-while-in-scope=allowed"];
    let answers = compared(&parsed(RELATION), &variants, &claims, &axes);
    assert!(answers[0].holds.len() >= 4, "{:?}", answers[0].holds);
    let lost: Vec<_> = answers[2].holds.iter().map(|set| set.lost_with.len()).collect();
    assert_eq!(lost, [1], "what one variant promises another takes back");
}

#[test]
fn the_sets_for_a_unit_whose_hooks_fail_are_minimal() {
    let axes = [
        Axis::Agents,
        Axis::Others(Assumption::CrashedAgentsRestart),
        Axis::Others(Assumption::HookErrorsAreResolved),
        Axis::Faults(FaultKind::Crash),
        Axis::Faults(FaultKind::UnitHookFailure),
    ];
    let claims =
        ["a Dying unit is removed", "a Dead unit is removed", "a Dying relation is removed"];
    let answers = compared(&parsed(HOOKS), &["resolved-by-default=retry"], &claims, &axes);
    let strong = |set: &NeedsSet| set.premises.level(Axis::Agents) == 3;
    assert!(answers[0].holds.iter().any(strong), "{:?}", answers[0].holds);
    assert_eq!((answers[2].holds.len(), answers[2].vacuous.len()), (0, 1));
}

#[test]
fn the_sets_after_a_script_are_minimal() {
    let axes = [
        Axis::Agents,
        Axis::Others(Assumption::AgentsAreUpgraded),
        Axis::Others(Assumption::AgentsAreRedeployed),
        Axis::Faults(FaultKind::Crash),
    ];
    let answers =
        compared(&parsed(SCRIPT), &["agent-upgrade=in-place"], &["a Dead unit is removed"], &axes);
    assert_eq!(answers[0].holds.len(), 2, "{:?}", answers[0].holds);
}

/// A user who goes on keeps an agent busy for ever, and nothing else does. Whether the scenario
/// assumes that commands come to an end, or that each duty is done, is no part of the question.
#[test]
fn the_sets_where_users_go_on_for_ever_are_minimal() {
    let axes = [
        Axis::Agents,
        Axis::Others(Assumption::CommandsFinish),
        Axis::Others(Assumption::FinitelyManyCommands),
    ];
    for (name, claim, least) in [
        (
            "churn-starves-the-provisioner",
            "a Dead machine is removed",
            [
                &["agents keep acting", "commands are finitely many"][..],
                &["agents are fair to each duty"],
            ],
        ),
        (
            "forced-machine-is-outrun",
            "a machine that is forced is removed",
            [
                &["agents keep acting", "commands are finitely many"],
                &["agents are strongly fair to each duty"],
            ],
        ),
    ] {
        for per in [Per::Agent, Per::Duty] {
            for finitely_many_commands in [false, true] {
                let mut scenario = shipped(name);
                scenario.world = scenario.world.changed(|world| {
                    let assumptions = &mut world.assumptions;
                    (assumptions.per, assumptions.finitely_many_commands) =
                        (per, finitely_many_commands);
                });
                let answers = compared(&scenario, &[], &[claim], &axes);
                assert_eq!(texts(&answers[0].holds), least, "{name}");
            }
        }
    }
}

/// A former provisioner that still starts an instance sees that fail as any does.
#[test]
fn no_start_fails_of_a_former_provisioner_where_none_fails() {
    let source = "shows = \"A start.\"\ndetail.provisioning = true\n\
                  [world]\ntransactions = \"split\"\n[world.machines]\n\
                  0 = { jobs = [\"manage-model\"] }\n1 = { jobs = [\"manage-model\"] }\n\
                  2 = { provisioned = false }\n\
                  [faults]\nfail-over = [\"2\"]\nstart-failure = true\n";
    let axes = [Axis::Faults(FaultKind::StartFailure), Axis::Faults(FaultKind::FailOver)];
    let claim = "no instance is asked for of a machine whose error is written";
    let answers = compared(&parsed(source), &[], &[claim], &axes);
    assert_eq!(texts(&answers[0].holds), [["no fail-overs"], ["no failed starts"]]);
}

/// After the script no relation is Dying any more.
#[test]
fn a_claim_that_the_script_is_about_is_not_vacuous() {
    let scenario = shipped("destroyed-beside-a-new-relation");
    let claim = deathwatch_claims::named("a Dying relation is removed").expect("it is a claim");
    let (_, answered) = &needs(&scenario, &[claim], &[]).answers[0];
    assert_eq!((texts(&answered.holds), answered.vacuous.len()), (vec![Vec::new()], 0));
}

#[test]
fn what_is_to_be_reached_needs_faults() {
    let witness = "claims = {}\nwitnesses = [\"provisioner.1\"]\n[world.machines]";
    let source = RELATION.replace("[world.machines]", witness);
    let assumed = needs(&parsed(&source), &[], &[]);
    let [(FindingSubject::Witness(_), answered)] = &assumed.answers[..] else {
        panic!("a witness is asked")
    };
    let faults: Vec<Vec<(&str, &str)>> =
        answered.holds.iter().map(|set| set.premises.faults()).collect();
    let may = |key| vec![(key, "may happen")];
    assert_eq!(faults, [may("undetected-hardware-failure"), may("hardware-failure")]);
}

fn shipped(name: &str) -> Scenario {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/findings");
    scenario::load(&root.join(name).with_extension("toml")).expect("it is shipped")
}

/// The least is the first of which a search of its own says that the claim holds.
#[test]
fn the_least_fairness_is_what_each_fairness_alone_says() {
    let mut found = BTreeSet::new();
    for name in ["churn-starves-the-provisioner", "forced-machine-is-outrun", "no-cleaner"] {
        let scenario = shipped(name);
        let replay = replay::replay(&scenario).expect("its steps are possible");
        let settings = SearchSettings::without_limits(1);
        let least = least_fairness(&scenario, &replay, &settings).expect("the world is small");
        assert!(!least.is_empty());
        for (claim, least) in least {
            let holds = |acts: bool, per: Per, strong: bool| {
                let world = scenario.world.changed(|world| {
                    let assumptions = &mut world.assumptions;
                    (assumptions.agents_act, assumptions.per) = (acts, per);
                    assumptions.strong = strong;
                });
                let question = CheckQuestion {
                    world: &world,
                    start: &replay.state,
                    claims: vec![claim],
                    witnesses: Vec::new(),
                    refines: None,
                };
                let report = check::check_without(&question, &[], &settings);
                let report = report.expect("the world is small");
                report.findings[0].answer == CheckAnswer::Holds
            };
            let alone = [
                holds(false, Per::Agent, false),
                holds(true, Per::Agent, false),
                holds(true, Per::Duty, false),
                holds(true, Per::Duty, true),
            ];
            let first = alone.iter().position(|holds| *holds);
            let first = first.map(|index| AgentFairness::CHAIN[index]);
            assert_eq!(least, first, "{name}: {}", claim.name);
            assert!(alone.is_sorted(), "who assumes more loses nothing: {}", claim.name);
            found.insert(least);
        }
    }
    let all = [AgentFairness::WeakByAgent, AgentFairness::WeakByDuty, AgentFairness::StrongByDuty];
    assert!(all.iter().all(|it| found.contains(&Some(*it))), "{found:?}");
    assert!(found.contains(&None), "no fairness makes up for a cleaner that does not exist");
}
