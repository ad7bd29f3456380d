//! The picture beside the steps: a lane for each actor, a mark for each step, and a bar for as long
//! as something is owed. Time goes down, a row for each state.
//!
//! Each row has its own slice of the picture, which is as high as the row: texts wrap as they need,
//! and nothing is cut. In a slice the row is two units high, and each column two units wide.

use std::fmt::Write as _;

use maud::{Markup, html};

use deathwatch_documents::{
    NoReturn, Run,
    run::{ActorKind, ClaimStrip, End, Lane, Owed, OwedIs, Presence, Step, What},
};

use crate::text::number;

const LANE: usize = 22;
const BAR: usize = 16;

/// The lanes of a run: those of actors who act, or to whom something happens.
pub(super) struct Lanes<'a> {
    run: &'a Run,
    shown: Vec<&'a Lane>,
    idle: Vec<&'a str>,
    bars: Vec<Bar<'a>>,
}

/// What is owed to one subject of a claim.
struct Bar<'a> {
    claim: &'a str,
    subject: Option<&'a str>,
    owed: Vec<&'a Owed>,
}

impl<'a> Lanes<'a> {
    pub(super) fn of(run: &'a Run) -> Self {
        let acts = |lane: &Lane| run.steps.iter().any(|step| step.act.actor == lane.actor);
        let (shown, idle): (Vec<_>, Vec<_>) =
            run.lanes.iter().partition(|lane| lane.spans.len() > 1 || acts(lane));
        let idle = idle.into_iter().map(|lane| lane.actor.as_str()).collect();
        Self { run, shown, idle, bars: bars(run) }
    }

    /// The actors that have no lane.
    pub(super) fn idle(&self) -> &[&'a str] {
        &self.idle
    }

    /// The steps with their lanes and bars: `row` is what a row says of a state, and `end` what is
    /// said of the end.
    pub(super) fn rows(&self, row: &dyn Fn(usize) -> Markup, end: &Markup) -> Markup {
        html! {
            div.rows {
                div.names aria-hidden="true" { (self.names()) span {} (self.numbers()) }
                ol start="0" {
                    @for state in 0..=self.run.steps.len() {
                        (self.gap(state))
                        li.row.again[self.is_in_cycle(state)].unaided[self.is_past(state, |it| it.unaided)]
                            .lost[self.is_past(state, |it| it.lost)] data-actor=(self.actor(state)) {
                            (self.slice(state))
                            (row(state))
                            (self.bars_at(state))
                        }
                    }
                    (self.gap(self.run.steps.len() + 1))
                    li.row.end { (self.empty()) span { (end) } (self.bars_at_end()) }
                }
            }
        }
    }

    /// The number of steps that are left out before the one that leads to a state.
    fn gap(&self, state: usize) -> Markup {
        let left_out = self.run.left_out_before(state);
        html! {
            @if left_out > 0 {
                li.row.gap {
                    (self.empty())
                    span.quiet { "… " (number(left_out as u64, "step")) " of others" }
                }
            }
        }
    }

    fn actor(&self, state: usize) -> &str {
        state.checked_sub(1).map_or("", |index| self.run.steps[index].act.actor.as_str())
    }

    /// Whether the step that leads to a state is repeated for ever.
    fn is_in_cycle(&self, state: usize) -> bool {
        match self.run.end {
            End::Cycle { from, .. } => state > from,
            End::Quiescent | End::Open => false,
        }
    }

    /// Whether a state is past this point of no return of the claim that the run violates.
    fn is_past(&self, state: usize, point: fn(&NoReturn) -> Option<usize>) -> bool {
        self.run.no_return().and_then(point).is_some_and(|since| state >= since)
    }

    /// The names of the lanes, which lean over the steps.
    fn names(&self) -> Markup {
        let longest = self.shown.iter().map(|lane| lane.actor.chars().count()).max();
        let height = 16 + longest.unwrap_or_default() * 11 / 2;
        html! {
            svg width=(self.shown.len() * LANE) height=(height) {
                @for (number, lane) in self.shown.iter().enumerate() {
                    svg x=(self.x(number)) y=(height - 6) {
                        text transform="rotate(-48)" { (lane.actor) }
                    }
                }
            }
        }
    }

    fn numbers(&self) -> Markup {
        html! {
            @if !self.bars.is_empty() {
                svg width=(self.bars.len() * BAR) height="20" {
                    @for number in 0..self.bars.len() {
                        text x=(part(number, self.bars.len())) y="14" text-anchor="middle" { (number + 1) }
                    }
                }
            }
        }
    }

    fn empty(&self) -> Markup {
        html! { svg width=(self.shown.len() * LANE) aria-hidden="true" {} }
    }

    /// The part of the picture beside a state.
    fn slice(&self, state: usize) -> Markup {
        let columns = self.shown.len();
        let box_ = format!("0 0 {} 2", 2 * columns);
        html! {
            svg width=(columns * LANE) aria-hidden="true" {
                svg viewBox=(box_) preserveAspectRatio="none" {
                    @for (class, path) in self.lines(state) { path class=(class) d=(path) {} }
                }
                @if let Some(index) = state.checked_sub(1) { (self.mark(&self.run.steps[index])) }
            }
        }
    }

    /// The lines beside a state: who is there and how, and what is begun and not ended yet.
    fn lines(&self, state: usize) -> Vec<(&'static str, String)> {
        let mut paths: Vec<(&'static str, String)> = Vec::new();
        let mut add = |class: &'static str, column: usize, (above, below): (bool, bool)| {
            let (from, to) = match (above, below) {
                (true, true) => (0, 2),
                (true, false) => (0, 1),
                (false, true) => (1, 2),
                (false, false) => return,
            };
            if paths.iter().all(|(known, _)| *known != class) {
                paths.push((class, String::new()));
            }
            let path = paths.iter_mut().find(|(known, _)| *known == class);
            let (_, path) = path.expect("it was added");
            write!(path, "M{} {from}V{to}", 2 * column + 1).expect("a string takes everything");
        };
        for (column, lane) in self.shown.iter().enumerate() {
            let is_at = |at: usize| lane.spans.iter().rfind(|span| span.from <= at);
            let class_at = |at: usize| is_at(at).and_then(|span| line(span.is));
            let (above, below) = (state.checked_sub(1).and_then(class_at), class_at(state));
            if let Some(class) = above {
                add(class, column, (true, above == below));
            }
            if let Some(class) = below.filter(|_| above != below) {
                add(class, column, (false, true));
            }
        }
        for pending in &self.run.pending {
            if let Some(column) = self.column(&pending.actor) {
                let is_before = |at: usize| pending.until.is_none_or(|until| at < until);
                let below = pending.from <= state && is_before(state);
                let above = pending.from < state && is_before(state - 1);
                add("pending", column, (above, below));
            }
        }
        paths
    }

    /// The mark of a step, and a line to each actor who comes or goes by it.
    fn mark(&self, step: &Step) -> Markup {
        let Some(column) = self.column(&step.act.actor) else { return html! {} };
        let begins = |lane: &Lane| lane.spans.iter().skip(1).any(|it| it.from == step.number);
        let is_fault = step.act.actor_is == ActorKind::Faults;
        let mark = match step.outcome {
            _ if is_fault => "#step-fault",
            What::Done => "#step-local",
            What::Planned => "#step-planned",
            What::Committed => "#step-done",
            What::Aborted | What::Contended | What::Refused | What::NoOp | What::NotEnabled => {
                "#step-failed"
            }
        };
        html! {
            @for (other, lane) in self.shown.iter().enumerate() {
                @if other != column && begins(lane) {
                    line class=(if is_fault { "reach fault" } else { "reach" })
                        x1=(self.x(column)) x2=(self.x(other)) y1="50%" y2="50%" {}
                    use href="#step-reached" x=(self.x(other)) y="50%" {}
                }
            }
            use href=(mark) x=(self.x(column)) y="50%" {}
        }
    }

    fn column(&self, actor: &str) -> Option<usize> {
        self.shown.iter().position(|lane| lane.actor == actor)
    }

    /// The place of a lane among all, from the left.
    fn x(&self, column: usize) -> String {
        part(column, self.shown.len())
    }

    /// The part of the bars beside a state.
    fn bars_at(&self, state: usize) -> Markup {
        if self.bars.is_empty() {
            return html! {};
        }
        let columns = self.bars.len();
        let mut path = String::new();
        for (column, bar) in self.bars.iter().enumerate() {
            for owed in &bar.owed {
                let above = owed.since < state && owed.until.is_none_or(|until| state <= until);
                let (from, to) = match (above, owed.is_open_at(state)) {
                    (true, true) => (0, 2),
                    (true, false) => (0, 1),
                    (false, true) => (1, 2),
                    (false, false) => continue,
                };
                write!(path, "M{} {from}V{to}", 2 * column + 1).expect("a string takes everything");
            }
        }
        let is_met = |bar: &&(usize, &Bar<'_>)| {
            bar.1.owed.iter().any(|it| it.is == OwedIs::Done && it.until == Some(state))
        };
        html! {
            svg width=(columns * BAR) aria-hidden="true" {
                svg viewBox=(format!("0 0 {} 2", 2 * columns)) preserveAspectRatio="none" {
                    path.owed d=(path) {}
                }
                @for (column, _) in self.bars.iter().enumerate().filter(|bar| is_met(&bar)) {
                    use href="#step-met" x=(part(column, columns)) y="50%" {}
                }
            }
        }
    }

    /// What is never done, under the bars.
    fn bars_at_end(&self) -> Markup {
        let columns = self.bars.len();
        let is_violated = |bar: &Bar<'_>| bar.owed.iter().any(|owed| owed.is == OwedIs::Violated);
        html! {
            @if columns > 0 {
                svg width=(columns * BAR) aria-hidden="true" {
                    @for (column, bar) in self.bars.iter().enumerate() {
                        @if is_violated(bar) {
                            use href="#step-fault" x=(part(column, columns)) y="8" {}
                        }
                    }
                }
            }
        }
    }

    /// What each bar says, in words.
    pub(super) fn owed(&self) -> Markup {
        html! {
            @if !self.bars.is_empty() {
                ol.owed-list aria-label="What is owed" {
                    @for bar in &self.bars {
                        li {
                            (bar.claim)
                            @if let Some(subject) = bar.subject { ": " strong { (subject) } }
                            @for owed in &bar.owed { ", " (became(self.run, owed)) }
                        }
                    }
                }
            }
        }
    }
}

fn became(run: &Run, owed: &Owed) -> Markup {
    html! {
        @match (owed.is, owed.until) {
            (OwedIs::Violated, _) => span.bad { "owed since step " (run.number(owed.since)) ", and never done" },
            (OwedIs::Done, Some(until)) => { "owed from " (run.number(owed.since)) " to " (run.number(until)) }
            (OwedIs::Open | OwedIs::Done, _) => { "owed since step " (run.number(owed.since)) }
        }
    }
}

/// The claims whose obligations are shown: those that are not met come first.
fn strips(run: &Run) -> Vec<&ClaimStrip> {
    const MOST: usize = 4;
    let is_met = |strip: &ClaimStrip| strip.owed.iter().all(|owed| owed.is == OwedIs::Done);
    let owed = run.claims.iter().filter(|strip| !strip.owed.is_empty());
    let (met, unmet): (Vec<_>, Vec<_>) = owed.partition(|strip| is_met(strip));
    unmet.into_iter().chain(met).take(MOST).collect()
}

/// The bars: for each claim one for each subject, so that none hides another's.
fn bars(run: &Run) -> Vec<Bar<'_>> {
    const MOST: usize = 8;
    let mut bars: Vec<Bar<'_>> = Vec::new();
    for strip in strips(run) {
        for owed in &strip.owed {
            let subject = owed.subject.as_ref().map(|it| it.name.as_str());
            let known = bars.iter_mut().find(|it| it.claim == strip.claim && it.subject == subject);
            match known {
                Some(bar) => bar.owed.push(owed),
                None => bars.push(Bar { claim: &strip.claim, subject, owed: vec![owed] }),
            }
        }
    }
    bars.truncate(MOST);
    bars
}

/// The middle of a column among `columns`, from the left.
fn part(column: usize, columns: usize) -> String {
    let thousandths = (2 * column + 1) * 500 / columns.max(1);
    format!("{}.{}%", thousandths / 10, thousandths % 10)
}

/// The class of the line of an actor; `None` if it is not there.
fn line(is: Presence) -> Option<&'static str> {
    match is {
        Presence::Runs => Some("there"),
        Presence::Down => Some("there down"),
        Presence::Waits => Some("there waits"),
        Presence::Silent => Some("there silent"),
        Presence::Absent | Presence::Terminated => None,
    }
}
