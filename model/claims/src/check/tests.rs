//! The parts of a decision, in a world of two machines.

use std::borrow::Cow;

use deathwatch_model::{
    clause::Clause,
    ids::{Id, MachineId},
    life::Life,
    protocol::Effects,
    rows::Row,
    runtime::Hardware,
    state::State,
    store::{Machine, Touched},
    world::{Allowed, Command, MachineDef, World, WorldBuilder},
};

use super::{
    CheckAnswer, CheckQuestion, Departure, FindingSubject, Refinement, SearchSettings, Trace,
    certificate::{CertificateFlaw, certify},
    check,
};

const SETTINGS: SearchSettings<'static> = SearchSettings::without_limits(1);

/// A manager machine and another one that the user may destroy once.
pub(super) fn machines() -> (World, State) {
    machines_and_manager(1)
}

/// The manager, which has number 0, or a machine that hosts units.
pub(super) fn machine(number: usize) -> MachineDef {
    MachineDef {
        name: number.to_string(),
        parent: None,
        manages_model: number == 0,
        hosts_units: number != 0,
        never_starts: false,
    }
}

/// `hosts` machines that host units and may be destroyed, and the manager.
pub(super) fn machines_and_manager(hosts: usize) -> (World, State) {
    let destroy = |number| Allowed {
        command: Command::DestroyMachine(MachineId::new(number)),
        most: Some(1),
    };
    let world = WorldBuilder {
        machines: (0..=hosts).map(machine).collect(),
        commands: (1..=hosts).map(destroy).collect(),
        tries: 3,
        ..WorldBuilder::default()
    }
    .build();
    let (mut state, mut touched) = (State::empty(&world), Touched::new());
    for id in world.machine_ids() {
        state.store.machine_docs_mut(id, &mut touched).machine =
            Some(Machine { instance: true, ..Machine::created() });
        state.runtime.machine_mut(id, &mut touched).hardware = Hardware::Running;
    }
    (world, state)
}

/// The answer to a question about that world, and the question.
fn with_answer(
    world: &World,
    start: &State,
    asked: FindingSubject,
    test: impl FnOnce(&CheckQuestion<'_>, CheckAnswer, Option<Trace>),
) {
    let mut question =
        CheckQuestion { world, start, claims: Vec::new(), witnesses: Vec::new(), refines: None };
    match asked {
        FindingSubject::Claim(claim) => question.claims.push(claim),
        FindingSubject::Witness(clause) => question.witnesses.push(clause),
        FindingSubject::Refinement => question.refines = Some(Refinement::of(world)),
    }
    let mut report = check(&question, &SETTINGS).expect("two machines fit");
    assert_eq!((report.stopped, report.findings.len()), (None, 1));
    let finding = report.findings.remove(0);
    test(&question, finding.answer, finding.trace);
}

fn claim(name: &str) -> FindingSubject {
    FindingSubject::Claim(crate::claims::named(name).expect("there is such a claim"))
}

/// The traces that come of `trace` when one of its steps is left out.
fn spoiled(trace: &Trace) -> impl Iterator<Item = Trace> {
    (0..trace.steps.len()).map(|step| {
        let mut spoiled = trace.clone();
        spoiled.steps.remove(step);
        spoiled
    })
}

#[test]
fn a_run_that_owes_something_for_ever_is_certified_and_no_other() {
    let (world, start) = machines();
    let asked = claim("a Dying machine is removed");
    with_answer(&world, &start, asked, |_, answer, _| assert_eq!(answer, CheckAnswer::Holds));
    let world = world.changed(|world| world.assumptions.agents_act = false);
    with_answer(&world, &start, asked, |question, answer, trace| {
        assert_eq!(answer, CheckAnswer::Violated);
        let trace = trace.expect("a run shows it");
        assert_eq!(certify(question, asked, &trace), Ok(()));
        for spoiled in spoiled(&trace) {
            assert!(certify(question, asked, &spoiled).is_err(), "{spoiled:?}");
        }
        let of = |subject| Trace { subject, ..trace.clone() };
        let other = of(Some(Row::Machine(MachineId::new(0))));
        assert_eq!(certify(question, asked, &other), Err(CertificateFlaw::NotShown));
        assert_eq!(certify(question, asked, &of(None)), Err(CertificateFlaw::NotShown));
    });
}

#[test]
fn a_cycle_has_to_come_back_and_to_owe_on_its_way() {
    let (world, start) = machines();
    let world = world.changed(|world| world.assumptions.agents_act = false);
    let asked = claim("a Dying machine is removed");
    with_answer(&world, &start, asked, |question, _, trace| {
        let trace = trace.expect("a run shows it");
        // The agents may move, though they need not.
        let removed = with_removal(question);
        let rest = removed[trace.steps.len()..].to_vec();
        assert_eq!(removed[..trace.steps.len()], trace.steps);
        let closed = Trace { cycle: rest.clone(), ..trace.clone() };
        assert_eq!(certify(question, asked, &closed), Err(CertificateFlaw::NotShown));
        let elsewhere = Trace { cycle: rest[..1].to_vec(), ..trace.clone() };
        assert_eq!(certify(question, asked, &elsewhere), Err(CertificateFlaw::NoCycle));
        let impossible = Trace { cycle: trace.steps.clone(), ..trace };
        let again = Err(CertificateFlaw::NotEnabled(impossible.cycle[0]));
        assert_eq!(certify(question, asked, &impossible), again);
    });
}

#[test]
fn a_flaw_of_a_run_says_what_it_is() {
    let (world, start) = machines();
    let mut enabled = Vec::new();
    deathwatch_model::protocol::enabled(&world, &start, &mut enabled);
    let flaw = CertificateFlaw::NotEnabled(enabled[0]).to_string();
    assert!(flaw.contains("DestroyMachine") && flaw.ends_with("is not enabled"), "{flaw}");
    assert_eq!(CertificateFlaw::NoCycle.to_string(), "its cycle does not come back");
    assert_eq!(CertificateFlaw::NotShown.to_string(), "it does not show what was asked");
}

/// The steps by which machine 1 is removed.
fn with_removal(question: &CheckQuestion<'_>) -> Vec<deathwatch_model::action::Action> {
    let clause = Clause::named("remove-machine.1").expect("there is such a clause");
    let mut steps = Vec::new();
    with_answer(
        question.world,
        question.start,
        FindingSubject::Witness(clause),
        |_, answer, trace| {
            assert_eq!(answer, CheckAnswer::Holds);
            steps = trace.expect("a run shows it").steps;
        },
    );
    steps
}

#[test]
fn a_run_that_carries_out_a_clause_ends_with_it() {
    let (world, start) = machines();
    let clause = Clause::named("destroy-machine.1").expect("there is such a clause");
    let asked = FindingSubject::Witness(clause);
    with_answer(&world, &start, asked, |question, answer, trace| {
        assert_eq!(answer, CheckAnswer::Holds);
        let trace = trace.expect("a run shows it");
        assert_eq!(certify(question, asked, &trace), Ok(()));
        for spoiled in spoiled(&trace) {
            assert!(certify(question, asked, &spoiled).is_err(), "{spoiled:?}");
        }
        let longer = Trace { steps: with_removal(question), ..trace };
        assert_eq!(certify(question, asked, &longer), Err(CertificateFlaw::NotShown));
    });
}

#[test]
fn a_world_keeps_to_itself() {
    let (world, start) = machines();
    with_answer(&world, &start, FindingSubject::Refinement, |question, answer, trace| {
        assert_eq!((answer, trace.is_none()), (CheckAnswer::Holds, true));
        let nothing = Trace::default();
        assert_eq!(
            certify(question, FindingSubject::Refinement, &nothing),
            Err(CertificateFlaw::NotShown)
        );
    });
}

#[test]
fn a_run_to_a_step_that_the_outline_does_not_have_is_certified_and_no_other() {
    let (world, start) = machines();
    let neglects = Clause::named("machine-agent.5").expect("there is such a clause");
    let outline = world.changed(|world| world.without.insert(neglects));
    let refinement = Refinement::against(&world, Cow::Owned(outline), |_, state| state.clone());
    let (claims, witnesses) = (Vec::new(), Vec::new());
    let refines = Some(refinement.clone());
    let question = CheckQuestion { world: &world, start: &start, claims, witnesses, refines };
    let mut report = check(&question, &SETTINGS).expect("two machines fit");
    let finding = report.findings.remove(0);
    assert_eq!(finding.answer, CheckAnswer::Violated);
    let trace = finding.trace.expect("a run shows it");
    let steps: Vec<String> = trace.steps.iter().map(|step| world.show(step)).collect();
    assert_eq!(steps, ["user: destroy-machine 1", "machine-agent 1: set-machine-dead 1"]);

    let asked = FindingSubject::Refinement;
    assert_eq!(certify(&question, asked, &trace), Ok(()));
    for spoiled in spoiled(&trace) {
        assert!(certify(&question, asked, &spoiled).is_err(), "{spoiled:?}");
    }
    let longer = Trace { steps: with_removal(&question), ..trace.clone() };
    assert_eq!(certify(&question, asked, &longer), Err(CertificateFlaw::NotShown));
    let departure = trace.departure.clone().expect("it says how");
    let Departure { before, after, nearest } = departure.clone();
    for other in [
        None,
        Some(Departure { before: after.clone(), ..departure.clone() }),
        Some(Departure { after: before.clone(), ..departure.clone() }),
        Some(Departure { nearest: Some((trace.steps[1], after.clone())), ..departure.clone() }),
    ] {
        let spoiled = Trace { departure: other, ..trace.clone() };
        assert_eq!(certify(&question, asked, &spoiled), Err(CertificateFlaw::NotShown));
    }
    let mut shorter = Trace { departure: None, ..trace.clone() };
    shorter.steps.truncate(1);
    assert_eq!(
        certify(&question, asked, &shorter),
        Err(CertificateFlaw::NotShown),
        "it does not depart"
    );
    let unasked = CheckQuestion { refines: None, ..question.clone() };
    assert_eq!(certify(&unasked, asked, &trace), Err(CertificateFlaw::NotShown));

    let life = |state: &State| state.store.machine_life(MachineId::new(1));
    assert_eq!([life(&before), life(&after)], [Some(Life::Dying), Some(Life::Dead)]);
    assert!(nearest.is_none(), "without that duty nothing happens there: {nearest:?}");
    let mut same = before.clone();
    let action = trace.steps[1];
    deathwatch_model::protocol::step(&world, &mut same, action, &mut Effects::default());
    assert_eq!(same, after, "the departure is that of the last step");
    assert_eq!(refinement.departure(&before, action, &before), None);
}
