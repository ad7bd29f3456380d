//! Verdicts: the findings of a script count as much as those of the search after it.

use deathwatch_claims::check::{CheckAnswer, SearchSettings, TooLarge};
use deathwatch_documents::{Begins, Status};
use deathwatch_model::clause::Clause;
use deathwatch_scenario::{Scenario, replay};
use deathwatch_study::{
    to_scenario_text,
    verdict::{self, Engine, Judged, Refines, Verdict, VerdictOptions},
};

use crate::common::{PAIR, good, parse, render};

/// A unit is Dead while in scope, and then leaves the scope.
const DEAD_IN_SCOPE: &str = r#"
shows = "A unit is Dead in scope for a while."
steps = """
client: destroy-unit wordpress/0
client: set-unit-dead wordpress/0
client: leave-scope wordpress/0 wordpress:db mysql:server
"""
[variants]
dead-while-in-scope = "allowed"
"#;

/// A unit without a machine is removed although it is Alive.
const REMOVED_ALIVE: &str = r#"
shows = "A unit is removed that is Alive."
steps = """
client: add-unit wordpress/1
client: destroy-unit wordpress/1
"""
[variants]
unprovisioned-unit = "removed-directly-without-instance"
"#;

/// A scenario in the world of a pair.
fn pair(head: &str, more: &str) -> Scenario {
    good(&format!("{head}{PAIR}{more}"))
}

fn how(engine: Engine) -> VerdictOptions<'static> {
    let settings = SearchSettings::without_limits(1);
    VerdictOptions { engine, only: &[], refines: Refines::default(), settings }
}

fn judge_by(engine: Engine, scenario: &Scenario) -> Verdict {
    let replay = replay(scenario).expect("every step is possible");
    verdict::judge(scenario, &replay, &how(engine)).expect("the world is small")
}

fn judge(scenario: &Scenario) -> Verdict {
    judge_by(Engine::Own, scenario)
}

/// An answer, the state in which its run begins, and the number of steps of the run.
fn shown(judged: &Judged) -> (CheckAnswer, Option<(Begins, usize)>) {
    let place = judged.rendered.as_ref().map(|rendered| (rendered.begins, rendered.steps.len()));
    (judged.finding.answer, place)
}

#[test]
fn a_violation_in_a_state_of_the_script_is_found() {
    let claims = "[claims]\n\"a Dead unit is in no scope\" = \"violated\"\n\
                  \"a Dead unit has no subordinates\" = \"holds\"\n";
    let scenario = pair(DEAD_IN_SCOPE, claims);
    for engine in [Engine::Own, Engine::Stateright] {
        let verdict = judge_by(engine, &scenario);
        let judged: Vec<_> = verdict.judged.iter().map(|it| (it.name(), shown(it))).collect();
        assert_eq!(
            judged,
            [
                ("a Dead unit has no subordinates".to_owned(), (CheckAnswer::Holds, None)),
                (
                    "a Dead unit is in no scope".to_owned(),
                    (CheckAnswer::Violated, Some((Begins::BeforeScript, 2)))
                ),
            ],
            "{engine:?}"
        );
        assert_eq!((verdict.status, verdict.answer), (Status::AsExpected, CheckAnswer::Violated));
        let rendered = verdict.judged[1].rendered.as_ref().expect("a run");
        assert_eq!(rendered.subject.as_deref(), Some("unit wordpress/0"));
        assert_eq!(rendered.steps[1].text, "client: set-unit-dead wordpress/0");
    }
}

#[test]
fn a_violation_during_and_after_the_script_is_shown_from_its_beginning() {
    let steps = "client: leave-scope wordpress/0 wordpress:db mysql:server\n";
    let claims = "[claims]\n\"a Dead unit is in no scope\" = \"holds\"\n";
    let verdict = judge(&pair(&DEAD_IN_SCOPE.replace(steps, ""), claims));
    assert_eq!(shown(&verdict.judged[0]), (CheckAnswer::Violated, Some((Begins::BeforeScript, 2))));
    assert_eq!(verdict.status, Status::Unexpected);
}

#[test]
fn a_violation_only_after_the_script_is_shown_from_its_end() {
    let steps = "client: destroy-unit wordpress/1\n";
    let more = "[user]\n\"destroy-unit wordpress/1\" = 1\n\
                [claims]\n\"only Dead units and machines are removed\" = \"violated\"\n";
    let verdict = judge(&pair(&REMOVED_ALIVE.replace(steps, ""), more));
    assert_eq!(shown(&verdict.judged[0]), (CheckAnswer::Violated, Some((Begins::AfterScript, 1))));
}

#[test]
fn a_violation_in_a_step_of_the_script_is_found() {
    let claim = "only Dead units and machines are removed";
    let scenario = pair(REMOVED_ALIVE, &format!("[claims]\n\"{claim}\" = \"violated\"\n"));
    let verdict = judge(&scenario);
    assert_eq!(shown(&verdict.judged[0]), (CheckAnswer::Violated, Some((Begins::BeforeScript, 2))));
    assert_eq!(verdict.status, Status::AsExpected);
    let by_stateright = judge_by(Engine::Stateright, &scenario);
    assert_eq!(
        shown(&by_stateright.judged[0]),
        (CheckAnswer::Violated, Some((Begins::BeforeScript, 2)))
    );
    assert_eq!(by_stateright.left_out.len(), 0, "the script tells what stateright cannot");
}

#[test]
fn a_claim_that_an_engine_cannot_decide_is_open() {
    let claim = "only Dead units and machines are removed";
    let head = "shows = \"Nobody is removed too early.\"\n";
    let scenario = pair(head, &format!("[claims]\n\"{claim}\" = \"holds\"\n"));
    assert_eq!(judge(&scenario).status, Status::AsExpected);
    let verdict = judge_by(Engine::Stateright, &scenario);
    assert_eq!(verdict.left_out[0].name, claim, "it does not decide Step claims");
    assert_eq!((verdict.answer, verdict.status), (CheckAnswer::Undecided, Status::Undecided));
}

#[test]
fn a_violation_by_the_script_can_be_kept_as_a_scenario() {
    let scenario = pair(DEAD_IN_SCOPE, "[claims]\n\"a Dead unit is in no scope\" = \"violated\"\n");
    let verdict = judge(&scenario);
    let trace = verdict.judged[0].finding.trace.as_ref().expect("a run");
    let text =
        to_scenario_text(&scenario, "It is so.", Begins::BeforeScript, &trace.steps, &trace.cycle);
    let kept = parse(&text).unwrap_or_else(|it| panic!("{text}\n{}", render(&it)));
    assert_eq!(kept.steps.len(), 2, "{text}");
    assert_eq!(replay(&kept).expect("possible").failures, []);
}

const DESTROYED: &str = "shows = \"A relation is destroyed.\"\n\
                         steps = \"client: destroy-relation wordpress:db mysql:server\"\n";

#[test]
fn an_obligation_of_the_script_stays_open_after_it() {
    let claim = "[claims]\n\"a Dying relation is removed\" = ";
    let verdict = judge(&pair(DESTROYED, &format!("{claim}\"violated\"\n")));
    let fine = judge(&pair(DESTROYED, &format!("[faults]\ncrash = true\n{claim}\"holds\"\n")));
    let left = format!("[assume]\nagents-act = false\n{claim}\"violated\"\n");
    let left = judge(&pair(DESTROYED, &left));
    assert_eq!(shown(&left.judged[0]), (CheckAnswer::Violated, Some((Begins::AfterScript, 0))));
    assert_eq!(
        (fine.judged[0].finding.answer, fine.status),
        (CheckAnswer::Holds, Status::AsExpected)
    );
    assert_eq!(verdict.judged[0].finding.answer, CheckAnswer::Holds);
    assert_eq!(verdict.judged[0].open, None);
}

/// A unit is Dying, then Dead, so no document shows any more that it was Dying.
const DEAD: &str = r#"
shows = "A unit has become Dead."
steps = """
client: destroy-unit wordpress/0
client: leave-scope wordpress/0 wordpress:db mysql:server
client: set-unit-dead wordpress/0
"""
"#;

#[test]
fn an_obligation_that_the_search_cannot_know_is_undecided() {
    let claims = "[claims]\n\"a Dying unit is removed\" = \"holds\"\n\
                  \"a Dead unit is removed\" = \"holds\"\n";
    let verdict = judge(&pair(DEAD, claims));
    let [dying, dead] = verdict.judged.as_slice() else { panic!() };
    assert_eq!(dying.finding.answer, CheckAnswer::Undecided);
    let why = dying.open.as_deref().expect("a reason");
    assert!(why.contains("for unit wordpress/0"), "{why}");
    assert_eq!((dead.finding.answer, &dead.open), (CheckAnswer::Holds, &None));
    assert_eq!((verdict.status, verdict.answer), (Status::Undecided, CheckAnswer::Undecided));
}

#[test]
fn an_obligation_that_the_script_discharges_is_closed() {
    let steps = "client: set-unit-dead wordpress/0\n";
    let gone = DEAD.replace(steps, &format!("{steps}client: remove-unit wordpress/0\n"));
    let verdict = judge(&pair(&gone, "[claims]\n\"a Dying unit is removed\" = \"holds\"\n"));
    assert_eq!(
        verdict.judged[0].finding.answer,
        CheckAnswer::Holds,
        "it was owed and kept within the script"
    );
    assert_eq!(verdict.status, Status::AsExpected);
}

#[test]
fn clauses_that_the_script_carries_out_are_carried_out() {
    for engine in [Engine::Own, Engine::Stateright] {
        let witnesses = "witnesses = [\"set-unit-dead.1\", \"remove-unit.3\", \"deploy.1\"]\n";
        let verdict = judge_by(engine, &pair(&format!("claims = {{}}\n{witnesses}{DEAD}"), ""));
        let [script, after, never] = verdict.judged.as_slice() else { panic!() };
        assert_eq!(shown(script), (CheckAnswer::Holds, Some((Begins::BeforeScript, 3))));
        let is_after = after.rendered.as_ref().is_some_and(|it| it.begins == Begins::AfterScript);
        assert!(after.finding.answer == CheckAnswer::Holds && is_after);
        assert_eq!(never.finding.answer, CheckAnswer::Violated);
        let clause = Clause::named("set-unit-dead.1").expect("it exists");
        let exercised = verdict.report.expect("a search").exercised;
        assert_eq!(exercised.is_none(), engine == Engine::Stateright);
        assert!(exercised.is_none_or(|it| it.contains(clause)));
    }
}

#[test]
fn a_world_that_is_too_large_still_has_a_script() {
    let claims = "[claims]\n\"a Dead unit is in no scope\" = \"violated\"\n\
                  \"a Dead unit has no subordinates\" = \"holds\"\n";
    let scenario = pair(DEAD_IN_SCOPE, claims);
    let replay = replay(&scenario).expect("possible");
    let verdict = verdict::unsearched(&scenario, &replay, &how(Engine::Own), TooLarge::State);
    let answers: Vec<_> = verdict.judged.iter().map(|it| it.finding.answer).collect();
    assert_eq!(answers, [CheckAnswer::Undecided, CheckAnswer::Violated]);
    assert_eq!(verdict.status, Status::Undecided);
    assert!(verdict.undecided_because().is_some_and(|why| why.contains("128 KiB")));
}

#[test]
fn a_client_must_finish_what_it_begins() {
    let script = |steps: &str| {
        format!(
            "shows = \"A client begins.\"\nsteps = \"\"\"\n{steps}\"\"\"\n[world]\ntransactions = \"split\"\n"
        )
    };
    let unfinished = |steps: &str| {
        let scenario = pair(&script(steps), "");
        replay::unfinished(&scenario, &replay(&scenario).expect("possible"))
    };
    let begun = "client: begin destroy-unit wordpress/0\n\
                 client 1: begin destroy-relation wordpress:db mysql:server\n\
                 client: commit\n";
    let problem = unfinished(begun).expect("client 1 has begun");
    assert_eq!(problem.position().as_deref(), Some("test.toml:4:1"));
    assert_eq!(
        problem.to_string(),
        "the script is over before client 1 has finished its transaction"
    );
    assert!(unfinished(&format!("{begun}client 1: commit\n")).is_none());
    assert!(
        unfinished("client: begin destroy-machine 0 => refused: it is the last manager machine\n")
            .is_none()
    );
}
