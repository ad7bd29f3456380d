//! Certificates of answers for every number of units, as lines of JSON: all that these rest on, so
//! that any program can check it. `docs/any-size.md` says what has to be checked, and why that is
//! enough.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{made::Made, run::Tables};

/// The version of this form. It grows with each change that a reader might notice.
const VERSION: u32 = 2;

/// A shared part, and a local state; 0 where none is looked at.
pub type PairIds = (u32, u16);

/// A line of a certificate. Those of a kind follow each other, and the kinds are in this order.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CertificateLine {
    /// The head of the certificate.
    Certificate(CertificateHead),
    /// A shared part: all rows that belong to no unit and its machine, without counts of units.
    Shared(SharedPart),
    /// A local state: the rows of a unit and its machine.
    Local(LocalState),
    /// A view with which instances begin.
    First(ViewIds),
    /// A view of a state of an instance.
    View(ViewIds),
    /// All moves of an actor that is no unit, or of a unit and its machine, somewhere.
    Moves(MovesThere),
    /// The local state that another one becomes if all are told something.
    Told(ToldLocal),
    /// A rank of the measure, which falls with each move that is no fault.
    Rank(RankOf),
    /// A view in which nobody has to move.
    Rest(ViewIds),
    /// A claim that holds for every number of units, or of which nothing happens for any; or that
    /// something can be reached, which no number reaches.
    Holds(HoldingClaim),
    /// A run of an instance that violates a claim, or reaches what something asks for.
    Shown(ShownRun),
}

/// The subject of a certificate.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CertificateHead {
    /// The program and the form that wrote it.
    #[serde(flatten)]
    pub made: Made,
    /// The scenario.
    pub scenario: String,
    /// The types of processes: the applications whose units may be any number.
    pub applications: Vec<String>,
    /// The counts.
    pub counts: Vec<CountedThing>,
    /// The number from which on more hidden ones make no difference.
    pub bound: u8,
}

impl CertificateHead {
    /// The head of a certificate that `command` writes.
    pub fn by(
        command: &str,
        scenario: &str,
        applications: Vec<String>,
        counts: Vec<CountedThing>,
        bound: u8,
    ) -> Self {
        let (made, scenario) = (Made::by(command, VERSION), scenario.to_owned());
        Self { made, scenario, applications, counts, bound }
    }
}

/// Something that counts processes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CountedThing {
    /// Its subject: an application, a relation, or an actor.
    pub of: String,
    /// The units that it counts.
    pub counts: WhomCounted,
}

/// The units that a count counts.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WhomCounted {
    /// The units of an application, as its document does.
    Units,
    /// The units in the scope of a relation, as its document does.
    InScope,
    /// The units of an application that are Alive. No document counts them.
    Alive,
    /// Units about which a transaction is pending: at most one.
    Pending,
}

/// A shared part.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SharedPart {
    /// Its number.
    pub id: u32,
    /// Its number without what is pending: shared parts that differ in nothing else have the same.
    pub settled: u32,
    /// The rows that are not as where nothing is.
    pub rows: Tables,
}

/// A local state.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LocalState {
    /// The type of the process.
    pub of: usize,
    /// Its number among those of the type.
    pub id: u16,
    /// Its number without what is pending.
    pub settled: u32,
    /// Its contribution to each count.
    pub adds: Vec<u8>,
    /// The rows that are not as where nothing is, by the names of the first process of the type.
    pub rows: Tables,
}

/// A view.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ViewIds {
    /// The shared part.
    pub shared: u32,
    /// The local state of the visible process of each type.
    pub locals: Vec<u16>,
    /// The contribution of all others to each count, up to the bound.
    pub hidden: Vec<u8>,
}

/// All moves of somebody, somewhere.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MovesThere {
    /// The type of the process, and its local state; nothing, if it is none.
    pub by: Option<(usize, u16)>,
    /// The shared part.
    pub shared: u32,
    /// The contribution of all others to each count, up to the bound.
    pub others: Vec<u8>,
    /// The moves.
    pub moves: Vec<OneMove>,
}

/// A move.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OneMove {
    /// Whether it is a fault, is free, or is owed.
    pub is: MoveKind,
    /// The shared part after it.
    pub shared: u32,
    /// The local state of the mover after it.
    pub local: Option<u16>,
    /// The message to all others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tells: Option<ToldThing>,
}

/// The mover.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MoveKind {
    /// Nobody: a fault, which happens finitely often.
    Fault,
    /// Somebody who need not.
    Free,
    /// Somebody who does not stop while he can move.
    Owed,
}

/// The message of a move to all others.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ToldThing {
    /// Its number.
    pub id: u32,
    /// For each count, whether nothing is left of it.
    pub clears: Vec<bool>,
}

/// The local state that another one becomes if all are told something.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ToldLocal {
    /// The number of what is told.
    pub tells: u32,
    /// The type of the process.
    pub of: usize,
    /// Its local state.
    pub local: u16,
    /// Its local state then.
    pub becomes: u16,
}

/// A rank of a node, in one of the graphs of the measure: that of shared parts without what is
/// pending; at such a one, that of local states of a type without what is pending; at these, and
/// where others add this much but to counts of what is pending, that of local states, or that of
/// shared parts.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RankOf {
    /// The shared part, without what is pending.
    pub settled_shared: u32,
    /// The type of the process, and its local state without what is pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled_local: Option<(usize, u32)>,
    /// The contribution of others to each count, but to those of pending transactions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others: Option<Vec<u8>>,
    /// The local state, or the shared part, with what is pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending: Option<u32>,
    /// The rank.
    pub rank: u32,
}

/// A claim to which the answer is the same for every number of units.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HoldingClaim {
    /// The claim.
    pub claim: String,
    /// Its subject: something shared, or a row of the first process of a type.
    pub subject: String,
    /// The type of that process.
    pub of: Option<usize>,
    /// If it says what must follow, the pairs that show it; else none violates it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leads: Option<LeadsPairs>,
    /// Whether it says that something can be reached, and nothing reaches that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub never_reached: bool,
}

/// Why what has to follow does.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LeadsPairs {
    /// The pairs in which the condition holds that asks for something.
    pub from: Vec<PairIds>,
    /// The pairs in which the condition holds that meets it.
    pub to: Vec<PairIds>,
    /// The pairs in which it may be open: no view at rest has one of them.
    pub open: Vec<PairIds>,
}

/// A run of an instance that decides something.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ShownRun {
    /// A claim, or the clause that a witness is about.
    pub asked: String,
    /// Whether the run reaches what it asks for; else it violates the claim.
    pub is_reached: bool,
    /// The number of units of each application.
    pub units: Vec<usize>,
    /// The views of its states that show the first unit of each application, each that differs from
    /// the one before. Nothing, if others have taken identifiers that are that unit's.
    pub views: Option<Vec<ViewIds>>,
}
