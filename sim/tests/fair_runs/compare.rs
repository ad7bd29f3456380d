//! The comparison: every claim of the kind leads, decided three times. By the checker; by the
//! definition, from the protocol alone; and by the definition, from the automata that are exported
//! for other tools.

use deathwatch_claims::{
    Claim, ClaimKind,
    check::{self, CheckAnswer, CheckQuestion, Finding, LabelledGraph, SearchSettings, Symmetry},
};
use deathwatch_scenario::{Scenario, replay};
use deathwatch_study::graph::{self, AutomatonSubject, GraphContent};

use super::{
    hoa,
    world::{ClaimDecision, RunGraph},
};

/// The numbers of claims that were decided, by their answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AnswerTally {
    pub(crate) worlds: usize,
    pub(crate) states: usize,
    /// Automata that were written and read.
    pub(crate) automata: usize,
    pub(crate) holds: usize,
    pub(crate) violated: usize,
    /// Violated claims whose run goes on for ever.
    pub(crate) cycles: usize,
    pub(crate) vacuous: usize,
    /// Runs on which nothing is lost, runs on which something is, and runs from which only help
    /// leads back.
    pub(crate) returns: [usize; 3],
}

const SETTINGS: SearchSettings<'static> = SearchSettings::without_limits(1);

/// Symmetry reduction, with more than one thread, as mistakes in it may depend on that.
const REPRESENTED: SearchSettings<'static> =
    SearchSettings { symmetry: Symmetry::On, ..SearchSettings::without_limits(2) };

/// Decides every claim of the kind leads that concerns this world, or is its own, and compares the
/// answers. Does nothing if the world has more than `most` states.
pub(crate) fn compare(
    scenario: Scenario,
    most: usize,
    tally: &mut AnswerTally,
) -> Result<(), String> {
    let own = scenario.claims.iter().map(|(claim, _)| *claim).filter(|it| it.is_own());
    let all = deathwatch_claims::all_with(scenario.world.detail).chain(own);
    let claims: Vec<&'static Claim> = all.filter(|it| it.kind() == ClaimKind::Leads).collect();
    let scenario = &scenario.keeping(claims.iter().copied());
    let replayed = replay(scenario).expect("a script that is possible");
    let (world, start) = (&scenario.world, &replayed.state);
    let Some(runs) = RunGraph::of(world, start, most) else { return Ok(()) };
    let question = CheckQuestion {
        world,
        start,
        claims: claims.clone(),
        witnesses: Vec::new(),
        refines: None,
    };
    let report = check::check(&question, &SETTINGS).expect("the checker takes as many");
    let represented = check::check(&question, &REPRESENTED).expect("the checker takes as many");
    let graph = LabelledGraph::of(&question, &SETTINGS).expect("it does").expect("no limits");
    if report.states != runs.states() as u64 {
        let (theirs, mine) = (report.states, runs.states());
        return Err(format!("{}: {theirs} states, and not {mine}", scenario.name));
    }
    tally.worlds += 1;
    tally.states += runs.states();
    for ((claim, finding), again) in claims.iter().zip(&report.findings).zip(&represented.findings)
    {
        let decided = runs.decide(claim);
        let differs = |what: &str| {
            let (scenario, claim, answer) = (&scenario.name, claim.name, finding.answer);
            Err(format!("{scenario}: \"{claim}\": {answer:?}, but {what} {decided:?}"))
        };
        if !is_same(finding, &decided) {
            return differs("the definition has");
        }
        for finding in [finding, again] {
            let Some((trace, found)) =
                finding.trace.as_ref().and_then(|it| Some((it, it.no_return?)))
            else {
                continue;
            };
            let by_hand = runs.no_return(claim, trace);
            if (found.open, found.lost, found.unaided) != by_hand {
                return Err(format!(
                    "{}: \"{}\": {found:?}, and not {by_hand:?}",
                    scenario.name, claim.name
                ));
            }
            tally.returns[usize::from(found.lost.is_some())] += 1;
            tally.returns[2] += usize::from(found.lost.is_none() && found.unaided.is_some());
        }
        if !is_written(scenario, &graph, claim, &decided) {
            return differs("the automata are others than");
        }
        tally.automata += decided.subjects.len();
        tally.add(finding);
    }
    Ok(())
}

/// Whether the checker's finding agrees with the decision by definition.
fn is_same(finding: &Finding, decided: &ClaimDecision) -> bool {
    let mut violated = decided.subjects.iter().filter(|it| it.is_violated).map(|it| it.subject);
    match finding.answer {
        CheckAnswer::Holds => decided.arises && violated.next().is_none(),
        CheckAnswer::Vacuous => !decided.arises && violated.next().is_none(),
        CheckAnswer::Violated => {
            let trace = finding.trace.as_ref().expect("a violation has a run");
            violated.any(|it| trace.subject.is_none_or(|subject| subject == it))
        }
        CheckAnswer::Undecided => false,
    }
}

/// Whether the automata that are exported for a claim have the right number of states, and accept a
/// run exactly where it is violated.
fn is_written(
    scenario: &Scenario,
    graph: &LabelledGraph<'_>,
    claim: &'static Claim,
    decided: &ClaimDecision,
) -> bool {
    let asked = AutomatonSubject::new(&scenario.world, claim, None)
        .expect("a claim about what must follow");
    let mut text = String::new();
    graph::write(scenario, graph, &GraphContent::Automata(asked), &mut |piece| {
        text.push_str(piece);
        true
    });
    let all = hoa::read(&text);
    all.len() == decided.subjects.len()
        && all.iter().zip(&decided.subjects).all(|(read, of)| {
            read.name.contains(claim.name)
                && read.states == of.owed.max(1)
                && read.automaton.accepts_some_run() == of.is_violated
        })
}

impl AnswerTally {
    fn add(&mut self, finding: &Finding) {
        let cycle = finding.trace.as_ref().is_some_and(|trace| !trace.cycle.is_empty());
        match finding.answer {
            CheckAnswer::Holds => self.holds += 1,
            CheckAnswer::Vacuous => self.vacuous += 1,
            CheckAnswer::Violated => self.violated += 1,
            CheckAnswer::Undecided => {}
        }
        self.cycles += usize::from(cycle);
    }
}
