//! Verdicts of views on claims.
//!
//! A claim is judged on the shared part and one process: its subject is a row of either, and it
//! must read no other rows. So it is a property of pairs of a shared part and a local state, and of
//! the moves between pairs. A claim about states may also compare numbers of units with constants,
//! for which the counts of a view suffice.

use std::collections::BTreeSet;

use deathwatch_checker::views::{
    Amounts, Closure, LocalId, MOST_COUNTS, OpenPairs, Pair, RestViews, SharedId, StateView,
    Template as _,
};
use deathwatch_language::Trail;
use deathwatch_model::{
    rows::{Read, Row, RowKind, recorded},
    state::State,
    world::{Scope, World},
};

use super::{
    NoTemplate, Unending,
    certificate::{ClaimProof, PairsProof},
    family::rows,
    named,
    protocol::Protocol,
};
use crate::claims::{Claim, ClaimKind, OwnClaim, OwnFormula};

/// The reason why views cannot decide a claim: it uses a number of units for more than comparisons
/// with constants up to `MOST_COMPARED`.
const COUNTS: &str = "it reads a number of units";

/// The greatest constant with which a number of units may be compared.
const MOST_COMPARED: i64 = 8;

/// The verdict of the views on a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ViewsSay {
    /// It holds in every instance.
    Holds,
    /// It holds in every instance, and its condition applies in none.
    Vacuous,
    /// The condition of a claim of the kind reachable holds in no instance.
    NeverReached,
    /// It may be violated, or its condition may be reached: this view does not rule it out.
    NotRuledOut(StateView),
    /// Views cannot decide it, for this reason.
    Nothing(String),
}

/// The owner of a subject: a process of a type, or `None` for the shared part.
type AskedOf = Option<usize>;

/// The reads of a condition that a pair cannot answer.
#[derive(Clone, Debug, Default)]
struct Unknown {
    /// A row of another process, or of all.
    foreign: Option<String>,
    /// The numbers of units that documents count.
    counts: [bool; MOST_COUNTS],
    /// Whether a number of units is read that is no count of the template.
    uncounted: bool,
}

impl Unknown {
    fn counts(&self) -> bool {
        self.counts.contains(&true)
    }

    fn reason(self) -> Option<String> {
        let counts = self.counts();
        self.foreign.map(|it| format!("it reads {it}")).or(counts.then(|| COUNTS.to_owned()))
    }
}

pub(super) struct Judge<'a> {
    pub(super) protocol: &'a mut Protocol,
    closure: &'a Closure,
    pub(super) rest: &'a RestViews,
    /// Whether runs end: only then the views at rest decide claims of the kind leads.
    ends: Result<(), Unending>,
    /// The graph of the pairs of the shared part alone, and of each type.
    pairs: Vec<(AskedOf, OpenPairs)>,
    proofs: Vec<ClaimProof>,
}

impl<'a> Judge<'a> {
    /// A judge of the claims on a closure.
    ///
    /// # Errors
    /// If a broadcast violates the conditions of a template.
    pub(super) fn new(
        protocol: &'a mut Protocol,
        closure: &'a Closure,
        rest: &'a RestViews,
        ends: Result<(), Unending>,
    ) -> Result<Self, NoTemplate> {
        let types = protocol.sizes().1.len();
        let subjects = std::iter::once(None).chain((0..types).map(Some));
        let pairs: Result<Vec<(AskedOf, OpenPairs)>, NoTemplate> =
            subjects.map(|of| Ok((of, OpenPairs::of(protocol, closure, of)?))).collect();
        Ok(Self { pairs: pairs?, protocol, closure, rest, ends, proofs: Vec::new() })
    }

    /// The proofs of the claims that hold.
    pub(super) fn into_proofs(self) -> Vec<ClaimProof> {
        self.proofs
    }

    pub(super) fn says(&mut self, claim: &'static Claim) -> ViewsSay {
        let known = self.proofs.len();
        let said = self.says_of_all(claim);
        let is_proved =
            matches!(said, ViewsSay::Holds | ViewsSay::Vacuous | ViewsSay::NeverReached);
        if !is_proved {
            self.proofs.truncate(known);
        }
        said
    }

    fn says_of_all(&mut self, claim: &'static Claim) -> ViewsSay {
        // A claim about states or steps without subjects cannot be violated.
        let mut said = match claim.kind() {
            ClaimKind::Leads => ViewsSay::Vacuous,
            ClaimKind::Always | ClaimKind::Step => ViewsSay::Holds,
            ClaimKind::Reachable => ViewsSay::NeverReached,
        };
        for own in claim.texts() {
            let of_each = own.of_each();
            let own = of_each.as_ref().unwrap_or(own);
            if let Some(why) = self.is_about_all(own) {
                return ViewsSay::Nothing(why);
            }
            let subjects: Vec<Row> = own.subject_kind().rows(self.protocol.world()).collect();
            for subject in subjects {
                let of = match self.protocol.owner(subject) {
                    // The other processes of the type are like the first one.
                    Some((_, slot)) if slot > 0 => continue,
                    owner => owner.map(|(of, _)| of),
                };
                let (says, proof) = self.says_of(own, subject, of);
                let subject = own.each.map(|_| subject);
                self.proofs.extend(proof.map(|proof| ClaimProof { claim, subject, of, proof }));
                match says {
                    ViewsSay::Holds => said = ViewsSay::Holds,
                    ViewsSay::Vacuous | ViewsSay::NeverReached => {}
                    other => return other,
                }
            }
        }
        said
    }

    /// The reason why a claim is about more than a pair, whatever it reads.
    fn is_about_all(&self, own: &OwnClaim) -> Option<String> {
        if own.asks_quiescence() {
            return Some("it asks whether anybody can move".to_owned());
        }
        let (world, listed) = (self.protocol.world(), own.listed());
        let mut kinds = RowKind::ALL.into_iter().filter(|kind| listed.contains(*kind));
        let has_owner =
            |kind: &RowKind| kind.rows(world).any(|row| self.protocol.owner(row).is_some());
        if let Some(kind) = kinds.find(has_owner) {
            return Some(format!("it goes through all rows `{}`", kind.name()));
        }
        // If each principal has its identifiers, there are enough in every instance.
        (own.asks_room() && !self.has_room()).then(|| {
            "it asks whether there are identifiers enough, which depends on how many units there are"
                .to_owned()
        })
    }

    /// Whether each process has an identifier for each subordinate that its principal may get.
    fn has_room(&self) -> bool {
        let world = self.protocol.world();
        self.protocol.stage.instance.places.processes.iter().flatten().all(|process| {
            let principal = world.unit(process.units[0]).application;
            let relations = world.application(principal).relations.iter();
            let container =
                relations.map(|id| world.relation(*id)).filter(|it| it.scope == Scope::Container);
            let mut others = container.filter_map(|it| it.counterpart(principal));
            others.all(|other| process.units.iter().any(|id| world.unit(*id).application == other))
        })
    }

    /// The verdict on a claim about one subject, with the proof if it is not violated.
    fn says_of(&self, own: &OwnClaim, subject: Row, of: AskedOf) -> (ViewsSay, Option<PairsProof>) {
        let result = match &own.says {
            OwnFormula::Leads(_) => self.leads(own, subject, of),
            OwnFormula::Always(_) => {
                let decided = self.decided(own, subject, of);
                decided.map(|it| unless(it, ViewsSay::Holds, PairsProof::NoneViolates))
            }
            OwnFormula::Reachable(_) => {
                let decided = self.decided(own, subject, of);
                decided.map(|it| unless(it, ViewsSay::NeverReached, PairsProof::NoneReaches))
            }
            OwnFormula::Step(_) => {
                let violated = self.steps(own, subject, of);
                violated.map(|it| unless(it, ViewsSay::Holds, PairsProof::NoneViolates))
            }
        };
        result.unwrap_or_else(|why| (ViewsSay::Nothing(why), None))
    }

    fn pairs(&self, of: AskedOf) -> &OpenPairs {
        let mut all = self.pairs.iter();
        &all.find(|(other, _)| *other == of).expect("each has its graph").1
    }

    /// Adds the reads that a pair cannot answer to `unknown`.
    fn note(&self, of: AskedOf, reads: &[Read], unknown: &mut Unknown) {
        let world = self.protocol.world();
        let is_counted = reads.iter().any(|it| matches!(it, Read::Count(_)));
        for read in reads {
            let foreign = match *read {
                Read::Row(row) => {
                    let counted = self.protocol.counted.iter().position(|it| it.row() == Some(row));
                    if let Some(count) = counted {
                        unknown.counts[count] |= is_counted;
                    } else {
                        let has_count = matches!(row, Row::Application(_) | Row::Relation(_));
                        unknown.uncounted |= is_counted && has_count;
                    }
                    match self.protocol.owner(row) {
                        None => None,
                        Some(owner) if of.is_some_and(|of| owner == (of, 0)) => None,
                        Some(_) => Some(named(world, row)),
                    }
                }
                Read::Deployers | Read::Count(_) => None,
                Read::Relation(kind, _) | Read::All(kind) => {
                    let is_shared = rows(world)
                        .filter(|row| row.kind() == kind)
                        .all(|row| self.protocol.owner(row).is_none());
                    (!is_shared).then(|| format!("`{}` of all units", kind.name()))
                }
                Read::AnyAlive(..) => Some("the lives of all units".to_owned()),
                Read::Pending => Some("all pending transactions".to_owned()),
                Read::Broadcast(_) => unreachable!("a condition changes nothing"),
            };
            if let Some(foreign) = foreign {
                unknown.foreign.get_or_insert(foreign);
            }
        }
    }

    /// The value of a condition in a pair, if others add this much to counts. Reads of other
    /// processes are added to `unknown`, and so is a value that depends on the work of shared
    /// actors on a hidden process.
    fn ask<T: PartialEq>(
        &self,
        of: AskedOf,
        (shared, local): Pair,
        others: Amounts,
        unknown: &mut Unknown,
        condition: impl Fn(&World, &State) -> T,
    ) -> T {
        let process = of.map(|of| (of, local, 0));
        let state = self.protocol.state_with(shared, process.as_slice(), others, 0);
        let (world, mut reads) = (self.protocol.world(), Vec::new());
        let result = recorded(&mut reads, || condition(world, &state));
        self.note(of, &reads, unknown);
        let held = self.protocol.with_ghosts(&state, &reads);
        if held.iter().any(|state| condition(world, state) != result) {
            unknown.foreign.get_or_insert("what somebody does about another unit".to_owned());
        }
        result
    }

    fn leads(
        &self,
        own: &OwnClaim,
        subject: Row,
        of: AskedOf,
    ) -> Result<(ViewsSay, Option<PairsProof>), String> {
        let (mut unknown, mut all_from, mut all_to) = (Unknown::default(), Vec::new(), Vec::new());
        let pairs = self.pairs(of);
        let open = pairs.open(|shared, local| {
            let obligation = |world: &World, state: &State| own.obligation(world, state, subject);
            let pair = (shared, local);
            let [from, to] = self.ask(of, pair, [0; MOST_COUNTS], &mut unknown, obligation);
            all_from.extend(from.then_some(pair));
            all_to.extend(to.then_some(pair));
            [from, to]
        });
        if let Some(why) = unknown.reason() {
            return Err(why);
        }
        let (is_asked, listed) = (!all_from.is_empty(), open.iter().copied().collect());
        let proof = PairsProof::NoneRestsOpen { from: all_from, to: all_to, open: listed };
        if !is_asked {
            return Ok((ViewsSay::Vacuous, Some(proof)));
        }
        let mut rest = self.rest.views.iter().copied();
        let stuck = rest.find(|view| open.contains(&pair_of(view, of)));
        match &self.ends {
            Ok(()) => Ok(unless(stuck, ViewsSay::Holds, proof)),
            Err(Unending { why, ends_if_finite }) if stuck.is_none() && *ends_if_finite => {
                Err(format!("{why}; it holds if `assume.finitely-many-commands` is made"))
            }
            Err(Unending { why, .. }) => Err(why.clone()),
        }
    }

    /// The view of a state that may violate a claim about states, or reach its condition.
    fn decided(
        &self,
        own: &OwnClaim,
        subject: Row,
        of: AskedOf,
    ) -> Result<Option<StateView>, String> {
        let none = [0; MOST_COUNTS];
        let pairs = self.pairs(of).all().iter().map(|pair| (*pair, none));
        let (decides, unknown) = self.decided_in(own, subject, of, pairs);
        let counts = unknown.counts;
        let Some(why) = unknown.reason() else { return Ok(decides) };
        let own = own.by_counts();
        let Some(most) = own.greatest_compared().filter(|most| *most <= MOST_COMPARED) else {
            return Err(why);
        };
        let mut asked = counts;
        loop {
            let all = self.counted(of, asked, most);
            let (decides, unknown) = self.decided_in(&own, subject, of, all.into_iter());
            // A count without a hidden part is not compared with the recount, so it is not trusted.
            if unknown.foreign.is_some() || unknown.uncounted {
                return Err(why);
            }
            let known = asked;
            (0..MOST_COUNTS).for_each(|count| asked[count] |= unknown.counts[count]);
            if asked == known {
                return Ok(decides);
            }
        }
    }

    fn decided_in(
        &self,
        own: &OwnClaim,
        subject: Row,
        of: AskedOf,
        all: impl Iterator<Item = (Pair, Amounts)>,
    ) -> (Option<StateView>, Unknown) {
        let (mut unknown, mut decides) = (Unknown::default(), None);
        for (pair, others) in all {
            let condition = |world: &World, state: &State| own.is_decided(world, state, subject);
            if self.ask(of, pair, others, &mut unknown, condition) && decides.is_none() {
                decides = Some(self.view_of(of, pair, others));
            }
            if unknown.foreign.is_some() {
                break;
            }
        }
        (decides, unknown)
    }

    /// A view of this pair with these amounts of others; 0 stands for counts that were not asked.
    fn view_of(&self, of: AskedOf, pair: Pair, others: Amounts) -> StateView {
        let shows = |view: &&StateView| {
            let is_told = |count: usize| {
                let (added, is_more) = (self.added(view, of)[count], view.hidden[count]);
                others[count] == added
                    || others[count] == 0
                    || others[count] > added && is_more == self.protocol.bound
            };
            pair_of(view, of) == pair && (0..self.protocol.counts()).all(is_told)
        };
        *self.closure.views().find(shows).expect("each pair is of some view")
    }

    /// The amounts of all processes in a view without the subject's, as far as it has them.
    fn added(&self, view: &StateView, of: AskedOf) -> Amounts {
        let visible = (0..self.protocol.types()).filter(|other| Some(*other) != of);
        let adds = visible.map(|other| self.protocol.adds(other, view.locals[other]));
        adds.fold(view.hidden, |sum, adds| std::array::from_fn(|count| sum[count] + adds[count]))
    }

    /// All pairs with the amounts that others may add to the `asked` counts. If a view says "that
    /// many or more", each number up to one above `most` is tried.
    fn counted(
        &self,
        of: AskedOf,
        asked: [bool; MOST_COUNTS],
        most: i64,
    ) -> BTreeSet<(Pair, Amounts)> {
        let bound = self.protocol.bound;
        let beyond = u8::try_from(most + 1).expect("it is small");
        let mut all = BTreeSet::new();
        for view in self.closure.views() {
            let (pair, adds) = (pair_of(view, of), self.added(view, of));
            let mut others = vec![[0; MOST_COUNTS]];
            for count in (0..self.protocol.counts()).filter(|count| asked[*count]) {
                let is_more = view.hidden[count] == bound;
                let last = if is_more { adds[count].max(beyond) } else { adds[count] };
                others = others
                    .iter()
                    .flat_map(|others| {
                        (adds[count]..=last).map(|number| {
                            let mut others = *others;
                            others[count] = number;
                            others
                        })
                    })
                    .collect();
            }
            all.extend(others.into_iter().map(|others| (pair, others)));
        }
        all
    }

    /// The view of a state before a step that may violate a claim about steps. Edges are the steps
    /// that change the pair; they are asked where they change a row that the claim may read. Other
    /// steps leave the pair as it is. Where the claim may be asked of these, each pair is asked as
    /// one, and every edge is.
    fn steps(
        &self,
        own: &OwnClaim,
        subject: Row,
        of: AskedOf,
    ) -> Result<Option<StateView>, String> {
        let (mut unknown, mut violated) = (Unknown::default(), None);
        let world = self.protocol.world();
        let asks_unseen = self.is_asked_unseen(own, subject, of);
        let stays = self.pairs(of).all().iter().filter(|_| asks_unseen);
        let unseen = stays.map(|pair| (*pair, *pair));
        for (from, to) in self.pairs(of).steps().chain(unseen) {
            let [before, after] = [from, to].map(|pair: (SharedId, LocalId)| {
                self.protocol.pair(pair.0, of.map(|of| (of, pair.1)))
            });
            let trail = Trail { world, states: [&before, &after], recount: None };
            let mut changed = rows(world).filter(|row| !after.is_same(*row, &before));
            if !asks_unseen && !changed.any(|row| own.may_ask(&trail, row, subject)) {
                continue;
            }
            let mut reads = Vec::new();
            let is_violated =
                recorded(&mut reads, || own.is_violated(world, [&before, &after], subject));
            if is_violated && violated.is_none() {
                violated = Some(self.view_of(of, from, [0; MOST_COUNTS]));
            }
            self.note(of, &reads, &mut unknown);
            if self.protocol.reads_pointer(&reads) {
                unknown.foreign.get_or_insert("what somebody may do about another unit".to_owned());
            }
        }
        unknown.reason().map_or(Ok(violated), Err)
    }

    /// Whether a claim about steps is asked of this subject where others make a step that changes
    /// nothing of its pair: a row that the claim may read has fields that no pair has.
    fn is_asked_unseen(&self, own: &OwnClaim, subject: Row, of: AskedOf) -> bool {
        let world = self.protocol.world();
        let mine = of.map(|of| (of, 0));
        // A user's row has how often the commands about others were given.
        let is_masked = |row: Row| {
            matches!(row, Row::User(_))
                || self.protocol.has_pointer(row)
                || self.protocol.counted.iter().any(|it| it.row() == Some(row))
        };
        let may_change = |row: &Row| match self.protocol.owner(*row) {
            None => is_masked(*row),
            owner => owner != mine,
        };
        let state = self.protocol.pair(0, None);
        let trail = Trail { world, states: [&state; 2], recount: None };
        rows(world).filter(may_change).any(|row| own.may_ask(&trail, row, subject))
    }
}

/// The pair that a view shows.
fn pair_of(view: &StateView, of: AskedOf) -> Pair {
    (view.shared, of.map_or(0, |of| view.locals[of]))
}

/// The verdict that a view does not rule a violation out; or, without such a view, `says` with its
/// proof.
fn unless(
    may_be: Option<StateView>,
    says: ViewsSay,
    proof: PairsProof,
) -> (ViewsSay, Option<PairsProof>) {
    may_be.map_or((says, Some(proof)), |view| (ViewsSay::NotRuledOut(view), None))
}
