//! The world in one state: applications, relations, and machines with the units on them, with
//! lines between them.

mod lines;
mod scopes;

use deathwatch_documents::{
    Run,
    run::{Kind, Presence, Table, Tables, Tier, Value},
};
use maud::{Markup, html};

use super::{shown::Shown, values};

/// The fields that need no line on a card: its place, its mark, or its agent shows them.
const PLACED: [&str; 9] = [
    "life",
    "down",
    "principals",
    "containers",
    "placement",
    "subordinates",
    "deployed",
    "deployed-by",
    "in-scope",
];

/// The additions of a page to the world: links, notes and classes of cards, and arrows.
pub(super) trait Others {
    /// The entities of a tier that have no card, each with its life.
    fn more(&self, tier: Tier, others: &[(&str, &str)]) -> Markup;

    /// The links of a card.
    fn card(&self, tier: Tier, name: &str) -> Markup;

    /// Whether a field that does not go without saying has a line.
    fn tells(&self, _: &str) -> bool {
        true
    }

    /// The class of a card beside its own.
    fn class(&self, _: Tier, _: &str) -> Option<&'static str> {
        None
    }

    /// The notes on a card below its facts.
    fn fact(&self, _: Tier, _: &str) -> Markup {
        html! {}
    }

    /// Whether an entity waits for another one, so that an arrow leads there.
    fn waits(&self, _: (Tier, &str), _: (Tier, &str)) -> bool {
        false
    }
}

pub(super) struct CountedOthers;

impl Others for CountedOthers {
    fn more(&self, tier: Tier, others: &[(&str, &str)]) -> Markup {
        let (count, what) = (others.len(), tier.word());
        html! {
            p.quiet {
                (count) " more " (what) @if count > 1 { "s" } " without a part in this run"
            }
        }
    }

    fn card(&self, _: Tier, _: &str) -> Markup {
        html! {}
    }
}

/// The state after this many steps.
struct ShownState<'a> {
    shown: &'a Shown<'a>,
    others: &'a dyn Others,
    run: &'a Run,
    state: usize,
}

/// The world after this many steps.
pub(super) fn world(shown: &Shown<'_>, state: usize, others: &dyn Others) -> Markup {
    ShownState { shown, others, run: shown.run(), state }.world()
}

impl ShownState<'_> {
    fn rows(&self) -> &Tables {
        &self.run.moment(self.state).expect("it is shown as it is kept").rows
    }

    fn kind(&self, name: &str) -> &Kind {
        &self.run.kinds[name]
    }

    fn world(&self) -> Markup {
        let (entities, among) = (&self.run.world, self.shown.among(self.state));
        let (applications, more_applications) =
            among.of(Tier::Application, entities.applications.keys());
        let (relations, more_relations) = among.of(Tier::Relation, entities.relations.keys());
        let (machines, more_machines) = among.of(Tier::Machine, entities.machines.keys());
        let units = entities.applications.values().flat_map(|it| &it.units);
        let (units, more_units) = among.of(Tier::Unit, units);
        let (here, elsewhere): (Vec<&str>, Vec<&str>) =
            units.iter().partition(|unit| self.has_host(unit, &machines, &units));
        let tiers = [&applications, &relations, &machines];
        let is_drawn = !relations.is_empty() && tiers.iter().all(|it| it.len() <= lines::MOST);
        let tier = |names: &[&str]| {
            if is_drawn { format!("tier wired of-{}", names.len()) } else { "tier".to_owned() }
        };
        let [of_applications, of_relations, of_machines] = tiers.map(|it| lines::Columns(it));
        html! {
            div class=(tier(&applications)) {
                @for name in &applications { (self.card(Tier::Application, name, &[])) }
            }
            (self.more(Tier::Application, &more_applications))
            @if is_drawn { (lines::of_applications(self, &of_applications, &of_relations)) }
            div class=(tier(&relations)) {
                @for name in &relations { (self.card(Tier::Relation, name, &[])) }
            }
            (self.more(Tier::Relation, &more_relations))
            @if is_drawn { (lines::of_scopes(self, &of_relations, &of_machines, &here)) }
            div class=(tier(&machines)) {
                @for name in &machines { (self.card(Tier::Machine, name, &here)) }
            }
            (self.more(Tier::Machine, &more_machines))
            @if !elsewhere.is_empty() || !more_units.is_empty() {
                div.tier {
                    @for name in &elsewhere { (self.card(Tier::Unit, name, &[])) }
                    (self.more(Tier::Unit, &more_units))
                }
            }
            (self.others())
        }
    }

    /// Whether the unit is on one of these machines, or beside one of these units.
    fn has_host(&self, unit: &str, machines: &[&str], units: &[&str]) -> bool {
        match self.placement(unit) {
            Some(Value::Machine { machine }) => machines.contains(&machine.as_str()),
            Some(Value::Unit { unit }) => units.contains(&unit.as_str()),
            _ => false,
        }
    }

    fn placement(&self, unit: &str) -> Option<&Value> {
        self.rows().get("unit")?.get(unit)?.get("placement")?.as_ref()
    }

    /// The unit beside which a subordinate is.
    fn principal(&self, unit: &str) -> Option<&str> {
        match self.placement(unit)? {
            Value::Unit { unit } => Some(unit),
            _ => None,
        }
    }

    /// The units on a machine, or beside a unit.
    fn units_at<'n>(&self, host: Tier, name: &str, units: &[&'n str]) -> Vec<&'n str> {
        let is_here = |unit: &&&str| match (host, self.placement(unit)) {
            (Tier::Machine, Some(Value::Machine { machine })) => machine == name,
            (Tier::Unit, Some(Value::Unit { unit })) => unit == name,
            _ => false,
        };
        units.iter().filter(is_here).copied().collect()
    }

    /// The card of an entity, with those of `units` that are on it.
    fn card(&self, kind: Tier, name: &str, units: &[&str]) -> Markup {
        let life = self.life(kind, name);
        let inner = self.units_at(kind, name, units);
        let classes = if life == "gone" { "card gone" } else { "card" };
        let classes = match self.others.class(kind, name) {
            Some(class) => format!("{classes} {class}"),
            None => classes.to_owned(),
        };
        html! {
            div class=(classes) {
                p.name {
                    (mark(life)) " " strong { @if kind == Tier::Machine { "machine " } (name) } " "
                    span.quiet { (life) }
                    (self.others.card(kind, name))
                }
                @if kind == Tier::Unit && self.placement(name).is_none() && life != "gone" {
                    p.fact { "without a machine" }
                }
                @for fact in self.facts(kind, name) { (fact) }
                (self.others.fact(kind, name))
                (scopes::scopes(self, kind, name))
                @for unit in inner { (self.card(Tier::Unit, unit, units)) }
            }
        }
    }

    /// The entities that have no card.
    fn more(&self, tier: Tier, names: &[&str]) -> Markup {
        if names.is_empty() {
            return html! {};
        }
        let lives = names.iter().map(|name| (*name, self.life(tier, name)));
        self.others.more(tier, &lives.collect::<Vec<_>>())
    }

    /// The life of an entity; "gone" if it does not exist.
    fn life(&self, kind: Tier, name: &str) -> &str {
        let kind = kind.word();
        let life = || self.rows().get(kind)?.get(name)?.get("life")?.as_ref();
        match life() {
            Some(Value::Word(life)) => life,
            _ => "gone",
        }
    }

    /// A line for each row of the entity that has anything to say.
    fn facts(&self, of: Tier, name: &str) -> Vec<Markup> {
        let mut lines = Vec::new();
        if let Some(agent) = self.agent(of, name) {
            lines.push(html! { p.fact { (agent) } });
        }
        for (kind, rows) in self.rows() {
            if self.kind(kind).about == [of]
                && let Some(row) = rows.get(name)
                && let Some(line) = self.line(kind, name, row)
            {
                lines.push(line);
            }
        }
        lines
    }

    /// The fields of a row that do not go without saying, and those that the step has changed.
    fn line(&self, kind: &str, name: &str, row: &Table<Option<Value>>) -> Option<Markup> {
        let said: Vec<(bool, String)> = row
            .iter()
            .filter_map(|(field, value)| {
                let is_changed = self.is_changed(kind, name, field);
                let is_said = !values::is_plain(value.as_ref()) || is_changed;
                let is_placed = PLACED.contains(&field.as_str()) || !self.others.tells(field);
                (is_said && self.shown.is_telling(kind, field) && !is_placed)
                    .then(|| (is_changed, values::fact(field, value.as_ref())))
            })
            .collect();
        (!said.is_empty()).then(|| {
            html! {
                p.fact {
                    @for (number, (is_changed, fact)) in said.iter().enumerate() {
                        @if number > 0 { ", " }
                        @if *is_changed { mark { (fact) } } @else { (fact) }
                    }
                }
            }
        })
    }

    /// The agent of an entity, and its condition.
    fn agent(&self, of: Tier, name: &str) -> Option<Markup> {
        let mut lanes = self.run.lanes.iter();
        let lane = lanes
            .find(|lane| lane.entity.as_ref().is_some_and(|it| it.tier == of && it.name == name))?;
        let span = lane.spans.iter().rfind(|span| span.from <= self.state)?;
        let said = match span.is {
            Presence::Absent => return None,
            Presence::Silent => "its hardware has failed, and nobody has noticed",
            Presence::Down => "agent down",
            Presence::Terminated => "agent has ended itself",
            Presence::Waits => "agent waits for the operator",
            Presence::Runs => "agent up",
        };
        let is_new = span.from == self.state && self.state > 0;
        Some(html! { @if is_new { mark { (said) } } @else { (said) } })
    }

    /// Rows about no entity: users, tasks of the manager.
    fn others(&self) -> Markup {
        html! {
            @for (kind, rows) in self.rows() {
                @if self.kind(kind).about.is_empty() {
                    @for (name, row) in rows {
                        @if let Some(line) = self.line(kind, name, row) {
                            div.other { span.quiet { @if kind != name { (kind) " " } (name) } (line) }
                        }
                    }
                }
            }
        }
    }

    fn is_changed(&self, kind: &str, name: &str, field: &str) -> bool {
        let Some(index) = self.state.checked_sub(1) else { return false };
        self.run.steps[index].changes.iter().any(|change| {
            (change.document.kind.as_str(), change.document.name.as_str(), change.field.as_str())
                == (kind, name, field)
        })
    }
}

pub(super) fn mark(life: &str) -> Markup {
    html! {
        svg.mark.(life) role="img" aria-label=(life) {
            use href=(format!("#mark-{life}")) {}
        }
    }
}
