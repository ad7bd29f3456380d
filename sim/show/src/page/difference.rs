//! The page of `check --diff`: the answers that differ, and a run of one side compared with the
//! other side: a trunk of the steps that both have, which forks.

use deathwatch_documents::{
    Differences, Run,
    difference::{Difference, Parting, RunDifference, Side, Sides},
};
use maud::{Markup, html};

use super::{
    check::{sketch, world_at_the_end},
    clause,
    explained::explained,
    frame, head,
    lanes::Lanes,
    moment::changes,
    run::legend,
    shown::Shown,
    step::{end, label},
};
use crate::{
    difference::{
        answers, carried_out, changed, common, counts, decides, headline, open, parting, seeds,
        settings, start,
    },
    text::{capital, plural},
};

/// The greatest number of seeds of a scenario that are listed one by one.
const MOST_SEEDS: usize = 1000;
/// The number of shared steps from which on the first ones are folded: a reader looks for the fork.
const MOST_SHARED: usize = 8;
/// The number of steps before the fork that are not folded then.
const LAST_SHARED: usize = 4;

/// A page of what differs between two scenarios or two journals.
pub fn of_differences(differences: &Differences) -> String {
    let Sides { a, b } = &differences.compared;
    let body = html! {
        main {
            div.head {
                h1 {
                    @match differences.scenarios.as_slice() {
                        [only] => (title(only)),
                        _ => (verdict(differences)),
                    }
                }
                dl { dt { "A" } dd { (a) } dt { "B" } dd { (b) } }
            }
            @for difference in &differences.scenarios {
                @if differences.scenarios.len() > 1 { h2 { (title(difference)) } }
                (scenario(difference))
            }
            (alone(&differences.alone))
            @for sweep in &differences.sweeps {
                section.panel {
                    h2 { (sweep.scenario) }
                    ul { @for line in seeds(sweep, MOST_SEEDS).iter().skip(1) { li { (line.trim()) } } }
                }
            }
        }
    };
    frame::frame("differences", &body)
}

fn verdict(differences: &Differences) -> String {
    let scenarios = plural(differences.scenarios.len(), "scenario");
    match (differences.is_any(), differences.is_open()) {
        (true, _) if differences.scenarios.is_empty() => "A and B differ".to_owned(),
        (true, _) => format!("A and B answer {scenarios} differently"),
        (false, true) => "A and B may be answered differently".to_owned(),
        (false, false) => "A and B are answered alike".to_owned(),
    }
}

/// The title: the differences between the answers to a scenario.
fn title(difference: &Difference) -> Markup {
    let (says, answers) = headline(difference);
    html! { (says) @if let Some(answers) = answers { " " small { "(" (answers) ")" } } }
}

/// The scenarios of one side only.
fn alone(alone: &Sides<Vec<String>>) -> Markup {
    html! {
        @for (side, names) in [("A", &alone.a), ("B", &alone.b)] {
            @if !names.is_empty() {
                section.panel {
                    h2 { "Only in " (side) small { (names.len()) } }
                    ul { @for name in names { li { (name) } } }
                }
            }
        }
    }
}

/// A scenario: the run first, then its answers.
fn scenario(difference: &Difference) -> Markup {
    let Sides { a, b } = &difference.scenario;
    let world: Vec<String> = settings(difference).into_iter().chain(start(difference)).collect();
    html! {
        @if let Some(run) = &difference.run { (fork(difference, run)) (ends(run)) }
        section.panel {
            h2 { (a) @if a != b { small { "and " (b) } } }
            @for line in &world { p { (line) } }
            @for (answer, claims) in answers(difference) {
                h3 { (answer) }
                ul { @for claim in claims { li { (claim.name) " " span.quiet { (claim.kind.name()) } } } }
            }
            @if let Some(failures) = &difference.failures {
                @for (side, failures) in [("A", &failures.a), ("B", &failures.b)] {
                    @for failure in failures { p.bad { "script, in " (side) ": " (failure) } }
                }
            }
            @if let Some(counts) = counts(difference) { p { (counts) } }
            @for (head, clauses) in carried_out(difference) {
                p { (head) @for clause in clauses { " " code { (clause) } } }
            }
            @if let Some((head, claims)) = open(difference) {
                p.bad { (head) ": " (claims.join(", ")) }
            }
        }
    }
}

/// The run, with the other side's: the steps of both once, and then a branch for each.
fn fork(difference: &Difference, run: &RunDifference) -> Markup {
    let Sides { a, b } = &run.runs;
    html! {
        section.panel aria-label="The run" {
            h2 { "The run" small { (decides(difference, run)) } }
            @match (a, b) {
                (Some(a), Some(b)) => (parted(run, &Sides { a, b })),
                (Some(only), None) | (None, Some(only)) => {
                    (reason(run))
                    (sketch(only))
                },
                (None, None) => (reason(run)),
            }
        }
    }
}

/// The runs of both sides, whose lanes have the same places.
fn parted(run: &RunDifference, runs: &Sides<&Run>) -> Markup {
    let lanes = Lanes::aligned(runs, &run.claim);
    let both = common(run);
    let shared = lanes.of(run.side);
    let row = |state| shared_step(run, runs, state);
    let folded = if both > MOST_SHARED { both - LAST_SHARED } else { 0 };
    html! {
        div.fork {
            div.rows.trunk {
                (shared.head())
                @if folded > 0 {
                    details {
                        summary { "Steps 1 to " (folded) " of both" }
                        (shared.trunk(0..=folded, &row))
                    }
                    (shared.trunk(folded + 1..=both, &row))
                } @else {
                    (shared.trunk(0..=both, &row))
                }
            }
            div.parting {
                div { (reason(run)) }
                @if !lanes.b.has_picture_of(&lanes.a, both) {
                    p.quiet { "Lanes and bars of the common steps are those of " (run.side.name()) "." }
                }
                div.rows { (lanes.b.head()) }
            }
            @for side in [Side::A, Side::B] {
                @let of_side = runs.of(side);
                @let heading = html! { span { strong { (heading(run, side)) } } };
                @let row = |state: usize| step(of_side, state, &html! {});
                div.rows.branch {
                    (lanes.of(side).branch(both, &heading, &row, &end(of_side)))
                    (lanes.of(side).owed())
                }
            }
        }
        (legend(runs.of(run.side)))
    }
}

/// The reason why the sides part: the holders of the stuck subject, and the step that the other
/// side takes instead.
fn reason(run: &RunDifference) -> Markup {
    let (first, rest) = parting(run);
    let decided = run.runs.of(run.side).as_ref();
    let answer = decided.and_then(|it| it.answers.iter().find(|it| it.claim == run.claim));
    let clauses = cited(run);
    html! {
        @if let (Some(decided), Some(answer)) = (decided, answer) {
            @let told = answer.wait_for.as_ref().map(|it| (it.sentences(), it.roots.len()));
            @for root in told.iter().flat_map(|(sentences, roots)| &sentences[..*roots]) {
                p.cause { "In " (run.side.name()) " it is " (explained(root)) "." }
            }
            @if told.is_none() {
                p.cause {
                    (run.side.name()) " " (run.kind.decides()) " it after step " (answer.state)
                    @if let Some(subject) = &answer.subject { ", by " (subject.kind) " " (subject.name) }
                    "."
                }
            }
            @if let Some(said) = head::no_return(decided, answer) { p { (said) } }
        }
        p.cause { strong.bad { (capital(&first)) } @if rest.is_empty() { "." } @else { ":" } }
        ul.changes { @for line in &rest { li { (line) } } }
        @for (run, clause) in &clauses { (clause::folded(run, clause)) }
    }
}

/// The clauses that say why the sides part, each with a run that has its text.
fn cited(run: &RunDifference) -> Vec<(&Run, &str)> {
    let clauses: Vec<&String> = match &run.parting {
        Parting::NotPossible { clauses, .. } => clauses.iter().collect(),
        Parting::GoesOn { can } => can.iter().filter_map(|it| it.act.duty.as_ref()).collect(),
        Parting::OtherOutcome { because, .. } => {
            let because = [&because.a, &because.b].into_iter().flatten();
            because.flat_map(|it| &it.clauses).collect()
        }
        Parting::NotKnown { .. }
        | Parting::OtherChanges
        | Parting::NotForEver { .. }
        | Parting::OtherScript
        | Parting::OtherClaim
        | Parting::OtherRun
        | Parting::NotPlayed => Vec::new(),
    };
    let runs = || [&run.runs.a, &run.runs.b].into_iter().flatten();
    let text = |clause: &&String| runs().find(|run| run.clauses.contains_key(clause.as_str()));
    clauses.iter().filter_map(|it| Some((text(it)?, it.as_str()))).collect()
}

/// The heading above the branch of a side.
fn heading(run: &RunDifference, side: Side) -> String {
    let steps = run.runs.of(side).as_ref().map_or(0, |it| it.steps.len());
    match (side == run.side, steps.saturating_sub(run.followed)) {
        (true, _) => format!("{}, which {} it", side.name(), run.kind.decides()),
        (false, 0) => side.name().to_owned(),
        (false, _) => format!("{}, and from step {} on by itself", side.name(), run.followed + 1),
    }
}

/// A step that both sides take, and its clauses and changes: for each of them, if these differ.
fn shared_step(run: &RunDifference, runs: &Sides<&Run>, state: usize) -> Markup {
    let clauses = |run: &Run| state.checked_sub(1).map(|index| run.steps[index].clauses.clone());
    let differs = run.changes.iter().find(|it| it.step == state);
    let only = html! {
        @for line in differs.iter().flat_map(|it| changed(it)) { span.quiet { (line) } }
    };
    if differs.is_none() && clauses(runs.a) == clauses(runs.b) {
        return step(runs.of(run.side), state, &only);
    }
    let both = [Side::A, Side::B].map(|side| {
        html! { p { strong { "In " (side.name()) } } (done(runs.of(side), state)) }
    });
    folded(runs.of(run.side), state, &only, &html! { @for of_side in both { (of_side) } })
}

/// A step of one side, which unfolds to its clauses and changes; `aside` stands below it.
fn step(run: &Run, state: usize, aside: &Markup) -> Markup {
    folded(run, state, aside, &done(run, state))
}

fn folded(run: &Run, state: usize, aside: &Markup, inside: &Markup) -> Markup {
    html! {
        div.said {
            @if state == 0 { (label(run, state)) }
            @else {
                details { summary { (label(run, state)) } (inside) }
                (aside)
            }
        }
    }
}

/// The clauses and changes of a step.
fn done(run: &Run, state: usize) -> Markup {
    let Some(step) = state.checked_sub(1).map(|index| &run.steps[index]) else { return html! {} };
    html! {
        @for clause in &step.clauses { (clause::folded(run, clause)) }
        (changes(&Shown::of(run), &step.changes))
    }
}

/// The worlds at the end of both branches.
fn ends(run: &RunDifference) -> Markup {
    html! {
        div.columns {
            @for side in [Side::A, Side::B] {
                @if let Some(run) = run.runs.of(side) {
                    div { (world_at_the_end(run, &format!("The world in {}", side.name()))) }
                }
            }
        }
    }
}
