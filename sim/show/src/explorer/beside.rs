//! Neighbours of the explored world: the other scenarios of its file, and the board of verdicts,
//! which is filled in once it is unfolded.

use std::sync::{Arc, Mutex, PoisonError};

use deathwatch_scenario::{
    problem::Problem,
    replay,
    scenario::{self, Address as ScenarioAddress, Scenario},
};
use deathwatch_study::assume::board::{Board, BoardWorld};

use super::{Explorer, address::FIRST};
use crate::page::{BesideLink, ShownBoard, ShownWorld};

/// The greatest number of states of a world on the board.
const MOST_STATES: u64 = 20_000;
/// The greatest number of other scenarios of a file that are on the board.
const MOST_BESIDE: usize = 8;
/// The greatest number of them that a page leads to.
const MOST_LINKS: usize = 40;

/// The board of a world, once it was asked for.
#[derive(Debug, Default)]
pub(super) struct LastBoard(Mutex<Option<Arc<ShownBoard>>>);

impl Explorer {
    /// The explorer of another scenario of the file; `None` if the address names none.
    pub(super) fn beside(&self, name: Option<&str>) -> Result<Option<Arc<Self>>, Problem> {
        let Some(name) = name else { return Ok(None) };
        let mut last = self.last_beside.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, explorer)) = last.as_ref().filter(|(known, _)| known[..] == [name]) {
            return Ok(Some(Arc::clone(explorer)));
        }
        let address = ScenarioAddress {
            file: self.scenario.address.file.clone(),
            also: (name != FIRST).then(|| name.into()),
        };
        let scenario = scenario::beside(&self.scenario, &address)?;
        let all = deathwatch_claims::all_with(scenario.world.detail);
        let scenario = scenario.keeping(all);
        let replay = replay::replay(&scenario).map_err(|impossible| impossible.problem)?;
        let explorer = Self::new(scenario, replay, self.bounds.clone())?;
        let explorer = Arc::new(Self { bad_file: self.bad_file.clone(), ..explorer });
        *last = Some((vec![name.to_owned()], Arc::clone(&explorer)));
        Ok(Some(explorer))
    }

    /// The scenarios of the file, if they are several.
    pub(super) fn names_beside(&self) -> Vec<BesideLink> {
        let all = self.file.addresses();
        let is_here = |it: &ScenarioAddress| it.also == self.file.address.also;
        let link = |it: &ScenarioAddress| BesideLink { name: name_of(it), is_here: is_here(it) };
        if all.len() == 1 { Vec::new() } else { all.iter().map(link).take(MOST_LINKS).collect() }
    }

    /// The board of verdicts of this world, from the end of the script on.
    pub(super) fn shown_board(&self) -> Arc<ShownBoard> {
        let mut last = self.board.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(board) = &*last {
            return Arc::clone(board);
        }
        let board = Arc::new(self.decided_board());
        *last = Some(Arc::clone(&board));
        board
    }

    fn decided_board(&self) -> ShownBoard {
        let others = self.file.addresses().into_iter();
        let others = others.filter(|it| it.also != self.file.address.also).take(MOST_BESIDE);
        let beside: Vec<Scenario> =
            others.filter_map(|it| scenario::beside(&self.file, &it).ok()).collect();
        let asked: Vec<_> = match &self.scenario.claims[..] {
            [] => self.claims.clone(),
            asked => asked.iter().map(|(claim, _)| *claim).collect(),
        };
        let is_over = (self.bounds.clock)();
        let settings = self.bounds.settings(MOST_STATES, &*is_over);
        let board = Board::of((&self.scenario, &self.replay), &beside, &asked, &settings);
        let world = |world: BoardWorld| match world {
            BoardWorld::AsItIs => ShownWorld::AsItIs,
            BoardWorld::Beside(place) => ShownWorld::Beside(name_of(&beside[place].address)),
            BoardWorld::Fixed((name, value)) => ShownWorld::Fixed(name, value),
        };
        let wanted = |claim: &deathwatch_claims::Claim| {
            claim.kind() == deathwatch_claims::ClaimKind::Reachable
        };
        ShownBoard {
            claims: asked.iter().map(|claim| (claim.name, wanted(claim))).collect(),
            columns: board.columns.into_iter().map(|it| (world(it.world), it.answers)).collect(),
            without_effect: board.without_effect,
            most_states: MOST_STATES,
        }
    }
}

/// The name of a scenario among those of its file.
fn name_of(address: &ScenarioAddress) -> String {
    address.also.as_deref().unwrap_or(FIRST).to_owned()
}
