//! The picture beside the steps: a lane for each actor, a mark for each step, and a bar for as long
//! as something is owed. Time goes down, a row for each state.

use maud::{Markup, html};

use deathwatch_documents::{
    Run,
    run::{ActorKind, ClaimStrip, End, Lane, Owed, OwedIs, Presence, Step, What},
};

/// The height of a row, which the style sheet has, too.
pub(super) const ROW: usize = 28;
/// The width of a lane.
const COLUMN: usize = 22;
/// The height of what stands above the first row, which the style sheet has, too.
pub(super) const HEAD: usize = 132;
/// The width beside the lanes into which the last names lean.
const LEAN: usize = 96;

/// The lanes of a run: those of actors who act, or to whom something happens.
pub(super) struct Lanes<'a> {
    run: &'a Run,
    shown: Vec<&'a Lane>,
    idle: Vec<&'a str>,
}

impl<'a> Lanes<'a> {
    /// The lanes of a run.
    pub(super) fn of(run: &'a Run) -> Self {
        let acts = |lane: &Lane| run.steps.iter().any(|step| step.act.actor == lane.actor);
        let (shown, idle): (Vec<_>, Vec<_>) =
            run.lanes.iter().partition(|lane| lane.spans.len() > 1 || acts(lane));
        let idle = idle.into_iter().map(|lane| lane.actor.as_str()).collect();
        Self { run, shown, idle }
    }

    /// The actors that have no lane.
    pub(super) fn idle(&self) -> &[&'a str] {
        &self.idle
    }

    fn height(&self) -> usize {
        HEAD + (self.run.steps.len() + 2) * ROW
    }

    /// The lanes and their marks.
    pub(super) fn picture(&self) -> Markup {
        let width = 24 + self.shown.len() * COLUMN + LEAN;
        html! {
            svg.lanes width=(width) height=(self.height()) aria-hidden="true" {
                @for (number, lane) in self.shown.iter().enumerate() {
                    text.actor transform=(leaning(x(number))) { (lane.actor) }
                    (self.lane(lane, x(number)))
                }
                (self.pending())
                @for step in &self.run.steps { (self.mark(step)) }
                (self.circle())
            }
        }
    }

    /// The line of a lane: where its actor is, and how.
    fn lane(&self, lane: &Lane, x: usize) -> Markup {
        let ends = lane.spans.iter().skip(1).map(|span| y(span.from));
        let ends = ends.chain([y(self.run.steps.len()) + ROW / 2]);
        html! {
            @for (span, end) in lane.spans.iter().zip(ends) {
                @if let Some(class) = line(span.is) {
                    line class=(class) x1=(x) x2=(x) y1=(y(span.from)) y2=(end) {}
                }
            }
        }
    }

    /// What is begun and not ended yet.
    fn pending(&self) -> Markup {
        let last = self.run.steps.len();
        html! {
            @for pending in &self.run.pending {
                @if let Some(column) = self.column(&pending.actor) {
                    line.pending x1=(x(column)) x2=(x(column)) y1=(y(pending.from))
                        y2=(y(pending.until.unwrap_or(last))) {}
                }
            }
        }
    }

    /// The mark of a step, and a line to each actor who comes or goes by it.
    fn mark(&self, step: &Step) -> Markup {
        let at = y(step.number);
        let Some(column) = self.column(&step.act.actor) else { return html! {} };
        let me = x(column);
        let begins = |lane: &Lane| lane.spans.iter().skip(1).any(|it| it.from == step.number);
        let is_fault = step.act.actor_is == ActorKind::Faults;
        html! {
            @for (other, lane) in self.shown.iter().enumerate() {
                @if other != column && begins(lane) {
                    line class=(if is_fault { "reach fault" } else { "reach" })
                        x1=(me) x2=(x(other)) y1=(at) y2=(at) {}
                    circle.reached cx=(x(other)) cy=(at) r="3.5" {}
                }
            }
            @match step.outcome {
                _ if is_fault => path.fault d=(format!("M{} {}l10 10m0-10l-10 10", me - 5, at - 5)) {},
                What::Done => rect.local x=(me - 5) y=(at - 5) width="10" height="10" rx="2" {},
                What::Planned => circle.planned cx=(me) cy=(at) r="5" {},
                What::Committed => circle.done cx=(me) cy=(at) r="6" {},
                What::Aborted | What::Contended | What::Refused | What::NoOp | What::NotEnabled => {
                    circle.planned cx=(me) cy=(at) r="5" {}
                    path.failed d=(format!("M{} {}l6 6m0-6l-6 6", me - 3, at - 3)) {}
                }
            }
        }
    }

    /// The bracket of a run that goes round.
    fn circle(&self) -> Markup {
        let End::Cycle { from, to } = self.run.end else { return html! {} };
        let (top, end) = (y(from + 1) - 9, y(to) + 9);
        html! {
            path.loop d=(format!("M14 {end}H6V{top}h8m-5-4l5 4l-5 4")) {}
        }
    }

    fn column(&self, actor: &str) -> Option<usize> {
        self.shown.iter().position(|lane| lane.actor == actor)
    }

    /// For each claim that anything is owed for, since when and until when.
    pub(super) fn strips(&self) -> Markup {
        let strips = bars(self.run);
        html! {
            @if !strips.is_empty() {
                svg.strips width=(24 + strips.len() * COLUMN) height=(self.height())
                    aria-hidden="true" {
                    @for (number, (name, owed)) in strips.iter().enumerate() {
                        text.actor text-anchor="end" transform=(leaning_back(x(number))) {
                            (short(name))
                        }
                        @for owed in owed {
                            (self.owed(owed.since, owed.until, owed.is, x(number)))
                        }
                    }
                }
            }
        }
    }

    fn owed(&self, since: usize, until: Option<usize>, is: OwedIs, x: usize) -> Markup {
        let end = until.map_or(y(self.run.steps.len()) + ROW / 2, y);
        html! {
            rect.owed x=(x - 4) y=(y(since)) width="8" height=(end - y(since)) {}
            @match is {
                OwedIs::Done => path.met d=(format!("M{} {}l3 3l6-7", x - 4, end)) {},
                OwedIs::Violated => path.fault d=(format!("M{} {}l10 10m0-10l-10 10", x - 5, end)) {},
                OwedIs::Open => {}
            }
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

/// The bars: for each claim one for each subject, so that none hides another's, with its name.
fn bars(run: &Run) -> Vec<(String, Vec<&Owed>)> {
    const MOST: usize = 8;
    let mut bars = Vec::new();
    for strip in strips(run) {
        let mut subjects = Vec::new();
        for owed in &strip.owed {
            if !subjects.contains(&&owed.subject) {
                subjects.push(&owed.subject);
            }
        }
        for subject in &subjects {
            let owed = strip.owed.iter().filter(|it| it.subject == **subject).collect();
            let name = match subject {
                Some(subject) if subjects.len() > 1 => format!("{}: {}", subject.name, strip.claim),
                Some(_) | None => strip.claim.clone(),
            };
            bars.push((name, owed));
        }
    }
    bars.truncate(MOST);
    bars
}

/// The position of a claim above its strip, over the steps.
fn leaning_back(x: usize) -> String {
    format!("translate({x} {}) rotate(40)", HEAD - 8)
}

/// The position of an actor above its lane.
fn leaning(x: usize) -> String {
    format!("translate({} {}) rotate(-48)", x + 4, HEAD - 8)
}

/// The beginning of a claim, as far as there is room for it.
fn short(claim: &str) -> String {
    const MOST: usize = 26;
    match claim.char_indices().nth(MOST) {
        None => claim.to_owned(),
        Some((end, _)) => format!("{}…", claim[..end].trim_end()),
    }
}

fn x(column: usize) -> usize {
    24 + column * COLUMN
}

fn y(state: usize) -> usize {
    HEAD + state * ROW + ROW / 2
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
