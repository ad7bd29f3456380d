//! Links: the addresses to which the page of a state leads.

use super::{address::Address, position::Position};
use crate::page::Links;

/// The addresses that a page leads to.
pub(super) struct Here<'a> {
    /// The number of steps of the script.
    pub(super) script: usize,
    /// The present address.
    pub(super) address: &'a Address,
    /// The present position.
    pub(super) position: &'a Position,
}

impl Links for Here<'_> {
    fn at(&self, state: usize) -> String {
        let address = Address { at: Some(state), ..self.address.clone() };
        format!("/{}", address.query())
    }

    fn take(&self, action: usize) -> String {
        let mut address = onward(self.script, self.address, self.position, &[action]);
        address.claim.clone_from(&self.address.claim);
        format!("/{}", address.query())
    }

    fn to(&self, page: &str) -> String {
        format!("{page}{}", self.address.query())
    }

    fn counterexample(&self, claim: &str) -> String {
        let mut address = onward(self.script, self.address, self.position, &[]);
        address.claim = Some(claim.to_owned());
        format!("/counterexample{}", address.query())
    }

    fn fields(&self) -> Vec<(&'static str, String)> {
        let mut address = self.address.clone();
        address.condition = None;
        address.claim = None;
        address.fields()
    }

    fn condition(&self) -> &str {
        self.address.condition.as_deref().unwrap_or_default()
    }
}

/// The address of the run up to the present state, to which `more` is added. The whole script has
/// `all` steps.
pub(super) fn onward(
    all: usize,
    address: &Address,
    position: &Position,
    more: &[usize],
) -> Address {
    let script = position.script.min(position.at);
    let kept = position.at - script;
    let mut path = address.path[..kept].to_vec();
    path.extend(more);
    Address {
        script: (script < all).then_some(script),
        path,
        at: None,
        around: 0,
        claim: None,
        condition: address.condition.clone(),
    }
}
