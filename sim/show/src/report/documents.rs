//! The page of the documents: each passage, and its coverage.
//!
//! It is made of what other pages are made of: citations, the answers of the scenarios, and what is
//! violated without each clause. No search is made for it.

use std::collections::BTreeSet;

use deathwatch_claims::{
    Claim,
    passages::{Citation, Note, Passage, PassageAnswer, PassageForm, SourceDocument, citations},
};
use deathwatch_documents::marked;
use deathwatch_model::{
    clause::Clause,
    variants::VariantInfo,
    world::{FaultKind, World},
};
use deathwatch_scenario::scenario::Expected;
use minijinja::{Value, context};

use super::{
    AnsweredScenario,
    guide::{self, LEFT_OUT},
    markdown::{From, anchor, few, links},
    template::{render, safe},
    weaken::Noticed,
};

/// The number of claims and scenarios that are named in a cell.
const NAMED: usize = 2;
/// The folder of the scenarios that show caveats of the documents.
const CAVEATS: &str = "caveats";

/// The coverage of a passage: the strongest way in which it is exercised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Coverage {
    /// A claim is violated without it, or asks for it.
    Checked,
    CarriedOut,
    Cited,
    /// The passage is left out on purpose.
    LeftOut,
    Nothing,
}

impl Coverage {
    /// All ways, the strongest first.
    pub(crate) const ALL: [Self; 5] =
        [Self::Checked, Self::CarriedOut, Self::Cited, Self::LeftOut, Self::Nothing];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Checked => "checked",
            Self::CarriedOut => "carried out",
            Self::Cited => "cited",
            Self::LeftOut => "left out",
            Self::Nothing => "nothing",
        }
    }

    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Checked => {
                "a claim is violated when one of its clauses is switched off, or a claim that cites \
                 it holds or is violated somewhere, and not for want of what it is about"
            }
            Self::CarriedOut => {
                "a scenario carries out one of its clauses (in its script, or as a witness that has \
                 to be reached), takes another value of its variant, or has its fault"
            }
            Self::Cited => "a scenario that shows something of it cites it",
            Self::LeftOut => "it is left out on purpose",
            Self::Nothing => {
                "code answers for it, and no scenario, claim or variant exercises that"
            }
        }
    }

    fn is_exercised(self) -> bool {
        matches!(self, Self::Checked | Self::CarriedOut | Self::Cited)
    }
}

/// A row of the page, read from its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PassageRow<'a> {
    /// The passages: that of the row's document first.
    pub(crate) citations: Vec<Citation>,
    pub(crate) coverage: Coverage,
    pub(crate) says: &'a str,
}

impl<'a> PassageRow<'a> {
    /// The row with these cells; `None` if it is none of a passage.
    pub(crate) fn of(cells: &[&'a str]) -> Option<Self> {
        let [lines, coverage, says, ..] = cells else { return None };
        let coverage = coverage.trim().trim_matches('*');
        let coverage = Coverage::ALL.into_iter().find(|it| it.name() == coverage)?;
        let citations: Vec<Citation> = citations(lines).collect();
        (!citations.is_empty()).then(|| Self { citations, coverage, says: says.trim() })
    }

    pub(crate) fn all(page: &'a str) -> impl Iterator<Item = Self> {
        let rows = page.lines().filter_map(|line| line.strip_prefix('|'));
        rows.filter_map(|row| Self::of(&row.split('|').collect::<Vec<_>>()))
    }
}

/// The page, whose claims lead to their own pages if there are some.
pub(super) fn page(answered: &[AnsweredScenario], noticed: &[Noticed], has_pages: bool) -> String {
    let found = Sources::of(answered, noticed);
    let documents = SourceDocument::ALL.map(|document| {
        let says_something = |it: &&Passage| it.says_something();
        let passages = document.passages().iter().filter(says_something);
        let all: Vec<Exercise<'_>> = passages.map(|it| found.exercise(document, it)).collect();
        (document, all)
    });
    let summary = documents.iter().map(|(document, all)| summary(*document, all));
    let nothing = documents.iter().flat_map(|(_, all)| all).filter(|it| it.is_row());
    let nothing = nothing.filter(|it| it.coverage() == Coverage::Nothing);
    let data = context! {
        summary => summary.collect::<Vec<_>>(),
        meanings => Coverage::ALL.map(|it| context! { name => it.name(), says => it.text() }),
        nothing => nothing.map(|it| it.data(has_pages)).collect::<Vec<_>>(),
        documents => documents.iter().map(|(document, all)| context! {
            name => document.to_string(),
            title => document.title(),
            rows => all.iter().filter(|it| it.is_row()).map(|it| it.data(has_pages))
                .collect::<Vec<_>>(),
        }).collect::<Vec<_>>(),
    };
    render(include_str!("pages/documents.md"), data)
}

/// The number of passages of a document with each coverage.
fn summary(document: SourceDocument, all: &[Exercise<'_>]) -> Value {
    let of = |coverage| all.iter().filter(|it| it.coverage() == coverage).count();
    context! {
        name => document.to_string(),
        title => document.title(),
        anchor => anchor(&format!("{document}, \"{}\"", document.title())),
        all => all.len(),
        exercised => all.iter().filter(|it| it.coverage().is_exercised()).count(),
        counts => Coverage::ALL.map(of),
    }
}

/// The sources of pages, looked up once.
struct Sources<'a> {
    answered: &'a [AnsweredScenario],
    noticed: &'a [Noticed],
    answers: Vec<PassageAnswer>,
    /// The passages that each scenario cites.
    cited: Vec<Vec<Citation>>,
    /// The claims that hold or are violated in some scenario.
    asked: BTreeSet<&'static str>,
}

impl<'a> Sources<'a> {
    fn of(answered: &'a [AnsweredScenario], noticed: &'a [Noticed]) -> Self {
        let is_answered = |it: &&AnsweredScenario, answer| it.claims(answer).into_iter();
        let decided = [Expected::Holds, Expected::Violated];
        let asked = answered.iter().flat_map(|it| decided.map(|answer| is_answered(&it, answer)));
        Self {
            answered,
            noticed,
            answers: PassageAnswer::all().filter(|it| !it.is_ours()).collect(),
            cited: answered.iter().map(cited).collect(),
            asked: asked.flatten().map(|claim| claim.name).collect(),
        }
    }

    fn exercise(&self, document: SourceDocument, passage: &'static Passage) -> Exercise<'a> {
        let mut it = Exercise::new(document, passage);
        for answer in self.answers.iter().filter(|it| it.concerns(document, passage)) {
            if let Some(file) = answer.file().filter(|file| !it.files.contains(file)) {
                it.files.push(file);
            }
            match *answer {
                PassageAnswer::Clause(clause) => self.clause(clause, &mut it),
                PassageAnswer::Variant(variant) => self.variant(variant, &mut it),
                PassageAnswer::Claim(claim) if self.asked.contains(claim.name) => it.claim(claim),
                PassageAnswer::Claim(_) => {}
                PassageAnswer::Note(note) => self.note(note, &mut it),
            }
        }
        let touches = |(document, passage): (SourceDocument, &Passage), cited: &[Citation]| {
            cited.iter().any(|it| it.touches(document, passage))
        };
        let counterpart = document.counterpart(passage);
        let mine = self.answered.iter().zip(&self.cited).filter(|(_, cited)| {
            touches((document, passage), cited) || counterpart.is_some_and(|it| touches(it, cited))
        });
        it.cited_by = mine.map(|(scenario, _)| scenario).collect();
        it.cited_by.sort_by_key(|it| (it.scenario.finding.is_none(), it.folder() != CAVEATS));
        it
    }

    fn clause(&self, clause: Clause, it: &mut Exercise<'a>) {
        let missed = self.noticed.iter().filter(|noticed| noticed.clause == clause);
        let missed: Vec<&'static Claim> =
            missed.flat_map(|noticed| noticed.broken.iter().map(|(claim, _)| *claim)).collect();
        // No step carries out a clause that only says what an agent does not do.
        let carries_out = |it: &&AnsweredScenario| {
            it.carried_out.contains(clause)
                || it.scenario.witnesses.contains(&clause)
                || clause.is_guard() && it.scenario.rules.contains(&clause)
        };
        let mut mine: Vec<&AnsweredScenario> = self.answered.iter().filter(carries_out).collect();
        mine.sort_by_key(|it| !it.scenario.rules.contains(&clause));
        let is_exercised = !missed.is_empty() || !mine.is_empty();
        let link = format!("[`{clause}`](../PROTOCOL.md#{})", clause.rule.name());
        it.by.push(if is_exercised { link } else { format!("{link} (nothing)") });
        for claim in missed {
            it.claim(claim);
        }
        for scenario in mine {
            it.scenario(scenario);
        }
    }

    fn variant(&self, variant: &'static VariantInfo, it: &mut Exercise<'a>) {
        it.by.push(format!("variant `{}`", variant.name));
        self.worlds(it, |world| world.variants.changed().any(|(it, _)| it.name == variant.name));
    }

    fn note(&self, note: &'static Note, it: &mut Exercise<'a>) {
        it.is_left_out |= note.file.is_none();
        // A file of claims answers by all of them.
        let is_there = |it: &&Claim| it.file().is_some() && it.file() == note.file;
        let claims = deathwatch_claims::all().filter(is_there);
        for claim in claims.filter(|it| self.asked.contains(it.name)) {
            it.claim(claim);
        }
        for kind in FaultKind::ALL {
            if note.says.contains(&format!("the fault `{}`", kind.key())) {
                it.by.push(format!("fault `{}`", kind.key()));
                self.worlds(it, |world| world.faults.switch(*kind).is_on());
            }
        }
    }

    /// Adds the scenarios whose worlds are so.
    fn worlds(&self, it: &mut Exercise<'a>, is_so: impl Fn(&World) -> bool) {
        for scenario in self.answered.iter().filter(|it| is_so(&it.scenario.world)) {
            it.scenario(scenario);
        }
    }
}

/// The passages that a scenario cites in its sentence and comments.
fn cited(it: &AnsweredScenario) -> Vec<Citation> {
    let sentence = it.scenario.finding.as_ref().map(|it| it.sentence.as_str());
    let notes = it.notes().unwrap_or_default();
    let texts = [it.scenario.shows.as_str(), &notes, sentence.unwrap_or_default()];
    texts.into_iter().flat_map(citations).collect()
}

struct Exercise<'a> {
    document: SourceDocument,
    passage: &'static Passage,
    /// Clauses, variants and faults, as they are written.
    by: Vec<String>,
    /// The claims that are violated without a clause of it, then those that cite it.
    claims: Vec<&'static Claim>,
    /// The scenarios that carry it out: of each clause those first that are about it.
    scenarios: Vec<&'a AnsweredScenario>,
    /// The scenarios that cite it: findings, caveats, others.
    cited_by: Vec<&'a AnsweredScenario>,
    /// The files of the claims and clauses behind it.
    files: Vec<String>,
    is_left_out: bool,
}

impl<'a> Exercise<'a> {
    fn new(document: SourceDocument, passage: &'static Passage) -> Self {
        Self {
            document,
            passage,
            by: Vec::new(),
            claims: Vec::new(),
            scenarios: Vec::new(),
            cited_by: Vec::new(),
            files: Vec::new(),
            is_left_out: false,
        }
    }

    fn claim(&mut self, claim: &'static Claim) {
        if !self.claims.iter().any(|it| it.name == claim.name) {
            self.claims.push(claim);
        }
    }

    fn scenario(&mut self, scenario: &'a AnsweredScenario) {
        if !self.scenarios.iter().any(|it| it.name == scenario.name) {
            self.scenarios.push(scenario);
        }
    }

    /// The coverage of the passage.
    fn coverage(&self) -> Coverage {
        if !self.claims.is_empty() {
            Coverage::Checked
        } else if !self.scenarios.is_empty() {
            Coverage::CarriedOut
        } else if !self.cited_by.is_empty() {
            Coverage::Cited
        } else if self.is_left_out {
            Coverage::LeftOut
        } else {
            Coverage::Nothing
        }
    }

    /// Whether the passage has a row of its own: repetitions in D2 are in the rows of D1.
    fn is_row(&self) -> bool {
        let repeated = self.document.counterpart(self.passage);
        self.document == SourceDocument::D1 || repeated.is_none()
    }

    fn data(&self, has_pages: bool) -> Value {
        let lines = |document, passage: &Passage| format!("{document}:{}", passage.lines());
        let also = self.document.counterpart(self.passage).map(|(other, it)| lines(other, it));
        let lines: Vec<String> =
            [lines(self.document, self.passage)].into_iter().chain(also).collect();
        let level = match self.passage.form() {
            PassageForm::Bullet(level) => usize::from(level),
            PassageForm::Heading | PassageForm::Lead | PassageForm::Text => 0,
        };
        let claims: Vec<String> = self.claims.iter().map(|it| claim(it, has_pages)).collect();
        let files: Vec<String> =
            self.files.iter().map(|it| guide::link(From::Reports, it)).collect();
        let left_out = format!("[left out](../PROTOCOL.md#{})", anchor(LEFT_OUT));
        let files = files.into_iter().chain(self.is_left_out.then_some(left_out));
        context! {
            lines => lines.join(", "),
            coverage => self.coverage().name(),
            is_nothing => self.coverage() == Coverage::Nothing,
            says => format!("{}{}", "• ".repeat(level), self.passage.about()),
            by => safe(self.by.join(", ")),
            claims => safe(few(&claims, NAMED, "")),
            scenarios => safe(links(From::Reports, self.scenarios.iter().copied(), NAMED)),
            cited_by => safe(links(From::Reports, self.cited_by.iter().copied(), NAMED)),
            files => safe(files.collect::<Vec<_>>().join(", ")),
        }
    }
}

/// A claim, which leads to its page if there is one.
fn claim(claim: &Claim, has_pages: bool) -> String {
    let name = marked(claim);
    if has_pages { format!("[{name}](claim-{}.md)", anchor(claim.name)) } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_as_it_is_written() {
        let page = "| lines | what | says |\n| --- | --- | --- |\n\
                    | D1:11-12, D2:65 | checked | • what is not Alive | `a.1` |\n\
                    | D4:12-15 | **nothing** | a charm | |\n| D4:1 | something | no row |\n";
        let rows: Vec<PassageRow<'_>> = PassageRow::all(page).collect();
        let read = rows.iter().map(|it| (it.citations.len(), it.coverage, it.says));
        let wanted =
            [(2, Coverage::Checked, "• what is not Alive"), (1, Coverage::Nothing, "a charm")];
        assert_eq!(read.collect::<Vec<_>>(), wanted);
    }
}
