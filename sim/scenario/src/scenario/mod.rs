//! Scenarios: a world, a script in it, and expectations, one file each.
//!
//! A file is read in layers, and each reports its own problems: the file must be text, the text
//! TOML, the TOML a scenario (`form`), its world a possible one (`world`, `start`), and its
//! commands, clauses, steps and expectations must be about that world.

mod address;
mod also;
mod charm;
mod claims;
mod commands;
mod constraints;
mod detail;
mod drawn;
mod expand;
mod expect;
mod faults;
mod find;
mod finding;
mod form;
mod idle;
mod inside;
mod instruction;
pub mod language;
mod mistakes;
mod names;
mod needs;
mod not_understood;
pub mod own;
mod own_rules;
mod place;
mod read;
mod relations;
mod series;
mod set;
mod simulate;
pub mod size;
mod start;
mod steps;
pub mod toggles;
mod vacuity;
mod value;
mod world;

use std::ops::Range;

use deathwatch_claims::Claim;
use deathwatch_documents::Warning;
use deathwatch_model::{
    action::{Act, Fault, Outcome, TxnAct},
    clause::Clause,
    state::State,
    txn::Why,
    world::{KeptHistory, World},
};
use toml::Table;

pub use deathwatch_documents::Expected;

pub(crate) use self::also::schema as also_schema;
use self::place::ScenarioLines;
pub use self::{
    address::{Address, display},
    also::part_of,
    claims::expected_of,
    detail::how_to_switch_on,
    drawn::drawn,
    expect::{
        CLEANUPS, Cleanup, Expect, Expectation, FieldForm, INCONSISTENT, NamedSubject, Number,
        cleanups, detail_of, field_forms, show as show_value, written,
    },
    find::{find, find_named},
    finding::DocumentMistake,
    form::{AnySizeFile, File, SESSIONS, Severity, UNASSIGNED},
    instruction::{Instruction, Runner},
    mistakes::mistakes,
    needs::forget as forget_details,
    read::{beside, described, load, load_each, parse, parse_again, reread, starts, with_variants},
    simulate::Simulate,
};
use crate::{
    problem::{Problem, Text, line_column},
    shell::quoted,
};

/// A scenario, read and checked.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Its address, as it was given.
    pub address: Address,
    /// Its address without ".toml", with "/" between the parts of the path.
    pub name: String,
    /// Its file, for problems that point into it.
    pub text: Text,
    /// The sentence on what it shows.
    pub shows: String,
    /// The mistake of the documents that it shows, if it shows one.
    pub finding: Option<DocumentMistake>,
    /// The clauses that it is about.
    pub rules: Vec<Clause>,
    pub world: World,
    /// The state before its steps.
    pub start: State,
    pub steps: Vec<ScriptStep>,
    /// The steps that are repeated for ever after them.
    pub again: Vec<ScriptStep>,
    /// The expectations of the documents after the steps.
    pub expect: Expect,
    /// The claims to check, in the order of all claims and then of its own, and the answers
    /// expected.
    pub claims: Vec<(&'static Claim, Expected)>,
    /// The claims among these that are vacuous by the constants of the world, each with the reason.
    pub vacuous: Vec<(&'static Claim, String)>,
    /// The clauses that must be carried out on some run.
    pub witnesses: Vec<Clause>,
    /// The expected answers for every number of units, if the scenario asks for them.
    pub any_size: Option<AnySizeFile>,
    /// The exact number of reachable states, if it is pinned.
    pub states: Option<u64>,
    /// The exact number of transitions, if it is pinned.
    pub transitions: Option<u64>,
    /// The answer expected to whether its world keeps to its outline, if that is asked.
    pub refines: Option<Expected>,
    /// Whether rows disagree at its start, on purpose.
    pub is_inconsistent: bool,
    pub simulate: Simulate,
    /// Warnings of settings and keys that have no effect in its world.
    pub idle: Vec<Warning>,
    places: ScenarioLines,
}

impl Scenario {
    /// Whether it asks for a search of the states that follow its script; a script alone does not.
    pub fn is_searched(&self) -> bool {
        let is_pinned =
            self.states.is_some() || self.transitions.is_some() || self.any_size.is_some();
        let asks = !self.claims.is_empty() || !self.witnesses.is_empty();
        is_pinned || asks || self.refines.is_some()
    }

    /// The claims that seeds are asked, each with the answer that is expected of all of them.
    pub fn claims_of_seeds(&self) -> Vec<(&'static Claim, Expected)> {
        read::claims_of_seeds(&self.claims, &self.simulate, &self.steps, self.world.detail)
    }

    /// The same scenario in a world that also keeps the history which these claims read.
    #[must_use]
    pub fn keeping(self, claims: impl Iterator<Item = &'static Claim>) -> Self {
        self.with_history(read::history_of(claims))
    }

    /// The same scenario in a world that keeps this history, too. What its file says of the number
    /// of its states is about one that keeps less.
    #[must_use]
    pub fn with_history(mut self, kept: KeptHistory) -> Self {
        if !self.world.history.has_all(kept) {
            self.world = read::with_history(self.world, kept);
            (self.states, self.transitions) = (None, None);
        }
        self.start.history = self.start.history.widened(&self.world);
        self
    }

    pub fn source(&self) -> &str {
        &self.text.source
    }

    /// Whether its file has other scenarios, in tables `also`.
    pub fn has_others(&self) -> bool {
        self.text.part.is_none() && !also::names(self.source()).is_empty()
    }

    /// The variants that a command sets, whatever the file says of them.
    pub fn set(&self) -> impl Iterator<Item = (&str, &str)> {
        self.text.set.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Its name on a command line: its address, and the variants that a command sets.
    pub fn words(&self) -> String {
        let flags = self.set().map(|(name, value)| format!(" --set {name}={value}"));
        quoted(&self.address.to_string()) + &flags.collect::<String>()
    }

    /// The addresses of all scenarios of its file, in their order.
    pub fn addresses(&self) -> Vec<Address> {
        let of = |also| Address { file: self.address.file.clone(), also };
        let others = also::names(self.source()).into_iter().map(Some);
        std::iter::once(None).chain(others).map(of).collect()
    }

    /// The line of its file, from 1, at which its table `also` begins, if it has one.
    pub fn line(&self) -> Option<usize> {
        let part = self.text.part.as_ref()?;
        Some(line_column(self.source(), part.named.start).0)
    }

    /// The comments above it: at the beginning of its file, or right above its table `also`.
    pub fn comments(&self) -> Vec<&str> {
        let Some(part) = &self.text.part else {
            let first = self.source().lines().skip_while(|line| line.starts_with("#:"));
            return first.map_while(|line| line.strip_prefix('#')).collect();
        };
        let before = &self.source()[..part.named.start];
        let above = before.rfind('\n').map_or("", |end| &before[..end]);
        let mut lines: Vec<&str> =
            above.lines().rev().map_while(|line| line.strip_prefix('#')).collect();
        lines.reverse();
        lines
    }

    /// Its table in its file, without tables `also`, one of which may be merged into the rest.
    pub fn table(&self) -> Table {
        read::table(&self.text)
    }

    /// The scenario that `table` describes, in the place of this one.
    ///
    /// # Errors
    /// If it is none, or its steps are about another world.
    pub fn with_table(&self, table: &Table) -> Result<Self, Problem> {
        let text = toml::to_string(table);
        let text =
            text.map_err(|error| Problem::new(format!("this cannot be written: {error}")))?;
        parse_again(&self.address, text)
    }
}

/// A line of a script.
#[derive(Clone, Debug)]
pub struct ScriptStep {
    /// The instruction that the line gives.
    pub instruction: Instruction,
    /// The outcome that the line states. If it states none, the step must do something.
    pub outcome: Option<ExpectedOutcome>,
    /// The number of the line in the file, from 1.
    pub line: usize,
    /// The bytes of the line in the file.
    pub span: Range<usize>,
    /// The line as it is written, without the space around it.
    pub text: String,
}

/// The expected outcome of a step that does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedOutcome {
    NoOp,
    Refused(Why),
    /// The transaction aborts; by an assert of this clause, if the line names one.
    Aborted(Option<Clause>),
    Contended,
}

impl ExpectedOutcome {
    /// The expectation that `outcome` meets, if it is one that a line can state.
    pub fn of(outcome: Outcome) -> Option<Self> {
        match outcome {
            Outcome::NoOp => Some(Self::NoOp),
            Outcome::Refused(why) => Some(Self::Refused(why)),
            Outcome::Aborted => Some(Self::Aborted(None)),
            Outcome::Contended => Some(Self::Contended),
            Outcome::Done | Outcome::Planned | Outcome::Committed | Outcome::NotEnabled => None,
        }
    }

    /// The expectation that a line has to state for `outcome`: none, if the step did something, or
    /// if it is an `abort` that aborted.
    pub fn to_be_written(act: Act, outcome: Outcome) -> Option<Self> {
        let is_loss = matches!(act, Act::Txn(_, TxnAct::Abort) | Act::Faults(Fault::AbortTxn(_)));
        Self::of(outcome).filter(|outcome| !(is_loss && *outcome == Self::Aborted(None)))
    }
}

impl std::fmt::Display for ExpectedOutcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoOp => f.pad("no-op"),
            Self::Refused(why) => f.pad(&format!("refused: {}", why.text())),
            Self::Aborted(None) => f.pad("aborted"),
            Self::Aborted(Some(clause)) => f.pad(&format!("aborted: {clause}")),
            Self::Contended => f.pad("contended"),
        }
    }
}
