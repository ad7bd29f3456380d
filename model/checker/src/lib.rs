//! An explicit-state model checker: a search of a whole state space, and claims about its fair
//! runs.
//!
//! It knows nothing of what it checks. A state is a few words of 64 bits, an edge has a label that
//! says who moves along it, and everything else is up to the caller:
//!
//! - a [`Space`](explore::Space) lists the successors of a state;
//! - [`explore`](explore::explore) numbers the states that can be reached, breadth first, with any
//!   number of threads, and returns a [`StateGraph`](explore::StateGraph); the numbers are the same
//!   for any number of threads. Invariants are checked on the way, by the space itself;
//! - a [`Label`](graph::Label) is a fault, somebody who may move but need not, or a fairness class,
//!   of which [`Fairness`](graph::Fairness) says what is assumed;
//! - [`leads`](fair::leads) decides whether one thing leads to another on every fair run. The
//!   answer is a [`ClaimVerdict`](fair::ClaimVerdict), with a [`Lasso`](fair::Lasso) if it is no: a
//!   fair run that was checked by the definition before it was returned.
//!
//! A search keeps within [`SearchLimits`](explore::SearchLimits) of states, memory and time, and
//! says so if it [stops](Stop) early. What it says of memory is counted, not measured, so it is the
//! same in every run.
//!
//! # Example
//!
//! Two processes share a lock. One that waits gets it in the end only if fairness is strong: the
//! other may have it whenever somebody looks, and give it back in between.
//!
//! ```
//! use deathwatch_checker::{
//!     MemoryBudget,
//!     explore::{ExploreOptions, SearchLimits, Space, Successors, explore},
//!     fair::{LeadsOptions, Masks, leads},
//!     graph::{Fairness, Label},
//! };
//!
//! const IDLE: u64 = 0;
//! const WAITING: u64 = 1;
//! const INSIDE: u64 = 2;
//!
//! /// A state has a word for each process.
//! struct Lock;
//!
//! impl Space for Lock {
//!     /// The smallest number of a state with both inside.
//!     type Worker = Option<u64>;
//!
//!     fn words(&self) -> usize {
//!         2
//!     }
//!
//!     fn worker(&self) -> Self::Worker {
//!         None
//!     }
//!
//!     fn starts(&self) -> Vec<Vec<u64>> {
//!         vec![vec![IDLE, IDLE]]
//!     }
//!
//!     fn expand(
//!         &self,
//!         both: &mut Option<u64>,
//!         id: u64,
//!         state: &[u64],
//!         next: &mut Successors<'_>,
//!     ) {
//!         if state == [INSIDE, INSIDE] {
//!             *both = Some(both.map_or(id, |first| first.min(id)));
//!         }
//!         for (class, me) in [(0, 0), (1, 1)] {
//!             let mut go = |to, label| {
//!                 let mut target = [state[0], state[1]];
//!                 target[me] = to;
//!                 next.push(&target, label);
//!             };
//!             match state[me] {
//!                 // Nobody has to ask for the lock.
//!                 IDLE => go(WAITING, Label::FREE),
//!                 WAITING if state[1 - me] != INSIDE => go(INSIDE, Label::class(class)),
//!                 INSIDE => go(IDLE, Label::class(class)),
//!                 _ => {}
//!             }
//!         }
//!     }
//!
//!     fn merge(&self, into: &mut Option<u64>, from: Option<u64>) {
//!         *into = into.iter().copied().chain(from).min();
//!     }
//! }
//!
//! let found = explore(&Lock, &ExploreOptions::default(), &SearchLimits::NONE, &|_| ());
//! assert_eq!((found.stopped, found.states), (None, 8));
//! assert_eq!(found.findings, None, "the lock is exclusive");
//!
//! // Claim 0: whenever process 0 waits, it gets inside later.
//! let claim = |(): &mut (), state: &[u64]| {
//!     (u64::from(state[0] == WAITING), u64::from(state[0] == INSIDE))
//! };
//! let mut memory = MemoryBudget::unlimited();
//! let masks = Masks::of(&found.graph, 1, &mut memory, &|| None, || (), claim)?;
//! let options = LeadsOptions::default();
//! let mut decide =
//!     |fairness| leads(&found.graph, &[fairness; 2], &masks, 1, options, &mut memory, &|| None);
//! let weak = decide(Fairness::Weak)?.remove(0);
//! assert!(weak.lasso.is_some(), "process 1 comes and goes for ever");
//! let strong = decide(Fairness::Strong)?.remove(0);
//! assert!(strong.lasso.is_none());
//! # Ok::<(), deathwatch_checker::Stop>(())
//! ```
//!
//! The example `two_phase_commit` is a larger one.

mod budget;
pub mod explore;
pub mod fair;
pub mod graph;
mod index;
pub mod memo;
mod progress;
mod threads;
pub mod views;

pub use budget::MemoryBudget;
pub use progress::{Phase, SearchProgress, Stop};
pub use threads::{all_busy, in_order, measure_threads};
