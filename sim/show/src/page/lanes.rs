//! The picture beside the steps: a lane for each actor, a mark for each step, and a bar for as long
//! as something is owed. Time goes down, a row for each state.
//!
//! Each row has its own slice of the picture, which is as high as the row: texts wrap as they need,
//! and nothing is cut. In a slice the row is two units high, and each column two units wide.

use std::{fmt::Write as _, ops::RangeInclusive};

use maud::{Markup, html};

use deathwatch_documents::{
    NoReturn, Run,
    difference::Sides,
    run::{ActorKind, ClaimStrip, End, Owed, OwedIs, Presence, Span, Step, StepOutcome},
};

use crate::text::number;

const LANE: usize = 22;
const BAR: usize = 16;

/// The lanes of a run: those of actors that act, or whose rows change.
pub(super) struct Lanes<'a> {
    run: &'a Run,
    shown: Vec<ShownLane<'a>>,
    idle: Vec<&'a str>,
    bars: Vec<ObligationBar<'a>>,
}

/// The lane of an actor. Beside another run, it may have no part in this one.
#[derive(Clone)]
struct ShownLane<'a> {
    actor: &'a str,
    spans: &'a [Span],
}

/// An obligation to one subject of a claim.
#[derive(Clone)]
struct ObligationBar<'a> {
    claim: &'a str,
    subject: Option<&'a str>,
    owed: Vec<&'a Owed>,
}

impl<'a> Lanes<'a> {
    pub(super) fn of(run: &'a Run) -> Self {
        let acts = |lane: &ShownLane<'_>| run.steps.iter().any(|step| step.act.actor == lane.actor);
        let all = run.lanes.iter().map(|it| ShownLane { actor: &it.actor, spans: &it.spans });
        let (shown, idle): (Vec<_>, Vec<_>) =
            all.partition(|lane| lane.spans.len() > 1 || acts(lane));
        let idle = idle.into_iter().map(|lane| lane.actor).collect();
        Self { run, shown, idle, bars: bars(run) }
    }

    /// The lanes of two runs, with the same actors and the same bars at the same places, those of
    /// one claim.
    pub(super) fn aligned(runs: &Sides<&'a Run>, claim: &str) -> Sides<Self> {
        let mut both = runs.map(|run| Self::of(run));
        let Sides { a, b } = &mut both;
        a.bars.retain(|it| it.claim == claim);
        b.bars.retain(|it| it.claim == claim);
        a.add_places_of(b);
        b.add_places_of(a);
        let place = |lane: &ShownLane<'_>| a.column(lane.actor);
        b.shown.sort_by_key(place);
        let place = |bar: &ObligationBar<'_>| a.bars.iter().position(|it| it.is_of(bar));
        b.bars.sort_by_key(place);
        both
    }

    /// Whether the picture beside the states up to `last` is the same as that of another run.
    pub(super) fn has_picture_of(&self, other: &Self, last: usize) -> bool {
        (0..=last).all(|state| {
            let states = [state.checked_sub(1), Some(state)];
            let of = |it: &Self| (it.lines(states), it.owed_path(states));
            of(self) == of(other)
        })
    }

    /// Adds the lanes and the bars that another run has.
    fn add_places_of(&mut self, other: &Self) {
        let run = self.run;
        for lane in &other.shown {
            if self.column(lane.actor).is_none() {
                let own = run.lanes.iter().find(|it| it.actor == lane.actor);
                let spans = own.map_or(&[][..], |it| &it.spans);
                self.shown.push(ShownLane { actor: lane.actor, spans });
            }
        }
        for bar in &other.bars {
            if self.bars.iter().all(|it| !it.is_of(bar)) {
                self.bars.push(ObligationBar { owed: Vec::new(), ..bar.clone() });
            }
        }
    }

    /// The actors that have no lane.
    pub(super) fn idle(&self) -> &[&'a str] {
        &self.idle
    }

    /// The steps with their lanes and bars. `row` gives the contents of a state's row, and `end`
    /// stands below the last.
    pub(super) fn rows(&self, row: &dyn Fn(usize) -> Markup, end: &Markup) -> Markup {
        let last = self.run.steps.len();
        html! {
            div.rows {
                (self.head())
                ol start="0" {
                    @for state in 0..=last { (self.row(state, row)) }
                    (self.last_row(end))
                }
            }
        }
    }

    /// The rows of states that two runs share. Marks of one run alone are left out: steps that
    /// repeat for ever, and points of no return.
    pub(super) fn trunk(
        &self,
        states: RangeInclusive<usize>,
        row: &dyn Fn(usize) -> Markup,
    ) -> Markup {
        html! {
            ol start=(states.start()) {
                @for state in states { li.row { (self.slice(state)) (row(state)) (self.bars_at(state)) } }
            }
        }
    }

    /// The steps after the one that leads to a state, below `heading`, and the end.
    pub(super) fn branch(
        &self,
        after: usize,
        heading: &Markup,
        row: &dyn Fn(usize) -> Markup,
        end: &Markup,
    ) -> Markup {
        html! {
            ol start=(after) {
                (self.between(after, heading))
                @for state in after + 1..=self.run.steps.len() { (self.row(state, row)) }
                (self.last_row(end))
            }
        }
    }

    /// The names of the lanes, and the numbers of the bars.
    pub(super) fn head(&self) -> Markup {
        html! { div.names aria-hidden="true" { (self.names()) span {} (self.numbers()) } }
    }

    /// The row of a state, after a row for the steps left out before it.
    fn row(&self, state: usize, row: &dyn Fn(usize) -> Markup) -> Markup {
        html! {
            (self.gap(state))
            li.row.again[self.is_in_cycle(state)].unaided[self.is_past(state, |it| it.unaided)]
                .lost[self.is_past(state, |it| it.lost)] data-actor=(self.actor(state)) {
                (self.slice(state))
                (row(state))
                (self.bars_at(state))
            }
        }
    }

    /// The row of the end.
    fn last_row(&self, end: &Markup) -> Markup {
        html! {
            (self.gap(self.run.steps.len() + 1))
            li.row.end { (self.empty()) span { (end) } (self.bars_at_end()) }
        }
    }

    /// The number of steps that are left out before the one that leads to a state.
    fn gap(&self, state: usize) -> Markup {
        let left_out = self.run.left_out_before(state);
        let said = html! { span.quiet { "… " (number(left_out as u64, "step")) " of others" } };
        html! {
            @if let (true, Some(before)) = (left_out > 0, state.checked_sub(1)) {
                (self.between(before, &said))
            }
        }
    }

    /// A row between a state and the next step, through which the lines go on.
    fn between(&self, state: usize, said: &Markup) -> Markup {
        html! {
            li.row.gap {
                (self.picture(&self.lines([Some(state); 2]), None))
                (said)
                (self.bars_of(&self.owed_path([Some(state); 2]), |_| false))
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
        let longest = self.shown.iter().map(|it| it.actor.chars().count()).max();
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
        let before = state.checked_sub(1);
        let step = before.map(|index| &self.run.steps[index]);
        self.picture(&self.lines([before, Some(state)]), step)
    }

    /// A part of the picture: lines, and the mark of a step.
    fn picture(&self, lines: &[(&'static str, String)], step: Option<&Step>) -> Markup {
        let columns = self.shown.len();
        let box_ = format!("0 0 {} 2", 2 * columns);
        html! {
            svg width=(columns * LANE) aria-hidden="true" {
                svg viewBox=(box_) preserveAspectRatio="none" {
                    @for (class, path) in lines { path class=(class) d=(path) {} }
                }
                @if let Some(step) = step { (self.mark(step)) }
            }
        }
    }

    /// The lines in a row: the lives of entities, and the work begun and not ended. The upper half
    /// of the row shows the first state, the lower half the second.
    fn lines(&self, [before, after]: [Option<usize>; 2]) -> Vec<(&'static str, String)> {
        let mut paths: Vec<(&'static str, String)> = Vec::new();
        let mut add = |class: &'static str, column: usize, halves: (bool, bool)| {
            let Some((from, to)) = halves_of_row(halves) else { return };
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
            let (above, below) = (before.and_then(class_at), after.and_then(class_at));
            if let Some(class) = above {
                add(class, column, (true, above == below));
            }
            if let Some(class) = below.filter(|_| above != below) {
                add(class, column, (false, true));
            }
        }
        for pending in &self.run.pending {
            if let Some(column) = self.column(&pending.actor) {
                let is_at =
                    |at: usize| pending.from <= at && pending.until.is_none_or(|until| at < until);
                let (above, below) = (before.is_some_and(is_at), after.is_some_and(is_at));
                add("pending", column, (above, below));
            }
        }
        paths
    }

    /// The mark of a step, and a line to each actor who comes or goes by it.
    fn mark(&self, step: &Step) -> Markup {
        let Some(column) = self.column(&step.act.actor) else { return html! {} };
        let begins =
            |lane: &ShownLane<'_>| lane.spans.iter().skip(1).any(|it| it.from == step.number);
        let is_fault = step.act.actor_is == ActorKind::Faults;
        let mark = match step.outcome {
            _ if is_fault => "#step-fault",
            StepOutcome::Done => "#step-local",
            StepOutcome::Planned => "#step-planned",
            StepOutcome::Committed => "#step-done",
            StepOutcome::Aborted
            | StepOutcome::Contended
            | StepOutcome::Refused
            | StepOutcome::NoOp
            | StepOutcome::NotEnabled => "#step-failed",
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
        let is_met = |bar: &ObligationBar<'_>| {
            bar.owed.iter().any(|it| it.is == OwedIs::Done && it.until == Some(state))
        };
        self.bars_of(&self.owed_path([state.checked_sub(1), Some(state)]), is_met)
    }

    /// A part of the bars: the open obligations, and a mark where one is met.
    fn bars_of(&self, path: &str, is_met: impl Fn(&ObligationBar<'_>) -> bool) -> Markup {
        let columns = self.bars.len();
        html! {
            @if columns > 0 {
                svg width=(columns * BAR) aria-hidden="true" {
                    svg viewBox=(format!("0 0 {} 2", 2 * columns)) preserveAspectRatio="none" {
                        path.owed d=(path) {}
                    }
                    @for (column, _) in self.bars.iter().enumerate().filter(|(_, bar)| is_met(bar)) {
                        use href="#step-met" x=(part(column, columns)) y="50%" {}
                    }
                }
            }
        }
    }

    /// The line of an obligation in a row. The upper half of the row shows the first state, the
    /// lower half the second.
    fn owed_path(&self, [before, after]: [Option<usize>; 2]) -> String {
        let mut path = String::new();
        for (column, bar) in self.bars.iter().enumerate() {
            for owed in &bar.owed {
                let is_open = |at: Option<usize>| at.is_some_and(|at| owed.is_open_at(at));
                if let Some((from, to)) = halves_of_row((is_open(before), is_open(after))) {
                    let place = 2 * column + 1;
                    write!(path, "M{place} {from}V{to}").expect("a string takes everything");
                }
            }
        }
        path
    }

    /// The note under the bars of obligations that are never met.
    fn bars_at_end(&self) -> Markup {
        let columns = self.bars.len();
        let is_violated =
            |bar: &ObligationBar<'_>| bar.owed.iter().any(|owed| owed.is == OwedIs::Violated);
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

    /// The bars in words.
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

impl ObligationBar<'_> {
    /// Whether another bar is about the same.
    fn is_of(&self, other: &ObligationBar<'_>) -> bool {
        (self.claim, self.subject) == (other.claim, other.subject)
    }
}

/// The beginning and the end of a line in a row, of which it has the upper half, the lower one, or
/// both.
fn halves_of_row((upper, lower): (bool, bool)) -> Option<(u8, u8)> {
    match (upper, lower) {
        (true, true) => Some((0, 2)),
        (true, false) => Some((0, 1)),
        (false, true) => Some((1, 2)),
        (false, false) => None,
    }
}

/// The fate of an obligation.
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
fn bars(run: &Run) -> Vec<ObligationBar<'_>> {
    const MOST: usize = 8;
    let mut bars: Vec<ObligationBar<'_>> = Vec::new();
    for strip in strips(run) {
        for owed in &strip.owed {
            let subject = owed.subject.as_ref().map(|it| it.name.as_str());
            let known = bars.iter_mut().find(|it| it.claim == strip.claim && it.subject == subject);
            match known {
                Some(bar) => bar.owed.push(owed),
                None => bars.push(ObligationBar { claim: &strip.claim, subject, owed: vec![owed] }),
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
