//! Answers for every number of units.

use deathwatch_claims::{
    Claim, ClaimKind,
    check::{
        self, AnySizeAnswer, AnySizeReport, CheckAnswer, CheckQuestion, Finding, FindingSubject,
        FixedUnit, GivenCertificate, HiddenCount, InstanceRun, NoAnswer, Phase, SearchProgress,
        SearchSettings, check_any_size, check_with_certificate,
    },
};
use deathwatch_documents::{
    AnySize, Begins, Beside, Expected, NotAsked, OpenClaim, OpenView, ShownWith,
};
use deathwatch_model::{ids::EntityId, world::World};
use deathwatch_scenario::{
    Problem, describe,
    replay::Replay,
    scenario::{AnySizeFile, Scenario},
};

use super::{Judged, Questions, Refines, ScriptFindings, Verdict, stopped};
use crate::trace;

/// The verdict on the claims of `scenario`, or on those in `only`, for every number of units. Its
/// script led to `replay`; the evidence goes to `given`.
///
/// # Errors
/// If it cannot be asked that of its world. The problem says why.
pub fn judge_any_size(
    scenario: &Scenario,
    replay: &Replay,
    only: &[&'static Claim],
    settings: &SearchSettings<'_>,
    given: Option<GivenCertificate<'_>>,
) -> Result<Verdict, Problem> {
    let questions = Questions::of(scenario, only, Refines::AsScenariosAsk);
    let mut verdict = Verdict::before(scenario, replay);
    if replay.is_cut {
        verdict.conclude(false);
        return Ok(verdict);
    }
    let question = CheckQuestion {
        world: &scenario.world,
        start: &replay.state,
        claims: questions.claims.iter().map(|(claim, _)| *claim).collect(),
        witnesses: questions.witnesses.clone(),
        refines: None,
    };
    match check_with_certificate(&question, settings, given) {
        Err(NoAnswer::NoTemplate(why)) => {
            let name = &scenario.name;
            let problem =
                Problem::new(format!("{name} cannot be asked for every number of units: {why}"));
            Err(problem.with_help("docs/any-size.md says which worlds can be"))
        }
        Err(NoAnswer::Stopped(stop)) => {
            for (claim, expected) in questions.claims {
                let (asked, answer) = (FindingSubject::Claim(claim), CheckAnswer::Undecided);
                verdict.judged.push(judged(asked, expected, answer, None, None));
            }
            verdict.any_size_stopped = Some(stop);
            verdict.conclude(true);
            Ok(verdict)
        }
        Ok(report) => {
            let claims = questions.claims.iter().map(|(claim, _)| *claim);
            let script = ScriptFindings::of(scenario, replay, claims);
            let is_any_asked =
                report.answers.iter().any(|(_, it)| !matches!(it, AnySizeAnswer::NotAsked(_)));
            for ((claim, answer), (_, expected)) in report.answers.iter().zip(&questions.claims) {
                let (answer, run, open) = match answer {
                    AnySizeAnswer::Holds => (CheckAnswer::Holds, None, None),
                    AnySizeAnswer::Vacuous => (CheckAnswer::Vacuous, None, None),
                    AnySizeAnswer::Violated(it) => (CheckAnswer::Violated, Some(&**it), None),
                    // A claim that something can be reached is answered as in `check`.
                    AnySizeAnswer::Reached(it) => (CheckAnswer::Holds, Some(&**it), None),
                    AnySizeAnswer::NeverReached => (CheckAnswer::Violated, None, None),
                    AnySizeAnswer::Undecided(_) => {
                        (CheckAnswer::Undecided, None, Some(candidate(&report)))
                    }
                    // A claim of all scenarios is left out, unless it was named, or nothing else
                    // is answered. A scenario's own claim is never passed over.
                    AnySizeAnswer::NotAsked(_)
                        if only.is_empty() && is_any_asked && !claim.is_own() =>
                    {
                        continue;
                    }
                    AnySizeAnswer::NotAsked(why) => {
                        (CheckAnswer::Undecided, None, Some(why.clone()))
                    }
                };
                let asked = FindingSubject::Claim(claim);
                let mut judged = judged(asked, *expected, answer, run, open);
                if run.is_none() {
                    correct(&mut judged, &script, scenario, replay);
                }
                verdict.judged.push(judged);
            }
            for (clause, answer) in &report.witnesses {
                let asked = FindingSubject::Witness(*clause);
                let (answer, run, open) = match answer {
                    AnySizeAnswer::Reached(it) => (CheckAnswer::Holds, Some(&**it), None),
                    AnySizeAnswer::NeverReached => (CheckAnswer::Violated, None, None),
                    _ => (CheckAnswer::Undecided, None, Some(candidate(&report))),
                };
                let mut judged = judged(asked, questions.expected(asked), answer, run, open);
                if run.is_none() {
                    correct(&mut judged, &script, scenario, replay);
                }
                verdict.judged.push(judged);
            }
            let expected = scenario.any_size.filter(|_| only.is_empty()).unwrap_or_default();
            verdict.compare_figures(expected, &report);
            verdict.conclude(false);
            Ok(verdict)
        }
    }
}

impl Verdict {
    /// Answers for every number of units, where the scenario asks for that. They are compared with
    /// the expected numbers, and no instance may violate a claim that holds in the scenario's own
    /// world. For a claim that views leave open, the answer of its own world stays.
    pub(super) fn compare_any_size(
        &mut self,
        scenario: &Scenario,
        question: &CheckQuestion<'_>,
        settings: &SearchSettings<'_>,
    ) {
        let Some(expected) = scenario.any_size else { return };
        let phase = Phase::Generalizing;
        (settings.progress)(SearchProgress { phase, ..SearchProgress::default() });
        // Instances are searched, too, which are no phases of this search.
        let settings =
            SearchSettings { checkpoint: None, spill: None, progress: &|_| (), ..*settings };
        match check_any_size(question, &settings) {
            Err(NoAnswer::NoTemplate(why)) => {
                self.miscounts.push(format!("no answers for every number of units, as {why}"));
            }
            Err(NoAnswer::Stopped(stop)) => {
                let why = format!("for every number of units, {}", stopped(stop));
                self.judged.iter_mut().filter(|it| it.claim().is_some()).for_each(|judged| {
                    leave_open(judged, &why);
                });
                self.any_size_stopped = Some(stop);
            }
            Ok(report) => {
                for (claim, answer) in &report.answers {
                    let is_it =
                        |it: &&mut Judged| it.claim().is_some_and(|it| it.name == claim.name);
                    let Some(own) = self.judged.iter_mut().find(is_it) else { continue };
                    match answer {
                        AnySizeAnswer::Violated(run) if is_safe(own) => {
                            let answer = CheckAnswer::Violated;
                            *own =
                                judged(own.finding.asked, own.expected, answer, Some(&**run), None);
                        }
                        AnySizeAnswer::Reached(run) if is_safe(own) => {
                            let answer = CheckAnswer::Holds;
                            *own =
                                judged(own.finding.asked, own.expected, answer, Some(&**run), None);
                        }
                        AnySizeAnswer::Undecided(_) => leave_open(own, &candidate(&report)),
                        _ => {}
                    }
                }
                self.compare_figures(expected, &report);
            }
        }
    }

    /// Keeps the figures, and compares them with the pinned ones. A claim that the world of the
    /// scenario or its script violates, or may violate, holds for no number.
    fn compare_figures(&mut self, expected: AnySizeFile, report: &AnySizeReport) {
        let mut found = figures(report, &mut self.open_views);
        let is_unsafe = |it: &Judged| {
            it.finding.answer == CheckAnswer::Violated
                || it.finding.answer == CheckAnswer::Undecided && it.open.is_some()
        };
        let not_safe = self.judged.iter().filter(|it| is_unsafe(it)).filter_map(Judged::claim);
        let not_safe: Vec<&str> = not_safe.map(|claim| claim.name).collect();
        found.hold.retain(|name| !not_safe.contains(&name.as_str()));
        let reached = self.judged.iter().filter(|it| it.finding.answer == CheckAnswer::Holds);
        let reached: Vec<&str> = reached
            .filter(|it| it.is_wanted())
            .filter_map(Judged::claim)
            .map(|it| it.name)
            .collect();
        found.undecided.retain(|it| !reached.contains(&it.claim.as_str()));
        found.never_reached.retain(|name| !reached.contains(&name.as_str()));
        self.compare("views", expected.views, found.views);
        let not_asked = found.not_asked.len() as u64;
        let of = "claims that are not asked for every number of units";
        self.compare(of, expected.not_asked, not_asked);
        self.any_size = Some(found);
    }
}

/// Corrects an answer of the search by the findings of the script.
fn correct(judged: &mut Judged, script: &ScriptFindings, scenario: &Scenario, replay: &Replay) {
    let (world, first) = (&scenario.world, &scenario.start);
    let (begins, open) = match script.merge_end_into(&mut judged.finding, world, first) {
        Some(begins) => (begins, None),
        None => script.merge_into(&mut judged.finding, world, first),
    };
    judged.open = open.or(judged.open.take());
    let start = match begins {
        Begins::BeforeScript => first,
        Begins::AfterScript => &replay.state,
    };
    judged.rendered = trace::render(world, begins, start, &judged.finding);
}

/// Whether no run of the scenario's world violates the claim, or, of a claim that something must
/// not be reached, reaches it.
fn is_safe(judged: &Judged) -> bool {
    let (answer, expects_run) = (judged.finding.answer, judged.expected == Expected::Violated);
    if judged.is_wanted() {
        return expects_run && answer == CheckAnswer::Violated;
    }
    !expects_run && matches!(answer, CheckAnswer::Holds | CheckAnswer::Vacuous)
}

/// Leaves the answer to such a claim open, for this reason.
fn leave_open(judged: &mut Judged, why: &str) {
    if is_safe(judged) {
        judged.finding.answer = CheckAnswer::Undecided;
        judged.vacuous = None;
        judged.open = Some(why.to_owned());
    }
}

/// The text for a claim that views leave open and no instance violates.
fn candidate(report: &AnySizeReport) -> String {
    let searched = report
        .searched
        .iter()
        .map(|sizes| sizes.iter().map(usize::to_string).collect::<Vec<_>>().join("+"));
    let searched = searched.collect::<Vec<_>>().join(", ");
    format!("views do not rule it out, and no instance with {searched} units shows it")
}

/// The answers as data. Views that leave a claim open are added to the list.
fn figures(report: &AnySizeReport, open_views: &mut Vec<check::ViewAsState>) -> AnySize {
    let mut any_size = AnySize {
        applications: report.types.iter().map(|(name, _)| name.clone()).collect(),
        beside: report.fixed.iter().map(beside).collect(),
        views: report.views as u64,
        shared: report.shared,
        locals: report.types.iter().map(|(_, locals)| *locals).collect(),
        at_rest: report.at_rest,
        searched: report.searched.clone(),
        ..AnySize::default()
    };
    for (asked, answer) in &report.answers {
        let claim = asked.name.to_owned();
        match answer {
            AnySizeAnswer::Holds => any_size.hold.push(claim),
            AnySizeAnswer::Vacuous => {}
            AnySizeAnswer::Violated(run) => {
                any_size.violated.push(ShownWith { claim, units: run.instance.sizes() });
            }
            AnySizeAnswer::Reached(run) => {
                any_size.reached.push(ShownWith { claim, units: run.instance.sizes() });
            }
            AnySizeAnswer::NeverReached => any_size.never_reached.push(claim),
            AnySizeAnswer::Undecided(view) => {
                let view = view.as_ref().expect("a claim is open by a view");
                let may_be_stuck = asked.kind() == ClaimKind::Leads;
                open_views.push((**view).clone());
                let view = open_view(view);
                any_size.undecided.push(OpenClaim { claim, may_be_stuck, view });
            }
            AnySizeAnswer::NotAsked(why) => {
                any_size.not_asked.push(NotAsked { claim, because: why.clone() });
            }
        }
    }
    any_size
}

/// A view in words.
fn open_view(view: &check::ViewAsState) -> OpenView {
    let (world, state) = (&view.instance.world, &view.state);
    let machines = world.machine_ids().map(EntityId::Machine);
    let units = world.unit_ids().map(EntityId::Unit);
    let relations = world.relation_ids().map(EntityId::Relation);
    let all = world.application_ids().map(EntityId::Application).chain(relations);
    let all = all.chain(machines).chain(units);
    let documents = all.map(|entity| describe::document(world, state, entity));
    // Of the rest what is as at the start says nothing.
    let idle = describe::others(world, &view.instance.start);
    let rest = describe::others(world, state).into_iter().filter(|it| !idle.contains(it));
    OpenView {
        world: documents.chain(rest).collect(),
        others: view.hidden.iter().map(|it| others(world, it)).collect(),
        run: None,
    }
}

fn others(world: &World, HiddenCount { row, counts, number, or_more }: &HiddenCount) -> String {
    let name = describe::subject(world, *row);
    let units = if *number == 1 { "1 unit".to_owned() } else { format!("{number} units") };
    let more = if *or_more { " or more" } else { "" };
    match counts {
        check::CountKind::Units => format!("{units}{more} of {name}"),
        check::CountKind::InScope => format!("{units}{more} in {name}"),
        check::CountKind::Alive => format!("{units}{more} of {name} that are Alive"),
        check::CountKind::Pending => format!("one about which {name} has something pending"),
    }
}

fn beside(FixedUnit { name, why }: &FixedUnit) -> Beside {
    Beside { unit: name.clone(), because: why.clone() }
}

/// An answer about an instance, whose run is described and not kept: it has names of its own.
fn judged(
    asked: FindingSubject,
    expected: Expected,
    answer: CheckAnswer,
    run: Option<&InstanceRun>,
    open: Option<String>,
) -> Judged {
    let trace = run.map(|it| it.trace.clone());
    let mut finding = Finding { asked, answer, subjects: 0, applied: 0, trace };
    let rendered = run.and_then(|it| {
        let (world, start) = (&it.instance.world, &it.instance.start);
        trace::render(world, Begins::AfterScript, start, &finding)
    });
    finding.trace = None;
    Judged { finding, expected, rendered, vacuous: None, open, witness: None }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use deathwatch_documents::Status;
    use deathwatch_scenario::{
        replay,
        scenario::{self, Address},
    };

    use super::*;
    use crate::answers;

    /// A world that has the relation-scope bug.
    const BUG: &str = r#"
shows = "A unit agent that lost its disk forgets a relation, which then stays."
world.applications.wordpress = { units = ["1"] }
world.applications.mysql = { units = ["2"] }
world.relations."wordpress:db mysql:server" = {}
user."destroy-relation wordpress:db mysql:server" = "unlimited"
faults.hardware-failure = ["1", "2"]
claims."a Dying relation is removed" = "holds"
check.any-size = {}
"#;

    /// The answer for every number, given the one of a scenario's own world, and the status of the
    /// verdict.
    fn compared(expected: Expected, own: CheckAnswer, most: Option<u64>) -> (CheckAnswer, Status) {
        let scenario = scenario::parse(Path::new("test.toml"), BUG).expect("a scenario");
        let replay = replay(&scenario).expect("it has no script");
        let claims: Vec<_> = scenario.claims.iter().map(|(claim, _)| *claim).collect();
        let mut verdict = Verdict::before(&scenario, &replay);
        let asked = FindingSubject::Claim(claims[0]);
        verdict.judged.push(judged(asked, expected, own, None, None));
        let (world, start) = (&scenario.world, &replay.state);
        let question = CheckQuestion { world, start, claims, witnesses: Vec::new(), refines: None };
        let settings = SearchSettings { max_states: most, ..SearchSettings::without_limits(1) };
        verdict.compare_any_size(&scenario, &question, &settings);
        verdict.conclude(true);
        let is_shown = verdict.judged[0].rendered.is_some();
        assert_eq!(is_shown, verdict.judged[0].finding.answer != own && most.is_none());
        (verdict.judged[0].finding.answer, verdict.status)
    }

    #[test]
    fn what_the_script_violates_holds_for_no_number() {
        let file =
            "transactions/races/a-machine-gets-a-unit-if-its-destruction-asserts-too-little.toml";
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios").join(file);
        let scenario = scenario::load(Address::given(&path)).expect("a scenario");
        let replay = replay(&scenario).expect("its script is possible");
        let claims: Vec<_> = scenario.claims.iter().map(|(claim, _)| *claim).collect();
        let settings = SearchSettings::without_limits(1);
        let verdict = judge_any_size(&scenario, &replay, &claims, &settings, None);
        let verdict = verdict.expect("it is a template");
        assert_eq!(verdict.judged[0].finding.answer, CheckAnswer::Violated);
        assert!(verdict.judged[0].rendered.is_some());
        assert_eq!(verdict.any_size.expect("it was asked").hold.len(), 0);
    }

    #[test]
    fn a_view_that_may_decide_a_claim_is_told() {
        let file = "own-rules/a-scope-has-no-more-units-than-its-application.toml";
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios").join(file);
        let open = |also: &str| {
            let address = Address { also: Some(also.into()), ..Address::given(&path) };
            let scenario = scenario::load(address).expect("a scenario");
            let replay = replay(&scenario).expect("it has no script");
            let claims: Vec<_> = scenario.claims.iter().map(|(claim, _)| *claim).collect();
            let settings = SearchSettings::without_limits(1);
            let verdict = judge_any_size(&scenario, &replay, &claims, &settings, None);
            let verdict = verdict.expect("it is a template");
            let found = answers::of(&scenario, &verdict, String::new()).any_size;
            let mut undecided = found.expect("it was asked").undecided;
            assert_eq!(undecided.len(), 1, "{undecided:?}");
            undecided.remove(0)
        };
        let stuck = open("four wait for each other");
        assert!(stuck.may_be_stuck && stuck.claim == "a Dying unit is removed", "{stuck:?}");
        let waits = "unit wordpress/0: Dying, on machine 1, deployed".to_owned();
        assert!(stuck.view.world.contains(&waits), "{stuck:?}");
        let OpenClaim { claim, may_be_stuck, view } = open("four are too many");
        assert_eq!((claim.as_str(), may_be_stuck), ("fewer than four are in a scope", false));
        let others = [
            "1 unit or more of application wordpress",
            "1 unit or more in relation wordpress:cluster",
        ];
        assert_eq!(view.others, others);
        let world = [
            "application wordpress: Alive, 2 units, 1 relation",
            "relation wordpress:cluster: Alive, 1 in scope, unit settings",
            "machine 0: Alive, running",
            "machine 1: Alive, running, units wordpress/0",
            "unit wordpress/0: Alive, on machine 1, deployed",
        ];
        assert_eq!(view.world, world);
        let run = view.run.as_ref().expect("the world is small");
        assert!(run.steps.is_empty() && run.moment(0).is_some() && run.claims.is_empty());
    }

    #[test]
    fn what_holds_in_its_own_world_only_is_shown_by_another() {
        use CheckAnswer::{Holds, Undecided, Vacuous, Violated};
        assert_eq!(compared(Expected::Holds, Holds, None), (Violated, Status::Unexpected));
        assert_eq!(compared(Expected::Vacuous, Vacuous, None), (Violated, Status::Unexpected));
        // That a claim does not fail as expected is not excused by another world.
        assert_eq!(compared(Expected::Violated, Holds, None), (Holds, Status::Unexpected));
        assert_eq!(compared(Expected::Holds, Holds, Some(9)), (Undecided, Status::Undecided));
    }
}
