//! The second opinion: stateright's checker and its Explorer, over the same protocol.
//!
//! stateright compares states by a hash only, knows no fairness, and its `eventually` misses
//! cycles and joins; so it decides `Always` claims and witnesses, and must count as many states
//! as our own explorer does.

mod protocol;
mod search;
mod threads;

use std::net::SocketAddr;

use deathwatch_model::{check::Question, state::State, world::World};
use stateright::Model;

use protocol::{MOST_ASKED, Protocol, askable};

pub use search::check;

/// Says what changed between two states, for the Explorer.
pub type Describe = fn(&World, &State, &State) -> String;

/// Serves stateright's Explorer on `address` until the process ends. `describe` says what changed
/// between two states. Of more than 128 things asked, the Explorer shows the first.
pub fn explore(question: &Question<'_>, address: SocketAddr, describe: Describe) {
    let mut asked = askable(question);
    asked.truncate(MOST_ASKED);
    Protocol::new(question, &asked, describe).checker().serve(address);
}
