//! The page of claims: those that hold as the documents are written and with the fixes, by faults;
//! and a page for each claim with all worlds that ask it.
//!
//! A cell joins the answers of many worlds, and a violation wins. A run that violates a claim does
//! so wherever at least what goes wrong in it may go wrong; a claim that holds does so wherever no
//! more may go wrong. The same is true of assumptions, as each of them excludes runs and adds none.

use std::collections::{BTreeMap, BTreeSet};

use deathwatch_claims::Claim;
use deathwatch_documents::marked;
use deathwatch_model::world::{Assumption, DetailInfo, Details, Per, World};
use deathwatch_scenario::scenario::{Expected, Scenario, described};
use minijinja::{Value, context, value::Serde};

use super::{
    AnsweredScenario, Page,
    markdown::{From, anchor, target},
    settings::{Settings, Wording, fixed, wording},
    story,
    template::{render, safe},
    trouble::Trouble,
};

/// The columns of either wording; the last one has all worlds.
const COLUMNS: [Option<&[Trouble]>; 5] = [
    Some(&[]),
    Some(&[Trouble::Crashes]),
    Some(&[Trouble::Hardware]),
    Some(&[Trouble::Races]),
    None,
];

/// The answers of many worlds to a claim.
#[derive(Default)]
struct Cell<'a> {
    violated: Vec<&'a AnsweredScenario>,
    held: usize,
    vacuous: usize,
    /// Whether it holds as written, and is violated with the fixes, in worlds that were not
    /// searched as written.
    is_doubtful: bool,
}

/// The page, whose claims lead to their own pages if there are some.
pub(super) fn page(answered: &[AnsweredScenario], has_pages: bool) -> String {
    let worlds: Vec<JoinedWorld<'_>> = answered.iter().filter_map(JoinedWorld::of).collect();
    let lacks = |claim: &Claim| claim.lacks(Details::default());
    let plain: Vec<&Claim> = deathwatch_claims::all().filter(|it| lacks(it).is_none()).collect();
    let mut rows: Vec<AnswerRow<'_>> =
        plain.iter().map(|claim| AnswerRow::of(claim, &worlds)).collect();
    rows.sort_by_key(|row| !row.is_violated());
    let of_detail = |info: &'static DetailInfo| {
        let claims = deathwatch_claims::all().filter(|it| lacks(it) == Some(info.name));
        let rows: Vec<AnswerRow<'_>> = claims.map(|claim| AnswerRow::of(claim, &worlds)).collect();
        let noted = rows.iter().filter(|row| row.claim.reads_notes()).count();
        let cells = summary(&rows);
        context! { name => info.name, adds => info.adds, claims => rows.len(), noted, cells }
    };
    let details: Vec<Value> = Details::LIST.iter().map(of_detail).collect();
    render(
        include_str!("pages/claims.md"),
        context! {
            fixed => fixed(),
            has_pages,
            worlds => worlds.len(),
            summary => summary(&rows),
            proved => rows.iter().filter(|row| row.every_number > 0).count(),
            rows => rows.iter().map(AnswerRow::data).collect::<Vec<_>>(),
            details,
        },
    )
}

/// A world whose answers are joined: no clause is switched off, and the variants are those of the
/// documents or fixes of them.
struct JoinedWorld<'a> {
    answered: &'a AnsweredScenario,
    wording: Wording,
    /// Whether the world assumes no less than usual, so that its violations are usual ones.
    is_usual_or_more: bool,
    /// Whether the world assumes no more than usual, so that its claims hold as usual.
    is_usual_or_less: bool,
}

impl<'a> JoinedWorld<'a> {
    fn of(answered: &'a AnsweredScenario) -> Option<Self> {
        let world = &answered.scenario.world;
        let is_searched = answered.figures.is_some() && !answered.scenario.is_inconsistent;
        let begins_as_usual = begins_as_usual(&answered.scenario);
        let is_joined = is_searched && begins_as_usual && keeps_all_clauses(world);
        let wording = wording(world).filter(|_| is_joined)?;
        let made = |it: &Assumption| it.is_made(&world.assumptions);
        let mut usual = Assumption::ALL.iter().filter(|it| it.is_usual());
        let mut unusual = Assumption::ALL.iter().filter(|it| !it.is_usual());
        let is_more = unusual.any(made) || world.assumptions.per == Per::Duty;
        Some(Self {
            answered,
            wording,
            is_usual_or_more: usual.all(made),
            is_usual_or_less: !is_more,
        })
    }
}

/// Whether a scenario begins as its world alone says: its runs do not show faults of the time
/// before.
pub(super) fn begins_as_usual(it: &Scenario) -> bool {
    it.steps.is_empty() && it.start == described(it)
}

/// Whether a world keeps to the protocol: no clause is switched off anywhere, and it has no rule of
/// its own.
pub(super) fn keeps_all_clauses(world: &World) -> bool {
    let cuts = [&world.without, &world.unasserted, &world.neglected];
    cuts.iter().all(|cut| cut.is_empty()) && !world.is_amended()
}

/// The answers to a claim in each column, as written and then fixed.
struct AnswerRow<'a> {
    claim: &'static Claim,
    cells: Vec<Cell<'a>>,
    /// The number of worlds in which it holds for every number of units.
    every_number: usize,
}

impl<'a> AnswerRow<'a> {
    fn of(claim: &'static Claim, worlds: &[JoinedWorld<'a>]) -> Self {
        let wordings = [Wording::AsWritten, Wording::Fixed];
        let cells = wordings.into_iter().flat_map(|wording| {
            COLUMNS.iter().map(move |allowed| cell(claim, worlds, wording, *allowed))
        });
        let mut cells: Vec<Cell<'_>> = cells.collect();
        let (written, fixed) = cells.split_at_mut(COLUMNS.len());
        for (written, fixed) in written.iter_mut().zip(fixed) {
            written.is_doubtful = written.violated.is_empty() && !fixed.violated.is_empty();
        }
        let is_proved = |it: &&JoinedWorld<'_>| {
            let hold = it.answered.any_size.iter().flat_map(|it| &it.hold);
            it.is_usual_or_less && hold.into_iter().any(|name| name == claim.name)
        };
        let every_number = worlds.iter().filter(is_proved).count();
        Self { claim, cells, every_number }
    }

    fn is_violated(&self) -> bool {
        self.cells.iter().any(|cell| !cell.violated.is_empty())
    }

    fn data(&self) -> Value {
        let cells = self.cells.iter().map(Cell::data).collect::<Vec<_>>();
        let every_number = self.every_number;
        context! { name => self.claim.name, marked => marked(self.claim), cells, every_number }
    }
}

fn cell<'a>(
    claim: &Claim,
    worlds: &[JoinedWorld<'a>],
    wording: Wording,
    allowed: Option<&[Trouble]>,
) -> Cell<'a> {
    let mut cell = Cell::default();
    for it in worlds.iter().filter(|it| it.wording == wording) {
        let may = Trouble::of(&it.answered.scenario.world);
        let has_all = allowed.is_none_or(|all| all.iter().all(|trouble| may.contains(trouble)));
        match it.answered.answer(claim) {
            Some(Expected::Violated) if it.is_usual_or_more => {
                let run = it.answered.runs.iter().find(|run| run.claim.name == claim.name);
                let needs = run.map_or(&may, |run| &run.troubles);
                let is_allowed = |all: &[Trouble]| needs.iter().all(|need| all.contains(need));
                if allowed.is_none_or(is_allowed) {
                    cell.violated.push(it.answered);
                }
            }
            Some(Expected::Holds) if it.is_usual_or_less && has_all => cell.held += 1,
            Some(Expected::Vacuous) if has_all => cell.vacuous += 1,
            _ => {}
        }
    }
    cell
}

impl Cell<'_> {
    /// The cell, with the smallest world in which the claim is violated.
    fn data(&self) -> Value {
        let smallest = self.violated.iter().min_by_key(|it| it.figures.map(|it| it.states));
        context! {
            violated => self.violated.len(),
            target => smallest.map(|it| safe(target(From::Reports, it))),
            held => self.held,
            vacuous => self.vacuous,
            is_doubtful => self.is_doubtful,
        }
    }
}

/// The number of claims that are violated, that hold, that are vacuous, and that no world asks, in
/// each column.
fn summary(rows: &[AnswerRow<'_>]) -> Vec<Value> {
    let columns = 0..2 * COLUMNS.len();
    let counted = columns.map(|at| {
        let cells = || rows.iter().map(move |row| &row.cells[at]);
        let violated = cells().filter(|it| !it.violated.is_empty()).count();
        let holds = |it: &&Cell<'_>| it.violated.is_empty() && it.held > 0;
        let held = cells().filter(holds).filter(|it| !it.is_doubtful).count();
        let doubtful = cells().filter(holds).filter(|it| it.is_doubtful).count();
        let open = |it: &&Cell<'_>| it.violated.is_empty() && it.held == 0;
        let vacuous = cells().filter(open).filter(|it| it.vacuous > 0).count();
        let unasked = cells().filter(open).filter(|it| it.vacuous == 0).count();
        context! { violated, held, doubtful, vacuous, unasked }
    });
    counted.collect()
}

/// A page for each claim that some scenario asks.
pub(super) fn pages(answered: &[AnsweredScenario]) -> Vec<Page> {
    let pages = deathwatch_claims::all().filter_map(|claim| {
        let answers = [Expected::Violated, Expected::Holds, Expected::Vacuous];
        let groups: Vec<Value> =
            answers.into_iter().flat_map(|answer| groups(claim, answered, answer)).collect();
        if groups.is_empty() {
            return None;
        }
        let path = format!("reports/claim-{}.md", anchor(claim.name));
        let data = context! {
            claim => claim.name,
            kind => claim.kind().name(),
            source => claim.source,
            reads_notes => claim.reads_notes(),
            by_history => claim.by_history().map(|it| it.name),
            fixed => fixed(),
            groups,
        };
        Some(Page { path, text: render(include_str!("pages/claim.md"), data) })
    });
    pages.collect()
}

/// The worlds with this answer to a claim, a group for each combination of variants and
/// assumptions.
fn groups(claim: &Claim, answered: &[AnsweredScenario], answer: Expected) -> Vec<Value> {
    let mut groups: BTreeMap<(String, String), Vec<&AnsweredScenario>> = BTreeMap::new();
    for it in answered.iter().filter(|it| it.answer(claim) == Some(answer)) {
        let settings = Settings::of(&it.scenario.world);
        let assumptions = settings.assumed();
        groups.entry((settings.variants, assumptions)).or_default().push(it);
    }
    let group =
        |((variants, assumptions), scenarios): ((String, String), Vec<&AnsweredScenario>)| {
            let faults: BTreeSet<String> =
                scenarios.iter().map(|it| Settings::of(&it.scenario.world).faults()).collect();
            context! {
                answer => answer.name(),
                variants,
                assumptions,
                faults => Serde(faults),
                scenarios => scenarios.iter().map(|it| story::scenario(it)).collect::<Vec<_>>(),
            }
        };
    groups.into_iter().map(group).collect()
}
