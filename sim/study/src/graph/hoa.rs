//! A claim as a question to other tools: an automaton in the Hanoi Omega-Automata format, version
//! 1, that accepts the runs that violate the claim.
//!
//! Its states are those in which the claim is owed to a subject, so a run in it never does what is
//! owed, and its acceptance condition says which runs are fair. The claim holds for this subject if
//! and only if the automaton is empty. The letters do not matter, so there are no propositions.

use deathwatch_claims::{
    Claim, ClaimObligation,
    check::{LabelledGraph, OwedState, OwedStates, Taker},
};
use deathwatch_model::{
    rows::Row,
    world::{Obligation as Owes, World},
};
use deathwatch_scenario::{
    Problem, describe, escape::escape, problem::suggestion, scenario::Scenario,
};

use super::label;

/// The claim and the subjects of automata.
#[derive(Clone)]
pub struct AutomatonSubject {
    claim: &'static Claim,
    obligation: ClaimObligation,
    subjects: Vec<Row>,
}

impl AutomatonSubject {
    /// A claim about what must follow, and the subject with this name, or all that it has in
    /// `world`.
    ///
    /// # Errors
    /// If it is a claim about something else, or has no such subject.
    pub fn new(
        world: &World,
        claim: &'static Claim,
        subject: Option<&str>,
    ) -> Result<Self, Problem> {
        let Some(obligation) = claim.obligation() else {
            let kind = claim.kind().name();
            let message = format!("\"{}\" is a claim of the kind {kind}", claim.name);
            let help = "fairness matters to claims about what must follow, those of the kind leads";
            return Err(Problem::new(message).with_help(help));
        };
        let mut subjects: Vec<Row> = obligation.kind().rows(world).collect();
        if let Some(subject) = subject {
            subjects.retain(|row| is_called(world, claim, *row, subject));
            if subjects.is_empty() {
                return Err(unknown(world, claim, obligation, subject));
            }
        }
        Ok(Self { claim, obligation, subjects })
    }
}

/// Whether a subject has this name, with or without its kind.
fn is_called(world: &World, claim: &Claim, row: Row, name: &str) -> bool {
    let bare = claim.subject(row).and_then(Row::own_entity);
    describe::subject_of(world, claim, row) == name
        || bare.is_some_and(|entity| describe::bare_name(world, entity) == name)
}

/// The problem that a claim has no subject with this name.
fn unknown(world: &World, claim: &Claim, obligation: ClaimObligation, name: &str) -> Problem {
    let rows = obligation.kind().rows(world);
    let known: Vec<String> = rows
        .map(|row| match claim.subject(row).and_then(Row::own_entity) {
            Some(entity) => describe::bare_name(world, entity).to_owned(),
            None => describe::subject_of(world, claim, row),
        })
        .collect();
    let problem = Problem::new(format!("\"{}\" has no subject \"{name}\" here", claim.name));
    match suggestion(name, known.iter().map(String::as_str)) {
        Some(help) => problem.with_help(help),
        None => problem,
    }
}

/// Writes an automaton for each subject. A call of `write` says whether to go on.
pub(super) fn write(
    scenario: &Scenario,
    graph: &LabelledGraph<'_>,
    asked: &AutomatonSubject,
    write: &mut dyn FnMut(&str) -> bool,
) {
    for subject in &asked.subjects {
        let owed = graph.owed(asked.obligation, *subject);
        let subject = describe::subject_of(&scenario.world, asked.claim, *subject);
        let name = format!("{}: {}: {subject}", scenario.name, asked.claim.name);
        if !automaton(&scenario.world, &owed, &name, write) {
            return;
        }
    }
}

/// Writes one automaton; says whether to go on.
fn automaton(
    world: &World,
    owed: &OwedStates<'_>,
    name: &str,
    write: &mut dyn FnMut(&str) -> bool,
) -> bool {
    let sets = Sets::of(owed);
    let mut goes_on = write(&text(&header(world, owed, &sets, name)));
    let mut index = 0;
    if goes_on {
        owed.each(|state| {
            goes_on = write(&text(&lines(world, &sets, index, &state)));
            index += 1;
            goes_on
        });
    }
    goes_on && write("--END--\n")
}

/// The lines before the first state.
fn header(world: &World, owed: &OwedStates<'_>, sets: &Sets, name: &str) -> Vec<String> {
    let mut lines = vec![
        "HOA: v1".to_owned(),
        format!("name: {}", quoted(name)),
        format!("tool: \"deathwatch\" {}", quoted(env!("CARGO_PKG_VERSION"))),
        // Where nothing is owed there is one state, as not every tool takes an automaton of none.
        format!("States: {}", owed.states().max(1)),
    ];
    let starts = if owed.starts.is_empty() { &[0] } else { &owed.starts[..] };
    lines.extend(starts.iter().map(|start| format!("Start: {start}")));
    lines.push("AP: 0".to_owned());
    lines.push(format!("Acceptance: {} {}", sets.count, sets.condition()));
    lines.push("properties: trans-labels explicit-labels".to_owned());
    // Headers of one's own would say it better, but not every tool passes over them.
    lines.push(format!("/* {}: faults */", Sets::FAULTS));
    lines.extend(owed.classes.iter().zip(&sets.moved).map(|(class, set)| {
        let example = world.show(&class.example);
        comment(&format!("{set}: {}, such as {example}", fairness(class.owes)))
    }));
    lines.push("--BODY--".to_owned());
    if owed.states() == 0 {
        lines.push("State: 0".to_owned());
    }
    lines
}

fn lines(world: &World, sets: &Sets, index: usize, state: &OwedState) -> Vec<String> {
    let name = state.number;
    let mut lines = vec![format!("State: {index} \"{name}\"{}", braces(&sets.of_state(state)))];
    lines.extend(state.steps.iter().map(|step| {
        let set = match step.taker {
            Taker::Fault => Some(Sets::FAULTS),
            Taker::Free => None,
            Taker::Class(class) => Some(sets.moved[class]),
        };
        let line = comment(&world.show(&step.action));
        format!("[t] {}{} {line}", step.to, braces(set.as_slice()))
    }));
    if state.able.is_empty() {
        // Nobody has to move, so a run may end here: nothing more happens, for ever.
        lines.push(format!("[t] {index} /* nothing more happens */"));
    }
    lines
}

fn text(lines: &[String]) -> String {
    lines.join("\n") + "\n"
}

struct Sets {
    count: usize,
    /// The set of each class's moves; for a weakly fair class, it also has the states in which the
    /// class cannot move.
    moved: Vec<usize>,
    /// The set of states in which each strongly fair class can move; `None` for the others.
    able: Vec<Option<usize>>,
}

impl Sets {
    const FAULTS: usize = 0;

    fn of(owed: &OwedStates<'_>) -> Self {
        let mut sets = Self { count: 1, moved: Vec::new(), able: Vec::new() };
        for class in &owed.classes {
            let able = match class.owes {
                Owes::Nothing | Owes::Weak => None,
                Owes::Strong => Some(sets.next()),
            };
            sets.able.push(able);
            let moved = sets.next();
            sets.moved.push(moved);
        }
        sets
    }

    fn next(&mut self) -> usize {
        self.count += 1;
        self.count - 1
    }

    fn condition(&self) -> String {
        let mut condition = format!("Fin({})", Self::FAULTS);
        for (moved, able) in self.moved.iter().zip(&self.able) {
            let owed = match able {
                None => format!(" & Inf({moved})"),
                Some(able) => format!(" & (Fin({able}) | Inf({moved}))"),
            };
            condition.push_str(&owed);
        }
        condition
    }

    /// The sets to which a state belongs.
    fn of_state(&self, state: &OwedState) -> Vec<usize> {
        let each = self.moved.iter().zip(&self.able).enumerate();
        let sets = each.filter_map(|(class, (moved, able))| {
            let can = state.able.binary_search(&class).is_ok();
            match able {
                None => (!can).then_some(*moved),
                Some(able) => can.then_some(*able),
            }
        });
        sets.collect()
    }
}

fn fairness(owes: Owes) -> &'static str {
    match owes {
        Owes::Nothing => "free",
        Owes::Weak => "weakly fair",
        Owes::Strong => "strongly fair",
    }
}

/// Sets between braces, behind a space; nothing if there are none.
fn braces(sets: &[usize]) -> String {
    if sets.is_empty() {
        return String::new();
    }
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    format!(" {{{}}}", sets.join(" "))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escape(text).replace('\\', "\\\\").replace('"', "\\\""))
}

/// A comment, which the text may not begin or end: comments nest.
fn comment(line: &str) -> String {
    format!("/* {} */", label(line).replace("/*", "/ *").replace("*/", "* /"))
}
